//! Functions of two numbers, broadcast.

use std::sync::Arc;

use coenzyme_rules::array::*;
use ndarray::ArrayD;

use super::outlines::{batch, classified};
use crate::call::Operation;
use crate::erase::Any;
use crate::operation;

macro_rules! broadcast {
    ($($name:literal = $f:ident,)+) => {
        [$(operation!($name = $f[x: Any<T>, y: Any<T>] -> ArrayD<T>, for [f64 f32 second],
            |s, x, a| classified::<$f, 2>(s, x, a, ()), batch batch::same, entrywise true)),+]
    };
}

pub(super) fn all() -> Vec<Arc<dyn Operation>> {
    broadcast! {
        "core::add" = add, "core::atan2" = atan2, "core::beta" = beta, "core::copysign" = copysign, "core::div" = div,
        "core::hypot" = hypot, "core::lbeta" = lbeta, "core::log" = log, "core::logaddexp" = logaddexp,
        "core::maximum" = maximum, "core::minimum" = minimum, "core::mul" = mul, "core::powf" = powf, "core::rem" = rem,
        "core::sub" = sub, "core::xlog1py" = xlog1py, "core::xlogy" = xlogy,
    }
    .to_vec()
}
