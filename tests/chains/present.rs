//! `Some` of an active value as a part of something else: a field, an argument; tuples of eight; and methods that return
//! references beside those that have rules.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Tangent)]
struct Spring {
    damping: Option<f64>,
    stiffness: f64,
}

#[differentiable]
fn force(s: &Spring, v: f64) -> f64 {
    let d = s.damping.unwrap_or(0.1);
    let e = match s.damping {
        Some(d) => d * v,
        None => v,
    };
    let square = if let Some(q) = &s.damping { q * q } else { 0.0 };
    s.stiffness * v - d * e + square
}

#[differentiable]
fn fields(x: &[f64]) -> f64 {
    let s = Spring {
        damping: Some(x[0]),
        stiffness: x[1],
    };
    force(&s, 2.0)
        + force(
            &Spring {
                damping: None,
                stiffness: x[0],
            },
            x[1],
        )
}

#[differentiable]
fn scaled(a: f64, by: Option<f64>) -> f64 {
    match by {
        Some(by) => a * by,
        None => a,
    }
}

#[differentiable]
fn arguments(x: &[f64]) -> f64 {
    scaled(x[0], Some(x[1])) + scaled(x[1], None) * scaled(x[0], Some(2.0))
}

#[derive(Clone, Tangent)]
struct Segment {
    end: Option<(f64, f64)>,
    k: f64,
}

#[differentiable]
impl Segment {
    fn value(&self) -> f64 {
        match self.end {
            Some((a, b)) => a * b * self.k,
            None => self.k,
        }
    }
}

#[differentiable]
fn tuples(x: &[f64]) -> f64 {
    let s = Segment {
        end: Some((x[0], x[1])),
        k: x[0],
    };
    s.value() + Segment { end: None, k: x[1] }.value()
}

#[differentiable]
fn eight(a: f64, b: f64) -> (f64, f64, f64, f64, f64, f64, f64, f64) {
    (a, b, a * b, a + b, a.sin(), b.cos(), a / b, a - b)
}

#[differentiable]
fn long_tuples(x: &[f64]) -> f64 {
    let (a, b, c, d, e, f, g, h) = eight(x[0], x[1]);
    a * b + c * d + e * f + g * h
}

#[derive(Clone, Debug, Tangent)]
struct Filter {
    states: Vec<f64>,
    gain: f64,
}

#[differentiable]
impl Filter {
    fn new(states: &[f64], gain: f64) -> Self {
        Filter {
            states: states.to_vec(),
            gain,
        }
    }

    fn name(&self) -> &'static str {
        "filter"
    }

    fn states(&mut self, #[constant] n: usize) -> &mut [f64] {
        #[store]
        let end = n;
        &mut self.states[..end]
    }

    fn reset(&mut self) -> &mut Self {
        self.gain = 0.0;
        self
    }

    fn energy(&self) -> f64 {
        self.states.iter().map(|x| x * x).sum::<f64>() * self.gain
    }
}

#[test]
fn methods_without_rules_are_called_as_ever() {
    let mut filter = Filter::new(&[1.0, 2.0], 3.0);
    assert_eq!(
        (filter.name(), filter.states(2)),
        ("filter", &mut [1.0, 2.0][..])
    );
    assert_eq!(filter.reset().energy(), 0.0);
}

#[differentiable]
fn beside_references(x: &[f64]) -> f64 {
    Filter::new(x, x[1]).energy()
}

#[derive(Clone, Copy, Tangent)]
enum Knot {
    Free(f64),
    Held(f64, f64),
}

#[differentiable]
fn entries_of_several_sorts(x: f64, y: f64) -> f64 {
    let knots = [Knot::Free(x), Knot::Held(x, y), Knot::Free(y)];
    let mut s = 0.0;
    for i in 0..4 {
        if let Some(Knot::Free(a)) = knots.get(i) {
            s += a * a;
        } else if let Some(Knot::Held(a, b)) = knots.get(i) {
            s += a * b;
        } else {
            s *= y;
        }
    }
    s
}

judge! {
    entries_of_several_sorts(0.83, 1.1) (1.37, -0.6);
    fields (&[0.9, 0.2]);
    arguments (&[0.9, 0.2]);
    tuples (&[0.9, 0.2]);
    beside_references (&[0.9, 0.2]);
    long_tuples (&[0.9, 0.2]);
}
