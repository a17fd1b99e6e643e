//! Registration: an image is warped by an affine map with bilinear interpolation, and compared with another where it is inside.

use crate::hand::against_hand;
use crate::measure::{Bench, numbers};
use coenzyme::prelude::*;

const H: usize = 32;
const W: usize = 32;

#[derive(Clone, Tangent)]
struct Image {
    pixels: Vec<f64>,
    width: usize,
    height: usize,
}

#[differentiable]
impl Image {
    fn get(&self, r: usize, c: usize) -> f64 {
        self.pixels[r * self.width + c]
    }
    fn sample(&self, u: f64, v: f64) -> Option<f64> {
        if u < 0.0 || v < 0.0 {
            return None;
        }
        let (r, c) = (v.floor() as usize, u.floor() as usize);
        if r + 1 >= self.height || c + 1 >= self.width {
            return None;
        }
        let (fu, fv) = (u - c as f64, v - r as f64);
        let top = self.get(r, c) * (1.0 - fu) + self.get(r, c + 1) * fu;
        let bottom = self.get(r + 1, c) * (1.0 - fu) + self.get(r + 1, c + 1) * fu;
        Some(top * (1.0 - fv) + bottom * fv)
    }
}

/// `x`: the map, then the image.
#[differentiable]
fn mismatch(x: &[f64], #[constant] fixed: &[f64]) -> f64 {
    let image = Image {
        pixels: x[6..].to_vec(),
        width: W,
        height: H,
    };
    let a = &x[..6];
    let mut sum = 0.0;
    for row in 0..H {
        for col in 0..W {
            let (p, q) = (col as f64, row as f64);
            let u = a[0] * p + a[1] * q + a[2];
            let v = a[3] * p + a[4] * q + a[5];
            if let Some(value) = image.sample(u, v) {
                let diff = value - fixed[row * W + col];
                sum += diff * diff;
            }
        }
    }
    sum / (W * H) as f64
}

fn by_hand(x: &[f64], fixed: &[f64], d: &mut [f64]) {
    let (a, im) = x.split_at(6);
    let (da, dim) = d.split_at_mut(6);
    let mut g = [0.0; 6];
    for row in 0..H {
        for col in 0..W {
            let (p, q) = (col as f64, row as f64);
            let u = a[0] * p + a[1] * q + a[2];
            let v = a[3] * p + a[4] * q + a[5];
            if u < 0.0 || v < 0.0 {
                continue;
            }
            let (r, c) = (v.floor() as usize, u.floor() as usize);
            if r + 1 >= H || c + 1 >= W {
                continue;
            }
            let (fu, fv) = (u - c as f64, v - r as f64);
            let at = r * W + c;
            let (p00, p01, p10, p11) = (im[at], im[at + 1], im[at + W], im[at + W + 1]);
            let top = p00 * (1.0 - fu) + p01 * fu;
            let bottom = p10 * (1.0 - fu) + p11 * fu;
            let b = 2.0 * (top * (1.0 - fv) + bottom * fv - fixed[row * W + col]) / (W * H) as f64;
            let (bt, bb) = (b * (1.0 - fv), b * fv);
            dim[at] += bt * (1.0 - fu);
            dim[at + 1] += bt * fu;
            dim[at + W] += bb * (1.0 - fu);
            dim[at + W + 1] += bb * fu;
            let bu = bt * (p01 - p00) + bb * (p11 - p10);
            let bv = b * (bottom - top);
            g[0] += bu * p;
            g[1] += bu * q;
            g[2] += bu;
            g[3] += bv * p;
            g[4] += bv * q;
            g[5] += bv;
        }
    }
    for (d, g) in da.iter_mut().zip(&g) {
        *d += g;
    }
}

pub(crate) fn run(bench: &Bench) {
    let mut x = vec![1.0, 0.0, 0.3, 0.0, 1.0, 0.4];
    x.extend(numbers(1, H * W, 0.0, 1.0));
    against_hand!(
        bench,
        "warp",
        (x, numbers(2, H * W, 0.0, 1.0)),
        mismatch,
        by_hand,
        |v| v
    );
}
