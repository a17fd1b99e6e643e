//! Parameters that are views of arrays: to the rules they are references to arrays.
//!
//! ```text
//! fn f(x: ArrayView1<'_, f64>, y: ArrayViewMut2<'_, f64>)
//! fn f(x: &ArrayRef1<f64>, y: &mut ArrayRef2<f64>) // as the rules see it
//! ```

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{FnArg, GenericArgument, PathArguments, Signature, Type, Visibility};

use crate::errors::Errors;
use crate::signature::Function;

/// Reads a signature, and rewrites it.
pub(crate) fn read_views(vis: &Visibility, sig: &mut Signature, errors: &mut Errors) -> Function {
    let views = as_references(sig);
    let mut function = Function::parse(vis, sig, errors);
    for (index, lend) in views {
        function.params[index].view = Some(lend);
    }
    function
}

/// Rewrites the types of the parameters; which they are, and what stands in front of the view that the function takes.
fn as_references(sig: &mut Signature) -> Vec<(usize, TokenStream)> {
    let mut views = Vec::new();
    for (index, arg) in sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(arg) = arg else { continue };
        match &mut *arg.ty {
            Type::Reference(reference) => {
                if let Some((array, exclusive)) = viewed(&reference.elem) {
                    let lend = match reference.mutability {
                        Some(_) => quote!(&mut),
                        None => quote!(&),
                    };
                    // a view that is not changed itself
                    if !exclusive || reference.mutability.is_some() {
                        *reference.elem = array;
                        views.push((index, lend));
                    }
                }
            }
            ty => {
                if let Some((array, exclusive)) = viewed(ty) {
                    *ty = match exclusive {
                        true => syn::parse_quote!(&mut #array),
                        false => syn::parse_quote!(&#array),
                    };
                    views.push((index, TokenStream::new()));
                }
            }
        }
    }
    views
}

/// The array behind a view, and whether the view can change it.
fn viewed(ty: &Type) -> Option<(Type, bool)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let name = last.ident.to_string();
    let axes = name.strip_prefix("ArrayView")?;
    let exclusive = axes.starts_with("Mut");
    let axes = axes.strip_prefix("Mut").unwrap_or(axes);
    let array = format_ident!("ArrayRef{axes}");
    let PathArguments::AngleBracketed(generics) = &last.arguments else {
        return None;
    };
    let lifetime = |a: &&GenericArgument| matches!(a, GenericArgument::Lifetime(_));
    let generics = generics.args.iter().filter(|a| !lifetime(a));
    Some((
        syn::parse_quote!(::coenzyme::ndarray::#array<#(#generics),*>),
        exclusive,
    ))
}
