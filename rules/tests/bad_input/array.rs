//! Arrays: shapes, axes, indices, attributes.

use coenzyme::{Const, Duplicated, Function, Inactive};
use ndarray::{Array2, array};

use super::{augmented, bits, forward, numbers, panic_of, returned};

#[test]
fn shapes_that_cannot_be_broadcast_are_named() {
    macro_rules! all {
        ($($f:ident)+) => { panics! { array: $($f(x = numbers((2, 3)), y = numbers(4)) "cannot broadcast [2, 3] with [4]";)+ } };
    }
    all!(add sub mul div rem powf hypot atan2 maximum minimum copysign log beta lbeta logaddexp xlogy xlog1py);
    panics! { array:
        // E16
        mul(x = numbers(3), y = numbers(2)) "cannot broadcast [3] with [2]";
        broadcast_to(x = numbers((2, 3)); [2, 4]) "cannot broadcast [2, 3] to [2, 4]";
    }
}

#[test]
fn axes_that_do_not_exist_are_named() {
    macro_rules! all {
        ($($f:ident)+) => { panics! { array: $($f(x = numbers((2, 3)); 2) "axis 2 is out of bounds for shape [2, 3]";)+ } };
    }
    all!(sum_axis mean_axis var_axis std_dev_axis max_axis max_shared_axis min_axis prod_axis norm_axis norm_l1_axis
        norm_max_axis logsumexp_axis softmax log_softmax cumsum cumprod sort flip);
    macro_rules! several {
        ($($f:ident)+) => { panics! { array: $(
            $f(x = numbers((2, 3)); &[0, 2][..], true) "axis 2 is out of bounds for shape [2, 3]";
            $f(x = numbers((2, 3)); &[1, 1][..], false) "axis 1 is named twice in [1, 1]";
        )+ } };
    }
    several!(sum_axes mean_axes var_axes std_dev_axes max_axes max_shared_axes min_axes prod_axes norm_axes norm_l1_axes
        norm_max_axes logsumexp_axes);
    panics! { array:
        roll(x = numbers((2, 3)); 1, 2) "axis 2 is out of bounds for shape [2, 3]";
        repeat(x = numbers((2, 3)); 2, 5) "axis 5 is out of bounds for shape [2, 3]";
        insert_axis(x = numbers((2, 3)); 3) "cannot insert axis 3 into shape [2, 3]";
        permute(x = numbers((2, 3)); &[0, 0][..]) "[0, 0] is not a permutation of the axes of shape [2, 3]";
        pad(x = numbers((2, 3)); &[[1, 1]][..]) "1 pairs of widths for shape [2, 3]";
        reshape(x = numbers((2, 3)); [4]) "cannot reshape [2, 3] to [4]";
        slice_axis(x = numbers((1, 2)); 1, 1..5) "range 1..5 leaves axis 1 of shape [1, 2]";
        split(x = numbers((2, 3)); 1, 2) "split: axis 1 of shape [2, 3] in 2 parts";
        split(x = numbers((2, 3)); 1, 0) "split: axis 1 of shape [2, 3] in 0 parts";
        split(x = numbers((2, 3)); 2, 1) "axis 2 is out of bounds for shape [2, 3]";
        slice_axis(x = numbers((1, 2)); 2, 0..1) "axis 2 is out of bounds for shape [1, 2]";
        gather(x = numbers((1, 2)); 1, &[0, 2][..]) "index 2 is out of bounds for axis 1 of shape [1, 2]";
        gather(x = numbers((1, 2)); 3, &[0][..]) "axis 3 is out of bounds for shape [1, 2]";
        scatter_add(x = numbers(3), updates = numbers(1); 0, &[0, 1][..])
            "scatter_add: updates of 2 indices along axis 0 of shape [3]";
        scatter_add(x = numbers(3), updates = numbers(1); 0, &[3][..]) "index 3 is out of bounds for axis 0 of shape [3]";
        choose(x = numbers(2), y = numbers(1); &*array![true, false]) "choose: shapes [2], [1] and mask [2]";
        choose(x = numbers(2), y = numbers(2); &*array![true]) "choose: shapes [2], [2] and mask [1]";
    }
}

#[test]
fn positions_that_do_not_exist_are_named() {
    let (far, few) = (array![[0, 0], [2, 0]], Array2::<usize>::zeros((1, 1)));
    panics! { array:
        take_along_axis(x = numbers((2, 2)); &*far, 1) "take_along_axis: position 2 along axis 1 of shape [2, 2]";
        take_along_axis(x = numbers((2, 2)); &*few, 1)
            "take_along_axis: positions of shape [1, 1] along axis 1 of shape [2, 2]";
        take_along_axis(x = numbers((2, 2)); &*few, 2) "axis 2 is out of bounds for shape [2, 2]";
        argmax(x = numbers((2, 3)); 2) "axis 2 is out of bounds for shape [2, 3]";
        argmax(x = numbers((2, 0)); 1) "argmax: axis 1 of shape [2, 0] is empty";
        argmin(x = numbers((0, 2)); 0) "argmin: axis 0 of shape [0, 2] is empty";
        argsort(x = numbers((2, 3)); 3) "axis 3 is out of bounds for shape [2, 3]";
    }
}

#[test]
fn subscripts_that_do_not_fit_are_named() {
    macro_rules! all {
        ($($subscripts:literal $message:literal;)+) => { panics! { array:
            $(einsum(x = numbers((2, 3)), y = numbers((3, 2)); $subscripts) $message;)+
        } };
    }
    all! {
        "ij,jk" r#"einsum: "ij,jk" is not of the form "ij,jk->ik""#;
        "ij->ij" r#"einsum: "ij->ij" is not of the form "ij,jk->ik""#;
        "ij,...->i" r#"einsum: "ij,...->i" is not of the form "ij,jk->ik""#;
        "i,jk->i" r#"einsum: "i,jk->i" has 1 letters for an operand of shape [2, 3]"#;
        "ij,ik->i" r#"einsum: the letter i of "ij,ik->i" has the lengths 2 and 3"#;
        "ij,jk->a" r#"einsum: no operand of "ij,jk->a" has the letter a of the value"#;
        "ij,jk->ii" r#"einsum: the value of "ij,jk->ii" has the letter i twice"#;
    }
    panics! { array:
        einsum_one(x = numbers((2, 3)); "ii->") r#"einsum: the letter i of "ii->" has the lengths 2 and 3"#;
        einsum_one(x = numbers((2, 3)); "i->") r#"einsum: "i->" has 1 letters for an operand of shape [2, 3]"#;
    }
}

#[test]
fn parameters_out_of_range_are_named() {
    panics! { array:
        pad_reflect(x = numbers((2, 2)); &[[2, 0], [0, 0]][..]) "pad_reflect: widths [[2, 0], [0, 0]] are too wide for shape [2, 2]";
        pad_edge(x = numbers(0); &[[1, 0]][..]) "pad_edge: widths [[1, 0]] are too wide for shape [0]";
        pad_edge(x = numbers((2, 2)); &[[1, 0]][..]) "pad_edge: 1 pairs of widths for shape [2, 2]";
        norm_p(x = numbers(3); Inactive(0.5)) "norm_p: p is 0.5, less than 1";
        norm_p(x = numbers(3); Inactive(f64::NAN)) "norm_p: p is NaN, less than 1";
        norm_p_axis(x = numbers((2, 3)); 1, Inactive(0.5)) "norm_p: p is 0.5, less than 1";
        norm_p_axis(x = numbers((2, 3)); 2, Inactive(2.0)) "axis 2 is out of bounds for shape [2, 3]";
        var_ddof_axis(x = numbers((2, 3)); 2, 1) "axis 2 is out of bounds for shape [2, 3]";
        std_ddof_axis(x = numbers((2, 3)); 2, 1) "axis 2 is out of bounds for shape [2, 3]";
    }
}

/// Bounds are numbers, and not arrays: they have no place in the table.
#[test]
fn bounds_in_the_wrong_order_are_refused() {
    let (x, f) = (numbers(3), coenzyme_rules::array::clip {});
    for (lo, hi) in [(2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::NAN)] {
        let output = returned(|| Function::call(&f, (&*x, lo, hi)));
        let want = format!("clip: bounds {lo} and {hi}");
        assert_eq!(panic_of("clip", || Function::call(&f, (&*x, lo, hi))), want);
        let mut dx = numbers(3);
        let mut args = (Duplicated(&*x, &mut *dx), Const(lo), Const(hi));
        assert_eq!(
            panic_of("clip, forward", || forward(&f, &mut args, output)),
            want
        );
        assert_eq!(
            panic_of("clip, augmented", || augmented(&f, &mut args, output)),
            want
        );
        assert_eq!(bits(&dx), bits(&numbers(3)));
    }
}
