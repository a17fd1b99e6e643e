//! Fields that are `Option`s: what is mapped into another, and those of what a call gives.
//!
//! ```text
//! self.norm = self.norm.map(f)                // self.norm = match self.norm { Some(inside) => Some(f(inside)), None => None }
//! Fit { norm: self.norm.map(f) }              // the same of a field that is made
//! fit(x).norm.unwrap_or(0.0)                  // { let held = fit(x); held.norm.unwrap_or(0.0) }
//! ```
//!
//! What the field is is what the structs of the file propose; the patterns ask for it, so that another is a compile error.

use syn::{Expr, ExprAssign, ExprMethodCall, ExprStruct, Member};

use super::desugar;
use super::taken::kind_of;
use crate::differentiable::syntax::names::hidden;
use crate::files::own_field::{self, Kind};

/// Methods that take out of an `Option` what it holds.
const TAKES: &[&str] = &[
    "expect",
    "map_or",
    "map_or_else",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
];

/// What an assignment maps, in branches.
pub(super) fn assigned(assign: &ExprAssign) -> Option<Expr> {
    let value = mapped(&assign.right)?;
    let mut assign = assign.clone();
    *assign.right = value;
    Some(Expr::Assign(assign))
}

/// What the fields of a struct map, in branches.
pub(super) fn made(structure: &ExprStruct) -> Option<Expr> {
    let mut structure = structure.clone();
    let mut any = false;
    for field in &mut structure.fields {
        if let Some(value) = mapped(&field.expr) {
            field.expr = value;
            any = true;
        }
    }
    any.then_some(Expr::Struct(structure))
}

/// What is taken out of a field of what a call gives, which gets a name: `fit(x).norm.unwrap_or(0.0)`.
pub(super) fn held(call: &ExprMethodCall) -> Option<Expr> {
    let Expr::Field(field) = &*call.receiver else {
        return None;
    };
    let is_option =
        matches!(&field.member, Member::Named(name) if own_field::kind(name) == Some(Kind::Option));
    let is_taken = TAKES.iter().any(|name| call.method == name);
    if !is_option || !is_taken || !desugar::is_called(&field.base) {
        return None;
    }
    let (held, of, mut chain) = (desugar::held_name(), &field.base, call.clone());
    let member = &field.member;
    *chain.receiver = syn::parse_quote!(#held.#member);
    Some(syn::parse_quote!({ let #held = #of; #chain }))
}

/// `o.map(f)` of such a field, in branches.
fn mapped(value: &Expr) -> Option<Expr> {
    let Expr::MethodCall(ExprMethodCall {
        receiver,
        method,
        args,
        ..
    }) = value
    else {
        return None;
    };
    let (lent, of) = match &**receiver {
        Expr::MethodCall(call) if call.method == "as_ref" && call.args.is_empty() => {
            (true, &call.receiver)
        }
        _ => (false, receiver),
    };
    let place = option_field(of)?;
    let (Some(f), true) = (args.first(), method == "map" && args.len() == 1) else {
        return None;
    };
    let (inside, lent) = (hidden("inside"), lent.then(<syn::Token![&]>::default));
    let f: Expr = match f {
        Expr::Closure(_) => syn::parse_quote!((#f)),
        f => f.clone(),
    };
    Some(syn::parse_quote!(match #lent #place { Some(#inside) => Some(#f(#inside)), None => None }))
}

/// A field that is an `Option`.
fn option_field(of: &Expr) -> Option<&Expr> {
    (kind_of(of) == Some(Kind::Option)).then_some(of)
}
