//! What is found of a method that is called and has no rules: an error in our words.
//!
//! The rule of `p.area()` is what `p.rule_of_area()` gives. A trait that no type has, with a method of that name, makes of the compiler's "no
//! method named `rule_of_area`" the text of the bound that is not met.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use super::bounds::each_call;
use crate::differentiable::ir::{Base, Callee, Place, Program};
use crate::signature::Function;

/// The rules, which find methods by their names, and the trait.
///
/// What is known of a type parameter is its traits, and the compiler's own words say which have the method.
pub(super) fn declared(function: &Function, program: &Program, rules: TokenStream) -> TokenStream {
    let mut names = BTreeMap::new();
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
            let finder = format_ident!("rule_of_{name}", span = Span::call_site());
            names.insert(finder.to_string(), finder);
        }
    });
    if names.is_empty() {
        return rules;
    }
    let names: Vec<Ident> = names.into_values().collect();
    // it must not hide a type of the user's
    let unmarked = Ident::new("__HasMethods", Span::mixed_site());
    quote! {
        const _: () = {
            #[allow(dead_code, clippy::all, clippy::pedantic)]
            trait #unmarked {
                #(fn #names(&self) -> ::coenzyme::__private::Unmarked;)*
            }
            impl<T: ::coenzyme::__private::HasMethodRules + ?::core::marker::Sized> #unmarked for T {
                #(
                    fn #names(&self) -> ::coenzyme::__private::Unmarked {
                        ::coenzyme::__private::Unmarked
                    }
                )*
            }
            #rules
        };
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
