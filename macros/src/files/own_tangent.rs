//! Types of a file that have no tangent space: `enum Op { Add, Push(usize) }` without `#[derive(Tangent)]`.
//!
//! A parameter of such a type carries no derivative, as if it were declared `#[constant]`: an active argument has no rule, and a shadow of the type
//! does not exist. Whatever else in the file may give it a tangent space, by an implementation, a macro or an attribute, counts as one.

use std::collections::HashMap;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, GenericArgument, Ident, Item, PathArguments, Type, UseTree};

use super::answers::Answers;
use super::source;

/// Types that hold others, and are inactive if those are.
const HOLD: &[&str] = &["Arc", "Box", "Option", "Rc", "Vec"];

/// Whether a type is one of the file's that has no tangent space, or a list, an `Option` or a tuple with such in it.
pub(crate) fn has_none(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => has_none(&array.elem),
        Type::Group(group) => has_none(&group.elem),
        Type::Paren(paren) => has_none(&paren.elem),
        Type::Reference(reference) => reference.mutability.is_none() && has_none(&reference.elem),
        Type::Slice(slice) => has_none(&slice.elem),
        Type::Tuple(tuple) => tuple.elems.iter().any(has_none),
        Type::Path(path) if path.qself.is_none() => {
            if let Some(name) = path.path.get_ident() {
                return is_without(name);
            }
            let Some(last) = path.path.segments.last() else {
                return false;
            };
            match &last.arguments {
                PathArguments::AngleBracketed(of) if HOLD.iter().any(|h| last.ident == h) => {
                    matches!((of.args.len(), of.args.first()), (1, Some(GenericArgument::Type(of))) if has_none(of))
                }
                _ => false,
            }
        }
        _ => false,
    }
}

fn is_without(name: &Ident) -> bool {
    thread_local!(static KNOWN: Answers<HashMap<String, bool>> = Answers::default());
    let known = source::found(name, &KNOWN, read);
    known.is_some_and(|known| known.get(&name.to_string()) == Some(&true))
}

/// Of each name in a file, whether it is that of one type, which nothing gives a tangent space.
fn read(file: &syn::File) -> HashMap<String, bool> {
    let mut known = HashMap::new();
    let mut note = |name: &Ident, is_without: bool| {
        let known = known.entry(name.to_string());
        known
            .and_modify(|known| *known = false)
            .or_insert(is_without);
    };
    source::items(&file.items, &mut |item| match item {
        Item::Struct(item) => note(&item.ident, !mentions(&item.attrs)),
        Item::Enum(item) => note(&item.ident, !mentions(&item.attrs)),
        Item::Type(item) => note(&item.ident, false),
        Item::Union(item) => note(&item.ident, false),
        Item::Use(item) => imported(&item.tree, &mut |name| note(name, false)),
        // `impl Tangent for Op`, `impl Real for Dual`
        Item::Impl(block) => {
            let of = block.trait_.as_ref().and_then(|(of, _)| of.segments.last());
            if of.is_some_and(|of| !is_of_std(&of.ident)) {
                each_name(block.self_ty.to_token_stream(), &mut |name| {
                    note(name, false)
                });
            }
        }
        Item::Macro(item) => each_name(item.mac.tokens.clone(), &mut |name| note(name, false)),
        _ => {}
    });
    known
}

/// Traits that give no tangent space.
fn is_of_std(name: &Ident) -> bool {
    const TRAITS: &[&str] = &[
        "Clone",
        "Copy",
        "Debug",
        "Default",
        "Display",
        "Eq",
        "Error",
        "From",
        "FromStr",
        "Hash",
        "Index",
        "IndexMut",
        "IntoIterator",
        "Iterator",
        "Ord",
        "PartialEq",
        "PartialOrd",
        "TryFrom",
    ];
    TRAITS.iter().any(|known| name == known)
}

/// Whether attributes of a type may give it a tangent space: only those that are known do not.
fn mentions(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        const KNOWN: &[&str] = &[
            "allow",
            "cfg",
            "derive",
            "doc",
            "expect",
            "must_use",
            "non_exhaustive",
            "repr",
            "serde",
        ];
        let known = KNOWN.iter().any(|known| attribute.path().is_ident(known));
        let mut tangent = false;
        each_name(attribute.to_token_stream(), &mut |name| {
            tangent |= name == "Tangent"
        });
        !known || tangent
    })
}

/// The names that an import brings from elsewhere.
fn imported(tree: &UseTree, found: &mut dyn FnMut(&Ident)) {
    match tree {
        UseTree::Path(path) => imported(&path.tree, found),
        UseTree::Name(name) => found(&name.ident),
        UseTree::Rename(rename) => found(&rename.rename),
        UseTree::Group(group) => group.items.iter().for_each(|tree| imported(tree, found)),
        UseTree::Glob(_) => {}
    }
}

fn each_name(tokens: TokenStream, found: &mut dyn FnMut(&Ident)) {
    for tree in tokens {
        match tree {
            TokenTree::Ident(name) => found(&name),
            TokenTree::Group(group) => each_name(group.stream(), found),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_type_is_without_if_nothing_gives_it_a_tangent_space() {
        let file = "
            use other::Shape;
            #[derive(Clone, Debug)] enum Op { Add, Push(usize) }
            impl std::fmt::Display for Op {}
            impl Op { fn arity(&self) -> usize { 2 } }
            #[derive(Clone, Tangent)] struct Model { w: f64 }
            #[cfg_attr(feature = \"ad\", derive(Tangent))] struct Gated(f64);
            struct Written(f64);
            impl coenzyme::Tangent for Written {}
            struct Listed(f64);
            value_type! { Listed }
            mod one { pub struct Twice; }
            mod two { pub struct Twice; }
            struct Shape;
            #[vector] struct Marked(f64);
        ";
        let known = read(&syn::parse_str(file).expect("a file"));
        let mut without: Vec<_> = known
            .iter()
            .filter(|(_, is)| **is)
            .map(|(name, _)| name)
            .collect();
        without.sort();
        assert_eq!(without, ["Op"]);
    }
}
