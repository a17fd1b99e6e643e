//! Whether there is a rule for a mix, asked of the compiler.
//!
//! `(&Probe::<_, W>(&mix)).forward()` finds a forward rule for the mix in `W` lanes, and says `None` if the function has none: the compiler
//! tries a method of `Probe` before one of `&Probe`. `LEVEL` counts the tries; there is one trait for all of them, so that there
//! is one to look through.

use coenzyme::{ForwardRule, Function, Outcome, ReverseRule, Tangent};

use crate::argument::{AllFiner, Passings};
use crate::mix::{ForwardMix, ForwardRet, Marker, Markers, ReverseMix, ReverseRet};
use crate::tester::{Finer, FoundForward, FoundReverse, InMix, Tester};

/// A mix in `W` lanes, which may have a rule.
pub struct Probe<'m, M, const W: usize>(pub &'m M);

/// There may be a forward rule.
pub trait ForwardLevel<'t, const LEVEL: usize> {
    /// The rule.
    fn forward(&self) -> Option<FoundForward<'t>>;
}

impl<'t, F, Ps, Out, Ret, M, const W: usize> ForwardLevel<'t, 0>
    for Probe<'_, InMix<'t, F, Ps, Out, Ret, M>, W>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: ForwardRet<Out, W>,
    M: ForwardMix<Ps, W>,
    F: for<'a> ForwardRule<Ret::R, M::Args<'a>, W> + Send + Sync,
{
    fn forward(&self) -> Option<FoundForward<'t>> {
        Some(FoundForward::new(self.0.forward_call()))
    }
}

impl<'t, M, const W: usize> ForwardLevel<'t, 1> for &Probe<'_, M, W> {
    fn forward(&self) -> Option<FoundForward<'t>> {
        None
    }
}

/// There may be a reverse rule: found of five references to a [`Probe`], of which each try takes one away.
pub trait ReverseLevel<'t, const LEVEL: usize> {
    /// The rule, and what is known of it.
    fn reverse(&self) -> Option<FoundReverse<'t>>;
}

/// A reverse rule beside a forward rule, with tapes that can do what the bounds say.
macro_rules! beside_a_forward_rule {
    ($level:literal [$($refs:tt)*] tape $(+ $tape:ident: $with:ident $found:ident)?) => {
        impl<'t, F, Ps, Out, Ret, M, T, const W: usize> ReverseLevel<'t, $level> for $($refs)* Probe<'_, InMix<'t, F, Ps, Out, Ret, M>, W>
        where
            Ps: Passings,
            Out: Outcome<Value: Send + Sync + 'static>,
            Ret: Marker<Forward: ForwardRet<Out, W>> + ReverseRet<Out, W>,
            M: Markers<Forward: ForwardMix<Ps, W>> + ReverseMix<Ps, W>,
            T: Send + 't $(+ $tape)?,
            F: for<'a> ReverseRule<<Ret as ReverseRet<Out, W>>::R, M::Args<'a>, W, Tape = T>
                + for<'a> ForwardRule<<Ret::Forward as ForwardRet<Out, W>>::R, <M::Forward as ForwardMix<Ps, W>>::Args<'a>, W>
                + Send
                + Sync,
        {
            fn reverse(&self) -> Option<FoundReverse<'t>> {
                let call = self.0.reverse_call()$(.$with())?;
                Some(FoundReverse::new(call)$(.$found())?.beside(self.0.forward_beside()))
            }
        }
    };
}

/// The same, without a forward rule.
macro_rules! alone {
    ($level:literal [$($refs:tt)*] tape $(+ $tape:ident: $with:ident $found:ident)?) => {
        impl<'t, F, Ps, Out, Ret, M, T, const W: usize> ReverseLevel<'t, $level> for $($refs)* Probe<'_, InMix<'t, F, Ps, Out, Ret, M>, W>
        where
            Ps: Passings,
            Out: Outcome<Value: Send + Sync + 'static>,
            Ret: ReverseRet<Out, W>,
            M: ReverseMix<Ps, W>,
            T: Send + 't $(+ $tape)?,
            F: for<'a> ReverseRule<Ret::R, M::Args<'a>, W, Tape = T> + Send + Sync,
        {
            fn reverse(&self) -> Option<FoundReverse<'t>> {
                let call = self.0.reverse_call()$(.$with())?;
                Some(FoundReverse::new(call)$(.$found())?)
            }
        }
    };
}

beside_a_forward_rule!(0 [&& &&] tape + Clone: with_copies copied);
beside_a_forward_rule!(1 [&& &] tape);
alone!(2 [&&] tape + Clone: with_copies copied);
alone!(3 [&] tape);

impl<'t, M, const W: usize> ReverseLevel<'t, 4> for Probe<'_, M, W> {
    fn reverse(&self) -> Option<FoundReverse<'t>> {
        None
    }
}

/// The function takes dual numbers too, whatever the mix.
pub trait FinerPresent {
    /// The function of dual numbers.
    fn finer(&self) -> Option<Finer>;
}

/// The function may not be generic over the scalar.
pub trait FinerMissing {
    /// No function.
    fn finer(&self) -> Option<Finer> {
        None
    }
}

impl<M, const W: usize> FinerMissing for &Probe<'_, M, W> {}

impl<F, Ps, Out, Wide> FinerPresent for Probe<'_, Tester<F, Ps, Out>, 1>
where
    Ps: AllFiner,
    Out: Outcome,
    Wide: Outcome<Value: Send + Sync + 'static> + 'static,
    F: for<'a> Function<<Ps::Finer as Passings>::Primals<'a>, Output = Wide>
        + Send
        + Sync
        + 'static,
{
    fn finer(&self) -> Option<Finer> {
        Some(self.0.of_dual_numbers::<Wide>())
    }
}

/// The function returns errors that can be printed.
pub trait ErrorsPresent<Out: Outcome> {
    /// How.
    fn errors(&self) -> Option<fn(Out::Of<()>) -> String>;
}

/// The function may return no errors, or none that can be printed.
pub trait ErrorsMissing<Out: Outcome> {
    /// Not at all.
    fn errors(&self) -> Option<fn(Out::Of<()>) -> String> {
        None
    }
}

impl<F, Ps: Passings, Out: Outcome> ErrorsMissing<Out> for &Probe<'_, Tester<F, Ps, Out>, 1> {}

impl<F, Ps, T, E> ErrorsPresent<Result<T, E>> for Probe<'_, Tester<F, Ps, Result<T, E>>, 1>
where
    Ps: Passings,
    T: Tangent<Owned = T>,
    E: std::fmt::Debug,
{
    fn errors(&self) -> Option<fn(Result<(), E>) -> String> {
        Some(|outcome| {
            outcome
                .err()
                .map_or(String::new(), |error| format!("{error:?}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use std::marker::PhantomData;

    use coenzyme::{
        AsActive, AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, Lanes, ReverseArg,
        ReverseConfig, ReverseReturn,
    };

    use super::*;
    use crate::argument::value;
    use crate::tester::Setting;

    /// `2·x`, with a tape of its own type, and a forward rule or none.
    #[derive(Default)]
    struct Twice<T, const FORWARD: bool>(PhantomData<fn() -> T>);

    impl<T, const FORWARD: bool> Function<(f64,)> for Twice<T, FORWARD> {
        type Output = f64;

        fn call(&self, (x,): (f64,)) -> f64 {
            2.0 * x
        }
    }

    impl<R, X, T, const W: usize> ForwardRule<R, (X,), W> for Twice<T, true>
    where
        R: ForwardReturn<W, Out = f64>,
        X: ForwardArg<f64, W>,
    {
        fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
            let tangent = |lane| x.tangent(lane).map_or(0.0, |dx| 2.0 * dx);
            R::forward(config, || 2.0 * x.primal(), tangent)
        }
    }

    impl<R, X, T, const W: usize, const FORWARD: bool> ReverseRule<R, (X,), W> for Twice<T, FORWARD>
    where
        R: ReverseReturn<W, Out = f64>,
        X: ReverseArg<f64, W>,
        T: Default + Send + 'static,
    {
        type Tape = T;

        fn augmented_primal(
            &self,
            config: &ReverseConfig,
            (x,): (&mut X,),
        ) -> AugmentedReturn<f64, R::Shadow, T> {
            R::augmented(config, 2.0 * x.primal(), T::default())
        }

        fn reverse(
            &self,
            _: &ReverseConfig,
            dret: R::Cotangent,
            _: T,
            (x,): (&mut X,),
        ) -> (X::Gradient,) {
            let gradient = x.accumulate(|lane, _, mut dx| {
                dx += dret.lane(lane).map_or(0.0, |d| 2.0 * d);
            });
            (gradient,)
        }
    }

    #[derive(Default)]
    struct CannotBeCopied;

    /// What is found of a rule, and in what it is judged beside itself.
    macro_rules! found {
        ($tape:ty, $forward:literal) => {{
            let tester = Setting::new((value(1.5),));
            let tester = tester.function("twice", Twice::<$tape, $forward>::default());
            let mix = tester.mix(AsActive, (AsActive,));
            let found = crate::__found!(reverse mix 2);
            found.expect("there is a reverse rule").beside_itself()
        }};
    }

    #[test]
    fn all_that_stands_beside_a_reverse_rule_is_found() {
        let with = [found!((), true), found!(CannotBeCopied, true)];
        assert_eq!(with, [(true, true), (true, false)]);
        let without = [found!((), false), found!(CannotBeCopied, false)];
        assert_eq!(without, [(false, true), (false, false)]);
    }

    #[test]
    fn no_forward_rule_is_none() {
        let tester = Setting::new((value(1.5),)).function("twice", Twice::<(), false>::default());
        let mix = tester.mix(coenzyme::AsDuplicated, (coenzyme::AsDuplicated,));
        assert!(crate::__found!(forward mix 1).is_none());
    }
}
