use coenzyme::prelude::*;

#[derive(Clone, Copy)]
enum Kind {
    Call,
}

#[derive(Clone, Tangent)]
struct Contract {
    strike: f64,
    #[tangent(inactive)]
    kind: Kind,
}

#[differentiable]
fn kept_in_a_local(x: f64) -> f64 {
    let mut contract = Contract {
        strike: x,
        kind: Kind::Call,
    };
    contract.strike *= x;
    contract.strike
}

fn main() {}
