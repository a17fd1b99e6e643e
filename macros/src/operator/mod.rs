//! `impl Mul<f64> for Vector` under `#[differentiable]`: the derivative of `v * k`, wherever it is written.
//!
//! ```text
//! impl Operand<ops::mul, (f64,)> for Vector { … }      // by the rules of the method
//! impl LikeNumbers<ops::mul, (f64,)> for Vector {}     // if the body is linear in each operand
//! ```

mod by_reference;
mod compound;
mod method;
mod rules;
mod sum;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, ItemImpl, PathArguments, Type, WherePredicate};

use crate::differentiable::Polynomial;
pub(crate) use by_reference::behind;
pub(crate) use compound::Compound;
pub(crate) use method::operation_of;
use rules::{Takes, pull, push};
pub(crate) use sum::promise as promise_of_sum;

/// The operator that an `impl` block gives to a type.
pub(crate) struct Operator {
    /// As in `coenzyme::ops`.
    name: Ident,
    /// The right operand; `None` for the negative.
    right: Option<Type>,
    /// Whether the right operand is written down.
    written: bool,
}

impl Operator {
    /// The operator, if the block implements one of those that have derivatives.
    pub(crate) fn of(block: &ItemImpl) -> Option<Self> {
        let (path, _) = block.trait_.as_ref()?;
        let last = path.segments.last()?;
        let name = match last.ident.to_string().as_str() {
            "Add" => "add",
            "Sub" => "sub",
            "Mul" => "mul",
            "Div" => "div",
            "Rem" => "rem",
            "Neg" => "neg",
            _ => return None,
        };
        let written = right_operand(last);
        Some(Self {
            name: format_ident!("{name}"),
            written: written.is_some(),
            right: (name != "neg").then(|| written.unwrap_or_else(|| (*block.self_ty).clone())),
        })
    }

    /// The name of the method, and whether its receiver is a reference: `mul`, `ref_mul`.
    pub(crate) fn marker(&self, block: &ItemImpl) -> String {
        let Self { name, .. } = self;
        match &*block.self_ty {
            Type::Reference(_) => format!("ref_{name}"),
            _ => name.to_string(),
        }
    }

    /// The right operand, if it is written.
    fn suffix(&self) -> Option<String> {
        let right = self.right.as_ref().filter(|_| self.written)?;
        Some(words(right))
    }

    /// Under which bounds the partials of a function of this degree read no more than those of the operator on numbers; `None` if
    /// they read more.
    pub(crate) fn like_numbers(&self, body: Option<&Polynomial>) -> Option<Vec<WherePredicate>> {
        let degree = body.map(|b| b.degree);
        let is_like_numbers = match self.name.to_string().as_str() {
            "add" | "sub" | "neg" => degree.is_some_and(|d| d.total <= 1),
            "mul" => degree.is_some_and(|d| d.left <= 1 && d.right <= 1),
            // these read both operands on numbers too
            _ => return Some(Vec::new()),
        };
        body.filter(|_| is_like_numbers)
            .map(|b| b.bounds().collect())
    }

    /// The derivative of the operator, by the rules of `marker`.
    pub(crate) fn derivative(
        &self,
        block: &ItemImpl,
        marker: &Ident,
        like_numbers: Option<Vec<WherePredicate>>,
    ) -> TokenStream {
        let form = self.form(block);
        let (left, op) = (behind(&block.self_ty), &self.name);
        let op = quote!(::coenzyme::ops::#form #op);
        let (generics, ..) = block.generics.split_for_impl();
        let output = self.output(block);
        let promise = |of: TokenStream, promised: TokenStream| {
            like_numbers.as_ref().map(|bounds| {
                let mut all = block.generics.clone();
                all.make_where_clause()
                    .predicates
                    .extend(bounds.iter().cloned());
                let (_, _, clause) = all.split_for_impl();
                quote!(impl #generics #promised for #of #clause {})
            })
        };
        let takes = match self.is_by_reference(block) {
            true => Takes::References,
            false => Takes::Values,
        };
        let is_called = takes == Takes::References && self.right.is_some();
        let combines = is_called.then(|| self.combines(block, marker));
        if self.right.as_ref().map(behind).is_some_and(is_unsized) {
            // no value of an operation
            return quote!(#combines);
        }
        let right = self.right.as_ref().map(behind);
        let by = (marker, takes);
        let (derivative, of, promised) = match right {
            None => (
                self.negative(block, by, (&op, &output)),
                quote!(#left),
                quote!(::coenzyme::ops::LikeNumbers<#op>),
            ),
            Some(right) if is_number(left) => (
                self.right_operand(block, by, (&op, &output, right)),
                quote!(#right),
                quote!(::coenzyme::ops::RightLikeNumbers<#op, #left>),
            ),
            Some(right) => (
                self.operand(block, by, (&op, &output, right), None),
                quote!(#left),
                quote!(::coenzyme::ops::LikeNumbers<#op, (#right,)>),
            ),
        };
        let promise = promise(of, promised);
        quote!(#combines #derivative #promise)
    }

    /// The operand of `op`, by the rules of `marker`.
    fn negative(
        &self,
        block: &ItemImpl,
        (marker, takes): (&Ident, Takes),
        (op, output): (&TokenStream, &TokenStream),
    ) -> TokenStream {
        let left = behind(&block.self_ty);
        let (generics, _, clause) = block.generics.split_for_impl();
        let (push, pull) = (push(marker, &[takes]), pull(marker, &[takes]));
        quote! {
            impl #generics ::coenzyme::ops::Operand<#op> for #left #clause {
                type Output = #output;
                type Partials = #left;

                #[inline]
                fn partials(self, (): (), _: #output) -> #left {
                    self
                }
                #[inline]
                fn pushforward(x0: &#left, d0: #left, (): ()) -> #output {
                    #push
                }
                #[inline]
                fn pullback(x0: &#left, cotangent: &#output) -> (#left, ()) {
                    let (d0,) = { #pull };
                    (d0, ())
                }
            }
        }
    }

    /// The right operand as that of `op`, where a number is the left one, by the rules of `marker`.
    fn right_operand(
        &self,
        block: &ItemImpl,
        (marker, takes): (&Ident, Takes),
        (op, output, right): (&TokenStream, &TokenStream, &Type),
    ) -> TokenStream {
        let left = behind(&block.self_ty);
        let (generics, _, clause) = block.generics.split_for_impl();
        let (push, pull) = (push(marker, &[takes; 2]), pull(marker, &[takes; 2]));
        quote! {
            impl #generics ::coenzyme::ops::RightOperand<#op, #left> for #right #clause {
                type Output = #output;
                type Partials = (#left, #right);

                #[inline]
                fn partials(self, left: #left) -> (#left, #right) {
                    (left, self)
                }
                #[inline]
                fn pushforward((x0, x1): &(#left, #right), d0: #left, d1: #right) -> #output {
                    #push
                }
                #[inline]
                fn pullback((x0, x1): &(#left, #right), cotangent: &#output) -> (#left, #right) {
                    #pull
                }
            }
        }
    }

    /// What the operator returns.
    fn output(&self, block: &ItemImpl) -> TokenStream {
        let written = block.items.iter().find_map(|item| match item {
            syn::ImplItem::Type(output) if self.is_by_reference(block) => Some(&output.ty),
            _ => None,
        });
        let (left, trait_) = (&block.self_ty, block.trait_.as_ref());
        let (path, _) = trait_.expect("an operator is a trait");
        match written {
            Some(ty) => quote!(#ty),
            None => quote!(<#left as #path>::Output),
        }
    }

    /// The right operand of a binary operator.
    fn right(&self) -> &Type {
        self.right.as_ref().expect("a binary operator")
    }

    /// The left operand as that of `op`, by the rules of `marker`.
    fn operand(
        &self,
        block: &ItemImpl,
        (marker, takes): (&Ident, Takes),
        (op, output, right): (&TokenStream, &TokenStream, &Type),
        check: Option<TokenStream>,
    ) -> TokenStream {
        let left = behind(&block.self_ty);
        let (generics, _, clause) = block.generics.split_for_impl();
        let (push, pull) = (push(marker, &[takes; 2]), pull(marker, &[takes; 2]));
        quote! {
            impl #generics ::coenzyme::ops::Operand<#op, (#right,)> for #left #clause {
                type Output = #output;
                type Partials = (#left, #right);

                #[inline]
                fn partials(self, (right,): (#right,), _: #output) -> (#left, #right) {
                    #check
                    (self, right)
                }
                #[inline]
                fn pushforward((x0, x1): &(#left, #right), d0: #left, (d1,): (#right,)) -> #output {
                    #push
                }
                #[inline]
                fn pullback((x0, x1): &(#left, #right), cotangent: &#output) -> (#left, (#right,)) {
                    let (d0, d1) = { #pull };
                    (d0, (d1,))
                }
            }
        }
    }
}

/// What tells the marker of an operator from those with other right operands, of a compound assignment too; `None` if none is written.
pub(crate) fn suffix(block: &ItemImpl) -> Option<String> {
    let (path, _) = block.trait_.as_ref()?;
    match is_compound(block) {
        true => right_operand(path.segments.last()?).map(|right| words(&right)),
        false => Operator::of(block)?.suffix(),
    }
}

/// Whether a block implements an operator that changes its left operand.
pub(crate) fn is_compound(block: &ItemImpl) -> bool {
    const ASSIGN: &[&str] = &[
        "AddAssign",
        "SubAssign",
        "MulAssign",
        "DivAssign",
        "RemAssign",
    ];
    let path = block.trait_.as_ref().map(|(path, _)| path);
    let last = path.and_then(|path| path.segments.last());
    last.is_some_and(|last| ASSIGN.iter().any(|name| last.ident == name))
}

/// `f64` of `Mul<f64>`.
fn right_operand(of: &syn::PathSegment) -> Option<Type> {
    let PathArguments::AngleBracketed(args) = &of.arguments else {
        return None;
    };
    args.args.iter().find_map(|a| match a {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    })
}

/// `f64`, `f32`: a type that is not the user's.
pub(crate) fn is_number(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if ["f64", "f32"].iter().any(|n| path.path.is_ident(n)))
}

/// Whether nothing by value is of a type: a slice.
fn is_unsized(ty: &Type) -> bool {
    matches!(ty, Type::Slice(_))
}

/// The words of a type, as a part of a name: `ref_Vec_f64`.
pub(crate) fn words(ty: &Type) -> String {
    let text = ty.to_token_stream().to_string();
    let text = [('&', " ref "), ('[', " array "), ('(', " tuple ")]
        .iter()
        .fold(text, |text, (mark, word)| text.replace(*mark, word));
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<_> = words.filter(|w| !w.is_empty()).collect();
    words.join("_")
}
