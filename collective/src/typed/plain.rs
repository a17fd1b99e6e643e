//! Between markers and plain values.

use coenzyme::{
    Active, Annotation, Augmented, BatchDuplicated, DynArg, ForwardArg, ForwardConfig,
    ForwardReturn, ForwardRule, Function, Inactive, Lanes, Memory, ReverseArg, ReverseConfig,
    ReverseReturn, ReverseRule, Tangent,
};

use super::markers::{Replicated, Varying};
use crate::given::{Given, is};
use crate::rule::lenient;
use crate::{Element, OnAxis};

/// A vector of this rank, which is varying: what a rank has by itself always is.
pub fn varying<T: Element, A, K: OnAxis<A>>(along: &K, x: &[T]) -> Varying<Vec<T>, A> {
    let _ = along;
    Varying::of(x.to_vec())
}

lenient! {
    varying[T: Element, C: Memory<Target = K>, K: Given + ?Sized](_along: C, [x: [T]]) -> Varying<Vec<T>, K::Along>,
    Varying::of(x.to_vec())
}

impl<R, C, K, X, M, T, const W: usize> ForwardRule<R, (C, X), W> for varying
where
    T: Element,
    R: ForwardReturn<W, Out = Varying<Vec<T>, K::Along>>,
    K: Given + ?Sized,
    C: ForwardArg<K, W> + Annotation<Primal: Memory<Target = K>>,
    M: Given<Number = T> + ?Sized,
    X: ForwardArg<M, W> + Annotation<Primal: Memory<Target = M>>,
{
    fn forward(&self, config: &ForwardConfig, (_, x): (&mut C, &mut X)) -> R::Forward {
        const { is::<[T], M>() };
        let value = x.primal().numbers();
        let zero = || vec![T::zero(); value.len()];
        let tangent = |lane| {
            let dx = x.tangent(lane).map(|dx| dx.numbers().to_vec());
            Varying::of(dx.unwrap_or_else(zero))
        };
        R::forward(config, || Varying::of(value.to_vec()), tangent)
    }
}

impl<R, C, K, X, M, T, const W: usize> ReverseRule<R, (C, X), W> for varying
where
    T: Element,
    R: ReverseReturn<W, Out = Varying<Vec<T>, K::Along>>,
    K: Given + ?Sized,
    C: ReverseArg<K, W> + Annotation<Primal: Memory<Target = K>>,
    M: Given<Number = T> + ?Sized,
    X: ReverseArg<M, W> + Annotation<Primal: Memory<Target = M>>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (_, x): (&mut C, &mut X),
    ) -> Augmented<R, (), W> {
        const { is::<[T], M>() };
        R::augmented(config, Varying::of(x.primal().numbers().to_vec()), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (c, x): (&mut C, &mut X),
    ) -> (C::Gradient, X::Gradient) {
        let dx = x.accumulate(|lane, _, mut dx| {
            if let Some(dy) = dret.lane(lane) {
                dx.add(Tangent::target(&M::mark(dy.get().clone())));
            }
        });
        (c.no_gradient(), dx)
    }
}

/// The vector of this rank.
pub fn local<T: Clone, A>(x: &Varying<Vec<T>, A>) -> Vec<T> {
    x.get().clone()
}

lenient! { local[T: Element]([x: Varying<Vec<T>>]) -> Vec<T>, x.to_vec() }

impl<R, X, M, T, const W: usize> ForwardRule<R, (X,), W> for local
where
    T: Element,
    R: ForwardReturn<W, Out = Vec<T>>,
    M: Given<Number = T> + ?Sized,
    X: ForwardArg<M, W> + Annotation<Primal: Memory<Target = M>>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        const { is::<Varying<Vec<T>>, M>() };
        let value = x.primal().numbers();
        let zero = || vec![T::zero(); value.len()];
        let tangent = |lane| {
            x.tangent(lane)
                .map_or_else(zero, |dx| dx.numbers().to_vec())
        };
        R::forward(config, || value.to_vec(), tangent)
    }
}

impl<R, X, M, T, const W: usize> ReverseRule<R, (X,), W> for local
where
    T: Element,
    R: ReverseReturn<W, Out = Vec<T>>,
    M: Given<Number = T> + ?Sized,
    X: ReverseArg<M, W> + Annotation<Primal: Memory<Target = M>>,
{
    type Tape = ();

    fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> Augmented<R, (), W> {
        const { is::<Varying<Vec<T>>, M>() };
        R::augmented(config, x.primal().numbers().to_vec(), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let dx = x.accumulate(|lane, _, mut dx| {
            if let Some(dy) = dret.lane(lane) {
                dx.add(Tangent::target(&M::mark(dy.clone())));
            }
        });
        (dx,)
    }
}

/// `f` of a replicated value: what all ranks compute alike is replicated.
///
/// `f` must be the same function on all ranks, of nothing but its argument.
///
/// ```
/// use coenzyme::Inactive;
/// use coenzyme::prelude::*;
/// use coenzyme_collective::typed::{Replicated, map};
/// use coenzyme_collective::{Along, CommError, LocalMesh};
///
/// #[differentiable]
/// fn square(x: &[f64]) -> f64 {
///     x[0] * x[0]
/// }
///
/// let squares = LocalMesh::of(2).run(|process| {
///     let along: Along = process.axis()?;
///     let x = Replicated::new(&along, vec![3.0])?;
///     Ok::<_, CommError>(map(&along, Inactive(square {}), &x).into_inner())
/// })?;
/// assert_eq!(squares, [9.0, 9.0]);
/// # Ok::<(), CommError>(())
/// ```
pub fn map<T: Element, A, K: OnAxis<A>, F>(
    along: &K,
    f: Inactive<F>,
    x: &Replicated<Vec<T>, A>,
) -> Replicated<T, A>
where
    F: for<'a> Function<(&'a [T],), Output = T>,
{
    let _ = along;
    Replicated::of(f.0.call((x.get(),)))
}

lenient! {
    map[
        T: Element,
        C: Memory<Target = K>,
        K: Given + ?Sized,
        F: for<'a> Function<(&'a [T],), Output = T>
    ](_along: C, f: Inactive<F>, [x: Replicated<Vec<T>>]) -> Replicated<T, K::Along>,
    Replicated::of(f.0.call((x,)))
}

impl<R, C, K, H, X, M, T, F, const W: usize> ForwardRule<R, (C, H, X), W> for map
where
    T: Element,
    R: ForwardReturn<W, Out = Replicated<T, K::Along>>,
    K: Given + ?Sized,
    C: ForwardArg<K, W> + Annotation<Primal: Memory<Target = K>>,
    H: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    M: Given<Number = T> + ?Sized,
    X: ForwardArg<M, W> + Annotation<Primal: Memory<Target = M>>,
    F: for<'a> ForwardRule<BatchDuplicated<T, T, W>, (DynArg<&'a [T], &'a [T], W>,), W>,
{
    fn forward(&self, config: &ForwardConfig, (_, f, x): (&mut C, &mut H, &mut X)) -> R::Forward {
        const { is::<Replicated<Vec<T>>, M>() };
        let lanes = x.is_active().then(|| {
            std::array::from_fn(|lane| {
                x.tangent(lane)
                    .expect("an active argument has tangents")
                    .numbers()
            })
        });
        let mut arg = DynArg::new(x.primal().numbers(), lanes);
        let (y, dy) = f
            .primal()
            .0
            .forward(&config.with_needs_primal(true), (&mut arg,))
            .into_parts();
        R::forward(
            config,
            || Replicated::of(y),
            |lane| Replicated::of(dy[lane]),
        )
    }
}

impl<R, C, K, H, X, M, T, F, Inner, const W: usize> ReverseRule<R, (C, H, X), W> for map
where
    T: Element,
    R: ReverseReturn<W, Out = Replicated<T, K::Along>>,
    K: Given + ?Sized,
    C: ReverseArg<K, W> + Annotation<Primal: Memory<Target = K>>,
    H: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    M: Given<Number = T> + ?Sized,
    X: ReverseArg<M, W> + Annotation<Primal: Memory<Target = M>>,
    Inner: Send + 'static,
    F: for<'a> ReverseRule<Active<T>, (DynArg<&'a [T], &'a mut [T], W>,), W, Tape = Inner>,
{
    type Tape = (Inner, Option<Vec<T>>);

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (_, f, x): (&mut C, &mut H, &mut X),
    ) -> Augmented<R, Self::Tape, W> {
        const { is::<Replicated<Vec<T>>, M>() };
        let active = R::ACTIVE && x.is_active();
        let inner = config.with_none_overwritten().with_needs_primal(true);
        let saved = (active && config.overwritten(2)).then(|| x.primal().numbers().to_vec());
        let mut arg = DynArg::promised(x.primal().numbers(), active);
        let inside = f.primal().0.augmented_primal(&inner, (&mut arg,));
        let value = Replicated::of(inside.primal.expect("asked for"));
        R::augmented(config, value, (inside.tape, saved))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        (tape, saved): Self::Tape,
        (c, f, x): (&mut C, &mut H, &mut X),
    ) -> (C::Gradient, H::Gradient, X::Gradient) {
        let inner = config.with_none_overwritten().with_needs_primal(true);
        let value = x.primal().numbers();
        let primal = saved.as_deref().unwrap_or(value);
        let mut shadows = std::array::from_fn::<_, W, _>(|_| vec![T::zero(); primal.len()]);
        if R::ACTIVE && x.is_active() {
            let dy =
                std::array::from_fn(|lane| *dret.lane(lane).expect("the return is active").get());
            let mut arg = DynArg::new(primal, Some(shadows.each_mut().map(|s| &mut s[..])));
            f.primal().0.reverse(&inner, dy, tape, (&mut arg,));
        }
        let dx = x.accumulate(|lane, _, mut dx| {
            dx.add(Tangent::target(&M::mark(std::mem::take(
                &mut shadows[lane],
            ))));
        });
        (c.no_gradient(), f.no_gradient(), dx)
    }
}
