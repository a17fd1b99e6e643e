//! What is found of a method, or of a function of a type, that is called and has no rules: an error in our words.
//!
//! The rule of `p.area()` is what `p.rule_of_area()` gives, and that of `Disc::new(r)` what `Disc::marker_of_new()` gives. A trait that no type has, with
//! a method of that name, makes of the compiler's "no method named `rule_of_area`" the text of the bound that is not met.
//! A trait of the user's that has the method for a type of another crate is found before it, as the bound of this one is not met there.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::bounds::each_call;
use crate::associated;
use crate::differentiable::ir::{Base, Callee, Place, Program};
use crate::signature::Function;

/// The rules, which find methods by their names, and the trait.
///
/// What is known of a type parameter is its traits, and the compiler's own words say which have the method.
pub(super) fn declared(function: &Function, program: &Program, rules: TokenStream) -> TokenStream {
    let (mut names, mut found, mut of_parameters) =
        (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let is_parameter = |of: &Place| match of.base {
        Base::Root(root) => {
            let ty = program.roots[root].ty.as_ref();
            let mut parameters = function.generics.type_params();
            parameters.any(|param| ty.is_some_and(|ty| is_named(ty, &param.ident)))
        }
        Base::Def(_) => false,
    };
    each_call(program, &program.body, &mut |call| {
        if let Callee::Method { name, receiver, .. } = &call.callee
            && !is_parameter(receiver)
        {
            let finder = format_ident!("rule_of_{}", name, span = Span::call_site());
            names.insert(finder.to_string(), finder);
        }
        if let Callee::Path(path) = &call.callee
            && let Some(finder) = associated::finder_of_path(path)
        {
            let found = match function.names_generics_in(path) {
                true => &mut of_parameters,
                false => &mut found,
            };
            found.insert(finder.to_string(), finder);
        }
    });
    if names.is_empty() && found.is_empty() && of_parameters.is_empty() {
        return rules;
    }
    let of = |names: BTreeMap<String, Ident>| names.into_values().collect::<Vec<_>>();
    let (bound, receiver) = (
        quote!(::coenzyme::__private::HasMethodRules+),
        quote!(&self),
    );
    let methods = finds_nothing("__HasMethods", &bound, &of(names), &receiver);
    let bound = quote!(::coenzyme::__private::HasFunctionRules+);
    let receiver = TokenStream::new();
    let functions = finds_nothing("__HasFunctions", &bound, &of(found), &receiver);
    let of_parameters = of_every_type(&of(of_parameters));
    quote! {
        const _: () = {
            #methods
            #functions
            #of_parameters
            #rules
        };
    }
}

/// A trait of the types that have a bound, `Bound +`, or of all: there the names find that nothing is marked.
pub(super) fn finds_nothing(
    name: &str,
    bound: &TokenStream,
    names: &[Ident],
    receiver: &TokenStream,
) -> TokenStream {
    if names.is_empty() {
        return TokenStream::new();
    }
    // it must not hide a type of the user's
    let unmarked = Ident::new(name, Span::mixed_site());
    quote! {
        #[allow(dead_code, clippy::all, clippy::pedantic)]
        trait #unmarked {
            #(fn #names(#receiver) -> ::coenzyme::__private::Unmarked;)*
        }
        impl<T: #bound ?::core::marker::Sized> #unmarked for T {
            #(
                fn #names(#receiver) -> ::coenzyme::__private::Unmarked {
                    ::coenzyme::__private::Unmarked
                }
            )*
        }
    }
}

/// A trait of all types, whose functions ask for the bound: what the traits of a type parameter have, `A::activate(x)`, is found before it.
fn of_every_type(names: &[Ident]) -> TokenStream {
    if names.is_empty() {
        return TokenStream::new();
    }
    let unmarked = Ident::new("__HasFunctionsOfTraits", Span::mixed_site());
    quote! {
        #[allow(dead_code, clippy::all, clippy::pedantic)]
        trait #unmarked {
            #(
                fn #names() -> ::coenzyme::__private::Unmarked
                where
                    for<'__a> Self: ::coenzyme::__private::HasTraitRules<'__a>,
                {
                    ::coenzyme::__private::Unmarked
                }
            )*
        }
        impl<T: ?::core::marker::Sized> #unmarked for T {}
    }
}

/// Whether a type is a name, or a reference to it.
fn is_named(ty: &syn::Type, name: &Ident) -> bool {
    match ty {
        syn::Type::Reference(of) => is_named(&of.elem, name),
        syn::Type::Path(path) => path.path.is_ident(name),
        _ => false,
    }
}
