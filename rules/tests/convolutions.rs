//! Convolutions with every parameter, judged in every mix.

mod judge;

use coenzyme_rules::signal::Convolution;
use coenzyme_testutils::{by_ref, input};
use judge::entries_of;

fn dilated() -> Convolution {
    Convolution {
        stride: [1, 2],
        padding: [1, 0],
        dilation: [2, 1],
        groups: 1,
    }
}

fn grouped() -> Convolution {
    Convolution {
        groups: 2,
        ..Convolution::default()
    }
}

judge! { signal:
    conv2d_with(x: input(entries_of((n, 2, 3, 4))), w: input(entries_of((2, 2, 2, 2))), how: by_ref(dilated()) [Const])
        Duplicated { sizes = n in [0, 1, 2] };
    conv2d_with as conv2d_in_groups(x: input(entries_of((1, 4, 2, 3))), w: input(entries_of((2, 2, 1, n))), how: by_ref(grouped()) [Const])
        Duplicated { sizes = n in [1, 3] };
    conv_transpose2d(y: input(entries_of((n, 2, 2, 2))), w: input(entries_of((2, 1, 3, 2))), how: by_ref(dilated()) [Const])
        Duplicated { sizes = n in [0, 1, 2] };
    conv_transpose2d as conv_transpose2d_in_groups(y: input(entries_of((1, 2, 1, 2))), w: input(entries_of((2, 2, 2, 1))), how: by_ref(grouped()) [Const])
        Duplicated;
}
