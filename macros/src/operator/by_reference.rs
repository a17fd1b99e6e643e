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
    /// Whether there are two operands.
    pub(crate) fn is_binary(&self) -> bool {
        self.right.is_some()
    }

    /// Whether an operand is a reference.
    pub(crate) fn is_by_reference(&self, block: &ItemImpl) -> bool {
        let right = self.right.as_ref();
        right.is_some_and(|right| is_reference(right) || is_reference(&block.self_ty))
    }

    /// Lets the function take both operands by reference: what it took by value is copied first.
    pub(crate) fn lend(&self, block: &ItemImpl, signature: &mut Signature, body: &mut syn::Block) {
        Elided.visit_signature_mut(signature);
        let left = behind(&block.self_ty);
        if !is_reference(&block.self_ty) {
            let renamed = renamed(body.to_token_stream());
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
        let (left, right) = (&block.self_ty, self.right.as_ref());
        let right = right.expect("a reference has no negative here");
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
        let (left, op) = (&block.self_ty, &self.name);
        let right = self.right.as_ref().expect("a binary operator");
        let of_numbers = is_number(left) || is_number(right);
        if !(of_numbers || is_reference(left) && is_reference(right)) {
            return TokenStream::new();
        }
        let (left, right) = (behind(left), behind(right));
        let (generics, _, clause) = block.generics.split_for_impl();
        quote! {
            #[doc(hidden)]
            impl #generics ::coenzyme::__private::Combines<::coenzyme::ops::#op, #right, #marker> for #left #clause {}
        }
    }
}

fn is_reference(ty: &Type) -> bool {
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
fn copied(reference: &TokenStream, ty: &Type) -> TokenStream {
    match is_number(ty) {
        true => quote!(*#reference),
        false => quote!(#reference.clone()),
    }
}

/// `__left` for `self`.
fn renamed(tokens: TokenStream) -> TokenStream {
    let each = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(word) if word == "self" => Ident::new("__left", word.span()).into(),
        TokenTree::Group(group) => {
            let mut inside = Group::new(group.delimiter(), renamed(group.stream()));
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
