//! Memory that changes: before, between and after it is read.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn running_product(y: &mut [f64]) {
    for i in 1..y.len() {
        y[i] *= y[i - 1];
    }
}

#[differentiable]
fn running_sum_of_sines(y: &mut [f64], k: f64) -> f64 {
    for i in 1..y.len() {
        y[i] = (y[i] * k).sin() + y[i - 1];
    }
    y[y.len() - 1]
}

#[differentiable]
fn backward_scan(y: &mut [f64], a: &[f64]) {
    for i in (0..y.len() - 1).rev() {
        y[i] = y[i] * a[i] - y[i + 1] * y[i];
    }
}

#[differentiable]
fn tridiagonal(d: &mut [f64], b: &mut [f64], a: &[f64], c: &[f64]) {
    for i in 1..d.len() {
        let w = a[i] / d[i - 1];
        d[i] -= w * c[i - 1];
        b[i] -= w * b[i - 1];
    }
    let n = d.len();
    b[n - 1] /= d[n - 1];
    for i in (0..n - 1).rev() {
        b[i] = (b[i] - c[i] * b[i + 1]) / d[i];
    }
}

#[differentiable]
fn overwritten_after_it_was_read(y: &mut [f64], k: f64) -> f64 {
    let a = y[0] * y[1];
    y[0] = k * a;
    let b = y[0] * y[1];
    y[1] = b.sin();
    a * b + y[0] * y[1]
}

#[differentiable]
fn fields_written_together(p: &mut (f64, f64)) {
    rotated(&mut p.0, &mut p.1);
    rotated(&mut p.1, &mut p.0);
}

#[differentiable]
fn rotated(a: &mut f64, b: &mut f64) {
    let t = *a * 0.8 - *b * *a;
    *b = *a + *b * 0.8;
    *a = t;
}

#[differentiable]
fn scratch_in_loops(x: &[f64], n: usize) -> f64 {
    let mut buffer = vec![0.0; x.len()];
    let mut t = 0.2;
    for k in 0..n {
        for i in 0..x.len() {
            buffer[i] = x[i] * k as f64 + t;
        }
        for i in 0..x.len() {
            t += 0.1 * buffer[i] * buffer[i];
        }
    }
    t
}

#[differentiable]
fn scratch_inside_the_loop(x: &[f64], n: usize) -> f64 {
    let mut s = 0.5;
    for _ in 0..n {
        let mut b = vec![0.0; x.len()];
        for i in 0..x.len() {
            b[i] += x[i] * s;
            b[0] *= b[i];
        }
        s += b[0];
    }
    s
}

#[differentiable]
fn read_modify_write(y: &mut [f64], x: &[f64]) {
    for i in 0..x.len() {
        let k = i % y.len();
        y[k] = y[k] * y[k] * x[i] + y[(k + 1) % y.len()];
    }
}

#[differentiable]
fn histogram(bins: &mut [f64], x: &[f64], at: &[usize]) {
    for i in 0..x.len() {
        bins[at[i]] += x[i] * x[i] * bins[at[i]];
    }
}

#[differentiable]
fn conditional_overwrite(y: &mut [f64], x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..y.len() {
        if x[i] > 1.0 {
            y[i] = x[i] * x[i];
        }
        s += y[i] * y[i];
        if s > 2.0 {
            y[i] = s;
        }
    }
    s
}

#[differentiable]
fn overwritten_by_the_inactive(y: &mut [f64], x: &[f64], zero: &[bool]) -> f64 {
    let mut s = 0.0;
    for i in 0..y.len() {
        y[i] *= x[i];
        s += y[i] * y[i];
        if zero[i] {
            y[i] = 0.0;
        }
    }
    s + y[0] * y[1]
}

#[differentiable]
fn ping_pong(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    let mut b = vec![0.0; x.len()];
    for _ in 0..n {
        for i in 1..x.len() - 1 {
            b[i] = a[i] + 0.1 * (a[i - 1] - 2.0 * a[i] + a[i + 1]) * a[i];
        }
        b[0] = a[0];
        b[x.len() - 1] = a[x.len() - 1];
        std::mem::swap(&mut a, &mut b);
    }
    let mut s = 0.0;
    for i in 0..x.len() {
        s += a[i] * a[i];
    }
    s
}

#[differentiable]
fn swapped_references(u: &mut Vec<f64>, v: &mut Vec<f64>, n: usize) {
    for _ in 0..n {
        for i in 0..u.len() {
            v[i] += u[i] * u[i];
        }
        std::mem::swap(u, v);
    }
}

#[differentiable]
fn overwritten_inside_needed_outside(x: &[f64], n: usize) -> f64 {
    let mut y = x.to_vec();
    let mut s = 0.0;
    for _ in 0..n {
        let first = y[0];
        for i in 0..y.len() {
            y[i] = y[i] * 0.9 + 0.1 * first;
            s += y[i] * first;
        }
        s += first * y[0];
    }
    s
}

#[differentiable]
fn three_levels(x: &mut [f64], n: usize) {
    for i in 0..n {
        let pivot = x[i];
        for j in 0..n {
            if i == j {
                continue;
            }
            let factor = x[j] / pivot;
            for k in 0..n {
                x[k] -= 0.1 * factor * x[i];
            }
        }
    }
}

#[differentiable]
fn elimination(a: &mut [f64], n: usize) -> f64 {
    let mut determinant = 1.0;
    for i in 0..n {
        let pivot = a[i * n + i];
        determinant *= pivot;
        for j in i + 1..n {
            let factor = a[j * n + i] / pivot;
            for k in i..n {
                a[j * n + k] -= factor * a[i * n + k];
            }
        }
    }
    determinant
}

#[differentiable]
fn cholesky(a: &mut [f64], n: usize) {
    for j in 0..n {
        for k in 0..j {
            let l = a[j * n + k];
            a[j * n + j] -= l * l;
        }
        a[j * n + j] = a[j * n + j].sqrt();
        for i in j + 1..n {
            for k in 0..j {
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] /= a[j * n + j];
        }
    }
}

#[differentiable]
fn sorted_pairs(y: &mut [f64]) -> f64 {
    for i in 0..y.len() {
        for j in 0..y.len() - 1 - i {
            if y[j] > y[j + 1] {
                y.swap(j, j + 1);
            }
        }
    }
    y[0] * y[0] + y[1] * y[2]
}

#[differentiable]
fn rotated_buffer(x: &[f64], n: usize) -> f64 {
    let mut ring = [0.1, 0.2, 0.3];
    for k in 0..n {
        ring[k % 3] = ring[(k + 1) % 3] * x[k % x.len()] + ring[(k + 2) % 3];
    }
    ring[0] * ring[1] + ring[2]
}

#[differentiable]
fn copies_are_apart(x: f64, y: f64) -> f64 {
    let mut a = [x, y, x * y];
    let b = a;
    a[0] *= y;
    let mut c = a;
    c[1] = a[0] * b[0];
    a[2] = c[1];
    a[0] * a[2] + b[0] * b[2] + c[0] * c[1]
}

#[differentiable]
fn moved_vectors(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    a[0] *= a[1];
    let b = a;
    let mut c = b;
    c[1] += c[0];
    c[0] * c[1]
}

#[differentiable]
fn replaced_vectors(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    for _ in 0..n {
        let mut next = vec![0.0; a.len()];
        for i in 0..a.len() {
            next[i] = a[i] * a[(i + 1) % x.len()];
        }
        a = next;
    }
    a[0] * a[1]
}

#[differentiable]
fn loop_over_its_own_values(y: &mut [f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..y.len() {
        for j in 0..y.len() {
            y[i] += 0.1 * y[j] * y[i];
        }
        s += y[i];
    }
    s
}

#[differentiable]
fn copied_between_halves(y: &mut [f64], k: f64) {
    let n = y.len() / 2;
    let (a, b) = y.split_at_mut(n);
    b[0] *= k;
    a.copy_from_slice(b);
    a[1] *= a[0];
    for (p, q) in b.iter_mut().zip(a.iter()) {
        *p += q * k;
    }
    std::mem::swap(&mut a[0], &mut b[1]);
}

#[differentiable]
fn sums_of_sums(x: &[f64], k: f64) -> f64 {
    let mut s = 0.0;
    let mut t = 0.0;
    for i in 0..x.len() {
        s += x[i] * x[i];
        t += s * k;
        if x[i] > 0.0 {
            s -= t;
        }
    }
    s * t
}

#[differentiable]
fn sums_that_cross(x: &[f64]) -> f64 {
    let mut s = 0.1;
    let mut t = 0.2;
    for v in x {
        let old = s;
        s = t + v * v;
        t = old - v.sin();
    }
    s * t
}

#[differentiable]
fn added_to_what_is_read(y: &mut [f64], x: &[f64]) {
    for i in 0..x.len() {
        y[i] += x[i] * x[0];
        y[(i + 1) % x.len()] += y[i] * 0.5;
    }
}

#[differentiable]
fn subtracted_by_the_constant(y: &mut [f64], x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        let a = x[i] * x[i];
        y[0] -= a;
        s += a - 0.5;
        s = s - x[i] * 2.0;
    }
    s * y[0]
}

judge! {
    running_product(&mut positive(4));
    running_sum_of_sines(&mut positive(4), 0.7);
    backward_scan(&mut any(4), &positive(4));
    tridiagonal(&mut vec![2.1, 2.3, 1.9], &mut any(3), &positive(3), &any(3));
    overwritten_after_it_was_read(&mut any(2), 0.7);
    fields_written_together(&mut (0.7, -0.4));
    rotated(&mut 0.7, &mut 0.4);
    scratch_in_loops(&positive(3), 3);
    scratch_inside_the_loop(&positive(3), 2);
    read_modify_write(&mut positive(2), &any(5));
    histogram(&mut positive(2), &any(4), &vec![0, 1, 1, 0]);
    conditional_overwrite(&mut any(3), &vec![0.7, 1.3, 1.2]);
    overwritten_by_the_inactive(&mut any(3), &positive(3), &vec![true, false, true]);
    ping_pong(&positive(4), 3) (&positive(4), 2);
    swapped_references(&mut positive(2), &mut any(2), 3);
    overwritten_inside_needed_outside(&positive(3), 2);
    three_levels(&mut positive(3), 3);
    elimination(&mut vec![2.0, 0.3, 0.4, 0.5, 1.7, 0.2, 0.1, 0.6, 1.9], 3);
    cholesky(&mut vec![2.0, 0.0, 0.0, 0.5, 1.7, 0.0, 0.1, 0.6, 1.9], 3);
    sorted_pairs(&mut vec![0.9, 0.2, 0.5]);
    rotated_buffer(&positive(2), 5);
    copies_are_apart(0.7, -0.4);
    moved_vectors(&any(2));
    replaced_vectors(&positive(3), 2);
    loop_over_its_own_values(&mut positive(3));
    copied_between_halves(&mut any(4), 0.7);
    sums_of_sums(&any(3), 0.7);
    sums_that_cross(&any(3));
    added_to_what_is_read(&mut any(3), &positive(3));
    subtracted_by_the_constant(&mut any(1), &positive(3), 3);
}
