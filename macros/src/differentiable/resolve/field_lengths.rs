//! Fields that an assignment may give another length: `self.v = self.v.windows(2).map(|w| w[0] * w[1]).collect()`.

use quote::ToTokens;
use syn::{Expr, ExprAssign, ExprField, Member, UnOp};

use super::varied::place_root;
use crate::differentiable::methods::{operations, paths};
use crate::differentiable::syntax::vec_macro::VecMacro;
use crate::files::{own_field, own_shape};

/// The name of what has a field, or is behind a reference, that an assignment may give another length.
pub(super) fn assigned(assign: &ExprAssign) -> Option<String> {
    let changes = may_change(&assign.left) && !has_one_shape(&assign.right);
    (changes && !keeps(&assign.left, &assign.right)).then(|| place_root(&assign.left))?
}

/// The same of what `mem::replace(&mut s.v, value)` changes.
pub(super) fn replaced(call: &syn::ExprCall) -> Option<String> {
    let Some(Expr::Reference(lent)) = call.args.first() else {
        return None;
    };
    let replaces = paths::is(&call.func, &["mem", "replace"], 2) && may_change(&lent.expr);
    replaces.then(|| place_root(&lent.expr))?
}

/// Whether a place is a field that may have any length, or all of what a reference leads to.
fn may_change(place: &Expr) -> bool {
    match place {
        Expr::Paren(paren) => may_change(&paren.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => {
            matches!(&*unary.expr, Expr::Path(_)) || may_change(&unary.expr)
        }
        Expr::Field(field) => !is_one(field),
        _ => false,
    }
}

fn is_one(field: &ExprField) -> bool {
    matches!(&field.member, Member::Named(name) if own_shape::is_one(name))
}

/// Whether a value is a number, or has the shape of its operands.
fn has_one_shape(value: &Expr) -> bool {
    match value {
        Expr::Lit(_) | Expr::Cast(_) | Expr::Reference(_) | Expr::Closure(_) => true,
        Expr::Binary(binary) => operations::operator(&binary.op).is_some(),
        Expr::Unary(unary) => has_one_shape(&unary.expr) || matches!(unary.op, UnOp::Neg(_)),
        Expr::Paren(paren) => has_one_shape(&paren.expr),
        _ => false,
    }
}

/// Whether a list of what is no list gets as many entries as it has: `self.v = self.v.iter().map(f).collect()`.
fn keeps(place: &Expr, value: &Expr) -> bool {
    let Expr::Field(field) = place else {
        return false;
    };
    let is_flat = matches!(&field.member, Member::Named(name) if own_field::levels(name) == 1);
    is_flat && has_length_of(value, &text(place))
}

/// Whether a value has as many entries as the place of this text.
fn has_length_of(value: &Expr, place: &str) -> bool {
    const KEEP: &[&str] = &[
        "clone",
        "cloned",
        "collect",
        "copied",
        "enumerate",
        "inspect",
        "into_iter",
        "iter",
        "map",
        "rev",
        "to_vec",
    ];
    match value {
        Expr::MethodCall(call) => {
            KEEP.iter().any(|method| call.method == method)
                && (text(&call.receiver) == place || has_length_of(&call.receiver, place))
        }
        // `vec![x; self.v.len()]`
        Expr::Macro(made) if paths::is_vec(&made.mac.path) => {
            let made = made.mac.parse_body::<VecMacro>();
            matches!(made, Ok(VecMacro::Repeat(_, n)) if matches!(&*n, Expr::MethodCall(call) if call.method == "len" && text(&call.receiver) == place))
        }
        _ => false,
    }
}

fn text(expr: &Expr) -> String {
    expr.to_token_stream().to_string()
}
