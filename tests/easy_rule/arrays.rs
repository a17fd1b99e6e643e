//! Easy rules of functions of arrays.

use coenzyme::ndarray::{Array1, Array2, ArrayD, ArrayRef1, ArrayRef2, array};
use coenzyme::prelude::*;
use coenzyme::{Diagonal, Real};

/// `Σ xᵢ²`.
#[primitive]
fn square_sum(x: &ArrayRef2<f64>) -> f64 {
    x.iter().map(|x| x * x).sum()
}

easy_rule! {
    fn square_sum(x: &ArrayRef2<f64>) -> y: f64;
    dy/dx = x.map(|x| 2.0 * x);
}

#[primitive]
fn exp<T: Real>(x: &ArrayRef1<T>) -> Array1<T> {
    x.map(|x| x.exp())
}

easy_rule! {
    fn exp<T: Real>(x: &ArrayRef1<T>) -> y: Array1<T>;
    dy/dx = Diagonal(y);
}

/// `(x₀x₁, t·x₀, t)`.
#[primitive]
fn mixed(x: &ArrayRef1<f64>, t: f64) -> Array1<f64> {
    array![x[0] * x[1], t * x[0], t]
}

easy_rule! {
    fn mixed(x: &ArrayRef1<f64>, t: f64) -> y: Array1<f64>;
    dy/dx = array![[x[1], x[0]], [t, 0.0], [0.0, 0.0]];
    dy/dt = array![0.0, x[0], 1.0];
}

/// The transpose, by its Jacobian of four dimensions.
#[primitive]
fn transposed(x: &ArrayRef2<f64>) -> Array2<f64> {
    x.t().to_owned()
}

easy_rule! {
    fn transposed(x: &ArrayRef2<f64>) -> y: Array2<f64>;
    dy/dx = {
        let (m, n) = x.dim();
        let entry = |i: usize, j: usize, k: usize, l: usize| if (i, j) == (l, k) { 1.0 } else { 0.0 };
        ArrayD::from_shape_fn(vec![n, m, m, n], |at| entry(at[0], at[1], at[2], at[3]))
    };
}

#[test]
fn arrays_contract_in_both_modes() {
    let x = array![[1.0, 2.0], [3.0, 4.0]];
    let dx = array![[1.0, 0.0], [0.0, 10.0]];
    assert_eq!(autodiff!(Forward, square_sum, Duplicated(&x, &dx)), (82.0,));
    assert_eq!(gradient!(square_sum, &x), (&x * 2.0,));

    let (x, dx) = (array![3.0, 5.0], array![1.0, 10.0]);
    assert_eq!(
        autodiff!(Forward, mixed, Duplicated(&x, &dx), Duplicated(2.0, 100.0)),
        (array![35.0, 302.0, 100.0],)
    );
    let thunk = Thunk::<_, Duplicated<Array1<f64>>>::new(mixed {});
    let mut shadow = Array1::zeros(2);
    let mut args = (Duplicated(&x, &mut shadow), Active(2.0));
    let tape = thunk.augmented(&mut args).tape;
    let ((), [dt]) = thunk.reverse([array![1.0, 10.0, 100.0]], tape, &mut args);
    assert_eq!((shadow, dt), (array![25.0, 3.0], 130.0));
}

#[test]
fn entry_by_entry_needs_no_jacobian() {
    let (x, dx) = (array![0.0, 1.0], array![2.0, 3.0]);
    let (tangent,) = autodiff!(Forward, exp, Duplicated(&x, &dx));
    assert_eq!(tangent, array![2.0, 3.0 * 1.0_f64.exp()]);
    let thunk = Thunk::<_, Duplicated<Array1<f64>>>::new(exp {});
    let mut shadow = Array1::zeros(2);
    let mut args = (Duplicated(&x, &mut shadow),);
    let tape = thunk.augmented(&mut args).tape;
    thunk.reverse([array![1.0, 2.0]], tape, &mut args);
    assert_eq!(shadow, array![1.0, 2.0 * 1.0_f64.exp()]);
}

#[test]
fn jacobians_may_have_any_number_of_dimensions() {
    let x = array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let dx = &x * 10.0;
    let (tangent,) = autodiff!(Forward, transposed, Duplicated(&x, &dx));
    assert_eq!(tangent, dx.t());
    let thunk = Thunk::<_, Duplicated<Array2<f64>>>::new(transposed {});
    let mut shadow = Array2::ones((2, 3));
    let mut args = (Duplicated(&x, &mut shadow),);
    let tape = thunk.augmented(&mut args).tape;
    thunk.reverse([x.t().to_owned()], tape, &mut args);
    assert_eq!(shadow, &x + 1.0);
}
