//! Powers of a matrix.
//!
//! Source: the product rule through the products that make the power; Giles 2008, doi:10.1007/978-3-540-68942-3_4.

use coenzyme::primitive;
use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayRef2};

use super::order;
use crate::class::{At, Reads, Scalar, Unary};
use crate::unary_rule;

/// `Aᵏ` for a square matrix: by repeated squaring, at most `2·log₂ k` products. The identity for `k = 0`. **Panics** if the matrix is not
/// square. Negative powers are those of the [`inverse()`](super::inverse()).
///
/// Forward `Ẏ = Σ Aⁱ·Ȧ·Aᵏ⁻¹⁻ⁱ`, reverse `Ā += Σ (Aⁱ)ᵀ·Ȳ·(Aᵏ⁻¹⁻ⁱ)ᵀ`, the sums over `i < k`, each by the product rule through the
/// squarings: two products for each of the value's. The squares are on the tape.
///
/// ```
/// # use ndarray::array;
/// let y = coenzyme_rules::linalg::matrix_power(&array![[1.0, 1.0], [1.0, 0.0]], 5);
/// assert_eq!(y, array![[8.0, 5.0], [5.0, 3.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn matrix_power<T: Scalar>(a: &ArrayRef2<T>, k: usize) -> Array2<T> {
    Powers::new(a, k).value
}

/// What the squarings pass through.
#[derive(Clone, Debug, Default)]
pub struct Powers<T> {
    /// `A`, `A²`, `A⁴`, … as far as the exponent has bits.
    squares: Vec<Array2<T>>,
    /// The product of the squares so far, before each bit that is set but the first.
    products: Vec<Array2<T>>,
    value: Array2<T>,
}

/// The bits of the exponent, from the lowest.
fn bits(k: usize) -> impl DoubleEndedIterator<Item = (usize, bool)> {
    (0..(usize::BITS - k.leading_zeros()) as usize).map(move |i| (i, k >> i & 1 == 1))
}

impl<T: Scalar> Powers<T> {
    #[track_caller]
    fn new(a: &ArrayRef2<T>, k: usize) -> Self {
        let n = order("matrix_power", a);
        let (mut squares, mut products) = (Vec::<Array2<T>>::new(), Vec::new());
        let mut value: Option<Array2<T>> = None;
        for (i, set) in bits(k) {
            squares.push(match i.checked_sub(1) {
                None => a.to_owned(),
                Some(before) => squares[before].dot(&squares[before]),
            });
            if set {
                value = Some(match value {
                    None => squares[i].clone(),
                    Some(product) => {
                        let next = product.dot(&squares[i]);
                        products.push(product);
                        next
                    }
                });
            }
        }
        Self {
            squares,
            products,
            value: value.unwrap_or_else(|| Array2::eye(n)),
        }
    }

    fn pushforward(&self, da: &ArrayRef2<T>, k: usize) -> Array2<T> {
        let mut products = self.products.iter();
        let mut square = da.to_owned();
        let mut tangent: Option<Array2<T>> = None;
        for (i, set) in bits(k) {
            if let Some(before) = i.checked_sub(1) {
                let s = &self.squares[before];
                square = square.dot(s) + s.dot(&square);
            }
            if set {
                tangent = Some(match tangent {
                    None => square.clone(),
                    Some(d) => {
                        let product = products.next().expect("one for each bit but the first");
                        d.dot(&self.squares[i]) + product.dot(&square)
                    }
                });
            }
        }
        tangent.unwrap_or_else(|| Array2::zeros(da.raw_dim()))
    }

    fn pullback(&self, dy: &Array2<T>, da: &mut ArrayRef2<T>, k: usize) {
        let mut products = self.products.iter().rev();
        // The cotangents of the product so far, and of the square at hand.
        let mut of_product = dy.clone();
        let mut of_square: Array2<T> = Array2::zeros(dy.raw_dim());
        for (i, set) in bits(k).rev() {
            if set {
                match products.next() {
                    Some(product) => {
                        of_square += &product.t().dot(&of_product);
                        of_product = of_product.dot(&self.squares[i].t());
                    }
                    None => of_square += &of_product,
                }
            }
            if let Some(before) = i.checked_sub(1) {
                let s = self.squares[before].t();
                let mut next = s.dot(&of_square);
                general_mat_mul(T::one(), &of_square, &s, T::one(), &mut next);
                of_square = next;
            }
        }
        if k > 0 {
            *da += &of_square;
        }
    }
}

impl<T: Scalar> Unary<ArrayRef2<T>> for matrix_power {
    type Out = Array2<T>;
    type Attrs<'a> = (&'a usize,);
    type Residual = Powers<T>;

    const READS: Reads = Reads::RESIDUAL;

    fn value(a: &ArrayRef2<T>, (&k,): (&usize,)) -> Array2<T> {
        matrix_power(a, k)
    }
    fn linearize(a: &ArrayRef2<T>, (&k,): (&usize,)) -> (Array2<T>, Powers<T>) {
        let mut powers = Powers::new(a, k);
        (std::mem::take(&mut powers.value), powers)
    }
    fn pushforward(
        at: &At<'_, ArrayRef2<T>, Array2<T>, Powers<T>>,
        da: &ArrayRef2<T>,
        (&k,): (&usize,),
    ) -> Array2<T> {
        at.residual.pushforward(da, k)
    }
    fn pullback(
        at: &At<'_, ArrayRef2<T>, Array2<T>, Powers<T>>,
        dy: &Array2<T>,
        da: &mut ArrayRef2<T>,
        (&k,): (&usize,),
    ) {
        at.residual.pullback(dy, da, k);
    }
}

unary_rule!(matrix_power[T: Scalar](a: ArrayRef2<T>; k: usize) = matrix_power);
