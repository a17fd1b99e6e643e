//! Combinators of options are branches, searches are loops; what is computed anyway comes first; closures return at their ends.

use crate::differentiable::testing::assert_lowered;

#[test]
fn and_then_is_a_branch_in_a_branch() {
    assert_lowered(
        "fn f(x: f64) -> f64 { Some(x).and_then(|v| if v > 0.0 { Some(v * v) } else { None }).unwrap_or(1.0) }",
        "
        fn(x)
        let t1 = blank()
        let mut ____option_there = false
        let mut ____option_some = t1
        if true {
            if x > 0.0 {
                ____option_some = mul(x, x)
                ____option_there = true
            } else {
                ____option_there = false
            }
        } else {
            ____option_there = false
        }
        let mut chosen
        if load ____option_there {
            let __some = load ____option_some
            chosen = __some
        } else {
            chosen = 1.0
        }
        return load chosen",
    );
}

#[test]
fn find_map_leaves_its_loop() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { x.iter().find_map(|v| if *v > 1.0 { Some(v * v) } else { None }).unwrap_or(0.0) }",
        "
        fn(&x)
        let t0 = blank()
        let mut ____option_there = false
        let mut ____option_some = t0
        let t2 = blank()
        let mut ____option_there_2 = false
        let mut ____option_some_2 = t2
        ____option_there_2 = false
        let mut left = false
        for k in 0..x.len() {
            let t8 = blank()
            let mut ____next_there = false
            let mut ____next_some = t8
            if read x[k] > 1.0 {
                let t12 = read x[k]
                ____next_some = mul(t12, t12)
                ____next_there = true
            } else {
                ____next_there = false
            }
            if load ____next_there {
                let __inside = load ____next_some
                ____option_some_2 = __inside
                ____option_there_2 = true
                left = true
            }
        } until left
        if load ____option_there_2 {
            let __inside_2 = load ____option_some_2
            ____option_some = __inside_2
            ____option_there = true
        } else {
            ____option_there = false
        }
        let mut chosen
        if load ____option_there {
            let __some = load ____option_some
            chosen = __some
        } else {
            chosen = 0.0
        }
        return load chosen",
    );
}

#[test]
fn the_largest_of_some_is_found_by_the_chain_as_it_stands() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { let m = x.iter().filter(|v| **v < 2.0).max_by(|a, b| a.total_cmp(b)).unwrap(); m * m }",
        "
        fn(&x)
        let t0 = blank()
        let mut ____option_there = false
        let mut ____option_some = t0
        let t2 = blank()
        let mut ____option_there_2 = false
        let mut ____option_some_2 = t2
        ____option_there_2 = false
        let __which = once position_of_max(x.iter().filter(|v| **v < 2.0), |a, b| a.total_cmp(b))
        if __which.is_some() {
            let mut left = false
            let t8 = once __which.unwrap()
            let mut count = 0
            for k in 0..x.len() {
                if (x[k]) < 2.0 {
                    let count_now = load count
                    if count_now >= t8 {
                        ____option_some_2 = read x[k]
                        ____option_there_2 = true
                        left = true
                    }
                    count = count_now + 1
                }
            } until left
        }
        if load ____option_there_2 {
            let __inside = load ____option_some_2
            ____option_some = __inside
            ____option_there = true
        } else {
            ____option_there = false
        }
        primal assert!(____option_there, \"called `Option::unwrap()` on a `None` value\");
        let m = load ____option_some
        return mul(m, m)",
    );
}

#[test]
fn a_default_that_changes_something_comes_first() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let mut v = vec![x, x]; let o = Some(x); o.unwrap_or(v.pop().unwrap()) * v.len() as f64 }",
        "
        fn(x)
        let mut v = once blanks(2)
        v[0] = x
        v[1] = x
        let t1 = blank()
        let mut __o_there = false
        let mut __o_some = t1
        __o_some = x
        let t3 = true
        __o_there = t3
        let __eager = read v[v.len() - 1]
        pop v
        let mut chosen
        if t3 {
            chosen = x
        } else {
            chosen = __eager
        }
        return mul(load chosen, v.len() as f64)",
    );
}

#[test]
fn an_early_return_makes_the_rest_the_other_branch() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let g = |a: f64| { if a > 1.0 { return a; } a * a }; g(x) }",
        "
        fn(x)
        let mut chosen
        if x > 1.0 {
            chosen = x
        } else {
            chosen = mul(x, x)
        }
        return load chosen",
    );
}

#[test]
fn parts_of_an_array_go_to_several_places() {
    assert_lowered(
        "fn f(x: f64) -> f64 { let (mut a, mut b) = (x, 1.0); [a, b] = [b, a * x]; a * b }",
        "
        fn(x)
        let mut a = x
        let t1 = 1.0
        let mut b = t1
        let t3 = make [t1, mul(x, x)]
        let t4 = read t3[0]
        let t5 = read t3[1]
        a = t4
        b = t5
        return mul(t4, t5)",
    );
}

#[test]
fn a_length_of_the_users_is_not_the_one_that_split_off_binds() {
    assert_lowered(
        "fn f(x: &[f64]) -> f64 { let length = x[0]; let mut v = x.to_vec(); let w = v.split_off(2); w[0] * length }",
        "
        fn(&x)
        let length = read x[0]
        let mut v = copy of x by x.to_vec()
        let __length = 2
        let mut w = copy of v[__length..][..] by (v[__length..]).to_vec()
        for k in __length..v.len() {
            pop v
        }
        return mul(read w[0], length)",
    );
}
