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
use syn::{BinOp, Expr, ExprWhile, Stmt, UnOp};

use super::changing_value::{asks_inside, evaluated, is_inert, is_lent, is_settled, matched, told};
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

    /// What is evaluated first in a condition.
    fn first<'e>(&self, condition: &'e mut Expr) -> Option<&'e mut Expr> {
        self.first_in(condition, true)
    }

    /// What is evaluated first, and changes something, in a value; `inert` is whether that has no derivative whatever the call gives.
    fn first_in<'e>(&self, value: &'e mut Expr, inert: bool) -> Option<&'e mut Expr> {
        if self.is_changing(value) {
            return inert.then_some(value);
        }
        let inert = inert || is_inert(value);
        match value {
            Expr::Binary(binary) => {
                let side = match is_settled(&binary.left) {
                    true => &mut binary.right,
                    false => &mut binary.left,
                };
                self.first_in(side, inert)
            }
            Expr::Unary(unary) if !matches!(unary.op, UnOp::Deref(_)) => {
                self.first_in(&mut unary.expr, inert)
            }
            Expr::Paren(paren) => self.first_in(&mut paren.expr, inert),
            Expr::Field(field) => self.first_in(&mut field.base, inert),
            Expr::Cast(cast) => self.first_in(&mut cast.expr, inert),
            Expr::Range(range) => {
                let (start, end) = (range.start.as_mut(), range.end.as_mut());
                match (start, end) {
                    (Some(start), _) if !is_settled(start) => self.first_in(start, inert),
                    (_, Some(end)) => self.first_in(end, inert),
                    _ => None,
                }
            }
            // what is indexed is evaluated first, but not read
            Expr::Index(index) if matches!(*index.expr, Expr::Path(_)) => {
                self.first_in(&mut index.index, true)
            }
            // of which a local has none: the call itself is refused
            Expr::MethodCall(call) if asks_inside(&call.method) => None,
            Expr::MethodCall(call) => {
                let first = match &*call.receiver {
                    Expr::Path(_) => call.args.iter_mut().find(|arg| !is_settled(arg))?,
                    _ => &mut call.receiver,
                };
                self.first_in(first, inert)
            }
            Expr::Call(call) => {
                let first = call.args.iter_mut().find(|arg| !is_settled(arg))?;
                self.first_in(first, inert)
            }
            _ => None,
        }
    }

    /// Statements before a value, whose calls inside of what has no derivative change nothing then.
    fn before_value(&self, value: &mut Expr) -> Vec<Stmt> {
        let mut before = Vec::new();
        loop {
            let Some(call) = self.first_in(value, false) else {
                return before;
            };
            if !self.surely_changes(call) {
                return before;
            }
            let told = self.name();
            let first = std::mem::replace(call, syn::parse_quote!(#told));
            before.push(syn::parse_quote!(let #told = #first;));
        }
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
        let Some(call) = self.first(condition) else {
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
