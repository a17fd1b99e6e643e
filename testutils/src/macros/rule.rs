//! `test_rule!`: one test for every activity mix of a rule.

/// Tests the rules of a function in every activity mix, one test for each.
///
/// ```
/// # use coenzyme::{Adjoint, AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Lanes, ReverseArg};
/// # use coenzyme::{ReverseConfig, ReverseReturn, ReverseRule, primitive, scaled};
/// use coenzyme_testutils::{input, test_rule};
///
/// /// Σ xᵢ.
/// #[primitive]
/// fn total(x: &[f64]) -> f64 {
///     x.iter().sum()
/// }
/// # impl<R: ForwardReturn<W, Out = f64>, X: ForwardArg<[f64], W>, const W: usize> ForwardRule<R, (X,), W> for total {
/// #     fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
/// #         let sum = total(x.primal());
/// #         R::forward(config, || sum, |lane| x.tangent(lane).map_or(0.0, total))
/// #     }
/// # }
/// # impl<R: ReverseReturn<W, Out = f64>, X: ReverseArg<[f64], W>, const W: usize> ReverseRule<R, (X,), W> for total {
/// #     type Tape = ();
/// #     fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> AugmentedReturn<f64, R::Shadow, ()> {
/// #         R::augmented(config, total(x.primal()), ())
/// #     }
/// #     fn reverse(&self, _: &ReverseConfig, dret: R::Cotangent, (): (), (x,): (&mut X,)) -> (X::Gradient,) {
/// #         let add = |lane, _: &[f64], mut dx: Adjoint<'_, [f64]>| {
/// #             for mut dx in dx.iter_mut() { dx += dret.lane(lane).copied().unwrap_or(0.0) }
/// #         };
/// #         (x.accumulate(add),)
/// #     }
/// # }
///
/// // … with its rules …
///
/// test_rule! {
///     total;
///     x: input(n);
///     ret: [Const, Active];
///     name = total_rule, widths = [1, 2, 3], sizes = n in [0, 1, 5]
/// }
/// # fn main() {}
/// ```
///
/// makes the tests `total_rule::forward::x::Duplicated::DuplicatedNoNeed`, `total_rule::reverse::x::Const::Active`, and so
/// on. First the function, then its arguments, then the activities of the return: `Active` for a value and `Duplicated` for
/// memory, both standing for `Duplicated` and `DuplicatedNoNeed` in forward mode.
///
/// An argument's activities stand in brackets behind it, as in `x: input(5) [Duplicated]`. Without brackets they are all
/// that make sense:
///
/// | argument | activities |
/// |---|---|
/// | `input(…)`, `by_ref(…)` | `Const`, `Duplicated` |
/// | `inout(…)`, `by_mut(…)` | `Const`, `Duplicated` |
/// | `out(…)` | `Const`, `Duplicated`, `DuplicatedNoNeed` |
/// | `value(…)` | `Const`, `Active` (in forward mode: `Duplicated`) |
///
/// Options, in any order:
///
/// | option | default | |
/// |---|---|---|
/// | `name = total_rule` | `mixes` | the module of the tests |
/// | `widths = [1, 2, 3]` | these | the numbers of lanes |
/// | `sizes = n in [0, 1, 5]` | none | values of a variable in the arguments, or of several: `(m, n) in [(1, 2), (3, 0)]` |
/// | `modes = [forward, reverse]` | both | |
/// | `unsupported = [(y: DuplicatedNoNeed, mode: reverse) => "why"]` | none | mixes without a rule |
/// | `overrides = …`, `seed = …`, `ladder = …`, `const_buffers = …`, `longest = …` | | methods of [`Tester`](crate::Tester) |
///
/// A mix without a rule fails unless it is listed as unsupported, with a reason; a mix that is listed and has a rule fails
/// too.
#[macro_export]
macro_rules! test_rule {
    ($f:path; $($rest:tt)*) => {
        $crate::__rule!(@args ((stringify!($f)) (<$f as ::core::default::Default>::default())) [] $($rest)*);
    };
    ($f:expr; $($rest:tt)*) => {
        $crate::__rule!(@args ((stringify!($f)) ($f)) [] $($rest)*);
    };
}

/// The parts of [`test_rule!`]: parse arguments, parse options, expand modules, expand one test.
#[doc(hidden)]
#[macro_export]
macro_rules! __rule {
    // Arguments, each to `[name (expression) [activities]]`: the first call, the methods, the activities.
    (@args $f:tt $done:tt $x:ident: $make:ident ($($of:tt)*) $($rest:tt)*) => {
        $crate::__rule!(@methods $f $done $x $make ($make($($of)*)) $($rest)*);
    };
    (@methods $f:tt $done:tt $x:ident $make:ident ($($call:tt)*) . $m:ident ($($with:tt)*) $($rest:tt)*) => {
        $crate::__rule!(@methods $f $done $x $make ($($call)*.$m($($with)*)) $($rest)*);
    };
    (@methods $f:tt [$($done:tt)*] $x:ident $make:ident $call:tt [$($a:ident),+ $(,)?] $($rest:tt)*) => {
        $crate::__rule!(@next $f [$($done)* [$x $call [$($a)+]]] $($rest)*);
    };
    (@methods $f:tt [$($done:tt)*] $x:ident out $call:tt $($rest:tt)*) => {
        $crate::__rule!(@next $f [$($done)* [$x $call [Const Duplicated DuplicatedNoNeed]]] $($rest)*);
    };
    (@methods $f:tt [$($done:tt)*] $x:ident value $call:tt $($rest:tt)*) => {
        $crate::__rule!(@next $f [$($done)* [$x $call [Const Active]]] $($rest)*);
    };
    (@methods $f:tt [$($done:tt)*] $x:ident $make:ident $call:tt $($rest:tt)*) => {
        $crate::__rule!(@next $f [$($done)* [$x $call [Const Duplicated]]] $($rest)*);
    };
    (@next $f:tt $args:tt ; ret: [$($ret:ident),+ $(,)?] $(; $($options:tt)*)?) => {
        $crate::__rule!(@options $f $args [$($ret)+] (mixes) [usual 1 2 3] ((_) [()]) [forward reverse] [] [] $($($options)*)?);
    };
    (@next $f:tt $args:tt , $($rest:tt)+) => {
        $crate::__rule!(@args $f $args $($rest)+);
    };

    // Options, each to its place: name, widths, sizes, modes, unsupported, methods of the tester.
    (@options $f:tt $args:tt $ret:tt $n:tt $w:tt $s:tt $m:tt $u:tt $o:tt name = $name:ident $(, $($rest:tt)*)?) => {
        $crate::__rule!(@options $f $args $ret ($name) $w $s $m $u $o $($($rest)*)?);
    };
    (@options $f:tt $args:tt $ret:tt $n:tt $w:tt $s:tt $m:tt $u:tt $o:tt widths = [$($width:tt),+ $(,)?] $(, $($rest:tt)*)?) => {
        $crate::__rule!(@options $f $args $ret $n [$($width)+] $s $m $u $o $($($rest)*)?);
    };
    (@options $f:tt $args:tt $ret:tt $n:tt $w:tt $s:tt $m:tt $u:tt $o:tt sizes = $size:pat in $sizes:tt $(, $($rest:tt)*)?) => {
        $crate::__rule!(@options $f $args $ret $n $w (($size) $sizes) $m $u $o $($($rest)*)?);
    };
    (@options $f:tt $args:tt $ret:tt $n:tt $w:tt $s:tt $m:tt $u:tt $o:tt modes = [$($mode:ident),+ $(,)?] $(, $($rest:tt)*)?) => {
        $crate::__rule!(@options $f $args $ret $n $w $s [$($mode)+] $u $o $($($rest)*)?);
    };
    (@options $f:tt $args:tt $ret:tt $n:tt $w:tt $s:tt $m:tt $u:tt $o:tt
        unsupported = [$(($($of:ident: $is:ident),+ $(,)?) => $why:expr),* $(,)?] $(, $($rest:tt)*)?) => {
        $crate::__rule!(@options $f $args $ret $n $w $s $m [$(($($of $is)+) $why,)*] $o $($($rest)*)?);
    };
    (@options $f:tt $args:tt $ret:tt $n:tt $w:tt $s:tt $m:tt $u:tt [$($o:tt)*] $option:ident = $value:expr $(, $($rest:tt)*)?) => {
        $crate::__rule!(@options $f $args $ret $n $w $s $m $u [$($o)* ($option $value)] $($($rest)*)?);
    };

    // The module of the tests.
    (@options $f:tt [$([$x:ident $make:tt [$($a:ident)+]])+] [$($ret:ident)+] ($name:ident) $w:tt $s:tt [$($mode:ident)+]
        [$(($($of:ident $is:ident)+) $why:expr,)*] $o:tt) => {
        #[allow(non_snake_case, unused_imports, clippy::module_inception)]
        mod $name {
            use super::*;
            use $crate::{flowing, severed};

            static POINTS: $crate::__private::Points = $crate::__private::Points::new();

            static UNSUPPORTED: &[$crate::__private::Unsupported] = &[$($crate::__private::Unsupported {
                of: &[$((stringify!($of), stringify!($is))),+],
                reason: $why,
            }),*];

            static ACTIVITIES: &[(&str, &[&str])] = &[
                $((stringify!($x), &[$(stringify!($a)),+]),)+
                ("ret", &[$(stringify!($ret)),+]),
                ("mode", &[$(stringify!($mode)),+]),
            ];

            #[test]
            fn unsupported_lines_apply() {
                $crate::__private::assert_lines_apply(UNSUPPORTED, ACTIVITIES);
            }

            $crate::__rule!(@modes [$($mode)+] ($f [$([$x $make])+] $w $s $o) [$([$x [$($a)+]])+] [$($ret)+]);
        }
    };

    // One module for each mode, with one function that judges any mix, and in it one for each argument, for each activity of it. The
    // function is one because what does not depend on the mix is then compiled once.
    (@modes [$($mode:ident)+] $ctx:tt $args:tt $ret:tt) => {
        $(
            mod $mode {
                use super::*;
                $crate::__rule!(@function $mode $ctx $args $ret);
                $crate::__rule!(@each $mode $ctx [] $args $ret);
            }
        )+
    };
    (@each $mode:ident $ctx:tt $chosen:tt [$next:tt $($rest:tt)*] $ret:tt) => {
        $crate::__rule!(@argument $mode $ctx $chosen $next [$($rest)*] $ret);
    };
    (@argument $mode:ident $ctx:tt $chosen:tt [$x:ident [Const]] $rest:tt $ret:tt) => {
        mod $x {
            use super::*;
            mod Const {
                use super::*;
                $crate::__rule!(@choose $mode $ctx $chosen $x Const only $rest $ret);
            }
        }
    };
    (@choose $mode:ident $ctx:tt [$($chosen:tt)*] $x:ident $a:ident only $rest:tt $ret:tt) => {
        $crate::__rule!(@each $mode $ctx [$($chosen)* ($x $a only)] $rest $ret);
    };
    (@argument $mode:ident $ctx:tt $chosen:tt [$x:ident [$($a:ident)+]] $rest:tt $ret:tt) => {
        mod $x {
            use super::*;
            $(
                mod $a {
                    use super::*;
                    $crate::__rule!(@choose $mode $ctx $chosen $x $a $rest $ret);
                }
            )+
        }
    };
    (@choose $mode:ident $ctx:tt [$($chosen:tt)*] $x:ident $a:ident $rest:tt $ret:tt) => {
        $crate::__rule!(@each $mode $ctx [$($chosen)* ($x $a)] $rest $ret);
    };

    // One test for each return activity; in forward mode an active return is asked for with and without the primal.
    (@each $mode:ident $ctx:tt $chosen:tt [] [Const]) => {
        $crate::__rule!(@test $mode $ctx $chosen Const);
    };
    (@each $mode:ident $ctx:tt $chosen:tt [] [$($ret:ident)+]) => {
        $($crate::__rule!(@returned $mode $ctx $chosen $ret);)+
    };
    (@returned forward $ctx:tt $chosen:tt Active) => {
        $crate::__rule!(@returned forward $ctx $chosen Duplicated);
    };
    (@returned forward $ctx:tt $chosen:tt Duplicated) => {
        $crate::__rule!(@test forward $ctx $chosen Duplicated);
        $crate::__rule!(@test forward $ctx $chosen DuplicatedNoNeed);
    };
    (@returned $mode:ident $ctx:tt $chosen:tt $ret:ident) => {
        $crate::__rule!(@test $mode $ctx $chosen $ret);
    };
    (@test $mode:ident $ctx:tt [$(($x:ident $a:ident $($only:ident)?))+] $ret:ident) => {
        #[test]
        fn $ret() {
            __judged(&[("mode", stringify!($mode)), $((stringify!($x), stringify!($a)),)+ ("ret", stringify!($ret))]);
        }
    };

    // The function, and in it every mix, in case it is the one.
    (@function $mode:ident ((($name:expr) ($f:expr)) [$([$x:ident ($make:expr)])+] $w:tt (($size:pat) $sizes:expr) [$(($option:ident $value:expr))*]) $args:tt $ret:tt) => {
        fn __judged(facts: &$crate::__private::Mix) {
            use $crate::__private::{ErrorsMissing as _, ErrorsPresent as _, FinerMissing as _, FinerPresent as _, ForwardLevel as _, ReverseLevel as _};
            let mut outcomes = $crate::__private::Outcomes::new($name, facts, UNSUPPORTED);
            let (sizes, general) = $crate::__private::all_sizes($sizes);
            for (number, size) in sizes.into_iter().enumerate() {
                let label = $crate::__private::label_of_size(&size);
                let $size = size;
                let arguments = ($($make.named(stringify!($x)),)+);
                let tester = $crate::Setting::new(arguments).function($name, $f)$(.$option($value))*.sharing(&POINTS, &label, number == general);
                let tester = tester.fullest($crate::__private::is_fullest(facts, ACTIVITIES));
                let finer = (&$crate::__private::Probe::<_, 1>(&tester)).finer();
                let tester = tester.finer(finer);
                let errors = (&$crate::__private::Probe::<_, 1>(&tester)).errors();
                let tester = tester.errors(errors);
                let rules = tester.rules();
                $crate::__rule!(@mixes $mode [facts outcomes tester rules] $w [] $args $ret);
                outcomes.of($crate::__private::Facts::of(&tester));
            }
            outcomes.finish();
        }
    };
    (@mixes $mode:ident $of:tt $w:tt $chosen:tt [$next:tt $($rest:tt)*] $ret:tt) => {
        $crate::__rule!(@mixes_of $mode $of $w $chosen $next [$($rest)*] $ret);
    };
    (@mixes_of $mode:ident $of:tt $w:tt $chosen:tt [$x:ident [Const]] $rest:tt $ret:tt) => {
        $crate::__rule!(@mixes_with $mode $of $w $chosen ($x Const only) $rest $ret);
    };
    (@mixes_of $mode:ident $of:tt $w:tt $chosen:tt [$x:ident [$($a:ident)+]] $rest:tt $ret:tt) => {
        $($crate::__rule!(@mixes_with $mode $of $w $chosen ($x $a) $rest $ret);)+
    };
    (@mixes_with $mode:ident $of:tt $w:tt [$($chosen:tt)*] $next:tt $rest:tt $ret:tt) => {
        $crate::__rule!(@mixes $mode $of $w [$($chosen)* $next] $rest $ret);
    };
    (@mixes $mode:ident $of:tt $w:tt $chosen:tt [] [Const]) => {
        $crate::__rule!(@mix $mode $of $w $chosen Const only);
    };
    (@mixes $mode:ident $of:tt $w:tt $chosen:tt [] [$($ret:ident)+]) => {
        $($crate::__rule!(@mixes_returning $mode $of $w $chosen $ret);)+
    };
    (@mixes_returning forward $of:tt $w:tt $chosen:tt Active) => {
        $crate::__rule!(@mixes_returning forward $of $w $chosen Duplicated);
    };
    (@mixes_returning forward $of:tt $w:tt $chosen:tt Duplicated) => {
        $crate::__rule!(@mix forward $of $w $chosen Duplicated);
        $crate::__rule!(@mix forward $of $w $chosen DuplicatedNoNeed);
    };
    (@mixes_returning $mode:ident $of:tt $w:tt $chosen:tt $ret:ident) => {
        $crate::__rule!(@mix $mode $of $w $chosen $ret);
    };
    (@mix $mode:ident [$facts:ident $outcomes:ident $tester:ident $rules:ident] $w:tt [$(($x:ident $a:ident $($only:ident)?))+] $ret:ident $($sole:ident)?) => {
        if $crate::__private::is_mix($facts, &[("mode", stringify!($mode)), $((stringify!($x), stringify!($a)),)+ ("ret", stringify!($ret))]) {
            let mix = $tester.mix($crate::__activity!($ret), ($($crate::__activity!($mode $a),)+));
            $crate::__lanes!($mode [$outcomes mix $rules] $w [$($a $($only)?)+] $ret $($sole)?);
        }
    };
}
