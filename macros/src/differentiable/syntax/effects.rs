//! Whether an expression that carries no derivative may be run twice, as far as its text shows.
//!
//! Known is what reads and computes: operators, branches, loops over locals of its own, methods of the standard library without effect, constructors, and
//! the calls of which whoever asks knows it. Everything else may have effects: other calls, macros, what is lent mutably, assignments to names from outside.

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Macro, Pat, PatIdent, Stmt, Token};

use super::constructors::is_constructor;
use super::names::simple_name;
use crate::differentiable::methods::calls;
use crate::differentiable::methods::operations;
use crate::differentiable::methods::table::{self, Fact};

/// What running an expression once more does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Again {
    /// It costs some operations, which are in the text.
    Cheap,
    /// It gives the same again, by loops.
    Loops,
    /// It may have effects.
    Effects,
}

/// A call by a path or of a method, and what it does if it is run again.
pub(crate) type Known<'k> = &'k mut dyn FnMut(&Expr) -> Again;

/// What it does to run an expression again.
pub(crate) fn of_expr(expr: &Expr, known: Known<'_>) -> Again {
    let mut text = Text::new(Vec::new(), known);
    text.visit_expr(expr);
    text.again
}

/// What it does to run the body of a function again, whose parameters have these names; the types of those in `opaque` may have operators of
/// their own.
pub(crate) fn of_body(
    body: &Block,
    parameters: Vec<String>,
    opaque: Vec<String>,
    known: Known<'_>,
) -> Again {
    let mut text = Text::new(parameters, known);
    text.opaque = opaque;
    text.visit_block(body);
    text.again
}

/// Whether an expression is an iterator over ranges that are written there, with closures that are, too: it does what these do, and no more.
pub(crate) fn runs_over_a_range(expr: &Expr) -> bool {
    let call = match expr {
        Expr::Range(_) => return true,
        Expr::Paren(inner) => return runs_over_a_range(&inner.expr),
        Expr::MethodCall(call) => call,
        _ => return false,
    };
    let adapts = match (call.method.to_string().as_str(), call.args.first()) {
        ("enumerate" | "rev", None) | ("skip" | "step_by" | "take", Some(_)) => true,
        ("filter" | "filter_map" | "map" | "skip_while" | "take_while", Some(f)) => {
            matches!(f, Expr::Closure(_))
        }
        ("chain" | "zip", Some(other)) => runs_over_a_range(other),
        _ => false,
    };
    adapts && runs_over_a_range(&call.receiver)
}

/// `ids.last().unwrap()`: a reference, which cannot be kept.
pub(crate) fn takes_a_part(call: &syn::ExprMethodCall) -> bool {
    let is = |call: &syn::ExprMethodCall, fact| table::is(&call.method.to_string(), fact);
    is(call, Fact::Unwraps)
        && matches!(&*call.receiver, Expr::MethodCall(of) if is(of, Fact::Pure) && is(of, Fact::OfSlices))
}

struct Text<'k> {
    again: Again,
    /// The names that are bound inside.
    own: Vec<String>,
    /// Parameters that only give their fields, and are handed on.
    opaque: Vec<String>,
    known: Known<'k>,
}

impl<'k> Text<'k> {
    fn new(own: Vec<String>, known: Known<'k>) -> Self {
        Self {
            again: Again::Cheap,
            own,
            opaque: Vec::new(),
            known,
        }
    }

    /// Whether this is an opaque parameter, or a reference to one.
    fn is_opaque(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.is_opaque(&inner.expr),
            Expr::Reference(lent) => lent.mutability.is_none() && self.is_opaque(&lent.expr),
            _ => simple_name(expr).is_some_and(|name| self.opaque.contains(&name)),
        }
    }

    fn at_least(&mut self, again: Again) {
        self.again = self.again.max(again);
    }

    /// Whether this is a name that is bound inside.
    fn is_own(&self, expr: &Expr) -> bool {
        simple_name(expr).is_some_and(|name| self.own.contains(&name))
    }

    /// What a call is made with: an opaque parameter is handed on.
    fn operands(&mut self, call: &Expr) {
        let (receiver, args) = match call {
            Expr::Call(call) => (None, &call.args),
            Expr::MethodCall(call) => (Some(&*call.receiver), &call.args),
            _ => return,
        };
        for operand in receiver.into_iter().chain(args) {
            if !self.is_opaque(operand) {
                self.visit_expr(operand);
            }
        }
    }

    /// An adaptor of an iterator: its closures are run by whoever goes through it.
    fn adaptor(&mut self, call: &syn::ExprMethodCall) {
        self.at_least(Again::Loops);
        self.visit_expr(&call.receiver);
        for arg in &call.args {
            match arg {
                Expr::Closure(closure) => {
                    let outside = self.own.len();
                    closure.inputs.iter().for_each(|pat| self.visit_pat(pat));
                    self.visit_expr(&closure.body);
                    self.own.truncate(outside);
                }
                arg => self.visit_expr(arg),
            }
        }
    }

    /// An assignment is an effect, but of a name that is bound inside: a part of it may be behind a reference.
    fn assigns(&mut self, place: &Expr) {
        if !self.is_own(place) {
            self.at_least(Again::Effects);
        }
    }
}

/// Macros that do nothing unless they panic.
fn asserts(mac: &Macro) -> bool {
    let name = mac.path.get_ident().map(ToString::to_string);
    name.is_some_and(|name| {
        let name = name.strip_prefix("debug_").unwrap_or(&name);
        ["assert", "assert_eq", "assert_ne", "panic", "unreachable"].contains(&name)
    })
}

impl<'ast> Visit<'ast> for Text<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Field(field) if self.is_opaque(&field.base) => return,
            Expr::Path(_) if self.is_opaque(expr) => self.at_least(Again::Effects),
            Expr::Array(_)
            | Expr::Block(_)
            | Expr::Break(_)
            | Expr::Cast(_)
            | Expr::Continue(_)
            | Expr::Field(_)
            | Expr::Group(_)
            | Expr::If(_)
            | Expr::Index(_)
            | Expr::Let(_)
            | Expr::Lit(_)
            | Expr::Match(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Range(_)
            | Expr::Repeat(_)
            | Expr::Return(_)
            | Expr::Struct(_)
            | Expr::Tuple(_)
            | Expr::Unary(_) => {}
            Expr::Assign(assign) => self.assigns(&assign.left),
            Expr::Binary(binary) if operations::compound(&binary.op).is_some() => {
                self.assigns(&binary.left);
            }
            Expr::Binary(_) => {}
            Expr::Call(call) if self.is_own(&call.func) => self.at_least(Again::Effects),
            Expr::Call(call) if is_constructor(&call.func) || calls::is_borrowed(call) => {}
            Expr::MethodCall(call)
                if table::is_pure(&call.method.to_string())
                    && (call.method != "get" || !call.args.is_empty()) => {}
            Expr::MethodCall(call) if takes_a_part(call) => {}
            Expr::MethodCall(call) if runs_over_a_range(expr) => return self.adaptor(call),
            Expr::Call(_) | Expr::MethodCall(_) => {
                let again = (self.known)(expr);
                self.at_least(again);
                return self.operands(expr);
            }
            Expr::ForLoop(_) | Expr::Loop(_) | Expr::While(_) => self.at_least(Again::Loops),
            Expr::Macro(mac) => return self.visit_macro(&mac.mac),
            Expr::Reference(lent) if lent.mutability.is_none() => {}
            _ => self.at_least(Again::Effects),
        }
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        let Some(args) = asserts(mac)
            .then(|| parse.parse2(mac.tokens.clone()).ok())
            .flatten()
        else {
            return self.at_least(Again::Effects);
        };
        let (own, opaque) = (self.own.clone(), self.opaque.clone());
        let mut inside = Text::new(own, &mut *self.known);
        inside.opaque = opaque;
        args.iter().for_each(|arg| inside.visit_expr(arg));
        let again = inside.again;
        self.at_least(again);
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if let Stmt::Item(_) = stmt {
            return self.at_least(Again::Effects);
        }
        visit::visit_stmt(self, stmt);
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let outside = self.own.len();
        visit::visit_block(self, block);
        self.own.truncate(outside);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let outside = self.own.len();
        visit::visit_arm(self, arm);
        self.own.truncate(outside);
    }

    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        // what is bound by reference may lead outside
        match pat.by_ref.is_some() && pat.mutability.is_some() {
            true => self.at_least(Again::Effects),
            false => self.own.push(pat.ident.to_string()),
        }
    }

    fn visit_pat(&mut self, pat: &'ast Pat) {
        if let Pat::Macro(_) | Pat::Verbatim(_) = pat {
            self.at_least(Again::Effects);
        }
        visit::visit_pat(self, pat);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Again {
        let f: syn::ItemFn = syn::parse_str(text).expect("a function");
        let names = f.sig.inputs.iter().filter_map(|arg| match arg {
            syn::FnArg::Typed(arg) => match &*arg.pat {
                Pat::Ident(name) => Some(name.ident.to_string()),
                _ => None,
            },
            syn::FnArg::Receiver(_) => None,
        });
        of_body(&f.block, names.collect(), Vec::new(), &mut |_| {
            Again::Effects
        })
    }

    #[test]
    fn what_computes_can_be_run_again() {
        for text in [
            "fn at(i: usize, j: usize) -> usize { (i % N) * N + j % N }",
            "fn at(i: usize) -> usize { if i == 0 { N - 1 } else { i - 1 } }",
            "fn at(i: usize) -> usize { assert!(i < N, \"outside\"); match i { 0 => N - 1, k => k - 1 } }",
            "fn at(i: i32) -> usize { let mut k = i; if k < 0 { k += 8; } k.rem_euclid(8) as usize }",
            "fn at(p: &[usize], i: usize) -> Option<usize> { if i >= p.len() { return None; } Some(p[i]) }",
        ] {
            assert_eq!(of(text), Again::Cheap, "{text}");
        }
        let search = "fn find(k: &[f64], t: f64) -> usize { let (mut a, mut b) = (0, k.len()); while b - a > 1 { let m = (a + b) / 2; if k[m] > t { b = m; } else { a = m; } } a }";
        assert_eq!(of(search), Again::Loops);
        let chain = "fn odd(n: usize) -> impl Iterator<Item = (f64, usize)> { (0..n).filter(|i| i % 2 == 1).map(move |i| (i as f64 / n as f64, i)) }";
        assert_eq!(of(chain), Again::Loops);
    }

    #[test]
    fn what_may_have_effects_is_run_once() {
        for text in [
            "fn at(i: usize) -> usize { next(i) }",
            "fn at(i: usize) -> usize { COUNT.fetch_add(1, Relaxed) + i }",
            "fn at(i: &Cell<usize>) -> usize { i.get() }",
            "fn at(i: &Cell<usize>) -> usize { i.set(1); 2 }",
            "fn at(i: usize) -> usize { println!(\"{i}\"); i }",
            "fn at(i: usize) -> usize { assert!({ println!(\"{i}\"); true }); i }",
            "fn at(i: usize) -> usize { unsafe { N += 1; } i }",
            "fn at(i: usize) -> usize { *LAST.lock().unwrap() = i; i }",
            "fn at(p: Points) -> usize { let q = &mut p; q.x = 2; 1 }",
            "fn at(p: &Cells) -> usize { *p.last = 2; 1 }",
            "fn at(mut p: Lent<'_>) -> usize { p.last[0] = 2; 1 }",
            "fn at(i: usize) -> usize { fn next() -> usize { 1 } i }",
            "fn at(i: usize) -> usize { (|| N.step())() }",
            "fn odd(n: usize) -> impl Iterator<Item = usize> { (0..n).map(|i| next(i)) }",
            "fn odd(n: usize) -> impl Iterator<Item = usize> { (0..n).map(draw) }",
            "fn odd(n: usize) -> impl Iterator<Item = (usize, usize)> { (0..n).zip(DRAWS) }",
            "fn odd(n: usize) -> impl Iterator<Item = usize> { (0..n).flat_map(|i| Draws(i)) }",
            "fn odd(n: Turns) -> impl Iterator<Item = usize> { n.map(|i| i + 1) }",
            "fn odd(n: usize) -> impl Iterator<Item = usize> { (0..n).inspect(|i| i + 1) }",
            "fn odd(n: &mut [usize]) -> impl Iterator<Item = usize> { (0..3).map(|i| { n[i] += 1; i }) }",
        ] {
            assert_eq!(of(text), Again::Effects, "{text}");
        }
    }
}
