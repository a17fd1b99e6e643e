//! Small programs as they are found in numerical code, without regard to the macro.

use coenzyme::differentiable;

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
    bisection(0.7, 2.13);
    running_max(&vec![0.3, 0.9, 0.4, 1.3, -0.2]);
    argmax_weighted(&vec![0.3, 0.9, 0.4], &any(3));
    by_name(0.7, &"square".to_owned()) (0.7, &"cube".to_owned()) (0.7, &"sine".to_owned()) (0.7, &String::new());
    shadowed_loop_variables(&any(3));
    closure_counts(&any(3));
    labelled_search(&vec![0.3, -0.2, 0.4, 0.7, 0.6, 0.9, 0.2, 0.3, 0.1], 3, 40.0) (&positive(9), 3, 5.0);
    simpson(0.2, 1.3, 6);
    interpolate(&vec![0.1, 0.6, 1.3], &any(3), 0.8) (&vec![0.1, 0.6, 1.3], &any(3), 0.05) (&vec![0.1, 0.6, 1.3], &any(3), 1.8);
    lower_bound(&vec![0.1, 0.6, 1.3, 1.9], &any(4), 0.8);
    insertion_sorted_range(&vec![0.9, 0.2, 0.5, 0.1], &any(4));
    shift_insertion(&mut vec![0.9, 0.2, 0.5, 0.1]);
    continued_fraction(&positive(4)) (&positive(1));
    prefix_products(&positive(4));
    product_of_others(&positive(4));
    clipped(&vec![-0.9, 0.2, 0.7, 1.9], -0.5, 1.2);
    swap_in_branch(0.73, 0.31) (0.31, 0.73);
    block_values(0.7) (1.7);
    reused_scratch(&any(3), 4);
}
