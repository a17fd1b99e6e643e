use coenzyme::prelude::*;

struct Model(Vec<f64>);

fn main() {
    let (m, dm) = (Model(vec![1.0]), Model(vec![0.0]));
    let _ = Duplicated(&m, &dm);
}
