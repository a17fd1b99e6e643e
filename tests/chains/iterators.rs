//! Iterator chains.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn summed(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() * x[0]
}

#[differentiable]
fn mapped_sum(x: &[f64], k: f64) -> f64 {
    x.iter().map(|v| v * v * k).sum()
}

#[differentiable]
fn multiplied(x: &[f64]) -> f64 {
    let p: f64 = x.iter().product();
    p + x.iter().map(|v| v.sin()).product::<f64>()
}

#[differentiable]
fn zipped(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(a, b)| a * b.exp()).sum::<f64>()
}

#[differentiable]
fn nested_zip(x: &[f64], y: &[f64], z: &[f64]) -> f64 {
    x.iter()
        .zip(y.iter())
        .zip(z.iter())
        .map(|((a, b), c)| a * b * c + c)
        .sum()
}

#[differentiable]
fn zip_of_zips(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for (a, (b, i)) in x.iter().zip(y.iter().zip(0..x.len())) {
        s += a * b * (i as f64 + s);
    }
    s
}

#[differentiable]
fn enumerated(x: &[f64]) -> f64 {
    x.iter().enumerate().map(|(i, v)| v.powi(i as i32)).sum()
}

#[differentiable]
fn reversed(x: &[f64]) -> f64 {
    let mut s = 0.5;
    for v in x.iter().rev() {
        s = s * v + 1.0;
    }
    for (i, v) in x.iter().enumerate().rev() {
        s += v * v * i as f64;
    }
    s
}

#[differentiable]
fn reversed_then_enumerated(x: &[f64]) -> f64 {
    let mut s = 0.5;
    for (i, v) in x.iter().rev().enumerate() {
        s = s * v + i as f64;
    }
    s
}

#[differentiable]
fn skipped_and_taken(x: &[f64]) -> f64 {
    let a: f64 = x.iter().skip(1).map(|v| v * v).sum();
    let b: f64 = x.iter().take(2).map(|v| v.sin()).sum();
    let c: f64 = x.iter().skip(1).take(2).product();
    a * b + c
}

#[differentiable]
fn steps(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for v in x.iter().step_by(2) {
        s = s * v + 0.3;
    }
    for (i, v) in x.iter().enumerate().skip(1).step_by(2) {
        s += v * i as f64 * s;
    }
    s
}

#[differentiable]
fn neighbours(x: &[f64]) -> f64 {
    x.iter()
        .zip(x.iter().skip(1))
        .map(|(a, b)| (b - a) * (b - a) * a)
        .sum()
}

#[differentiable]
fn filtered(x: &[f64]) -> f64 {
    x.iter().filter(|v| **v > 0.0).map(|v| v * v).sum()
}

#[differentiable]
fn filtered_loop(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for v in x.iter().filter(|v| **v > 0.0) {
        s = s * v + 1.0;
    }
    s
}

#[differentiable]
fn chained(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.7;
    for v in x.iter().chain(y.iter()) {
        s = s * v + v.cos();
    }
    s
}

#[differentiable]
fn folded(x: &[f64], k: f64) -> f64 {
    x.iter().fold(k, |a, v| a * v + 1.0)
}

#[differentiable]
fn folded_maximum(x: &[f64]) -> f64 {
    let m = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let n = x.iter().cloned().fold(f64::INFINITY, |a, b| a.min(b));
    m * n
}

#[differentiable]
fn folded_pair(x: &[f64]) -> f64 {
    let (s, p) = x.iter().fold((0.0, 1.0), |(s, p), v| (s + v, p * v));
    s * p
}

#[differentiable]
fn for_each(x: &[f64], k: f64) -> f64 {
    let mut s = 0.2;
    x.iter().for_each(|v| s = s * v + k);
    x.iter().enumerate().for_each(|(i, v)| {
        let t = v * i as f64;
        s += t * s;
    });
    s
}

#[differentiable]
fn mutable_zip(y: &mut [f64], x: &[f64], k: f64) {
    for (a, b) in y.iter_mut().zip(x) {
        *a = *a * k + b * b;
    }
}

#[differentiable]
fn mutable_for_each(y: &mut [f64], x: &[f64]) {
    y.iter_mut()
        .zip(x.iter())
        .enumerate()
        .for_each(|(i, (a, b))| *a += b * b * i as f64);
    y.iter_mut().for_each(|a| *a *= 2.0);
    y.iter_mut().skip(1).for_each(|a| {
        let t = *a * *a;
        *a = t.sin();
    });
}

#[differentiable]
fn collected(x: &[f64], k: f64) -> f64 {
    let y: Vec<f64> = x.iter().map(|v| v * k).collect();
    let z: Vec<_> = y.iter().zip(x).map(|(a, b)| a * b + 1.0).collect();
    y[0] * z[1] + z.iter().sum::<f64>()
}

#[differentiable]
fn collected_and_changed(x: &[f64]) -> f64 {
    let mut y: Vec<f64> = x.iter().map(|v| v.sin()).collect();
    for i in 1..y.len() {
        y[i] = y[i - 1] * y[i];
    }
    y[y.len() - 1]
}

#[differentiable]
fn range_mapped(x: &[f64]) -> f64 {
    (0..x.len()).map(|i| x[i] * i as f64).sum::<f64>()
        + (1..x.len()).map(|i| x[i] * x[i - 1]).sum::<f64>()
}

#[differentiable]
fn range_collected(x: &[f64]) -> Vec<f64> {
    let y: Vec<f64> = (0..x.len()).map(|i| x[i] * x[0]).collect();
    y
}

#[differentiable]
fn variance(x: &[f64]) -> f64 {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    x.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)
}

#[differentiable]
fn log_sum_exp(x: &[f64]) -> f64 {
    let top = x.iter().cloned().fold(f64::NEG_INFINITY, f64::max);
    top + x.iter().map(|v| (v - top).exp()).sum::<f64>().ln()
}

#[differentiable]
fn sum_of_a_sum(m: &[Vec<f64>], v: &[f64]) -> f64 {
    m.iter()
        .map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>().sin())
        .sum()
}

#[differentiable]
fn rows(m: &[[f64; 2]], v: &[f64; 2]) -> f64 {
    let mut s = 0.0;
    for row in m {
        s += row[0] * v[0] + row[1] * v[1] * row[0];
    }
    s
}

#[differentiable]
fn windows(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for w in x.windows(3) {
        s += (w[0] - 2.0 * w[1] + w[2]) * w[1];
    }
    s + x.windows(2).map(|w| w[0] * w[1]).sum::<f64>()
}

#[differentiable]
fn chunks(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for (p, q) in x.chunks_exact(2).zip(y.chunks_exact(2)) {
        s += p[0] * q[1] - p[1] * q[0] * s;
    }
    s
}

#[differentiable]
fn mutable_chunks(y: &mut [f64], x: &[f64]) {
    for (row, a) in y.chunks_exact_mut(2).zip(x) {
        row[0] *= a;
        row[1] = row[0] * row[1];
    }
    for (i, row) in y.chunks_exact_mut(2).enumerate() {
        for v in row.iter_mut() {
            *v += x[i] * *v;
        }
    }
}

#[differentiable]
fn inner_loops_over_rows(m: &mut [Vec<f64>], k: f64) {
    for row in m.iter_mut() {
        for v in row.iter_mut() {
            *v = *v * *v * k;
        }
        row[0] += k;
    }
}

#[differentiable]
fn exits_in_a_chain_loop(x: &[f64], cap: f64) -> f64 {
    let mut s = 0.0;
    for (i, v) in x.iter().enumerate() {
        if *v < 0.0 {
            continue;
        }
        s += v * v * (i + 1) as f64;
        if s > cap {
            break;
        }
    }
    s * s
}

#[differentiable]
fn minimum_by_fold(x: &[f64], y: f64) -> f64 {
    x.iter()
        .map(|v| (v - y) * (v - y))
        .fold(f64::INFINITY, f64::min)
}

#[differentiable]
fn chain_ends_in_arithmetic(x: &[f64]) -> f64 {
    let norm = x.iter().map(|v| v * v).sum::<f64>().sqrt();
    x.iter().map(|v| v / norm).map(|v| v * v * v).sum::<f64>() + norm
}

#[differentiable]
fn inactive_chain(x: f64, at: &[usize]) -> f64 {
    let n = at.iter().filter(|i| **i > 1).count();
    let total: usize = at.iter().sum();
    let most = at.iter().max().copied().unwrap_or(0);
    x.powi(n as i32) * total as f64 + x * most as f64
}

#[differentiable]
fn loop_over_the_inactive(x: &[f64], at: &[usize]) -> f64 {
    let mut s = 1.0;
    for &i in at {
        s = s * x[i] + 0.1;
    }
    for (i, w) in at.iter().zip(x) {
        s += w * *i as f64 * s;
    }
    s
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn mapped_by_a_path(x: &[f64]) -> f64 {
    let a: f64 = x.iter().copied().map(f64::sin).sum();
    a * x.iter().cloned().map(square).fold(0.5, f64::max)
}

#[differentiable]
fn folded_over_a_range(x: &[f64]) -> f64 {
    (0..x.len()).fold(0.1, |s: f64, i| {
        s.sin() * x[i] + {
            let mut t = 0.0;
            t += s;
            t * x[0]
        }
    })
}

#[differentiable]
fn mapped_twice(x: &[f64]) -> f64 {
    (0..x.len())
        .map(|i| x[i])
        .map(|v| v.sin())
        .map(|w| w * w)
        .sum()
}

/// Nodes and weights, by value and by reference.
const NODES: [(f64, f64); 3] = [
    (-0.7745966692414834, 5.0 / 9.0),
    (0.0, 8.0 / 9.0),
    (0.7745966692414834, 5.0 / 9.0),
];
#[differentiable]
fn gauss(a: f64, b: f64, p: f64) -> f64 {
    let (mid, half) = (0.5 * (a + b), 0.5 * (b - a));
    let mut s = 0.0;
    for (x, w) in NODES {
        s += w * (p * (mid + half * x)).cos();
    }
    for (x, w) in NODES.iter() {
        s += w * (p * (mid + half * x)).sin();
    }
    half * s
}

/// Each corner of a polygon beside the one after it.
#[differentiable]
fn area(ps: &[[f64; 2]]) -> f64 {
    let n = ps.len();
    ps.iter()
        .zip(ps.iter().cycle().skip(1))
        .take(n)
        .map(|(p, q)| p[0] * q[1] - q[0] * p[1])
        .sum::<f64>()
        * 0.5
}

/// Entries that are listed where they are run over.
#[differentiable]
fn over_a_list(x: f64, y: f64) -> f64 {
    let sum = [x, y].iter().sum::<f64>() * [x, y * x].iter().fold(0.0, |a, b| a + b * b);
    let squares: f64 = [x, y * 2.0].iter().map(|v| v * v).sum();
    let powers: Vec<f64> = [x, y].iter().map(|v| v.exp()).collect();
    let largest = [x.sin(), y.cos()]
        .iter()
        .cloned()
        .fold(f64::NEG_INFINITY, f64::max);
    let rows = [[x, 1.0], [y, 2.0]]
        .iter()
        .map(|r| r[0] * r[1])
        .sum::<f64>();
    sum * squares + powers[0] * powers[1] * largest + rows
}

#[differentiable]
fn over_a_made_vector(x: f64, y: f64) -> f64 {
    let first: f64 = vec![x, y].iter().map(|v| v.exp()).sum();
    let second: f64 = vec![x, y]
        .into_iter()
        .zip([1.0, x])
        .map(|(a, b)| a * b)
        .sum();
    first * second
}

#[differentiable]
fn loops_over_a_list(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    for v in [x, y.sin()] {
        sum += v * v;
    }
    for v in [x, y.sin()].iter() {
        sum += v;
    }
    'all: for v in &[x, 2.0, y] {
        for k in [y, *v].iter().skip(1) {
            if *k > 1.5 {
                break 'all;
            }
            sum += v * v * k;
        }
    }
    for (i, v) in [y, x].iter().enumerate() {
        if i == 0 {
            continue;
        }
        sum *= 1.0 + v * i as f64;
    }
    sum
}

#[differentiable]
fn powers(x: f64, n: i32) -> Vec<f64> {
    (1..=n).map(|i| x.powi(i)).collect()
}

#[differentiable]
fn of_what_a_call_returns(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    for p in powers(x, 3) {
        sum = sum * y + p;
    }
    for (i, p) in powers(y, 3).into_iter().enumerate().skip(1) {
        sum += p * i as f64 * sum;
    }
    for p in &powers(x * y, 2) {
        sum += p * p;
    }
    let squares: Vec<f64> = powers(x, 4).into_iter().map(|p| p * p).collect();
    sum * squares[2] + powers(y, 3).into_iter().rev().fold(0.0, |s, p| s * x + p)
}

#[differentiable]
fn where_the_extreme_entries_are(x: &[f64]) -> f64 {
    let order = |a: &f64, b: &f64| a.partial_cmp(b).unwrap();
    let low = x
        .iter()
        .enumerate()
        .min_by(|a, b| order(a.1, b.1))
        .map(|(i, _)| i);
    let high = x
        .iter()
        .enumerate()
        .max_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(i, _)| i)
        .unwrap_or(0);
    x[low.unwrap()] * high as f64 + x[high] * x[high]
}

judge! {
    of_what_a_call_returns(0.6, 0.7);
    where_the_extreme_entries_are(&[0.4, 1.3, -0.2, 0.9]);
    over_a_list(0.3, 0.7);
    over_a_made_vector(0.3, 0.7);
    loops_over_a_list(0.3, 0.7);
    area(&vec![[0.3, 0.9], [-0.4, 0.2], [0.8, -0.5]]) (&vec![]);
    gauss(0.1, 0.9, 1.3);
    folded_over_a_range(&positive(3));
    mapped_twice(&any(3));
    mapped_by_a_path(&positive(3));
    summed(&any(3));
    mapped_sum(&any(3), 0.7);
    multiplied(&positive(3));
    zipped(&any(3), &positive(3));
    nested_zip(&any(3), &positive(3), &any(3));
    zip_of_zips(&any(3), &positive(3));
    enumerated(&positive(4));
    reversed(&positive(4));
    reversed_then_enumerated(&positive(4));
    skipped_and_taken(&any(4));
    steps(&any(5));
    neighbours(&any(4)) (&any(1));
    filtered(&any(5));
    filtered_loop(&any(5));
    chained(&any(2), &positive(3));
    folded(&any(3), 0.7);
    folded_maximum(&any(4));
    folded_pair(&positive(3));
    for_each(&positive(3), 0.7);
    mutable_zip(&mut any(3), &positive(3), 0.7);
    mutable_for_each(&mut any(3), &positive(3));
    collected(&any(3), 0.7);
    collected_and_changed(&positive(3));
    range_mapped(&any(3));
    range_collected(&any(3));
    variance(&any(4));
    log_sum_exp(&any(4));
    sum_of_a_sum(&vec![any(2), positive(2), any(2)], &positive(2));
    rows(&vec![[0.2, 0.4], [-0.7, 1.2]], &[0.7, -0.9]);
    windows(&any(5)) (&any(2));
    chunks(&any(5), &positive(4));
    mutable_chunks(&mut any(5), &positive(3));
    inner_loops_over_rows(&mut vec![any(2), positive(2)], 0.7);
    exits_in_a_chain_loop(&vec![0.4, -0.7, 0.9, 1.3, 0.2], 2.0) (&vec![0.4, -0.7, 0.9], 9.0);
    minimum_by_fold(&any(4), 0.3);
    chain_ends_in_arithmetic(&positive(3));
    inactive_chain(0.7, &vec![1, 2, 3]);
    loop_over_the_inactive(&positive(3), &vec![1, 2, 1]);
}
