//! Strong zeros of generated code on dual and complex numbers: a seed is zero if nothing of it moves.

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsDuplicated, Dual, Real, StrongZero, autodiff};
use num_complex::Complex;

#[differentiable]
fn squared_difference<T: Real>(x: T, c: T) -> T {
    let d = x * x - c;
    d * d
}

#[differentiable]
fn through_memory<T: Real>(x: &[T]) -> T {
    let mut y = [T::lit(1.0); 3];
    y[1] = x[0] * x[0] - T::lit(4.0);
    y[2] = y[1] * x[1] - T::lit(3.75) * y[0];
    y[2] * y[2]
}

#[differentiable]
fn branches<T: Real>(x: T) -> T {
    let d = x - T::lit(2.0);
    if d < T::lit(0.5) { d * d * x } else { d }
}

#[differentiable]
fn divided<T: Real>(x: T) -> T {
    let d = x.sin();
    d * d / (x + T::lit(1.0))
}

#[differentiable]
fn powers<T: Real>(x: T) -> T {
    (x - T::lit(1.0)).powi(2) * x.exp()
}

#[differentiable]
fn complex<T: Real>(z: Complex<T>, c: Complex<T>) -> Complex<T> {
    let d = z * z - c;
    d * d
}

#[differentiable]
fn norm<T: Real>(re: T, im: T) -> T {
    let z = Complex::new(re, im);
    let d = z * z - Complex::new(T::lit(3.0), T::lit(4.0));
    let s = d * d;
    s.re + s.im
}

#[differentiable]
fn root<T: Real>(x: T) -> T {
    let d = x * x - T::lit(4.0);
    (d * d + T::lit(1.0)).sqrt()
}

#[differentiable]
fn several<T: Real>(x: T, y: T) -> T {
    let u = x * y - T::lit(1.0);
    let v = x - y;
    u * u * v.cos() + v * v * u
}

#[differentiable]
fn product<T: Real>(x: &[T]) -> T {
    let mut p = x[0];
    for i in 1..x.len() {
        p *= x[i];
    }
    p * p
}

/// The second derivative of `f` at `x` by reverse mode over `Dual`, plain and with strong zeros, and by forward over `Dual`.
fn second<F>(f: F, x: f64) -> [f64; 4]
where
    F: Fn(Dual<f64>, bool, bool) -> Dual<f64>,
{
    let x = Dual::variable(x);
    [(false, false), (false, true), (true, false), (true, true)]
        .map(|(forward, strong)| f(x, forward, strong).tangent)
}

macro_rules! second {
    ($f:ident, $x:expr, |$v:ident| ($($arg:expr),*)) => {
        second(|$v, forward, strong| {
            match (forward, strong) {
                (false, false) => autodiff(Reverse, &$f {}, AsActive, ($(wrap!(Active $arg),)*)).0.0,
                (false, true) => autodiff(StrongZero(Reverse), &$f {}, AsActive, ($(wrap!(Active $arg),)*)).0.0,
                (true, false) => autodiff(Forward, &$f {}, AsDuplicated, (Duplicated($v, Dual::constant(1.0)), )).0,
                (true, true) => autodiff(StrongZero(Forward), &$f {}, AsDuplicated, (Duplicated($v, Dual::constant(1.0)), )).0,
            }
        }, $x)
    };
}
macro_rules! wrap {
    (Active $a:expr) => {
        Active($a)
    };
}

fn same(got: [f64; 4], expected: f64) {
    for g in got {
        assert!((g - expected).abs() < 1e-12, "{got:?}, expected {expected}");
    }
}

#[test]
fn of_one_number() {
    same(second!(branches, 2.0, |x| (x)), 4.0);
    same(second!(divided, 0.0, |x| (x)), 2.0);
    same(second!(powers, 1.0, |x| (x)), 2.0 * 1.0f64.exp());
    same(second!(root, 2.0, |x| (x)), 16.0);
}

#[test]
fn of_the_square_of_what_is_zero() {
    let c = Dual::constant(4.0);
    for strong in [false, true] {
        let x = Dual::variable(2.0);
        let ((dx, _),) = match strong {
            true => autodiff(
                StrongZero(Reverse),
                &squared_difference {},
                AsActive,
                (Active(x), Const(c)),
            ),
            false => autodiff(
                Reverse,
                &squared_difference {},
                AsActive,
                (Active(x), Const(c)),
            ),
        };
        assert_eq!(dx.tangent, 32.0);
        let one = Dual::constant(1.0);
        let (dx,) = match strong {
            true => autodiff(
                StrongZero(Forward),
                &squared_difference {},
                AsDuplicated,
                (Duplicated(x, one), Const(c)),
            ),
            false => autodiff(
                Forward,
                &squared_difference {},
                AsDuplicated,
                (Duplicated(x, one), Const(c)),
            ),
        };
        assert_eq!(dx.tangent, 32.0);
    }
}

#[test]
fn of_nested_duals() {
    // the third derivative of (x² − 4)² is 24·x
    let x = Dual {
        value: Dual::variable(2.0),
        tangent: Dual::constant(1.0),
    };
    let c = Dual::constant(Dual::constant(4.0));
    let ((dx, _),) = autodiff(
        StrongZero(Reverse),
        &squared_difference {},
        AsActive,
        (Active(x), Const(c)),
    );
    assert_eq!((dx.value.tangent, dx.tangent.tangent), (32.0, 48.0));
    let one = Dual::constant(Dual::constant(1.0));
    let (dx,) = autodiff(
        StrongZero(Forward),
        &squared_difference {},
        AsDuplicated,
        (Duplicated(x, one), Const(c)),
    );
    assert_eq!((dx.value.tangent, dx.tangent.tangent), (32.0, 48.0));
}

#[test]
fn of_memory() {
    // (x₀² − 4)·x₁ − 3.75 is zero at (3, 0.75)
    let x = [Dual::variable(3.0), Dual::constant(0.75)];
    let mut dx = [Dual::constant(0.0); 2];
    let mut dy = dx;
    autodiff(
        Reverse,
        &through_memory {},
        AsActive,
        (Duplicated(&x[..], &mut dx[..]),),
    );
    autodiff(
        StrongZero(Reverse),
        &through_memory {},
        AsActive,
        (Duplicated(&x[..], &mut dy[..]),),
    );
    assert_eq!((x[0].value * x[0].value - 4.0) * 0.75 - 3.75, 0.0);
    assert!(
        dx.iter()
            .zip(&dy)
            .all(|(a, b)| a.value == b.value && a.tangent == b.tangent)
    );
    // 2·(∂y/∂x₀)² = 2·(2·3·0.75)²
    assert!((dy[0].tangent - 2.0_f64 * 4.5 * 4.5).abs() < 1e-12);
}

#[test]
fn of_products_with_a_zero() {
    let x = [
        Dual::variable(0.0),
        Dual::constant(3.0),
        Dual::constant(2.0),
    ];
    for strong in [false, true] {
        let mut dx = [Dual::constant(0.0); 3];
        match strong {
            true => drop(autodiff(
                StrongZero(Reverse),
                &product {},
                AsActive,
                (Duplicated(&x[..], &mut dx[..]),),
            )),
            false => drop(autodiff(
                Reverse,
                &product {},
                AsActive,
                (Duplicated(&x[..], &mut dx[..]),),
            )),
        }
        assert_eq!(dx[0].tangent, 72.0);
    }
}

#[test]
fn of_several_numbers() {
    let (x, y) = (Dual::variable(1.0), Dual::constant(1.0));
    let plain = autodiff(Reverse, &several {}, AsActive, (Active(x), Active(y)));
    let strong = autodiff(
        StrongZero(Reverse),
        &several {},
        AsActive,
        (Active(x), Active(y)),
    );
    assert_eq!(strong.0.0.tangent, plain.0.0.tangent);
    assert_eq!(strong.0.1.tangent, plain.0.1.tangent);
    assert_eq!((strong.0.0.tangent, strong.0.1.tangent), (2.0, 2.0));
}

#[test]
fn of_complex_numbers() {
    let (re, im) = (Dual::variable(2.0), Dual::constant(1.0));
    // z² = 3 + 4i at 2 + i; ((z² − 3 − 4i)²)″ = 8·z², whose parts sum to 56
    let plain = autodiff(Reverse, &norm {}, AsActive, (Active(re), Active(im)));
    let strong = autodiff(
        StrongZero(Reverse),
        &norm {},
        AsActive,
        (Active(re), Active(im)),
    );
    assert_eq!((plain.0.0.tangent, strong.0.0.tangent), (56.0, 56.0));
    assert_eq!(plain.0.1.tangent, strong.0.1.tangent);
    let one = Dual::constant(1.0);
    let forward = autodiff(
        StrongZero(Forward),
        &norm {},
        AsDuplicated,
        (Duplicated(re, one), Const(im)),
    );
    assert_eq!(forward.0.tangent, 56.0);
}

#[test]
fn of_complex_duals() {
    let z = Complex::new(Dual::variable(2.0), Dual::constant(1.0));
    let c = Complex::new(Dual::constant(3.0), Dual::constant(4.0));
    let one = Complex::new(Dual::constant(1.0), Dual::constant(0.0));
    let (dz,) = autodiff(
        StrongZero(Forward),
        &complex {},
        AsDuplicated,
        (Duplicated(z, one), Const(c)),
    );
    // 8·z² = 24 + 32i
    assert_eq!((dz.re.tangent, dz.im.tangent), (24.0, 32.0));
}
