//! What a caller can do wrong, a line for each: the function, the first half of its reverse rule and its forward rule say the
//! same, with the shapes, and leave every operand and shadow as it was.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use coenzyme::{
    Args, BatchDuplicated, ForwardConfig, ForwardRule, Outcome, ReverseConfig, ReverseRule,
};
use ndarray::{Array, ArrayRef, Dimension, ShapeBuilder};

/// The type of what a function returns.
fn returned<O>(_: impl FnOnce() -> O) -> PhantomData<O> {
    PhantomData
}

fn forward<F, A, O>(f: &F, args: &mut A, _: PhantomData<O>) -> O::Of<()>
where
    O: Outcome,
    A: Args<1>,
    F: ForwardRule<BatchDuplicated<O, O, 1>, A, 1>,
{
    O::map_of(f.forward(&ForwardConfig::new(true), args.refs()), |_| ())
}

fn augmented<F, A, O>(f: &F, args: &mut A, _: PhantomData<O>) -> O::Of<()>
where
    O: Outcome,
    A: Args<1>,
    F: ReverseRule<BatchDuplicated<O, O, 1>, A, 1>,
{
    let config = ReverseConfig::new(true).with_all_overwritten();
    O::map_of(f.augmented_primal(&config, args.refs()), |_| ())
}

/// What `call` panics with.
#[track_caller]
fn panic_of<U>(what: &str, call: impl FnOnce() -> U) -> String {
    let payload = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(_) => panic!("{what}: accepted"),
        Err(payload) => payload,
    };
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.expect("a panic with a message").to_owned()
}

/// The bits of every entry.
fn bits<D: Dimension>(x: &ArrayRef<f64, D>) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

fn numbers<S: ShapeBuilder>(shape: S) -> Array<f64, S::Dim> {
    let mut next = 0.0;
    Array::from_shape_simple_fn(shape, || {
        next += 0.5;
        next
    })
}

/// Runs `$check` for each way to call, with a shadow for every operand, and compares operands and shadows with what they were.
macro_rules! each_call {
    ($module:ident $f:ident ($($x:ident = $at:expr),+ $(; $($attr:expr),+)?) |$what:ident, $call:ident| $check:expr) => {{
        let f = coenzyme_rules::$module::$f {};
        $(let $x = $at; let mut $x = ($x.mapv(|x| 0.25 * x + 1.0), $x.clone(), $x);)+
        let output = returned(|| ::coenzyme::Function::call(&f, ($(&*$x.1,)+ $($($attr,)+)?)));
        {
            let $what = concat!(stringify!($f), ", the function");
            let $call = || ::coenzyme::Function::call(&f, ($(&*$x.1,)+ $($($attr,)+)?));
            $check;
        }
        {
            let $what = concat!(stringify!($f), ", forward");
            let mut args = ($(::coenzyme::Duplicated(&*$x.1, &*$x.0),)+ $($(::coenzyme::Const($attr),)+)?);
            #[allow(unused_mut)]
            let mut $call = || forward(&f, &mut args, output);
            $check;
        }
        {
            let $what = concat!(stringify!($f), ", augmented");
            let mut args = ($(::coenzyme::Duplicated(&*$x.1, &mut *$x.0),)+ $($(::coenzyme::Const($attr),)+)?);
            #[allow(unused_mut)]
            let mut $call = || augmented(&f, &mut args, output);
            $check;
        }
        $(
            assert_eq!(bits(&$x.1), bits(&$x.2), "{}: an operand has changed", stringify!($f));
            assert_eq!(bits(&$x.0), bits(&$x.2.mapv(|x| 0.25 * x + 1.0)), "{}: a shadow has changed", stringify!($f));
        )+
    }};
}

/// `f(operands; attributes) "message";` for what panics.
macro_rules! panics {
    ($module:ident: $($f:ident($($args:tt)+) $message:literal;)+) => {$(
        each_call!($module $f ($($args)+) |what, call| {
            let message = panic_of(what, call);
            assert!(message.contains($message), "{what}: {message:?} instead of {:?}", $message);
        });
    )+};
}

/// `f(operands; attributes) error;` for what returns an error.
macro_rules! fails {
    ($module:ident: $($f:ident($($args:tt)+) $error:expr;)+) => {$(
        each_call!($module $f ($($args)+) |what, call| {
            assert_eq!(call().map(|_| ()).err(), Some($error), "{what}");
        });
    )+};
}

/// What is printed of a value, without the strides of its arrays and the sign of its zeros.
fn printed(x: &impl Debug) -> String {
    let text = format!("{x:?}").replace("-0.0", "0.0");
    let mut parts = text.split(", strides=");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let end = part.find("ndim=").unwrap_or(0);
        text + " " + &part[end..]
    })
}

/// `f(arguments) value;`, compared as they are printed: NaN is NaN, and shapes count.
macro_rules! gives {
    ($module:ident: $($f:ident($($x:expr),+) $want:expr;)+) => {$({
        let got = coenzyme_rules::$module::$f($($x),+);
        assert_eq!($crate::printed(&got), $crate::printed(&$want), "{} of {}", stringify!($f), stringify!($($x),+));
    })+};
}

mod array;
mod empty;
mod linalg;
mod lists;
mod nn;
mod not_finite;
mod parallel;
mod signal;
