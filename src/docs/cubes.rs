// The function of the drivers' examples: included there, because a rule is longer than what it shows.

use coenzyme::{
    Augmented, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Lanes, Real, ReverseArg, ReverseConfig,
    ReverseReturn, ReverseRule, primitive,
};

/// `Σ x³`.
#[primitive]
fn cubes<T: Real>(x: &[T]) -> T {
    x.iter().map(|&x| x * x * x).sum()
}

impl<R, X, T, const W: usize> ForwardRule<R, (X,), W> for cubes
where
    T: Real,
    R: ForwardReturn<W, Out = T>,
    X: ForwardArg<[T], W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let tangent = |lane| {
            let dx = x.tangent(lane).unwrap_or(&[]);
            x.primal().iter().zip(dx).map(|(&x, &dx)| T::lit(3.0) * x * x * dx).sum()
        };
        R::forward(config, || cubes(x.primal()), tangent)
    }
}

impl<R, X, T, const W: usize> ReverseRule<R, (X,), W> for cubes
where
    T: Real,
    R: ReverseReturn<W, Out = T>,
    X: ReverseArg<[T], W>,
{
    type Tape = ();

    fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> Augmented<R, (), W> {
        R::augmented(config, cubes(x.primal()), ())
    }

    fn reverse(&self, _: &ReverseConfig, dret: R::Cotangent, _: (), (x,): (&mut X,)) -> (X::Gradient,) {
        let dx = x.accumulate(|lane, x, mut dx| {
            if let Some(&dret) = dret.lane(lane) {
                dx.add_map(x, |&x| T::lit(3.0) * x * x * dret);
            }
        });
        (dx,)
    }
}
