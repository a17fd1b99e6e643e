//! From the program to Rust: the forward rule, and both sweeps of the reverse rule.

/// `quote!` with the hygiene of generated locals: `l` and `config` here are never the user's.
macro_rules! code {
    ($($tokens:tt)*) => {
        quote::quote_spanned!(proc_macro2::Span::mixed_site()=> $($tokens)*)
    };
}

mod bounds;
mod forward;
mod names;
mod primal;
pub(super) mod refused;
mod report;
mod reverse;
mod window;

use proc_macro2::TokenStream;
use quote::quote;

use super::ir::Program;
use super::options::Options;
use crate::signature::Function;

/// The rules of a function.
pub(super) fn rules(function: &Function, program: &Program, options: Options) -> TokenStream {
    let forward = forward::rule(function, program);
    let (reverse, fates) = reverse::rule(function, program);
    let report = options
        .report
        .then(|| report::constants(function, program, &fates));
    let items = &program.items;
    // functions declared inside the body are seen by the rules too
    if items.is_empty() {
        return quote!(#forward #reverse #report);
    }
    quote! {
        const _: () = {
            #items
            #forward
            #reverse
            #report
        };
    }
}
