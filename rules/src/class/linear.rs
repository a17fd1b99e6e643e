//! Linear maps of one operand.

use std::marker::PhantomData;

use coenzyme::Tangent;

use super::{At, Plain, Reads, Unary};

/// A linear map `x ↦ A·x`, with attributes that have no derivative.
pub trait Linear<X: ?Sized> {
    /// What it returns.
    type Out: Plain;
    /// References to the attributes: `()`, `(&usize,)`, `(&[usize], &bool)`.
    type Attrs<'a>: Copy;

    /// `A·x`
    fn apply(x: &X, attrs: Self::Attrs<'_>) -> Self::Out;

    /// `x̄ += Aᵀ·ȳ`. The shape of `x` is that of `dx`.
    fn transpose(dy: &Self::Out, dx: &mut X, attrs: Self::Attrs<'_>);
}

/// A [`Linear`] map with its derivative, which is itself.
#[derive(Debug)]
pub struct Transposed<F>(PhantomData<F>);

impl<X: Tangent + ToOwned + ?Sized, F: Linear<X>> Unary<X> for Transposed<F> {
    type Out = F::Out;
    type Attrs<'a> = F::Attrs<'a>;
    type Residual = ();

    const READS: Reads = Reads::NOTHING;

    #[inline]
    fn value(x: &X, attrs: F::Attrs<'_>) -> F::Out {
        F::apply(x, attrs)
    }
    #[inline]
    fn pushforward(_: &At<'_, X, F::Out, ()>, dx: &X, attrs: F::Attrs<'_>) -> F::Out {
        F::apply(dx, attrs)
    }
    #[inline]
    fn pullback(_: &At<'_, X, F::Out, ()>, dy: &F::Out, dx: &mut X, attrs: F::Attrs<'_>) {
        F::transpose(dy, dx, attrs);
    }
}
