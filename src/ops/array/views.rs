//! A part of an array read, and changed in place: `a.row_mut(i).assign(&b)`, `r += &b` of a row `r`.

use ndarray::{Array, ArrayRef, ArrayView, ArrayViewMut, Dimension};

use crate::activity::{Annotation, Const, ForwardArg, ForwardArgMut, ReverseArg, ReverseArgMut};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::real::Real;
use crate::rule::{
    AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, ReverseReturn, ReverseRule, Saved,
};
use crate::tangent::{Memory, Tangent};

use super::parts::{Returned, markers};
use super::selection::Selection;
use super::{Linear, Pair, Target};

markers! {
    /// A part of an array: `part(a, selection)`.
    part;
    /// An operation on a part of an array, which gets the result: `change_part(a, (selection, operation), b)`.
    change_part;
}

impl<T: Real, D: Dimension, S: Selection<D>> Linear<part, S> for ArrayRef<T, D>
where
    Array<T, S::Out>: Returned,
{
    type Out = Array<T, S::Out>;

    fn apply(&self, selection: &S) -> Self::Out {
        selection.of(self.view()).to_owned()
    }
    fn transpose(dout: &Self::Out, dx: &mut Self, selection: &S) {
        let mut part = selection.of(dx.view_mut());
        part += dout;
    }
}

/// The view of a part, for code that runs as it is.
pub fn view<'a, T, D: Dimension, S: Selection<D>>(
    whole: &'a ArrayRef<T, D>,
    selection: &S,
) -> ArrayView<'a, T, S::Out> {
    selection.of(whole.view())
}

/// As [`view`], to be changed.
pub fn view_mut<'a, T, D: Dimension, S: Selection<D>>(
    whole: &'a mut ArrayRef<T, D>,
    selection: &S,
) -> ArrayViewMut<'a, T, S::Out> {
    selection.of(whole.view_mut())
}

/// Memory with parts.
pub trait Parts<S> {
    /// A part.
    type Part: Tangent + ToOwned<Owned: Send + 'static> + ?Sized + 'static;

    /// Gives the part to `f`.
    fn with<R>(&self, selection: &S, f: impl FnOnce(&Self::Part) -> R) -> R;

    /// Gives the part to `f`, to be changed.
    fn with_mut<R>(&mut self, selection: &S, f: impl FnOnce(&mut Self::Part) -> R) -> R;
}

impl<T: Real, D: Dimension, S: Selection<D>> Parts<S> for ArrayRef<T, D>
where
    ArrayRef<T, S::Out>: Tangent + ToOwned<Owned: Send + 'static> + 'static,
{
    type Part = ArrayRef<T, S::Out>;

    fn with<R>(&self, selection: &S, f: impl FnOnce(&Self::Part) -> R) -> R {
        f(&selection.of(self.view()))
    }
    fn with_mut<R>(&mut self, selection: &S, f: impl FnOnce(&mut Self::Part) -> R) -> R {
        f(&mut selection.of(self.view_mut()))
    }
}

/// A part of the memory of `X`.
type PartOf<X, S> = <Target<X> as Parts<S>>::Part;
/// What a part is as a value.
type Owned<X, S> = <PartOf<X, S> as ToOwned>::Owned;

impl<R, X, S, Op, Y, const W: usize> ForwardRule<R, (X, Const<(S, Op)>, Y), W> for change_part
where
    X: ForwardArgMut<Target<X>, W> + Annotation<Primal: Memory>,
    Y: ForwardArg<Target<Y>, W> + Annotation<Primal: Memory>,
    Target<X>: Parts<S>,
    PartOf<X, S>: Pair<Op, Target<Y>, Out = Owned<X, S>>,
    R: ForwardReturn<W, Out = ()>,
{
    #[inline]
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, by, y): (&mut X, &mut Const<(S, Op)>, &mut Y),
    ) -> ForwardOutcome<R, W> {
        let (s, b) = (&by.0.0, y.primal());
        for lane in 0..W {
            let tangent = x.primal().with(s, |a| match x.tangent(lane) {
                Some(da) => da.with(s, |da| a.tangent(b, Some(da), y.tangent(lane))),
                None => a.tangent(b, None, y.tangent(lane)),
            });
            if let (_, Some(da)) = x.lane_mut(lane) {
                set::<_, S>(da, s, &tangent);
            }
        }
        let value = x.primal().with(s, |a| a.value(b));
        set::<_, S>(x.primal_mut(), s, &value);
        R::forward(config, || (), |_| ())
    }
}

impl<R, X, S, Op, Y, const W: usize> ReverseRule<R, (X, Const<(S, Op)>, Y), W> for change_part
where
    X: ReverseArgMut<Target<X>, W> + Annotation<Primal: Memory>,
    Y: ReverseArg<Target<Y>, W> + Annotation<Primal: Memory>,
    Target<X>: Parts<S>,
    PartOf<X, S>: Pair<Op, Target<Y>, Out = Owned<X, S>>,
    Target<Y>: ToOwned<Owned: Send + 'static> + 'static,
    R: ReverseReturn<W, Out = ()>,
{
    /// The part as it was, and the other operand.
    type Tape = (Saved<PartOf<X, S>>, Saved<Target<Y>>);

    #[inline]
    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, by, y): (&mut X, &mut Const<(S, Op)>, &mut Y),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let (s, b) = (&by.0.0, y.primal());
        let reads = <PartOf<X, S> as Pair<Op, Target<Y>>>::READS;
        let (tape, value) = x.primal().with(s, |a| {
            let saved = (
                Saved::new(a, reads),
                Saved::new(b, reads && config.overwritten(2)),
            );
            (saved, a.value(b))
        });
        set::<_, S>(x.primal_mut(), s, &value);
        R::augmented(config, (), tape)
    }

    #[inline]
    fn reverse(
        &self,
        _: &ReverseConfig,
        _: R::Cotangent,
        (saved_a, saved_b): Self::Tape,
        (x, by, y): (&mut X, &mut Const<(S, Op)>, &mut Y),
    ) -> (X::Gradient, (), Y::Gradient) {
        let s = &by.0.0;
        let of_y = y.accumulate(|lane, b, mut db| {
            if let Some(dwhole) = x.cotangent(lane) {
                let (dout, b) = (dwhole.with(s, |d| d.to_owned()), saved_b.get(b));
                x.primal().with(s, |a| {
                    let a = saved_a.get(a);
                    db.accumulate_with(|db| {
                        <PartOf<X, S> as Pair<Op, _>>::pull_right(a, b, &dout, db)
                    });
                });
            }
        });
        let of_x = x.transform(|_, whole, dwhole| {
            let b = saved_b.get(y.primal());
            whole.with(s, |a| {
                let a = saved_a.get(a);
                dwhole.with_mut(s, |da| {
                    let dout = da.to_owned();
                    Tangent::zero_out(da);
                    <PartOf<X, S> as Pair<Op, _>>::pull_left(a, b, &dout, da);
                });
            });
        });
        (of_x, (), of_y)
    }
}

/// The part gets a value.
fn set<M, S>(whole: &mut M, selection: &S, value: &<M::Part as ToOwned>::Owned)
where
    M: Parts<S> + ?Sized,
{
    whole.with_mut(selection, |part| {
        Tangent::zero_out(part);
        Tangent::accumulate(part, std::borrow::Borrow::borrow(value));
    });
}
