//! What is mapped over: arrays on a device, and numbers on the host.

use std::sync::Arc;

use ndarray::{DimMax, Dimension, Ix0};

use crate::array::DeviceArray;
use crate::device::Device;
use crate::element::Float;
use crate::launch::{Address, Arguments};
use crate::memory::Memory;

/// An argument of a call, as a kernel takes it. Holds the memory that it refers to.
#[derive(Clone, Debug)]
pub struct Input {
    pub(super) memory: Option<Arc<Memory>>,
    pub(super) at: Address,
    pub(super) shape: Vec<usize>,
    pub(super) word: u64,
}

impl Input {
    /// A number.
    pub(super) fn number(word: u64) -> Self {
        Self {
            memory: None,
            at: 0,
            shape: Vec::new(),
            word,
        }
    }

    /// How many entries there are; 1 for a number.
    pub(super) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    pub(super) fn is_number(&self) -> bool {
        self.memory.is_none()
    }

    /// The device, if it lies on one.
    pub(super) fn device(&self) -> Option<&Device> {
        self.memory.as_deref().map(Memory::device)
    }

    /// The words of an `In`, as an argument beside results of `n` entries.
    pub(super) fn words(&self, n: usize) -> [u64; 3] {
        let len = self.len();
        let period = if len == n { 0 } else { len as u64 };
        [self.at, period, self.word]
    }

    pub(super) fn push(&self, arguments: Arguments, n: usize) -> Arguments {
        arguments.words(&self.words(n))
    }
}

/// Where the cotangent of an argument goes.
pub enum Target<'a, T> {
    /// To an array.
    Array(Address),
    /// To a number on the host.
    Number(&'a mut T),
}

/// Something that can be mapped over.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what a function can be mapped over",
    label = "neither a device array of floats, nor a float",
    note = "pass `&DeviceArray<f64, D>`, `&DeviceArray<f32, D>`, or a number of the same type"
)]
pub trait Mapped: Sized {
    /// The kind of number.
    type Number: Float;
    /// The axes; none for a number.
    type Dim: Dimension + 'static;

    /// The argument as a kernel takes it.
    #[doc(hidden)]
    fn input(&self) -> Input;

    /// Where its cotangent goes, if this is the shadow.
    #[doc(hidden)]
    fn target(&mut self) -> Target<'_, Self::Number>;
}

impl<T: Float, D: Dimension + 'static> Mapped for DeviceArray<T, D> {
    type Number = T;
    type Dim = D;

    fn input(&self) -> Input {
        Input {
            memory: Some(self.memory()),
            at: self.address(),
            shape: self.shape().to_vec(),
            word: 0,
        }
    }
    fn target(&mut self) -> Target<'_, T> {
        Target::Array(self.shadow())
    }
}

macro_rules! numbers {
    ($($t:ty),*) => {$(
        impl Mapped for $t {
            type Number = $t;
            type Dim = Ix0;

            fn input(&self) -> Input {
                Input::number(crate::element::Element::word(*self))
            }
            fn target(&mut self) -> Target<'_, $t> {
                Target::Number(self)
            }
        }
    )*};
}

numbers!(f32, f64);

/// The axes of what is returned: of several numbers of axes, the largest.
pub trait Widest {
    /// The axes.
    type Dim: Dimension + 'static;
}

impl<A: Dimension + 'static> Widest for (A,) {
    type Dim = A;
}

macro_rules! widest {
    ($(($($a:ident)+; $last:ident))*) => {$(
        impl<$($a,)+ $last> Widest for ($($a,)+ $last)
        where
            ($($a,)+): Widest,
            <($($a,)+) as Widest>::Dim: DimMax<$last, Output: 'static>,
            $last: Dimension,
        {
            type Dim = <<($($a,)+) as Widest>::Dim as DimMax<$last>>::Output;
        }
    )*};
}

widest! { (A; B) (A B; C) (A B C; D) (A B C D; E) (A B C D E; F) (A B C D E F; G) (A B C D E F G; H) }
