//! Conditions, and other values without derivative, whose calls change something: each such call gets a statement of its own, where it is evaluated.
//!
//! ```text
//! // if step(&mut s, k) && n < 3 { … }
//! { let told = step(&mut s, k); if told && n < 3 { … } }
//! // if n < 3 && step(&mut s, k) { … }
//! { let told = if n < 3 { step(&mut s, k) } else { false }; if told { … } }
//! // while step(&mut s, k) > 0.1 { … }
//! loop { let told = step(&mut s, k); if told > 0.1 { … } else { break } }
//! // let n = step(&mut s, k)? as usize;
//! let told = step(&mut s, k)?; let n = told as usize;
//! ```

use std::cell::Cell;

use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, ExprMethodCall, ExprWhile, Stmt, UnOp};

use super::changing_value::{
    asks_inside, evaluated, is_inert, is_lent, is_settled, matched, reads_receiver_first, told,
};
use crate::differentiable::methods::{calls, operations, paths};
use crate::differentiable::syntax::patterns::contains_let;
use crate::tried::{TRIED, is_query};

/// Writes them out in a body.
pub(crate) fn written_out(body: &mut syn::Block, known: Known<'_>) {
    let next = Cell::new(0);
    Conditions { known, next }.visit_block_mut(body);
}

/// What is known of calls.
pub(crate) struct Known<'a> {
    /// Whether an argument is a mutable reference, which the callee may take as a shared one.
    pub(crate) lends: &'a dyn Fn(&Expr) -> bool,
    /// Whether the callee is known to take a mutable one.
    pub(crate) takes: &'a dyn Fn(&Expr) -> bool,
    /// Whether the receiver of a method of this name is changed by a rule.
    pub(crate) changes: &'a dyn Fn(&str) -> bool,
}

/// What a call must do that gets a statement of its own.
#[derive(Clone, Copy)]
struct Search {
    /// Whether it stands in what has no derivative, whatever it gives.
    inert: bool,
    /// Whether it must change something for sure: where it does not, it need not have rules.
    sure: bool,
}

struct Conditions<'a> {
    known: Known<'a>,
    /// The next number of a name.
    next: Cell<usize>,
}

impl Conditions<'_> {
    /// Whether an expression is a call that changes what it is lent, or may.
    fn is_changing(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Try(of) => self.is_changing(&of.expr),
            Expr::Call(call) => {
                let of_std = ["take", "replace"]
                    .iter()
                    .any(|name| paths::is(&call.func, &["mem", name], 1));
                let by_path =
                    matches!(&*call.func, Expr::Path(path) if path.path.leading_colon.is_none());
                by_path && !of_std && call.args.iter().any(self.known.lends)
            }
            Expr::MethodCall(call) if calls::unwraps(call) && self.is_changing(&call.receiver) => {
                true
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let lent = || {
                    let takes = (self.known.takes)(expr);
                    let lends = |arg: &Expr| is_lent(arg) || takes && (self.known.lends)(arg);
                    call.args.iter().any(lends)
                };
                name.starts_with(TRIED)
                    || !calls::is_std_call(call) && ((self.known.changes)(&name) || lent())
            }
            _ => false,
        }
    }

    /// Whether it does, as its text and the declaration of the callee tell.
    fn surely_changes(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Try(of) => self.surely_changes(&of.expr),
            Expr::Call(call) => call.args.iter().any(is_lent) || (self.known.takes)(expr),
            Expr::MethodCall(call) if calls::unwraps(call) => self.surely_changes(&call.receiver),
            _ => true,
        }
    }

    fn surely_changing(&self, expr: &Expr) -> bool {
        self.is_changing(expr) && self.surely_changes(expr)
    }

    /// What is evaluated first in a value, and changes something.
    fn first_in<'e>(&self, value: &'e mut Expr, known: Search) -> Option<&'e mut Expr> {
        if self.is_changing(value) {
            let changes = !known.sure || self.surely_changes(value);
            return (known.inert && changes).then_some(value);
        }
        let known = Search {
            inert: known.inert || is_inert(value),
            ..known
        };
        let surely = Search {
            sure: true,
            ..known
        };
        match value {
            Expr::Binary(binary) => match is_settled(&binary.left) {
                true => self.first_in(&mut binary.right, surely),
                false => self.first_in(&mut binary.left, known),
            },
            Expr::Unary(unary) if !matches!(unary.op, UnOp::Deref(_)) => {
                self.first_in(&mut unary.expr, known)
            }
            Expr::Paren(paren) => self.first_in(&mut paren.expr, known),
            Expr::Field(field) => self.first_in(&mut field.base, known),
            Expr::Cast(cast) => self.first_in(&mut cast.expr, surely),
            Expr::Range(range) => {
                let mut ends = [range.start.as_mut(), range.end.as_mut()].into_iter();
                let first = ends.by_ref().flatten().find(|end| !is_settled(end));
                self.first_in(first?, surely)
            }
            // what is indexed is evaluated first, but not read
            Expr::Index(index) if matches!(*index.expr, Expr::Path(_)) => {
                let inert = Search {
                    inert: true,
                    ..surely
                };
                self.first_in(&mut index.index, inert)
            }
            Expr::MethodCall(call) => self.first_in_method(call, known),
            Expr::Call(call) => {
                let first = call.args.iter_mut().find(|arg| !is_settled(arg))?;
                self.first_in(first, surely)
            }
            _ => None,
        }
    }

    /// The same in the call of a method.
    fn first_in_method<'e>(
        &self,
        call: &'e mut ExprMethodCall,
        known: Search,
    ) -> Option<&'e mut Expr> {
        // of which a local has none: the call itself is refused
        if asks_inside(&call.method) {
            return None;
        }
        let sure = known.sure || !calls::is_std_call(call) && !is_query(&call.method);
        let (first, sure) = match reads_receiver_first(call) {
            true => (&mut *call.receiver, sure),
            false => (call.args.iter_mut().find(|arg| !is_settled(arg))?, true),
        };
        self.first_in(first, Search { sure, ..known })
    }

    /// Statements before a value, whose calls inside of what has no derivative change nothing then.
    fn before_value(&self, value: &mut Expr) -> Vec<Stmt> {
        let mut before = Vec::new();
        let known = Search {
            inert: false,
            sure: true,
        };
        while let Some(call) = self.first_in(value, known) {
            let told = self.name();
            let first = std::mem::replace(call, syn::parse_quote!(#told));
            before.push(syn::parse_quote!(let #told = #first;));
        }
        before
    }

    /// A new name for what a call gives.
    fn name(&self) -> syn::Ident {
        let name = told(self.next.get());
        self.next.set(self.next.get() + 1);
        name
    }

    /// Statements before a condition, which has no call that changes something then.
    fn before(&self, condition: &mut Expr) -> Vec<Stmt> {
        let told = self.name();
        if let Some(lazy) = self.lazy(condition) {
            *condition = syn::parse_quote!(#told);
            return vec![syn::parse_quote!(let #told = #lazy;)];
        }
        let known = Search {
            inert: true,
            sure: false,
        };
        let Some(call) = self.first_in(condition, known) else {
            return Vec::new();
        };
        let first = std::mem::replace(call, syn::parse_quote!(#told));
        vec![syn::parse_quote!(let #told = #first;)]
    }

    /// `a && b` and `a || b` in branches, where `b` has such a call.
    fn lazy(&self, condition: &Expr) -> Option<Expr> {
        let Expr::Binary(both) = condition else {
            return None;
        };
        let (mut left, mut right) = ((*both.left).clone(), (*both.right).clone());
        if !matches!(both.op, BinOp::And(_) | BinOp::Or(_)) {
            return None;
        }
        let of_right = self.before(&mut right);
        if of_right.is_empty() {
            return None;
        }
        let of_left = self.before(&mut left);
        let right = quote!({ #(#of_right)* #right });
        Some(match both.op {
            BinOp::And(_) => syn::parse_quote!({ #(#of_left)* if #left #right else { false } }),
            _ => syn::parse_quote!({ #(#of_left)* if #left { true } else #right }),
        })
    }

    /// Whether an expression is a condition, which is true or not.
    fn is_condition(expr: &Expr) -> bool {
        match expr {
            Expr::Binary(binary) => operations::operator(&binary.op).is_none(),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
            Expr::MethodCall(call) => is_query(&call.method),
            Expr::Paren(paren) => Self::is_condition(&paren.expr),
            _ => false,
        }
    }

    /// A loop whose condition changes something.
    fn endless(&self, l: &ExprWhile) -> Option<Expr> {
        let (attrs, label, body, mut condition) = (&l.attrs, &l.label, &l.body, (*l.cond).clone());
        if contains_let(&condition) {
            return None;
        }
        let before = self.before(&mut condition);
        (!before.is_empty()).then(|| {
            syn::parse_quote!(#(#attrs)* #label loop { #(#before)* if #condition #body else { break } })
        })
    }
}

impl VisitMut for Conditions<'_> {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        let mut done = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            match &mut stmt {
                Stmt::Local(local) => {
                    if let Some(init) = &mut local.init {
                        done.append(&mut match Self::is_condition(&init.expr) {
                            true => self.before(&mut init.expr),
                            false => self.before_value(&mut init.expr),
                        });
                    }
                }
                Stmt::Expr(value, _) => done.append(&mut match evaluated(value) {
                    Some(first) => self.before_value(first),
                    None => self.before_value(value),
                }),
                _ => {}
            }
            done.push(stmt);
        }
        block.stmts = done;
    }
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Some(written) = matched(expr)
            && let Expr::Match(asked) = &written
            && self.surely_changing(&asked.expr)
        {
            *expr = written;
        }
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::While(l) => {
                if let Some(endless) = self.endless(l) {
                    *expr = endless;
                }
            }
            Expr::If(branch) if !contains_let(&branch.cond) => {
                let before = self.before(&mut branch.cond);
                if !before.is_empty() {
                    *expr = syn::parse_quote!({ #(#before)* #branch });
                }
            }
            _ => {}
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
