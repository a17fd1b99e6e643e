//! Structs with memory that are lent by a vector, or taken out of it, under names of their own; methods of entries that may give no value.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, Tangent)]
struct Pair {
    s: Vec<f64>,
    rho: f64,
}

#[differentiable]
impl Pair {
    fn scaled(&self, k: f64) -> Vec<f64> {
        self.s.iter().map(|x| x * k).collect()
    }
}

#[differentiable]
fn split(x: &[f64]) -> f64 {
    let p = Pair {
        s: x.to_vec(),
        rho: x[0],
    };
    let mut v = p.scaled(p.rho).split_off(1);
    v[0] -= 1.0;
    v.iter().map(|x| x * x).sum()
}

#[differentiable]
fn lent(x: &[f64]) -> f64 {
    let pairs = vec![
        Pair {
            s: vec![x[0], x[1]],
            rho: x[2],
        },
        Pair {
            s: vec![x[1]],
            rho: x[3],
        },
    ];
    let last = pairs.last().unwrap();
    let Pair { s, rho } = pairs.first().unwrap();
    last.s[0] + last.rho + s[1] + rho
}

#[differentiable]
fn forgotten(x: f64) -> f64 {
    let mut history = vec![
        Pair { s: vec![x], rho: x },
        Pair {
            s: vec![x * x],
            rho: 2.0 * x,
        },
        Pair {
            s: vec![x, 1.0],
            rho: x * x,
        },
    ];
    let old = history.remove(0);
    let Pair { s, rho } = history.swap_remove(1);
    let kept = Pair {
        s: history.remove(0).s,
        rho,
    };
    old.s[0] + s[1] * old.rho + kept.s[0] + kept.rho
}

#[differentiable]
fn chosen(x: &[f64], c: bool) -> f64 {
    let p = if c {
        Pair {
            s: vec![x[0], x[1]],
            rho: x[2],
        }
    } else {
        Pair {
            s: vec![x[2], x[1]],
            rho: x[0],
        }
    };
    p.s[0] + p.s[1] + p.rho
}

#[derive(Clone, Copy, Debug, Default, Tangent)]
struct Mean {
    n: f64,
    m: f64,
}

#[differentiable]
impl Mean {
    fn push(self, x: f64) -> Self {
        Mean {
            n: self.n + 1.0,
            m: self.m + x * x,
        }
    }
    fn mean(self) -> Option<f64> {
        if self.n > 1.0 {
            Some(self.m / self.n)
        } else {
            None
        }
    }
    fn sum(self) -> f64 {
        self.n * self.m
    }
}

#[differentiable]
fn of_the_last(x: f64) -> f64 {
    let means = vec![Mean { n: 2.0, m: x }, Mean { n: 3.0, m: x * x }];
    let last = means.last().unwrap();
    let a = means.last().unwrap().mean().unwrap_or(1.0);
    a + last.mean().unwrap_or(0.5) + means[means.len() - 1].sum()
}

#[differentiable]
fn of_a_fold(x: &[f64]) -> f64 {
    let w = x.iter().fold(Mean::default(), |w, &v| w.push(v));
    let mut u = Mean { n: 0.0, m: x[0] };
    for v in x {
        u = u.push(*v);
    }
    w.mean().unwrap_or(0.0) * u.mean().unwrap_or(1.0) + u.m
}

#[differentiable]
fn either_chosen(x: &[f64]) -> f64 {
    chosen(x, true) * chosen(x, false)
}

#[differentiable]
fn of_a_short_fold(x: &[f64]) -> f64 {
    of_a_fold(x)
}

judge! {
    split(&any(4)); lent(&any(4)); forgotten(0.3); either_chosen(&any(3)); of_the_last(0.4); of_a_fold(&any(4)); of_a_short_fold(&any(1));
}
