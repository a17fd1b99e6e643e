//! Patterns of arrays: what stands before `..` has an index, what stands behind it a distance from the end.
//!
//! ```text
//! // let [a, middle @ .., b] = x;
//! a = x[0]    middle = x[1..x.len() - 1]    b = x[x.len() - 1]
//! ```

use quote::quote;
use syn::{Pat, PatSlice};

use super::inline::{part_of, suffix};
use crate::differentiable::expand::slice_pattern::is_rest;
use crate::differentiable::ir::*;
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::{Binding, Lower};

impl Lower<'_> {
    /// Binds the names of a pattern to the entries of what `whole` stands for.
    pub(crate) fn bind_entries(&mut self, slice: &PatSlice, whole: &Binding) {
        let n = slice.elems.len();
        let rest = slice.elems.iter().position(is_rest).unwrap_or(n);
        for (i, pat) in slice.elems.iter().enumerate() {
            let index = match pat {
                Pat::Rest(_) => continue,
                Pat::Ident(name) if i == rest => {
                    let Some(end) = self.before_end(whole, n - 1 - i) else {
                        return;
                    };
                    let (place, exclusive) = place_of(whole).expect("it has an end");
                    let (tokens, uses) = (end.tokens, end.uses);
                    let range = Expr {
                        tokens: quote!([#i..#tokens]),
                        uses,
                    };
                    let place = part_of(place, range);
                    self.bind(&name.ident.to_string(), Binding::Alias { place, exclusive });
                    continue;
                }
                _ if i < rest => suffix(quote!([#i])),
                _ => {
                    let Some(index) = self.before_end(whole, n - i) else {
                        return;
                    };
                    let (tokens, uses) = (index.tokens, index.uses);
                    Expr {
                        tokens: quote!([#tokens]),
                        uses,
                    }
                }
            };
            self.bind_part(pat, whole, index);
        }
    }

    /// `x.len() - distance`
    fn before_end(&mut self, whole: &Binding, distance: usize) -> Option<Expr> {
        let (place, _) = place_of(whole)?;
        let tokens = self.place_tokens(&place);
        let index = Expr {
            tokens: quote!((#tokens).len() - #distance),
            uses: self.place_uses(&place),
        };
        let index = Atom::Def(self.def(DefKind::Pure(index), false));
        Some(self.atom_expr(&index))
    }
}

/// The memory that a name stands for, and whether it may be changed under this name.
fn place_of(whole: &Binding) -> Option<(Place, bool)> {
    Some(match whole {
        Binding::Root(r) => (place::whole(Base::Root(*r)), true),
        Binding::Def(d) => (place::whole(Base::Def(*d)), false),
        Binding::Alias { place, exclusive } => (place.clone(), *exclusive),
        _ => return None,
    })
}
