//! Closures are written out where they are called, or become functions.

use crate::differentiable::testing::assert_lowered;

#[test]
fn a_closure_is_written_out_where_it_is_called() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let square = |y: f64| y * y * x; square(2.0) + square(x) }",
        "
        fn(x)
        let t1 = typed::<f64>(2.0)
        return add(mul(mul(t1, t1), x), mul(mul(x, x), x))",
    );
}

#[test]
fn a_closure_reads_what_a_local_is_when_it_is_called() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let mut a = x; let k = |y: f64| a * y; let b = k(2.0); a = b; a }",
        "
        fn(x)
        let mut a = x
        let b = mul(x, typed::<f64>(2.0))
        a = b
        return b",
    );
}

#[test]
fn a_closure_that_changes_a_local_changes_it() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            let mut add = |v: f64| s += v * v;
            for v in x {
                add(*v);
            }
            s
        }",
        "
        fn(&x)
        let mut s = 0.0
        for k in 0..x.len() {
            let t3 = read x[k]
            s = add(load s, mul(t3, t3))
        }
        return load s",
    );
}

#[test]
fn a_closure_may_call_another() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let g = |y: f64| y.sin(); let h = |y: f64| g(y) * g(y); h(x) }",
        "
        fn(x)
        let t1 = sin(x)
        return mul(t1, t1)",
    );
}

#[test]
fn a_moved_capture_is_that_of_the_definition() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let mut a = x; let k = move |y: f64| a * y; a = 2.0; k(3.0) + a }",
        "
        fn(x)
        let mut a = x
        let mut a_2 = x
        let t1 = 2.0
        a = t1
        return add(mul(x, typed::<f64>(3.0)), t1)",
    );
}

#[test]
fn a_closure_that_is_passed_on_is_a_function() {
    assert_lowered(
        "fn f(x: f64, c: f64) -> f64 { apply(|y: f64| y * c, x) }",
        "
        fn(x, c)
        return call apply(closure closure_1(&c), x)",
    );
}
