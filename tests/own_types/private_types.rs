//! Types that are seen less far than what their methods say.

#![allow(unreachable_pub, private_interfaces)]

use coenzyme::prelude::*;

use crate::subject::judge;

#[derive(Clone, Tangent)]
struct Length {
    x: f64,
}

#[differentiable]
impl Length {
    pub fn new(x: f64) -> Self {
        Self { x }
    }

    pub fn positive(x: f64) -> Option<Length> {
        if x > 0.0 { Some(Length { x }) } else { None }
    }

    pub fn squared(self) -> Length {
        Length { x: self.x * self.x }
    }

    pub(crate) fn and_half(&self) -> (Length, f64) {
        (self.clone(), self.x * 0.5)
    }
}

mod inner {
    use coenzyme::prelude::*;

    #[derive(Clone, Tangent)]
    pub(super) struct Area {
        pub(super) x: f64,
    }

    #[derive(Clone, Tangent)]
    pub(crate) struct Side {
        pub(crate) x: f64,
    }

    #[differentiable]
    impl Side {
        pub fn new(x: f64) -> Self {
            Self { x }
        }

        pub fn area(&self) -> Area {
            Area { x: self.x * self.x }
        }
    }
}

#[differentiable]
fn of_a_private_type(x: f64) -> f64 {
    let (length, half) = Length::new(x).squared().and_half();
    length.x * half * Length::positive(x).unwrap().x
}

#[differentiable]
fn of_types_of_a_module(x: f64) -> f64 {
    inner::Side::new(x).area().x * x
}

judge! {
    of_a_private_type (0.7) (1.6);
    of_types_of_a_module (0.7) (1.6);
}
