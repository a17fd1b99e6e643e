//! A vector that has grown to its end is another vector from then on, whose length stays: it is lent to calls in place.
//!
//! ```text
//! // let mut v = Vec::new(); for i in 0..n { v.push(x[i]); } for _ in 0..m { advance(&mut v); }
//! let mut v_growing0 = Vec::new(); for i in 0..n { v_growing0.push(x[i]); }
//! let mut v = v_growing0; for _ in 0..m { advance(&mut v); }
//! ```

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Pat, Stmt};

use super::shadowed::renamed;
use crate::differentiable::methods::paths;
use crate::differentiable::resolve::usage::Usage;
use crate::differentiable::resolve::varied::place_root;
use crate::differentiable::syntax::names::hidden;

/// Gives vectors that grow, and are changed and lent afterwards, another name until then.
pub(crate) fn written_out(body: &mut syn::Block, usage: impl Fn(&syn::Block) -> Usage) {
    Blocks { usage, renamed: 0 }.visit_block_mut(body);
}

struct Blocks<F> {
    usage: F,
    renamed: usize,
}

impl<F: Fn(&syn::Block) -> Usage> VisitMut for Blocks<F> {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        let mut first = 0;
        while first < block.stmts.len() {
            if let Some(name) = mutable_vector(&block.stmts[first])
                && let Some(last) = self.end_of_growth(&block.stmts, first, &name.to_string())
            {
                self.part(&mut block.stmts, first, last, &name);
            }
            first += 1;
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl<F: Fn(&syn::Block) -> Usage> Blocks<F> {
    /// The last statement in which a local grows, if it is changed and lent after it, and no reference into it can live so long.
    fn end_of_growth(&self, stmts: &[Stmt], first: usize, name: &str) -> Option<usize> {
        let usage = |stmts: &[Stmt]| {
            (self.usage)(&syn::Block {
                brace_token: Default::default(),
                stmts: stmts.to_vec(),
            })
        };
        if !usage(&stmts[first + 1..]).grown.contains(name) {
            return None;
        }
        let grows = |stmt: &Stmt| usage(std::slice::from_ref(stmt)).grown.contains(name);
        let last = first + 1 + stmts[first + 1..].iter().rposition(grows)?;
        let after = &stmts[last + 1..];
        let mut lends = Lends {
            name,
            lent: false,
            assigned: false,
        };
        lends.visit_stmt(&stmts[last]);
        let held = lends.assigned || !matches!(&stmts[last], Stmt::Expr(..));
        lends.lent = false;
        after.iter().for_each(|stmt| lends.visit_stmt(stmt));
        let declared_and_after = [&stmts[first..=first], after].concat();
        let changed = usage(&declared_and_after);
        let lent = lends.lent || changed.receivers.contains(name);
        (!held && lent && changed.parts.contains(name)).then_some(last)
    }

    fn part(&mut self, stmts: &mut Vec<Stmt>, first: usize, last: usize, name: &Ident) {
        let fresh = hidden(&format!("{name}_growing{}", self.renamed));
        let Stmt::Local(local) = &stmts[first] else {
            return;
        };
        let mut grown = local.clone();
        if !renamed(&mut stmts[first..=last], name, &fresh) {
            return;
        }
        if let Some(init) = &mut grown.init {
            *init.expr = syn::parse_quote!(#fresh);
        }
        stmts.insert(last + 1, Stmt::Local(grown));
        self.renamed += 1;
    }
}

/// The name that `let mut v = Vec::new();` binds.
fn mutable_vector(stmt: &Stmt) -> Option<Ident> {
    let Stmt::Local(local) = stmt else {
        return None;
    };
    let (pat, declared) = match &local.pat {
        Pat::Type(typed) => (&*typed.pat, is_vector_type(&typed.ty)),
        pat => (pat, false),
    };
    let init = local.init.as_ref()?;
    let vector = declared || paths::makes_vector(&init.expr);
    match pat {
        Pat::Ident(name) if vector && name.mutability.is_some() && name.subpat.is_none() => {
            init.diverge.is_none().then(|| name.ident.clone())
        }
        _ => None,
    }
}

fn is_vector_type(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == "Vec"))
}

/// Looks for what is lent of a local, and for assignments of what may be.
struct Lends<'a> {
    name: &'a str,
    lent: bool,
    assigned: bool,
}

impl<'ast> Visit<'ast> for Lends<'_> {
    fn visit_expr_reference(&mut self, lent: &'ast syn::ExprReference) {
        self.lent |= place_root(&lent.expr).is_some_and(|root| root == self.name);
        visit::visit_expr_reference(self, lent);
    }
    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        let place = place_root(&assign.left).is_some_and(|root| root == self.name);
        let copied = matches!(
            &*assign.right,
            Expr::Index(_) | Expr::Lit(_) | Expr::Binary(_)
        );
        self.assigned |= !place && !copied;
        visit::visit_expr_assign(self, assign);
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn written(text: &str) -> String {
        let mut block: syn::Block = syn::parse_str(text).expect("a block");
        written_out(&mut block, |block| {
            Usage::of(block, [], |_| false, |name| name == "extended", |_| false)
        });
        block.to_token_stream().to_string()
    }

    #[test]
    fn what_has_grown_is_another_vector() {
        for text in [
            "{ let mut v = Vec::new(); for i in 0..n { v.push(x[i]); } for _ in 0..m { go(&mut v); } v[0] }",
            "{ let mut v: Vec<f64> = vec![]; extended(&mut v); go(&mut v[1..]); v[0] }",
            "{ let mut v = x.to_vec(); v.push(y); v[0] = y; go(&v); v[0] }",
        ] {
            let written = written(text);
            assert_eq!(written.matches("_growing0").count(), 3, "{written}");
            assert!(written.contains("= __"), "{written}");
        }
    }

    #[test]
    fn what_grows_or_is_lent_in_the_same_statement_stays() {
        for text in [
            "{ let mut v = vec![x]; for _ in 0..m { go(&mut v); v.push(x); } v[0] }",
            "{ let mut v = vec![x]; v.push(y); go(&v) }",
            "{ let mut v = vec![x]; v.push(y); v[0] = x; v[1] }",
            "{ let mut v = vec![x]; let r = { v.push(y); &mut v }; go(&mut r); r[0] }",
            "{ let mut v = vec![x]; let mut r = &mut w; { v.push(y); r = &mut v; } go(&mut v); r[0] }",
            "{ let mut v = vec![x]; go(&mut v); v[0] }",
            "{ let mut s = Stack::new(); s.push(x); s.push(y); go(&mut s); s.get(0) }",
            "{ let mut it = x.iter(); it.next(); go(&mut it); it.next() }",
            "{ let mut v = vec![x]; log!(v); v.push(y); go(&mut v); v[0] }",
        ] {
            assert!(!written(text).contains("growing"), "{text}");
        }
    }
}
