//! Operators and methods of `ndarray` arrays in differentiated code, each against differences of what it computes.

use coenzyme::prelude::*;
use ndarray::{Array1, Array2, Axis, array, s};

/// Where the gradients are looked at.
fn point() -> (Array2<f64>, Array1<f64>) {
    let a = array![[0.6, 1.3, 0.9], [1.7, 0.4, 1.1]];
    (a, array![0.7, -0.8, 1.9])
}

/// Compares both gradients with central differences.
#[track_caller]
fn check(f: impl Fn(&Array2<f64>, &Array1<f64>) -> f64, (da, db): (Array2<f64>, Array1<f64>)) {
    let near = |d: f64, at: &dyn Fn(f64) -> f64| {
        let want = (at(1e-5) - at(-1e-5)) / 2e-5;
        let close = (d - want).abs() <= 1e-8 * (1.0 + want.abs());
        assert!(close, "{d}, by differences {want}");
    };
    let (a, b) = point();
    for (i, d) in da.indexed_iter() {
        near(*d, &|h| {
            let mut a = a.clone();
            a[i] += h;
            f(&a, &b)
        });
    }
    for (i, d) in db.iter().enumerate() {
        near(*d, &|h| {
            let mut b = b.clone();
            b[i] += h;
            f(&a, &b)
        });
    }
    let moved = da.iter().chain(&db).any(|d| *d != 0.0);
    assert!(moved, "nothing depends on the arguments");
}

/// `name(a, b) { … }`: a test of a number that depends on a matrix `(2, 3)` and a vector `(3)`.
macro_rules! methods {
    ($($name:ident($a:ident, $b:ident) $body:block)+) => {$(
        #[test]
        fn $name() {
            #[differentiable]
            fn f($a: &Array2<f64>, $b: &Array1<f64>) -> f64 $body

            let (a, b) = point();
            check(f, gradient!(f, &a, &b));
        }
    )+};
}

methods! {
    add_refs(a, b) { let c = a * a; (&c + b).sum() }
    sub_refs(a, b) { let c = a - b; (&c * &c).sum() }
    mul_refs(a, b) { (a * b).sum() }
    div_refs(a, b) { (a / b).sum() }
    chained_ops(a, b) { ((a + b) * a - b / a).sum() }
    neg_ref(a, b) { (-a * b).sum() }
    active_scalar_right(a, b) { let s = b.sum(); (a * s).sum() }
    active_scalar_left(a, b) { let s = b.sum(); (s * a).sum() }
    owned_owned(a, b) { let c = a * a; let d = a + b; let e = c * d; e.sum() }
    add_assign(a, b) { let mut c = a * a; c += b; c -= a; c *= b; c /= a; c.sum() }
    scalar_assign(a, b) { let mut c = a * a; c += 1.0; c *= 2.0; c -= 0.5; c /= 3.0; (&c * b).sum() }
    active_scalar_assign(a, b) { let s = b.sum(); let mut c = a * a; c *= s; c.sum() }
    dot_mv(a, b) { let y = a.dot(b); (&y * &y).sum() }
    dot_mm(a, b) { let g = a.dot(&a.t()); (&g * &g).sum() * b[0] }
    dot_vv(a, b) { b.dot(b) * a[[0, 1]] }
    dot_tv(a, b) { let y = a.t().dot(&a.dot(b)); y.sum() }
    sum(a, b) { a.sum() * b.sum() }
    mean_unwrap(a, b) { a.mean().unwrap() * b.sum() }
    mean_expect(a, b) { a.mean().expect("some") * b.sum() }
    sum_axis(a, b) { let s = a.sum_axis(Axis(0)); s.dot(b) }
    mean_axis_unwrap(a, b) { let s = a.mean_axis(Axis(0)).unwrap(); s.dot(b) }
    t(a, b) { let t = a.t(); (&t * &t).sum() * b[0] }
    mapv(a, b) { a.mapv(|x| x * x + x.sin()).sum() * b.sum() }
    mapv_fn(a, b) { a.mapv(f64::exp).sum() * b.sum() }
    mapv_into(a, b) { let c = a * a; c.mapv_into(|x| x.sqrt()).sum() * b.sum() }
    map_capture(a, b) { let s = b.sum(); a.mapv(|x| x * s).sum() }
    mapv_inplace(a, b) { let mut c = a * a; c.mapv_inplace(|x| x.sin()); c.sum() * b.sum() }
    assign(a, b) { let mut c = Array2::zeros((2, 3)); c.assign(a); (&c * &c).sum() * b.sum() }
    assign_fresh(a, b) { let mut c = a.to_owned(); c.assign(&(a * b)); (&c * &c).sum() }
    fill(a, b) { let mut c = a.to_owned(); c.fill(2.0); c[[0, 1]] = b[1]; (&c * a).sum() }
    fill_active(a, b) { let mut c = a.to_owned(); c.fill(b[1]); (&c * a).sum() }
    scaled_add(a, b) { let mut c = a.to_owned(); c.scaled_add(2.0, a); (&c * b).sum() }
    scaled_add_active(a, b) { let mut c = a.to_owned(); c.scaled_add(b[0], a); (&c * b).sum() }
    row(a, b) { let r = a.row(1); r.dot(b) }
    column(a, b) { let c = a.column(2); c.dot(&c) * b[0] }
    rows_loop(a, b) { let mut s = 0.0; for r in a.rows() { s += r.dot(b); } s }
    columns_loop(a, b) { let mut s = 0.0; for c in a.columns() { s += c.dot(&c) * b[0]; } s }
    axis_iter(a, b) { let mut s = 0.0; for r in a.axis_iter(Axis(0)) { s += r.dot(b); } s }
    outer_iter(a, b) { let mut s = 0.0; for r in a.outer_iter() { s += r.dot(b); } s }
    slice(a, b) { let c = a.slice(s![.., 1..]); (&c * &c).sum() * b[0] }
    select(a, b) { let c = a.select(Axis(1), &[2, 0, 0]); (&c * b).sum() }
    insert_axis(a, b) { let c = b.to_owned().insert_axis(Axis(0)); (&c * a).sum() }
    index_axis(a, b) { let c = a.index_axis(Axis(0), 1); (&c * b).sum() }
    index_axis_move(a, b) { let c = a * a; let d = c.index_axis_move(Axis(0), 1); (&d * b).sum() }
    remove_axis(a, b) { let c = a.slice(s![0..1, ..]).remove_axis(Axis(0)); (&c * b).sum() }
    permuted_axes(a, b) { let c = a * a; let d = c.permuted_axes([1, 0]); (&d * &d).sum() * b[0] }
    reversed_axes(a, b) { let c = a * a; let d = c.reversed_axes(); (&d * &d).sum() * b[0] }
    diag(a, b) { let g = a.dot(&a.t()); let d = g.diag(); (&d * &d).sum() * b[0] }
    to_shape(a, b) { let c = a.to_shape((3, 2)).unwrap(); (&c * &c).sum() * b[0] }
    to_shape_of_columns(a, b) { let t = a.t(); let c = t.to_shape(6).unwrap(); (&c * &c).sum() * c[1] * b[0] }
    into_shape_with_order(a, b) { let c = a * a; let d = c.into_shape_with_order(6).unwrap(); d[1] * d[4] * b[0] }
    broadcast(a, b) { let c = b.broadcast((2, 3)).unwrap(); (&c * a).sum() }
    broadcast_column(a, b) {
        let c = a.sum_axis(Axis(1)).insert_axis(Axis(1));
        let d = c.broadcast((2, 2, 3)).unwrap();
        (&(&d * a) * b).sum()
    }
    to_owned(a, b) { let c = a.to_owned(); (&c * &c).sum() * b[0] }
    clone(a, b) { let c = a.clone(); (&c * &c).sum() * b[0] }
    index_2d(a, b) { a[[0, 1]] * a[(1, 2)] * b[0] }
    index_write(a, b) { let mut c = a.to_owned(); c[[0, 1]] = a[[1, 1]] * b[0]; (&c * a).sum() }
    index_loops(a, b) { let mut s = 0.0; for i in 0..a.nrows() { for j in 0..a.ncols() { s += a[[i, j]] * b[j]; } } s }
    zeros_write(a, b) { let mut c = Array2::<f64>::zeros((2, 3)); for i in 0..2 { for j in 0..3 { c[[i, j]] = a[[i, j]] * b[j]; } } (&c * &c).sum() }
    zeros_raw_dim(a, b) { let mut c = Array2::<f64>::zeros(a.raw_dim()); c += a; (&c * &c).sum() * b[0] }
    ones(a, b) { let c = Array2::<f64>::ones((2, 3)); (&c * a).sum() * b[0] }
    eye(a, b) { let c = Array2::<f64>::eye(3); a.dot(&c).sum() * b[0] }
    first_last(a, b) { b.first().unwrap() * b.last().unwrap() * a[[0, 0]] }
    softmax_by_hand(a, b) { let m = a.mapv(|x| x.exp()); let s = m.sum(); let p = &m / s; (&p * a).sum() * b[0] }
}

/// Methods of every entry.
macro_rules! entrywise {
    ($($method:ident($($arg:expr),*);)+) => {
        methods! {$(
            $method(a, b) { (&a.$method($($arg),*) * a).sum() * b[0] }
        )+}
    };
}

entrywise! {
    exp();
    ln();
    sqrt();
    abs();
    sin();
    cos();
    tan();
    tanh();
    sinh();
    cosh();
    exp2();
    ln_1p();
    exp_m1();
    log2();
    log10();
    recip();
    cbrt();
    to_radians();
    signum();
    floor();
    ceil();
    powi(3);
    powf(1.5);
    log(2.0);
    hypot(1.0);
    clamp(0.5, 1.5);
}
