use coenzyme::prelude::*;

struct File;

#[derive(Tangent)]
struct Model {
    weights: Vec<f64>,
    log: File,
}

fn main() {}
