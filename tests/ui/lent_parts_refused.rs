//! Parts that methods lend to be changed have no place in the shadow where a number, a length, or a field that is assigned chooses them.

use coenzyme::{Tangent, differentiable};

#[derive(Clone, Tangent)]
struct Grid {
    width: usize,
    data: Vec<f64>,
}

#[differentiable]
impl Grid {
    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        let start = i * self.width;
        &mut self.data[start..start + self.width]
    }
    fn entry(&mut self, i: usize) -> &mut f64 {
        let n = self.data.len();
        &mut self.data[n - 1 - i]
    }
    fn near(&mut self, x: f64) -> &mut f64 {
        &mut self.data[x as usize]
    }
    fn narrow(&mut self) {
        self.width -= 1;
    }
}

#[differentiable]
fn scale(x: &mut [f64], k: f64) {
    for v in x {
        *v *= k;
    }
}

#[differentiable]
fn looped(grid: &mut Grid, k: f64) {
    for v in grid.row_mut(1) {
        *v *= k;
    }
}

#[differentiable]
fn iterated(grid: &mut Grid, x: &[f64]) {
    for (v, x) in grid.row_mut(0).iter_mut().zip(x) {
        *v += x;
    }
}

#[differentiable]
fn assigned(grid: &mut Grid, k: f64) {
    grid.row_mut(1)[0] = k * k;
}

#[differentiable]
fn named(grid: &mut Grid, k: f64) {
    let row = grid.row_mut(0);
    row[1] *= k;
}

#[differentiable]
fn behind_a_star(grid: &mut Grid, k: f64) {
    *grid.entry(1) *= k;
}

#[differentiable]
fn handed_on(grid: &mut Grid, k: f64) {
    scale(grid.row_mut(1), k);
}

#[differentiable]
fn chosen_by_a_number(grid: &mut Grid, k: f64) {
    *grid.near(2.0) += k;
}

#[derive(Clone, Tangent)]
struct Ring(Vec<f64>, usize);

#[differentiable]
impl Ring {
    fn slot_mut(&mut self, i: usize) -> &mut f64 {
        &mut self.0[(i + self.1) % 4]
    }
}

// whose field this is, types tell
#[differentiable]
fn turned(ring: &mut Ring, k: f64) {
    ring.1 += 1;
    *ring.slot_mut(0) *= k;
}

fn main() {}
