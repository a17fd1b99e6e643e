//! minitensor's examples of custom operations.

use coenzyme::Inactive;
use coenzyme::prelude::*;
use coenzyme_rules::array::{gelu, gelu_tanh, mish, powf, sum, swish};
use coenzyme_rules::class::{Each, Elementwise1, Reads, Scalar, Unary};
use coenzyme_rules::nn::layer_norm;
use coenzyme_rules::unary_rule;
use coenzyme_testutils::{input, test_forward, test_reverse};
use ndarray::{Array, Array1, Array2, ArrayRef, Dimension, array};

use super::{close, run};

/// Value and slope of a function of arrays at 1, 2 and −1.
macro_rules! table {
    ($f:ident: $y:expr, $dy:expr) => {{
        let (x, mut dx) = (array![1.0, 2.0, -1.0], Array1::zeros(3));
        let y = run(&$f {}, (Duplicated(&*x, &mut *dx),), &Array1::ones(3));
        close(&y, &$y);
        close(&dx, &$dy);
    }};
}

#[test]
fn m13_swish() {
    table!(swish: [0.731058578630, 1.761594155956, -0.268941421370], [0.927670511871, 1.090784248785, 0.072329488129]);
}

#[test]
fn m14_gelu() {
    table!(gelu: [0.841344746069, 1.954499736104, -0.158655253931], [1.083315470588, 1.085231801078, -0.083315470588]);
    table!(gelu_tanh: [0.841191990608, 1.954597694088, -0.158808009392], [1.082964083846, 1.086099256624, -0.082964083846]);
}

/// `x(1 + tanh x)`, the function that is printed there under the name of `gelu`.
#[primitive]
fn printed_gelu<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> Array<T, D> {
    Each::<printed_gelu>::value(x, ())
}
impl<T: Scalar> Elementwise1<T> for printed_gelu {
    const READS: Reads = Reads::X;
    fn value(x: T) -> T {
        x * (T::one() + x.tanh())
    }
    fn partial(x: T, _: T) -> T {
        let t = x.tanh();
        T::one() + t + x * (T::one() - t * t)
    }
}
unary_rule!(printed_gelu[T: Scalar, D: Dimension](x: ArrayRef<T, D>) = Each<printed_gelu>);

#[test]
fn m14_the_printed_function_is_another() {
    table!(printed_gelu: [1.761594155956, 3.928055160152, -0.238405844044], [2.18156849757, 2.105329229782, -0.18156849757]);
    let x = input(array![1.0, 2.0, -1.0]);
    test_forward!(printed_gelu, DuplicatedNoNeed, (x, Duplicated));
}

/// The printed function with the slope of the true one.
#[primitive]
fn mistaken_gelu<T: Scalar + coenzyme_rules::scalar::Special, D: Dimension>(
    x: &ArrayRef<T, D>,
) -> Array<T, D> {
    Each::<mistaken_gelu>::value(x, ())
}
impl<T: Scalar + coenzyme_rules::scalar::Special> Elementwise1<T> for mistaken_gelu {
    const READS: Reads = Reads::X;
    fn value(x: T) -> T {
        x * (T::one() + x.tanh())
    }
    fn partial(x: T, y: T) -> T {
        coenzyme_rules::scalar::gelu::partial(x, y)
    }
}
unary_rule!(mistaken_gelu[T: Scalar + coenzyme_rules::scalar::Special, D: Dimension](x: ArrayRef<T, D>) = Each<mistaken_gelu>);

#[test]
#[should_panic(expected = "FAIL mistaken_gelu  reverse")]
fn m14_the_printed_function_with_the_slope_of_the_true_one_is_refused() {
    let x = input(array![1.0, 2.0, -1.0]);
    test_reverse!(mistaken_gelu, Duplicated, (x, Duplicated));
}

#[test]
fn m15_power() {
    let (a, b) = (array![[2., 3.], [4., 5.]], array![[2., 2.], [3., 2.]]);
    let (mut da, mut db) = (Tangent::zero_like(&a), Tangent::zero_like(&b));
    let one = array![[1., 1.], [1., 1.]];
    let args = (Duplicated(&*a, &mut *da), Duplicated(&*b, &mut *db));
    close(&run(&powf {}, args, &one), &[4., 9., 64., 25.]);
    close(&da, &[4., 6., 48., 10.]);
    close(
        &db,
        &[
            2.772588722240,
            9.887510598013,
            88.722839111673,
            40.235947810853,
        ],
    );
}

#[test]
fn m15_powers_at_the_edge_of_the_domain() {
    // At a base of zero the exponent has the cotangent 0, at a negative one NaN, and only if it is asked for.
    let (a, b) = (array![0.0_f64, -3.0], array![2.0_f64, 2.0]);
    let (mut da, mut db) = (Tangent::zero_like(&a), Tangent::zero_like(&b));
    let one = array![1., 1.];
    run(&powf {}, (Duplicated(&*a, &mut *da), Const(&*b)), &one);
    assert_eq!(da, array![0.0, -6.0]);
    run(&powf {}, (Const(&*a), Duplicated(&*b, &mut *db)), &one);
    assert_eq!(db[0], 0.0);
    assert!(db[1].is_nan());
}

#[test]
#[should_panic(expected = "cannot broadcast [2, 2] with [3, 1]")]
fn m15_shapes_that_do_not_fit_are_refused() {
    let _ = powf(&array![[1., 2.], [3., 4.]], &array![[1.], [1.], [1.]]);
}

#[test]
#[should_panic(expected = "layer_norm: rows of shape [4] and weights of shape [2]")]
fn m16_weights_of_another_length_are_refused() {
    let _ = layer_norm(
        &array![1., 2., 3., 4.],
        &array![1., 1.],
        &array![0., 0., 0., 0.],
        Inactive(1e-5),
    );
}

/// `Σ swish(aᵇ)`
#[differentiable]
fn loss(a: &Array2<f64>, b: &Array2<f64>) -> f64 {
    let powers = powf(a, b);
    let y = swish(&powers);
    sum(&y)
}

#[test]
fn m19_operations_are_differentiated_together() {
    let (a, b) = (array![[2., 3.], [4., 5.]], array![[0.2, -0.2], [0.3, 0.1]]);
    let (da, db) = gradient!(loss, &a, &b);
    let moved = |x: &Array2<f64>, i, h| {
        let mut x = x.clone();
        x[i] += h;
        x
    };
    for (i, (da, db)) in da.indexed_iter().map(|(i, da)| (i, (da, db[i]))) {
        let of = |f: &dyn Fn(f64) -> f64| (f(1e-5) - f(-1e-5)) / 2e-5;
        assert!((da - of(&|h| loss(&moved(&a, i, h), &b))).abs() < 1e-9);
        assert!((db - of(&|h| loss(&a, &moved(&b, i, h)))).abs() < 1e-9);
    }
}

/// Empty arrays have empty gradients, and a view the numbers of its array.
#[test]
fn m26_empty_and_transposed_operands() {
    let (none, mut dnone) = (Array1::<f64>::zeros(0), Array1::zeros(0));
    let y = run(
        &swish {},
        (Duplicated(&*none, &mut *dnone),),
        &Array1::zeros(0),
    );
    assert!(y.is_empty());
    let x = array![[1., 2.], [-1., 0.5], [3., -2.]];
    let seed = array![[1., -1., 0.5], [2., 0.25, -3.]];
    let (mut of_view, mut of_copy) = (Array2::zeros((2, 3)), Array2::zeros((2, 3)));
    let view = run(&swish {}, (Duplicated(&*x.t(), &mut *of_view),), &seed);
    let copy = x.t().as_standard_layout().into_owned();
    assert_eq!(
        view,
        run(&swish {}, (Duplicated(&*copy, &mut *of_copy),), &seed)
    );
    assert_eq!(of_view, of_copy);
}

#[test]
fn m17_mish() {
    table!(mish: [0.865098388267, 1.943958959534, -0.303401461374], [1.049036220100, 1.069317934279, 0.059216755877]);
}
