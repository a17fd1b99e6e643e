//! Is the rule written by hand better than the generated derivative? Values, derivatives and times of the three versions.

use std::hint::black_box;
use std::time::Instant;

use coenzyme::gradient_into;
use coenzyme::prelude::*;

use super::exponentials::{logsumexp, shifted, textbook};

/// One version at `(1000, 1001)`, and the nanoseconds of a gradient in two and in 32 variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) value: f64,
    pub(crate) gradient: [f64; 2],
    pub(crate) nanoseconds: [f64; 2],
}

/// Where the textbook's formula overflows.
const LARGE: [f64; 2] = [1000.0, 1001.0];

/// The three versions, timed by `calls` calls.
pub(crate) fn compare(calls: usize) -> [Row; 3] {
    [
        generated("textbook, generated", &textbook {}, textbook, calls),
        generated("shifted, generated", &shifted {}, shifted, calls),
        by_hand("shifted, rule by hand", calls),
    ]
}

/// The row of a function of a slice.
fn generated<F>(name: &'static str, f: &F, primal: fn(&[f64]) -> f64, calls: usize) -> Row
where
    F: for<'a> Function<(&'a [f64],), Output = f64>,
    F: for<'a> ReverseRule<Active<f64>, (Duplicated<&'a [f64], &'a mut [f64]>,)>,
{
    fn time<F, const N: usize>(f: &F, calls: usize) -> f64
    where
        F: for<'a> Function<(&'a [f64],), Output = f64>,
        F: for<'a> ReverseRule<Active<f64>, (Duplicated<&'a [f64], &'a mut [f64]>,)>,
    {
        let mut gradient = [0.0; N];
        nanoseconds(calls, || {
            gradient_into(f, black_box(&point::<N>()), &mut gradient);
            black_box(&gradient);
        })
    }
    let mut gradient = [0.0; 2];
    gradient_into(f, &LARGE, &mut gradient);
    Row {
        name,
        value: primal(&LARGE),
        gradient,
        nanoseconds: [time::<F, 2>(f, calls), time::<F, 32>(f, calls)],
    }
}

/// The row of [`logsumexp`].
fn by_hand(name: &'static str, calls: usize) -> Row {
    let (value, (gradient,)) = value_and_gradient(&logsumexp {}, (LARGE,));
    Row {
        name,
        value,
        gradient,
        nanoseconds: [time_by_hand::<2>(calls), time_by_hand::<32>(calls)],
    }
}

fn time_by_hand<const N: usize>(calls: usize) -> f64 {
    nanoseconds(calls, || {
        black_box(value_and_gradient(
            &logsumexp {},
            (black_box(point::<N>()),),
        ));
    })
}

/// Some point.
fn point<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| (i as f64).sin())
}

/// The time of one call: the fastest of ten rounds.
fn nanoseconds(calls: usize, mut f: impl FnMut()) -> f64 {
    let rounds = (0..10).map(|_| {
        let begin = Instant::now();
        for _ in 0..calls {
            f();
        }
        begin.elapsed().as_secs_f64() * 1e9 / calls as f64
    });
    rounds.fold(f64::INFINITY, f64::min)
}
