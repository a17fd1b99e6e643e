//! A tester in one mix: where the rule's types are known.

use std::marker::PhantomData;

use coenzyme::{ForwardRule, Function, Outcome, ReverseRule};

use super::Tester;
use crate::argument::{AllFiner, Passings};
use crate::mix::{ForwardMix, ForwardRet, Marker, Markers, ReverseMix, ReverseRet};
use crate::report::Report;
use crate::subject::{Callable, ForwardCall, Reverse, ReverseCall};

/// A tester in one mix.
pub struct InMix<'t, F, Ps: Passings, Out: Outcome, Ret, M> {
    pub(super) tester: &'t Tester<F, Ps, Out>,
    pub(super) mix: PhantomData<fn() -> (Ret, M)>,
}

impl<'t, F, Ps: Passings, Out: Outcome, Ret, M> InMix<'t, F, Ps, Out, Ret, M> {
    /// The forward rule in `W` lanes.
    pub(crate) fn forward_call<const W: usize>(&self) -> ForwardCall<'t, F, Ps, Out, Ret, M, W> {
        ForwardCall::new(&self.tester.subject)
    }

    /// The reverse rule in `W` lanes.
    pub(crate) fn reverse_call<T, const W: usize>(
        &self,
    ) -> ReverseCall<'t, F, Ps, Out, Ret, M, T, W>
    where
        Ret: ReverseRet<Out, W>,
    {
        ReverseCall::new(&self.tester.subject)
    }

    /// The forward rule of the activities of a reverse rule, in `W` lanes.
    pub(crate) fn forward_beside<const W: usize>(
        &self,
    ) -> ForwardCall<'t, F, Ps, Out, Ret::Forward, M::Forward, W>
    where
        Ret: Marker,
        M: Markers,
    {
        ForwardCall::new(&self.tester.subject)
    }
}

impl<F, Ps, Out, Ret, M> InMix<'_, F, Ps, Out, Ret, M>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out> + Send + Sync,
{
    /// Judges the forward rule in `W` lanes.
    pub fn forward<const W: usize>(&self) -> Report
    where
        Ret: ForwardRet<Out, 1> + ForwardRet<Out, W>,
        M: ForwardMix<Ps, 1> + ForwardMix<Ps, W>,
        F: for<'a> ForwardRule<
                <Ret as ForwardRet<Out, 1>>::R,
                <M as ForwardMix<Ps, 1>>::Args<'a>,
                1,
            > + for<'a> ForwardRule<
                <Ret as ForwardRet<Out, W>>::R,
                <M as ForwardMix<Ps, W>>::Args<'a>,
                W,
            > + Send
            + Sync,
    {
        let (wide, single) = (self.forward_call::<W>(), self.forward_call::<1>());
        self.tester.trial().forward(&wide, &single)
    }

    /// Judges the reverse rule in `W` lanes.
    pub fn reverse<T1: Send, TW: Send, const W: usize>(&self) -> Report
    where
        Ret: ReverseRet<Out, 1> + ReverseRet<Out, W>,
        M: ReverseMix<Ps, 1> + ReverseMix<Ps, W>,
        F: for<'a> ReverseRule<
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
        let (wide, single) = (self.reverse_call::<TW, W>(), self.reverse_call::<T1, 1>());
        self.tester.trial().reverse(&wide, &single)
    }

    /// Judges the reverse rule against the forward rule, in `W` lanes: one is the transpose of the other.
    pub fn pairing<T: Send, const W: usize>(&self) -> Report
    where
        Ret: Marker<Forward: ForwardRet<Out, W>> + ReverseRet<Out, W>,
        M: Markers<Forward: ForwardMix<Ps, W>> + ReverseMix<Ps, W>,
        F: for<'a> ForwardRule<
                <Ret::Forward as ForwardRet<Out, W>>::R,
                <M::Forward as ForwardMix<Ps, W>>::Args<'a>,
                W,
            > + for<'a> ReverseRule<<Ret as ReverseRet<Out, W>>::R, M::Args<'a>, W, Tape = T>
            + Send
            + Sync,
    {
        let (forward, reverse) = (self.forward_beside::<W>(), self.reverse_call::<T, W>());
        self.tester.trial().pairing(&forward, &reverse)
    }

    /// Judges second derivatives: the reverse rule on dual numbers must give the derivatives of what it gives on plain ones,
    /// and a symmetric Hessian. For rules that are generic over the scalar; `dual` tests the same function, with arguments of
    /// as many dual numbers, whose values do not matter.
    ///
    /// ```
    /// use coenzyme::{AsActive, AsDuplicated, Dual, Real, differentiable};
    /// use coenzyme_testutils::{Setting, input};
    ///
    /// /// Σ xᵢ³
    /// #[differentiable]
    /// fn cubes<T: Real>(x: &[T]) -> T {
    ///     let mut sum = T::zero();
    ///     for i in 0..x.len() {
    ///         sum += x[i] * x[i] * x[i];
    ///     }
    ///     sum
    /// }
    ///
    /// let dual = Setting::new((input([Dual::constant(0.0); 3]),)).function("cubes", cubes {});
    /// let tester = Setting::new((input(3),)).function("cubes", cubes {});
    /// tester.mix(AsActive, (AsDuplicated,)).second_order(&dual).assert();
    /// ```
    pub fn second_order<G, Qs, Wide, T: Send, D: Send>(&self, dual: &Tester<G, Qs, Wide>) -> Report
    where
        Qs: Passings,
        Wide: Outcome<Value: Send + Sync + 'static>,
        Ret: ReverseRet<Out, 1> + ReverseRet<Wide, 1>,
        M: ReverseMix<Ps, 1> + ReverseMix<Qs, 1>,
        F: for<'a> ReverseRule<
                <Ret as ReverseRet<Out, 1>>::R,
                <M as ReverseMix<Ps, 1>>::Args<'a>,
                1,
                Tape = T,
            > + Send
            + Sync,
        G: for<'a> Function<Qs::Primals<'a>, Output = Wide>
            + for<'a> ReverseRule<
                <Ret as ReverseRet<Wide, 1>>::R,
                <M as ReverseMix<Qs, 1>>::Args<'a>,
                1,
                Tape = D,
            > + Send
            + Sync,
    {
        let plain = self.reverse_call::<T, 1>();
        let wide = ReverseCall::<G, Qs, Wide, Ret, M, D, 1>::new(&dual.subject);
        let wide = Reverse::new(&dual.subject, &wide);
        self.tester
            .trial()
            .second_order(&plain, &wide, &dual.subject)
    }

    /// Judges the last digits of the reverse rule by the same function of dual numbers.
    pub fn digits<T: Send, Wide>(&self) -> Report
    where
        Ps: AllFiner,
        Wide: Outcome<Value: Send + Sync + 'static>,
        Ret: ReverseRet<Out, 1>,
        M: ReverseMix<Ps, 1>,
        F: for<'a> ReverseRule<<Ret as ReverseRet<Out, 1>>::R, M::Args<'a>, 1, Tape = T>
            + for<'a> Function<<Ps::Finer as Passings>::Primals<'a>, Output = Wide>
            + Send
            + Sync,
    {
        let call = self.reverse_call::<T, 1>();
        let finer: &dyn Callable = &self.tester.subject.finer::<Wide>();
        self.tester.trial().digits(&call, &|x| finer.primal(x))
    }

    /// Judges the last digits of the forward rule by the same function of dual numbers.
    pub fn digits_ahead<Wide>(&self) -> Report
    where
        Ps: AllFiner,
        Wide: Outcome<Value: Send + Sync + 'static>,
        Ret: ForwardRet<Out, 1>,
        M: ForwardMix<Ps, 1>,
        F: for<'a> ForwardRule<<Ret as ForwardRet<Out, 1>>::R, M::Args<'a>, 1>
            + for<'a> Function<<Ps::Finer as Passings>::Primals<'a>, Output = Wide>
            + Send
            + Sync,
    {
        let call = self.forward_call::<1>();
        let finer: &dyn Callable = &self.tester.subject.finer::<Wide>();
        self.tester
            .trial()
            .digits_ahead(&call, &|x| finer.primal(x))
    }

    /// Judges whether the second half can be run on another thread, in `W` lanes.
    pub fn elsewhere<T: Send, const W: usize>(&self) -> Report
    where
        Ret: ReverseRet<Out, W>,
        M: ReverseMix<Ps, W>,
        F: for<'a> ReverseRule<Ret::R, M::Args<'a>, W, Tape = T> + Send + Sync,
    {
        let call = self.reverse_call::<T, W>();
        self.tester.trial().elsewhere(&call)
    }

    /// Judges whether a copy of a tape is a tape of its own, in `W` lanes.
    pub fn reuse<T: Clone + Send, const W: usize>(&self) -> Report
    where
        Ret: ReverseRet<Out, W>,
        M: ReverseMix<Ps, W>,
        F: for<'a> ReverseRule<Ret::R, M::Args<'a>, W, Tape = T> + Send + Sync,
    {
        let call = self.reverse_call::<T, W>().with_copies();
        self.tester.trial().reuse(&call)
    }
}
