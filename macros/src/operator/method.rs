//! `fn sin(self) -> Self` in a marked block: the operation of this name on the type, so that `(a * b).sin()` is found by the type as `a * b` is.
//!
//! ```text
//! impl Operand<ops::sin> for Dual { … }      // by the rules of the method
//! impl LikeNumbers<ops::sin> for Dual {}     // they read the operands, as that of numbers does
//! ```

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Ident, ItemImpl, Type};

use super::rules::{Takes, pull, push};
use crate::differentiable::methods::types::is_inactive_type;
use crate::differentiable::{Needs, operation};
use crate::signature::{Function, Param, Passing};

/// The operation that a method of a type's own is; `None` if it has another name, other arguments, or types that only it knows.
pub(crate) fn operation_of(block: &ItemImpl, function: &Function) -> Option<TokenStream> {
    let (receiver, rest) = function.params.split_first()?;
    let name = &function.written.ident;
    let (_, needs) = operation(&name.to_string(), rest.len())?;
    let plain = block.trait_.is_none()
        && receiver.name == crate::signature::RECEIVER
        && function.own_args.is_empty()
        && matches!(&*block.self_ty, Type::Path(_));
    let takes: Option<Vec<Takes>> = function.params.iter().map(takes).collect();
    let takes = takes.filter(|takes| plain && takes[0] != Takes::Constant)?;
    let (of, output) = (&*block.self_ty, &function.output);
    if takes[1..].contains(&Takes::References) || !is_value(output, of, &block.generics) {
        return None;
    }
    let types: Vec<&Type> = rest.iter().map(|param| &param.ty).collect();
    let mut generics = block.generics.clone();
    let bounds = &mut generics.make_where_clause().predicates;
    // what is not `Clone` has a method of this name, and no operation
    for ty in [of, output].into_iter().chain(types.iter().copied()) {
        bounds.push(syn::parse_quote!(for<'__any> #ty: ::coenzyme::__private::MayClone<'__any>));
    }
    let (generics, _, clause) = generics.split_for_impl();
    let numbered = |name: &str| -> Vec<Ident> {
        (1..=rest.len())
            .map(|i| format_ident!("{name}{i}"))
            .collect()
    };
    let (at, along) = (numbered("x"), numbered("d"));
    let marker = &function.name;
    let (push, pull) = (push(marker, &takes), pull(marker, &takes));
    let op = quote!(::coenzyme::ops::#name);
    let like_numbers = matches!(needs, Needs::Operands | Needs::Everything);
    let like_numbers = like_numbers.then(|| quote!(impl #generics ::coenzyme::ops::LikeNumbers<#op, (#(#types,)*)> for #of #clause {}));
    Some(quote! {
        impl #generics ::coenzyme::ops::Operand<#op, (#(#types,)*)> for #of #clause {
            type Output = #output;
            type Partials = (#of, #(#types,)*);

            #[inline]
            fn partials(self, (#(#at,)*): (#(#types,)*), _: #output) -> Self::Partials {
                (self, #(#at,)*)
            }
            #[inline]
            fn pushforward((x0, #(#at,)*): &Self::Partials, d0: #of, (#(#along,)*): (#(#types,)*)) -> #output {
                #push
            }
            #[inline]
            fn pullback((x0, #(#at,)*): &Self::Partials, cotangent: &#output) -> (#of, (#(#types,)*)) {
                let (d0, #(#along,)*) = { #pull };
                (d0, (#(#along,)*))
            }
        }
        #like_numbers
    })
}

/// Whether an operation gives this: another value of the type, or a number. What may be an error is none, by whatever name.
fn is_value(output: &Type, of: &Type, generics: &syn::Generics) -> bool {
    let Type::Path(path) = output else {
        return false;
    };
    let name = path.path.get_ident();
    let is_parameter = |name: &Ident| generics.type_params().any(|param| param.ident == *name);
    let is_number = |name: &Ident| name == "Self" || is_float(name) || is_parameter(name);
    last_name(output) == last_name(of) || name.is_some_and(is_number)
}

/// `Dual` of `numbers::Dual<T>`.
fn last_name(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| &last.ident),
        _ => None,
    }
}

fn is_float(name: &Ident) -> bool {
    name == "f64" || name == "f32"
}

/// How an argument is taken; `None` if that is not known here.
fn takes(param: &Param) -> Option<Takes> {
    match param.passing {
        _ if param.callable.is_some() || param.view.is_some() => None,
        Passing::Value if param.constant || is_inactive_type(&param.ty) => Some(Takes::Constant),
        Passing::Value => Some(Takes::Values),
        Passing::Shared => (!param.constant).then_some(Takes::References),
        Passing::Exclusive => None,
    }
}
