//! The limit is said once, and not as a question of widths.

use coenzyme::prelude::*;

#[differentiable]
#[allow(clippy::too_many_arguments)]
fn f(
    a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, g: f64, h: f64, i: f64, j: f64, k: f64, l: f64, m: f64, n: f64,
    o: f64, p: f64, q: f64, r: f64, s: f64, t: f64, u: f64, v: f64, w: f64, x: f64, y: f64, z: f64, one_more: f64,
) -> f64 {
    a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r + s + t + u + v + w + x + y + z + one_more
}

fn main() {}
