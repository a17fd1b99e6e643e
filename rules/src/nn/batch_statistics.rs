//! What a network remembers of the batches it has seen.

use coenzyme::Tangent;
use ndarray::{Array1, ArrayRef, Dimension};

use super::channels::{Channels, Together, flat};
use crate::class::{Attribute, Scalar};

/// The mean and the variance of each channel: what a network remembers of batches that it has seen. They have no derivative.
///
/// ```
/// # use ndarray::array;
/// use coenzyme_rules::nn::BatchStatistics;
///
/// let mut running = BatchStatistics::new(1);
/// running.update(&array![[1.0], [3.0]], 0.5);
/// assert_eq!((running.mean()[0], running.variance()[0]), (1.0, 1.0));
/// ```
#[derive(Clone, Debug, PartialEq, Tangent)]
pub struct BatchStatistics {
    #[tangent(inactive)]
    mean: Array1<f64>,
    #[tangent(inactive)]
    variance: Array1<f64>,
}

impl Attribute for BatchStatistics {}

impl BatchStatistics {
    /// Means 0 and variances 1 of so many channels.
    #[must_use]
    pub fn new(channels: usize) -> Self {
        Self {
            mean: Array1::zeros(channels),
            variance: Array1::ones(channels),
        }
    }

    /// The statistics of a batch `(n, c, …)`, the variance without correction: those by which [`batch_norm()`](super::batch_norm()) normalizes. **Panics**
    /// if there is no axis of channels.
    #[must_use]
    #[track_caller]
    pub fn of<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> Self {
        assert!(
            x.ndim() >= 2,
            "BatchStatistics: shape {:?} has no channels",
            x.shape()
        );
        let ones = Array1::ones(x.shape()[1]);
        let (mean, _, variance) = Channels::plain(flat(x), &ones, Together::Channel).moments();
        let plain = |v: Vec<T>| v.into_iter().map(|v| v.to_plain()).collect();
        let (mean, variance) = (plain(mean), plain(variance));
        Self { mean, variance }
    }

    /// Moves by `momentum` towards the statistics of a batch: `(1 − momentum)·old + momentum·batch`. **Panics** if the channels
    /// differ in number.
    #[track_caller]
    pub fn update<T: Scalar, D: Dimension>(&mut self, x: &ArrayRef<T, D>, momentum: f64) {
        let batch = Self::of(x);
        assert!(
            batch.mean.len() == self.mean.len(),
            "BatchStatistics: {} channels for a batch {:?}",
            self.mean.len(),
            x.shape()
        );
        self.mean = &self.mean * (1.0 - momentum) + batch.mean * momentum;
        self.variance = &self.variance * (1.0 - momentum) + batch.variance * momentum;
    }

    /// The means.
    #[must_use]
    pub fn mean(&self) -> &Array1<f64> {
        &self.mean
    }

    /// The variances.
    #[must_use]
    pub fn variance(&self) -> &Array1<f64> {
        &self.variance
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    /// No float of theirs has a derivative: a shadow of them has nothing to add to, and no seed reaches them.
    #[test]
    fn statistics_are_inactive() {
        let statistics = BatchStatistics::of(&array![[1.0, 4.0], [3.0, 8.0]]);
        assert_eq!(Tangent::to_flat(&statistics), [0.0; 0]);
        let mut shadow = Tangent::zero_like(&statistics);
        Tangent::accumulate(&mut shadow, &statistics);
        assert_eq!(shadow, statistics);
    }

    #[test]
    #[should_panic(expected = "BatchStatistics: 1 channels for a batch [1, 2]")]
    fn channels_that_differ_in_number_are_named() {
        BatchStatistics::new(1).update(&array![[1.0, 2.0]], 0.5);
    }
}
