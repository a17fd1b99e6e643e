//! Operators on references: `impl Mul<&B> for &A`, `impl Mul<f64> for &A`, `impl Mul<&A> for f64`.
//!
//! The rules are those of a function of two references, whatever the operator takes by value; differentiated code finds it by the types
//! behind them. The forms of an operator are one function: `&a * b` of two types of the user's is `&a * &b`.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{FnArg, ItemImpl, Signature, Type};

use super::{Operator, is_number};

impl Operator {
    /// Whether an operand is a reference.
    pub(crate) fn is_by_reference(&self, block: &ItemImpl) -> bool {
        is_reference(&block.self_ty) || self.right.as_ref().is_some_and(is_reference)
    }

    /// The module of the operations with as many references: `by_reference::left::`; nothing if there are none.
    pub(super) fn form(&self, block: &ItemImpl) -> Option<TokenStream> {
        let Some(right) = &self.right else {
            return is_reference(&block.self_ty).then(|| quote!(by_reference::));
        };
        match (is_reference(&block.self_ty), is_reference(right)) {
            (true, true) => Some(quote!(by_reference::both::)),
            (true, false) => Some(quote!(by_reference::left::)),
            (false, true) => Some(quote!(by_reference::right::)),
            (false, false) => None,
        }
    }

    /// Lets the function take both operands by reference: what it took by value is copied first.
    pub(crate) fn lend(&self, block: &ItemImpl, signature: &mut Signature, body: &mut syn::Block) {
        Elided.visit_signature_mut(signature);
        let left = behind(&block.self_ty);
        if !is_reference(&block.self_ty) {
            let renamed = renamed(body.to_token_stream(), "__left");
            let copy = copied(&quote!(self), left);
            *body = syn::parse_quote!({ let __left = #copy; #renamed });
        }
        if let Some(first) = signature.inputs.first_mut() {
            *first = syn::parse_quote!(__self: &#left);
        }
        let Some(FnArg::Typed(right)) = signature.inputs.iter_mut().nth(1) else {
            return;
        };
        if !is_reference(&right.ty) {
            let (pattern, ty) = (&right.pat, &right.ty);
            let copy = copied(&quote!(__right), ty);
            *body = syn::parse_quote!({ let #pattern = #copy; #body });
            *right = syn::parse_quote!(__right: &#ty);
        }
    }

    /// The function that the rules are those of, as it is called with two references.
    pub(crate) fn lent(&self, block: &ItemImpl) -> TokenStream {
        let left = &block.self_ty;
        let Some(right) = &self.right else {
            let left = behind(left);
            return quote!((|a: &#left| -a));
        };
        let op = match self.name.to_string().as_str() {
            "add" => quote!(+),
            "sub" => quote!(-),
            "mul" => quote!(*),
            "div" => quote!(/),
            _ => quote!(%),
        };
        let operand = |name: TokenStream, ty: &Type| match is_reference(ty) {
            true => name,
            false => copied(&name, ty),
        };
        let (a, b) = (operand(quote!(a), left), operand(quote!(b), right));
        let (left, right) = (behind(left), behind(right));
        quote!((|a: &#left, b: &#right| #a #op #b))
    }

    /// How differentiated code finds the function behind `marker`.
    pub(super) fn combines(&self, block: &ItemImpl, marker: &Ident) -> TokenStream {
        let (left, op, right) = (&block.self_ty, &self.name, self.right());
        let [l, r] = [left, right].map(|ty| match is_reference(ty) {
            true => quote!(::coenzyme::__private::ByReference),
            false => quote!(::coenzyme::__private::ByValue),
        });
        let (left, right) = (behind(left), behind(right));
        let (generics, _, clause) = block.generics.split_for_impl();
        quote! {
            #[doc(hidden)]
            impl #generics ::coenzyme::__private::Combines<::coenzyme::ops::#op, #l, #r, #right, #marker> for #left #clause {}
        }
    }
}

pub(super) fn is_reference(ty: &Type) -> bool {
    matches!(ty, Type::Reference(_))
}

/// `A` of `&A` and `A`.
pub(crate) fn behind(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => &reference.elem,
        ty => ty,
    }
}

/// The value behind a reference.
pub(super) fn copied(reference: &TokenStream, ty: &Type) -> TokenStream {
    match is_number(ty) {
        true => quote!(*#reference),
        false => quote!(#reference.clone()),
    }
}

/// Another name for `self`.
pub(super) fn renamed(tokens: TokenStream, to: &str) -> TokenStream {
    let each = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(word) if word == "self" => Ident::new(to, word.span()).into(),
        TokenTree::Group(group) => {
            let mut inside = Group::new(group.delimiter(), renamed(group.stream(), to));
            inside.set_span(group.span());
            inside.into()
        }
        token => token,
    });
    each.collect()
}

/// References without the lifetimes that the block names.
struct Elided;

impl VisitMut for Elided {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        reference.lifetime = None;
        visit_mut::visit_type_reference_mut(self, reference);
    }
}
