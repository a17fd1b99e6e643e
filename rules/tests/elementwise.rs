//! Every elementwise rule of arrays, judged in every mix, in every layout of memory.

mod judge;

use coenzyme_testutils::{Overrides, input, value};
use judge::{entries_of, positive};
use ndarray::{arr0, array};

/// Some functions at the same points, of which there are none, one or several.
macro_rules! at {
    ($($($f:ident)+: $points:expr;)+) => {$($(
        judge! { array: $f(x: input($points.slice_move(ndarray::s![.., ..n]))) Duplicated { sizes = n in [0, 1, 3] }; }
    )+)+};
}

fn steps() -> Overrides {
    Overrides::none().allow_vacuous("a step")
}

at! {
    neg exp exp2 exp_m1 sin cos atan sinh cosh tanh asinh to_radians to_degrees:
        array![[-1.7, -0.5, 0.1], [0.3, 1.1, 2.4]];
    tan: array![[-1.2, 0.2, 0.9]];
    recip cbrt abs fract: array![[-1.7, -0.3, 0.4], [2.2, 1.3, -0.6]];
    sqrt ln log2 log10: array![[0.2, 1.0, 3.5]];
    ln_1p: array![[-0.6, 0.1, 2.0]];
    asin acos atanh: array![[-0.7, 0.1, 0.5]];
    acosh: array![[1.3, 2.0, 5.0]];
    erf erfc gelu gelu_tanh swish mish logistic softplus log_logistic: array![[0.1, -0.4, 1.1], [2.0, 2.5, -1.0]];
    leaky_relu elu softsign relu: array![[1.5, -0.3, 0.4], [2.0, 3.1, -4.0]];
    lgamma digamma trigamma: array![[0.6, 1.5, 0.3], [2.5, 7.0, 14.0]];
    bessel_j0 bessel_j1: array![[0.4, 3.0, 9.0]];
    logit elliptic_k elliptic_e: array![[0.2, 0.4, 0.9]];
    sinc: array![[-0.3, 0.01, 0.095], [0.096, 2.5, 1.2]];
}

/// Those of `fast`.
macro_rules! fast {
    ($($f:ident)+) => {
        mod fast {
            use super::*;
            use coenzyme_rules::fast;
            $(coenzyme_testutils::test_rule! {
                fast::array::$f;
                x: input(array![[0.1, 0.4, 1.1], [2.0, 2.5, 0.7]].slice_move(ndarray::s![.., ..n]));
                ret: [Const, Duplicated];
                name = $f, widths = [1, 3], sizes = n in [0, 1, 3]
            })+
        }
    };
}

fast! { exp exp_m1 ln ln_1p tanh logistic sin cos erf }

judge! { array:
    signum(x: input(entries_of((2, 3)))) Duplicated { overrides = steps() };
    floor(x: input(entries_of((2, 3)))) Duplicated { overrides = steps() };
    ceil(x: input(entries_of((2, 3)))) Duplicated { overrides = steps() };
    round(x: input(entries_of((2, 3)))) Duplicated { overrides = steps() };
    trunc(x: input(entries_of((2, 3)))) Duplicated { overrides = steps() };
    exp as exp_of_a_number(x: input(arr0(0.3))) Duplicated;
    polygamma(x: input(positive((2, 2))), n: value(2_u32) [Const]) Duplicated;
}

/// Some functions of two arrays, of which the second is broadcast.
macro_rules! pairs {
    ($($f:ident)+) => {$(
        judge! { array: $f(x: input(positive((2, n))), y: input(positive(n) * 1.37)) Duplicated { sizes = n in [0, 1, 3] }; }
    )+};
}

pairs! { add sub mul div powf hypot atan2 log beta lbeta logaddexp xlogy xlog1py gamma_p gamma_q }

judge! { array:
    maximum(x: input(array![[1.0, -2.0, 0.5], [0.7, 3.0, 1.1]]), y: input(array![0.3, 1.5, 0.9])) Duplicated;
    maximum as maximum_of_nothing(x: input(entries_of((0, 2))), y: input(entries_of(2))) Duplicated;
    minimum(x: input(array![[1.0, -2.0, 0.5], [0.7, 3.0, 1.1]]), y: input(array![0.3, 1.5, 0.9])) Duplicated;
    copysign(x: input(array![[1.0, -2.0, 0.5], [0.7, 3.0, 1.1]]), y: input(array![0.3, -1.5, 0.9])) Duplicated {
        overrides = Overrides::none().allow_vacuous("the size of the second operand does not matter") };
    rem(x: input(array![[7.1, -4.3], [2.2, 5.7]]), y: input(array![1.3, 2.6])) Duplicated;
    mul as mul_broadcast_first(x: input(entries_of(3)), y: input(entries_of((2, 3)))) Duplicated;
    mul as mul_broadcast_both(x: input(entries_of((2, 1))), y: input(entries_of((1, 3)))) Duplicated;
    div as div_of_a_number(x: input(arr0(0.7)), y: input(positive((2, 1, 2)))) Duplicated;
    scale(x: input(entries_of((2, n))), c: value(1.5)) Duplicated { sizes = n in [0, 1, 3] };
    clip(x: input(array![[-2.0, 0.3, 0.8], [1.4, -0.6, 0.1]]), lo: value(-0.5), hi: value(1.0)) Duplicated;
}

judge! { array:
    elliptic_f(x: input(array![[0.3, -1.2], [1.1, 4.0]]), y: input(array![0.2, -0.7])) Duplicated;
    elliptic_e_incomplete(x: input(array![[0.3, -1.2], [1.1, 4.0]]), y: input(array![0.2, -0.7])) Duplicated;
}
