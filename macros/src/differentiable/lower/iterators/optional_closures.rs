//! The closures of `filter_map`, `map_while` and `scan`, which end in `Some(x)` or `None`.
//!
//! ```text
//! // xs.iter().filter_map(|x| if *x > 0.0 { Some(x.ln()) } else { None })
//! let mut kept;
//! let value = if x > 0.0 { kept = true; x.ln() } else { kept = false; blank };
//! if kept { … }
//! ```

use quote::quote;
use syn::{Expr, ExprClosure};

use super::element::Element;
use crate::differentiable::ir::*;
use crate::differentiable::lower::{Binding, Lower, binding};
use crate::differentiable::syntax::ends::{Ended, at_ends};
use crate::differentiable::syntax::options::{self, is_some};
use crate::differentiable::tokens::head::head;
use crate::differentiable::tokens::tail::tail;

/// The name of the flag where a closure's ends are written out.
pub(crate) const KEPT: &str = "__kept";

/// What is said of a closure that ends in another `Option`.
pub(crate) const NOT_KNOWN: &str =
    "this is not known to be there or not: end the closure in `Some(…)` or `None`";

impl Lower<'_> {
    /// Runs `some` with what is in the `Some` that `f` gives for these elements, `none` if it gives `None`.
    pub(crate) fn if_some(
        &mut self,
        f: &ExprClosure,
        elements: Vec<Element>,
        some: impl FnOnce(&mut Self, Element),
        none: impl FnOnce(&mut Self),
    ) {
        let mut f = f.clone();
        if let Err(end) = self.flagged(&mut f.body) {
            return self.errors.at(end, NOT_KNOWN);
        }
        let kept = self.flag("kept");
        self.scopes.push(Default::default());
        self.bind(KEPT, Binding::Root(kept));
        let value = self.apply(&f, elements);
        self.scopes.pop();
        let kept = Atom::Def(self.version(kept));
        self.either(kept, |this| some(this, Element::Atom(value)), none);
    }

    /// Whether a `map` is one whose closure gives `Option`s.
    pub(crate) fn gives_options(&self, map: &syn::ExprMethodCall) -> bool {
        match map.args.first() {
            Some(Expr::Closure(f)) if map.method == "map" => {
                self.flagged(&mut f.body.clone()).is_ok()
            }
            _ => false,
        }
    }

    /// The state of `scan`, which begins as `start`.
    pub(crate) fn state(&mut self, start: &Expr) -> RootId {
        let value = self.value(start);
        let value = match value {
            Atom::Const(expr) => {
                let float =
                    matches!(start, Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Float(_)));
                let ty = float.then(|| self.scalar.clone());
                let expr = binding::annotated(ty.as_ref(), expr);
                Atom::Def(self.def(DefKind::Pure(expr), false))
            }
            value => value,
        };
        let in_parts = matches!(start, Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_));
        let root = self.variable("state", value, true);
        if in_parts {
            self.program.roots[root].kind = RootKind::Memory;
            self.versions.remove(&root);
        }
        root
    }

    /// Writes `{ kept = true; x }` for `Some(x)` at the ends of an expression, `{ kept = false; blank }` for `None`.
    pub(crate) fn flagged(&self, expr: &mut Expr) -> Ended {
        at_ends(expr, &mut |end| {
            let kept = quote::format_ident!("{KEPT}");
            let absent = quote!({ #kept = false; ::coenzyme::__private::Blank::blank() });
            let present = |value: &Expr| {
                let value = tail(value);
                quote!({ #kept = true; #value })
            };
            if options::is_none(end) {
                *end = syn::parse_quote!(#absent);
                return Ok(());
            }
            // `Some(x)`, `condition.then_some(x)`, a call that may give a value
            let Some((condition, value)) = self.test_and_entry(end) else {
                return Err(Box::new(end.clone()));
            };
            let present = present(&value);
            *end = match condition {
                Expr::Lit(_) => syn::parse_quote!(#present),
                condition => {
                    let condition = head(&condition);
                    syn::parse_quote!(if #condition #present else #absent)
                }
            };
            Ok(())
        })
    }
}

/// The closure that gives `x` where this one gives `Some(x)`, if it does so at all its ends.
pub(crate) fn always(f: &ExprClosure) -> Option<ExprClosure> {
    let mut f = f.clone();
    let unwrapped = at_ends(&mut f.body, &mut |end| match &*end {
        Expr::Call(call) if is_some(call) => {
            *end = call.args[0].clone();
            Ok(())
        }
        _ => Err(Box::new(end.clone())),
    });
    unwrapped.is_ok().then_some(f)
}
