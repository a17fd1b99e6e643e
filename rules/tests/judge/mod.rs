//! What the tests of all domains share: the tester's macro with less to write, and arrays to give it.

#![allow(dead_code, reason = "each domain uses some of it")]

use coenzyme::{Args, BatchDuplicated, Outcome, ReverseConfig, ReverseRule};
use ndarray::{Array, Array1, Array2, Dimension, ShapeBuilder};

/// `test_rule!` for functions of one module of the library, one line each:
/// `function [as name] (arguments) activity of the return [{ options }];`
///
/// An argument whose activities are `[Const]` is an attribute. Two widths stand for all: the rules are generic in theirs.
#[macro_export]
macro_rules! judge {
    ($module:ident: $($f:ident $(as $name:ident)? ($($args:tt)+) $ret:ident $({ $($options:tt)+ })?;)+) => {$(
        $crate::judge!(@named $module [$f $($name)?] ($($args)+) $ret { $($($options)+)? });
    )+};
    (@named $module:ident [$f:ident] $args:tt $ret:ident $options:tt) => {
        $crate::judge!(@named $module [$f $f] $args $ret $options);
    };
    (@named $module:ident [$f:ident $name:ident] ($($args:tt)+) $ret:ident { $($options:tt)* }) => {
        coenzyme_testutils::test_rule! {
            ::coenzyme_rules::$module::$f;
            $($args)+;
            ret: [Const, $ret];
            name = $name, widths = [1, 3], $($options)*
        }
    };
}

/// `n` numbers between −2 and 2 that keep away from each other: multiples of the golden ratio.
fn entries() -> impl FnMut() -> f64 {
    let mut at = 0.3_f64;
    move || {
        at = (at + 0.618_033_988_749_894_9).fract();
        4.0 * at - 2.0
    }
}

/// An array of any shape, with such entries.
pub(crate) fn entries_of<S: ShapeBuilder>(shape: S) -> Array<f64, S::Dim> {
    Array::from_shape_simple_fn(shape, entries())
}

/// The same entries, moved away from 0 and made positive.
pub(crate) fn positive<S: ShapeBuilder>(shape: S) -> Array<f64, S::Dim> {
    entries_of(shape).mapv(|x| 0.3 + x.abs())
}

/// Other entries than those of `x`, in its shape.
pub(crate) fn others<D: Dimension>(x: &Array<f64, D>) -> Array<f64, D> {
    x.mapv(|x| (1.7 * x + 0.9).sin() * 1.5)
}

/// A matrix far from singular.
pub(crate) fn regular(n: usize) -> Array2<f64> {
    entries_of((n, n)) * 0.5 + Array2::<f64>::eye(n) * 3.0
}

/// A symmetric positive definite matrix with eigenvalues that differ.
pub(crate) fn definite(n: usize) -> Array2<f64> {
    let a = entries_of((n, n)) * 0.3;
    a.dot(&a.t()) + Array2::from_diag(&Array1::from_shape_fn(n, |i| 1.0 + i as f64))
}

/// A matrix of full rank with singular values that differ.
pub(crate) fn full_rank((m, n): (usize, usize)) -> Array2<f64> {
    let mut a = entries_of((m, n)) * 0.4;
    for (i, x) in a.diag_mut().iter_mut().enumerate() {
        *x += 1.5 * (i + 1) as f64;
    }
    a
}

/// The value, and the tape pulled back with a seed: `run(&f, args, seed)`. The shadows in `args` have the cotangents.
pub(crate) fn run<F, A, O>(f: &F, mut args: A, seed: &O) -> O
where
    O: Outcome<Value = O> + Clone,
    A: Args<1>,
    F: ReverseRule<BatchDuplicated<O, O, 1>, A, 1>,
{
    let config = ReverseConfig::new(true).with_all_overwritten();
    let (mut value, mut tape) = (None, None);
    O::map_of(f.augmented_primal(&config, args.refs()), |augmented| {
        value = augmented.primal;
        tape = Some(augmented.tape);
    });
    f.reverse(&config, [seed.clone()], tape.expect("a value"), args.refs());
    value.expect("asked for")
}
