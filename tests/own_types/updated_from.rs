//! `S { field: …, ..*self }` of types that cannot be copied.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Image {
    width: usize,
    pixels: Vec<f64>,
    gain: f64,
}

#[differentiable]
impl Image {
    fn negative(&self) -> Image {
        Image {
            pixels: self.pixels.iter().map(|p| -p * p).collect(),
            ..*self
        }
    }
    fn scaled(&self, by: f64) -> Image {
        Image {
            pixels: self.pixels.iter().map(|p| p * by * self.gain).collect(),
            ..*self
        }
    }
}

#[differentiable]
fn developed(image: &Image) -> f64 {
    let after = image.negative().scaled(image.gain);
    after.pixels[0] * after.width as f64 * after.gain + after.pixels[1]
}

judge! {
    developed(&Image { width: 2, pixels: any(2), gain: 0.6 });
}
