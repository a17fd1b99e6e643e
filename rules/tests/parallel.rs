//! Parallel calls: judged in every mix, to second order, and bit by bit on any number of threads.

mod judge;

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsConst, AsDuplicated, Dual, Inactive, Real, Tangent, Thunk};
use coenzyme_rules::parallel::{join, map, reduce, zip_map};
use coenzyme_testutils::{Setting, input, value};
use judge::entries_of;
use ndarray::{Array1, ArrayRef1};

/// `sin(p₀x) + p₁x²`
#[differentiable]
fn wave<T: Real>(x: T, p: &[T]) -> T {
    (p[0] * x).sin() + p[1] * x * x
}

/// `x·sin(p₀y) + p₁y`
#[differentiable]
fn mixed<T: Real>(x: T, y: T, p: &[T]) -> T {
    x * (p[0] * y).sin() + p[1] * y
}

/// `x + y + xy/4`: associative, since it is `((1 + x/4)(1 + y/4) − 1)·4`.
#[differentiable]
fn compound<T: Real>(x: T, y: T) -> T {
    x + y + T::lit(0.01) * x * y
}

/// `a₀·sin(p₀) + a₁p₁`
#[differentiable]
fn left<T: Real>(a: &[T], p: &[T]) -> T {
    a[0] * p[0].sin() + a[1] * p[1]
}

/// `exp(b₀p₁)·b₁`
#[differentiable]
fn right<T: Real>(b: &[T], p: &[T]) -> T {
    (b[0] * p[1]).exp() * b[1]
}

judge! { parallel:
    map as judged_map(x: input(n), p: input(2), f: value(Inactive(wave {})) [Const]) Duplicated { sizes = n in [0, 1, 5, 70] };
    zip_map as judged_zip_map(x: input(n), y: input(n), p: input(2), f: value(Inactive(mixed {})) [Const]) Duplicated { sizes = n in [0, 1, 5] };
    reduce as judged_reduce(x: input(n), f: value(Inactive(compound {})) [Const]) Active { sizes = n in [1, 2, 5, 70] };
    join as judged_join(a: input(2), b: input(2), p: input(2), f: value(Inactive(left {})) [Const], g: value(Inactive(right {})) [Const]) Active;
}

/// The reverse rule on dual numbers, beside differences of what it gives on plain ones, and the symmetry of the Hessian.
macro_rules! second {
    ($($name:ident: $f:ident($($x:literal),+; $($attr:expr),+) -> $ret:ident, ($($activity:ident),+);)+) => {$(
        #[test]
        fn $name() {
            let dual = Setting::new(($(input([Dual::constant(0.0); $x]),)+ $(value(Inactive($attr)),)+));
            let dual = dual.function(stringify!($f), $f {});
            let plain = Setting::new(($(input($x),)+ $(value(Inactive($attr)),)+));
            let plain = plain.function(stringify!($f), $f {});
            plain.mix($ret, ($($activity,)+)).second_order(&dual).assert();
        }
    )+};
}

second! {
    second_order_of_map: map(5, 2; wave {}) -> AsDuplicated, (AsDuplicated, AsDuplicated, AsConst);
    second_order_of_zip_map: zip_map(3, 3, 2; mixed {}) -> AsDuplicated, (AsDuplicated, AsDuplicated, AsDuplicated, AsConst);
    second_order_of_reduce: reduce(5; compound {}) -> AsActive, (AsDuplicated, AsConst);
    second_order_of_join: join(2, 2, 2; left {}, right {}) -> AsActive, (AsDuplicated, AsDuplicated, AsDuplicated, AsConst, AsConst);
}

fn vector(seed: u32, n: usize) -> Vec<f64> {
    (entries_of(n) * f64::from(seed)).mapv(f64::sin).to_vec()
}

#[test]
#[should_panic(expected = "zip_map: slices of lengths 2 and 3")]
fn slices_of_different_lengths_are_named() {
    let _ = zip_map(
        &[1.0; 2][..],
        &[1.0; 3][..],
        &[1.0; 2][..],
        Inactive(mixed {}),
    );
}

#[test]
#[should_panic(expected = "reduce: no entries")]
fn nothing_cannot_be_reduced() {
    let _ = reduce(&[0.0_f64; 0][..], Inactive(compound {}));
}

/// The value of every parallel function, and all cotangents.
fn everything(n: usize) -> Vec<f64> {
    let (x, y, p) = (vector(34, n), vector(35, n), vec![0.7, -0.3]);
    let seed = vector(36, n);
    let [mut dx, mut dy, mut dp] = [vec![0.0; n], vec![0.0; n], vec![0.0; 2]];
    let mut all = Vec::new();
    {
        let mut args = (
            Duplicated(&x[..], &mut dx[..]),
            Duplicated(&y[..], &mut dy[..]),
            Duplicated(&p[..], &mut dp[..]),
            Const(Inactive(mixed {})),
        );
        let thunk = Thunk::<_, Duplicated<Vec<f64>>>::new(zip_map {});
        let augmented = thunk.augmented(&mut args);
        all.extend(augmented.primal.into_iter().flatten());
        thunk.reverse([seed], augmented.tape, &mut args);
    }
    let small: Vec<f64> = x.iter().map(|x| x / n as f64).collect();
    {
        let mut args = (
            Duplicated(&small[..], &mut dx[..]),
            Const(Inactive(compound {})),
        );
        let thunk = Thunk::<_, Active<f64>>::new(reduce {});
        let augmented = thunk.augmented(&mut args);
        all.extend(augmented.primal);
        thunk.reverse([1.0], augmented.tape, &mut args);
    }
    {
        let mut args = (
            Duplicated(&x[..], &mut dx[..]),
            Duplicated(&y[..], &mut dy[..]),
            Duplicated(&p[..], &mut dp[..]),
            Const(Inactive(left {})),
            Const(Inactive(right {})),
        );
        let thunk = Thunk::<_, Active<(f64, f64)>>::new(join {});
        let augmented = thunk.augmented(&mut args);
        thunk.reverse([(1.0, 0.5)], augmented.tape, &mut args);
    }
    all.extend(dx.into_iter().chain(dy).chain(dp));
    all
}

/// The bits of [`everything`].
fn bits(n: usize) -> Vec<u64> {
    everything(n).into_iter().map(f64::to_bits).collect()
}

/// Without the feature the tasks run in the order in which they are summed: one thread gives these bits too.
#[cfg(feature = "rayon")]
#[test]
fn results_are_bit_equal_on_1_2_3_and_8_threads() {
    for n in [1003, 20_000] {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads start").install(|| bits(n))
        };
        let one = on(1);
        for threads in [2, 3, 8, 2, 3, 8] {
            assert!(on(threads) == one, "{threads} threads");
        }
    }
}

#[cfg(not(feature = "rayon"))]
#[test]
fn results_are_bit_equal_in_each_run() {
    assert_eq!(bits(1003), bits(1003));
}

/// Entries and shared arguments of other types: pairs, arrays.
#[differentiable]
fn pair(x: (f64, f64), p: &ArrayRef1<f64>) -> (f64, f64) {
    (x.0 * x.1, x.1 * p[0])
}

#[test]
fn entries_may_be_tuples() {
    let (x, p) = (vec![(1.0, 2.0), (3.0, 4.0)], Array1::from(vec![10.0]));
    let (mut dx, mut dp) = (Tangent::zero_like(&x), Tangent::zero_like(&p));
    let mut args = (
        Duplicated(&x[..], &mut dx[..]),
        Duplicated(&*p, &mut *dp),
        Const(Inactive(pair {})),
    );
    let thunk = Thunk::<_, Duplicated<Vec<(f64, f64)>>>::new(map {});
    let augmented = thunk.augmented(&mut args);
    assert_eq!(augmented.primal, Some(vec![(2.0, 20.0), (12.0, 40.0)]));
    thunk.reverse([vec![(1.0, 0.0), (0.0, 1.0)]], augmented.tape, &mut args);
    assert_eq!(dx, [(2.0, 1.0), (0.0, 10.0)]);
    assert_eq!(dp[0], 4.0);
}
