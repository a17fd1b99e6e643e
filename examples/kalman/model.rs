//! Local polynomial trends with noise, and their likelihood by Kalman's filter.
//!
//! The state of `N` numbers is a level, its slope, the slope of that, …: `xᵢ(t+1) = xᵢ(t) + xᵢ₊₁(t) + ηᵢ` with `ηᵢ` of variance
//! `qᵢ`; the level is observed with noise of variance `r`. `N = 1` is the local level model, `N = 2` the local linear trend.
//! Durbin and Koopman, *Time Series Analysis by State Space Methods*, chapters 2 to 4.

use coenzyme::prelude::*;

/// The variance that stands for knowing nothing of the initial state.
const DIFFUSE: f64 = 1e9;

/// The log-likelihood of the observations `y` for `ln r` and `ln q`; the first `N` observations only tell where the state
/// is.
#[differentiable]
pub(crate) fn log_likelihood<const N: usize>(log_r: f64, log_q: &[f64; N], y: &[f64]) -> f64 {
    let r = log_r.exp();
    let mut q = [0.0; N];
    for i in 0..N {
        q[i] = log_q[i].exp();
    }
    let mut x = [0.0; N];
    let mut p = [[0.0; N]; N];
    for i in 0..N {
        p[i][i] = DIFFUSE;
    }
    let mut sum = 0.0;
    for t in 0..y.len() {
        // what is seen, and how far from what was expected
        let v = y[t] - x[0];
        let s = p[0][0] + r;
        if t >= N {
            sum -= 0.5 * ((std::f64::consts::TAU * s).ln() + v * v / s);
        }
        let first = p[0];
        for i in 0..N {
            let gain = p[i][0] / s;
            x[i] += gain * v;
            for j in 0..N {
                p[i][j] -= gain * first[j];
            }
        }
        // x ← Fx and P ← FPFᵀ + Q, for F with ones on and above the diagonal
        for i in 0..N - 1 {
            x[i] += x[i + 1];
            for j in 0..N {
                p[i][j] += p[i + 1][j];
            }
        }
        for i in 0..N {
            for j in 0..N - 1 {
                p[i][j] += p[i][j + 1];
            }
            p[i][i] += q[i];
        }
    }
    sum
}

/// The adjoint by hand, of the parameters: the filter backwards, from the states before each observation.
pub(crate) fn by_hand<const N: usize>(log_r: f64, log_q: &[f64; N], y: &[f64]) -> (f64, [f64; N]) {
    let r = log_r.exp();
    let mut states = Vec::with_capacity(y.len());
    let mut x = [0.0; N];
    let mut p: [[f64; N]; N] =
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { DIFFUSE } else { 0.0 }));
    for y in y {
        states.push((x, p));
        let (v, s, first) = (y - x[0], p[0][0] + r, p[0]);
        for i in 0..N {
            let gain = p[i][0] / s;
            x[i] += gain * v;
            for j in 0..N {
                p[i][j] -= gain * first[j];
            }
        }
        for i in 0..N - 1 {
            x[i] += x[i + 1];
            for j in 0..N {
                p[i][j] += p[i + 1][j];
            }
        }
        for i in 0..N {
            for j in 0..N - 1 {
                p[i][j] += p[i][j + 1];
            }
            p[i][i] += log_q[i].exp();
        }
    }
    let (mut dx, mut dp) = ([0.0; N], [[0.0; N]; N]);
    let (mut dr, mut dq) = (0.0, [0.0; N]);
    for (t, (x, p)) in states.iter().enumerate().rev() {
        // x̄ ← Fᵀx̄, P̄ ← FᵀP̄F
        for i in 0..N {
            dq[i] += dp[i][i];
            for j in (1..N).rev() {
                dp[i][j] += dp[i][j - 1];
            }
        }
        for i in (1..N).rev() {
            dx[i] += dx[i - 1];
            for j in 0..N {
                dp[i][j] += dp[i - 1][j];
            }
        }
        let (v, s) = (y[t] - x[0], p[0][0] + r);
        let (mut dv, mut ds) = (0.0, 0.0);
        if t >= N {
            dv -= v / s;
            ds -= 0.5 * (1.0 - v * v / s) / s;
        }
        let mut dfirst = [0.0; N];
        for i in 0..N {
            let gain = p[i][0] / s;
            let mut dgain = dx[i] * v;
            dv += dx[i] * gain;
            for j in 0..N {
                dgain -= dp[i][j] * p[0][j];
                dfirst[j] -= dp[i][j] * gain;
            }
            dp[i][0] += dgain / s;
            ds -= dgain * gain / s;
        }
        for j in 0..N {
            dp[0][j] += dfirst[j];
        }
        dp[0][0] += ds;
        dr += ds;
        dx[0] -= dv;
    }
    (dr * r, std::array::from_fn(|i| dq[i] * log_q[i].exp()))
}
