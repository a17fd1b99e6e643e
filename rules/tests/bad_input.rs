//! What a caller can do wrong, a line for each: the function, the first half of its reverse rule and its forward rule say the
//! same, with the shapes, and leave every operand and shadow as it was.

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};

use coenzyme::{
    Args, BatchDuplicated, Const, Duplicated, ForwardConfig, ForwardRule, Function, Inactive,
    Outcome, ReverseConfig, ReverseRule,
};
use coenzyme_rules::linalg::{Error, Pattern};
use ndarray::{Array, Array1, Array2, ArrayRef, Dimension, ShapeBuilder, array};

/// The type of what a function returns.
fn returned<O>(_: impl FnOnce() -> O) -> PhantomData<O> {
    PhantomData
}

fn forward<F, A, O>(f: &F, args: &mut A, _: PhantomData<O>) -> O::Of<()>
where
    O: Outcome,
    A: Args<1>,
    F: ForwardRule<BatchDuplicated<O, O, 1>, A, 1>,
{
    O::map_of(f.forward(&ForwardConfig::new(true), args.refs()), |_| ())
}

fn augmented<F, A, O>(f: &F, args: &mut A, _: PhantomData<O>) -> O::Of<()>
where
    O: Outcome,
    A: Args<1>,
    F: ReverseRule<BatchDuplicated<O, O, 1>, A, 1>,
{
    let config = ReverseConfig::new(true).with_all_overwritten();
    O::map_of(f.augmented_primal(&config, args.refs()), |_| ())
}

/// What `call` panics with.
#[track_caller]
fn panic_of<U>(what: &str, call: impl FnOnce() -> U) -> String {
    let payload = match catch_unwind(AssertUnwindSafe(call)) {
        Ok(_) => panic!("{what}: accepted"),
        Err(payload) => payload,
    };
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.expect("a panic with a message").to_owned()
}

/// The bits of every entry.
fn bits<D: Dimension>(x: &ArrayRef<f64, D>) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

fn numbers<S: ShapeBuilder>(shape: S) -> Array<f64, S::Dim> {
    let mut next = 0.0;
    Array::from_shape_simple_fn(shape, || {
        next += 0.5;
        next
    })
}

/// Runs `$check` for each way to call, with a shadow for every operand, and compares operands and shadows with what they were.
macro_rules! each_call {
    ($module:ident $f:ident ($($x:ident = $at:expr),+ $(; $($attr:expr),+)?) |$what:ident, $call:ident| $check:expr) => {{
        let f = coenzyme_rules::$module::$f {};
        $(let $x = $at; let mut $x = ($x.mapv(|x| 0.25 * x + 1.0), $x.clone(), $x);)+
        let output = returned(|| Function::call(&f, ($(&*$x.1,)+ $($($attr,)+)?)));
        {
            let $what = concat!(stringify!($f), ", the function");
            let $call = || Function::call(&f, ($(&*$x.1,)+ $($($attr,)+)?));
            $check;
        }
        {
            let $what = concat!(stringify!($f), ", forward");
            let mut args = ($(Duplicated(&*$x.1, &*$x.0),)+ $($(Const($attr),)+)?);
            #[allow(unused_mut)]
            let mut $call = || forward(&f, &mut args, output);
            $check;
        }
        {
            let $what = concat!(stringify!($f), ", augmented");
            let mut args = ($(Duplicated(&*$x.1, &mut *$x.0),)+ $($(Const($attr),)+)?);
            #[allow(unused_mut)]
            let mut $call = || augmented(&f, &mut args, output);
            $check;
        }
        $(
            assert_eq!(bits(&$x.1), bits(&$x.2), "{}: an operand has changed", stringify!($f));
            assert_eq!(bits(&$x.0), bits(&$x.2.mapv(|x| 0.25 * x + 1.0)), "{}: a shadow has changed", stringify!($f));
        )+
    }};
}

/// `f(operands; attributes) "message";` for what panics.
macro_rules! panics {
    ($module:ident: $($f:ident($($args:tt)+) $message:literal;)+) => {$(
        each_call!($module $f ($($args)+) |what, call| {
            let message = panic_of(what, call);
            assert!(message.contains($message), "{what}: {message:?} instead of {:?}", $message);
        });
    )+};
}

/// `f(operands; attributes) error;` for what returns an error.
macro_rules! fails {
    ($module:ident: $($f:ident($($args:tt)+) $error:expr;)+) => {$(
        each_call!($module $f ($($args)+) |what, call| {
            assert_eq!(call().map(|_| ()).err(), Some($error), "{what}");
        });
    )+};
}

#[test]
fn shapes_that_cannot_be_broadcast_are_named() {
    macro_rules! all {
        ($($f:ident)+) => { panics! { array: $($f(x = numbers((2, 3)), y = numbers(4)) "cannot broadcast [2, 3] with [4]";)+ } };
    }
    all!(add sub mul div rem powf hypot atan2 maximum minimum copysign log beta lbeta logaddexp xlogy xlog1py);
    panics! { array:
        // E16
        mul(x = numbers(3), y = numbers(2)) "cannot broadcast [3] with [2]";
        broadcast_to(x = numbers((2, 3)); [2, 4]) "cannot broadcast [2, 3] to [2, 4]";
    }
}

#[test]
fn axes_that_do_not_exist_are_named() {
    macro_rules! all {
        ($($f:ident)+) => { panics! { array: $($f(x = numbers((2, 3)); 2) "axis 2 is out of bounds for shape [2, 3]";)+ } };
    }
    all!(sum_axis mean_axis var_axis std_dev_axis max_axis max_shared_axis min_axis prod_axis norm_axis norm_l1_axis
        norm_max_axis logsumexp_axis softmax log_softmax cumsum cumprod sort flip);
    macro_rules! several {
        ($($f:ident)+) => { panics! { array: $(
            $f(x = numbers((2, 3)); &[0, 2][..], true) "axis 2 is out of bounds for shape [2, 3]";
            $f(x = numbers((2, 3)); &[1, 1][..], false) "axis 1 is named twice in [1, 1]";
        )+ } };
    }
    several!(sum_axes mean_axes var_axes std_dev_axes max_axes max_shared_axes min_axes prod_axes norm_axes norm_l1_axes
        norm_max_axes logsumexp_axes);
    panics! { array:
        roll(x = numbers((2, 3)); 1, 2) "axis 2 is out of bounds for shape [2, 3]";
        repeat(x = numbers((2, 3)); 2, 5) "axis 5 is out of bounds for shape [2, 3]";
        insert_axis(x = numbers((2, 3)); 3) "cannot insert axis 3 into shape [2, 3]";
        permute(x = numbers((2, 3)); &[0, 0][..]) "[0, 0] is not a permutation of the axes of shape [2, 3]";
        pad(x = numbers((2, 3)); &[[1, 1]][..]) "1 pairs of widths for shape [2, 3]";
        reshape(x = numbers((2, 3)); [4]) "cannot reshape [2, 3] to [4]";
        slice_axis(x = numbers((1, 2)); 1, 1..5) "range 1..5 leaves axis 1 of shape [1, 2]";
        slice_axis(x = numbers((1, 2)); 2, 0..1) "axis 2 is out of bounds for shape [1, 2]";
        gather(x = numbers((1, 2)); 1, &[0, 2][..]) "index 2 is out of bounds for axis 1 of shape [1, 2]";
        gather(x = numbers((1, 2)); 3, &[0][..]) "axis 3 is out of bounds for shape [1, 2]";
        scatter_add(x = numbers(3), updates = numbers(1); 0, &[0, 1][..])
            "scatter_add: updates of 2 indices along axis 0 of shape [3]";
        scatter_add(x = numbers(3), updates = numbers(1); 0, &[3][..]) "index 3 is out of bounds for axis 0 of shape [3]";
        choose(x = numbers(2), y = numbers(1); &*array![true, false]) "choose: shapes [2], [1] and mask [2]";
        choose(x = numbers(2), y = numbers(2); &*array![true]) "choose: shapes [2], [2] and mask [1]";
    }
}

/// Bounds are numbers, and not arrays: they have no place in the table.
#[test]
fn bounds_in_the_wrong_order_are_refused() {
    let (x, f) = (numbers(3), coenzyme_rules::array::clip {});
    for (lo, hi) in [(2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::NAN)] {
        let output = returned(|| Function::call(&f, (&*x, lo, hi)));
        let want = format!("clip: bounds {lo} and {hi}");
        assert_eq!(panic_of("clip", || Function::call(&f, (&*x, lo, hi))), want);
        let mut dx = numbers(3);
        let mut args = (Duplicated(&*x, &mut *dx), Const(lo), Const(hi));
        assert_eq!(
            panic_of("clip, forward", || forward(&f, &mut args, output)),
            want
        );
        assert_eq!(
            panic_of("clip, augmented", || augmented(&f, &mut args, output)),
            want
        );
        assert_eq!(bits(&dx), bits(&numbers(3)));
    }
}

#[test]
fn matrices_that_do_not_fit_are_named() {
    let pattern = Pattern::new(3, vec![0, 2], vec![0, 2]);
    panics! { linalg:
        matmul(a = numbers((2, 3)), b = numbers((2, 3))) "matmul: [2, 3] times [2, 3]";
        matvec(a = numbers((2, 3)), x = numbers(2)) "matvec: [2, 3] times [2]";
        dot(x = numbers(3), y = numbers(2)) "dot: [3] with [2]";
        batch_matmul(a = numbers((2, 3, 4)), b = numbers((3, 4, 1))) "batch_matmul: [2, 3, 4] times [3, 4, 1]";
        batch_matmul(a = numbers((2, 3, 4)), b = numbers((2, 3, 1))) "batch_matmul: [2, 3, 4] times [2, 3, 1]";
        sparse_matvec(values = numbers(1), x = numbers(3); &pattern)
            "sparse_matvec: [1] values of 2 entries, of shape (1, 3), times [3]";
        solve_triangular(t = numbers((2, 2)), b = numbers(3); true)
            "solve_triangular: a matrix of shape [2, 2] and a right-hand side of shape [3]";
        solve_triangular(t = numbers((2, 3)), b = numbers(2); true) "solve_triangular: a matrix of shape [2, 3] is not square";
        solve(a = numbers((2, 2)), b = numbers(3)) "solve: a matrix of shape [2, 2] and a right-hand side of shape [3]";
        solve(a = numbers((2, 3)), b = numbers(2)) "solve: a matrix of shape [2, 3] is not square";
        inverse(a = numbers((2, 3))) "inverse: a matrix of shape [2, 3] is not square";
        det(a = numbers((2, 3))) "det: a matrix of shape [2, 3] is not square";
        logdet(a = numbers((2, 3))) "logdet: a matrix of shape [2, 3] is not square";
        cholesky(a = numbers((2, 3))) "cholesky: a matrix of shape [2, 3] is not square";
        eigh(a = numbers((2, 3))) "eigh: a matrix of shape [2, 3] is not square";
        expm(a = numbers((2, 3))) "expm: a matrix of shape [2, 3] is not square";
    }
}

#[test]
fn matrices_without_factors_are_errors() {
    let (singular, inf) = (array![[1.0, 2.0], [2.0, 4.0]], f64::INFINITY);
    let not_finite = array![[1.0, 2.0], [f64::NAN, 4.0]];
    fails! { linalg:
        solve(a = singular.clone(), b = numbers(2)) Error::Singular { column: 1 };
        solve(a = not_finite.clone(), b = numbers((2, 2))) Error::Singular { column: 1 };
        inverse(a = singular.clone()) Error::Singular { column: 1 };
        inverse(a = Array2::from_elem((1, 1), inf)) Error::Singular { column: 0 };
        logdet(a = singular.clone()) Error::Singular { column: 1 };
        logdet(a = array![[0.0, 1.0], [1.0, 0.0]]) Error::NegativeDeterminant;
        cholesky(a = array![[1.0, 2.0], [2.0, 1.0]]) Error::NotPositiveDefinite { column: 1 };
        cholesky(a = array![[0.0]]) Error::NotPositiveDefinite { column: 0 };
        cholesky(a = array![[f64::NAN]]) Error::NotPositiveDefinite { column: 0 };
        eigh(a = array![[inf]]) Error::NoConvergence;
        eigh(a = not_finite.clone()) Error::NoConvergence;
        qr(a = array![[1.0, 2.0], [0.0, 0.0]]) Error::Singular { column: 1 };
        qr(a = array![[f64::NAN]]) Error::Singular { column: 0 };
        svd(a = not_finite.clone()) Error::NoConvergence;
        singular_values(a = array![[inf, 1.0]]) Error::NoConvergence;
        pinv(a = not_finite.clone()) Error::NoConvergence;
    }
}

#[test]
fn layers_that_do_not_fit_are_named() {
    panics! { nn:
        dense(x = numbers((2, 3)), w = numbers((3, 4)), b = numbers(3)) "dense: [2, 3] times [3, 4] plus [3]";
        attention(q = numbers((1, 2)), k = numbers((3, 2)), v = numbers((2, 2)))
            "attention: queries [1, 2], keys [3, 2], values [2, 2]";
        // M16
        layer_norm(x = numbers((1, 4)), w = numbers(2), b = numbers(4); Inactive(1e-5))
            "layer_norm: rows of shape [1, 4] and weights of shape [2]";
        layer_norm(x = numbers((1, 4)), w = numbers(4), b = numbers(3); Inactive(1e-5))
            "layer_norm: rows of shape [1, 4] and weights of shape [3]";
        rms_norm(x = numbers((1, 4)), w = numbers(5); Inactive(1e-5)) "rms_norm: rows of shape [1, 4] and weights of shape [5]";
        softmax_cross_entropy(x = numbers((2, 3)); &[0][..]) "softmax_cross_entropy: 1 labels for logits of shape [2, 3]";
        softmax_cross_entropy(x = numbers((1, 3)); &[3][..]) "softmax_cross_entropy: label 3 for logits of shape [1, 3]";
        mean_squared_error(x = numbers(2), y = numbers(1)) "mean_squared_error: [2] with [1]";
        dropout(x = numbers(2); &*Array1::from_elem(3, true), Inactive(0.5)) "dropout: [2] with a mask [3]";
        embedding(x = numbers((2, 1)); &[0, 2][..]) "embedding: row 2 of a table [2, 1]";
        avg_pool2d(x = numbers((1, 1, 2, 2)); [3, 1], [1, 1]) "pooling: images [1, 1, 2, 2], window [3, 1], stride [1, 1]";
        max_pool2d(x = numbers((1, 1, 2, 2)); [1, 1], [1, 0]) "pooling: images [1, 1, 2, 2], window [1, 1], stride [1, 0]";
    }
    panics! { signal:
        conv2d(x = numbers((1, 2, 3, 3)), w = numbers((1, 1, 2, 2)); [1, 1], [0, 0])
            "convolution: images [1, 2, 3, 3] with kernels [1, 1, 2, 2], stride [1, 1], padding [0, 0]";
        conv2d(x = numbers((1, 1, 3, 3)), w = numbers((1, 1, 4, 2)); [1, 1], [0, 0])
            "convolution: images [1, 1, 3, 3] with kernels [1, 1, 4, 2], stride [1, 1], padding [0, 0]";
        conv1d(x = numbers((1, 1, 3)), w = numbers((1, 1, 2)); 0, 0)
            "convolution: images [1, 1, 1, 3] with kernels [1, 1, 1, 2], stride [1, 0], padding [0, 0]";
    }
}

#[test]
fn lists_that_do_not_fit_are_named() {
    use coenzyme_rules::array::{concatenate, stack};
    let (x, y, mut dx, mut dy) = (
        numbers((1, 2)),
        numbers((1, 3)),
        numbers((1, 2)),
        numbers((1, 3)),
    );
    let want = "cannot concatenate [1, 2] with [1, 3] along axis 0";
    assert_eq!(
        panic_of("concatenate", || concatenate(vec![&x, &y], 0)),
        want
    );
    let output = PhantomData::<Array2<f64>>;
    {
        let handles = vec![Duplicated(&*x, &mut *dx), Duplicated(&*y, &mut *dy)];
        let mut args = (handles, Const(0_usize));
        assert_eq!(
            panic_of("forward", || forward(&concatenate {}, &mut args, output)),
            want
        );
        assert_eq!(
            panic_of("augmented", || augmented(
                &concatenate {},
                &mut args,
                output
            )),
            want
        );
    }
    assert_eq!((bits(&dx), bits(&dy)), (bits(&x), bits(&y)));
    assert_eq!(
        panic_of("stack", || stack(vec![&x, &y], 0)),
        "cannot stack [1, 2] with [1, 3]"
    );
    assert_eq!(
        panic_of("stack", || stack(vec![&x], 3)),
        "cannot stack shape [1, 2] along axis 3"
    );
    assert_eq!(
        panic_of("concatenate", || concatenate(vec![&x], 2)),
        "axis 2 is out of bounds for shape [1, 2]"
    );
    let none: Vec<&Array2<f64>> = vec![];
    assert_eq!(
        panic_of("stack", || stack(none.clone(), 0)),
        "stack: an empty list has no shape"
    );
    assert_eq!(
        panic_of("concatenate", || concatenate(none, 0)),
        "concatenate: an empty list has no shape"
    );
}
