//! `X::from(a)` and `a.into()`, where a type is made from several others.

use coenzyme::{Real, Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Polar {
    radius: f64,
    angle: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Plane {
    x: f64,
    y: f64,
}

#[differentiable]
impl From<f64> for Plane {
    fn from(x: f64) -> Self {
        Plane { x, y: x.sin() }
    }
}

#[differentiable]
impl From<Polar> for Plane {
    fn from(p: Polar) -> Self {
        Self {
            x: p.radius * p.angle.cos(),
            y: p.radius * p.angle.sin(),
        }
    }
}

#[differentiable]
impl From<&Polar> for Plane {
    fn from(p: &Polar) -> Self {
        Self {
            x: p.radius * p.angle.sin(),
            y: 2.0 * p.radius,
        }
    }
}

#[differentiable]
impl From<(f64, f64)> for Plane {
    fn from((x, y): (f64, f64)) -> Self {
        Plane { x: x * y, y }
    }
}

#[differentiable]
impl From<[f64; 2]> for Plane {
    fn from(a: [f64; 2]) -> Self {
        Plane {
            x: a[0],
            y: a[1] * a[0],
        }
    }
}

#[differentiable]
impl From<&[f64]> for Plane {
    fn from(a: &[f64]) -> Self {
        Plane {
            x: a[0].exp(),
            y: a.iter().sum(),
        }
    }
}

#[differentiable]
impl From<Plane> for Polar {
    fn from(p: Plane) -> Self {
        let Plane { x, y } = p;
        Polar {
            radius: x.hypot(y),
            angle: y.atan2(x),
        }
    }
}

#[differentiable]
fn of_a_number(x: f64) -> f64 {
    let p = Plane::from(x);
    p.x * p.y
}

#[differentiable]
fn there_and_back(x: f64, y: f64) -> f64 {
    let p = Polar::from(Plane { x, y });
    let q = Plane::from(Polar {
        radius: p.radius * p.radius,
        angle: p.angle,
    });
    q.x - q.y * x
}

#[differentiable]
fn of_parts(x: f64, y: f64) -> f64 {
    let pair = Plane::from((x, y));
    let array = Plane::from([y, pair.x]);
    pair.y * array.x + array.y
}

#[differentiable]
fn of_memory(a: &[f64]) -> f64 {
    let all = Plane::from(a);
    let rest = Plane::from(&a[1..]);
    all.x * rest.y + rest.x * all.y
}

#[differentiable]
fn of_a_reference(p: &Polar, x: f64) -> f64 {
    let other = Polar {
        radius: x,
        angle: p.radius,
    };
    Plane::from(p).x * Plane::from(&other).y + Plane::from(*p).y
}

/// `a.into()` where the type stands beside it.
#[differentiable]
fn into_a_local(x: f64, y: f64) -> f64 {
    let p: Plane = x.into();
    let q: Plane = (p.y, y).into();
    let r: Polar = q.into();
    let same: f64 = r.radius.into();
    same * r.angle
}

#[differentiable]
fn plane(x: f64, y: f64) -> Plane {
    (x * x, y).into()
}

#[differentiable]
fn into_what_is_returned(x: f64, y: f64) -> f64 {
    let p = plane(x, y);
    p.x * p.y
}

#[differentiable]
fn in_a_loop(a: &[f64]) -> f64 {
    let mut total = 0.0;
    for (i, v) in a.iter().enumerate() {
        let p = Plane::from(*v);
        let q = if i % 2 == 0 {
            Polar::from(p)
        } else {
            Polar::from(Plane::from([p.y, p.x + 2.0]))
        };
        total += q.radius * v + q.angle;
    }
    total
}

/// What carries no derivative is converted as it stands.
#[differentiable]
fn of_a_constant(x: f64, n: usize) -> f64 {
    let unit = Plane::from(0.5);
    let shift: Plane = (n as f64, 2.0).into();
    unit.y * x + shift.x * x * x
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Pair<T> {
    a: T,
    b: T,
}

#[differentiable]
impl<T: Real> From<(T, T)> for Pair<T> {
    fn from(p: (T, T)) -> Self {
        Pair {
            a: p.0 * p.1,
            b: p.1.sin(),
        }
    }
}

#[differentiable]
impl<T: Real> From<[T; 2]> for Pair<T> {
    fn from(p: [T; 2]) -> Self {
        Pair { a: p[1], b: p[0] }
    }
}

#[differentiable]
fn generic<T: Real>(x: T, y: T) -> T {
    let p = Pair::from((x, y));
    let q = Pair::<T>::from([p.a, p.b]);
    q.a * q.b * x
}

#[differentiable]
fn of_a_generic_type(x: f64, y: f64) -> f64 {
    generic(x, y) * Pair::from([x, y]).a
}

/// A function of its own that is named like the trait's.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Own {
    v: f64,
}

#[differentiable]
impl Own {
    fn from(v: f64) -> Own {
        Own { v: v * v }
    }

    fn max(a: Own, b: Own) -> Own {
        Own { v: a.v * b.v }
    }
}

#[differentiable]
fn of_the_type_itself(x: f64, y: f64) -> f64 {
    let a = Own::from(x);
    // neither a cast nor the larger one
    let b: Own = Own::from(y);
    let c: Own = Own::max(a, b);
    c.v * a.v
}

mod elsewhere {
    use coenzyme::{Tangent, differentiable};

    #[derive(Clone, Copy, Debug, PartialEq, Tangent)]
    pub(super) struct Celsius(pub(super) f64);

    /// Which nobody else sees.
    #[derive(Clone, Copy, Debug, PartialEq, Tangent)]
    struct Hidden(f64);

    #[differentiable]
    impl From<f64> for Hidden {
        fn from(v: f64) -> Self {
            Hidden(v.sqrt())
        }
    }

    #[differentiable]
    impl From<f64> for Celsius {
        fn from(kelvin: f64) -> Self {
            Celsius(Hidden::from(kelvin).0 - 273.15)
        }
    }

    #[differentiable]
    impl From<(f64, f64)> for Celsius {
        fn from(p: (f64, f64)) -> Self {
            Celsius(p.0 * p.1)
        }
    }
}

/// Where only the type is imported.
#[differentiable]
fn from_elsewhere(x: f64, y: f64) -> f64 {
    use elsewhere::Celsius;
    Celsius::from(x).0 * Celsius::from((x, y)).0
}

judge! {
    of_a_number(0.7);
    there_and_back(0.7, 0.4);
    of_parts(0.7, -0.4);
    of_memory(&[0.3, -0.5, 0.8]);
    of_a_reference(&Polar { radius: 1.3, angle: 0.4 }, 0.7);
    into_a_local(0.7, 0.4);
    into_what_is_returned(0.7, 0.4);
    in_a_loop(&[0.3, 0.5, 0.8, 1.1]);
    of_a_constant(0.7, 3usize);
    of_a_generic_type(0.7, 0.4);
    of_the_type_itself(0.7, 0.4);
    from_elsewhere(0.7, 0.4);
}
