//! Entries that are read back.

use crate::differentiable::testing::assert_improved;

#[test]
fn what_was_given_to_an_entry_is_not_read_back() {
    assert_improved(
        "fn f(x: f64) -> f64 { let mut y = vec![0.0; 2]; y[0] = x * x; let a = y[0]; a * a }",
        "
        fn(x)
        let mut y = vec![0.0; 2]
        let t1 = mul(x, x)
        y[0] = t1
        let a = read t1
        return mul(a, a)",
    );
}

#[test]
fn another_entry_may_be_the_same_one() {
    assert_improved(
        "fn f(x: f64, i: usize, j: usize) -> f64 {
            let mut y = vec![0.0; 2];
            y[i] = x * x;
            y[j] = x;
            let a = y[i];
            a * a
        }",
        "
        fn(x, i, j)
        let mut y = vec![0.0; 2]
        y[i] = mul(x, x)
        y[j] = x
        let a = read y[i]
        return mul(a, a)",
    );
}

#[test]
fn a_call_forgets_it() {
    assert_improved(
        "fn f(x: f64) -> f64 {
            let mut y = vec![0.0; 2];
            y[0] = x * x;
            change(&mut y);
            let a = y[0];
            a * a
        }",
        "
        fn(x)
        let mut y = vec![0.0; 2]
        y[0] = mul(x, x)
        call change(&mut y)
        let a = read y[0]
        return mul(a, a)",
    );
}

#[test]
fn a_branch_forgets_it() {
    assert_improved(
        "fn f(x: f64, k: bool) -> f64 {
            let mut y = vec![0.0; 2];
            y[0] = x * x;
            if k {
                y[1] = x;
            }
            let a = y[0];
            a * a
        }",
        "
        fn(x, k)
        let mut y = vec![0.0; 2]
        y[0] = mul(x, x)
        if k {
            y[1] = x
        }
        let a = read y[0]
        return mul(a, a)",
    );
}

#[test]
fn memory_of_the_caller_is_read_back() {
    assert_improved(
        "fn f(x: f64, y: &mut [f64]) -> f64 { y[0] = x * x; let a = y[0]; a * a }",
        "
        fn(x, &mut y)
        y[0] = mul(x, x)
        let a = read y[0]
        return mul(a, a)",
    );
}

#[test]
fn an_inactive_entry_is_a_reading_of_memory() {
    assert_improved(
        "fn f(x: f64, k: &[usize]) -> f64 { let n = k[1]; x * n as f64 }",
        "
        fn(x, &k)
        let n = read k[1]
        return mul(x, n as f64)",
    );
}

#[test]
fn adding_to_another_entry_forgets_it() {
    assert_improved(
        "fn f(x: f64, i: usize, j: usize) -> f64 {
            let mut y = vec![0.0; 2];
            y[i] = x * x;
            y[j] += x;
            let a = y[i];
            a * a
        }",
        "
        fn(x, i, j)
        let mut y = vec![0.0; 2]
        y[i] = mul(x, x)
        y[j] += x
        let a = read y[i]
        return mul(a, a)",
    );
}

#[test]
fn indices_stand_behind_the_name_or_what_it_lends() {
    let shown = |text: &str| {
        let tokens = text.parse().expect("tokens");
        let name = proc_macro2::Ident::new("y", proc_macro2::Span::call_site());
        super::indices(&tokens, &name).map(|indices| indices.to_string())
    };
    for text in ["y[i][2]", "(*y)[i][2]"] {
        assert_eq!(shown(text).as_deref(), Some("[i] [2]"), "{text}");
    }
    for text in ["y", "z[i]", "(&y)[i]", "(*z)[i]", "y[i].x", "(y, z)[i]"] {
        assert_eq!(shown(text), None, "{text}");
    }
}
