//! How generated code finds the rule of `a.length()` where `a` is of `glam`.

use ::glam::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Mat2, Mat3, Mat4, Quat, Vec2, Vec3, Vec4,
};

use super::functions;
use crate::ops;

macro_rules! methods {
    ($($finder:ident => $rule:path;)*) => {
        /// The rules of methods, by the name of the method: `x.rule_of_length()` where differentiated code has `x.length()`.
        /// What a rule does follows from the types of its arguments.
        pub trait Methods {
            $(
                #[doc(hidden)]
                #[inline]
                fn $finder(&self) -> $rule {
                    $rule {}
                }
            )*
        }
    };
}

methods! {
    rule_of_conjugate => functions::inverse;
    rule_of_cross => functions::cross;
    rule_of_determinant => functions::determinant;
    rule_of_distance => functions::distance;
    rule_of_distance_squared => functions::distance_squared;
    rule_of_dot => ops::dot;
    rule_of_element_sum => functions::element_sum;
    rule_of_extend => functions::extend;
    rule_of_inverse => functions::inverse;
    rule_of_length => functions::length;
    rule_of_length_squared => functions::length_squared;
    rule_of_mul_mat2 => ops::mul;
    rule_of_mul_mat3 => ops::mul;
    rule_of_mul_mat4 => ops::mul;
    rule_of_mul_quat => ops::mul;
    rule_of_mul_scalar => ops::mul;
    rule_of_mul_vec2 => ops::mul;
    rule_of_mul_vec3 => ops::mul;
    rule_of_mul_vec4 => ops::mul;
    rule_of_normalize => functions::normalize;
    rule_of_perp_dot => functions::perp_dot;
    rule_of_transform_point3 => functions::transform_point;
    rule_of_transform_vector3 => functions::transform_vector;
    rule_of_transpose => functions::transpose;
    rule_of_truncate => functions::truncate;
}

macro_rules! found {
    ($($t:ty),*) => {$(
        impl Methods for $t {}
    )*};
}

found!(
    DVec2, DVec3, DVec4, DMat2, DMat3, DMat4, DQuat, Vec2, Vec3, Vec4, Mat2, Mat3, Mat4, Quat
);
