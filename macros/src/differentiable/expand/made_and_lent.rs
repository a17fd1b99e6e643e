//! What is made where it is lent to be changed: `step(&mut State { x, v })` is `{ let mut made = State { x, v }; step(&mut made) }`.

use syn::punctuated::Punctuated;
use syn::{Expr, ExprCall, ExprMethodCall, Ident, Token};

use crate::differentiable::methods::paths;
use crate::differentiable::syntax::names::hidden;

/// The call behind locals for what its arguments make.
pub(crate) fn named(call: &ExprCall) -> Option<Expr> {
    let mut call = call.clone();
    let (names, values) = taken(&mut call.args);
    (!names.is_empty()).then(|| syn::parse_quote!({ #(let mut #names = #values;)* #call }))
}

/// The same of a method, whose receiver may only be looked at.
pub(crate) fn named_by_method(call: &ExprMethodCall) -> Option<Expr> {
    let mut call = call.clone();
    if !is_looked_at(&call.receiver) {
        return None;
    }
    let (names, values) = taken(&mut call.args);
    (!names.is_empty()).then(|| syn::parse_quote!({ #(let mut #names = #values;)* #call }))
}

/// Names in place of what is made, and what they stand for. It is made in front of the arguments before it, which may only be looked at.
fn taken(args: &mut Punctuated<Expr, Token![,]>) -> (Vec<Ident>, Vec<Expr>) {
    let (mut names, mut values) = (Vec::new(), Vec::new());
    for (at, arg) in args.iter_mut().enumerate() {
        match arg {
            Expr::Reference(lent) if lent.mutability.is_some() && is_made(&lent.expr) => {
                let name = hidden(&format!("made{at}"));
                values.push(std::mem::replace(&mut *lent.expr, syn::parse_quote!(#name)));
                names.push(name);
            }
            arg if is_looked_at(arg) => {}
            _ => break,
        }
    }
    (names, values)
}

/// Whether an expression makes a value that has no place yet.
fn is_made(expr: &Expr) -> bool {
    match expr {
        Expr::Struct(_) | Expr::Array(_) | Expr::Repeat(_) | Expr::Call(_) => true,
        Expr::Macro(made) => paths::is_vec(&made.mac.path),
        Expr::MethodCall(call) => ["clone", "to_vec"].iter().any(|made| call.method == made),
        _ => false,
    }
}

fn is_looked_at(arg: &Expr) -> bool {
    match arg {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Field(field) => is_looked_at(&field.base),
        Expr::Reference(lent) => is_looked_at(&lent.expr),
        Expr::Index(index) => is_looked_at(&index.expr) && is_looked_at(&index.index),
        _ => false,
    }
}
