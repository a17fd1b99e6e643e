//! Every rule of arrays, judged in every mix, in every layout of memory.

mod judge;

use coenzyme_testutils::{Overrides, input, value};
use judge::{entries_of, others, positive};
use ndarray::{Array1, Array2, arr0, array};

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
    logit: array![[0.2, 0.4, 0.9]];
    sinc: array![[-0.3, 0.01, 0.095], [0.096, 2.5, 1.2]];
}

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

pairs! { add sub mul div powf hypot atan2 maximum minimum copysign log beta lbeta logaddexp xlogy xlog1py }

judge! { array:
    rem(x: input(array![[7.1, -4.3], [2.2, 5.7]]), y: input(array![1.3, 2.6])) Duplicated;
    mul as mul_broadcast_first(x: input(entries_of(3)), y: input(entries_of((2, 3)))) Duplicated;
    mul as mul_broadcast_both(x: input(entries_of((2, 1))), y: input(entries_of((1, 3)))) Duplicated;
    div as div_of_a_number(x: input(arr0(0.7)), y: input(positive((2, 1, 2)))) Duplicated;
    scale(x: input(entries_of((2, n))), c: value(1.5)) Duplicated { sizes = n in [0, 1, 3] };
    clip(x: input(array![[-2.0, 0.3, 0.8], [1.4, -0.6, 0.1]]), lo: value(-0.5), hi: value(1.0)) Duplicated;
}

/// The three forms of some reductions.
macro_rules! reductions {
    ($($whole:ident $axis:ident $axes:ident from $least:literal;)+) => {
        judge! { array: $(
            $whole(x: input(entries_of((n, 2, 2)))) Active { sizes = n in [$least, 1, 3] };
            $axis(x: input(entries_of((n, 2, 2))), axis: value(1_usize) [Const]) Duplicated { sizes = n in [0, 1, 2] };
            $axes(x: input(entries_of((2, n, 2))), axes: input([2_usize, 0]) [Const], keepdims: value(true) [Const])
                Duplicated { sizes = n in [0, 1, 2] };
        )+ }
    };
}

reductions! {
    sum sum_axis sum_axes from 0;
    mean mean_axis mean_axes from 1;
    var var_axis var_axes from 1;
    std_dev std_dev_axis std_dev_axes from 1;
    max max_axis max_axes from 0;
    max_shared max_shared_axis max_shared_axes from 0;
    min min_axis min_axes from 0;
    prod prod_axis prod_axes from 0;
    norm norm_axis norm_axes from 1;
    norm_l1 norm_l1_axis norm_l1_axes from 0;
    norm_max norm_max_axis norm_max_axes from 1;
    logsumexp logsumexp_axis logsumexp_axes from 0;
}

judge! { array:
    sum_axes as sum_over_no_axes(x: input(entries_of((2, 2))), axes: input(Vec::<usize>::new()) [Const], keepdims: value(false) [Const]) Duplicated;
    softmax(x: input(entries_of((2, n, 2))), axis: value(1_usize) [Const]) Duplicated { sizes = n in [0, 1, 3], overrides = Overrides::none().allow_vacuous("the softmax of one entry is 1") };
    log_softmax(x: input(entries_of((2, n, 2))), axis: value(1_usize) [Const]) Duplicated { sizes = n in [0, 1, 3], overrides = Overrides::none().allow_vacuous("the softmax of one entry is 1") };
    cumsum(x: input(entries_of((2, n, 2))), axis: value(1_usize) [Const]) Duplicated { sizes = n in [0, 1, 3] };
    cumprod(x: input(entries_of((2, n, 2))), axis: value(1_usize) [Const]) Duplicated { sizes = n in [0, 1, 3] };
    cumprod as cumprod_beside_a_zero(x: input(array![2.0, 0.0, 3.0, 5.0]), axis: value(0_usize) [Const]) Duplicated;
    sort(x: input(entries_of((2, n))), axis: value(1_usize) [Const]) Duplicated { sizes = n in [0, 1, 5] };

    reshape(x: input(entries_of((2, n, 2))), shape: value([2 * n, 2]) [Const]) Duplicated { sizes = n in [0, 1, 3] };
    flatten(x: input(entries_of((2, n, 2)))) Duplicated { sizes = n in [0, 1, 3] };
    broadcast_to(x: input(entries_of((n, 1))), shape: value([2, n, 2]) [Const]) Duplicated { sizes = n in [0, 1, 3] };
    transpose(x: input(entries_of((2, n, 2)))) Duplicated { sizes = n in [0, 1, 3] };
    permute(x: input(entries_of((2, n, 3))), axes: input([1_usize, 2, 0]) [Const]) Duplicated { sizes = n in [0, 1, 2] };
    flip(x: input(entries_of((2, n))), axis: value(1_usize) [Const]) Duplicated { sizes = n in [0, 1, 3] };
    roll(x: input(entries_of((2, n))), shift: value(-5_isize) [Const], axis: value(1_usize) [Const]) Duplicated { sizes = n in [0, 1, 3] };
    roll as roll_far(x: input(entries_of((2, 3))), shift: value(isize::MIN) [Const], axis: value(1_usize) [Const]) Duplicated;
    pad(x: input(entries_of((2, n))), widths: input([[1_usize, 0], [0, 2]]) [Const]) Duplicated { sizes = n in [0, 1, 3] };
    insert_axis(x: input(entries_of((2, n))), axis: value(1_usize) [Const]) Duplicated { sizes = n in [0, 1, 3] };
    repeat(x: input(entries_of((2, n))), times: value(3_usize) [Const], axis: value(1_usize) [Const]) Duplicated { sizes = n in [0, 1, 2] };

    slice_axis(x: input(entries_of((2, n + 2))), axis: value(1_usize) [Const], range: value(1..n + 1) [Const]) Duplicated { sizes = n in [0, 1, 3] };
    gather(x: input(entries_of((3, n))), axis: value(0_usize) [Const], indices: input([2_usize, 0, 2, 2]) [Const]) Duplicated { sizes = n in [0, 1, 2] };
    gather as gather_nothing(x: input(entries_of((3, 2))), axis: value(0_usize) [Const], indices: input(Vec::<usize>::new()) [Const]) Duplicated;
    scatter_add(x: input(entries_of((n, 4))), updates: input(entries_of((n, 3))), axis: value(1_usize) [Const], indices: input([0_usize, 0, 3]) [Const])
        Duplicated { sizes = n in [0, 1, 2] };
    diagonal(x: input(entries_of((2, n)))) Duplicated { sizes = n in [0, 1, 3] };
    from_diagonal(x: input(entries_of(n))) Duplicated { sizes = n in [0, 1, 3] };
    trace(x: input(entries_of((n, n)))) Active { sizes = n in [0, 1, 3] };
    lower_triangle(x: input(entries_of((2, n)))) Duplicated { sizes = n in [0, 1, 3] };
    upper_triangle(x: input(entries_of((2, n)))) Duplicated { sizes = n in [0, 1, 3] };
    choose(x: input(entries_of((2, 3))), y: input(others(&entries_of((2, 3)))), mask: input(array![[true, false, true], [false, false, true]]) [Const]) Duplicated;
    choose as choose_nothing(x: input(Array1::<f64>::zeros(0)), y: input(Array1::<f64>::zeros(0)), mask: input(Array1::from_elem(0, true)) [Const]) Duplicated;
}

/// One entry repeated, in an array without entries of its own axis.
#[test]
fn empty_arrays_have_their_shapes() {
    let none = Array2::<f64>::zeros((0, 3));
    assert_eq!(coenzyme_rules::array::exp(&none).shape(), [0, 3]);
}
