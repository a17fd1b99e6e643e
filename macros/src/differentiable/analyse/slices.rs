//! Parts of memory that a loop runs over: all that it does with the memory is to index it by its variable plus what does not
//! change.

use proc_macro2::{TokenStream, TokenTree};
use syn::Expr as Syntax;

use super::scratch::find_inits;
use crate::differentiable::ir::mentions::Mention;
use crate::differentiable::ir::*;
use crate::differentiable::methods::paths;
use crate::differentiable::syntax::vec_macro::elements_of;
use crate::differentiable::tokens::index::{is_range, is_slice, slope, split_behind_fields};
use crate::files::own_field;
use crate::signature::Function;

impl Program {
    /// The memory that a loop runs over, what stands in front of its index, and the index; `types` are those of the parameters.
    pub(crate) fn parts(
        &self,
        types: &[&syn::Type],
        range: &Range,
        variable: DefId,
        body: &Block,
    ) -> Vec<(RootId, TokenStream, TokenStream)> {
        let mut indexed = Vec::new();
        if !is_plain(range) || !self.indexed(body, true, &mut indexed) {
            return Vec::new();
        }
        let mut roots: Vec<RootId> = indexed.iter().map(|(root, ..)| *root).collect();
        roots.sort_unstable();
        roots.dedup();
        let parts = roots.into_iter().filter_map(|root| {
            let places = indexed.iter().filter(|(r, ..)| *r == root);
            let places: Vec<_> = places.map(|(_, place, top)| (*place, *top)).collect();
            let (prefix, index) = self.part_of(&places, root, variable, body)?;
            self.is_sliced(root, &prefix, types)
                .then_some((root, prefix, index))
        });
        parts.collect()
    }

    /// All places that a block reads and assigns, and whether each does so in every round; `false` if the block does something
    /// that cannot be looked into.
    fn indexed<'a>(
        &'a self,
        block: &'a Block,
        top: bool,
        found: &mut Vec<(RootId, &'a Place, bool)>,
    ) -> bool {
        let add = |place: &'a Place, found: &mut Vec<_>| {
            if let Base::Root(root) = place.base {
                found.push((root, place, top));
            }
        };
        block.items.iter().all(|item| match item {
            Item::Verbatim(_) => false,
            Item::Def(d) => match &self.defs[*d].kind {
                DefKind::Read(place) => {
                    add(place, found);
                    true
                }
                DefKind::Opaque(_) => false,
                _ => true,
            },
            Item::Assign { place, .. } => {
                add(place, found);
                true
            }
            Item::Branch { arms, .. } => arms.iter().all(|a| self.indexed(&a.body, false, found)),
            Item::Loop { iterable, body, .. } => {
                matches!(iterable, Iterable::Counted { .. }) && self.indexed(body, false, found)
            }
            _ => true,
        })
    }

    /// The part of memory that a loop runs over, if these are all that it does with it.
    fn part_of(
        &self,
        places: &[(&Place, bool)],
        root: RootId,
        variable: DefId,
        body: &Block,
    ) -> Option<(TokenStream, TokenStream)> {
        let round = &self.defs[variable].point.loops;
        let (first, _) = places.iter().find(|(_, top)| *top)?;
        let (prefix, index) = split_behind_fields(&first.suffix, &self.defs[variable].name)?;
        let key = |place: &Place| {
            let split = split_behind_fields(&place.suffix, &self.defs[variable].name);
            split.map(|(prefix, index)| (prefix.to_string(), index.to_string()))
        };
        let wanted = key(first);
        let same = places.iter().all(|(place, _)| {
            key(place) == wanted
                && place.uses.roots.is_empty()
                && place.uses.defs == first.uses.defs
        });
        let fixed = |d: &DefId| *d == variable || !self.defs[*d].point.loops.starts_with(round);
        // `x.len()` while the loop changes a part of `x`
        let assigned = self.roots[root]
            .writes
            .iter()
            .any(|w| w.loops.starts_with(round));
        if assigned && self.text_names(body, &self.roots[root].name) {
            return None;
        }
        let mut mentions = 0;
        self.mentions(body, &mut |mention| match mention {
            Mention::Root(r) if r == root => mentions = usize::MAX,
            Mention::Place(place) if place.base == Base::Root(root) => {
                mentions = mentions.saturating_add(1);
            }
            _ => {}
        });
        let nested = body.items.iter().any(|item| {
            let mut named = false;
            if matches!(item, Item::Loop { .. } | Item::Branch { .. }) {
                self.item_mentions(item, &mut |mention| {
                    named |= matches!(mention, Mention::Place(p) if p.base == Base::Root(root));
                });
            }
            named && !matches!(item, Item::Branch { arms, .. } if arms.iter().all(|a| !has_loop(&a.body)))
        });
        let fine = same
            && !nested
            && mentions == places.len()
            && first.uses.defs.iter().all(fixed)
            && !self.roots[root].loops.starts_with(round)
            && slope(&syn::parse2(index.clone()).ok()?, &self.defs[variable].name) == Some(1);
        fine.then_some((prefix, index))
    }

    /// Finds the memory that is certainly a slice, an array or a vector.
    pub(crate) fn find_sequences(&mut self, function: &Function) {
        let types: Vec<_> = function.params.iter().map(|p| &p.ty).collect();
        let whole = TokenStream::new();
        let roots = (0..self.roots.len()).filter(|root| self.is_sliced(*root, &whole, &types));
        let params = self
            .defs
            .iter()
            .enumerate()
            .filter(|(_, def)| match def.kind {
                DefKind::Param(index) => is_slice(types[index], whole.clone()),
                _ => false,
            });
        let roots = roots.map(Base::Root);
        self.sequences = roots.chain(params.map(|(d, _)| Base::Def(d))).collect();
    }

    /// Whether memory is certainly a slice, an array or a vector.
    fn is_sliced(&self, root: RootId, prefix: &TokenStream, types: &[&syn::Type]) -> bool {
        let trees: Vec<_> = prefix.clone().into_iter().collect();
        let indices = (trees.iter().rev()).take_while(|tree| matches!(tree, TokenTree::Group(_)));
        let indices = indices.count();
        if let Some(TokenTree::Ident(field)) = trees[..trees.len() - indices].last() {
            return self.roots[root].kind != RootKind::Scalar
                && !trees.iter().any(|tree| is_range(tree.clone()))
                && own_field::levels(field) > indices;
        }
        match self.roots[root].kind {
            RootKind::Param { index, .. } => is_slice(types[index], prefix.clone()),
            RootKind::Memory => {
                let ty = self.list_type(root);
                ty.is_some_and(|ty| is_slice(&ty, prefix.clone()))
            }
            RootKind::Scalar => false,
        }
    }
}

impl Program {
    /// The type of a local that is a list: the one that is written, or what tokens tell of `vec![…]` and `[…]`.
    fn list_type(&self, root: RootId) -> Option<syn::Type> {
        let written = self.roots[root].ty.clone();
        written
            .filter(|ty| is_slice(ty, TokenStream::new()))
            .or_else(|| list_of(&self.begins_with(root)?))
    }

    /// What a local without derivative in its beginning begins with.
    fn begins_with(&self, root: RootId) -> Option<Syntax> {
        let mut inits = Vec::new();
        find_inits(&self.body, Block::EMPTY.id, &mut inits);
        let (_, init) = inits.iter().find(|(r, _)| *r == root)?;
        syn::parse2(init.tokens.clone()).ok()
    }

    /// Whether a local is made by `vec![…]` or `[…]`.
    pub(crate) fn is_vector(&self, root: RootId) -> bool {
        match self.begins_with(root) {
            Some(Syntax::Array(_) | Syntax::Repeat(_)) => true,
            Some(Syntax::Macro(mac)) => paths::is_vec(&mac.mac.path),
            Some(Syntax::Call(call)) => is_blanks(&call),
            _ => false,
        }
    }
}

/// `[[_]]` of `vec![vec![0.0; n]; m]`.
fn list_of(list: &Syntax) -> Option<syn::Type> {
    let entry = match list {
        Syntax::Paren(paren) => return list_of(&paren.expr),
        Syntax::Repeat(repeat) => Some((*repeat.expr).clone()),
        Syntax::Array(array) => array.elems.first().cloned(),
        Syntax::Macro(mac) if paths::is_vec(&mac.mac.path) => {
            elements_of(&mac.mac).into_iter().next()
        }
        Syntax::Call(call) if is_blanks(call) => None,
        _ => return None,
    };
    let entry = entry.and_then(|entry| list_of(&entry));
    let entry = entry.unwrap_or_else(|| syn::parse_quote!(_));
    Some(syn::parse_quote!([#entry]))
}

/// Whether this is `::coenzyme::__private::blanks(n)`, of which a user may have one too.
fn is_blanks(call: &syn::ExprCall) -> bool {
    let Syntax::Path(path) = &*call.func else {
        return false;
    };
    let names = path.path.segments.iter().map(|segment| &segment.ident);
    path.path.leading_colon.is_some() && names.eq(["coenzyme", "__private", "blanks"])
}

fn has_loop(block: &Block) -> bool {
    block.items.iter().any(|item| match item {
        Item::Loop { .. } => true,
        Item::Branch { arms, .. } => arms.iter().any(|a| has_loop(&a.body)),
        _ => false,
    })
}

/// Whether a range is `a..b`.
fn is_plain(range: &Range) -> bool {
    let Atom::Const(expr) = &range.range else {
        return false;
    };
    let Ok(mut parsed) = syn::parse2::<Syntax>(expr.tokens.clone()) else {
        return false;
    };
    while let Syntax::Paren(inside) = parsed {
        parsed = *inside.expr;
    }
    let plain = matches!(
        parsed,
        Syntax::Range(syn::ExprRange {
            start: Some(_),
            limits: syn::RangeLimits::HalfOpen(_),
            end: Some(_),
            ..
        })
    );
    plain && range.step.is_none()
}

#[cfg(test)]
mod tests;
