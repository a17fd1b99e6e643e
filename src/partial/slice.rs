//! Partials of and by slices, vectors and arrays of fixed length.

use super::{Number, Partial};
use crate::Tangent;
use crate::activity::Adjoint;

/// The gradient of one number: `ẏ = Σᵢ ∂ᵢ·ẋᵢ`, `x̄ᵢ += ∂ᵢ·ȳ`. As many entries as the argument has.
impl<P: Partial<I, O>, I, O: Number> Partial<[I], O> for [P] {
    #[inline]
    fn multiply_forward(&self, tangent: &[I], strong_zero: bool) -> O {
        assert_eq!(
            self.len(),
            tangent.len(),
            "the gradient and the argument have different lengths"
        );
        let mut sum = O::zero();
        for (partial, tangent) in self.iter().zip(tangent) {
            Tangent::accumulate(&mut sum, &partial.multiply_forward(tangent, strong_zero));
        }
        sum
    }
    #[inline]
    fn multiply_reverse(&self, cotangent: &O, mut adjoint: Adjoint<'_, [I]>, strong_zero: bool) {
        assert_eq!(
            self.len(),
            adjoint.len(),
            "the gradient and the argument have different lengths"
        );
        for (partial, adjoint) in self.iter().zip(adjoint.iter_mut()) {
            partial.multiply_reverse(cotangent, adjoint, strong_zero);
        }
    }
}

/// Row by row: `ẏᵢ = ∂ᵢ·ẋ`, `x̄ += Σᵢ ∂ᵢᵀ·ȳᵢ`. As many rows as the result has entries.
impl<P: Partial<In, O>, In: ?Sized, O> Partial<In, Vec<O>> for [P] {
    #[inline]
    fn multiply_forward(&self, tangent: &In, strong_zero: bool) -> Vec<O> {
        let rows = self.iter();
        rows.map(|row| row.multiply_forward(tangent, strong_zero))
            .collect()
    }
    #[inline]
    fn multiply_reverse(
        &self,
        cotangent: &Vec<O>,
        mut adjoint: Adjoint<'_, In>,
        strong_zero: bool,
    ) {
        assert_eq!(
            self.len(),
            cotangent.len(),
            "the partial has not one row for each entry of the result"
        );
        for (row, cotangent) in self.iter().zip(cotangent) {
            row.multiply_reverse(cotangent, adjoint.reborrow(), strong_zero);
        }
    }
}

/// The same for a result of fixed length.
impl<P: Partial<In, O>, In: ?Sized, O, const M: usize> Partial<In, [O; M]> for [P; M] {
    #[inline]
    fn multiply_forward(&self, tangent: &In, strong_zero: bool) -> [O; M] {
        std::array::from_fn(|i| self[i].multiply_forward(tangent, strong_zero))
    }
    #[inline]
    fn multiply_reverse(
        &self,
        cotangent: &[O; M],
        mut adjoint: Adjoint<'_, In>,
        strong_zero: bool,
    ) {
        for (row, cotangent) in self.iter().zip(cotangent) {
            row.multiply_reverse(cotangent, adjoint.reborrow(), strong_zero);
        }
    }
}

/// A container of partials is the slice of them; so is an argument that is passed by value.
macro_rules! through_slice {
    ($([$($g:tt)*] $t:ty, $i:ty;)*) => {$(
        impl<P: Partial<I, O>, I, O: Number, $($g)*> Partial<$i, O> for $t {
            #[inline]
            fn multiply_forward(&self, tangent: &$i, strong_zero: bool) -> O {
                self[..].multiply_forward(&tangent[..], strong_zero)
            }
            #[inline]
            fn multiply_reverse(&self, cotangent: &O, mut adjoint: Adjoint<'_, $i>, strong_zero: bool) {
                adjoint.accumulate_with(|sum| {
                    self[..].multiply_reverse(cotangent, Adjoint::new(&mut sum[..]), strong_zero);
                });
            }
        }
    )*};
}

through_slice! {
    [] Vec<P>, [I];
    [const N: usize] [P; N], [I];
    [] &[P], [I];
    [] &Vec<P>, [I];
    [const N: usize] &[P; N], [I];
    [] Vec<P>, Vec<I>;
    [] &[P], Vec<I>;
    [] &Vec<P>, Vec<I>;
    [const N: usize] [P; N], [I; N];
    [const N: usize] &[P; N], [I; N];
}

/// The same for rows.
macro_rules! rows_through_slice {
    ($($t:ty),*) => {$(
        impl<P: Partial<In, O>, In: ?Sized, O> Partial<In, Vec<O>> for $t {
            #[inline]
            fn multiply_forward(&self, tangent: &In, strong_zero: bool) -> Vec<O> {
                <[P] as Partial<In, Vec<O>>>::multiply_forward(self, tangent, strong_zero)
            }
            #[inline]
            fn multiply_reverse(&self, cotangent: &Vec<O>, adjoint: Adjoint<'_, In>, strong_zero: bool) {
                <[P] as Partial<In, Vec<O>>>::multiply_reverse(self, cotangent, adjoint, strong_zero);
            }
        }
    )*};
}

rows_through_slice!(Vec<P>, &[P], &Vec<P>);
