//! Values of which the reverse sweep reads the length alone: that is on the tape, and the value is neither there nor computed again.
//!
//! ```text
//! // let hidden: Vec<f64> = dense(w, b, y).iter().map(|z| z.tanh()).collect();
//! let n = (t0).len();          // of t0 nothing else is read: the derivative of tanh is told by its value
//! ```

use proc_macro2::{Ident, TokenStream, TokenTree};

use super::Reverse;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// Asks for what a pure expression reads.
    pub(super) fn require_read(&self, expr: &Expr) {
        let mut uses = expr.uses.clone();
        for &d in &expr.uses.defs {
            let def = &self.program.defs[d];
            if matches!(def.kind, DefKind::Call(_)) && reads_length_alone(&expr.tokens, &def.name) {
                uses.defs.remove(&d);
                self.state.borrow_mut().measured_defs.insert(d);
            }
        }
        self.require_uses(&uses);
    }
}

/// Whether a name stands in tokens as `(name).len()` only, and does.
fn reads_length_alone(tokens: &TokenStream, name: &Ident) -> bool {
    let trees: Vec<_> = tokens.clone().into_iter().collect();
    let mut found = false;
    for (i, tree) in trees.iter().enumerate() {
        let inside = match tree {
            TokenTree::Ident(ident) if ident == name => return false,
            TokenTree::Group(group) => group.stream(),
            _ => continue,
        };
        match is_name(&inside, name) && is_length(&trees[i + 1..]) {
            true => found = true,
            false if mentions(&inside, name) => match reads_length_alone(&inside, name) {
                true => found = true,
                false => return false,
            },
            false => {}
        }
    }
    found
}

fn is_name(tokens: &TokenStream, name: &Ident) -> bool {
    let mut trees = tokens.clone().into_iter();
    matches!((trees.next(), trees.next()), (Some(TokenTree::Ident(ident)), None) if ident == *name)
}

/// Whether tokens begin with `.len()`.
fn is_length(trees: &[TokenTree]) -> bool {
    matches!(trees, [TokenTree::Punct(dot), TokenTree::Ident(len), TokenTree::Group(empty), ..]
        if dot.as_char() == '.' && len == "len" && empty.stream().is_empty())
}

fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use quote::{format_ident, quote};

    use super::reads_length_alone;

    #[test]
    fn a_length_is_told_from_what_reads_entries() {
        let name = format_ident!("t0");
        let alone = |tokens| reads_length_alone(&tokens, &name);
        assert!(alone(quote!((t0).len())));
        assert!(alone(quote!(Ord::min((t0).len(), (t1).len()))));
        assert!(alone(quote!((t0).len() + 2 * (t0).len())));
        assert!(!alone(quote!((t1).len())));
        assert!(!alone(quote!((t0)[0].len())));
        assert!(!alone(quote!(t0.len())));
        assert!(!alone(quote!((t0).len() + f(&t0))));
        assert!(!alone(quote!((t0).len(1))));
        assert!(!alone(quote!(g((t0)))));
    }
}
