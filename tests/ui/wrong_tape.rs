use coenzyme::prelude::*;

#[primitive]
fn square(x: f64) -> f64 {
    x * x
}

impl ReverseRule<Active<f64>, (Active<f64>,)> for square {
    type Tape = f64;

    fn augmented_primal(
        &self,
        _: &ReverseConfig,
        (x,): (&mut Active<f64>,),
    ) -> AugmentedReturn<f64, (), Vec<f64>> {
        AugmentedReturn::new(Some(x.0 * x.0), (), vec![x.0])
    }
    fn reverse(
        &self,
        _: &ReverseConfig,
        [dret]: [f64; 1],
        x: f64,
        _: (&mut Active<f64>,),
    ) -> ([f64; 1],) {
        ([2.0 * x * dret],)
    }
}

fn main() {}
