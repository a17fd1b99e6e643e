//! Functions whose arguments do not tell their type parameters: `fn net<A: Activation>(x: f64) -> f64`, `Noise::<S>::scale(x)`. A rule is found by the types of
//! arguments, so theirs is that of a function with one argument more, which tells them.
//!
//! ```text
//! fn net__of<A: Activation>(x: f64, _: PhantomData<fn() -> (A,)>) -> f64 { net::<A>(x) }   // has the rules
//! impl net { fn told<P>(self) -> Given<net__of, PhantomData<fn() -> P>> }                  // `net::<Relu>(x)` calls `net {}.told::<(Relu,)>()`
//! ```
//!
//! A marker whose arguments tell everything is told for nothing.

mod of_numbers;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{
    Expr, FnArg, GenericArgument, GenericParam, Generics, Ident, ItemFn, Path, PathArguments,
    Signature, Type,
};

use crate::files::crate_names;
use crate::signature::{names, untold};
pub(crate) use of_numbers::{is_of_numbers, signature_is_of_numbers};

/// The function that is told, as it is written, if one has to be.
pub(crate) fn written(item: &ItemFn) -> Option<ItemFn> {
    let generics = &item.sig.generics;
    let inputs = item.sig.inputs.iter().map(|arg| match arg {
        FnArg::Typed(arg) => arg.ty.to_token_stream(),
        FnArg::Receiver(_) => TokenStream::new(),
    });
    let untold = untold(generics, inputs);
    if untold.is_empty() || untold.iter().any(|name| is_of_closure(generics, name)) {
        return None;
    }
    let (types, called) = types(generics)?;
    let (mut told, name) = (item.clone(), &item.sig.ident);
    told.sig.ident = format_ident!("{name}__of");
    let mut args = Vec::new();
    for (i, arg) in told.sig.inputs.iter_mut().enumerate() {
        if let FnArg::Typed(arg) = arg {
            let arg_name = format_ident!("a{i}", span = Span::mixed_site());
            *arg.pat = syn::parse_quote!(#arg_name);
            arg.attrs.clear();
            args.push(arg_name);
        }
    }
    told.sig
        .inputs
        .push(syn::parse_quote!(_: ::core::marker::PhantomData<fn() -> (#(#types,)*)>));
    told.sig.constness = None;
    told.attrs = vec![
        syn::parse_quote!(#[doc(hidden)]),
        syn::parse_quote!(#[allow(non_snake_case, dead_code, clippy::all)]),
        syn::parse_quote!(#[cfg_attr(not(debug_assertions), inline(always))]),
    ];
    *told.block = syn::parse_quote!({ #name::<#(#called),*>(#(#args),*) });
    Some(told)
}

/// The signature of the told function as the compiler of derivatives reads it: with the names of the arguments.
pub(crate) fn signature(item: &ItemFn, told: &ItemFn) -> Signature {
    let mut signature = item.sig.clone();
    signature.ident = told.sig.ident.clone();
    let mut last = told.sig.inputs.last().expect("what tells").clone();
    if let FnArg::Typed(last) = &mut last {
        *last.pat = syn::parse_quote!(__of);
        last.attrs = vec![syn::parse_quote!(#[constant])];
    }
    signature.inputs.push(last);
    signature
}

/// Whether a closure takes or returns what a parameter names, which nobody can tell it.
fn is_of_closure(generics: &Generics, name: &Ident) -> bool {
    struct Find<'a> {
        name: &'a Ident,
        found: bool,
    }
    impl<'a> Visit<'a> for Find<'_> {
        fn visit_parenthesized_generic_arguments(
            &mut self,
            call: &'a syn::ParenthesizedGenericArguments,
        ) {
            let mut named = Vec::new();
            names(call.to_token_stream(), &mut named);
            self.found |= named.contains(self.name);
        }
    }
    let mut find = Find { name, found: false };
    find.visit_generics(generics);
    find.found
}

/// The types that tell parameters, and the arguments of a call; `None` if a constant is none that a type can have.
fn types(generics: &Generics) -> Option<(Vec<Type>, Vec<&Ident>)> {
    let params = generics.params.iter().filter_map(|param| match param {
        GenericParam::Lifetime(_) => None,
        GenericParam::Type(param) => {
            let name = &param.ident;
            Some(Some((syn::parse_quote!(#name), name)))
        }
        GenericParam::Const(param) => {
            let name = &param.ident;
            let is_length = matches!(&param.ty, Type::Path(ty) if ty.path.is_ident("usize"));
            Some(is_length.then(|| (syn::parse_quote!([(); #name]), name)))
        }
    });
    let params: Vec<(Type, &Ident)> = params.collect::<Option<_>>()?;
    Some(params.into_iter().unzip())
}

/// What the marker of the function itself is told by.
pub(crate) fn of_marker(marker: &Ident, vis: &syn::Visibility, told: &Ident) -> TokenStream {
    quote! {
        impl #marker {
            #[doc(hidden)]
            #[inline]
            #vis fn told<__P>(self) -> ::coenzyme::__private::dispatch::Given<#told, ::core::marker::PhantomData<fn() -> __P>> {
                ::core::default::Default::default()
            }
        }
    }
}

/// What a call says of the type parameters: `(Relu,)` of `net::<Relu>(x)`, `(Noise<S>,)` of `Noise::<S>::scale(x)`. `None` if it says nothing, or what
/// is no type is not known from what is.
pub(crate) fn types_of_call(path: &Path, constants: &[Ident]) -> Option<TokenStream> {
    let last = path.segments.last()?;
    let before = path.segments.iter().rev().nth(1);
    if let Some(of) = before
        && matches!(of.arguments, PathArguments::AngleBracketed(_))
    {
        let mut ty = path.clone();
        ty.segments.pop();
        // what asks may be an item, in which a lifetime of the function has no meaning
        Inferred.visit_path_mut(&mut ty);
        let segments = ty.segments.into_iter().collect::<Vec<_>>();
        let (lead, of) = (&path.leading_colon, quote!(#(#segments)::*));
        return is_told(of.clone()).then(|| quote!((#lead #of,)));
    }
    let PathArguments::AngleBracketed(list) = &last.arguments else {
        return None;
    };
    let types = list.args.iter().map(|arg| match arg {
        GenericArgument::Lifetime(_) => Some(None),
        GenericArgument::Type(ty) => of_type(ty, constants).map(Some),
        GenericArgument::Const(length @ (Expr::Lit(_) | Expr::Block(_))) => {
            Some(Some(quote!([(); #length])))
        }
        _ => None,
    });
    let types: Vec<_> = types.collect::<Option<Vec<_>>>()?;
    let types = types.into_iter().flatten();
    Some(quote!((#(#types,)*)))
}

/// Leaves lifetimes to be inferred.
struct Inferred;

impl VisitMut for Inferred {
    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident != "static" {
            *lifetime = syn::Lifetime::new("'_", lifetime.span());
        }
    }
}

/// A constant is written like a type: those of the function are known, others are written in capitals and are no types that the crate declares.
fn of_type(ty: &Type, constants: &[Ident]) -> Option<TokenStream> {
    if let Type::Path(path) = ty
        && let Some(name) = path.path.get_ident()
    {
        let text = name.to_string();
        return match constants.contains(name) {
            true => Some(quote!([(); #name])),
            false if is_in_capitals(&text) && !is_declared_type(name) => None,
            false => Some(ty.to_token_stream()),
        };
    }
    is_told(ty.to_token_stream()).then(|| ty.to_token_stream())
}

fn is_in_capitals(name: &str) -> bool {
    name.len() > 1 && !name.contains(char::is_lowercase)
}

/// Whether the crate declares a type of this name, `struct D65;`.
fn is_declared_type(name: &Ident) -> bool {
    let file = name.span().local_file();
    file.is_some_and(|file| crate_names::find(&name.to_string(), &file).is_some())
}

/// Whether nothing in a type is left to be inferred.
fn is_told(ty: TokenStream) -> bool {
    let mut inferred = false;
    each(ty, &mut |name| inferred |= name == "_");
    !inferred
}

fn each(tokens: TokenStream, visit: &mut impl FnMut(&str)) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Group(group) => each(group.stream(), visit),
            token => visit(&token.to_string()),
        }
    }
}
