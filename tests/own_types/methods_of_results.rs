//! Methods named like the standard library's, of what constructors and methods of the user's own gave.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};
#[derive(Clone, Debug, Tangent)]
struct Grid {
    data: Vec<f64>,
    w: usize,
}
#[differentiable]
impl Grid {
    fn new(data: Vec<f64>, w: usize) -> Grid {
        Grid { data, w }
    }
    fn scaled(&self, k: f64) -> Grid {
        Grid {
            data: self.data.iter().map(|x| x * k).collect(),
            w: self.w,
        }
    }
    fn map(&self, f: impl Fn(f64) -> f64) -> Grid {
        Grid {
            data: self.data.iter().map(|x| f(*x)).collect(),
            w: self.w,
        }
    }
    fn mean(&self) -> f64 {
        self.data.iter().sum::<f64>() / self.data.len() as f64
    }
}
#[differentiable]
fn f(x: &[f64], k: f64) -> f64 {
    let g = Grid::new(x.to_vec(), 2);
    let h = g.scaled(k).map(|v| (v / k).tanh());
    let i = g.map(|v| v * v * k);
    h.mean() * i.mean() + g.scaled(k).scaled(2.0).map(|v| v.exp()).mean()
}
judge! { f(&[0.3, 0.7], 1.1); }
