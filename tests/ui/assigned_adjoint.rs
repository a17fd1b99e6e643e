use coenzyme::prelude::*;

#[primitive]
fn square(x: f64) -> f64 {
    x * x
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for square
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<f64, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> AugmentedReturn<f64, R::Shadow, ()> {
        R::augmented(config, square(*x.primal()), ())
    }
    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        (x.accumulate(|lane, x, mut dx| *dx = 2.0 * x * dret.lane(lane).unwrap_or(&0.0)),)
    }
}

fn main() {}
