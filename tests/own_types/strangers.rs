//! What other people's crates have: operators that give another type, parameters that are converted, generators of random numbers, several
//! implementations of one trait for one type, type parameters that no argument tells.

use coenzyme::{
    Active, Const, Duplicated, Forward, Reverse, Tangent, autodiff, differentiable, gradient,
};

use crate::subject::judge;

mod vector {
    #[derive(Clone, Copy, Debug, coenzyme::Tangent)]
    pub(super) struct Vector {
        pub(super) x: f64,
        pub(super) y: f64,
    }
    #[coenzyme::differentiable]
    impl Vector {
        pub(super) fn new(x: f64, y: f64) -> Self {
            Vector { x, y }
        }
        pub(super) fn squared(self) -> f64 {
            self.x * self.x + self.y * self.y
        }
    }
}

/// The difference of two points is a vector, whose constructor's marker is not imported here.
mod point {
    use super::vector::Vector;

    #[derive(Clone, Copy, Debug, coenzyme::Tangent)]
    pub(super) struct Point {
        pub(super) x: f64,
        pub(super) y: f64,
    }
    #[coenzyme::differentiable]
    impl Point {
        pub(super) fn new(x: f64, y: f64) -> Self {
            Point { x, y }
        }
        pub(super) fn along(
            p: impl Into<Point>,
            direction: impl std::convert::Into<Point>,
            t: f64,
        ) -> Point {
            let p = p.into();
            let d: Point = direction.into();
            Point::new(p.x + t * d.x, p.y + t * d.y)
        }
        pub(super) fn weighted<P: Into<Point>, const N: usize>(self, p: P, w: [f64; N]) -> f64 {
            let p = p.into();
            let mut sum = self.y;
            for w in w {
                sum += w * p.x;
            }
            sum * p.y
        }
        pub(super) fn folded<P>(p: P) -> f64
        where
            P: Into<Point> + Copy,
        {
            let p = p.into();
            p.x * p.x - p.y
        }
    }
    #[coenzyme::differentiable]
    impl std::ops::Sub for Point {
        type Output = Vector;
        fn sub(self, other: Point) -> Vector {
            Vector::new(self.x - other.x, self.y - other.y)
        }
    }
    #[coenzyme::differentiable]
    impl std::ops::Add<Vector> for Point {
        type Output = Point;
        fn add(self, other: Vector) -> Point {
            Point::new(self.x + other.x, self.y + other.y)
        }
    }
    impl From<(f64, f64)> for Point {
        fn from((x, y): (f64, f64)) -> Self {
            Point { x, y }
        }
    }
}
use point::Point;

#[differentiable]
fn distances(x: f64, y: f64) -> f64 {
    let (a, b) = (Point::new(x, y), Point::new(y * y, 1.0));
    let mut sum = 0.0;
    let mut at = a;
    for _ in 0..3 {
        let step = at - b;
        sum += step.squared();
        at = b + (at - a);
    }
    sum * (a - b).x
}

#[differentiable]
fn converted(x: f64, y: f64) -> f64 {
    let a = Point::new(x, y);
    let b = Point::along(a, Point::new(y * y, 1.0), x * y);
    b.x * b.y + Point::folded(b) + a.weighted(b, [1.0, x, 2.0])
}

trait Rng {
    fn next(&mut self) -> f64;
}
struct Lehmer(u64);
impl Rng for Lehmer {
    fn next(&mut self) -> f64 {
        self.0 = self.0 * 48271 % 2147483647;
        self.0 as f64 / 2147483647.0
    }
}
#[differentiable]
fn exponential<R: Rng + ?Sized>(rng: &mut R, scale: f64) -> f64 {
    let u: f64 = rng.next();
    let v = Rng::next(rng);
    v - scale * u.ln()
}
#[differentiable]
fn walk<R>(rng: &mut R, scale: f64) -> f64
where
    R: Rng + ?Sized,
{
    let mut at = exponential(rng, scale);
    for _ in 0..4 {
        at += scale * exponential(rng, at);
    }
    at
}

/// A generator of random numbers has no tangent space, and goes from function to function as a constant.
#[test]
fn generators_are_constant() {
    let walked = |scale| walk(&mut Lehmer(7), scale);
    let (((), d),) = autodiff!(Reverse, walk, Const(&mut Lehmer(7)), Active(0.3));
    let (t,) = autodiff!(Forward, walk, Const(&mut Lehmer(7)), Duplicated(0.3, 1.0));
    let difference = (walked(0.3 + 1e-6) - walked(0.3 - 1e-6)) / 2e-6;
    assert!((d - difference).abs() < 1e-7 * d.abs(), "{d} {difference}");
    assert!((t - difference).abs() < 1e-7 * t.abs(), "{t} {difference}");
}

trait Field<T, const N: usize> {
    fn at(&self, x: [T; N]) -> f64;
}
trait Next<T> {
    type Output;
    fn next(&mut self, input: T) -> Self::Output;
}
trait Shape {
    fn area(&self) -> f64;
}
#[derive(Clone, Debug, Tangent)]
struct Filter {
    gain: f64,
    value: f64,
}
#[differentiable]
impl Field<f64, 2> for Filter {
    fn at(&self, x: [f64; 2]) -> f64 {
        self.gain * x[0] * x[1]
    }
}
#[differentiable]
impl Field<f64, 3> for Filter {
    fn at(&self, x: [f64; 3]) -> f64 {
        self.gain * x[0] * x[1] * x[2]
    }
}
#[differentiable]
impl Next<f64> for Filter {
    type Output = f64;
    fn next(&mut self, input: f64) -> f64 {
        self.value += self.gain * (input - self.value);
        self.value
    }
}
#[differentiable]
impl Next<u32> for Filter {
    type Output = u32;
    fn next(&mut self, input: u32) -> u32 {
        input + 1
    }
}
#[differentiable]
impl<T: Copy> Next<&T> for Filter {
    type Output = f64;
    fn next(&mut self, _input: &T) -> f64 {
        self.value
    }
}
#[differentiable]
impl Filter {
    fn area(&self) -> f64 {
        self.gain * self.gain
    }
}
#[differentiable]
impl Shape for Filter {
    fn area(&self) -> f64 {
        Filter::area(self)
    }
}

#[differentiable]
fn filtered(filter: &mut Filter, x: f64) -> f64 {
    let a = filter.next(x);
    let b = filter.next(a * x);
    a * b * filter.area()
}

/// Each implementation has a marker of its own.
#[test]
fn implementations_by_their_arguments() {
    let filter = Filter {
        gain: 0.5,
        value: 1.0,
    };
    let (of_filter, of_x) = gradient!(Filter_at_Field_f64_3, &filter, [2.0, 3.0, 5.0]);
    assert_eq!((of_filter.gain, of_filter.value), (30.0, 0.0));
    assert_eq!(of_x, [7.5, 5.0, 3.0]);
    let (of_filter,) = gradient!(Filter_area_Shape, &filter);
    assert_eq!(of_filter.gain, 1.0);
}

trait Body {
    const RADIUS: f64;
}
struct Earth;
struct Mars;
impl Body for Earth {
    const RADIUS: f64 = 1.0;
}
impl Body for Mars {
    const RADIUS: f64 = 0.532;
}
struct Orbit<B> {
    _of: std::marker::PhantomData<B>,
}
#[differentiable]
impl<B: Body> Orbit<B> {
    fn period(height: f64, turns: usize) -> f64 {
        let a = B::RADIUS + height;
        turns as f64 * (a * a * a).sqrt()
    }
    fn twice(height: f64) -> f64 {
        2.0 * Self::period(height, 1) + Orbit::<Mars>::period(height * height, 2)
    }
}
#[differentiable]
fn horizon<B: Body>(height: f64) -> f64 {
    (B::RADIUS / (B::RADIUS + height)).acos()
}
#[differentiable]
fn partial_sum<const N: usize>(x: f64) -> f64 {
    let mut sum = 1.0;
    for _ in 0..N {
        sum = sum * x + 1.0;
    }
    sum
}
#[differentiable]
fn seen<B: Body, const N: usize>(x: &[f64], height: f64) -> f64 {
    horizon::<B>(height) * partial_sum::<N>(x[0]) + partial_sum::<2>(x[1])
}
/// The arguments tell these.
#[differentiable]
fn product<const N: usize, T: coenzyme::Real>(x: [T; N]) -> T {
    let mut product = x[0];
    for i in 1..N {
        product = product * x[i];
    }
    product
}
const PAIR: usize = 2;
#[differentiable]
fn untold(x: f64, y: f64) -> f64 {
    let of_bodies = seen::<Mars, 4>(&[x, y], x * y) + horizon::<Earth>(y);
    let of_arrays = product::<PAIR, f64>([x, y]) + product::<2, _>([y, y]);
    of_bodies * of_arrays + Orbit::<Earth>::twice(x)
}

/// The driver is told by the path, as a caller is.
#[test]
fn drivers_tell_types() {
    let (d,) = gradient!(horizon::<Earth>, 0.5);
    // d/dh acos(1 / (1 + h)) = 1 / ((1 + h) √((1 + h)² − 1))
    assert!((d - 1.0 / (1.5 * 1.25f64.sqrt())).abs() < 1e-15);
    let (d,) = gradient!(partial_sum::<3>, 0.5);
    assert_eq!(d, 2.75);
    let (t,) = autodiff!(Forward, partial_sum::<2>, Duplicated(0.5, 1.0));
    assert_eq!(t, 2.0);
}

judge! {
    distances (0.3, 0.7);
    converted (0.3, 0.7) (-0.4, 1.2);
    filtered (&mut Filter { gain: 0.4, value: 0.3 }, 0.7);
    untold (0.3, 0.7);
}
