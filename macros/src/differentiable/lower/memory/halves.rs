//! Slices that are split by a pattern.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Pat};

use crate::differentiable::lower::iterators::element::Element;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::calls;

impl Lower<'_> {
    /// `let (a, b) = x.split_at(i)`.
    pub(crate) fn let_halves(&mut self, pat: &Pat, call: &syn::ExprMethodCall) {
        let exclusive = call.method == "split_at_mut";
        match (self.place(&call.receiver), call.args.first()) {
            (Some(place), Some(at)) => {
                let at = self.index(at);
                let tokens = &at.tokens;
                let half = |range: TokenStream| {
                    let mut half = place.clone();
                    half.suffix.extend(quote!([#range]));
                    half.uses.extend(&at.uses);
                    Element::Bind(Binding::Alias {
                        place: half,
                        exclusive,
                    })
                };
                let halves = Element::Tuple(vec![half(quote!(..#tokens)), half(quote!(#tokens..))]);
                self.let_element(pat, None, halves);
            }
            _ => self.errors.at(call, "split a slice that has a name"),
        }
    }
}

/// The parts of `v.split_first().unwrap()`, `v.split_last_mut().unwrap()` and the like.
pub(crate) fn split_end(call: &syn::ExprMethodCall) -> Option<[Expr; 2]> {
    let Expr::MethodCall(split) = &*call.receiver else {
        return None;
    };
    if !calls::unwraps(call) {
        return None;
    }
    let v = &split.receiver;
    match split.method.to_string().as_str() {
        "split_first" => Some([syn::parse_quote!(&#v[0]), syn::parse_quote!(&#v[1..])]),
        "split_last" => Some([
            syn::parse_quote!(&#v[#v.len() - 1]),
            syn::parse_quote!(&#v[..#v.len() - 1]),
        ]),
        "split_first_mut" => Some([
            syn::parse_quote!(&mut #v[0]),
            syn::parse_quote!(&mut #v[1..]),
        ]),
        "split_last_mut" => {
            let last = quote!(::coenzyme::__private::typed(#v.len() - 1));
            Some([
                syn::parse_quote!(&mut #v[#last]),
                syn::parse_quote!(&mut #v[..#last]),
            ])
        }
        _ => None,
    }
}
