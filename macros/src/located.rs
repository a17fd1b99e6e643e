//! An error in the code of a method stands at the method, and not at the attribute of its block.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};

use quote::ToTokens;
use syn::parse::Parse;

use crate::premises::Site;

/// Moves to the name of a method the tokens that stand at the attribute, which are ours. What they mean stays.
pub(crate) fn at(method: &Ident, tokens: TokenStream) -> TokenStream {
    let attribute = Site::of(Span::call_site());
    moved(tokens, &attribute, method.span())
}

/// The same for a part of a trait.
pub(crate) fn node<T: ToTokens + Parse>(method: &Ident, node: &T) -> T {
    let tokens = at(method, node.to_token_stream());
    syn::parse2(tokens).expect("what was a part of a trait is one elsewhere")
}

/// Moves a whole path to a name that stands for it.
pub(crate) fn path(name: &Ident, path: &syn::Path) -> syn::Path {
    let tokens = path.to_token_stream().into_iter();
    let tokens = tokens.map(|tree| everywhere(tree, name.span()));
    syn::parse2(tokens.collect()).expect("what was a path is one elsewhere")
}

fn everywhere(mut tree: TokenTree, to: Span) -> TokenTree {
    if let TokenTree::Group(group) = &mut tree {
        let inside = group.stream().into_iter().map(|t| everywhere(t, to));
        *group = Group::new(group.delimiter(), inside.collect());
    }
    tree.set_span(tree.span().located_at(to));
    tree
}

fn moved(tokens: TokenStream, from: &Site, to: Span) -> TokenStream {
    let tokens = tokens.into_iter().map(|mut tree| {
        if let TokenTree::Group(group) = &mut tree {
            let mut inside = Group::new(group.delimiter(), moved(group.stream(), from, to));
            inside.set_span(group.span());
            *group = inside;
        }
        if Site::of(tree.span()) == *from {
            tree.set_span(tree.span().located_at(to));
        }
        tree
    });
    tokens.collect()
}
