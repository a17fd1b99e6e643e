//! Structs that are `Clone` and not `Copy`: moved into locals, structs and calls, and read after that.

use std::ops::{Add, Mul};

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Body {
    at: Point,
    speed: Point,
    mass: f64,
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct State {
    at: Point,
    sums: Vec<f64>,
}

#[differentiable]
impl Point {
    fn scaled(&self, k: f64) -> Point {
        Point {
            x: self.x * k,
            y: self.y * k,
        }
    }

    fn plus(mut self, other: &Point) -> Point {
        self.x += other.x;
        self.y += other.y;
        self
    }

    fn square(&self) -> f64 {
        self.x * self.x + self.y * self.y
    }
}

#[differentiable]
impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

#[differentiable]
impl Mul<f64> for Point {
    type Output = Point;
    fn mul(self, k: f64) -> Point {
        Point {
            x: self.x * k,
            y: self.y * k,
        }
    }
}

/// What it was made from is read after it was moved.
#[differentiable]
fn given_in_a_branch(x: f64, y: f64) -> f64 {
    let mut p = Point { x, y: 0.0 };
    if x > y {
        p = Point {
            x: p.x * 2.0,
            y: x * y,
        };
    }
    p.x * p.x + p.y
}

#[differentiable]
fn kept_if_better(x: f64, y: f64) -> f64 {
    let mut best = Point { x: 0.0, y: 10.0 };
    for i in 0..3 {
        let now = Point {
            x: x * i as f64,
            y: (y - i as f64).powi(2),
        };
        if now.y < best.y {
            best = now;
        }
    }
    let last = best;
    last.x + last.y
}

#[differentiable]
fn stepped(p: Point, k: f64) -> Point {
    Point {
        x: p.x * k,
        y: p.y + p.x,
    }
}

#[differentiable]
fn passed_and_given_back(x: f64, y: f64) -> f64 {
    let mut p = Point { x, y: 0.0 };
    let mut least = p.clone();
    for _ in 0..3 {
        p = stepped(p, y);
        if p.x < least.x {
            least = p.clone();
        }
    }
    p.x * p.y + least.x
}

#[differentiable]
fn the_rest_of_another(x: f64, y: f64) -> f64 {
    let p = Point { x, y: 1.5 };
    let q = if x > y { Point { x: p.x * y, ..p } } else { p };
    let mut sum = Point { x: 0.0, y: 0.0 };
    for i in 0..3 {
        let more = Point { x: x * i as f64, y };
        sum = Point {
            x: sum.x + more.x,
            ..sum
        };
        sum.y += more.y * more.x;
    }
    q.x * q.y + sum.x * sum.y
}

#[differentiable]
fn moved(body: Body, dt: f64) -> Body {
    let at = Point {
        x: body.at.x + dt * body.speed.x,
        y: body.at.y + dt * body.speed.y,
    };
    let speed = body.speed.clone();
    Body {
        at,
        speed,
        mass: body.mass,
    }
}

#[differentiable]
fn nested(x: f64, y: f64) -> f64 {
    let mut body = Body {
        at: Point { x, y: 0.0 },
        speed: Point { x: 1.0, y },
        mass: 2.0,
    };
    for _ in 0..4 {
        body = moved(body, 0.1 * x);
    }
    body.at.x * body.at.y + body.speed.y * body.mass
}

/// Its parts leave it one after the other.
#[differentiable]
fn taken_apart(x: f64, y: f64) -> f64 {
    let at = Point { x, y };
    let speed = at.clone();
    let body = Body {
        at,
        speed,
        mass: x * y,
    };
    let p = body.at;
    let q = body.speed;
    p.x * q.y + p.y * body.mass
}

#[differentiable]
fn out_of_a_reference(body: &Body) -> f64 {
    let p = body.at.clone();
    let mut q = body.speed.clone();
    q.x += p.y;
    q.x * q.y + p.x * body.at.x
}

#[differentiable]
fn by_methods(x: f64, y: f64) -> f64 {
    let p = Point { x, y };
    let mut sum = p.clone();
    for i in 0..4 {
        let next = p.scaled(0.5 * i as f64).plus(&sum);
        if next.square() < 9.0 {
            sum = next;
        }
    }
    sum.square() + p.x
}

#[differentiable]
fn by_operators(x: f64, y: f64) -> f64 {
    let p = Point { x, y };
    let q = p.clone() * 2.0 + p.clone();
    let mut r = q.clone();
    for _ in 0..2 {
        r = r * y + q.clone();
    }
    r.x * q.y + p.x
}

#[differentiable]
fn one_of_two(first: Point, second: Point, which: bool) -> Point {
    if which { first } else { second }
}

#[differentiable]
fn chosen(x: f64, y: f64) -> f64 {
    let p = Point { x, y: 1.0 };
    let q = Point { x: y, y: x };
    let r = one_of_two(p.clone(), q.clone(), true);
    let s = one_of_two(p, q, false);
    let t = match 1 {
        0 => r.clone(),
        _ => s.clone(),
    };
    r.x * s.y + s.x * t.y
}

#[differentiable]
fn swapped(x: f64, y: f64) -> f64 {
    let mut p = Point { x, y };
    let mut q = Point { x: y, y: 1.0 };
    for i in 0..3 {
        if i % 2 == 0 {
            std::mem::swap(&mut p, &mut q);
        }
        let old = p;
        p = Point {
            x: old.y,
            y: q.x * old.x,
        };
        q = old;
    }
    p.x * q.y + p.y
}

#[differentiable]
fn in_arrays(x: f64, y: f64) -> f64 {
    let p = Point { x, y };
    let (first, second) = (p.clone(), p);
    let both = [first, second];
    let mut sum = 0.0;
    for p in both.iter() {
        sum += p.x * p.y;
    }
    let [first, second] = both;
    let list = vec![Point { x: y, y: 1.0 }, first];
    let last = list[1].clone();
    sum * last.x + second.y * list[0].x
}

#[differentiable]
fn pair(x: f64, y: f64) -> (Point, Point) {
    let first = Point { x, y };
    let second = Point {
        x: y,
        y: first.x * y,
    };
    (first, second)
}

#[differentiable]
fn in_tuples(x: f64, y: f64) -> f64 {
    let (p, q) = pair(x, y);
    let both = pair(p.x, q.y);
    let (r, s) = both.clone();
    r.x * s.y + both.0.x * p.y + q.x
}

#[differentiable]
fn advanced(mut state: State, k: f64) -> State {
    state.at.x *= k;
    state.sums[0] += state.at.x * k;
    state
}

#[differentiable]
fn with_a_vector(x: f64, y: f64) -> f64 {
    let mut state = State {
        at: Point { x, y },
        sums: vec![0.0],
    };
    for _ in 0..3 {
        state = advanced(state, y);
    }
    state.sums[0] + state.at.x * state.at.y
}

/// A field that may be absent.
#[derive(Clone, Debug, PartialEq, Tangent)]
struct Seen {
    value: f64,
    slope: Option<f64>,
}

#[differentiable]
fn seen(x: f64, whole: bool) -> Seen {
    if whole {
        Seen {
            value: x * x,
            slope: Some(x.sin()),
        }
    } else {
        Seen {
            value: x.cos(),
            slope: None,
        }
    }
}

#[differentiable]
fn absent_fields(x: f64, y: f64) -> f64 {
    let mut now = Seen {
        value: x,
        slope: None,
    };
    for i in 0..5 {
        now = seen(now.value * y, i % 2 == 0);
        if let Some(slope) = now.slope {
            now.value += slope * x;
        }
    }
    let other = seen(y, false);
    let slope = match other.slope {
        Some(slope) => slope,
        None => now.value,
    };
    slope * now.slope.unwrap() + other.slope.map_or(x, |s| 2.0 * s) + now.slope.unwrap_or(0.5)
}

/// A moving average, which begins with the first value.
#[derive(Clone, Debug, PartialEq, Tangent)]
struct Average {
    value: Option<f64>,
    weight: f64,
}

#[differentiable]
impl Average {
    fn update(&mut self, x: f64) -> f64 {
        let value = match self.value {
            Some(value) => value + self.weight * (x - value),
            None => x,
        };
        self.value = Some(value);
        value
    }
}

#[differentiable]
fn an_option_is_assigned(x: f64, y: f64) -> f64 {
    let mut average = Average {
        value: None,
        weight: y,
    };
    let mut sum = 0.0;
    for k in 0..4 {
        sum += average.update(x * (k as f64 + 0.5));
    }
    for k in 0..4 {
        if k == 2 {
            average.value = None;
        } else {
            average.value = Some(x * k as f64 + average.value.unwrap_or(y));
        }
        sum += average.value.map_or(0.3, |v| v * v) * average.weight;
    }
    sum
}

#[differentiable]
fn an_option_of_the_caller(average: &mut Average, x: f64) {
    if let Some(value) = average.value {
        average.value = Some(value * x);
    }
    average.weight *= x;
}

judge! {
    an_option_is_assigned(0.3, 0.7);
    an_option_of_the_caller(&mut Average { value: Some(0.4), weight: 0.3 }, 0.7) (&mut Average { value: None, weight: 0.3 }, 0.7);
    given_in_a_branch(0.7, 0.4) (0.3, 0.4);
    kept_if_better(0.3, 0.7);
    passed_and_given_back(0.3, 0.7);
    the_rest_of_another(0.7, 0.4) (0.3, 0.4);
    nested(0.3, 0.7);
    taken_apart(0.3, 0.7);
    out_of_a_reference(&Body { at: Point { x: 0.3, y: 0.7 }, speed: Point { x: 0.2, y: 1.1 }, mass: 0.5 });
    by_methods(0.3, 0.7);
    by_operators(0.3, 0.7);
    chosen(0.3, 0.7);
    swapped(0.3, 0.7);
    in_arrays(0.3, 0.7);
    in_tuples(0.3, 0.7);
    with_a_vector(0.3, 0.7);
    absent_fields(0.3, 0.7);
}
