//! Nabla's base classes of operations.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::thread;

use coenzyme::prelude::*;
use coenzyme_rules::array::{
    self, abs, broadcast_to, concatenate, mean_axis, mul, scale, slice_axis, split, sum,
};
use coenzyme_rules::array::{sum_axes, sum_axis};
use coenzyme_rules::class::{At, Each, Elementwise1, Reads, Scalar, Unary};
use coenzyme_rules::linalg::matmul;
use coenzyme_rules::unary_rule;
use ndarray::{Array, Array1, Array2, Array3, ArrayRef, ArrayRef1, Dimension, Ix2, arr0, array};

use super::run;

thread_local! {
    /// What the driver asked [`traced`] for, in order.
    static STAGES: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

fn stage(name: &'static str) {
    STAGES.with_borrow_mut(|stages| stages.push(name));
}

/// `2x`, which notes what it is asked for.
#[primitive]
fn traced(x: &ArrayRef1<f64>) -> Array1<f64> {
    stage("value");
    x * 2.0
}

impl Unary<ArrayRef1<f64>> for traced {
    type Out = Array1<f64>;
    type Attrs<'a> = ();
    type Residual = ();

    const READS: Reads = Reads::OUT;

    fn value(x: &ArrayRef1<f64>, (): ()) -> Array1<f64> {
        traced(x)
    }
    fn pushforward(
        _: &At<'_, ArrayRef1<f64>, Array1<f64>, ()>,
        dx: &ArrayRef1<f64>,
        (): (),
    ) -> Array1<f64> {
        stage("pushforward");
        dx * 2.0
    }
    fn pullback(
        _: &At<'_, ArrayRef1<f64>, Array1<f64>, ()>,
        dy: &Array1<f64>,
        dx: &mut ArrayRef1<f64>,
        (): (),
    ) {
        stage("pullback");
        dx.scaled_add(2.0, dy);
    }
}

unary_rule!(traced[](x: ArrayRef1<f64>) = traced);

#[test]
fn n1_every_call_goes_through_the_same_stages() {
    let (x, mut dx) = (array![1.0, 2.0], array![0.0, 0.0]);
    let stages = || STAGES.with_borrow_mut(std::mem::take);
    let two = BatchDuplicated(&*x, [&*x, &*x]);
    let _ = autodiff!(ForwardWithPrimal, traced, two);
    assert_eq!(stages(), ["value", "pushforward", "pushforward"]);
    run(&traced {}, (Duplicated(&*x, &mut *dx),), &x);
    assert_eq!(stages(), ["value", "pullback"]);
    run(&traced {}, (Const::<&ArrayRef1<f64>>(&x),), &x);
    assert_eq!(stages(), ["value"]);
}

#[test]
fn n2_operations_have_no_state() {
    fn shared<T: Send + Sync + Copy>(_: &T) -> usize {
        size_of::<T>()
    }
    assert_eq!(
        (shared(&mul {}), shared(&sum {}), shared(&matmul {})),
        (0, 0, 0)
    );
    let gradient = || {
        let (x, y) = (array![1.5, -2.0, 0.3], array![0.2, 7.0, -1.1]);
        let mut dx = Tangent::zero_like(&x);
        run(&mul {}, (Duplicated(&*x, &mut *dx), Const(&*y)), &x);
        dx
    };
    let want = gradient();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..1000).for_each(|_| assert_eq!(gradient(), want)));
        }
    });
}

#[test]
fn n3_operations_have_unique_names() {
    let names = [
        std::any::type_name::<mul>(),
        std::any::type_name::<sum>(),
        std::any::type_name::<coenzyme_rules::scalar::erf>(),
        std::any::type_name::<array::erf>(),
    ];
    assert!(
        names
            .iter()
            .all(|name| name.starts_with("coenzyme_rules::")),
        "{names:?}"
    );
    let unique: std::collections::HashSet<_> = names.iter().collect();
    assert_eq!(unique.len(), names.len(), "{names:?}");
}

#[test]
fn n4_an_operation_may_return_a_list() {
    let (x, mut dx) = (array![1., 2., 3., 4., 5., 6.], Array1::zeros(6));
    let seed = vec![array![1., 1.], array![0., 0.], array![2., 2.]];
    let args = (Duplicated(&*x, &mut *dx), Const(0_usize), Const(3_usize));
    let parts = run(&split {}, args, &seed);
    assert_eq!(parts, [array![1., 2.], array![3., 4.], array![5., 6.]]);
    assert_eq!(dx, array![1., 1., 0., 0., 2., 2.]);
}

#[test]
fn n6_a_constant_operand_has_no_cotangent() {
    let (a, b) = (array![[1., 2.], [3., 4.]], array![[5., 6.], [7., 8.]]);
    let (mut da, mut db) = (Tangent::zero_like(&a), Tangent::zero_like(&b));
    let eye = Array2::eye(2);
    let args = (Duplicated(&*a, &mut *da), Duplicated(&*b, &mut *db));
    assert_eq!(run(&matmul {}, args, &eye), array![[19., 22.], [43., 50.]]);
    assert_eq!(
        (&da, &db),
        (&array![[5., 7.], [6., 8.]], &array![[1., 3.], [2., 4.]])
    );
    run(&matmul {}, (Const(&*a), Duplicated(&*b, &mut *db)), &eye);
    assert_eq!(db, array![[2., 6.], [4., 8.]]);
}

#[test]
fn n7_tangents_follow_the_product_rule() {
    let (a, b) = (array![[1., 2.], [3., 4.]], array![[5., 6.], [7., 8.]]);
    let (eye, zero) = (Array2::eye(2), Array2::zeros((2, 2)));
    let (dc,) = autodiff!(Forward, matmul, Duplicated(&a, &eye), Duplicated(&b, &zero));
    assert_eq!(dc, b);
    let (dc,) = autodiff!(Forward, matmul, Duplicated(&a, &zero), Duplicated(&b, &eye));
    assert_eq!(dc, a);
}

/// Whether a marker has a reverse rule for the arguments: an inherent constant, if the bounds hold, hides that of the trait.
struct HasRule<F, R, A>(PhantomData<(F, R, A)>);

trait NoRule {
    const FOUND: bool = false;
}
impl<F, R, A> NoRule for HasRule<F, R, A> {}

impl<F, R, A> HasRule<F, R, A>
where
    R: ReverseReturn<1>,
    A: coenzyme::Args<1>,
    F: ReverseRule<R, A, 1>,
{
    const FOUND: bool = true;
}

type Dup<T, D> = Duplicated<&'static ArrayRef<T, D>, &'static mut ArrayRef<T, D>>;
type Fixed<T, D> = Const<&'static ArrayRef<T, D>>;

#[test]
fn n17_active_operands_are_floats() {
    const { assert!(HasRule::<sum, Active<f64>, (Dup<f64, Ix2>,)>::FOUND) };
    const { assert!(!HasRule::<sum, Active<i32>, (Dup<i32, Ix2>,)>::FOUND) };
    // One operand too many.
    const { assert!(!HasRule::<sum, Active<f64>, (Dup<f64, Ix2>, Dup<f64, Ix2>)>::FOUND) };
}

#[test]
fn n18_the_rank_of_the_output_follows_from_that_of_the_operand() {
    let x = Array3::<f64>::zeros((2, 3, 4));
    let less: Array2<f64> = sum_axis(&x, 1);
    assert_eq!((less.ndim(), sum_axes(&x, &[1], true).ndim()), (2, 3));
}

/// `x + 1`, whose derivative reads nothing.
#[primitive]
fn add_one<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> Array<T, D> {
    Each::<add_one>::value(x, ())
}
impl<T: Scalar> Elementwise1<T> for add_one {
    const READS: Reads = Reads::NOTHING;
    fn value(x: T) -> T {
        x + T::one()
    }
    fn partial(_: T, _: T) -> T {
        T::one()
    }
}
unary_rule!(add_one[T: Scalar, D: Dimension](x: ArrayRef<T, D>) = Each<add_one>);

/// `Σ(x + 1)x`
#[differentiable]
fn notebook(x: &Array1<f64>) -> f64 {
    let y = add_one(x);
    let z = mul(&y, x);
    sum(&z)
}

#[test]
fn n20_a_users_function_with_value_and_partial_is_differentiable() {
    let (x, mut dx) = (array![1., 2., 3.], array![0., 0., 0.]);
    let (_, value) = autodiff!(ReverseWithPrimal, notebook, Duplicated(&x, &mut dx));
    assert_eq!((value, dx), (20.0, array![3., 5., 7.]));
}

#[test]
fn n20_what_reads_nothing_keeps_nothing() {
    let (x, mut dx) = (Array1::<f64>::ones(1000), Array1::zeros(1000));
    let config = ReverseConfig::new(false).with_all_overwritten();
    let thunk = Thunk::<_, Duplicated<Array1<f64>>>::new(add_one {}).with_config(config);
    let mut args = (Duplicated(&*x, &mut *dx),);
    let kept = allocation_counter::measure(|| {
        let augmented = thunk.augmented(&mut args);
        drop(augmented.shadow);
        std::mem::forget(augmented.tape);
    });
    assert_eq!(kept.bytes_current, 0);
}

#[test]
fn n20_the_partials_of_the_library() {
    let x = array![-1.0, 0.0, 0.5, 2.0];
    macro_rules! partials {
        ($f:ident) => {{
            let mut dx = Array1::zeros(4);
            run(
                &array::$f {},
                (Duplicated(&*x, &mut *dx),),
                &Array1::ones(4),
            );
            dx
        }};
    }
    super::close(
        &partials!(tanh),
        &[0.419974341614, 1.0, 0.786447732966, 0.070650824853],
    );
    super::close(
        &partials!(logistic),
        &[0.196611933241, 0.25, 0.235003712202, 0.104993585404],
    );
    assert_eq!(partials!(relu), array![0.0, 0.0, 1.0, 1.0]);
}

/// `|x|`, whose rules are written by hand.
#[primitive]
fn distance(x: f64) -> f64 {
    x.abs()
}

fn sign(x: f64) -> f64 {
    f64::from(i8::from(x > 0.0) - i8::from(x < 0.0))
}

impl<X: ForwardArg<f64, 1>> ForwardRule<DuplicatedNoNeed<f64>, (X,), 1> for distance {
    fn forward(&self, _: &ForwardConfig, (x,): (&mut X,)) -> [f64; 1] {
        [x.tangent(0).map_or(0.0, |dx| sign(*x.primal()) * dx)]
    }
}

#[test]
fn n21_rules_may_be_written_by_hand() {
    for (x, slope) in [(-3.0, -1.0), (0.0, 0.0), (-0.0, 0.0), (2.0, 1.0)] {
        assert_eq!(
            autodiff!(Forward, distance, DuplicatedNoNeed, Duplicated(x, 5.0)),
            (5.0 * slope,)
        );
        // The library agrees.
        let (x, mut dx) = (arr0(x), arr0(0.0));
        run(&abs {}, (Duplicated(&*x, &mut *dx),), &arr0(1.0));
        assert_eq!(dx[()], slope);
    }
}

#[test]
#[should_panic(expected = "cannot broadcast [2, 3] with [4]")]
fn n22_shapes_are_aligned_before_anything_is_computed() {
    let _ = mul(&Array2::<f64>::zeros((2, 3)), &array![1., 2., 3., 4.]);
}

#[test]
fn n24_the_output_has_the_broadcast_shape_and_one_type_of_number() {
    let (x, y) = (
        Array3::<f64>::zeros((4, 1, 3)),
        Array2::<f64>::zeros((2, 1)),
    );
    assert_eq!(mul(&x, &y).shape(), [4, 2, 3]);
    // There is no product of numbers of two precisions.
    const { assert!(HasRule::<mul, Duplicated<Array2<f64>>, (Dup<f64, Ix2>, Fixed<f64, Ix2>)>::FOUND) };
    const { assert!(!HasRule::<mul, Duplicated<Array2<f64>>, (Dup<f64, Ix2>, Fixed<f32, Ix2>)>::FOUND) };
    const { assert!(!HasRule::<mul, Duplicated<Array2<f32>>, (Dup<f32, Ix2>, Fixed<f64, Ix2>)>::FOUND) };
}

#[test]
fn n29_the_cotangent_of_a_mean_is_spread_evenly() {
    let (x, mut dx) = (array![[1., 2., 3.], [4., 5., 6.]], Array2::zeros((2, 3)));
    let mean = {
        let config = ReverseConfig::new(true);
        let mut args = (Duplicated(&*x, &mut *dx), Const(1_usize));
        let thunk = Thunk::<_, Duplicated<Array1<f64>>>::new(mean_axis {}).with_config(config);
        let augmented = thunk.augmented(&mut args);
        let _ = thunk.reverse([array![1., 1.]], augmented.tape, &mut args);
        augmented.primal
    };
    assert_eq!(mean, Some(array![2., 5.]));
    assert_eq!(dx, Array2::from_elem((2, 3), 1.0 / 3.0));
}

#[test]
fn n30_slices_give_back_their_places() {
    let (x, mut dx) = (array![[1., 2., 3.], [4., 5., 6.]], Array2::zeros((2, 3)));
    let args = (Duplicated(&*x, &mut *dx), Const(1_usize), Const(1..3_usize));
    let y = run(&slice_axis {}, args, &array![[10., 20.], [30., 40.]]);
    assert_eq!(y, array![[2., 3.], [5., 6.]]);
    assert_eq!(dx, array![[0., 10., 20.], [0., 30., 40.]]);
    assert_eq!(
        concatenate(vec![&array![[1., 2.]], &array![[3., 4.], [5., 6.]]], 0).shape(),
        [3, 2]
    );
}

#[test]
fn n31_what_was_repeated_is_summed() {
    let (x, mut dx) = (array![[1.], [2.]], array![[0.], [0.]]);
    let seed = array![[1., 2., 3.], [4., 5., 6.]];
    let y = run(
        &broadcast_to {},
        (Duplicated(&*x, &mut *dx), Const([2_usize, 3])),
        &seed,
    );
    assert_eq!(y, array![[1., 1., 1.], [2., 2., 2.]]);
    assert_eq!(dx, array![[6.], [15.]]);
}

/// Made from its attribute alone.
#[inactive]
fn zeros(shape: (usize, usize)) -> Array2<f64> {
    Array2::zeros(shape)
}

#[test]
fn n32_what_is_created_has_no_derivative() {
    let config = ReverseConfig::new(true);
    let thunk = Thunk::<_, Const<Array2<f64>>>::new(zeros {}).with_config(config);
    let augmented = thunk.augmented(&mut (Const((2, 3)),));
    assert_eq!(augmented.primal, Some(Array2::zeros((2, 3))));
    assert_eq!(size_of_val(&augmented.tape), 0);
    assert_eq!(size_of_val(&augmented.shadow), 0);
    assert_eq!(autodiff!(Forward, zeros, Const, Const((2, 3))), ());
}

#[test]
fn n35_numbers_and_arrays_are_operands_alike() {
    let (a, mut da) = (array![1., 2., 3.], array![0., 0., 0.]);
    let one = array![1., 1., 1.];
    assert_eq!(
        run(&scale {}, (Duplicated(&*a, &mut *da), Const(2.0)), &one),
        array![2., 4., 6.]
    );
    let two = arr0(2.0);
    assert_eq!(
        run(&mul {}, (Duplicated(&*a, &mut *da), Const(&*two)), &one),
        array![2., 4., 6.]
    );
    assert_eq!(da, array![4., 4., 4.]);
}
