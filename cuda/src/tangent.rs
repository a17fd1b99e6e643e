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

    fn target(&self) -> &Self {
        self
    }

    /// # Panics
    /// If the device has no memory left, as `Vec` does; or is lost.
    fn zero_like(&self) -> Self {
        if !T::ACTIVE {
            return self.clone();
        }
        let zeros = Self::zeros(self.device(), self.raw_dim());
        or_panic(zeros, format_args!("a shadow of {self:?}"))
    }

    fn zero_out(&mut self) {
        if T::ACTIVE {
            let (at, bytes) = (self.shadow(), self.bytes());
            self.device().must(self.device().zero(at, bytes));
        }
    }

    #[track_caller]
    fn accumulate(&mut self, other: &Self) {
        assert_eq!(
            self.shape(),
            other.shape(),
            "accumulate: arrays of different shapes"
        );
        if T::ACTIVE {
            axpy(T::narrow(1.0), other, self);
        }
    }

    fn scale(&mut self, by: f64) {
        if T::ACTIVE {
            scale(T::narrow(by), self);
        }
    }

    #[track_caller]
    fn inner(&self, other: &Self) -> f64 {
        assert_eq!(
            self.shape(),
            other.shape(),
            "inner: arrays of different shapes"
        );
        match T::ACTIVE {
            true => or_panic(dot(self, other), "an inner product").wide(),
            false => 0.0,
        }
    }

    fn flatten_into(&self, out: &mut Vec<f64>) {
        if T::ACTIVE {
            let values = or_panic(self.values(), "a copy to the host");
            out.extend(values.into_iter().map(T::wide));
        }
    }

    #[track_caller]
    fn unflatten_from(&mut self, from: &mut &[f64]) {
        if T::ACTIVE {
            let (n, left) = (self.len(), from.len());
            assert!(n <= left, "unflatten: {n} entries wanted, {left} left");
            let (head, tail) = from.split_at(n);
            *from = tail;
            let values: Vec<T> = head.iter().map(|w| T::narrow(*w)).collect();
            or_panic(self.replace(&values), "a copy from the host");
        }
    }

    fn congruent(&self, other: &Self) -> std::result::Result<(), Incongruent> {
        match self.shape() == other.shape() {
            true => Ok(()),
            false => Err(Incongruent::new(self.shape(), other.shape())),
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
