//! Ranges of numbers as values: `curve.part(t0..t1)` is `curve.part(Range { start: t0, end: t1 })`, whose ends carry derivatives.
//!
//! What is run through, or is an index, is a range of integers and stays as it is.

use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprForLoop, ExprMethodCall, Ident, Lit, Pat, RangeLimits};

use crate::differentiable::methods::table;

/// Writes them in a body.
pub(crate) fn written_out(body: &mut Block) {
    let mut run = Run::default();
    run.visit_block(body);
    RangeValues { run: run.0 }.visit_block_mut(body);
}

/// Names that are run through.
#[derive(Default)]
struct Run(Vec<Ident>);

impl<'ast> Visit<'ast> for Run {
    fn visit_expr_for_loop(&mut self, l: &'ast ExprForLoop) {
        if let Expr::Path(of) = &*l.expr {
            self.0.extend(of.path.get_ident().cloned());
        }
        visit::visit_expr_for_loop(self, l);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        const OF_ANY_RANGE: &[&str] = &["clone", "contains", "is_empty"];
        let name = call.method.to_string();
        if let Expr::Path(of) = &*call.receiver
            && let Some(of) = of.path.get_ident()
            && table::is_known(&name)
            && !OF_ANY_RANGE.contains(&name.as_str())
        {
            self.0.push(of.clone());
        }
        visit::visit_expr_method_call(self, call);
    }
}

struct RangeValues {
    run: Vec<Ident>,
}

impl RangeValues {
    /// An expression that is a range of integers if it is one.
    fn visit_integers(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Range(range) => visit_mut::visit_expr_range_mut(self, range),
            Expr::Paren(paren) => self.visit_integers(&mut paren.expr),
            expr => self.visit_expr_mut(expr),
        }
    }
}

impl VisitMut for RangeValues {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Range(_) => {
                visit_mut::visit_expr_mut(self, expr);
                write(expr);
            }
            Expr::Index(of) => {
                self.visit_expr_mut(&mut of.expr);
                self.visit_integers(&mut of.index);
            }
            Expr::ForLoop(l) => {
                self.visit_integers(&mut l.expr);
                self.visit_block_mut(&mut l.body);
            }
            Expr::MethodCall(call) => {
                self.visit_integers(&mut call.receiver);
                let known = table::is_known(&call.method.to_string());
                for argument in &mut call.args {
                    match known {
                        true => self.visit_integers(argument),
                        false => self.visit_expr_mut(argument),
                    }
                }
            }
            // `zip(a..b, x)` of `std::iter`
            Expr::Call(call) if is_zip(&call.func) => {
                call.args.iter_mut().for_each(|a| self.visit_integers(a));
            }
            Expr::Match(of) if matches!(&*of.expr, Expr::Range(_)) => {
                visit_mut::visit_expr_match_mut(self, of);
                let taken = &of.expr;
                *of.expr = syn::parse_quote!((#taken));
            }
            expr => visit_mut::visit_expr_mut(self, expr),
        }
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        let name = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pat => pat,
        };
        let is_run = matches!(name, Pat::Ident(name) if self.run.contains(&name.ident));
        match &mut local.init {
            Some(init) if is_run => self.visit_integers(&mut init.expr),
            _ => visit_mut::visit_local_mut(self, local),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_pat_mut(&mut self, _: &mut Pat) {}
}

fn is_zip(func: &Expr) -> bool {
    let Expr::Path(path) = func else { return false };
    path.path.segments.last().is_some_and(|s| s.ident == "zip")
}

/// Writes a range that may be one of numbers. Only `a..b` has a tangent space; another that is made of active numbers is an error then, where it would
/// pass for one of integers.
fn write(expr: &mut Expr) {
    let Expr::Range(range) = expr else { return };
    let ends = [&range.start, &range.end];
    if ends.into_iter().flatten().any(|end| is_integer(end)) {
        return;
    }
    let open = matches!(range.limits, RangeLimits::HalfOpen(_));
    *expr = match (&range.start, &range.end, open) {
        (Some(start), Some(end), true) => {
            syn::parse_quote!(::core::ops::Range { start: #start, end: #end })
        }
        (Some(start), None, _) => syn::parse_quote!(::core::ops::RangeFrom { start: #start }),
        (None, Some(end), true) => syn::parse_quote!(::core::ops::RangeTo { end: #end }),
        (None, Some(end), false) => syn::parse_quote!(::core::ops::RangeToInclusive { end: #end }),
        // its ends are private: what is active in `a..=b` is not seen
        (Some(_), Some(_), false) | (None, None, _) => return,
    };
}

fn is_integer(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(lit) if matches!(lit.lit, Lit::Int(_)))
}
