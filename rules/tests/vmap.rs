//! Calls along a leading axis, judged in every mix, and beside calls one by one.

mod judge;

use coenzyme::prelude::*;
use coenzyme::{Inactive, Thunk};
use coenzyme_rules::array::{add, broadcast_to, mul, relu, reshape, sin, sum, sum_axis};
use coenzyme_rules::linalg::matvec;
use coenzyme_rules::parallel::{vmap, zip_vmap};
use coenzyme_testutils::{input, value};
use judge::entries_of;
use ndarray::{Array, Array1, Array2, ArrayRef1, ArrayRef2, array};

/// `sin(W·x)∘x`
#[differentiable]
fn turned(x: &ArrayRef1<f64>, w: &ArrayRef2<f64>) -> Array1<f64> {
    let h = matvec(w, x);
    let s = sin(&h);
    mul(&s, x)
}

/// `Σ x∘y`
#[differentiable]
fn inner(x: &ArrayRef2<f64>, y: &ArrayRef1<f64>) -> f64 {
    let z = mul(x, y);
    sum(&z)
}

judge! { parallel:
    vmap as vmap_to_arrays(x: input(entries_of((n, 2))), p: input(entries_of((2, 2))), f: value(Inactive(turned {})) [Const])
        Duplicated { sizes = n in [1, 3, 67] };
    vmap as vmap_to_numbers(x: input(entries_of((n, 2, 3))), p: input(entries_of(3)), f: value(Inactive(inner {})) [Const])
        Duplicated { sizes = n in [0, 1, 3] };
}

/// `sin(W·x)∘y`
#[differentiable]
fn gated(x: &ArrayRef1<f64>, y: &ArrayRef1<f64>, w: &ArrayRef2<f64>) -> Array1<f64> {
    let h = matvec(w, x);
    let s = sin(&h);
    mul(&s, y)
}

judge! { parallel:
    zip_vmap as vmap_of_two(x: input(entries_of((n, 2))), y: input(entries_of((n, 2))), p: input(entries_of((2, 2))),
        f: value(Inactive(gated {})) [Const]) Duplicated { sizes = n in [1, 3] };
}

/// `sin(W·x)∘y + z`
#[differentiable]
fn gated_and_moved(
    x: &ArrayRef1<f64>,
    y: &ArrayRef1<f64>,
    z: &ArrayRef1<f64>,
    w: &ArrayRef2<f64>,
) -> Array1<f64> {
    let h = matvec(w, x);
    let s = sin(&h);
    let g = mul(&s, y);
    add(&g, z)
}

judge! { parallel:
    zip_vmap3 as vmap_of_three(x: input(entries_of((n, 2))), y: input(entries_of((n, 2))), z: input(entries_of((n, 2))),
        p: input(entries_of((2, 2))), f: value(Inactive(gated_and_moved {})) [Const]) Duplicated { sizes = n in [2] };
}

#[test]
#[should_panic(
    expected = "zip_vmap: as many entries along the leading axis of shapes [[2, 3], [3, 3]]?"
)]
fn arrays_of_different_lengths_are_named() {
    let (x, y) = (Array2::<f64>::zeros((2, 3)), Array2::<f64>::zeros((3, 3)));
    let w = Array2::<f64>::zeros((3, 3));
    let _ = zip_vmap(&*x, &*y, &*w, Inactive(gated {}));
}

#[differentiable]
fn product(x: &ArrayRef1<f64>, y: &ArrayRef1<f64>) -> Array1<f64> {
    mul(x, y)
}

#[test]
fn n23_what_is_shared_gets_the_sum_over_the_batch() {
    let (x, y) = (
        array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        array![10.0, 20.0, 30.0],
    );
    let (mut dx, mut dy) = (Array2::zeros((2, 3)), Array1::zeros(3));
    let mut args = (
        Duplicated(&*x, &mut *dx),
        Duplicated(&*y, &mut *dy),
        Const(Inactive(product {})),
    );
    let thunk = Thunk::<_, Duplicated<Array2<f64>>>::new(vmap {});
    let augmented = thunk.augmented(&mut args);
    assert_eq!(
        augmented.primal,
        Some(array![[10.0, 40.0, 90.0], [40.0, 100.0, 180.0]])
    );
    thunk.reverse([Array2::ones((2, 3))], augmented.tape, &mut args);
    assert_eq!(dx, array![[10.0, 20.0, 30.0], [10.0, 20.0, 30.0]]);
    assert_eq!(dy, array![5.0, 7.0, 9.0]);
}

#[differentiable]
fn sum_rows(x: &ArrayRef2<f64>, _p: &()) -> Array1<f64> {
    sum_axis(x, 1)
}

#[differentiable]
fn sum_columns(x: &ArrayRef2<f64>, _p: &()) -> Array1<f64> {
    sum_axis(x, 0)
}

#[test]
fn n25_axes_count_from_that_of_the_body() {
    let x = Array::from_iter((0..24).map(f64::from))
        .into_shape_with_order((2, 3, 4))
        .expect("24 entries");
    assert_eq!(
        vmap(&*x, &(), Inactive(sum_rows {})),
        array![[6.0, 22.0, 38.0], [54.0, 70.0, 86.0]]
    );
    assert_eq!(
        vmap(&*x, &(), Inactive(sum_columns {})),
        array![[12.0, 15.0, 18.0, 21.0], [48.0, 51.0, 54.0, 57.0]]
    );
}

#[differentiable]
fn folded(x: &ArrayRef1<f64>, _p: &()) -> Array2<f64> {
    reshape(x, [2, 3])
}

#[test]
fn n8_attributes_are_those_of_the_body() {
    let x = Array::from_iter((0..12).map(f64::from));
    let batch = reshape(&x, [2, 6]);
    let y = vmap(&*batch, &(), Inactive(folded {}));
    assert_eq!(y.shape(), [2, 2, 3]);
    assert_eq!(y, reshape(&x, [2, 2, 3]));
}

#[differentiable]
fn rectified(x: &ArrayRef1<f64>, _p: &()) -> Array1<f64> {
    relu(x)
}

/// The shards of an array that lies on several devices are a leading axis.
#[test]
fn n11_each_shard_is_treated_alone() {
    let x = array![-1.0, 2.0, 0.0, -3.0, 4.0, 0.5, -0.5, 8.0];
    let shards = vmap(&*reshape(&x, [2, 4]), &(), Inactive(rectified {}));
    assert_eq!(reshape(&shards, [8]), relu(&x));
}

#[differentiable]
fn part(x: &ArrayRef1<f64>, _p: &()) -> f64 {
    sum(x)
}

/// The sum over all shards, on each of four devices.
#[differentiable]
fn everywhere(x: &Array2<f64>) -> Array1<f64> {
    let parts = vmap(x, &(), Inactive(part {}));
    let column = reshape(&parts, [4, 1]);
    let all = sum_axis(&column, 0);
    broadcast_to(&all, [4])
}

#[test]
fn n27_a_sum_over_shards_is_the_sum_of_their_sums() {
    let x = Array::from_shape_fn((4, 2), |(r, i)| [1.0, 10.0][i] * (r + 1) as f64);
    let mut dx = Array2::zeros((4, 2));
    let mut args = (Duplicated(&x, &mut dx),);
    let thunk = Thunk::<_, Duplicated<Array1<f64>>>::new(everywhere {});
    let augmented = thunk.augmented(&mut args);
    assert_eq!(augmented.primal, Some(array![110.0, 110.0, 110.0, 110.0]));
    // one value, which all devices have: its cotangent arrives once
    thunk.reverse([array![1.0, 0.0, 0.0, 0.0]], augmented.tape, &mut args);
    assert_eq!(dx, Array2::ones((4, 2)));
}

/// Width 3 (shadows of one primal) and batch 2 (primals) are two axes.
#[test]
fn lanes_and_batch_do_not_mix() {
    let (x, y) = (array![[1.0, 2.0], [3.0, 4.0]], array![10.0, 20.0]);
    let (mut dx, dy) = ([(); 3].map(|()| Array2::zeros((2, 2))), &y);
    let [a, b, c] = &mut dx;
    let mut args = (
        BatchDuplicated(&*x, [&mut **a, &mut **b, &mut **c]),
        Const(&**dy),
        Const(Inactive(product {})),
    );
    let thunk = Thunk::<_, BatchDuplicated<Array2<f64>, Array2<f64>, 3>, 3>::new(vmap {});
    let augmented = thunk.augmented(&mut args);
    let seeds = [1.0, -1.0, 0.5].map(|s| Array2::from_elem((2, 2), s));
    thunk.reverse(seeds, augmented.tape, &mut args);
    for (dx, s) in dx.iter().zip([1.0, -1.0, 0.5]) {
        assert_eq!(dx, array![[10.0, 20.0], [10.0, 20.0]] * s);
    }
}

#[test]
#[should_panic(expected = "vmap: no entries")]
fn no_arrays_have_no_shape() {
    let x = Array2::<f64>::zeros((0, 3));
    let _ = vmap(&*x, &*Array1::<f64>::zeros(3), Inactive(product {}));
}
