//! Methods that lend a part of their receiver to be changed: the part is a place, in the shadow as in the value.

use crate::judge::{any, positive};
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, Tangent)]
struct Grid {
    w: usize,
    h: usize,
    data: Vec<f64>,
}
#[derive(Clone, Copy, Debug, Default, Tangent)]
struct Body {
    at: [f64; 2],
    v: f64,
}
#[derive(Clone, Debug, Tangent)]
struct World {
    bodies: Vec<Body>,
    grid: Grid,
}
#[differentiable]
impl Grid {
    fn new(w: usize, h: usize) -> Self {
        Grid {
            w,
            h,
            data: vec![0.0; w * h],
        }
    }
    fn index(&self, i: usize, j: usize) -> usize {
        i * self.w + j
    }
    fn row_mut(&mut self, i: usize) -> &mut [f64] {
        assert!(i < self.h, "row {i} of {}", self.h);
        let s = i * self.w;
        &mut self.data[s..s + self.w]
    }
    fn at_mut(&mut self, i: usize, j: usize) -> &mut f64 {
        let k = self.index(i, j);
        &mut self.data[k]
    }
    fn cell_mut(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.row_mut(i)[j]
    }
    fn data_mut(&mut self) -> &mut [f64] {
        &mut self.data
    }
    fn values_mut(&mut self) -> &mut Vec<f64> {
        &mut self.data
    }
    fn fill_row(&mut self, i: usize, x: f64) {
        for (j, v) in self.row_mut(i).iter_mut().enumerate() {
            *v = x * (j as f64 + 1.0);
        }
        *self.at_mut(i, 0) += x * x;
    }
    fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.w..(i + 1) * self.w]
    }
    fn sum(&self) -> f64 {
        self.data.iter().map(|v| v * v).sum()
    }
}
#[differentiable]
impl World {
    fn new(n: usize) -> Self {
        World {
            bodies: vec![Body::default(); n],
            grid: Grid::new(2, 2),
        }
    }
    fn body_mut(&mut self, i: usize) -> &mut Body {
        &mut self.bodies[i]
    }
    fn grid_mut(&mut self) -> &mut Grid {
        &mut self.grid
    }
    fn energy(&self) -> f64 {
        self.bodies
            .iter()
            .map(|b| b.v * b.v * b.at[0] + b.at[1])
            .sum::<f64>()
            + self.grid.sum()
    }
}
#[differentiable]
impl Body {
    fn kick(&mut self, x: f64) {
        self.v += x;
        self.at[0] *= x;
    }
}
#[differentiable]
fn axpy(a: f64, x: &[f64], y: &mut [f64]) {
    for (y, x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}
#[differentiable]
fn grid(x: &[f64]) -> f64 {
    let mut g = Grid::new(3, 2);
    for i in 0..2 {
        let r = g.row_mut(i);
        r[0] = x[i];
        r[1] = x[i] * x[i + 1];
        r[2] += r[0] * r[1];
    }
    *g.at_mut(1, 2) *= x[0];
    *g.cell_mut(0, 2) -= x[1] * x[0];
    for v in g.row_mut(0).iter_mut() {
        *v *= *v;
    }
    for v in g.row_mut(1) {
        *v *= 2.0;
    }
    axpy(x[2], &x[..3], g.row_mut(1));
    let s = g.sum();
    g.row_mut(1).copy_from_slice(&x[1..4]);
    g.row_mut(0)[1] *= x[3];
    g.data_mut()[2] *= x[1];
    g.values_mut()[3] = x[0] * s;
    for v in g.data_mut().iter_mut() {
        *v = v.sin();
    }
    g.sum()
}
#[differentiable]
fn filled(x: &[f64]) -> f64 {
    let mut g = Grid::new(3, 2);
    g.fill_row(0, x[0]);
    g.fill_row(1, x[1] * x[2]);
    g.sum()
}
#[differentiable]
fn world(x: &[f64]) -> f64 {
    let mut w = World::new(3);
    for (i, v) in x.iter().enumerate() {
        let b = w.body_mut(i);
        b.at = [*v, v * v];
        b.v = v.cos();
        w.body_mut(i).v *= 2.0;
        w.body_mut(i).at[1] += v;
        w.body_mut((i + 1) % 3).kick(*v);
        w.grid_mut().row_mut(i % 2)[1] += v * v;
        *w.grid_mut().at_mut(0, 0) += 3.0 * v;
        w.grid_mut().fill_row(1, *v);
    }
    w.energy()
}
#[differentiable]
fn again(x: &[f64]) -> f64 {
    let mut g = Grid::new(3, 2);
    g.row_mut(0)[1] = x[0] * x[1];
    let s = g.sum();
    g = Grid::new(2, 3);
    g.row_mut(2)[1] = x[2] * s;
    g.row_mut(1)[0] = x[0];
    g.sum()
}
#[differentiable]
fn entry_of_row(g: &mut Grid, x: f64) -> f64 {
    let old = g.row_mut(1)[0];
    g.row_mut(1)[0] = old * x + 1.0;
    old * x
}
#[differentiable]
fn by_reference(x: &[f64]) -> f64 {
    let mut g = Grid::new(2, 2);
    g.data_mut().fill(x[0]);
    let a = entry_of_row(&mut g, x[1]);
    let b = entry_of_row(&mut g, x[2]);
    a * b + g.sum() + g.row(1)[0]
}
#[differentiable]
fn swaps(x: &[f64]) -> f64 {
    let mut g = Grid::new(2, 2);
    g.data_mut().copy_from_slice(&x[..4]);
    g.data_mut().swap(0, 3);
    let t = g.row_mut(0);
    t.swap(0, 1);
    let (a, b) = g.data_mut().split_at_mut(2);
    a[0] += b[1] * b[0];
    g.sum() * g.row(0)[1]
}
#[derive(Clone, Debug, Tangent)]
pub struct Mat<const R: usize, const C: usize> {
    m: [[f64; C]; R],
}
#[derive(Clone, Debug, Default, Tangent)]
struct Secret {
    a: f64,
    b: f64,
}
#[derive(Clone, Debug, Tangent)]
pub struct Holder {
    list: Vec<Secret>,
    flat: [f64; 3],
}
#[derive(Clone, Debug, Tangent)]
struct Ring(Vec<f64>, usize);
#[derive(Clone, Debug, Tangent)]
struct Layer {
    weights: Vec<Vec<f64>>,
    bias: Vec<f64>,
    inner: Box<Ring>,
}
#[derive(Clone, Debug, Tangent)]
struct Hist {
    lo: f64,
    step: f64,
    bins: Vec<f64>,
}
#[differentiable]
impl<const R: usize, const C: usize> Mat<R, C> {
    fn zero() -> Self {
        Mat { m: [[0.0; C]; R] }
    }
    pub fn row_mut(&mut self, i: usize) -> &mut [f64; C] {
        &mut self.m[i]
    }
    pub fn get_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        debug_assert!(i < R && j < C);
        &mut self.m[i][j]
    }
    fn total(&self) -> f64 {
        self.m.iter().flatten().map(|v| v * v).sum()
    }
}
#[differentiable]
impl Holder {
    fn secret_mut(&mut self, i: usize) -> &mut Secret {
        &mut self.list[i]
    }
    fn component_mut(&mut self, i: usize) -> &mut f64 {
        match i {
            0 => &mut self.flat[0],
            1 => &mut self.flat[1],
            2 => &mut self.flat[2],
            _ => panic!("no component {i}"),
        }
    }
    fn first_mut(&mut self) -> &mut f64 {
        &mut self.flat[0]
    }
    fn last_mut(&mut self) -> &mut Secret {
        self.list.last_mut().expect("one")
    }
}
#[differentiable]
impl Ring {
    fn slot_mut(&mut self, i: usize) -> &mut f64 {
        let n = 4;
        &mut self.0[(i + self.1) % n]
    }
}
#[differentiable]
impl Layer {
    fn weight_mut(&mut self, i: usize, j: usize) -> &mut f64 {
        let row = &mut self.weights[i];
        &mut row[j]
    }
    fn bias_mut(&mut self) -> &mut [f64] {
        self.bias.as_mut_slice()
    }
    fn ring_mut(&mut self) -> &mut Ring {
        &mut self.inner
    }
    fn scale(&mut self, by: f64) {
        for i in 0..2 {
            for j in 0..2 {
                *self.weight_mut(i, j) *= by;
            }
            self.bias_mut()[i] += by;
        }
        *self.ring_mut().slot_mut(2) += by * by;
    }
}
#[differentiable]
impl Hist {
    fn bin_mut(&mut self, x: f64) -> &mut f64 {
        let i = ((x - self.lo) / self.step) as usize;
        &mut self.bins[i]
    }
    fn sum(&self) -> f64 {
        self.bins.iter().sum::<f64>() * self.step
    }
}
#[differentiable]
fn mats(x: &[f64]) -> f64 {
    let mut m = Mat::<2, 3>::zero();
    for (k, v) in x.iter().enumerate() {
        *m.get_mut((k / 3, k % 3)) = *v;
    }
    let r = m.row_mut(1);
    r[0] *= r[1];
    *m.row_mut(0) = [x[0], x[1] * x[2], x[3]];
    for (j, v) in m.row_mut(0).iter_mut().enumerate() {
        *v += j as f64 * x[4];
    }
    m.total()
}
#[differentiable]
fn holder(x: &[f64]) -> f64 {
    let mut h = Holder {
        list: vec![Secret::default(); 2],
        flat: [x[0], x[1], x[2]],
    };
    for i in 0..3 {
        *h.component_mut(i) *= x[i];
    }
    *h.first_mut() += x[1];
    let s = h.secret_mut(0);
    s.a = x[0];
    s.b += s.a * x[1];
    h.last_mut().a = x[2] * x[2];
    h.secret_mut(1).b -= x[0];
    h.list.iter().map(|s| s.a * s.b).sum::<f64>() + h.flat.iter().map(|v| v.sin()).sum::<f64>()
}
#[differentiable]
fn layer(x: &[f64]) -> f64 {
    let mut l = Layer {
        weights: vec![vec![x[0], x[1]], vec![x[2], 1.0]],
        bias: vec![0.5; 2],
        inner: Box::new(Ring(vec![0.0; 4], 3)),
    };
    l.scale(x[0]);
    *l.ring_mut().slot_mut(1) *= x[1] + 2.0;
    *l.weight_mut(0, 1) += x[2];
    l.weights.iter().flatten().map(|w| w * w).sum::<f64>()
        + l.bias[0] * l.bias[1]
        + l.inner.0.iter().sum::<f64>()
}
#[differentiable]
fn through(l: &mut Layer, x: f64) -> f64 {
    l.scale(x);
    let b = l.bias_mut();
    b[0] *= x;
    b[1]
}
#[differentiable]
fn layer_by_reference(x: &[f64]) -> f64 {
    let mut l = Layer {
        weights: vec![vec![1.0; 2]; 2],
        bias: vec![0.5; 2],
        inner: Box::new(Ring(vec![0.0; 4], 3)),
    };
    through(&mut l, x[0]) * through(&mut l, x[1]) + l.bias[0]
}
#[differentiable]
fn hist(x: &[f64]) -> f64 {
    let h = Hist {
        lo: 0.0,
        step: x[0],
        bins: vec![x[1]; 3],
    };
    h.sum()
}

mod tables {
    use coenzyme::{Tangent, differentiable};

    #[derive(Clone, Debug, Tangent)]
    pub struct Table {
        columns: usize,
        entries: Vec<f64>,
    }

    #[differentiable]
    impl Table {
        pub fn new(columns: usize, x: f64) -> Self {
            Table {
                columns,
                entries: vec![x; 2 * columns],
            }
        }
        pub fn line_mut(&mut self, i: usize) -> &mut [f64] {
            let columns = self.columns;
            &mut self.entries[i * columns..][..columns]
        }
        pub fn total(&self) -> f64 {
            self.entries.iter().map(|v| v * v * v).sum()
        }
    }
}

// fields that another module keeps for itself
#[differentiable]
fn of_a_module(x: &[f64]) -> f64 {
    let mut table = tables::Table::new(2, x[0]);
    for (i, v) in x.iter().take(2).enumerate() {
        let line = table.line_mut(i);
        line[0] *= v;
        line[1] += line[0];
    }
    table.total()
}

judge! {
    grid(&any(4));
    filled(&any(3));
    world(&any(3));
    again(&any(3));
    by_reference(&any(3));
    swaps(&any(4));
    mats(&any(6));
    holder(&any(3));
    layer(&any(3));
    layer_by_reference(&any(2));
    hist(&positive(2));
    of_a_module(&any(3));
}
