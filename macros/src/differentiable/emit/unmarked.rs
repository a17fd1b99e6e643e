//! What is found of a method, or of a function of a type, that is called and has no rules: an error in our words.
//!
//! The rule of `p.area()` is what `p.rule_of_area()` gives, and that of `Disc::new(r)` what `Disc::marker_of_new()` does. A trait that no type has,
//! with functions of those names, makes of the compiler's "no method named `rule_of_area`" the text of the bound that is not met.

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
    let (mut names, mut functions) = (BTreeMap::new(), BTreeMap::new());
    let is_told = |of: &Ident| {
        function
            .generics
            .type_params()
            .any(|param| param.ident == *of)
    };
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
        // traits of ours have functions of these names for types of other crates
        let has_foreign = cfg!(any(feature = "nalgebra", feature = "glam"));
        if let Callee::Path(path) = &call.callee
            && !has_foreign
            && associated::is_associated(path)
            && let [.., of, name] = &path.segments.iter().collect::<Vec<_>>()[..]
            && !is_told(&of.ident)
        {
            let finder = format_ident!("marker_of_{}", name.ident, span = Span::call_site());
            functions.insert(finder.to_string(), finder);
        }
    });
    if names.is_empty() && functions.is_empty() {
        return rules;
    }
    let names: Vec<Ident> = names.into_values().collect();
    let functions: Vec<Ident> = functions.into_values().collect();
    // it must not hide a type of the user's
    let unmarked = Ident::new("__HasMethods", Span::mixed_site());
    let of_types = Ident::new("__HasFunctions", Span::mixed_site());
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
            #[allow(dead_code, clippy::all, clippy::pedantic)]
            trait #of_types {
                #(
                    fn #functions() -> ::coenzyme::__private::Unmarked
                    where
                        for<'a> ::coenzyme::__private::Unmarked: ::coenzyme::__private::HasRules<'a>,
                    {
                        ::coenzyme::__private::Unmarked
                    }
                )*
            }
            impl<T: ?::core::marker::Sized> #of_types for T {}
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
