//! Elements that are written from the last to the first.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn put(into: &mut f64, x: f64) {
    *into = (0.5 * *into + x * x).sin();
}

#[differentiable]
fn part_of_a_slice(y: &mut [f64], x: f64) -> f64 {
    for r in y[1..4].iter_mut().rev() {
        let q = r;
        put(q, x);
    }
    y[1] * y[2] + y[0]
}

#[differentiable]
fn depends_on_the_order(y: &mut [f64], x: f64) -> f64 {
    let mut carried = x;
    for r in y[..3].iter_mut().rev() {
        put(r, carried);
        carried = *r * x;
    }
    y[0] + y[1] * y[2]
}

#[differentiable]
fn numbered(y: &mut [f64], x: f64) -> f64 {
    for (i, r) in y[1..].iter_mut().rev().enumerate() {
        put(r, x * (i + 1) as f64);
    }
    y[1] * y[2] * y[3]
}

#[differentiable]
fn chunks(y: &mut [f64], x: f64) -> f64 {
    for part in y.chunks_mut(3).rev() {
        put(&mut part[0], x);
    }
    for part in y.chunks_exact_mut(2).rev().skip(1) {
        for entry in part.iter_mut().rev() {
            put(entry, x);
        }
    }
    y[0] * y[1] + y[3]
}

#[differentiable]
fn each(y: &mut [f64], x: f64) -> f64 {
    y.iter_mut().rev().for_each(|entry| put(entry, x));
    y.iter().sum()
}

#[differentiable]
fn beside_another(y: &mut [f64], x: &[f64]) -> f64 {
    for (r, a) in y[1..].iter_mut().zip(x).rev() {
        put(r, *a);
    }
    y[1] * y[2] + y[3]
}

judge! {
    part_of_a_slice (&mut vec![0.1, 0.2, 0.3, 0.4], 0.7);
    depends_on_the_order (&mut vec![0.1, 0.2, 0.3, 0.4], 0.7);
    numbered (&mut vec![0.1, 0.2, 0.3, 0.4], 0.7);
    chunks (&mut vec![0.1, 0.2, 0.3, 0.4], 0.7);
    each (&mut vec![0.1, 0.2, 0.3, 0.4], 0.7);
    beside_another (&mut vec![0.1, 0.2, 0.3, 0.4], &[0.6, -0.3, 0.8]);
}
