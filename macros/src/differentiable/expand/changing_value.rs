//! Values whose calls change something: which of them have no derivative, and what is evaluated first.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprMethodCall, Ident, Type, UnOp};

use crate::differentiable::methods::operations;
use crate::differentiable::syntax::names::{hidden, simple_name};
use crate::differentiable::tokens::text::names;

/// What the names of calls' values begin with.
const TOLD: &str = "told";

/// The name of what the call of this number gives.
pub(super) fn told(number: usize) -> Ident {
    hidden(&format!("{TOLD}{number}"))
}

/// What a statement evaluates first, if that is not all of it.
pub(super) fn evaluated(stmt: &mut Expr) -> Option<&mut Expr> {
    Some(match stmt {
        Expr::Assign(assign) => &mut assign.right,
        Expr::Binary(binary) => {
            operations::compound(&binary.op)?;
            &mut binary.right
        }
        Expr::Match(matched) => &mut matched.expr,
        Expr::ForLoop(each) => &mut each.expr,
        _ => return None,
    })
}

/// `&mut x`
pub(super) fn is_lent(arg: &Expr) -> bool {
    matches!(arg, Expr::Reference(lent) if lent.mutability.is_some())
}

/// Methods of numbers whose values have no derivative.
const INERT: &[&str] = &[
    "ceil",
    "floor",
    "is_finite",
    "is_infinite",
    "is_nan",
    "is_normal",
    "is_sign_negative",
    "is_sign_positive",
    "round",
    "signum",
    "trunc",
];

/// Whether a method asks what an option holds by a closure.
pub(super) fn asks_inside(method: &Ident) -> bool {
    let names = ["is_some_and", "is_none_or", "is_ok_and"];
    names.iter().any(|name| method == name)
}

/// `match e { p if c => true, _ => false }` of `matches!(e, p if c)` and of `e.is_some_and(|p| c)`.
pub(super) fn matched(question: &Expr) -> Option<Expr> {
    let parse = |input: syn::parse::ParseStream<'_>| {
        let value: Expr = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
        let guard: TokenStream = input.parse()?;
        syn::parse2(quote!(match #value { #pat #guard => true, _ => false }))
    };
    match question {
        Expr::Macro(of) => {
            let last = of.mac.path.segments.last();
            let is_it = last.is_some_and(|last| last.ident == "matches");
            is_it.then(|| of.mac.parse_body_with(parse).ok())?
        }
        Expr::MethodCall(call) if asks_inside(&call.method) => {
            let Expr::Closure(closure) = call.args.first()? else {
                return None;
            };
            let (of, held, condition) = (&call.receiver, closure.inputs.first()?, &closure.body);
            let (held, other) = match call.method.to_string().as_str() {
                "is_some_and" => (quote!(Some(#held)), false),
                "is_ok_and" => (quote!(Ok(#held)), false),
                _ => (quote!(Some(#held)), true),
            };
            syn::parse2(quote!(match #of { #held => #condition, _ => #other })).ok()
        }
        _ => None,
    }
}

/// Whether what an expression gives has no derivative, whatever is in it.
pub(super) fn is_inert(value: &Expr) -> bool {
    match value {
        Expr::Binary(binary) => {
            operations::operator(&binary.op).is_none() && operations::compound(&binary.op).is_none()
        }
        Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
        Expr::Cast(cast) => {
            !matches!(&*cast.ty, Type::Path(ty) if ty.path.is_ident("f64") || ty.path.is_ident("f32"))
        }
        Expr::Range(_) => true,
        Expr::MethodCall(call) => {
            let name = call.method.to_string();
            INERT.contains(&name.as_str())
        }
        _ => false,
    }
}

/// Whether a call reads its receiver before its arguments are evaluated, which may change it: not that of `v.set(f(w))`, which is a place.
pub(super) fn reads_receiver_first(call: &ExprMethodCall) -> bool {
    match &*call.receiver {
        Expr::Path(path) => call.args.iter().any(|arg| {
            path.path
                .get_ident()
                .is_some_and(|name| names(arg.to_token_stream(), name))
        }),
        _ => true,
    }
}

/// Whether what changes after it has been evaluated does not change a value: numbers that are written, and what is known already.
pub(super) fn is_settled(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) => true,
        Expr::Path(_) => {
            simple_name(value).is_some_and(|name| name.starts_with(&hidden(TOLD).to_string()))
        }
        Expr::Paren(of) => is_settled(&of.expr),
        Expr::Unary(of) => is_settled(&of.expr),
        Expr::Cast(of) => is_settled(&of.expr),
        Expr::Binary(of) => is_settled(&of.left) && is_settled(&of.right),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_matches() {
        for (question, expected) in [
            (
                "matches!(f(v), Ok(y) if y > 0.1)",
                Some("match f(v) { Ok(y) if y > 0.1 => true, _ => false }"),
            ),
            (
                "f(v).is_some_and(|y| y > 0.1)",
                Some("match f(v) { Some(y) => y > 0.1, _ => false }"),
            ),
            (
                "f(v).is_none_or(|y| y > 0.1)",
                Some("match f(v) { Some(y) => y > 0.1, _ => true }"),
            ),
            ("f(v).is_some()", None),
            ("matches!(f(v))", None),
        ] {
            let text = |expr: Expr| expr.to_token_stream().to_string();
            let parsed = |of: &str| text(syn::parse_str(of).expect("an expression"));
            let question = syn::parse_str(question).expect("an expression");
            assert_eq!(matched(&question).map(text), expected.map(parsed));
        }
    }

    #[test]
    fn roundings_and_comparisons_have_no_derivative() {
        for (value, expected) in [
            ("f(v) as usize", true),
            ("f(v) > 0.5", true),
            ("0..f(v)", true),
            ("f(v).round()", true),
            ("f(v) as f64", false),
            ("f(v) * 2.0", false),
            ("f(v).abs()", false),
        ] {
            let parsed = syn::parse_str(value).expect("an expression");
            assert_eq!(is_inert(&parsed), expected, "{value}");
        }
    }

    #[test]
    fn receivers_are_places_unless_arguments_name_them() {
        for (call, first) in [
            ("x.max(f(&mut x))", true),
            ("f(v).max(x)", true),
            ("v.set(f(w))", false),
        ] {
            let call = syn::parse_str(call).expect("a call");
            assert_eq!(reads_receiver_first(&call), first);
        }
    }
}
