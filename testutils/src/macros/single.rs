//! The macros for a single mix, which read like Enzyme's.

/// Tests the forward rule of a function in one activity mix.
///
/// First the function, then the activity of the return, then each argument with its activity:
///
/// ```
/// # use coenzyme::{Const, Duplicated, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, primitive};
/// use coenzyme_testutils::{test_forward, value};
///
/// #[primitive]
/// fn square(x: f64) -> f64 {
///     x * x
/// }
///
/// impl<R: ForwardReturn<W, Out = f64>, X: ForwardArg<f64, W>, const W: usize> ForwardRule<R, (X,), W> for square {
///     fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
///         let partial = 2.0 * x.primal();
///         let tangent = |dx: &f64| coenzyme::scaled(partial, *dx, config.strong_zero());
///         R::forward(config, || square(*x.primal()), |lane| x.tangent(lane).map_or(0.0, tangent))
///     }
/// }
///
/// let x = value(1.5);
/// test_forward!(square, Duplicated, (x, Duplicated));
/// test_forward!(square, DuplicatedNoNeed, (x, Duplicated));
/// test_forward!(square, Const, (x, Const));
/// ```
///
/// The rule is tried in one, two and three lanes; `widths` says otherwise, for a rule that is written for some widths only.
/// Further options set up the [`Tester`](crate::Tester) by its methods of the same names:
///
/// ```text
/// test_forward!(f, Duplicated, (y, Const), (x, Duplicated); widths = [1], seed = 7, const_buffers = severed("as Enzyme"));
/// ```
///
/// A function with data is given as an expression, in parentheses if it is a mere name: `test_forward!((scale), …)`.
///
/// **Panics** with the message of the [`Report`](crate::Report) if it is not green.
#[macro_export]
macro_rules! test_forward {
    ($($mix:tt)*) => {
        $crate::__single!(forward $($mix)*)
    };
}

/// Tests the reverse rule of a function in one activity mix: see [`test_forward!`](macro@crate::test_forward).
///
/// ```
/// # use coenzyme::{AugmentedReturn, Lanes, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, primitive};
/// use coenzyme_testutils::{test_reverse, value};
///
/// #[primitive]
/// fn square(x: f64) -> f64 {
///     x * x
/// }
///
/// impl<R: ReverseReturn<W, Out = f64>, X: ReverseArg<f64, W>, const W: usize> ReverseRule<R, (X,), W> for square {
///     type Tape = ();
///     fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> AugmentedReturn<f64, R::Shadow, ()> {
///         R::augmented(config, square(*x.primal()), ())
///     }
///     fn reverse(&self, config: &ReverseConfig, dret: R::Cotangent, (): (), (x,): (&mut X,)) -> (X::Gradient,) {
///         let add = |lane, x: &f64, mut dx: coenzyme::Adjoint<'_, f64>| {
///             dx += dret.lane(lane).map_or(0.0, |d| coenzyme::scaled(2.0 * x, *d, config.strong_zero()))
///         };
///         (x.accumulate(add),)
///     }
/// }
///
/// test_reverse!(square, Active, (value(1.5), Active));
/// ```
///
/// **Panics** with the message of the [`Report`](crate::Report) if it is not green.
#[macro_export]
macro_rules! test_reverse {
    ($($mix:tt)*) => {
        $crate::__single!(reverse $($mix)*)
    };
}

/// A single mix: finds the function and the widths, then makes the tester, judges each width, asserts.
#[doc(hidden)]
#[macro_export]
macro_rules! __single {
    ($mode:ident $f:path, $($rest:tt)*) => {
        $crate::__single!(@widths $mode (stringify!($f)) (<$f as ::core::default::Default>::default()) $($rest)*)
    };
    ($mode:ident $f:expr, $($rest:tt)*) => {
        $crate::__single!(@widths $mode (stringify!($f)) ($f) $($rest)*)
    };
    (@widths $mode:ident $name:tt $f:tt $ret:ident $(, ($arg:expr, $activity:ident))* $(,)?) => {
        $crate::__single!(@run $mode $name $f [1 2 3] $ret [$(($arg, $activity))*] [])
    };
    (@widths $mode:ident $name:tt $f:tt $ret:ident $(, ($arg:expr, $activity:ident))* ;
        widths = [$($w:literal),+ $(,)?] $(, $option:ident = $value:expr)* $(,)?) => {
        $crate::__single!(@run $mode $name $f [$($w)+] $ret [$(($arg, $activity))*] [$($option $value,)*])
    };
    (@widths $mode:ident $name:tt $f:tt $ret:ident $(, ($arg:expr, $activity:ident))* ;
        $($option:ident = $value:expr),* $(,)?) => {
        $crate::__single!(@run $mode $name $f [1 2 3] $ret [$(($arg, $activity))*] [$($option $value,)*])
    };
    (@run $mode:ident $name:tt $f:tt [$($w:literal)+] $ret:ident [$(($arg:expr, $activity:ident))*]
        [$($option:ident $value:expr,)*]) => {{
        #[allow(unused_imports)]
        use $crate::{flowing, severed};
        let arguments = ($($crate::Arg::clone(&$arg).or_named(stringify!($arg)),)*);
        let tester = $crate::Setting::new(arguments).function($name, $f)$(.$option($value))*;
        let finer = {
            use $crate::__private::{FinerMissing as _, FinerPresent as _};
            (&$crate::__private::Probe::<_, 1>(&tester)).finer()
        };
        let tester = tester.finer(finer);
        let rules = tester.rules();
        let mix = tester.mix($crate::__activity!($ret), ($($crate::__activity!($activity),)*));
        let facts = [("mode", stringify!($mode)), $(("", stringify!($activity)),)* ("ret", stringify!($ret))];
        let mut outcomes = $crate::__private::Outcomes::new($name, &facts, &[]);
        $crate::__judge!($mode outcomes mix rules [$($w)+]);
        outcomes.of($crate::__private::Facts::of(&tester));
        outcomes.finish();
    }};
}

/// The widths of one mix, which has a rule or does not compile. A reverse rule is also compared with the forward rule, if there is
/// one, and given a copy of its tape, if that can be copied.
#[doc(hidden)]
#[macro_export]
macro_rules! __judge {
    (forward $outcomes:ident $mix:ident $rules:ident [$($w:literal)+]) => {
        $($outcomes.add($w, ::core::option::Option::Some($mix.forward::<$w>()));)+
    };
    (reverse $outcomes:ident $mix:ident $rules:ident [$($w:literal)+]) => {
        use $crate::__private::ReverseLevel as _;
        $(
            $outcomes.add($w, ::core::option::Option::Some($mix.reverse::<_, _, $w>()));
            $rules.beside(&mut $outcomes, &$crate::__found!(reverse $mix $w));
        )+
        $rules.once(&mut $outcomes, &$crate::__found!(reverse $mix 1));
    };
}
