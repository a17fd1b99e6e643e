//! Algorithms of statistics, physics and linear algebra on arrays of `ndarray`.

use coenzyme::differentiable;
use coenzyme_rules::linalg::{cholesky, solve, solve_triangular};
use ndarray::{Array1, Array2, Axis, array, s};

use crate::judge::{any, positive};
use crate::subject::judge;

fn vector(n: usize) -> Array1<f64> {
    Array1::from(any(n))
}

fn matrix(m: usize, n: usize) -> Array2<f64> {
    Array2::from_shape_vec((m, n), positive(m * n)).unwrap()
}

fn mixed(m: usize, n: usize) -> Array2<f64> {
    Array2::from_shape_vec((m, n), any(m * n)).unwrap()
}

/// Gaussian process: log marginal likelihood with the squared exponential kernel.
#[differentiable]
fn gaussian_process(
    x: &Array1<f64>,
    y: &Array1<f64>,
    length: f64,
    amplitude: f64,
    noise: f64,
) -> f64 {
    let n = x.len();
    let mut k = Array2::<f64>::zeros((n, n));
    for i in 0..n {
        for j in 0..n {
            let d = (x[i] - x[j]) / length;
            k[[i, j]] = amplitude * amplitude * (-0.5 * d * d).exp();
        }
        k[[i, i]] += noise * noise;
    }
    let l = cholesky(&k).unwrap();
    let z = solve_triangular(&l, y, true);
    let log_det: f64 = l.diag().iter().map(|v| v.ln()).sum();
    -0.5 * z.dot(&z) - log_det
}

/// Power iteration on the covariance, with a deflation.
#[differentiable]
fn power_iteration(data: &Array2<f64>, start: &Array1<f64>, steps: usize) -> f64 {
    let mean = data.mean_axis(Axis(0)).unwrap();
    let centred = data - &mean;
    let cov = centred.t().dot(&centred) / (data.nrows() as f64 - 1.0);
    let mut v = start.clone();
    for _ in 0..steps {
        v = cov.dot(&v);
        let norm = v.dot(&v).sqrt();
        v /= norm;
    }
    v.dot(&cov.dot(&v))
}

/// One Kalman update.
#[differentiable]
fn kalman(x: &Array1<f64>, p: &Array2<f64>, z: &Array1<f64>, h: &Array2<f64>, r: f64) -> f64 {
    let y = z - &h.dot(x);
    let mut s = h.dot(p).dot(&h.t());
    for v in s.diag_mut() {
        *v += r;
    }
    let pht = p.dot(&h.t());
    let k = solve(&s, &pht.t()).unwrap();
    let x = x + &k.t().dot(&y);
    let eye = Array2::<f64>::eye(x.len());
    let p = (&eye - &k.t().dot(h)).dot(p);
    x.dot(&x) + p.diag().sum()
}

#[differentiable]
fn ridge(x: &Array2<f64>, y: &Array1<f64>, lambda: f64) -> f64 {
    let n = x.ncols();
    let a = x.t().dot(x) + lambda * &Array2::<f64>::eye(n);
    let w = solve(&a, &x.t().dot(y)).unwrap();
    let residual = y - &x.dot(&w);
    residual.dot(&residual) + lambda * w.dot(&w)
}

#[differentiable]
fn sinkhorn(cost: &Array2<f64>, a: &Array1<f64>, b: &Array1<f64>, eps: f64, n: usize) -> f64 {
    let k = cost.mapv(|c| (-c / eps).exp());
    let mut u = Array1::<f64>::ones(a.len());
    let mut v = Array1::<f64>::ones(b.len());
    for _ in 0..n {
        u = a / &k.dot(&v);
        v = b / &k.t().dot(&u);
    }
    let plan = &k * &u.insert_axis(Axis(1)) * &v;
    (&plan * cost).sum()
}

/// An epidemic on a grid with diffusion.
#[differentiable]
fn sir(infected: &Array2<f64>, beta: f64, gamma: f64, diffusion: f64, steps: usize) -> f64 {
    let (m, n) = infected.dim();
    let mut i = infected.clone();
    let mut s = 1.0 - infected;
    for _ in 0..steps {
        let flow = beta * &(&s * &i);
        s -= &flow;
        let mut next = &i + &flow - gamma * &i;
        let laplacian = &i.slice(s![..-2, 1..-1])
            + &i.slice(s![2.., 1..-1])
            + &i.slice(s![1..-1, ..-2])
            + &i.slice(s![1..-1, 2..])
            - 4.0 * &i.slice(s![1..-1, 1..-1]);
        next.slice_mut(s![1..m - 1, 1..n - 1])
            .scaled_add(diffusion, &laplacian);
        i = next;
    }
    i.sum() + s[[0, 0]]
}

#[differentiable]
fn convolution(image: &Array2<f64>, kernel: &Array2<f64>) -> Array2<f64> {
    let (m, n) = image.dim();
    let (p, q) = kernel.dim();
    let mut out = Array2::<f64>::zeros((m - p + 1, n - q + 1));
    for ((i, j), &k) in kernel.indexed_iter() {
        out.scaled_add(k, &image.slice(s![i..i + m - p + 1, j..j + n - q + 1]));
    }
    out
}

/// QR by Householder's reflections; the triangle.
#[differentiable]
fn householder(a: &Array2<f64>) -> Array2<f64> {
    let (m, n) = a.dim();
    let mut r = a.clone();
    for k in 0..n.min(m - 1) {
        let mut v = r.slice(s![k.., k]).to_owned();
        let norm = v.dot(&v).sqrt();
        v[0] += if v[0] > 0.0 { norm } else { -norm };
        let beta = 2.0 / v.dot(&v);
        let w = v.dot(&r.slice(s![k.., k..])) * beta;
        for (i, &vi) in v.iter().enumerate() {
            r.slice_mut(s![k + i, k..]).scaled_add(-vi, &w);
        }
    }
    r
}

#[differentiable]
fn gram_schmidt(a: &Array2<f64>) -> Array2<f64> {
    let mut q = a.to_owned();
    for j in 0..a.ncols() {
        for i in 0..j {
            let qi = q.column(i).to_owned();
            let p = qi.dot(&q.column(j));
            q.column_mut(j).scaled_add(-p, &qi);
        }
        let mut c = q.column_mut(j);
        let norm = c.dot(&c).sqrt();
        c /= norm;
    }
    q
}

judge! {
    gaussian_process(&vector(3), &vector(3), 0.7, 1.2, 0.5);
    power_iteration(&matrix(3, 2), &Array1::from(positive(2)), 2);
    kalman(&vector(2), &array![[1.5, 0.2], [0.2, 1.1]], &vector(2), &mixed(2, 2), 0.4);
    ridge(&mixed(3, 2), &vector(3), 0.3);
    sinkhorn(&matrix(2, 2), &array![0.4, 0.6], &array![0.5, 0.5], 0.5, 2);
    sir(&(matrix(4, 4) * 0.2), 0.3, 0.1, 0.05, 2);
    convolution(&mixed(3, 3), &mixed(2, 2));
    householder(&mixed(3, 2));
    gram_schmidt(&mixed(3, 2));
}
