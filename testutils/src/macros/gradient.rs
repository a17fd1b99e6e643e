//! `test_gradient!`: one call of a whole function, in both modes, in one line.

/// Tests the derivative of one call of a function, against a difference along a random direction, in reverse and in forward mode.
///
/// The call is written as it is; `Const(…)` marks what has no derivative, and so do integers, flags and strings.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_testutils::test_gradient;
///
/// /// `Σ wᵢ·xᵢᵖ`
/// #[differentiable]
/// fn f(x: &[f64], w: &[f64], p: i32) -> f64 {
///     let mut sum = 0.0;
///     for i in 0..x.len() {
///         sum += w[i] * x[i].powi(p);
///     }
///     sum
/// }
///
/// let (x, y) = ([1.5, -0.75], [0.5, 2.0]);
/// test_gradient! { f(&x, Const(&y), 3) }
/// ```
///
/// This is the test for functions with a derivative that is generated; rules have [`test_rule!`](crate::test_rule), which
/// looks at every mix, at memory, and at points of its own. The function returns one number, or a `Result` or `Option` of one;
/// where it returns no number there nothing is compared. Costs 35 runs of the function.
///
/// **Panics** if a derivative is wrong, with the function, the argument, both numbers and the seed.
#[macro_export]
macro_rules! test_gradient {
    ($($f:ident)::+ ($($arguments:tt)*) $(;)?) => {
        $crate::__gradient!(@next ($($f)::+) [] [a b c d e f g h] $($arguments)*)
    };
}

/// The parts of [`test_gradient!`]: take the arguments apart, then call.
#[doc(hidden)]
#[macro_export]
macro_rules! __gradient {
    (@next $f:tt [$($done:tt)*] [$x:ident $($names:ident)*] Const($value:expr) $(, $($rest:tt)*)?) => {
        $crate::__gradient!(@next $f [$($done)* ($x ($value) ($crate::__private::coenzyme::Const($x)))] [$($names)*] $($($rest)*)?)
    };
    (@next $f:tt [$($done:tt)*] [$x:ident $($names:ident)*] $value:expr $(, $($rest:tt)*)?) => {
        $crate::__gradient!(@next $f [$($done)* ($x ($value) ($x))] [$($names)*] $($($rest)*)?)
    };
    (@next ($($f:tt)+) [$(($x:ident $value:tt $annotated:tt))*] $names:tt) => {{
        use $crate::__private::coenzyme::{__private::parameters_tell, check_gradient, check_tangent};
        let function = <$($f)+ as ::core::default::Default>::default();
        match ($($value,)*) {
            ($($x,)*) => {
                parameters_tell(&function, ($(&$x,)*));
                let _ = check_gradient(&function, ($($annotated,)*));
            }
        }
        match ($($value,)*) {
            ($($x,)*) => {
                parameters_tell(&function, ($(&$x,)*));
                check_tangent(&function, ($($annotated,)*));
            }
        }
    }};
}
