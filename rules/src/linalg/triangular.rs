//! Triangular systems.
//!
//! Source: Giles 2008, doi:10.1007/978-3-540-68942-3_4, with the part of the matrix that is not read left out.

use coenzyme::primitive;
use ndarray::{Array, Array2, ArrayRef, ArrayRef2, Axis, Dimension, Zip};

use super::blocked::Triangle;
use super::order;
use crate::binary_rule;
use crate::class::{At2, Binary, Reads, Scalar};

/// The right-hand side as a matrix of `n` rows.
///
/// # Panics
/// If it has not `n` rows, or more than two axes.
#[track_caller]
pub(super) fn columns<T: Scalar, D: Dimension>(
    name: &str,
    a: &[usize],
    b: &ArrayRef<T, D>,
) -> Array2<T> {
    assert!(
        matches!(b.ndim(), 1 | 2) && b.shape()[0] == a[0],
        "{name}: a matrix of shape {a:?} and a right-hand side of shape {:?}",
        b.shape()
    );
    let width = b.shape().get(1).copied().unwrap_or(1);
    Array2::from_shape_vec((a[0], width), b.iter().copied().collect())
        .expect("as many entries as before")
}

/// A matrix in the shape of the right-hand side it came from.
pub(super) fn like<T: Scalar, D: Dimension>(x: Array2<T>, shape: D) -> Array<T, D> {
    x.into_shape_with_order(shape)
        .expect("as many entries as before")
}

/// The solution `X` of `T·X = B` for a triangular `T` of shape `(n, n)`, of which only the triangle on and below the diagonal
/// (`lower`) or on and above it is read. `B` has shape `(n)` or `(n, k)`. **Panics** if the shapes do not fit.
///
/// A zero on the diagonal gives ∞ or NaN. Forward `Ẋ = T⁻¹(Ḃ − Ṫ·X)`, reverse `B̄ += T⁻ᵀX̄`, `T̄ += −T⁻ᵀX̄·Xᵀ`, of which only
/// the triangle is kept: `n²k` flops each.
#[primitive]
#[track_caller]
pub fn solve_triangular<T: Scalar, D: Dimension>(
    t: &ArrayRef2<T>,
    b: &ArrayRef<T, D>,
    lower: bool,
) -> Array<T, D> {
    order("solve_triangular", t);
    let mut x = columns("solve_triangular", t.shape(), b);
    triangle(lower).solve(t.view(), &mut x);
    like(x, b.raw_dim())
}

/// The triangle on and below the diagonal, or on and above it.
fn triangle(lower: bool) -> Triangle {
    if lower {
        Triangle::LOWER
    } else {
        Triangle::UPPER
    }
}

/// Whether entry `(i, j)` is in the triangle.
fn is_read(i: usize, j: usize, lower: bool) -> bool {
    if lower { j <= i } else { j >= i }
}

impl<T: Scalar, D: Dimension> Binary<ArrayRef2<T>, ArrayRef<T, D>> for solve_triangular {
    type Out = Array<T, D>;
    type Attrs<'a> = (&'a bool,);
    type Residual = ();

    const READS: [Reads; 2] = [Reads::X.and(Reads::OUT), Reads::X];

    fn value(t: &ArrayRef2<T>, b: &ArrayRef<T, D>, (&lower,): (&bool,)) -> Array<T, D> {
        solve_triangular(t, b, lower)
    }

    fn pushforward(
        at: &At2<'_, ArrayRef2<T>, ArrayRef<T, D>, Array<T, D>, ()>,
        dt: Option<&ArrayRef2<T>>,
        db: Option<&ArrayRef<T, D>>,
        (&lower,): (&bool,),
    ) -> Array<T, D> {
        let shape = at.x.shape();
        let mut dx = match db {
            Some(db) => columns("solve_triangular", shape, db),
            None => columns("solve_triangular", shape, at.y).mapv(|_| T::zero()),
        };
        if let Some(dt) = dt {
            let x = columns("solve_triangular", shape, at.out());
            let dt = Array2::from_shape_fn(dt.raw_dim(), |(i, j)| {
                if is_read(i, j, lower) {
                    dt[(i, j)]
                } else {
                    T::zero()
                }
            });
            dx -= &dt.dot(&x);
        }
        triangle(lower).solve(at.x.view(), &mut dx);
        like(dx, at.y.raw_dim())
    }

    fn pullback_x(
        at: &At2<'_, ArrayRef2<T>, ArrayRef<T, D>, Array<T, D>, ()>,
        dz: &Array<T, D>,
        dt: &mut ArrayRef2<T>,
        (&lower,): (&bool,),
    ) {
        let shape = at.x.shape();
        let db = columns("solve_triangular", shape, Self::pulled(at, dz, lower));
        let x = columns("solve_triangular", shape, at.out());
        Zip::indexed(dt).for_each(|(i, j), dt| {
            if is_read(i, j, lower) {
                *dt -= db.row(i).dot(&x.row(j));
            }
        });
    }

    fn pullback_y(
        at: &At2<'_, ArrayRef2<T>, ArrayRef<T, D>, Array<T, D>, ()>,
        dz: &Array<T, D>,
        db: &mut ArrayRef<T, D>,
        (&lower,): (&bool,),
    ) {
        *db += Self::pulled(at, dz, lower);
    }
}

impl solve_triangular {
    /// `T⁻ᵀ·X̄`, which both cotangents need.
    fn pulled<'a, T: Scalar, D: Dimension>(
        at: &At2<'a, ArrayRef2<T>, ArrayRef<T, D>, Array<T, D>, ()>,
        dz: &Array<T, D>,
        lower: bool,
    ) -> &'a Array<T, D> {
        at.shared.get_or_init(|| {
            let mut db = columns("solve_triangular", at.x.shape(), dz);
            triangle(!lower).solve(at.x.t(), &mut db);
            like(db, dz.raw_dim())
        })
    }
}

binary_rule!(
    solve_triangular[T: Scalar, D: Dimension](t: ArrayRef2<T>, b: ArrayRef<T, D>; lower: bool) = solve_triangular
);

/// The diagonal, for what is triangular.
pub(super) fn diagonal_product<T: Scalar>(t: &ArrayRef2<T>) -> T {
    t.diag().product()
}

/// The rows in another order.
pub(super) fn rows<T: Scalar>(b: &ArrayRef2<T>, order: &[usize]) -> Array2<T> {
    b.select(Axis(0), order)
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, array};

    use super::*;

    #[test]
    fn the_other_triangle_is_not_read() {
        let t = array![[2.0, f64::NAN], [1.0, 4.0]];
        assert_eq!(
            solve_triangular(&t, &array![2.0, 9.0], true),
            array![1.0, 2.0]
        );
    }

    #[test]
    #[should_panic(
        expected = "solve_triangular: a matrix of shape [2, 2] and a right-hand side of shape [3]"
    )]
    fn shapes_that_do_not_fit_are_named() {
        let _ = solve_triangular(&Array2::<f64>::eye(2), &Array1::zeros(3), true);
    }
}
