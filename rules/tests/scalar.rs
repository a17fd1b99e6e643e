//! Every rule of numbers, judged in every mix.

mod judge;

use coenzyme_testutils::{Overrides, value};

/// Some functions at the same points.
macro_rules! at {
    ($($($f:ident)+: $points:tt;)+) => {$($(
        judge! { scalar: $f(x: value(at)) Active { sizes = at in $points }; }
    )+)+};
}

fn steps(why: &str) -> Overrides {
    Overrides::none().allow_vacuous(why)
}

at! {
    // `libm` changes its polynomial at 0.84, 1.25 and 2.86.
    erf erfc: [-3.0, -2.8, -1.3, -1.2, -0.8, 0.0, 0.5, 0.9, 1.1, 2.9];
    lgamma digamma: [-2.4, -0.7, 0.3, 0.49, 0.51, 1.0, 4.5, 11.9, 12.1, 30.0];
    trigamma: [-0.7, 0.3, 0.49, 0.51, 1.0, 4.5, 11.9, 12.1, 30.0];
    bessel_j0 bessel_j1: [-2.5, 0.3, 1.9, 2.1, 7.9, 8.1];
    logistic softplus log_logistic: [-12.0, -2.0, -1e-9, 0.0, 0.7, 3.0, 9.0];
    logit: [0.2, 0.4, 0.7];
    leaky_relu elu softsign: [-1.5, -0.3, 0.4, 2.0, 25.0];
    gelu gelu_tanh swish mish: [-1.5, -0.3, 0.0, 0.4, 2.0, 12.0];
    // Both sides of where its series ends.
    sinc: [-1.3, -0.1, -0.09, 0.05, 0.094, 0.097, 0.7, 1.0, 5.5];
}

judge! { scalar:
    relu(x: value(at)) Active { sizes = at in [-20.0, -0.3, 0.4, 25.0], overrides = steps("0 for every negative number") };
    polygamma(x: value(at), n: value(3_u32) [Const]) Active { sizes = at in [0.3, 0.49, 0.51, 4.5, 11.9, 12.1] };
    bessel_j(x: value(2.1), n: value(n) [Const]) Active { sizes = n in [-2, -1, 0, 1, 2, 5] };
    beta(x: value(1.4), y: value(2.7)) Active;
    lbeta(x: value(1.4), y: value(2.7)) Active;
    logaddexp(x: value(x), y: value(1.2 * x)) Active { sizes = x in [0.3, -1.0, 5.0] };
    logaddexp as logaddexp_of_equals(x: value(-3.0), y: value(-3.0)) Active;
    xlogy(x: value(x), y: value(0.7)) Active { sizes = x in [-2.0, 0.3] };
    xlogy as xlogy_of_zero(x: value(0.0), y: value(0.7)) Active { overrides = steps("0·ln(y) is 0 for all y") };
    xlog1py(x: value(x), y: value(0.7)) Active { sizes = x in [-2.0, 0.3] };
    xlog1py as xlog1py_of_zero(x: value(0.0), y: value(0.7)) Active { overrides = steps("0·ln(1 + y) is 0 for all y") };
}
