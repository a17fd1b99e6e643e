//! Whether there is a rule for a mix, asked of the compiler.
//!
//! `(&Probe::<W>(&mix)).forward()` finds [`Present`] if the function has a forward rule for the mix in `W` lanes, and
//! [`Missing`] if it has none: the compiler tries a method of `Probe` before one of `&Probe`.

use coenzyme::{ForwardRule, Function, Outcome, ReverseReturn, ReverseRule, Tangent};

use crate::argument::{AllFiner, Passings};
use crate::mix::{ForwardMix, ForwardRet, Marker, Markers, ReverseMix, ReverseRet};
use crate::report::Report;
use crate::tester::{Finer, InMix, Tester};

/// A mix in `W` lanes, which may have a rule.
pub struct Probe<'m, M, const W: usize>(pub &'m M);

/// There is a forward rule.
pub trait ForwardPresent {
    /// The report on it.
    fn forward(&self) -> Option<Report>;
}

/// There may be no forward rule.
pub trait ForwardMissing {
    /// No report.
    fn forward(&self) -> Option<Report> {
        None
    }
}

/// There is a reverse rule.
pub trait ReversePresent {
    /// The report on it.
    fn reverse(&self) -> Option<Report>;
}

/// There may be no reverse rule.
pub trait ReverseMissing {
    /// No report.
    fn reverse(&self) -> Option<Report> {
        None
    }
}

/// There are both rules.
pub trait PairingPresent {
    /// The report on whether they agree.
    fn pairing(&self) -> Option<Report>;
}

/// One rule may be missing.
pub trait PairingMissing {
    /// No report.
    fn pairing(&self) -> Option<Report> {
        None
    }
}

/// The tape can be copied.
pub trait ReusePresent {
    /// The report on whether copies are independent.
    fn reuse(&self) -> Option<Report>;
}

/// The tape may not be copied.
pub trait ReuseMissing {
    /// No report.
    fn reuse(&self) -> Option<Report> {
        None
    }
}

/// The function takes dual numbers too.
pub trait DigitsPresent {
    /// The report on the last digits.
    fn digits(&self) -> Option<Report>;
}

/// The function may not be generic over the scalar.
pub trait DigitsMissing {
    /// No report.
    fn digits(&self) -> Option<Report> {
        None
    }
}

/// The function takes dual numbers too, and has a forward rule.
pub trait DigitsAheadPresent {
    /// The report on the last digits.
    fn digits_ahead(&self) -> Option<Report>;
}

/// The function may not be generic over the scalar.
pub trait DigitsAheadMissing {
    /// No report.
    fn digits_ahead(&self) -> Option<Report> {
        None
    }
}

impl<M, const W: usize> DigitsAheadMissing for &Probe<'_, M, W> {}

impl<F, Ps, Out, Ret, M, Wide> DigitsAheadPresent for Probe<'_, InMix<'_, F, Ps, Out, Ret, M>, 1>
where
    Ps: AllFiner,
    Out: Outcome<Value: Send + Sync + 'static>,
    Wide: Outcome<Value: Send + Sync + 'static>,
    Ret: ForwardRet<Out, 1>,
    M: ForwardMix<Ps, 1>,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>
        + for<'a> ForwardRule<<Ret as ForwardRet<Out, 1>>::R, M::Args<'a>, 1>
        + for<'a> Function<<Ps::Finer as Passings>::Primals<'a>, Output = Wide>
        + Send
        + Sync,
{
    fn digits_ahead(&self) -> Option<Report> {
        Some(self.0.digits_ahead::<Wide>())
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

impl<M, const W: usize> DigitsMissing for &Probe<'_, M, W> {}

impl<F, Ps, Out, Ret, M, T, Wide> DigitsPresent for Probe<'_, InMix<'_, F, Ps, Out, Ret, M>, 1>
where
    Ps: AllFiner,
    Out: Outcome<Value: Send + Sync + 'static>,
    Wide: Outcome<Value: Send + Sync + 'static>,
    Ret: ReverseRet<Out, 1>,
    M: ReverseMix<Ps, 1>,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>
        + for<'a> ReverseRule<<Ret as ReverseRet<Out, 1>>::R, M::Args<'a>, 1, Tape = T>
        + for<'a> Function<<Ps::Finer as Passings>::Primals<'a>, Output = Wide>
        + Send
        + Sync,
{
    fn digits(&self) -> Option<Report> {
        Some(self.0.digits::<T, Wide>())
    }
}

/// The tape can be sent to another thread.
pub trait ElsewherePresent {
    /// The report on what comes of it there.
    fn elsewhere(&self) -> Option<Report>;
}

/// The tape may be bound to its thread.
pub trait ElsewhereMissing {
    /// No report.
    fn elsewhere(&self) -> Option<Report> {
        None
    }
}

impl<M, const W: usize> ElsewhereMissing for &Probe<'_, M, W> {}
impl<M, const W: usize> ReuseMissing for &Probe<'_, M, W> {}
impl<M, const W: usize> ForwardMissing for &Probe<'_, M, W> {}
impl<M, const W: usize> ReverseMissing for &Probe<'_, M, W> {}
impl<M, const W: usize> PairingMissing for &Probe<'_, M, W> {}

impl<F, Ps, Out, Ret, M, const W: usize> ForwardPresent
    for Probe<'_, InMix<'_, F, Ps, Out, Ret, M>, W>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: ForwardRet<Out, 1> + ForwardRet<Out, W>,
    M: ForwardMix<Ps, 1> + ForwardMix<Ps, W>,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>
        + for<'a> ForwardRule<<Ret as ForwardRet<Out, 1>>::R, <M as ForwardMix<Ps, 1>>::Args<'a>, 1>
        + for<'a> ForwardRule<<Ret as ForwardRet<Out, W>>::R, <M as ForwardMix<Ps, W>>::Args<'a>, W>
        + Send
        + Sync,
{
    fn forward(&self) -> Option<Report> {
        Some(self.0.forward::<W>())
    }
}

impl<F, Ps, Out, Ret, M, T1, TW, const W: usize> ReversePresent
    for Probe<'_, InMix<'_, F, Ps, Out, Ret, M>, W>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: ReverseRet<Out, 1> + ReverseRet<Out, W>,
    M: ReverseMix<Ps, 1> + ReverseMix<Ps, W>,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>
        + for<'a> ReverseRule<
            <Ret as ReverseRet<Out, 1>>::R,
            <M as ReverseMix<Ps, 1>>::Args<'a>,
            1,
            Tape = T1,
        > + for<'a> ReverseRule<
            <Ret as ReverseRet<Out, W>>::R,
            <M as ReverseMix<Ps, W>>::Args<'a>,
            W,
            Tape = TW,
        > + Send
        + Sync,
{
    fn reverse(&self) -> Option<Report> {
        Some(self.0.reverse::<T1, TW, W>())
    }
}

impl<F, Ps, Out, Ret, M, T, const W: usize> PairingPresent
    for Probe<'_, InMix<'_, F, Ps, Out, Ret, M>, W>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: Marker<Forward: ForwardRet<Out, W>> + ReverseRet<Out, W>,
    M: Markers<Forward: ForwardMix<Ps, W>> + ReverseMix<Ps, W>,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>
        + for<'a> ForwardRule<
            <Ret::Forward as ForwardRet<Out, W>>::R,
            <M::Forward as ForwardMix<Ps, W>>::Args<'a>,
            W,
        > + for<'a> ReverseRule<<Ret as ReverseRet<Out, W>>::R, M::Args<'a>, W, Tape = T>
        + Send
        + Sync,
{
    fn pairing(&self) -> Option<Report> {
        Some(self.0.pairing::<T, W>())
    }
}

impl<F, Ps, Out, Ret, M, T, const W: usize> ElsewherePresent
    for Probe<'_, InMix<'_, F, Ps, Out, Ret, M>, W>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: ReverseRet<Out, W>,
    M: ReverseMix<Ps, W>,
    T: Send,
    <Ret::R as ReverseReturn<W>>::Shadow: Send,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>
        + for<'a> ReverseRule<Ret::R, M::Args<'a>, W, Tape = T>
        + Send
        + Sync,
{
    fn elsewhere(&self) -> Option<Report> {
        Some(self.0.elsewhere::<T, W>())
    }
}

impl<F, Ps, Out, Ret, M, T, const W: usize> ReusePresent
    for Probe<'_, InMix<'_, F, Ps, Out, Ret, M>, W>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    Ret: ReverseRet<Out, W>,
    M: ReverseMix<Ps, W>,
    T: Clone,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>
        + for<'a> ReverseRule<Ret::R, M::Args<'a>, W, Tape = T>
        + Send
        + Sync,
{
    fn reuse(&self) -> Option<Report> {
        Some(self.0.reuse::<T, W>())
    }
}
