use coenzyme::prelude::*;

#[primitive]
fn cube(x: f64) -> f64 {
    x * x * x
}

fn main() {
    let ((_,),) = autodiff!(Reverse, cube, Active, Active(2.0));
}
