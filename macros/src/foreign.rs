//! Traits of the user's own on types that are not: `impl Statistics for [f64]`, `impl Squared for f64`, `impl OrZero for Option<f64>`.
//!
//! Such a type gets no inherent `rule_of_mean`. A trait beside the block brings it, and is in scope where the block is.
//!
//! ```text
//! pub trait array_f64_Statistics_mean__found { fn rule_of_mean(&self) -> array_f64_Statistics_mean; }
//! impl array_f64_Statistics_mean__found for [f64] { … }
//! ```

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ImplItemFn, ItemImpl, QSelf, Signature, Type, TypePath};

use crate::differentiable::front::numbers;
use crate::differentiable::methods::{operations, paths, table};
use crate::files::own_names;
use crate::operator::words;
use crate::signature::Function;

/// Whether a type is one of the language or of the standard library.
pub(crate) fn is_foreign(ty: &Type) -> bool {
    match ty {
        Type::Path(of) => {
            let primitive = of.path.get_ident().is_some_and(numbers::is_primitive);
            primitive || paths::is_library_type(&of.path)
        }
        Type::Array(_) | Type::Slice(_) | Type::Tuple(_) => true,
        _ => false,
    }
}

/// What markers call a slice, an array or a tuple that has a trait.
pub(crate) fn name(block: &ItemImpl) -> Option<TypePath> {
    let (of, _) = block.trait_.as_ref()?;
    let name = match &*block.self_ty {
        Type::Array(_) | Type::Slice(_) | Type::Tuple(_) => {
            let of = &of.segments.last()?.ident;
            format_ident!("{}_{}", words(&block.self_ty), of)
        }
        _ => return None,
    };
    Some(syn::parse_quote!(#name))
}

/// Writes the type for `Self`.
pub(crate) fn write(ty: &Type, signature: &mut Signature, body: &mut syn::Block) {
    let mut write = Written(ty);
    write.visit_signature_mut(signature);
    write.visit_block_mut(body);
}

struct Written<'a>(&'a Type);

impl VisitMut for Written<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if matches!(ty, Type::Path(path) if path.path.is_ident("Self")) {
            *ty = self.0.clone();
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Path(path) = expr
            && path.qself.is_none()
            && path.path.segments.len() > 1
            && path.path.segments[0].ident == "Self"
        {
            let rest = path.path.segments.iter().skip(1).cloned();
            let rest: syn::punctuated::Punctuated<_, syn::Token![::]> = rest.collect();
            path.qself = Some(QSelf {
                lt_token: Default::default(),
                ty: Box::new(self.0.clone()),
                position: 0,
                as_token: None,
                gt_token: Default::default(),
            });
            path.path = syn::Path {
                leading_colon: Some(Default::default()),
                segments: rest,
            };
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

/// How the marker of a method is found. A name that the type itself has means that.
pub(crate) fn finder(
    block: &ItemImpl,
    method: &ImplItemFn,
    function: &Function,
) -> Option<TokenStream> {
    let name = method.sig.ident.to_string();
    let (of, _) = block.trait_.as_ref()?;
    // a marked trait finds its methods itself
    let is_own = of.get_ident().is_some_and(own_names::is_unmarked_trait);
    if !is_own || table::is_std_method(&name) || operations::is_operation(&name) {
        return None;
    }
    let (generics, _, where_clause) = block.generics.split_for_impl();
    let (ty, marker, vis) = (
        block.self_ty.to_token_stream(),
        &function.name,
        &function.vis,
    );
    let finder = format_ident!("rule_of_{}", method.sig.ident);
    let found = format_ident!("{marker}__found");
    Some(quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        #vis trait #found {
            fn #finder(&self) -> #marker;
        }
        #[doc(hidden)]
        impl #generics #found for #ty #where_clause {
            #[inline]
            fn #finder(&self) -> #marker {
                #marker {}
            }
        }
    })
}
