//! Values that say how to compute: they carry no derivative.

use coenzyme::prelude::*;

use crate::subject::judge;

#[derive(Clone, Copy, PartialEq, Tangent)]
enum Kind {
    Call,
    Put,
}

#[derive(Clone)]
struct Scheme {
    order: usize,
    name: String,
}

#[derive(Clone, Copy, Tangent)]
struct State {
    angle: f64,
    speed: f64,
}

#[differentiable]
fn payoff(kind: Kind, spot: f64, strike: f64) -> f64 {
    match kind {
        Kind::Call => (spot - strike).max(0.0),
        Kind::Put => (strike - spot).max(0.0),
    }
}

#[differentiable]
fn by_value(x: f64, y: f64) -> f64 {
    payoff(Kind::Call, x * 3.0, y) * payoff(Kind::Put, x, y)
}

#[differentiable]
fn power(scheme: &Scheme, x: f64) -> f64 {
    let mut product = 1.0;
    for _ in 0..scheme.order {
        product *= x;
    }
    if scheme.name.is_empty() {
        product
    } else {
        product * x
    }
}

#[differentiable]
fn by_reference(x: f64, y: f64) -> f64 {
    let named = Scheme {
        order: 2,
        name: "cubic".to_string(),
    };
    power(&named, x)
        * power(
            &Scheme {
                order: 1,
                name: String::new(),
            },
            y,
        )
}

#[differentiable]
fn chosen(x: f64, y: f64) -> f64 {
    let kind = if x > y { Kind::Put } else { Kind::Call };
    let mut sum = 0.0;
    for k in [Kind::Call, kind] {
        sum += payoff(k, x, y) * if k == Kind::Put { y } else { 2.0 };
    }
    sum
}

/// Values of a type of one's own go into a call that also gets a parameter of the caller.
#[differentiable]
fn slope(s: State, p: &[f64]) -> State {
    State {
        angle: s.speed,
        speed: -p[0] * s.angle.sin(),
    }
}

#[differentiable]
fn moved(s: State, k: State, h: f64) -> State {
    State {
        angle: s.angle + h * k.angle,
        speed: s.speed + h * k.speed,
    }
}

#[differentiable]
fn midpoint(s: &mut State, p: &[f64], h: f64) {
    let k = slope(moved(*s, slope(*s, p), h / 2.0), p);
    *s = moved(*s, k, h);
}

#[differentiable]
fn pendulum(angle: f64, p: &[f64]) -> f64 {
    let mut s = State { angle, speed: 0.0 };
    for _ in 0..3 {
        midpoint(&mut s, p, 0.1);
    }
    s.angle * s.speed
}

judge! {
    by_value (0.7, 0.8);
    by_reference (0.7, -0.4);
    chosen (0.7, 0.4) (0.4, 0.7);
    pendulum (0.7, &[9.81]);
}
