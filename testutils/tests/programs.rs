//! `test_gradient!` of functions as people write them: one line each, in both modes.

use coenzyme::ndarray::{ArrayRef1, ArrayRef2, array};
use coenzyme::prelude::*;
use coenzyme::{Real, Tangent};
use coenzyme_testutils::test_gradient;

const GRAVITY: f64 = 9.81;
const WEIGHTS: [f64; 3] = [0.25, 0.5, 0.25];
static OFFSET: f64 = 0.125;

#[derive(Clone, Copy, Debug, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Debug, Tangent)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Options {
    #[tangent(inactive)]
    steps: usize,
    rate: f64,
}

#[derive(Debug, Clone, PartialEq)]
enum Trouble {
    Empty,
    Negative(usize),
}

macro_rules! programs {
    ($($name:ident { $($call:tt)* })*) => {$(
        #[test]
        fn $name() {
            test_gradient! { $($call)* }
        }
    )*};
}

#[differentiable]
fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

#[differentiable]
fn variance(x: &[f64]) -> f64 {
    let m = mean(x);
    x.iter().map(|v| (v - m).powi(2)).sum::<f64>() / (x.len() - 1) as f64
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn cosine(a: &[f64], b: &[f64]) -> f64 {
    dot(a, b) / (dot(a, a).sqrt() * dot(b, b).sqrt())
}

#[differentiable]
fn distance(p: &Point, q: &Point) -> f64 {
    (p.x - q.x).hypot(p.y - q.y)
}

#[differentiable]
fn norm_of(p: &Point) -> f64 {
    (p.x * p.x + p.y * p.y).sqrt()
}

#[differentiable]
fn dense(layer: &Layer, x: &[f64]) -> f64 {
    let mut sum = layer.bias;
    for (w, x) in layer.weights.iter().zip(x) {
        sum += w * x;
    }
    sum.tanh()
}

#[differentiable]
fn range_of_throw(speed: f64, angle: f64) -> f64 {
    speed * speed * (2.0 * angle).sin() / GRAVITY
}

#[differentiable]
fn smoothed(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for window in x.windows(3) {
        let mut s = OFFSET;
        for (w, x) in WEIGHTS.iter().zip(window) {
            s += w * x;
        }
        total += s * s;
    }
    total
}

#[differentiable]
fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |acc, c| acc * x + c)
}

#[differentiable]
fn compound(principal: f64, rate: f64, years: u32) -> f64 {
    let mut value = principal;
    for _ in 0..years {
        value *= 1.0 + rate;
    }
    value
}

#[differentiable]
fn newton_root(a: f64, steps: usize) -> f64 {
    let mut x = a;
    for _ in 0..steps {
        x = 0.5 * (x + a / x);
    }
    x
}

#[differentiable]
fn log_mean(x: &[f64]) -> Result<f64, Trouble> {
    if x.is_empty() {
        return Err(Trouble::Empty);
    }
    let mut sum = 0.0;
    for (i, v) in x.iter().enumerate() {
        if *v < 0.0 {
            return Err(Trouble::Negative(i));
        }
        sum += v.ln();
    }
    Ok(sum / x.len() as f64)
}

#[differentiable]
fn checked_ratio(a: f64, b: f64) -> Option<f64> {
    if b == 0.0 {
        return None;
    }
    Some(a / b)
}

#[differentiable]
fn geometric_or_error(x: &[f64]) -> Result<f64, Trouble> {
    let log = log_mean(x)?;
    Ok(log.exp())
}

#[differentiable]
fn normalize(y: &mut [f64], x: &[f64]) -> f64 {
    let norm = dot(x, x).sqrt();
    for i in 0..x.len() {
        y[i] = x[i] / norm;
    }
    y[0] - y[1]
}

#[differentiable]
fn step_in_place(state: &mut [f64], dt: f64) -> f64 {
    let (x, v) = (state[0], state[1]);
    state[0] = x + dt * v;
    state[1] = v - dt * x;
    state[0] * state[0] + state[1]
}

#[differentiable]
fn generic_cube<T: Real>(x: T) -> T {
    x * x * x
}

#[differentiable]
fn area<T>(w: T, h: T) -> T
where
    T: Real,
{
    w * h / (T::one() + w * w)
}

#[differentiable]
fn trace(a: &ArrayRef2<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.nrows() {
        sum += a[[i, i]] * a[[i, i]];
    }
    sum
}

#[differentiable]
fn quadratic_form(a: &ArrayRef2<f64>, x: &ArrayRef1<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..a.nrows() {
        for j in 0..a.ncols() {
            sum += x[i] * a[[i, j]] * x[j];
        }
    }
    sum
}

#[differentiable]
fn determinant(m: [[f64; 2]; 2]) -> f64 {
    m[0][0] * m[1][1] - m[0][1] * m[1][0]
}

#[differentiable]
fn softplus(x: f64) -> f64 {
    if x > 20.0 { x } else { x.exp().ln_1p() }
}

#[differentiable]
fn huber(r: f64, delta: f64) -> f64 {
    match r.abs() <= delta {
        true => 0.5 * r * r,
        false => delta * (r.abs() - 0.5 * delta),
    }
}

#[differentiable]
fn logistic_loss(w: &[f64], x: &[f64], label: bool) -> f64 {
    let z = dot(w, x);
    let p = 1.0 / (1.0 + (-z).exp());
    if label { -p.ln() } else { -(1.0 - p).ln() }
}

#[differentiable]
fn softmax_entropy(x: &[f64]) -> f64 {
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = x.iter().map(|x| (x - max).exp()).sum();
    let mut entropy = 0.0;
    for v in x {
        let p = (v - max).exp() / sum;
        entropy -= p * p.ln();
    }
    entropy
}

#[differentiable]
fn descent(start: f64, options: &Options) -> f64 {
    let mut x = start;
    for _ in 0..options.steps {
        x -= options.rate * (2.0 * x + x.sin());
    }
    x
}

#[differentiable]
fn interpolate(grid: &[f64], t: f64) -> f64 {
    let i = (t.floor() as usize).min(grid.len() - 2);
    let f = t - i as f64;
    grid[i] * (1.0 - f) + grid[i + 1] * f
}

#[differentiable]
fn by_index(x: &[f64], order: &[usize]) -> f64 {
    let mut sum = 0.0;
    for (k, i) in order.iter().enumerate() {
        sum += x[*i] * (k as f64 + 1.0);
    }
    sum
}

#[differentiable]
fn tuple_swap(pair: (f64, f64)) -> f64 {
    let (a, b) = pair;
    a.sin() * b - b.cos() * a
}

#[differentiable]
fn black_scholes_d1(s: f64, k: f64, r: f64, sigma: f64, t: f64) -> f64 {
    ((s / k).ln() + (r + 0.5 * sigma * sigma) * t) / (sigma * t.sqrt())
}

#[differentiable]
fn trapezoid(a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    let f = |x: f64| (-x * x).exp();
    let mut sum = 0.5 * (f(a) + f(b));
    for i in 1..n {
        sum += f(a + i as f64 * h);
    }
    sum * h
}

#[differentiable]
fn pendulum(angle: f64, length: f64) -> f64 {
    let (mut q, mut p) = (angle, 0.0);
    let dt = 0.01;
    let mut t = 0.0;
    while t < 0.2 {
        p -= dt * GRAVITY / length * q.sin();
        q += dt * p;
        t += dt;
    }
    q
}

#[differentiable]
fn cumulative(x: &[f64]) -> f64 {
    let mut running = Vec::with_capacity(x.len());
    let mut sum = 0.0;
    for v in x {
        sum += v * v;
        running.push(sum);
    }
    running.iter().product()
}

#[differentiable]
fn string_switch(x: f64, kind: &str) -> f64 {
    match kind {
        "square" => x * x,
        "cube" => x * x * x,
        _ => x,
    }
}

#[differentiable]
fn largest(x: &[f64]) -> f64 {
    let mut best = x[0];
    for v in &x[1..] {
        if *v > best {
            best = *v;
        }
    }
    best * best
}

#[differentiable]
fn single(x: f32, y: f32) -> f32 {
    x * y.sin() + x * x
}

#[differentiable]
fn owned(x: Vec<f64>) -> f64 {
    let y: Vec<f64> = x.iter().map(|x| x * 2.0).collect();
    y.iter().zip(&x).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn matrix_rows(a: &[Vec<f64>]) -> f64 {
    let mut sum = 0.0;
    for row in a {
        sum += dot(row, row).sqrt();
    }
    sum
}

#[differentiable]
fn fixed(x: &[f64; 3]) -> f64 {
    let [a, b, c] = *x;
    a * b + b * c + c * a
}

#[differentiable]
fn early(x: &[f64], limit: f64) -> f64 {
    let mut sum = 0.0;
    for v in x {
        if sum > limit {
            break;
        }
        if *v < 0.0 {
            continue;
        }
        sum += v.powf(1.5);
    }
    sum
}

#[differentiable]
fn add_all<T: Real>(x: &[T], scale: T) -> T {
    let mut sum = T::zero();
    for v in x {
        sum += *v * scale;
    }
    sum * sum
}

fn x() -> Vec<f64> {
    vec![0.5, 1.75, -0.25, 1.0]
}

fn positive() -> Vec<f64> {
    vec![0.5, 1.75, 0.25, 1.0]
}

programs! {
    means { mean(&x()) }
    variances { variance(&x()) }
    dots { dot(&x(), &positive()) }
    cosines { cosine(&x(), &positive()) }
    cosines_of_one { cosine(&x(), Const(&positive())) }
    distances { distance(&Point { x: 1.0, y: 2.0 }, &Point { x: -0.5, y: 0.25 }) }
    norms { norm_of(&Point { x: 1.0, y: 2.0 }) }
    layers { dense(&Layer { weights: vec![0.5, -0.25, 1.0, 0.125], bias: 0.1 }, &x()) }
    layers_of_data { dense(&Layer { weights: vec![0.5, -0.25, 1.0, 0.125], bias: 0.1 }, Const(&x())) }
    throws { range_of_throw(12.0, 0.6) }
    windows { smoothed(&x()) }
    polynomials { horner(&x(), 0.75) }
    interest { compound(1000.0, 0.03, 7) }
    roots { newton_root(2.0, 5) }
    results { log_mean(&positive()) }
    options { checked_ratio(1.5, -0.75) }
    questions { geometric_or_error(&positive()) }
    outputs { normalize(&mut vec![0.0; 4], &x()) }
    states { step_in_place(&mut [1.0, 0.5], 0.1) }
    generics { generic_cube(1.5) }
    generics_with_where { area(1.5, 0.5) }
    matrices { trace(&array![[1.0, 2.0], [3.0, 4.0]]) }
    forms { quadratic_form(&array![[1.0, 2.0], [3.0, 4.0]], &array![0.5, -1.5]) }
    arrays_of_arrays { determinant([[1.0, 2.0], [3.0, 4.5]]) }
    branches { softplus(0.5) }
    branches_far { softplus(25.0) }
    matches { huber(2.0, 0.75) }
    labels { logistic_loss(&x(), Const(&positive()), true) }
    entropies { softmax_entropy(&x()) }
    settings { descent(1.5, &Options { steps: 4, rate: 0.1 }) }
    grids { interpolate(&x(), 1.4) }
    indices { by_index(&x(), &[2, 0, 1]) }
    tuples { tuple_swap((0.5, 1.25)) }
    prices { black_scholes_d1(100.0, 95.0, 0.02, 0.3, 0.5) }
    integrals { trapezoid(0.25, 1.5, 12) }
    loops { pendulum(0.4, 1.5) }
    pushes { cumulative(&x()) }
    strings { string_switch(1.5, "cube") }
    maxima { largest(&x()) }
    single_precision { single(1.5, 0.5) }
    vectors { owned(x()) }
    rows { matrix_rows(&vec![x(), positive()]) }
    fixed_arrays { fixed(&[0.5, -1.5, 2.0]) }
    exits { early(&x(), 2.0) }
    generic_slices { add_all(&x(), 0.5) }
}
