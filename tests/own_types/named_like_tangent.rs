//! Methods that have the names of the operations of `Tangent` and of `Outcome`, which this file imports: they are called, also behind a
//! `Box` and through traits.

use crate::subject::judge;
use coenzyme::prelude::*;

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Gauge {
    a: f64,
    b: f64,
}
#[differentiable]
impl Gauge {
    fn scale(&mut self, k: f64) {
        self.a += k;
    }
    fn zero_out(&mut self) {
        self.b *= self.a;
    }
    fn accumulate(&mut self, other: &Gauge) {
        self.a *= other.b;
    }
    fn absorb(&mut self, other: &mut Gauge) {
        other.a *= self.b;
        self.b += other.a;
    }
    fn inner(&self, other: &Gauge) -> f64 {
        self.a * other.b
    }
    fn target(&self) -> f64 {
        self.a.sin()
    }
    fn to_flat(&self) -> Vec<f64> {
        vec![self.b, self.a * self.b]
    }
    fn zero_like(&self) -> Gauge {
        Gauge {
            a: self.b,
            b: self.a * 2.0,
        }
    }
    fn unflatten(&mut self, from: &[f64]) {
        self.a = from[0] * self.b;
    }
    fn value(&self) -> f64 {
        self.a / self.b
    }
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Panel {
    gauge: Box<Gauge>,
}

#[differentiable]
fn moved(panel: &mut Panel, k: f64) -> f64 {
    panel.gauge.scale(k);
    panel.gauge.zero_out();
    panel.gauge.unflatten(&[k, 2.0]);
    panel.gauge.value()
}

#[differentiable]
fn read(g: &Box<Gauge>, h: &Gauge) -> f64 {
    let flat = g.to_flat();
    g.inner(h) + g.target() * flat[0] + flat[1] * g.zero_like().b
}

#[differentiable]
fn met(g: &mut Box<Gauge>, h: &Gauge) -> f64 {
    let mut other = h.clone();
    g.accumulate(h);
    g.absorb(&mut other);
    g.target() * other.a
}

#[differentiable]
fn of_a_local(x: f64, k: f64) -> f64 {
    let mut boxed = Box::new(Gauge { a: x, b: k });
    boxed.scale(k * x);
    boxed.value() + boxed.inner(&boxed)
}

#[differentiable]
trait Linear {
    fn inner(&self, other: &Self) -> f64;
    fn scale(&mut self, k: f64);
    fn value(&self) -> f64;
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Pair {
    a: f64,
    b: f64,
}
#[differentiable]
impl Linear for Pair {
    fn inner(&self, other: &Pair) -> f64 {
        self.a * other.a + 2.0 * self.b * other.b
    }
    fn scale(&mut self, k: f64) {
        self.a *= k;
        self.b *= k * k;
    }
    fn value(&self) -> f64 {
        self.a - self.b
    }
}

#[differentiable]
fn through_a_trait(p: &mut Pair, k: f64) -> f64 {
    p.scale(k);
    p.inner(p) * p.value()
}

judge! {
    moved(&mut Panel { gauge: Box::new(Gauge { a: 0.4, b: 0.7 }) }, 0.6);
    read(&Box::new(Gauge { a: 0.4, b: 0.3 }), &Gauge { a: 0.2, b: 0.9 });
    met(&mut Box::new(Gauge { a: 0.4, b: 0.3 }), &Gauge { a: 0.2, b: 0.9 });
    of_a_local(0.4, 0.7);
    through_a_trait(&mut Pair { a: 0.4, b: 0.3 }, 0.6);
}

/// The plain program is the one that stands there: the judge compares derivatives with it, and would not see another.
#[test]
fn the_program_is_the_one_that_stands_there() {
    let mut panel = Panel {
        gauge: Box::new(Gauge { a: 0.5, b: 2.0 }),
    };
    assert_eq!(moved(&mut panel, 1.5), 1.5);
    assert_eq!(*panel.gauge, Gauge { a: 6.0, b: 4.0 });
    assert_eq!(of_a_local(2.0, 4.0), 10.0 / 4.0 + 40.0);
}
