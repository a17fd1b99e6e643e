//! An own vector with operators.

use std::ops::{Add, Mul, Neg, Sub};

use coenzyme::prelude::*;

#[derive(Clone, Copy, Debug, Default, PartialEq, Tangent)]
pub(crate) struct Vec3 {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) z: f64,
}

#[differentiable]
impl Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        Vec3 {
            x: self.x + o.x,
            y: self.y + o.y,
            z: self.z + o.z,
        }
    }
}

#[differentiable]
impl Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, o: Vec3) -> Vec3 {
        Vec3 {
            x: self.x - o.x,
            y: self.y - o.y,
            z: self.z - o.z,
        }
    }
}

#[differentiable]
impl Mul<f64> for Vec3 {
    type Output = Vec3;
    fn mul(self, s: f64) -> Vec3 {
        Vec3 {
            x: self.x * s,
            y: self.y * s,
            z: self.z * s,
        }
    }
}

#[differentiable]
impl Neg for Vec3 {
    type Output = Vec3;
    fn neg(self) -> Vec3 {
        Vec3 {
            x: -self.x,
            y: -self.y,
            z: -self.z,
        }
    }
}

#[differentiable]
impl Vec3 {
    pub(crate) fn new(x: f64, y: f64, z: f64) -> Vec3 {
        Vec3 { x, y, z }
    }
    pub(crate) fn dot(self, o: Vec3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    pub(crate) fn norm2(self) -> f64 {
        self.dot(self)
    }
    pub(crate) fn normalized(self) -> Vec3 {
        self * (1.0 / self.norm2().sqrt())
    }
}

/// The vector of this number.
#[differentiable]
pub(crate) fn vector(v: &[f64], i: usize) -> Vec3 {
    Vec3::new(v[3 * i], v[3 * i + 1], v[3 * i + 2])
}

/// Adds to the vector of this number.
pub(crate) fn add_to(v: &mut [f64], i: usize, by: Vec3) {
    v[3 * i] += by.x;
    v[3 * i + 1] += by.y;
    v[3 * i + 2] += by.z;
}
