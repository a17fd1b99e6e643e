//! What a call will need, told by the shapes of its operands alone, before anything is allocated.

use std::fmt;

use super::Reads;

/// The type of the numbers in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// `f32`
    F32,
    /// `f64`
    F64,
}

impl Number {
    /// The bytes of one.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Number::F32 => 4,
            Number::F64 => 8,
        }
    }
}

/// An array without its entries.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spec {
    /// Its shape; that of a number is empty.
    pub shape: Vec<usize>,
    /// The type of its numbers.
    pub number: Number,
}

impl Spec {
    /// Of numbers of type `f64`.
    #[must_use]
    pub fn f64(shape: &[usize]) -> Self {
        Self {
            shape: shape.to_vec(),
            number: Number::F64,
        }
    }

    /// Of numbers of type `f32`.
    #[must_use]
    pub fn f32(shape: &[usize]) -> Self {
        Self {
            number: Number::F32,
            ..Self::f64(shape)
        }
    }

    /// The number of entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.shape.iter().product()
    }

    /// The bytes of its entries.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries() * self.number.bytes()
    }
}

/// Why a function cannot be called on such operands.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misfit {
    /// The numbers of two operands differ in type.
    Numbers(Number, Number),
    /// The shapes of two operands do not fit.
    Shapes(Vec<usize>, Vec<usize>),
    /// There is no such axis, or it is named twice.
    Axis(usize, Vec<usize>),
    /// A matrix is not square.
    Square(Vec<usize>),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Numbers(x, y) => write!(f, "numbers of type {x:?} with {y:?}"),
            Misfit::Shapes(x, y) => write!(f, "shapes {x:?} and {y:?} do not fit"),
            Misfit::Axis(axis, shape) => write!(f, "no axis {axis} of shape {shape:?} is left"),
            Misfit::Square(shape) => write!(f, "a matrix of shape {shape:?} is not square"),
        }
    }
}

impl std::error::Error for Misfit {}

/// A function of `N` arrays that tells what it returns before it is called.
pub trait Outlined<const N: usize> {
    /// The attributes: `()`, `usize`, `(&[usize], bool)`.
    type Attrs<'a>: Copy;

    /// What the derivative in each operand reads.
    const READS: [Reads; N];

    /// The shape of the value.
    ///
    /// # Errors
    /// If the shapes do not fit: where the function would panic.
    fn shape(x: [&[usize]; N], attrs: Self::Attrs<'_>) -> Result<Vec<usize>, Misfit>;

    /// An estimate of the operations of the value.
    fn flops(x: [&[usize]; N], out: &[usize]) -> f64;

    /// The bytes of what the value leaves behind for the derivatives that read it, on numbers of one type.
    fn residual(_x: [&[usize]; N], _number: Number) -> usize {
        0
    }
}

/// The class of a function, by its marker.
pub trait Classified {
    /// What tells its outline.
    type Class;
}

/// What a call on operands of given shapes will return, cost and keep.
///
/// ```
/// use coenzyme_rules::array::mul;
/// use coenzyme_rules::class::{Outline, Spec};
///
/// let call = Outline::of(mul {}, [&Spec::f64(&[2, 3]), &Spec::f64(&[3])], ()).expect("they fit");
/// assert_eq!(call.out(), &Spec::f64(&[2, 3]));
/// assert_eq!((call.flops(), call.out().bytes()), (6.0, 48));
/// // each factor is read again for the cotangent of the other: here of the second, which may be overwritten
/// assert_eq!(call.tape_bytes([true, false], [false, true]), 24);
///
/// let misfit = Outline::of(mul {}, [&Spec::f64(&[2, 3]), &Spec::f64(&[4])], ()).expect_err("they do not");
/// assert_eq!(misfit.to_string(), "shapes [2, 3] and [4] do not fit");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Outline<const N: usize> {
    operands: [usize; N],
    out: Spec,
    flops: f64,
    residual: usize,
    reads: [Reads; N],
}

impl<const N: usize> Outline<N> {
    /// Of a function, by its marker.
    ///
    /// # Errors
    /// If the operands do not fit.
    pub fn of<F: Classified<Class: Outlined<N>>>(
        _: F,
        x: [&Spec; N],
        attrs: <F::Class as Outlined<N>>::Attrs<'_>,
    ) -> Result<Self, Misfit> {
        let number = x.first().map_or(Number::F64, |x| x.number);
        if let Some(other) = x.iter().find(|x| x.number != number) {
            return Err(Misfit::Numbers(number, other.number));
        }
        let shapes = x.map(|x| &x.shape[..]);
        let shape = F::Class::shape(shapes, attrs)?;
        Ok(Self {
            operands: x.map(Spec::bytes),
            flops: F::Class::flops(shapes, &shape),
            residual: F::Class::residual(shapes, number),
            out: Spec { shape, number },
            reads: F::Class::READS,
        })
    }

    /// What it returns.
    #[must_use]
    pub fn out(&self) -> &Spec {
        &self.out
    }

    /// An estimate of the operations of the value.
    #[must_use]
    pub fn flops(&self) -> f64 {
        self.flops
    }

    /// The bytes that the tape owns, where some operands are active and some may be overwritten before the reverse pass: what the
    /// active ones read again, of operands only what may be overwritten.
    #[must_use]
    pub fn tape_bytes(&self, active: [bool; N], overwritten: [bool; N]) -> usize {
        let reads = (0..N).fold(Reads::NOTHING, |all, i| {
            all.and(self.reads[i].when(active[i]))
        });
        let operands = [reads.x, reads.y].into_iter().zip(0..N);
        let copies = operands.filter(|(read, i)| *read && overwritten[*i]);
        let copied: usize = copies.map(|(_, i)| self.operands[i]).sum();
        let out = if reads.out { self.out.bytes() } else { 0 };
        let residual = if reads.residual { self.residual } else { 0 };
        copied + out + residual
    }
}
