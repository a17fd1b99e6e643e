//! Loops over what only its type knows how to go through: an iterator of the user's own, or a chain that begins with one.
//!
//! ```text
//! // for u in samples.take(8) { … }
//! { let mut stepped = IntoIterator::into_iter(samples.take(8)); loop { match stepped.next() { Some(u) => { … } _ => break } } }
//! ```
//!
//! Whatever the type is, this is what a `for` does; other loops know before the first round how many there are.

use syn::{Expr, ExprForLoop, Type};

use crate::differentiable::ir::DefKind;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::table::{self, Fact};
use crate::differentiable::methods::types;
use crate::differentiable::resolve::usage;
use crate::differentiable::syntax::names::simple_name;

impl Lower<'_> {
    /// The loop that takes one entry after the other, over an iterator without derivative; `leaves`: something in it may end it.
    pub(crate) fn by_steps(&self, l: &ExprForLoop, leaves: bool) -> Option<Expr> {
        let steps = self.begins_with_own(&l.expr) || self.is_returned_iterator(&l.expr, leaves);
        if !steps || self.is_varied(&l.expr) {
            return None;
        }
        let (label, pat, of, body) = (&l.label, &l.pat, &l.expr, &l.body);
        let stepped = usage::stepped_name();
        Some(syn::parse_quote!({
            let mut #stepped = ::core::iter::IntoIterator::into_iter(#of);
            #label loop { match #stepped.next() { Some(#pat) => #body _ => break } }
        }))
    }

    /// Whether the elements of a chain that begins with an iterator of the user's own may be had before the first round: `take` bounds it,
    /// `samples.take(8)`, or all of them are asked for anyway (`to_its_end`), and what `next` does cannot be seen in the rounds.
    pub(crate) fn is_own_chain(&self, chain: &Expr, to_its_end: bool) -> bool {
        self.begins_with_own(chain)
            && (is_bounded(chain) || to_its_end && self.shares_nothing(chain))
    }

    /// Whether a chain begins with a value that is made there, `Countdown(n)`, of what leads to nothing.
    fn shares_nothing(&self, chain: &Expr) -> bool {
        match chain {
            Expr::Paren(paren) => self.shares_nothing(&paren.expr),
            Expr::MethodCall(call) => {
                call.args.iter().all(is_number) && self.shares_nothing(&call.receiver)
            }
            Expr::Call(call) => call.args.iter().all(|arg| self.leads_nowhere(arg)),
            Expr::Struct(made) => {
                made.rest.is_none() && made.fields.iter().all(|f| self.leads_nowhere(&f.expr))
            }
            _ => false,
        }
    }

    /// Whether an argument is a number, as it is written or as its operators tell.
    fn leads_nowhere(&self, arg: &Expr) -> bool {
        let counts = |name: &Expr| {
            let ty = self.type_of(name);
            ty.is_some_and(|ty| types::is_inactive_type(&ty) && !matches!(ty, Type::Reference(_)))
                || self.is_loop_variable(name)
        };
        is_number(arg) || counts(arg)
    }

    fn is_loop_variable(&self, name: &Expr) -> bool {
        let binding = simple_name(name).and_then(|name| self.lookup(&name));
        matches!(binding, Some(Binding::Def(d)) if matches!(self.program.defs[*d].kind, DefKind::LoopVariable))
    }

    /// Whether a function of the file returned an iterator, of which no list is made before the first round.
    fn is_returned_iterator(&self, held: &Expr, leaves: bool) -> bool {
        let name = simple_name(held);
        match name.and_then(|name| self.lookup(&name)) {
            Some(Binding::Def(d)) => {
                self.iterators.contains(d) && (leaves || !self.chains.contains(d))
            }
            _ => false,
        }
    }

    /// Whether a name is that of a constant, of which nothing says that it is a list.
    fn is_own_constant(&self, name: &Expr) -> bool {
        simple_name(name).is_some_and(|name| {
            name.starts_with(char::is_uppercase) && self.lookup(&name).is_none()
        })
    }

    /// Whether a chain begins with a value of a type of the user's.
    fn begins_with_own(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.begins_with_own(&paren.expr),
            Expr::Path(_) | Expr::Call(_) | Expr::Struct(_) => {
                let ty = self.type_of(expr);
                ty.is_some_and(|ty| self.is_own_type(&ty))
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let adapts = table::is(&name, Fact::Adapts) || name == "into_iter";
                let starts = table::is(&name, Fact::Starts) && self.callees.knows(&name);
                (adapts || starts) && self.begins_with_own(&call.receiver)
                    || starts && self.is_own_constant(&call.receiver)
            }
            _ => false,
        }
    }
}

/// Whether an expression can be nothing but a number: `3`, `n + 1`, `x.len()`.
fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Binary(_) | Expr::Cast(_) => true,
        Expr::Paren(paren) => is_number(&paren.expr),
        Expr::MethodCall(call) => call.method == "len",
        _ => false,
    }
}

/// Whether `take` says how many entries there are at most.
fn is_bounded(chain: &Expr) -> bool {
    match chain {
        Expr::Paren(paren) => is_bounded(&paren.expr),
        Expr::MethodCall(call) => match call.method.to_string().as_str() {
            "take" => true,
            "chain" | "cycle" | "flat_map" | "flatten" => false,
            _ => is_bounded(&call.receiver),
        },
        _ => false,
    }
}
