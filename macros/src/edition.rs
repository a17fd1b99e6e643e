//! Paths of generated code mean crates, wherever it is expanded.
//!
//! In a crate of edition 2015 `::core` is looked for in the crate itself, and a crate without `std` has no `::std`: both are found in ours,
//! `::coenzyme::__private::core`. Edition 2015 asks for `extern crate coenzyme;`, and has `::coenzyme` by it.

use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// Finds `::core` and `::std` in our crate. An error loses its path, since it is everywhere, and its place is that of what is left.
pub(crate) fn crates(tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    let mut tokens = tokens.into_iter();
    while let Some(mut tree) = tokens.next() {
        match &mut tree {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), crates(group.stream()));
                inner.set_span(group.span());
                *group = inner;
            }
            TokenTree::Ident(name) if (name == "core" || name == "std") && begins_a_path(&out) => {
                let rest: Vec<_> = tokens.clone().take(3).collect();
                if let [.., TokenTree::Ident(error)] = &rest[..]
                    && error == "compile_error"
                {
                    out.truncate(out.len() - 2);
                    tree = tokens.nth(2).expect("an error");
                } else {
                    for ours in ["coenzyme", "__private"] {
                        out.push(Ident::new(ours, name.span()).into());
                        out.extend(colons(name.span()));
                    }
                }
            }
            _ => {}
        }
        out.push(tree);
    }
    out.into_iter().collect()
}

/// Keywords after which a path begins; after any other name `::` goes on with one.
const BEFORE: &[&str] = &[
    "as", "break", "const", "dyn", "else", "for", "if", "impl", "in", "let", "match", "move",
    "mut", "ref", "return", "unsafe", "use", "where", "while",
];

/// Whether tokens end with the `::` that a path begins with.
fn begins_a_path(before: &[TokenTree]) -> bool {
    let colon = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ':');
    let [rest @ .., first, second] = before else {
        return false;
    };
    colon(first)
        && colon(second)
        && match rest.last() {
            Some(TokenTree::Ident(name)) => BEFORE.iter().any(|b| name == b),
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

    use super::crates;

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
