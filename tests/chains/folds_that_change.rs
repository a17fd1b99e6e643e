//! Folds over elements that they change.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Copy, Debug, Tangent)]
struct Pole {
    gain: f64,
    last: f64,
}
#[differentiable]
impl Pole {
    fn next(&mut self, x: f64) -> f64 {
        self.last += self.gain * (x - self.last);
        self.last
    }
}

#[differentiable]
fn in_a_map(x: &[f64], gain: f64) -> f64 {
    let mut poles = [Pole { gain, last: 0.1 }; 3];
    let y: Vec<f64> = x
        .iter()
        .map(|&v| poles.iter_mut().fold(v, |v, pole| pole.next(v)))
        .collect();
    y.iter().map(|v| v * v).sum()
}
#[differentiable]
fn in_a_loop(x: &[f64], gain: f64) -> f64 {
    let mut poles = vec![Pole { gain, last: 0.0 }; 2];
    let mut sum = 0.0;
    for &v in x {
        sum += poles.iter_mut().rev().fold(v, |v, pole| pole.next(v)).sin();
    }
    sum + poles[0].last
}
#[differentiable]
fn of_numbers(x: &[f64], k: f64) -> f64 {
    let mut own = x.to_vec();
    let total = own.iter_mut().fold(k, |total, v| {
        *v *= total;
        total + *v
    });
    total * own[1]
}
#[differentiable]
fn with_another(x: &[f64], k: f64) -> f64 {
    let mut own = [k, 2.0 * k, 0.3];
    let carried = own.iter_mut().zip(x).fold(0.5, |carry, (v, x)| {
        *v += carry * x;
        carry * *v
    });
    carried + own[2]
}

judge! {
    in_a_map(&any(4), 0.4);
    in_a_loop(&any(4), 0.4);
    of_numbers(&any(3), 0.8);
    with_another(&any(3), 0.8);
}
