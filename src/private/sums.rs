//! What sums and products of iterators begin with, where the type says that they are folds by its operators.

use super::Blank;
use super::form::Uniform;

/// Why a sum is a fold: one of these holds, so that the compiler can find which.
pub mod reasons {
    /// It is of numbers.
    #[derive(Debug)]
    pub struct Number;
    /// It is of arrays.
    #[derive(Debug)]
    pub struct Array;
    /// Its body is one.
    #[derive(Debug)]
    pub struct Written;
}

/// What `sum` of an iterator combines by `+`, from zero on.
#[diagnostic::on_unimplemented(
    message = "the sum of an iterator over `{Self}` may be another than by its `+`",
    label = "a sum of the user's",
    note = "write `#[differentiable]` on `impl Sum for {Self}`, with the body `iter.fold(zero, |a, b| a + b)`; or write the sum as a `fold`, or as a loop"
)]
pub trait Sums<Reason> {
    /// What a sum of nothing is.
    fn zero() -> Self;
}

impl<A: num_traits::Num> Sums<reasons::Number> for A {
    #[inline]
    fn zero() -> A {
        num_traits::Zero::zero()
    }
}
impl<A: Uniform + Blank> Sums<reasons::Array> for A {
    #[inline]
    fn zero() -> A {
        A::blank()
    }
}

/// What a sum begins with.
#[inline]
pub fn zero<A: Sums<Reason>, Reason>() -> A {
    A::zero()
}

/// What a product begins with, of numbers.
#[inline]
pub fn one<A: num_traits::Num>() -> A {
    A::one()
}
