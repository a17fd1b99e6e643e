//! Tables in constants that a method looks at in parts get a name, as a local table has one.
//!
//! ```text
//! // for w in TABLE.windows(2) { … }
//! let table = &TABLE;
//! for w in table.windows(2) { … }
//! ```

use std::collections::HashSet;

use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Ident, Pat, Stmt};

use crate::differentiable::syntax::names::hidden;
use crate::signature::Function;

/// Methods whose results are parts of their receiver.
const PARTS: &[&str] = &[
    "chunks",
    "chunks_exact",
    "rchunks",
    "split_at",
    "split_first",
    "split_last",
    "windows",
];

/// Gives such constants names, each before the statement that looks at it.
pub(crate) fn written_out(function: &Function, body: &mut syn::Block) {
    let params = function.params.iter().map(|param| param.name.to_string());
    let mut locals = Locals(params.collect());
    locals.visit_block(body);
    Blocks { locals: locals.0 }.visit_block_mut(body);
}

/// All names that are bound somewhere: a matrix may be called `A`.
struct Locals(HashSet<String>);

impl<'ast> Visit<'ast> for Locals {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.0.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
}

struct Blocks {
    locals: HashSet<String>,
}

impl VisitMut for Blocks {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        let stmts = std::mem::take(&mut block.stmts).into_iter();
        block.stmts = stmts.flat_map(|stmt| self.named(stmt)).collect();
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Blocks {
    /// A statement, after names for its constants; those in blocks inside have theirs already.
    fn named(&self, mut stmt: Stmt) -> Vec<Stmt> {
        let mut names = Names {
            locals: &self.locals,
            given: Vec::new(),
        };
        if !matches!(stmt, Stmt::Item(_)) {
            names.visit_stmt_mut(&mut stmt);
        }
        let lent = names.given.into_iter();
        let lent = lent.map(|(name, constant)| syn::parse_quote!(let #name = &#constant;));
        lent.chain([stmt]).collect()
    }
}

struct Names<'l> {
    locals: &'l HashSet<String>,
    given: Vec<(Ident, Expr)>,
}

impl Names<'_> {
    fn name(&mut self, of: &mut Expr) {
        if self.is_constant(of) {
            let name = hidden(&format!("table{}", self.given.len()));
            let constant = std::mem::replace(of, syn::parse_quote!(#name));
            self.given.push((name, constant));
        }
    }

    /// Whether an expression is written as constants are, `TABLE` or `Self::TABLE`, and is no local.
    fn is_constant(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else {
            return false;
        };
        let last = path.path.segments.last().filter(|s| s.arguments.is_none());
        let is_local = path.path.get_ident().map(ToString::to_string);
        let is_local = is_local.is_some_and(|name| self.locals.contains(&name));
        last.is_some_and(|last| {
            let name = last.ident.to_string();
            !is_local && name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase)
        })
    }
}

impl VisitMut for Names<'_> {
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        if PARTS.iter().any(|name| call.method == name) {
            self.name(&mut call.receiver);
        }
        if let Expr::Index(part) = &mut *call.receiver
            && matches!(*part.index, Expr::Range(_))
        {
            self.name(&mut part.expr);
        }
    }

    fn visit_block_mut(&mut self, _: &mut syn::Block) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
}
