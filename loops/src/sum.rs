//! A sum: its derivative is the sum of the derivatives, and needs no memory.

use coenzyme::{
    Annotation, Augmented, AugmentedOutcome, ForwardArg, ForwardConfig, ForwardOutcome,
    ForwardReturn, ForwardRule, Function, Inactive, Lanes, Memory, Outcome, ReverseArg,
    ReverseConfig, ReverseReturn, ReverseRule, Saved, Tangent, primitive,
};

use crate::Operand;
use crate::body::{ForwardTerm, ReverseTerm, lent, tangents, undisturbed};

/// `Σ f(item, p)` over the items of an iterator; the default value (0) for none.
///
/// `∂Σf = Σ∂f`, and no term needs another one: the reverse pass runs the iterator and `f` once more and leaves nothing on the tape,
/// whatever the number of terms. The items are inactive: indices, nodes and weights, random numbers. The iterator is cloned, so it
/// must give the same items again; the generators of [`random`](crate::random) do.
///
/// Cost: forward mode one pass; reverse mode one pass in each half. Memory: none.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::sum_loop;
///
/// /// The integrand of `K(m) = ∫₀^{π/2} (1 − m·sin²θ)^{−1/2} dθ`.
/// #[differentiable]
/// fn integrand(i: usize, m: &f64) -> f64 {
///     let s = ((i as f64 + 0.5) * std::f64::consts::PI / 32.0).sin();
///     1.0 / (1.0 - *m * s * s).sqrt()
/// }
///
/// #[differentiable]
/// fn k(m: f64) -> f64 {
///     std::f64::consts::FRAC_PI_2 / 16.0 * sum_loop(Inactive(0..16), &m, Inactive(integrand {}))
/// }
///
/// let (value, (dm,)): (f64, (f64,)) = value_and_gradient(&k {}, (0.5,));
/// assert!((value - 1.8540746773013719).abs() < 1e-14);
/// assert!((dm - 0.84721308479397909).abs() < 1e-14);
/// ```
#[primitive]
#[inline]
pub fn sum_loop<I, P, U, F>(items: Inactive<I>, p: &P, f: Inactive<F>) -> U
where
    I: IntoIterator + Clone,
    P: Operand + ?Sized,
    U: Outcome<Value = U> + Tangent<Owned = U> + Clone + Default,
    F: for<'a> Function<(I::Item, &'a P), Output = U>,
{
    sum(items.0.into_iter().map(|item| f.0.call((item, p))))
}

/// The sum of values.
fn sum<U: Tangent + Default>(values: impl Iterator<Item = U>) -> U {
    let sum = values.reduce(|mut sum, value| {
        Tangent::accumulate(&mut sum, &value);
        sum
    });
    sum.unwrap_or_default()
}

impl<R, N, Q, G, I, P, U, F, const W: usize> ForwardRule<R, (N, Q, G), W> for sum_loop
where
    I: IntoIterator + Clone,
    P: Operand + ?Sized,
    U: Outcome<Value = U> + Tangent<Owned = U> + Clone + Default,
    R: ForwardReturn<W, Out = U>,
    N: ForwardArg<Inactive<I>, W> + Annotation<Primal = Inactive<I>>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    F: for<'a> Function<(I::Item, &'a P), Output = U>,
    F: ForwardTerm<I::Item, P, U, W>,
{
    #[inline]
    fn forward(
        &self,
        config: &ForwardConfig,
        (items, p, f): (&mut N, &mut Q, &mut G),
    ) -> ForwardOutcome<R, W> {
        let f = &f.primal().0;
        let mut items = items.primal().0.clone().into_iter();
        let dp = tangents(p);
        let p = p.primal();
        if !R::ACTIVE {
            let value = || sum(items.map(|item| f.call((item, p))));
            return U::wrap(R::forward(config, value, |_| U::default()));
        }
        let body = config.with_needs_primal(true);
        let none = || (U::default(), std::array::from_fn(|_| U::default()));
        let first = items.next().map(|item| f.push(&body, item, p, dp));
        let (mut value, mut tangents) = first.unwrap_or_else(none);
        for item in items {
            let (term, more) = f.push(&body, item, p, dp);
            Tangent::accumulate(&mut value, &term);
            for (sum, more) in tangents.iter_mut().zip(&more) {
                Tangent::accumulate(sum, more);
            }
        }
        U::wrap(R::forward(
            config,
            || value,
            |lane| std::mem::take(&mut tangents[lane]),
        ))
    }
}

impl<R, N, Q, G, I, P, U, F, const W: usize> ReverseRule<R, (N, Q, G), W> for sum_loop
where
    I: IntoIterator + Clone,
    P: Operand + ?Sized,
    U: Outcome<Value = U> + Tangent<Owned = U> + Clone + Default,
    R: ReverseReturn<W, Out = U>,
    N: ReverseArg<Inactive<I>, W> + Annotation<Primal = Inactive<I>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    F: for<'a> Function<(I::Item, &'a P), Output = U>,
    F: ReverseTerm<I::Item, P, U, W>,
{
    type Tape = Saved<P>;

    #[inline]
    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (items, p, f): (&mut N, &mut Q, &mut G),
    ) -> AugmentedOutcome<R, Saved<P>, W> {
        let saved = Saved::new(
            p.primal(),
            R::ACTIVE && p.is_active() && config.overwritten(1),
        );
        let (f, p) = (&f.primal().0, p.primal());
        let items = items.primal().0.clone().into_iter();
        let value = sum(items.map(|item| f.call((item, p))));
        let augmented: Augmented<R, Saved<P>, W> = R::augmented(config, value, saved);
        U::wrap(augmented)
    }

    #[inline]
    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        saved: Saved<P>,
        (items, p, f): (&mut N, &mut Q, &mut G),
    ) -> (N::Gradient, Q::Gradient, G::Gradient) {
        let mut of_p = p.no_gradient();
        if R::ACTIVE && p.is_active() {
            let body = undisturbed(config).with_needs_primal(false);
            let (p, mut dp) = p.split(&mut of_p);
            let p = saved.get(p);
            for item in items.primal().0.clone() {
                let dy = std::array::from_fn(|lane| {
                    let dy = dret.lane(lane);
                    dy.expect("an active return has cotangents").clone()
                });
                let dp = lent(&mut dp).expect("the parameter is active");
                f.primal().0.pull(&body, item, p, dp, dy);
            }
        }
        (items.no_gradient(), of_p, f.no_gradient())
    }
}
