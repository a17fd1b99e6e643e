use coenzyme::ForwardOutcome;
use coenzyme::prelude::*;

#[primitive]
fn cube(x: f64) -> f64 {
    x * x * x
}

impl ForwardRule<DuplicatedNoNeed<f64>, (Duplicated<f64>,)> for cube {
    fn forward(
        &self,
        _: &ForwardConfig,
        (x,): (&mut Duplicated<f64>,),
    ) -> ForwardOutcome<DuplicatedNoNeed<f64>, 1> {
        [3.0 * x.primal() * x.primal() * x.shadow(0)]
    }
}

fn main() {
    autodiff!(ForwardWithPrimal, cube, Duplicated(2.0, 1.0));
}
