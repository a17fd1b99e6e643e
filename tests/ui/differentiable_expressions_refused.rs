//! Expressions on active values that `#[differentiable]` refuses.

use coenzyme::differentiable;

macro_rules! twice {
    ($x:expr) => {
        2.0 * $x
    };
}

#[differentiable]
fn unknown_macro(x: f64) -> f64 {
    twice!(x)
}

#[differentiable]
fn value_of_an_unknown_macro(x: f64) -> f64 {
    let y = twice!(x);
    y * y
}

#[differentiable]
fn value_of_a_known_macro(x: f64) -> f64 {
    let y = dbg!(x * x);
    y * x
}

#[differentiable]
fn unsafe_block(x: &[f64]) -> f64 {
    unsafe { *x.get_unchecked(0) }
}

#[differentiable]
fn applied(mut f: impl FnMut(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}

#[differentiable]
fn closure_that_changes(x: f64) -> f64 {
    let mut total = 0.0;
    let y = applied(|a| { total += a; a * x }, x);
    y * total
}

fn length() -> usize {
    3
}

#[differentiable]
fn closure_with_an_unknown_type(x: f64) -> f64 {
    let n = length();
    applied(|a| a * x * n as f64, x)
}

#[differentiable]
fn return_inside(x: f64) -> f64 {
    x * (if x > 0.0 { return x } else { 2.0 })
}

#[differentiable]
fn called_through_a_field(x: f64, t: &Table) -> f64 {
    (t.f)(x)
}

#[differentiable]
fn chosen_slice(x: &[f64], first: bool) -> f64 {
    let half = if first { &x[..2] } else { &x[2..] };
    half[0] * half[1]
}

#[differentiable]
fn break_to_nowhere(x: f64) -> f64 {
    let mut a = x;
    if a > 1.0 {
        a *= 2.0;
        break;
    }
    a
}

#[differentiable]
fn statement_without_effect(x: f64) -> f64 {
    x + 1.0;
    x
}

struct Table {
    f: fn(f64) -> f64,
}

#[differentiable]
fn of_three(a: [f64; 3]) -> f64 {
    a[0] * a[1] * a[2]
}

#[differentiable]
fn array_without_a_length(x: &[f64]) -> f64 {
    of_three(x[0..3].try_into().unwrap())
}

#[differentiable]
fn derivative_inside(x: f64) -> f64 {
    let (slope,): (f64,) = coenzyme::gradient!(statement_without_effect, x);
    slope * x
}

#[differentiable(device)]
impl Table {
    fn on_a_device(&self, x: f64) -> f64 {
        x * x
    }
}

#[differentiable]
fn makes_a_constant<T: coenzyme::Real>(x: T, time: f64) -> T {
    x * T::lit(time)
}

#[derive(Clone)]
struct Halves {
    value: f64,
}

impl Halves {
    fn next(&mut self) -> Option<f64> {
        self.value *= 0.5;
        (self.value > 0.1).then_some(self.value)
    }
}

#[differentiable]
fn steps_of_its_own(x: f64) -> f64 {
    let (mut halves, mut sum) = (Halves { value: x }, 0.0);
    while let Some(half) = halves.next() {
        sum += half;
    }
    sum
}

#[differentiable]
fn macro_that_reads_a_local(x: f64, y: f64) -> f64 {
    let square = x * x;
    macro_rules! times {
        ($by:expr) => {
            square * $by
        };
    }
    times!(2.0) + y
}

fn main() {}
