//! A rule that is wrong in the wild, and must be refused by the tester.

use coenzyme::primitive;
use ndarray::{Array1, ArrayRef1, array};

use coenzyme_rules::class::{At, Reads, Scalar, Unary};
use coenzyme_rules::unary_rule;
use coenzyme_testutils::{input, test_forward, test_reverse};

/// `x·σ(x)` with the gradient that its first author gave it: ones.
#[primitive]
fn swish_of_ones<T: Scalar>(x: &ArrayRef1<T>) -> Array1<T> {
    x.mapv(|x| x / (T::one() + (-x).exp()))
}

impl<T: Scalar> Unary<ArrayRef1<T>> for swish_of_ones {
    type Out = Array1<T>;
    type Attrs<'a> = ();
    type Residual = ();

    const READS: Reads = Reads::X;

    fn value(x: &ArrayRef1<T>, (): ()) -> Array1<T> {
        swish_of_ones(x)
    }
    fn pushforward(
        at: &At<'_, ArrayRef1<T>, Array1<T>, ()>,
        dx: &ArrayRef1<T>,
        (): (),
    ) -> Array1<T> {
        ndarray::Zip::from(at.x).and(dx).map_collect(|&x, &dx| {
            let s = (T::one() + (-x).exp()).recip();
            (s + x * s * (T::one() - s)) * dx
        })
    }
    fn pullback(
        _: &At<'_, ArrayRef1<T>, Array1<T>, ()>,
        dy: &Array1<T>,
        dx: &mut ArrayRef1<T>,
        (): (),
    ) {
        *dx += dy;
    }
}

unary_rule!(swish_of_ones[T: Scalar](x: ArrayRef1<T>) = swish_of_ones);

/// Its forward rule is right.
#[test]
fn m13_the_tangent_is_accepted() {
    let x = input(array![1.0, 2.0, -1.0]);
    test_forward!(swish_of_ones, DuplicatedNoNeed, (x, Duplicated));
}

#[test]
#[should_panic(expected = "FAIL swish_of_ones  reverse")]
fn m13_a_gradient_of_ones_is_refused() {
    let x = input(array![1.0, 2.0, -1.0]);
    test_reverse!(swish_of_ones, Duplicated, (x, Duplicated));
}
