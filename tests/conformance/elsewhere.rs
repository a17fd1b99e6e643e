//! Functions of types that stand in another module, called by the type's name alone.

use coenzyme::differentiable;

use crate::judge::any;
use crate::subject::judge;

mod shapes {
    use coenzyme::{Real, Tangent, differentiable};

    #[derive(Clone, Debug, Tangent)]
    pub(super) struct Point {
        pub(super) x: f64,
        pub(super) y: f64,
    }
    #[differentiable]
    impl Point {
        pub(super) fn new(x: f64, y: f64) -> Self {
            Self { x, y: y * y }
        }
        pub(super) fn mirrored(x: f64) -> Self {
            let p = Self::new(x, x);
            Point::new(p.y, -p.x)
        }
        pub(super) fn norm(&self) -> f64 {
            (self.x * self.x + self.y * self.y).sqrt()
        }
    }

    /// One type stands for all where the marker is looked for.
    #[derive(Clone, Copy, Debug, Tangent)]
    pub(super) struct Hertz<T>(pub(super) T);
    #[differentiable]
    impl<T: Real> Hertz<T> {
        pub(super) fn of_period(t: T) -> Self {
            Self(T::one() / t)
        }
        pub(super) fn doubled(self) -> T {
            self.0 + self.0
        }
    }

    #[derive(Clone, Debug, Tangent)]
    pub(super) struct Few<const N: usize>(pub(super) [f64; N]);
    #[differentiable]
    impl<const N: usize> Few<N> {
        pub(super) fn squares(x: &[f64; N]) -> Self {
            let mut y = *x;
            for v in &mut y {
                *v *= *v;
            }
            Few(y)
        }
    }

    pub(super) trait FromPoint {
        fn from_point(p: &Point) -> Self;
    }
    #[differentiable]
    impl FromPoint for Hertz<f64> {
        fn from_point(p: &Point) -> Self {
            Hertz(p.x * p.y)
        }
    }

    pub(super) struct Helper;
    #[differentiable]
    impl Helper {
        pub(super) fn square(x: f64) -> f64 {
            x * x
        }
        pub(super) fn mean(x: &[f64]) -> f64 {
            x.iter().sum::<f64>() / x.len() as f64
        }
        pub(super) fn root(x: f64) -> Result<f64, String> {
            match x < 0.0 {
                true => Err("negative".to_owned()),
                false => Ok(x.sqrt()),
            }
        }
        pub(super) fn add(to: &mut [f64], x: f64) {
            for v in to {
                *v += x * *v;
            }
        }
    }
}
use shapes::{Few, FromPoint, Helper, Hertz, Point};

#[differentiable]
fn made(x: f64, y: f64) -> f64 {
    let p = Point::new(x, y);
    let q = shapes::Point::mirrored(x);
    Point::norm(&p) * q.norm()
}

#[differentiable]
fn of_parameters(x: f64, y: f64) -> f64 {
    let f = Hertz::of_period(x);
    let few = Few::squares(&[x, y]);
    f.doubled() * few.0[1] + Hertz::doubled(f) + few.0[0]
}

#[differentiable]
fn of_a_trait(p: &Point, k: f64) -> f64 {
    let f = Hertz::from_point(p);
    f.0 * k
}

#[differentiable]
fn handed_on(x: &[f64], y: &mut [f64]) -> f64 {
    Helper::add(y, x[0]);
    let squares: Vec<f64> = y.iter().copied().map(Helper::square).collect();
    Helper::mean(&squares) + Helper::mean(x)
}

#[differentiable]
fn fallible(x: f64, y: f64) -> Result<f64, String> {
    let r = Helper::root(Helper::square(x) + 1.0)?;
    Ok(r * y)
}

judge! {
    made(0.7, 0.4);
    of_parameters(0.7, 0.4);
    of_a_trait(&Point { x: 0.3, y: 0.8 }, 0.6);
    handed_on(&any(3), &mut any(2));
    fallible(0.7, 0.4);
}
