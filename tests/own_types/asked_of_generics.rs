//! Methods of generic blocks that change their receiver and may give no value, asked by patterns and queries.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Filter<const N: usize> {
    x: [f64; N],
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Outlier;

#[differentiable]
impl<const N: usize> Filter<N> {
    fn update(&mut self, z: f64) -> Option<f64> {
        self.x[N - 1] *= 0.9;
        if z < -0.8 {
            return None;
        }
        for x in &mut self.x {
            *x += 0.5 * (z - *x);
        }
        Some(self.x[0] * z)
    }
    fn checked(&mut self, z: f64) -> Result<f64, Outlier> {
        self.x[0] += z;
        let gain = self.update(z * z).ok_or(Outlier)?;
        Ok(gain * self.x[0])
    }
}

#[differentiable]
fn by_patterns(filter: &mut Filter<2>, zs: &[f64]) -> f64 {
    let mut sum = 0.0;
    for &z in zs {
        if let Some(gain) = filter.update(z) {
            sum += gain;
        }
        match filter.checked(z) {
            Ok(gain) => sum += gain * z,
            Err(_) => sum -= filter.x[0],
        }
    }
    sum
}

#[differentiable]
fn by_queries(filter: &mut Filter<3>, zs: &[f64]) -> f64 {
    let first = filter.update(zs[0]).unwrap_or(zs[1]);
    if filter.update(-1.0).is_none() {
        return first * filter.x[2];
    }
    first
}

judge! {
    by_patterns(&mut Filter { x: [0.3, -0.1] }, &[0.4, -0.9, 1.2]);
    by_queries(&mut Filter { x: [0.3, -0.1, 0.6] }, &[0.4, 0.7]) (&mut Filter { x: [0.3, -0.1, 0.6] }, &[-0.9, 0.7]);
}
