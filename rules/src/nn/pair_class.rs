//! A class of losses: of a prediction and a target, entry by entry, the mean over the entries or over the rows.

use std::marker::PhantomData;

use ndarray::{ArrayRef, Dimension, Zip};

use crate::class::{At2, Scalar};

/// The loss of one entry, with a parameter that has no derivative.
pub(super) trait PairLoss<T> {
    /// What the parameter is.
    type Parameter: Copy;
    /// The mean is over the rows, along the last axis, and not over the entries.
    const BY_ROWS: bool;

    /// The loss of the prediction `x` where `y` was wanted.
    fn value(x: T, y: T, parameter: Self::Parameter) -> T;

    /// The partials in `x` and in `y`.
    fn partials(x: T, y: T, parameter: Self::Parameter) -> (T, T);
}

/// The mean of a [`PairLoss`].
#[derive(Debug)]
pub struct MeanOf<F>(PhantomData<F>);

impl<F> MeanOf<F> {
    /// One over the number of what the mean is over.
    pub(super) fn share<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> T
    where
        F: PairLoss<T>,
    {
        let row = if F::BY_ROWS {
            x.shape().last().copied().unwrap_or(1)
        } else {
            1
        };
        let rows = x.len().checked_div(row).unwrap_or(0);
        T::lit(rows as f64).recip()
    }

    #[track_caller]
    pub(super) fn mean<T: Scalar, D: Dimension>(
        name: &str,
        x: &ArrayRef<T, D>,
        y: &ArrayRef<T, D>,
        parameter: F::Parameter,
    ) -> T
    where
        F: PairLoss<T>,
    {
        assert!(
            x.shape() == y.shape(),
            "{name}: {:?} with {:?}",
            x.shape(),
            y.shape()
        );
        let add = |sum: T, &x: &T, &y: &T| sum + F::value(x, y, parameter);
        Zip::from(x).and(y).fold(T::zero(), add) * Self::share(x)
    }
}

pub(super) type Pair<'a, T, D> = At2<'a, ArrayRef<T, D>, ArrayRef<T, D>, T, ()>;

/// The function, and its rules.
macro_rules! pair_losses {
    ($($(#[$doc:meta])* $name:ident($($parameter:ident: $P:ty)?);)+) => {$(
        $(#[$doc])*
        ///
        /// **Panics** if the shapes differ. NaN for nothing.
        #[primitive]
        #[track_caller]
        pub fn $name<T: Scalar, D: Dimension>(
            x: &ArrayRef<T, D>,
            y: &ArrayRef<T, D>
            $(, $parameter: $P)?
        ) -> T {
            MeanOf::<$name>::mean(stringify!($name), x, y, ($($parameter,)?))
        }

        impl<T: Scalar, D: Dimension> Binary<ArrayRef<T, D>, ArrayRef<T, D>> for MeanOf<$name> {
            type Out = T;
            type Attrs<'a> = ($(&'a $P,)?);
            type Residual = ();

            const READS: [Reads; 2] = [Reads::X.and(Reads::Y); 2];

            #[track_caller]
            fn value(x: &ArrayRef<T, D>, y: &ArrayRef<T, D>, ($($parameter,)?): Self::Attrs<'_>) -> T {
                Self::mean(stringify!($name), x, y, ($(*$parameter,)?))
            }
            fn pushforward(
                at: &Pair<'_, T, D>,
                dx: Option<&ArrayRef<T, D>>,
                dy: Option<&ArrayRef<T, D>>,
                ($($parameter,)?): Self::Attrs<'_>,
            ) -> T {
                let partials = |x: T, y: T| <$name as PairLoss<T>>::partials(x, y, ($(*$parameter,)?));
                let along = |d: Option<&ArrayRef<T, D>>, which: fn((T, T)) -> T| {
                    d.map_or(T::zero(), |d| {
                        let add = |sum: T, &x: &T, &y: &T, &d: &T| sum + which(partials(x, y)) * d;
                        Zip::from(at.x).and(at.y).and(d).fold(T::zero(), add)
                    })
                };
                Self::share(at.x) * (along(dx, |p| p.0) + along(dy, |p| p.1))
            }
            fn pullback_x(at: &Pair<'_, T, D>, dz: &T, dx: &mut ArrayRef<T, D>, ($($parameter,)?): Self::Attrs<'_>) {
                let factor = *dz * Self::share(at.x);
                Zip::from(dx).and(at.x).and(at.y).for_each(|dx, &x, &y| {
                    *dx += factor * <$name as PairLoss<T>>::partials(x, y, ($(*$parameter,)?)).0;
                });
            }
            fn pullback_y(at: &Pair<'_, T, D>, dz: &T, dy: &mut ArrayRef<T, D>, ($($parameter,)?): Self::Attrs<'_>) {
                let factor = *dz * Self::share(at.x);
                Zip::from(dy).and(at.x).and(at.y).for_each(|dy, &x, &y| {
                    *dy += factor * <$name as PairLoss<T>>::partials(x, y, ($(*$parameter,)?)).1;
                });
            }
        }

        binary_rule!(
            $name[T: Scalar, D: Dimension](x: ArrayRef<T, D>, y: ArrayRef<T, D> $(; $parameter: $P)?) = MeanOf<$name>
        );
    )+};
}

pub(super) use pair_losses;
