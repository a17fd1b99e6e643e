//! The reference: numbers of 106 bits as sums of two, and functions of them by series that `fast` does not use.
//!
//! Source: Dekker 1971, doi:10.1007/BF01397083; Joldes, Muller and Popescu 2017, doi:10.1145/3121432 (algorithms 6, 12, 17).

/// `high + low`, with `low` below the last digit of `high`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Double {
    pub(super) high: f64,
    pub(super) low: f64,
}

pub(super) fn of(x: f64) -> Double {
    Double { high: x, low: 0.0 }
}

fn sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let back = high - a;
    Double {
        high,
        low: (a - (high - back)) + (b - back),
    }
}

fn sorted_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    Double {
        high,
        low: b - (high - a),
    }
}

impl std::ops::Add for Double {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, low) = (sum(self.high, other.high), sum(self.low, other.low));
        let first = sorted_sum(high.high, high.low + low.high);
        sorted_sum(first.high, low.low + first.low)
    }
}

impl std::ops::Neg for Double {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            high: -self.high,
            low: -self.low,
        }
    }
}

impl std::ops::Sub for Double {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl std::ops::Mul for Double {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let high = self.high * other.high;
        let low = self.high.mul_add(other.high, -high);
        let cross = self.high.mul_add(other.low, self.low * other.high);
        sorted_sum(high, low + cross)
    }
}

impl std::ops::Div for Double {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * of(first);
        let second = rest.high / other.high;
        let rest = rest - other * of(second);
        sorted_sum(first, second) + of(rest.high / other.high)
    }
}

const LN_2: Double = Double {
    high: std::f64::consts::LN_2,
    low: 2.319_046_813_846_299_6e-17,
};
/// `π/2` in three numbers.
const HALF_PI: [f64; 3] = [
    std::f64::consts::FRAC_PI_2,
    6.123_233_995_736_766e-17,
    -1.497_384_904_859_169_8e-33,
];
const TWO_OVER_ROOT_PI: Double = Double {
    high: std::f64::consts::FRAC_2_SQRT_PI,
    low: 1.533_545_961_316_588e-17,
};

/// `eˣ − 1 = (1 + t)^256 − 1`, where `t = e^(r/256) − 1` by its Taylor series: squared as `t² + 2t`, so that nothing cancels.
/// Also `k` of `x = k·ln 2 + r`.
fn reduced_exp_m1(x: Double) -> (Double, i32) {
    let k = (x.high / LN_2.high).round();
    let r = (x - LN_2 * of(k)) * of(1.0 / 256.0);
    let (mut t, mut term) = (r, r);
    for n in 2..11 {
        term = term * r / of(f64::from(n));
        t = t + term;
    }
    for _ in 0..8 {
        t = t * t + t + t;
    }
    (t, k as i32)
}

/// `2ᵏ` times a number, in steps that do not overflow before the result does.
fn scaled(x: Double, k: i32) -> Double {
    let (half, rest) = (k / 2, k - k / 2);
    let by = |x: Double, k: i32| Double {
        high: x.high * 2_f64.powi(k),
        low: x.low * 2_f64.powi(k),
    };
    by(by(x, half), rest)
}

/// `eˣ`, without its last factor `2ᵏ`.
pub(super) fn exp(x: Double) -> (Double, i32) {
    let (t, k) = reduced_exp_m1(x);
    (t + of(1.0), k)
}

/// Whether a function that begins with `x + O(x²)` is `x` to 106 bits, and its series would underflow.
fn is_tiny(x: f64) -> bool {
    x.abs() < 1e-100
}

pub(super) fn exp_m1(x: f64) -> Double {
    if is_tiny(x) {
        return of(x);
    }
    let (t, k) = reduced_exp_m1(of(x));
    if k == 0 {
        return t;
    }
    scaled(t + of(1.0), k) - of(1.0)
}

/// A logarithm by Newton's method, on `e^y = x·2^(−k)`.
pub(super) fn ln(x: Double) -> Double {
    let k = ((x.high.to_bits() >> 52) as i32) - 1023;
    let m = scaled(x, -k);
    let mut y = of(m.high.ln());
    for _ in 0..2 {
        let (e, scale) = exp(-y);
        y = y + (m * scaled(e, scale) - of(1.0));
    }
    y + LN_2 * of(f64::from(k))
}

/// As [`ln`], where `1 + x` would cancel: Newton's method on `e^y − 1 = x`.
pub(super) fn ln_1p(x: f64) -> Double {
    if is_tiny(x) {
        return of(x);
    }
    if x.abs() > 0.25 {
        return ln(sum(1.0, x));
    }
    let mut y = of(x.ln_1p());
    for _ in 0..2 {
        let (t, _) = reduced_exp_m1(y);
        y = y - (t - of(x)) / (t + of(1.0));
    }
    y
}

pub(super) fn tanh(x: f64) -> Double {
    if is_tiny(x) {
        return of(x);
    }
    let t = exp_m1(2.0 * x);
    t / (t + of(2.0))
}

/// `sin(x + quarters·π/2)` for `|x| < 2²⁰·π/2`.
pub(super) fn sin(x: f64, quarters: u8) -> Double {
    let k = (x / HALF_PI[0]).round();
    let part = |p: f64| Double {
        high: k * p,
        low: k.mul_add(p, -(k * p)),
    };
    let r = HALF_PI.iter().fold(of(x), |r, p| r - part(*p));
    let square = -(r * r);
    let turned = (k as i64 + i64::from(quarters)).rem_euclid(4);
    if is_tiny(x) && turned == 0 {
        return of(x);
    }
    let (mut term, first) = match turned % 2 {
        0 => (r, 1),
        _ => (of(1.0), 0),
    };
    let mut y = term;
    for n in 1..14 {
        let n = f64::from(2 * n + first);
        term = term * square / of(n * (n - 1.0));
        y = y + term;
    }
    if turned < 2 { y } else { -y }
}

/// `2/√π·e^(−x²)·Σ 2ⁿx^(2n+1)/(2n+1)!!`, whose terms are all positive.
pub(super) fn erf(x: f64) -> Double {
    let square = of(x) * of(x);
    let (mut sum, mut term, mut n) = (of(x), of(x), 1.0);
    while term.high.abs() > 1e-33 * sum.high.abs() {
        n += 2.0;
        term = term * square * of(2.0) / of(n);
        sum = sum + term;
    }
    let (e, k) = exp(-square);
    TWO_OVER_ROOT_PI * scaled(e, k) * sum
}
