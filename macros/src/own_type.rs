//! How far the types of a signature are seen: a marker that is seen further than what its function returns leaks a private type (E0446).
//!
//! `struct P { … } impl P { pub fn new(x: f64) -> P { … } }`: the method says `pub`, and is seen as far as `P`. That stands in the same file, or the marker keeps the
//! visibility of the method.

use std::collections::HashMap;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Signature, Visibility};

use crate::files::answers::Answers;

/// The visibilities of types, as they are written; nothing of two types of one name.
type Types = HashMap<String, Option<String>>;

/// The visibility of a method, no further than that of the types which it returns.
pub(crate) fn narrowed(vis: &Visibility, signature: &Signature) -> Visibility {
    thread_local!(static KNOWN: Answers<Types> = Answers::default());
    let mut named = Vec::new();
    names(signature.output.to_token_stream(), &mut named);
    let file = signature.ident.span().local_file();
    let Some(file) = file.filter(|_| reach(vis) > 0 && !named.is_empty()) else {
        return vis.clone();
    };
    let types = KNOWN.with(|known| known.of(&file, || read(&file)));
    let written = named.iter().filter_map(|name| types.get(name)?.as_deref());
    let parsed = written.filter_map(|vis| syn::parse_str::<Visibility>(vis).ok());
    let narrowest = parsed.min_by_key(reach);
    narrowest
        .filter(|other| reach(other) < reach(vis))
        .unwrap_or_else(|| vis.clone())
}

/// Which of two visibilities is further.
fn reach(vis: &Visibility) -> u8 {
    match vis {
        Visibility::Inherited => 0,
        Visibility::Restricted(within) if !within.path.is_ident("crate") => 1,
        Visibility::Restricted(_) => 2,
        Visibility::Public(_) => 3,
    }
}

/// The names of types in some tokens.
fn names(tokens: TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) if name.to_string().starts_with(char::is_uppercase) => {
                found.push(name.to_string());
            }
            TokenTree::Group(group) => names(group.stream(), found),
            _ => {}
        }
    }
}

fn read(file: &Path) -> Types {
    types(&std::fs::read_to_string(file).unwrap_or_default())
}

/// The types that lines of a file declare.
fn types(text: &str) -> Types {
    let mut types = Types::new();
    for line in text.lines() {
        let Some((vis, name)) = declared(line) else {
            continue;
        };
        let vis = Some(vis.to_owned());
        types
            .entry(name.to_owned())
            .and_modify(|known| {
                if *known != vis {
                    *known = None;
                }
            })
            .or_insert_with(|| vis.clone());
    }
    types
}

/// `("pub(crate)", "P")` of `pub(crate) struct P<T> {`, also behind attributes.
fn declared(line: &str) -> Option<(&str, &str)> {
    let mut line = line.trim_start();
    while line.starts_with("#[") {
        line = line.split_once(']')?.1.trim_start();
    }
    let end = match line.strip_prefix("pub") {
        None => 0,
        Some(rest) if rest.starts_with('(') => "pub".len() + rest.find(')')? + 1,
        Some(_) => "pub".len(),
    };
    let (vis, rest) = line.split_at(end);
    let rest = rest.trim_start();
    let rest = rest
        .strip_prefix("struct ")
        .or(rest.strip_prefix("enum "))?;
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    Some((vis, &rest[..end.unwrap_or(rest.len())]))
}

#[cfg(test)]
mod tests {
    use super::{declared, types};

    #[test]
    fn lines_declare_types() {
        for (line, expected) in [
            ("struct P;", Some(("", "P"))),
            ("  pub struct P<T> {", Some(("pub", "P"))),
            (
                "#[derive(Clone)] pub(crate) enum Shape {",
                Some(("pub(crate)", "Shape")),
            ),
            ("pub fn f() -> P {", None),
            ("/// struct P", None),
        ] {
            assert_eq!(declared(line), expected, "{line}");
        }
    }

    #[test]
    fn two_types_of_a_name_say_nothing() {
        let types = types("struct P;\nmod inner {\n pub struct P;\n struct Q;\n}\nstruct Q;");
        assert_eq!(types["P"], None);
        assert_eq!(types["Q"].as_deref(), Some(""));
    }
}
