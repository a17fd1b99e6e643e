//! The product of vectors and matrices: `x.dot(&y)`, `A.dot(&x)`, `x.dot(&A)`, `A.dot(&B)`.
//!
//! Source: Giles 2008, *Collected matrix derivative results for forward and reverse mode algorithmic differentiation*,
//! doi:10.1007/978-3-540-68942-3_4, section 2.2.

use ndarray::linalg::{Dot, general_mat_mul, general_mat_vec_mul};
use ndarray::{Array1, Array2, ArrayRef1, ArrayRef2, LinalgScalar, Zip};

use super::{Pair, dot};
use crate::real::Real;
use crate::tangent::Tangent;

macro_rules! dot {
    ($($a:ident . $b:ident = $out:ty, zero: |$x:ident, $y:ident| $zero:expr,
        left: |$bl:ident, $dl:ident, $da:ident| $left:expr,
        right: |$ar:ident, $dr:ident, $db:ident| $right:expr;)*) => {$(
        impl<T: Real + LinalgScalar> Pair<dot, $b<T>> for $a<T> {
            type Out = $out;

            const READS: bool = true;

            fn value(&self, other: &$b<T>) -> $out {
                Dot::dot(self, other)
            }
            /// `ȧ·b + a·ḃ`
            fn tangent(&self, other: &$b<T>, da: Option<&Self>, db: Option<&$b<T>>) -> $out {
                match (da, db) {
                    (Some(da), Some(db)) => {
                        let mut sum = Dot::dot(da, other);
                        Tangent::accumulate(&mut sum, &Dot::dot(self, db));
                        sum
                    }
                    (Some(da), None) => Dot::dot(da, other),
                    (None, Some(db)) => Dot::dot(self, db),
                    (None, None) => {
                        let ($x, $y) = (self, other);
                        $zero
                    }
                }
            }
            fn pull_left(_: &Self, $bl: &$b<T>, $dl: &$out, $da: &mut Self) {
                $left
            }
            fn pull_right($ar: &Self, _: &$b<T>, $dr: &$out, $db: &mut $b<T>) {
                $right
            }
        }
    )*};
}

/// `c += x·yᵀ`
fn add_outer<T: Real>(x: &ArrayRef1<T>, y: &ArrayRef1<T>, c: &mut ArrayRef2<T>) {
    let add =
        |mut row: ndarray::ArrayViewMut1<'_, T>, x: &T| row.zip_mut_with(y, |c, y| *c += *x * *y);
    Zip::from(c.rows_mut()).and(x).for_each(add);
}

/// `z += a·x`
fn add_scaled<T: Real>(a: T, x: &ArrayRef1<T>, z: &mut ArrayRef1<T>) {
    z.zip_mut_with(x, |z, x| *z += a * *x);
}

dot! {
    ArrayRef1 . ArrayRef1 = T, zero: |_x, _y| T::zero(),
        left: |y, ds, dx| add_scaled(*ds, y, dx),
        right: |x, ds, dy| add_scaled(*ds, x, dy);
    ArrayRef2 . ArrayRef1 = Array1<T>, zero: |a, _x| Array1::zeros(a.nrows()),
        left: |x, dy, da| add_outer(dy, x, da),
        right: |a, dy, dx| general_mat_vec_mul(T::one(), &a.t(), dy, T::one(), dx);
    ArrayRef1 . ArrayRef2 = Array1<T>, zero: |_x, a| Array1::zeros(a.ncols()),
        left: |a, dy, dx| general_mat_vec_mul(T::one(), a, dy, T::one(), dx),
        right: |x, dy, da| add_outer(x, dy, da);
    ArrayRef2 . ArrayRef2 = Array2<T>, zero: |a, b| Array2::zeros((a.nrows(), b.ncols())),
        left: |b, dc, da| general_mat_mul(T::one(), dc, &b.t(), T::one(), da),
        right: |a, dc, db| general_mat_mul(T::one(), &a.t(), dc, T::one(), db);
}
