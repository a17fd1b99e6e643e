//! Special functions.

use std::f64::consts::PI;

use coenzyme::differentiable;
use num_traits::{Float, FromPrimitive};

const LANCZOS: [f64; 9] = [
    0.99999999999980993,
    676.5203681218851,
    -1259.1392167224028,
    771.32342877765313,
    -176.61502916214059,
    12.507343278686905,
    -0.13857109526572012,
    9.9843695780195716e-6,
    1.5056327351493116e-7,
];

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DomainError;

#[differentiable]
pub fn ln_gamma(x: f64) -> f64 {
    if x < 0.5 {
        PI.ln() - (PI * x).sin().abs().ln() - ln_gamma(1.0 - x)
    } else {
        let x = x - 1.0;
        let t = x + 7.5;
        let mut a = LANCZOS[0];
        for (i, &c) in LANCZOS.iter().enumerate().skip(1) {
            a += c / (x + i as f64);
        }
        0.5 * (2.0 * PI).ln() + (x + 0.5) * t.ln() - t + a.ln()
    }
}

#[differentiable]
pub fn gamma(x: f64) -> f64 {
    ln_gamma(x).exp()
}

#[differentiable]
pub fn ln_beta(a: f64, b: f64) -> f64 {
    ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b)
}

#[differentiable]
pub fn checked_ln_beta(a: f64, b: f64) -> Result<f64, DomainError> {
    match (a > 0.0, b > 0.0) {
        (true, true) => Ok(ln_beta(a, b)),
        _ => Err(DomainError),
    }
}

#[differentiable]
pub fn digamma(mut x: f64) -> f64 {
    let mut result = 0.0;
    while x < 6.0 {
        result -= 1.0 / x;
        x += 1.0;
    }
    let f = 1.0 / (x * x);
    result + x.ln()
        - 0.5 / x
        - f * (1.0 / 12.0 - f * (1.0 / 120.0 - f * (1.0 / 252.0 - f * (1.0 / 240.0 - f / 132.0))))
}

#[differentiable]
fn gamma_series(a: f64, x: f64) -> Option<f64> {
    let mut ap = a;
    let mut sum = 1.0 / a;
    let mut del = sum;
    for _ in 0..200 {
        ap += 1.0;
        del *= x / ap;
        sum += del;
        if del.abs() < sum.abs() * 1e-16 {
            return Some(sum * (-x + a * x.ln() - ln_gamma(a)).exp());
        }
    }
    None
}

#[differentiable]
fn gamma_fraction(a: f64, x: f64) -> Option<f64> {
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut h = d;
    for i in 1..200 {
        let an = -(i as f64) * (i as f64 - a);
        b += 2.0;
        d = an * d + b;
        if d.abs() < TINY {
            d = TINY;
        }
        c = b + an / c;
        if c.abs() < TINY {
            c = TINY;
        }
        d = 1.0 / d;
        let del = d * c;
        h *= del;
        if (del - 1.0).abs() < 1e-16 {
            return Some((-x + a * x.ln() - ln_gamma(a)).exp() * h);
        }
    }
    None
}

#[differentiable]
pub fn gamma_p(a: f64, x: f64) -> Result<f64, DomainError> {
    if x < 0.0 || a <= 0.0 {
        return Err(DomainError);
    }
    if x < a + 1.0 {
        gamma_series(a, x).ok_or(DomainError)
    } else {
        gamma_fraction(a, x).map(|q| 1.0 - q).ok_or(DomainError)
    }
}

#[differentiable]
pub fn erf(x: f64) -> Result<f64, DomainError> {
    let p = gamma_p(0.5, x * x)?;
    Ok(p.copysign(x))
}

#[differentiable]
pub fn bessel_j0(x: f64) -> f64 {
    let ax = x.abs();
    if ax < 8.0 {
        let y = x * x;
        let p = 57568490574.0
            + y * (-13362590354.0
                + y * (651619640.7 + y * (-11214424.18 + y * (77392.33017 + y * -184.9052456))));
        let q = 57568490411.0
            + y * (1029532985.0 + y * (9494680.718 + y * (59272.64853 + y * (267.8532712 + y))));
        p / q
    } else {
        let z = 8.0 / ax;
        let xx = ax - 0.785398164;
        (0.636619772 / ax).sqrt() * (xx.cos() - z * -0.01562499995 * xx.sin())
    }
}

#[differentiable]
pub fn legendre(n: usize, x: f64) -> f64 {
    match n {
        0 => 1.0,
        1 => x,
        _ => {
            let (mut p0, mut p1) = (1.0, x);
            for k in 1..n {
                let k = k as f64;
                let p2 = ((2.0 * k + 1.0) * x * p1 - k * p0) / (k + 1.0);
                p0 = p1;
                p1 = p2;
            }
            p1
        }
    }
}

#[differentiable]
pub fn chebyshev(n: u32, x: f64) -> f64 {
    if n == 0 {
        1.0
    } else if n == 1 {
        x
    } else {
        2.0 * x * chebyshev(n - 1, x) - chebyshev(n - 2, x)
    }
}

#[differentiable]
pub fn hermite_polynomials(n: usize, x: f64) -> Vec<f64> {
    let mut h = Vec::with_capacity(n + 1);
    h.push(1.0);
    if n > 0 {
        h.push(2.0 * x);
    }
    for k in 2..=n {
        let next = 2.0 * x * h[k - 1] - 2.0 * (k as f64 - 1.0) * h[k - 2];
        h.push(next);
    }
    h
}

#[differentiable]
pub fn agm(a: f64, b: f64) -> f64 {
    let (mut a, mut b) = (a, b);
    while (a - b).abs() > 1e-15 * a.abs() {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    a
}

#[differentiable]
pub fn elliptic_k(m: f64) -> Option<f64> {
    (m < 1.0).then(|| PI / (2.0 * agm(1.0, (1.0 - m).sqrt())))
}

#[differentiable]
pub fn lambert_w(x: f64) -> Result<f64, DomainError> {
    if x < -(-1.0_f64).exp() {
        return Err(DomainError);
    }
    let mut w = if x < 1.0 { x } else { x.ln() };
    for _ in 0..100 {
        let ew = w.exp();
        let f = w * ew - x;
        let dw = f / (ew * (w + 1.0) - (w + 2.0) * f / (2.0 * w + 2.0));
        w -= dw;
        if dw.abs() <= 1e-15 * (1.0 + w.abs()) {
            break;
        }
    }
    Ok(w)
}

#[differentiable]
pub fn sinc<T: Float>(x: T) -> T {
    if x.abs() < T::epsilon() {
        T::one()
    } else {
        x.sin() / x
    }
}

#[differentiable]
pub fn softplus<T: Float>(x: T) -> T {
    if x > T::zero() {
        x + (-x).exp().ln_1p()
    } else {
        x.exp().ln_1p()
    }
}

#[differentiable]
pub fn zeta_sum<T: Float + FromPrimitive>(s: T, n: usize) -> T {
    let mut sum = T::zero();
    for k in 1..=n {
        sum = sum + T::from_usize(k).unwrap().powf(-s);
    }
    sum
}

#[differentiable]
pub fn log1mexp(x: f64) -> f64 {
    debug_assert!(x < 0.0);
    if x > -std::f64::consts::LN_2 {
        (-x.exp_m1()).ln()
    } else {
        (-x.exp()).ln_1p()
    }
}

#[differentiable]
pub fn dawson(x: f64) -> f64 {
    const H: f64 = 0.4;
    let n0 = 2 * (0.5 * x / H + 0.5) as i32;
    let xp = x - n0 as f64 * H;
    let mut e1 = (2.0 * xp * H).exp();
    let e2 = e1 * e1;
    let (mut d1, mut d2) = (n0 as f64 + 1.0, n0 as f64 - 1.0);
    let mut sum = 0.0;
    for i in 0..6 {
        let c = (-((2.0 * i as f64 + 1.0) * H).powi(2)).exp();
        sum += c * (e1 / d1 + 1.0 / (d2 * e1));
        d1 += 2.0;
        d2 -= 2.0;
        e1 *= e2;
    }
    0.5641895835 * (-xp * xp).exp() * sum
}

crate::subject::judge! {
    ln_gamma(2.3)(0.3);
    gamma(3.1);
    ln_beta(1.3, 2.4);
    checked_ln_beta(1.3, 2.4);
    digamma(1.7);
    gamma_p(1.3, 0.8)(1.3, 4.8);
    erf(0.6)(-0.6);
    bessel_j0(1.7)(9.3);
    legendre(4, 0.3)(1, 0.3);
    chebyshev(5, 0.3);
    hermite_polynomials(4, 0.3);
    agm(1.0, 0.4);
    elliptic_k(0.3);
    lambert_w(0.7)(3.0);
    sinc(0.8);
    softplus(0.8)(-0.8);
    zeta_sum(2.3, 6);
    log1mexp(-0.3)(-1.7);
    dawson(1.3);
}
