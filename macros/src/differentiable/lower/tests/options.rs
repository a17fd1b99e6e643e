//! Options become a flag and a value, errors leave with the call.

use crate::differentiable::testing::assert_lowered;

#[test]
fn an_option_is_a_flag_and_a_value() {
    assert_lowered(
        "fn f(x: f64, k: usize) -> f64 {
            let v = if k > 3 { Some(x) } else { None };
            match v {
                Some(y) => y * y,
                None => 1.0,
            }
        }",
        "
        fn(x, k)
        let t2 = blank()
        let mut __v_there = false
        let mut __v_some = t2
        if k > 3 {
            __v_some = x
            __v_there = true
        } else {
            __v_there = false
        }
        let mut chosen
        if load __v_there {
            let y = load __v_some
            chosen = mul(y, y)
        } else {
            chosen = 1.0
        }
        return load chosen",
    );
}

#[test]
fn a_default_is_the_other_branch() {
    assert_lowered(
        "fn f(x: f64, k: bool) -> f64 {
            let v = if k { Some(x * x) } else { None };
            v.unwrap_or(2.0)
        }",
        "
        fn(x, k)
        let t2 = blank()
        let mut __v_there = false
        let mut __v_some = t2
        if k {
            __v_some = mul(x, x)
            __v_there = true
        } else {
            __v_there = false
        }
        let mut chosen
        if load __v_there {
            let __some = load __v_some
            chosen = __some
        } else {
            chosen = 2.0
        }
        return load chosen",
    );
}

#[test]
fn a_mapped_option_is_a_branch() {
    assert_lowered(
        "fn f(x: f64, k: bool) -> f64 {
            let v = if k { Some(x) } else { None };
            v.map(|y| y.sin()).unwrap_or(0.0)
        }",
        "
        fn(x, k)
        let t2 = blank()
        let mut __v_there = false
        let mut __v_some = t2
        if k {
            __v_some = x
            __v_there = true
        } else {
            __v_there = false
        }
        let mut chosen
        if load __v_there {
            let __some = sin(load __v_some)
            chosen = __some
        } else {
            chosen = 0.0
        }
        return load chosen",
    );
}

#[test]
fn if_let_asks_the_flag() {
    assert_lowered(
        "fn f(x: f64, k: bool) -> f64 {
            let v = if k { Some(x) } else { None };
            if let Some(y) = v { y * 3.0 } else { x }
        }",
        "
        fn(x, k)
        let t2 = blank()
        let mut __v_there = false
        let mut __v_some = t2
        if k {
            __v_some = x
            __v_there = true
        } else {
            __v_there = false
        }
        let mut chosen
        if load __v_there {
            let y = load __v_some
            chosen = mul(y, 3.0)
        } else {
            chosen = x
        }
        return load chosen",
    );
}

#[test]
fn the_first_element_is_there_if_there_are_any() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { match x.first() { Some(v) => v * v, None => 0.0 } }",
        "
        fn(&x)
        let mut chosen
        if !x.is_empty() {
            let t0 = read x[0]
            chosen = mul(t0, t0)
        } else {
            chosen = 0.0
        }
        return load chosen",
    );
}

#[test]
fn an_error_leaves_with_the_call() {
    assert_lowered(
        "fn f(x: f64) -> Result<f64, String> { let y = g(x)?; Ok(y * 2.0) }",
        "
        fn(x)
        let y = call g(x)?
        return mul(y, 2.0)",
    );
}

#[test]
fn let_else_is_a_branch_that_leaves() {
    assert_lowered(
        "fn f(x: f64, k: bool) -> f64 {
            let v = if k { Some(x) } else { None };
            let Some(y) = v else { return 0.0 };
            y * y
        }",
        "
        fn(x, k)
        let mut returned = false
        let mut result = <<f64 as Outcome>::Value as Blank>::blank()
        let t4 = blank()
        let mut __v_there = false
        let mut __v_some = t4
        if k {
            __v_some = x
            __v_there = true
        } else {
            __v_there = false
        }
        let mut chosen
        if load __v_there {
            let y = load __v_some
            chosen = y
        } else {
            result = 0.0
            returned = true
            chosen = blank()
        }
        let y_2 = load chosen
        if !(false || load returned) {
            result = mul(y_2, y_2)
        }
        return load result",
    );
}

#[test]
fn a_failed_check_is_an_error() {
    assert_lowered(
        r#"fn f(x: f64) -> Result<f64, String> {
            if x < 0.0 {
                return Err("negative".into());
            }
            Ok(x.sqrt())
        }"#,
        r#"
        fn(x)
        if x < 0.0 {
            primal return Err("negative".into());
        }
        return sqrt(x)"#,
    );
}
