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

const UNARY: &[(&str, usize)] = &[
    ("sum_axis of rows", 0),
    ("sum_axis of rows", 1),
    ("sum_axis of rows", 31),
    ("sum_axis of rows", 33),
    ("sum_axis of columns", 0),
    ("sum_axis of columns", 5),
    ("mean_axis", 1),
    ("mean_axis", 32),
    ("max_axis of rows", 1),
    ("max_axis of rows", 33),
    ("max_axis of columns", 5),
    ("logsumexp of rows", 1),
    ("logsumexp of rows", 33),
    ("logsumexp of columns", 4),
    ("softmax of rows", 2),
    ("softmax of rows", 33),
    ("softmax of columns", 4),
    ("standardize", 3),
    ("standardize", 33),
    ("prefix_sum of rows", 0),
    ("prefix_sum of rows", 1),
    ("prefix_sum of rows", 31),
    ("prefix_sum of rows", 33),
    ("prefix_sum of columns", 4),
    ("transpose", 0),
    ("transpose", 3),
    ("slice_axis", 0),
    ("slice_axis", 3),
    ("gather", 0),
    ("gather", 1),
    ("gather", 3),
    ("scatter_add", 0),
    ("scatter_add", 1),
    ("scatter_add", 3),
    ("image_to_columns", 0),
    ("image_to_columns", 2),
];

test_rule! {
    shaped;
    x: by_ref(vector::<f64>(unary::<f64>(rule, n).0)), op: value(unary::<f64>(rule, n).1) [Const];
    ret: [Const, Duplicated];
    name = rules_of_one_array, sizes = (rule, n) in (UNARY.iter().copied())
}

/// Where blocks have many entries, and sums many parts.
const LONG: &[(&str, usize)] = &[
    ("sum_axis of rows", 1000),
    ("sum_axis of columns", 4097),
    ("logsumexp of rows", 1000),
    ("softmax of rows", 1000),
    ("standardize", 1000),
    ("prefix_sum of rows", 1000),
    ("prefix_sum of rows", 4097),
    ("transpose", 1000),
    ("gather", 1000),
    ("scatter_add", 1000),
    ("image_to_columns", 43),
];

test_rule! {
    shaped;
    x: by_ref(vector::<f64>(unary::<f64>(rule, n).0)) [Duplicated], op: value(unary::<f64>(rule, n).1) [Const];
    ret: [Duplicated];
    name = rules_of_long_arrays, widths = [2], sizes = (rule, n) in (LONG.iter().copied())
}

/// The same kernels in single precision.
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

test_rule! {
    shaped;
    x: by_ref(vector::<f32>(unary::<f32>(rule, n).0)) [Duplicated], op: value(unary::<f32>(rule, n).1) [Const];
    ret: [Duplicated];
    name = rules_in_single_precision, widths = [1],
    overrides = Overrides::none().allow_inconclusive("differences in single precision are coarse; the kernels are those of double precision"),
    sizes = (rule, n) in (SINGLE.iter().copied())
}

fn binary(name: &str, n: usize) -> (usize, usize, Inactive<Arc<dyn Op2>>) {
    match name {
        "matmul" => (
            2 * n,
            n * 3,
            of2::<Product<f64, Ix2>, _>([Dim([2, n]), Dim([n, 3]), Dim([2, 3])], ()),
        ),
        "matmul of columns" => (
            n * 2,
            2,
            of2::<Product<f64, Ix2>, _>([Dim([n, 2]), Dim([2, 1]), Dim([n, 1])], ()),
        ),
        "batched_matmul" => (
            2 * n * 3,
            12,
            of2::<Product<f64, Ix3>, _>([Dim([2, n, 3]), Dim([2, 3, 2]), Dim([2, n, 2])], ()),
        ),
        "concatenate" => (
            n * 4,
            12,
            of2::<Concatenate<f64, Ix3>, _>(
                [Dim([2, n, 2]), Dim([2, 3, 2]), Dim([2, n + 3, 2])],
                (1,),
            ),
        ),
        other => panic!("no rule {other}"),
    }
}

const BINARY: &[(&str, usize)] = &[
    ("matmul", 0),
    ("matmul", 3),
    ("matmul of columns", 0),
    ("matmul of columns", 33),
    ("batched_matmul", 3),
    ("concatenate", 0),
    ("concatenate", 2),
];

test_rule! {
    shaped2;
    a: by_ref(vector::<f64>(binary(rule, n).0)), b: by_ref(vector::<f64>(binary(rule, n).1)), op: value(binary(rule, n).2) [Const];
    ret: [Const, Duplicated];
    name = rules_of_two_arrays, widths = [2], sizes = (rule, n) in (BINARY.iter().copied())
}

test_rule! {
    sum; x: by_ref(vector::<f64>(n)); ret: [Const, Active];
    name = sum_rule, sizes = n in [0, 1, 31, 33, 1000, 4097]
}

test_rule! {
    map1;
    x: by_ref(vector::<f64>(n)), f: value(Inactive(square {})) [Const]; ret: [Const, Duplicated];
    name = map_rule, widths = [1, 3], sizes = n in [0, 1, 31, 32, 33, 1000, 4097]
}

test_rule! {
    map1;
    x: by_ref(vector::<f32>(n)) [Duplicated], f: value(Inactive(square {})) [Const]; ret: [Duplicated];
    name = map_in_single_precision, widths = [3],
    overrides = Overrides::none().allow_inconclusive("differences in single precision are coarse"),
    sizes = n in [0, 1, 33]
}

test_rule! {
    to_f64; x: by_ref(vector::<f32>(n)) [Duplicated]; ret: [Duplicated];
    name = to_f64_rule, widths = [1], sizes = n in [0, 33]
}
