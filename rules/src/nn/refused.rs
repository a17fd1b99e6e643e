//! A rule that is wrong in the wild, and must be refused by the check.

use coenzyme::primitive;
use ndarray::{Array1, ArrayRef1, array};

use crate::check::check;
use crate::class::{At, Reads, Scalar, Unary};
use crate::unary_rule;

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

#[test]
#[should_panic(expected = "reverse: entry 0: rule")]
fn m13_a_gradient_of_ones_is_refused() {
    let x = array![1.0, 2.0, -1.0];
    check!(swish_of_ones(x));
}
