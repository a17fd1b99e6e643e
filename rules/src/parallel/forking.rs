//! Two functions at once.

use std::array::from_fn;

use coenzyme::{
    Active, Annotation, AugmentedOutcome, BatchDuplicated, DynArg, ForwardArg, ForwardConfig,
    ForwardOutcome, ForwardReturn, ForwardRule, Function, Holds, HoldsMut, Inactive, Lanes, Memory,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved, primitive,
};

use super::tasks::{both, inside, shadows, total};
use super::{Entry, Operand};
use crate::class::Plain;
use crate::lanes::together;

/// `(f(a, p), g(b, p))`, at once.
///
/// ```
/// # use coenzyme::prelude::*;
/// # use coenzyme::Inactive;
/// # use coenzyme_rules::parallel::join;
/// #[differentiable]
/// fn dot(x: &[f64], p: &f64) -> f64 {
///     x[0] * x[1] * *p
/// }
/// #[differentiable]
/// fn square(x: &[f64], p: &f64) -> f64 {
///     x[0] * x[0] + *p
/// }
///
/// let (dot, square) = (Inactive(dot {}), Inactive(square {}));
/// assert_eq!(join(&[2.0, 3.0][..], &[4.0][..], &10.0, dot, square), (60.0, 26.0));
/// ```
#[primitive]
pub fn join<A, B, P, U, V, F, G>(a: &A, b: &B, p: &P, f: Inactive<F>, g: Inactive<G>) -> (U, V)
where
    A: Operand + ?Sized,
    B: Operand + ?Sized,
    P: Operand + ?Sized,
    U: Entry + Plain,
    V: Entry + Plain,
    F: for<'a> Function<(&'a A, &'a P), Output = U> + Sync,
    G: for<'a> Function<(&'a B, &'a P), Output = V> + Sync,
{
    both(|| f.0.call((a, p)), || g.0.call((b, p)))
}

/// What the reverse pass reads again: the arguments if they may be overwritten, and the tapes of both calls.
pub struct JoinTape<A: ToOwned + ?Sized, B: ToOwned + ?Sized, P: ToOwned + ?Sized, S, T> {
    a: Saved<A>,
    b: Saved<B>,
    p: Saved<P>,
    tapes: (Option<S>, Option<T>),
}

/// The tangents of all lanes of an argument, if it is active.
fn tangents<T: ?Sized, X: ForwardArg<T, W>, const W: usize>(x: &X) -> Option<[&T; W]> {
    x.is_active()
        .then(|| from_fn(|lane| x.tangent(lane).expect("an active argument has tangents")))
}

impl<R, X, Y, S, M, N, A, B, P, U, V, F, G, const W: usize> ForwardRule<R, (X, Y, S, M, N), W>
    for join
where
    A: Operand + ?Sized,
    B: Operand + ?Sized,
    P: Operand + ?Sized,
    U: Entry + Plain,
    V: Entry + Plain,
    R: ForwardReturn<W, Out = (U, V)>,
    X: ForwardArg<A, W> + Annotation<Primal: Memory<Target = A>>,
    Y: ForwardArg<B, W> + Annotation<Primal: Memory<Target = B>>,
    S: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    M: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    N: ForwardArg<Inactive<G>, W> + Annotation<Primal = Inactive<G>>,
    F: Sync + for<'a> ForwardRule<BatchDuplicated<U, U, W>, Forward<'a, A, P, W>, W>,
    G: Sync + for<'a> ForwardRule<BatchDuplicated<V, V, W>, Forward<'a, B, P, W>, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (a, b, p, f, g): (&mut X, &mut Y, &mut S, &mut M, &mut N),
    ) -> ForwardOutcome<R, W> {
        let body = config.with_needs_primal(true);
        let (f, g) = (&f.primal().0, &g.primal().0);
        let (da, db, dp) = (tangents(&*a), tangents(&*b), tangents(&*p));
        let (a, b, p) = (a.primal(), b.primal(), p.primal());
        let (u, v) = both(
            || {
                let mut args = (DynArg::new(a, da), DynArg::new(p, dp));
                inside::<U, _>(f.forward(&body, (&mut args.0, &mut args.1))).into_parts()
            },
            || {
                let mut args = (DynArg::new(b, db), DynArg::new(p, dp));
                inside::<V, _>(g.forward(&body, (&mut args.0, &mut args.1))).into_parts()
            },
        );
        R::forward(
            config,
            || (u.0, v.0),
            |lane| (u.1[lane].clone(), v.1[lane].clone()),
        )
    }
}

/// The arguments of a body in forward mode.
type Forward<'a, A, P, const W: usize> = (DynArg<&'a A, &'a A, W>, DynArg<&'a P, &'a P, W>);
/// The arguments of a body in reverse mode.
type Reverse<'a, A, P, const W: usize> = (DynArg<&'a A, &'a mut A, W>, DynArg<&'a P, &'a mut P, W>);

impl<R, X, Y, S, M, N, A, B, P, U, V, F, G, FT, GT, const W: usize>
    ReverseRule<R, (X, Y, S, M, N), W> for join
where
    A: Operand + ?Sized,
    B: Operand + ?Sized,
    P: Operand + ?Sized,
    U: Entry + Plain,
    V: Entry + Plain,
    R: ReverseReturn<W, Out = (U, V)>,
    X: ReverseArg<A, W> + Annotation<Primal: Memory<Target = A>>,
    Y: ReverseArg<B, W> + Annotation<Primal: Memory<Target = B>>,
    S: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    M: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    N: ReverseArg<Inactive<G>, W> + Annotation<Primal = Inactive<G>>,
    FT: Send + 'static,
    GT: Send + 'static,
    F: Sync + for<'a> ReverseRule<Active<U>, Reverse<'a, A, P, W>, W, Tape = FT>,
    G: Sync + for<'a> ReverseRule<Active<V>, Reverse<'a, B, P, W>, W, Tape = GT>,
{
    type Tape = JoinTape<A, B, P, FT, GT>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (a, b, p, f, g): (&mut X, &mut Y, &mut S, &mut M, &mut N),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let body = config.with_none_overwritten().with_needs_primal(true);
        let (f, g) = (&f.primal().0, &g.primal().0);
        let active = [a.is_active(), b.is_active(), p.is_active()].map(|one| R::ACTIVE && one);
        let any = active.contains(&true);
        let saved = (
            Saved::new(a.primal(), any && config.overwritten(0)),
            Saved::new(b.primal(), any && config.overwritten(1)),
            Saved::new(p.primal(), any && config.overwritten(2)),
        );
        let (a, b, p) = (a.primal(), b.primal(), p.primal());
        let (u, v) = both(
            || {
                let (mut a, mut p) = (
                    DynArg::promised(a, active[0]),
                    DynArg::promised(p, active[2]),
                );
                inside::<U, _>(f.augmented_primal(&body, (&mut a, &mut p)))
            },
            || {
                let (mut b, mut p) = (
                    DynArg::promised(b, active[1]),
                    DynArg::promised(p, active[2]),
                );
                inside::<V, _>(g.augmented_primal(&body, (&mut b, &mut p)))
            },
        );
        let tape = JoinTape {
            a: saved.0,
            b: saved.1,
            p: saved.2,
            tapes: (any.then_some(u.tape), any.then_some(v.tape)),
        };
        let value = (u.primal.expect("asked for"), v.primal.expect("asked for"));
        R::augmented(config, value, tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (a, b, p, m, n): (&mut X, &mut Y, &mut S, &mut M, &mut N),
    ) -> (
        X::Gradient,
        Y::Gradient,
        S::Gradient,
        M::Gradient,
        N::Gradient,
    ) {
        let body = config.with_none_overwritten().with_needs_primal(true);
        let (f, g) = (&m.primal().0, &n.primal().0);
        let shared = tape.p.get(p.primal());
        let active = p.is_active();
        let (Some(of_f), Some(of_g)) = tape.tapes else {
            let (of_m, of_n) = (m.no_gradient(), n.no_gradient());
            return (
                a.no_gradient(),
                b.no_gradient(),
                p.no_gradient(),
                of_m,
                of_n,
            );
        };
        let dret: [(U, V); W] =
            from_fn(|lane| dret.lane(lane).expect("the return is active").clone());
        let mut work = Some((of_f, of_g, dret));
        let mut sum = None;
        let (of_a, of_b) = a.lanes(|a, adjoints| {
            let a = tape.a.get(a);
            let mut of_b = None;
            together(adjoints, &mut |da| {
                let mut da = Some(da);
                let (gradient, ()) = b.lanes(|b, adjoints| {
                    let b = tape.b.get(b);
                    together(adjoints, &mut |db| {
                        let (of_f, of_g, dret) = work.take().expect("called once");
                        let da = da.take().expect("called once").try_into().ok();
                        let db = db.try_into().ok();
                        let (du, dv) = (dret.clone().map(|d| d.0), dret.map(|d| d.1));
                        let halves = both(
                            || {
                                let mut dp = shadows::<P, W>(shared, active);
                                let of_p =
                                    dp.as_mut().map(|dp| dp.each_mut().map(HoldsMut::get_mut));
                                let mut args = (DynArg::new(a, da), DynArg::new(shared, of_p));
                                f.reverse(&body, du, of_f, (&mut args.0, &mut args.1));
                                dp
                            },
                            || {
                                let mut dp = shadows::<P, W>(shared, active);
                                let of_p =
                                    dp.as_mut().map(|dp| dp.each_mut().map(HoldsMut::get_mut));
                                let mut args = (DynArg::new(b, db), DynArg::new(shared, of_p));
                                g.reverse(&body, dv, of_g, (&mut args.0, &mut args.1));
                                dp
                            },
                        );
                        sum = total::<P, W>(vec![halves.0, halves.1]);
                    });
                });
                of_b = Some(gradient);
            });
            of_b.expect("set above")
        });
        let of_p = p.accumulate(|lane, _, mut dp| {
            if let Some(sum) = &sum {
                dp.add(sum[lane].get());
            }
        });
        (of_a, of_b, of_p, m.no_gradient(), n.no_gradient())
    }
}
