//! Loops over the parts of a text, which have no derivative and no numbers: they are collected first.
//!
//! ```text
//! // for (k, c) in text.char_indices() { … }
//! let listed = listed(text.char_indices());
//! for at in 0..listed.len() { let k = part_listed(&listed, at, |(k, c)| k); let c = part_listed(&listed, at, |(k, c)| c); … }
//! ```

use syn::{Expr, ExprForLoop, Type};

use crate::differentiable::lower::Lower;
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::chains::gives_a_list;

impl Lower<'_> {
    /// The loop over the parts of a text.
    pub(crate) fn over_a_list(&self, l: &ExprForLoop) -> Option<Expr> {
        // in a loop around it each list would go to the tape; parts of a text that the function owns do not outlive it
        let lent = self.listed_by_no_number(&l.expr);
        let lent = lent.is_some_and(|of| of == "a `str`");
        if !lent || self.is_varied(&l.expr) || !self.loops.is_empty() || !gives_a_list(&l.expr) {
            return None;
        }
        let (label, pat, of, stmts) = (&l.label, &l.pat, &l.expr, &l.body.stmts);
        let names = bound_names(pat).into_iter();
        let names: Vec<_> = names.map(|name| quote::format_ident!("{name}")).collect();
        Some(syn::parse_quote!({
            let __listed = ::coenzyme::__private::listed(#of);
            #label for __k in 0..__listed.len() {
                #(let #names = ::coenzyme::__private::part_listed(&__listed, __k, |#pat| #names);)*
                #(#stmts)*
            }
        }))
    }

    /// What an expression without derivative goes through, if its entries have no numbers: a map, a set, a text.
    pub(crate) fn listed_by_no_number(&self, expr: &Expr) -> Option<String> {
        const TYPES: &[&str] = &[
            "BTreeMap",
            "BTreeSet",
            "BinaryHeap",
            "HashMap",
            "HashSet",
            "LinkedList",
            "String",
            "str",
        ];
        match expr {
            _ if self.is_varied(expr) => None,
            Expr::Paren(paren) => self.listed_by_no_number(&paren.expr),
            Expr::Reference(reference) => self.listed_by_no_number(&reference.expr),
            Expr::MethodCall(call) => self.listed_by_no_number(&call.receiver),
            Expr::Path(_) | Expr::Lit(_) => {
                let ty = self.type_of(expr)?;
                let Type::Path(path) = behind(&ty) else {
                    return None;
                };
                let last = &path.path.segments.last()?.ident;
                let found = TYPES.iter().any(|name| last == name);
                found.then(|| format!("a `{last}`"))
            }
            _ => None,
        }
    }
}

/// The type that a reference is one to.
fn behind(ty: &Type) -> &Type {
    match ty {
        Type::Reference(reference) => behind(&reference.elem),
        ty => ty,
    }
}
