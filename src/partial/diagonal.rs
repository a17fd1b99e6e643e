//! Partials of functions that work entry by entry.

use super::Partial;
use crate::activity::Adjoint;

/// The derivative of a function that works entry by entry: `yᵢ` depends on `xᵢ` alone, with the partials given.
///
/// The Jacobian is diagonal, and never formed.
///
/// ```
/// use coenzyme::{Diagonal, Partial};
///
/// let partial = Diagonal([2.0, 3.0]);
/// let tangent: Vec<f64> = partial.multiply_forward(&[10.0, 20.0][..], false);
/// assert_eq!(tangent, [20.0, 60.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diagonal<P>(pub P);

macro_rules! slices {
    ($([$($g:tt)*] $t:ty),*) => {$(
        impl<P: Partial<I, O>, I, O, $($g)*> Partial<[I], Vec<O>> for Diagonal<$t> {
            fn multiply_forward(&self, tangent: &[I], strong_zero: bool) -> Vec<O> {
                assert_eq!(self.0.len(), tangent.len(), "a diagonal of another length than the argument");
                let entries = self.0.iter().zip(tangent);
                entries
                    .map(|(p, dx)| p.multiply_forward(dx, strong_zero))
                    .collect()
            }
            fn multiply_reverse(
                &self,
                cotangent: &Vec<O>,
                mut adjoint: Adjoint<'_, [I]>,
                strong_zero: bool,
            ) {
                assert_eq!(self.0.len(), cotangent.len(), "a diagonal of another length than the result");
                let entries = self.0.iter().zip(cotangent);
                for ((p, dy), dx) in entries.zip(adjoint.iter_mut()) {
                    p.multiply_reverse(dy, dx, strong_zero);
                }
            }
        }
    )*};
}

slices!([] Vec<P>, [const N: usize] [P; N], [] &[P]);
