//! `#[differentiable(order = 2)]`: the rules of a function of `f64`, for numbers of any order.
//!
//! ```text
//! #[differentiable(order = 2)]
//! fn f(x: &[f64]) -> f64 { 0.5 * g(x[0]) }
//!
//! // the function, its marker, and
//! const _: () = {
//!     const g_of_any_order: <g as AnyOrder>::Marker = g::MARKER;   // `g` has no second derivative: an error here, and nowhere else
//!     impl f {                                                    // the primal
//!         fn of_any_order<T: Liftable>(x: &[T]) -> T { T::lit(0.5) * Function::call(&g_of_any_order, (x[0],)) }
//!     }
//!     impl<T: Liftable, P0: Holds<[T]>> Function<(P0,)> for f { … }
//!     impl<T: Liftable, …> ReverseRule<…> for f { … }             // the rules of `T::lit(0.5) * g_of_any_order(x[0])`
//! };
//! ```
//!
//! The pass is from syntax to syntax, and runs twice over what the compiler does: the function is lowered as it was written, which says
//! what is wrong with it and which calls are by rule; then the lifted text is lowered for the rules.

mod body;
mod constants;
mod primal;
mod signature;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, ItemFn};

use super::front::callable;
use super::front::options::Options;
use super::{emit, lower, strip};
use crate::errors::Errors;
use crate::premises;
use crate::signature::Function;

/// What stands for `f64`. It is seen in errors, and is named like a type, so that `F64OrDual::lit(0.5)` is taken for the making of a value.
fn number() -> Ident {
    format_ident!("F64OrDual")
}

/// What is written in place of the marker and the rules of a function over `f64`; nothing if its signature cannot be lifted.
pub(super) fn expand(
    item: &ItemFn,
    function: &Function,
    options: &Options,
    errors: &mut Errors,
) -> Option<TokenStream> {
    let order = options.order.as_ref()?;
    let first = lower::lower(function, &item.block, errors);
    let mut lifted = item.clone();
    lifted.sig = function.written.clone();
    let signature_errors = &mut Errors::default();
    let outside = signature::lift(&mut lifted.sig, order, signature_errors);
    if !signature_errors.is_empty() {
        errors.append(signature_errors);
        return None;
    }
    let named = body::lift(&mut lifted, &first.decisions, &outside, errors);
    let mut signature = lifted.sig.clone();
    let mut generic = callable::parse(&item.vis, &mut signature, errors);
    let name = &item.sig.ident;
    generic.path = Some(quote!(<#name>::of_any_order));
    let (rules, written) = match errors.is_empty() {
        true => derived(&generic, &lifted, &named, options, errors),
        false => (emit::refused::rules(&generic), refused()),
    };
    let (stub, call, aliases) = (generic.stub(), generic.primal(), named.aliases());
    let aliases = errors.is_empty().then_some(aliases);
    let (inputs, output, vis) = (&signature.inputs, &signature.output, &item.vis);
    let (generics, clause) = (&signature.generics, &signature.generics.where_clause);
    Some(quote! {
        #stub

        impl ::coenzyme::__private::AnyOrder for #name {
            type Marker = Self;
            const MARKER: Self = Self {};
        }

        const _: () = {
            #[allow(unused_imports)]
            use ::coenzyme::__private::AsItIs as _;
            #aliases

            #[allow(non_camel_case_types, unused, clippy::all, clippy::pedantic)]
            impl #name {
                #[doc(hidden)]
                #[inline]
                #vis fn of_any_order #generics (#inputs) #output #clause #written
            }

            #call
            #rules
        };
    })
}

/// The rules of the lifted text with its witness, and the body of the primal.
fn derived(
    function: &Function,
    lifted: &ItemFn,
    named: &constants::Named,
    options: &Options,
    errors: &mut Errors,
) -> (TokenStream, syn::Block) {
    let mut program = lower::lower(function, &lifted.block, errors);
    if !errors.is_empty() {
        return (emit::refused::rules(function), refused());
    }
    program.aliases = named.callees();
    program.decisions.callees_are_constants = true;
    program.drop_useless();
    program.settle_reads();
    program.hoist();
    let rules = emit::rules(function, &program, options);
    let mut written = (*lifted.block).clone();
    primal::call_markers(&mut written, named, function);
    let witness = premises::witness(
        &function.name,
        &function.written,
        &written,
        &program.decisions,
    )
    .tokens;
    strip(&mut written);
    (quote!(#rules #witness), written)
}

/// The body of a primal that is refused.
fn refused() -> syn::Block {
    syn::parse_quote!({ ::core::unreachable!("the function was refused") })
}
