//! State, names and numbers that `#[differentiable]` cannot follow.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use coenzyme::differentiable;

mod units {
    pub const SCALE: f64 = 5.0;
}

const SCALE: f64 = 2.0;

#[differentiable]
fn imported_in_a_block(x: f64) -> f64 {
    let y = {
        use self::units::*;
        SCALE * x
    };
    y + SCALE * x
}

#[differentiable]
fn printed_in_a_block(x: f64) -> f64 {
    let y = {
        const SCALE: f64 = 3.0;
        assert!(x < 5.0, "more than {SCALE}");
        SCALE * x
    };
    y + SCALE * x
}

#[differentiable]
fn state_of_a_moving_closure(x: &[f64]) -> f64 {
    let mut sum = x[0];
    let squares: f64 = x
        .iter()
        .map(move |v| {
            sum += v;
            sum * v
        })
        .sum();
    squares * sum
}

#[differentiable]
fn part_of_an_inactive_option(x: f64) -> f64 {
    let mut power = Some(2);
    if let Some(ref mut n) = power {
        *n += 1;
    }
    x.powi(power.unwrap_or(0))
}

#[differentiable]
fn through_bits(x: f64) -> f64 {
    let bits = x.to_bits() & !1;
    f64::from_bits(bits) * x
}

#[differentiable]
fn through_text(x: f64) -> f64 {
    let text = format!("{x:.3}");
    let rounded: f64 = text.parse().unwrap();
    rounded * x
}

#[differentiable]
fn through_an_atomic(x: f64) -> f64 {
    let shared = AtomicU64::new(0);
    shared.store((x * x).to_bits(), Ordering::Relaxed);
    f64::from_bits(shared.load(Ordering::Relaxed))
}

#[differentiable]
fn rounds_over_a_cell(x: f64) -> f64 {
    let count = Cell::new(0);
    let mut y = x;
    #[checkpoint]
    for _ in 0..9 {
        count.set(count.get() + 1);
        y = y * x + count.get() as f64;
    }
    y
}

static ROUNDS: AtomicUsize = AtomicUsize::new(0);

#[differentiable]
fn rounds_over_an_atomic(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint]
    for _ in 0..9 {
        y = y * x + ROUNDS.fetch_add(1, Ordering::Relaxed) as f64;
    }
    y
}

fn main() {}
