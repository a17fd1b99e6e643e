//! Paths of generated code mean crates, wherever it is expanded.
//!
//! In a crate of edition 2015 `::core` is looked for in the crate itself, and a crate without `std` has no `::std`: both are found in ours,
//! `::coenzyme::__private::core`. Nor does edition 2015 know `::coenzyme`: there paths begin without `::`, but those of imports, which have our edition.

use std::collections::HashSet;
use std::path::Path;
use std::sync::OnceLock;

use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// Finds `::core` and `::std` in our crate. An error loses its path, since it is everywhere, and its place is that of what is left.
pub(crate) fn crates(tokens: TokenStream) -> TokenStream {
    of_edition(tokens, !knows_crates())
}

/// Whether the edition of the package that is compiled is one in which `::coenzyme` is a crate: its manifest says so, or it is 2015.
fn knows_crates() -> bool {
    manifest().is_none_or(says_edition)
}

/// The manifest of the package that is compiled.
fn manifest() -> Option<&'static str> {
    static KNOWN: OnceLock<Option<String>> = OnceLock::new();
    let read = || {
        let folder = std::env::var_os("CARGO_MANIFEST_DIR")?;
        std::fs::read_to_string(Path::new(&folder).join("Cargo.toml")).ok()
    };
    KNOWN.get_or_init(read).as_deref()
}

/// Whether a name may be that of a crate as well: the manifest has it.
pub(crate) fn may_be_a_crate(name: &Ident) -> bool {
    static KNOWN: OnceLock<HashSet<String>> = OnceLock::new();
    let words = KNOWN.get_or_init(|| manifest().map(words).unwrap_or_default());
    let name = name.to_string();
    ["alloc", "core", "std"].contains(&name.as_str()) || words.contains(&name)
}

/// The words of a manifest, as names of crates.
fn words(manifest: &str) -> HashSet<String> {
    let words = manifest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
    words.map(|word| word.replace('-', "_")).collect()
}

/// Whether a manifest says of which edition a package is, and that it is no old one.
fn says_edition(manifest: &str) -> bool {
    let mut lines = manifest.lines().map(str::trim_start);
    lines.any(|line| line.starts_with("edition") && !line.contains("2015"))
}

fn of_edition(tokens: TokenStream, is_old: bool) -> TokenStream {
    changed(tokens.clone(), is_old).unwrap_or(tokens)
}

/// The tokens, if any of them is another in this edition.
fn changed(tokens: TokenStream, is_old: bool) -> Option<TokenStream> {
    let mut out: Vec<TokenTree> = Vec::new();
    let mut any = false;
    let mut tokens = tokens.into_iter();
    while let Some(mut tree) = tokens.next() {
        match &mut tree {
            TokenTree::Group(group) => {
                if let Some(inner) = changed(group.stream(), is_old) {
                    let mut inner = Group::new(group.delimiter(), inner);
                    inner.set_span(group.span());
                    *group = inner;
                    any = true;
                }
            }
            TokenTree::Ident(name) if begins_a_path(&out) && (name == "core" || name == "std") => {
                any = true;
                let rest: Vec<_> = tokens.clone().take(3).collect();
                if let [.., TokenTree::Ident(error)] = &rest[..]
                    && error == "compile_error"
                {
                    out.truncate(out.len() - 2);
                    tree = tokens.nth(2).expect("an error");
                } else {
                    begin(&mut out, is_old);
                    let span = match is_import(&out) {
                        true => Span::mixed_site(),
                        false => name.span(),
                    };
                    for ours in ["coenzyme", "__private"] {
                        out.push(Ident::new(ours, span).into());
                        out.extend(colons(name.span()));
                    }
                }
            }
            TokenTree::Ident(name) if begins_a_path(&out) && name == "coenzyme" => {
                begin(&mut out, is_old);
                any |= is_old;
                if is_import(&out) {
                    name.set_span(Span::mixed_site());
                    any = true;
                }
            }
            _ => {}
        }
        out.push(tree);
    }
    any.then(|| out.into_iter().collect())
}

/// Keywords after which a path begins; after any other name `::` goes on with one.
const BEFORE: &[&str] = &[
    "as", "break", "const", "dyn", "else", "for", "if", "impl", "in", "let", "match", "move",
    "mut", "ref", "return", "unsafe", "use", "where", "while",
];

/// Whether tokens end with the `::` of `use ::coenzyme`.
fn is_import(before: &[TokenTree]) -> bool {
    matches!(before, [.., TokenTree::Ident(word), TokenTree::Punct(_), TokenTree::Punct(_)] if word == "use")
}

/// Gives the `::` that a path begins with our edition, or takes it away.
fn begin(before: &mut Vec<TokenTree>, is_old: bool) {
    let start = before.len() - 2;
    if is_import(before) {
        let ours = Span::mixed_site();
        before[start..]
            .iter_mut()
            .for_each(|colon| colon.set_span(ours));
    } else if is_old {
        before.truncate(start);
    }
}

/// Whether tokens end with the `::` that a path begins with.
fn begins_a_path(before: &[TokenTree]) -> bool {
    let colon = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ':');
    let [rest @ .., first, second] = before else {
        return false;
    };
    colon(first)
        && colon(second)
        && match rest.last() {
            Some(TokenTree::Ident(name)) => BEFORE.contains(&name.to_string().as_str()),
            Some(TokenTree::Punct(p)) => p.as_char() != '>' || is_arrow(rest),
            _ => true,
        }
}

/// Whether tokens end with `->` or `=>`.
fn is_arrow(before: &[TokenTree]) -> bool {
    matches!(before, [.., TokenTree::Punct(p), _] if ['-', '='].contains(&p.as_char()) && p.spacing() == Spacing::Joint)
}

/// `::`
fn colons(span: Span) -> [TokenTree; 2] {
    [Spacing::Joint, Spacing::Alone].map(|spacing| {
        let mut colon = Punct::new(':', spacing);
        colon.set_span(span);
        colon.into()
    })
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::{crates, of_edition, says_edition, words};

    #[test]
    fn a_manifest_names_crates() {
        let manifest = "[dependencies]\nlog = \"0.4\"\nord-float.workspace = true";
        let words = words(manifest);
        assert!(words.contains("log") && words.contains("ord_float"));
        assert!(!words.contains("lo") && !words.contains("float"));
    }

    #[test]
    fn a_manifest_says_the_edition() {
        assert!(says_edition("[package]\nedition = \"2018\""));
        assert!(says_edition("[package]\nedition.workspace = true"));
        assert!(!says_edition("[package]\nname = \"editions\""));
        assert!(!says_edition("[package]\nedition = \"2015\""));
    }

    #[test]
    fn an_old_edition_finds_crates_without_colons() {
        let written = quote!(
            use ::coenzyme::Real as _;
            let t: Vec<::coenzyme::Tape> = ::core::mem::take(::std::f64::NAN, x as ::coenzyme::T);
        );
        let expected = quote!(
            use ::coenzyme::Real as _;
            let t: Vec<coenzyme::Tape> = coenzyme::__private::core::mem::take(
                coenzyme::__private::std::f64::NAN, x as coenzyme::T
            );
        );
        assert_eq!(of_edition(written, true).to_string(), expected.to_string());
    }

    #[test]
    fn the_standard_libraries_are_found_in_ours() {
        let written = quote!(let v: ::std::vec::Vec<f64> = { return ::core::mem::take(x) };);
        let expected = quote!(
            let v: ::coenzyme::__private::std::vec::Vec<f64> =
                { return ::coenzyme::__private::core::mem::take(x) };
        );
        assert_eq!(crates(written).to_string(), expected.to_string());
    }

    #[test]
    fn modules_of_such_names_are_left_alone() {
        for written in [
            quote!(crate::std::f(x)),
            quote!(own::std::f::<f64>(x)),
            quote!(<T as Own>::std(x)),
            quote!(std::mem::take(x)),
            quote!(::coenzyme::tape::Tape),
        ] {
            assert_eq!(crates(written.clone()).to_string(), written.to_string());
        }
    }

    #[test]
    fn errors_are_reported_in_any_edition() {
        let written = quote!(let x = ::core::compile_error! { "refused" };);
        let expected = quote!(let x = compile_error! { "refused" };);
        assert_eq!(crates(written).to_string(), expected.to_string());
    }

    #[test]
    fn a_path_begins_after_an_arrow() {
        let written = quote!(
            fn f() -> ::std::string::String {
                g
            }
        );
        let expected = quote!(
            fn f() -> ::coenzyme::__private::std::string::String {
                g
            }
        );
        assert_eq!(crates(written).to_string(), expected.to_string());
    }
}
