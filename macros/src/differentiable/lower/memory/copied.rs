//! What is taken by value and changes afterwards: the names that it was given keep what it was.
//!
//! ```text
//! // let [a, b] = w; w[0] = b;
//! let a = w[0]; let b = w[1]; w[0] = b;
//! // for q in w { w[2] += q; }
//! { let copied = w; for q in copied { w[2] += q; } }
//! ```
//!
//! What is borrowed cannot change, so that places behind `&`, `iter()` and the like are left as they are.

use syn::Pat;

use crate::differentiable::expand::ref_patterns::{self};
use crate::differentiable::ir::RootId;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::syntax::names::hidden;
use crate::differentiable::syntax::patterns::has_mutable_name;

impl Lower<'_> {
    /// Binds the names of a pattern to the parts of a local: as they are now, if it changes or they do.
    pub(crate) fn bind_local(&mut self, pat: &Pat, root: RootId) {
        let changes = self.scopes.iter().flatten().any(|(name, binding)| {
            matches!(binding, Binding::Root(named) if *named == root) && self.changes(name)
        });
        let is_name = matches!(pat, Pat::Ident(_) | Pat::Wild(_));
        if !has_mutable_name(pat) && (is_name || !changes) {
            return self.bind_pattern(pat, Binding::Root(root));
        }
        let whole = hidden("whole");
        self.bind(&whole.to_string(), Binding::Root(root));
        let mut stmts = Vec::new();
        let parts = match is_name {
            true => None,
            false => ref_patterns::bind(pat, syn::parse_quote!(#whole), &mut stmts),
        };
        match parts {
            Some(()) => drop(self.statements(&stmts)),
            None => self.let_pattern(pat, None, &syn::parse_quote!(#whole.clone())),
        }
    }
}
