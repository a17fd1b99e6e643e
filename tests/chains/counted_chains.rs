//! Chains whose length is not known before, cut, counted and put side by side; iterators without end; iterators that functions make.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn the_first_that_fit(x: &[f64]) -> f64 {
    x.iter()
        .filter(|v| **v > 0.5)
        .take(x.len() - 2)
        .map(|v| v * v)
        .sum()
}

#[differentiable]
fn all_but_the_first_that_fit(x: &[f64]) -> f64 {
    let weights = [2.0, 3.0];
    x.iter()
        .filter(|v| **v > 0.5)
        .skip(1)
        .zip(weights)
        .map(|(v, w)| v * v * w)
        .sum()
}

#[differentiable]
fn every_second_that_fits(x: &[f64]) -> f64 {
    x.iter()
        .filter(|v| **v > 0.5)
        .step_by(2)
        .map(|v| v.sin())
        .sum()
}

#[differentiable]
fn written_beside_what_fits(x: &[f64], y: &mut [f64]) {
    for (out, v) in y.iter_mut().zip(x.iter().filter(|v| **v > 0.5)) {
        *out += v * v;
    }
}

#[differentiable]
fn backwards(x: &[f64]) -> f64 {
    let mut h = 0.0;
    for v in x[..2].iter().chain(&x[3..]).rev() {
        h = h * 0.5 + v * v;
    }
    for (i, v) in x.iter().enumerate().filter(|(i, _)| i % 2 == 0).rev() {
        h = h * 0.5 + v * i as f64;
    }
    let small = x
        .iter()
        .filter_map(|v| if *v < 1.0 { Some(v.sin()) } else { None });
    for v in small.rev() {
        h = h * 0.3 + v;
    }
    h
}

#[differentiable]
fn a_series(x: f64) -> f64 {
    let (mut s, mut t) = (1.0, 1.0);
    for k in 1.. {
        t *= x / k as f64;
        s += t;
        if t.abs() < 1e-12 {
            break;
        }
    }
    s
}

#[differentiable]
fn powers(x: f64, y: f64) -> f64 {
    let small = (0..)
        .map(|i| x.powi(i))
        .take_while(|v| *v > 1e-3)
        .sum::<f64>();
    small + (1..).take(5).map(|k| y / k as f64).sum::<f64>()
}

#[differentiable]
fn until_returned(x: f64) -> f64 {
    let mut s = 0.0;
    for (k, t) in (1..).map(|k| x.powi(k)).enumerate() {
        s += t / (k + 1) as f64;
        if t < 1e-4 {
            return s * 2.0;
        }
    }
    s
}

#[differentiable]
fn side_by_side(x: &[f64]) -> f64 {
    let w = [2.0, 3.0, 4.0];
    let mut s = 0.0;
    for (a, b) in std::iter::zip(x, &w) {
        s += a * b * a;
    }
    s * std::iter::zip(x.iter().rev(), x)
        .map(|(a, b)| a * b * b)
        .sum::<f64>()
}

#[differentiable]
fn one_from_the_other(x: f64, y: f64) -> f64 {
    let falling = std::iter::successors(Some(x), |v| if *v > 0.01 { Some(v * y) } else { None });
    let all: f64 = falling.map(|v| v * v).sum();
    let mut t = all;
    for (k, v) in std::iter::successors(Some(x), |&v| Some(v * y + 0.1))
        .take(5)
        .enumerate()
    {
        t += v / (k as f64 + 1.0);
    }
    t
}

#[differentiable]
fn pairs_from_pairs(x: f64, y: f64) -> f64 {
    std::iter::successors(Some((x, y)), |&(a, b)| Some((b, a * b + 0.3)))
        .map(|(a, _)| a)
        .take(6)
        .sum()
}

#[differentiable]
fn called_again_and_again(x: f64, y: f64) -> f64 {
    let mut v = x;
    let first: f64 = std::iter::repeat_with(|| {
        v *= y;
        v
    })
    .take(4)
    .sum();
    let rest: f64 = std::iter::from_fn(|| {
        v *= y;
        if v > 0.001 { Some(v) } else { None }
    })
    .sum();
    first * rest + v
}

#[differentiable]
fn drained(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let d: Vec<f64> = w.drain(1..).map(|a| a * a).collect();
    w.extend_from_slice(&d);
    let mut s = 1.0;
    for v in w.drain(..) {
        s *= v;
    }
    s + w.len() as f64
}

#[differentiable]
fn drained_in_rounds(x: &[f64]) -> f64 {
    let mut w = x.to_vec();
    let mut s = 1.0;
    for k in 0..2 {
        let rest: f64 = w
            .drain(2 - k..)
            .rev()
            .enumerate()
            .map(|(i, v)| v * i as f64)
            .sum();
        s = s * w[0] + rest;
    }
    s * w.len() as f64
}

#[differentiable]
fn chunks_from_behind(x: &[f64]) -> f64 {
    x.rchunks(3).map(|c| c.iter().product::<f64>() * c[0]).sum()
}

#[differentiable]
fn parted(x: &[f64]) -> f64 {
    let mut n = 0.0;
    let (a, b): (Vec<f64>, Vec<f64>) = x.iter().partition(|v| {
        n += **v * **v;
        **v > 0.5
    });
    a.iter().product::<f64>() * b.iter().sum::<f64>() + n
}

#[differentiable]
fn root(v: f64) -> Option<f64> {
    if v > 0.0 { Some(v.sqrt()) } else { None }
}

#[differentiable]
fn those_that_are_there(x: &[f64]) -> f64 {
    let roots: Vec<f64> = x.iter().filter_map(|v| root(*v)).collect();
    let again: f64 = x.iter().map(|v| root(v * 2.0)).flatten().sum();
    roots[0] * roots[1] * again
}

#[differentiable]
fn all_or_nothing(x: &[f64]) -> Option<f64> {
    let product = x
        .iter()
        .try_fold(1.0, |a, v| if *v > 0.0 { Some(a * v + 0.1) } else { None })?;
    x.iter().try_fold(product, |a, v| Some(a * root(*v)?))
}

#[differentiable]
fn one_or_the_other(x: &[f64]) -> f64 {
    let both = x.first().zip(x.get(1)).map_or(0.5, |(a, b)| a * b * b);
    let either = x.get(7).or(x.last()).copied().unwrap_or(0.3);
    let late = x.get(8).copied().or_else(|| x.get(2).copied());
    both * either + late.unwrap_or(1.0)
}

#[differentiable]
fn one_of_those_that_fit(x: &[f64]) -> f64 {
    let first = x.iter().filter(|v| **v < 1.0).next().unwrap();
    let last = x.iter().map(|v| v * v).filter(|v| *v < 1.0).last();
    let second = x
        .iter()
        .filter_map(|v| if *v < 1.0 { Some(v.sin()) } else { None })
        .nth(1)
        .unwrap_or(5.0);
    let after = match x.iter().skip_while(|v| **v > 0.8).next() {
        Some(v) => v * first,
        None => second,
    };
    after * last.unwrap_or(0.4) + second
}

#[differentiable]
fn the_last_step(a: f64) -> f64 {
    let steps = std::iter::successors(Some(1.0), |v| {
        let next = v - (v * v - a) / (2.0 * v);
        if (next - v).abs() < 1e-9 {
            None
        } else {
            Some(next)
        }
    });
    let sixth = std::iter::successors(Some(a), |v| Some(0.5 * (v + a / v))).nth(6);
    steps.last().unwrap() * sixth.unwrap()
}

#[differentiable]
fn with_a_state_behind(x: &[f64]) -> f64 {
    let (mut n, mut m) = (0.0, 1.0);
    let third: f64 = x
        .iter()
        .map(|v| {
            n = n * 0.5 + v;
            n * v
        })
        .take(3)
        .last()
        .unwrap();
    let second: f64 = x
        .iter()
        .map(|v| {
            m += v;
            m * v
        })
        .nth(1)
        .unwrap();
    third * n + second * m
}

judge! {
    one_of_those_that_fit(&vec![1.7, 0.4, 0.9, 1.3]) (&vec![0.5]);
    the_last_step(1.7);
    with_a_state_behind(&positive(4));
    those_that_are_there(&vec![0.7, -0.4, 0.9, 1.3]);
    all_or_nothing(&positive(3));
    one_or_the_other(&positive(3)) (&positive(1));
    the_first_that_fit(&vec![0.7, 0.4, 0.9, 1.3]) (&vec![0.7, 0.4]) (&vec![0.7, 0.4, 0.3]);
    all_but_the_first_that_fit(&vec![0.7, 0.4, 0.9, 1.3, 0.8]) (&vec![0.7, 0.4]);
    every_second_that_fits(&vec![0.7, 0.4, 0.9, 1.3, 0.8]);
    written_beside_what_fits(&vec![0.7, 0.4, 0.9, 1.3], &mut any(2)) (&vec![0.7, 0.4], &mut any(3));
    backwards(&vec![0.7, 0.4, 0.9, 1.3, 0.8]);
    a_series(0.7) (-1.2);
    powers(0.4, 0.9);
    until_returned(0.3);
    side_by_side(&positive(3)) (&positive(4));
    one_from_the_other(0.9, 0.4);
    pairs_from_pairs(0.9, 0.4);
    called_again_and_again(0.9, 0.4);
    drained(&positive(4)) (&positive(1));
    drained_in_rounds(&positive(5));
    chunks_from_behind(&positive(7)) (&positive(2));
    parted(&vec![0.7, 0.4, 0.9, 1.3, 0.3]);
}
