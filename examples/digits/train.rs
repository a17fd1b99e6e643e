//! Training: Adam (Kingma and Ba, ICLR 2015, arXiv:1412.6980) on batches.

use coenzyme::prelude::*;

use super::data::{Image, PIXELS};
use super::model::{CLASSES, HIDDEN, Network, accuracy, loss};

/// One pass through the images: the mean loss over its batches, and the accuracy after it.
pub(crate) struct Epoch {
    pub(crate) loss: f64,
    pub(crate) accuracy: f64,
}

/// Small weights, the same in every run.
pub(crate) fn start() -> Network {
    let mut state = 1_u64;
    let mut numbers = |n: usize, scale: f64| -> Vec<f64> {
        let number = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            scale * ((state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0)
        };
        std::iter::repeat_with(number).take(n).collect()
    };
    Network {
        hidden: numbers(HIDDEN * PIXELS, 0.2),
        hidden_bias: vec![0.0; HIDDEN],
        output: numbers(CLASSES * HIDDEN, 0.2),
        output_bias: vec![0.0; CLASSES],
    }
}

/// Trains on `images`, in batches of 32, and reports how well it does on `test`.
pub(crate) fn train(
    network: &mut Network,
    images: &[Image],
    test: &[Image],
    epochs: usize,
) -> Vec<Epoch> {
    let n = Tangent::to_flat(network).len();
    let (mut first, mut second, mut t) = (vec![0.0; n], vec![0.0; n], 0);
    let epoch = |_| {
        let mut sum = 0.0;
        let batches = images.chunks(32);
        for batch in batches.clone() {
            let mut d = make_zero(network);
            let (_, value) = autodiff!(
                ReverseWithPrimal,
                loss,
                Duplicated(&*network, &mut d),
                Const(batch)
            );
            sum += value;
            t += 1;
            let mut theta = Tangent::to_flat(network);
            for (i, d) in Tangent::to_flat(&d).into_iter().enumerate() {
                first[i] += 0.1 * (d - first[i]);
                second[i] += 0.001 * (d * d - second[i]);
                let (mean, square) = (
                    first[i] / (1.0 - 0.9_f64.powi(t)),
                    second[i] / (1.0 - 0.999_f64.powi(t)),
                );
                theta[i] -= 0.01 * mean / (square.sqrt() + 1e-8);
            }
            Tangent::unflatten(network, &theta);
        }
        Epoch {
            loss: sum / batches.len() as f64,
            accuracy: accuracy(network, test),
        }
    };
    (0..epochs).map(epoch).collect()
}
