//! What rules allocate: the value, the shadow of the value, and a tape of what reverse reads again.

use coenzyme::{Duplicated, ReverseConfig, Thunk};
use coenzyme_rules::array::{exp, mul};
use ndarray::{Array1, Array2};

/// Many numbers: an allocation that depends on their number shows in the bytes.
const N: usize = 1_000_000;
const BYTES: u64 = 8 * N as u64;

type Returned = Duplicated<Array1<f64>>;

#[test]
fn m21_reverse_of_a_product_allocates_nothing() {
    let (x, y) = (Array1::from_elem(N, 2.0), Array1::from_elem(N, 3.0));
    for overwritten in [false, true] {
        let (mut dx, mut dy) = (Array1::zeros(N), Array1::zeros(N));
        let config = ReverseConfig::new(true)
            .with_overwritten(0, overwritten)
            .with_overwritten(1, overwritten);
        let thunk = Thunk::<_, Returned>::new(mul {}).with_config(config);
        let mut args = (Duplicated(&*x, &mut *dx), Duplicated(&*y, &mut *dy));
        let mut augmented = None;
        let first = allocation_counter::measure(|| augmented = Some(thunk.augmented(&mut args)));
        // the value and its shadow, and each factor for the cotangent of the other
        let tape = if overwritten { 2 } else { 0 };
        assert_eq!(first.bytes_total, (2 + tape) * BYTES);
        let augmented = augmented.expect("set above");
        let seed = Array1::from_elem(N, 0.5);
        let second = allocation_counter::measure(|| {
            thunk.reverse([seed], augmented.tape, &mut args);
        });
        assert_eq!(second.count_total, 0);
        assert_eq!((dx[N - 1], dy[N - 1]), (1.5, 1.0));
    }
}

#[test]
fn e5_the_exponential_keeps_its_value_alone() {
    let x = Array1::from_elem(N, 0.0);
    for overwritten in [false, true] {
        let mut dx = Array1::zeros(N);
        // the operand may be overwritten: it is not read again
        let config = ReverseConfig::new(false).with_overwritten(0, overwritten);
        let thunk = Thunk::<_, Returned>::new(exp {}).with_config(config);
        let mut args = (Duplicated(&*x, &mut *dx),);
        let mut augmented = None;
        let first = allocation_counter::measure(|| augmented = Some(thunk.augmented(&mut args)));
        assert_eq!(first.bytes_total, 2 * BYTES, "the value and its shadow");
        let augmented = augmented.expect("set above");
        drop(augmented.shadow);
        let seed = Array1::from_elem(N, 0.5);
        let second = allocation_counter::measure(|| {
            thunk.reverse([seed], augmented.tape, &mut args);
        });
        assert_eq!(second.count_total, 0);
        // what is freed: the seed and the value on the tape
        assert_eq!(second.bytes_current, -2 * BYTES as i64);
        assert_eq!(dx[N - 1], 0.5);
    }
}

#[test]
fn reverse_of_a_matrix_product_adds_straight_into_the_shadows() {
    let n = 400;
    let (a, b) = (
        Array2::from_elem((n, n), 2.0),
        Array2::from_elem((n, n), 3.0),
    );
    let (mut da, mut db) = (Array2::zeros((n, n)), Array2::zeros((n, n)));
    let thunk = Thunk::<_, Duplicated<Array2<f64>>>::new(coenzyme_rules::linalg::matmul {});
    let mut args = (Duplicated(&*a, &mut *da), Duplicated(&*b, &mut *db));
    let augmented = thunk.augmented(&mut args);
    let seed = Array2::ones((n, n));
    let second = allocation_counter::measure(|| {
        thunk.reverse([seed], augmented.tape, &mut args);
    });
    // no temporary of the shape of a factor: what the product packs is smaller
    assert!(second.bytes_max < 8 * (n * n) as u64, "{second:?}");
    assert_eq!((da[(0, 0)], db[(0, 0)]), (3.0 * n as f64, 2.0 * n as f64));
}
