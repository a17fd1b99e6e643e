//! Interpolation, splines, Bézier curves, polynomials.

use coenzyme::{Tangent, differentiable};
use num_traits::Float;

#[derive(Debug, Clone, PartialEq)]
pub enum InterpError {
    TooFew(usize),
    OutOfDomain,
}

#[differentiable]
pub fn lerp<T: Float>(a: T, b: T, t: T) -> T {
    a + (b - a) * t
}

#[differentiable]
pub fn smoothstep<T>(edge0: T, edge1: T, x: T) -> T
where
    T: Float,
{
    let t = ((x - edge0) / (edge1 - edge0)).max(T::zero()).min(T::one());
    t * t * (T::from(3.0).unwrap() - T::from(2.0).unwrap() * t)
}

#[differentiable]
pub fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |acc, &c| acc * x + c)
}

#[differentiable]
pub fn clenshaw(c: &[f64], x: f64) -> f64 {
    let (mut b1, mut b2) = (0.0, 0.0);
    for &ck in c[1..].iter().rev() {
        let b = 2.0 * x * b1 - b2 + ck;
        b2 = b1;
        b1 = b;
    }
    x * b1 - b2 + c[0]
}

#[differentiable]
pub fn lagrange(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    let mut total = 0.0;
    for i in 0..xs.len() {
        let mut term = ys[i];
        for j in 0..xs.len() {
            if i != j {
                term *= (x - xs[j]) / (xs[i] - xs[j]);
            }
        }
        total += term;
    }
    total
}

#[differentiable]
pub fn neville(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    let mut p = ys.to_vec();
    let n = p.len();
    for k in 1..n {
        for i in 0..n - k {
            p[i] = ((x - xs[i + k]) * p[i] + (xs[i] - x) * p[i + 1]) / (xs[i] - xs[i + k]);
        }
    }
    p[0]
}

#[differentiable]
pub fn linear_interp(xs: &[f64], ys: &[f64], x: f64) -> Result<f64, InterpError> {
    if xs.len() < 2 {
        return Err(InterpError::TooFew(xs.len()));
    }
    if x < xs[0] || x > xs[xs.len() - 1] {
        return Err(InterpError::OutOfDomain);
    }
    let i = xs
        .windows(2)
        .position(|w| x <= w[1])
        .ok_or(InterpError::OutOfDomain)?;
    let t = (x - xs[i]) / (xs[i + 1] - xs[i]);
    Ok(ys[i] + t * (ys[i + 1] - ys[i]))
}

#[differentiable]
pub fn interp_or_edge(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    linear_interp(xs, ys, x).unwrap_or_else(|_| if x < xs[0] { ys[0] } else { ys[ys.len() - 1] })
}

#[differentiable]
pub fn second_derivatives(x: &[f64], y: &[f64]) -> Result<Vec<f64>, InterpError> {
    let n = x.len();
    if n < 3 {
        return Err(InterpError::TooFew(n));
    }
    let mut m = vec![0.0; n];
    let mut u = vec![0.0; n];
    for i in 1..n - 1 {
        let sig = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1]);
        let p = sig * m[i - 1] + 2.0;
        m[i] = (sig - 1.0) / p;
        let d = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
        u[i] = (6.0 * d / (x[i + 1] - x[i - 1]) - sig * u[i - 1]) / p;
    }
    for k in (0..n - 1).rev() {
        m[k] = m[k] * m[k + 1] + u[k];
    }
    Ok(m)
}

#[differentiable]
pub fn spline_eval(x: &[f64], y: &[f64], at: f64) -> Result<f64, InterpError> {
    let m = second_derivatives(x, y)?;
    let (mut lo, mut hi) = (0, x.len() - 1);
    while hi - lo > 1 {
        let mid = (lo + hi) / 2;
        if x[mid] > at {
            hi = mid;
        } else {
            lo = mid;
        }
    }
    let h = x[hi] - x[lo];
    let a = (x[hi] - at) / h;
    let b = (at - x[lo]) / h;
    Ok(a * y[lo] + b * y[hi] + ((a.powi(3) - a) * m[lo] + (b.powi(3) - b) * m[hi]) * h * h / 6.0)
}

#[differentiable]
pub fn catmull_rom(p: &[[f64; 2]; 4], t: f64) -> [f64; 2] {
    let mut out = [0.0; 2];
    let (t2, t3) = (t * t, t * t * t);
    for (k, o) in out.iter_mut().enumerate() {
        *o = 0.5
            * (2.0 * p[1][k]
                + (p[2][k] - p[0][k]) * t
                + (2.0 * p[0][k] - 5.0 * p[1][k] + 4.0 * p[2][k] - p[3][k]) * t2
                + (3.0 * p[1][k] - p[0][k] - 3.0 * p[2][k] + p[3][k]) * t3);
    }
    out
}

#[derive(Debug, Clone, Copy, PartialEq, Tangent)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[differentiable]
impl Point {
    fn lerp(self, other: Point, t: f64) -> Point {
        Point {
            x: self.x + (other.x - self.x) * t,
            y: self.y + (other.y - self.y) * t,
        }
    }
    fn distance(&self, other: &Self) -> f64 {
        ((self.x - other.x).powi(2) + (self.y - other.y).powi(2)).sqrt()
    }
}

#[differentiable]
pub fn de_casteljau(points: &[Point], t: f64) -> Option<Point> {
    let mut p = points.to_vec();
    while p.len() > 1 {
        p = p.windows(2).map(|w| w[0].lerp(w[1], t)).collect();
    }
    p.first().copied()
}

#[differentiable]
pub fn bezier_length(points: &[Point], samples: usize) -> f64 {
    let mut length = 0.0;
    let mut previous = points[0];
    for i in 1..=samples {
        let t = i as f64 / samples as f64;
        if let Some(p) = de_casteljau(points, t) {
            length += p.distance(&previous);
            previous = p;
        }
    }
    length
}

#[differentiable]
pub fn basis(i: usize, degree: usize, knots: &[f64], t: f64) -> f64 {
    if degree == 0 {
        return if knots[i] <= t && t < knots[i + 1] {
            1.0
        } else {
            0.0
        };
    }
    let mut value = 0.0;
    let left = knots[i + degree] - knots[i];
    if left > 0.0 {
        value += (t - knots[i]) / left * basis(i, degree - 1, knots, t);
    }
    let right = knots[i + degree + 1] - knots[i + 1];
    if right > 0.0 {
        value += (knots[i + degree + 1] - t) / right * basis(i + 1, degree - 1, knots, t);
    }
    value
}

#[differentiable]
pub fn bspline(knots: &[f64], control: &[f64], t: f64) -> f64 {
    let degree = knots.len() - control.len() - 1;
    control
        .iter()
        .enumerate()
        .map(|(i, c)| c * basis(i, degree, knots, t))
        .sum()
}

#[differentiable]
pub fn hermite<F: Float>(p0: F, m0: F, p1: F, m1: F, t: F) -> F {
    let one = F::one();
    let two = one + one;
    let three = two + one;
    let t2 = t * t;
    let t3 = t2 * t;
    (two * t3 - three * t2 + one) * p0
        + (t3 - two * t2 + t) * m0
        + (-two * t3 + three * t2) * p1
        + (t3 - t2) * m1
}

#[differentiable]
pub fn bilinear(grid: &[f64], width: usize, x: f64, y: f64) -> Option<f64> {
    let (ix, iy) = (x.floor() as usize, y.floor() as usize);
    let (fx, fy) = (x.fract(), y.fract());
    let at = |i: usize, j: usize| grid.get(j * width + i).copied();
    let top = at(ix, iy)? * (1.0 - fx) + at(ix + 1, iy)? * fx;
    let bottom = at(ix, iy + 1)? * (1.0 - fx) + at(ix + 1, iy + 1)? * fx;
    Some(top * (1.0 - fy) + bottom * fy)
}

fn xs() -> Vec<f64> {
    vec![0.0, 0.9, 2.1, 3.0, 4.2]
}
fn ys() -> Vec<f64> {
    vec![1.0, 2.3, 0.4, -0.6, 1.5]
}
fn path() -> Vec<Point> {
    vec![
        Point { x: 0.0, y: 0.1 },
        Point { x: 1.0, y: 2.0 },
        Point { x: 2.4, y: -0.5 },
    ]
}

crate::subject::judge! {
    lerp(0.2, 1.4, 0.3);
    smoothstep(0.1, 0.9, 0.4);
    horner(&[1.0, -2.0, 0.5, 0.3], 0.7);
    clenshaw(&[1.0, -2.0, 0.5, 0.3], 0.7);
    lagrange(&xs(), &ys(), 1.7);
    neville(&xs(), &ys(), 1.7);
    linear_interp(&xs(), &ys(), 1.7);
    interp_or_edge(&xs(), &ys(), 1.7)(&xs(), &ys(), 5.0)(&xs(), &ys(), -1.0);
    second_derivatives(&xs(), &ys());
    spline_eval(&xs(), &ys(), 1.7);
    catmull_rom(&[[0.0, 0.1], [1.0, 0.4], [1.8, 0.9], [3.0, 0.2]], 0.4);
    de_casteljau(&path(), 0.4);
    bezier_length(&path(), 5);
    basis(1, 2, &[0.0, 0.5, 1.1, 2.0, 2.7, 3.1], 1.4);
    bspline(&[0.0, 0.5, 1.1, 2.0, 2.7, 3.1, 4.0], &[0.4, 1.2, -0.3, 0.8], 1.4);
    hermite(0.1, 0.5, 1.2, -0.4, 0.3);
    bilinear(&[0.1, 0.5, 0.9, 1.2, 0.3, 0.7], 3, 1.3, 0.4);
}
