//! `COENZYME_CHECKED=1` checks every driver that a macro writes. The tests are run once more with it, by the last of them.

use std::process::Command;

/// Without the variable each has the derivative that the rules give; with it each fails.
mod wrong {
    use coenzyme::prelude::*;
    use coenzyme::{Batch, StrongZero};
    use net::{lie, slope, squares, tall, wide};

    #[test]
    fn reverse() {
        let got = autodiff!(Reverse, lie, Active, Active(3.0), Active(2.0));
        assert_eq!(got, ((3.0, 4.5),));
    }

    #[test]
    fn forward_with_literals() {
        assert_eq!(
            autodiff!(Forward, lie, Duplicated(3.0, 1.0), Const(2.0)),
            (3.0,)
        );
    }

    #[test]
    fn modes_around_modes() {
        let mode = StrongZero(Batch::<_, 2>(ReverseWithPrimal));
        let (((x, _),), value) = match autodiff!(mode, lie, Active, Active(3.0), Const(2.0)) {
            ((x, y), value) => (((x, y),), value),
        };
        assert_eq!((x, value), ([3.0, 3.0], 9.0));
    }

    #[test]
    fn where_bounds_tell() {
        assert_eq!(slope(lie {}), 3.0);
    }

    #[test]
    fn memory() {
        let (x, mut dx) = ([1.0, 2.0], [0.0; 2]);
        let (mut y, mut dy) = ([0.0; 2], [1.0, 0.5]);
        autodiff!(
            Reverse,
            squares,
            Duplicated(&mut y, &mut dy),
            Duplicated(&x, &mut dx)
        );
        assert_eq!(dx, [0.5, 0.5]);
    }

    #[test]
    fn gradient_of_literals() {
        assert_eq!(gradient!(lie, 3.0, 2.0), (3.0, 4.5));
    }

    #[test]
    fn gradient_beside_a_variable_that_is_annotated() {
        let (x, y) = (3.0_f64, Const(2.0_f64));
        assert_eq!(gradient!(lie, x, y), (3.0, ()));
    }

    #[test]
    fn gradient_of_a_result() {
        assert_eq!(gradient!(wide, &[2.0, 3.0]), Ok(([0.0, 1.0],)));
    }

    #[test]
    fn jvp() {
        assert_eq!(
            coenzyme::jvp!(tall, &[2.0, 3.0], &[1.0, 0.0]),
            [1.0, 3.0, 0.0]
        );
    }

    #[test]
    fn vjp() {
        assert_eq!(
            coenzyme::vjp!(tall, &[2.0, 3.0], &vec![1.0, 0.0, 0.0]),
            ([1.0, 0.0],)
        );
    }

    #[test]
    fn jacobian_forwards() {
        let jacobian = coenzyme::jacobian!(tall, &[2.0, 3.0]);
        assert_eq!(jacobian[(0, 0)], 1.0);
    }

    #[test]
    fn jacobian_backwards() {
        let jacobian = coenzyme::jacobian!(wide, &[2.0, 3.0]).expect("positive");
        assert_eq!(jacobian[(0, 1)], 1.0);
    }

    #[test]
    fn hvp() {
        let (x, y) = coenzyme::hvp!(lie, Duplicated(3.0, 1.0), Duplicated(2.0, 0.0));
        assert_eq!((x, y), (1.0, 3.0));
    }

    #[test]
    fn hessian() {
        let hessian = coenzyme::hessian!(lie, 3.0, 2.0);
        assert_eq!(hessian[0], [1.0, 3.0]);
    }
}

mod right {
    use coenzyme::prelude::*;
    use net::{slope, truth, wide};

    #[test]
    fn every_driver() {
        assert_eq!(
            autodiff!(Reverse, truth, Active(3.0), Const(2.0)),
            ((6.0, ()),)
        );
        assert_eq!(gradient!(truth, 3.0, 2.0), (6.0, 4.5));
        assert_eq!(coenzyme::jvp!(truth, 3.0, 1.0, Const(2.0)), 6.0);
        assert_eq!(coenzyme::vjp!(truth, 3.0, 2.0, 1.0), (6.0, 4.5));
        assert_eq!(
            coenzyme::hvp!(truth, Duplicated(3.0, 1.0), Duplicated(2.0, 0.0)),
            (2.0, 3.0)
        );
        assert_eq!(
            coenzyme::hessian!(truth, 3.0, 2.0),
            [[2.0, 3.0], [3.0, 0.0]]
        );
    }

    #[test]
    fn where_bounds_tell() {
        assert_eq!(slope(truth {}), 6.0);
    }

    #[test]
    fn errors_pass_through() {
        assert_eq!(gradient!(wide, &[-2.0, 3.0]), Err("negative".to_owned()));
    }
}

/// Nobody can check them, which is said.
mod unchecked {
    use coenzyme::prelude::*;
    use net::{
        Ticket, admitted, generic_in_memory, generic_in_what_is_read, grown, product, single,
    };

    #[test]
    fn what_cannot_be_copied() {
        for _ in 0..2 {
            assert_eq!(gradient!(admitted, 3.0, Const(&Ticket)), (1.5, ()));
        }
    }

    #[test]
    fn what_has_no_type_yet() {
        for x in [3.0, 5.0] {
            assert_eq!(gradient!(single, x), (x / 2.0,));
        }
    }

    #[test]
    fn in_a_generic_function() {
        assert_eq!(generic_in_what_is_read(product {}, &[2.0][..]), 1.5);
        assert_eq!(generic_in_memory(grown {}, &[3.0]), [1.5]);
    }
}

/// The tests of a module with the variable: how many passed, how many failed, and what was said.
fn run(module: &str, variable: Option<&str>) -> (usize, usize, String) {
    let exe = std::env::current_exe().expect("tests know where they are");
    let mut command = Command::new(exe);
    command.arg(module).env_remove("COENZYME_CHECKED");
    if let Some(value) = variable {
        command.env("COENZYME_CHECKED", value);
    }
    let output = command.output().expect("a test binary runs");
    let said =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let said = said.concat();
    let ends = |end| {
        said.lines()
            .filter(|line| line.starts_with("test ") && line.ends_with(end))
            .count()
    };
    (ends("... ok"), ends("... FAILED"), said)
}

#[test]
fn the_variable_checks_every_driver() {
    for (module, tests) in [("wrong::", 14), ("right::", 3), ("unchecked::", 3)] {
        for value in [None, Some("0")] {
            let (passed, failed, said) = run(module, value);
            assert_eq!((passed, failed), (tests, 0), "{said}");
            assert!(!said.contains("not checked"), "{said}");
        }
    }
    let (passed, failed, said) = run("wrong::", Some("1"));
    assert_eq!((passed, failed), (0, 14), "{said}");
    for function in ["lie", "squares", "tall", "wide"] {
        assert!(
            said.contains(&format!("the derivative of `{function}` is wrong")),
            "{said}"
        );
    }
    let (passed, failed, said) = run("right::", Some("1"));
    assert_eq!((passed, failed), (3, 0), "{said}");
}

#[test]
fn what_is_not_checked_is_said_once() {
    let (passed, failed, said) = run("unchecked::", Some("1"));
    assert_eq!((passed, failed), (3, 0), "{said}");
    for function in ["admitted", "product", "grown", "single"] {
        let once = format!("coenzyme: the derivative of `{function}` at ");
        assert_eq!(said.matches(&once).count(), 1, "{said}");
    }
}
