//! The laws of tangent spaces, one line for each type.

#![cfg(all(feature = "ndarray", feature = "complex"))]

use coenzyme::ndarray::{Array1, Array2, ArrayRef1, ArrayRef2, ArrayView1, arr0, array, s};
use coenzyme::{
    BatchDuplicated, Dual, Duplicated, Inactive, Saved, Tangent, make_zero, remake_zero,
};
use num_complex::Complex;

/// The laws, at `x` of `dim` dimensions. The other vectors of the space are made by `unflatten`, from numbers that `f32` and
/// sums of a few terms hold exactly.
#[track_caller]
fn obeys_the_laws<T>(x: &T, dim: usize)
where
    T: Tangent<Owned: Tangent<Target = T::Target>> + ?Sized,
{
    let numbers = |seed: f64| -> Vec<f64> { (0..dim).map(|i| seed + 0.25 * i as f64).collect() };
    let vector = |seed: f64| {
        let mut v = Tangent::zero_like(x);
        Tangent::unflatten(&mut v, &numbers(seed));
        v
    };
    let (a, b) = (vector(1.5), vector(-2.0));
    assert_eq!(Tangent::to_flat(x).len(), dim, "dimension");

    // flat form: there and back
    assert_eq!(Tangent::to_flat(&a), numbers(1.5), "to_flat ∘ unflatten");

    // zero
    assert_eq!(
        Tangent::to_flat(&Tangent::zero_like(x)),
        vec![0.0; dim],
        "zero_like"
    );
    let mut z = vector(1.5);
    Tangent::zero_out(&mut z);
    assert_eq!(Tangent::to_flat(&z), vec![0.0; dim], "zero_out");

    // sums and multiples
    let mut sum = vector(1.5);
    Tangent::accumulate(&mut sum, &b);
    let expected: Vec<f64> = numbers(1.5)
        .iter()
        .zip(numbers(-2.0))
        .map(|(a, b)| a + b)
        .collect();
    assert_eq!(Tangent::to_flat(&sum), expected, "accumulate");
    let mut half = vector(1.5);
    Tangent::scale(&mut half, 0.5);
    assert_eq!(
        Tangent::to_flat(&half),
        numbers(1.5).iter().map(|a| a * 0.5).collect::<Vec<_>>(),
        "scale"
    );

    // inner product: that of the flat forms, and bilinear
    let dot: f64 = numbers(1.5)
        .iter()
        .zip(numbers(-2.0))
        .map(|(a, b)| a * b)
        .sum();
    assert_eq!(Tangent::inner(&a, &b), dot, "inner");
    assert_eq!(Tangent::inner(&b, &a), dot, "symmetric");
    assert_eq!(
        Tangent::inner(&sum, &b),
        dot + Tangent::inner(&b, &b),
        "additive"
    );
    assert_eq!(Tangent::inner(&half, &b), 0.5 * dot, "homogeneous");

    // shape
    assert_eq!(
        Tangent::congruent(Tangent::target(x), Tangent::target(&a)),
        Ok(()),
        "a zero is congruent"
    );
    assert_eq!(
        Tangent::congruent(Tangent::target(&a), Tangent::target(x)),
        Ok(()),
        "congruence is symmetric"
    );
}

#[test]
fn scalars_obey_the_laws() {
    obeys_the_laws(&3.0_f64, 1);
    obeys_the_laws(&3.0_f32, 1);
    obeys_the_laws(&Dual::new(3.0, 1.0), 2);
    obeys_the_laws(&Dual::new(Dual::new(1.0_f32, 2.0), Dual::new(3.0, 4.0)), 4);
    obeys_the_laws(&Complex::new(3.0_f64, 1.0), 2);
    obeys_the_laws(&Complex::new(3.0_f32, 1.0), 2);
    obeys_the_laws(&Complex::new(Dual::new(1.0, 2.0), Dual::new(3.0, 4.0)), 4);
}

#[test]
fn points_obey_the_laws() {
    obeys_the_laws(&(), 0);
    obeys_the_laws(&true, 0);
    obeys_the_laws(&'c', 0);
    obeys_the_laws(&7_usize, 0);
    obeys_the_laws(&-7_i8, 0);
    obeys_the_laws(&7_u128, 0);
    obeys_the_laws("text", 0);
    obeys_the_laws(&"text".to_owned(), 0);
    obeys_the_laws(&(0..3), 0);
    obeys_the_laws(&std::cmp::Ordering::Less, 0);
    obeys_the_laws(&Inactive(std::sync::Arc::new(1.0)), 0);
}

#[test]
fn containers_obey_the_laws() {
    obeys_the_laws(&[1.0, 2.0, 3.0][..], 3);
    obeys_the_laws::<[f64]>(&[], 0);
    obeys_the_laws(&[1.0, 2.0, 3.0], 3);
    obeys_the_laws::<[f64; 0]>(&[], 0);
    obeys_the_laws(&vec![1.0, 2.0], 2);
    obeys_the_laws::<Vec<f32>>(&vec![], 0);
    obeys_the_laws(&Box::new(1.0), 1);
    obeys_the_laws(&vec![1.0, 2.0].into_boxed_slice(), 2);
    obeys_the_laws(&Some(1.0), 1);
    obeys_the_laws(&None::<f64>, 0);
    obeys_the_laws(&(1.0,), 1);
    obeys_the_laws(&(1.0_f64, 2.0_f32, Complex::new(3.0, 4.0)), 4);
    obeys_the_laws(&(1.0, 'a', 2.0, 3_u8, 4.0, (), 5.0, true), 4);
}

#[test]
fn nested_containers_obey_the_laws() {
    obeys_the_laws(&vec![vec![1.0, 2.0], vec![], vec![3.0]], 3);
    obeys_the_laws(&vec![Some(1.0), None, Some(2.0)], 2);
    obeys_the_laws(
        &Box::new((vec![1.0], Some([2.0, 3.0]), "name".to_owned())),
        3,
    );
    obeys_the_laws(&[(1.0, 1_usize), (2.0, 2)], 2);
    obeys_the_laws(&vec![array![[1.0, 2.0]], Array2::zeros((0, 3))], 2);
}

#[test]
fn arrays_obey_the_laws_whatever_their_strides() {
    obeys_the_laws(&array![1.0, 2.0, 3.0], 3);
    obeys_the_laws(&array![[1.0_f32, 2.0], [3.0, 4.0]], 4);
    obeys_the_laws(&array![[1.0, 2.0], [3.0, 4.0]].reversed_axes(), 4);
    obeys_the_laws(&Array1::<f64>::zeros(0), 0);
    obeys_the_laws(&Array2::<f64>::zeros((0, 3)), 0);
    obeys_the_laws(&array![[[Complex::new(1.0, 2.0)]]], 2);
    obeys_the_laws(&arr0(1.0), 1);

    let whole = Array2::from_shape_fn((4, 6), |(i, j)| (6 * i + j) as f64);
    let part: &ArrayRef2<f64> = &whole.slice(s![1..;2, ..;3]);
    obeys_the_laws(part, 4);
    let reversed: &ArrayRef2<f64> = &whole.slice(s![..;-1, ..;-2]);
    obeys_the_laws(reversed, 12);
    assert_eq!(
        Tangent::to_flat(part),
        [6.0, 9.0, 18.0, 21.0],
        "logical order"
    );
}

#[test]
fn inactive_parts_are_carried_along() {
    let x = (
        1.5,
        7_usize,
        "name".to_owned(),
        Inactive([1.0, 2.0]),
        vec![(2.5, true)],
    );
    let mut dx = make_zero(&x);
    assert_eq!(
        dx,
        (
            0.0,
            7,
            "name".to_owned(),
            Inactive([1.0, 2.0]),
            vec![(0.0, true)]
        )
    );
    Tangent::accumulate(&mut dx, &x);
    Tangent::scale(&mut dx, 2.0);
    assert_eq!(
        dx,
        (
            3.0,
            7,
            "name".to_owned(),
            Inactive([1.0, 2.0]),
            vec![(5.0, true)]
        )
    );
    remake_zero(&mut dx);
    assert_eq!(dx, make_zero(&x));
}

#[test]
fn zeroing_keeps_the_memory() {
    let mut x = (2.0, vec![4.5]);
    let before = x.1.as_ptr();
    remake_zero(&mut x);
    assert_eq!((x.0, &x.1[..], x.1.as_ptr()), (0.0, &[0.0][..], before));
}

#[test]
fn shapes_that_differ_are_named() {
    let differ = |e: Result<(), coenzyme::Incongruent>| e.unwrap_err().to_string();
    let message = |a: &str, b: &str| format!("the primal has shape {a}, its shadow {b}");
    assert_eq!(
        differ(Tangent::congruent(&vec![1.0], &vec![])),
        message("[1]", "[0]")
    );
    assert_eq!(
        differ(Tangent::congruent(&Some(1.0), &None)),
        message("Some", "None")
    );
    assert_eq!(
        differ(Tangent::congruent(&None, &Some(1.0))),
        message("None", "Some")
    );
    let (a, b) = (Array2::<f64>::zeros((2, 3)), Array2::<f64>::zeros((3, 2)));
    assert_eq!(
        differ(Tangent::congruent(&a, &b)),
        message("[2, 3]", "[3, 2]")
    );
    // where they first differ
    let (a, b) = (
        (1.0, vec![vec![1.0], vec![2.0]]),
        (1.0, vec![vec![1.0], vec![]]),
    );
    assert_eq!(differ(Tangent::congruent(&a, &b)), message("[1]", "[0]"));
    assert_eq!(
        differ(Tangent::congruent(&[Some(1.0)], &[None])),
        message("Some", "None")
    );
    let (a, b) = (array![vec![1.0]], array![vec![1.0, 2.0]]);
    assert_eq!(differ(Tangent::congruent(&a, &b)), message("[1]", "[2]"));
}

macro_rules! refuses {
    ($($name:ident: $message:literal => $body:expr;)*) => {$(
        #[test]
        #[should_panic(expected = $message)]
        fn $name() {
            let _ = $body;
        }
    )*};
}

refuses! {
    duplicated_refuses_another_length: "Duplicated: lane 0: the primal has shape [2], its shadow [1]" =>
        Duplicated(&[1.0, 2.0][..], &[0.0][..]);
    a_batch_names_the_lane: "BatchDuplicated: lane 1: the primal has shape [2], its shadow [3]" =>
        BatchDuplicated(&[1.0, 2.0][..], [&[0.0; 2][..], &[0.0; 3][..]]);
    a_nested_shadow_of_another_shape_is_refused: "the primal has shape [1], its shadow [2]" =>
        Duplicated(&vec![vec![1.0]], &vec![vec![1.0, 2.0]]);
    an_array_of_another_shape_is_refused: "the primal has shape [2, 3], its shadow [3, 2]" =>
        Duplicated(&Array2::<f64>::zeros((2, 3)), &Array2::<f64>::zeros((3, 2)));
    accumulate_names_both_lengths: "left: 1\n right: 2" => Tangent::accumulate(&mut vec![1.0], &vec![1.0, 2.0]);
    inner_names_both_lengths: "left: 1\n right: 2" => Tangent::inner(&vec![1.0], &vec![1.0, 2.0]);
    accumulate_names_both_shapes: "left: [1, 2]\n right: [2, 1]" =>
        Tangent::accumulate(&mut Array2::<f64>::zeros((1, 2)), &Array2::zeros((2, 1)));
    inner_names_both_shapes: "left: [1, 2]\n right: [2, 1]" =>
        Tangent::inner(&Array2::<f64>::zeros((1, 2)), &Array2::zeros((2, 1)));
    options_are_of_one_variant: "options of different variants" => Tangent::inner(&Some(1.0), &None);
    a_flat_form_is_not_too_long: "1 of 3 entries are left over" => Tangent::unflatten(&mut [0.0; 2], &[1.0; 3]);
    a_flat_form_is_not_too_short: "1 entries wanted, 0 left" => Tangent::unflatten(&mut [0.0; 2], &[1.0]);
}

#[test]
fn none_is_the_zero_of_any_shape_in_a_sum() {
    let (mut sum, cotangent) = (None, Some(vec![1.0, 2.0]));
    Tangent::accumulate(&mut sum, &None);
    assert_eq!(sum, None);
    Tangent::accumulate(&mut sum, &cotangent);
    assert_eq!(sum, cotangent);
    Tangent::accumulate(&mut sum, &None);
    assert_eq!(sum, cotangent);
    Tangent::accumulate(&mut sum, &cotangent);
    assert_eq!(sum, Some(vec![2.0, 4.0]));
}

#[test]
fn try_new_returns_the_shapes() {
    let e = BatchDuplicated::try_new(&[1.0, 2.0][..], [&[0.0][..]]).unwrap_err();
    assert_eq!((e.primal(), e.shadow()), ("[2]", "[1]"));
    assert!(BatchDuplicated::try_new(&[1.0][..], [&[0.0][..]]).is_ok());
}

#[test]
fn shadows_are_compared_by_their_memory_not_by_their_container() {
    let (slice, vector, fixed): (&[f64], _, _) = (&[1.0, 2.0], vec![0.0, 0.0], [0.0, 0.0]);
    let _ = Duplicated(slice, vector.clone());
    let _ = Duplicated(slice, &fixed);
    let _ = Duplicated(&vector, fixed);
    // a view with strides, and a shadow without
    let whole = array![[1.0, 2.0], [3.0, 4.0]];
    let column: ArrayView1<f64> = whole.column(1);
    let arg = Duplicated(column, Array1::zeros(2));
    assert_eq!(arg.primal()[1], 4.0);
}

#[test]
fn saved_keeps_arrays_of_any_strides() {
    let mut whole = array![[1.0, 2.0], [3.0, 4.0]];
    let (copied, in_place) = {
        let column: &ArrayRef1<f64> = &whole.column(1);
        (Saved::new(column, true), Saved::new(column, false))
    };
    whole.fill(0.0);
    assert_eq!(copied.get(&whole.column(1)), &array![2.0, 4.0]);
    assert_eq!(in_place.get(&whole.column(1)), &array![0.0, 0.0]);
    assert!(copied.is_copied() && !in_place.is_copied());
}

/// With the prelude in scope a method of `ndarray`, of an iterator or of an `Option` is still theirs.
#[cfg(feature = "ndarray")]
#[test]
fn the_prelude_takes_no_method_from_others() {
    use coenzyme::ndarray::array;
    #[allow(unused_imports)]
    use coenzyme::prelude::*;

    let a = array![[1.0, 2.0], [3.0, 4.0]];
    assert_eq!(a.map(|x| x + 1.0), array![[2.0, 3.0], [4.0, 5.0]]);
    assert_eq!(a.flatten().shape(), [4]);
    assert_eq!([1.0, 2.0].map(|x| x * 2.0), [2.0, 4.0]);
    assert_eq!(Some(1.0).map(|x: f64| x as i32), Some(1));
    assert_eq!(
        vec![vec![1.0], vec![2.0]]
            .into_iter()
            .flatten()
            .sum::<f64>(),
        3.0
    );
}

/// The methods of the traits in the prelude, as their source has them, have none of the names of methods that iterators,
/// `Option`, `ndarray`, `nalgebra` or `glam` have and that a trait's would hide.
#[test]
fn no_trait_of_the_prelude_has_a_method_named_like_common_ones() {
    const COMMON: &[&str] = &[
        "abs",
        "all",
        "and_then",
        "any",
        "apply",
        "axis",
        "chain",
        "clamp",
        "clone",
        "collect",
        "column",
        "cross",
        "cumsum",
        "diag",
        "distance",
        "dot",
        "enumerate",
        "exp",
        "extend",
        "fill",
        "filter",
        "find",
        "first",
        "flatten",
        "fold",
        "for_each",
        "get",
        "insert",
        "inverse",
        "iter",
        "last",
        "len",
        "length",
        "lerp",
        "lu",
        "map",
        "mapv",
        "max",
        "mean",
        "min",
        "next",
        "norm",
        "normalize",
        "nth",
        "ok",
        "permuted",
        "pop",
        "position",
        "product",
        "push",
        "reduce",
        "remove",
        "rotate",
        "row",
        "select",
        "shape",
        "skip",
        "slice",
        "solve",
        "sort",
        "sqrt",
        "sum",
        "swap",
        "take",
        "then",
        "trace",
        "transpose",
        "truncate",
        "unwrap",
        "view",
        "zip",
    ];
    let sources = [
        include_str!("../src/tangent/mod.rs"),
        include_str!("../src/rule/outcome.rs"),
        include_str!("../src/rule/mod.rs"),
        include_str!("../src/rule/returns.rs"),
        include_str!("../src/activity/mod.rs"),
        include_str!("../src/activity/forward.rs"),
        include_str!("../src/activity/reverse.rs"),
        include_str!("../src/real.rs"),
    ];
    let mut methods = 0;
    for source in sources {
        for block in source.split("\npub trait ").skip(1) {
            let block = block.split("\n}").next().expect("a trait ends");
            for line in block
                .lines()
                .filter_map(|line| line.trim().strip_prefix("fn "))
            {
                let name = line.split(['(', '<']).next().expect("a method has a name");
                assert!(
                    !COMMON.contains(&name),
                    "`{name}` is a method of common crates"
                );
                methods += 1;
            }
        }
    }
    assert!(methods > 40, "{methods} methods were found");
}
