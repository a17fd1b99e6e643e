//! An expansion depends on its input alone, not on the order in which a hash map is walked.
//!
//! A part of the functions is looked at. `EXPANSIONS=/tmp/before cargo test -p coenzyme-macros same` looks at all of them, and writes what they
//! become into a file: two of those tell whether a change of the compiler changes what it generates.

use std::fmt::Write;

use proc_macro2::TokenStream;

use super::{STACK, corpus, quiet::quietly};
use crate::Marked;

/// What the attribute makes of a function with these options.
fn expansion(function: &TokenStream, options: &str) -> Option<String> {
    let options: crate::differentiable::Options = syn::parse_str(options).expect("options");
    let marked: Marked = syn::parse2(function.clone()).ok()?;
    let expand = |marked| match marked {
        Marked::Function(item) => crate::differentiable::expand(options.clone(), item),
        Marked::Methods(item) => crate::differentiable::expand_impl(options.clone(), item),
        Marked::Trait(item) => crate::differentiable::expand_trait(&options, item),
    };
    let tokens = quietly(|| crate::cfg::each(marked, expand));
    Some(tokens.map_or_else(|panic| panic, |tokens| tokens.to_string()))
}

/// How many functions there are for one that is looked at.
const PART: usize = 16;

/// The expansions of functions under our attributes in the tests and examples, one a line.
fn expansions(step: usize) -> String {
    let [marked, _] = corpus::read();
    let mut out = String::new();
    for (number, function) in marked.iter().enumerate().step_by(step) {
        for options in ["", "math = fast"] {
            let expansion = expansion(function, options).unwrap_or_default();
            writeln!(out, "{number} {options}: {expansion}").expect("a string");
        }
    }
    out
}

#[test]
fn an_expansion_is_the_same_each_time() {
    let file = std::env::var_os("EXPANSIONS");
    let step = if file.is_some() { 1 } else { PART };
    let start = || {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn(move || expansions(step));
        thread.expect("a thread")
    };
    let threads = [start(), start()];
    let [first, second] = threads.map(|thread| thread.join().expect("no overflow"));
    if let Some(file) = file {
        std::fs::write(file, &first).expect("a file that can be written");
    }
    let mut lines = first.lines().zip(second.lines());
    let other = lines.find(|(a, b)| a != b);
    assert!(first.lines().count() > 100);
    assert_eq!(other, None);
}
