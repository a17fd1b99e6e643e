//! The grammar and the signatures of nightly `std::autodiff`: only the `use` line differs.

use coenzyme::{autodiff_forward, autodiff_reverse};

#[autodiff_forward(df, Dual, Const, Dual)]
#[autodiff_forward(df_only, Dual, Const, DualOnly)]
#[autodiff_forward(df_const, Dual, Const, Const)]
#[autodiff_forward(df4, 4, Dual, Const, Dual)]
#[autodiff_forward(df4_only, 4, Dual, Const, DualOnly)]
#[autodiff_forward(df2v, 2, Dualv, Const, Dual)]
#[autodiff_reverse(rf, Duplicated, Active, Active)]
#[autodiff_reverse(rf_only, Duplicated, Active, ActiveOnly)]
#[autodiff_reverse(rf_const, Duplicated, Active, Const)]
#[autodiff_reverse(rf4, 4, Duplicated, Const, Active)]
fn f(x: &[f64], y: f64) -> f64 {
    x[0] * x[0] * y + x[1]
}

#[autodiff_reverse(dsquare, Active, Active)]
fn square(x: f64) -> f64 {
    x * x
}

#[autodiff_forward(dfill, Dual, Dual)]
#[autodiff_reverse(rfill, Duplicated, Duplicated)]
fn fill(x: &[f64], out: &mut [f64]) {
    for (o, x) in out.iter_mut().zip(x.iter()) {
        *o = x * x;
    }
}

#[autodiff_reverse(dnorm, Duplicated, Active)]
fn norm<const N: usize>(x: &[f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        s += x[i] * x[i];
    }
    s
}

#[test]
fn forward_mode_returns_the_primal_first() {
    let (x, bx) = ([3.0, 1.0], [1.0, 0.5]);
    assert_eq!(df(&x, &bx, 2.0), (19.0, 12.5));
    assert_eq!(df_only(&x, &bx, 2.0), 12.5);
    assert_eq!(df_const(&x, &bx, 2.0), 19.0);
    let (a, b, c, d) = ([1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [2.0, 2.0]);
    assert_eq!(df4(&x, &a, &b, &c, &d, 2.0), [19.0, 12.0, 1.0, 0.0, 26.0]);
    assert_eq!(df4_only(&x, &a, &b, &c, &d, 2.0), [12.0, 1.0, 0.0, 26.0]);
    assert_eq!(df2v(&x, &[1.0, 0.0, 0.0, 1.0], 2.0), [19.0, 12.0, 1.0]);
}

#[test]
fn reverse_mode_accumulates_and_returns_gradients_of_values() {
    let x = [3.0, 1.0];
    let mut dx = [10.0, 0.0];
    assert_eq!(rf(&x, &mut dx, 2.0, 1.0), (19.0, 9.0));
    assert_eq!(dx, [22.0, 1.0]);
    assert_eq!(rf_only(&x, &mut dx, 2.0, 2.0), 18.0);
    assert_eq!(dx, [46.0, 3.0]);
    assert_eq!(rf_const(&x, &mut dx, 2.0), (19.0, 0.0));
    assert_eq!(dx, [46.0, 3.0]);
    let mut lanes = [[0.0; 2]; 4];
    let [a, b, c, d] = &mut lanes;
    assert_eq!(rf4(&x, a, b, c, d, 2.0, 0.5), 19.0);
    assert_eq!(lanes, [[6.0, 0.5]; 4]);
    assert_eq!(dsquare(3.0, 1.0), (9.0, 6.0));
}

#[test]
fn an_output_argument_consumes_its_shadow() {
    let x = [3.0, 1.0];
    let (mut out, mut bout) = ([0.0; 2], [9.0; 2]);
    dfill(&x, &[1.0, 2.0], &mut out, &mut bout);
    assert_eq!((out, bout), ([9.0, 1.0], [6.0, 4.0]));
    let (mut dx, mut dout) = ([0.0; 2], [1.0, 10.0]);
    rfill(&x, &mut dx, &mut out, &mut dout);
    assert_eq!((dx, dout), ([6.0, 20.0], [0.0, 0.0]));
}

#[test]
fn generic_lengths_are_kept() {
    let mut dx = [0.0; 3];
    assert_eq!(dnorm(&[1.0, 2.0, 3.0], &mut dx, 1.0), 14.0);
    assert_eq!(dx, [2.0, 4.0, 6.0]);
}

#[autodiff_reverse(dshifted, Duplicated, DuplicatedOnly)]
fn shifted(x: &[f64], out: &mut [f64]) {
    for (o, x) in out.iter_mut().zip(x.iter()) {
        *o = x * x + 1.0;
    }
}

#[test]
#[allow(unsafe_code)]
fn a_shadow_without_its_primal_is_unsafe() {
    let x = [3.0, 1.0];
    let (mut dx, mut out, mut dout) = ([0.0; 2], [0.0; 2], [1.0, 10.0]);
    // SAFETY: as for the safe derivative; the nightly feature may leave `out` unwritten
    unsafe { dshifted(&x, &mut dx, &mut out, &mut dout) };
    assert_eq!((dx, dout), ([6.0, 20.0], [0.0, 0.0]));
}

#[autodiff_forward(dscaled, Dual, Dual, Dual)]
fn scaled<T, const N: usize>(x: &[T; N], k: T) -> T
where
    T: coenzyme::Real,
{
    let mut s = T::zero();
    for i in 0..N {
        s += x[i] * k;
    }
    s
}

#[test]
fn generics_and_bounds_are_copied() {
    assert_eq!(
        dscaled::<f64, 2>(&[1.0, 2.0], &[1.0, 1.0], 3.0, 0.0),
        (9.0, 6.0)
    );
    assert_eq!(dscaled(&[1.0_f32], &[0.0], 3.0, 1.0), (3.0, 1.0));
}
