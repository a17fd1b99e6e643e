//! Numbers that are there or not, of which a chain takes those that are: `flatten()`, `filter_map(|x| *x)`.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[differentiable]
fn moments(x: &[Option<f64>]) -> f64 {
    x.iter().flatten().sum::<f64>() * x.iter().flatten().map(|v| v * v).sum::<f64>()
}

#[differentiable]
fn copied(x: &[Option<f64>], k: f64) -> f64 {
    let products = x.iter().filter_map(|v| *v).map(|v| v.sin() * k);
    products.fold(1.0, |a, b| a * b) + x.iter().filter_map(|&v| v).sum::<f64>()
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Series {
    values: Vec<Option<f64>>,
    gain: f64,
}

#[differentiable]
impl Series {
    fn mean(&self) -> f64 {
        let n = self.values.iter().flatten().count();
        self.values.iter().flatten().sum::<f64>() / n as f64 * self.gain
    }
}

#[differentiable]
fn of_a_struct(series: &Series) -> f64 {
    let mut product = series.mean();
    for v in series.values.iter().flatten() {
        product *= v;
    }
    product
}

#[differentiable]
fn of_a_local(x: &[f64]) -> f64 {
    let squares: Vec<Option<f64>> = x
        .iter()
        .map(|v| if *v > 0.0 { Some(v * v) } else { None })
        .collect();
    squares.iter().flatten().sum()
}

#[differentiable]
fn by_value(x: Vec<Option<f64>>) -> f64 {
    x.into_iter().flatten().map(|v| v * v).sum()
}

#[differentiable]
fn in_a_loop(x: &[Option<f64>], k: f64) -> f64 {
    let mut sum = k;
    for v in x.iter().copied().flatten() {
        sum += v * sum;
    }
    sum
}

#[differentiable]
fn of_lists(x: &[Vec<f64>]) -> f64 {
    x.iter().flatten().map(|v| v * v).sum()
}

judge! {
    moments(&vec![Some(0.3), None, Some(0.7)]);
    copied(&vec![Some(0.3), None, Some(0.7)], 0.4);
    of_a_struct(&Series { values: vec![Some(0.3), None, Some(0.7)], gain: 2.0 });
    of_a_local(&any(4));
    in_a_loop(&vec![Some(0.3), None, Some(0.7)], 0.4);
    by_value(vec![Some(0.3), None]);
    of_lists(&vec![any(2), any(1)]);
}
