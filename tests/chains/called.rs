//! Parameters that are called with memory, by reference or by a pointer: what integrators and optimizers take.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn midpoint<F: Fn(f64, &[f64]) -> Vec<f64>>(f: F, t: f64, y: &[f64], h: f64) -> Vec<f64> {
    let k = f(t, y);
    let mut half = vec![0.0; y.len()];
    for i in 0..y.len() {
        half[i] = y[i] + 0.5 * h * k[i];
    }
    let k = f(t + 0.5 * h, &half);
    (0..y.len()).map(|i| y[i] + h * k[i]).collect()
}

#[differentiable]
fn integrated(x: &[f64]) -> f64 {
    let k = x[0];
    let mut y = vec![x[1], 0.2];
    for s in 0..3 {
        y = midpoint(
            |t: f64, y: &[f64]| vec![y[1] + t, -k * y[0]],
            0.1 * s as f64,
            &y,
            0.1,
        );
    }
    y[0] * y[1]
}

#[differentiable]
fn euler<F>(rhs: F, y: &mut [f64], h: f64, n: usize)
where
    F: Fn(f64, &[f64], &mut [f64]),
{
    let mut dy = vec![0.0; y.len()];
    for s in 0..n {
        rhs(s as f64 * h, y, &mut dy);
        for (a, d) in y.iter_mut().zip(&dy) {
            *a += h * d;
        }
    }
}

#[differentiable]
fn into_memory(x: &[f64]) -> f64 {
    let k = x[0];
    let mut y = [x[1], 0.2];
    euler(
        |t, y, dy| {
            dy[0] = y[1] * t;
            dy[1] = -k * y[0];
        },
        &mut y,
        0.1,
        4,
    );
    y[0] * y[1]
}

#[differentiable]
fn evaluated(g: impl Fn(&[f64], &mut [f64]), x: f64) -> f64 {
    let nodes = [0.5, 2.0];
    let mut out = [0.0; 2];
    g(&nodes, &mut out);
    out[0] * x + out[1]
}

#[differentiable]
fn only_captures_are_active(x: &[f64]) -> f64 {
    let k = x[1];
    evaluated(
        |a, b| {
            b[0] = a[0] * k;
            b[1] = a[1] * k * k;
        },
        x[0],
    )
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn by_pointer(g: fn(f64) -> f64, a: f64, b: f64) -> f64 {
    g(0.5 * (a + b)) * g(a) - g(b)
}

#[differentiable]
fn pointers(x: &[f64]) -> f64 {
    by_pointer(square, x[0], x[1]) + by_pointer(|t| t.sin(), x[0], x[1])
}

#[differentiable]
fn trapezoids(g: &dyn Fn(f64) -> f64, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    let mut sum = 0.5 * (g(a) + g(b));
    for i in 1..n {
        sum += g(a + h * i as f64);
    }
    sum * h
}

#[differentiable]
fn objects(x: &[f64]) -> f64 {
    let a = x[0];
    trapezoids(&|t| a * t * t, 0.0, x[1], 5) * trapezoids(&square, a, x[1], 3)
}

#[differentiable]
fn slope<F: Fn(f64) -> f64>(g: &F, a: f64) -> f64 {
    (g(a + 1e-3) - g(a - 1e-3)) / 2e-3
}

#[differentiable]
fn newton<F: Fn(f64) -> f64>(g: F, start: f64) -> f64 {
    let mut x = start;
    for _ in 0..3 {
        x -= g(x) / slope(&g, x);
    }
    x
}

#[differentiable]
fn by_reference(x: &[f64]) -> f64 {
    let c = x[0];
    newton(|t| t * t - c, x[1])
}

#[differentiable]
fn differences<F>(g: &F, x: &[f64], out: &mut [f64])
where
    F: Fn(&[f64]) -> f64,
{
    let mut w = x.to_vec();
    for i in 0..x.len() {
        let old = w[i];
        w[i] = old + 0.01;
        let up = g(&w);
        w[i] = old - 0.01;
        out[i] = (up - g(&w)) / 0.02;
        w[i] = old;
    }
}

#[differentiable]
fn changed_between_calls(x: &[f64]) -> f64 {
    let mut g = vec![0.0; 2];
    differences(&|p: &[f64]| p[0] * p[0] * p[1].sin(), x, &mut g);
    g[0] * g[1]
}

#[differentiable]
fn inner(g: &dyn Fn(&[f64]) -> f64, x: &[f64]) -> f64 {
    g(x)
}

#[differentiable]
fn outer(g: &dyn Fn(&[f64]) -> f64, x: &[f64]) -> f64 {
    inner(g, x) + inner(&g, &x[..]) * g(&[1.0, x[1], x[0]])
}

#[differentiable]
fn passed_on(x: &[f64]) -> f64 {
    let k = x[1];
    outer(&|p| p[0] * k + p[1], x)
}

#[differentiable]
fn descend(g: impl Fn(&[f64]) -> f64, x: &[f64], d: &[f64]) -> f64 {
    let before = g(x);
    let mut t = 1.0;
    let mut w = x.to_vec();
    for _ in 0..5 {
        for i in 0..w.len() {
            w[i] = x[i] + t * d[i];
        }
        if g(&w) < before {
            break;
        }
        t *= 0.5;
    }
    t * before + g(&w)
}

#[differentiable]
fn compared(x: &[f64]) -> f64 {
    let d = [-0.3, -2.0 * x[1]];
    descend(|p| p[0] * p[0] + p[1] * p[1], x, &d)
}

#[differentiable]
fn richardson(op: &dyn Fn(&[f64]) -> Vec<f64>, b: &[f64], n: usize) -> Vec<f64> {
    let mut x = vec![0.0; b.len()];
    for _ in 0..n {
        let ax = op(&x);
        for i in 0..x.len() {
            x[i] += 0.2 * (b[i] - ax[i]);
        }
    }
    x
}

#[differentiable]
fn captures_a_matrix(x: &[f64]) -> f64 {
    let a = [[2.0 * x[0], 0.3], [0.3, x[1]]];
    let rows = |v: &[f64]| {
        vec![
            a[0][0] * v[0] + a[0][1] * v[1],
            a[1][0] * v[0] + a[1][1] * v[1],
        ]
    };
    let s = richardson(&rows, &[1.0, x[0]], 6);
    s[0] + s[1] * s[0]
}

#[derive(Clone, Copy, Tangent)]
struct State {
    at: f64,
    speed: f64,
}

#[differentiable]
fn two_steps(step: &dyn Fn(&State, f64) -> State, s: &State) -> State {
    let s = step(s, 0.1);
    step(&s, 0.2)
}

#[differentiable]
fn structures(x: &[f64]) -> f64 {
    let s = State {
        at: x[0],
        speed: x[1],
    };
    let s = two_steps(
        &|s: &State, h| State {
            at: s.at + h * s.speed,
            speed: s.speed - h * s.at,
        },
        &s,
    );
    s.at * s.speed
}

#[differentiable]
fn of_vectors(g: impl Fn(&Vec<f64>) -> f64, x: &Vec<f64>) -> f64 {
    g(x) * g(&vec![x[1], 2.0])
}

#[differentiable]
fn vectors(x: &[f64]) -> f64 {
    let (v, k) = (x.to_vec(), x[1]);
    of_vectors(|p: &Vec<f64>| p[0] * k, &v)
}

#[differentiable]
fn total<F: Fn(usize) -> f64>(n: usize, g: F) -> f64 {
    (0..n).map(|i| g(i)).sum()
}

#[differentiable]
fn by_number(x: &[f64]) -> f64 {
    total(2, |i| x[i] * x[i].sin())
}

#[differentiable]
fn captured_and_changed(x: &mut [f64], a: f64) -> f64 {
    let mut w = [a, x[0]];
    let before = total(2, |i| x[i] * w[i].sin());
    w[0] = before * x[1];
    x[1] = w[0] * a;
    before * total(2, |i| x[i] * w[i].sin())
}

#[differentiable]
fn shifted(g: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    g(x + 0.5)
}

#[differentiable]
fn sum_of_shifted(g: &dyn Fn(f64) -> f64, n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        sum += shifted(g, i as f64).sin();
    }
    sum
}

#[differentiable]
fn handed_on_and_changed(x: &mut [f64]) -> f64 {
    let s = sum_of_shifted(&|t| t * x[0] * x[1], 3);
    x[1] = s * s;
    s * sum_of_shifted(&|t| t * x[0] + x[1], 2)
}

#[differentiable]
fn from_one_half(g: &dyn Fn(&mut [f64], f64), n: usize) -> f64 {
    let mut s = [0.5];
    for i in 0..n {
        g(&mut s, i as f64);
    }
    s[0]
}

#[differentiable]
fn writes_what_it_captures(x: &[f64]) -> f64 {
    let k = x[1];
    let named = |s: &mut [f64], t: f64| s[0] += k * t;
    from_one_half(
        &|s, t| {
            s[0] = s[0] * k + t;
        },
        3,
    ) * x[0]
        + from_one_half(&named, 2)
}

#[differentiable]
fn for_nothing(g: impl Fn(f64) -> f64, x: f64) -> f64 {
    g(x);
    g(x + 1.0)
}

#[differentiable]
fn unused(x: &[f64]) -> f64 {
    let k = x[1];
    for_nothing(|t| t * k, x[0])
}

/// Nodes and weights of a quadrature.
#[derive(Clone, Debug, Tangent)]
struct Quadrature {
    nodes: Vec<f64>,
    weights: Vec<f64>,
}

#[differentiable]
impl Quadrature {
    fn at(t: f64, a: f64, b: f64) -> f64 {
        0.5 * ((b - a) * t + a + b)
    }

    fn integrate<F>(&self, a: f64, b: f64, f: F) -> f64
    where
        F: Fn(f64) -> f64,
    {
        let pairs = self.nodes.iter().zip(self.weights.iter());
        let sum: f64 = pairs.map(|(t, w)| f(Self::at(*t, a, b)) * w).sum();
        0.5 * (b - a) * sum
    }

    fn between(&self, f: impl Fn(f64) -> f64, g: &dyn Fn(f64) -> f64, t: f64) -> f64 {
        f(t) * g(self.nodes[0] + t)
    }

    fn descend<G: Fn(&[f64]) -> Vec<f64>>(&self, from: &[f64], gradient: &G) -> Vec<f64> {
        let mut x = from.to_vec();
        for _ in 0..3 {
            let g = gradient(&x);
            for (x, g) in x.iter_mut().zip(&g) {
                *x -= self.weights[0] * g;
            }
        }
        x
    }
}

#[differentiable]
fn by_methods(x: &[f64]) -> f64 {
    let rule = Quadrature {
        nodes: vec![-0.577, 0.577],
        weights: vec![0.1 * x[1], 1.0],
    };
    let (a, b) = (x[0], x[1]);
    let low = rule.descend(&[1.0, -1.0], &|p| vec![2.0 * (p[0] - a), 4.0 * p[1] * p[0]]);
    rule.integrate(a, b, |t| (t * a).sin()) * low[0] * low[1]
        + rule.between(|t| t * b, &|t| t * t * a, a)
}

judge! {
    by_methods (&[0.4, 1.3]);
    integrated (&[0.4, 1.3]);
    into_memory (&[0.4, 1.3]);
    only_captures_are_active (&[0.4, 1.3]);
    pointers (&[0.4, 1.3]);
    objects (&[0.4, 1.3]);
    by_reference (&[0.4, 1.3]);
    changed_between_calls (&[0.4, 1.3]);
    passed_on (&[0.4, 1.3]);
    compared (&[0.4, 1.3]);
    captures_a_matrix (&[0.4, 1.3]);
    structures (&[0.4, 1.3]);
    vectors (&[0.4, 1.3]);
    by_number (&[0.4, 1.3]);
    captured_and_changed (&mut vec![0.4, 1.3], 0.7);
    handed_on_and_changed (&mut vec![0.4, 1.3]);
    writes_what_it_captures (&[0.9, 0.2]);
    unused (&[0.4, 1.3]);
}
