//! Signals: shapes and strides of convolutions, lengths of transforms.

use coenzyme::{Const, Duplicated, Function};
use num_complex::Complex;

use super::{augmented, bits, forward, numbers, panic_of, returned};

#[test]
fn convolutions_that_do_not_fit_are_named() {
    panics! { signal:
        conv2d(x = numbers((1, 2, 3, 3)), w = numbers((1, 1, 2, 2)); [1, 1], [0, 0])
            "convolution: images [1, 2, 3, 3] with kernels [1, 1, 2, 2], stride [1, 1], padding [0, 0]";
        conv2d(x = numbers((1, 1, 3, 3)), w = numbers((1, 1, 4, 2)); [1, 1], [0, 0])
            "convolution: images [1, 1, 3, 3] with kernels [1, 1, 4, 2], stride [1, 1], padding [0, 0]";
        conv1d(x = numbers((1, 1, 3)), w = numbers((1, 1, 2)); 0, 0)
            "convolution: images [1, 1, 1, 3] with kernels [1, 1, 1, 2], stride [1, 0], padding [0, 0]";
    }
}

/// Transforms take slices, which have no place in the table.
#[test]
fn lengths_of_transforms_are_named() {
    use coenzyme_rules::signal::{irfft, rfft};
    let (y, mut dy) = (
        vec![Complex::new(1.0, 0.5); 3],
        vec![Complex::new(2.0, 3.0); 3],
    );
    for n in [0, 1, 3, 6] {
        let want = format!("irfft: 3 entries for a length of {n}");
        let output = returned(|| irfft(&y[..], n));
        assert_eq!(
            panic_of("irfft", || Function::call(&irfft {}, (&y[..], n))),
            want
        );
        let mut args = (Duplicated(&y[..], &mut dy[..]), Const(n));
        assert_eq!(
            panic_of("forward", || forward(&irfft {}, &mut args, output)),
            want
        );
        assert_eq!(
            panic_of("augmented", || augmented(&irfft {}, &mut args, output)),
            want
        );
    }
    assert_eq!(dy, vec![Complex::new(2.0, 3.0); 3]);
    let (x, mut dx) = ([0.0; 0], [0.0; 0]);
    let output = returned(|| rfft(&x[..]));
    let mut args = (Duplicated(&x[..], &mut dx[..]),);
    assert_eq!(panic_of("rfft", || rfft(&x[..])), "rfft: no entries");
    assert_eq!(
        panic_of("forward", || forward(&rfft {}, &mut args, output)),
        "rfft: no entries"
    );
    assert_eq!(
        panic_of("augmented", || augmented(&rfft {}, &mut args, output)),
        "rfft: no entries"
    );
}
