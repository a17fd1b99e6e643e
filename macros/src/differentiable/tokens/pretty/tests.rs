//! The text of generated code.

use proc_macro2::{TokenStream, TokenTree};

use super::formatted;
use crate::differentiable::Options;
use crate::differentiable::testing::assert_lines;

/// Tokens without their places: groups without delimiters are looked into.
fn flat(tokens: TokenStream, found: &mut Vec<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                    proc_macro2::Delimiter::Bracket => ("[", "]"),
                    proc_macro2::Delimiter::Brace => ("{", "}"),
                    proc_macro2::Delimiter::None => ("", ""),
                };
                found.push(open.to_owned());
                flat(group.stream(), found);
                found.push(close.to_owned());
            }
            tree => found.push(tree.to_string()),
        }
    }
    found.retain(|text| !text.is_empty());
}

#[track_caller]
fn assert_formatted(items: &str, wanted: &str) {
    let tokens: TokenStream = items.parse().unwrap();
    let text = formatted(&tokens);
    assert_lines(&text, wanted);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    flat(tokens, &mut before);
    flat(text.parse().unwrap(), &mut after);
    assert_eq!(before, after);
}

#[test]
fn statements_stand_on_lines() {
    assert_formatted(
        "fn f(x: f64) -> f64 { let a = x + 1.0; if a > 2.0 { return - a; } else { g(& a); } a * a }",
        "
        fn f(x: f64) -> f64 {
            let a = x + 1.0;
            if a > 2.0 {
                return -a;
            } else {
                g(&a);
            }
            a * a
        }",
    );
}

#[test]
fn long_lists_are_broken_after_their_commas() {
    let long = "a_long_argument_of_a_function";
    assert_formatted(
        &format!("fn f() {{ g({long}_1, {long}_2, {long}_3, {long}_4); }}"),
        &format!(
            "
            fn f() {{
                g(
                    {long}_1,
                    {long}_2,
                    {long}_3,
                    {long}_4
                );
            }}"
        ),
    );
}

#[test]
fn arguments_of_types_stay_together() {
    assert_formatted(
        "impl < 'a , T : Into < f64 > , const N : usize > Rule < (T ,) , N > for & 'a S { fn g < U > (& self , k : impl Fn (U) -> f64) -> [T ; N] { <U as Into < T > > :: into (k . map (| u | u + 1.0)) } }",
        "
        impl<'a, T: Into<f64>, const N: usize> Rule<(T,), N> for &'a S {
            fn g<U>(&self, k: impl Fn(U) -> f64) -> [T; N] { <U as Into<T>>::into(k.map(|u| u + 1.0)) }
        }",
    );
}

#[test]
fn commas_in_types_end_no_line() {
    assert_formatted(
        "fn f() { let a = <A as B < C , D > > :: g (x) ; let b : M < C , D > = h () ; }",
        "
        fn f() {
            let a = <A as B<C, D>>::g(x);
            let b: M<C, D> = h();
        }",
    );
}

#[test]
fn what_follows_a_block_may_belong_to_it() {
    assert_formatted(
        "fn f() { match x { 1 => {} _ => { g() } } .h(); for k in 0..3 { g(k) } (a, b) = c; }",
        "
        fn f() {
            match x {
                1 => {}
                _ => { g() }
            }.h();
            for k in 0..3 { g(k) }
            (a, b) = c;
        }",
    );
}

#[test]
fn the_constant_holds_the_rules_of_the_function() {
    let options: Options = syn::parse_str("expand").unwrap();
    let item = syn::parse_str("fn f(x: f64) -> f64 { x * x }").unwrap();
    let expansion: syn::File = syn::parse2(crate::differentiable::expand(options, item)).unwrap();
    let constant = expansion.items.iter().find_map(|item| match item {
        syn::Item::Impl(block) => block.items.iter().find_map(|item| match item {
            syn::ImplItem::Const(constant) if constant.ident == "EXPANSION" => Some(constant),
            _ => None,
        }),
        _ => None,
    });
    let syn::Expr::Lit(syn::ExprLit {
        lit: syn::Lit::Str(text),
        ..
    }) = &constant.unwrap().expr
    else {
        panic!("a text");
    };
    let file: syn::File = syn::parse_str(&text.value()).unwrap();
    let rules = file.items.iter().filter_map(|item| match item {
        syn::Item::Impl(block) => Some(block.trait_.as_ref()?.0.segments.last()?.ident.to_string()),
        _ => None,
    });
    let rules: Vec<_> = rules.collect();
    assert!(rules.contains(&"ForwardRule".to_owned()), "{rules:?}");
    assert!(rules.contains(&"ReverseRule".to_owned()), "{rules:?}");
}

#[test]
fn the_text_of_every_construct_parses_to_its_tokens() {
    let functions = [
        "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for v in x { if *v < 0.0 { continue; } s += v.sqrt(); } s }",
        "fn f(x: f64, n: usize) -> Result<f64, E> { let mut y = x; for _ in 0..n { y = g(y)?; } Ok(y) }",
        "fn f(p: &P<'_>, v: &mut Vec<f64>) -> (f64, f64) { v.push(p.a * p.b); match p.k { 0 => (p.a, 1.0), _ => (v[0], p.b) } }",
        "fn f<T: Float>(x: T) -> T { let k = |y: T| y * x; k(x) + apply(|y: T| y * x, x) }",
    ];
    for function in functions {
        let tokens =
            crate::differentiable::expand(Options::default(), syn::parse_str(function).unwrap());
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let text = formatted(&tokens);
        flat(tokens, &mut before);
        flat(text.parse().unwrap(), &mut after);
        assert_eq!(before, after, "{text}");
    }
}

#[test]
fn deep_nesting_takes_time_in_proportion() {
    let long = "a_name_that_is_longer_than_what_stands_on_one_line_because_it_goes_on_and_on_and_on_and_on_and_on_and_on";
    let deep = (0..60).fold(long.to_owned(), |inside, _| format!("g({inside}, 1)"));
    let text = formatted(&format!("fn f() {{ {deep} }}").parse().unwrap());
    assert_eq!(text.matches("g(").count(), 60);
}
