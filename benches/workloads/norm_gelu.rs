//! Layer normalization and GELU (by tanh) of 256 rows of 512 numbers, inner product with `r`: by index and by iterators.

use std::hint::black_box;

use coenzyme::prelude::*;

use crate::measure::{Bench, Gradient, Workload, numbers};

#[differentiable]
fn by_index(x: &[f64], g: &[f64], b: &[f64], #[constant] r: &[f64]) -> f64 {
    let n = g.len();
    let mut sum = 0.0;
    for row in 0..x.len() / n {
        let mut mean = 0.0;
        for j in 0..n {
            mean += x[row * n + j];
        }
        mean /= n as f64;
        let mut var = 0.0;
        for j in 0..n {
            let c = x[row * n + j] - mean;
            var += c * c;
        }
        let scale = 1.0 / (var / n as f64 + 1e-5).sqrt();
        for j in 0..n {
            let y = (x[row * n + j] - mean) * scale * g[j] + b[j];
            let t = (0.797_884_560_802_865_4 * (y + 0.044_715 * y * y * y)).tanh();
            sum += 0.5 * y * (1.0 + t) * r[row * n + j];
        }
    }
    sum
}

#[differentiable]
fn by_iterator(x: &[f64], g: &[f64], b: &[f64], #[constant] r: &[f64]) -> f64 {
    let n = g.len();
    let mut sum = 0.0;
    for (x, r) in x.chunks_exact(n).zip(r.chunks_exact(n)) {
        let mean = x.iter().sum::<f64>() / n as f64;
        let var = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
        let scale = 1.0 / (var + 1e-5).sqrt();
        for ((x, r), (g, b)) in x.iter().zip(r).zip(g.iter().zip(b)) {
            let y = (x - mean) * scale * g + b;
            let t = (0.797_884_560_802_865_4 * (y + 0.044_715 * y * y * y)).tanh();
            sum += 0.5 * y * (1.0 + t) * r;
        }
    }
    sum
}

/// As `by_iterator`, eight `tanh` at a time.
#[differentiable(math = fast)]
fn vectorized(x: &[f64], g: &[f64], b: &[f64], #[constant] r: &[f64]) -> f64 {
    let n = g.len();
    let mut sum = 0.0;
    for (x, r) in x.chunks_exact(n).zip(r.chunks_exact(n)) {
        let mean = x.iter().sum::<f64>() / n as f64;
        let var = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
        let scale = 1.0 / (var + 1e-5).sqrt();
        for ((x, r), (g, b)) in x.iter().zip(r).zip(g.iter().zip(b)) {
            let y = (x - mean) * scale * g + b;
            let t = (0.797_884_560_802_865_4 * (y + 0.044_715 * y * y * y)).tanh();
            sum += 0.5 * y * (1.0 + t) * r;
        }
    }
    sum
}

#[differentiable]
fn gelu(y: f64) -> f64 {
    0.5 * y * (1.0 + (0.797_884_560_802_865_4 * (y + 0.044_715 * y * y * y)).tanh())
}

#[differentiable]
fn by_functions(x: &[f64], g: &[f64], b: &[f64], #[constant] r: &[f64]) -> f64 {
    let n = g.len();
    let mut sum = 0.0;
    for (x, r) in x.chunks_exact(n).zip(r.chunks_exact(n)) {
        let mean = x.iter().sum::<f64>() / n as f64;
        let var = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
        let scale = 1.0 / (var + 1e-5).sqrt();
        for ((x, r), (g, b)) in x.iter().zip(r).zip(g.iter().zip(b)) {
            sum += gelu((x - mean) * scale * g + b) * r;
        }
    }
    sum
}

fn by_hand(x: &[f64], g: &[f64], b: &[f64], r: &[f64], d: &mut Gradient) -> f64 {
    let n = g.len();
    let mut sum = 0.0;
    let [dx, dg, db] = &mut d[..] else { return sum };
    let (dg, db) = (&mut dg[..n], &mut db[..n]);
    let mut dxhat = vec![0.0; n];
    for ((x, r), dx) in x
        .chunks_exact(n)
        .zip(r.chunks_exact(n))
        .zip(dx.chunks_exact_mut(n))
    {
        let mean = x.iter().sum::<f64>() / n as f64;
        let var = x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n as f64;
        let scale = 1.0 / (var + 1e-5).sqrt();
        let (mut total, mut along) = (0.0, 0.0);
        let parameters = g.iter().zip(b).zip(dg.iter_mut().zip(db.iter_mut()));
        for (((x, r), dxhat), ((g, b), (dg, db))) in x.iter().zip(r).zip(&mut dxhat).zip(parameters)
        {
            let xhat = (x - mean) * scale;
            let y = xhat * g + b;
            let t = (0.797_884_560_802_865_4 * (y + 0.044_715 * y * y * y)).tanh();
            sum += 0.5 * y * (1.0 + t) * r;
            let inner = 0.797_884_560_802_865_4 * (1.0 + 3.0 * 0.044_715 * y * y);
            let dy = r * (0.5 * (1.0 + t) + 0.5 * y * (1.0 - t * t) * inner);
            *dg += dy * xhat;
            *db += dy;
            *dxhat = dy * g;
            total += *dxhat;
            along += *dxhat * xhat;
        }
        let (total, along) = (total / n as f64, along / n as f64);
        for ((dx, x), dxhat) in dx.iter_mut().zip(x).zip(&dxhat) {
            *dx += scale * (dxhat - total - (x - mean) * scale * along);
        }
    }
    sum
}

struct Data {
    x: Vec<f64>,
    g: Vec<f64>,
    b: Vec<f64>,
    r: Vec<f64>,
}

impl Data {
    fn new() -> Self {
        let (rows, n) = (256, 512);
        Self {
            x: numbers(3, rows * n, -2.0, 3.0),
            g: numbers(4, n, 0.5, 1.5),
            b: numbers(5, n, -0.5, 0.5),
            r: numbers(6, rows * n, -1.0, 1.0),
        }
    }
}

macro_rules! workload {
    ($name:ident, $f:ident) => {
        struct $name(Data);

        impl Workload for $name {
            fn lengths(&self) -> Vec<usize> {
                vec![self.0.x.len(), self.0.g.len(), self.0.b.len()]
            }
            fn primal(&self) -> f64 {
                let Data { x, g, b, r } = black_box(&self.0);
                $f(x, g, b, r)
            }
            fn hand(&self, d: &mut Gradient) {
                let Data { x, g, b, r } = black_box(&self.0);
                black_box(by_hand(x, g, b, r, d));
            }
            fn generated(&self, d: &mut Gradient) {
                let Data { x, g, b, r } = black_box(&self.0);
                let [dx, dg, db] = &mut d[..] else { return };
                autodiff!(
                    Reverse,
                    $f,
                    Active,
                    Duplicated(&x[..], &mut dx[..]),
                    Duplicated(&g[..], &mut dg[..]),
                    Duplicated(&b[..], &mut db[..]),
                    Const(&r[..])
                );
            }
            fn tape_bytes(&self) -> usize {
                let Data { x, g, b, r } = &self.0;
                let (mut dx, mut dg, mut db) = (x.clone(), g.clone(), b.clone());
                let args = &mut (
                    Duplicated(&x[..], &mut dx[..]),
                    Duplicated(&g[..], &mut dg[..]),
                    Duplicated(&b[..], &mut db[..]),
                    Const(&r[..]),
                );
                Thunk::<_, Active<f64>>::new($f {})
                    .augmented(args)
                    .tape
                    .bytes()
            }
        }
    };
}

workload!(ByIndex, by_index);
workload!(ByIterator, by_iterator);
workload!(ByFunctions, by_functions);
workload!(Vectorized, vectorized);

pub(crate) fn run(bench: &Bench) {
    bench.run("norm-gelu 256x512 index", &ByIndex(Data::new()));
    bench.run("norm-gelu 256x512 iterator", &ByIterator(Data::new()));
    bench.run("norm-gelu 256x512 function", &ByFunctions(Data::new()));
    bench.run("norm-gelu 256x512 math=fast", &Vectorized(Data::new()));
}
