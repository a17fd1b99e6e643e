//! A network of one hidden layer, its loss, and the gradient of that twice.

use coenzyme::prelude::*;

use super::data::{Image, PIXELS};

/// Units of the hidden layer.
pub(crate) const HIDDEN: usize = 32;
/// Digits.
pub(crate) const CLASSES: usize = 10;

/// Weights (a row for each unit) and biases of two layers.
#[derive(Clone, Debug, PartialEq, Tangent)]
pub(crate) struct Network {
    pub(crate) hidden: Vec<f64>,
    pub(crate) hidden_bias: Vec<f64>,
    pub(crate) output: Vec<f64>,
    pub(crate) output_bias: Vec<f64>,
}

/// `yᵢ = bᵢ + Σⱼ wᵢⱼxⱼ`.
#[differentiable]
pub(crate) fn layer(y: &mut [f64], w: &[f64], b: &[f64], x: &[f64]) {
    for ((y, w), b) in y.iter_mut().zip(w.chunks_exact(x.len())).zip(b) {
        let mut sum = *b;
        for (w, x) in w.iter().zip(x) {
            sum += w * x;
        }
        *y = sum;
    }
}

/// What the network makes of an image: a score for each digit.
#[differentiable]
pub(crate) fn scores(network: &Network, pixels: &[f64]) -> Vec<f64> {
    let mut h = vec![0.0; HIDDEN];
    layer(&mut h, &network.hidden, &network.hidden_bias, pixels);
    for h in h.iter_mut() {
        *h = h.tanh();
    }
    let mut y = vec![0.0; CLASSES];
    layer(&mut y, &network.output, &network.output_bias, &h);
    y
}

/// The mean of `−ln pᵢ` over some images, where `p = softmax(scores)` and `i` is the digit written.
#[differentiable]
pub(crate) fn loss(network: &Network, #[constant] images: &[Image]) -> f64 {
    let mut sum = 0.0;
    for image in images {
        let y = scores(network, &image.pixels);
        let mut largest = y[0];
        for i in 1..CLASSES {
            largest = largest.max(y[i]);
        }
        let total: f64 = y.iter().map(|y| (y - largest).exp()).sum();
        sum += largest + total.ln() - y[image.digit];
    }
    sum / images.len() as f64
}

/// The gradient of [`loss`] by hand: adds to `d`.
pub(crate) fn by_hand(network: &Network, images: &[Image], d: &mut Network) {
    let (mut h, mut dh) = ([0.0; HIDDEN], [0.0; HIDDEN]);
    for image in images {
        layer(&mut h, &network.hidden, &network.hidden_bias, &image.pixels);
        h.iter_mut().for_each(|h| *h = h.tanh());
        let mut y = [0.0; CLASSES];
        layer(&mut y, &network.output, &network.output_bias, &h);
        let largest = y.iter().fold(y[0], |a, b| a.max(*b));
        let total: f64 = y.iter().map(|y| (y - largest).exp()).sum();
        dh.fill(0.0);
        for i in 0..CLASSES {
            let right = f64::from(i == image.digit);
            let dy = ((y[i] - largest).exp() / total - right) / images.len() as f64;
            d.output_bias[i] += dy;
            for j in 0..HIDDEN {
                d.output[i * HIDDEN + j] += dy * h[j];
                dh[j] += dy * network.output[i * HIDDEN + j];
            }
        }
        for j in 0..HIDDEN {
            let dj = dh[j] * (1.0 - h[j] * h[j]);
            d.hidden_bias[j] += dj;
            for (d, x) in d.hidden[j * PIXELS..(j + 1) * PIXELS]
                .iter_mut()
                .zip(&image.pixels)
            {
                *d += dj * x;
            }
        }
    }
}

/// The part of the images that the network gets right.
pub(crate) fn accuracy(network: &Network, images: &[Image]) -> f64 {
    let right = |image: &&Image| {
        let y = scores(network, &image.pixels);
        (0..CLASSES).all(|i| y[i] <= y[image.digit])
    };
    images.iter().filter(right).count() as f64 / images.len() as f64
}
