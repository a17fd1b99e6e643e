//! An erased rule is a static rule again.

use coenzyme::prelude::*;
use coenzyme::{Inactive, Tangent, Thunk};
use coenzyme_graph::{Named, OpError, Surely, apply1, apply2, attrs};
use coenzyme_rules::array::sum;
use coenzyme_testutils::{input, test_forward, test_reverse};
use ndarray::{Array1, Array2, ArrayD, ArrayRef2, array};

use super::{core, none};

#[test]
fn the_tester_judges_erased_rules_in_both_modes() {
    let softmax = Named::new(&core("softmax"), attrs! { axis: -1 });
    let x = input(array![[0.3, -1.2, 0.7], [2.0, 0.1, 0.4]]);
    test_forward!((softmax.clone()), Duplicated, (x, Duplicated));
    test_reverse!((softmax), Duplicated, (x, Duplicated));
    let mul = Named::new(&core("mul"), none());
    let y = input(array![[1.5], [-0.5]]);
    test_forward!((mul.clone()), Duplicated, (x, Duplicated), (y, Duplicated));
    test_reverse!((mul.clone()), Duplicated, (x, Duplicated), (y, Duplicated));
    test_reverse!((mul), Duplicated, (x, Const), (y, Duplicated));
}

#[test]
fn a_thunk_splits_an_erased_rule() {
    type R = Duplicated<Result<ArrayD<f64>, OpError>>;
    let (x, mut dx) = (array![0.0, 1.0, 2.0], Array1::zeros(3));
    let mut args = (Duplicated(&*x, &mut *dx),);
    let thunk = Thunk::<_, R>::new(Named::new(&core("softmax"), attrs! { axis: 0 }));
    let augmented = thunk.augmented(&mut args).expect("fits");
    let y = augmented.primal.expect("wanted");
    let _ = thunk.reverse(
        [array![1.0, 0.0, 0.0].into_dyn()],
        augmented.tape,
        &mut args,
    );
    // y₀·(e₀ − y)
    let want = [y[0] * (1.0 - y[0]), -y[0] * y[1], -y[0] * y[2]];
    dx.iter()
        .zip(want)
        .for_each(|(a, b)| assert!((a - b).abs() < 1e-15));
}

#[differentiable]
fn through(
    w: &ArrayRef2<f64>,
    x: &ArrayRef2<f64>,
    matmul: Inactive<Named>,
    swish: Inactive<Named>,
) -> Result<f64, OpError> {
    let h = apply2(matmul, w, x)?;
    let y = apply1(swish, &h)?;
    Ok(sum(&y))
}

#[test]
fn generated_derivatives_call_operations_known_at_run_time() {
    use coenzyme_rules::{array::swish, linalg::matmul};
    #[differentiable]
    fn statically(w: &ArrayRef2<f64>, x: &ArrayRef2<f64>) -> f64 {
        let h = matmul(w, x);
        let y = swish(&h);
        sum(&y)
    }
    let (w, x) = (array![[0.3, -0.7], [1.1, 0.2]], array![[1.0], [2.0]]);
    let named = |name: &str| Inactive(Named::new(&core(name), none()));
    let (mut dw, mut want) = (Array2::zeros((2, 2)), Array2::zeros((2, 2)));
    let done = autodiff!(
        Reverse,
        through,
        Active,
        Duplicated(&*w, &mut *dw),
        Const(&*x),
        Const(named("matmul")),
        Const(named("swish"))
    );
    done.expect("fits");
    autodiff!(
        Reverse,
        statically,
        Active,
        Duplicated(&*w, &mut *want),
        Const(&*x)
    );
    assert_eq!(dw, want);
}

#[test]
fn vmap_and_lanes_take_erased_rules() {
    use coenzyme_rules::parallel::vmap;
    let mul = Inactive(Surely(Named::new(&core("mul"), none())));
    let (x, p) = (array![[1.0, 2.0], [3.0, 4.0]], array![10.0, 100.0]);
    let (mut dx, mut dp) = (Tangent::zero_like(&x), Tangent::zero_like(&p));
    type R = Duplicated<ArrayD<f64>>;
    let mut args = (
        Duplicated(&*x, &mut *dx),
        Duplicated(&*p, &mut *dp),
        Const(mul),
    );
    let thunk = Thunk::<_, R>::new(vmap {});
    let augmented = thunk.augmented(&mut args);
    assert_eq!(
        augmented.primal,
        Some(array![[10.0, 200.0], [30.0, 400.0]].into_dyn())
    );
    let ones = ArrayD::from_elem(vec![2, 2], 1.0);
    let _ = thunk.reverse([ones], augmented.tape, &mut args);
    assert_eq!(
        (dx, dp),
        (array![[10.0, 100.0], [10.0, 100.0]], array![4.0, 6.0])
    );

    let softmax = Surely(Named::new(&core("softmax"), attrs! { axis: 0 }));
    // the columns of a Jacobian, in two lanes of one call
    let (x, e, f) = (array![0.0, 0.0], array![1.0, 0.0], array![0.0, 1.0]);
    let columns = (BatchDuplicated(&*x, [&*e, &*f]),);
    let (columns,) = autodiff(Forward, &softmax, coenzyme::AsDuplicated, columns);
    assert_eq!(
        columns,
        [
            array![0.25, -0.25].into_dyn(),
            array![-0.25, 0.25].into_dyn()
        ]
    );
}
