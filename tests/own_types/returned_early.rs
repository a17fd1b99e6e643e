//! Parameters by value, of a type that is no `Copy`, that an arm returns and the rest of the function looks into.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Debug, Default, Tangent)]
struct Stats {
    n: usize,
    mean: f64,
    all: Vec<f64>,
}
#[differentiable]
impl Stats {
    fn of(x: f64, n: usize) -> Stats {
        Stats {
            n,
            mean: x,
            all: vec![x; n],
        }
    }
    fn merge(self, other: Stats) -> Stats {
        if self.n == 0 {
            return other;
        }
        if other.n == 0 {
            return self;
        }
        let n = self.n + other.n;
        Stats {
            n,
            mean: self.mean * other.mean,
            all: other
                .all
                .iter()
                .zip(&self.all)
                .map(|(a, b)| a * b + self.mean)
                .collect(),
        }
    }
    fn larger(self, other: Stats) -> Stats {
        if self.mean > other.mean { self } else { other }
    }
    fn total(&self) -> f64 {
        self.all.iter().sum::<f64>() * self.mean
    }
}
#[differentiable]
fn f(x: f64, y: f64, n: usize, m: usize) -> f64 {
    let s = Stats::of(x, n).merge(Stats::of(y, m));
    let t = Stats::of(y, 2).larger(s.clone());
    s.total() * t.total()
}
judge! { f(0.9, 1.1, 2, 2) (0.9, 1.1, 0, 2) (0.9, 1.3, 1, 0); }
