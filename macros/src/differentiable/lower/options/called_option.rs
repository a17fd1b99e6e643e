//! Closures that give an `Option`: a flag says at each of their ends whether there is a value.
//!
//! ```text
//! // let g = |a| if a > 1.0 { Some(a * a) } else { None }; g(x)
//! let value = if x > 1.0 { there = true; x * x } else { there = false; blank };
//! ```

use syn::{Expr, ExprCall};

use super::combinator::CALLED;
use crate::differentiable::ir::*;
use crate::differentiable::lower::closures::inline::Ends;
use crate::differentiable::lower::iterators::optional_closures::NOT_KNOWN;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::syntax::options::{gives, gives_option, is_written};

impl Lower<'_> {
    /// The closure that is called, if it gives an `Option`.
    pub(crate) fn option_closure(&self, call: &ExprCall) -> Option<syn::ExprClosure> {
        match self.lookup(&simple_name(&call.func)?)? {
            Binding::Closure { closure, .. } if self.may_flag(closure) => Some(closure.clone()),
            _ => None,
        }
    }

    /// Whether the ends of a closure say whether there is a value: those of a `Result` where its error is not asked for.
    fn may_flag(&self, closure: &syn::ExprClosure) -> bool {
        gives_option(closure) || !self.fallible && gives(closure, |end| is_written(end, true))
    }

    /// `let called = f(x);` of such a closure. Whether it is one.
    pub(crate) fn let_called(&mut self, local: &syn::Ident, init: &Expr) -> bool {
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
