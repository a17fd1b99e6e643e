//! Functions of one number, entry by entry.

use std::sync::Arc;

use coenzyme_rules::array::*;
use ndarray::ArrayD;

use super::outlines::{batch, classified, same};
use crate::call::Operation;
use crate::erase::Any;
use crate::operation;

macro_rules! each {
    ($($name:literal = $f:ident,)+) => {
        [$(operation!($name = $f[x: Any<T>] -> ArrayD<T>, for [f64 f32 second],
            |s, x, a| classified::<$f, 1>(s, x, a, ()), batch batch::same, entrywise true)),+]
    };
}

pub(super) fn all() -> Vec<Arc<dyn Operation>> {
    let mut all = each! {
        "core::abs" = abs, "core::acos" = acos, "core::acosh" = acosh, "core::asin" = asin, "core::asinh" = asinh,
        "core::atan" = atan, "core::atanh" = atanh, "core::bessel_j0" = bessel_j0, "core::bessel_j1" = bessel_j1,
        "core::cbrt" = cbrt, "core::ceil" = ceil, "core::cos" = cos, "core::cosh" = cosh, "core::digamma" = digamma,
        "core::elu" = elu, "core::erf" = erf, "core::erfc" = erfc, "core::exp" = exp, "core::exp2" = exp2,
        "core::exp_m1" = exp_m1, "core::floor" = floor, "core::fract" = fract, "core::gelu" = gelu,
        "core::gelu_tanh" = gelu_tanh, "core::leaky_relu" = leaky_relu, "core::lgamma" = lgamma, "core::ln" = ln,
        "core::ln_1p" = ln_1p, "core::log10" = log10, "core::log2" = log2, "core::log_logistic" = log_logistic,
        "core::logistic" = logistic, "core::logit" = logit, "core::mish" = mish, "core::neg" = neg, "core::recip" = recip,
        "core::relu" = relu, "core::round" = round, "core::signum" = signum, "core::sin" = sin, "core::sinc" = sinc,
        "core::sinh" = sinh, "core::softplus" = softplus, "core::softsign" = softsign, "core::sqrt" = sqrt,
        "core::swish" = swish, "core::tan" = tan, "core::tanh" = tanh, "core::to_degrees" = to_degrees,
        "core::to_radians" = to_radians, "core::trigamma" = trigamma, "core::trunc" = trunc,
    }
    .to_vec();
    all.push(operation!("core::polygamma" = polygamma[x: Any<T>; n: u32] -> ArrayD<T>, for [f64 f32 second],
        same, batch batch::same));
    all.push(operation!("core::clip" = clip[x: Any<T>, lo: T, hi: T] -> ArrayD<T>, for [f64 f32 second], same));
    all.push(
        operation!("core::scale" = scale[x: Any<T>, c: T] -> ArrayD<T>, for [f64 f32 second], same),
    );
    all
}
