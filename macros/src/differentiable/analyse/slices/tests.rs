//! Parts of memory that a loop runs over.

use proc_macro2::{TokenStream, TokenTree};

use crate::differentiable::ir::Base;
use crate::differentiable::testing::{first_loop, improved, names};

/// The memory that the first loop runs over, whose bounds are checked in front of it.
fn windows(function: &str) -> String {
    let (function, program) = improved(function);
    let (variable, range, body) = first_loop(&program);
    let types: Vec<_> = function.params.iter().map(|p| &p.ty).collect();
    let parts = program.parts(&types, range, variable, body);
    names(&program, parts.iter().map(|(root, ..)| root))
}

#[test]
fn what_is_indexed_by_the_variable() {
    let f = "fn f(x: &[f64], y: &mut [f64]) { for i in 0..x.len() { y[i] = x[i] * x[i]; } }";
    assert_eq!(windows(f), "x y");
}

#[test]
fn what_is_indexed_with_an_offset() {
    let f = "fn f(x: &[f64], y: &mut [f64], c: usize) { for i in 0..8 { y[i] = x[c + i]; } }";
    assert_eq!(windows(f), "x y");
}

#[test]
fn not_what_is_indexed_by_twice_the_variable() {
    let f = "fn f(x: &[f64], y: &mut [f64]) { for i in 0..8 { y[i] = x[2 * i]; } }";
    assert_eq!(windows(f), "y");
}

#[test]
fn not_what_is_indexed_in_two_ways() {
    let f = "fn f(x: &[f64], y: &mut [f64]) { for i in 1..8 { y[i] = x[i] + x[i - 1]; } }";
    assert_eq!(windows(f), "y");
}

#[test]
fn not_what_is_indexed_in_some_rounds() {
    let f = "fn f(x: &[f64], k: &[bool], y: &mut [f64]) { for i in 0..8 { y[i] = 1.0; if k[i] { y[i] = x[i]; } } }";
    assert_eq!(windows(f), "k y");
}

#[test]
fn not_what_a_call_reads_too() {
    let f = "fn f(x: &[f64], y: &mut [f64]) { for i in 0..8 { y[i] = x[i] * g(&x[1..]); } }";
    assert_eq!(windows(f), "y");
}

#[test]
fn not_in_steps() {
    let f = "fn f(x: &[f64], y: &mut [f64]) { for i in (0..8).step_by(2) { y[i] = x[i]; } }";
    assert_eq!(windows(f), "");
}

#[test]
fn a_row_of_an_array() {
    let f =
        "fn f(m: &[[f64; 8]; 8], y: &mut [f64], r: usize) { for i in 0..8 { y[i] = m[r][i]; } }";
    assert_eq!(windows(f), "m y");
}

#[test]
fn not_memory_of_an_unknown_type() {
    let f = "fn f(x: &Own, y: &mut [f64]) { for i in 0..8 { y[i] = x[i]; } }";
    assert_eq!(windows(f), "y");
}

fn names_in(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Group(group) => names_in(group.stream(), name),
        TokenTree::Ident(ident) => ident == name,
        _ => false,
    })
}

#[test]
fn loops_over_locals_have_parts() {
    for init in ["vec![0.0; n]", "std::vec![0.0; n]", "[0.0; 8]"] {
        let function = format!(
            "fn f(x: &[f64], n: usize) -> f64 {{
                let mut y = {init};
                for k in 0..n {{ y[k] += x[k] * x[k]; }}
                y[0]
            }}"
        );
        let item = syn::parse_str(&function).unwrap();
        let expansion = crate::differentiable::expand(Default::default(), item);
        assert!(names_in(expansion, "y_part1"), "{init}");
    }
}

/// The memory whose entries are reached by an index alone.
fn sequences(function: &str) -> String {
    let (function, mut program) = improved(function);
    program.find_sequences(&function);
    let mut roots: Vec<_> = program.sequences.iter().collect();
    roots.sort_unstable();
    let roots = roots.into_iter().filter_map(|base| match base {
        Base::Root(root) => Some(root),
        Base::Def(_) => None,
    });
    names(&program, roots)
}

#[test]
fn slices_arrays_and_vectors_are_sequences() {
    let f = "fn f(x: &[f64], y: &mut Vec<f64>, z: &[f64; 3]) { let mut w = vec![0.0; 2]; w[0] = x[0]; y[1] = w[0] * z[2]; }";
    assert_eq!(sequences(f), "x y z w");
}

#[test]
fn what_may_lead_through_a_pointer_is_not() {
    let f = "fn f(x: &Box<[f64]>, y: &mut Grid, z: &mut [f64]) { let mut w = copy(z); w[0] = x[0]; y.w[1] = w[0]; }";
    assert_eq!(sequences(f), "z");
}

#[test]
fn what_is_compared_too() {
    let f = "fn f(x: &mut [f64]) { for i in 0..8 { x[i] *= 2.0; if x[i] < 0.0 { x[i] *= 0.1; } } }";
    assert_eq!(windows(f), "x");
    let f = "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { if *v > s { s += *v; } } s }";
    assert_eq!(windows(f), "x");
}

#[test]
fn not_what_is_compared_in_some_rounds() {
    let f = "fn f(x: &[f64], y: &mut [f64]) { for i in 0..9 { y[i] = 1.0; if i < 8 && x[i] < 0.0 { y[i] = 2.0; } } }";
    assert_eq!(windows(f), "y");
}

#[test]
fn a_row_of_a_local_list_of_lists() {
    let written = "let mut m: Vec<Vec<f64>> = made(x);";
    let made = "let mut m = vec![vec![0.0; 8]; 8];";
    for local in [written, made] {
        let f = format!(
            "fn f(x: &[f64]) -> f64 {{ {local} for i in 0..8 {{ m[3][i] = x[i]; }} m[3][0] }}"
        );
        assert_eq!(windows(&f), "x m", "{f}");
    }
}
