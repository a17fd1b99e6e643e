//! Variants that a `use` brings: a name in a pattern may be one.

#![allow(non_snake_case)]

use coenzyme::prelude::*;

use crate::subject::judge;

#[derive(Clone, Copy, Tangent)]
enum Aspect {
    North,
    South,
    Oblique { sine: f64, cosine: f64 },
    Pair(f64, f64),
}
use Aspect::*;

#[derive(Clone, Copy, Tangent)]
enum Side {
    LEFT,
    RIGHT,
}
use Side::*;

#[derive(Clone, Copy, Tangent)]
struct Projection {
    aspect: Aspect,
    side: Side,
    scale: f64,
}

#[differentiable]
fn of_variant(aspect: Aspect, x: f64) -> f64 {
    match aspect {
        North => x,
        South => -x * x,
        Oblique { sine, cosine } => sine * x + cosine,
        Pair(a, b) => a * b * x,
    }
}

impl Projection {
    fn at(x: &[f64], of: usize) -> Self {
        let aspects = [
            North,
            South,
            Oblique {
                sine: x[0],
                cosine: x[1],
            },
            Pair(x[0], x[1]),
        ];
        Projection {
            aspect: aspects[of % 4],
            side: if of < 4 { LEFT } else { RIGHT },
            scale: x[1],
        }
    }
}

#[differentiable]
fn forward(projection: &Projection, x: f64) -> f64 {
    let (a, b) = match projection.side {
        LEFT => (projection.scale * x, x),
        RIGHT => (projection.scale, projection.scale),
    };
    let c = match projection.aspect {
        North | South => x,
        _ => projection.scale,
    };
    let d = match projection.aspect {
        Oblique { sine, .. } => sine,
        Pair(first, _) => first,
        North => x * x,
        South => projection.scale * x,
    };
    if let North = projection.aspect {
        return a * b;
    }
    a * b * c + d + of_variant(projection.aspect, x)
}

/// A name in capitals that is one.
#[differentiable]
fn named(x: &[f64], V: f64) -> f64 {
    let rate = if x[0] > 0.0 { Some(x[0] * x[1]) } else { None };
    match rate {
        Some(V) => V * V,
        None => V,
    }
}

/// As values: what a function returns is no struct called `Pair`.
#[differentiable]
fn aspect_of(k: usize, x: &[f64]) -> Aspect {
    if k == 0 {
        return Pair(x[0] * x[1], x[1]);
    }
    match k {
        1 => Oblique {
            sine: x[0].sin(),
            cosine: x[1],
        },
        _ => North,
    }
}
#[differentiable]
fn checked_aspect(x: &[f64]) -> Option<Aspect> {
    if x[0] < 0.0 {
        None
    } else {
        Some(Pair(x[1], x[0] * x[0]))
    }
}
#[differentiable]
fn made(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        sum += of_variant(aspect_of(k, x), x[0]);
    }
    sum
}
#[differentiable]
fn made_or_not(x: &[f64]) -> Option<f64> {
    Some(of_variant(checked_aspect(x)?, x[1]))
}
/// A variant that is made and matched on in the same function.
#[differentiable]
fn turned(x: &[f64]) -> f64 {
    let mut aspect = Pair(x[0], x[1]);
    for _ in 0..2 {
        aspect = match aspect {
            Pair(a, b) => Oblique {
                sine: a * b,
                cosine: b,
            },
            Oblique { sine, cosine } => Pair(sine * cosine, sine),
            other => other,
        };
    }
    of_variant(aspect, x[1])
}

judge! {
    made (&vec![0.7, 1.3]);
    turned (&vec![0.7, 1.3]);
    forward (&Projection::at(&[0.7, 1.3], 0), 0.4) (&Projection::at(&[0.7, 1.3], 1), 0.4) (&Projection::at(&[0.7, 1.3], 2), 0.4)
        (&Projection::at(&[0.7, 1.3], 3), 0.4) (&Projection::at(&[0.7, 1.3], 4), 0.4) (&Projection::at(&[0.7, 1.3], 7), 0.4);
    of_variant (North, 0.4) (South, 0.4) (Oblique { sine: 0.3, cosine: 1.1 }, 0.4) (Pair(0.3, 1.1), 0.4);
    named (&[0.7, 1.3], 0.2) (&[-0.7, 1.3], 0.2);
}
