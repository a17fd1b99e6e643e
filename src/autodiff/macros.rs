//! Drivers with less to write: annotate the arguments, name the function.

/// Differentiates one call: [`autodiff`](fn@crate::autodiff) with less to write.
///
/// `autodiff!(mode, function, return activity, arguments…)`:
///
/// * the mode is any expression: `Forward`, `ReverseWithPrimal`, `Batch::<_, 3>(Reverse)`, `StrongZero(Reverse)`;
/// * the function is a path; what stands at that path is the function's marker, so the type arguments of a generic
///   function follow from the arguments. A functor, which has data, is an expression in parentheses: `(model)`;
/// * the return activity is one of the bare words `Const`, `Active`, `Duplicated`, `DuplicatedNoNeed`, `BatchDuplicated`,
///   `BatchDuplicatedNoNeed`; without one the type of the returned value decides. How many lanes there are is a matter of
///   the arguments, so the words with and without `Batch` mean the same here;
/// * each argument is annotated: `Const(n)`, `Active(x)`, `Duplicated(&x, &mut dx)`, …
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme::{Lanes, ForwardOutcome, AugmentedOutcome};
///
/// #[primitive]
/// fn square(x: f64) -> f64 {
///     x * x
/// }
///
/// impl<R: ForwardReturn<W, Out = f64>, X: ForwardArg<f64, W>, const W: usize> ForwardRule<R, (X,), W> for square {
///     fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> ForwardOutcome<R, W> {
///         let x0 = *x.primal();
///         R::forward(config, || x0 * x0, |lane| x.tangent(lane).map_or(0.0, |dx| 2.0 * x0 * dx))
///     }
/// }
///
/// assert_eq!(autodiff!(Forward, square, Duplicated(3.0, 1.0)), (6.0,));
/// assert_eq!(autodiff!(ForwardWithPrimal, square, Duplicated(3.0, 1.0)), (6.0, 9.0));
/// assert_eq!(autodiff!(Forward, square, BatchDuplicated(3.0, [1.0, 2.0])), ([6.0, 12.0],));
/// assert_eq!(autodiff!(Forward, square, Const, Duplicated(3.0, 1.0)), ());
/// ```
///
/// Arguments pass as they are: `Duplicated(&x, &mut dx)` with `x: [f64; 2]` fits every rule that is generic over its
/// arguments. A rule for slices exactly is met by slices: `Duplicated(&x[..], &mut dx[..])`.
///
/// # Panics
/// As the function and its rules do.
#[macro_export]
macro_rules! autodiff {
    ($mode:expr, ($f:expr) $(, $($rest:tt)*)?) => {
        $crate::__autodiff!([$mode] [$f] $($($rest)*)?)
    };
    ($mode:expr, $($f:ident)::+ $(, $($rest:tt)*)?) => {
        $crate::__autodiff!([$mode] [$($f)::+ {}] $($($rest)*)?)
    };
}

/// Takes the return activity off the arguments, and calls the driver:
///
/// ```ignore
/// coenzyme::autodiff(Reverse, &f {}, coenzyme::AsActive, (Duplicated(&x, &mut dx),))
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! __autodiff {
    ($mode:tt $f:tt Const $(, $($args:tt)*)?) => {
        $crate::__autodiff!(@call $mode $f AsConst $($($args)*)?)
    };
    ($mode:tt $f:tt Active $(, $($args:tt)*)?) => {
        $crate::__autodiff!(@call $mode $f AsActive $($($args)*)?)
    };
    ($mode:tt $f:tt Duplicated $(, $($args:tt)*)?) => {
        $crate::__autodiff!(@call $mode $f AsDuplicated $($($args)*)?)
    };
    ($mode:tt $f:tt BatchDuplicated $(, $($args:tt)*)?) => {
        $crate::__autodiff!(@call $mode $f AsDuplicated $($($args)*)?)
    };
    ($mode:tt $f:tt DuplicatedNoNeed $(, $($args:tt)*)?) => {
        $crate::__autodiff!(@call $mode $f AsDuplicatedNoNeed $($($args)*)?)
    };
    ($mode:tt $f:tt BatchDuplicatedNoNeed $(, $($args:tt)*)?) => {
        $crate::__autodiff!(@call $mode $f AsDuplicatedNoNeed $($($args)*)?)
    };
    (@call [$mode:expr] [$f:expr] $returns:ident $($arg:expr),* $(,)?) => {
        $crate::autodiff($mode, &$f, $crate::$returns, ($($arg,)*))
    };
    ([$mode:expr] $f:tt $($args:tt)*) => {
        $crate::__autodiff!(@call [$mode] $f Natural $($args)*)
    };
}

/// The gradient of a function that returns one number: [`gradient`](fn@crate::gradient) with less to write.
///
/// `gradient!(f, x, y)` is `gradient(&f {}, (x, y))`; the arguments are plain, see
/// [`GradientArg`](crate::GradientArg).
///
/// ```
/// use coenzyme::prelude::*;
///
/// #[primitive]
/// fn product(x: f64, y: f64) -> f64 {
///     x * y
/// }
///
/// impl<R, X, Y, const W: usize> ReverseRule<R, (X, Y), W> for product
/// where
///     R: ReverseReturn<W, Out = f64>,
///     X: ReverseArg<f64, W>,
///     Y: ReverseArg<f64, W>,
/// {
///     type Tape = ();
///     fn augmented_primal(&self, config: &ReverseConfig, (x, y): (&mut X, &mut Y)) -> AugmentedReturn<f64, R::Shadow, ()> {
///         R::augmented(config, x.primal() * y.primal(), ())
///     }
///     fn reverse(&self, _: &ReverseConfig, dret: R::Cotangent, _: (), (x, y): (&mut X, &mut Y)) -> (X::Gradient, Y::Gradient) {
///         let (x0, y0) = (*x.primal(), *y.primal());
///         (
///             x.accumulate(|lane, _, mut dx| dx += dret.lane(lane).map_or(0.0, |d| d * y0)),
///             y.accumulate(|lane, _, mut dy| dy += dret.lane(lane).map_or(0.0, |d| d * x0)),
///         )
///     }
/// }
///
/// assert_eq!(gradient!(product, 2.0, 3.0), (3.0, 2.0));
/// assert_eq!(gradient!(product, 2.0, Const(3.0)), (3.0, ()));
/// ```
///
/// # Panics
/// As the function and its rules do.
#[macro_export]
macro_rules! gradient {
    (($f:expr) $(, $arg:expr)* $(,)?) => {
        $crate::gradient(&$f, ($($arg,)*))
    };
    ($($f:ident)::+ $(, $arg:expr)* $(,)?) => {
        $crate::gradient(&$($f)::+ {}, ($($arg,)*))
    };
}
