//! Functions of numbers beyond the float methods, for `f32`, `f64` and [`Dual`](coenzyme::Dual) numbers.
//!
//! Each is a row with its value and partials, and exists on arrays too, under the same name in [`array`](crate::array).
//!
//! | file | functions |
//! |---|---|
//! | `special.rs` | the trait [`Special`]: values that come from a library, for each type of number |
//! | `error_function.rs` | [`erf()`], [`erfc()`] |
//! | `gamma.rs` | [`lgamma()`], [`digamma()`], [`trigamma()`], [`polygamma()`], [`lbeta()`], [`beta()`] |
//! | `bessel.rs` | [`bessel_j()`], [`bessel_j0()`], [`bessel_j1()`] |
//! | `modified_bessel.rs` | [`bessel_y()`], [`bessel_i()`], [`bessel_k()`] (of numbers only) |
//! | `elliptic.rs` | [`elliptic_k()`], [`elliptic_e()`], [`elliptic_f()`], [`elliptic_e_incomplete()`] |
//! | `incomplete.rs` | [`gamma_p()`], [`gamma_q()`], [`beta_inc()`] (the last of numbers only) |
//! | `sigmoidal.rs` | [`logistic()`], [`logit()`], [`softplus()`], [`log_logistic()`], [`logaddexp()`], [`xlogy()`], [`xlog1py()`] |
//! | `activation.rs` | [`relu()`], [`leaky_relu()`], [`elu()`], [`gelu()`], [`gelu_tanh()`], [`swish()`], [`mish()`], [`softsign()`] |
//! | `wave.rs` | [`sinc()`] |

mod activation;
mod bessel;
mod elliptic;
mod error_function;
mod gamma;
mod incomplete;
mod modified_bessel;
mod sigmoidal;
mod special;
mod wave;

pub use activation::{elu, gelu, gelu_tanh, leaky_relu, mish, relu, softsign, swish};
pub use bessel::{bessel_j, bessel_j0, bessel_j1};
pub use elliptic::{elliptic_e, elliptic_e_incomplete, elliptic_f, elliptic_k};
pub use error_function::{erf, erfc};
pub use gamma::{beta, digamma, lbeta, lgamma, polygamma, trigamma};
pub use incomplete::{beta_inc, gamma_p, gamma_q};
pub use modified_bessel::{bessel_i, bessel_k, bessel_y};
pub use sigmoidal::{log_logistic, logaddexp, logistic, logit, softplus, xlog1py, xlogy};
pub use special::Special;
pub use wave::sinc;

/// The same functions on arrays, gathered for [`array`](crate::array).
pub(crate) mod arrays {
    pub use super::activation::arrays::*;
    pub use super::bessel::arrays::*;
    pub use super::elliptic::{arrays::*, arrays_of_two::*};
    pub use super::error_function::arrays::*;
    pub use super::gamma::{arrays::*, arrays_of_order::*, arrays_of_two::*};
    pub use super::incomplete::arrays_of_two::*;
    pub use super::sigmoidal::{arrays::*, arrays_of_two::*};
    pub use super::wave::arrays::*;
}
