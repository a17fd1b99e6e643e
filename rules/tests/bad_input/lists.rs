//! Lists of arrays.

use std::marker::PhantomData;

use coenzyme::{Const, Duplicated};
use ndarray::Array2;

use super::{augmented, bits, forward, numbers, panic_of};

#[test]
fn lists_that_do_not_fit_are_named() {
    use coenzyme_rules::array::{concatenate, concatenate_all, stack, stack_all};
    let (x, y, mut dx, mut dy) = (
        numbers((1, 2)),
        numbers((1, 3)),
        numbers((1, 2)),
        numbers((1, 3)),
    );
    let want = "cannot concatenate [1, 2] with [1, 3] along axis 0";
    assert_eq!(
        panic_of("concatenate", || concatenate(vec![&x, &y], 0)),
        want
    );
    let output = PhantomData::<Array2<f64>>;
    {
        let handles = vec![Duplicated(&*x, &mut *dx), Duplicated(&*y, &mut *dy)];
        let mut args = (handles, Const(0_usize));
        assert_eq!(
            panic_of("forward", || forward(&concatenate {}, &mut args, output)),
            want
        );
        assert_eq!(
            panic_of("augmented", || augmented(
                &concatenate {},
                &mut args,
                output
            )),
            want
        );
    }
    assert_eq!((bits(&dx), bits(&dy)), (bits(&x), bits(&y)));
    assert_eq!(
        panic_of("stack", || stack(vec![&x, &y], 0)),
        "cannot stack [1, 2] with [1, 3]"
    );
    assert_eq!(
        panic_of("stack", || stack(vec![&x], 3)),
        "cannot stack shape [1, 2] along axis 3"
    );
    assert_eq!(
        panic_of("concatenate", || concatenate(vec![&x], 2)),
        "axis 2 is out of bounds for shape [1, 2]"
    );
    let none: Vec<&Array2<f64>> = vec![];
    assert_eq!(
        panic_of("stack", || stack(none.clone(), 0)),
        "stack: an empty list has no shape"
    );
    assert_eq!(
        panic_of("concatenate", || concatenate(none, 0)),
        "concatenate: an empty list has no shape"
    );
    let list = [x, y];
    assert_eq!(
        panic_of("concatenate_all", || concatenate_all(&list, 0)),
        want
    );
    assert_eq!(
        panic_of("stack_all", || stack_all(&list, 0)),
        "cannot stack [1, 2] with [1, 3]"
    );
    assert_eq!(
        panic_of("concatenate_all", || concatenate_all(&list[..0], 0)),
        "concatenate: an empty list has no shape"
    );
}
