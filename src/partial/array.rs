//! Partials of and by `ndarray` arrays.

use ndarray::{Array, Array1, ArrayRef, Dimension, Ix1, Ix2, IxDyn, Zip};

use super::{Diagonal, Number, Partial};
use crate::Tangent;
use crate::activity::Adjoint;

/// The gradient of one number: `ẏ = Σᵢ ∂ᵢ·ẋᵢ`, `x̄ᵢ += ∂ᵢ·ȳ`. Of the shape of the argument.
impl<P, I, O, D> Partial<ArrayRef<I, D>, O> for ArrayRef<P, D>
where
    P: Partial<I, O>,
    O: Number,
    D: Dimension,
{
    fn multiply_forward(&self, tangent: &ArrayRef<I, D>, strong_zero: bool) -> O {
        check(self.shape(), tangent.shape());
        Zip::from(self)
            .and(tangent)
            .fold(O::zero(), |mut sum, p, dx| {
                Tangent::accumulate(&mut sum, &p.multiply_forward(dx, strong_zero));
                sum
            })
    }
    fn multiply_reverse(
        &self,
        cotangent: &O,
        mut adjoint: Adjoint<'_, ArrayRef<I, D>>,
        strong_zero: bool,
    ) {
        check(self.shape(), adjoint.shape());
        for (p, dx) in self.iter().zip(adjoint.iter_mut()) {
            p.multiply_reverse(cotangent, dx, strong_zero);
        }
    }
}

/// The entries' derivatives by one number: `ẏᵢ = ∂ᵢ·ẋ`, `x̄ += Σᵢ ∂ᵢ·ȳᵢ`. Of the shape of the result.
impl<P, I, O, E> Partial<I, Array<O, E>> for ArrayRef<P, E>
where
    P: Partial<I, O>,
    I: Number,
    E: Dimension,
{
    fn multiply_forward(&self, tangent: &I, strong_zero: bool) -> Array<O, E> {
        self.map(|p| p.multiply_forward(tangent, strong_zero))
    }
    fn multiply_reverse(
        &self,
        cotangent: &Array<O, E>,
        mut adjoint: Adjoint<'_, I>,
        strong_zero: bool,
    ) {
        check(self.shape(), cotangent.shape());
        for (p, dy) in self.iter().zip(cotangent) {
            p.multiply_reverse(dy, adjoint.reborrow(), strong_zero);
        }
    }
}

/// A Jacobian: `ẏ = ∂·ẋ`, `x̄ += ∂ᵀ·ȳ`. One row for each entry of the result, one column for each of the argument.
impl<P, I, O> Partial<ArrayRef<I, Ix1>, Array1<O>> for ArrayRef<P, Ix2>
where
    P: Partial<I, O>,
    O: Number,
{
    fn multiply_forward(&self, tangent: &ArrayRef<I, Ix1>, strong_zero: bool) -> Array1<O> {
        let rows = self.rows().into_iter();
        rows.map(|row| (*row).multiply_forward(tangent, strong_zero))
            .collect()
    }
    fn multiply_reverse(
        &self,
        cotangent: &Array1<O>,
        mut adjoint: Adjoint<'_, ArrayRef<I, Ix1>>,
        strong_zero: bool,
    ) {
        check(&self.shape()[..1], cotangent.shape());
        for (row, dy) in self.rows().into_iter().zip(cotangent) {
            (*row).multiply_reverse(dy, adjoint.reborrow(), strong_zero);
        }
    }
}

/// The same for a slice and a vector.
impl<P, I, O> Partial<[I], Vec<O>> for ArrayRef<P, Ix2>
where
    P: Partial<I, O>,
    O: Number,
{
    fn multiply_forward(&self, tangent: &[I], strong_zero: bool) -> Vec<O> {
        let tangent = ndarray::aview1(tangent);
        let rows = self.rows().into_iter();
        rows.map(|row| (*row).multiply_forward(&*tangent, strong_zero))
            .collect()
    }
    fn multiply_reverse(
        &self,
        cotangent: &Vec<O>,
        mut adjoint: Adjoint<'_, [I]>,
        strong_zero: bool,
    ) {
        check(&self.shape()[..1], &[cotangent.len()]);
        adjoint.accumulate_with(|sum| {
            let mut sum = ndarray::ArrayViewMut1::from(sum);
            for (row, dy) in self.rows().into_iter().zip(cotangent) {
                (*row).multiply_reverse(dy, Adjoint::new(&mut *sum), strong_zero);
            }
        });
    }
}

/// A Jacobian of any dimensions, of the shape of the result followed by that of the argument; entries in logical order.
impl<P, I, O, D, E> Partial<ArrayRef<I, D>, Array<O, E>> for ArrayRef<P, IxDyn>
where
    P: Partial<I, O>,
    O: Number,
    D: Dimension,
    E: Dimension,
{
    fn multiply_forward(&self, tangent: &ArrayRef<I, D>, strong_zero: bool) -> Array<O, E> {
        let (outer, inner) = split(self.shape(), tangent.shape());
        let mut shape = E::zeros(outer.len());
        shape.slice_mut().copy_from_slice(outer);
        let mut partials = self.iter();
        let rows = (0..outer.iter().product()).map(|_| {
            let mut sum = O::zero();
            for (p, dx) in partials.by_ref().take(inner).zip(tangent) {
                Tangent::accumulate(&mut sum, &p.multiply_forward(dx, strong_zero));
            }
            sum
        });
        Array::from_shape_vec(shape, rows.collect()).expect("one sum for each entry of the shape")
    }
    fn multiply_reverse(
        &self,
        cotangent: &Array<O, E>,
        mut adjoint: Adjoint<'_, ArrayRef<I, D>>,
        strong_zero: bool,
    ) {
        let (outer, inner) = split(self.shape(), adjoint.shape());
        check(outer, cotangent.shape());
        let mut partials = self.iter();
        for dy in cotangent {
            for (p, dx) in partials.by_ref().take(inner).zip(adjoint.iter_mut()) {
                p.multiply_reverse(dy, dx, strong_zero);
            }
        }
    }
}

/// Entry by entry: `ẏᵢ = ∂ᵢ·ẋᵢ`, `x̄ᵢ += ∂ᵢ·ȳᵢ`.
impl<P, I, O, D> Partial<ArrayRef<I, D>, Array<O, D>> for Diagonal<Array<P, D>>
where
    P: Partial<I, O>,
    D: Dimension,
{
    fn multiply_forward(&self, tangent: &ArrayRef<I, D>, strong_zero: bool) -> Array<O, D> {
        check(self.0.shape(), tangent.shape());
        Zip::from(&self.0)
            .and(tangent)
            .map_collect(|p, dx| p.multiply_forward(dx, strong_zero))
    }
    fn multiply_reverse(
        &self,
        cotangent: &Array<O, D>,
        mut adjoint: Adjoint<'_, ArrayRef<I, D>>,
        strong_zero: bool,
    ) {
        check(self.0.shape(), cotangent.shape());
        for ((p, dy), dx) in self.0.iter().zip(cotangent).zip(adjoint.iter_mut()) {
            p.multiply_reverse(dy, dx, strong_zero);
        }
    }
}

/// Owned arrays and references are the array references they deref to, as partials.
macro_rules! through_ref {
    ($([$($g:tt)*] $p:ty: $i:ty => $o:ty;)*) => {$(
        through_ref!(@ [$($g)*] Array<P, $p>, ArrayRef<P, $p>: $i => $o);
        through_ref!(@ [$($g)*] &ArrayRef<P, $p>, ArrayRef<P, $p>: $i => $o);
        through_ref!(@ [$($g)*] &Array<P, $p>, ArrayRef<P, $p>: $i => $o);
    )*};
    (@ [$($g:tt)*] $t:ty, $r:ty: $i:ty => $o:ty) => {
        impl<P: Partial<I, O>, $($g)*> Partial<$i, $o> for $t {
            #[inline]
            fn multiply_forward(&self, tangent: &$i, strong_zero: bool) -> $o {
                <$r as Partial<$i, $o>>::multiply_forward(self, tangent, strong_zero)
            }
            #[inline]
            fn multiply_reverse(&self, cotangent: &$o, adjoint: Adjoint<'_, $i>, strong_zero: bool) {
                <$r as Partial<$i, $o>>::multiply_reverse(self, cotangent, adjoint, strong_zero);
            }
        }
    };
}

through_ref! {
    [I, O: Number, D: Dimension] D: ArrayRef<I, D> => O;
    [I: Number, O, E: Dimension] E: I => Array<O, E>;
    [I, O: Number] Ix2: ArrayRef<I, Ix1> => Array1<O>;
    [I, O: Number] Ix2: [I] => Vec<O>;
    [I, O: Number, D: Dimension, E: Dimension] IxDyn: ArrayRef<I, D> => Array<O, E>;
}

/// Stops where a partial does not fit what it is multiplied by.
#[track_caller]
fn check(partial: &[usize], other: &[usize]) {
    assert_eq!(
        partial, other,
        "a partial derivative of another shape than what it is multiplied by"
    );
}

/// The dimensions of a Jacobian that belong to the result, and the number of entries of the argument.
#[track_caller]
fn split<'a>(partial: &'a [usize], argument: &[usize]) -> (&'a [usize], usize) {
    let at = partial.len().saturating_sub(argument.len());
    let (outer, inner) = partial.split_at(at);
    check(inner, argument);
    (outer, inner.iter().product())
}
