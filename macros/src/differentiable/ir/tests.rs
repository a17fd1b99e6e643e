//! How programs read.

use crate::differentiable::testing::{assert_lines, assert_lowered, lowered};

#[test]
fn temporaries_stand_where_they_are_used() {
    let f = "fn f(x: &[f64], c: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() { let d = x[i] - c; sum += d * d; }
        sum
    }";
    assert_lowered(
        f,
        "
        fn(&x, c)
        let mut sum = 0.0
        for i in 0..x.len() {
            let d = sub(read x[i], c)
            sum = add(load sum, mul(d, d))
        }
        return load sum",
    );
    let all = lowered(f).1.to_string();
    assert_lines(
        &all,
        "
        fn(&x, c)
        let t1 = 0.0
        let mut sum = t1
        for i in 0..x.len() {
            let t3 = read x[i]
            let d = sub(t3, c)
            let t5 = mul(d, d)
            let sum_now = load sum
            let t7 = add(sum_now, t5)
            sum = t7
        }
        let sum_now_2 = load sum
        return sum_now_2",
    );
}

#[test]
fn what_is_read_before_a_call_stands_before_it() {
    assert_lowered(
        "fn f(x: &mut [f64]) -> f64 { x[0] * change(x) }",
        "
        fn(&mut x)
        let t0 = read x[0]
        return mul(t0, call change(whole x))",
    );
}

#[test]
fn loops_say_their_steps_their_direction_and_their_flags() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for i in (0..x.len()).rev() { s += x[i]; if s > 1.0 { break; } }
            for i in (0..8).step_by(2) { s += x[i]; }
            s
        }",
        "
        fn(&x)
        let mut s = 0.0
        let mut left = false
        for i in 0..x.len() reversed {
            let t5 = add(load s, read x[i])
            s = t5
            if t5 > 1.0 {
                left = true
            }
        } until left
        for i_2 in 0..8 by 2 {
            s = add(load s, read x[i_2])
        }
        return load s",
    );
}

#[test]
fn memory_is_copied_filled_exchanged() {
    assert_lowered(
        "fn f(x: &mut [f64], y: &[f64], a: f64) {
            let mut v = vec![0.0; 3];
            v.push(a);
            x.fill(a);
            x[..3].copy_from_slice(&y[..3]);
            x.swap(0, 1);
            x[0] -= v[0];
        }",
        "
        fn(&mut x, &y, a)
        let mut v = once vec![0.0; 3]
        push v <- a
        fill x <- a
        copy x[..3] <- y[..3]
        swap x: 0, 1
        x[0] -= read v[0]",
    );
}

#[test]
fn parameters_stand_in_order_as_they_are_passed() {
    assert_lowered(
        "fn f(a: f64, x: &[f64], y: &mut f64, n: usize) {}",
        "fn(a, &x, &mut y, n)",
    );
}

#[test]
fn calls_say_how_each_argument_is_passed() {
    assert_lowered(
        "fn f(x: &[f64], a: f64, n: usize) -> f64 { let v = vec![a]; g(x, a, n, &v, &x[1..]) }",
        "
        fn(&x, a, n)
        let mut v = blanks(1)
        v[0] = a
        return call g(whole x, a, const n, &v, &x[1..])",
    );
}
