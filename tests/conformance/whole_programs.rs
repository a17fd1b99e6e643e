//! Whole programs as people write them: a transform, an alignment, a regression, a controller.

mod transform {
    use coenzyme::differentiable;

    use crate::subject::judge;

    #[differentiable]
    fn fft(re: &mut [f64], im: &mut [f64], invert: bool) {
        let n = re.len();
        let mut j = 0;
        for i in 1..n {
            let mut bit = n >> 1;
            while j & bit != 0 {
                j ^= bit;
                bit >>= 1;
            }
            j |= bit;
            if i < j {
                re.swap(i, j);
                im.swap(i, j);
            }
        }
        let mut len = 2;
        while len <= n {
            let ang = 2.0 * std::f64::consts::PI / len as f64 * if invert { -1.0 } else { 1.0 };
            for start in (0..n).step_by(len) {
                for k in 0..len / 2 {
                    let (s, c) = (ang * k as f64).sin_cos();
                    let (a, b) = (start + k, start + k + len / 2);
                    let tr = re[b] * c - im[b] * s;
                    let ti = re[b] * s + im[b] * c;
                    re[b] = re[a] - tr;
                    im[b] = im[a] - ti;
                    re[a] += tr;
                    im[a] += ti;
                }
            }
            len <<= 1;
        }
    }
    #[differentiable]
    fn spectrum(x: &[f64], gain: f64) -> f64 {
        let mut re = x.to_vec();
        let mut im = vec![0.0; x.len()];
        fft(&mut re, &mut im, false);
        let power: Vec<f64> = re.iter().zip(&im).map(|(a, b)| a * a + b * b).collect();
        let total: f64 = power.iter().sum();
        let entropy = -power
            .iter()
            .map(|p| p / total)
            .filter(|p| *p > 1e-12)
            .map(|p| p * p.ln())
            .sum::<f64>();
        entropy * gain + power[1]
    }
    judge! { spectrum(&[0.3, 0.9, -0.4, 0.7], 1.2); }
}

mod alignment {
    use coenzyme::differentiable;

    use crate::subject::judge;

    #[differentiable]
    fn dtw(a: &[f64], b: &[f64], gamma: f64) -> f64 {
        let (n, m) = (a.len(), b.len());
        let mut table = vec![vec![f64::INFINITY; m + 1]; n + 1];
        table[0][0] = 0.0;
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                let cost = (x - y).powi(2);
                let options = [table[i][j], table[i][j + 1], table[i + 1][j]];
                let low = options.iter().copied().fold(f64::INFINITY, f64::min);
                let soft = low
                    - gamma
                        * options
                            .iter()
                            .filter(|o| o.is_finite())
                            .map(|o| (-(o - low) / gamma).exp())
                            .sum::<f64>()
                            .ln();
                table[i + 1][j + 1] = cost + soft;
            }
        }
        table[n][m]
    }
    #[differentiable]
    fn distance(a: &[f64], k: f64) -> f64 {
        let b: Vec<f64> = a.iter().rev().map(|v| v * k + 0.1).collect();
        dtw(a, &b, 0.5).max(-5.0)
    }
    judge! { distance(&[0.1, 0.7, 0.4], 0.8); }
}

mod regression {
    use coenzyme::differentiable;

    use crate::subject::judge;

    #[derive(Debug, Clone, PartialEq)]
    enum Fault {
        Empty,
        Singular { pivot: usize },
        Diverged(f64),
    }
    type Res<T> = Result<T, Fault>;
    #[differentiable]
    fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Res<Vec<f64>> {
        let n = b.len();
        if n == 0 {
            return Err(Fault::Empty);
        }
        for k in 0..n {
            let p = (k..n)
                .max_by(|&i, &j| a[i][k].abs().partial_cmp(&a[j][k].abs()).unwrap())
                .unwrap();
            if a[p][k].abs() < 1e-12 {
                return Err(Fault::Singular { pivot: k });
            }
            a.swap(k, p);
            b.swap(k, p);
            for i in k + 1..n {
                let f = a[i][k] / a[k][k];
                for j in k..n {
                    a[i][j] -= f * a[k][j];
                }
                b[i] -= f * b[k];
            }
        }
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let s: f64 = (i + 1..n).map(|j| a[i][j] * x[j]).sum();
            x[i] = (b[i] - s) / a[i][i];
        }
        Ok(x)
    }
    #[differentiable]
    fn ridge(xs: &[f64], ys: &[f64], lambda: f64) -> Res<f64> {
        let deg = 3;
        let phi = |x: f64, k: usize| x.powi(k as i32);
        let mut g = vec![vec![0.0; deg]; deg];
        let mut r = vec![0.0; deg];
        for (&x, &y) in xs.iter().zip(ys) {
            for i in 0..deg {
                for j in 0..deg {
                    g[i][j] += phi(x, i) * phi(x, j);
                }
                r[i] += phi(x, i) * y;
            }
        }
        for (i, row) in g.iter_mut().enumerate() {
            row[i] += lambda;
        }
        let w = solve(g, r)?;
        let loss: f64 = xs
            .iter()
            .zip(ys.iter())
            .map(|(x, y)| {
                let p: f64 = w.iter().enumerate().map(|(k, c)| c * phi(*x, k)).sum();
                (p - y).powi(2)
            })
            .sum();
        if !loss.is_finite() {
            return Err(Fault::Diverged(loss));
        }
        Ok(loss + lambda * w.iter().map(|c| c * c).sum::<f64>())
    }
    #[differentiable]
    fn total(xs: &[f64], ys: &[f64], lambda: f64) -> f64 {
        ridge(xs, ys, lambda).unwrap_or(-1.0)
    }
    judge! { total(&[0.1, 0.5, 0.9, 1.4], &[0.2, 0.3, 0.9, 1.1], 0.3); }
}

mod controller {
    use coenzyme::{Tangent, differentiable};

    use crate::subject::judge;

    #[derive(Clone, Debug, Tangent)]
    struct Pid {
        kp: f64,
        ki: f64,
        kd: f64,
        integral: f64,
        last: Option<f64>,
        limit: f64,
    }
    #[differentiable]
    impl Pid {
        fn new(kp: f64, ki: f64, kd: f64) -> Self {
            Pid {
                kp,
                ki,
                kd,
                integral: 0.0,
                last: None,
                limit: 2.0,
            }
        }
        fn control(&mut self, error: f64, dt: f64) -> f64 {
            let derivative = match self.last {
                Some(prev) => (error - prev) / dt,
                None => 0.0,
            };
            self.last = Some(error);
            let candidate = self.integral + error * dt;
            let u = self.kp * error + self.ki * candidate + self.kd * derivative;
            if u.abs() <= self.limit {
                self.integral = candidate;
                u
            } else {
                u.signum() * self.limit
            }
        }
    }
    #[derive(Clone, Copy, Debug, Tangent)]
    struct Plant {
        x: f64,
        v: f64,
    }
    #[differentiable]
    impl Plant {
        fn advance(&mut self, u: f64, dt: f64) {
            let a = u - 0.4 * self.v - self.x;
            self.v += a * dt;
            self.x += self.v * dt;
        }
    }
    #[differentiable]
    fn cost(kp: f64, ki: f64, kd: f64, target: f64) -> f64 {
        let dt = 0.1;
        let mut pid = Pid::new(kp, ki, kd);
        let mut plant = Plant { x: 0.0, v: 0.0 };
        let mut j = 0.0;
        for k in 0..12 {
            let e = target - plant.x;
            let u = pid.control(e, dt);
            plant.advance(u, dt);
            j += (e * e + 0.01 * u * u) * dt * (1.0 + k as f64 * dt);
        }
        j
    }
    judge! { cost(1.2, 0.5, 0.1, 0.8); }
}
