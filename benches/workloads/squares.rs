//! `Σ (x − μ)²`, with both active and with one of them `Const`.

use std::hint::black_box;

use coenzyme::prelude::*;

use crate::measure::{Bench, Gradient, Workload, numbers};

/// By index.
#[differentiable]
fn by_index(x: &[f64], mu: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let d = x[i] - mu;
        sum += d * d;
    }
    sum
}

/// By an iterator.
#[differentiable]
fn by_iterator(x: &[f64], mu: f64) -> f64 {
    x.iter().map(|x| (x - mu) * (x - mu)).sum()
}

struct Squares {
    x: Vec<f64>,
    mu: f64,
}

/// Declares a workload: the primal, the hand-written adjoint, the annotated call.
macro_rules! workloads {
    ($($name:ident: $f:ident, [$($n:expr),*], $hand:expr, |$s:ident, $d:ident| ($($arg:expr),*) => $add:expr;)*) => {$(
        struct $name(Squares);

        impl Workload for $name {
            fn lengths(&self) -> Vec<usize> {
                let $s = &self.0;
                vec![$($n($s)),*]
            }
            fn primal(&self) -> f64 {
                $f(black_box(&self.0.x), self.0.mu)
            }
            fn hand(&self, d: &mut Gradient) {
                let hand: fn(&Squares, &mut Gradient) = $hand;
                hand(&self.0, d);
            }
            fn generated(&self, $d: &mut Gradient) {
                let $s = &self.0;
                let (gradients,) = autodiff!(Reverse, $f, Active, $($arg),*);
                let add: fn(&mut Gradient, _) = $add;
                add($d, gradients);
            }
            fn tape_bytes(&self) -> usize {
                let $s = &self.0;
                let $d: &mut Gradient = &mut vec![vec![0.0; $s.x.len()]];
                let _ = &$d;
                Thunk::<_, Active<f64>>::new($f {}).augmented(&mut ($($arg,)*)).tape.bytes()
            }
        }
    )*};
}

fn all(s: &Squares) -> usize {
    s.x.len()
}
fn one(_: &Squares) -> usize {
    1
}

fn both_by_hand(s: &Squares, d: &mut Gradient) {
    let [dx, dmu] = &mut d[..] else { return };
    let mut sum = 0.0;
    for (dx, x) in dx.iter_mut().zip(&s.x) {
        let d = 2.0 * (x - s.mu);
        *dx += d;
        sum -= d;
    }
    dmu[0] += sum;
}

fn x_by_hand(s: &Squares, d: &mut Gradient) {
    for (dx, x) in d[0].iter_mut().zip(&s.x) {
        *dx += 2.0 * (x - s.mu);
    }
}

fn mu_by_hand(s: &Squares, d: &mut Gradient) {
    d[0][0] -= s.x.iter().map(|x| 2.0 * (x - s.mu)).sum::<f64>();
}

workloads! {
    Both: by_index, [all, one], both_by_hand,
        |s, d| (Duplicated(&s.x[..], &mut d[0][..]), Active(s.mu)) => |d, ((), dmu)| d[1][0] += dmu;
    OnlyX: by_index, [all], x_by_hand,
        |s, d| (Duplicated(&s.x[..], &mut d[0][..]), Const(s.mu)) => |_, ((), ())| {};
    OnlyMu: by_index, [one], mu_by_hand, |s, d| (Const(&s.x[..]), Active(s.mu)) => |d, ((), dmu)| d[0][0] += dmu;
    BothByIterator: by_iterator, [all, one], both_by_hand,
        |s, d| (Duplicated(&s.x[..], &mut d[0][..]), Active(s.mu)) => |d, ((), dmu)| d[1][0] += dmu;
    OnlyXByIterator: by_iterator, [all], x_by_hand,
        |s, d| (Duplicated(&s.x[..], &mut d[0][..]), Const(s.mu)) => |_, ((), ())| {};
}

pub(crate) fn run(bench: &Bench) {
    let squares = || Squares {
        x: numbers(1, 10_000, -1.0, 1.0),
        mu: 0.3,
    };
    bench.run("squares index", &Both(squares()));
    bench.run("squares index, mu Const", &OnlyX(squares()));
    bench.run("squares index, x Const", &OnlyMu(squares()));
    bench.run("squares iterator", &BothByIterator(squares()));
    bench.run("squares iterator, mu Const", &OnlyXByIterator(squares()));
}
