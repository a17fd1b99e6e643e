//! Functions that take closures, for callers in another file.

use coenzyme::{Tangent, differentiable};

#[derive(Clone, Copy, Debug, Tangent)]
pub(crate) struct State {
    pub(crate) x: f64,
    pub(crate) v: f64,
}

#[derive(Clone, Copy, Debug, Tangent)]
pub(crate) struct Steps {
    pub(crate) size: f64,
    pub(crate) count: usize,
}

#[differentiable]
pub(crate) fn euler<const N: usize>(
    y: [f64; N],
    h: f64,
    rhs: impl Fn(&[f64; N]) -> [f64; N],
) -> [f64; N] {
    let slope = rhs(&y);
    std::array::from_fn(|i| y[i] + h * slope[i])
}

#[differentiable]
impl Steps {
    pub(crate) fn symplectic(&self, from: State, force: impl Fn(&State, f64) -> f64) -> State {
        let mut s = from;
        for i in 0..self.count {
            s.v += self.size * force(&s, i as f64 * self.size);
            s.x += self.size * s.v;
        }
        s
    }
}

#[differentiable]
pub(crate) fn at_two_states(f: impl Fn(&State) -> f64) -> f64 {
    f(&State { x: 1.0, v: 2.0 }) * f(&State { x: 0.5, v: 1.0 })
}
