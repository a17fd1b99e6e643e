//! What programs hand to collectives, also by mistake.

use coenzyme::{Dual, Tangent};

use crate::typed::{Partial, Reduced, Replicated, Varying};
use crate::{Along, Comm, Element, Ranks};

/// What stands where a function wants a communicator or numbers: either, or something else by mistake. Rules take it all. Which one a function
/// wants says its signature, and a program that has another is told once, there, and not again by each bound of the code that
/// `#[differentiable]` writes.
///
/// A rule that is called by hand with something else does not compile either: see [`is`].
pub trait Given: Tangent<Target = Self> {
    /// What it is.
    const KIND: Kind;

    /// The numbers.
    type Number: Element;

    /// The axis of a communicator.
    type Along;

    /// The communicator.
    fn over(&self) -> &Comm {
        unreachable!("the signature asks for a communicator")
    }

    /// The numbers.
    fn numbers(&self) -> &[Self::Number] {
        unreachable!("the signature asks for numbers")
    }

    /// Such a thing of other numbers.
    #[must_use]
    fn mark(numbers: Vec<Self::Number>) -> Self::Owned {
        let _ = numbers;
        unreachable!("the signature asks for numbers")
    }
}

/// What is given.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A communicator.
    Ranks,
    /// Numbers without a marker.
    Plain,
    /// A marker.
    Varying,
    /// A marker.
    Replicated,
    /// A marker.
    Partial,
    /// A marker.
    Reduced,
    /// What no collective takes.
    Mistake,
}

/// Whether a rule is used for what its function wants, as it is unless somebody calls it by hand.
pub(crate) const fn is<Wanted: Given + ?Sized, Found: Given + ?Sized>() {
    assert!(
        Wanted::KIND as u8 == Found::KIND as u8,
        "a rule of `coenzyme_collective` is called with an argument that its function does not take"
    );
}

impl Given for Comm {
    const KIND: Kind = Kind::Ranks;
    type Number = f64;
    type Along = Ranks;

    fn over(&self) -> &Comm {
        self
    }
}

impl<A> Given for Along<A> {
    const KIND: Kind = Kind::Ranks;
    type Number = f64;
    type Along = A;

    fn over(&self) -> &Comm {
        self
    }
}

impl<T: Element> Given for [T] {
    const KIND: Kind = Kind::Plain;
    type Number = T;
    type Along = Ranks;

    fn numbers(&self) -> &[T] {
        self
    }
    fn mark(numbers: Vec<T>) -> Vec<T> {
        numbers
    }
}

macro_rules! markers {
    ($($name:ident)*) => {$(
        impl<T: Element, A> Given for $name<Vec<T>, A> {
            const KIND: Kind = Kind::$name;
            type Number = T;
            type Along = A;

            fn numbers(&self) -> &[T] {
                self.get()
            }
            fn mark(numbers: Vec<T>) -> Self {
                Self::of(numbers)
            }
        }
    )*};
}

markers! { Varying Replicated Partial Reduced }

/// Mistakes: numbers where a vector is wanted, integers where numbers are.
macro_rules! mistakes {
    ($([$($g:tt)*] $t:ty => $number:ty;)*) => {$(
        impl<$($g)*> Given for $t {
            const KIND: Kind = Kind::Mistake;
            type Number = $number;
            type Along = Ranks;
        }
    )*};
}

mistakes! {
    [] f64 => f64;
    [] f32 => f32;
    [T: Element] Dual<T> => Dual<T>;
    [T: Element, A] Varying<T, A> => T;
    [T: Element, A] Replicated<T, A> => T;
    [T: Element, A] Partial<T, A> => T;
    [T: Element, A] Reduced<T, A> => T;
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        mistakes! { [] $t => f64; [] [$t] => f64; }
    )*};
}

integers! { usize u64 u32 u16 u8 isize i64 i32 i16 i8 bool }
