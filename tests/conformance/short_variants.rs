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

judge! {
    forward (&Projection::at(&[0.7, 1.3], 0), 0.4) (&Projection::at(&[0.7, 1.3], 1), 0.4) (&Projection::at(&[0.7, 1.3], 2), 0.4)
        (&Projection::at(&[0.7, 1.3], 3), 0.4) (&Projection::at(&[0.7, 1.3], 4), 0.4) (&Projection::at(&[0.7, 1.3], 7), 0.4);
    of_variant (North, 0.4) (South, 0.4) (Oblique { sine: 0.3, cosine: 1.1 }, 0.4) (Pair(0.3, 1.1), 0.4);
    named (&[0.7, 1.3], 0.2) (&[-0.7, 1.3], 0.2);
}
