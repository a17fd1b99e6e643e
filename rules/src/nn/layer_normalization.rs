//! Layer normalization: the mean and the size of each row are taken away. The formulas are in `normalization.rs`.

use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardConfig, ForwardOutcome, ForwardReturn,
    ForwardRule, Inactive, Lanes, Memory, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule,
    primitive,
};
use ndarray::{Array, ArrayRef, ArrayRef1, Dimension};

use super::normalization::{NormTape, Normalized, begin, check_weights, finish, tangent};
use crate::class::Scalar;

/// Layer normalization along the last axis, with weights `w`, offsets `b` and `ε` (often `1e-5`), which has no derivative.
/// **Panics** if `w` or `b` has not the length of a row.
///
/// A row of equal entries gives `b`, with a derivative of the size of `1/√ε`.
///
/// ```
/// # use ndarray::array;
/// use coenzyme::Inactive;
///
/// let y = coenzyme_rules::nn::layer_norm(&array![[1.0, 3.0]], &array![1.0, 1.0], &array![0.0, 10.0], Inactive(0.0));
/// assert_eq!(y, array![[-1.0, 11.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn layer_norm<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    w: &ArrayRef1<T>,
    b: &ArrayRef1<T>,
    eps: Inactive<f64>,
) -> Array<T, D> {
    check_weights("layer_norm", x, &[w, b]);
    Normalized::new::<true>(x, eps).scaled(w, Some(b))
}

impl<R, X, K, B, E, T, D, const W: usize> ForwardRule<R, (X, K, B, E), W> for layer_norm
where
    T: Scalar,
    D: Dimension,
    R: ForwardReturn<W, Out = Array<T, D>>,
    X: ForwardArg<ArrayRef<T, D>, W> + Annotation<Primal: Memory<Target = ArrayRef<T, D>>>,
    K: ForwardArg<ArrayRef1<T>, W> + Annotation<Primal: Memory<Target = ArrayRef1<T>>>,
    B: ForwardArg<ArrayRef1<T>, W> + Annotation<Primal: Memory<Target = ArrayRef1<T>>>,
    E: ForwardArg<Inactive<f64>, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, w, b, eps): (&mut X, &mut K, &mut B, &mut E),
    ) -> ForwardOutcome<R, W> {
        check_weights("layer_norm", x.primal(), &[w.primal(), b.primal()]);
        let n = Normalized::new::<true>(x.primal(), *eps.primal());
        R::forward(
            config,
            || n.scaled(w.primal(), Some(b.primal())),
            |lane| {
                let mut dy = tangent::<true, _, _, _, _, W>(&n, x, w, lane, config.strong_zero());
                if let Some(db) = b.tangent(lane) {
                    for mut row in dy.rows_mut() {
                        row += &db.view();
                    }
                }
                dy
            },
        )
    }
}

impl<R, X, K, B, E, T, D, const W: usize> ReverseRule<R, (X, K, B, E), W> for layer_norm
where
    T: Scalar,
    D: Dimension<Smaller: 'static> + 'static,
    R: ReverseReturn<W, Out = Array<T, D>>,
    X: ReverseArg<ArrayRef<T, D>, W> + Annotation<Primal: Memory<Target = ArrayRef<T, D>>>,
    K: ReverseArg<ArrayRef1<T>, W> + Annotation<Primal: Memory<Target = ArrayRef1<T>>>,
    B: ReverseArg<ArrayRef1<T>, W> + Annotation<Primal: Memory<Target = ArrayRef1<T>>>,
    E: ReverseArg<Inactive<f64>, W>,
{
    type Tape = NormTape<T, D>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, w, b, eps): (&mut X, &mut K, &mut B, &mut E),
    ) -> AugmentedOutcome<R, NormTape<T, D>, W> {
        check_weights("layer_norm", x.primal(), &[w.primal(), b.primal()]);
        let (y, tape) =
            begin::<true, _, _, _, _, W>(config, R::ACTIVE, x, w, Some(b.primal()), *eps.primal());
        R::augmented(config, y, tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: NormTape<T, D>,
        (x, w, b, eps): (&mut X, &mut K, &mut B, &mut E),
    ) -> (X::Gradient, K::Gradient, B::Gradient, E::Gradient) {
        let (of_x, of_w) = finish::<true, _, _, _, _, _, W>(config, &dret, &tape, x, w);
        let of_b = b.accumulate(|lane, _, mut db| {
            if let Some(dy) = dret.lane(lane) {
                db.accumulate_with(|db| {
                    for row in dy.rows() {
                        *db += &row;
                    }
                });
            }
        });
        (of_x, of_w, of_b, eps.no_gradient())
    }
}

#[cfg(test)]
mod tests {
    use coenzyme::{Const, Duplicated, Thunk};
    use ndarray::{Array1, array};

    use super::*;

    fn close(a: &Array1<f64>, b: [f64; 4]) {
        assert!(
            a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-11),
            "{a} {b:?}"
        );
    }

    /// The value, and the cotangents of `x`, `w` and `b`.
    fn gradients(w: [f64; 4], b: [f64; 4], seed: [f64; 4]) -> [Array1<f64>; 4] {
        let (x, w, b) = (
            array![1.0, 2.0, 3.0, 4.0],
            Array1::from(w.to_vec()),
            Array1::from(b.to_vec()),
        );
        let [mut dx, mut dw, mut db] = std::array::from_fn(|_| Array1::zeros(4));
        let mut args = (
            Duplicated(&*x, &mut *dx),
            Duplicated(&*w, &mut *dw),
            Duplicated(&*b, &mut *db),
            Const(Inactive(1e-5)),
        );
        let thunk = Thunk::<_, Duplicated<Array1<f64>>>::new(layer_norm {});
        let augmented = thunk.augmented(&mut args);
        thunk.reverse([Array1::from(seed.to_vec())], augmented.tape, &mut args);
        [augmented.primal.expect("asked for"), dx, dw, db]
    }

    #[test]
    fn m16_layer_norm_matches_the_table() {
        let first = [1.0, 0.0, 0.0, 0.0];
        let normal = [
            -1.341635419969,
            -0.447211806656,
            0.447211806656,
            1.341635419969,
        ];
        let [y, dx, dw, db] = gradients([1.0; 4], [0.0; 4], first);
        close(&y, normal);
        close(
            &dx,
            [
                0.268330303893,
                -0.357768372025,
                -0.089443434631,
                0.178881502763,
            ],
        );
        close(&dw, [-1.341635419969, 0.0, 0.0, 0.0]);
        close(&db, first);

        let seed = [1.0, 2.0, -1.0, 0.5];
        let [y, dx, dw, db] = gradients([0.5, 1.0, 2.0, -1.0], [0.1, 0.2, 0.3, 0.4], seed);
        close(
            &y,
            [
                -0.570817709984,
                -0.247211806656,
                1.194423613313,
                -0.941635419969,
            ],
        );
        close(
            &dx,
            [
                -0.491925474224,
                1.475801466332,
                -1.475801466332,
                0.491925474224,
            ],
        );
        close(
            &dw,
            [
                -1.341635419969,
                -0.894423613313,
                -0.447211806656,
                0.670817709984,
            ],
        );
        close(&db, seed);
    }

    #[test]
    #[should_panic(expected = "layer_norm: rows of shape [1, 4] and weights of shape [2]")]
    fn m16_weights_of_another_length_are_refused() {
        let _ = layer_norm(
            &ndarray::Array2::<f64>::zeros((1, 4)),
            &Array1::zeros(2),
            &Array1::zeros(4),
            Inactive(1e-5),
        );
    }
}
