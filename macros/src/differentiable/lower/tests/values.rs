//! Values, places, names and branches.

use crate::differentiable::testing::assert_lowered;

#[test]
fn a_match_chooses_with_patterns_and_guards() {
    assert_lowered(
        "fn f(x: f64, k: usize) -> f64 {
            match k {
                0 => x,
                1 | 2 => x * x,
                n if n > 7 => 1.0,
                _ => x.exp(),
            }
        }",
        "
        fn(x, k)
        let mut chosen
        match k {
            0 => {
                chosen = x
            }
            1 | 2 => {
                chosen = mul(x, x)
            }
            n if k > 7 => {
                chosen = 1.0
            }
            _ => {
                chosen = exp(x)
            }
        }
        return load chosen",
    );
}

#[test]
fn a_pattern_reads_parts_of_what_changes_at_once() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let mut t = [x, 2.0]; let [a, b] = t; t[0] = b; a * t[0] }",
        "
        fn(x)
        let mut t = make [x, 2.0]
        let a = read t[0]
        let b = read t[1]
        t[0] = b
        return mul(a, read t[0])",
    );
}

#[test]
fn a_loop_runs_over_a_copy_of_what_it_changes() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let mut w = [x, 2.0]; for q in w { w[1] += q; } w[1] }",
        "
        fn(x)
        let mut w = make [x, 2.0]
        let mut __copied0 = copy of w by clone(&w)
        for k in 0..__copied0.len() {
            w[1] += read __copied0[k]
        }
        return read w[1]",
    );
}

#[test]
fn a_pattern_reads_parts() {
    assert_lowered(
        "fn f(x: (f64, f64)) -> (f64, f64) { let (a, b) = x; (a * b, a) }",
        "
        fn(x)
        let t1 = read x.0
        return make (mul(t1, read x.1), t1)",
    );
}

#[test]
fn a_field_is_a_part() {
    assert_lowered(
        "fn f(p: &P, t: f64) -> f64 { p.a * t + p.b.powi(2) }",
        "
        fn(&p, t)
        return add(mul(read p.a, t), powi(read p.b, 2))",
    );
}

#[test]
fn a_struct_is_made_of_its_fields() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let p = P { a: x, b: 2.0 }; p.a * p.b }",
        "
        fn(x)
        let p = make P { a: x, b: 2.0 }
        return mul(read p.a, read p.b)",
    );
}

#[test]
fn shadowed_names_are_other_values() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let x = x * x; let x = x + 1.0; x * x }",
        "
        fn(x)
        let x_2 = mul(x, x)
        let x_3 = add(x_2, 1.0)
        return mul(x_3, x_3)",
    );
}

#[test]
fn an_assigned_parameter_is_a_local() {
    assert_lowered(
        "fn f(mut x: f64) -> f64 { x *= x; x += 1.0; x }",
        "
        fn(x)
        let mut x_2 = x
        let t1 = mul(x, x)
        x_2 = t1
        let t2 = add(t1, 1.0)
        x_2 = t2
        return t2",
    );
}

#[test]
fn what_was_just_written_is_not_loaded() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let mut a = x; a = a * a; a * 2.0 }",
        "
        fn(x)
        let mut a = x
        let t1 = mul(x, x)
        a = t1
        return mul(t1, 2.0)",
    );
}

#[test]
fn a_branch_ends_what_is_known_of_a_local() {
    assert_lowered(
        "fn f(x: f64, k: bool) -> f64 { let mut a = x; if k { a = a * a; } a * 2.0 }",
        "
        fn(x, k)
        let mut a = x
        if k {
            a = mul(x, x)
        }
        return mul(load a, 2.0)",
    );
}

#[test]
fn what_has_no_derivative_is_an_expression() {
    assert_lowered(
        "fn f(x: f64, n: usize) -> f64 { let m = n * 2 + 1; let c = m as f64; x * c }",
        "
        fn(x, n)
        let m = n * 2 + 1
        let c = m as f64
        return mul(x, c)",
    );
}

#[test]
fn an_alias_is_the_place_behind_it() {
    assert_lowered(
        "fn f(x: &mut [f64]) { let r = &mut x[1]; *r = *r * *r; }",
        "
        fn(&mut x)
        let t0 = read x[1]
        x[1] = mul(t0, t0)",
    );
}

#[test]
fn parts_of_a_split_are_parts_of_one_memory() {
    assert_lowered(
        "fn f(x: &mut [f64]) { let (a, b) = x.split_at_mut(2); a[0] = b[0] * 2.0; }",
        "
        fn(&mut x)
        x[..2][0] = mul(read x[2..][0], 2.0)",
    );
}

#[test]
fn a_chosen_reference_continues_in_both_branches() {
    assert_lowered(
        "fn f(a: &mut [f64], b: &mut [f64], x: f64, k: bool) {
            let r = if k { a } else { b };
            r[0] = x * x;
        }",
        "
        fn(&mut a, &mut b, x, k)
        if k {
            a[0] = mul(x, x)
        } else {
            b[0] = mul(x, x)
        }",
    );
}

#[test]
fn a_condition_that_compares_is_inactive() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let big = x > 1.0; if big { x } else { -x } }",
        "
        fn(x)
        let big = x > 1.0
        let mut chosen
        if big {
            chosen = x
        } else {
            chosen = neg(x)
        }
        return load chosen",
    );
}

#[test]
fn a_power_with_a_number_keeps_it() {
    assert_lowered(
        "fn f(x: f64) -> f64 { x.powi(3) + x.powf(0.5) }",
        "
        fn(x)
        return add(powi(x, 3), powf(x, 0.5))",
    );
}

#[test]
fn unmarked_inner_functions_stay_in_the_primal() {
    assert_lowered(
        "fn f(x: f64, n: usize) -> f64 { let k = n.max(3).min(9); x * k as f64 }",
        "
        fn(x, n)
        let k = n.max(3).min(9)
        return mul(x, k as f64)",
    );
}

#[test]
fn printing_runs_in_the_primal_alone() {
    assert_lowered(
        r#"fn f(x: f64) -> f64 { println!("{x}"); x * x }"#,
        r#"
        fn(x)
        primal println!("{x}", x = x);
        return mul(x, x)"#,
    );
}

#[test]
fn stored_values_say_so() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for v in x {
                #[store]
                let e = v.exp();
                s += e * e;
            }
            s
        }",
        "
        fn(&x)
        let mut s = 0.0
        for k in 0..x.len() {
            #[store] let e = exp(read x[k])
            s = add(load s, mul(e, e))
        }
        return load s",
    );
}

#[test]
fn a_field_behind_a_shared_reference_is_read_once_for_all_indices() {
    assert_lowered(
        "fn f(m: &Grid, x: &[f64]) -> f64 {
            let mut s = 0.0;
            for i in 0..3 {
                s += x[i * m.columns + 1];
            }
            s
        }",
        "
        fn(&m, &x)
        let __size = m.columns
        let mut s = 0.0
        for i in 0..3 {
            s = add(load s, read x[i * __size + 1])
        }
        return load s",
    );
}
