//! Programs whose names or forms mean something else at a second look: own methods that share a name with the standard library's and not
//! the number of arguments, functions inside of a body, lifetimes that no argument tells, variants told apart behind a reference.

use std::num::NonZeroUsize;

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

trait Next<T> {
    fn next(&mut self, input: T) -> f64;
}

#[derive(Clone, Debug, Tangent)]
struct Average {
    gain: f64,
    value: f64,
}
#[differentiable]
impl Next<f64> for Average {
    fn next(&mut self, input: f64) -> f64 {
        self.value += self.gain * (input - self.value);
        self.value
    }
}
#[differentiable]
impl Average {
    fn get(&self) -> f64 {
        self.value * self.gain
    }
    fn first(&self, x: f64) -> f64 {
        self.value * x
    }
    fn push(&mut self, x: f64, weight: f64) {
        self.value = self.value * x + weight;
    }
}

#[derive(Clone, Debug, Tangent)]
struct Strength {
    up: Average,
    down: Average,
}
#[differentiable]
impl Next<f64> for Strength {
    fn next(&mut self, input: f64) -> f64 {
        let up = self.up.next(input * input);
        let down = self.down.next(input);
        up / (2.0 + up + down)
    }
}

#[differentiable]
fn indicator(s: &mut Strength, x: &[f64]) -> f64 {
    let mut total = 0.0;
    for v in x {
        total += s.next(*v) * s.up.first(*v) + s.down.get();
        s.up.push(*v, total);
    }
    total
}

/// Functions inside of a body are differentiated if they are called with active values, and those that they call.
#[differentiable]
fn inside(x: f64, y: f64) -> f64 {
    fn outer(a: f64, b: f64) -> f64 {
        middle(a * b) + b
    }
    fn middle(a: f64) -> f64 {
        a * a + shift(2) as f64
    }
    fn shift(n: usize) -> usize {
        n + 1
    }
    fn of_a_result(a: f64) -> f64 {
        a.sin()
    }
    outer(of_a_result(x), y) * shift(3) as f64
}

/// The error lasts for ever.
#[differentiable]
fn for_ever<'a>(x: f64, y: f64) -> Result<(f64, u8), &'a str> {
    if x < 0.0 {
        return Err("negative");
    }
    Ok((x.sqrt() * y, 1))
}

#[derive(Clone, Debug, Tangent)]
enum Planet {
    Mars,
    Venus,
    Own(f64),
}

#[differentiable]
fn by_reference<'a>(planet: &'a Planet, x: f64) -> f64 {
    let a = match planet {
        &Planet::Mars => x,
        &Planet::Venus | &Planet::Own(_) => x * x,
    };
    let b = match *planet {
        Planet::Mars => 1.0,
        Planet::Venus => 3.0,
        Planet::Own(_) => a,
    };
    let c = match planet {
        Planet::Own(radius) => *radius,
        _ => b,
    };
    if let &Planet::Mars = planet {
        a * b
    } else {
        a * b * c
    }
}

/// The last statement fails, and an earlier one does not.
#[differentiable]
fn found(x: f64, limit: f64) -> Option<f64> {
    let mut power = x;
    for _ in 0..8 {
        power *= x;
        if power > limit {
            return Some(power * x);
        }
    }
    return None;
}

const TABLE: &[f64] = &[0.3, 1.2, 0.8];

#[differentiable]
fn from_a_table(x: f64) -> f64 {
    let sum = TABLE
        .iter()
        .enumerate()
        .skip(1)
        .fold(TABLE[0], |s, t| s + t.1 / (t.0 as f64 + x));
    sum * x
}

#[derive(Clone, Debug, Tangent)]
struct Pair {
    theta: f64,
    weight: f64,
}

/// The short form of a field, where the name stands for a part of what a branch chose.
#[differentiable]
fn chosen_pair(k: usize, theta: f64) -> Pair {
    let inner = theta;
    let (theta, weight) = match k.cmp(&2) {
        std::cmp::Ordering::Equal => (3.0, 2.0),
        _ => (1.0, 0.5),
    };
    let fixed = Pair { theta, weight };
    Pair {
        theta: fixed.theta * inner,
        weight: fixed.weight + inner,
    }
}

#[differentiable]
fn parts(n: NonZeroUsize, x: f64) -> f64 {
    x * x / n.get() as f64
}

#[derive(Clone, Debug, Tangent)]
struct Controller {
    before: Option<f64>,
    gain: f64,
}
#[differentiable]
impl Controller {
    fn step(&mut self, measured: f64) -> f64 {
        let slope = match self.before.as_ref() {
            Some(before) => measured - *before,
            None => 0.0,
        };
        let again = if let Some(before) = self.before.as_ref() {
            before * 2.0
        } else {
            measured
        };
        self.before = Some(measured * self.gain);
        slope * self.gain + again
    }
}

#[differentiable]
fn controlled(c: &mut Controller, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += c.step(*v) * *v;
    }
    sum
}

#[differentiable]
fn from_nothing(gain: f64, x: &[f64]) -> f64 {
    let mut c = Controller { before: None, gain };
    let first = c.step(x[0]);
    first * c.step(x[1])
}

/// Compound assignments of one type with several operands.
#[derive(Clone, Copy, Debug, Tangent)]
struct Metres(f64);
#[differentiable]
impl std::ops::MulAssign<f64> for Metres {
    fn mul_assign(&mut self, k: f64) {
        self.0 *= k;
    }
}
#[differentiable]
impl std::ops::MulAssign<i32> for Metres {
    fn mul_assign(&mut self, k: i32) {
        self.0 *= f64::from(k);
    }
}
#[differentiable]
impl Metres {
    fn squared(self) -> f64 {
        self.0 * self.0
    }
}

#[differentiable]
fn area(x: f64, k: f64) -> f64 {
    Metres(x * k).squared() * Metres::squared(Metres(k))
}

judge! {
    controlled(&mut Controller { before: Some(0.3), gain: 0.8 }, &any(3));
    from_nothing(0.7, &any(2));
    area(0.7, 0.4);
    indicator(&mut Strength { up: Average { gain: 0.3, value: 0.9 }, down: Average { gain: 0.6, value: 0.2 } }, &any(4));
    inside(0.7, 0.4);
    for_ever(0.7, 0.4);
    by_reference(&Planet::Mars, 0.7) (&Planet::Venus, 0.7) (&Planet::Own(0.4), 0.7);
    found(1.3, 2.0);
    from_a_table(0.7);
    chosen_pair(2, 0.7) (1, 0.4);
    parts(NonZeroUsize::MIN, 0.7);
}
