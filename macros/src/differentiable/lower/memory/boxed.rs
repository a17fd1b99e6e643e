//! Boxes of active values: made by `Box::new`, read and written behind a `*`.
//!
//! ```text
//! // let mut b = Box::new(2.0 * x); *b += y; *b
//! let mut b = Box::new(2.0 * x); b = Box::new(content(&b) + y); content(&b)
//! ```

use quote::quote;
use syn::{Expr, ExprCall, Type};

use crate::differentiable::ir::*;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::paths;
use crate::differentiable::syntax::names::simple_name;

impl Lower<'_> {
    /// `b` of `*b`, `**b`, where the innermost star is that of a box, as far as tokens tell.
    pub(crate) fn boxed<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        let (mut stars, mut of) = (0, expr);
        while let Expr::Unary(unary) = without_parens(of)
            && matches!(unary.op, syn::UnOp::Deref(_))
        {
            (stars, of) = (stars + 1, &unary.expr);
        }
        // `*b.as_mut()` of a box is `*b`
        let of = lent(of).filter(|of| self.is_box(of)).unwrap_or(of);
        let references = match simple_name(of).and_then(|n| self.lookup(&n)) {
            Some(Binding::Alias { .. } | Binding::View(_)) => 1,
            Some(Binding::Root(r)) if self.is_parameter(*r) => 1,
            _ => 0,
        };
        (stars > references && self.is_box(of)).then_some(of)
    }

    fn is_parameter(&self, root: RootId) -> bool {
        matches!(self.program.roots[root].kind, RootKind::Param { .. })
    }

    /// Whether an expression is a box, as far as tokens tell.
    pub(crate) fn is_box(&self, expr: &Expr) -> bool {
        self.type_of(expr).is_some_and(|ty| content(&ty).is_some())
    }

    /// What is in a box.
    pub(crate) fn content(&mut self, of: &Expr) -> Atom {
        let place = match self.place(of) {
            Some(place) => self.settled(place),
            None => {
                let value = self.value(of);
                super::place::whole(self.atom_base(value))
            }
        };
        let callee = Callee::Path(syn::parse_quote!(::coenzyme::__private::content));
        self.finish_call(callee, vec![Arg::Shared(place)], true, Unpack::Plain)
    }

    /// `Box::new(x)`
    pub(crate) fn new_box(&mut self, call: &ExprCall) -> Option<Atom> {
        if !is_new_box(call) {
            return None;
        }
        let value = self.value(&call.args[0]);
        let parts = vec![(quote!(), value)];
        Some(self.make(parts, |value| quote!(::std::boxed::Box::new(#(#value)*))))
    }

    /// `*b = x`. Whether `b` is a box.
    pub(crate) fn assign_boxed(&mut self, left: &Expr, right: &Expr) -> bool {
        let Some(of) = self.boxed(left).cloned() else {
            return false;
        };
        let value = self.value(&syn::parse_quote!(::std::boxed::Box::new(#right)));
        if let Some(place) = self.place(&of) {
            self.set(place, value);
        }
        true
    }

    /// Refuses a reference into a box of one number, which is no memory.
    pub(crate) fn refused_boxed(&mut self, reference: &syn::ExprReference) -> bool {
        let inside = self.boxed(&reference.expr).and_then(|of| self.type_of(of));
        let inside = inside.as_ref().and_then(content);
        let refused = inside.is_some_and(|ty| ty == &self.scalar);
        if refused {
            self.errors.at(
                reference,
                "a reference to the number in a box is not followed: write `*b` where it is read or assigned",
            );
        }
        refused
    }
}

/// `b` of `b.as_ref()` and `b.as_mut()`.
fn lent(of: &Expr) -> Option<&Expr> {
    match of {
        Expr::MethodCall(call) if call.args.is_empty() => {
            let lends = call.method == "as_ref" || call.method == "as_mut";
            lends.then_some(&*call.receiver)
        }
        _ => None,
    }
}

pub(crate) fn without_parens(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => without_parens(&paren.expr),
        expr => expr,
    }
}

/// `T` of `Box<T>`.
pub(crate) fn content(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|s| s.ident == "Box")?;
    match &last.arguments {
        syn::PathArguments::AngleBracketed(args) => match args.args.first() {
            Some(syn::GenericArgument::Type(ty)) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}

/// `Box::new(x)`
pub(crate) fn is_new_box(call: &ExprCall) -> bool {
    paths::is(&call.func, &["boxed", "Box", "new"], 2) && call.args.len() == 1
}
