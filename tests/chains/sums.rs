//! Values that are sums: by the halves one after the other, and by a driver, in whose reverse sweep they are added up. Scratch memory that
//! the caller hands in, filled by every round as a whole, in part, or not before it is read.

use coenzyme::prelude::*;
use coenzyme::{AsActive, autodiff};

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn log_sum(x: &[f64]) -> f64 {
    let top = x
        .iter()
        .fold(f64::NEG_INFINITY, |a, &b| if b > a { b } else { a });
    x.iter().map(|x| (x - top).exp()).sum::<f64>().ln() + top
}

/// Filled as a whole if `row` is not longer than `w`; otherwise its end is what the caller left there.
#[differentiable]
fn lent(x: &[f64], w: &[f64], row: &mut [f64]) -> f64 {
    let mut total = 0.5;
    for x in x {
        for (r, w) in row.iter_mut().zip(w) {
            *r = x * w;
        }
        total += log_sum(row);
    }
    total
}

/// One is computed from the other, and parts of both are read.
#[differentiable]
fn lent_two(x: &[f64], w: &[f64], n: usize, a: &mut [f64], b: &mut [f64]) -> f64 {
    let mut total = 0.0;
    for p in x.chunks_exact(n) {
        for ((a, p), w) in a.iter_mut().zip(p).zip(w) {
            *a = p - w;
        }
        for (b, a) in b.iter_mut().zip(a.iter()) {
            *b = a * a;
        }
        let mut rest = &w[..];
        for c in 0..n {
            let (head, _) = rest.split_at(n - c - 1);
            for (b, w) in b[c + 1..].iter_mut().zip(head) {
                *b += w * a[c];
            }
            rest = &w[..n - c - 1];
        }
        total -= (b.iter().map(|b| b * b).sum::<f64>() + 0.5).sqrt();
    }
    total * 2.0
}

/// A length that is no number where there is no round.
#[differentiable]
fn lent_but_one(x: &[f64], row: &mut [f64]) -> f64 {
    let n = x.len();
    let mut total = 0.0;
    for a in x {
        for i in 0..n - 1 {
            row[i] = a * x[i + 1];
        }
        total += log_sum(row);
    }
    total
}

/// What the round before left is read.
#[differentiable]
fn lent_with_state(x: &[f64], row: &mut [f64]) -> f64 {
    let mut total = 0.0;
    for x in x {
        for r in row.iter_mut() {
            *r = *r * 0.5 + x;
        }
        total += row.iter().map(|r| r * r).sum::<f64>();
    }
    total
}

/// Filled, and read when the rounds are over.
#[differentiable]
fn lent_and_read(x: &[f64], row: &mut [f64]) -> f64 {
    let n = row.len();
    let mut total = 0.0;
    for x in x {
        for j in 0..n {
            row[j] = x * x + j as f64;
        }
        total += row[0] * row[n - 1];
    }
    total + row[n / 2]
}

/// Filled at once; from the last round to the first; a call writes to it.
#[differentiable]
fn add_to(row: &mut [f64], by: f64) {
    for r in row.iter_mut() {
        *r = *r * by + 1.0;
    }
}

#[differentiable]
fn lent_at_once(x: &[f64], row: &mut [f64]) -> f64 {
    let mut total = 0.0;
    for i in (0..x.len()).rev() {
        row.fill(x[i]);
        add_to(row, x[i]);
        total += log_sum(row) * x[i];
    }
    total
}

/// Rounds that add nothing, and nested ones; something is taken away after them.
#[differentiable]
fn with_gaps(x: &[f64], cut: f64) -> f64 {
    let mut total = x[0] * cut;
    for i in 0..x.len() {
        for j in i + 1..x.len() {
            let d = x[i] - x[j];
            if d * d > cut {
                continue;
            }
            total += (d * d + 0.1).sqrt();
        }
        total -= x[i].sin();
    }
    for x in x {
        total += x.exp() * cut;
    }
    total -= log_sum(x);
    total
}

/// The sum decides, so it is no sum that could be added up later.
#[differentiable]
fn that_decides(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for x in x {
        total += x.sin();
    }
    if total > 0.5 {
        for x in x {
            total += x * x;
        }
    }
    total
}

/// Two sums, of which one is part of the other.
#[differentiable]
fn of_sums(x: &[f64], w: &[f64]) -> f64 {
    let mut total = 1.0;
    for x in x {
        let mut inner = 0.0;
        for w in w {
            inner += (x * w).tanh();
        }
        total += inner * inner;
    }
    total
}

#[differentiable(math = fast)]
fn gelu(x: f64) -> f64 {
    0.5 * x * (1.0 + (0.8 * (x + 0.045 * x * x * x)).tanh())
}

/// Elementary functions in blocks, themselves and in a call.
#[differentiable(math = fast)]
fn in_blocks(x: &[f64], g: &[f64], b: &[f64]) -> f64 {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    let mut total = mean;
    for ((x, g), b) in x.iter().zip(g).zip(b) {
        total += gelu((x - mean) * g + b) * 0.7;
    }
    for ((x, g), b) in x.iter().zip(g).zip(b) {
        total -= (x * mean).sin() * g - (b * mean).exp();
    }
    total
}

judge! {
    in_blocks(&any(43), &any(43), &any(43)) (&any(24), &any(24), &any(24)) (&any(3), &any(4), &any(5));
    lent(&any(3), &any(3), &mut any(3)) (&any(3), &any(3), &mut any(2)) (&any(3), &any(2), &mut any(4)) (&vec![], &any(2), &mut any(2));
    lent_two(&any(6), &any(3), 3, &mut any(3), &mut any(3)) (&any(6), &any(3), 3, &mut any(4), &mut any(5)) (&any(4), &any(3), 2, &mut any(2), &mut any(3));
    lent_but_one(&any(3), &mut any(2)) (&any(3), &mut any(4)) (&vec![], &mut any(2));
    lent_with_state(&any(3), &mut any(2));
    lent_and_read(&any(3), &mut any(3));
    lent_at_once(&any(3), &mut any(3)) (&any(2), &mut any(1));
    with_gaps(&any(4), 0.4) (&any(3), 20.0) (&any(3), 0.0);
    that_decides(&any(3)) (&vec![0.5, 0.6, 0.7]);
    of_sums(&any(3), &any(2));
}

fn close(what: &str, a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        assert!(
            (a - b).abs() <= 1e-13 * (1.0 + b.abs()),
            "{what}[{i}]: {a}, expected {b}"
        );
    }
}

/// Compares what the driver says with the primal, and its shadows with those of the halves; rows are scratch memory of some lengths.
macro_rules! driver_agrees {
    ($f:ident, [$($x:ident)*], [$($n:ident)*]) => {{
        $(let $x = &$x[..];)*
        let rows = || -> Vec<Vec<f64>> { vec![$(any($n)),*] };
        let shadows = || -> Vec<Vec<f64>> { vec![$(any($x.len()),)* $(any($n)),*] };
        let (mut by_halves, mut by_driver) = (shadows(), shadows());
        let (mut memory, mut left, mut expected) = (rows(), rows(), rows());
        macro_rules! next { ($of:ident) => { &mut $of.next().unwrap()[..] } }
        macro_rules! args { ($shadows:ident, $memory:ident) => {{
            let (mut shadow, mut row) = ($shadows.iter_mut(), $memory.iter_mut());
            let _ = &mut row;
            ($(Duplicated($x, next!(shadow)),)* $({ let _ = $n; Duplicated(next!(row), next!(shadow)) },)*)
        }} }
        let thunk = Thunk::<_, Active<f64>>::new($f {});
        let tape = thunk.augmented(&mut args!(by_halves, memory)).tape;
        let _ = thunk.reverse([1.0], tape, &mut args!(by_halves, memory));
        let (_, value) = autodiff(ReverseWithPrimal, &$f {}, AsActive, args!(by_driver, left));
        let mut row = expected.iter_mut();
        let _ = &mut row;
        close(concat!("value of ", stringify!($f)), &[value], &[$f($($x,)* $({ let _ = $n; next!(row) },)*)]);
        close(concat!("memory after ", stringify!($f)), &left.concat(), &expected.concat());
        close(concat!("memory after the halves of ", stringify!($f)), &memory.concat(), &expected.concat());
        close(concat!("shadows of ", stringify!($f)), &by_driver.concat(), &by_halves.concat());
    }};
}

#[test]
fn a_driver_agrees_with_the_halves() {
    let (x, w, none) = (any(3), any(3), any(0));
    for n in 2..5 {
        let y = any(n);
        driver_agrees!(lent, [x w], [n]);
        driver_agrees!(lent, [none w], [n]);
        driver_agrees!(lent_but_one, [x], [n]);
        driver_agrees!(lent_but_one, [none], [n]);
        driver_agrees!(lent_with_state, [x], [n]);
        driver_agrees!(lent_and_read, [x], [n]);
        driver_agrees!(lent_at_once, [x], [n]);
        driver_agrees!(of_sums, [x y], []);
        driver_agrees!(that_decides, [y], []);
        driver_agrees!(log_sum, [y], []);
    }
    // blocks of eight, from three on
    for n in [3, 24, 43] {
        let (x, g, b) = (any(n), any(n), any(n));
        driver_agrees!(in_blocks, [x g b], []);
    }
}

#[test]
fn a_driver_adds_up_what_is_left_out() {
    let x = any(5);
    for cut in [0.0, 0.3, 50.0] {
        let mut dx = vec![0.0; 5];
        let args = (Duplicated(&x[..], &mut dx[..]), Active(cut));
        let (((), dcut), value) = autodiff(ReverseWithPrimal, &with_gaps {}, AsActive, args);
        close("value", &[value], &[with_gaps(&x, cut)]);
        let (expected, of_cut) = gradient!(with_gaps, &x[..], cut);
        close("dx", &dx, &expected);
        close("dcut", &[dcut], &[of_cut]);
        let (mut a, mut b) = ([0.0; 5], [0.0; 5]);
        let lanes = (
            BatchDuplicated(&x[..], [&mut a[..], &mut b[..]]),
            Const(cut),
        );
        let (_, value) = autodiff(ReverseWithPrimal, &with_gaps {}, AsActive, lanes);
        close("value", &[value], &[with_gaps(&x, cut)]);
    }
}
