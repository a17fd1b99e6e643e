//! How loops are reversed.

use crate::differentiable::testing::assert_planned;

#[test]
fn a_sum_is_recomputed_round_by_round() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for v in x {
                let e = v.exp();
                s += e * e;
            }
            s
        }",
        "
        recomputed: x.len(), e
        loop k: each round recomputed, and run forwards for the primal alone
        deferred sum: s",
    );
}

#[test]
fn a_sum_that_something_reads_is_taped() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for v in x {
                let e = v.exp();
                s += e * e;
            }
            s * s
        }",
        "
        taped: e, load s
        recomputed: x.len()
        loop k: reversed, with values on the tape",
    );
}

#[test]
fn a_mean_does_not_read_the_sum() {
    for mean in ["s / x.len() as f64", "s / n"] {
        assert_planned(
            &format!(
                "fn f(x: &[f64], #[constant] n: f64) -> f64 {{
                    let mut s = 0.0;
                    for v in x {{
                        s += v.exp();
                    }}
                    {mean}
                }}"
            ),
            "
            recomputed: x.len(), exp(read x[k])
            loop k: each round recomputed, and run forwards for the primal alone",
        );
    }
}

#[test]
fn a_quotient_by_what_varies_reads_the_sum() {
    assert_planned(
        "fn f(x: &[f64], y: f64) -> f64 {
            let mut s = 0.0;
            for v in x {
                s += v.exp();
            }
            s / y
        }",
        "
        taped: exp(read x[k]), load s
        recomputed: x.len()
        loop k: reversed, with values on the tape",
    );
}

#[test]
fn a_linear_stencil_that_is_divided_by_a_spacing_leaves_nothing() {
    assert_planned(
        "fn f(x: &[f64], #[constant] h: f64) -> f64 {
            let mut u = vec![0.0; 9];
            u[0] += x[0];
            for i in 1..8 {
                u[i] += (u[i - 1] - 2.0 * u[i]) / (h * h);
            }
            u[3]
        }",
        "
        loop i: reversed",
    );
}

#[test]
fn a_linear_sum_leaves_nothing() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { s += 2.0 * v; } s }",
        "
        recomputed: x.len()
        loop k: reversed, and run forwards for the primal alone",
    );
}

#[test]
fn a_map_is_reversed_in_place() {
    assert_planned(
        "fn f(x: &[f64], y: &mut [f64]) { for i in 0..x.len() { y[i] = x[i] * x[i]; } }",
        "
        recomputed: read x[i]
        loop i: reversed",
    );
}

#[test]
fn what_loops_make_for_memory_of_the_caller_is_taped() {
    assert_planned(
        "fn f(x: &[f64], w: &[f64], y: &mut [f64]) {
            for i in 0..4 {
                for j in 0..4 {
                    let mut s = 0.0;
                    for k in 0..3 {
                        s += x[i * 8 + j + k] * w[k];
                    }
                    y[i * 4 + j] = if s > 0.0 { s } else { 0.0 };
                }
            }
        }",
        "
        taped: s_now_2 > 0.0
        recomputed: read x[i * 8 + j + k], read w[k]
        loop i: reversed
        loop j: reversed, with values on the tape
        loop k: reversed
        cut: s_now_2 > 0.0",
    );
}

#[test]
fn a_recurrence_is_taped() {
    assert_planned(
        "fn f(x: f64, n: usize) -> f64 { let mut y = x; for _ in 0..n { y = y.sin(); } y }",
        "
        taped: load y
        loop k: reversed, with values on the tape",
    );
}

#[test]
fn a_linear_recurrence_leaves_nothing() {
    assert_planned(
        "fn f(x: f64, n: usize) -> f64 { let mut y = x; for _ in 0..n { y = y * 0.5 + x; } y }",
        "
        loop k: reversed, and run forwards for the primal alone",
    );
}

#[test]
fn an_inactive_loop_is_not_reversed() {
    assert_planned(
        "fn f(x: f64, n: usize) -> f64 { let mut k = 0; for i in 0..n { k += i; } x * k as f64 }",
        "
        taped: load k
        loop i: not reversed",
    );
}

#[test]
fn a_while_loop_counts_its_rounds() {
    assert_planned(
        "fn f(x: f64) -> f64 { let mut y = x; while y > 1.0 { y = y * 0.5; } y }",
        "
        loop while: reversed, with the number of rounds on the tape",
    );
}

#[test]
fn a_loop_that_breaks_counts_its_rounds() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for v in x {
                if *v < 0.0 {
                    break;
                }
                s += v * v;
            }
            s
        }",
        "
        taped: !(false || load left)
        recomputed: x.len(), read x[k]
        loop k: reversed, with the number of rounds on the tape
        cut: !(false || load left)",
    );
}

// the inner loop may have no rounds: what was hoisted out of it stands in a branch
#[test]
fn rounds_of_an_inner_sum_are_recomputed_too() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for i in 0..x.len() {
                for j in 0..i {
                    s += (x[i] - x[j]).exp();
                }
            }
            s
        }",
        "
        recomputed: read x[i], exp(sub(read x[i], read x[j]))
        loop i: each round recomputed, and reversed if !(0..i).is_empty(), and run forwards for the primal alone
        loop j: each round recomputed
        deferred sum: s",
    );
}

#[test]
fn memory_that_does_not_change_in_a_loop_is_taped_once_for_it() {
    assert_planned(
        "fn f(u: &[f64], h0: &[f64], steps: usize) -> f64 {
            let n = 4;
            let mut h = h0.to_vec();
            let mut z = vec![0.0; 4];
            for _ in 0..steps {
                for r in 0..n {
                    for k in 0..n {
                        z[r] += u[r * n + k] * h[k];
                    }
                }
                for k in 0..n {
                    h[k] = z[k].tanh();
                    z[k] = 0.0;
                }
            }
            h[0]
        }",
        "
        taped: tanh(read z[k_3])
        recomputed: n, read u[r * n + k_2], read h[k_2]
        shape alone: h
        loop k: reversed
        loop r: reversed
        loop k_2: reversed
        loop k_3: reversed, with values on the tape
        loop-invariant: h",
    );
}

#[test]
fn a_time_loop_tapes_one_word_for_a_stencil() {
    assert_planned(
        "fn f(u0: &[f64], c: f64, steps: usize) -> f64 {
            let mut u = u0.to_vec();
            let mut v = u0.to_vec();
            for _ in 0..steps {
                for i in 1..7 {
                    v[i] = u[i] + c * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
                }
                u.copy_from_slice(&v);
            }
            u[3]
        }",
        "
        taped: add(sub(read u[i - 1], mul(2.0, t4)), read u[i + 1])
        shape alone: u, v
        loop k: reversed
        loop i: reversed, with values on the tape
        cut: add(sub(read u[i - 1], mul(2.0, t4)), read u[i + 1])",
    );
}

#[test]
fn the_smallest_leaves_one_flag() {
    assert_planned(
        "fn f(x: &[f64], a: f64) -> f64 {
            let mut best = 1e9;
            for v in x {
                let d = (v - a) * (v - a);
                if d < best {
                    best = d;
                }
            }
            best
        }",
        "
        taped: found1
        recomputed: x.len(), k, read x[k], sub(read x[k], a)",
    );
}

#[test]
fn a_call_in_a_sum_is_recomputed() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { s += g(*v); } s }",
        "
        recomputed: x.len(), read x[k]
        loop k: each round recomputed, and run forwards for the primal alone
        passed on: call g(read x[k])
        deferred sum: s",
    );
}

#[test]
fn a_checkpointed_loop_keeps_states() {
    assert_planned(
        "fn f(x: f64, n: usize) -> f64 {
            let mut y = x;
            #[checkpoint]
            for _ in 0..n {
                y = y.sin();
            }
            y
        }",
        "
        taped for a round: load y
        checkpointed: y
        loop k: checkpointed",
    );
}

#[test]
fn two_sums_are_not_deferred() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 {
            let (mut s, mut t) = (0.0, 0.0);
            for v in x {
                let e = v.exp();
                s += e * e;
                t += e;
            }
            s + t
        }",
        "
        recomputed: x.len(), e
        loop k: each round recomputed, and run forwards for the primal alone",
    );
}

#[test]
fn a_call_that_writes_is_taped() {
    assert_planned(
        "fn f(x: &mut [f64], n: usize) { for _ in 0..n { step(x); } }",
        "
        loop k: reversed",
    );
}

#[test]
fn a_fold_of_a_product_tapes_its_factors() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 { x.iter().product() }",
        "
        taped: load total
        recomputed: x.len(), read x[k]
        loop k: reversed, with values on the tape",
    );
}

#[test]
fn a_loop_whose_sum_is_dropped_is_not_reversed() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { s += v * v; } x[0] }",
        "
        loop k: not reversed",
    );
}

#[test]
fn a_nested_recurrence_tapes_inside() {
    assert_planned(
        "fn f(x: &mut [f64], n: usize) {
            for _ in 0..n {
                for i in 1..x.len() {
                    x[i] = x[i] * x[i - 1];
                }
            }
        }",
        "
        taped: read x[i], read x[i - 1]
        loop k: reversed
        loop i: reversed, with values on the tape",
    );
}

#[test]
fn a_sum_beside_another_is_not_deferred() {
    assert_planned(
        "fn f(x: &[f64], twice: bool) -> f64 {
            let (mut s, mut t) = (0.0, 0.0);
            for v in x {
                let e = v.exp();
                s += e * e;
                t += e;
            }
            if twice {
                s += 2.0 * t;
            }
            s
        }",
        "
        recomputed: x.len(), e
        loop k: each round recomputed, and run forwards for the primal alone",
    );
}

#[test]
fn a_round_that_adds_nothing_is_not_reversed() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for v in x {
                let e = v.exp();
                if e > 2.0 {
                    s += e * e;
                }
            }
            s
        }",
        "
        recomputed: x.len(), e, e > 2.0
        loop k: each round recomputed, and reversed if e > 2.0, and run forwards for the primal alone
        deferred sum: s",
    );
}

#[test]
fn a_cheap_round_is_reversed_without_a_branch() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for v in x {
                let e = v * v;
                if e > 2.0 {
                    s += e * e;
                }
            }
            s
        }",
        "
        recomputed: x.len(), read x[k], e, e > 2.0
        loop k: reversed, and run forwards for the primal alone",
    );
}

#[test]
fn a_round_that_adds_if_a_condition_fails_is_reversed_if_it_fails() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 {
            let mut s = 0.0;
            for v in x {
                let e = v.exp();
                if e > 2.0 {
                } else {
                    s += e * e;
                }
            }
            s
        }",
        "
        recomputed: x.len(), e, e > 2.0
        loop k: each round recomputed, and reversed if not e > 2.0, and run forwards for the primal alone
        deferred sum: s",
    );
}

#[test]
fn a_loop_that_leaves_values_on_the_tape_runs_forwards_always() {
    assert_planned(
        "fn f(x: &[f64]) -> f64 {
            let mut y = 0.0;
            for v in x {
                let e = v.exp();
                y = y * 0.5 + e * e;
            }
            y
        }",
        "
        taped: e
        recomputed: x.len()
        loop k: reversed, with values on the tape",
    );
}

#[test]
fn neighbours_that_a_call_gets_are_taped_once() {
    assert_planned(
        "fn f(u0: &[f64], c: f64, steps: usize) -> f64 {
            let mut u = u0.to_vec();
            let mut v = u0.to_vec();
            for _ in 0..steps {
                for i in 1..7 {
                    v[i] = g(u[i - 1], u[i], u[i + 1], c);
                }
                u.copy_from_slice(&v);
            }
            u[3]
        }",
        "
        recomputed: read u[i - 1], read u[i], read u[i + 1]
        shape alone: u, v
        loop k: reversed
        loop i: reversed
        loop-invariant: u",
    );
}

#[test]
fn memory_that_calls_get_is_taped_once_for_the_loop() {
    assert_planned(
        "fn f(u0: &[f64], steps: usize) -> f64 {
            let mut u = u0.to_vec();
            let mut v = u0.to_vec();
            for _ in 0..steps {
                for i in 0..7 {
                    for j in 0..7 {
                        v[7 * i + j] = g(&u, i, j);
                    }
                }
                u.copy_from_slice(&v);
            }
            u[3]
        }",
        "
        taped: u
        shape alone: v
        loop k: reversed
        loop i: reversed
        loop j: reversed
        loop-invariant: u",
    );
}

#[test]
fn rows_that_depend_on_the_loop_around_are_taped_by_what_is_read() {
    assert_planned(
        "fn f(x: &[f64], n: usize) -> f64 {
            let mut q = x.to_vec();
            for i in 0..n {
                let mut dot = 0.0;
                for k in 0..n {
                    dot += q[i * n + k] * q[k * n + i];
                }
                for k in 0..n {
                    q[k] *= dot;
                }
            }
            q[3]
        }",
        "
        taped: read q[i * n + k], read q[k * n + i], load dot, read q[k_2]
        shape alone: q
        loop i: reversed
        loop k: reversed, with values on the tape
        loop k_2: reversed, with values on the tape",
    );
}

#[test]
fn sums_that_are_written_to_memory_of_the_caller_are_not_computed_again() {
    assert_planned(
        "fn f(w: &[f64], x: &[f64], out: &mut [f64]) {
            for j in 0..out.len() {
                let mut s = 0.0;
                for i in 0..x.len() {
                    s += w[j * x.len() + i] * x[i];
                }
                out[j] = s.tanh();
            }
        }",
        "
        taped: tanh(load s)
        recomputed: read w[j * x.len() + i], read x[i]
        loop j: reversed, with values on the tape
        loop i: reversed",
    );
}
