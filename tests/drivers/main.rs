//! Every driver on one generic function with a hand-written rule, and on small functions at the edges.

mod asked;
mod jacobians;
mod many;
mod mixed;
mod second;
mod strong_duals;
mod strong_zero;
mod whole;

use coenzyme::{
    Active, AsActive, AsConst, AsDuplicated, AsDuplicatedNoNeed, Augmented, AugmentedReturn, Batch,
    BatchDuplicated, Const, Dual, Duplicated, Forward, ForwardArg, ForwardConfig, ForwardReturn,
    ForwardRule, ForwardWithPrimal, Function, Lanes, MixedDuplicated, Natural, Real, Reverse,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, ReverseWithPrimal, Saved, StrongZero,
    Tangent, Thunk, autodiff, derivative, gradient, gradient_into, hessian, hvp, hvp_and_gradient,
    jacobian_forward, jacobian_reverse, primitive, scaled, value_and_gradient,
};

use jacobians::times_sum;
use strong_zero::capped_recip;

/// Rosenbrock's function: `Σ 100·(xᵢ₊₁ − xᵢ²)² + (1 − xᵢ)²`.
#[primitive]
fn rosenbrock<T: Real>(x: &[T]) -> T {
    let term = |x: &[T]| {
        let (a, b) = (x[1] - x[0] * x[0], T::one() - x[0]);
        T::lit(100.0) * a * a + b * b
    };
    x.windows(2).map(term).sum()
}

/// The partials of one term of [`rosenbrock`] in `xᵢ` and `xᵢ₊₁`.
fn partials<T: Real>(x: T, next: T) -> (T, T) {
    let a = next - x * x;
    (
        T::lit(-400.0) * x * a - T::lit(2.0) * (T::one() - x),
        T::lit(200.0) * a,
    )
}

impl<R, X, T, const W: usize> ForwardRule<R, (X,), W> for rosenbrock
where
    T: Real,
    R: ForwardReturn<W, Out = T>,
    X: ForwardArg<[T], W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let xs = x.primal();
        let tangent = |lane| {
            let Some(dx) = x.tangent(lane) else {
                return T::zero();
            };
            let term = |(x, dx): (&[T], &[T])| {
                let (here, next) = partials(x[0], x[1]);
                here * dx[0] + next * dx[1]
            };
            xs.windows(2).zip(dx.windows(2)).map(term).sum()
        };
        R::forward(config, || rosenbrock(xs), tangent)
    }
}

impl<R, X, T, const W: usize> ReverseRule<R, (X,), W> for rosenbrock
where
    T: Real,
    R: ReverseReturn<W, Out = T>,
    X: ReverseArg<[T], W>,
{
    type Tape = Saved<[T]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> Augmented<R, Self::Tape, W> {
        let tape = Saved::new(x.primal(), config.overwritten(0));
        R::augmented(config, rosenbrock(x.primal()), tape)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let dx = x.accumulate(|lane, x, mut dx| {
            let Some(&dret) = dret.lane(lane) else { return };
            for (i, x) in tape.get(x).windows(2).enumerate() {
                let (here, next) = partials(x[0], x[1]);
                dx.at(i).add(&(here * dret));
                dx.at(i + 1).add(&(next * dret));
            }
        });
        (dx,)
    }
}

/// A point, away from the minimum and from symmetry.
fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.3 + 0.7 * (i as f64 * 1.7).sin()).collect()
}

/// A direction.
fn direction(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64 * 0.9 + 0.4).cos()).collect()
}

/// Closed form: `∂f/∂xᵢ = 200·(xᵢ − xᵢ₋₁²) − 400·xᵢ·(xᵢ₊₁ − xᵢ²) − 2·(1 − xᵢ)`, each part where there is such a neighbour.
fn closed_gradient(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let entry = |i: usize| {
        let left = if i > 0 {
            200.0 * (x[i] - x[i - 1].powi(2))
        } else {
            0.0
        };
        let right = |next: f64| -400.0 * x[i] * next + 400.0 * x[i].powi(3) - 2.0 + 2.0 * x[i];
        left + if i + 1 < n { right(x[i + 1]) } else { 0.0 }
    };
    (0..n).map(entry).collect()
}

/// Closed form: the Hessian is tridiagonal.
fn closed_hessian(x: &[f64]) -> Vec<Vec<f64>> {
    let n = x.len();
    let mut h = vec![vec![0.0; n]; n];
    for i in 0..n {
        if i > 0 {
            h[i][i] += 200.0;
        }
        if i + 1 < n {
            h[i][i] += 1200.0 * x[i].powi(2) - 400.0 * x[i + 1] + 2.0;
            h[i][i + 1] = -400.0 * x[i];
            h[i + 1][i] = -400.0 * x[i];
        }
    }
    h
}

/// The entries are of size 1e3 at most, so that 1e-12 relative is 1e-9 in the sum of a few terms: compared against the
/// largest entry.
#[track_caller]
fn assert_close(found: &[f64], truth: &[f64]) {
    assert_eq!(found.len(), truth.len());
    let size = truth.iter().fold(1.0_f64, |m, t| m.max(t.abs()));
    for (i, (f, t)) in found.iter().zip(truth).enumerate() {
        assert!(
            (f - t).abs() <= 1e-12 * size,
            "entry {i}: {f}, expected {t}"
        );
    }
}

#[test]
fn gradient_drivers_give_the_closed_form() {
    let f = rosenbrock {};
    for n in [2, 10, 100] {
        let x = point(n);
        let (dx,) = gradient(&f, (&x,));
        assert_close(&dx, &closed_gradient(&x));
        assert_eq!(
            value_and_gradient(&f, (&x[..],)),
            (rosenbrock(&x), (dx.clone(),))
        );
        let mut into = vec![f64::NAN; n];
        assert_eq!(gradient_into(&f, &x, &mut into), rosenbrock(&x));
        assert_eq!(into, dx, "what the shadow held is forgotten");
    }
}

#[test]
#[should_panic(expected = "the primal has shape [3], its shadow [2]")]
fn gradient_into_refuses_another_length() {
    gradient_into(&rosenbrock {}, &[1.0, 2.0, 3.0], &mut [0.0, 0.0]);
}

#[test]
fn second_derivatives_give_the_closed_form() {
    let f = rosenbrock {};
    for n in [2, 10, 100] {
        let (x, v) = (point(n), direction(n));
        let h = closed_hessian(&x);
        let hv: Vec<f64> = h.iter().map(|row| Tangent::inner(row, &v)).collect();
        let (product, dx) = hvp_and_gradient(&f, &x, &v);
        assert_close(&product, &hv);
        assert_close(&dx, &closed_gradient(&x));
        assert_close(&hvp(&f, &x, &v), &hv);
        for (row, truth) in hessian(&f, &x).iter().zip(&h) {
            assert_close(row, truth);
        }
    }
}

#[test]
fn a_third_derivative_comes_by_nesting() {
    // along v: d³/dt³ f(x + t·v) by a forward pass over forward over reverse
    let (x, v) = (point(4), direction(4));
    let along = |t: Dual<f64>| -> Dual<f64> {
        let moved: Vec<_> = x
            .iter()
            .zip(&v)
            .map(|(&x, &v)| Dual::constant(x) + t * Dual::constant(v))
            .collect();
        let v: Vec<_> = v.iter().map(|&v| Dual::constant(v)).collect();
        hvp(&rosenbrock {}, &moved, &v)
            .into_iter()
            .zip(v)
            .map(|(h, v)| h * v)
            .sum()
    };
    // closed form: the third derivatives are 2400·xᵢ (thrice in xᵢ) and −400 (twice in xᵢ, once in xᵢ₊₁)
    let term = |i: usize| 2400.0 * x[i] * v[i].powi(3) - 1200.0 * v[i].powi(2) * v[i + 1];
    let truth: f64 = (0..3).map(term).sum();
    assert_close(&[derivative(along, 0.0)], &[truth]);
}

#[test]
fn every_mode_returns_what_its_table_says() {
    let (f, x, dx) = (rosenbrock {}, [1.5, 2.0], [1.0, 0.0]);
    let slope = closed_gradient(&x)[0];
    let dup = || (Duplicated(&x[..], &dx[..]),);
    assert_eq!(autodiff(Forward, &f, Natural, dup()), (slope,));
    assert_eq!(autodiff(Forward, &f, AsDuplicatedNoNeed, dup()), (slope,));
    assert_eq!(autodiff(Forward, &f, AsConst, dup()), ());
    assert_eq!(
        autodiff(ForwardWithPrimal, &f, AsDuplicated, dup()),
        (slope, rosenbrock(&x))
    );
    assert_eq!(
        autodiff(ForwardWithPrimal, &f, AsConst, dup()),
        (rosenbrock(&x),)
    );

    let mut shadow = [0.0; 2];
    assert_eq!(
        autodiff(Reverse, &f, AsConst, (Duplicated(&x[..], &mut shadow[..]),)),
        (((),),)
    );
    assert_eq!(shadow, [0.0; 2]);
    assert_eq!(
        autodiff(Reverse, &f, Natural, (Duplicated(&x[..], &mut shadow[..]),)),
        (((),),)
    );
    assert_close(&shadow, &closed_gradient(&x));
    let with_primal = autodiff(ReverseWithPrimal, &f, Natural, (Const(&x[..]),));
    assert_eq!(with_primal, (((),), rosenbrock(&x)));
}

#[test]
fn nested_calls_inherit_the_configuration() {
    /// [`capped_recip`], differentiated inside its own rule.
    struct Outer;
    impl Function<(f64,)> for Outer {
        type Output = f64;
        fn call(&self, (x,): (f64,)) -> f64 {
            capped_recip(x)
        }
    }
    impl ReverseRule<Active<f64>, (Active<f64>,)> for Outer {
        type Tape = f64;
        fn augmented_primal(
            &self,
            config: &ReverseConfig,
            (x,): (&mut Active<f64>,),
        ) -> AugmentedReturn<f64, (), f64> {
            let ((dx,), value) = autodiff(
                config.nested(ReverseWithPrimal),
                &capped_recip {},
                AsActive,
                (*x,),
            );
            AugmentedReturn::new(config.needs_primal().then_some(value), (), dx)
        }
        fn reverse(
            &self,
            _: &ReverseConfig,
            [dret]: [f64; 1],
            dx: f64,
            (_,): (&mut Active<f64>,),
        ) -> ([f64; 1],) {
            ([dx * dret],)
        }
    }
    assert!(
        autodiff(Reverse, &Outer, AsActive, (Active(0.0),))
            .0
            .0
            .is_nan()
    );
    assert_eq!(
        autodiff(StrongZero(Reverse), &Outer, AsActive, (Active(0.0),)),
        ((0.0,),)
    );
    let inside = ForwardConfig::new(false).with_strong_zero(true);
    let args = (Duplicated(0.0, 0.0),);
    assert_eq!(
        autodiff(inside.nested(Forward), &capped_recip {}, AsDuplicated, args),
        (0.0,)
    );
}

#[test]
fn calls_are_batched_by_their_arguments_or_by_their_mode() {
    let f = capped_recip {};
    let lanes = (BatchDuplicated(2.0, [1.0, 0.0, -4.0]),);
    assert_eq!(autodiff(Forward, &f, Natural, lanes), ([-0.25, 0.0, 1.0],));
    let lanes = (BatchDuplicated(2.0, [1.0, 0.0]),);
    assert_eq!(
        autodiff(ForwardWithPrimal, &f, Natural, lanes),
        ([-0.25, 0.0], 0.5)
    );

    // all arguments active: every lane starts from the seed one
    let batched = autodiff(
        Batch::<_, 2>(ReverseWithPrimal),
        &f,
        Natural,
        (Active(2.0),),
    );
    assert_eq!(batched, (([-0.25, -0.25],), 0.5));
    let batched = autodiff(
        Batch::<_, 2>(StrongZero(Reverse)),
        &f,
        Natural,
        (Active(0.0),),
    );
    assert_eq!(batched, (([0.0, 0.0],),));
    // other seeds, through the two halves
    let thunk = Thunk::<_, Active<f64>, 2>::new(f);
    let augmented = thunk.augmented(&mut (Active(2.0),));
    assert_eq!(augmented.primal, Some(0.5));
    assert_eq!(
        thunk.reverse([1.0, 8.0], (), &mut (Active(2.0),)),
        ([-0.25, -2.0],)
    );

    let x = [1.5, 2.0];
    let mut shadows = [[0.0; 2], [1.0; 2]];
    let args = (BatchDuplicated(
        &x[..],
        shadows.each_mut().map(|s| &mut s[..]),
    ),);
    autodiff(Reverse, &rosenbrock {}, Natural, args);
    let truth = closed_gradient(&x);
    assert_close(&shadows[0], &truth);
    assert_close(&shadows[1], &[truth[0] + 1.0, truth[1] + 1.0]);
}

#[test]
fn a_thunk_reads_its_arguments_as_they_were_when_they_are_declared_modified() {
    let mut x = vec![1.5, 2.0];
    let truth = closed_gradient(&x);
    let thunk = Thunk::<_, Active<f64>>::new(rosenbrock {}).modified(0);
    let mut dx = vec![0.0; 2];
    let AugmentedReturn { tape, .. } = thunk.augmented(&mut (Duplicated(&x[..], &mut dx[..]),));
    assert!(tape.is_copied());
    x.fill(f64::NAN);
    thunk.reverse([1.0], tape, &mut (Duplicated(&x[..], &mut dx[..]),));
    assert_close(&dx, &truth);

    let unmodified = Thunk::<_, Active<f64>>::new(rosenbrock {});
    let x = [1.5, 2.0];
    let AugmentedReturn { tape, .. } =
        unmodified.augmented(&mut (Duplicated(&x[..], &mut dx[..]),));
    assert!(!tape.is_copied());
    unmodified.reverse([-1.0], tape, &mut (Duplicated(&x[..], &mut dx[..]),));
    assert_close(&dx, &[0.0, 0.0]);
}

#[test]
fn empty_inputs_have_empty_derivatives() {
    let none: [f64; 0] = [];
    assert_eq!(gradient(&rosenbrock {}, (&none,)), ([],));
    assert_eq!(gradient_into(&rosenbrock {}, &none, &mut []), 0.0);
    assert_eq!(hvp(&rosenbrock {}, &none, &none), none);
    assert!(hessian(&rosenbrock {}, &none).is_empty());
    let j = jacobian_forward::<2, _, _>(&times_sum {}, &none);
    assert_eq!((j.rows(), j.columns()), (0, 0));
    let j = jacobian_reverse::<2, _, _>(&rosenbrock {}, &none);
    assert_eq!((j.rows(), j.columns()), (1, 0));
    let j = jacobian_forward::<2, _, _>(&rosenbrock {}, &none);
    assert_eq!((j.rows(), j.columns()), (1, 0));
}
