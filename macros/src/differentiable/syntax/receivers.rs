//! Arguments that change the receiver of their own call: `p.moved(p.eat())`.
//!
//! Rust accepts that only where the method takes its receiver by value, as a copy made before the arguments are computed: a
//! reference would be held meanwhile. A field beside the one that changes is another place.

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall};

use crate::differentiable::methods::operations;

/// What the arguments of a method call do to its receiver, as far as tokens tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    #[default]
    Nothing,
    /// A method or a function gets it, perhaps to change it.
    Perhaps,
    /// It is assigned, or lent mutably.
    Surely,
}

/// What the arguments of a call do to its receiver.
pub(crate) fn change(call: &ExprMethodCall) -> Change {
    let receiver = &call.receiver;
    let found = Change::Nothing;
    let mut find = Find { receiver, found };
    call.args.iter().for_each(|arg| find.visit_expr(arg));
    find.found
}

/// Whether a call is given a place, perhaps to change it.
pub(crate) fn is_given(call: &Expr, place: &Expr) -> bool {
    match call {
        Expr::MethodCall(call) => overlap(&call.receiver, place),
        // a reference is lent again: `eat(r)`
        Expr::Call(call) => {
            let mut names = call.args.iter().filter(|a| matches!(a, Expr::Path(_)));
            names.any(|name| overlap(name, place))
        }
        _ => false,
    }
}

/// Whether two places may share something.
fn overlap(a: &Expr, b: &Expr) -> bool {
    let (Some(a), Some(b)) = (way(a), way(b)) else {
        return false;
    };
    a.iter().zip(&b).all(|(a, b)| a == b)
}

/// The name that a place begins with, and the fields on the way to it; an entry is all entries, as to the borrow checker.
fn way(place: &Expr) -> Option<Vec<String>> {
    match place {
        Expr::Path(path) => Some(vec![path.path.get_ident()?.to_string()]),
        Expr::Field(field) => {
            let mut way = way(&field.base)?;
            way.push(field.member.to_token_stream().to_string());
            Some(way)
        }
        Expr::Index(index) => {
            let mut way = way(&index.expr)?;
            way.push("[]".to_owned());
            Some(way)
        }
        Expr::Paren(paren) => way(&paren.expr),
        Expr::Group(group) => way(&group.expr),
        Expr::Reference(reference) => way(&reference.expr),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => way(&unary.expr),
        _ => None,
    }
}

struct Find<'a> {
    receiver: &'a Expr,
    found: Change,
}

impl Find<'_> {
    fn note(&mut self, change: Change, holds: bool) {
        if holds {
            self.found = self.found.max(change);
        }
    }
}

impl<'ast> Visit<'ast> for Find<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        let changed = match expr {
            Expr::Assign(assign) => Some(&assign.left),
            Expr::Binary(op) if operations::compound(&op.op).is_some() => Some(&op.left),
            Expr::Reference(lent) if lent.mutability.is_some() => Some(&lent.expr),
            _ => None,
        };
        let surely = changed.is_some_and(|place| overlap(place, self.receiver));
        self.note(Change::Surely, surely);
        self.note(Change::Perhaps, is_given(expr, self.receiver));
        visit::visit_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(call: ExprMethodCall) -> Change {
        change(&call)
    }

    #[test]
    fn what_is_assigned_or_lent_changes() {
        assert_eq!(
            of(syn::parse_quote!(p.f({
                p = q;
                1.0
            }))),
            Change::Surely
        );
        assert_eq!(of(syn::parse_quote!(p.a.f(eat(&mut p)))), Change::Surely);
        assert_eq!(
            of(syn::parse_quote!(w[0].f({
                w[1] += x;
                x
            }))),
            Change::Surely
        );
    }

    #[test]
    fn what_a_method_does_is_not_known() {
        assert_eq!(of(syn::parse_quote!(p.f(p.eat()))), Change::Perhaps);
        assert_eq!(of(syn::parse_quote!(r.f(eat(r)))), Change::Perhaps);
    }

    #[test]
    fn other_fields_are_other_places() {
        assert_eq!(of(syn::parse_quote!(s.p.f(eat(&mut s.q)))), Change::Nothing);
        assert_eq!(of(syn::parse_quote!(p.f(q.eat()))), Change::Nothing);
        assert_eq!(of(syn::parse_quote!(p.f(p.a))), Change::Nothing);
    }
}
