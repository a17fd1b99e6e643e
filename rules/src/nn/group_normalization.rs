//! Normalization of groups of channels within each sample.
//!
//! Source: Wu & He 2018, *Group Normalization*, arXiv:1803.08494. The formulas are those of `channels.rs`.

use coenzyme::{Inactive, primitive};
use ndarray::{Array, Array3, ArrayRef, ArrayRef1, Dimension};

use super::channels::{Channels, Together, channel_rules, check, flat};
use crate::class::Scalar;

/// Normalization of each sample of `(n, c, …)` in `groups` of as many channels beside each other: one group is layer normalization of the whole
/// sample, `c` groups are instance normalization. **Panics** if `w` or `b` has not one entry for each channel, or the groups do not divide
/// the channels.
///
/// ```
/// # use ndarray::array;
/// use coenzyme::Inactive;
/// let (w, b) = (array![1.0, 2.0], array![0.0, 0.0]);
/// assert_eq!(coenzyme_rules::nn::group_norm(&array![[1.0, 3.0]], &w, &b, 1, Inactive(0.0)), array![[-1.0, 2.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn group_norm<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    w: &ArrayRef1<T>,
    b: &ArrayRef1<T>,
    groups: usize,
    eps: Inactive<f64>,
) -> Array<T, D> {
    group_norm::evaluate(x, w, b, &groups, &eps).0
}

impl group_norm {
    #[track_caller]
    fn evaluate<T: Scalar, D: Dimension>(
        x: &ArrayRef<T, D>,
        w: &ArrayRef1<T>,
        b: &ArrayRef1<T>,
        &groups: &usize,
        eps: &Inactive<f64>,
    ) -> (Array<T, D>, Channels<T>) {
        check("group_norm", x, w, b);
        assert!(
            groups > 0 && w.len().is_multiple_of(groups),
            "group_norm: {groups} groups of the channels of {:?}",
            x.shape()
        );
        let channels = w.len() / groups;
        let together = Together::Group { channels, groups };
        Channels::new(flat(x), w, together, eps.0).value(b, x.raw_dim())
    }
}

channel_rules! {
    group_norm(groups: usize, eps: Inactive<f64>);
}
