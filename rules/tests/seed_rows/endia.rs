//! Endia's tutorial of custom operations: a product of arrays, written by a user.

use std::cell::Cell;

use coenzyme::Dual;
use coenzyme::prelude::*;
use coenzyme_rules::array::{exp, mul, sum};
use coenzyme_rules::binary_rule;
use coenzyme_rules::class::{Bilinear, Product, Scalar};
use coenzyme_testutils::input;
use ndarray::{
    Array, Array1, Array2, ArrayRef, ArrayRef1, Axis, Dimension, Zip, array, concatenate,
};

use super::judge::{entries_of, others};
use super::run;

thread_local! {
    /// How often a cotangent of [`custom_mul`] was computed on this thread.
    static COTANGENTS: Cell<usize> = const { Cell::new(0) };
}

/// The product of arrays of one shape, entry by entry. **Panics** if the shapes differ.
#[primitive]
#[track_caller]
fn custom_mul<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, y: &ArrayRef<T, D>) -> Array<T, D> {
    let (a, b) = (x.shape(), y.shape());
    assert!(a == b, "custom_mul: shapes {a:?} and {b:?}");
    Zip::from(x).and(y).map_collect(|&x, &y| x * y)
}

/// The cotangents call the function that they are the cotangents of, which is defined with them.
impl<T: Scalar, D: Dimension> Bilinear<ArrayRef<T, D>, ArrayRef<T, D>> for custom_mul {
    type Out = Array<T, D>;
    type Attrs<'a> = ();

    fn product(x: &ArrayRef<T, D>, y: &ArrayRef<T, D>, (): ()) -> Array<T, D> {
        custom_mul(x, y)
    }
    fn transpose_x(dz: &Array<T, D>, y: &ArrayRef<T, D>, dx: &mut ArrayRef<T, D>, (): ()) {
        COTANGENTS.set(COTANGENTS.get() + 1);
        *dx += &custom_mul(dz, y);
    }
    fn transpose_y(dz: &Array<T, D>, x: &ArrayRef<T, D>, dy: &mut ArrayRef<T, D>, (): ()) {
        COTANGENTS.set(COTANGENTS.get() + 1);
        *dy += &custom_mul(dz, x);
    }
}

binary_rule!(custom_mul[T: Scalar, D: Dimension](x: ArrayRef<T, D>, y: ArrayRef<T, D>) = Product<custom_mul>);

// E1: a rule of another crate has the rights of a built-in one.
coenzyme_testutils::test_rule! {
    custom_mul;
    x: input(entries_of((2, n))), y: input(others(&entries_of((2, n))));
    ret: [Const, Duplicated];
    name = e1_a_users_operation_in_every_mix, widths = [1, 3], sizes = n in [0, 1, 3]
}

#[test]
fn e1_a_users_operation_gives_the_bits_of_the_built_in_one() {
    let (x, y) = (entries_of((3, 5)), others(&entries_of((3, 5))));
    let seed = x.mapv(f64::sin);
    let cotangents = |builtin: bool| {
        let (mut dx, mut dy) = (Tangent::zero_like(&x), Tangent::zero_like(&y));
        let args = (Duplicated(&*x, &mut *dx), Duplicated(&*y, &mut *dy));
        let z = match builtin {
            true => run(&mul {}, args, &seed),
            false => run(&custom_mul {}, args, &seed),
        };
        (z, dx, dy)
    };
    assert_eq!(cotangents(false), cotangents(true));
}

/// A kernel that writes to memory it is given.
#[differentiable]
fn mul_into(out: &mut [f64], a: &[f64], b: &[f64]) {
    for i in 0..out.len() {
        out[i] = a[i] * b[i];
    }
}

#[test]
fn e2_a_kernel_writes_to_the_output_it_is_given() {
    let (a, b, mut out) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [9.0; 3]);
    mul_into(&mut out, &a, &b);
    assert_eq!(out, [4.0, 10.0, 18.0]);
    assert_eq!(out.iter().sum::<f64>(), 32.0);
    // The output is an argument with an activity: its cotangent is used up.
    let (mut dout, mut da, mut db) = ([10.0, 100.0, 1000.0], [0.0; 3], [0.0; 3]);
    autodiff!(
        Reverse,
        mul_into,
        Duplicated(&mut out, &mut dout),
        Duplicated(&a, &mut da),
        Duplicated(&b, &mut db)
    );
    assert_eq!(out, [4.0, 10.0, 18.0]);
    assert_eq!(
        (dout, da, db),
        ([0.0; 3], [40.0, 500.0, 6000.0], [10.0, 200.0, 3000.0])
    );
}

#[differentiable]
fn square(x: f64, (): &()) -> f64 {
    x * x
}

#[test]
fn e4_in_parallel_the_same_bits() {
    use coenzyme::Inactive;
    use coenzyme_rules::parallel::map;
    let x: Vec<f64> = (0..1_000_000).map(|i| f64::from(i).sin()).collect();
    let parallel = map(&x[..], &(), Inactive(square {}));
    let serial: Vec<f64> = x.iter().map(|&x| square(x, &())).collect();
    assert_eq!(parallel, serial);
    let array = Array1::from(x);
    assert_eq!(mul(&array, &array).to_vec(), serial);
}

#[test]
fn e5_the_cotangent_rule_has_operands_and_value() {
    let (a, b, v) = (
        array![1., 2., 3.],
        array![4., 5., 6.],
        array![10., 100., 1000.],
    );
    let (mut da, mut db) = (Tangent::zero_like(&a), Tangent::zero_like(&b));
    let args = (Duplicated(&*a, &mut *da), Duplicated(&*b, &mut *db));
    assert_eq!(run(&mul {}, args, &v), array![4., 10., 18.]);
    assert_eq!(
        (da, db),
        (array![40., 500., 6000.], array![10., 200., 3000.])
    );

    // `exp` keeps its value alone: the operand may be overwritten, and is.
    let (x, mut dx) = (array![-1.0, 0.0, 0.5, 2.0], Array1::zeros(4));
    let mut scratch = x.clone();
    let config = ReverseConfig::new(false).with_all_overwritten();
    let thunk = Thunk::<_, Duplicated<Array1<f64>>>::new(exp {}).with_config(config);
    let tape = thunk
        .augmented(&mut (Duplicated(&*scratch, &mut *dx),))
        .tape;
    scratch.fill(f64::NAN);
    thunk.reverse(
        [Array1::ones(4)],
        tape,
        &mut (Duplicated(&*scratch, &mut *dx),),
    );
    super::close(&dx, &[0.367879441171, 1.0, 1.648721270700, 7.389056098931]);
}

#[test]
fn e6_the_jacobian_by_columns_is_that_by_rows() {
    let (a, b, zero) = (array![1., 2., 3.], array![4., 5., 6.], array![0., 0., 0.]);
    let (mut columns, mut rows) = (Array2::zeros((3, 6)), Array2::zeros((3, 6)));
    for i in 0..3 {
        let mut unit = zero.clone();
        unit[i] = 1.0;
        for (of_a, of_b, j) in [(&unit, &zero, i), (&zero, &unit, i + 3)] {
            let (dc,) = autodiff!(
                Forward,
                custom_mul,
                Duplicated(&a, of_a),
                Duplicated(&b, of_b)
            );
            columns.column_mut(j).assign(&dc);
        }
        let (mut da, mut db) = (zero.clone(), zero.clone());
        run(
            &custom_mul {},
            (Duplicated(&*a, &mut *da), Duplicated(&*b, &mut *db)),
            &unit,
        );
        rows.row_mut(i).assign(&concatenate![Axis(0), da, db]);
    }
    let want = array![
        [4., 0., 0., 1., 0., 0.],
        [0., 5., 0., 0., 2., 0.],
        [0., 0., 6., 0., 0., 3.]
    ];
    assert_eq!((&columns, &rows), (&want, &want));
    let v = array![10., 100., 1000.];
    assert_eq!(v.dot(&rows), array![40., 500., 6000., 10., 200., 3000.]);
}

#[test]
fn e7_the_cotangent_rule_calls_the_function_it_belongs_to() {
    let (a, mut da) = (array![1., 2., 3.], array![0., 0., 0.]);
    let b = array![4., 5., 6.];
    run(
        &custom_mul {},
        (Duplicated(&*a, &mut *da), Const(&*b)),
        &array![1., 1., 1.],
    );
    assert_eq!(da, b);
}

/// A number with three independent small parts: derivatives of the gradient up to the fourth order of the function.
type D3 = Dual<Dual<Dual<f64>>>;

/// `Σx³`
#[differentiable]
fn cubes(x: &Array1<D3>) -> D3 {
    let squares = custom_mul(x, x);
    let cubes = custom_mul(x, &squares);
    sum(&cubes)
}

/// The gradient of [`cubes`] at 1, 2, 3, which move in a direction in each of the three parts.
fn slope_of_cubes(v: [f64; 3]) -> (D3, Array1<D3>) {
    let moving = |(x, v)| {
        let small = Dual::new(Dual::from(v), Dual::from(0.0));
        Dual::new(Dual::new(Dual::new(x, v), Dual::from(v)), small)
    };
    let x = Array1::from_iter([1., 2., 3.].into_iter().zip(v).map(moving));
    let mut dx = Tangent::zero_like(&x);
    let (_, value) = autodiff!(ReverseWithPrimal, cubes, Duplicated(&x, &mut dx));
    (value, dx)
}

#[test]
fn e8_rules_of_differentiable_operations_can_be_differentiated_again() {
    let (value, slope) = slope_of_cubes([1., 1., 1.]);
    assert_eq!(value.value.value.value, 36.0);
    assert_eq!(slope.mapv(|d| d.value.value.value), array![3., 12., 27.]);
    assert_eq!(slope.mapv(|d| d.value.value.tangent), array![6., 12., 18.]);
    assert_eq!(slope.mapv(|d| d.value.tangent.tangent), array![6., 6., 6.]);
    assert_eq!(
        slope.mapv(|d| d.tangent.tangent.tangent),
        array![0., 0., 0.]
    );
    let (_, slope) = slope_of_cubes([1., -1., 2.]);
    assert_eq!(slope.mapv(|d| d.value.value.tangent), array![6., -12., 36.]);
}

#[test]
fn e8_the_second_derivative_of_a_product_exchanges_its_factors() {
    let dual = |x: [f64; 3], dx: [f64; 3]| {
        Array1::from_iter(x.into_iter().zip(dx).map(|(x, dx)| Dual::new(x, dx)))
    };
    let (da, db) = ([1., -1., 2.], [0.5, 0., 3.]);
    let (a, b) = (dual([1., 2., 3.], da), dual([4., 5., 6.], db));
    let (mut of_a, mut of_b) = (Tangent::zero_like(&a), Tangent::zero_like(&b));
    let seed = Array1::from_elem(3, Dual::from(1.0));
    run(
        &custom_mul {},
        (Duplicated(&*a, &mut *of_a), Duplicated(&*b, &mut *of_b)),
        &seed,
    );
    let tangents = |d: &Array1<Dual<f64>>| d.mapv(|d| d.tangent).to_vec();
    assert_eq!(
        (tangents(&of_a), tangents(&of_b)),
        (db.to_vec(), da.to_vec())
    );
}

#[test]
fn e10_the_output_has_the_shape_of_the_operands() {
    let x = Array2::<f64>::ones((2, 3));
    assert_eq!(custom_mul(&x, &x).shape(), [2, 3]);
    assert_eq!(custom_mul(&x.t(), &x.t()).shape(), [3, 2]);
}

#[test]
fn e11_operations_of_one_name_live_in_their_modules() {
    mod mine {
        use coenzyme::prelude::*;
        #[differentiable]
        pub(super) fn mul(x: f64, y: f64) -> f64 {
            x * y
        }
    }
    let path = std::any::type_name::<mine::mul>();
    assert!(path.contains("mine::mul"), "{path}");
    assert_ne!(path, std::any::type_name::<mul>());
    assert_eq!(
        autodiff!(Reverse, mine::mul, Active(3.0), Active(4.0)),
        ((4.0, 3.0),)
    );
}

#[differentiable]
fn total(a: &Array1<f64>, b: &Array1<f64>) -> f64 {
    let c = mul(a, b);
    sum(&c)
}

#[test]
fn e12_shadows_accumulate_over_calls() {
    let (a, b) = (array![1., 2., 3.], array![4., 5., 6.]);
    let (mut da, mut db) = (Tangent::zero_like(&a), Tangent::zero_like(&b));
    for times in [1.0, 2.0] {
        let (_, value) = autodiff!(
            ReverseWithPrimal,
            total,
            Duplicated(&a, &mut da),
            Duplicated(&b, &mut db)
        );
        assert_eq!(value, 32.0);
        assert_eq!((&da, &db), (&(&b * times), &(&a * times)));
    }
}

#[test]
fn e13_the_cotangent_of_a_constant_is_not_computed() {
    let (a, b, mut da, mut db) = (
        array![1., 2., 3.],
        array![4., 5., 6.],
        array![0., 0., 0.],
        array![0., 0., 0.],
    );
    let one = array![1., 1., 1.];
    let computed = |call: &mut dyn FnMut()| {
        COTANGENTS.set(0);
        call();
        COTANGENTS.get()
    };
    let only_b = computed(&mut || {
        run(
            &custom_mul {},
            (Const(&*a), Duplicated(&*b, &mut *db)),
            &one,
        );
    });
    assert_eq!((only_b, &db), (1, &a));
    db.fill(0.0);
    let both = computed(&mut || {
        run(
            &custom_mul {},
            (Duplicated(&*a, &mut *da), Duplicated(&*b, &mut *db)),
            &one,
        );
    });
    assert_eq!((both, &da, &db), (2, &b, &a));
    let none = computed(&mut || {
        run(
            &custom_mul {},
            (Const::<&ArrayRef1<f64>>(&a), Const::<&ArrayRef1<f64>>(&b)),
            &one,
        );
    });
    assert_eq!(none, 0);
}

#[test]
fn e14_both_operands_are_broadcast() {
    let (a, b) = (array![[1.], [2.]], array![[10., 20., 30.]]);
    let (mut da, mut db) = (Tangent::zero_like(&a), Tangent::zero_like(&b));
    let seed = array![[1., 2., 3.], [4., 5., 6.]];
    let args = (Duplicated(&*a, &mut *da), Duplicated(&*b, &mut *db));
    assert_eq!(
        run(&mul {}, args, &seed),
        array![[10., 20., 30.], [20., 40., 60.]]
    );
    assert_eq!((da, db), (array![[140.], [320.]], array![[9., 12., 15.]]));
}

#[test]
#[should_panic(expected = "custom_mul: shapes [3] and [2]")]
fn e16_an_operation_may_refuse_to_broadcast() {
    let _ = custom_mul(&array![1., 2., 3.], &array![1., 2.]);
}
