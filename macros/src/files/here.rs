//! Implementations of a trait for types that are not the crate's: `impl Candle for (f64, f64)`, `impl Shape for [f64; 3]`, `impl Curve for f64`.
//!
//! Such an implementation may say what it is only with a type of the crate among the parameters of our trait (E0117). That is one which the attribute
//! on the user's trait declares beside it, `Candle__here`, so it is asked where the trait stands: the files of the crate say it.

use std::path::PathBuf;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, ItemImpl};

use super::own_file::{files_of_crate, module_path};
use super::own_text::{self, begins_with_keyword};

/// The name of the type by which implementations of a trait are the crate's.
pub(crate) fn name(trait_name: &Ident) -> Ident {
    format_ident!("{trait_name}__here")
}

/// That type, where the block stands; nothing if the trait has no attribute, or is another crate's.
pub(crate) fn path(block: &ItemImpl) -> Option<TokenStream> {
    let (path, _) = block.trait_.as_ref()?;
    let name_of_trait = &path.segments.last()?.ident;
    let file = name_of_trait.span().local_file()?;
    let text = own_text::read(&file);
    let name = name(name_of_trait);
    let mut beside = path.clone();
    let last = beside.segments.last_mut()?;
    (last.ident, last.arguments) = (name.clone(), syn::PathArguments::None);
    let of_trait = name_of_trait.to_string();
    let crate_of = files_of_crate(&file);
    let (root, declaring) = match (declarations(&text, &of_trait), crate_of) {
        (1, None) => return is_marked(&text, &of_trait).then(|| beside.to_token_stream()),
        (1, Some(_)) if is_inside(&text, &of_trait) => {
            return is_marked(&text, &of_trait).then(|| beside.to_token_stream());
        }
        (1, Some((root, _))) => (root, file),
        (0, Some((root, files))) => {
            let declares = |file: &&PathBuf| declarations(&own_text::read(file), &of_trait) > 0;
            let found: Vec<_> = files.iter().filter(declares).collect();
            let [declaring] = found[..] else { return None };
            (root, declaring.clone())
        }
        _ => return None,
    };
    let text = own_text::read(&declaring);
    if !is_marked(&text, &of_trait) || is_inside(&text, &of_trait) {
        return None;
    }
    let modules = module_path(&root, &declaring)?;
    Some(quote!(crate #(:: #modules)* :: #name))
}

/// How often a file declares a trait of this name.
fn declarations(text: &str, name: &str) -> usize {
    let lines = text.lines();
    lines
        .filter(|line| begins_with_keyword(line, "trait") == Some(name))
        .count()
}

/// Whether the trait stands in a module inside of its file.
fn is_inside(text: &str, name: &str) -> bool {
    let mut lines = text.lines();
    lines.any(|line| {
        begins_with_keyword(line, "trait") == Some(name) && line.starts_with(char::is_whitespace)
    })
}

/// Whether `#[differentiable]` stands before a trait.
fn is_marked(text: &str, name: &str) -> bool {
    let mut marked = false;
    for line in text.lines() {
        let line = line.trim_start();
        let attribute = line.starts_with("#[");
        marked |= attribute && line.contains("differentiable");
        if begins_with_keyword(line, "trait") == Some(name) {
            return marked;
        }
        let between =
            attribute || line.is_empty() || line.starts_with("//") || line.starts_with(')');
        marked &= between;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_marked;

    #[test]
    fn an_attribute_stands_before_a_trait() {
        for text in [
            "#[differentiable]\ntrait Shape {}",
            "#[coenzyme::differentiable]\n/// A shape.\n#[allow(unused)]\npub trait Shape: Clone {",
            "#[differentiable] pub trait Shape {",
        ] {
            assert!(is_marked(text, "Shape"), "{text}");
        }
        for text in [
            "trait Shape {}",
            "#[differentiable]\nfn f() {}\n\ntrait Shape {}",
        ] {
            assert!(!is_marked(text, "Shape"), "{text}");
        }
    }
}
