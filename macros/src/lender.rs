//! Methods that lend a part of what they are called on, to be changed, as places.
//!
//! ```text
//! fn row_mut(&mut self, i: usize) -> &mut [f64] { &mut self.data[i * self.w..(i + 1) * self.w] }
//!
//! // beside the block, where integers alone choose the part:
//! impl Index<(LentBy<ROW_MUT, [f64]>, usize)> for Grid { type Output = [f64]; fn index(&self, …) -> &[f64] { … } }
//! impl IndexMut<(LentBy<ROW_MUT, [f64]>, usize)> for Grid { … }
//!
//! // where the method is called in differentiated code, `grid.row_mut(i)[j] = x` is
//! grid[(LentBy::<ROW_MUT, _>::HERE, i)][j] = x
//! ```
//!
//! So the part is found in the shadow as one of an own `Index` is, and fields stay private.

mod integers;
mod reading;
mod shared;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Expr, ExprMethodCall, FnArg, Ident, ImplItemFn, ItemImpl, ReturnType, Type};

use crate::dispatch::hash;
use crate::files::own_lenders::OwnLenders;
use crate::files::source::name_of;

pub(crate) use integers::is_integer;
pub(crate) use reading::Lender;

/// What generated code names a method by.
fn lent_by(method: &Ident, lent: &Type) -> TokenStream {
    let method = hash(&method.unraw().to_string());
    quote!(::coenzyme::__private::LentBy::<#method, #lent>)
}

/// The place that a call of such a method lends.
pub(crate) fn place(call: &ExprMethodCall) -> Expr {
    let (of, args) = (&call.receiver, &call.args);
    let by = lent_by(&call.method, &syn::parse_quote!(_));
    let comma = (!args.is_empty() && !args.trailing_punct()).then(|| quote!(,));
    syn::parse_quote!(#of[(#by::HERE, #args #comma)])
}

/// The hash of the method, if an index is one by [`place`].
pub(crate) fn method_of(index: &Expr) -> Option<u64> {
    let Expr::Tuple(index) = index else {
        return None;
    };
    let Expr::Path(by) = index.elems.first()? else {
        return None;
    };
    let by = by.path.segments.iter().find(|s| s.ident == "LentBy")?;
    let syn::PathArguments::AngleBracketed(of) = &by.arguments else {
        return None;
    };
    match of.args.first()? {
        syn::GenericArgument::Const(Expr::Lit(lit)) => match &lit.lit {
            syn::Lit::Int(hash) => hash.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// `T` of a method that gives `&mut T`.
pub(crate) fn lent(method: &ImplItemFn) -> Option<&Type> {
    match &method.sig.output {
        ReturnType::Type(_, ty) => match &**ty {
            Type::Reference(of) if of.mutability.is_some() => Some(&of.elem),
            _ => None,
        },
        ReturnType::Default => None,
    }
}

/// Whether an expression is such a place.
pub(crate) fn is_place(expr: &Expr) -> bool {
    matches!(expr, Expr::Index(index) if method_of(&index.index).is_some())
}

/// What stands beside a block for a method that lends a part by integers.
pub(crate) fn indices(block: &ItemImpl, method: &ImplItemFn) -> Option<TokenStream> {
    let name = &method.sig.ident;
    let of = name_of(&block.self_ty)?;
    let lenders = OwnLenders::of(name);
    let lender = lenders.lends(&of, &name.to_string(), name)?;
    let (generics, _, bounds) = block.generics.split_for_impl();
    let of = &block.self_ty;
    let params = method.sig.inputs.iter().filter_map(|arg| match arg {
        FnArg::Typed(arg) => Some((&arg.pat, &arg.ty)),
        FnArg::Receiver(_) => None,
    });
    let (pats, types): (Vec<_>, Vec<_>) = params.unzip();
    let output = lent(method)?;
    let by = lent_by(name, output);
    let index = quote!((#by, #(#types,)*));
    let mut body = shared::places(block, &method.block);
    crate::differentiable::strip(&mut body);
    let read = shared::shared(&body);
    let chooses = lender.fields.iter().map(|field| {
        let (method, field) = (hash(&name.unraw().to_string()), hash(field));
        quote! {
            impl #generics ::coenzyme::__private::ChoosesBy<#method, #field> for #of #bounds {}
        }
    });
    Some(quote! {
        #[automatically_derived]
        #[allow(clippy::all, unused)]
        impl #generics ::coenzyme::__private::core::ops::Index<#index> for #of #bounds {
            type Output = #output;
            fn index(&self, (_, #(#pats,)*): #index) -> &#output #read
        }
        #[automatically_derived]
        #[allow(clippy::all, unused)]
        impl #generics ::coenzyme::__private::core::ops::IndexMut<#index> for #of #bounds {
            fn index_mut(&mut self, (_, #(#pats,)*): #index) -> &mut #output #body
        }
        #(#chooses)*
    })
}
