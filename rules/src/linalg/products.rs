//! Products of vectors and matrices, as [`Bilinear`] maps: each factor is read for the cotangent of the other, which is added
//! straight into its shadow.
//!
//! Source: Giles 2008, *Collected matrix derivative results for forward and reverse mode algorithmic differentiation*,
//! doi:10.1007/978-3-540-68942-3_4, section 2.2.

use coenzyme::primitive;
use ndarray::linalg::{general_mat_mul, general_mat_vec_mul};
use ndarray::{
    Array1, Array2, Array3, ArrayRef1, ArrayRef2, ArrayRef3, ArrayView2, ArrayViewMut2, Axis, Zip,
};

use crate::binary_rule;
use crate::class::{Bilinear, Product, Scalar};

/// `c += a·b`
fn add_product<T: Scalar>(a: ArrayView2<'_, T>, b: ArrayView2<'_, T>, c: &mut ArrayRef2<T>) {
    general_mat_mul(T::one(), &a, &b, T::one(), c);
}

/// The matrix product `C = A·B` of `(m, k)` and `(k, n)`. **Panics** if the inner dimensions differ.
///
/// Forward `Ċ = Ȧ·B + A·Ḃ`, reverse `Ā += C̄·Bᵀ`, `B̄ += Aᵀ·C̄`: `2mkn` flops each.
///
/// ```
/// # use ndarray::array;
/// let c = coenzyme_rules::linalg::matmul(&array![[1.0, 2.0], [3.0, 4.0]], &array![[5.0, 6.0], [7.0, 8.0]]);
/// assert_eq!(c, array![[19.0, 22.0], [43.0, 50.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn matmul<T: Scalar>(a: &ArrayRef2<T>, b: &ArrayRef2<T>) -> Array2<T> {
    assert!(
        a.ncols() == b.nrows(),
        "matmul: {:?} times {:?}",
        a.shape(),
        b.shape()
    );
    let mut c = Array2::zeros((a.nrows(), b.ncols()));
    general_mat_mul(T::one(), a, b, T::zero(), &mut c);
    c
}

impl<T: Scalar> Bilinear<ArrayRef2<T>, ArrayRef2<T>> for matmul {
    type Out = Array2<T>;
    type Attrs<'a> = ();

    fn product(a: &ArrayRef2<T>, b: &ArrayRef2<T>, (): ()) -> Array2<T> {
        matmul(a, b)
    }
    fn product_add(c: &mut Array2<T>, a: &ArrayRef2<T>, b: &ArrayRef2<T>, (): ()) {
        add_product(a.view(), b.view(), c);
    }
    fn transpose_x(dc: &Array2<T>, b: &ArrayRef2<T>, da: &mut ArrayRef2<T>, (): ()) {
        add_product(dc.view(), b.t(), da);
    }
    fn transpose_y(dc: &Array2<T>, a: &ArrayRef2<T>, db: &mut ArrayRef2<T>, (): ()) {
        add_product(a.t(), dc.view(), db);
    }
}

binary_rule!(matmul[T: Scalar](a: ArrayRef2<T>, b: ArrayRef2<T>) = Product<matmul>);

/// `c += x·yᵀ`
pub(crate) fn add_outer<T: Scalar>(x: &ArrayRef1<T>, y: &ArrayRef1<T>, c: &mut ArrayRef2<T>) {
    Zip::from(c.rows_mut())
        .and(x)
        .for_each(|mut row, &x| row.scaled_add(x, y));
}

/// The product `y = A·x` of a matrix `(m, k)` and a vector `(k)`. **Panics** if the inner dimensions differ.
///
/// Forward `ẏ = Ȧ·x + A·ẋ`, reverse `Ā += ȳ·xᵀ`, `x̄ += Aᵀ·ȳ`.
#[primitive]
#[track_caller]
pub fn matvec<T: Scalar>(a: &ArrayRef2<T>, x: &ArrayRef1<T>) -> Array1<T> {
    assert!(
        a.ncols() == x.len(),
        "matvec: {:?} times {:?}",
        a.shape(),
        x.shape()
    );
    let mut y = Array1::zeros(a.nrows());
    general_mat_vec_mul(T::one(), a, x, T::zero(), &mut y);
    y
}

impl<T: Scalar> Bilinear<ArrayRef2<T>, ArrayRef1<T>> for matvec {
    type Out = Array1<T>;
    type Attrs<'a> = ();

    fn product(a: &ArrayRef2<T>, x: &ArrayRef1<T>, (): ()) -> Array1<T> {
        matvec(a, x)
    }
    fn product_add(y: &mut Array1<T>, a: &ArrayRef2<T>, x: &ArrayRef1<T>, (): ()) {
        general_mat_vec_mul(T::one(), a, x, T::one(), y);
    }
    fn transpose_x(dy: &Array1<T>, x: &ArrayRef1<T>, da: &mut ArrayRef2<T>, (): ()) {
        add_outer(dy, x, da);
    }
    fn transpose_y(dy: &Array1<T>, a: &ArrayRef2<T>, dx: &mut ArrayRef1<T>, (): ()) {
        general_mat_vec_mul(T::one(), &a.t(), dy, T::one(), dx);
    }
}

binary_rule!(matvec[T: Scalar](a: ArrayRef2<T>, x: ArrayRef1<T>) = Product<matvec>);

/// The inner product `s = Σ xᵢ·yᵢ`. **Panics** if the lengths differ.
///
/// Forward `ṡ = ⟨ẋ, y⟩ + ⟨x, ẏ⟩`, reverse `x̄ += s̄·y`, `ȳ += s̄·x`.
#[primitive]
#[track_caller]
pub fn dot<T: Scalar>(x: &ArrayRef1<T>, y: &ArrayRef1<T>) -> T {
    assert!(
        x.len() == y.len(),
        "dot: {:?} with {:?}",
        x.shape(),
        y.shape()
    );
    x.dot(y)
}

impl<T: Scalar> Bilinear<ArrayRef1<T>, ArrayRef1<T>> for dot {
    type Out = T;
    type Attrs<'a> = ();

    fn product(x: &ArrayRef1<T>, y: &ArrayRef1<T>, (): ()) -> T {
        dot(x, y)
    }
    fn transpose_x(ds: &T, y: &ArrayRef1<T>, dx: &mut ArrayRef1<T>, (): ()) {
        dx.scaled_add(*ds, y);
    }
    fn transpose_y(ds: &T, x: &ArrayRef1<T>, dy: &mut ArrayRef1<T>, (): ()) {
        dy.scaled_add(*ds, x);
    }
}

binary_rule!(dot[T: Scalar](x: ArrayRef1<T>, y: ArrayRef1<T>) = Product<dot>);

/// The outer product `C = x·yᵀ`, of shape `(m, n)`.
///
/// Forward `Ċ = ẋ·yᵀ + x·ẏᵀ`, reverse `x̄ += C̄·y`, `ȳ += C̄ᵀ·x`.
#[primitive]
pub fn outer<T: Scalar>(x: &ArrayRef1<T>, y: &ArrayRef1<T>) -> Array2<T> {
    let mut c = Array2::zeros((x.len(), y.len()));
    add_outer(x, y, &mut c);
    c
}

impl<T: Scalar> Bilinear<ArrayRef1<T>, ArrayRef1<T>> for outer {
    type Out = Array2<T>;
    type Attrs<'a> = ();

    fn product(x: &ArrayRef1<T>, y: &ArrayRef1<T>, (): ()) -> Array2<T> {
        outer(x, y)
    }
    fn product_add(c: &mut Array2<T>, x: &ArrayRef1<T>, y: &ArrayRef1<T>, (): ()) {
        add_outer(x, y, c);
    }
    fn transpose_x(dc: &Array2<T>, y: &ArrayRef1<T>, dx: &mut ArrayRef1<T>, (): ()) {
        general_mat_vec_mul(T::one(), dc, y, T::one(), dx);
    }
    fn transpose_y(dc: &Array2<T>, x: &ArrayRef1<T>, dy: &mut ArrayRef1<T>, (): ()) {
        general_mat_vec_mul(T::one(), &dc.t(), x, T::one(), dy);
    }
}

binary_rule!(outer[T: Scalar](x: ArrayRef1<T>, y: ArrayRef1<T>) = Product<outer>);

/// The matrix product of each pair in two stacks of matrices, `(b, m, k)` and `(b, k, n)`; a stack of length 1 is used for all,
/// and its cotangent is the sum. **Panics** if the shapes do not fit.
#[primitive]
#[track_caller]
pub fn batch_matmul<T: Scalar>(a: &ArrayRef3<T>, b: &ArrayRef3<T>) -> Array3<T> {
    let mut c = Array3::zeros((batches(a, b), a.shape()[1], b.shape()[2]));
    batch_matmul::each(&mut c, |i, c| add_product(pick(a, i), pick(b, i), c));
    c
}

/// The number of products.
#[track_caller]
fn batches<T>(a: &ArrayRef3<T>, b: &ArrayRef3<T>) -> usize {
    let fits = |p: usize, q: usize| p == q || p == 1 || q == 1;
    assert!(
        fits(a.shape()[0], b.shape()[0]) && a.shape()[2] == b.shape()[1],
        "batch_matmul: {:?} times {:?}",
        a.shape(),
        b.shape()
    );
    if a.shape()[0] == 1 {
        b.shape()[0]
    } else {
        a.shape()[0]
    }
}

/// Matrix `i` of a stack, or the only one.
fn pick<T>(a: &ArrayRef3<T>, i: usize) -> ArrayView2<'_, T> {
    a.index_axis(Axis(0), if a.shape()[0] == 1 { 0 } else { i })
}

/// As [`pick()`], to be written.
fn pick_mut<T>(a: &mut ArrayRef3<T>, i: usize) -> ArrayViewMut2<'_, T> {
    let i = if a.shape()[0] == 1 { 0 } else { i };
    a.index_axis_mut(Axis(0), i)
}

impl batch_matmul {
    /// Gives `f` each matrix of a stack with its number.
    fn each<T>(c: &mut ArrayRef3<T>, mut f: impl FnMut(usize, &mut ArrayRef2<T>)) {
        for (i, mut c) in c.outer_iter_mut().enumerate() {
            f(i, &mut c);
        }
    }
}

impl<T: Scalar> Bilinear<ArrayRef3<T>, ArrayRef3<T>> for batch_matmul {
    type Out = Array3<T>;
    type Attrs<'a> = ();

    fn product(a: &ArrayRef3<T>, b: &ArrayRef3<T>, (): ()) -> Array3<T> {
        batch_matmul(a, b)
    }
    fn product_add(c: &mut Array3<T>, a: &ArrayRef3<T>, b: &ArrayRef3<T>, (): ()) {
        Self::each(c, |i, c| add_product(pick(a, i), pick(b, i), c));
    }
    fn transpose_x(dc: &Array3<T>, b: &ArrayRef3<T>, da: &mut ArrayRef3<T>, (): ()) {
        for (i, dc) in dc.outer_iter().enumerate() {
            add_product(dc, pick(b, i).t(), &mut pick_mut(da, i));
        }
    }
    fn transpose_y(dc: &Array3<T>, a: &ArrayRef3<T>, db: &mut ArrayRef3<T>, (): ()) {
        for (i, dc) in dc.outer_iter().enumerate() {
            add_product(pick(a, i).t(), dc, &mut pick_mut(db, i));
        }
    }
}

binary_rule!(batch_matmul[T: Scalar](a: ArrayRef3<T>, b: ArrayRef3<T>) = Product<batch_matmul>);

#[cfg(test)]
mod tests {
    use coenzyme::{Duplicated, Forward, Thunk, autodiff};
    use ndarray::array;

    use super::*;

    #[test]
    fn n6_and_n7_matmul_matches_the_table() {
        let (a, b) = (array![[1., 2.], [3., 4.]], array![[5., 6.], [7., 8.]]);
        let (mut da, mut db) = (Array2::zeros((2, 2)), Array2::zeros((2, 2)));
        let thunk = Thunk::<_, Duplicated<Array2<f64>>>::new(matmul {});
        let mut args = (Duplicated(&*a, &mut *da), Duplicated(&*b, &mut *db));
        let augmented = thunk.augmented(&mut args);
        assert_eq!(augmented.primal, Some(array![[19., 22.], [43., 50.]]));
        thunk.reverse([Array2::eye(2)], augmented.tape, &mut args);
        assert_eq!(da, array![[5., 7.], [6., 8.]]);
        assert_eq!(db, array![[1., 3.], [2., 4.]]);

        let (one, zero) = (Array2::eye(2), Array2::zeros((2, 2)));
        let (tangent,) = autodiff!(
            Forward,
            matmul,
            Duplicated(&*a, &*one),
            Duplicated(&*b, &*zero)
        );
        assert_eq!(tangent, b);
    }

    #[test]
    #[should_panic(expected = "matmul: [2, 3] times [2, 3]")]
    fn matmul_names_both_shapes() {
        let _ = matmul(&Array2::<f64>::zeros((2, 3)), &Array2::zeros((2, 3)));
    }

    #[test]
    #[should_panic(expected = "matvec: [2, 3] times [2]")]
    fn matvec_names_both_shapes() {
        let _ = matvec(&Array2::<f64>::zeros((2, 3)), &Array1::zeros(2));
    }

    #[test]
    #[should_panic(expected = "dot: [3] with [2]")]
    fn dot_names_both_shapes() {
        let _ = dot(&Array1::<f64>::zeros(3), &Array1::zeros(2));
    }

    #[test]
    #[should_panic(expected = "batch_matmul: [2, 3, 4] times [3, 4, 1]")]
    fn batch_matmul_names_both_shapes() {
        let _ = batch_matmul(&Array3::<f64>::zeros((2, 3, 4)), &Array3::zeros((3, 4, 1)));
    }
}
