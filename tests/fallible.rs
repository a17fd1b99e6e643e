//! Functions that can fail: the error passes through both modes and every driver, and nothing is half written.

#![cfg(feature = "ndarray")]

use coenzyme::{
    Active, AsActive, AsDuplicated, Augmented, AugmentedReturn, BatchDuplicated, Duplicated,
    Forward, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, ForwardWithPrimal, Lanes, Real,
    Reverse, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, ReverseWithPrimal, Saved,
    Thunk, autodiff, gradient, gradient_into, hessian, hvp, jacobian_forward, jacobian_reverse,
    make_zero, ndarray::Array1, primitive, value_and_gradient,
};

/// The smallest entry is not positive.
#[derive(Clone, Copy, Debug, PartialEq)]
struct NotPositive;

/// `Σ ln xᵢ`.
///
/// # Errors
/// If an entry is not positive.
#[primitive]
fn log_volume<T: Real>(x: &[T]) -> Result<T, NotPositive> {
    x.iter()
        .map(|x| {
            if *x > T::zero() {
                Ok(x.ln())
            } else {
                Err(NotPositive)
            }
        })
        .sum()
}

impl<R, X, T, const W: usize> ForwardRule<R, (X,), W> for log_volume
where
    T: Real,
    R: ForwardReturn<W, Out = Result<T, NotPositive>>,
    X: ForwardArg<[T], W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> Result<R::Forward, NotPositive> {
        let value = log_volume(x.primal())?;
        let tangent = |lane| {
            let dx = x.tangent(lane).unwrap_or(&[]);
            dx.iter().zip(x.primal()).map(|(dx, x)| *dx / *x).sum()
        };
        Ok(R::forward(config, || value, tangent))
    }
}

impl<R, X, T, const W: usize> ReverseRule<R, (X,), W> for log_volume
where
    T: Real,
    R: ReverseReturn<W, Out = Result<T, NotPositive>>,
    X: ReverseArg<[T], W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> Result<Augmented<R, (), W>, NotPositive> {
        Ok(R::augmented(config, log_volume(x.primal())?, ()))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        _: (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let dx = x.accumulate(|lane, x, mut dx| {
            if let Some(dret) = dret.lane(lane) {
                dx.add_map(x, |x| *dret / *x);
            }
        });
        (dx,)
    }
}

const X: [f64; 3] = [1.0, 2.0, 4.0];
const BAD: [f64; 3] = [1.0, -2.0, 4.0];

#[test]
fn forward_mode_returns_the_result_of_the_function() {
    let dx = [1.0, 1.0, 1.0];
    let run = |x| {
        autodiff(
            Forward,
            &log_volume {},
            AsDuplicated,
            (Duplicated(x, &dx[..]),),
        )
    };
    assert_eq!(run(&X[..]), Ok((1.75,)));
    assert_eq!(run(&BAD[..]), Err(NotPositive));

    let lanes = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let run = |x| {
        let x = BatchDuplicated(x, lanes.each_ref().map(|l| &l[..]));
        autodiff(ForwardWithPrimal, &log_volume {}, AsDuplicated, (x,))
    };
    assert_eq!(run(&X[..]), Ok(([1.0, 0.25], 8.0_f64.ln())));
    assert_eq!(run(&BAD[..]), Err(NotPositive));
}

#[test]
fn reverse_mode_returns_the_error_and_leaves_the_shadow_alone() {
    let mut dx = [7.0; 3];
    let args = (Duplicated(&BAD[..], &mut dx[..]),);
    assert_eq!(
        autodiff(Reverse, &log_volume {}, AsActive, args),
        Err(NotPositive)
    );
    assert_eq!(dx, [7.0; 3]);
    let args = (Duplicated(&X[..], &mut dx[..]),);
    let value = X.iter().map(|x| x.ln()).sum();
    assert_eq!(
        autodiff(ReverseWithPrimal, &log_volume {}, AsActive, args),
        Ok((((),), value))
    );
    assert_eq!(dx, [8.0, 7.5, 7.25]);
}

#[test]
fn a_thunk_of_a_failed_function_has_no_tape() {
    let thunk = Thunk::<_, Active<Result<f64, NotPositive>>>::new(log_volume {});
    let mut dx = [0.0; 3];
    let failed = thunk.augmented(&mut (Duplicated(&BAD[..], &mut dx[..]),));
    assert_eq!(failed, Err(NotPositive));
    let mut args = (Duplicated(&X[..], &mut dx[..]),);
    let AugmentedReturn { tape, .. } = thunk.augmented(&mut args).unwrap();
    thunk.reverse([4.0], tape, &mut args);
    assert_eq!(dx, [4.0, 2.0, 1.0]);
}

#[test]
fn gradients_return_the_error() {
    let f = log_volume {};
    assert_eq!(gradient(&f, (&X[..],)), Ok((vec![1.0, 0.5, 0.25],)));
    assert_eq!(gradient(&f, (&BAD[..],)), Err(NotPositive));
    assert_eq!(value_and_gradient(&f, (&BAD[..],)), Err(NotPositive));

    let mut dx = [7.0; 3];
    assert_eq!(gradient_into(&f, &BAD, &mut dx), Err(NotPositive));
    assert_eq!(
        dx, [7.0; 3],
        "nothing is written before the function has succeeded"
    );
    let value = log_volume(&X).unwrap();
    assert_eq!(gradient_into(&f, &X, &mut dx), Ok(value));
    assert_eq!(dx, [1.0, 0.5, 0.25]);
}

#[test]
fn jacobians_and_second_derivatives_return_the_error() {
    let f = log_volume {};
    let row = [1.0, 0.5, 0.25];
    assert_eq!(jacobian_forward::<2, _, _>(&f, &X).unwrap().as_slice(), row);
    assert_eq!(jacobian_reverse::<2, _, _>(&f, &X).unwrap().as_slice(), row);
    assert_eq!(jacobian_forward::<2, _, _>(&f, &BAD), Err(NotPositive));
    assert_eq!(jacobian_reverse::<2, _, _>(&f, &BAD), Err(NotPositive));

    assert_eq!(
        hvp(&f, &X, &[1.0, 1.0, 1.0]),
        Ok(vec![-1.0, -0.25, -0.0625])
    );
    assert_eq!(hvp(&f, &BAD, &[1.0, 1.0, 1.0]), Err(NotPositive));
    let rows = hessian(&f, &X).unwrap();
    assert_eq!(rows[1], [0.0, -0.25, 0.0]);
    assert_eq!(hessian(&f, &BAD), Err(NotPositive));
}

/// `x / |x|`; `None` for zero.
#[primitive]
fn unit(x: &Array1<f64>) -> Option<Array1<f64>> {
    let norm = x.dot(x).sqrt();
    (norm > 0.0).then(|| x / norm)
}

/// `v ↦ (v − u·(u·v)) / |x|` for `u = x / |x|`: the derivative of [`unit`], which is its own transpose.
fn project(x: &Array1<f64>, v: &Array1<f64>) -> Array1<f64> {
    let norm = x.dot(x).sqrt();
    let u = x / norm;
    (v - &u * u.dot(v)) / norm
}

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for unit
where
    R: ForwardReturn<W, Out = Option<Array1<f64>>>,
    X: ForwardArg<Array1<f64>, W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> Option<R::Forward> {
        let value = unit(x.primal())?;
        let tangent = |lane| match x.tangent(lane) {
            Some(dx) => project(x.primal(), dx),
            None => make_zero(x.primal()),
        };
        Some(R::forward(config, || value, tangent))
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for unit
where
    R: ReverseReturn<W, Out = Option<Array1<f64>>>,
    X: ReverseArg<Array1<f64>, W>,
{
    type Tape = Saved<Array1<f64>>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> Option<Augmented<R, Self::Tape, W>> {
        let tape = Saved::new(x.primal(), config.overwritten(0));
        Some(R::augmented(config, unit(x.primal())?, tape))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let dx = x.accumulate(|lane, x, mut dx| {
            if let Some(dret) = dret.lane(lane) {
                dx.add(&project(tape.get(x), dret));
            }
        });
        (dx,)
    }
}

#[test]
fn an_option_of_an_array_is_differentiated_in_both_modes() {
    let (x, dx) = (Array1::from(vec![3.0, 4.0]), Array1::from(vec![1.0, 0.0]));
    let zero = Array1::zeros(2);
    let run = |x| autodiff(Forward, &unit {}, AsDuplicated, (Duplicated(x, &dx),));
    // differences of unit(3 + h, 4): (16, −12)/125
    let h = 1e-6;
    let moved = |h: f64| unit(&(&x + &(&dx * h))).unwrap();
    let truth = (moved(h) - moved(-h)) / (2.0 * h);
    let (tangent,) = run(&x).unwrap();
    assert!(
        (&tangent - &truth).iter().all(|e| e.abs() < 1e-9),
        "{tangent} and {truth}"
    );
    assert_eq!(run(&zero), None);

    let mut shadow = Array1::zeros(2);
    let thunk = Thunk::<_, Duplicated<Option<Array1<f64>>>>::new(unit {});
    assert_eq!(
        thunk.augmented(&mut (Duplicated(&zero, &mut shadow),)),
        None
    );
    let mut args = (Duplicated(&x, &mut shadow),);
    let AugmentedReturn {
        primal,
        shadow: [mut dret],
        tape,
    } = thunk.augmented(&mut args).unwrap();
    assert_eq!(primal, unit(&x));
    assert_eq!(
        dret.to_vec(),
        [0.0, 0.0],
        "the shadow of a returned array starts from zero"
    );
    dret += &dx;
    thunk.reverse([dret], tape, &mut args);
    assert!(
        (&shadow - &tangent).iter().all(|e| e.abs() < 1e-15),
        "symmetric"
    );
}
