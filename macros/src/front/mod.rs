//! `#[autodiff_forward]` and `#[autodiff_reverse]`: the grammar and the signatures of nightly `std::autodiff`, on stable, as
//! a front to `#[differentiable]`.

mod forward;
mod model;
mod reverse;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, ItemFn};

pub(crate) use model::Request;
use model::{Front, Mode};

use crate::errors::Errors;
use crate::signature::Function;

/// Expands to the function, its rules, and the derivative under the name that was asked for.
///
/// ```text
/// #[autodiff_reverse(df, Duplicated, Active)]
/// fn f(x: &[f64]) -> f64 { … }
///
/// fn df(x: &[f64], dx_0: &mut [f64], dret: f64) -> f64 { … }
/// ```
pub(crate) fn expand(request: Request, mode: Mode, mut item: ItemFn) -> TokenStream {
    // several attributes may stand on one function: the last generates the rules
    let last = !item.attrs.iter().any(generates_rules);
    let mut errors = Errors::default();
    let mut signature = item.sig.clone();
    let function = Function::parse(&item.vis, &mut signature, &mut errors);
    let front = Front::check(request, mode, &function, &mut errors);
    let derivative = match (mode, &front) {
        (_, None) => TokenStream::new(),
        (Mode::Forward, Some(front)) => forward::derivative(front, &function),
        (Mode::Reverse, Some(front)) => reverse::derivative(front, &function),
    };
    let errors = errors.into_tokens();
    if last {
        item.attrs
            .push(syn::parse_quote!(#[::coenzyme::differentiable]));
    }
    quote!(#item #derivative #errors)
}

fn generates_rules(attribute: &Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|s| {
        [
            "autodiff_forward",
            "autodiff_reverse",
            "differentiable",
            "primitive",
        ]
        .iter()
        .any(|n| s.ident == n)
    })
}

/// Forward mode.
pub(crate) const FORWARD: Mode = Mode::Forward;
/// Reverse mode.
pub(crate) const REVERSE: Mode = Mode::Reverse;
