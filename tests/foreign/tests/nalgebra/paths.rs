//! Constructors by the paths under which users import the crate, and types of their own with names of the crate's.

use coenzyme::nalgebra as na;
use coenzyme::prelude::*;
use coenzyme_testutils::{input, test_rule, value};

/// The triangle's area, by two of its edges.
#[differentiable]
fn area(corners: &[f64]) -> f64 {
    let a = na::Vector3::new(corners[0], corners[1], corners[2]);
    let b = na::Vector3::new(corners[3], corners[4], corners[5]);
    let c = na::Vector3::<f64>::from_row_slice(&corners[6..9]);
    0.5 * (b - a).cross(&(c - a)).norm()
}

test_rule! {
    area;
    corners: input([0.1, 0.4, -0.7, 1.2, 0.3, 0.9, -0.8, 1.1, 0.2]);
    ret: [Const, Active];
    name = by_corners, widths = [2]
}

#[differentiable]
fn turned(angle: f64, x: f64) -> f64 {
    let axis = na::Unit::new_normalize(na::Vector3::new(1.0, x, 0.5));
    let turn = na::UnitQuaternion::from_axis_angle(&axis, angle);
    let at = turn * na::Point3::new(x, 1.0, x * angle);
    at.coords.dot(&na::Vector3::repeat(x))
}

test_rule! {
    turned;
    angle: value(0.6), x: value(1.3);
    ret: [Const, Active];
    name = by_angle, widths = [2]
}

mod own {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Tangent)]
    pub struct Vector3 {
        pub x: f64,
        pub z: f64,
    }

    #[differentiable]
    impl Vector3 {
        /// Two components of twice the size.
        pub fn new(x: f64, z: f64) -> Self {
            Vector3 {
                x: 2.0 * x,
                z: 2.0 * z * z,
            }
        }
    }
}

/// A module that has a name of the prelude's feature from elsewhere.
mod user {
    use super::own::Vector3;
    use coenzyme::prelude::*;
    use coenzyme_testutils::{test_rule, value};

    #[differentiable]
    fn product(x: f64, z: f64) -> f64 {
        let v = Vector3::new(x, z);
        v.x * v.z
    }

    test_rule! {
        product;
        x: value(0.7), z: value(1.3);
        ret: [Const, Active];
        widths = [2]
    }
}
