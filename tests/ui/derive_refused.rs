use coenzyme::prelude::*;

#[derive(Tangent)]
union Bits {
    float: f64,
    integer: u64,
}

#[derive(Tangent)]
struct Borrowing<'a> {
    weights: &'a [f64],
    #[tangent(ignored)]
    name: String,
}

#[derive(Tangent)]
#[tangent(inactive)]
struct Whole(f64);

#[derive(Tangent)]
struct Doubled {
    value: f64,
}

impl Clone for Doubled {
    fn clone(&self) -> Self {
        Doubled {
            value: 2.0 * self.value,
        }
    }
}

fn main() {}
