//! Functions that stand inside of the body.

use std::collections::HashSet;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

use crate::differentiable::tokens::text::words;

/// Attributes that give a function rules.
const MARKS: &[&str] = &[
    "autodiff_forward",
    "autodiff_reverse",
    "differentiable",
    "inactive",
    "primitive",
];

fn has_rules(item: &syn::ItemFn) -> bool {
    let is_mark = |a: &syn::Attribute| {
        let last = a.path().segments.last();
        last.is_some_and(|s| MARKS.iter().any(|mark| s.ident == mark))
    };
    item.attrs.iter().any(is_mark)
}

/// The functions inside of a body that have no rules. A function outside of it that has the same name has nothing to do with them.
pub(crate) fn unmarked(body: &syn::Block) -> HashSet<Ident> {
    struct Find(HashSet<Ident>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
            if !has_rules(item) {
                self.0.insert(item.sig.ident.clone());
            }
        }
    }
    let mut find = Find(HashSet::new());
    find.visit_block(body);
    find.0
}

/// The body with `#[differentiable]` on the functions inside of it that are named, and on those that they name.
pub(crate) fn marked(body: &syn::Block, mut wanted: HashSet<String>) -> syn::Block {
    struct Mark<'a> {
        wanted: &'a mut HashSet<String>,
        again: bool,
    }
    impl VisitMut for Mark<'_> {
        fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
            if self.wanted.contains(&item.sig.ident.to_string()) && !has_rules(item) {
                let mark = syn::parse_quote!(#[::coenzyme::differentiable]);
                item.attrs.push(mark);
                self.wanted.extend(words(item.block.to_token_stream()));
                self.again = true;
            }
        }
    }
    let (mut body, mut again) = (body.clone(), true);
    while again {
        let mut mark = Mark {
            wanted: &mut wanted,
            again: false,
        };
        mark.visit_block_mut(&mut body);
        again = mark.again;
    }
    body
}
