//! Closures that give an `Option`: a flag says at each of their ends whether there is a value.
//!
//! ```text
//! // let g = |a| if a > 1.0 { Some(a * a) } else { None }; g(x)
//! let value = if x > 1.0 { there = true; x * x } else { there = false; blank };
//! ```

use syn::{Expr, ExprCall};

use super::closure::Ends;
use super::combinator::CALLED;
use super::some::{NOT_KNOWN, at_ends};
use super::{Binding, Lower, plain};
use crate::differentiable::ir::*;

impl Lower<'_> {
    /// The closure that is called, if it gives an `Option`.
    pub(super) fn option_closure(&self, call: &ExprCall) -> Option<syn::ExprClosure> {
        match self.lookup(&plain::simple_name(&call.func)?)? {
            Binding::Closure { closure, .. } if self.may_flag(closure) => Some(closure.clone()),
            _ => None,
        }
    }

    /// Whether the ends of a closure say whether there is a value: those of a `Result` where its error is not asked for.
    fn may_flag(&self, closure: &syn::ExprClosure) -> bool {
        gives_option(closure) || !self.fallible && gives(closure, |end| is_written(end, true))
    }

    /// `let called = f(x);` of such a closure. Whether it is one.
    pub(super) fn let_called(&mut self, local: &syn::Ident, init: &Expr) -> bool {
        let Expr::Call(call) = init else { return false };
        if local != CALLED {
            return false;
        }
        let Some(mut closure) = self.option_closure(call) else {
            return false;
        };
        if let Err(end) = self.flagged(&mut closure.body) {
            self.errors.at(end, NOT_KNOWN);
            self.bind(CALLED, Binding::Inactive);
            return true;
        }
        let [there, some] = ["there", "some"].map(|part| self.unbound(local, part));
        let kept = self.flag(&there.to_string());
        let value = self.closure_call_with(call, Ends::Flagged(kept), |called| {
            *called = closure;
            true
        });
        let Some(value) = value else { return false };
        self.bind(&there.to_string(), Binding::Root(kept));
        let value = match self.atom_base(value) {
            Base::Def(d) => Binding::Def(d),
            Base::Root(r) => Binding::Root(r),
        };
        self.bind(&some.to_string(), value);
        self.bind(CALLED, Binding::Optional { there, some });
        true
    }
}

/// Whether a closure gives an `Option`, and does not ask by `?`, which would leave the function around it.
pub(super) fn gives_option(closure: &syn::ExprClosure) -> bool {
    gives(closure, |end| {
        matches!(end, Expr::Path(_)) && super::option::is_none(end) || is_written(end, false)
    })
}

/// Whether an end of a closure is such a one, and no `?` is in it.
fn gives(closure: &syn::ExprClosure, is: impl Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    let _ = at_ends(&mut closure.body.clone(), &mut |end| {
        found |= is(end);
        Ok(())
    });
    found && !super::ways::asks(&closure.body)
}

/// `Some(x)`, and `Ok(x)` if it counts.
fn is_written(end: &Expr, results: bool) -> bool {
    matches!(end, Expr::Call(call) if super::some::is_some(call) || results && super::some::is_ok(call))
}
