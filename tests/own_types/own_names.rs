//! Names of the standard library that a file gives to items of its own.

use coenzyme::{Tangent, differentiable};

use crate::judge::positive;
use crate::subject::judge;

mod items {
    use coenzyme::{Tangent, differentiable};

    #[differentiable]
    pub(super) fn swap(a: &mut f64, b: &mut f64) {
        let t = *a;
        *a = 2.0 * *b;
        *b = 3.0 * t;
    }
    #[differentiable]
    pub(super) fn take(a: &mut f64) -> f64 {
        let t = *a;
        *a = 0.5;
        t * t
    }
    #[derive(Clone, Copy, Debug, Tangent)]
    pub(super) struct Vec {
        pub(super) x: f64,
        pub(super) y: f64,
    }
    #[differentiable]
    impl Vec {
        pub(super) fn new(x: f64, y: f64) -> Vec {
            Vec { x, y }
        }
        pub(super) fn with_capacity(x: f64) -> Self {
            Vec { x, y: x * x }
        }
        pub(super) fn length(&self) -> f64 {
            self.x.hypot(self.y)
        }
    }
}

mod mem {
    #[coenzyme::differentiable]
    pub(super) fn replace(a: &mut f64, b: f64) -> f64 {
        let t = *a;
        *a = b * b;
        t * 2.0
    }
}

mod iter {
    use coenzyme::differentiable;

    #[differentiable]
    pub(super) fn once(a: f64) -> f64 {
        a * a
    }
    #[differentiable]
    pub(super) fn zip(a: f64, b: f64) -> f64 {
        a * b
    }
}

mod array {
    #[coenzyme::differentiable]
    pub(super) fn from_fn(a: f64) -> [f64; 2] {
        [a, a * a]
    }
}

use items::{Vec, swap, take};

#[derive(Clone, Copy, Debug, Tangent)]
struct Range {
    low: f64,
    high: f64,
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Duration {
    seconds: f64,
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Box {
    v: f64,
}

#[differentiable]
impl Box {
    fn new(v: f64) -> Box {
        Box { v: v * v }
    }
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Complex {
    r: f64,
    t: f64,
}

#[differentiable]
impl Complex {
    fn new(r: f64, t: f64) -> Self {
        Complex { r: r * t, t }
    }
    fn size(&self) -> f64 {
        self.r * self.t
    }
}

#[differentiable]
fn swapped(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    swap(&mut a, &mut b);
    a * a + b
}

#[differentiable]
fn taken(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    swap(&mut a, &mut b);
    let c = take(&mut a);
    a * c + b
}

#[differentiable]
fn replaced(x: f64, y: f64) -> f64 {
    let mut a = x;
    let old = mem::replace(&mut a, y);
    a * old
}

#[differentiable]
fn by_full_paths(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    items::swap(&mut a, &mut b);
    std::mem::swap(&mut a, &mut b);
    let old = std::mem::replace(&mut a, 2.0 * y);
    a * a + b * old
}

#[differentiable]
fn iterated(x: f64, y: f64) -> f64 {
    iter::once(x) + iter::zip(y, x) * array::from_fn(y)[1]
}

#[differentiable]
fn width(r: Range) -> f64 {
    r.high * r.high - r.low
}

#[differentiable]
fn seconds(d: &Duration) -> f64 {
    d.seconds * d.seconds
}

#[differentiable]
fn types(x: &[f64]) -> f64 {
    let r = Range {
        low: x[0],
        high: x[1],
    };
    let d = Duration { seconds: x[2] };
    width(r) * x[2] + seconds(&d)
}

#[differentiable]
fn constructors(x: &[f64]) -> f64 {
    let (v, w) = (Vec::new(x[0], x[1]), Vec::with_capacity(x[2]));
    let (b, c) = (Box::new(x[0]), Complex::new(x[1], x[2]));
    v.length() * w.y + b.v * c.size() + v.x
}

judge! {
    swapped(0.3, 0.7);
    taken(0.3, 0.7);
    replaced(0.3, 0.7);
    by_full_paths(0.3, 0.7);
    iterated(0.3, 0.7);
    types(&positive(3));
    constructors(&positive(3));
}
