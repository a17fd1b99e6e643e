//! What the tests of the compiler ask: the program of a function as text, before and after it is improved.

use syn::ItemFn;

use super::front::callable;
use super::ir::*;
use super::{emit, lower};
use crate::errors::Errors;
use crate::signature::Function;

/// The signature and the program of a function, as lowering makes it.
pub(super) fn lowered(text: &str) -> (Function, Program) {
    let mut item: ItemFn = syn::parse_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let mut errors = Errors::default();
    let (function, body) = callable::parse_item(&mut item, &mut errors);
    let program = lower::lower(&function, &body, &mut errors);
    assert!(errors.is_empty(), "{}", errors.into_tokens());
    (function, program)
}

/// As [`lowered`], and improved as for emission.
pub(super) fn improved(text: &str) -> (Function, Program) {
    let (function, mut program) = lowered(text);
    program.improve();
    (function, program)
}

/// The plan of a function's reverse sweep.
pub(super) fn planned(text: &str) -> String {
    let (function, program) = improved(text);
    let plan = emit::plan(&function, &program);
    plan.shown(&program).to_string()
}

/// The errors of a function that is refused.
pub(super) fn refused(text: &str) -> String {
    let mut item: ItemFn = syn::parse_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let mut errors = Errors::default();
    let (function, body) = callable::parse_item(&mut item, &mut errors);
    if errors.is_empty() {
        lower::lower(&function, &body, &mut errors).improve();
    }
    assert!(!errors.is_empty(), "accepted: {text}");
    errors.into_tokens().to_string()
}

/// Asserts that a text has these lines, whatever the spaces before the first.
#[track_caller]
pub(super) fn assert_lines(found: &str, wanted: &str) {
    let indent = |text: &str| text.len() - text.trim_start().len();
    let lines: Vec<&str> = wanted.lines().filter(|l| !l.trim().is_empty()).collect();
    let by = lines.first().map_or(0, |line| indent(line));
    let wanted: Vec<&str> = lines.iter().map(|l| l.get(by..).unwrap_or("")).collect();
    let found: Vec<&str> = found.lines().collect();
    assert!(
        found == wanted,
        "found:\n{}\n\nwanted:\n{}",
        found.join("\n"),
        wanted.join("\n")
    );
}

/// Asserts the program of a function, as lowering makes it.
#[track_caller]
pub(super) fn assert_lowered(function: &str, wanted: &str) {
    assert_lines(&format!("{:#}", lowered(function).1), wanted);
}

/// Asserts the program of a function as it is emitted.
#[track_caller]
pub(super) fn assert_improved(function: &str, wanted: &str) {
    assert_lines(&format!("{:#}", improved(function).1), wanted);
}

/// Asserts the plan of a function's reverse sweep. What is unused is compared if there is a line for it.
#[track_caller]
pub(super) fn assert_planned(function: &str, wanted: &str) {
    let found = planned(function);
    let unused = |line: &&str| line.starts_with("unused:");
    let compared = match wanted.lines().map(str::trim).any(|line| unused(&line)) {
        true => found,
        false => {
            let lines: Vec<_> = found.lines().filter(|line| !unused(line)).collect();
            lines.join("\n")
        }
    };
    assert_lines(&compared, wanted);
}

/// The first loop of a program: its variable, its range and its body.
pub(super) fn first_loop(program: &Program) -> (DefId, &Range, &Block) {
    fn find(block: &Block) -> Option<(DefId, &Range, &Block)> {
        block.items.iter().find_map(|item| match item {
            Item::Loop {
                iterable: Iterable::Counted { range, variable },
                body,
                ..
            } => Some((*variable, range, body)),
            Item::Branch { arms, .. } => arms.iter().find_map(|arm| find(&arm.body)),
            _ => None,
        })
    }
    find(&program.body).expect("a loop")
}

/// The names of memory, in the order of the text.
pub(super) fn names<'a>(program: &Program, roots: impl IntoIterator<Item = &'a RootId>) -> String {
    let mut roots: Vec<_> = roots.into_iter().collect();
    roots.sort();
    let names = roots
        .into_iter()
        .map(|r| program.roots[*r].name.to_string());
    names.collect::<Vec<_>>().join(" ")
}

/// The names that the user gave to what a derivative may flow into.
pub(super) fn active(program: &Program) -> String {
    let roots = program.roots.iter().filter(|root| root.varied);
    let values = program
        .defs
        .iter()
        .filter(|def| def.varied && !def.is_temporary());
    let values = values.map(|def| def.name.to_string());
    let names = roots.map(|root| root.name.to_string()).chain(values);
    names.collect::<Vec<_>>().join(" ")
}
