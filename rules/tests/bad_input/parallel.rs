//! Many calls at once, and loops: lengths, nothing, schedules.

use coenzyme::prelude::*;
use coenzyme::{Function, Inactive};
use coenzyme_rules::loops::Schedule;
use coenzyme_rules::parallel::{reduce, zip_map};

use super::{augmented, forward, panic_of, returned};

#[differentiable]
fn product(x: f64, y: f64, p: &f64) -> f64 {
    x * y * *p
}

#[differentiable]
fn sum_of_two(x: f64, y: f64) -> f64 {
    x + y
}

#[test]
fn slices_of_two_lengths_are_named() {
    let (x, y, f) = ([1.0, 2.0], [3.0, 4.0, 5.0], Inactive(product {}));
    let (mut dx, mut dy, mut dp) = ([0.5, 0.25], [1.0, 2.0, 4.0], 8.0);
    let want = "zip_map: slices of lengths 2 and 3";
    let output = returned(|| zip_map(&x[..], &x[..], &1.0, f));
    assert_eq!(
        panic_of("zip_map", || zip_map(&x[..], &y[..], &1.0, f)),
        want
    );
    {
        let mut args = (
            Duplicated(&x[..], &dx[..]),
            Duplicated(&y[..], &dy[..]),
            Duplicated(&1.0, &dp),
            Const(f),
        );
        assert_eq!(
            panic_of("forward", || forward(&zip_map {}, &mut args, output)),
            want
        );
    }
    {
        let mut args = (
            Duplicated(&x[..], &mut dx[..]),
            Duplicated(&y[..], &mut dy[..]),
            Duplicated(&1.0, &mut dp),
            Const(f),
        );
        assert_eq!(
            panic_of("augmented", || augmented(&zip_map {}, &mut args, output)),
            want
        );
    }
    assert_eq!((dx, dy, dp), ([0.5, 0.25], [1.0, 2.0, 4.0], 8.0));
}

#[test]
fn nothing_has_no_total() {
    let (x, mut dx, f) = ([0.0; 0], [0.0; 0], Inactive(sum_of_two {}));
    let output = returned(|| reduce(&[1.0][..], f));
    assert_eq!(
        panic_of("reduce", || Function::call(&reduce {}, (&x[..], f))),
        "reduce: no entries"
    );
    let mut args = (Duplicated(&x[..], &mut dx[..]), Const(f));
    assert_eq!(
        panic_of("forward", || forward(&reduce {}, &mut args, output)),
        "reduce: no entries"
    );
    assert_eq!(
        panic_of("augmented", || augmented(&reduce {}, &mut args, output)),
        "reduce: no entries"
    );
}

#[test]
fn schedules_keep_something() {
    assert_eq!(
        panic_of("binomial", || Schedule::binomial(0)),
        "a schedule keeps at least one state"
    );
    assert_eq!(
        panic_of("every", || Schedule::every(0)),
        "a schedule tapes at least one step"
    );
    assert_eq!(
        panic_of("taping", || Schedule::binomial(1).taping(0)),
        "a schedule tapes at least one step"
    );
}
