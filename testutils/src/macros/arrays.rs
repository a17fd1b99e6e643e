//! `test_arrays!`: a function of arrays, in every mix, size and layout, in one line.

/// Tests the rules of a function of arrays in every activity mix, at several sizes, in several layouts of memory.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_testutils::test_arrays;
/// use ndarray::{Array1, ArrayRef1, ArrayRef2};
///
/// /// `a·x`.
/// #[primitive]
/// pub fn apply(a: &ArrayRef2<f64>, x: &ArrayRef1<f64>) -> Array1<f64> {
///     a.dot(x)
/// }
/// # use coenzyme::{Adjoint, AugmentedReturn, Lanes, ndarray};
/// # fn pick(a: &ArrayRef2<f64>, zero: bool) -> Array1<f64> { Array1::zeros(if zero { a.nrows() } else { 0 }) }
/// # fn product(a: &ArrayRef2<f64>, x: &ArrayRef1<f64>, strong: bool) -> Array1<f64> {
/// #     let row = |a: ndarray::ArrayView1<f64>| a.iter().zip(x).map(|(a, x)| coenzyme::scaled(*a, *x, strong)).sum();
/// #     a.rows().into_iter().map(row).collect()
/// # }
/// # impl<R, A, X, const W: usize> ForwardRule<R, (A, X), W> for apply
/// # where R: ForwardReturn<W, Out = Array1<f64>>, A: ForwardArg<ArrayRef2<f64>, W>, X: ForwardArg<ArrayRef1<f64>, W> {
/// #     fn forward(&self, config: &ForwardConfig, (a, x): (&mut A, &mut X)) -> R::Forward {
/// #         R::forward(config, || apply(a.primal(), x.primal()), |lane| {
/// #             let mut dy = pick(a.primal(), true);
/// #             for i in 0..dy.len() { for j in 0..x.primal().len() {
/// #                 if let Some(da) = a.tangent(lane) { dy[i] += coenzyme::scaled(x.primal()[j], da[[i, j]], config.strong_zero()) }
/// #                 if let Some(dx) = x.tangent(lane) { dy[i] += coenzyme::scaled(a.primal()[[i, j]], dx[j], config.strong_zero()) }
/// #             } }
/// #             dy
/// #         })
/// #     }
/// # }
///
/// // … with its forward rule …
///
/// test_arrays! { apply_rule: apply -> Duplicated; [2, 3] [3]; [1, 1] [1]; [0, 2] [2]; modes = [forward] }
/// # fn main() {}
/// ```
///
/// After the name of the module of the tests stand the function and the activity of its return: `Duplicated` for memory,
/// `Active` for a number. Then the shapes of the arguments, once for each size: arrays of random numbers, taken as
/// `&ArrayRef<f64, D>` or as views. A shape may be followed by attributes, which are always `Const`: `[2, 3] 0` is an array
/// and an axis. `in 0.1..4.0` behind the return draws the numbers elsewhere. Options of [`test_rule!`](crate::test_rule)
/// come last.
#[macro_export]
macro_rules! test_arrays {
    ($name:ident: $f:path => $($rest:tt)*) => { compile_error!("write `->` and the activity of the return") };
    ($name:ident: $f:path, $($rest:tt)*) => { compile_error!("write `->` and the activity of the return") };
    ($name:ident: $f:ident $(:: $g:ident)* -> $ret:ident $(in $range:expr)?; $($rest:tt)+) => {
        $crate::__arrays!(@sizes $name [$f $(:: $g)*] $ret [$($range)?] [] [] $($rest)+);
    };
}

/// The parts of [`test_arrays!`]: collect sizes, name the arguments by the first of them, hand over to [`test_rule!`](crate::test_rule).
#[doc(hidden)]
#[macro_export]
macro_rules! __arrays {
    // A size begins with a shape; what begins with a word are options.
    (@sizes $name:ident $f:tt $ret:ident $range:tt [$($done:tt)*] [$($size:tt)*] ; $($rest:tt)*) => {
        $crate::__arrays!(@sizes $name $f $ret $range [$($done)* [$($size)*]] [] $($rest)*);
    };
    (@sizes $name:ident $f:tt $ret:ident $range:tt [$($done:tt)*] [$($size:tt)*] [$($shape:tt)*] $($rest:tt)*) => {
        $crate::__arrays!(@sizes $name $f $ret $range [$($done)*] [$($size)* [$($shape)*]] $($rest)*);
    };
    (@sizes $name:ident $f:tt $ret:ident $range:tt [$($done:tt)*] [$($size:tt)+] $attribute:literal $($rest:tt)*) => {
        $crate::__arrays!(@sizes $name $f $ret $range [$($done)*] [$($size)* $attribute] $($rest)*);
    };
    (@sizes $name:ident $f:tt $ret:ident $range:tt [$($done:tt)*] [$($size:tt)+] ($($attribute:tt)*) $($rest:tt)*) => {
        $crate::__arrays!(@sizes $name $f $ret $range [$($done)*] [$($size)* ($($attribute)*)] $($rest)*);
    };
    (@sizes $name:ident $f:tt $ret:ident $range:tt [$($done:tt)*] [$($size:tt)+]) => {
        $crate::__arrays!(@sizes $name $f $ret $range [$($done)*] [$($size)+] ;);
    };
    (@sizes $name:ident $f:tt $ret:ident $range:tt [[$($first:tt)+] $($size:tt)*] [] $($options:tt)*) => {
        $crate::__arrays!(@name [$name $f $ret [[$($first)+] $($size)*] [$($options)*]] $range [] [a b c d e f g h] $($first)+);
    };

    // Each argument of the first size, to `[name (expression) [activities]]`.
    (@name $ctx:tt [] [$($done:tt)*] [$x:ident $($names:tt)*] [$($shape:tt)*] $($rest:tt)*) => {
        $crate::__arrays!(@name $ctx [] [$($done)* [$x ($crate::input($crate::__private::Dim($x))) [Const Duplicated]]] [$($names)*] $($rest)*);
    };
    (@name $ctx:tt [$range:expr] [$($done:tt)*] [$x:ident $($names:tt)*] [$($shape:tt)*] $($rest:tt)*) => {
        $crate::__arrays!(@name $ctx [$range] [$($done)* [$x ($crate::input($crate::__private::Dim($x)).within($range)) [Const Duplicated]]] [$($names)*] $($rest)*);
    };
    (@name $ctx:tt $range:tt [$($done:tt)*] [$x:ident $($names:tt)*] $attribute:tt $($rest:tt)*) => {
        $crate::__arrays!(@name $ctx $range [$($done)* [$x ($crate::value($x)) [Const]]] [$($names)*] $($rest)*);
    };
    (@name [$name:ident [$($f:tt)+] $ret:ident [$([$($size:tt)+])+] [$($options:tt)*]] $range:tt [$([$x:ident $taken:tt $a:tt])+] $names:tt) => {
        $crate::__rule!(@next ((stringify!($($f)+)) (<$($f)+ as ::core::default::Default>::default())) [$([$x $taken $a])+];
            ret: [Const, $ret];
            name = $name, sizes = ($($x,)+) in [$(($($size,)+)),+], $($options)*
        );
    };
}
