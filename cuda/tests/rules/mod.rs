//! Every rule in every mix, against finite differences: those of arrays of whatever shape by way of vectors (`by_vector.rs`).
#![allow(unused_parens)] // `sizes` of `test_rule!` is one token tree

mod by_vector;

use std::sync::Arc;

use by_vector::{Op, Op2, of, of2, shaped, shaped2};
use coenzyme::Inactive;
use coenzyme_cuda::rules::*;
use coenzyme_cuda::{DeviceArray, Float, map1};
use coenzyme_testutils::{Overrides, by_ref, test_rule, value};
use ndarray::{Array1, Dim, Ix2, Ix3};

use crate::device_functions::square;
use crate::on::{device, up};

/// Distinct numbers between −1 and 1.
fn vector<T: Float>(n: usize) -> DeviceArray<T> {
    let entry = |i: usize| T::narrow((0.731 * (i * i) as f64 + 0.2).sin());
    up(&Array1::from_shape_fn(n, entry))
}

/// Where a rule of one array is looked at: at a [`vector`], but for a maximum one entry of each row stands out. Among many
/// entries the largest two are close to each other, and differences of a maximum decide nothing beyond the place where another becomes it.
fn point<T: Float>(rule: &str, n: usize) -> DeviceArray<T> {
    let stands_out = |i: usize| match rule {
        "max_axis of rows" => i % n == n / 3,
        "max_axis of columns" => i / 2 == n / 3,
        _ => false,
    };
    let x = vector::<f64>(unary::<f64>(rule, n).0).to_host();
    let mut x = x.expect("sent");
    for (i, x) in x.iter_mut().enumerate() {
        *x += if stands_out(i) { 4.0 } else { 0.0 };
    }
    up(&x.mapv(T::narrow))
}

fn index(indices: &[usize], rows: usize) -> Index {
    let device = device().expect("asked for before");
    Index::new(device, indices, rows).expect("a test's indices are right")
}

/// The rules of one array: name, length of the argument, and the rule at a shape of that length.
fn unary<T: Float>(name: &str, n: usize) -> (usize, Inactive<Arc<dyn Op<T>>>) {
    let square = |shape: [usize; 2]| Dim(shape);
    match name {
        "sum_axis of rows" => (
            2 * n,
            of::<SumAxis<T, Ix2, false>, T, _, _>(square([2, n]), (1,)),
        ),
        "sum_axis of columns" => (
            n * 3,
            of::<SumAxis<T, Ix2, false>, T, _, _>(square([n, 3]), (0,)),
        ),
        "mean_axis" => (
            2 * n,
            of::<SumAxis<T, Ix2, true>, T, _, _>(square([2, n]), (1,)),
        ),
        "max_axis of rows" => (2 * n, of::<MaxAxis<T, Ix2>, T, _, _>(square([2, n]), (1,))),
        "max_axis of columns" => (n * 2, of::<MaxAxis<T, Ix2>, T, _, _>(square([n, 2]), (0,))),
        "logsumexp of rows" => (
            2 * n,
            of::<LogSumExp<T, Ix2>, T, _, _>(square([2, n]), (1,)),
        ),
        "logsumexp of columns" => (
            n * 2,
            of::<LogSumExp<T, Ix2>, T, _, _>(square([n, 2]), (0,)),
        ),
        "softmax of rows" => (2 * n, of::<Softmax<T, Ix2>, T, _, _>(square([2, n]), (1,))),
        "softmax of columns" => (n * 2, of::<Softmax<T, Ix2>, T, _, _>(square([n, 2]), (0,))),
        "standardize" => (
            2 * n,
            of::<Standardize<T, Ix2>, T, _, _>(square([2, n]), (1, 1e-3)),
        ),
        "prefix_sum of rows" => (
            2 * n,
            of::<Transposed<PrefixSum<T, Ix2>>, T, _, _>(square([2, n]), (1,)),
        ),
        "prefix_sum of columns" => (
            n * 2,
            of::<Transposed<PrefixSum<T, Ix2>>, T, _, _>(square([n, 2]), (0,)),
        ),
        "transpose" => (
            n * 6,
            of::<Transposed<Reversed<T, Ix3>>, T, _, _>(Dim([2, n, 3]), ()),
        ),
        "slice_axis" => (
            n * 10,
            of::<Transposed<Slice<T, Ix3>>, T, _, _>(Dim([2, 5, n]), (1, 1, 3)),
        ),
        "gather" => (
            4 * n,
            of::<Transposed<Gather<T, Ix2>>, T, _, _>(square([4, n]), (index(&[0, 0, 2], 4),)),
        ),
        "scatter_add" => (
            3 * n,
            of::<Transposed<Scatter<T, Ix2>>, T, _, _>(square([3, n]), (index(&[0, 0, 2], 4),)),
        ),
        "image_to_columns" => (
            n * 24,
            of::<Transposed<Columns<T>>, T, _, _>(Dim([n, 2, 4, 3]), (2, 3, 2, 1)),
        ),
        other => panic!("no rule {other}"),
    }
}

const UNARY: &[&str] = &[
    "sum_axis of rows",
    "sum_axis of columns",
    "mean_axis",
    "max_axis of rows",
    "max_axis of columns",
    "logsumexp of rows",
    "logsumexp of columns",
    "softmax of rows",
    "softmax of columns",
    "standardize",
    "prefix_sum of rows",
    "prefix_sum of columns",
    "transpose",
    "slice_axis",
    "gather",
    "scatter_add",
    "image_to_columns",
];

/// Whether a rule has a derivative at this length that is not zero everywhere: nothing has no mean and no maximum, and one entry alone is always
/// the whole of its row.
fn fits(rule: &str, n: usize) -> bool {
    match rule.split(' ').next() {
        Some("mean_axis" | "max_axis" | "logsumexp") => n > 0,
        Some("softmax") => n != 1,
        Some("standardize") => n > 1,
        _ => true,
    }
}

/// Whether there are more lengths, as in the step `cuda` of `.ci/run` for rules of one array.
fn all() -> bool {
    std::env::var("COENZYME_LENGTHS").is_ok_and(|lengths| lengths == "all")
}

/// No entries, one, and what a block of the emulation has, one less and one more.
fn short() -> &'static [usize] {
    if all() {
        &[0, 1, 31, 32, 33]
    } else {
        &[0, 1, 33]
    }
}

/// Every rule at these lengths.
fn at(
    rules: &'static [&'static str],
    lengths: &'static [usize],
) -> impl Iterator<Item = (&'static str, usize)> {
    let of = |rule: &'static &'static str| lengths.iter().map(|n| (*rule, *n));
    rules.iter().flat_map(of).filter(|(rule, n)| fits(rule, *n))
}

/// Where blocks have many entries, and sums many parts: these, or all rules.
fn long(
    some: &[(&'static str, usize)],
    rules: &'static [&'static str],
) -> Vec<(&'static str, usize)> {
    if all() {
        at(rules, &[1000, 4097]).collect()
    } else {
        some.to_vec()
    }
}

const LONG: &[(&str, usize)] = &[
    ("sum_axis of rows", 1000),
    ("softmax of rows", 1000),
    ("standardize", 1000),
    ("sum_axis of columns", 4097),
    ("prefix_sum of rows", 4097),
    ("scatter_add", 1000),
];

test_rule! {
    shaped;
    x: by_ref(point::<f64>(rule, n)), op: value(unary::<f64>(rule, n).1) [Const];
    ret: [Const, Duplicated];
    name = rules_of_one_array, sizes = (rule, n) in (at(UNARY, short()))
}

test_rule! {
    shaped;
    x: by_ref(point::<f64>(rule, n)), op: value(unary::<f64>(rule, n).1) [Const];
    ret: [Const, Duplicated];
    name = rules_of_one_long_array, widths = [1, 2, 3], sizes = (rule, n) in (long(LONG, UNARY))
}

/// What ends in single precision, where differences decide: sums of few terms.
const SINGLE: &[(&str, usize)] = &[
    ("sum_axis of rows", 4),
    ("sum_axis of columns", 5),
    ("mean_axis", 4),
    ("max_axis of rows", 4),
    ("logsumexp of rows", 4),
    ("softmax of rows", 4),
    ("softmax of columns", 4),
    ("prefix_sum of rows", 4),
    ("transpose", 3),
    ("slice_axis", 3),
    ("gather", 3),
    ("scatter_add", 3),
    ("image_to_columns", 2),
];

const COARSE: &str = "differences in single precision are coarse; `single_precision_is_double_precision_rounded` decides";

test_rule! {
    shaped;
    x: by_ref(point::<f32>(rule, n)), op: value(unary::<f32>(rule, n).1) [Const];
    ret: [Const, Duplicated];
    name = rules_in_single_precision, widths = [2], overrides = Overrides::none().allow_inconclusive(COARSE),
    sizes = (rule, n) in (SINGLE.iter().copied())
}

fn binary<T: Float>(name: &str, n: usize) -> (usize, usize, Inactive<Arc<dyn Op2<T>>>) {
    match name {
        "matmul" => (
            2 * n,
            n * 3,
            of2::<Product<T, Ix2>, T, _>([Dim([2, n]), Dim([n, 3]), Dim([2, 3])], ()),
        ),
        "matmul of columns" => (
            n * 2,
            2,
            of2::<Product<T, Ix2>, T, _>([Dim([n, 2]), Dim([2, 1]), Dim([n, 1])], ()),
        ),
        "batched_matmul" => (
            2 * n * 3,
            12,
            of2::<Product<T, Ix3>, T, _>([Dim([2, n, 3]), Dim([2, 3, 2]), Dim([2, n, 2])], ()),
        ),
        "concatenate" => (
            n * 4,
            12,
            of2::<Concatenate<T, Ix3>, T, _>(
                [Dim([2, n, 2]), Dim([2, 3, 2]), Dim([2, n + 3, 2])],
                (1,),
            ),
        ),
        other => panic!("no rule {other}"),
    }
}

const BINARY: &[&str] = &[
    "matmul",
    "matmul of columns",
    "batched_matmul",
    "concatenate",
];

test_rule! {
    shaped2;
    a: by_ref(vector::<f64>(binary::<f64>(rule, n).0)), b: by_ref(vector::<f64>(binary::<f64>(rule, n).1)), op: value(binary::<f64>(rule, n).2) [Const];
    ret: [Const, Duplicated];
    name = rules_of_two_arrays, widths = [1, 2, 3],
    sizes = (rule, n) in (at(BINARY, if all() { short() } else { &[0, 3] }).chain(long(&[], BINARY)))
}

/// The lengths of rules that have a test of their own.
const LENGTHS: &[usize] = &[0, 1, 31, 32, 33, 1000, 4097];

/// Both kinds of number have one text of kernels. What differences in double precision have judged is compared with single precision, at every
/// length: value, tangent and cotangents.
#[test]
fn single_precision_is_double_precision_rounded() {
    if device().is_none() {
        return;
    }
    for (rule, n) in at(UNARY, LENGTHS) {
        let ((length, double), (_, single)) = (unary::<f64>(rule, n), unary::<f32>(rule, n));
        let (x, dx) = (both(length, 0.0), both(length, 1.0));
        let (y, kept) = double.0.value(&x.0).expect("a value");
        let (y1, kept1) = single.0.value(&x.1).expect("a value");
        same(&format!("{rule} at {n}"), &y, &y1);
        let tangents = (
            double.0.tangent(&x.0, &kept, &dx.0),
            single.0.tangent(&x.1, &kept1, &dx.1),
        );
        same(
            &format!("tangent of {rule} at {n}"),
            &tangents.0.expect("one"),
            &tangents.1.expect("one"),
        );
        let dy = both(y.len(), 2.0);
        let (mut to, mut to1) = dx;
        double
            .0
            .cotangent(Some(&x.0), &kept, &dy.0, &mut to)
            .expect("reserved");
        single
            .0
            .cotangent(Some(&x.1), &kept1, &dy.1, &mut to1)
            .expect("reserved");
        same(&format!("cotangent of {rule} at {n}"), &to, &to1);
    }
    for (rule, n) in at(BINARY, LENGTHS) {
        let (length, other, double) = binary::<f64>(rule, n);
        let (_, _, single) = binary::<f32>(rule, n);
        let (a, b, mut da, mut db) = (
            both(length, 0.0),
            both(other, 1.0),
            both(length, 2.0),
            both(other, 3.0),
        );
        let y = double.0.value(&a.0, &b.0).expect("a value");
        same(
            &format!("{rule} at {n}"),
            &y,
            &single.0.value(&a.1, &b.1).expect("a value"),
        );
        let tangent = double.0.tangent((&a.0, Some(&da.0)), (&b.0, Some(&db.0)));
        let tangent1 = single.0.tangent((&a.1, Some(&da.1)), (&b.1, Some(&db.1)));
        same(
            &format!("tangent of {rule} at {n}"),
            &tangent.expect("one"),
            &tangent1.expect("one"),
        );
        let dy = both(y.len(), 4.0);
        double
            .0
            .first(Some(&b.0), &dy.0, &mut da.0)
            .expect("reserved");
        single
            .0
            .first(Some(&b.1), &dy.1, &mut da.1)
            .expect("reserved");
        double
            .0
            .second(Some(&a.0), &dy.0, &mut db.0)
            .expect("reserved");
        single
            .0
            .second(Some(&a.1), &dy.1, &mut db.1)
            .expect("reserved");
        same(&format!("first cotangent of {rule} at {n}"), &da.0, &da.1);
        same(&format!("second cotangent of {rule} at {n}"), &db.0, &db.1);
    }
}

/// The same numbers in both precisions.
fn both(n: usize, seed: f64) -> (DeviceArray<f64>, DeviceArray<f32>) {
    let single = Array1::from_shape_fn(n, |i| (0.731 * (i * i) as f64 + 0.2 + seed).sin() as f32);
    (up(&single.mapv(f64::from)), up(&single))
}

/// To roundings of sums: of the largest entry.
#[track_caller]
fn same(what: &str, double: &DeviceArray<f64>, single: &DeviceArray<f32>) {
    let (double, single) = (
        double.to_host().expect("sent"),
        single.to_host().expect("sent"),
    );
    assert_eq!(double.len(), single.len(), "{what}");
    let largest = double.iter().fold(1.0, |s: f64, x| s.max(x.abs()));
    for (i, (a, b)) in double.iter().zip(&single).enumerate() {
        let error = (a - f64::from(*b)).abs();
        assert!(
            error <= 2e-5 * largest,
            "{what}: entry {i} is {b}, and {a} in double precision"
        );
    }
}

test_rule! {
    sum; x: by_ref(vector::<f64>(n)); ret: [Const, Active];
    name = sum_rule, sizes = n in (LENGTHS.iter().copied())
}

test_rule! {
    map1;
    x: by_ref(vector::<f64>(n)), f: value(Inactive(square {})) [Const]; ret: [Const, Duplicated];
    name = map_rule, widths = [1, 2, 3], sizes = n in (LENGTHS.iter().copied())
}

test_rule! {
    map1;
    x: by_ref(vector::<f32>(n)), f: value(Inactive(square {})) [Const]; ret: [Const, Duplicated];
    name = map_in_single_precision, widths = [1, 2, 3],
    overrides = Overrides::none().allow_inconclusive("differences in single precision are coarse"),
    sizes = n in [0, 1, 33]
}

test_rule! {
    to_f64; x: by_ref(vector::<f32>(n)); ret: [Const, Duplicated];
    name = to_f64_rule, widths = [1, 2, 3], sizes = n in [0, 1, 33]
}

/// `(m, 3)` numbers, different in each row.
fn rows(m: usize) -> DeviceArray<f64, Ix2> {
    vector(3 * m).reshaped((m, 3)).expect("as many entries")
}

test_rule! {
    layer_norm;
    x: by_ref(rows(m)), gain: by_ref(vector::<f64>(3)), bias: by_ref(vector::<f64>(3)), epsilon: value(1e-3) [Const];
    ret: [Const, Duplicated];
    name = layer_norm_rule, widths = [1, 2], sizes = m in [1, 2]
}
