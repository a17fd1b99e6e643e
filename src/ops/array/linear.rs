//! Rules of linear maps of one array: nothing is on the tape.

use crate::Args;
use crate::activity::{Annotation, Const, ForwardArg, ReverseArg};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Lanes, Outcome, ReverseReturn,
    ReverseRule,
};
use crate::tangent::{Memory, Tangent};

use super::{Target, axes, parts, shapes, views};

/// The linear map `Op` of `self`, with an attribute `K` that has no derivative.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no derivative for the array method `{Op}` with `{K}`",
    label = "no rule for this method",
    note = "write a loop, or a function marked `#[primitive]` with its rule"
)]
pub trait Linear<Op, K> {
    /// What it returns: an array, or a `Result` or an `Option` of one.
    type Out: Outcome;

    /// The value.
    fn apply(&self, attribute: &K) -> Self::Out;

    /// `dx += Aᵀ·dout`
    fn transpose(dout: &<Self::Out as Outcome>::Value, dx: &mut Self, attribute: &K);
}

macro_rules! plain {
    ($of:ident: $($op:ident),*) => {$(
        impl<R, X, const W: usize> ForwardRule<R, (X,), W> for $of::$op
        where
            X: ForwardArg<Target<X>, W> + Annotation<Primal: Memory>,
            Target<X>: Linear<Self, ()>,
            R: ForwardReturn<W, Out = <Target<X> as Linear<Self, ()>>::Out>,
        {
            #[inline]
            fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> ForwardOutcome<R, W> {
                forward::<Self, R, X, (), W>(config, x, &())
            }
        }

        impl<R, X, const W: usize> ReverseRule<R, (X,), W> for $of::$op
        where
            X: ReverseArg<Target<X>, W> + Annotation<Primal: Memory>,
            Target<X>: Linear<Self, ()>,
            R: ReverseReturn<W, Out = <Target<X> as Linear<Self, ()>>::Out>,
        {
            type Tape = ();

            #[inline]
            fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> AugmentedOutcome<R, (), W> {
                Outcome::map_value(x.primal().apply(&()), |value| R::augmented(config, value, ()))
            }
            #[inline]
            fn reverse(&self, _: &ReverseConfig, dret: R::Cotangent, (): (), (x,): (&mut X,)) -> (X::Gradient,) {
                (transpose::<Self, R, X, (), W>(dret, x, &()),)
            }
        }
    )*};
}

/// The gradient of an argument that has none.
macro_rules! unit {
    ($k:ident) => {
        ()
    };
}

/// Rules of methods with arguments that have no derivative: one, or a pair that is the attribute of [`Linear`].
macro_rules! attributed {
    ($of:ident: $k:tt => $K:ty: $($op:ident),*) => {$(
        attributed!(@rule $of $op $k $K);
    )*};
    (@rule $of:ident $op:ident [$($k:ident: $T:ident),+] $K:ty) => {
        impl<R, X, $($T,)+ const W: usize> ForwardRule<R, (X, $(Const<$T>,)+), W> for $of::$op
        where
            $($T: Clone,)+
            X: ForwardArg<Target<X>, W> + Annotation<Primal: Memory>,
            Target<X>: Linear<Self, $K>,
            R: ForwardReturn<W, Out = <Target<X> as Linear<Self, $K>>::Out>,
        {
            #[inline]
            fn forward(
                &self,
                config: &ForwardConfig,
                (x, $($k,)+): (&mut X, $(&mut Const<$T>,)+),
            ) -> ForwardOutcome<R, W> {
                forward::<Self, R, X, $K, W>(config, x, &($($k.0.clone()),+))
            }
        }

        impl<R, X, $($T,)+ const W: usize> ReverseRule<R, (X, $(Const<$T>,)+), W> for $of::$op
        where
            $($T: Clone,)+
            X: ReverseArg<Target<X>, W> + Annotation<Primal: Memory>,
            Target<X>: Linear<Self, $K>,
            R: ReverseReturn<W, Out = <Target<X> as Linear<Self, $K>>::Out>,
        {
            type Tape = ();

            #[inline]
            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (x, $($k,)+): (&mut X, $(&mut Const<$T>,)+),
            ) -> AugmentedOutcome<R, (), W> {
                let value = x.primal().apply(&($($k.0.clone()),+));
                Outcome::map_value(value, |value| R::augmented(config, value, ()))
            }
            #[inline]
            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                (): (),
                (x, $($k,)+): (&mut X, $(&mut Const<$T>,)+),
            ) -> <(X, $(Const<$T>,)+) as Args<W>>::Gradients {
                let gradient = transpose::<Self, R, X, $K, W>(dret, x, &($($k.0.clone()),+));
                (gradient, $(unit!($k),)+)
            }
        }
    };
}

plain! { axes: diag, from_diag }
plain! { parts: flat, flatten, mean, sum, t }
attributed! { axes: [k: K] => K: insert_axis, permuted_axes, remove_axis }
attributed! { shapes: [k: K] => K: broadcast, into_shape_with_order, to_shape }
attributed! { axes: [axis: A, k: K] => (A, K): index_axis, select, swap_axes }
attributed! { views: [k: K] => K: part }
attributed! { parts: [k: K] => K: column, mean_axis, row, shaped, slice, sum_axis }

/// The map of the primal and of every tangent.
fn forward<Op, R, X, K, const W: usize>(
    config: &ForwardConfig,
    x: &mut X,
    k: &K,
) -> ForwardOutcome<R, W>
where
    X: ForwardArg<Target<X>, W> + Annotation<Primal: Memory>,
    Target<X>: Linear<Op, K>,
    R: ForwardReturn<W, Out = <Target<X> as Linear<Op, K>>::Out>,
{
    let a = x.primal();
    let tangent = |lane| match x.tangent(lane) {
        Some(da) => inside(da.apply(k)),
        None => Tangent::zero_like(&inside(a.apply(k))),
    };
    R::Out::map_if(
        config.needs_primal(),
        || a.apply(k),
        |value| {
            R::forward(
                config,
                || value.unwrap_or_else(|| inside(a.apply(k))),
                tangent,
            )
        },
    )
}

/// The value of what has one: the map of an array whose shape another had that was mapped.
fn inside<O: Outcome>(outcome: O) -> O::Value {
    let mut inside = None;
    let _ = Outcome::map_value(outcome, |value| inside = Some(value));
    inside.expect("an array of this shape was mapped")
}

/// The transposed map of every cotangent.
fn transpose<Op, R, X, K, const W: usize>(dret: R::Cotangent, x: &mut X, k: &K) -> X::Gradient
where
    X: ReverseArg<Target<X>, W> + Annotation<Primal: Memory>,
    Target<X>: Linear<Op, K>,
    R: ReverseReturn<W, Out = <Target<X> as Linear<Op, K>>::Out>,
{
    x.accumulate(|lane, _, mut dx| {
        if let Some(dout) = dret.lane(lane) {
            dx.accumulate_with(|dx| Target::<X>::transpose(dout, dx, k));
        }
    })
}
