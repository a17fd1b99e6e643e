//! A term of a sum: `f(item, &p)` returns a value.

use coenzyme::{
    Active, BatchDuplicated, Const, DynArg, ForwardConfig, ForwardRule, Outcome, ReverseConfig,
    ReverseRule,
};

use super::inside;

/// A term that has a forward rule.
pub trait ForwardTerm<I, P: ?Sized, U, const W: usize> {
    /// The value and its tangents.
    fn push(&self, config: &ForwardConfig, item: I, p: &P, dp: Option<[&P; W]>) -> (U, [U; W]);
}

impl<F, I, P: ?Sized, U: Outcome<Value = U>, const W: usize> ForwardTerm<I, P, U, W> for F
where
    F: for<'a> ForwardRule<BatchDuplicated<U, U, W>, (Const<I>, DynArg<&'a P, &'a P, W>), W>,
{
    #[inline]
    fn push(&self, config: &ForwardConfig, item: I, p: &P, dp: Option<[&P; W]>) -> (U, [U; W]) {
        let mut p = DynArg::new(p, dp);
        inside::<U, _>(self.forward(config, (&mut Const(item), &mut p))).into_parts()
    }
}

/// A term that has a reverse rule.
pub trait ReverseTerm<I, P: ?Sized, U, const W: usize> {
    /// Calls the function with tape and adds to the cotangents of `p`: both halves at once.
    fn pull(&self, config: &ReverseConfig, item: I, p: &P, dp: [&mut P; W], dy: [U; W]);
}

impl<F, I: Clone, P: ?Sized, U: Outcome<Value = U>, const W: usize> ReverseTerm<I, P, U, W> for F
where
    F: for<'a> ReverseRule<Active<U>, (Const<I>, DynArg<&'a P, &'a mut P, W>), W>,
{
    #[inline]
    fn pull(&self, config: &ReverseConfig, item: I, p: &P, dp: [&mut P; W], dy: [U; W]) {
        let mut item = Const(item);
        let mut p = DynArg::new(p, Some(dp));
        let augmented = inside::<U, _>(self.augmented_primal(config, (&mut item, &mut p)));
        self.reverse(config, dy, augmented.tape, (&mut item, &mut p));
    }
}
