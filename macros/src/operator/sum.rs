//! `impl Sum for Vector` under `#[differentiable]`: that the sum of an iterator is a fold by `+`, from what is written on.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{BinOp, Expr, ExprClosure, ImplItem, ItemImpl, Pat, Stmt};

use super::by_reference::is_reference;
use super::right_operand;
use crate::differentiable::front::numbers;
use crate::differentiable::tokens::tail::tail;

/// The promise of a block that implements `Sum`, or an error that says what its body has to be; `None` for all other blocks.
pub(crate) fn promise(block: &ItemImpl) -> Option<TokenStream> {
    let (path, _) = block.trait_.as_ref()?;
    let last = path.segments.last()?;
    if last.ident != "Sum" {
        return None;
    }
    let Some(zero) = zero(block) else {
        let message = "the sum of an iterator is differentiated if its body is `iter.fold(zero, |a, b| a + b)`: write this, or take the attribute off";
        return Some(syn::Error::new_spanned(path, message).to_compile_error());
    };
    // the sum of references begins as that of values does
    if right_operand(last).is_some_and(|of| is_reference(&of)) {
        return Some(TokenStream::new());
    }
    let (ty, zero, mut generics) = (&block.self_ty, tail(&zero), block.generics.clone());
    numbers::bound(&mut generics);
    let (generics, _, clause) = generics.split_for_impl();
    Some(quote! {
        #[doc(hidden)]
        impl #generics ::coenzyme::__private::sums::Sums<::coenzyme::__private::sums::reasons::Written> for #ty #clause {
            #[inline]
            fn zero() -> Self {
                #zero
            }
        }
    })
}

/// What the fold begins with.
fn zero(block: &ItemImpl) -> Option<Expr> {
    let method = block.items.iter().find_map(|item| match item {
        ImplItem::Fn(method) => Some(method),
        _ => None,
    })?;
    let [Stmt::Expr(Expr::MethodCall(fold), None)] = &method.block.stmts[..] else {
        return None;
    };
    let of_the_iterator = fold.method == "fold" && matches!(&*fold.receiver, Expr::Path(_));
    match (of_the_iterator, fold.args.first(), fold.args.iter().nth(1)) {
        (true, Some(zero), Some(Expr::Closure(step))) if adds(step) => Some(zero.clone()),
        _ => None,
    }
}

/// Whether a closure is `|a, b| a + b`.
fn adds(step: &ExprClosure) -> bool {
    let is = |expr: &Expr, name: &Ident| {
        let expr = match expr {
            Expr::Unary(of) => &of.expr,
            expr => expr,
        };
        matches!(expr, Expr::Path(path) if path.path.is_ident(name))
    };
    let names = step.inputs.iter().filter_map(|pat| match pat {
        Pat::Ident(name) => Some(&name.ident),
        _ => None,
    });
    match (&*step.body, &names.collect::<Vec<_>>()[..]) {
        (Expr::Binary(sum), [a, b]) => {
            matches!(sum.op, BinOp::Add(_)) && is(&sum.left, a) && is(&sum.right, b)
        }
        _ => false,
    }
}
