//! `a += &b` and the like, and `a.assign(&b)`: the memory of the left operand is transformed.

use std::borrow::Borrow;

use ndarray::{Array, ArrayRef, Dimension};

use crate::activity::{Annotation, ForwardArg, ForwardArgMut, ReverseArg, ReverseArgMut};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::ops;
use crate::real::Real;
use crate::rule::{
    AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, ReverseReturn, ReverseRule, Saved,
};
use crate::tangent::{Memory, Tangent};

use super::arithmetic::Entries;
use super::parts::Returned;
use super::{Pair, Target};

/// `memory = value`
fn set<T: Tangent + ?Sized>(memory: &mut T, value: &T) {
    Tangent::zero_out(memory);
    Tangent::accumulate(memory, value);
}

macro_rules! update {
    ($($(#[$doc:meta])* $name:ident by $op:ty;)*) => {$(
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}

        impl<R, X, Y, const W: usize> ForwardRule<R, (X, Y), W> for $name
        where
            X: ForwardArgMut<Target<X>, W> + Annotation<Primal: Memory>,
            Y: ForwardArg<Target<Y>, W> + Annotation<Primal: Memory>,
            Target<X>: ToOwned + Pair<$op, Target<Y>, Out = <Target<X> as ToOwned>::Owned>,
            R: ForwardReturn<W, Out = ()>,
        {
            #[inline]
            fn forward(&self, config: &ForwardConfig, (x, y): (&mut X, &mut Y)) -> ForwardOutcome<R, W> {
                let b = y.primal();
                for lane in 0..W {
                    let tangent = x.primal().tangent(b, x.tangent(lane), y.tangent(lane));
                    if let (_, Some(da)) = x.lane_mut(lane) {
                        set(da, tangent.borrow());
                    }
                }
                let value = x.primal().value(b);
                set(x.primal_mut(), value.borrow());
                R::forward(config, || (), |_| ())
            }
        }

        impl<R, X, Y, const W: usize> ReverseRule<R, (X, Y), W> for $name
        where
            X: ReverseArgMut<Target<X>, W> + Annotation<Primal: Memory>,
            Y: ReverseArg<Target<Y>, W> + Annotation<Primal: Memory>,
            Target<X>: ToOwned<Owned: Send + 'static> + 'static
                + Pair<$op, Target<Y>, Out = <Target<X> as ToOwned>::Owned>,
            Target<Y>: ToOwned<Owned: Send + 'static> + 'static,
            R: ReverseReturn<W, Out = ()>,
        {
            /// The left operand as it was, and the right one.
            type Tape = (Saved<Target<X>>, Saved<Target<Y>>);

            #[inline]
            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (x, y): (&mut X, &mut Y),
            ) -> AugmentedOutcome<R, Self::Tape, W> {
                let reads = <Target<X> as Pair<$op, Target<Y>>>::READS;
                let (a, b) = (x.primal(), y.primal());
                let tape = (Saved::new(a, reads), Saved::new(b, reads && config.overwritten(1)));
                let value = a.value(b);
                set(x.primal_mut(), value.borrow());
                R::augmented(config, (), tape)
            }

            #[inline]
            fn reverse(
                &self,
                _: &ReverseConfig,
                _: R::Cotangent,
                (saved_a, saved_b): Self::Tape,
                (x, y): (&mut X, &mut Y),
            ) -> (X::Gradient, Y::Gradient) {
                let of_y = y.accumulate(|lane, b, mut db| {
                    if let Some(dout) = x.cotangent(lane) {
                        let (a, b, dout) = (saved_a.get(x.primal()), saved_b.get(b), dout.to_owned());
                        db.accumulate_with(|db| <Target<X> as Pair<$op, _>>::pull_right(a, b, &dout, db));
                    }
                });
                let of_x = x.transform(|_, a, da| {
                    let (a, b, dout) = (saved_a.get(a), saved_b.get(y.primal()), da.to_owned());
                    Tangent::zero_out(da);
                    <Target<X> as Pair<$op, _>>::pull_left(a, b, &dout, da);
                });
                (of_x, of_y)
            }
        }
    )*};
}

update! {
    /// `a += b`
    add_assign by ops::add;
    /// `a -= b`
    sub_assign by ops::sub;
    /// `a *= b`
    mul_assign by ops::mul;
    /// `a /= b`
    div_assign by ops::div;
    /// `a %= b`
    rem_assign by ops::rem;
    /// `a.assign(&b)`
    assign by Second;
}

/// The operation that gives its second operand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Second {}

/// The second operand is broadcast to the shape of the first. **Panics** if it does not fit.
impl<T: Real, D: Dimension, B: Entries<Item = T> + ?Sized> Pair<Second, B> for ArrayRef<T, D>
where
    Array<T, D>: Returned,
{
    type Out = Array<T, D>;

    const READS: bool = false;

    fn value(&self, other: &B) -> Self::Out {
        let (entries, shape) = (other.entries(), self.raw_dim());
        match entries.broadcast(shape) {
            Some(entries) => entries.to_owned(),
            None => panic!(
                "entries of shape {:?} do not fit into an array of shape {:?}",
                other.entries().shape(),
                self.shape()
            ),
        }
    }
    fn tangent(&self, _: &B, _: Option<&Self>, db: Option<&B>) -> Self::Out {
        db.map_or_else(|| Tangent::zero_like(self), |db| self.value(db))
    }
    fn pull_left(_: &Self, _: &B, _: &Self::Out, _: &mut Self) {}
    fn pull_right(_: &Self, _: &B, dout: &Self::Out, db: &mut B) {
        db.add_entries(dout.view().into_dyn());
    }
}
