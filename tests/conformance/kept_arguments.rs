//! Arguments without derivative that are lent to a rule, and are others afterwards: the reverse sweep needs them as they were.

use coenzyme::prelude::*;

use crate::subject::judge;

/// Without tangent space.
#[derive(Clone, Copy)]
struct Config {
    times: usize,
}

#[derive(Clone, Copy, Tangent)]
struct Power {
    times: usize,
}

#[differentiable]
impl Power {
    fn of(&self, x: f64) -> f64 {
        let mut v = x;
        for _ in 0..self.times {
            v *= v;
        }
        v
    }
}

#[differentiable]
fn squared(config: &Config, x: &mut [f64]) {
    for _ in 0..config.times {
        for v in x.iter_mut() {
            *v *= *v;
        }
    }
}

#[differentiable]
fn squared_often(times: &usize, x: f64) -> f64 {
    let mut v = x;
    for _ in 0..*times {
        v *= v;
    }
    v
}

#[differentiable]
fn picked(places: &[usize], x: &[f64]) -> f64 {
    places
        .iter()
        .enumerate()
        .map(|(k, i)| x[*i] * x[*i] * (k + 1) as f64)
        .sum()
}

#[differentiable]
fn applied(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * f(2.0 * x)
}

fn turned(places: &mut Vec<usize>) {
    places.rotate_left(1);
}

#[differentiable]
fn in_parts(x: f64, y: f64) -> f64 {
    let mut config = Config { times: 1 };
    let mut v = [x, y];
    squared(&config, &mut v);
    config.times += 1;
    squared(&config, &mut v);
    v[0] * v[1]
}

#[differentiable]
fn as_a_whole(x: f64, y: f64) -> f64 {
    let mut config = Config { times: 2 };
    let mut v = [x, y];
    squared(&config, &mut v);
    config = Config { times: 0 };
    squared(&config, &mut v);
    v[0] * v[1]
}

#[differentiable]
fn counts(x: f64, y: f64) -> f64 {
    let mut times = 1;
    let first = squared_often(&times, x);
    times += 1;
    let second = squared_often(&times, y);
    times = 0;
    first * second * squared_often(&times, x)
}

#[differentiable]
fn receivers(x: f64, y: f64) -> f64 {
    let mut power = Power { times: 1 };
    let first = power.of(x);
    power.times += 1;
    let second = power.of(y);
    power = Power { times: 0 };
    first * second * power.of(x)
}

#[differentiable]
fn in_rounds(x: f64, y: f64) -> f64 {
    let mut places = vec![0_usize, 1, 2];
    let v = [x, y, x * y];
    let mut s = 1.0;
    for k in 0..3 {
        s *= picked(&places[..2], &v);
        places.swap(k % 3, (k + 1) % 3);
        s += picked(&places, &v);
        turned(&mut places);
    }
    places.clear();
    places.push(1);
    s + picked(&places, &v)
}

/// What is filled before it is lent stays where it is.
#[differentiable]
fn filled_before(x: f64, y: f64) -> f64 {
    let mut places = vec![0_usize; 3];
    for k in 0..3 {
        places[k] = 2 - k;
    }
    let mut v = [x, y, x * y];
    for k in 0..3 {
        v[k] = picked(&places, &v).sin();
    }
    v[0] * v[1] * v[2]
}

#[differentiable]
fn of_a_parameter(places: &mut [usize], x: &[f64]) -> f64 {
    let first = picked(places, x);
    places[0] = 1;
    let second = picked(places, x);
    places.swap(0, 1);
    first * second * picked(&*places, x)
}

#[differentiable]
fn through_a_parameter(x: f64, y: f64) -> f64 {
    let mut places = vec![0_usize, 2];
    of_a_parameter(&mut places, &[x, y, x * y])
}

#[differentiable]
fn captured(x: f64, y: f64) -> f64 {
    let mut times: i32 = 2;
    let mut weights: [f64; 2] = [1.0, 2.0];
    let first = applied(|t| t.powi(times) * weights[0], x);
    times += 1;
    weights[0] = 5.0;
    let second = applied(|t| t.powi(times) * weights[1] * weights[0], y);
    times = 0;
    weights = [0.5; 2];
    first * second * weights[0] + f64::from(times)
}

judge! {
    in_parts (0.7, -0.4);
    as_a_whole (0.7, -0.4);
    counts (0.7, -0.4);
    receivers (0.7, -0.4);
    in_rounds (0.7, -0.4);
    filled_before (0.7, -0.4);
    through_a_parameter (0.7, -0.4);
    captured (0.7, -0.4);
}
