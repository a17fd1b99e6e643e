//! Calls that change what they are lent and may give no value, asked by a pattern or a query: the second function of the callee is called, which
//! always returns (see [`crate::tried`]).
//!
//! ```text
//! // if let Some(v) = step(&mut s) { a } else { b }
//! { let tried = __tried_step(&mut s); if let Some(v) = tried.0 { a } else { b } }
//! // let Ok(v) = solve(&mut m) else { b };
//! let tried = __tried_solve(&mut m); let Some(v) = tried.0 else { b };
//! // step(&mut s).is_none()
//! __tried_step(&mut s).0.is_none()
//! ```

use std::collections::HashSet;

use quote::{format_ident, quote};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Arm, BinOp, Block, Expr, Ident, Pat, Stmt};

use crate::differentiable::syntax::names::{hidden, simple_name};
use crate::differentiable::syntax::options::is_any_error;
use crate::tried::asked::Asked;
use crate::tried::body::Kind;
use crate::tried::is_query;
use crate::tried::returned;

/// Writes out the calls of a body; `caller` is the function that it is the body of, and has these parameters.
pub(crate) fn written_out(
    body: &mut Block,
    caller: &Ident,
    parameters: impl Iterator<Item = String>,
) {
    let Some(asked) = Asked::of(caller) else {
        return;
    };
    returned::written_out(body, &|call| asked.changes(call, caller));
    let mut own = Bound(parameters.collect());
    own.visit_block(body);
    let mut tried = Tried {
        asked: &asked,
        caller,
        own: own.0,
        next: 0,
    };
    tried.visit_block_mut(body);
}

/// The names of locals and of functions in a body, which are not those of the module.
struct Bound(HashSet<String>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
        self.0.insert(name.ident.to_string());
        visit::visit_pat_ident(self, name);
    }
    fn visit_item_fn(&mut self, f: &'ast syn::ItemFn) {
        self.0.insert(f.sig.ident.to_string());
    }
}

struct Tried<'a> {
    asked: &'a Asked,
    caller: &'a Ident,
    /// Names that the function gives to something else.
    own: HashSet<String>,
    /// The next number of a name.
    next: usize,
}

/// A pattern of the value as an `Option`; `None` of one that binds an error.
fn of_value(pat: &Pat) -> Option<Pat> {
    match pat {
        Pat::TupleStruct(ok) if ok.path.is_ident("Ok") => {
            let mut some = ok.clone();
            some.path = syn::parse_quote!(Some);
            Some(Pat::TupleStruct(some))
        }
        Pat::TupleStruct(err) if err.path.is_ident("Err") => {
            is_any_error(err).then(|| syn::parse_quote!(None))
        }
        Pat::TupleStruct(some) if some.path.is_ident("Some") => Some(pat.clone()),
        Pat::Ident(none) if none.ident == "None" => Some(pat.clone()),
        Pat::Wild(_) => Some(pat.clone()),
        Pat::Guard(guarded) => {
            let mut guarded = guarded.clone();
            *guarded.pat = of_value(&guarded.pat)?;
            Some(Pat::Guard(guarded))
        }
        _ => None,
    }
}

/// `a`, `b` and `c` of `a && b && c`.
fn conditions<'e>(condition: &'e Expr, found: &mut Vec<&'e Expr>) {
    match condition {
        Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => {
            conditions(&both.left, found);
            conditions(&both.right, found);
        }
        condition => found.push(condition),
    }
}

impl Tried<'_> {
    /// The call of the second function, if there is one, and what the first returns.
    fn second(&self, call: &Expr) -> Option<(Kind, Expr)> {
        let is_own = matches!(call, Expr::Call(call)
            if simple_name(&call.func).is_some_and(|name| self.own.contains(&name)));
        match is_own {
            true => None,
            false => self.asked.second(call, self.caller),
        }
    }

    fn call(&self, call: &Expr) -> Option<Expr> {
        self.second(call).map(|(_, call)| call)
    }

    fn name(&mut self) -> Ident {
        self.next += 1;
        hidden(&format!("tried{}", self.next))
    }

    /// `match call { … }`
    fn matched(&mut self, branch: &syn::ExprMatch) -> Option<Expr> {
        let call = self.call(&branch.expr)?;
        let arms = branch.arms.iter().map(|arm| {
            let pat = of_value(&arm.pat)?;
            Some(Arm { pat, ..arm.clone() })
        });
        let arms: Vec<Arm> = arms.collect::<Option<_>>()?;
        let tried = self.name();
        Some(syn::parse_quote!({ let #tried = #call; match #tried.0 { #(#arms)* } }))
    }

    /// The call that a condition asks first, with its name in its place.
    fn first(&mut self, condition: &mut Expr) -> Option<Stmt> {
        match condition {
            Expr::Let(asked) => {
                let call = self.call(&asked.expr)?;
                let (pat, tried) = (of_value(&asked.pat)?, self.name());
                *condition = syn::parse_quote!(let #pat = #tried.0);
                Some(syn::parse_quote!(let #tried = #call;))
            }
            Expr::Binary(both) if matches!(both.op, BinOp::And(_)) => self.first(&mut both.left),
            _ => None,
        }
    }

    /// A branch whose condition asks such a call behind another condition: a branch inside of one.
    fn behind(&mut self, branch: &syn::ExprIf) -> Option<Expr> {
        let mut all = Vec::new();
        conditions(&branch.cond, &mut all);
        let asks = |condition: &&Expr| matches!(condition, Expr::Let(asked) if of_value(&asked.pat).is_some() && self.call(&asked.expr).is_some());
        let at = all.iter().position(asks).filter(|at| *at > 0)?;
        let (before, behind) = all.split_at(at);
        let (then, otherwise) = (&branch.then_branch, &branch.else_branch);
        let otherwise = otherwise.as_ref().map(|(_, e)| quote!(else #e));
        let mut inner: Expr = syn::parse_quote!(if #(#behind)&&* #then #otherwise);
        self.branch(&mut inner);
        Some(syn::parse_quote!(if #(#before)&&* { #inner } #otherwise))
    }

    /// Writes out the condition of a branch.
    fn branch(&mut self, expr: &mut Expr) {
        let Expr::If(branch) = expr else { return };
        if let Some(before) = self.first(&mut branch.cond) {
            let mut inner = Expr::If(branch.clone());
            self.branch(&mut inner);
            *expr = syn::parse_quote!({ #before #inner });
        } else if let Some(behind) = self.behind(branch) {
            *expr = behind;
        }
    }

    /// A statement that begins with such a call.
    fn statement(&mut self, stmt: Stmt, done: &mut Vec<Stmt>) {
        match stmt {
            Stmt::Local(mut local) => {
                let Some(init) = &mut local.init else {
                    return done.push(Stmt::Local(local));
                };
                let Some((kind, call)) = self.second(&init.expr) else {
                    return done.push(Stmt::Local(local));
                };
                let whole = matches!(local.pat, Pat::Wild(_));
                // an `Option` is what there is
                let kept = whole || kind == Kind::Option && matches!(local.pat, Pat::Ident(_));
                let pat = match &init.diverge {
                    None => Some(local.pat.clone()).filter(|_| kept),
                    Some(_) => of_value(&local.pat),
                };
                let Some(pat) = pat else {
                    return done.push(Stmt::Local(local));
                };
                let tried = self.name();
                done.push(syn::parse_quote!(let #tried = #call;));
                if !whole {
                    (local.pat, *init.expr) = (pat, syn::parse_quote!(#tried.0));
                    done.push(Stmt::Local(local));
                }
            }
            Stmt::Expr(call, Some(semi)) => {
                let expr = match self.call(&call) {
                    Some(tried) => tried,
                    None => call,
                };
                done.push(Stmt::Expr(expr, Some(semi)));
            }
            stmt => done.push(stmt),
        }
    }
}

impl VisitMut for Tried<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let mut done = Vec::with_capacity(block.stmts.len());
        for stmt in std::mem::take(&mut block.stmts) {
            self.statement(stmt, &mut done);
        }
        block.stmts = done;
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::Match(branch) => {
                if let Some(matched) = self.matched(branch) {
                    *expr = matched;
                }
            }
            Expr::If(_) => self.branch(expr),
            Expr::While(l) => {
                let (attrs, label, body, condition) = (&l.attrs, &l.label, &l.body, &l.cond);
                let written: Expr = syn::parse_quote!(if #condition #body else { break });
                let mut each = written.clone();
                self.branch(&mut each);
                if each != written {
                    *expr = syn::parse_quote!(#(#attrs)* #label loop { #each });
                }
            }
            Expr::MethodCall(call) if is_query(&call.method) => {
                // the closure of a `Result` takes the error
                let of_error = matches!(call.args.first(), Some(Expr::Closure(closure)) if !closure.inputs.is_empty());
                if call.method == "unwrap_or_else" && of_error {
                    return;
                }
                let Some(tried) = self.call(&call.receiver) else {
                    return;
                };
                let (mut query, name) = (call.clone(), self.name());
                let asks = match call.method.to_string().as_str() {
                    "is_some" | "is_ok" => Some("is_some"),
                    "is_none" | "is_err" => Some("is_none"),
                    _ => None,
                };
                *expr = match asks {
                    // a condition gives the call a statement of its own
                    Some(asks) => {
                        *query.receiver = syn::parse_quote!(#tried.0);
                        query.method = format_ident!("{asks}");
                        Expr::MethodCall(query)
                    }
                    // an `Option` is what there is
                    None if call.method == "ok" => {
                        syn::parse_quote!({ let #name = #tried; #name.0 })
                    }
                    None => {
                        *query.receiver = syn::parse_quote!(#name.0);
                        syn::parse_quote!({ let #name = #tried; #query })
                    }
                };
            }
            _ => {}
        }
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
