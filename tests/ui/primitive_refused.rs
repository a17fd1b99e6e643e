use coenzyme::prelude::*;

#[primitive]
fn first(x: &[f64]) -> &f64 {
    &x[0]
}

#[primitive]
async fn later(x: f64) -> f64 {
    x
}

#[primitive]
unsafe fn dangerous(x: f64, f: impl Fn(f64) -> f64) -> f64 {
    f(x)
}

struct Model(f64);

impl Model {
    #[inactive]
    fn value(&self) -> f64 {
        self.0
    }
}

fn main() {}
