//! The matrix exponential.
//!
//! Source: Higham 2005, *The scaling and squaring method for the matrix exponential revisited*, doi:10.1137/04061101X; its
//! derivative is that of the same formulas, Al-Mohy & Higham 2009, doi:10.1137/080716426, algorithm 6.4.

use coenzyme::primitive;
use ndarray::{Array2, ArrayRef2};

use super::order;
use super::pivoting::Lu;
use crate::class::{At, Reads, Scalar, Unary};
use crate::unary_rule;

/// The coefficients of the Padé approximant of degree 13.
const PADE: [f64; 14] = [
    64_764_752_532_480_000.0,
    32_382_376_266_240_000.0,
    7_771_770_303_897_600.0,
    1_187_353_796_428_800.0,
    129_060_195_264_000.0,
    10_559_470_521_600.0,
    670_442_572_800.0,
    33_522_128_640.0,
    1_323_241_920.0,
    40_840_800.0,
    960_960.0,
    16_380.0,
    182.0,
    1.0,
];
/// The norm up to which it is exact to a double's precision.
const RADIUS: f64 = 5.371_920_351_148_152;

/// The exponential of a square matrix, by scaling, Padé approximation and squaring: about `2n³·(8 + log₂‖A‖)` flops. NaN if an
/// entry is not finite. **Panics** if the matrix is not square.
///
/// Forward `L(A, Ȧ) = ∫₀¹ e^(sA)·Ȧ·e^((1−s)A) ds`, computed by differentiating the approximation; reverse
/// `Ā += L(Aᵀ, Ȳ)`: three times the flops of the exponential.
///
/// ```
/// # use ndarray::array;
/// let y = coenzyme_rules::linalg::expm(&array![[0.0, 1.0], [0.0, 0.0]]);
/// assert!((y - array![[1.0, 1.0], [0.0, 1.0]]).iter().all(|e: &f64| e.abs() < 1e-15));
/// ```
#[primitive]
#[track_caller]
pub fn expm<T: Scalar>(a: &ArrayRef2<T>) -> Array2<T> {
    order("expm", a);
    expm::with_tangent(a, None).0
}

/// A matrix with its tangent, if one is asked for.
#[derive(Clone)]
struct Moving<T>(Array2<T>, Option<Array2<T>>);

impl<T: Scalar> Moving<T> {
    fn times(&self, other: &Self) -> Self {
        let d = self.1.as_ref().zip(other.1.as_ref());
        Self(
            self.0.dot(&other.0),
            d.map(|(dx, dy)| dx.dot(&other.0) + self.0.dot(dy)),
        )
    }

    /// `Σ cᵢ·Xᵢ`
    fn combine(terms: &[(f64, &Self)]) -> Self {
        let shape = terms[0].1.0.raw_dim();
        let mut out = Self(
            Array2::zeros(shape),
            terms[0].1.1.as_ref().map(|_| Array2::zeros(shape)),
        );
        for (c, x) in terms {
            out.0.scaled_add(T::lit(*c), &x.0);
            if let (Some(out), Some(dx)) = (&mut out.1, &x.1) {
                out.scaled_add(T::lit(*c), dx);
            }
        }
        out
    }

    /// `Q⁻¹·P`, with `Ẋ = Q⁻¹(Ṗ − Q̇X)`; NaN if there is none.
    fn over(self, q: &Self) -> Self {
        let Ok(lu) = Lu::new("expm", &q.0) else {
            let nan = |x: Array2<T>| x.mapv_into(|_| T::nan());
            return Self(nan(self.0), self.1.map(nan));
        };
        let x = lu.solve(&self.0);
        let dx = self
            .1
            .zip(q.1.as_ref())
            .map(|(dp, dq)| lu.solve(&(dp - dq.dot(&x))));
        Self(x, dx)
    }
}

impl expm {
    /// The exponential, and the tangent in a direction.
    fn with_tangent<T: Scalar>(
        a: &ArrayRef2<T>,
        da: Option<&ArrayRef2<T>>,
    ) -> (Array2<T>, Option<Array2<T>>) {
        let norm = a
            .columns()
            .into_iter()
            .map(|column| column.iter().map(|x| x.to_plain().abs()).sum::<f64>())
            .fold(0.0, f64::max);
        let squarings = (norm / RADIUS).log2().ceil().clamp(0.0, 1100.0) as i32;
        let scale = T::lit(0.5_f64.powi(squarings));
        let a = Moving(a.mapv(|x| x * scale), da.map(|da| da.mapv(|x| x * scale)));
        let one = Moving(
            Array2::eye(a.0.nrows()),
            da.map(|da| Array2::zeros(da.raw_dim())),
        );
        let a2 = a.times(&a);
        let a4 = a2.times(&a2);
        let a6 = a4.times(&a2);
        // An even or odd half of the polynomial: high powers as a product with A⁶.
        let half = |from: usize| {
            let c = |i: usize| PADE[from + 2 * i];
            let high = Moving::combine(&[(c(6), &a6), (c(5), &a4), (c(4), &a2)]);
            let high = a6.times(&high);
            Moving::combine(&[
                (1.0, &high),
                (c(3), &a6),
                (c(2), &a4),
                (c(1), &a2),
                (c(0), &one),
            ])
        };
        let (even, odd) = (half(0), a.times(&half(1)));
        let p = Moving::combine(&[(1.0, &even), (1.0, &odd)]);
        let q = Moving::combine(&[(1.0, &even), (-1.0, &odd)]);
        let mut y = p.over(&q);
        for _ in 0..squarings {
            y = y.times(&y);
        }
        (y.0, y.1)
    }
}

impl<T: Scalar> Unary<ArrayRef2<T>> for expm {
    type Out = Array2<T>;
    type Attrs<'a> = ();
    type Residual = ();

    const READS: Reads = Reads::X;

    fn value(a: &ArrayRef2<T>, (): ()) -> Array2<T> {
        expm(a)
    }
    fn pushforward(
        at: &At<'_, ArrayRef2<T>, Array2<T>, ()>,
        da: &ArrayRef2<T>,
        (): (),
    ) -> Array2<T> {
        let tangent = Self::with_tangent(at.x, Some(da)).1;
        tangent.expect("asked for")
    }
    fn pullback(
        at: &At<'_, ArrayRef2<T>, Array2<T>, ()>,
        dy: &Array2<T>,
        da: &mut ArrayRef2<T>,
        (): (),
    ) {
        let adjoint = Self::with_tangent(&at.x.t(), Some(dy)).1;
        *da += &adjoint.expect("asked for");
    }
}

unary_rule!(expm[T: Scalar](a: ArrayRef2<T>) = expm);

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn known_exponentials() {
        let turn = array![[0.0, -20.0], [20.0, 0.0]];
        let (c, s) = (20.0_f64.cos(), 20.0_f64.sin());
        let error = expm(&turn) - array![[c, -s], [s, c]];
        assert!(error.iter().all(|x: &f64| x.abs() < 1e-13), "{error}");
        assert!(expm(&array![[f64::NAN]])[(0, 0)].is_nan());
        assert!(expm(&array![[f64::INFINITY]])[(0, 0)].is_nan());
    }

    #[test]
    #[should_panic(expected = "expm: a matrix of shape [2, 3] is not square")]
    fn a_matrix_that_is_not_square_is_refused() {
        let _ = expm(&Array2::<f64>::zeros((2, 3)));
    }
}
