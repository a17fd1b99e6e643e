//! `Checked` modes and `test_gradient!`: right derivatives pass, wrong ones are named.

use std::panic::{AssertUnwindSafe, catch_unwind};

use coenzyme::prelude::*;
use coenzyme::{Checked, CheckedIfAsked, check_gradient, inactive};
use coenzyme_testutils::test_gradient;

/// `Σ wᵢ·xᵢᵖ`
#[differentiable]
fn powers(x: &[f64], w: &[f64], p: i32) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += w[i] * x[i].powi(p);
    }
    sum
}

/// `y ← y·x`, returns `Σ y`.
#[differentiable]
fn grow(y: &mut [f64], x: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..y.len() {
        y[i] *= x;
        sum += y[i];
    }
    sum
}

#[differentiable]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err("negative".to_owned());
    }
    Ok(x.sqrt())
}

#[inactive]
fn half(x: f64) -> f64 {
    x / 2.0
}

/// A lie: `half` has a derivative.
#[differentiable]
fn lie(x: f64, y: f64) -> f64 {
    half(x) * x * y
}

fn message(call: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(call)).expect_err("the derivative is wrong");
    panic.downcast_ref::<String>().cloned().expect("a message")
}

#[test]
fn right_derivatives_pass_in_every_mode() {
    let (x, w) = ([1.5, -0.75, 2.0], [0.5, 2.0, 0.0]);
    test_gradient! { powers(&x, &w, 3) }
    test_gradient! { powers(&x, Const(&w), 3) }
    test_gradient! { root(2.0) }
    let mut y = [1.5, -2.0];
    test_gradient! { grow(&mut y, 1.25) }

    let (mut dx, dw) = ([1.0, 2.0, 3.0], [1.0, 0.5, -0.25]);
    autodiff!(
        Checked(Reverse),
        powers,
        Active,
        Duplicated(&x, &mut dx),
        Const(&w),
        Const(2)
    );
    assert_eq!(dx, [2.5, -1.0, 3.0]);
    let lanes = BatchDuplicated(&w, [&dw, &x]);
    autodiff!(
        Checked(ForwardWithPrimal),
        powers,
        Const(&x),
        lanes,
        Const(2)
    );
}

#[test]
fn mutation_is_followed() {
    let (mut y, mut dy) = ([1.5, -2.0], [0.5, 0.25]);
    let gradient = autodiff!(
        Checked(Reverse),
        grow,
        Active,
        Duplicated(&mut y, &mut dy),
        Active(1.25)
    );
    // ȳ·x, where ȳ is 1.5 and 1.25
    assert_eq!(
        (gradient, dy),
        ((((), 1.5 * 1.5 - 2.0 * 1.25),), [1.875, 1.5625])
    );
    let (mut y, mut dy) = ([1.5, -2.0], [0.5, 0.25]);
    autodiff!(
        Checked(Forward),
        grow,
        Duplicated(&mut y, &mut dy),
        Duplicated(1.25, 1.0)
    );
    assert_eq!(dy, [0.5 * 1.25 + 1.5, 0.25 * 1.25 - 2.0]);
}

#[test]
fn errors_pass_through() {
    assert_eq!(
        autodiff!(Checked(Reverse), root, Active, Active(-1.0)),
        Err("negative".to_owned())
    );
    assert_eq!(check_gradient(&root {}, (4.0_f64,)), Ok((0.25,)));
}

/// Run by the test below in processes of its own, with other variables; it does nothing wrong otherwise.
#[test]
fn lie_if_asked() {
    const MODE: CheckedIfAsked<Reverse> = CheckedIfAsked(Reverse);
    let gradient = autodiff!(MODE, lie, Active, Active(3.0), Active(2.0));
    assert_eq!(gradient, ((3.0, 4.5),));
    let tangent = autodiff!(
        CheckedIfAsked(Forward),
        lie,
        Duplicated(3.0, 1.0),
        Const(2.0)
    );
    assert_eq!(tangent, (3.0,));
}

#[test]
fn the_environment_turns_checks_on() {
    let output = |value: Option<&str>| {
        let exe = std::env::current_exe().expect("tests know where they are");
        let mut command = std::process::Command::new(exe);
        command.args(["lie_if_asked", "--exact", "--nocapture"]);
        match value {
            Some(value) => command.env("COENZYME_CHECKED", value),
            None => command.env_remove("COENZYME_CHECKED"),
        };
        let output = command.output().expect("a test binary runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), text)
    };
    assert!(output(None).0 && output(Some("0")).0);
    let (passes, text) = output(Some("1"));
    assert!(
        !passes && text.contains("the derivative of `lie` is wrong"),
        "{text}"
    );
    let (passes, text) = output(Some("yes"));
    assert!(!passes && text.contains("neither 0 nor 1"), "{text}");
}

#[test]
fn lies_are_named() {
    let reverse = message(|| {
        let _ = autodiff!(Checked(Reverse), lie, Active, Active(3.0), Active(2.0));
    });
    for part in [
        "the derivative of `lie` is wrong",
        "argument 0 alone",
        "again with COENZYME_CHECK_SEED=",
    ] {
        assert!(reverse.contains(part), "{part:?} is missing in {reverse}");
    }
    assert!(!reverse.contains("argument 1 alone"), "{reverse}");
    let forward = || {
        let _ = autodiff!(Checked(Forward), lie, Duplicated(3.0, 1.0), Const(2.0));
    };
    assert!(message(forward).contains("`lie`"));
    let test = || test_gradient! { lie(3.0, 2.0) };
    assert!(message(test).contains("`lie`"));
    // Where nothing flows through it, nothing is wrong.
    assert_eq!(
        autodiff!(Checked(Reverse), lie, Active, Const(3.0), Active(2.0)),
        (((), 4.5),)
    );
}
