//! Small programs as they are found in numerical code, without regard to the macro.

use coenzyme::{Real, Tangent, differentiable, inactive};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |acc, &c| acc * x + c)
}

#[differentiable]
fn horner_with_derivative(c: &[f64], x: f64) -> (f64, f64) {
    let n = c.len();
    let (mut p, mut dp) = (c[n - 1], 0.0);
    for i in (0..n - 1).rev() {
        dp = dp * x + p;
        p = p * x + c[i];
    }
    (p, dp)
}

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

/// The last step of Newton after a bisection: its bracket is piecewise constant.
#[differentiable]
fn bisection(a: f64, target: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, 4.0);
    let mut steps = 0;
    while hi - lo > 0.3 && steps < 60 {
        let mid = 0.5 * (lo + hi);
        if a * mid * mid < target {
            lo = mid;
        } else {
            hi = mid;
        }
        steps += 1;
    }
    let x = 0.5 * (lo + hi);
    x - (a * x * x - target) / (2.0 * a * x)
}

#[differentiable]
fn running_max(x: &[f64]) -> f64 {
    let mut best = f64::NEG_INFINITY;
    let mut total = 0.0;
    for &v in x {
        if v > best {
            best = v;
        }
        total += best * v;
    }
    total
}

#[differentiable]
fn argmax_weighted(x: &[f64], w: &[f64]) -> f64 {
    let mut at = 0;
    for i in 1..x.len() {
        if x[i] > x[at] {
            at = i;
        }
    }
    x[at] * w[at] + at as f64
}

#[differentiable]
fn heat(u0: &[f64], kappa: f64, steps: usize) -> f64 {
    let n = u0.len();
    let mut now = u0.to_vec();
    let mut next = vec![0.0; n];
    for step in 0..steps {
        for i in 0..n {
            let left = if i == 0 { now[n - 1] } else { now[i - 1] };
            let right = now[(i + 1) % n];
            next[i] = now[i] + kappa * (left - 2.0 * now[i] + right) * now[i];
        }
        std::mem::swap(&mut now, &mut next);
        if step == 1 {
            now[0] *= 1.1;
        }
    }
    now.iter().map(|v| v * v).sum::<f64>().sqrt()
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
fn by_name(x: f64, method: &String) -> f64 {
    match method.as_str() {
        "square" => x * x,
        "cube" => {
            let y = x * x;
            y * x
        }
        name if name.starts_with("sin") => x.sin(),
        _ => x,
    }
}

#[differentiable]
fn shadowed_loop_variables(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let x_i = x[i];
        for i in 0..2 {
            let x = x_i * (i as f64 + 1.0);
            s += x * x;
        }
        let i = i + 1;
        s *= 1.0 + x[i % x.len()];
    }
    s
}

#[differentiable]
fn closure_counts(x: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut calls = 0;
    let mut add = |v: f64| {
        total += v * v;
        calls += 1;
    };
    for v in x {
        add(*v);
    }
    add(x[0]);
    total * calls as f64
}

#[differentiable]
fn labelled_search(grid: &[f64], n: usize, limit: f64) -> f64 {
    let mut sum = 1.0;
    let mut found = 0.0;
    'rows: for i in 0..n {
        for j in 0..n {
            let v = grid[i * n + j];
            if v < 0.0 {
                continue 'rows;
            }
            sum *= 1.0 + v;
            if sum > limit {
                found = v * sum;
                break 'rows;
            }
        }
        sum += 0.5 * sum * sum;
    }
    found + sum
}

#[differentiable]
fn fibonacci_like(a: f64, b: f64, n: usize) -> f64 {
    let (mut a, mut b) = (a, b);
    for _ in 0..n {
        (a, b) = (b, a * b + a);
    }
    a
}

#[derive(Clone, Debug, Tangent)]
struct State {
    position: Vec<f64>,
    velocity: Vec<f64>,
    time: f64,
    steps: usize,
}

fn state() -> State {
    State {
        position: any(3),
        velocity: positive(3),
        time: 0.3,
        steps: 0,
    }
}

#[differentiable]
fn leapfrog(s: &mut State, dt: f64, n: usize) {
    for _ in 0..n {
        for i in 0..s.position.len() {
            s.velocity[i] -= 0.5 * dt * s.position[i].sin();
        }
        for i in 0..s.position.len() {
            s.position[i] += dt * s.velocity[i];
        }
        for (v, p) in s.velocity.iter_mut().zip(&s.position) {
            *v -= 0.5 * dt * p.sin();
        }
        s.time += dt;
        s.steps += 1;
    }
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
fn log_sum_exp(x: &[f64]) -> f64 {
    let m = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    m + x.iter().map(|v| (v - m).exp()).sum::<f64>().ln()
}

#[differentiable]
fn softmax(x: &[f64]) -> Vec<f64> {
    let max = x.iter().cloned().fold(f64::NEG_INFINITY, |a, b| a.max(b));
    let e: Vec<f64> = x.iter().map(|v| (v - max).exp()).collect();
    let total: f64 = e.iter().sum();
    e.iter().map(|v| v / total).collect()
}

#[differentiable]
fn softmax_in_place(x: &mut [f64]) {
    let max = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for v in x.iter_mut() {
        *v = (*v - max).exp();
        sum += *v;
    }
    for v in x.iter_mut() {
        *v /= sum;
    }
}

#[differentiable]
fn variance(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)
}

#[differentiable]
fn welford(x: &[f64]) -> (f64, f64) {
    let mut count = 0.0;
    let mut mean = 0.0;
    let mut m2 = 0.0;
    for &v in x.iter() {
        count += 1.0;
        let delta = v - mean;
        mean += delta / count;
        m2 += delta * (v - mean);
    }
    (mean, m2 / count)
}

#[differentiable]
fn simpson(a: f64, b: f64, n: usize) -> f64 {
    let f = |x: f64| (x * x).sin() / (1.0 + x);
    let h = (b - a) / n as f64;
    let mut s = f(a) + f(b);
    for i in 1..n {
        let w = if i % 2 == 1 { 4.0 } else { 2.0 };
        s += w * f(a + i as f64 * h);
    }
    s * h / 3.0
}

#[differentiable]
fn interpolate(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    let n = xs.len();
    if x <= xs[0] {
        return ys[0];
    }
    for i in 1..n {
        if x < xs[i] {
            let t = (x - xs[i - 1]) / (xs[i] - xs[i - 1]);
            return ys[i - 1] * (1.0 - t) + ys[i] * t;
        }
    }
    ys[n - 1]
}

#[differentiable]
fn lower_bound(xs: &[f64], ys: &[f64], x: f64) -> f64 {
    let mut lo = 0;
    let mut hi = xs.len() - 1;
    while hi - lo > 1 {
        let mid = (lo + hi) / 2;
        if xs[mid] > x {
            hi = mid;
        } else {
            lo = mid;
        }
    }
    ys[lo] + (x - xs[lo]) * (ys[hi] - ys[lo]) / (xs[hi] - xs[lo])
}

#[differentiable]
fn insertion_sorted_range(x: &[f64], w: &[f64]) -> f64 {
    let mut v = x.to_vec();
    for i in 1..v.len() {
        let mut j = i;
        while j > 0 && v[j - 1] > v[j] {
            v.swap(j - 1, j);
            j -= 1;
        }
    }
    v.iter().zip(w).map(|(a, b)| a * a * b).sum()
}

#[differentiable]
fn shift_insertion(x: &mut [f64]) -> f64 {
    for i in 1..x.len() {
        let key = x[i];
        let mut j = i;
        while j > 0 && x[j - 1] > key {
            x[j] = x[j - 1];
            j -= 1;
        }
        x[j] = key;
    }
    x[0] * x[x.len() - 1]
}

#[differentiable]
fn continued_fraction(a: &[f64]) -> f64 {
    let mut it = a.len();
    let mut v = a[it - 1];
    loop {
        it -= 1;
        if it == 0 {
            break;
        }
        v = a[it - 1] + 1.0 / v;
    }
    v
}

#[differentiable]
fn compensated(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut c = 0.0;
    for i in 0..x.len() {
        let y = x[i] * x[i] - c;
        let t = sum + y;
        c = (t - sum) - y;
        sum = t;
    }
    sum
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
fn levenshtein_soft(a: &[f64], b: &[f64]) -> f64 {
    let (n, m) = (a.len(), b.len());
    let mut d = vec![vec![0.0; m + 1]; n + 1];
    for i in 1..=n {
        d[i][0] = i as f64;
    }
    for j in 1..=m {
        d[0][j] = j as f64;
    }
    for i in 1..=n {
        for j in 1..=m {
            let cost = (a[i - 1] - b[j - 1]).abs();
            let best = (d[i - 1][j] + 1.0)
                .min(d[i][j - 1] + 1.0)
                .min(d[i - 1][j - 1] + cost);
            d[i][j] = best;
        }
    }
    d[n][m]
}

#[differentiable]
fn viterbi_score(scores: &[Vec<f64>], transition: &[f64]) -> f64 {
    let k = scores[0].len();
    let mut best = scores[0].clone();
    for row in scores.iter().skip(1) {
        let mut next = vec![0.0; k];
        for j in 0..k {
            let mut m = best[0] + transition[j];
            for i in 1..k {
                let c = best[i] + transition[i * k + j];
                if c > m {
                    m = c;
                }
            }
            next[j] = m + row[j];
        }
        best = next;
    }
    best.iter().fold(best[0], |m, v| m.max(*v))
}

#[differentiable]
fn logistic_map<T: Real>(r: T, x: T, n: usize) -> T {
    let mut x = x;
    for k in 0..n {
        x = match k % 3 {
            0 => r * x * (T::one() - x),
            1 if k > 4 => x.sqrt(),
            _ => x * x + T::lit(0.1),
        };
    }
    x
}

#[differentiable]
fn upwind(u: &mut [f64], speed: f64, dt: f64) {
    let n = u.len();
    let old = u.to_vec();
    for i in 0..n {
        let flux = if speed > 0.0 {
            let j = if i == 0 { n - 1 } else { i - 1 };
            old[i] - old[j]
        } else {
            old[(i + 1) % n] - old[i]
        };
        u[i] = old[i] - speed * dt * flux * old[i];
    }
}

#[differentiable]
fn prefix_products(x: &[f64]) -> Vec<f64> {
    let mut out = vec![1.0; x.len()];
    let mut acc = 1.0;
    for (o, v) in out.iter_mut().zip(x.iter()) {
        acc *= *v;
        *o = acc;
    }
    out
}

#[differentiable]
fn product_of_others(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        let mut p = 1.0;
        for j in 0..x.len() {
            if i == j {
                continue;
            }
            p *= x[j];
        }
        total += p * p;
    }
    total
}

#[differentiable]
fn spring_chain(x: &[f64], k: f64, rest: f64) -> f64 {
    x.windows(2)
        .map(|w| {
            let stretch = w[1] - w[0] - rest;
            0.5 * k * stretch * stretch
        })
        .sum()
}

#[differentiable]
fn pairwise_energy(p: &[[f64; 3]]) -> f64 {
    let mut e = 0.0;
    for (i, a) in p.iter().enumerate() {
        for b in &p[i + 1..] {
            let mut r2 = 0.0;
            for d in 0..3 {
                r2 += (a[d] - b[d]).powi(2);
            }
            e += 1.0 / (r2 + 0.1).sqrt();
        }
    }
    e
}

#[inactive]
fn noise(k: usize) -> f64 {
    ((k * 37 % 11) as f64) / 11.0 - 0.4
}

#[differentiable]
fn monte_carlo(s0: f64, sigma: f64, strike: f64, paths: usize) -> f64 {
    let mut payoff = 0.0;
    for p in 0..paths {
        let mut s = s0;
        for t in 0..3 {
            let z = noise(p * 3 + t);
            s *= (sigma * z - 0.5 * sigma * sigma).exp();
        }
        payoff += (s - strike).max(0.0);
    }
    payoff / paths as f64
}

#[differentiable]
fn clipped(x: &[f64], lo: f64, hi: f64) -> f64 {
    let mut n = 0;
    let mut s = 0.0;
    for &v in x {
        let c = v.clamp(lo, hi);
        if c == v {
            n += 1;
        }
        s += c * c;
    }
    if n > 0 { s / n as f64 } else { s }
}

#[differentiable]
fn swap_in_branch(a: f64, b: f64) -> f64 {
    let (mut big, mut small) = (a, b);
    if big < small {
        std::mem::swap(&mut big, &mut small);
    }
    let mut rounds = 0;
    while small > 0.05 && rounds < 6 {
        let r = big % small;
        big = small;
        small = r;
        rounds += 1;
    }
    big + 0.5 * small
}

#[differentiable]
fn block_values(x: f64) -> f64 {
    let y = {
        let t = x * x;
        let x = t + 1.0;
        x.ln()
    };
    let z = if y > 0.5 {
        let y = y * 2.0;
        y * x
    } else {
        x / (1.0 + y)
    };
    y * z
}

#[differentiable]
fn reused_scratch(x: &[f64], n: usize) -> f64 {
    let mut tmp = vec![0.0; x.len()];
    let mut out = 0.0;
    for k in 0..n {
        for i in 0..x.len() {
            tmp[i] = x[i] * (k as f64 + 1.0) + tmp[i] * 0.5;
        }
        let s: f64 = tmp.iter().sum();
        out += s * s;
        tmp[k % x.len()] = 0.0;
    }
    out
}

judge! {
    horner(&any(4), 0.7) (&vec![0.4], 0.7);
    horner_with_derivative(&any(4), 0.7);
    lu_solve(&mut vec![2.0, 0.3, 0.4, 0.5, 1.7, 0.2, 0.1, 0.6, 1.9], &mut any(3), 3);
    thomas(&any(3), &vec![3.1, 2.9, 3.3], &any(3), &positive(3));
    bisection(0.7, 2.13);
    running_max(&vec![0.3, 0.9, 0.4, 1.3, -0.2]);
    argmax_weighted(&vec![0.3, 0.9, 0.4], &any(3));
    heat(&positive(4), 0.1, 3);
    matrix_chain(&vec![any(4), positive(4), any(4)], 2);
    matrix_of_rows(&vec![any(2), positive(2)], &vec![positive(3), any(3)]);
    by_name(0.7, &"square".to_owned()) (0.7, &"cube".to_owned()) (0.7, &"sine".to_owned()) (0.7, &String::new());
    shadowed_loop_variables(&any(3));
    closure_counts(&any(3));
    labelled_search(&vec![0.3, -0.2, 0.4, 0.7, 0.6, 0.9, 0.2, 0.3, 0.1], 3, 40.0) (&positive(9), 3, 5.0);
    fibonacci_like(0.7, 0.9, 4);
    leapfrog(&mut state(), 0.1, 3);
    const_product([[0.3, 0.7], [0.2, -0.4], [1.2, 0.1]], [0.9, -0.6]);
    determinant3([[0.3, 0.7, 0.2], [-0.4, 1.2, 0.1], [0.9, -0.6, 0.8]]);
    log_sum_exp(&any(4));
    softmax(&any(4));
    softmax_in_place(&mut any(4));
    variance(&any(4));
    welford(&any(4));
    simpson(0.2, 1.3, 6);
    interpolate(&vec![0.1, 0.6, 1.3], &any(3), 0.8) (&vec![0.1, 0.6, 1.3], &any(3), 0.05) (&vec![0.1, 0.6, 1.3], &any(3), 1.8);
    lower_bound(&vec![0.1, 0.6, 1.3, 1.9], &any(4), 0.8);
    insertion_sorted_range(&vec![0.9, 0.2, 0.5, 0.1], &any(4));
    shift_insertion(&mut vec![0.9, 0.2, 0.5, 0.1]);
    continued_fraction(&positive(4)) (&positive(1));
    compensated(&any(4));
    power_iteration(&positive(4), 2, 3);
    gram_schmidt(&mut vec![2.0, 0.3, 0.4, 0.5, 1.7, 0.2, 0.1, 0.6, 1.9], 3);
    conjugate_gradient(&vec![2.0, 0.3, 0.3, 1.7], &any(2), 1);
    levenshtein_soft(&any(3), &positive(2));
    viterbi_score(&vec![any(2), positive(2), any(2)], &any(4));
    logistic_map(2.9, 0.4, 7);
    upwind(&mut positive(4), 0.7, 0.1) (&mut positive(4), -0.7, 0.1);
    prefix_products(&positive(4));
    product_of_others(&positive(4));
    spring_chain(&any(4), 0.7, 0.3);
    pairwise_energy(&vec![[0.1, 0.4, 0.7], [1.1, -0.4, 0.2], [0.6, 0.9, -0.8]]);
    monte_carlo(1.1, 0.4, 0.9, 4);
    clipped(&vec![-0.9, 0.2, 0.7, 1.9], -0.5, 1.2);
    swap_in_branch(0.73, 0.31) (0.31, 0.73);
    block_values(0.7) (1.7);
    reused_scratch(&any(3), 4);
}
