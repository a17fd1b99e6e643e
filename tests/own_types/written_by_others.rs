//! Ways to write that other people's crates have: options in fields that must be there, comparisons of references, methods named like those of
//! iterators on what other methods gave.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

use self::shapes::arch;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Quote {
    spot: f64,
    spread: Option<f64>,
}

#[differentiable]
impl Quote {
    fn scaled(&self, time: f64) -> Result<f64, String> {
        let spread = self.spread.ok_or("no spread is known")?;
        Ok(self.spot * spread * time.sqrt())
    }

    fn shifted(&self, time: f64) -> Option<f64> {
        let spread = self.spread.ok_or(time).ok()?;
        Some(spread * spread + self.spot)
    }
}

#[differentiable]
fn spread_or_an_error(spot: f64, spread: f64, time: f64) -> Result<f64, String> {
    let known = Quote {
        spot,
        spread: Some(spread),
    };
    let unknown = Quote { spot, spread: None };
    let first = known.scaled(time)?;
    let second = unknown.scaled(time).unwrap_or(spot * spot);
    let third = known.shifted(time).unwrap_or(0.0) + unknown.shifted(time).unwrap_or(time);
    Ok(first * second + third)
}

#[differentiable]
fn of_a_parameter(x: f64, rate: Option<f64>) -> Result<f64, String> {
    let rate = rate.ok_or_else(|| format!("none at {x}"))?;
    Ok(x * rate)
}

#[differentiable]
fn asked(x: f64, y: f64) -> f64 {
    of_a_parameter(x, Some(y)).unwrap_or(1.0) + of_a_parameter(x, None).unwrap_or(x * x)
}

#[differentiable]
fn rated(start: f64, games: &[(f64, f64)], limit: f64) -> f64 {
    let mut rating = start;
    for (other, weight) in games {
        if weight >= &limit {
            rating += weight * (other - rating);
        } else if &0.5 < weight {
            rating -= weight * other;
        }
    }
    rating
}

#[differentiable]
fn shortest(lengths: &[f64], floor: f64) -> f64 {
    lengths
        .iter()
        .filter(|length| length >= &&0.4)
        .map(|length| length * floor)
        .fold(10.0, |a: f64, b| a.min(b))
}

#[differentiable]
fn shortest_of_made(x: f64, y: f64) -> f64 {
    [x * y, x + y, x - y]
        .into_iter()
        .filter(|length| length >= &0.0)
        .fold(f64::MAX, f64::min)
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Triple([f64; 3]);

#[differentiable]
impl Triple {
    fn entrywise(self, other: Triple) -> Triple {
        let (a, b) = (self.0, other.0);
        Triple([a[0] * b[0], a[1] * b[1], a[2] * b[2]])
    }

    fn sum(self) -> f64 {
        self.0[0] + self.0[1] + self.0[2]
    }

    fn inner(self, other: Triple) -> f64 {
        self.entrywise(other).sum()
    }
}

#[differentiable]
fn inner(a: Triple, b: Triple) -> f64 {
    a.inner(b) * a.entrywise(b).entrywise(a).sum()
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Ripple {
    speed: f64,
}

#[differentiable]
impl Ripple {
    fn get(&self, x: f64) -> f64 {
        (self.speed * x).sin()
    }
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Layers {
    ripples: Vec<Ripple>,
    gain: f64,
}

#[differentiable]
impl Layers {
    fn get(&self, at: f64) -> f64 {
        let (mut sum, mut gain, mut x) = (0.0, 1.0, at);
        for k in 0..self.ripples.len() {
            let mut height = self.ripples[k].get(x);
            height *= gain;
            let slope = self.ripples[k].get(x * x);
            gain *= self.gain + 0.1 * slope;
            sum += height;
            x *= 1.3;
        }
        sum
    }
}

#[differentiable]
fn layered(a: f64, b: f64, gain: f64) -> f64 {
    let ripples = vec![Ripple { speed: a }, Ripple { speed: b }];
    let layers = Layers { ripples, gain };
    layers.get(a * b)
}

mod bump {
    use coenzyme::differentiable;

    #[differentiable]
    pub(super) fn bump(x: f64, width: f64) -> f64 {
        (-(x / width).powi(2)).exp()
    }
}

mod shapes {
    pub(super) mod arch {
        use coenzyme::differentiable;

        #[differentiable]
        pub(in super::super) fn arch(x: f64) -> f64 {
            x * (2.0 - x)
        }
    }
}

/// Functions of modules of their names, one of which is imported.
#[differentiable]
fn bumps(x: f64, width: f64) -> f64 {
    bump::bump(x, width) * x + bump::bump(width, x) * arch::arch(x)
}

/// A type that borrows, with functions that ask nothing of it.
#[derive(Clone, Copy, Debug, Tangent)]
struct Walk<'a> {
    #[tangent(inactive)]
    steps: &'a [f64],
}

#[differentiable]
impl<'a> Walk<'a> {
    fn crossings(from: f64, to: f64) -> i64 {
        let (from, to) = (from % 2.0, to % 2.0);
        i64::from(from < 1.0) - i64::from(to < 1.0)
    }

    fn between(from: f64, to: f64) -> f64 {
        from * to * Self::crossings(from, to) as f64
    }
}

#[differentiable]
fn walked(x: f64, y: f64) -> f64 {
    Walk::between(x, y) + x * Walk::crossings(y, x) as f64
}

judge! {
    spread_or_an_error (1.3, 0.7, 2.1);
    asked (0.7, 1.3);
    rated (1.2, &[(0.7, 0.6), (1.4, 0.9), (0.3, 0.2)], 0.8);
    shortest (&[0.3, 0.9, 0.7], 1.3);
    shortest_of_made (0.7, 0.4);
    inner (Triple([0.7, 1.3, 0.4]), Triple([1.1, 0.2, 0.9]));
    bumps (0.7, 1.3);
    layered (0.7, 1.3, 0.6);
    walked (0.7, 1.3);
}
