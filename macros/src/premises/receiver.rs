//! A method as a function: its receiver is a parameter like the others.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use syn::visit_mut::VisitMut;

use crate::signature::RECEIVER;

/// Renames `self` to the name of that parameter.
pub(super) struct Renamed;

impl VisitMut for Renamed {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if let Some(name) = path.path.get_ident()
            && name == "self"
        {
            let renamed = Ident::new(RECEIVER, name.span());
            path.path = syn::parse_quote!(#renamed);
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = renamed(std::mem::take(&mut mac.tokens));
    }
}

fn renamed(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Ident(name) if name == "self" => Ident::new(RECEIVER, name.span()).into(),
            TokenTree::Group(group) => {
                let mut inside = Group::new(group.delimiter(), renamed(group.stream()));
                inside.set_span(group.span());
                inside.into()
            }
            tree => tree,
        })
        .collect()
}
