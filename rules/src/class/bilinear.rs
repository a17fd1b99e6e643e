//! Products: maps that are linear in each of two operands.

use std::marker::PhantomData;

use coenzyme::Tangent;

use super::{At2, Binary, Plain, Reads};

/// A product `(x, y) ↦ x⊗y`, with attributes that have no derivative.
pub trait Bilinear<X: ?Sized, Y: ?Sized> {
    /// What it returns.
    type Out: Plain;
    /// References to the attributes: `()`, `(&usize,)`, `(&[usize], &bool)`.
    type Attrs<'a>: Copy;

    /// `x⊗y`
    fn product(x: &X, y: &Y, attrs: Self::Attrs<'_>) -> Self::Out;

    /// `z += x⊗y`
    fn product_add(z: &mut Self::Out, x: &X, y: &Y, attrs: Self::Attrs<'_>) {
        Tangent::accumulate(z, &Self::product(x, y, attrs));
    }

    /// `x̄ += (·⊗y)ᵀ z̄`. The shape of `x` is that of `dx`.
    fn transpose_x(dz: &Self::Out, y: &Y, dx: &mut X, attrs: Self::Attrs<'_>);

    /// `ȳ += (x⊗·)ᵀ z̄`. The shape of `y` is that of `dy`.
    fn transpose_y(dz: &Self::Out, x: &X, dy: &mut Y, attrs: Self::Attrs<'_>);
}

/// A [`Bilinear`] product with its derivatives. Each factor is read again for the cotangent of the other only.
#[derive(Debug)]
pub struct Product<F>(PhantomData<F>);

impl<X, Y, F> Binary<X, Y> for Product<F>
where
    X: Tangent + ToOwned + ?Sized,
    Y: Tangent + ToOwned + ?Sized,
    F: Bilinear<X, Y>,
{
    type Out = F::Out;
    type Attrs<'a> = F::Attrs<'a>;
    type Residual = ();

    const READS: [Reads; 2] = [Reads::Y, Reads::X];

    #[inline]
    fn value(x: &X, y: &Y, attrs: F::Attrs<'_>) -> F::Out {
        F::product(x, y, attrs)
    }

    /// `ż = ẋ⊗y + x⊗ẏ`
    #[inline]
    fn pushforward(
        at: &At2<'_, X, Y, F::Out, ()>,
        dx: Option<&X>,
        dy: Option<&Y>,
        attrs: F::Attrs<'_>,
    ) -> F::Out {
        match (dx, dy) {
            (Some(dx), Some(dy)) => {
                let mut dz = F::product(dx, at.y, attrs);
                F::product_add(&mut dz, at.x, dy, attrs);
                dz
            }
            (Some(dx), None) => F::product(dx, at.y, attrs),
            (None, Some(dy)) => F::product(at.x, dy, attrs),
            (None, None) => unreachable!("at least one operand varies"),
        }
    }

    #[inline]
    fn pullback_x(at: &At2<'_, X, Y, F::Out, ()>, dz: &F::Out, dx: &mut X, attrs: F::Attrs<'_>) {
        F::transpose_x(dz, at.y, dx, attrs);
    }
    #[inline]
    fn pullback_y(at: &At2<'_, X, Y, F::Out, ()>, dz: &F::Out, dy: &mut Y, attrs: F::Attrs<'_>) {
        F::transpose_y(dz, at.x, dy, attrs);
    }
}
