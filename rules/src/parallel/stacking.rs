//! Values of one shape along a leading axis.

use coenzyme::{Dual, Real};
use ndarray::{Array, Array1, Axis, Dimension, RemoveAxis};

use crate::class::{Plain, Scalar};

/// A value of which several are an array: a number, or an array.
pub trait Row: Plain {
    /// Several, along a leading axis.
    type Stacked: Plain + Sync;

    /// The values along a leading axis.
    ///
    /// # Panics
    /// If they differ in shape, or are arrays and none.
    fn stack(rows: Vec<Self>) -> Self::Stacked;

    /// One of them.
    fn part(stacked: &Self::Stacked, i: usize) -> Self;
}

macro_rules! numbers {
    ($([$($g:tt)*] $t:ty),*) => {$(
        impl<$($g)*> Row for $t {
            type Stacked = Array1<$t>;

            fn stack(rows: Vec<Self>) -> Array1<$t> {
                rows.into()
            }
            fn part(stacked: &Array1<$t>, i: usize) -> Self {
                stacked[i]
            }
        }
    )*};
}

numbers!([] f32, [] f64, [T: Real] Dual<T>);

impl<T: Scalar, D> Row for Array<T, D>
where
    D: Dimension<Larger: RemoveAxis<Smaller = D>>,
{
    type Stacked = Array<T, D::Larger>;

    #[track_caller]
    fn stack(rows: Vec<Self>) -> Self::Stacked {
        let first = rows
            .first()
            .expect("vmap: no entries, and so no shape of the result");
        if let Some(other) = rows.iter().find(|row| row.shape() != first.shape()) {
            panic!(
                "vmap: results of shapes {:?} and {:?}",
                first.shape(),
                other.shape()
            );
        }
        let views: Vec<_> = rows.iter().map(|row| row.view()).collect();
        ndarray::stack(Axis(0), &views).expect("of one shape")
    }
    fn part(stacked: &Self::Stacked, i: usize) -> Self {
        stacked.index_axis(Axis(0), i).to_owned()
    }
}
