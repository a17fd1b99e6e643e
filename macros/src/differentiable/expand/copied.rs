//! What is taken by value and changes afterwards: loops and chains run over a copy.
//!
//! ```text
//! // for q in w { w[2] += q; }
//! { let copied = w; for q in copied { w[2] += q; } }
//! ```
//!
//! What is borrowed cannot change, so that places behind `&`, `iter()` and the like are left as they are.

use syn::visit::Visit;
use syn::{Expr, ExprForLoop, ExprMethodCall, Stmt};

use super::ref_patterns::is_place;
use crate::differentiable::resolve::usage::Usage;
use crate::differentiable::resolve::varied::place_root;
use crate::differentiable::syntax::names::hidden;

/// A loop over arrays that its body changes.
pub(crate) fn before_rounds(l: &ExprForLoop) -> Option<Expr> {
    let mut changed = Usage::default();
    changed.visit_block(&l.body);
    closures(&l.expr, &mut changed);
    let mut l = l.clone();
    let copies = copies(&mut l.expr, &changed);
    (!copies.is_empty()).then(|| syn::parse_quote!({ #(#copies)* #l }))
}

/// A chain over arrays that one of its closures changes.
pub(crate) fn before_closures(call: &ExprMethodCall) -> Option<Expr> {
    let mut changed = Usage::default();
    let mut chain = Expr::MethodCall(call.clone());
    closures(&chain, &mut changed);
    let copies = copies(&mut chain, &changed);
    (!copies.is_empty()).then(|| syn::parse_quote!({ #(#copies)* #chain }))
}

/// What the closures of a chain change.
fn closures(chain: &Expr, changed: &mut Usage) {
    let Expr::MethodCall(call) = chain else {
        return;
    };
    closures(&call.receiver, changed);
    for arg in &call.args {
        match arg {
            Expr::Closure(closure) => changed.visit_expr(&closure.body),
            other => closures(other, changed),
        }
    }
}

/// Puts names of copies into a chain for those of its arrays that change.
fn copies(chain: &mut Expr, changed: &Usage) -> Vec<Stmt> {
    let mut copies = Vec::new();
    let mut places = Vec::new();
    by_value(chain, &mut places);
    for place in places {
        let changes = |name: &String| {
            let named = [&changed.whole, &changed.parts, &changed.grown];
            named.iter().any(|names| names.contains(name)) || changed.receivers.contains(name)
        };
        if place_root(place).as_ref().is_some_and(changes) {
            let name = hidden(&format!("copied{}", copies.len()));
            let of = std::mem::replace(place, syn::parse_quote!(#name));
            copies.push(syn::parse_quote!(let #name = #of;));
        }
    }
    copies
}

/// The places whose elements a chain of iterators takes by value.
fn by_value<'e>(chain: &'e mut Expr, places: &mut Vec<&'e mut Expr>) {
    match chain {
        Expr::Paren(paren) => by_value(&mut paren.expr, places),
        Expr::MethodCall(call) => {
            // of an array: `w.map(f)`
            let of_array = call.method == "map" || call.method == "into_iter";
            if of_array || !is_place(&call.receiver) {
                by_value(&mut call.receiver, places);
            }
            if ["chain", "zip"].iter().any(|name| call.method == name)
                && let Some(other) = call.args.first_mut()
            {
                by_value(other, places);
            }
        }
        place if is_place(place) => places.push(place),
        _ => {}
    }
}
