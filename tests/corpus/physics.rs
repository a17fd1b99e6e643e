//! Chemistry, mechanics, thermodynamics, aerodynamics, as simulation code is written.

use coenzyme::{Tangent, differentiable};

/// A newtype of a number with operators of its own.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Tangent)]
pub struct Kelvin(pub f64);

#[differentiable]
impl Kelvin {
    pub fn from_celsius(c: f64) -> Self {
        Kelvin(c + 273.15)
    }
    pub fn value(self) -> f64 {
        self.0
    }
}

/// What an equation of state can do.
pub trait EquationOfState {
    fn pressure(&self, v: f64, t: f64) -> f64;
    fn compressibility(&self, v: f64, t: f64) -> f64;
}

#[derive(Debug, Clone, Copy, Tangent)]
pub struct VanDerWaals {
    pub a: f64,
    pub b: f64,
}

#[differentiable]
impl EquationOfState for VanDerWaals {
    fn pressure(&self, v: f64, t: f64) -> f64 {
        8.314 * t / (v - self.b) - self.a / (v * v)
    }
    fn compressibility(&self, v: f64, t: f64) -> f64 {
        self.pressure(v, t) * v / (8.314 * t)
    }
}

#[differentiable]
pub fn gas(eos: &VanDerWaals, v: f64, celsius: f64) -> f64 {
    let t = Kelvin::from_celsius(celsius);
    eos.compressibility(v, t.value())
}

#[derive(Debug)]
pub enum SolveError {
    Diverged { at: f64 },
    Singular,
}

#[differentiable]
pub fn molar_volume(eos: &VanDerWaals, p: f64, t: f64) -> Result<f64, SolveError> {
    let mut v = 8.314 * t / p;
    for _ in 0..60 {
        let f = eos.pressure(v, t) - p;
        let slope = -8.314 * t / (v - eos.b).powi(2) + 2.0 * eos.a / v.powi(3);
        if slope.abs() < 1e-300 {
            return Err(SolveError::Singular);
        }
        let next = v - f / slope;
        if !next.is_finite() {
            return Err(SolveError::Diverged { at: v });
        }
        if (next - v).abs() < 1e-14 * v {
            return Ok(next);
        }
        v = next;
    }
    Err(SolveError::Diverged { at: v })
}

#[differentiable]
pub fn density(eos: &VanDerWaals, molar_mass: f64, p: f64, t: f64) -> Result<f64, SolveError> {
    let v = molar_volume(eos, p, t)?;
    Ok(molar_mass / v)
}

#[differentiable]
pub fn arrhenius(a: f64, ea: f64, t: f64) -> f64 {
    a * (-ea / (8.314 * t)).exp()
}

#[differentiable]
pub fn michaelis_menten(s: f64, vmax: f64, km: f64, inhibitor: Option<f64>) -> f64 {
    let factor = inhibitor.map(|i| 1.0 + i / 0.3).unwrap_or(1.0);
    vmax * s / (km * factor + s)
}

#[derive(Clone, Copy, Debug, Default, Tangent)]
pub struct State {
    pub position: [f64; 2],
    pub velocity: [f64; 2],
}

#[differentiable]
fn derivative(s: &State, drag: f64) -> State {
    let speed = (s.velocity[0].powi(2) + s.velocity[1].powi(2)).sqrt();
    State {
        position: s.velocity,
        velocity: [
            -drag * speed * s.velocity[0],
            -9.81 - drag * speed * s.velocity[1],
        ],
    }
}

#[differentiable]
fn advanced(s: &State, d: &State, h: f64) -> State {
    let mut out = *s;
    for k in 0..2 {
        out.position[k] += h * d.position[k];
        out.velocity[k] += h * d.velocity[k];
    }
    out
}

#[differentiable]
pub fn projectile_range(speed: f64, angle: f64, drag: f64) -> f64 {
    let mut s = State {
        velocity: [speed * angle.cos(), speed * angle.sin()],
        ..Default::default()
    };
    let h = 0.05;
    loop {
        let k1 = derivative(&s, drag);
        let mid = advanced(&s, &k1, h / 2.0);
        let next = advanced(&s, &derivative(&mid, drag), h);
        if next.position[1] < 0.0 {
            let f = s.position[1] / (s.position[1] - next.position[1]);
            return s.position[0] + f * (next.position[0] - s.position[0]);
        }
        s = next;
    }
}

#[differentiable]
pub fn lennard_jones(positions: &[[f64; 3]], epsilon: f64, sigma: f64) -> f64 {
    let mut energy = 0.0;
    for (i, a) in positions.iter().enumerate() {
        for b in positions.iter().skip(i + 1) {
            let r2: f64 = a.iter().zip(b.iter()).map(|(x, y)| (x - y) * (x - y)).sum();
            let s6 = (sigma * sigma / r2).powi(3);
            energy += 4.0 * epsilon * (s6 * s6 - s6);
        }
    }
    energy
}

#[differentiable]
pub fn heat_equation(u: &mut Vec<f64>, alpha: f64, steps: usize) {
    let n = u.len();
    let mut next = u.clone();
    for _ in 0..steps {
        for i in 1..n - 1 {
            next[i] = u[i] + alpha * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        }
        std::mem::swap(u, &mut next);
    }
}

#[differentiable]
pub fn tridiagonal(a: &[f64], b: &[f64], c: &[f64], d: &[f64]) -> Option<Vec<f64>> {
    let n = d.len();
    let mut cp = vec![0.0; n];
    let mut dp = vec![0.0; n];
    if b[0] == 0.0 {
        return None;
    }
    cp[0] = c[0] / b[0];
    dp[0] = d[0] / b[0];
    for i in 1..n {
        let m = b[i] - a[i] * cp[i - 1];
        if m == 0.0 {
            return None;
        }
        cp[i] = c[i] / m;
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m;
    }
    let mut x = dp;
    for i in (0..n - 1).rev() {
        x[i] -= cp[i] * x[i + 1];
    }
    Some(x)
}

#[differentiable]
pub fn gauss_solve(mut m: Vec<Vec<f64>>, mut rhs: Vec<f64>) -> Result<Vec<f64>, SolveError> {
    let n = rhs.len();
    for col in 0..n {
        let pivot = (col..n)
            .max_by(|&i, &j| m[i][col].abs().partial_cmp(&m[j][col].abs()).unwrap())
            .ok_or(SolveError::Singular)?;
        if m[pivot][col].abs() < 1e-14 {
            return Err(SolveError::Singular);
        }
        m.swap(col, pivot);
        rhs.swap(col, pivot);
        for row in col + 1..n {
            let f = m[row][col] / m[col][col];
            for k in col..n {
                m[row][k] -= f * m[col][k];
            }
            rhs[row] -= f * rhs[col];
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let s: f64 = (i + 1..n).map(|j| m[i][j] * x[j]).sum();
        x[i] = (rhs[i] - s) / m[i][i];
    }
    Ok(x)
}

#[differentiable]
pub fn determinant3(m: &[[f64; 3]; 3]) -> f64 {
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
}

#[differentiable]
pub fn inverse2(m: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
    let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    if det == 0.0 {
        return None;
    }
    let k = det.recip();
    Some([[m[1][1] * k, -m[0][1] * k], [-m[1][0] * k, m[0][0] * k]])
}

#[differentiable]
pub fn cholesky_ln_det(a: &[Vec<f64>]) -> Option<f64> {
    let n = a.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let s: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            if i == j {
                let d = a[i][i] - s;
                if d <= 0.0 {
                    return None;
                }
                l[i][j] = d.sqrt();
            } else {
                l[i][j] = (a[i][j] - s) / l[j][j];
            }
        }
    }
    Some(2.0 * (0..n).map(|i| l[i][i].ln()).sum::<f64>())
}

#[differentiable]
pub fn bisection<F: Fn(f64) -> f64>(f: F, mut lo: f64, mut hi: f64) -> Option<f64> {
    if f(lo) * f(hi) > 0.0 {
        return None;
    }
    for _ in 0..4 {
        let mid = 0.5 * (lo + hi);
        if f(lo) * f(mid) <= 0.0 {
            hi = mid
        } else {
            lo = mid
        }
    }
    Some((lo + hi) / 2.0)
}

#[differentiable]
pub fn simpson<F>(f: F, a: f64, b: f64, n: usize) -> f64
where
    F: Fn(f64) -> f64,
{
    let h = (b - a) / n as f64;
    let mut s = f(a) + f(b);
    for i in 1..n {
        let w = if i % 2 == 0 { 2.0 } else { 4.0 };
        s += w * f(a + i as f64 * h);
    }
    s * h / 3.0
}

#[differentiable]
pub fn bell_area(width: f64, from: f64, to: f64) -> f64 {
    simpson(|x: f64| (-x * x / (2.0 * width * width)).exp(), from, to, 8)
}

#[differentiable]
pub fn antoine(coefficients: (f64, f64, f64), t: f64) -> Result<f64, String> {
    let (a, b, c) = coefficients;
    let den = c + t;
    if den == 0.0 {
        Err("pole".into())
    } else {
        Ok(10f64.powf(a - b / den))
    }
}

#[differentiable]
pub fn mixture_pressure(x: f64, t: f64) -> Result<f64, String> {
    let p1 = antoine((1.2, 0.6, 2.3), t)?;
    let p2 = antoine((1.4, 0.9, 2.2), t).map_err(|e| format!("second component: {e}"))?;
    Ok(x * p1 + (1.0 - x) * p2)
}

#[differentiable]
pub fn isa_temperature(h: f64) -> f64 {
    match h {
        h if h < 11.0 => 288.15 - 6.5 * h,
        h if h < 20.0 => 216.65,
        _ => 216.65 + (h - 20.0),
    }
}

#[differentiable]
pub fn colebrook(re: f64, roughness: f64) -> f64 {
    let mut f = 0.25 / (roughness / 3.7 + 5.74 / re.powf(0.9)).log10().powi(2);
    for _ in 0..30 {
        let next = 1.0 / (-2.0 * (roughness / 3.7 + 2.51 / (re * f.sqrt())).log10()).powi(2);
        if (next - f).abs() < 1e-16 {
            break;
        }
        f = next;
    }
    f
}

#[differentiable]
pub fn spring_energy(positions: &[f64], springs: &[(usize, usize, f64)]) -> f64 {
    springs
        .iter()
        .map(|&(i, j, k)| 0.5 * k * (positions[j] - positions[i] - 1.0).powi(2))
        .sum()
}

#[differentiable]
pub fn partition_function(levels: &[f64], beta: f64) -> (f64, f64, f64, f64, f64, f64) {
    let z: f64 = levels.iter().map(|e| (-beta * e).exp()).sum();
    let u: f64 = levels.iter().map(|e| e * (-beta * e).exp()).sum::<f64>() / z;
    let u2: f64 = levels
        .iter()
        .map(|e| e * e * (-beta * e).exp())
        .sum::<f64>()
        / z;
    let f = -z.ln() / beta;
    (z, u, u2, f, beta * (u - f), beta * beta * (u2 - u * u))
}

fn vdw() -> VanDerWaals {
    VanDerWaals { a: 0.4, b: 0.03 }
}

crate::subject::judge! {
    gas(&vdw(), 1.4, 20.0);
    molar_volume(&vdw(), 2.0, 1.2);
    density(&vdw(), 0.3, 2.0, 1.2);
    arrhenius(1.3, 4.0, 1.7);
    michaelis_menten(0.7, 1.3, 0.4, Some(0.2))(0.7, 1.3, 0.4, None);
    projectile_range(8.0, 0.7, 0.02);
    lennard_jones(&vec![[0.0, 0.1, 0.2], [1.1, 0.2, -0.1], [0.4, 1.3, 0.3]], 0.8, 0.9);
    heat_equation(&mut vec![0.3, 1.1, -0.4, 0.8, -0.9], 0.2, 3);
    tridiagonal(&[0.0, 0.3, 0.4], &[2.0, 2.2, 1.9], &[0.5, 0.3, 0.0], &[1.0, -0.4, 0.7]);
    gauss_solve(vec![vec![2.0, 0.3], vec![-0.4, 1.5]], vec![0.7, 1.1]);
    determinant3(&[[2.0, 0.3, 0.1], [-0.4, 1.5, 0.6], [0.2, 0.9, 1.1]]);
    inverse2([[2.0, 0.3], [-0.4, 1.5]]);
    cholesky_ln_det(&vec![vec![2.0, 0.3], vec![0.3, 1.5]]);
    bell_area(0.7, -0.4, 1.3);
    antoine((1.2, 0.6, 2.3), 0.4);
    mixture_pressure(0.3, 0.4);
    isa_temperature(7.0)(14.0)(25.0);
    colebrook(50.0, 0.1);
    spring_energy(&[0.0, 1.2, 1.9], &[(0, 1, 2.0), (1, 2, 3.0)]);
    partition_function(&[0.1, 0.7, 1.4], 0.9);
}
