//! Parameters that are called: `f: impl Fn(f64) -> f64`, `f: F` with `F: Fn(f64) -> f64`.
//!
//! A rule is found by type, and the type of a function item has no name: so the rules take the marker of a function in place of
//! the function, and call its rules.
//!
//! ```text
//! impl<F: Function<(f64,), Output = f64>> Function<(F, f64)> for apply { /* apply(|x| f.call((x,)), x) */ }
//! impl<F, …> ReverseRule<R, (Const<F>, H1), W> for apply where F: ReverseRule<Active<f64>, (Active<f64>,), W> { … }
//! ```

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{
    FnArg, GenericParam, ParenthesizedGenericArguments, PathArguments, ReturnType, Signature, Type,
    TypeParamBound, WherePredicate,
};

use super::{numbers, view};
use crate::errors::Errors;
use crate::signature::{Callable, Function};

/// Reads the signature; the parameters that are called get a type parameter that is a marker.
pub(super) fn parse(vis: &syn::Visibility, sig: &mut Signature, errors: &mut Errors) -> Function {
    let (mut seen, written) = (sig.clone(), sig.clone());
    let views = view::as_references(&mut seen);
    let found = take(&mut seen, errors);
    let mut function = Function::parse(vis, &mut seen, errors);
    // the function itself loses what only the macros know
    let _ = Function::parse(vis, sig, &mut Errors::default());
    for (index, lend) in views {
        function.params[index].view = Some(lend);
    }
    for (index, callable) in found {
        let param = &mut function.params[index];
        param.constant = true;
        param.callable = Some(callable);
    }
    function.own_args = function.generic_args();
    function.written = written;
    numbers::bound(&mut function.generics);
    numbers::bound(&mut function.written.generics);
    function
}

/// Rewrites the signature, and says which parameters are called.
fn take(sig: &mut Signature, errors: &mut Errors) -> Vec<(usize, Callable)> {
    let mut found = Vec::new();
    let mut markers = Vec::new();
    for (index, arg) in sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(arg) = arg else { continue };
        // a constant is passed as it is
        if arg.attrs.iter().any(|a| a.path().is_ident("constant")) {
            continue;
        }
        let call = match &*arg.ty {
            Type::ImplTrait(ty) => called(&ty.bounds),
            Type::Path(path) => path
                .path
                .get_ident()
                .and_then(|name| called_generic(&sig.generics, name)),
            _ => None,
        };
        let Some(call) = call else { continue };
        for input in &call.inputs {
            if let Type::Reference(reference) = &input.ty {
                errors.at(
                    reference,
                    "a parameter that is called takes numbers by value: call a function by its path to pass it memory",
                );
            }
        }
        let inputs: Vec<Type> = call.inputs.iter().map(|i| i.ty.clone()).collect();
        let output: Type = match &call.output {
            ReturnType::Default => syn::parse_quote!(()),
            ReturnType::Type(_, ty) => (**ty).clone(),
        };
        let hidden = matches!(&*arg.ty, Type::ImplTrait(_));
        let name = match &*arg.ty {
            Type::Path(path) => path.path.require_ident().expect("a type parameter").clone(),
            _ => format_ident!("__F{index}"),
        };
        *arg.ty = syn::parse_quote!(#name);
        markers.push((name, inputs.clone(), output.clone(), hidden));
        found.push((
            index,
            Callable {
                inputs,
                output,
                hidden,
            },
        ));
    }
    for (name, inputs, output, hidden) in markers {
        let bound: TypeParamBound =
            syn::parse_quote!(::coenzyme::Function<(#(#inputs,)*), Output = #output>);
        if hidden {
            sig.generics
                .params
                .push(syn::parse_quote!(#name: #bound + ::core::clone::Clone));
            continue;
        }
        for param in &mut sig.generics.params {
            if let GenericParam::Type(param) = param
                && param.ident == name
            {
                param.bounds = syn::parse_quote!(#bound + ::core::clone::Clone);
            }
        }
        if let Some(clause) = &mut sig.generics.where_clause {
            let others = std::mem::take(&mut clause.predicates).into_iter();
            let is_of_name = |p: &WherePredicate| matches!(p, WherePredicate::Type(p) if is_named(&p.bounded_ty, &name));
            clause.predicates = others.filter(|p| !is_of_name(p)).collect();
        }
    }
    found
}

fn is_named(ty: &Type, name: &syn::Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(name))
}

type Bounds = syn::punctuated::Punctuated<TypeParamBound, syn::Token![+]>;

/// `Fn(A) -> B` among the bounds.
fn called(bounds: &Bounds) -> Option<ParenthesizedGenericArguments> {
    bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let last = bound.path.segments.last()?;
        match &last.arguments {
            PathArguments::Parenthesized(call) if last.ident.to_string().starts_with("Fn") => {
                Some(call.clone())
            }
            _ => None,
        }
    })
}

fn called_generic(
    generics: &syn::Generics,
    name: &syn::Ident,
) -> Option<ParenthesizedGenericArguments> {
    let mut of_params = generics.type_params().filter(|p| p.ident == *name);
    let in_params = of_params.next().and_then(|p| called(&p.bounds));
    let predicates = generics.where_clause.iter().flat_map(|w| &w.predicates);
    let mut in_clause = predicates.filter_map(|p| match p {
        WherePredicate::Type(p) if is_named(&p.bounded_ty, name) => called(&p.bounds),
        _ => None,
    });
    in_params.or_else(|| in_clause.next())
}

/// The rule that a marker needs for its calls, as a bound.
pub(super) fn rule(callable: &Callable, forward: bool) -> TokenStream {
    let Callable { inputs, output, .. } = callable;
    match forward {
        true => quote!(::coenzyme::ForwardRule<
            ::coenzyme::BatchDuplicated<#output, #output, __W>,
            (#(::coenzyme::BatchDuplicated<#inputs, #inputs, __W>,)*),
            __W,
        >),
        false => quote!(::coenzyme::ReverseRule<
            ::coenzyme::Active<#output>,
            (#(::coenzyme::Active<#inputs>,)*),
            __W,
        >),
    }
}
