//! Elliptic integrals of the first and second kind, complete and incomplete, of the parameter `m = k²`.
//!
//! Source: DLMF 19.25.1 and 19.25.5–19.25.10 for the symmetric integrals, 19.36.1–19.36.2 and Carlson 1995, doi:10.1007/BF02198293, for their values. The
//! derivatives in `m` are `∂F = sin³φ·R_D(cos²φ, 1, Δ²)/6` and `∂E = −sin³φ·R_D(cos²φ, Δ², 1)/6` with `Δ² = 1 − m·sin²φ`: integrals of positive
//! functions, where the usual formulas cancel for small `m`.

use crate::class::{Reads, Scalar};

crate::elementwise1! {
    pub(crate) mod arrays;
    /// `K(m) = ∫₀^{π/2} (1 − m·sin²θ)^{−1/2} dθ`, for `m < 1`: derivative `(E − (1 − m)K)/(2m(1 − m))`.
    ///
    /// ∞ at 1, NaN above.
    elliptic_k: Scalar (m, _y) reads X {
        value: symmetric_f(T::zero(), T::one() - m, T::one()),
        partial: symmetric_d(T::zero(), T::one(), T::one() - m) / T::lit(6.0)
    }
    /// `E(m) = ∫₀^{π/2} (1 − m·sin²θ)^{1/2} dθ`, for `m ≤ 1`: derivative `(E − K)/(2m)`.
    ///
    /// 1 at 1, where the derivative is −∞; NaN above.
    elliptic_e: Scalar (m, _y) reads X {
        value: complete_e(m),
        partial: -symmetric_d(T::zero(), T::one() - m, T::one()) / T::lit(6.0)
    }
}

crate::elementwise2! {
    pub(crate) mod arrays_of_two;
    /// `F(φ, m) = ∫₀^φ (1 − m·sin²θ)^{−1/2} dθ`, for `m·sin²φ < 1`.
    elliptic_f: Scalar (phi, m, _z) reads (Reads::X.and(Reads::Y), Reads::X.and(Reads::Y)) {
        value: {
            let (turns, phi) = half_turns(phi);
            let (s, c) = phi.sin_cos();
            let part = s * symmetric_f(c * c, T::one() - m * s * s, T::one());
            add_turns(turns, part, || symmetric_f(T::zero(), T::one() - m, T::one()))
        },
        partials: {
            let (turns, phi) = half_turns(phi);
            let (s, c) = phi.sin_cos();
            let delta = T::one() - m * s * s;
            let part = s * s * s * symmetric_d(c * c, T::one(), delta) / T::lit(6.0);
            let whole = || symmetric_d(T::zero(), T::one(), T::one() - m) / T::lit(6.0);
            (delta.sqrt().recip(), add_turns(turns, part, whole))
        }
    }
    /// `E(φ, m) = ∫₀^φ (1 − m·sin²θ)^{1/2} dθ`, for `m·sin²φ ≤ 1`.
    elliptic_e_incomplete: Scalar (phi, m, _z) reads (Reads::X.and(Reads::Y), Reads::X.and(Reads::Y)) {
        value: {
            let (turns, phi) = half_turns(phi);
            let (s, c) = phi.sin_cos();
            let delta = T::one() - m * s * s;
            let part = s * symmetric_f(c * c, delta, T::one())
                - m * s * s * s * symmetric_d(c * c, delta, T::one()) / T::lit(3.0);
            add_turns(turns, part, || complete_e(m))
        },
        partials: {
            let (turns, phi) = half_turns(phi);
            let (s, c) = phi.sin_cos();
            let delta = T::one() - m * s * s;
            let part = -s * s * s * symmetric_d(c * c, delta, T::one()) / T::lit(6.0);
            let whole = || -symmetric_d(T::zero(), T::one() - m, T::one()) / T::lit(6.0);
            (delta.sqrt(), add_turns(turns, part, whole))
        }
    }
}

/// `E(m) = R_F(0, 1 − m, 1) − m/3·R_D(0, 1 − m, 1)`
fn complete_e<T: Scalar>(m: T) -> T {
    let rest = T::one() - m;
    if rest.is_zero() {
        // the integral of the cosine; the difference would be of infinities
        return T::one();
    }
    symmetric_f(T::zero(), rest, T::one())
        - m / T::lit(3.0) * symmetric_d(T::zero(), rest, T::one())
}

/// The nearest multiple of π, and what is left: between −π/2 and π/2.
fn half_turns<T: Scalar>(phi: T) -> (f64, T) {
    let turns = (phi.to_plain() / std::f64::consts::PI).round();
    let left = if turns == 0.0 {
        phi
    } else {
        phi - T::lit(turns) * T::PI()
    };
    (turns, left)
}

/// `part + 2·turns·whole`, of integrals of functions with period π.
fn add_turns<T: Scalar>(turns: f64, part: T, whole: impl Fn() -> T) -> T {
    if turns == 0.0 {
        part
    } else {
        part + T::lit(2.0 * turns) * whole()
    }
}

/// How far apart arguments may be when the series begins: its error is of the sixth power. Derivatives lag by a step.
const SPREAD: f64 = 5e-4;

/// Carlson's `R_F(x, y, z) = ½∫₀^∞ dt/√((t + x)(t + y)(t + z))`.
fn symmetric_f<T: Scalar>(x: T, y: T, z: T) -> T {
    if y.is_zero() && x.is_zero() {
        return T::infinity();
    }
    let (mut x, mut y, mut z) = (x, y, z);
    let mut more = 2;
    // a NaN ends the loop
    while more > 0 {
        let (root_x, root_y, root_z) = (root(x), root(y), root(z));
        let lambda = root_x * (root_y + root_z) + root_y * root_z;
        let quarter = |x: T| (x + lambda) * T::lit(0.25);
        (x, y, z) = (quarter(x), quarter(y), quarter(z));
        let apart = spread([x, y, z]) > SPREAD;
        more -= usize::from(!apart);
    }
    let mean = (x + y + z) / T::lit(3.0);
    let [x, y, z] = [x, y, z].map(|x| T::one() - x / mean);
    let (e2, e3) = (x * y - z * z, x * y * z);
    let series = T::one() - e2 / T::lit(10.0) + e3 / T::lit(14.0) + e2 * e2 / T::lit(24.0)
        - T::lit(3.0 / 44.0) * e2 * e3;
    series / mean.sqrt()
}

/// Carlson's `R_D(x, y, z) = 3/2·∫₀^∞ dt/((t + z)·√((t + x)(t + y)(t + z)))`.
fn symmetric_d<T: Scalar>(x: T, y: T, z: T) -> T {
    if z.is_zero() || y.is_zero() && x.is_zero() {
        return T::infinity();
    }
    let (mut x, mut y, mut z) = (x, y, z);
    let (mut sum, mut power) = (T::zero(), T::one());
    let mut more = 2;
    while more > 0 {
        let (root_x, root_y, root_z) = (root(x), root(y), root(z));
        let lambda = root_x * (root_y + root_z) + root_y * root_z;
        sum += power / (root_z * (z + lambda));
        power *= T::lit(0.25);
        let quarter = |x: T| (x + lambda) * T::lit(0.25);
        (x, y, z) = (quarter(x), quarter(y), quarter(z));
        let apart = spread([x, y, z]) > SPREAD;
        more -= usize::from(!apart);
    }
    let mean = (x + y + T::lit(3.0) * z) / T::lit(5.0);
    let [x, y] = [x, y].map(|x| T::one() - x / mean);
    let z = -(x + y) / T::lit(3.0);
    let (xy, zz) = (x * y, z * z);
    let e2 = xy - T::lit(6.0) * zz;
    let e3 = (T::lit(3.0) * xy - T::lit(8.0) * zz) * z;
    let e4 = T::lit(3.0) * (xy - zz) * zz;
    let e5 = xy * z * zz;
    let series =
        T::one() - T::lit(3.0 / 14.0) * e2 + e3 / T::lit(6.0) + T::lit(9.0 / 88.0) * e2 * e2
            - T::lit(3.0 / 22.0) * e4
            - T::lit(9.0 / 52.0) * e2 * e3
            + T::lit(3.0 / 26.0) * e5;
    power * series / (mean * mean.sqrt()) + T::lit(3.0) * sum
}

/// The square root; at zero, where its slope is infinite, without derivative: arguments are zero there to second order.
fn root<T: Scalar>(x: T) -> T {
    if x.is_zero() { T::zero() } else { x.sqrt() }
}

/// The largest distance of an entry from the mean, relative.
fn spread<T: Scalar>(x: [T; 3]) -> f64 {
    let x = x.map(T::to_plain);
    let mean = x.iter().sum::<f64>() / 3.0;
    x.iter()
        .fold(0.0, |far: f64, x| far.max((1.0 - x / mean).abs()))
}
