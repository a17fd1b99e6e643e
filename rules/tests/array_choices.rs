//! Einstein sums, entries by position, padding and reductions with a parameter, judged in every mix.

mod judge;

use coenzyme::Inactive;
use coenzyme_rules::array::*;
use coenzyme_testutils::{Arg, Overrides, Shared, View, input, test_rule, untested, value};
use judge::entries_of;
use ndarray::{Array, Array1, Array2, IntoDimension, array};

/// An array of this shape, of numbers drawn between −2 and 2.
fn drawn<I: IntoDimension<Dim: 'static>>(shape: I) -> Arg<View<f64, I::Dim>> {
    input(Array::zeros(shape.into_dimension())).within(-2.0..2.0)
}

fn text(text: &str) -> Arg<Shared<str>> {
    Arg::new(text.to_owned().into())
}

test_rule! {
    einsum;
    x: drawn((2, 3)),
    y: drawn((3, 2)),
    subscripts: text(subscripts) [Const];
    ret: [Const, Duplicated];
    name = einsum_of_matrices, widths = [1, 2],
    sizes = subscripts in ["ij,jk->ik", "ij,ja->", "ij,ji->j", "ij,jk->j", "ij,kl->lkij"]
}

test_rule! {
    einsum;
    x: drawn((case.0, 2, 2)),
    y: drawn((case.0, 2)),
    subscripts: text(case.1) [Const];
    ret: [Const, Duplicated];
    name = einsum_of_stacks, widths = [1, 3],
    sizes = case in [(0, "bij,bj->bi"), (1, "bij,bj->bi"), (3, "bij,bj->bi"), (2, "iij,kj->i"), (2, "jii,ja->ij")]
}

test_rule! {
    einsum_one;
    x: drawn((2, 2, 3)), subscripts: text(subscripts) [Const];
    ret: [Const, Duplicated];
    name = einsum_of_one, widths = [1, 2], sizes = subscripts in ["iij->j", "ijk->kij", "ijk->", "iik->ki"]
}

test_rule! {
    take_along_axis;
    x: drawn((2, 3)),
    positions: input(positions) [Const],
    axis: value(1_usize) [Const];
    ret: [Const, Duplicated];
    name = taken_along_axis,
    sizes = positions in [array![[2, 0, 2, 2], [1, 1, 0, 2]], array![[1], [0]], Array2::zeros((2, 0))]
}

/// Positions, which have no derivative: the shadows of the operand stay as they are.
macro_rules! positions {
    ($($name:ident: $f:ident;)+) => {$(
        test_rule! {
            $f;
            x: drawn((2, 3)), axis: value(1_usize) [Const];
            ret: [Const];
            name = $name, widths = [1, 2],
            overrides = Overrides::none().allow_vacuous("positions are no floats")
        }
    )+};
}

positions! {
    largest: argmax;
    smallest: argmin;
    sorted: argsort;
}

untested! {
    concatenate_takes_handles: concatenate => "a list of handles is no argument of the tester; `concatenate_all` is judged",
    stack_takes_handles: stack => "a list of handles is no argument of the tester; `stack_all` is judged",
}

test_rule! {
    concatenate_all;
    xs: input(shapes.map(entries_of)), axis: value(1_usize) [Const];
    ret: [Const, Duplicated];
    name = concatenated, widths = [1, 2], sizes = shapes in [[(2, 3), (2, 1)], [(2, 0), (2, 2)], [(0, 1), (0, 2)]]
}

test_rule! {
    stack_all;
    xs: input([entries_of((2, n)), entries_of((2, n)) * 0.7]), axis: value(axis) [Const];
    ret: [Const, Duplicated];
    name = stacked, widths = [1, 2], sizes = (n, axis) in [(3, 0_usize), (3, 1), (3, 2), (0, 1)]
}

test_rule! {
    pad_edge;
    x: drawn((2, 3)), widths: input(widths) [Const];
    ret: [Const, Duplicated];
    name = padded_by_edges, sizes = widths in [[[1, 0], [0, 4]], [[0, 0], [2, 1]]]
}

test_rule! {
    pad_reflect;
    x: drawn((n, 3)), widths: input([[0, n - 1], [2, 1]]) [Const];
    ret: [Const, Duplicated];
    name = padded_by_reflection, sizes = n in [1, 2, 3]
}

test_rule! {
    var_ddof;
    x: drawn((2, n)), ddof: value(1_usize) [Const];
    ret: [Const, Active];
    name = variance, sizes = n in [1, 3]
}

test_rule! {
    std_ddof;
    x: drawn((2, n)), ddof: value(1_usize) [Const];
    ret: [Const, Active];
    name = deviation, sizes = n in [1, 3]
}

test_rule! {
    var_ddof_axis;
    x: drawn((2, n)), axis: value(1_usize) [Const], ddof: value(1_usize) [Const];
    ret: [Const, Duplicated];
    name = variances, sizes = n in [2, 3]
}

test_rule! {
    std_ddof_axis;
    x: drawn((n, 3)), axis: value(1_usize) [Const], ddof: value(2_usize) [Const];
    ret: [Const, Duplicated];
    name = deviations, sizes = n in [0, 1, 2]
}

test_rule! {
    norm_p;
    x: drawn(case.0), p: value(Inactive(case.1)) [Const];
    ret: [Const, Active];
    name = norms, widths = [1, 2],
    sizes = case in [(0, 3.0), (1, 1.5), (4, 1.0), (4, 1.5), (4, 2.0), (4, 3.5), (4, f64::INFINITY)]
}

test_rule! {
    quantile;
    x: drawn((2, n)), q: value(Inactive(0.3)) [Const];
    ret: [Const, Active];
    name = quantiles, sizes = n in [1, 3]
}

test_rule! {
    quantile_axis;
    x: drawn((n, 4)), axis: value(1_usize) [Const], q: value(Inactive(0.8)) [Const];
    ret: [Const, Duplicated];
    name = quantiles_along_axis, widths = [1, 2], sizes = n in [0, 1, 2]
}

test_rule! {
    median;
    x: drawn((1, n));
    ret: [Const, Active];
    name = medians, sizes = n in [1, 4, 5]
}

test_rule! {
    median_axis;
    x: drawn((n, 4)), axis: value(0_usize) [Const];
    ret: [Const, Duplicated];
    name = medians_along_axis, widths = [1, 2], sizes = n in [1, 2, 3]
}

test_rule! {
    median_axes;
    x: drawn((3, 4)), axes: input(vec![0_usize, 1]) [Const], keepdims: value(false) [Const];
    ret: [Const, Duplicated];
    name = medians_along_axes, widths = [1]
}

test_rule! {
    covariance;
    x: drawn((n, 3));
    ret: [Const, Duplicated];
    name = covariances, sizes = n in [2, 5]
}

test_rule! {
    correlation;
    x: drawn((n, 3));
    ret: [Const, Duplicated];
    name = correlations, sizes = n in [3, 5]
}

#[test]
fn order_statistics_at_their_edges() {
    let x = array![4.0, 1.0, 2.0, 8.0];
    assert_eq!(
        [0.0, 0.5, 1.0].map(|q| quantile(&x, Inactive(q))),
        [1.0, 3.0, 8.0]
    );
    assert_eq!(median(&x), 3.0);
    assert!(median(&Array1::<f64>::zeros(0)).is_nan() && median(&array![1.0, f64::NAN]).is_nan());
    assert_eq!(quantile(&array![1.0, f64::INFINITY], Inactive(0.0)), 1.0);
    assert!(covariance(&array![[1.0_f64, 2.0]])[[0, 0]].is_nan());
    let refused = std::panic::catch_unwind(|| quantile(&array![1.0], Inactive(1.5)));
    assert!(refused.is_err());
}

test_rule! {
    norm_p_axis;
    x: drawn((2, 3)), axis: value(0_usize) [Const], p: value(Inactive(p)) [Const];
    ret: [Const, Duplicated];
    name = norms_along_axis, widths = [1, 2], sizes = p in [1.5, 4.0]
}

#[test]
fn einsum_agrees_with_what_it_is_short_for() {
    let (x, y) = (
        array![[1.0, 2.0], [3.0, 4.0]],
        array![[0.5, -1.0], [2.0, 0.25]],
    );
    assert_eq!(einsum(&x, &y, "ij,jk->ik"), x.dot(&y).into_dyn());
    assert_eq!(einsum(&x, &y, " ij , kj -> ki"), y.dot(&x.t()).into_dyn());
    assert_eq!(
        einsum(&x, &y, "ij,ij->"),
        ndarray::arr0((&x * &y).sum()).into_dyn()
    );
    assert_eq!(einsum_one(&x, "ij->ji"), x.t().to_owned().into_dyn());
    assert_eq!(einsum_one(&x, "ii->"), ndarray::arr0(5.0).into_dyn());
}

#[test]
fn positions_pass_over_nan_and_break_ties_to_the_front() {
    let x = array![[f64::NAN, 2.0, 2.0], [f64::NAN; 3], [-1.0, -3.0, -3.0]];
    assert_eq!(argmax(&x, 1), array![1, 0, 0]);
    assert_eq!(argmin(&x, 1), array![1, 0, 1]);
    assert_eq!(argsort(&x, 1), array![[1, 2, 0], [0, 1, 2], [1, 2, 0]]);
}

#[test]
fn spread_and_norms_at_their_edges() {
    assert!(var_ddof(&array![1.0_f64], 1).is_nan() && std_ddof(&array![1.0_f64, 2.0], 3).is_nan());
    assert_eq!(norm_p(&Array1::<f64>::zeros(0), Inactive(3.0)), 0.0);
    assert_eq!(norm_p(&array![3.0, -4.0], Inactive(f64::INFINITY)), 4.0);
    assert!(
        (norm_p(&array![3e200, 3e200], Inactive(3.0)) / (3e200 * 2.0_f64.cbrt()) - 1.0).abs()
            < 1e-14
    );
}
