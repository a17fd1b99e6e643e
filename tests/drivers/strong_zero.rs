//! Strong zero: a seed of zero gives zero, also where a partial is infinite.

use super::*;

/// `min(1, 1/x)`, whose derivative by the chain rule is `0·(−1/x²)` at `x = 0`.
#[primitive]
pub(crate) fn capped_recip(x: f64) -> f64 {
    x.recip().min(1.0)
}

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for capped_recip
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let x_ = *x.primal();
        let strong = config.strong_zero();
        let tangent = |lane| {
            let dx = x.tangent(lane).copied().unwrap_or(0.0);
            let d_recip = scaled(-(x_ * x_).recip(), dx, strong);
            scaled(if x_.recip() < 1.0 { 1.0 } else { 0.0 }, d_recip, strong)
        };
        R::forward(config, || capped_recip(x_), tangent)
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for capped_recip
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<f64, W>,
{
    type Tape = ();

    fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> Augmented<R, (), W> {
        R::augmented(config, capped_recip(*x.primal()), ())
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        _: (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let strong = config.strong_zero();
        let dx = x.accumulate(|lane, x, mut dx| {
            if let Some(&dret) = dret.lane(lane) {
                let d_recip = scaled(if x.recip() < 1.0 { 1.0 } else { 0.0 }, dret, strong);
                dx += scaled(-(x * x).recip(), d_recip, strong);
            }
        });
        (dx,)
    }
}

#[test]
fn strong_zero_stops_a_nan_in_both_modes() {
    let f = capped_recip {};
    assert!(autodiff(Reverse, &f, AsActive, (Active(0.0),)).0.0.is_nan());
    assert_eq!(
        autodiff(StrongZero(Reverse), &f, AsActive, (Active(0.0),)),
        ((0.0,),)
    );
    assert_eq!(
        autodiff(StrongZero(Reverse), &f, AsActive, (Active(2.0),)),
        ((-0.25,),)
    );
    assert!(
        autodiff(Forward, &f, AsDuplicated, (Duplicated(0.0, 0.0),))
            .0
            .is_nan()
    );
    assert_eq!(
        autodiff(
            StrongZero(Forward),
            &f,
            AsDuplicated,
            (Duplicated(0.0, 0.0),)
        ),
        (0.0,)
    );
    assert_eq!(
        autodiff(
            StrongZero(Forward),
            &f,
            AsDuplicated,
            (Duplicated(2.0, 1.0),)
        ),
        (-0.25,)
    );
}

/// The same, derived.
#[coenzyme::differentiable]
fn derived(x: f64) -> f64 {
    x.recip().min(1.0)
}

#[coenzyme::differentiable]
fn derived_quotient(x: f64, y: f64) -> f64 {
    (x / y).min(1.0)
}

#[test]
fn derived_functions_stop_a_nan_in_both_modes() {
    let (one, two) = ((Active(0.0),), (Active(1.0), Active(0.0)));
    assert!(autodiff(Reverse, &derived {}, AsActive, one).0.0.is_nan());
    let (dx,) = autodiff(StrongZero(Reverse), &derived {}, AsActive, one);
    assert_eq!(dx, (0.0,));
    let (gradient,) = autodiff(StrongZero(Reverse), &derived_quotient {}, AsActive, two);
    assert_eq!(gradient, (0.0, 0.0));
    let (one, two) = (
        (Duplicated(0.0, 0.0),),
        (Duplicated(1.0, 0.0), Duplicated(0.0, 0.0)),
    );
    let (dy,) = autodiff(StrongZero(Forward), &derived {}, AsDuplicated, one);
    assert_eq!(dy, 0.0);
    let (dy,) = autodiff(StrongZero(Forward), &derived_quotient {}, AsDuplicated, two);
    assert_eq!(dy, 0.0);
}

#[test]
fn a_seed_that_vanishes_in_value_only_is_not_zero() {
    let seed = Dual::new(0.0, 1.0);
    let product = scaled(Dual::constant(3.0), seed, true);
    assert_eq!((product.value, product.tangent), (0.0, 3.0));
}
