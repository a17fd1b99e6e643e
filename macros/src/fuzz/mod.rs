//! Functions that nobody would write: whatever parses as a function is expanded or refused, and what is printed parses.
//!
//! `FUZZ_SEED=7 FUZZ_INPUTS=20000 cargo test -p coenzyme-macros fuzz` looks at others; `FUZZ_FIRST=123 FUZZ_INPUTS=1` at one of them.
//! With `FUZZ_LOUD` the number of each input is printed before it is looked at. An input counts if it parses as what the attributes stand on. A failure is printed after it has been made small.

mod corpus;
mod graft;
mod mutate;
mod random;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use proc_macro2::TokenStream;

use crate::Marked;
use random::Random;

/// As much as the compiler's own thread has.
const STACK: usize = 8 << 20;

/// What goes wrong with an input, by which failures are told apart.
fn failure(input: &TokenStream) -> Option<String> {
    let printed = catch_unwind(AssertUnwindSafe(|| expansions(input)));
    let printed = match printed {
        Ok(printed) => printed?,
        Err(_) => return Some("the macro panics".into()),
    };
    printed.into_iter().find_map(|(attribute, tokens)| {
        let refused = syn::parse2::<syn::File>(tokens).err()?;
        Some(format!(
            "#[{attribute}] prints what does not parse: {refused}"
        ))
    })
}

/// What each attribute makes of a function; `None` if the input is none.
fn expansions(input: &TokenStream) -> Option<Vec<(&'static str, TokenStream)>> {
    let marked: Marked = syn::parse2(input.clone()).ok()?;
    let each = |expand: fn(Marked) -> TokenStream| {
        let marked = match &marked {
            Marked::Function(item) => Marked::Function(item.clone()),
            Marked::Methods(item) => Marked::Methods(item.clone()),
            Marked::Trait(item) => Marked::Trait(item.clone()),
        };
        crate::cfg::each(marked, expand)
    };
    let differentiable = each(|marked| match marked {
        Marked::Function(item) => crate::differentiable::expand(Default::default(), item),
        Marked::Methods(item) => crate::differentiable::expand_impl(Default::default(), item),
        Marked::Trait(item) => crate::differentiable::expand_trait(&Default::default(), item),
    });
    let primitive = each(|marked| match marked {
        Marked::Function(item) => crate::primitive::expand(item),
        Marked::Methods(item) => crate::primitive::expand_impl(item),
        Marked::Trait(item) => crate::traits::refused(&item),
    });
    let inactive = each(|marked| match marked {
        Marked::Function(item) => crate::inactive::expand(item),
        Marked::Methods(item) => crate::inactive::expand_impl(item),
        Marked::Trait(item) => crate::traits::refused(&item),
    });
    let names = ["differentiable", "primitive", "inactive"];
    Some(
        names
            .into_iter()
            .zip([differentiable, primitive, inactive])
            .collect(),
    )
}

/// Where the last panic was.
type Place = Arc<Mutex<String>>;

fn silence() -> Place {
    let place = Place::default();
    let told = place.clone();
    std::panic::set_hook(Box::new(move |info| {
        *told.lock().expect("nobody panics here") = info.to_string();
    }));
    place
}

/// The smallest input with the same failure that is found by leaving something out.
fn small(input: TokenStream, same: &dyn Fn(&TokenStream) -> bool) -> TokenStream {
    let mut input = input;
    for _ in 0..400 {
        match mutate::smaller(&input).into_iter().find(|s| same(s)) {
            Some(smaller) => input = smaller,
            None => break,
        }
    }
    input
}

fn number(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name}={text} is no number")),
        Err(_) => otherwise,
    }
}

/// Half of them by tokens, half by syntax, a few by both.
fn mutant([marked, others]: &[Vec<TokenStream>; 2], random: &mut Random) -> TokenStream {
    let functions = match random.below(8) {
        0 => others,
        _ => marked,
    };
    let (function, donor) = (random.of(functions), random.of(functions));
    let way = random.below(8);
    let grafted = (way > 2)
        .then(|| graft::grafted(function, donor, random))
        .flatten();
    match grafted {
        Some(grafted) if way < 7 => grafted,
        Some(grafted) => mutate::mutated(&grafted, functions, random),
        None => mutate::mutated(function, functions, random),
    }
}

fn fuzz() -> (usize, BTreeMap<String, String>) {
    let (seed, inputs) = (number("FUZZ_SEED", 1), number("FUZZ_INPUTS", 2000));
    let first = number("FUZZ_FIRST", 0);
    let loud = std::env::var_os("FUZZ_LOUD").is_some();
    let functions = corpus::read();
    let place = silence();
    let what = |input: &TokenStream| {
        let failed = failure(input)?;
        let at = std::mem::take(&mut *place.lock().expect("nobody panics here"));
        Some(failed + " " + &at)
    };
    let mut failures = BTreeMap::new();
    let (mut looked_at, mut number) = (0, first);
    while looked_at < inputs {
        let mut random = Random::new(seed << 40 | number);
        let input = mutant(&functions, &mut random);
        number += 1;
        if syn::parse2::<Marked>(input.clone()).is_err() {
            continue;
        }
        looked_at += 1;
        if loud {
            // a stack that overflows ends the process: the last number tells where
            eprintln!("input {}: {input}", number - 1);
        }
        if let Some(found) = what(&input)
            && !failures.contains_key(&found)
        {
            let input = small(input, &|i| what(i).as_ref() == Some(&found));
            failures.insert(found, format!("input {}: {input}", number - 1));
        }
    }
    let _ = std::panic::take_hook();
    (functions.concat().len(), failures)
}

#[test]
fn what_parses_as_a_function_is_expanded_or_refused() {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(fuzz);
    let (functions, failures) = thread.expect("a thread").join().expect("the driver ends");
    assert!(functions > 500, "only {functions} functions to mutate");
    let list: Vec<String> = failures
        .iter()
        .map(|(what, input)| format!("{what}\n    {input}"))
        .collect();
    assert!(
        list.is_empty(),
        "{} failures:\n{}",
        list.len(),
        list.join("\n")
    );
}

/// What mutations have found, made small.
const FOUND: &[&str] = &[
    "fn f(x: f64) -> f64 { let y: f64 = { return x * x; }; y }",
    "fn f(x: f64) -> f64 { let u = { x * x; }; x }",
    "fn f(x: &[f64]) -> f64 { let u = { let t = x[0]; t.sin(); }; x[0] }",
    "impl S { fn f(&self, x: f64) -> f64 { let k = |y: f64| y * self.a; apply(k, x) } }",
    "impl S { fn f(&self, x: f64) -> f64 { apply(|y: f64| y * self.a, x) } }",
    "fn f(x: &[f64]) -> f64 { x.iter().fold(0.0, || {}) }",
    "fn f(x: &[f64]) -> f64 { x.iter().fold(0.0, |s, v| {}) }",
    "fn f(x: &[f64]) -> f64 { x.iter().fold() }",
    "fn f(x: f64) -> f64 { let at = |h: f64| { g(at, h) }; let at = |h: f64| { g(at, h) * x }; g(at, x) }",
    "fn f(x: &[f64]) -> f64 { let (a, b) = (1.0, x); let (a, b) = (2.0, b.iter().zip(g(a, b))); b.map(|(p, q)| p * q).sum() }",
    "fn f() { let (a, b) = (1.0, 2.0); let (a, b) = (array![vec![1.0]], (array![vec![1.0, 2.0]]).iter_mut().zip(matrix(d, b))); assert_eq!(d(a.congruent(&b)), 1); }",
    "fn f(x: &[f64]) -> f64 { let b = x; let b = x.iter().zip(g(b)); b.map(|(p, q)| p * q).sum() }",
    "fn f(x: &[f64]) -> f64 { let b = x.iter().zip(g(b)); b.map(|(p, q)| p * q).sum() }",
    "fn f() { let d = |e: f64| e.g(); let b = x.iter_mut().zip(m(d, b)); assert!(d(&b)); }",
    "fn f(x: &[f64]) -> f64 { ().map(_ | { for _ in .. { f(); } }) }",
];

#[test]
fn what_was_found_once() {
    let place = silence();
    let failed: Vec<String> = FOUND
        .iter()
        .filter_map(|text| {
            let input: TokenStream = text.parse().expect("tokens");
            assert!(syn::parse2::<Marked>(input.clone()).is_ok(), "{text}");
            let failure = failure(&input)?;
            let at = place.lock().expect("nobody panics here");
            Some(format!("{failure} {at}\n    {text}"))
        })
        .collect();
    let _ = std::panic::take_hook();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A function whose expression goes as deep as no person would write it.
fn deep(depth: usize, around: impl Fn(String) -> String) -> TokenStream {
    let body = (0..depth).fold("x".to_owned(), |inside, _| around(inside));
    let text = format!("fn f(x: f64) -> f64 {{ {body} }}");
    text.parse().expect("tokens")
}

#[test]
fn deep_expressions_take_time_in_proportion() {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        let inputs = [
            deep(60, |x| format!("({x})")),
            deep(60, |x| format!("({x}).sin()")),
            deep(60, |x| format!("{x} * 2.0 + x")),
            deep(60, |x| format!("f({x})")),
            deep(40, |x| format!("{{ let y = {x}; y }}")),
            deep(30, |x| format!("if x > 1.0 {{ {x} }} else {{ x }}")),
        ];
        inputs.iter().filter_map(failure).collect::<Vec<_>>()
    });
    let failures = thread.expect("a thread").join().expect("no overflow");
    assert!(failures.is_empty(), "{failures:?}");
}
