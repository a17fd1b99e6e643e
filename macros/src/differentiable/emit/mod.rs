//! From the program to Rust: the forward rule, and both sweeps of the reverse rule.

/// `quote!` with the hygiene of generated locals: `l` and `config` here are never the user's. What the compiler says of the code
/// points at the statement that it was generated for.
macro_rules! code {
    ($($tokens:tt)*) => {
        quote::quote_spanned!($crate::differentiable::emit::place::here()=> $($tokens)*)
    };
}

mod argument;
mod blocks;
mod bounds;
mod call_cost;
mod forward;
pub(crate) mod math;
mod names;
mod params;
mod place;
mod primal;
pub(super) mod refused;
mod report;
mod reverse;
mod scopes;
mod search;
mod unmarked;
mod walk;
mod window;

use proc_macro2::{Span, TokenStream};
use quote::quote;
#[cfg(test)]
pub(super) use reverse::plan;

use super::front::combinations;
use super::front::options::Options;
use super::ir::Program;
use super::tokens::pretty;
use crate::signature::Function;

/// The rules of a function.
pub(super) fn rules(function: &Function, program: &Program, options: &Options) -> TokenStream {
    let _attribute = place::at(Span::mixed_site());
    let combinations = options.combinations.as_deref();
    let listed = |mode| {
        let bound = combinations::bound(combinations, function, mode, &bounds::handles(function))?;
        let mut function = function.clone();
        let predicates = &mut function.generics.make_where_clause().predicates;
        predicates.extend(bound);
        Some(function)
    };
    let forward = listed("Forward").map(|function| forward::rule(&function, program));
    let reverse =
        listed("Reverse").map(|function| reverse::rule(&function, program, options.fast.is_some()));
    let (reverse, plan) = reverse.unzip();
    let report = options
        .report
        .then(|| report::constants(function, program, &plan.unwrap_or_default()));
    let expansion = options.expand.then(|| {
        let rules = quote!(#forward #reverse);
        let rules = match options.fast {
            Some(_) => math::fast(rules),
            None => rules,
        };
        pretty::constant(function, &rules)
    });
    let takes_any = combinations.is_none().then(|| {
        let name = &function.name;
        code! {
            #[doc(hidden)]
            #[allow(unused, clippy::all)]
            impl ::coenzyme::__private::TakesAny for #name {}
        }
    });
    let list = combinations.map(|list| combinations::implementations(list, function));
    let items = &program.items;
    let named = bounds::named_markers(function, program);
    // functions declared inside the body are seen by the rules too
    let rules = quote!(#forward #reverse #takes_any #report #expansion);
    let rules = unmarked::declared(function, program, rules);
    let rules = match items.is_empty() {
        true => crate::marker::declared(&named, rules),
        false => {
            let rules = crate::marker::declared(&named, rules);
            quote!(const _: () = { #items #rules };)
        }
    };
    quote!(#rules #list)
}

/// What no rule warns of again: the function itself is looked at too, and may allow what it does.
fn quiet() -> TokenStream {
    quote!(#[allow(unused, deprecated, nonstandard_style, clippy::all, clippy::pedantic)])
}
