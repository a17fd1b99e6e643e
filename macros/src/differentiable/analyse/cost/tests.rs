//! What a caller may run again.

use crate::differentiable::testing::improved;

/// How often each callee is called beside the function's own operations, as the marker says; nothing if it must not run again.
fn cost(function: &str) -> Option<String> {
    let (function, program) = improved(function);
    let (known, _) = program.call_cost(&function);
    let text = known.to_string();
    let (_, rest) = text.split_once("depth : u32) -> u32 {")?;
    // after `let Some(depth) = … else { return … };`
    let sum = rest.rsplit("} ;").next()?;
    Some(
        sum.chars()
            .filter(|c| !c.is_whitespace())
            .collect::<String>()
            .trim_end_matches('}')
            .to_owned(),
    )
}

#[test]
fn operations_are_counted() {
    assert_eq!(
        cost("fn f(x: f64, y: f64) -> f64 { x * y + x }").unwrap(),
        "2u32"
    );
}

#[test]
fn rounds_of_a_known_number_are_counted() {
    let f = "fn f(x: f64) -> f64 { let mut s = 0.0; for _ in 0..3 { s = s * x + x; } s }";
    assert_eq!(cost(f).unwrap(), "6u32");
}

#[test]
fn rounds_of_an_unknown_number_cost_too_much() {
    let f = "fn f(x: f64, n: usize) -> f64 { let mut s = 0.0; for _ in 0..n { s += x; } s }";
    assert_eq!(cost(f), None);
}

#[test]
fn rounds_of_which_a_constant_tells_the_number_are_counted() {
    let f = "fn f(x: f64) -> f64 { let mut s = 0.0; for _ in 0..N - 1 { for _ in 0..2 { s += x; } } s }";
    let found = cost(f).unwrap();
    assert_eq!(
        found,
        "0u32.saturating_add(2u32.saturating_mul(((N-1))asu32))"
    );
    // a local is none, nor is what has a name in the body alone
    let local =
        "fn f(x: f64, n: usize) -> f64 { let N = n; let mut s = 0.0; for _ in 0..N { s += x; } s }";
    assert_eq!(cost(local), None);
    let inside =
        "fn f(x: f64) -> f64 { const N: usize = 3; let mut s = 0.0; for _ in 0..N { s += x; } s }";
    assert_eq!(cost(inside), None);
}

#[test]
fn rounds_of_a_parameter_are_counted_where_the_types_are_known() {
    let f = "fn f<const N: usize>(x: &[f64; N]) -> f64 { let mut s = 0.0; for i in 0..N { s += x[i]; } s }";
    let (function, program) = improved(f);
    let (known, method) = program.call_cost(&function);
    assert!(known.is_empty(), "{known}");
    assert!(method.to_string().contains("(N) as u32"), "{method}");
}

#[test]
fn an_exponential_costs_too_much() {
    assert_eq!(cost("fn f(x: f64) -> f64 { x.exp() }"), None);
}

#[test]
fn what_writes_its_arguments_must_not_run_again() {
    assert_eq!(cost("fn f(x: &mut f64) { *x = 1.0; }"), None);
}

#[test]
fn what_allocates_must_not_run_again() {
    assert_eq!(
        cost("fn f(x: f64) -> f64 { let v = vec![0.0; 3]; v[0] + x }"),
        None
    );
}

#[test]
fn both_arms_are_counted() {
    let f = "fn f(x: f64) -> f64 { if x > 1.0 { x * x } else { x + x * x } }";
    assert_eq!(cost(f).unwrap(), "3u32");
}

#[test]
fn callees_are_asked() {
    let found = cost("fn f(x: f64) -> f64 { g(x) * h(x) }").unwrap();
    assert!(found.starts_with("1u32.saturating_add((&{"), "{found}");
    for asked in ["usegas__marker_of_g;", "usehas__marker_of_h;"] {
        assert!(found.contains(asked), "{found}");
    }
    assert_eq!(
        found.matches(").cost_of_levels(depth)").count(),
        2,
        "{found}"
    );
}

#[test]
fn methods_of_parameters_are_asked() {
    let found = cost("fn f(a: V, b: &W) -> f64 { a.g() * b.h(a) }").unwrap();
    for asked in ["<V>::marker_of_g()", "<W>::marker_of_h()"] {
        assert!(found.contains(asked), "{found}");
    }
    // what is a part, or is computed, has a type that the signature does not tell
    assert_eq!(cost("fn f(a: &[V], i: usize) -> f64 { a[i].g() }"), None);
    assert_eq!(cost("fn f(a: V, b: V) -> f64 { (a - b).g() }"), None);
    // a type of many
    assert_eq!(cost("fn f(a: V<f64>) -> f64 { a.g() }"), None);
}

fn is_small(function: &str) -> bool {
    improved(function).1.is_small()
}

#[test]
fn a_short_loop_is_small_if_constants_tell_its_rounds() {
    assert!(is_small(
        "fn f(x: f64, y: f64) -> f64 { (x * y + x).sin() }"
    ));
    let dot = |rounds: &str| {
        format!(
            "fn f(a: &[f64], b: &[f64; N]) -> f64 {{ let mut s = 0.0; for j in {rounds} {{ s += a[1 + j] * b[j]; }} s }}"
        )
    };
    assert!(is_small(&dot("0..N")));
    assert!(is_small(&dot("0..3")));
    assert!(!is_small(&dot("0..a.len()")));
    let nested = dot("0..N").replace(
        "s += a[1 + j] * b[j];",
        "for i in 0..N { s += a[i] * b[j]; }",
    );
    assert!(!is_small(&nested));
    let left_early = dot("0..N").replace("s += ", "if a[j] < 0.0 { break; } s += ");
    assert!(!is_small(&left_early));
}
