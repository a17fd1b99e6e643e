//! Mutable references that a branch chooses: what is done with them goes into each branch.
//!
//! ```text
//! // let r = if c { a } else { b }; r[0] = x; r[1]
//! if c { let r = a; r[0] = x; r[1] } else { let r = b; r[0] = x; r[1] }
//! // add(if c { &mut p } else { &mut q }, x)
//! if c { add(&mut p, x) } else { add(&mut q, x) }
//! ```
//!
//! Parts of one memory are told apart by their indices instead, see [`view`](crate::differentiable::lower::references::reseated).

use std::collections::HashSet;

use quote::ToTokens;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Pat, Stmt};

use crate::differentiable::resolve::leads::{Leads, untyped};
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::ends::{self, at_ends};
use crate::differentiable::syntax::exit_kinds::is_leaving;
use crate::differentiable::tokens::text;

/// What follows a choice is written once for each way: more choices than these after each other are too many.
const MOST: usize = 4;

/// Writes what is done with chosen references into the branches that choose them.
pub(crate) fn written_out(body: &mut Block, leads: &Leads) {
    Chosen { leads, depth: 0 }.visit_block_mut(body);
}

struct Chosen<'a> {
    leads: &'a Leads,
    depth: usize,
}

impl Chosen<'_> {
    /// Whether a branch chooses between mutable references that indices do not tell apart.
    fn is_choice(&self, branch: &Expr) -> bool {
        if !matches!(branch, Expr::If(_) | Expr::Match(_)) {
            return false;
        }
        let mut ends = Vec::new();
        ends::ends_of(branch, &mut ends);
        ends.retain(|e| !is_leaving(e));
        let chosen = !ends.is_empty() && ends.iter().all(|e| self.leads.is_reference(e));
        chosen && !of_one_memory(&ends)
    }

    /// The number of the `let` whose choice is written out, if there is one.
    fn first(&self, block: &Block) -> Option<usize> {
        let last = block.stmts.len().checked_sub(1)?;
        block.stmts[..last].iter().position(|stmt| match stmt {
            Stmt::Local(local) => match (&local.init, untyped(&local.pat)) {
                (Some(init), Pat::Ident(_)) if init.diverge.is_none() => self.is_choice(&init.expr),
                _ => false,
            },
            _ => false,
        })
    }

    /// `let r = if c { a } else { b }; …` as `if c { let r = a; … } else { let r = b; … }`.
    fn write_out(&self, block: &mut Block, at: usize) -> bool {
        let Stmt::Local(local) = &block.stmts[at] else {
            return false;
        };
        let (pat, attrs) = (&local.pat, &local.attrs);
        let Some(init) = &local.init else {
            return false;
        };
        let rest = &block.stmts[at + 1..];
        let mut chosen = (*init.expr).clone();
        let own = bound_names(pat);
        let mut named: HashSet<String> = HashSet::new();
        for stmt in rest {
            named.extend(text::idents(stmt.to_token_stream()));
        }
        let hides = bound_in(&chosen)
            .into_iter()
            .any(|n| !own.contains(&n) && named.contains(&n));
        if hides {
            return false;
        }
        let done = at_ends(&mut chosen, &mut |end| {
            if !is_leaving(end) {
                *end = syn::parse_quote!({ #(#attrs)* let #pat = #end; #(#rest)* });
            }
            Ok(())
        });
        if done.is_ok() {
            block.stmts.truncate(at);
            block.stmts.push(Stmt::Expr(chosen, None));
        }
        done.is_ok()
    }

    /// A call with a choice among its arguments, in each branch.
    fn spread(&self, expr: &Expr) -> Option<Expr> {
        let in_branches = |branch: &Expr, call: &dyn Fn(&Expr) -> Expr| {
            let mut branch = branch.clone();
            let done = at_ends(&mut branch, &mut |end| {
                if !is_leaving(end) {
                    *end = call(end);
                }
                Ok(())
            });
            done.is_ok().then_some(branch)
        };
        match expr {
            Expr::Call(call) => {
                let i = call.args.iter().position(|a| self.is_choice(peeled(a)))?;
                in_branches(peeled(&call.args[i]), &|end| {
                    let mut call = call.clone();
                    call.args[i] = end.clone();
                    Expr::Call(call)
                })
            }
            Expr::MethodCall(call) if self.is_choice(peeled(&call.receiver)) => {
                in_branches(peeled(&call.receiver), &|end| {
                    let mut call = call.clone();
                    *call.receiver = syn::parse_quote!((#end));
                    Expr::MethodCall(call)
                })
            }
            Expr::MethodCall(call) => {
                let i = call.args.iter().position(|a| self.is_choice(peeled(a)))?;
                in_branches(peeled(&call.args[i]), &|end| {
                    let mut call = call.clone();
                    call.args[i] = end.clone();
                    Expr::MethodCall(call)
                })
            }
            _ => None,
        }
    }
}

impl VisitMut for Chosen<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let outside = self.depth;
        if self.depth < MOST
            && let Some(at) = self.first(block)
            && self.write_out(block, at)
        {
            self.depth += 1;
        }
        visit_mut::visit_block_mut(self, block);
        self.depth = outside;
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        while let Some(spread) = self.spread(expr) {
            *expr = spread;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

fn peeled(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => peeled(&paren.expr),
        Expr::Group(group) => peeled(&group.expr),
        expr => expr,
    }
}

/// `&mut x[..i]` and `&mut x[j..]`: parts that indices tell apart.
fn of_one_memory(ends: &[&Expr]) -> bool {
    let of = |end: &Expr| match end {
        Expr::Reference(reference) => match &*reference.expr {
            Expr::Index(index) => Some(index.expr.to_token_stream().to_string()),
            _ => None,
        },
        _ => None,
    };
    let first = of(ends[0]);
    first.is_some() && ends.iter().all(|end| of(end) == first)
}

/// The names that patterns in an expression bind.
fn bound_in(expr: &Expr) -> Vec<String> {
    struct Bound(Vec<String>);
    impl<'ast> Visit<'ast> for Bound {
        fn visit_pat(&mut self, pat: &'ast Pat) {
            self.0.extend(bound_names(pat));
        }
    }
    let mut bound = Bound(Vec::new());
    bound.visit_expr(expr);
    bound.0
}
