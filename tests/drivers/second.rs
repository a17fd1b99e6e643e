//! Second derivatives of functions over `f64`: closed forms to 1e-12, and programs in many styles against differences of their gradients.

use coenzyme::ndarray::{Array1, Array2, array};
use coenzyme::prelude::*;
use coenzyme::{
    Dual, Pattern, hessian, hessian_sparse, hvp, hvp_and_gradient, jacobian_forward,
    jacobian_sparse,
};
use std::f64::consts::PI;

const SCALE: f64 = 100.0;
static WEIGHTS: [f64; 3] = [0.5, -1.0, 2.0];

/// To 1e-12 of the largest entry.
#[track_caller]
fn assert_close(found: &[Vec<f64>], truth: &[Vec<f64>]) {
    let size = truth.iter().flatten().fold(1.0_f64, |m, t| m.max(t.abs()));
    assert_eq!(found.len(), truth.len());
    for (found, truth) in found.iter().flatten().zip(truth.iter().flatten()) {
        assert!(
            (found - truth).abs() <= 1e-12 * size,
            "{found}, expected {truth}"
        );
    }
}

/// Compares with central differences of the gradient: `h² = 1e-10` is the error of the difference, `1e-16/h` that of its rounding.
#[track_caller]
fn assert_differences(
    of: &str,
    hessian: &[Vec<f64>],
    x: &[f64],
    gradient: impl Fn(&[f64]) -> Vec<f64>,
) {
    const STEP: f64 = 1e-5;
    assert_eq!(hessian.len(), x.len());
    for i in 0..x.len() {
        let moved = |by: f64| {
            let mut x = x.to_vec();
            x[i] += by;
            gradient(&x)
        };
        let (up, down) = (moved(STEP), moved(-STEP));
        for j in 0..x.len() {
            let slope = (up[j] - down[j]) / (2.0 * STEP);
            let entry = hessian[i][j];
            assert!(entry.is_finite());
            let far = (entry - slope).abs() > 1e-6 * (1.0 + slope.abs());
            assert!(
                !far,
                "{of}, entry ({i}, {j}): {entry}, differences give {slope}"
            );
        }
    }
}

/// `Σ (1 − xᵢ)² + 100·(xᵢ₊₁ − xᵢ²)²`.
#[differentiable(order = 2)]
fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2)
        .map(|w| (1.0 - w[0]).powi(2) + SCALE * (w[1] - w[0] * w[0]).powi(2))
        .sum()
}

#[test]
fn rosenbrock_is_the_closed_form() {
    let x = [-1.2, 0.7, 0.3];
    let mut h = vec![vec![0.0; 3]; 3];
    for i in 0..2 {
        h[i][i] += 2.0 + 1200.0 * x[i] * x[i] - 400.0 * x[i + 1];
        h[i][i + 1] = -400.0 * x[i];
        h[i + 1][i] = -400.0 * x[i];
        h[i + 1][i + 1] += 200.0;
    }
    assert_close(&hessian!(rosenbrock, &x), &h);
    assert_close(&hessian(&rosenbrock {}, &x), &h);
    let column: Vec<f64> = h.iter().map(|row| row[1]).collect();
    assert_close(
        &[hvp!(rosenbrock, &x, &[0.0, 1.0, 0.0]).to_vec()],
        &[column],
    );
    let (_, gradient) = hvp_and_gradient(&rosenbrock {}, &x, &[0.0; 3]);
    assert_eq!(gradient, gradient!(rosenbrock, &x).0);
    // the function is what it was
    let f: fn(&[f64]) -> f64 = rosenbrock;
    assert_eq!(f(&[1.0, 1.0]), 0.0);
}

#[test]
fn third_derivatives_come_by_nesting() {
    // ∂³/∂x₀³ = 2400·x₀, ∂³/∂x₀²∂x₁ = −400
    let x = [Dual::variable(0.5), Dual::constant(0.2)];
    let v = [Dual::constant(1.0), Dual::constant(0.0)];
    let third: Vec<f64> = hvp!(rosenbrock, &x, &v).iter().map(|h| h.tangent).collect();
    assert_close(&[third], &[vec![1200.0, -400.0]]);
}

#[differentiable(order = 2)]
fn squared(x: f64) -> f64 {
    x * x
}

/// A buffer, a callee, a table, sums over references.
#[differentiable(order = 2)]
fn mutated(x: &[f64]) -> f64 {
    let mut y = vec![0.0; x.len()];
    for i in 0..x.len() {
        y[i] = squared(x[i]) * WEIGHTS[i % 3];
    }
    let mut total = 0.0;
    for (a, b) in y.iter().zip(x) {
        total += a * b;
    }
    total
}

#[test]
fn memory_that_is_written_is_the_closed_form() {
    // Σ wᵢ xᵢ³
    let h = hessian!(mutated, &[1.0, 2.0, 3.0]);
    assert_close(
        &h,
        &[
            vec![3.0, 0.0, 0.0],
            vec![0.0, -12.0, 0.0],
            vec![0.0, 0.0, 36.0],
        ],
    );
}

/// Where `x` is not positive there is no logarithm.
#[differentiable(order = 2)]
fn entropy(x: f64) -> Result<f64, String> {
    if x <= 0.0 {
        return Err(format!("{x} is not positive"));
    }
    Ok(x * x.ln())
}

#[differentiable(order = 2)]
fn total_entropy(x: &[f64]) -> Result<f64, String> {
    let mut sum = 0.0;
    for &x in x {
        sum += entropy(x)?;
    }
    Ok(sum)
}

#[test]
fn results_pass_through() {
    // diag(1/xᵢ)
    let h = hessian!(total_entropy, &[0.5, 4.0]).unwrap();
    assert_close(&h, &[vec![2.0, 0.0], vec![0.0, 0.25]]);
    assert_eq!(
        hessian!(total_entropy, &[0.5, -1.0]),
        Err("-1 + 0ε is not positive".to_owned())
    );
    assert_eq!(total_entropy(&[-1.0]), Err("-1 is not positive".to_owned()));
}

/// `½xᵀAx + Σ exp(xᵢ)`.
#[differentiable(order = 2)]
fn quadratic(a: &Array2<f64>, x: &Array1<f64>) -> f64 {
    let ax = a.dot(x);
    0.5 * x.dot(&ax) + x.mapv(|x| x.exp()).sum()
}

#[test]
fn arrays_are_the_closed_form() {
    let (a, x) = (array![[2.0, 1.0], [1.0, 3.0]], array![0.5, -1.0]);
    let e = |x: f64| x.exp();
    let h = hessian!(quadratic, Const(&a), &x);
    assert_close(&h, &[vec![2.0 + e(0.5), 1.0], vec![1.0, 3.0 + e(-1.0)]]);
    let (_, product) = hvp!(quadratic, Const(&a), Duplicated(&x, &array![0.0, 1.0]));
    assert_close(&[product.to_vec()], &[vec![1.0, 3.0 + e(-1.0)]]);
}

/// `Σ (2x)² + 1 − √(x − ½)`.
#[differentiable(order = 2)]
fn scaled(x: &Array1<f64>) -> f64 {
    let y = 2.0 * x;
    let z = &y * &y + 1.0;
    z.sum() - (x - 0.5).mapv(f64::sqrt).sum()
}

#[test]
fn arrays_and_numbers_mix() {
    let h = hessian!(scaled, &array![1.5, 4.5]);
    assert_close(&h, &[vec![8.25, 0.0], vec![0.0, 8.0 + 0.25 / 8.0]]);
}

/// Black and Scholes' price of a call, with the logistic approximation of the normal distribution.
#[differentiable(order = 2)]
fn call_price(spot: f64, strike: f64, rate: f64, vol: f64, time: f64) -> f64 {
    let cdf = |x: f64| 1.0 / (1.0 + (-0.07056 * x.powi(3) - 1.5976 * x).exp());
    let d1 = ((spot / strike).ln() + (rate + 0.5 * vol * vol) * time) / (vol * time.sqrt());
    let d2 = d1 - vol * time.sqrt();
    spot * cdf(d1) - strike * (-rate * time).exp() * cdf(d2)
}

#[test]
fn scalars_have_a_hessian_together() {
    let x: [f64; 5] = [100.0, 95.0, 0.03, 0.2, 0.75];
    let h = hessian!(call_price, x[0], x[1], x[2], x[3], x[4]);
    assert_differences("call_price", &h, &x, |x| {
        let g = gradient!(call_price, x[0], x[1], x[2], x[3], x[4]);
        vec![g.0, g.1, g.2, g.3, g.4]
    });
    let gamma = hessian!(
        call_price,
        x[0],
        Const(x[1]),
        Const(x[2]),
        Const(x[3]),
        Const(x[4])
    );
    assert_close(&gamma, &[vec![h[0][0]]]);
}

/// Energy of atoms in a plane, pairs beyond the cutoff left out.
#[differentiable(order = 2)]
fn lennard_jones(positions: &[f64], epsilon: f64, sigma: f64) -> f64 {
    const CUTOFF: f64 = 3.0;
    let n = positions.len() / 2;
    let mut energy = 0.0;
    for i in 0..n {
        for j in (i + 1)..n {
            let dx = positions[2 * i] - positions[2 * j];
            let dy = positions[2 * i + 1] - positions[2 * j + 1];
            let r2: f64 = dx * dx + dy * dy;
            if r2 > CUTOFF * CUTOFF {
                continue;
            }
            let s6 = (sigma * sigma / r2).powi(3);
            energy += 4.0 * epsilon * (s6 * s6 - s6);
        }
    }
    energy
}

/// Mean logistic loss with a ridge.
#[differentiable(order = 2)]
fn logistic(weights: &[f64], rows: &[f64], labels: &[bool], ridge: f64) -> f64 {
    let d = weights.len();
    let mut loss = 0.0;
    for (row, &label) in rows.chunks(d).zip(labels.iter()) {
        let score = row.iter().zip(weights).map(|(a, b)| a * b).sum::<f64>();
        let margin = if label { score } else { -score };
        loss += (-margin).exp().ln_1p();
    }
    loss / labels.len() as f64 + ridge * weights.iter().map(|w| w * w).sum::<f64>()
}

/// One hidden layer of three.
#[differentiable(order = 2)]
fn network(parameters: &[f64], input: &[f64; 2], target: f64) -> f64 {
    let mut hidden = [0.0; 3];
    for k in 0..3 {
        let p = &parameters[3 * k..3 * k + 3];
        hidden[k] = (p[0] * input[0] + p[1] * input[1] + p[2]).tanh();
    }
    let out = &parameters[9..];
    let mut y = out[3];
    for (w, h) in out.iter().zip(&hidden) {
        y += w * h;
    }
    (y - target) * (y - target)
}

#[differentiable(order = 2)]
fn pull(angle: f64, damping: f64, speed: f64) -> f64 {
    -9.81 * angle.sin() - damping * speed
}

/// Where a damped pendulum is after some steps of Runge and Kutta.
#[differentiable(order = 2)]
fn pendulum(start: &[f64], damping: f64, steps: usize) -> f64 {
    let h = 1.0 / steps as f64;
    let (mut q, mut v) = (start[0], start[1]);
    for _ in 0..steps {
        let (k1, l1) = (v, pull(q, damping, v));
        let (k2, l2) = (
            v + 0.5 * h * l1,
            pull(q + 0.5 * h * k1, damping, v + 0.5 * h * l1),
        );
        let (k3, l3) = (
            v + 0.5 * h * l2,
            pull(q + 0.5 * h * k2, damping, v + 0.5 * h * l2),
        );
        let (k4, l4) = (v + h * l3, pull(q + h * k3, damping, v + h * l3));
        q += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        v += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    q * q + 0.1 * v
}

/// The eccentric anomaly by Newton's method, and the distance there.
#[differentiable(order = 2)]
fn kepler(mean: f64, eccentricity: f64) -> f64 {
    let mut e = if eccentricity > 0.8 { PI } else { mean };
    let mut rounds = 0;
    loop {
        let f = e - eccentricity * e.sin() - mean;
        let step = f / (1.0 - eccentricity * e.cos());
        e -= step;
        rounds += 1;
        if step.abs() < f64::EPSILON || rounds == 8 {
            break;
        }
    }
    1.0 - eccentricity * e.cos()
}

/// `ln Σ exp(xᵢ)`, away from overflow.
#[differentiable(order = 2)]
fn log_sum_exp(x: &[f64]) -> f64 {
    let largest = x.iter().fold(f64::NEG_INFINITY, |m, &x| m.max(x));
    let sum: f64 = x.iter().map(|&x| (x - largest).exp()).sum();
    largest + sum.ln()
}

#[differentiable(order = 2)]
fn smooth(out: &mut [f64], x: &[f64]) {
    let n = x.len();
    for i in 0..n {
        out[i] = x[i] * x[(i + 1) % n];
    }
}

/// Written by a callee, and read again.
#[differentiable(order = 2)]
fn smoothed(x: &[f64]) -> f64 {
    let mut out = vec![0.0; x.len()];
    smooth(&mut out, x);
    out.iter().map(|y| y.sin()).sum()
}

/// A table of knots, cubic between them.
#[differentiable(order = 2)]
fn interpolated(x: f64, scale: f64) -> f64 {
    const TABLE: [f64; 5] = [0.0, 0.8, 0.9, 0.1, -0.7];
    let i = (x.floor() as usize).clamp(1, 2);
    let t = x - i as f64;
    let (a, b) = (TABLE[i], TABLE[i + 1]);
    let (da, db) = (
        0.5 * (TABLE[i + 1] - TABLE[i - 1]),
        0.5 * (TABLE[i + 2] - TABLE[i]),
    );
    let t2 = t * t;
    let t3 = t2 * t;
    scale
        * ((2.0 * t3 - 3.0 * t2 + 1.0) * a
            + (t3 - 2.0 * t2 + t) * da
            + (3.0 * t2 - 2.0 * t3) * b
            + (t3 - t2) * db)
}

#[differentiable(order = 2)]
fn scan(x: &[f64], work: &mut [f64]) -> f64 {
    work[0] = x[0];
    for i in 1..x.len() {
        work[i] = work[i - 1] * x[i] + 0.1;
    }
    work[x.len() - 1]
}

/// A callee that returns a value and writes memory.
#[differentiable(order = 2)]
fn scanned(x: &[f64]) -> f64 {
    let mut work = vec![0.0; x.len()];
    let last = scan(x, &mut work);
    last * last + work[1].sin()
}

#[differentiable(order = 2)]
fn of_an_array<const N: usize>(x: &[f64; N]) -> f64 {
    let mut y = [1.0; N];
    for i in 0..N {
        y[i] *= x[i] * x[(i + 1) % N];
    }
    y.iter().map(|y| y.cos()).sum()
}

#[differentiable(order = 2)]
fn variance(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)
}

#[differentiable(order = 2)]
fn chosen(x: &[f64], kind: usize) -> f64 {
    match kind {
        0 => x[0].sin() * x[1],
        1 => f64::hypot(x[0], x[1]),
        n if n > 5 => x[0].exp().powf(x[1]) / n as f64,
        2 => x[0].rem_euclid(0.5) * x[1].max(0.5).abs(),
        _ => x[0].clamp(-1.0, 1.0) * x[1].rem_euclid(x[0]),
    }
}

struct Spring {
    stiffness: f64,
    rest: f64,
    order: i32,
}

/// Constants in a struct, a helper without derivative.
#[differentiable(order = 2)]
fn chain(x: &[f64], #[constant] spring: &Spring) -> f64 {
    assert!(
        spring.stiffness > 0.0,
        "a spring of stiffness {}",
        spring.stiffness
    );
    let mut energy = 0.0;
    for i in 0..x.len() - 1 {
        let stretch = x[i + 1] - x[i] - spring.rest;
        energy += 0.5 * spring.stiffness * weight(i, 0.5) * stretch.powi(spring.order);
    }
    energy
}

fn weight(i: usize, base: f64) -> f64 {
    1.0 + base / (i + 1) as f64
}

/// By calling itself.
#[differentiable(order = 2)]
fn power(x: &[f64], n: u32) -> f64 {
    if n == 0 {
        return 1.0;
    }
    x[0] * power(x, n - 1)
}

#[test]
fn recursion_is_the_closed_form() {
    assert_close(&hessian!(power, &[3.0], Const(4_u32)), &[vec![108.0]]);
}

/// Simpson's rule.
#[differentiable(order = 2)]
fn simpson(f: impl Fn(f64) -> f64, to: f64) -> f64 {
    let h = to / 10.0;
    let mut sum = f(0.0) + f(to);
    for i in 1..10 {
        let factor = if i % 2 == 1 { 4.0 } else { 2.0 };
        sum += factor * f(h * f64::from(i));
    }
    h / 3.0 * sum
}

#[differentiable(order = 2)]
fn bell(x: f64) -> f64 {
    (-squared(x)).exp()
}

/// A function that is passed on.
#[differentiable(order = 2)]
fn mass(to: f64, factor: f64) -> Option<f64> {
    if to < 0.0 {
        return None;
    }
    Some(factor.sqrt() * simpson(bell, to))
}

/// Differences of the gradient judge `f(x, rest…)` of a slice.
macro_rules! judge {
    ($f:ident, $x:expr $(, $rest:expr)*) => {{
        let x: &[f64] = &$x;
        let gradient = |x: &[f64]| gradient!($f, x $(, Const($rest))*).0;
        assert_differences(stringify!($f), &hessian!($f, x $(, Const($rest))*), x, gradient);
    }};
}

#[test]
fn programs_agree_with_differences_of_their_gradients() {
    judge!(
        lennard_jones,
        [0.0, 0.1, 1.2, -0.1, 0.4, 1.1, 5.0, 5.0],
        1.3,
        0.9
    );
    judge!(
        logistic,
        [0.3, -0.8],
        &[1.0, 2.0, -0.5, 0.4, 2.0, -1.0][..],
        &[true, false, true][..],
        0.1
    );
    let parameters: Vec<f64> = (0..13).map(|i| (i as f64 * 1.3).sin()).collect();
    judge!(network, parameters, &[0.4, -1.1], 0.3);
    judge!(pendulum, [1.0, -0.4], 0.3, 12_usize);
    judge!(log_sum_exp, [0.3, 1.4, -0.2, 1.1]);
    judge!(scanned, [0.3, 1.4, -0.2]);
    let h = hessian!(of_an_array, &[0.3, 1.4, -0.2]);
    assert_differences("of_an_array", &h, &[0.3, 1.4, -0.2], |x| {
        gradient!(of_an_array, &[x[0], x[1], x[2]]).0.to_vec()
    });
    judge!(variance, [0.3, 1.4, -0.2]);
    for kind in [0, 1, 2, 3, 7_usize] {
        judge!(chosen, [0.7, 1.2], kind);
    }
    judge!(smoothed, [0.3, 1.4, -0.2, 1.1]);
    judge!(
        chain,
        [0.0, 1.3, 1.9, 3.4],
        &Spring {
            stiffness: 2.0,
            rest: 0.9,
            order: 4
        }
    );
    for (mean, eccentricity) in [(0.7_f64, 0.3_f64), (2.0, 0.85)] {
        assert_differences(
            "kepler",
            &hessian!(kepler, mean, eccentricity),
            &[mean, eccentricity],
            |x| {
                let g = gradient!(kepler, x[0], x[1]);
                vec![g.0, g.1]
            },
        );
    }
    assert_differences(
        "interpolated",
        &hessian!(interpolated, 1.7, 0.4),
        &[1.7, 0.4],
        |x| {
            let g = gradient!(interpolated, x[0], x[1]);
            vec![g.0, g.1]
        },
    );
    assert_differences(
        "mass",
        &hessian!(mass, 1.1, 2.0).unwrap(),
        &[1.1, 2.0],
        |x| {
            let g = gradient!(mass, x[0], x[1]).unwrap();
            vec![g.0, g.1]
        },
    );
    assert_eq!(hessian!(mass, -1.0, 2.0), None);
}

/// `xᵢ₋₁·xᵢ²·xᵢ₊₁` in a new vector.
#[differentiable(order = 2)]
fn stencil(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        y[i] = x[i].powi(2);
        if i > 0 {
            y[i] *= x[i - 1];
        }
        if i + 1 < n {
            y[i] *= x[i + 1];
        }
    }
    y
}

#[test]
fn sparse_matrices_are_the_dense_ones() {
    for n in [0_usize, 1, 2, 9] {
        let x: Vec<f64> = (0..n).map(|i| 0.4 + (i as f64 * 1.7).sin()).collect();
        let rows = (0..n).map(|i| (i.saturating_sub(1)..(i + 2).min(n)).collect());
        let pattern = Pattern::new(n, rows);
        assert_eq!(pattern.colours(), n.min(3));
        let dense = jacobian_forward::<4, _, _>(&stencil {}, &x);
        let mut sparse = vec![0.0; n * n];
        for (i, j, entry) in jacobian_sparse::<2, _, _>(&stencil {}, &x, &pattern) {
            sparse[i * n + j] += entry;
        }
        assert_eq!(sparse, dense.as_slice());
        if n > 0 {
            let mut sparse = vec![vec![0.0; n]; n];
            for (i, j, entry) in hessian_sparse(&rosenbrock {}, &x, &pattern) {
                sparse[i][j] += entry;
            }
            assert_close(&sparse, &hessian!(rosenbrock, &x));
        }
    }
}

/// Which neighbour counts, the numbers decide.
#[differentiable]
fn upwind(x: &[f64]) -> Vec<f64> {
    let n = x.len();
    let mut y = vec![0.0; n];
    for i in 0..n {
        let from = if x[i] > 0.0 {
            i.max(1) - 1
        } else {
            (i + 1).min(n - 1)
        };
        y[i] = x[i] * x[from];
    }
    y
}

#[test]
fn patterns_are_found_at_points() {
    let n = 12;
    let at = |phase: f64| (0..n).map(|i| (i as f64 * 1.1 + phase).sin()).collect();
    let (x, other): (Vec<f64>, Vec<f64>) = (at(0.3), at(2.1));
    let dense = |x: &[f64]| jacobian_forward::<4, _, _>(&upwind {}, x);
    let pattern = |x: &[f64]| Pattern::of_nonzeros(n, dense(x).as_slice().chunks(n));
    let both = pattern(&x).union(&pattern(&other));
    assert!(both.colours() <= 4 && both != pattern(&x));
    for x in [&x, &other] {
        let mut sparse = vec![0.0; n * n];
        for (i, j, entry) in jacobian_sparse::<2, _, _>(&upwind {}, x, &both) {
            sparse[i * n + j] += entry;
        }
        assert_eq!(sparse, dense(x).as_slice());
    }
}

#[test]
#[should_panic(expected = "the patterns are of (1, 2) and (2, 2) rows and columns")]
fn patterns_of_two_shapes_have_no_union() {
    let _ = Pattern::new(2, [vec![0]]).union(&Pattern::new(2, [vec![0], vec![1]]));
}

/// `ln(1 + exp(x))`, with a rule of its own for numbers of any order.
#[primitive]
fn softplus<T: Real>(x: T) -> T {
    x.max(T::zero()) + (-x.abs()).exp().ln_1p()
}

easy_rule! {
    fn softplus<T: Real>(x: T) -> y: T;
    dy/dx = T::one() / (T::one() + (-x).exp());
}

#[differentiable(order = 2)]
fn soft_energy(x: &[f64], k: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += softplus(k * x[i]) * x[(i + 1) % x.len()];
    }
    sum
}

#[test]
fn rules_in_second_derivatives_are_the_closed_form() {
    // one number: f = x·s(kx), f'' = 2k·p + k²x·p·(1 − p) with p = s'
    for x in [-1.3_f64, 0.2, 2.5] {
        let (k, p) = (0.7, 1.0 / (1.0 + (-0.7 * x).exp()));
        let truth = 2.0 * k * p + k * k * x * p * (1.0 - p);
        assert_close(&hessian!(soft_energy, &[x], Const(k)), &[vec![truth]]);
    }
    judge!(soft_energy, [0.4, -0.9, 1.6], 1.1);
}

/// `Σ xᵢ²·xᵢ₊₁`, through a buffer that is written twice.
#[differentiable(order = 3)]
fn circular(x: &[f64]) -> Result<f64, usize> {
    let n = x.len();
    let mut y = vec![0.0; n];
    let mut sum = 0.0;
    for i in 0..n {
        if x[i] < 0.0 {
            return Err(i);
        }
        y[i] = x[i] * x[(i + 1) % n];
        y[i] *= x[i];
        sum += y[i];
    }
    Ok(sum)
}

#[differentiable(order = 3)]
fn exponentials(x: &Array1<f64>) -> f64 {
    let y = x.mapv(|x| x.exp());
    (&y * &y).sum()
}

#[test]
fn third_and_fourth_derivatives() {
    // of vᵀHv at two numbers: [2v₁² + 4v₀v₁, 2v₀² + 4v₀v₁]
    let (at, v) = ([0.3, 1.7], [0.6, -0.2]);
    let moving = |i: usize| Dual::new(at[i], v[i]);
    let fixed = v.map(Dual::constant);
    let found = hvp!(circular, &[moving(0), moving(1)], &fixed).unwrap();
    let truth = [
        2.0 * v[1] * v[1] + 4.0 * v[0] * v[1],
        2.0 * v[0] * v[0] + 4.0 * v[0] * v[1],
    ];
    let third: Vec<f64> = found.iter().map(|h| h.tangent).collect();
    assert_close(&[third], &[truth.to_vec()]);
    let lost = [Dual::constant(1.0), Dual::constant(-1.0)];
    assert_eq!(hvp!(circular, &lost, &fixed).map(|_| ()), Err(1));
    // Σ exp(2x): 8·exp(2x)
    let x = array![Dual::variable(0.4), Dual::constant(1.0)];
    let v = array![Dual::constant(1.0), Dual::constant(0.0)];
    let third: Vec<f64> = hvp!(exponentials, &x, &v)
        .iter()
        .map(|h| h.tangent)
        .collect();
    assert_close(&[third], &[vec![8.0 * 0.8_f64.exp(), 0.0]]);
    // x⁵: 120·x, a number that moves twice in a gradient that moves twice
    let x = Dual::new(Dual::variable(1.5), Dual::constant(1.0));
    let one = Dual::constant(Dual::constant(1.0));
    let fourth = hvp!(power, &[x], &[one], Const(5_u32))[0].tangent.tangent;
    assert_close(&[vec![fourth]], &[vec![180.0]]);
}
