//! Rows of lists of lists in structs: loops over them check their bounds before the first round.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};
#[derive(Clone, Debug, PartialEq, Tangent)]
struct Net {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
    m: [[f64; 3]; 2],
    k: Vec<[f64; 2]>,
}

#[differentiable]
impl Net {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        self.w
            .iter()
            .zip(&self.b)
            .map(|(row, b)| row.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + b)
            .collect()
    }
    fn scaled(&mut self, s: f64) {
        for i in 0..self.w.len() {
            for j in 0..self.w[i].len() {
                self.w[i][j] *= s;
                self.w[i][j] += self.m[i][j] * self.b[i];
            }
        }
        for i in 0..2 {
            for j in 0..3 {
                self.m[i][j] = self.m[i][j] * s + self.w[i][j];
            }
        }
    }
    fn ragged(&self) -> f64 {
        let mut t = 0.0;
        for i in 0..self.w.len() {
            for j in 0..i + 1 {
                t += self.w[i][j] * self.b[i] * self.k[j][0] * self.k[i][1];
            }
        }
        t
    }
    fn shifted(&self, n: usize) -> f64 {
        let mut t: f64 = 1.0;
        for i in 0..self.w.len() {
            for j in 1..n {
                t += self.w[i][j] * self.w[i][j - 1];
            }
        }
        t
    }
    fn two_rows(&self) -> f64 {
        let mut t: f64 = 1.0;
        for i in 1..self.w.len() {
            for j in 0..3 {
                t += self.w[i][j] * self.w[i - 1][j] * t.sin();
            }
        }
        t
    }
}

#[differentiable]
fn everything(x: f64, y: f64) -> f64 {
    let mut n = Net {
        w: vec![vec![x, y, x * y], vec![0.3, x, y * y]],
        b: vec![y, 0.4],
        m: [[x, 0.2, y], [0.1, x, x]],
        k: vec![[x, y], [y, 0.5]],
    };
    n.scaled(y);
    let v = n.forward(&[x, 0.3, y]);
    v[0] * v[1] + n.ragged() + n.shifted(3) * n.two_rows()
}

judge! { everything(0.7, 0.4) (0.3, 0.9);
}
