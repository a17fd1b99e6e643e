//! `n.to_f64().unwrap()` of `num_traits`, on whatever number a part of a type is.

use coenzyme::prelude::*;
use num_traits::ToPrimitive;

use crate::subject::judge;

#[derive(Clone, Tangent)]
pub(crate) struct Mean {
    n: u64,
    sum: f64,
    single: f32,
}

#[differentiable]
impl Mean {
    fn add(&mut self, x: f64) {
        self.n += 1;
        let delta = (x - self.sum) / self.n.to_f64().unwrap();
        self.sum += delta * x;
    }
    fn spread(&self, k: f64) -> f64 {
        let n = self.n.to_f64().unwrap();
        let product = (self.sum * k).to_f64().expect("a float");
        self.sum * k / (n * n) + product + self.single.to_f64().unwrap() * n
    }
}

#[differentiable]
fn of_counts(x: &[f64]) -> f64 {
    let mut mean = Mean {
        n: 0,
        sum: x[0],
        single: 2.0,
    };
    for v in x {
        mean.add(v * x[1]);
    }
    mean.spread(x[0])
}

judge! {
    of_counts (&[0.7, 1.3, -0.4]);
}
