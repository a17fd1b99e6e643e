//! Operators and methods of `ndarray` arrays in differentiated code, each against differences of what it computes.

use coenzyme::prelude::*;
use ndarray::{Array, Array1, Array2, Axis, Zip, arr1, array, azip, concatenate, s, stack};

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
    each_mut(a, b) { let mut c = a.clone(); for v in c.iter_mut() { *v = *v * *v * b[0]; } c.sum() }
    each_outer(a, b) { let mut s = 0.0; for (i, row) in a.outer_iter().enumerate() { s += row.dot(b) * (i + 1) as f64; } s }
    each_rows_zip(a, b) { let w = a.sum_axis(Axis(1)); let mut s = 0.0; for (row, w) in a.rows().into_iter().zip(w.iter()) { s += row.dot(b) * w; } s }
    each_indexed(a, b) { let mut s = 0.0; for ((i, j), v) in a.indexed_iter() { s += v * v * b[j] * (i + 1) as f64; } s }
    each_axis1(a, b) { let mut s = 0.0; for (j, c) in a.axis_iter(Axis(1)).enumerate() { s += c.dot(&c) * b[j]; } s }
    each_rows_mut(a, b) { let mut c = a.clone(); for mut r in c.rows_mut() { r *= b; } (&c * &c).sum() }
    each_axis_mut(a, b) { let mut c = a.clone(); for (j, mut r) in c.axis_iter_mut(Axis(1)).enumerate() { r *= b[j]; } (&c * &c).sum() }
    each_rows_mut_mapv(a, b) { let mut c = a.clone(); for mut r in c.rows_mut() { let s = r.sum(); r.mapv_inplace(|v| v / s); } (&c * &c).sum() * b[0] }
    each_collect(a, b) { let v: Vec<f64> = a.iter().map(|x| x * x).collect(); v[1] * v[4] * b[0] }
    each_lanes(a, b) { let mut s = 0.0; for l in a.lanes(Axis(0)) { s += l[0] * l[1]; } s * b[0] }
    each_skip(a, b) { b.iter().skip(1).zip(b.iter()).map(|(x, y)| (x - y).powi(2)).sum::<f64>() * a[[1, 1]] }
    each_windows(a, b) { let mut s = 0.0; for w in b.windows(2) { s += w[0] * w[1]; } s * a[[0,0]] }
    part_row_assign(a, b) { let mut c = a.clone(); c.row_mut(0).assign(b); (&c * &c).sum() * b[1] }
    part_row_local(a, b) { let mut c = a.clone(); let mut r = c.row_mut(1); r += b; r[0] = b[1] * b[2]; r[2] *= 2.0; (&c * &c).sum() }
    part_slice_assign(a, b) { let mut c = Array2::<f64>::zeros((3, 3)); c.slice_mut(s![..2, ..]).assign(a); c.slice_mut(s![2, 1..]).assign(&b.slice(s![..2])); (&c * &c).sum() }
    part_col_op(a, b) { let mut c = a.clone(); c.column_mut(1).mapv_inplace(|v| v * b[0]); (&c * &c).sum() }
    part_op_assign(a, b) { let mut c = a.clone(); c.row_mut(0).scaled_add(-1.0, &a.row(1)); let mut q = c.slice_mut(s![1.., ..2]); q -= 1.0; q /= b[0]; (&c * &c).sum() }
    part_diag_add(a, b) { let mut g = a.dot(&a.t()); let mut d = g.diag_mut(); d += b[0]; (&g * &g).sum() }
    part_zip(a, b) { let mut c = a.clone(); Zip::from(&mut c).and(a).for_each(|c, &a| { *c = *c * a * b[0]; }); c.sum() }
    part_zip_indexed(a, b) { let mut c = a.clone(); Zip::indexed(&mut c).for_each(|(i, j), c| { *c *= b[j] * (i + 1) as f64; }); c.sum() }
    part_zip_rows(a, b) { let mut y = Array1::zeros(2); Zip::from(&mut y).and(a.rows()).for_each(|y, r| { *y = r.dot(b); }); y.dot(&y) }
    part_zip_fold(a, b) { let d = a * 2.0; Zip::from(a).and(&d).fold(0.0, |s, x, y| s + x * y) * b[0] }
    part_zip_collect(a, b) { let d = Zip::from(a).and(&(a * 2.0)).map_collect(|x, y| x * y); d.sum() * b[0] }
    part_azip_index(a, b) { let mut c = a.clone(); azip!((index (i, j), c in &mut c, &x in a) { *c = *c * x * b[j] + i as f64 }); c.sum() }
    part_zip_mut_with_b(a, b) { let mut c = a.clone(); c.zip_mut_with(b, |x, y| *x *= y); c.sum() }
    part_view_mut(a, b) { let mut c = a.clone(); let mut v = c.view_mut(); v *= b; v[[0, 1]] = b[0]; (&c * &c).sum() }
    part_swap(a, b) { let mut c = a.clone(); c.swap([0, 1], [1, 2]); c[[0, 1]] * b[0] + c[[1, 2]] * b[1] }
    part_swap_axes(a, b) { let mut c = a.clone(); c.swap_axes(0, 1); c.row(2).dot(&c.row(0)) * b[0] }
    part_split(a, b) { let mut c = a.clone(); let (mut top, bottom) = c.view_mut().split_at(Axis(0), 1); top.assign(&bottom); (&c * &c).sum() * b[0] }
    part_assign_elem(a, b) { let mut c = a.clone(); c.row_mut(0)[1] = b[0] * b[1]; c.slice_mut(s![1.., 1..])[[0, 1]] *= b[2]; (&c * &c).sum() }
    var(a, b) { a.var(1.0) * b[0] }
    std1(a, b) { let s = b.std(1.0); let m = b.mean().unwrap(); ((b - m) / s).mapv(|v| v.powi(3)).sum() * a[[0, 0]] }
    product(a, b) { a.product() * b.product() }
    fold_axis_max(a, b) { let c = a.fold_axis(Axis(1), f64::NEG_INFINITY, |&s, &v| s.max(v)); c.sum() * b[0] }
    map_axis1(a, b) { let c = a.map_axis(Axis(1), |r| r.iter().cloned().fold(f64::NEG_INFINITY, f64::max)); c.sum() * b[0] }
    var_axis(a, b) { a.var_axis(Axis(0), 0.0).dot(b) }
    std_axis(a, b) { a.std_axis(Axis(0), 1.0).dot(b) }
    view2(a, b) { let v = b.view(); let w = v.slice(s![1..]); w.dot(&w) * a[[0,0]] }
    from_vec_named(a, b) { let mut v = vec![0.0; 3]; for i in 0..3 { v[i] = b[i] * b[i]; } let c = Array1::from_vec(v); c.dot(b) * a[[0, 0]] }
    from_iter(a, b) { let c = Array1::from_iter(b.iter().map(|v| v * v)); a.dot(&c).sum() }
    collect(a, b) { let c: Array1<f64> = b.iter().map(|v| v * v).collect(); a.dot(&c).sum() }
    collect_turbo(a, b) { let c = b.iter().map(|v| v * v).collect::<Array1<f64>>(); a.dot(&c).sum() }
    from_shape_fn(a, b) { let c = Array::from_shape_fn((3, 3), |(i, j)| b[i] * b[j]); a.dot(&c).sum() }
    from_shape_fn2(a, b) { let c = Array2::from_shape_fn((3, 2), |(i, j)| (b[i] * a[[j, i]]).exp()); b.dot(&c).sum() }
    from_shape_vec(a, b) { let c = Array2::from_shape_vec((2, 2), vec![b[0], b[1], b[2], a[[0, 0]]]).unwrap(); c.dot(&c).sum() }
    from_elem(a, b) { let c = Array2::from_elem((2, 3), b[0] * b[1]); (&c * a).sum() }
    from_diag(a, b) { let c = Array2::from_diag(b); a.dot(&c).sum() }
    array2(a, b) { let c = array![[b[0], b[1]], [a[[1, 1]], 2.0]]; c.dot(&c).sum() }
    from_arr1(a, b) { let c = arr1(&[b[0] * b[1], a[[1, 1]]]); c.dot(&c) }
    concat2(a, b) { let d = a * 2.0; let c = concatenate![Axis(1), a.view(), d.view()]; (&c * &c).sum() * b[0] }
    concat_fn(a, b) { let d = a * 2.0; let c = concatenate(Axis(0), &[a.view(), d.view()]).unwrap(); (&c * &c).dot(b).sum() }
    stack_macro(a, b) { let d = b * 2.0; let c = stack![Axis(0), *b, d]; (&c * a).sum() }
    stack_fn(a, b) { let d = b * 2.0; let c = stack(Axis(0), &[b.view(), d.view()]).unwrap(); (&c * a).sum() }
    nested(a, b) { let c = &(a * 2.0) * a; (&c * b).sum() }
    number_over_array(a, b) { (1.0 / a).sum() * b[0] }
    local2(a, b) { let c = a * 2.0; let d = c * 2.0 + 1.0; let e = 1.0 - d; (e * b).sum() }
    insert2(a, b) { let s = a.sum_axis(Axis(1)).insert_axis(Axis(1)); let p = a / &s; (&p * &p).sum() * b[0] }
    dot_chain(a, b) { let e = a.dot(b) - 1.0; e.dot(&e) / 2.0 }
    dot_neg(a, b) { let e = -(a.dot(b)); e.mapv(f64::exp).sum() }
    typed(a, b) { let c: Array1<f64> = a.dot(b); let d: f64 = c.dot(&c); d.sqrt() }
    chosen_array(a, b) { let c = if b[0] > 0.0 { a * b } else { a + b }; (&c * &c).sum() }
    iterate(a, b) { let g = a.t().dot(a); let mut v = b.clone(); for _ in 0..3 { let w = g.dot(&v); let n = w.dot(&w).sqrt(); v = w / n; } v.dot(&g.dot(&v)) }
    closure(a, b) { let sigmoid = |x: &Array1<f64>| x.mapv(|v| 1.0 / (1.0 + (-v).exp())); let y = sigmoid(&a.dot(b)); y.sum() }
    outer2(a, b) { let n = b.len(); let x = b.to_shape((n, 1)).unwrap(); let d = &x - &x.t(); d.mapv(|v| v * v).sum() * a[[0, 0]] }
    max(a, b) { let m = a.map_axis(Axis(1), |r| r.fold(f64::NEG_INFINITY, |m, v| m.max(*v))); let e = (a - &m.insert_axis(Axis(1))).exp(); let s = e.sum_axis(Axis(1)); s.ln().sum() * b[0] }
    fold(a, b) { a.fold(1.0, |p, v| p * v) * b.fold(0.0, |m, v| m + v * v) }
    split(a, b) { let (l, r) = a.view().split_at(Axis(1), 1); l.sum() * r.sum() * b[0] }
    to_vec(a, b) { let v = b.to_vec(); v[0] * v[1] * a[[0, 0]] }
    rev(a, b) { let r = b.slice(s![..;-1]); r.dot(&a.row(0)) }
    neg_slice(a, b) { let u = a.slice(s![.., 1..]).to_owned() - a.slice(s![.., ..-1]); (&u * &u).sum() * b[0] }
    slice_op(a, b) { let u = &a.slice(s![.., 1..]) - &a.slice(s![.., ..-1]); (&u * &u).sum() * b[0] }
    row_minus(a, b) { (&a.row(0) - b).mapv(|v| v.powi(2)).sum() }
    each_axis(a, b) { let mut t = 0.0; for ax in 0..2 { t += a.sum_axis(Axis(ax)).mapv(|v| v * v).sum(); } t * b[0] }
    number_of_rounds(a, b) { let n = 2; let mut t = 0.0; b.iter().take(usize::min(n, 3)).for_each(|v| t += v * v); for i in 0..n { t *= a[[i, i]]; } t }
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
