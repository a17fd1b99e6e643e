//! The tangent space of device arrays: all of it stays on the device but flat forms and inner products.

use coenzyme::{Active, AsActive, AsDuplicated, GradientArg, Incongruent, NaturalReturn, Tangent};
use ndarray::Dimension;

use crate::array::DeviceArray;
use crate::element::Element;
use crate::error::Result;
use crate::kernels::{axpy, dot, scale};

impl<T: Element, D: Dimension> Tangent for DeviceArray<T, D> {
    type Owned = Self;
    type Target = Self;

    fn target(this: &Self) -> &Self {
        this
    }

    /// # Panics
    /// If the device has no memory left, as `Vec` does; or is lost.
    fn zero_like(this: &Self) -> Self {
        if !T::ACTIVE {
            return this.clone();
        }
        let zeros = Self::zeros(this.device(), this.raw_dim());
        or_panic(zeros, format_args!("a shadow of {this:?}"))
    }

    fn zero_out(this: &mut Self) {
        if T::ACTIVE {
            let (at, bytes) = (this.shadow(), this.bytes());
            this.device().must(this.device().zero(at, bytes));
        }
    }

    #[track_caller]
    fn accumulate(this: &mut Self, other: &Self) {
        assert_eq!(
            this.shape(),
            other.shape(),
            "accumulate: arrays of different shapes"
        );
        if T::ACTIVE {
            axpy(T::narrow(1.0), other, this);
        }
    }

    fn scale(this: &mut Self, by: f64) {
        if T::ACTIVE {
            scale(T::narrow(by), this);
        }
    }

    #[track_caller]
    fn inner(this: &Self, other: &Self) -> f64 {
        assert_eq!(
            this.shape(),
            other.shape(),
            "inner: arrays of different shapes"
        );
        match T::ACTIVE {
            true => or_panic(dot(this, other), "an inner product").wide(),
            false => 0.0,
        }
    }

    fn flatten_into(this: &Self, out: &mut Vec<f64>) {
        if T::ACTIVE {
            let values = or_panic(this.values(), "a copy to the host");
            out.extend(values.into_iter().map(T::wide));
        }
    }

    #[track_caller]
    fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
        if T::ACTIVE {
            let (n, left) = (this.len(), from.len());
            assert!(n <= left, "unflatten: {n} entries wanted, {left} left");
            let (head, tail) = from.split_at(n);
            *from = tail;
            let values: Vec<T> = head.iter().map(|w| T::narrow(*w)).collect();
            or_panic(this.replace(&values), "a copy from the host");
        }
    }

    fn congruent(this: &Self, other: &Self) -> std::result::Result<(), Incongruent> {
        match this.shape() == other.shape() {
            true => Ok(()),
            false => Err(Incongruent::new(this.shape(), other.shape())),
        }
    }
}

/// The operations of a tangent space have no way to say that the device is lost.
#[track_caller]
fn or_panic<T>(result: Result<T>, what: impl std::fmt::Display) -> T {
    result.unwrap_or_else(|error| panic!("{what}: {error}"))
}

// what `value_type!` writes for a type without parameters

coenzyme::__holds_itself! { [T: Element, D: Dimension] DeviceArray<T, D> }
coenzyme::__plain_outcome! { [T: Element, D: Dimension] DeviceArray<T, D> }

impl<T: Element, D: Dimension> NaturalReturn for DeviceArray<T, D> {
    type Forward = AsDuplicated;
    type Reverse = AsActive;
}

impl<T: Element, D: Dimension> GradientArg for DeviceArray<T, D> {
    type Handle = Active<Self>;
    type Gradient = Self;

    fn annotate(self) -> Self::Handle {
        Active(self)
    }
    fn gradient(_: Self::Handle, [entry]: [Self; 1]) -> Self {
        entry
    }
}
