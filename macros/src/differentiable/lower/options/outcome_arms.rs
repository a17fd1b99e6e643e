//! `match f(x) { Ok(y) => a, Err(e) => b }`: the function itself says which arm it is, and what it returns by the rules is had where there is
//! a value. An error carries no derivative, and need not be `Clone`: its parts are taken out of it in the arm.
//!
//! ```text
//! let outcome = f(x);
//! match (match outcome { Ok(_) => 0, Err(_) => 1 }) { 0 => { let y = f(x)?; a } _ => { let e = match outcome { Err(e) => e, … }; b } }
//! ```

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{ExprMatch, Pat};

use crate::differentiable::ir::*;
use crate::differentiable::lower::control::variant::only;
use crate::differentiable::lower::options::error_parts;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::calls;
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::exit_kinds::may_leave;
use crate::differentiable::syntax::options::is_present;
use crate::differentiable::tokens::tail::tail;

impl Lower<'_> {
    /// Lowers a `match` on what a differentiated call returns; whether it is one.
    pub(crate) fn match_outcome(&mut self, branch: &ExprMatch, into: Option<RootId>) -> bool {
        let patterns = || branch.arms.iter().map(|arm| unguarded(&arm.pat));
        let known = patterns().all(|pat| is_success(pat) || is_failure(pat));
        if !known || !patterns().any(is_success) || self.of_call(&branch.expr).is_none() {
            return false;
        }
        let primal = self.with_references(&branch.expr);
        let outcome = self.plain(&primal).expr;
        let outcome = Atom::Def(self.def(DefKind::Opaque(outcome), false));
        let number = self.number_of_arm(branch, &outcome);
        let (mut arms, mut changed) = (Vec::new(), Vec::new());
        for (i, arm) in branch.arms.iter().enumerate() {
            let pat = unguarded(&arm.pat);
            let (mut errors, mut inactive) = (Vec::new(), HashSet::new());
            let mut written = (*arm.body).clone();
            match pat {
                Pat::TupleStruct(present) if is_present(present) => {
                    let (pat, value) = (present.elems.first(), calls::tested(&branch.expr));
                    let arm = tail(&written);
                    written = syn::parse_quote!({ let #pat = #value; #arm });
                }
                pat => {
                    errors = bound_names(pat);
                    inactive = error_parts::asserted(&mut written, errors.clone());
                }
            }
            inactive.retain(|name| self.varied.remove(name));
            let (body, roots) = self.arm(into, may_leave(&arm.body), |this| {
                this.bind_errors(pat, &errors, &outcome);
                this.arm_body(&written, into)
            });
            self.varied.extend(inactive);
            let pattern = match i + 1 == branch.arms.len() {
                true => quote!(_),
                false => quote!(#i),
            };
            arms.push(Arm { pattern, body });
            changed.extend(roots);
        }
        self.join(changed);
        self.push(Item::Branch {
            arms,
            selector: Selector::Match(number),
        });
        true
    }

    /// The number of the arm that is taken. A guard sees copies of what its pattern binds.
    fn number_of_arm(&mut self, branch: &ExprMatch, outcome: &Atom) -> Atom {
        let of = self.atom_expr(outcome);
        let mut uses = of.uses.clone();
        let arms: Vec<TokenStream> = (branch.arms.iter().enumerate())
            .map(|(i, arm)| {
                let Pat::Guard(guarded) = &arm.pat else {
                    let pat = only(&arm.pat, None);
                    return quote!(#pat => #i);
                };
                let names = bound_names(&guarded.pat);
                self.scopes.push(Default::default());
                names.iter().for_each(|n| self.bind(n, Binding::Inactive));
                let guard = self.plain(&guarded.guard).expr;
                self.scopes.pop();
                uses.extend(&guard.uses);
                let (pat, guard) = (lent(&guarded.pat), tail(&guard.tokens));
                let names = names.iter().map(|name| format_ident!("{name}"));
                quote!(#pat if { #(let #names = #names.clone();)* #guard } => #i)
            })
            .collect();
        let of = of.tokens;
        let tokens = quote!((match #of { #(#arms,)* }));
        let number = Expr { tokens, uses };
        Atom::Def(self.def(DefKind::Opaque(number), false))
    }

    /// Binds the names of the pattern of an error to what they stand for, taken out at once.
    fn bind_errors(&mut self, pat: &Pat, names: &[String], outcome: &Atom) {
        let idents: Vec<Ident> = names.iter().map(|n| format_ident!("{n}")).collect();
        if idents.is_empty() {
            return;
        }
        let of = self.atom_expr(outcome);
        let tokens = of.tokens;
        let taken = quote!((match #tokens { #pat => (#(#idents),*), _ => ::core::unreachable!() }));
        let taken = Expr {
            tokens: taken,
            uses: of.uses,
        };
        let kind = DefKind::Opaque(taken);
        if let [ident] = &idents[..] {
            let def = self.named_def(ident, kind, false);
            return self.bind_error(ident, def);
        }
        let all = Atom::Def(self.def(kind, false));
        for (i, ident) in idents.iter().enumerate() {
            let (of, i) = (self.atom_expr(&all), syn::Index::from(i));
            let tokens = of.tokens;
            let part = Expr {
                tokens: quote!(#tokens.#i),
                uses: of.uses,
            };
            let def = self.named_def(ident, DefKind::Opaque(part), false);
            self.bind_error(ident, def);
        }
    }

    fn bind_error(&mut self, name: &Ident, def: DefId) {
        let text = name.to_string();
        if !self.changes(&text) {
            return self.bind(&text, Binding::Def(def));
        }
        let root = self.root(name, RootKind::Memory, false);
        self.push(Item::Declare {
            root,
            init: Init::Value(Atom::Def(def)),
        });
        self.versions.insert(root, def);
        self.bind(&text, Binding::Root(root));
    }
}

fn unguarded(pat: &Pat) -> &Pat {
    match pat {
        Pat::Guard(guarded) => &guarded.pat,
        pat => pat,
    }
}

/// `Ok(p)`, `Some(p)`.
fn is_success(pat: &Pat) -> bool {
    matches!(pat, Pat::TupleStruct(present) if is_present(present) && present.elems.len() == 1)
}

/// What fits where there is no value, or as well.
fn is_failure(pat: &Pat) -> bool {
    match pat {
        Pat::Wild(_) => true,
        Pat::Ident(name) => name.ident == "None",
        Pat::TupleStruct(absent) => absent.path.is_ident("Err"),
        Pat::Or(either) => either.cases.iter().all(is_failure),
        _ => false,
    }
}

/// The pattern with `ref` before its names.
fn lent(pat: &Pat) -> TokenStream {
    struct Lent;
    impl VisitMut for Lent {
        fn visit_pat_ident_mut(&mut self, name: &mut syn::PatIdent) {
            let is_name = |text: &str| text.starts_with(|c: char| c.is_lowercase() || c == '_');
            if is_name(&name.ident.to_string()) {
                name.mutability = None;
                name.by_ref = Some(Default::default());
            }
            visit_mut::visit_pat_ident_mut(self, name);
        }
    }
    let mut pat = pat.clone();
    Lent.visit_pat_mut(&mut pat);
    pat.to_token_stream()
}
