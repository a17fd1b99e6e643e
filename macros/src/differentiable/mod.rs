//! `#[differentiable]`: the derivative of plain Rust, generated at compile time.
//!
//! parse → lower (`lower/`) → improve (`places.rs`, `hoist.rs`) → analyse (`stable.rs`, `summing.rs`, `standing.rs`) → emit (`emit/`). The macro handles
//! names, control flow and memory; every derivative is an operation or a rule that the compiler finds by type.

mod callable;
mod checkpoint;
mod combinations;
mod cost;
mod degree;
mod emit;
#[cfg(test)]
mod fate;
mod hoist;
mod index;
mod ir;
mod leads;
mod length;
mod live;
mod lower;
mod mentions;
pub(crate) mod numbers;
mod options;
mod order;
mod parts;
pub(crate) mod paths;
mod places;
mod scratch;
mod second;
mod shifting;
mod stable;
mod standing;
mod summing;
mod table;
mod text;
mod usage;
mod useful;
mod varied;
mod view;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use crate::errors::Errors;
use crate::operator::Operator;
use crate::premises;
pub(crate) use degree::Polynomial;
use emit::marker_path;
#[cfg(test)]
pub(crate) use fate::{Fate, Role, fate};
pub(crate) use options::{Options, strip};
pub(crate) use table::{is_inactive_type, is_pure, is_query_of_a_value, is_std_method};
pub(crate) use usage::{changes as changes_memory, grows};
pub(crate) use view::as_references;

/// Expands to the function, its marker, and its rules in both modes.
pub(crate) fn expand(options: Options, mut item: ItemFn) -> TokenStream {
    let mut errors = Errors::default();
    let function = callable::parse(&item.vis, &mut item.sig, &mut errors);
    if !errors.is_empty() {
        strip(&mut item.block);
        return errors.into_tokens_with(&item, &function);
    }
    if let Some(list) = &options.combinations {
        combinations::check(list, &function, &mut errors);
    }
    if options.order.is_some() {
        let lifted = second::expand(&item, &function, &options, &mut errors);
        strip(&mut item.block);
        let rules = lifted.unwrap_or_else(|| {
            let (marker, rules) = (function.marker(), emit::refused::rules(&function));
            quote!(#marker #rules)
        });
        let errors = errors.into_tokens();
        // the rules call the lifted primal, and drivers the rules
        return quote!(#[allow(dead_code)] #item #rules #errors);
    }
    let mut program = lower::lower(&function, &item.block, &mut errors);
    let degree = program.degree();
    program.drop_useless();
    program.settle_reads();
    program.hoist();
    let body = item.block.clone();
    strip(&mut item.block);
    let device = options
        .device
        .is_some()
        .then(|| crate::device::expand(&item, &mut errors));
    let marker = function.marker();
    let rules = match errors.is_empty() {
        true => {
            let witness = premises::witness(&function.written, &body, &program.decisions);
            let rules = emit::rules(&function, &program, &options);
            // a bound that names a function without marker would be a second error
            let linear = degree.filter(|d| d.calls.is_empty());
            let linear = linear.map(|d| d.promise(&function.name));
            quote!(#rules #linear #witness)
        }
        false => {
            let (rules, errors) = (emit::refused::rules(&function), errors.into_tokens());
            quote!(#rules #errors)
        }
    };
    quote! {
        #item
        #marker
        #rules
        #device
    }
}

/// Expands to the block, and for every method its marker and its rules in both modes.
pub(crate) fn expand_impl(options: Options, item: syn::ItemImpl) -> TokenStream {
    if let Some(device) = &options.device {
        let message = "methods do not run on a device: write a function of numbers";
        let error = syn::Error::new_spanned(device, message).to_compile_error();
        return quote!(#item #error);
    }
    if let Some(order) = &options.order {
        let message = "methods have no second derivative: write a function, and `#[differentiable(order = 2)]` before it";
        let error = syn::Error::new_spanned(order, message).to_compile_error();
        return quote!(#item #error);
    }
    let block = item.clone();
    let operator = Operator::of(&block);
    crate::methods::expand(item, |function, body, errors| {
        if let Some(list) = &options.combinations {
            combinations::check(list, function, errors);
        }
        let mut program = lower::lower(function, body, errors);
        let degree = program.degree();
        program.drop_useless();
        program.settle_reads();
        program.hoist();
        let rules = match errors.is_empty() {
            true => {
                let witness = premises::witness(&function.written, body, &program.decisions);
                let rules = emit::rules(function, &program, &options);
                quote!(#rules #witness)
            }
            false => emit::refused::rules(function),
        };
        let derivative = operator.as_ref().map(|operator| {
            let like_numbers = match errors.is_empty() {
                true => operator.like_numbers(degree.as_ref()),
                // of its errors this would be another
                false => Some(Vec::new()),
            };
            operator.derivative(&block, &function.name, like_numbers)
        });
        let linear = degree
            .filter(|_| errors.is_empty())
            .map(|d| d.promise(&function.name));
        quote!(#rules #derivative #linear)
    })
}
