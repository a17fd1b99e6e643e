//! Normalization of each channel over the batch: by its own statistics, or by given ones.
//!
//! Source: Ioffe & Szegedy 2015, *Batch Normalization*, arXiv:1502.03167. The formulas are those of `channels.rs`.

use coenzyme::{Inactive, primitive};
use ndarray::{Array, Array3, ArrayRef, ArrayRef1, Dimension};

use super::BatchStatistics;
use super::channels::{Channels, Together, channel_rules, check, flat};
use crate::class::Scalar;

/// Normalization of each channel of `(n, c, …)` over the batch and the places, with weights, offsets and `ε` (often `1e-5`), which has no
/// derivative: the form for training. Running statistics are kept by [`BatchStatistics::update`]. **Panics** if `w` or `b` has not one entry for
/// each channel.
///
/// A channel of equal entries gives `b`, with a derivative of the size of `1/√ε`.
///
/// ```
/// # use ndarray::array;
/// use coenzyme::Inactive;
/// let y = coenzyme_rules::nn::batch_norm(&array![[1.0], [3.0]], &array![2.0], &array![10.0], Inactive(0.0));
/// assert_eq!(y, array![[8.0], [12.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn batch_norm<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    w: &ArrayRef1<T>,
    b: &ArrayRef1<T>,
    eps: Inactive<f64>,
) -> Array<T, D> {
    batch_norm::evaluate(x, w, b, &eps).0
}

/// Normalization of each channel of `(n, c, …)` by given statistics: the form for use after training. **Panics** as [`batch_norm()`], and if
/// there are not statistics for each channel.
///
/// ```
/// # use ndarray::array;
/// use coenzyme::Inactive;
/// use coenzyme_rules::nn::{BatchStatistics, batch_norm_with};
/// let y = batch_norm_with(&array![[4.0]], &array![2.0], &array![1.0], &BatchStatistics::new(1), Inactive(0.0));
/// assert_eq!(y, array![[9.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn batch_norm_with<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    w: &ArrayRef1<T>,
    b: &ArrayRef1<T>,
    statistics: &BatchStatistics,
    eps: Inactive<f64>,
) -> Array<T, D> {
    batch_norm_with::evaluate(x, w, b, statistics, &eps).0
}

impl batch_norm {
    #[track_caller]
    fn evaluate<T: Scalar, D: Dimension>(
        x: &ArrayRef<T, D>,
        w: &ArrayRef1<T>,
        b: &ArrayRef1<T>,
        eps: &Inactive<f64>,
    ) -> (Array<T, D>, Channels<T>) {
        check("batch_norm", x, w, b);
        Channels::new(flat(x), w, Together::Channel, eps.0).value(b, x.raw_dim())
    }
}

impl batch_norm_with {
    #[track_caller]
    fn evaluate<T: Scalar, D: Dimension>(
        x: &ArrayRef<T, D>,
        w: &ArrayRef1<T>,
        b: &ArrayRef1<T>,
        statistics: &BatchStatistics,
        eps: &Inactive<f64>,
    ) -> (Array<T, D>, Channels<T>) {
        check("batch_norm_with", x, w, b);
        assert!(
            statistics.mean().len() == w.len(),
            "batch_norm_with: {:?} with statistics of {} channels",
            x.shape(),
            statistics.mean().len()
        );
        Channels::given(flat(x), w, statistics, eps.0).value(b, x.raw_dim())
    }
}

channel_rules! {
    batch_norm(eps: Inactive<f64>);
    batch_norm_with(statistics: BatchStatistics, eps: Inactive<f64>);
}
