//! The dense layer, `Y = X·W + b`.
//!
//! | value | shape | forward | reverse |
//! |---|---|---|---|
//! | `X` | `(n, k)` | | `X̄ += Ȳ·Wᵀ` |
//! | `W` | `(k, m)` | | `W̄ += Xᵀ·Ȳ` |
//! | `b` | `(m)` | | `b̄ += Σ rows of Ȳ` |
//! | `Y` | `(n, m)` | `Ẏ = Ẋ·W + X·Ẇ + ḃ` | |

use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardConfig, ForwardOutcome, ForwardReturn,
    ForwardRule, Lanes, Memory, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved,
    primitive,
};
use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayRef1, ArrayRef2};

use crate::class::{Scalar, effective};

/// `X·W + b` for each row of `X`. **Panics** if the shapes do not fit.
///
/// ```
/// # use ndarray::array;
/// let y = coenzyme_rules::nn::dense(&array![[1.0, 2.0]], &array![[1.0, 0.0], [0.0, 1.0]], &array![0.5, -0.5]);
/// assert_eq!(y, array![[1.5, 1.5]]);
/// ```
#[primitive]
#[track_caller]
pub fn dense<T: Scalar>(x: &ArrayRef2<T>, w: &ArrayRef2<T>, b: &ArrayRef1<T>) -> Array2<T> {
    assert!(
        x.ncols() == w.nrows() && w.ncols() == b.len(),
        "dense: {:?} times {:?} plus {:?}",
        x.shape(),
        w.shape(),
        b.shape()
    );
    let mut y = repeated(b, x.nrows());
    add_product(x, w, &mut y);
    y
}

/// `n` rows equal to `b`.
fn repeated<T: Scalar>(b: &ArrayRef1<T>, n: usize) -> Array2<T> {
    b.broadcast((n, b.len()))
        .expect("rows of one length")
        .to_owned()
}

/// `c += a·b`
fn add_product<T: Scalar>(a: &ArrayRef2<T>, b: &ArrayRef2<T>, c: &mut ArrayRef2<T>) {
    general_mat_mul(T::one(), a, b, T::one(), c);
}

/// What the reverse pass of [`dense()`] reads again: each factor, for the shadow of the other.
#[derive(Debug)]
pub struct DenseTape<T: Scalar> {
    x: Saved<ArrayRef2<T>>,
    w: Saved<ArrayRef2<T>>,
}

impl<R, X, K, B, T, const W: usize> ForwardRule<R, (X, K, B), W> for dense
where
    T: Scalar,
    R: ForwardReturn<W, Out = Array2<T>>,
    X: ForwardArg<ArrayRef2<T>, W> + Annotation<Primal: Memory<Target = ArrayRef2<T>>>,
    K: ForwardArg<ArrayRef2<T>, W> + Annotation<Primal: Memory<Target = ArrayRef2<T>>>,
    B: ForwardArg<ArrayRef1<T>, W> + Annotation<Primal: Memory<Target = ArrayRef1<T>>>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, w, b): (&mut X, &mut K, &mut B),
    ) -> ForwardOutcome<R, W> {
        let n = x.primal().nrows();
        R::forward(
            config,
            || dense(x.primal(), w.primal(), b.primal()),
            |lane| {
                let mut dy = match effective(b.tangent(lane), config.strong_zero()) {
                    Some(db) => repeated(db, n),
                    None => Array2::zeros((n, b.primal().len())),
                };
                if let Some(dx) = effective(x.tangent(lane), config.strong_zero()) {
                    add_product(dx, w.primal(), &mut dy);
                }
                if let Some(dw) = effective(w.tangent(lane), config.strong_zero()) {
                    add_product(x.primal(), dw, &mut dy);
                }
                dy
            },
        )
    }
}

impl<R, X, K, B, T, const W: usize> ReverseRule<R, (X, K, B), W> for dense
where
    T: Scalar,
    R: ReverseReturn<W, Out = Array2<T>>,
    X: ReverseArg<ArrayRef2<T>, W> + Annotation<Primal: Memory<Target = ArrayRef2<T>>>,
    K: ReverseArg<ArrayRef2<T>, W> + Annotation<Primal: Memory<Target = ArrayRef2<T>>>,
    B: ReverseArg<ArrayRef1<T>, W> + Annotation<Primal: Memory<Target = ArrayRef1<T>>>,
{
    type Tape = DenseTape<T>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, w, b): (&mut X, &mut K, &mut B),
    ) -> AugmentedOutcome<R, DenseTape<T>, W> {
        let reads_x = R::ACTIVE && w.is_active();
        let reads_w = R::ACTIVE && x.is_active();
        let tape = DenseTape {
            x: Saved::new(x.primal(), reads_x && config.overwritten(0)),
            w: Saved::new(w.primal(), reads_w && config.overwritten(1)),
        };
        R::augmented(config, dense(x.primal(), w.primal(), b.primal()), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: DenseTape<T>,
        (x, w, b): (&mut X, &mut K, &mut B),
    ) -> (X::Gradient, K::Gradient, B::Gradient) {
        let of_x = x.accumulate(|lane, _, mut dx| {
            if let Some(dy) = effective(dret.lane(lane), config.strong_zero()) {
                let w = tape.w.get(w.primal());
                dx.accumulate_with(|dx| add_product(dy, &w.t(), dx));
            }
        });
        let of_w = w.accumulate(|lane, _, mut dw| {
            if let Some(dy) = effective(dret.lane(lane), config.strong_zero()) {
                let x = tape.x.get(x.primal());
                dw.accumulate_with(|dw| add_product(&x.t(), dy, dw));
            }
        });
        let of_b = b.accumulate(|lane, _, mut db| {
            if let Some(dy) = effective(dret.lane(lane), config.strong_zero()) {
                db.accumulate_with(|db| {
                    for row in dy.rows() {
                        *db += &row;
                    }
                });
            }
        });
        (of_x, of_w, of_b)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array1;

    use super::*;

    #[test]
    #[should_panic(expected = "dense: [2, 3] times [3, 4] plus [3]")]
    fn shapes_that_do_not_fit_are_named() {
        let _ = dense(
            &Array2::<f64>::zeros((2, 3)),
            &Array2::zeros((3, 4)),
            &Array1::zeros(3),
        );
    }
}
