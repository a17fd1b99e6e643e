//! Methods that change the length of a vector, put vectors together, or take them apart; labelled blocks; sequences of one value.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn unzipped(x: &[f64]) -> f64 {
    let (a, b): (Vec<f64>, Vec<f64>) = x.iter().map(|v| (v * v, v.sin())).unzip();
    a.iter().zip(&b).map(|(a, b)| a * b).sum()
}

#[differentiable]
fn concatenated(x: &[f64]) -> f64 {
    let (a, b) = x.split_at(2);
    let c = [b, a].concat();
    let d = [vec![x[0], x[1]], c.clone(), vec![x[2] * x[3]]].concat();
    c[0] * c[5] + c[1] * d[8] * d[2]
}

#[differentiable]
fn resized(x: &[f64]) -> f64 {
    let mut v = x[..2].to_vec();
    v.resize(4, x[3] * x[0]);
    v.insert(1, x[4]);
    let r = v.remove(0);
    v.resize(3, 0.0);
    let s = v.swap_remove(0);
    v.insert(2, s * s);
    v[0] * v[1] + v[2] * r
}

#[differentiable]
fn appended(x: &[f64]) -> f64 {
    let mut v = x[..2].to_vec();
    let mut w = x[2..].to_vec();
    v.append(&mut w);
    v.remove(3);
    v[0] * v[3] * v[4] + w.len() as f64 * x[0]
}

#[differentiable]
fn copied_within(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.copy_within(0..3, 2);
    v[2] * v[4] * v[0]
}

#[differentiable]
fn ends_changed(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    *v.first_mut().unwrap() += x[1] * x[2];
    *v.last_mut().unwrap() *= x[0];
    v[0] * v[5]
}

#[differentiable]
fn labelled(x: &[f64]) -> f64 {
    let v = 'found: {
        for v in x {
            if *v < 0.0 {
                break 'found v * x[0];
            }
        }
        x[2]
    };
    let mut sum = v * v;
    'skipped: {
        if x[0] > 5.0 {
            break 'skipped;
        }
        sum *= x[1];
    }
    sum
}

#[differentiable]
fn once_and_again(x: &[f64]) -> f64 {
    let squares: f64 = std::iter::once(&x[0]).chain(&x[2..]).map(|v| v * v).sum();
    let products: f64 = std::iter::repeat(x[0])
        .take(3)
        .zip(&x[1..])
        .map(|(a, b)| a * b)
        .sum();
    squares * products + std::iter::repeat_n(x[3], 2).product::<f64>()
}

#[differentiable]
fn lengths_of_what_is_inactive(x: &[f64]) -> f64 {
    let mut log = String::new();
    let mut seen = std::collections::HashSet::new();
    let mut list = vec![3_usize, 1, 4];
    let mut s = x[0];
    for i in 0..4 {
        if seen.insert(i % 3) {
            s *= x[i] * seen.len() as f64;
        }
        log.push_str("a");
    }
    while !list.is_empty() {
        let k = list.remove(0);
        s = s * x[k] * list.len().max(1) as f64;
    }
    let count = std::cell::Cell::new(1_usize);
    for v in x {
        count.set(count.get() + 1);
        s = s * v * count.get() as f64;
    }
    s * log.len() as f64
}

#[differentiable]
fn neighbours(x: &[f64]) -> Vec<f64> {
    x.windows(2).map(|w| w[0] * w[1] + w[0]).collect()
}

#[differentiable]
fn folds_of_vectors(x: &[f64]) -> f64 {
    let by_call = [1, 2].iter().fold(x.to_vec(), |h, _| neighbours(&h));
    let by_chain = (0..2).fold(neighbours(x), |h, _| {
        h.windows(2).map(|w| w[0] * w[1]).collect()
    });
    let grown = (0..2).fold(vec![x[0]], |mut h, i| {
        h.push(x[i] * h[0]);
        h
    });
    by_call[0] * by_call[1] + by_chain[0] * grown[2]
}

fn numbers() -> Vec<f64> {
    vec![0.7, -0.4, 1.3, 0.9, -1.1, 0.6]
}

judge! {
    folds_of_vectors(&numbers());
    unzipped(&numbers());
    concatenated(&numbers());
    resized(&numbers());
    appended(&numbers());
    copied_within(&numbers());
    ends_changed(&numbers());
    labelled(&numbers());
    once_and_again(&numbers());
    lengths_of_what_is_inactive(&numbers());
}
