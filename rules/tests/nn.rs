//! Every rule of neural networks and signals, judged in every mix, in every layout of memory.

mod judge;

use coenzyme::Inactive;
use coenzyme_testutils::{input, value};
use judge::entries_of;
use ndarray::array;

judge! { nn:
    dense(x: input(entries_of((n, 2))), w: input(entries_of((2, 3))), b: input(entries_of(3))) Duplicated { sizes = n in [0, 1, 3] };
    attention(q: input(entries_of((n, 2))), k: input(entries_of((3, 2))), v: input(entries_of((3, 1)))) Duplicated { sizes = n in [0, 1, 2] };
    layer_norm(x: input(entries_of((n, 4))), w: input(entries_of(4)), b: input(entries_of(4)), eps: value(Inactive(1e-5)) [Const])
        Duplicated { sizes = n in [0, 1, 2] };
    rms_norm(x: input(entries_of((n, 4))), w: input(entries_of(4)), eps: value(Inactive(1e-5)) [Const]) Duplicated { sizes = n in [0, 1, 2] };
    softmax_cross_entropy(logits: input(entries_of((3, 4))), labels: input([2_usize, 0, 3]) [Const]) Active;
    softmax_cross_entropy as cross_entropy_of_one(logits: input(entries_of((1, 2))), labels: input([1_usize]) [Const]) Active;
    mean_squared_error(x: input(entries_of((2, n))), y: input(entries_of((2, n)) * 0.7)) Active { sizes = n in [1, 3] };
    dropout(x: input(entries_of((2, 3))), mask: input(array![[true, false, true], [false, false, true]]) [Const],
        keep: value(Inactive(0.8)) [Const]) Duplicated;
    embedding(table: input(entries_of((2, n))), ids: input([1_usize, 0, 1, 1]) [Const]) Duplicated { sizes = n in [0, 1, 3] };
    avg_pool2d(x: input(entries_of((n, 2, 3, 4))), window: value([2_usize, 2]) [Const], stride: value([1_usize, 2]) [Const])
        Duplicated { sizes = n in [0, 1] };
    max_pool2d(x: input(entries_of((n, 2, 3, 4))), window: value([2_usize, 2]) [Const], stride: value([1_usize, 2]) [Const])
        Duplicated { sizes = n in [0, 1] };
}

judge! { signal:
    conv1d(x: input(entries_of((n, 2, 4))), w: input(entries_of((2, 2, 3))), stride: value(2_usize) [Const], padding: value(1_usize) [Const])
        Duplicated { sizes = n in [0, 1, 2] };
    conv2d(x: input(entries_of((n, 1, 3, 4))), w: input(entries_of((2, 1, 2, 3))), stride: value([2_usize, 1]) [Const],
        padding: value([1_usize, 2]) [Const]) Duplicated { sizes = n in [0, 1] };
}

#[cfg(feature = "fft")]
mod fourier {
    use super::*;
    use num_complex::Complex;

    fn complex(n: usize) -> Vec<Complex<f64>> {
        let parts = entries_of((n, 2));
        parts
            .rows()
            .into_iter()
            .map(|z| Complex::new(z[0], z[1]))
            .collect()
    }

    judge! { signal:
        fft(x: input(complex(n))) Duplicated { sizes = n in [0, 1, 2, 5] };
        ifft(y: input(complex(n))) Duplicated { sizes = n in [0, 1, 2, 5] };
        rfft(x: input(entries_of(n).to_vec())) Duplicated { sizes = n in [1, 2, 5, 8] };
        irfft(y: input(complex(n / 2 + 1)), n: value(n) [Const]) Duplicated { sizes = n in [1, 2, 5, 8] };
    }
}
