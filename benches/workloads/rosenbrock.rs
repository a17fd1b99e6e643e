//! Rosenbrock's function of 10, 100 and 1000 variables, by index and by an iterator.

use std::hint::black_box;

use coenzyme::prelude::*;
use coenzyme::{Dual, hvp};

use crate::measure::{Bench, Gradient, Workload, numbers};

#[differentiable(order = 2)]
fn by_index(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() - 1 {
        let a = 1.0 - x[i];
        let b = x[i + 1] - x[i] * x[i];
        sum += a * a + 100.0 * b * b;
    }
    sum
}

#[differentiable]
fn by_windows(x: &[f64]) -> f64 {
    x.windows(2)
        .map(|w| {
            let (a, b) = (1.0 - w[0], w[1] - w[0] * w[0]);
            a * a + 100.0 * b * b
        })
        .sum()
}

fn by_hand(x: &[f64], dx: &mut [f64]) {
    let n = x.len();
    let dx = &mut dx[..n];
    for i in 0..n - 1 {
        let b = 200.0 * (x[i + 1] - x[i] * x[i]);
        dx[i] -= 2.0 * (1.0 - x[i]) + 2.0 * b * x[i];
        dx[i + 1] += b;
    }
}

macro_rules! workload {
    ($name:ident, $f:ident) => {
        struct $name(Vec<f64>);

        impl Workload for $name {
            fn lengths(&self) -> Vec<usize> {
                vec![self.0.len()]
            }
            fn primal(&self) -> f64 {
                $f(black_box(&self.0))
            }
            fn hand(&self, d: &mut Gradient) {
                by_hand(&self.0, &mut d[0]);
            }
            fn generated(&self, d: &mut Gradient) {
                autodiff!(Reverse, $f, Active, Duplicated(&self.0[..], &mut d[0][..]));
            }
            fn tape_bytes(&self) -> usize {
                let mut dx = self.0.clone();
                let args = &mut (Duplicated(&self.0[..], &mut dx[..]),);
                Thunk::<_, Active<f64>>::new($f {})
                    .augmented(args)
                    .tape
                    .bytes()
            }
        }
    };
}

workload!(ByIndex, by_index);
workload!(ByWindows, by_windows);

/// Hessian-vector products, with the gradient in the place of the primal: `<gradient/primal>` is the cost of a product in gradients.
struct Product {
    x: Vec<f64>,
    v: Vec<f64>,
}

impl Workload for Product {
    fn lengths(&self) -> Vec<usize> {
        vec![self.x.len()]
    }
    fn primal(&self) -> f64 {
        black_box(gradient!(by_index, black_box(&self.x[..])).0)[0]
    }
    fn hand(&self, d: &mut Gradient) {
        let (x, v, d) = (&self.x, &self.v, &mut d[0]);
        for i in 0..x.len() - 1 {
            d[i] +=
                (2.0 + 1200.0 * x[i] * x[i] - 400.0 * x[i + 1]) * v[i] - 400.0 * x[i] * v[i + 1];
            d[i + 1] += 200.0 * v[i + 1] - 400.0 * x[i] * v[i];
        }
    }
    fn generated(&self, d: &mut Gradient) {
        let product = hvp(&by_index {}, &self.x, &self.v);
        d[0].iter_mut().zip(product).for_each(|(d, p)| *d += p);
    }
    fn tape_bytes(&self) -> usize {
        let x: Vec<_> = self.x.iter().map(|&x| Dual::variable(x)).collect();
        let mut dx = x.clone();
        let args = &mut (Duplicated(&x[..], &mut dx[..]),);
        let thunk = Thunk::<_, Active<Dual<f64>>>::new(by_index {});
        thunk.augmented(args).tape.bytes()
    }
}

pub(crate) fn run(bench: &Bench) {
    for n in [10, 100, 1000] {
        bench.run(
            &format!("rosenbrock n={n} index"),
            &ByIndex(numbers(2, n, -1.0, 1.5)),
        );
        let (x, v) = (numbers(2, n, -1.0, 1.5), numbers(3, n, -1.0, 1.0));
        bench.run(&format!("rosenbrock n={n} hvp"), &Product { x, v });
        bench.run(
            &format!("rosenbrock n={n} windows"),
            &ByWindows(numbers(2, n, -1.0, 1.5)),
        );
    }
}
