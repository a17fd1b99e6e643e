//! Loops that search.

use crate::differentiable::testing::assert_improved;

#[test]
fn the_nearest_is_a_search_and_one_round() {
    assert_improved(
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
        fn(&x, a)
        let mut best = 1e9
        let t2 = x.len()
        let found1 = once { let mut best = copy(&best); let (mut found, mut round) = (0, 0); for k in (0..t2) { round += 1; let t4 = x[k]; let t5 = (t4 - a); let d = (t5 * t5); let best_now = best; let t8 = (d < best_now); if t8 { best = copy(&d); found = round; } else {  } } found }
        if found1 > 0 {
            let k = nth(copy(&(0..t2)), found1 - 1)
            let t5 = sub(read x[k], a)
            let d = mul(t5, t5)
            best = d
        }
        return load best",
    );
}

#[test]
fn a_sum_is_no_search() {
    assert_improved(
        "fn f(x: &[f64], a: f64) -> f64 {
            let mut s = 0.0;
            for v in x {
                let d = (v - a) * (v - a);
                if d < 1.0 {
                    s += d;
                }
            }
            s
        }",
        "
        fn(&x, a)
        let mut s = 0.0
        for k in 0..x.len() {
            let t5 = sub(read x[k], a)
            let d = mul(t5, t5)
            if d < 1.0 {
                s = add(load s, d)
            }
        }
        return load s",
    );
}

#[test]
fn what_reads_an_earlier_round_is_no_search() {
    assert_improved(
        "fn f(x: &[f64], a: f64) -> f64 {
            let mut best = a;
            for v in x {
                let d = v - best;
                if d < 0.0 {
                    best = d;
                }
            }
            best
        }",
        "
        fn(&x, a)
        let mut best = a
        for k in 0..x.len() {
            let d = sub(read x[k], load best)
            if d < 0.0 {
                best = d
            }
        }
        return load best",
    );
}

#[test]
fn a_search_may_set_a_number_beside_the_value() {
    assert_improved(
        "fn f(x: &[f64], a: f64) -> f64 {
            let mut best = 1e9;
            let mut at = 0;
            for i in 0..x.len() {
                let d = (x[i] - a).abs();
                if d < best {
                    best = d;
                    at = i;
                }
            }
            best * at as f64
        }",
        "
        fn(&x, a)
        let mut best = 1e9
        let mut at = 0
        let found1 = once { let mut best = copy(&best); let (mut found, mut round) = (0, 0); for i in (0..x.len()) { round += 1; let t4 = x[i]; let t5 = (t4 - a); let d = t5.abs(); let best_now = best; let t8 = (d < best_now); if t8 { best = copy(&d); found = round; } else {  } } found }
        if found1 > 0 {
            let i = nth(copy(&(0..x.len())), found1 - 1)
            let d = abs(sub(read x[i], a))
            best = d
            at = i
        }
        return mul(load best, load at as f64)",
    );
}

#[test]
fn the_largest_is_a_search() {
    assert_improved(
        "fn f(x: &[f64]) -> f64 { x.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b)) }",
        "
        fn(&x)
        let mut total = f64::NEG_INFINITY
        let t1 = x.len()
        let found1 = once { let mut total = copy(&total); let (mut found, mut round) = (0, 0); for k in (0..t1) { round += 1; let total_now = total; let t4 = x[k]; let taken2 = !first_is_larger(&total_now, &t4); if taken2 { total = copy(&t4); found = round; } else {  } } found }
        if found1 > 0 {
            let k = nth(copy(&(0..t1)), found1 - 1)
            total = read x[k]
        }
        return load total",
    );
}

#[test]
fn a_largest_value_beside_a_sum_is_no_search() {
    assert_improved(
        "fn f(x: &[f64]) -> f64 {
            let mut m = 0.0;
            let mut s = 0.0;
            for v in x {
                s += v;
                m = s.max(m);
            }
            m
        }",
        "
        fn(&x)
        let mut m = 0.0
        let mut s = 0.0
        for k in 0..x.len() {
            let t6 = add(load s, read x[k])
            s = t6
            m = max(t6, load m)
        }
        return load m",
    );
}
