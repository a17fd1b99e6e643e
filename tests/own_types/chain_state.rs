//! Closures in chains that change what is around them, and chains that end before their elements do: each closure runs for the
//! elements that the standard library runs it for, in its order.

use coenzyme::differentiable;

use crate::judge::positive;
use crate::subject::judge;

#[differentiable]
fn ends_by_take_while(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let t: f64 = x
        .iter()
        .map(|v| {
            s += v;
            s
        })
        .take_while(|s| *s < 1.5)
        .sum();
    t * s
}

#[differentiable]
fn ends_by_map_while(x: &[f64]) -> f64 {
    let (mut s, mut t) = (0.0, 0.0);
    let sums = x.iter().map(|v| {
        s += v * v;
        s
    });
    for u in sums.map_while(|s| if s < 1.5 { Some(s * 2.0) } else { None }) {
        t += u;
    }
    t * s
}

#[differentiable]
fn ends_by_scan(x: &[f64]) -> f64 {
    let mut n = 0.0;
    let t: f64 = x
        .iter()
        .inspect(|v| n += **v)
        .scan(0.0, |a, v| {
            *a += v;
            if *a > 1.5 { None } else { Some(*a * v) }
        })
        .sum();
    t * n
}

#[differentiable]
fn left_in_the_first_part(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x[..2].iter().chain(x[2..].iter()) {
        s += v * v;
        if s > 0.1 {
            break;
        }
    }
    s
}

#[differentiable]
fn returned_from_the_first_part(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x[..2].iter().chain(&x[2..]).chain(&x[..1]) {
        s += v * v;
        if s > 0.1 {
            return s * 2.0;
        }
    }
    s
}

#[differentiable]
fn next_round_of_the_outer(x: &[f64]) -> f64 {
    let mut s = 0.0;
    'outer: for v in x.iter().take_while(|v| **v < 5.0) {
        for w in x.iter().chain(&x[..2]).skip_while(|w| **w > 2.0) {
            if *w < 0.7 {
                continue 'outer;
            }
            if *w > 1.2 {
                continue;
            }
            s += v * w;
        }
        s += 10.0 * v;
    }
    s
}

#[differentiable]
fn runs_for_what_is_skipped(x: &[f64]) -> f64 {
    let mut n = 0.0;
    let mut run = |v: &f64| {
        n += v;
        v * n
    };
    let after: Vec<f64> = x.iter().map(|v| run(v)).skip(2).collect();
    after[0] * after[1]
}

#[differentiable]
fn runs_for_what_is_stepped_over(x: &[f64]) -> f64 {
    let mut n = 1.0;
    let t: f64 = x
        .iter()
        .map(|v| {
            n = n * 0.5 + v;
            v * n
        })
        .step_by(2)
        .sum();
    t * n
}

#[differentiable]
fn runs_backwards(x: &[f64]) -> f64 {
    let mut n = 0.0;
    let t: f64 = x
        .iter()
        .map(|v| {
            n = n * 0.5 + v;
            n * v
        })
        .rev()
        .sum();
    t * n
}

#[differentiable]
fn runs_for_what_is_taken(x: &[f64]) -> f64 {
    let mut n = 0.0;
    let t: f64 = x
        .iter()
        .map(|v| {
            n = n * 0.5 + v;
            n * v
        })
        .take(2)
        .sum();
    t * n
}

#[differentiable]
fn a_fold_that_changes_more(x: &[f64]) -> f64 {
    let mut n = 0.0;
    let s = x.iter().fold(1.0, |a, v| {
        n += a;
        a * v + n
    });
    s * n
}

#[differentiable]
fn as_long_as_the_other(x: &[f64], y: &[f64]) -> f64 {
    let mut n = 0.0;
    let sums = x.iter().map(|v| {
        n += v;
        n
    });
    let t: f64 = sums.zip(y).map(|(a, b)| a * b).sum();
    t * n
}

judge! {
    ends_by_take_while(&vec![0.7, 0.4, 0.9, 0.3, 0.2]) (&vec![0.2, 0.3]) (&vec![2.0, 0.3]);
    ends_by_map_while(&vec![0.7, 0.8, 0.9, 0.3]) (&vec![0.2, 0.3]);
    ends_by_scan(&vec![0.7, 0.4, 0.9, 0.3]) (&vec![0.2, 0.3]);
    left_in_the_first_part(&vec![0.3, 0.4, 0.9, 1.3]) (&vec![0.1, 0.2, 0.3, 0.4]) (&vec![0.1, 0.1, 0.1]);
    returned_from_the_first_part(&vec![0.3, 0.4, 0.9, 1.3]) (&vec![0.1, 0.2, 0.3, 0.4]) (&vec![0.1, 0.1, 0.1]);
    next_round_of_the_outer(&vec![2.5, 0.9, 1.1, 1.4]) (&vec![1.3, 0.9, 0.5, 6.0, 1.0]);
    runs_for_what_is_skipped(&vec![0.7, 0.4, 0.9, 1.3]);
    runs_for_what_is_stepped_over(&vec![0.7, 0.4, 0.9, 1.3, 0.8]) (&vec![0.7]);
    runs_backwards(&vec![0.7, 0.4, 0.9]);
    runs_for_what_is_taken(&vec![0.7, 0.4, 0.9, 1.3]);
    a_fold_that_changes_more(&positive(3));
    as_long_as_the_other(&positive(3), &positive(3)) (&positive(2), &positive(4));
}
