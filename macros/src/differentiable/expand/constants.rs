//! Tables in constants that a method looks at in parts get a name, as a local table has one.
//!
//! ```text
//! // for w in TABLE.windows(2) { … }
//! let table = &TABLE;
//! for w in table.windows(2) { … }
//! ```

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Ident, Pat, Stmt};

use crate::differentiable::syntax::names::hidden;

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

/// The statements of a block with names for such constants, but for those in blocks inside, which have their own.
pub(crate) fn named(stmts: Vec<Stmt>) -> Vec<Stmt> {
    let named = |mut stmt: Stmt| {
        let mut names = Names::default();
        match &stmt {
            Stmt::Item(_) => {}
            _ => names.visit_stmt_mut(&mut stmt),
        }
        let lent = names.0.into_iter();
        let lent = lent.map(|(name, constant)| syn::parse_quote!(let #name = &#constant;));
        lent.chain([stmt]).collect::<Vec<Stmt>>()
    };
    stmts.into_iter().flat_map(named).collect()
}

#[derive(Default)]
struct Names(Vec<(Ident, Expr)>);

impl Names {
    fn name(&mut self, of: &mut Expr) {
        if is_constant(of) {
            let name = hidden(&format!("table{}", self.0.len()));
            let constant = std::mem::replace(of, syn::parse_quote!(#name));
            self.0.push((name, constant));
        }
    }
}

impl VisitMut for Names {
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

/// Whether an expression is written as constants are: `TABLE`, `Self::TABLE`.
fn is_constant(expr: &Expr) -> bool {
    let Expr::Path(path) = expr else {
        return false;
    };
    let last = path.path.segments.last().filter(|s| s.arguments.is_none());
    last.is_some_and(|last| {
        let name = last.ident.to_string();
        name.starts_with(char::is_uppercase) && !name.contains(char::is_lowercase)
    })
}
