//! Linear systems, decompositions, products of matrices.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn lu_solve(a: &mut [f64], b: &mut [f64], n: usize) {
    for k in 0..n {
        for i in k + 1..n {
            a[i * n + k] /= a[k * n + k];
            let m = a[i * n + k];
            for j in k + 1..n {
                a[i * n + j] -= m * a[k * n + j];
            }
        }
    }
    for i in 0..n {
        for j in 0..i {
            b[i] -= a[i * n + j] * b[j];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            b[i] -= a[i * n + j] * b[j];
        }
        b[i] /= a[i * n + i];
    }
}

#[differentiable]
fn thomas(lower: &[f64], diag: &[f64], upper: &[f64], rhs: &[f64]) -> Vec<f64> {
    let n = diag.len();
    let mut c = vec![0.0; n];
    let mut d = vec![0.0; n];
    c[0] = upper[0] / diag[0];
    d[0] = rhs[0] / diag[0];
    for i in 1..n {
        let m = 1.0 / (diag[i] - lower[i] * c[i - 1]);
        c[i] = upper[i] * m;
        d[i] = (rhs[i] - lower[i] * d[i - 1]) * m;
    }
    let mut x = vec![0.0; n];
    x[n - 1] = d[n - 1];
    for i in (0..n - 1).rev() {
        x[i] = d[i] - c[i] * x[i + 1];
    }
    x
}

#[differentiable]
fn matrix_chain(mats: &Vec<Vec<f64>>, n: usize) -> f64 {
    let mut acc = vec![0.0; n * n];
    for i in 0..n {
        acc[i * n + i] = 1.0;
    }
    for m in mats {
        let mut out = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..n {
                let mut s = 0.0;
                for k in 0..n {
                    s += acc[i * n + k] * m[k * n + j];
                }
                out[i * n + j] = s;
            }
        }
        acc = out;
    }
    (0..n).map(|i| acc[i * n + i]).sum()
}

#[differentiable]
fn matrix_of_rows(a: &Vec<Vec<f64>>, b: &Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let (n, m, p) = (a.len(), b.len(), b[0].len());
    let mut c = vec![vec![0.0; p]; n];
    for i in 0..n {
        for k in 0..m {
            for j in 0..p {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

#[differentiable]
fn const_product<const N: usize, const M: usize>(a: [[f64; M]; N], x: [f64; M]) -> [f64; N] {
    let mut y = [0.0; N];
    for i in 0..N {
        for j in 0..M {
            y[i] += a[i][j] * x[j];
        }
    }
    y
}

#[differentiable]
fn determinant3(m: [[f64; 3]; 3]) -> f64 {
    let [a, b, c] = m;
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

#[differentiable]
fn power_iteration(a: &[f64], n: usize, rounds: usize) -> f64 {
    let mut v = vec![1.0; n];
    let mut lambda = 0.0;
    for _ in 0..rounds {
        let mut w = vec![0.0; n];
        for i in 0..n {
            for j in 0..n {
                w[i] += a[i * n + j] * v[j];
            }
        }
        lambda = w.iter().map(|x| x * x).sum::<f64>().sqrt();
        for i in 0..n {
            v[i] = w[i] / lambda;
        }
    }
    lambda
}

#[differentiable]
fn gram_schmidt(a: &mut [f64], n: usize) {
    for i in 0..n {
        let (done, rest) = a.split_at_mut(i * n);
        let row = &mut rest[..n];
        for k in 0..i {
            let q = &done[k * n..(k + 1) * n];
            let mut d = 0.0;
            for j in 0..n {
                d += q[j] * row[j];
            }
            for j in 0..n {
                row[j] -= d * q[j];
            }
        }
        let norm = row.iter().map(|v| v * v).sum::<f64>().sqrt();
        for v in row.iter_mut() {
            *v /= norm;
        }
    }
}

#[differentiable]
fn conjugate_gradient(a: &[f64], b: &[f64], rounds: usize) -> Vec<f64> {
    let n = b.len();
    let mut x = vec![0.0; n];
    let mut r = b.to_vec();
    let mut p = r.clone();
    let mut rr: f64 = r.iter().map(|v| v * v).sum();
    for _ in 0..rounds {
        let mut ap = vec![0.0; n];
        for i in 0..n {
            for j in 0..n {
                ap[i] += a[i * n + j] * p[j];
            }
        }
        let alpha = rr / p.iter().zip(&ap).map(|(u, v)| u * v).sum::<f64>();
        for i in 0..n {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        let new: f64 = r.iter().map(|v| v * v).sum();
        let beta = new / rr;
        rr = new;
        for i in 0..n {
            p[i] = r[i] + beta * p[i];
        }
    }
    x
}

#[differentiable]
fn solve(a: &Vec<Vec<f64>>, b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut m: Vec<Vec<f64>> = a.clone();
    let mut x = b.to_vec();
    for col in 0..n {
        let mut pivot = col;
        for row in col + 1..n {
            if m[row][col].abs() > m[pivot][col].abs() {
                pivot = row;
            }
        }
        if pivot != col {
            m.swap(col, pivot);
            x.swap(col, pivot);
        }
        for row in (col + 1)..n {
            let factor = m[row][col] / m[col][col];
            for k in col..n {
                m[row][k] -= factor * m[col][k];
            }
            x[row] -= factor * x[col];
        }
    }
    for row in (0..n).rev() {
        for k in row + 1..n {
            x[row] -= m[row][k] * x[k];
        }
        x[row] /= m[row][row];
    }
    x
}

#[differentiable]
fn log_det(a: &Vec<Vec<f64>>) -> f64 {
    let n = a.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let mut sum = a[i][j];
            for k in 0..j {
                sum -= l[i][k] * l[j][k];
            }
            if i == j {
                if sum <= 0.0 {
                    return f64::NAN;
                }
                l[i][j] = sum.sqrt();
            } else {
                l[i][j] = sum / l[j][j];
            }
        }
    }
    2.0 * (0..n).map(|i| l[i][i].ln()).sum::<f64>()
}

#[differentiable]
fn gauss_seidel(a: &[[f64; 3]], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut x = vec![0.0; n];
    let mut change = f64::MAX;
    let mut sweeps = 0;
    while change > 1e-14 && sweeps < 200 {
        change = 0.0;
        for i in 0..n {
            let s: f64 = (0..n).filter(|&j| j != i).map(|j| a[i][j] * x[j]).sum();
            let new = (b[i] - s) / a[i][i];
            change = change.max((new - x[i]).abs());
            x[i] = new;
        }
        sweeps += 1;
    }
    x
}

#[differentiable]
fn descend(a: &[Vec<f64>], b: &[f64], iterations: usize) -> f64 {
    let n = b.len();
    let mut x = vec![0.0; n];
    let mut r: Vec<f64> = b.to_vec();
    let mut p = r.clone();
    let mut rs: f64 = r.iter().map(|v| v * v).sum();
    for _ in 0..iterations {
        let ap: Vec<f64> = a
            .iter()
            .map(|row| row.iter().zip(&p).map(|(a, p)| a * p).sum::<f64>())
            .collect();
        let alpha = rs / p.iter().zip(&ap).map(|(p, q)| p * q).sum::<f64>();
        for i in 0..n {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        let rs_new = r.iter().map(|v| v * v).sum::<f64>();
        if rs_new.sqrt() < 1e-14 {
            break;
        }
        let beta = rs_new / rs;
        for (p, r) in p.iter_mut().zip(&r) {
            *p = r + beta * *p;
        }
        rs = rs_new;
    }
    x.iter().zip(b).map(|(x, b)| x * b).sum()
}

#[differentiable]
fn mat_vec<const R: usize, const C: usize>(a: &[[f64; C]; R], x: &[f64; C]) -> [f64; R] {
    let mut y = [0.0; R];
    for r in 0..R {
        for c in 0..C {
            y[r] += a[r][c] * x[c];
        }
    }
    y
}

#[differentiable]
fn product_of_fixed(a: &[Vec<f64>], x: &[f64]) -> f64 {
    let a = [[a[0][0], a[0][1]], [a[1][0], a[1][1]]];
    let x = [x[0], x[1]];
    let y = mat_vec(&a, &x);
    y[0] * y[1]
}

judge! {
    lu_solve(&mut vec![2.0, 0.3, 0.4, 0.5, 1.7, 0.2, 0.1, 0.6, 1.9], &mut any(3), 3);
    thomas(&any(3), &vec![3.1, 2.9, 3.3], &any(3), &positive(3));
    matrix_chain(&vec![any(4), positive(4), any(4)], 2);
    matrix_of_rows(&vec![any(2), positive(2)], &vec![positive(3), any(3)]);
    const_product([[0.3, 0.7], [0.2, -0.4], [1.2, 0.1]], [0.9, -0.6]);
    determinant3([[0.3, 0.7, 0.2], [-0.4, 1.2, 0.1], [0.9, -0.6, 0.8]]);
    power_iteration(&positive(4), 2, 3);
    gram_schmidt(&mut vec![2.0, 0.3, 0.4, 0.5, 1.7, 0.2, 0.1, 0.6, 1.9], 3);
    conjugate_gradient(&vec![2.0, 0.3, 0.3, 1.7], &any(2), 1);
    solve(&vec![vec![0.2, 0.9, 0.1], vec![0.8, 0.5, -0.2], vec![0.1, -0.2, 1.1]], &any(3));
    log_det(&vec![vec![2.0, 0.3, 0.1], vec![0.3, 1.5, -0.2], vec![0.1, -0.2, 1.1]]);
    gauss_seidel(&vec![[2.0, 0.3, 0.1], [0.3, 1.5, -0.2], [0.1, -0.2, 1.1]], &any(3));
    descend(&vec![vec![2.0, 0.3, 0.1], vec![0.3, 1.5, -0.2], vec![0.1, -0.2, 1.1]], &any(3), 2);
    product_of_fixed(&vec![any(2), any(2)], &any(2));
}
