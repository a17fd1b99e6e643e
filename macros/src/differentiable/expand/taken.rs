//! What is taken out of a field that is an `Option`, a vector or a number: a copy, and an assignment.
//!
//! ```text
//! self.last.take()                  // { let taken = self.last.clone(); self.last = None; taken }
//! self.last.replace(x)              // { let put = x; let taken = self.last.clone(); self.last = Some(put); taken }
//! mem::take(&mut self.history)      // { let taken = self.history.clone(); self.history.clear(); taken }
//! ```
//!
//! What the field is is what the structs of the file propose; the type of the copy asks for it, so that another is a compile error.

use proc_macro2::Ident;
use syn::{Expr, Member, Stmt, Type};

use crate::differentiable::methods::paths;
use crate::differentiable::syntax::names::hidden;
use crate::files::own_field::{self, Kind};

/// What is taken, or a chain of methods that begins with it.
pub(crate) fn written_out(expr: &Expr) -> Option<Expr> {
    let mut chain = expr.clone();
    let mut first = &mut chain;
    let taken = hidden("taken");
    let steps = loop {
        if let Some(steps) = steps(first, &taken) {
            break steps;
        }
        first = match first {
            Expr::MethodCall(call) => &mut call.receiver,
            Expr::Try(tried) => &mut tried.expr,
            _ => return None,
        };
    };
    *first = syn::parse_quote!(#taken);
    Some(syn::parse_quote!({ #(#steps)* #chain }))
}

/// The statements after which a name holds what an expression takes out of a field.
fn steps(expr: &Expr, taken: &Ident) -> Option<Vec<Stmt>> {
    let (place, value) = match expr {
        Expr::MethodCall(call) if kind_of(&call.receiver) == Some(Kind::Option) => {
            match (call.method.to_string().as_str(), call.args.len()) {
                ("take", 0) => (&*call.receiver, None),
                ("replace", 1) => (&*call.receiver, call.args.first()),
                _ => return None,
            }
        }
        Expr::Call(call) if paths::is(&call.func, &["mem", "take"], 2) => match call.args.first() {
            Some(Expr::Reference(lent)) => (&*lent.expr, None),
            _ => return None,
        },
        _ => return None,
    };
    let put = hidden("put");
    let (ty, changed): (Type, Expr) = match (kind_of(place)?, value) {
        (Kind::Option, Some(_)) => (
            syn::parse_quote!(::core::option::Option<_>),
            syn::parse_quote!(#place = Some(#put)),
        ),
        (Kind::Option, None) => (
            syn::parse_quote!(::core::option::Option<_>),
            syn::parse_quote!(#place = None),
        ),
        (Kind::Vector, _) => (
            syn::parse_quote!(::std::vec::Vec<_>),
            syn::parse_quote!(#place.clear()),
        ),
        // what is no number is no `0.0`
        (Kind::Number, _) => (syn::parse_quote!(_), syn::parse_quote!(#place = 0.0)),
        (Kind::Slice | Kind::Unnumbered, _) => return None,
    };
    let first: Option<Stmt> = value.map(|value| syn::parse_quote!(let #put = #value;));
    let then = [
        syn::parse_quote!(let #taken: #ty = #place.clone();),
        syn::parse_quote!(#changed;),
    ];
    Some(first.into_iter().chain(then).collect())
}

/// What a field is that is reached by fields alone.
pub(crate) fn kind_of(place: &Expr) -> Option<Kind> {
    let Expr::Field(field) = place else {
        return None;
    };
    let mut base = &*field.base;
    while let Expr::Field(outer) = base {
        base = &outer.base;
    }
    match (&field.member, base) {
        (Member::Named(name), Expr::Path(_)) => own_field::kind(name),
        _ => None,
    }
}
