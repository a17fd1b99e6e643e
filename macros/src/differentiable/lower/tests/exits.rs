//! Jumps become flags.

use crate::differentiable::testing::assert_lowered;

#[test]
fn continue_is_a_flag_of_the_round() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for v in x {
                if *v < 0.0 {
                    continue;
                }
                s += v.sqrt();
            }
            s
        }",
        "
        fn(&x)
        let mut s = 0.0
        for k in 0..x.len() {
            let mut skipped = false
            if read x[k] < 0.0 {
                skipped = true
            }
            if !(false || load skipped) {
                s = add(load s, sqrt(read x[k]))
            }
        }
        return load s",
    );
}

#[test]
fn break_is_a_flag_of_the_loop() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for v in x {
                if *v < 0.0 {
                    break;
                }
                s += v.sqrt();
            }
            s
        }",
        "
        fn(&x)
        let mut s = 0.0
        let mut left = false
        for k in 0..x.len() {
            if read x[k] < 0.0 {
                left = true
            }
            if !(false || load left) {
                s = add(load s, sqrt(read x[k]))
            }
        } until left
        return load s",
    );
}

#[test]
fn return_is_a_flag_of_the_function() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { for v in x { if *v > 1.0 { return v * 2.0; } } 0.0 }",
        "
        fn(&x)
        let mut returned = false
        let mut result = <<f64 as Outcome>::Value as Blank>::blank()
        for k in 0..x.len() {
            if read x[k] > 1.0 {
                result = mul(read x[k], 2.0)
                returned = true
            }
        } until returned
        if !(false || load returned) {
            result = 0.0
        }
        return load result",
    );
}

#[test]
fn an_early_return_is_a_branch() {
    assert_lowered(
        "fn f(x: f64) -> f64 { if x < 0.0 { return -x; } x * x }",
        "
        fn(x)
        let mut returned = false
        let mut result = <<f64 as Outcome>::Value as Blank>::blank()
        if x < 0.0 {
            result = neg(x)
            returned = true
        }
        if !(false || load returned) {
            result = mul(x, x)
        }
        return load result",
    );
}

#[test]
fn a_label_is_the_flag_of_the_outer_loop() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            'a: for i in 0..x.len() {
                for j in 0..i {
                    if x[j] > x[i] {
                        break 'a;
                    }
                    s += x[i] * x[j];
                }
            }
            s
        }",
        "
        fn(&x)
        let mut s = 0.0
        let mut left = false
        for i in 0..x.len() {
            for j in 0..i {
                if read x[j] > read x[i] {
                    left = true
                }
                if !(false || load left) {
                    s = add(load s, mul(read x[i], read x[j]))
                }
            } until left
        } until left
        return load s",
    );
}

#[test]
fn a_loop_with_a_value_sets_a_local() {
    assert_lowered(
        "fn f(x: f64) -> f64 {
            let mut y = x;
            let z = loop {
                y = y * y;
                if y > 10.0 {
                    break y * 2.0;
                }
            };
            z
        }",
        "
        fn(x)
        let mut y = x
        let mut broken = blank()
        let mut left = false
        while true {
            let y_now = load y
            let t4 = mul(y_now, y_now)
            y = t4
            if t4 > 10.0 {
                broken = mul(t4, 2.0)
                left = true
            }
        } until left
        let z = load broken
        return z",
    );
}

#[test]
fn a_block_with_a_label_is_no_loop() {
    assert_lowered(
        "fn f(x: f64, k: bool) -> f64 { let y = 'a: { if k { break 'a x; } x * x }; y * 2.0 }",
        "
        fn(x, k)
        let mut broken = blank()
        let mut left = false
        while true {
            if k {
                broken = x
                left = true
            }
            if !(false || load left) {
                broken = mul(x, x)
                left = true
            }
        } until left
        let y = load broken
        return mul(y, 2.0)",
    );
}

#[test]
fn a_while_loop_is_run_by_its_condition() {
    assert_lowered(
        "fn f(x: f64, n: usize) -> f64 {
            let mut y = x;
            let mut k = 0;
            while k < n {
                y = y.sin();
                k += 1;
            }
            y
        }",
        "
        fn(x, n)
        let mut y = x
        let mut k = 0
        while k < n {
            y = sin(load y)
            k = { let mut __old = clone(&load k); __old += 1; __old }
        }
        return load y",
    );
}
