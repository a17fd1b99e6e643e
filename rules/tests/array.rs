//! Every rule of arrays that is not elementwise, judged in every mix, in every layout of memory.

mod judge;

use coenzyme::Inactive;
use coenzyme_testutils::{Overrides, input, value};
use judge::{entries_of, others};
use ndarray::array;

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
    split(x: input(entries_of((2, 3 * n))), axis: value(1_usize) [Const], parts: value(3_usize) [Const]) Duplicated { sizes = n in [0, 1, 2] };
    gather(x: input(entries_of((3, n))), axis: value(0_usize) [Const], indices: input([2_usize, 0, 2, 2]) [Const]) Duplicated { sizes = n in [0, 1, 2] };
    gather as gather_nothing(x: input(entries_of((3, 2))), axis: value(0_usize) [Const], indices: input(Vec::<usize>::new()) [Const]) Duplicated;
    scatter_add(x: input(entries_of((n, 4))), updates: input(entries_of((n, 3))), axis: value(1_usize) [Const], indices: input([0_usize, 0, 3]) [Const])
        Duplicated { sizes = n in [0, 1, 2] };
    diagonal(x: input(entries_of((2, n)))) Duplicated { sizes = n in [0, 1, 3] };
    from_diagonal(x: input(entries_of(n))) Duplicated { sizes = n in [0, 1, 3] };
    trace(x: input(entries_of((n, n)))) Active { sizes = n in [0, 1, 3] };
    lower_triangle(x: input(entries_of((2, n)))) Duplicated { sizes = n in [0, 1, 3] };
    upper_triangle(x: input(entries_of((2, n)))) Duplicated { sizes = n in [0, 1, 3] };
    zeros(shape: value([2_usize, 3]) [Const]) Duplicated;
    ones(shape: value([n, 2]) [Const]) Duplicated { sizes = n in [0_usize, 3] };
    full(shape: value([2_usize]) [Const], entry: value(Inactive(3.0)) [Const]) Duplicated;
    identity(n: value(n) [Const]) Duplicated { sizes = n in [0_usize, 3] };
    linspace(start: value(Inactive(1.0)) [Const], end: value(Inactive(2.0)) [Const], n: value(n) [Const]) Duplicated { sizes = n in [0_usize, 1, 5] };
    uniform(shape: value([2_usize, 3]) [Const], seed: value(7_u64) [Const], stream: value(0_u64) [Const]) Duplicated;

    choose(x: input(entries_of((2, 3))), y: input(others(&entries_of((2, 3)))), mask: input(array![[true, false, true], [false, false, true]]) [Const]) Duplicated;
}
