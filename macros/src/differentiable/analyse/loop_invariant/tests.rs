//! Loop-invariant values.

use crate::differentiable::testing::assert_improved;

#[test]
fn an_entry_that_does_not_change_is_read_in_front_of_the_loop() {
    assert_improved(
        "fn f(x: &[f64], w: &[f64], y: &mut [f64], i: usize) {
            for j in 0..w.len() {
                y[j] += x[i] * w[j];
            }
        }",
        "
        fn(&x, &w, &mut y, i)
        if !(0..w.len()).is_empty() {
            let t2 = read x[i]
            for j in 0..w.len() {
                y[j] += mul(t2, read w[j])
            }
        }",
    );
}

#[test]
fn an_operation_on_it_is_moved_too() {
    assert_improved(
        "fn f(x: &[f64], y: &mut [f64], a: f64) { for j in 0..8 { y[j] += a.sin() * x[j]; } }",
        "
        fn(&x, &mut y, a)
        if !(0..8).is_empty() {
            let t2 = sin(a)
            for j in 0..8 {
                y[j] += mul(t2, read x[j])
            }
        }",
    );
}

#[test]
fn what_depends_on_the_variable_stays() {
    assert_improved(
        "fn f(x: &[f64], y: &mut [f64]) { for j in 0..8 { y[j] += x[j] * x[j]; } }",
        "
        fn(&x, &mut y)
        for j in 0..8 {
            let t1 = read x[j]
            y[j] += mul(t1, t1)
        }",
    );
}

#[test]
fn what_is_written_in_the_loop_stays() {
    assert_improved(
        "fn f(x: &mut [f64], y: &mut [f64]) { for j in 1..8 { y[j] += x[0]; x[j] = 1.0; } }",
        "
        fn(&mut x, &mut y)
        for j in 1..8 {
            y[j] += read x[0]
            x[j] = 1.0
        }",
    );
}

#[test]
fn a_call_stays() {
    assert_improved(
        "fn f(a: f64, y: &mut [f64]) { for j in 0..8 { y[j] += g(a); } }",
        "
        fn(a, &mut y)
        for j in 0..8 {
            y[j] += call g(a)
        }",
    );
}

#[test]
fn what_stands_in_a_branch_stays() {
    assert_improved(
        "fn f(x: &[f64], y: &mut [f64], k: &[bool]) {
            for j in 0..8 {
                if k[j] {
                    y[j] += x[0] * x[1];
                }
            }
        }",
        "
        fn(&x, &mut y, &k)
        for j in 0..8 {
            if read k[j] {
                y[j] += mul(read x[0], read x[1])
            }
        }",
    );
}

#[test]
fn what_was_moved_out_of_the_inner_loop_stays_in_its_branch() {
    assert_improved(
        "fn f(x: &[f64], y: &mut [f64]) {
            for i in 0..8 {
                for j in 0..8 {
                    y[j] += x[0] * x[i];
                }
            }
        }",
        "
        fn(&x, &mut y)
        for i in 0..8 {
            if !(0..8).is_empty() {
                let t4 = mul(read x[0], read x[i])
                for j in 0..8 {
                    y[j] += t4
                }
            }
        }",
    );
}

#[test]
fn a_loop_that_may_be_left_keeps_it() {
    assert_improved(
        "fn f(x: &[f64], y: &mut [f64]) {
            for j in 0..8 {
                y[j] += x[0];
                if y[j] > 1.0 {
                    break;
                }
            }
        }",
        "
        fn(&x, &mut y)
        let mut left = false
        for j in 0..8 {
            y[j] += read x[0]
            if read y[j] > 1.0 {
                left = true
            }
        } until left",
    );
}
