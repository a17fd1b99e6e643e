//! The Kronecker product.
//!
//! Source: Magnus & Neudecker 2019, *Matrix Differential Calculus*, doi:10.1002/9781119541219.

use coenzyme::primitive;
use ndarray::{Array2, ArrayRef2, Zip};

use crate::binary_rule;
use crate::class::{Bilinear, Product, Scalar};

/// The Kronecker product `C = A⊗B` of `(m, n)` and `(p, q)`, of shape `(mp, nq)`: the block in place `(i, j)` is `aᵢⱼ·B`.
///
/// Forward `Ċ = Ȧ⊗B + A⊗Ḃ`, reverse `āᵢⱼ += ⟨C̄ᵢⱼ, B⟩`, `B̄ += Σ aᵢⱼ·C̄ᵢⱼ` with the blocks `C̄ᵢⱼ`.
///
/// ```
/// # use ndarray::array;
/// let c = coenzyme_rules::linalg::kron(&array![[1.0, 2.0]], &array![[3.0], [4.0]]);
/// assert_eq!(c, array![[3.0, 6.0], [4.0, 8.0]]);
/// ```
#[primitive]
pub fn kron<T: Scalar>(a: &ArrayRef2<T>, b: &ArrayRef2<T>) -> Array2<T> {
    let mut c = Array2::zeros((a.nrows() * b.nrows(), a.ncols() * b.ncols()));
    kron::product_add(&mut c, a, b, ());
    c
}

impl<T: Scalar> Bilinear<ArrayRef2<T>, ArrayRef2<T>> for kron {
    type Out = Array2<T>;
    type Attrs<'a> = ();

    fn product(a: &ArrayRef2<T>, b: &ArrayRef2<T>, (): ()) -> Array2<T> {
        kron(a, b)
    }
    fn product_add(c: &mut Array2<T>, a: &ArrayRef2<T>, b: &ArrayRef2<T>, (): ()) {
        if !b.is_empty() {
            Zip::from(c.exact_chunks_mut(b.raw_dim()))
                .and(a)
                .for_each(|mut c, &a| c.scaled_add(a, b));
        }
    }
    fn transpose_x(dc: &Array2<T>, b: &ArrayRef2<T>, da: &mut ArrayRef2<T>, (): ()) {
        if !b.is_empty() {
            Zip::from(dc.exact_chunks(b.raw_dim()))
                .and(da)
                .for_each(|dc, da| {
                    *da += Zip::from(dc)
                        .and(b)
                        .fold(T::zero(), |sum, &dc, &b| sum + dc * b)
                });
        }
    }
    fn transpose_y(dc: &Array2<T>, a: &ArrayRef2<T>, db: &mut ArrayRef2<T>, (): ()) {
        if !db.is_empty() {
            Zip::from(dc.exact_chunks(db.raw_dim()))
                .and(a)
                .for_each(|dc, &a| db.scaled_add(a, &dc));
        }
    }
}

binary_rule!(kron[T: Scalar](a: ArrayRef2<T>, b: ArrayRef2<T>) = Product<kron>);
