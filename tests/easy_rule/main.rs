//! `easy_rule!`: every activity mix and width, lazily, once for all lanes, for numbers and arrays.

#[cfg(feature = "ndarray")]
mod arrays;
mod contractions;
mod meeting;

use std::cell::RefCell;

use coenzyme::prelude::*;
use coenzyme::{DynArg, Real};

thread_local! {
    static LOG: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Notes that `what` is evaluated.
fn note<T>(what: &'static str, value: T) -> T {
    LOG.with_borrow_mut(|log| log.push(what));
    value
}

/// What `f` evaluates, in order.
fn noted<T>(f: impl FnOnce() -> T) -> (T, Vec<&'static str>) {
    LOG.take();
    let value = f();
    (value, LOG.take())
}

#[primitive]
fn product(x: f64, y: f64) -> f64 {
    note("call", x * y)
}

easy_rule! {
    fn product(x: f64, y: f64) -> z: f64;
    let twice = note("setup", 2.0 * y);
    dz/dx = note("d/dx", twice - y);
    dz/dy = note("d/dy", x);
}

#[primitive]
fn exp(x: f64) -> f64 {
    note("call", x.exp())
}

easy_rule! {
    fn exp(x: f64) -> y: f64;
    dy/dx = note("d/dx", y);
}

#[test]
fn all_mixes_and_widths_in_forward_mode() {
    let (x, y) = (3.0, 5.0);
    assert_eq!(
        autodiff!(Forward, product, Duplicated(x, 1.0), Duplicated(y, 10.0)),
        (35.0,)
    );
    assert_eq!(
        autodiff!(Forward, product, Duplicated(x, 1.0), Const(y)),
        (5.0,)
    );
    assert_eq!(
        autodiff!(Forward, product, Const(x), Duplicated(y, 10.0)),
        (30.0,)
    );
    assert_eq!(autodiff!(Forward, product, Const(x), Const(y)), (0.0,));
    assert_eq!(
        autodiff!(Forward, product, Const, Duplicated(x, 1.0), Const(y)),
        ()
    );
    assert_eq!(
        autodiff!(ForwardWithPrimal, product, Duplicated(x, 1.0), Const(y)),
        (5.0, 15.0)
    );
    assert_eq!(
        autodiff!(ForwardWithPrimal, product, Const, Const(x), Const(y)),
        (15.0,)
    );
    assert_eq!(
        autodiff!(
            Forward,
            product,
            BatchDuplicated(x, [1.0, 2.0, 3.0]),
            BatchDuplicated(y, [0.0, 1.0, 0.0])
        ),
        ([5.0, 13.0, 15.0],)
    );
}

#[test]
fn all_mixes_and_widths_in_reverse_mode() {
    let (x, y) = (3.0, 5.0);
    assert_eq!(
        autodiff!(Reverse, product, Active, Active(x), Active(y)),
        ((5.0, 3.0),)
    );
    assert_eq!(
        autodiff!(Reverse, product, Active, Active(x), Const(y)),
        ((5.0, ()),)
    );
    assert_eq!(
        autodiff!(ReverseWithPrimal, product, Active, Const(x), Active(y)),
        (((), 3.0), 15.0)
    );
    assert_eq!(
        autodiff!(Reverse, product, Active, Const(x), Const(y)),
        (((), ()),)
    );
    assert_eq!(
        autodiff!(Reverse, product, Const, Active(x), Active(y)),
        ((0.0, 0.0),)
    );
    let thunk = Thunk::<_, Active<f64>, 2>::new(product {});
    let mut args = (Active(x), Active(y));
    let tape = thunk.augmented(&mut args).tape;
    assert_eq!(
        thunk.reverse([1.0, -2.0], tape, &mut args),
        ([5.0, -10.0], [3.0, -6.0])
    );
}

#[test]
fn an_activity_may_be_decided_at_run_time() {
    let thunk = Thunk::<_, Active<f64>>::new(product {});
    let mut dx = 1.0;
    let mut args = (
        DynArg::<_, _, 1>::duplicated(3.0, [&mut dx]),
        DynArg::<_, &mut f64, 1>::constant(5.0),
    );
    let tape = thunk.augmented(&mut args).tape;
    let ((), evaluated) = noted(|| {
        thunk.reverse([1.0], tape, &mut args);
    });
    assert_eq!(dx, 6.0);
    assert_eq!(evaluated, ["setup", "d/dx"]);
}

#[test]
fn only_what_is_wanted_is_evaluated() {
    let forward = |f: &dyn Fn()| noted(f).1;
    assert_eq!(
        forward(&|| {
            autodiff!(Forward, product, Duplicated(3.0, 1.0), Const(5.0));
        }),
        ["setup", "d/dx"]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Forward, product, Const(3.0), Duplicated(5.0, 1.0));
        }),
        ["setup", "d/dy"]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Forward, product, Const, Duplicated(3.0, 1.0), Const(5.0));
        }),
        [""; 0]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(ForwardWithPrimal, product, Const, Const(3.0), Const(5.0));
        }),
        ["call"]
    );
    // The result's name needs the call, and so does a zero tangent.
    assert_eq!(
        forward(&|| {
            autodiff!(Forward, exp, Duplicated(0.0, 1.0));
        }),
        ["call", "d/dx"]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Forward, product, Const(3.0), Const(5.0));
        }),
        ["call"]
    );

    assert_eq!(
        forward(&|| {
            autodiff!(Reverse, product, Active, Active(3.0), Const(5.0));
        }),
        ["setup", "d/dx"]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Reverse, product, Active, Const(3.0), Const(5.0));
        }),
        [""; 0]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Reverse, product, Const, Active(3.0), Active(5.0));
        }),
        [""; 0]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Reverse, exp, Active, Active(3.0));
        }),
        ["call", "d/dx"]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(Reverse, exp, Active, Const(3.0));
        }),
        [""; 0]
    );
    assert_eq!(
        forward(&|| {
            autodiff!(ReverseWithPrimal, product, Active, Active(3.0), Const(5.0));
        }),
        ["call", "setup", "d/dx"]
    );
}

#[test]
fn partials_are_evaluated_once_for_all_lanes() {
    let (tangents, evaluated) = noted(|| {
        autodiff!(
            Forward,
            product,
            BatchDuplicated(3.0, [1.0, 2.0, 3.0]),
            BatchDuplicated(5.0, [0.0; 3])
        )
    });
    assert_eq!(tangents, ([5.0, 10.0, 15.0],));
    assert_eq!(evaluated, ["setup", "d/dx", "d/dy"]);
    let (gradients, evaluated) = noted(|| {
        autodiff!(
            Batch::<_, 3>(Reverse),
            product,
            Active,
            Active(3.0),
            Active(5.0)
        )
    });
    assert_eq!(gradients, (([5.0; 3], [3.0; 3]),));
    assert_eq!(evaluated, ["setup", "d/dx", "d/dy"]);
}

#[primitive]
fn power(x: f64, n: i32, #[constant] scale: &Scale) -> f64 {
    scale.0 * x.powi(n)
}

/// A type without tangent space.
#[derive(Clone, Copy)]
struct Scale(f64);

easy_rule! {
    fn power(x: f64, n: i32, #[constant] scale: &Scale) -> y: f64;
    dy/dx = scale.0 * f64::from(n) * x.powi(n - 1);
    dy/dn = constant;
}

#[test]
fn constants_have_no_derivative() {
    let scale = Scale(2.0);
    assert_eq!(
        autodiff!(
            Forward,
            power,
            Duplicated(3.0, 1.0),
            Const(2),
            Const(&scale)
        ),
        (12.0,)
    );
    assert_eq!(
        autodiff!(Reverse, power, Active, Active(3.0), Const(2), Const(&scale)),
        ((12.0, (), ()),)
    );
}

#[primitive]
fn polar(r: f64, angle: f64) -> (f64, f64) {
    (r * angle.cos(), r * angle.sin())
}

easy_rule! {
    fn polar(r: f64, angle: f64) -> (x: f64, y: f64);
    dx/dr = angle.cos();
    dx/dangle = -y;
    dy/dr = angle.sin();
    dy/dangle = x;
}

#[primitive]
fn two(x: f64, y: f64) -> (f64, f64) {
    (2.0 * x, y.floor())
}

easy_rule! {
    fn two(x: f64, y: f64) -> (a: f64, b: f64);
    da/dx = 2.0;
    da/dy = constant;
    db/dx = constant;
    db/dy = constant;
}

#[test]
fn several_results() {
    let (r, angle) = (2.0_f64, 0.3_f64);
    let (s, c) = angle.sin_cos();
    assert_eq!(
        autodiff!(Forward, polar, Duplicated(r, 1.0), Const(angle)),
        ((c, s),)
    );
    assert_eq!(
        autodiff!(Forward, polar, Const(r), Duplicated(angle, 1.0)),
        ((-r * s, r * c),)
    );
    let thunk = Thunk::<_, Active<(f64, f64)>>::new(polar {});
    let mut args = (Active(r), Active(angle));
    let augmented = thunk.augmented(&mut args);
    assert_eq!(augmented.primal, Some((r * c, r * s)));
    let ([dr], [da]) = thunk.reverse([(1.0, 10.0)], augmented.tape, &mut args);
    assert_eq!((dr, da), (c + s * 10.0, -r * s + r * c * 10.0));
    assert_eq!(
        autodiff!(Forward, two, Duplicated(3.0, 1.0), Duplicated(4.0, 1.0)),
        ((2.0, 0.0),)
    );
}

/// `‖x‖²/2`: its partial is its argument.
#[primitive]
fn half_square<T: Real>(x: &[T]) -> T {
    x.iter().map(|&x| x * x).sum::<T>() * T::lit(0.5)
}

easy_rule! {
    fn half_square<T: Real>(x: &[T]) -> y: T;
    dy/dx = x;
}

#[test]
fn memory_is_read_in_place_unless_it_is_overwritten() {
    let (mut x, mut dx) = ([1.0, 2.0], [0.5, 0.5]);
    autodiff!(Reverse, half_square, Duplicated(&x, &mut dx));
    assert_eq!(dx, [1.5, 2.5]);

    let thunk = Thunk::<_, Active<f64>>::new(half_square {});
    let augmented = thunk.augmented(&mut (Duplicated(&x[..], &mut dx[..]),));
    assert!(!augmented.tape.0.is_copied());

    let thunk = thunk.modified(0);
    let augmented = thunk.augmented(&mut (Duplicated(&x[..], &mut dx[..]),));
    assert!(augmented.tape.0.is_copied());
    x = [100.0, 100.0];
    dx = [0.0, 0.0];
    thunk.reverse(
        [1.0],
        augmented.tape,
        &mut (Duplicated(&x[..], &mut dx[..]),),
    );
    assert_eq!(dx, [1.0, 2.0]);

    let constant = thunk.augmented(&mut (Const(&x[..]),));
    assert!(!constant.tape.0.is_copied(), "nobody reads it");
}

#[test]
fn a_generic_rule_is_differentiated_twice() {
    let (x, v) = ([1.0, 2.0, 3.0], [1.0, 0.0, -1.0]);
    assert_eq!(coenzyme::hvp(&half_square {}, &x, &v), v);
}

#[primitive]
fn checked_sqrt(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        Err(format!("√{x}"))
    } else {
        Ok(x.sqrt())
    }
}

easy_rule! {
    fn checked_sqrt(x: f64) -> y: Result<f64, String>;
    dy/dx = 0.5 / y;
}

#[test]
fn errors_pass_through() {
    assert_eq!(
        autodiff!(Forward, checked_sqrt, Duplicated(4.0, 1.0)),
        Ok((0.25,))
    );
    assert_eq!(
        autodiff!(Forward, checked_sqrt, Duplicated(-4.0, 1.0)),
        Err("√-4".to_owned())
    );
    assert_eq!(
        autodiff!(Reverse, checked_sqrt, Active, Active(4.0)),
        Ok(((0.25,),))
    );
    assert_eq!(
        autodiff!(Reverse, checked_sqrt, Active, Active(-4.0)),
        Err("√-4".to_owned())
    );
}

#[test]
fn strong_zero_silences_an_infinite_partial() {
    assert!(
        autodiff!(Forward, checked_sqrt, Duplicated(0.0, 0.0))
            .unwrap()
            .0
            .is_nan()
    );
    assert_eq!(
        autodiff!(StrongZero(Forward), checked_sqrt, Duplicated(0.0, 0.0)),
        Ok((0.0,))
    );
}

/// Every easy rule of this file agrees with central differences of its function.
#[test]
fn partials_agree_with_central_differences() {
    let step = 1e-5;
    let agree = |rule: f64, f: &dyn Fn(f64) -> f64, x: f64| {
        let difference = (f(x + step) - f(x - step)) / (2.0 * step);
        // The error of a central difference is step²·f‴/6, about 1e-10 here.
        assert!(
            (rule - difference).abs() < 1e-8,
            "rule {rule}, difference {difference}"
        );
    };
    let ((dx, dy),) = autodiff!(Reverse, product, Active, Active(1.3), Active(-0.7));
    agree(dx, &|x| product(x, -0.7), 1.3);
    agree(dy, &|y| product(1.3, y), -0.7);
    agree(gradient!(exp, 0.4).0, &exp, 0.4);
    let scale = Scale(1.7);
    agree(
        gradient!(power, 1.1, 3, Const(&scale)).0,
        &|x| power(x, 3, &scale),
        1.1,
    );
    let ((dx, dy),) = autodiff!(Forward, polar, Const(1.2), Duplicated(0.9, 1.0));
    agree(dx, &|a| polar(1.2, a).0, 0.9);
    agree(dy, &|a| polar(1.2, a).1, 0.9);
}
