//! What changes places: exchanges of locals, of entries, of references.

use crate::differentiable::testing::assert_lowered;

#[test]
fn two_locals_are_exchanged() {
    assert_lowered(
        "fn f(mut a: f64, mut b: f64) -> f64 { std::mem::swap(&mut a, &mut b); a * 2.0 + b }",
        "
        fn(a, b)
        let mut a_2 = a
        let mut b_2 = b
        exchange a_2, b_2
        return add(mul(read a_2, 2.0), read b_2)",
    );
}

#[test]
fn entries_are_swapped_in_place() {
    assert_lowered(
        "fn f(x: &mut [f64]) { x.swap(0, 2); }",
        "
        fn(&mut x)
        swap x: 0, 2",
    );
}

#[test]
fn what_is_replaced_is_read_first() {
    assert_lowered(
        "fn f(x: f64) -> f64 {
            let mut a = x;
            let old = std::mem::replace(&mut a, 2.0 * x);
            old * a
        }",
        "
        fn(x)
        let mut a = x
        let old = read a
        a = mul(2.0, x)
        return mul(old, read a)",
    );
}

#[test]
fn what_is_taken_leaves_a_zero() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let mut a = x; let old = std::mem::take(&mut a); old + a }",
        "
        fn(x)
        let mut a = x
        let t1 = read a
        reshape a: shape_before(&a, &default())
        a = default()
        return add(t1, read a)",
    );
}

#[test]
fn buffers_that_take_turns_are_exchanged() {
    assert_lowered(
        "fn f(x: &[f64], n: usize) -> f64 {
            let mut a = x.to_vec();
            let mut b = vec![0.0; x.len()];
            for _ in 0..n {
                for i in 0..a.len() {
                    b[i] = a[i] * 2.0;
                }
                std::mem::swap(&mut a, &mut b);
            }
            a[0]
        }",
        "
        fn(&x, n)
        let mut a = copy of x by x.to_vec()
        let mut b = vec![0.0; x.len()]
        for k in 0..n {
            for i in 0..a.len() {
                b[i] = mul(read a[i], 2.0)
            }
            exchange a, b
        }
        return read a[0]",
    );
}

#[test]
fn references_that_take_turns_are_parts_of_the_arguments() {
    assert_lowered(
        "fn f(x: &mut [f64], y: &mut [f64]) {
            let (mut a, mut b) = (x, y);
            a[0] = b[0] * 2.0;
            std::mem::swap(&mut a, &mut b);
            a[0] = b[0];
        }",
        "
        fn(&mut x, &mut y)
        let mut __turn_of_a_and_b = 0
        x[0] = mul(read y[0], 2.0)
        __turn_of_a_and_b = 1
        y[0] = read x[0]",
    );
}
