//! The tester as plain functions.

use coenzyme::{ForwardRule, Function, Outcome, ReverseRule};

use super::Setting;
use crate::argument::{Arguments, Passings};
use crate::mix::{ForwardMix, ForwardRet, ReverseMix, ReverseRet};
use crate::report::Report;

/// Judges the forward rule of `f` for one mix, in one, two and three lanes.
///
/// [`test_forward!`](macro@crate::test_forward) is the same with less to write. The function comes last because the compiler
/// must know the arguments before it can look for a rule.
pub fn test_forward<A, M, Ret, F, Out>(
    name: &str,
    arguments: A,
    mix: M,
    returned: Ret,
    f: F,
) -> Report
where
    A: Arguments,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: ForwardRet<Out, 1> + ForwardRet<Out, 2> + ForwardRet<Out, 3>,
    M: ForwardMix<A::Passings, 1> + ForwardMix<A::Passings, 2> + ForwardMix<A::Passings, 3>,
    F: for<'a> Function<<A::Passings as Passings>::Primals<'a>, Output = Out>
        + for<'a> ForwardRule<
            <Ret as ForwardRet<Out, 1>>::R,
            <M as ForwardMix<A::Passings, 1>>::Args<'a>,
            1,
        > + for<'a> ForwardRule<
            <Ret as ForwardRet<Out, 2>>::R,
            <M as ForwardMix<A::Passings, 2>>::Args<'a>,
            2,
        > + for<'a> ForwardRule<
            <Ret as ForwardRet<Out, 3>>::R,
            <M as ForwardMix<A::Passings, 3>>::Args<'a>,
            3,
        > + Send
        + Sync,
{
    let tester = Setting::new(arguments).function(name, f);
    let mix = tester.mix(returned, mix);
    Report::worst([mix.forward::<1>(), mix.forward::<2>(), mix.forward::<3>()])
}

/// Judges the reverse rule of `f` for one mix, in one, two and three lanes.
///
/// [`test_reverse!`](macro@crate::test_reverse) is the same with less to write. The function comes last because the compiler
/// must know the arguments before it can look for a rule.
pub fn test_reverse<A, M, Ret, F, Out, T1, T2, T3>(
    name: &str,
    arguments: A,
    mix: M,
    returned: Ret,
    f: F,
) -> Report
where
    A: Arguments,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: ReverseRet<Out, 1> + ReverseRet<Out, 2> + ReverseRet<Out, 3>,
    M: ReverseMix<A::Passings, 1> + ReverseMix<A::Passings, 2> + ReverseMix<A::Passings, 3>,
    T1: Send,
    T2: Send,
    T3: Send,
    F: for<'a> Function<<A::Passings as Passings>::Primals<'a>, Output = Out>
        + for<'a> ReverseRule<
            <Ret as ReverseRet<Out, 1>>::R,
            <M as ReverseMix<A::Passings, 1>>::Args<'a>,
            1,
            Tape = T1,
        > + for<'a> ReverseRule<
            <Ret as ReverseRet<Out, 2>>::R,
            <M as ReverseMix<A::Passings, 2>>::Args<'a>,
            2,
            Tape = T2,
        > + for<'a> ReverseRule<
            <Ret as ReverseRet<Out, 3>>::R,
            <M as ReverseMix<A::Passings, 3>>::Args<'a>,
            3,
            Tape = T3,
        > + Send
        + Sync,
{
    let tester = Setting::new(arguments).function(name, f);
    let mix = tester.mix(returned, mix);
    Report::worst([
        mix.reverse::<T1, T1, 1>(),
        mix.reverse::<T1, T2, 2>(),
        mix.reverse::<T1, T3, 3>(),
    ])
}
