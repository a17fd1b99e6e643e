//! What can be asked of `#[differentiable]`, on the function and on its bindings.

use syn::Ident;
use syn::Token;
use syn::parse::{Parse, ParseStream};
use syn::visit_mut::{self, VisitMut};

/// `#[differentiable(report)]`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Options {
    /// Whether the marker gets the constants `REPORT` and `GRAPH`.
    pub(crate) report: bool,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut options = Self::default();
        for word in input.parse_terminated(Ident::parse, Token![,])? {
            if word == "report" {
                options.report = true;
            } else {
                return Err(syn::Error::new_spanned(word, "the options are: `report`"));
            }
        }
        Ok(options)
    }
}

/// Whether a binding is marked `#[store]`: its value goes on the tape instead of being computed again.
pub(super) fn is_stored(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("store"))
}

/// Takes the attributes that only this macro knows off a function's body.
pub(crate) fn strip(body: &mut syn::Block) {
    struct Strip;
    impl VisitMut for Strip {
        fn visit_local_mut(&mut self, local: &mut syn::Local) {
            local.attrs.retain(|a| !a.path().is_ident("store"));
            visit_mut::visit_local_mut(self, local);
        }
    }
    Strip.visit_block_mut(body);
}
