//! Test functions of optimization, as collections of them are written.

use std::f64::consts::{E, PI};

use coenzyme::differentiable;
use num_traits::{Float, FloatConst, FromPrimitive};

#[differentiable]
pub fn ackley<T: Float + FloatConst>(x: &[T]) -> T {
    let n = T::from(x.len()).unwrap();
    let (a, b, c) = (
        T::from(20.0).unwrap(),
        T::from(0.2).unwrap(),
        T::from(2.0).unwrap() * T::PI(),
    );
    let s1 = x.iter().fold(T::zero(), |s, &v| s + v * v);
    let s2 = x.iter().fold(T::zero(), |s, &v| s + (c * v).cos());
    -a * (-b * (s1 / n).sqrt()).exp() - (s2 / n).exp() + a + T::one().exp()
}

#[differentiable]
pub fn ackley_plain(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let sum_sq = x.iter().map(|v| v.powi(2)).sum::<f64>();
    let sum_cos = x.iter().map(|v| (2.0 * PI * v).cos()).sum::<f64>();
    -20.0 * (-0.2 * (sum_sq / n).sqrt()).exp() - (sum_cos / n).exp() + 20.0 + E
}

#[differentiable]
pub fn rosenbrock<T: Float>(x: &[T]) -> T {
    let hundred = T::from(100.0).unwrap();
    x.windows(2)
        .map(|w| hundred * (w[1] - w[0].powi(2)).powi(2) + (T::one() - w[0]).powi(2))
        .fold(T::zero(), |a, b| a + b)
}

#[differentiable]
pub fn rosenbrock_sum<T: Float + FromPrimitive + std::iter::Sum>(param: &[T]) -> T {
    param
        .iter()
        .zip(param.iter().skip(1))
        .map(|(&xi, &xi1)| {
            (T::from_f64(1.0).unwrap() - xi).powi(2)
                + T::from_f64(100.0).unwrap() * (xi1 - xi.powi(2)).powi(2)
        })
        .sum()
}

#[differentiable]
pub fn rastrigin<T: Float + FloatConst + std::iter::Sum>(x: &[T]) -> T {
    let ten = T::from(10.0).unwrap();
    let n = T::from(x.len()).unwrap();
    ten * n
        + x.iter()
            .map(|v| v.powi(2) - ten * ((T::PI() + T::PI()) * *v).cos())
            .sum::<T>()
}

#[differentiable]
pub fn sphere(x: &[f64]) -> f64 {
    x.iter().map(|x| x.powi(2)).sum()
}

#[differentiable]
pub fn beale(p: &[f64; 2]) -> f64 {
    let [x, y] = *p;
    (1.5 - x + x * y).powi(2)
        + (2.25 - x + x * y.powi(2)).powi(2)
        + (2.625 - x + x * y.powi(3)).powi(2)
}

#[differentiable]
pub fn booth(p: &[f64; 2]) -> f64 {
    let &[x, y] = p;
    (x + 2.0 * y - 7.0).powi(2) + (2.0 * x + y - 5.0).powi(2)
}

#[differentiable]
pub fn himmelblau<T: Float>(p: &[T; 2]) -> T {
    let [x1, x2] = *p;
    (x1.powi(2) + x2 - T::from(11.0).unwrap()).powi(2)
        + (x1 + x2.powi(2) - T::from(7.0).unwrap()).powi(2)
}

#[differentiable]
pub fn himmelblau_at(x: f64, y: f64) -> f64 {
    himmelblau(&[x, y])
}

#[differentiable]
pub fn levy<T>(x: &[T]) -> T
where
    T: Float + FloatConst + FromPrimitive,
{
    let four = T::from_f64(4.0).unwrap();
    let w = |v: T| T::one() + (v - T::one()) / four;
    let n = x.len();
    let first = (T::PI() * w(x[0])).sin().powi(2);
    let mut sum = first;
    for i in 0..n - 1 {
        let wi = w(x[i]);
        sum = sum
            + (wi - T::one()).powi(2)
                * (T::one() + T::from_f64(10.0).unwrap() * (T::PI() * wi + T::one()).sin().powi(2));
    }
    let wn = w(x[n - 1]);
    sum + (wn - T::one()).powi(2)
        * (T::one() + (T::PI() * wn * (T::one() + T::one())).sin().powi(2))
}

#[differentiable]
pub fn styblinski_tang(x: &[f64]) -> f64 {
    x.iter()
        .map(|&v| v.powi(4) - 16.0 * v * v + 5.0 * v)
        .sum::<f64>()
        / 2.0
}

#[differentiable]
pub fn eggholder(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1] + 47.0);
    -b * (a / 2.0 + b).abs().sqrt().sin() - a * (a - b).abs().sqrt().sin()
}

#[differentiable]
pub fn griewank(x: &[f64]) -> f64 {
    let sum: f64 = x.iter().map(|v| v * v / 4000.0).sum();
    let product: f64 = x
        .iter()
        .enumerate()
        .map(|(i, v)| (v / ((i + 1) as f64).sqrt()).cos())
        .product();
    sum - product + 1.0
}

#[differentiable]
pub fn michalewicz(x: &[f64], m: i32) -> f64 {
    let mut s = 0.0;
    for (i, xi) in (1..).zip(x.iter()) {
        s -= xi.sin() * (i as f64 * xi * xi / PI).sin().powi(2 * m);
    }
    s
}

#[differentiable]
pub fn zakharov(x: &[f64]) -> f64 {
    let (s1, s2) = x
        .iter()
        .enumerate()
        .map(|(i, v)| (v * v, 0.5 * (i + 1) as f64 * v))
        .fold((0.0, 0.0), |(a, b), (c, d)| (a + c, b + d));
    s1 + s2.powi(2) + s2.powi(4)
}

#[differentiable]
pub fn checked_rosenbrock(x: &[f64]) -> Result<f64, String> {
    match x {
        [] | [_] => Err(String::from("at least two parameters")),
        _ => Ok(rosenbrock(x)),
    }
}

#[differentiable]
pub fn barrier(x: &[f64], mu: f64) -> Option<f64> {
    let mut value = sphere(x);
    for v in x {
        if *v <= 0.0 {
            return None;
        }
        value -= mu * v.ln();
    }
    Some(value)
}

#[differentiable]
pub fn penalty(x: &[f64], rho: f64) -> f64 {
    let constraints: [f64; 2] = [x[0] + x[1] - 1.0, x[0] * x[1] - 0.5];
    let violation: f64 = constraints.into_iter().map(|c| c.max(0.0).powi(2)).sum();
    sphere(x) + rho * violation
}

#[differentiable]
pub fn easom((x, y): (f64, f64)) -> f64 {
    -x.cos() * y.cos() * (-((x - PI).powi(2) + (y - PI).powi(2))).exp()
}

#[differentiable]
pub fn cross_in_tray(x: f64, y: f64) -> f64 {
    let inner = (100.0 - (x * x + y * y).sqrt() / PI).abs();
    -0.0001 * ((x.sin() * y.sin() * inner.exp().ln().exp()).abs() + 1.0).powf(0.1)
}

fn x() -> Vec<f64> {
    vec![0.4, -0.7, 1.3]
}

crate::subject::judge! {
    ackley(&x());
    ackley_plain(&x());
    rosenbrock(&x());
    rosenbrock_sum(&x());
    rastrigin(&x());
    sphere(&x());
    beale(&[0.4_f64, -0.7]);
    booth(&[0.4_f64, -0.7]);
    himmelblau_at(0.4, -0.7);
    levy(&x());
    styblinski_tang(&x());
    eggholder(&x());
    griewank(&x());
    michalewicz(&x(), 2);
    zakharov(&x());
    checked_rosenbrock(&x());
    barrier(&[0.4, 0.7, 1.3], 0.1);
    penalty(&[0.9, 0.7], 3.0);
    easom((2.7, 3.4));
}
