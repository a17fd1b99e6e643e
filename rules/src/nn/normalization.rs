//! Normalization along the last axis: each row is brought to a fixed size, then scaled entry by entry.
//!
//! | value | shape | layer norm | RMS norm |
//! |---|---|---|---|
//! | `x` | `(…, n)` | | |
//! | `r` | `(…)` | `1/√(mean((x − x̄)²) + ε)` | `1/√(mean(x²) + ε)` |
//! | `x̂` | `(…, n)` | `r·(x − x̄)` | `r·x` |
//! | `w`, `b` | `(n)` | | no `b` |
//! | `y` | `(…, n)` | `x̂∘w + b` | `x̂∘w` |
//!
//! The map `ẋ ↦ x̂̇` is symmetric in each row: `N(d) = r·(d − mean(d) − x̂·mean(x̂∘d))`, for RMS norm without `mean(d)`. So
//! forward `ẏ = N(ẋ)∘w + x̂∘ẇ + ḃ`, reverse `x̄ += N(ȳ∘w)`, `w̄ += Σ ȳ∘x̂`, `b̄ += Σ ȳ`, the sums over the rows. The tape holds
//! `x̂` and `r`, where an active operand needs them.
//!
//! Sources: Ba, Kiros, Hinton 2016, *Layer Normalization*, arXiv:1607.06450; Zhang and Sennrich 2019, *Root Mean Square Layer
//! Normalization*, arXiv:1910.07467.

use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardConfig, ForwardOutcome, ForwardReturn,
    ForwardRule, Inactive, Lanes, Memory, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule,
    Saved, primitive,
};
use ndarray::{Array, ArrayRef, ArrayRef1, ArrayView1, ArrayViewMut1, Dimension, Zip};

use crate::class::{Scalar, effective};

/// Rows of fixed size, and what they were multiplied by.
#[derive(Debug)]
struct Normalized<T, D: Dimension> {
    x: Array<T, D>,
    factor: Array<T, D::Smaller>,
}

/// `1/n`
fn share<T: Scalar>(n: usize) -> T {
    T::lit(n as f64).recip()
}

fn mean<T: Scalar>(x: ArrayView1<'_, T>) -> T {
    x.sum() * share(x.len())
}

impl<T: Scalar, D: Dimension> Normalized<T, D> {
    /// Normalizes each row, around its mean if `CENTERED`.
    fn new<const CENTERED: bool>(x: &ArrayRef<T, D>, eps: Inactive<f64>) -> Self {
        let mut x = x.as_standard_layout().into_owned();
        let factor = Zip::from(x.rows_mut()).map_collect(|mut row| {
            if CENTERED {
                let mean = mean(row.view());
                row.mapv_inplace(|x| x - mean);
            }
            let square = row.dot(&row) * share(row.len());
            let factor = (square + T::lit(eps.0)).sqrt().recip();
            row.mapv_inplace(|x| x * factor);
            factor
        });
        Self { x, factor }
    }

    /// `x̂∘w + b`
    fn scaled(&self, w: &ArrayRef1<T>, b: Option<&ArrayRef1<T>>) -> Array<T, D> {
        let mut y = self.x.clone();
        for row in y.rows_mut() {
            let row = Zip::from(row).and(w);
            match b {
                Some(b) => row.and(b).for_each(|y, &w, &b| *y = *y * w + b),
                None => row.for_each(|y, &w| *y *= w),
            }
        }
        y
    }

    /// `z += N(d∘w)∘v`, in each row; no `w` or `v` stands for ones.
    fn derivative<const CENTERED: bool>(
        &self,
        d: &ArrayRef<T, D>,
        w: Option<&ArrayRef1<T>>,
        v: Option<&ArrayRef1<T>>,
        z: &mut ArrayRef<T, D>,
    ) {
        let mut weighted = vec![T::zero(); self.x.shape().last().copied().unwrap_or(0)];
        Zip::from(z.rows_mut())
            .and(d.rows())
            .and(self.x.rows())
            .and(&self.factor)
            .for_each(|mut z: ArrayViewMut1<'_, T>, d, x, &factor| {
                let row = Zip::from(ArrayViewMut1::from(&mut weighted[..])).and(d);
                match w {
                    Some(w) => row.and(w).for_each(|g, &d, &w| *g = d * w),
                    None => row.for_each(|g, &d| *g = d),
                }
                let d = ArrayView1::from(&weighted[..]);
                let center = if CENTERED { mean(d) } else { T::zero() };
                let along = d.dot(&x) * share(x.len());
                let add = |d: T, x: T| factor * (d - center - x * along);
                let rows = Zip::from(&mut z).and(d).and(x);
                match v {
                    Some(v) => rows.and(v).for_each(|z, &d, &x, &v| *z += v * add(d, x)),
                    None => rows.for_each(|z, &d, &x| *z += add(d, x)),
                }
            });
    }

    /// `dw += Σ dy∘x̂`
    fn add_to_weight(&self, dy: &ArrayRef<T, D>, dw: &mut ArrayRef1<T>) {
        for (dy, x) in dy.rows().into_iter().zip(self.x.rows()) {
            Zip::from(&mut *dw)
                .and(dy)
                .and(x)
                .for_each(|dw, &dy, &x| *dw += dy * x);
        }
    }
}

/// **Panics** unless the weights have one entry for each entry of a row.
#[track_caller]
fn check_weights<T, D: Dimension>(name: &str, x: &ArrayRef<T, D>, weights: &[&ArrayRef1<T>]) {
    for w in weights {
        assert!(
            x.shape().last() == Some(&w.len()),
            "{name}: rows of shape {:?} and weights of shape {:?}",
            x.shape(),
            w.shape()
        );
    }
}

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

/// RMS normalization along the last axis, with weights `w` and `ε`, which has no derivative. **Panics** if `w` has not the length
/// of a row.
#[primitive]
#[track_caller]
pub fn rms_norm<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    w: &ArrayRef1<T>,
    eps: Inactive<f64>,
) -> Array<T, D> {
    check_weights("rms_norm", x, &[w]);
    Normalized::new::<false>(x, eps).scaled(w, None)
}

/// What the reverse pass reads again: `x̂` and the factors if `x` or `w` is active, `w` if `x` is.
#[derive(Debug)]
pub struct NormTape<T: Scalar, D: Dimension> {
    normalized: Option<Normalized<T, D>>,
    w: Saved<ArrayRef1<T>>,
}

/// The tangent of either norm, from handles.
fn tangent<const CENTERED: bool, T, D, X, K, const W: usize>(
    n: &Normalized<T, D>,
    x: &X,
    w: &K,
    lane: usize,
    strong_zero: bool,
) -> Array<T, D>
where
    T: Scalar,
    D: Dimension,
    X: ForwardArg<ArrayRef<T, D>, W>,
    K: ForwardArg<ArrayRef1<T>, W>,
{
    let mut dy = effective(w.tangent(lane), strong_zero)
        .map_or_else(|| Array::zeros(n.x.raw_dim()), |dw| n.scaled(dw, None));
    if let Some(dx) = effective(x.tangent(lane), strong_zero) {
        n.derivative::<CENTERED>(dx, None, Some(w.primal()), &mut dy);
    }
    dy
}

/// The value of either norm and the tape, from handles.
fn begin<const CENTERED: bool, T, D, X, K, const W: usize>(
    config: &ReverseConfig,
    returns_active: bool,
    x: &X,
    w: &K,
    b: Option<&ArrayRef1<T>>,
    eps: Inactive<f64>,
) -> (Array<T, D>, NormTape<T, D>)
where
    T: Scalar,
    D: Dimension,
    X: ReverseArg<ArrayRef<T, D>, W>,
    K: ReverseArg<ArrayRef1<T>, W>,
{
    let normalized = Normalized::new::<CENTERED>(x.primal(), eps);
    let y = normalized.scaled(w.primal(), b);
    let active = returns_active && (x.is_active() || w.is_active());
    let tape = NormTape {
        normalized: active.then_some(normalized),
        w: Saved::new(
            w.primal(),
            returns_active && x.is_active() && config.overwritten(1),
        ),
    };
    (y, tape)
}

/// The cotangents of `x` and `w` in either norm.
fn finish<const CENTERED: bool, T, D, X, K, L, const W: usize>(
    config: &ReverseConfig,
    dret: &L,
    tape: &NormTape<T, D>,
    x: &mut X,
    w: &mut K,
) -> (X::Gradient, K::Gradient)
where
    T: Scalar,
    D: Dimension,
    X: ReverseArg<ArrayRef<T, D>, W>,
    K: ReverseArg<ArrayRef1<T>, W>,
    L: Lanes<Array<T, D>>,
{
    let of_x = x.accumulate(|lane, _, mut dx| {
        let dy = effective(dret.lane(lane), config.strong_zero());
        if let (Some(dy), Some(n)) = (dy, &tape.normalized) {
            let w = tape.w.get(w.primal());
            dx.accumulate_with(|dx| n.derivative::<CENTERED>(dy, Some(w), None, dx));
        }
    });
    let of_w = w.accumulate(|lane, _, mut dw| {
        let dy = effective(dret.lane(lane), config.strong_zero());
        if let (Some(dy), Some(n)) = (dy, &tape.normalized) {
            dw.accumulate_with(|dw| n.add_to_weight(dy, dw));
        }
    });
    (of_x, of_w)
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

impl<R, X, K, E, T, D, const W: usize> ForwardRule<R, (X, K, E), W> for rms_norm
where
    T: Scalar,
    D: Dimension,
    R: ForwardReturn<W, Out = Array<T, D>>,
    X: ForwardArg<ArrayRef<T, D>, W> + Annotation<Primal: Memory<Target = ArrayRef<T, D>>>,
    K: ForwardArg<ArrayRef1<T>, W> + Annotation<Primal: Memory<Target = ArrayRef1<T>>>,
    E: ForwardArg<Inactive<f64>, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, w, eps): (&mut X, &mut K, &mut E),
    ) -> ForwardOutcome<R, W> {
        check_weights("rms_norm", x.primal(), &[w.primal()]);
        let n = Normalized::new::<false>(x.primal(), *eps.primal());
        R::forward(
            config,
            || n.scaled(w.primal(), None),
            |lane| tangent::<false, _, _, _, _, W>(&n, x, w, lane, config.strong_zero()),
        )
    }
}

impl<R, X, K, E, T, D, const W: usize> ReverseRule<R, (X, K, E), W> for rms_norm
where
    T: Scalar,
    D: Dimension<Smaller: 'static> + 'static,
    R: ReverseReturn<W, Out = Array<T, D>>,
    X: ReverseArg<ArrayRef<T, D>, W> + Annotation<Primal: Memory<Target = ArrayRef<T, D>>>,
    K: ReverseArg<ArrayRef1<T>, W> + Annotation<Primal: Memory<Target = ArrayRef1<T>>>,
    E: ReverseArg<Inactive<f64>, W>,
{
    type Tape = NormTape<T, D>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, w, eps): (&mut X, &mut K, &mut E),
    ) -> AugmentedOutcome<R, NormTape<T, D>, W> {
        check_weights("rms_norm", x.primal(), &[w.primal()]);
        let (y, tape) = begin::<false, _, _, _, _, W>(config, R::ACTIVE, x, w, None, *eps.primal());
        R::augmented(config, y, tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: NormTape<T, D>,
        (x, w, eps): (&mut X, &mut K, &mut E),
    ) -> (X::Gradient, K::Gradient, E::Gradient) {
        let (of_x, of_w) = finish::<false, _, _, _, _, _, W>(config, &dret, &tape, x, w);
        (of_x, of_w, eps.no_gradient())
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
