//! Traits whose parameters are constants: `trait Field<const N: usize>`, implemented for one length, for several, and for any.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
trait Field<const N: usize> {
    fn level(&self, point: [f64; N], height: &f64) -> f64;

    fn doubled(&self, point: [f64; N]) -> f64 {
        2.0 * self.level(point, &1.5)
    }
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Wave {
    number: f64,
}

#[differentiable]
impl Field<2> for Wave {
    fn level(&self, p: [f64; 2], height: &f64) -> f64 {
        (self.number * p[0]).sin() * p[1] * *height
    }
}

#[differentiable]
impl Field<3> for Wave {
    fn level(&self, p: [f64; 3], height: &f64) -> f64 {
        (self.number * p[0]).cos() * p[1] + p[2] * p[2] * *height
    }

    fn doubled(&self, point: [f64; 3]) -> f64 {
        self.level(point, &self.number)
    }
}

/// For any number of dimensions, of which the type tells nothing.
#[derive(Clone, Copy, Debug, Tangent)]
struct Blend<A, B> {
    left: A,
    right: B,
    weight: f64,
}

#[differentiable]
impl<A: Field<N>, B: Field<N>, const N: usize> Field<N> for Blend<A, B> {
    fn level(&self, point: [f64; N], height: &f64) -> f64 {
        self.left.level(point, height) * self.weight + self.right.doubled(point)
    }
}

/// A type parameter of a trait beside a constant.
#[differentiable]
trait Scaled<T, const N: usize> {
    fn scaled(&self, by: f64) -> f64;
}

#[differentiable]
impl Scaled<u8, 4> for Wave {
    fn scaled(&self, by: f64) -> f64 {
        self.number * by * 4.0
    }
}

#[differentiable]
fn of_one<F: Field<2>>(field: &F, x: f64, y: f64) -> f64 {
    field.level([x, y * y], &x) + field.doubled([y, x])
}

#[differentiable]
fn of_any<F: Field<N>, const N: usize>(field: &F, point: [f64; N]) -> f64 {
    field.level(point, &point[0]) * field.doubled(point)
}

#[differentiable]
fn scaled_of<S: Scaled<u8, 4>>(s: &S, by: f64) -> f64 {
    s.scaled(by * by)
}

#[differentiable]
fn blended(number: f64, weight: f64, x: f64, y: f64) -> f64 {
    let (left, right) = (Wave { number }, Wave { number: 0.7 });
    let blend = Blend {
        left,
        right,
        weight,
    };
    of_one(&blend, x, y)
}

#[differentiable]
fn of_two_lengths(number: f64, x: f64, y: f64) -> f64 {
    let wave = Wave { number };
    of_any(&wave, [x, y]) + of_any(&wave, [x, y, x * y])
}

#[differentiable]
fn on_the_type(number: f64, x: f64) -> f64 {
    let wave = Wave { number };
    wave.level([x, 2.0], &x) * wave.level([x, 0.3, number], &0.9)
}

#[differentiable]
fn beside_a_type(number: f64, by: f64) -> f64 {
    scaled_of(&Wave { number }, by)
}

/// A method with a body that has no derivative, and one that a constructor and sums of numbers of the user's own trait make.
mod declared {
    use coenzyme::{Tangent, differentiable};

    pub(super) trait CoordNum: num_traits::Num + Copy {}
    impl CoordNum for f64 {}

    #[derive(Clone, Copy, Debug, Tangent)]
    pub(super) struct Flat<S> {
        pub(super) x: S,
        pub(super) y: S,
    }

    #[derive(Clone, Copy, Debug, Tangent)]
    pub(super) struct Deep<S> {
        pub(super) x: S,
        pub(super) y: S,
        pub(super) z: S,
    }

    #[differentiable]
    impl<S: CoordNum> Deep<S> {
        fn new(x: S, y: S, z: S) -> Self {
            Deep { x, y, z }
        }
    }

    #[differentiable]
    impl<S: CoordNum> Flat<S> {
        pub(super) fn extend(self, z: S) -> Deep<S> {
            Deep::new(self.x, self.y, z)
        }
        pub(super) fn crossed(self, other: Flat<S>) -> S {
            (self.x * other.y) - (self.y * other.x * other.x)
        }
    }

    #[differentiable]
    pub(super) trait Shape {
        fn area(&self, k: f64) -> f64;

        #[inactive]
        fn steps(&self, k: f64) -> f64 {
            (self.area(k) * k).floor()
        }

        fn stepped(&self, k: f64) -> f64 {
            self.area(k) * self.steps(k)
        }
    }

    #[differentiable]
    impl Shape for Flat<f64> {
        fn area(&self, k: f64) -> f64 {
            self.x * self.y * k
        }
    }
}

#[differentiable]
fn extended(x: f64, y: f64) -> f64 {
    let flat = declared::Flat { x, y };
    let deep = flat.extend(x * y);
    deep.x * deep.y * deep.z + flat.crossed(flat)
}

#[differentiable]
fn stepped_of<S: declared::Shape>(shape: &S, k: f64) -> f64 {
    shape.stepped(k) + shape.steps(k) * k
}

#[differentiable]
fn with_steps(x: f64, k: f64) -> f64 {
    stepped_of(&declared::Flat { x, y: 7.0 }, k)
}

judge! {
    blended (1.1, 3.0, 0.4, 0.9);
    of_two_lengths (1.1, 0.4, 0.9);
    on_the_type (1.1, 0.4);
    beside_a_type (1.1, 0.4);
    extended (0.3, 1.2);
    with_steps (1.3, 1.7);
}
