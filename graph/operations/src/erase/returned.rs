//! From what functions return to values, and from cotangents to what reverse rules take.

use std::fmt::Display;

use coenzyme::{AugmentedReturn, BatchDuplicated, Dual};
use ndarray::{Array, Dimension};
use num_complex::Complex;
use smallvec::smallvec;

use crate::call::Outputs;
use crate::value::Value;

/// What a function returns: a number, an array, a tuple or a list of them.
pub trait Returned: Sized {
    /// As values.
    fn outputs(self) -> Outputs;

    /// The cotangents of the outputs. `None` if one does not have the right type or rank.
    fn seed(dy: &mut dyn Iterator<Item = Value>) -> Option<Self>;
}

macro_rules! number {
    ($($t:ty),+) => {$(
        impl Returned for $t {
            fn outputs(self) -> Outputs {
                smallvec![Value::number(self)]
            }
            fn seed(dy: &mut dyn Iterator<Item = Value>) -> Option<Self> {
                dy.next()?.to_number()
            }
        }

        impl<D: Dimension> Returned for Array<$t, D> {
            fn outputs(self) -> Outputs {
                smallvec![Value::from(self)]
            }
            fn seed(dy: &mut dyn Iterator<Item = Value>) -> Option<Self> {
                dy.next()?.take::<$t>()?.into_dimensionality().ok()
            }
        }

        impl Returned for Vec<$t> {
            fn outputs(self) -> Outputs {
                smallvec![Value::from(self)]
            }
            fn seed(dy: &mut dyn Iterator<Item = Value>) -> Option<Self> {
                dy.next()?.take_vec()
            }
        }
    )+};
}

number!(f32, f64);

impl Returned for Vec<Complex<f64>> {
    fn outputs(self) -> Outputs {
        smallvec![Value::from(self)]
    }
    fn seed(dy: &mut dyn Iterator<Item = Value>) -> Option<Self> {
        dy.next()?.take_vec()
    }
}

/// Only cotangents of such numbers are asked for.
impl<D: Dimension> Returned for Array<Dual<f64>, D> {
    fn outputs(self) -> Outputs {
        smallvec![Value::from(self.mapv(|x| x.value))]
    }
    fn seed(dy: &mut dyn Iterator<Item = Value>) -> Option<Self> {
        let dy = Array::<f64, D>::seed(dy)?;
        Some(dy.mapv(Dual::constant))
    }
}

impl Returned for Dual<f64> {
    fn outputs(self) -> Outputs {
        smallvec![Value::number(self.value)]
    }
    fn seed(dy: &mut dyn Iterator<Item = Value>) -> Option<Self> {
        f64::seed(dy).map(Dual::constant)
    }
}

/// Positions have no derivative.
impl Returned for Vec<usize> {
    fn outputs(self) -> Outputs {
        smallvec![Value::from(
            self.into_iter().map(|i| i as i64).collect::<Vec<_>>()
        )]
    }
    fn seed(dy: &mut dyn Iterator<Item = Value>) -> Option<Self> {
        Some(vec![0; dy.next()?.len()])
    }
}

impl<A: Returned, B: Returned> Returned for (A, B) {
    fn outputs(self) -> Outputs {
        self.0
            .outputs()
            .into_iter()
            .chain(self.1.outputs())
            .collect()
    }
    fn seed(dy: &mut dyn Iterator<Item = Value>) -> Option<Self> {
        Some((A::seed(dy)?, B::seed(dy)?))
    }
}

impl<A: Returned, B: Returned, C: Returned> Returned for (A, B, C) {
    fn outputs(self) -> Outputs {
        let (a, b, c) = self;
        ((a, b), c).outputs()
    }
    fn seed(dy: &mut dyn Iterator<Item = Value>) -> Option<Self> {
        let ((a, b), c) = <((A, B), C)>::seed(dy)?;
        Some((a, b, c))
    }
}

impl<A: Returned, D: Dimension> Returned for Vec<Array<A, D>>
where
    Array<A, D>: Returned,
{
    fn outputs(self) -> Outputs {
        self.into_iter().flat_map(Returned::outputs).collect()
    }
    fn seed(dy: &mut dyn Iterator<Item = Value>) -> Option<Self> {
        dy.map(|one| Array::seed(&mut std::iter::once(one)))
            .collect()
    }
}

/// A result, or what is always there.
pub trait Settle<U> {
    /// The result.
    ///
    /// # Errors
    /// What the function said.
    fn settle(self) -> Result<U, String>;
}

impl<P, S, Tape> Settle<AugmentedReturn<P, S, Tape>> for AugmentedReturn<P, S, Tape> {
    fn settle(self) -> Result<Self, String> {
        Ok(self)
    }
}

impl<P, S> Settle<BatchDuplicated<P, S, 1>> for BatchDuplicated<P, S, 1> {
    fn settle(self) -> Result<Self, String> {
        Ok(self)
    }
}

impl<U, E: Display> Settle<U> for Result<U, E> {
    fn settle(self) -> Result<U, String> {
        self.map_err(|error| error.to_string())
    }
}
