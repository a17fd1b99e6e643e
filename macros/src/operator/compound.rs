//! `impl MulAssign<f64> for Vector` under `#[differentiable]`: the derivative of what `v *= k` makes of `v`.
//!
//! ```text
//! impl Operand<ops::assigned::mul, (f64,)> for Vector { … }    // by the rules of the body, as a function of values
//! impl AddsUp<ops::add> for Vector { … }                       // if each field is added to that of the other
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::VisitMut;
use syn::{
    BinOp, Expr, ExprBinary, FnArg, ImplItem, ImplItemFn, ItemImpl, Member, Pat, Stmt, Type,
};

use super::by_reference::{behind, is_reference, renamed};
use super::rules::Takes;
use super::{Operator, right_operand};
use crate::differentiable::front::numbers;
use crate::signature::Function;

/// A compound operator, and its block as one of a function that takes both operands by value and returns the left one.
pub(crate) struct Compound {
    pub(crate) operator: Operator,
    pub(crate) block: ItemImpl,
    pub(crate) method: ImplItemFn,
    /// The fields, if the body changes each by that of the other, or each by the same number.
    fields: Option<Vec<Member>>,
    /// Whether the body is `*self = *self op rhs`.
    delegates: bool,
}

impl Compound {
    /// The operator, if the block implements one that changes its left operand.
    pub(crate) fn of(block: &ItemImpl) -> Option<Self> {
        let (path, _) = block.trait_.as_ref()?;
        let last = path.segments.last()?;
        let name = match last.ident.to_string().as_str() {
            "AddAssign" => "add",
            "SubAssign" => "sub",
            "MulAssign" => "mul",
            "DivAssign" => "div",
            "RemAssign" => "rem",
            _ => return None,
        };
        let written = right_operand(last);
        let right = written.clone().unwrap_or_else(|| (*block.self_ty).clone());
        let mut method = block.items.iter().find_map(|item| match item {
            ImplItem::Fn(method) => Some(method.clone()),
            _ => None,
        })?;
        if !matches!(&*block.self_ty, Type::Path(_)) {
            return None;
        }
        let by = parameter(&method)?;
        let fields = match name {
            "add" | "sub" | "mul" => each_field(&method, name, &by),
            _ => None,
        };
        let delegates = delegates(&method, name, &by);
        by_value(block, &mut method, &right)?;
        let mut bounded = block.clone();
        numbers::bound(&mut bounded.generics);
        Some(Self {
            operator: Operator {
                name: format_ident!("{name}"),
                written: written.is_some(),
                right: Some(right),
            },
            block: bounded,
            method,
            fields,
            delegates,
        })
    }

    /// Gives the function its marker's name, and the primal that calls the operator itself.
    pub(crate) fn name(&self, function: &mut Function) {
        let (left, right) = (&self.block.self_ty, self.operator.right());
        let op = sign(&self.operator.name);
        let (by, value) = (
            behind(right),
            match is_reference(right) {
                true => quote!(&b),
                false => quote!(b),
            },
        );
        function.name = format_ident!("{}__assigned", function.name);
        function.path = Some(quote!((|mut a: #left, b: #by| { a #op #value; a })));
    }

    /// The derivative of the operator, by the rules of `marker`.
    pub(crate) fn derivative(&self, marker: &Ident) -> TokenStream {
        let (left, name, right) = (
            &self.block.self_ty,
            &self.operator.name,
            self.operator.right(),
        );
        let by = behind(right);
        let op = match is_reference(right) {
            true => quote!(::coenzyme::ops::assigned::lent::#name),
            false => quote!(::coenzyme::ops::assigned::#name),
        };
        let (generics, _, clause) = self.block.generics.split_for_impl();
        let fields = self.fields.as_deref();
        let each = |check: TokenStream| fields.map(|fields| destructured(left, fields, &check));
        let check = match self.is_sum() {
            true => None,
            false => each(quote!(::coenzyme::__private::is_linear::<#op, _, #by>)),
        };
        let check = check.map(|check| quote!(let _ = |all: &#left| { #check };));
        let operand = self.operator.operand(
            &self.block,
            (marker, Takes::Values),
            (&op, &quote!(#left), by),
            check,
        );
        // what is taken by reference keeps its operands: no promise is asked for
        let is_linear = (fields.is_some() || self.delegates) && !is_reference(right);
        let linear = is_linear.then(|| {
            let clause = match fields.is_some() {
                true => clause.to_token_stream(),
                false => self.like_plain(by),
            };
            quote!(impl #generics ::coenzyme::ops::LikeNumbers<#op, (#by,)> for #left #clause {})
        });
        let is_sum = self.is_sum() && !is_reference(right);
        let adds = each(quote!(::coenzyme::__private::adds_up::<::coenzyme::ops::#name, _>));
        let sums = adds.filter(|_| is_sum).map(|check| {
            quote! {
                #[doc(hidden)]
                impl #generics ::coenzyme::__private::AddsUp<::coenzyme::ops::#name> for #left #clause {
                    #[inline]
                    fn shifted(place: &mut Self) -> &mut Self {
                        // every field, and each adds up in its turn
                        let all = &*place;
                        #check
                        place
                    }
                }
            }
        });
        quote!(#operand #linear #sums)
    }

    /// Whether the operator adds or subtracts.
    fn is_sum(&self) -> bool {
        self.operator.name == "add" || self.operator.name == "sub"
    }

    /// The clause of a block that is linear where the plain operator is.
    fn like_plain(&self, by: &Type) -> TokenStream {
        let (left, name) = (&self.block.self_ty, &self.operator.name);
        let mut generics = self.block.generics.clone();
        generics
            .make_where_clause()
            .predicates
            .push(syn::parse_quote! {
                #left: ::coenzyme::ops::LikeNumbers<::coenzyme::ops::#name, (#by,)>
            });
        generics.where_clause.to_token_stream()
    }
}

/// `+=` of `add`.
fn sign(name: &Ident) -> TokenStream {
    match name.to_string().as_str() {
        "add" => quote!(+=),
        "sub" => quote!(-=),
        "mul" => quote!(*=),
        "div" => quote!(/=),
        _ => quote!(%=),
    }
}

/// The name of the right operand.
fn parameter(method: &ImplItemFn) -> Option<Ident> {
    match method.sig.inputs.iter().nth(1)? {
        FnArg::Typed(arg) => match &*arg.pat {
            Pat::Ident(name) => Some(name.ident.clone()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

/// Turns `fn(&mut self, by: B)` into `fn(mut self, by: B) -> A`.
fn by_value(block: &ItemImpl, method: &mut ImplItemFn, right: &Type) -> Option<()> {
    let left = &block.self_ty;
    let changed = renamed(method.block.to_token_stream(), "__place");
    // a function inside that has a `self` of its own is no longer one
    let mut changed: syn::Block = syn::parse2(changed).ok()?;
    Returned.visit_block_mut(&mut changed);
    let mut body: syn::Block = syn::parse_quote!({ { let __place = &mut self; #changed } self });
    if is_reference(right) {
        let by = parameter(method)?;
        let ty = behind(right);
        body = syn::parse_quote!({ let #by = &__right; #body });
        *method.sig.inputs.iter_mut().nth(1)? = syn::parse_quote!(__right: #ty);
    }
    *method.sig.inputs.first_mut()? = syn::parse_quote!(mut self);
    method.sig.output = syn::parse_quote!(-> #left);
    method.block = body;
    Some(())
}

/// `return self;` for `return;`, outside of closures.
struct Returned;

impl VisitMut for Returned {
    fn visit_expr_return_mut(&mut self, leave: &mut syn::ExprReturn) {
        leave.expr = Some(syn::parse_quote!(self));
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The fields, where each statement is `self.field += by.field`, or `self.field *= by`.
fn each_field(method: &ImplItemFn, name: &str, by: &Ident) -> Option<Vec<Member>> {
    let field = |expr: &Expr, of: &str| match expr {
        Expr::Field(field) if is_name(&field.base, of) => Some(field.member.clone()),
        _ => None,
    };
    let by = by.to_string();
    let each = method.block.stmts.iter().map(|statement| {
        let Stmt::Expr(
            Expr::Binary(ExprBinary {
                left, op, right, ..
            }),
            _,
        ) = statement
        else {
            return None;
        };
        let to = field(left, "self")?;
        let is_right = match (name, op) {
            ("add", BinOp::AddAssign(_)) | ("sub", BinOp::SubAssign(_)) => {
                field(right, &by).as_ref() == Some(&to)
            }
            ("mul", BinOp::MulAssign(_)) => is_name(right, &by),
            _ => false,
        };
        is_right.then_some(to)
    });
    each.collect()
}

/// A check of each field of `all`, where no field may be left out.
fn destructured(of: &Type, fields: &[Member], check: &TokenStream) -> TokenStream {
    let path = without_generics(of);
    let names: Vec<_> = (0..fields.len())
        .map(|i| format_ident!("field{i}"))
        .collect();
    quote! {
        let #path { #(#fields: #names),* } = all;
        #(#check(#names);)*
    }
}

/// Whether the body is `*self = *self op by`.
fn delegates(method: &ImplItemFn, name: &str, by: &Ident) -> bool {
    let [Stmt::Expr(Expr::Assign(assign), _)] = &method.block.stmts[..] else {
        return false;
    };
    let is_self = |expr: &Expr| matches!(expr, Expr::Unary(of) if is_name(&of.expr, "self"));
    let Expr::Binary(ExprBinary {
        left, op, right, ..
    }) = &*assign.right
    else {
        return false;
    };
    let plain = matches!(
        (name, op),
        ("add", BinOp::Add(_))
            | ("sub", BinOp::Sub(_))
            | ("mul", BinOp::Mul(_))
            | ("div", BinOp::Div(_))
            | ("rem", BinOp::Rem(_))
    );
    plain && is_self(&assign.left) && is_self(left) && is_name(right, &by.to_string())
}

fn is_name(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident(name))
}

/// The path of a type without its arguments.
fn without_generics(ty: &Type) -> TokenStream {
    let Type::Path(path) = ty else {
        return ty.to_token_stream();
    };
    let mut path = path.path.clone();
    for segment in &mut path.segments {
        segment.arguments = syn::PathArguments::None;
    }
    path.to_token_stream()
}
