use coenzyme::prelude::*;

#[primitive]
fn product(x: f64, y: &[f64]) -> f64 {
    x * y[0]
}

type Args<'a> = (Active<f64>, Duplicated<&'a [f64], &'a mut [f64]>);

impl<'a> ReverseRule<Active<f64>, Args<'a>> for product {
    type Tape = ();

    fn augmented_primal(
        &self,
        _: &ReverseConfig,
        (x, y): (&mut Active<f64>, &mut Duplicated<&'a [f64], &'a mut [f64]>),
    ) -> AugmentedReturn<f64, (), ()> {
        AugmentedReturn::new(Some(product(x.0, y.primal())), (), ())
    }
    fn reverse(
        &self,
        _: &ReverseConfig,
        [dret]: [f64; 1],
        (): (),
        (_, y): (&mut Active<f64>, &mut Duplicated<&'a [f64], &'a mut [f64]>),
    ) -> (f64, ()) {
        (y.primal()[0] * dret, ())
    }
}

fn main() {}
