//! Small arrays behind parameters, read by loops with a fixed number of rounds: their cotangents are summed up in locals, which no other
//! memory overlaps, so that unrolled rounds keep them in registers.
//!
//! ```text
//! // fn product(a: &[[f64; 4]; 4], b: &[[f64; 4]; 4]) -> [[f64; 4]; 4] { … c[i][j] += a[i][k] * b[k][j]; … }
//! let mut a_own = own_sums(a, &a_d); let mut a_d = own_lanes(&mut a_own, a_d);
//! …
//! add_own(&mut a_d, &a_own);               // the parameter's shadow
//! ```

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::format_ident;

use super::Reverse;
use crate::differentiable::analyse::cost::constant_rounds;
use crate::differentiable::emit::names::shadow;
use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;
use crate::differentiable::methods::paths;
use crate::signature::Passing;

impl Reverse<'_> {
    /// The statements at the beginning and at the end of the reverse sweep.
    pub(crate) fn own_sums(&self) -> (TokenStream, TokenStream) {
        let p = self.program;
        let roots = (0..p.roots.len()).filter(|r| self.has_own_sums(*r));
        let of = |root: RootId| {
            let name = &p.roots[root].name;
            let (d, own) = (shadow(name), own(name));
            let before = code! {
                let mut #own = ::coenzyme::__private::own_sums(&*#name, &#d);
                let mut #d = ::coenzyme::__private::own_lanes(&mut #own, #d);
            };
            let bind = self.bind_root(root);
            let after = code!({ #bind ::coenzyme::__private::add_own(&mut #d, &#own); });
            (before, after)
        };
        roots.map(of).unzip()
    }

    fn has_own_sums(&self, root: RootId) -> bool {
        let p = self.program;
        let RootKind::Param { index, passing } = p.roots[root].kind else {
            return false;
        };
        let param = &self.function.params[index];
        let active = passing == Passing::Shared && !param.constant && p.roots[root].varied;
        let touched = self.state.borrow().touched.contains(&Base::Root(root));
        let mut fixed = HashSet::new();
        p.body.fixed_loops(&mut fixed);
        let reads = p.defs.iter().filter_map(|def| match &def.kind {
            DefKind::Read(place) if place.base == Base::Root(root) => Some((def, place)),
            _ => None,
        });
        let array = |place: &Place| {
            let first = place.suffix.clone().into_iter().next();
            let field = matches!(first, Some(TokenTree::Punct(dot)) if dot.as_char() == '.');
            field || matches!(param.ty, syn::Type::Array(_)) || may_be_a_matrix(&param.ty, place)
        };
        let (mut looped, mut unrolled) = (false, true);
        for (def, place) in reads {
            looped |= !def.point.loops.is_empty();
            unrolled &= array(place)
                && place.uses.roots.is_empty()
                && place.uses.defs.iter().all(|d| fixed.contains(d));
        }
        active && touched && looped && unrolled && p.only_read(&p.body, root)
    }
}

/// Whether a type may be another name of an array of arrays, `Matrix` or `M<R, C>`; what it is, its type says (`own_sums`).
fn may_be_a_matrix(ty: &syn::Type, place: &Place) -> bool {
    let is_index = |tree: TokenTree| matches!(tree, TokenTree::Group(_));
    let twice = place
        .suffix
        .clone()
        .into_iter()
        .take(2)
        .filter_map(|t| is_index(t).then_some(()));
    let syn::Type::Path(path) = ty else {
        return false;
    };
    let known = ["Vec", "VecDeque", "Box", "Rc", "Arc", "Cow"];
    let is_known = |name: &Ident| {
        known.iter().any(|known| name == known) || paths::is_array_name(&name.to_string())
    };
    let last = path.path.segments.last();
    twice.count() == 2 && last.is_some_and(|last| !is_known(&last.ident))
}

fn own(name: &Ident) -> Ident {
    format_ident!("{name}_own", span = proc_macro2::Span::mixed_site())
}

impl Block {
    /// The variables of loops over ranges of constants.
    fn fixed_loops(&self, found: &mut HashSet<DefId>) {
        for item in &self.items {
            match item {
                Item::Branch { arms, .. } => arms.iter().for_each(|a| a.body.fixed_loops(found)),
                Item::Loop { iterable, body, .. } => {
                    if let Iterable::Counted { range, variable } = iterable
                        && range.step.is_none()
                        && constant_rounds(&range.range).is_some()
                    {
                        found.insert(*variable);
                    }
                    body.fixed_loops(found);
                }
                _ => {}
            }
        }
    }
}

impl Program {
    /// Whether nothing is done with memory but that values are read from it, and asked about it.
    fn only_read(&self, block: &Block, root: RootId) -> bool {
        block.items.iter().all(|item| match item {
            Item::Branch { arms, .. } => arms.iter().all(|a| self.only_read(&a.body, root)),
            Item::Loop { body, .. } => self.only_read(body, root),
            Item::Def(d) if matches!(self.defs[*d].kind, DefKind::Read(_) | DefKind::Pure(_)) => {
                true
            }
            item => {
                let mut other = true;
                self.item_mentions(item, &mut |mention| {
                    other &= match mention {
                        Mention::Root(r) => r != root,
                        Mention::Place(place) => place.base != Base::Root(root),
                        Mention::Def(_) => true,
                    }
                });
                other
            }
        })
    }
}
