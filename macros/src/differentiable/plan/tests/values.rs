//! What the reverse sweep tapes, and what it recomputes.

use crate::differentiable::testing::assert_planned;

#[test]
fn parameters_are_at_hand() {
    assert_planned(
        "fn f(x: f64, y: f64) -> f64 { x * y }",
        "
        unused: mul(x, y)",
    );
}

#[test]
fn what_is_cheap_is_recomputed() {
    assert_planned(
        "fn f(x: f64) -> f64 { let a = x + 1.0; a * a }",
        "
        recomputed: a
        unused: mul(a, a)",
    );
}

#[test]
fn a_linear_use_reads_nothing() {
    assert_planned(
        "fn f(x: f64) -> f64 { let a = x * x; a + a }",
        "
        unused: a, add(a, a)",
    );
}

#[test]
fn a_sum_reads_nothing() {
    assert_planned(
        "fn f(x: f64, y: f64) -> f64 { let a = x.sin(); let b = y.cos(); a + b }",
        "
        unused: a, b, add(a, b)
        for the value alone: a, b",
    );
}

#[test]
fn a_result_that_its_partial_reads_is_recomputed_outside_of_loops() {
    assert_planned(
        "fn f(x: f64) -> f64 { let e = x.exp(); e * 2.0 }",
        "
        recomputed: e
        unused: mul(e, 2.0)",
    );
}

#[test]
fn a_costly_result_in_a_map_is_recomputed_with_its_round() {
    assert_planned(
        "fn f(x: &[f64], y: &mut [f64]) {
            for i in 0..x.len() {
                let e = x[i].exp();
                y[i] = e * e;
            }
        }",
        "
        recomputed: e
        unused: read x[i], mul(e, e)
        loop i: each round recomputed",
    );
}

#[test]
fn a_cheap_result_is_recomputed_in_a_loop() {
    assert_planned(
        "fn f(x: &[f64], y: &mut [f64]) {
            for i in 0..x.len() {
                let e = x[i] + 1.0;
                y[i] = e * e;
            }
        }",
        "
        recomputed: read x[i], e
        unused: mul(e, e)
        loop i: reversed",
    );
}

#[test]
fn what_memory_held_is_taped_if_it_is_overwritten() {
    assert_planned(
        "fn f(y: &mut [f64]) { let a = y[0] * y[0]; y[0] = a; }",
        "
        taped: read y[0]
        unused: a",
    );
}

#[test]
fn what_memory_still_holds_is_read_in_place() {
    assert_planned(
        "fn f(x: &[f64], y: &mut [f64]) { y[0] = x[0] * x[1]; }",
        "
        recomputed: read x[0], read x[1]
        unused: mul(read x[0], read x[1])",
    );
}

#[test]
fn a_variable_that_changes_is_taped() {
    assert_planned(
        "fn f(x: f64, n: usize) -> f64 { let mut y = x; for _ in 0..n { y = y * y; } y }",
        "
        taped: load y
        unused: mul(y_now, y_now), load y
        loop k: reversed, with values on the tape",
    );
}

#[test]
fn the_result_of_a_call_is_asked_for_again() {
    assert_planned(
        "fn f(x: f64) -> f64 { let y = g(x); y * y }",
        "
        recomputed by the call, or taped: y
        unused: mul(y, y)",
    );
}

#[test]
fn a_callee_that_writes_decides_that_its_result_is_taped() {
    assert_planned(
        "fn f(x: &mut [f64]) -> f64 { let y = g(x); y * y }",
        "
        recomputed by the call, or taped: y
        unused: mul(y, y)",
    );
}

#[test]
fn a_call_that_is_only_added_is_passed_on() {
    assert_planned(
        "fn f(x: f64) -> f64 { 2.0 * g(x) + 1.0 }",
        "
        unused: call g(x), mul(2.0, call g(x)), add(mul(2.0, call g(x)), 1.0)
        passed on: call g(x)",
    );
}

#[test]
fn a_call_whose_value_is_read_is_not_passed_on() {
    assert_planned(
        "fn f(x: f64) -> f64 { let y = g(x); y * y + 1.0 }",
        "
        recomputed by the call, or taped: y
        unused: mul(y, y), add(mul(y, y), 1.0)",
    );
}

#[test]
fn stored_values_are_taped() {
    assert_planned(
        "fn f(x: f64) -> f64 { #[store] let a = x + 1.0; a * a }",
        "
        taped: a
        unused: mul(a, a)",
    );
}

#[test]
fn a_round_that_is_recomputed_keeps_its_stored_values_itself() {
    assert_planned(
        "fn f(x: &[f64], y: &mut [f64]) {
            for i in 0..x.len() {
                #[store]
                let e = x[i] + 1.0;
                y[i] = e * e;
            }
        }",
        "
        recomputed: e
        unused: read x[i], mul(e, e)
        loop i: each round recomputed",
    );
}

#[test]
fn a_value_marked_recompute_is_recomputed() {
    assert_planned(
        "fn f(x: &[f64], y: &mut [f64]) {
            for i in 0..x.len() {
                #[recompute]
                let e = x[i].exp();
                y[i] = e * e;
            }
        }",
        "
        recomputed: e
        unused: read x[i], mul(e, e)
        loop i: each round recomputed",
    );
}

#[test]
fn inactive_factors_are_recomputed() {
    assert_planned(
        "fn f(x: f64, n: usize) -> f64 { let c = (n * 2) as f64; x * c }",
        "
        recomputed: c
        unused: mul(x, c)",
    );
}

#[test]
fn flags_of_branches_are_recomputed() {
    assert_planned(
        "fn f(x: f64) -> f64 { if x > 1.0 { x * x } else { x } }",
        "
        unused: mul(x, x), load chosen",
    );
}

#[test]
fn a_struct_is_looked_through() {
    assert_planned(
        "fn f(x: f64) -> f64 { let p = P { a: x, b: x + 1.0 }; p.a * p.b }",
        "
        recomputed: add(x, 1.0), p, read p.a, read p.b
        unused: mul(read p.a, read p.b)",
    );
}

#[test]
fn the_square_of_a_sum_keeps_one_word() {
    assert_planned(
        "fn f(u: &mut [f64], n: usize) {
            for i in 1..n {
                let d = u[i - 1] + u[i] + u[i + 1];
                u[i] = d * d;
            }
        }",
        "
        taped: d
        unused: read u[i - 1], read u[i], add(read u[i - 1], read u[i]), read u[i + 1], mul(d, d)
        loop i: reversed, with values on the tape
        cut: d",
    );
}

#[test]
fn division_reads_the_result_or_the_denominator() {
    assert_planned(
        "fn f(x: f64, y: f64) -> f64 { let a = x + 1.0; let b = y + 2.0; a / b }",
        "
        recomputed: a, b
        unused: div(a, b)",
    );
}

#[test]
fn a_product_with_a_constant_reads_the_constant_alone() {
    assert_planned(
        "fn f(x: f64) -> f64 { let a = x + 1.0; a * 3.0 }",
        "
        unused: a, mul(a, 3.0)",
    );
}

#[test]
fn a_square_root_reads_its_result() {
    assert_planned(
        "fn f(x: f64) -> f64 { let a = x + 1.0; let r = a.sqrt(); r }",
        "
        recomputed: a, r",
    );
}

#[test]
fn a_sine_reads_its_operand() {
    assert_planned(
        "fn f(x: f64) -> f64 { let a = x + 1.0; a.sin() }",
        "
        recomputed: a
        unused: sin(a)
        for the value alone: sin(a)",
    );
}

#[test]
fn maxima_read_their_operands() {
    assert_planned(
        "fn f(x: f64, y: f64) -> f64 { let a = x + 1.0; let b = y + 1.0; a.max(b) }",
        "
        recomputed: a, b
        unused: max(a, b)",
    );
}

#[test]
fn a_local_array_that_is_filled_once_is_taped_whole() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 {
            let mut t = vec![0.0; 4];
            for i in 0..4 {
                t[i] = x[i] * x[i];
            }
            t[0] * t[1]
        }",
        "
        taped: t
        recomputed: read x[i], read t[0], read t[1]
        unused: mul(t1, t1), mul(read t[0], read t[1])
        loop i: reversed",
    );
}

#[test]
fn memory_that_is_not_read_needs_room_alone() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 {
            let mut t = vec![0.0; 4];
            for i in 0..4 {
                t[i] = x[i] * x[i];
            }
            t[0] + t[1]
        }",
        "
        recomputed: read x[i]
        unused: t, mul(t1, t1), read t[0], read t[1], add(read t[0], read t[1])
        loop i: reversed",
    );
}

#[test]
fn what_an_inactive_index_reads_is_recomputed() {
    assert_planned(
        "fn f(x: &[f64], k: &[usize]) -> f64 { let j = k[0] + 1; x[j] * x[j] }",
        "
        recomputed: j, read x[j]
        unused: mul(t1, t1)",
    );
}

#[test]
fn the_last_value_before_a_return_is_unused() {
    assert_planned(
        "fn f(x: f64) -> f64 { let a = x * 2.0; let b = a * 3.0; b }",
        "
        unused: a, b",
    );
}

#[test]
fn a_logarithm_in_a_loop_that_carries_a_state_is_computed_for_the_value_alone() {
    assert_planned(
        "fn f(a: f64, x: &[f64]) -> f64 {
            let mut v = 1.0;
            let mut s = 0.0;
            for y in x {
                s += v.ln();
                v = a * v * y;
            }
            s
        }",
        "
        taped: load v
        recomputed: x.len(), mul(a, v_now), read x[k]
        unused: ln(v_now), load s, add(load s, ln(v_now)), mul(mul(a, v_now), read x[k]), load s
        loop k: reversed, with values on the tape
        for the value alone: ln(v_now)",
    );
}

#[test]
fn a_logarithm_that_decides_or_is_kept_is_computed_whoever_asks() {
    assert_planned(
        "fn f(x: f64) -> f64 { let a = x.ln(); let b = x.sin(); if a > 0.0 { b * b } else { b } }",
        "
        recomputed: a, b",
    );
}
