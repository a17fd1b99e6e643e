//! Every name that stands in the compiler, in every place that it can stand in: what it decides is a rule of the receiver's type, an
//! operation that is found by type, an error, or asserted by the witness. A name that is added without an assertion fails here.

use std::collections::BTreeSet;
use std::path::Path;

use syn::visit::Visit;

use crate::differentiable::{Fate, Role, fate};

/// The words in the string literals of the compiler: each may be a name that it believes.
fn words() -> BTreeSet<String> {
    struct Literals(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Literals {
        fn visit_lit_str(&mut self, literal: &'ast syn::LitStr) {
            self.0.insert(literal.value());
        }
        // lists of names in macros, such as `matches!(name, "a" | "b")`
        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            for tree in mac.tokens.clone() {
                self.tree(tree);
            }
        }
    }
    impl Literals {
        fn tree(&mut self, tree: proc_macro2::TokenTree) {
            match tree {
                proc_macro2::TokenTree::Group(group) => {
                    group.stream().into_iter().for_each(|tree| self.tree(tree));
                }
                proc_macro2::TokenTree::Literal(literal) => {
                    if let syn::Lit::Str(text) = syn::Lit::new(literal) {
                        self.0.insert(text.value());
                    }
                }
                _ => {}
            }
        }
    }
    let mut found = Literals(BTreeSet::new());
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for folder in ["differentiable", "premises"] {
        files(&source.join(folder), &mut |text| {
            found.visit_file(&syn::parse_file(text).expect("the compiler's own source"));
        });
    }
    let is_name = |word: &String| {
        syn::parse_str::<proc_macro2::Ident>(word).is_ok()
            && word.starts_with(|c: char| c.is_lowercase())
    };
    found.0.into_iter().filter(is_name).collect()
}

/// The texts of the files in a folder and in those inside.
fn files(folder: &Path, each: &mut dyn FnMut(&str)) {
    for entry in std::fs::read_dir(folder).expect("a folder of the crate") {
        let path = entry.expect("an entry of it").path();
        match path.is_dir() {
            true => files(&path, each),
            false => each(&std::fs::read_to_string(&path).expect("a source file")),
        }
    }
}

/// Receivers whose types tokens do not tell.
const RECEIVERS: &[&str] = &["c.part", "v"];

/// What a method may be called with.
const ARGUMENTS: &[&str] = &[
    "",
    "2.0 * x",
    "1, x",
    "|y| y > x",
    "0.0, |a, b| a + b",
    "&mut y",
];

/// Where a value may be used.
fn uses(call: &str) -> [String; 4] {
    [
        format!("let r = {call}; r * 2.0 + x"),
        format!("{call}; x"),
        format!("if {call} {{ x }} else {{ 2.0 * x }}"),
        format!("for k in {call} {{ y += x; }} y"),
    ]
}

fn methods(name: &str) -> Vec<String> {
    let calls = RECEIVERS.iter().flat_map(|receiver| {
        let call = move |arguments| format!("{receiver}.{name}({arguments})");
        ARGUMENTS.iter().map(call)
    });
    calls.flat_map(|call| uses(&call)).collect()
}

fn functions(name: &str) -> Vec<String> {
    let arguments = ["2.0 * x, y", "&mut y, &mut v", "1.0, |a| a * x"];
    let paths = ["", "own::", "mem::", "iter::", "Own::", "Float::"];
    let calls = paths.iter().flat_map(|path| {
        let call = move |arguments| format!("{path}{name}({arguments})");
        arguments.iter().map(call)
    });
    // a condition is a truth, whatever it is called
    let uses = |call: String| {
        uses(&call)
            .into_iter()
            .filter(|body| !body.starts_with("if"))
    };
    calls.flat_map(uses).collect()
}

fn macros(name: &str) -> Vec<String> {
    let calls = [
        "x",
        "x; 3",
        "2.0 * x, y",
        "x > y",
        "\"{}\", x",
        "y, \"{}\", x",
    ];
    let calls = calls.map(|arguments| format!("{name}!({arguments})"));
    calls.iter().flat_map(|call| uses(call)).collect()
}

/// Judges every word in one role.
fn judge(role: Role, promised: &[&str], programs: impl Fn(&str) -> Vec<String>) {
    let mut believed = Vec::new();
    let mut judged = 0;
    for name in words()
        .iter()
        .filter(|name| !promised.contains(&name.as_str()))
    {
        let written = programs(name).into_iter().map(|body| {
            format!(
                "fn f(c: &mut Own, x: f64) -> f64 {{ let mut y = x; let mut v = make(x); {body} }}"
            )
        });
        let mut each = written.inspect(|_| judged += 1);
        believed.extend(each.find(|program| fate(program, name, role) == Fate::Believed));
    }
    assert!(
        judged > 5_000 || !believed.is_empty(),
        "only {judged} programs"
    );
    assert!(
        believed.is_empty(),
        "{} names are believed, and nothing asserts what they mean:\n{}",
        believed.len(),
        believed.join("\n")
    );
}

#[test]
fn what_a_method_is_taken_for_is_asserted() {
    // what `Clone` and `From` do is promised by whoever implements them
    judge(Role::Method, &["clone", "into"], methods);
}

#[test]
fn what_a_function_is_taken_for_is_asserted() {
    judge(Role::Function, &[], functions);
}

#[test]
fn what_a_macro_is_taken_for_is_asserted() {
    judge(Role::Macro, &[], macros);
}
