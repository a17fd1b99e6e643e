//! Memory whose entries have a shape of their own: a vector of vectors begins with other entries than it ends with.
//!
//! ```text
//! let mut rows = vec![vec![]; 2]; rows[0] = x.to_vec();     // the shadow has the shape that `rows` has afterwards
//! ```

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::mentions::Mention;
use super::*;
use crate::differentiable::tokens::text::words;

impl Program {
    /// Whether entries of a local may get another shape than that with which it begins. The types tell in the end: this is
    /// no for what is surely numbers.
    pub(crate) fn may_reshape_entries(&self, root: RootId, init: &Expr) -> bool {
        !is_of_numbers(&init.tokens) && self.reshapes(root)
    }

    /// Whether entries that are looked into are given others.
    fn reshapes(&self, root: RootId) -> bool {
        let depth = self.depth(root);
        depth > 1 && self.changes_entries(root, depth, &self.body)
    }

    /// How deep a program looks into memory: an entry, and an entry of that.
    fn depth(&self, root: RootId) -> usize {
        let mut depth = 0;
        self.mentions(&self.body, &mut |mention| {
            if let Mention::Place(place) = mention
                && place.base == Base::Root(root)
            {
                depth = depth.max(levels(&place.suffix));
            }
        });
        match self.hands_entries_on(root, &self.body) {
            true => depth.max(2),
            false => depth,
        }
    }

    /// Whether an entry is handed on as a whole.
    fn hands_entries_on(&self, root: RootId, block: &Block) -> bool {
        let is_entry = |place: &Place| place.base == Base::Root(root) && levels(&place.suffix) == 1;
        let is_read = |atom: &Atom| matches!(atom, Atom::Def(d) if matches!(&self.defs[*d].kind, DefKind::Read(place) if is_entry(place)));
        block.items.iter().any(|item| match item {
            Item::Declare { init, .. } => match init {
                Init::Copy { from, .. } => is_entry(from),
                Init::Value(value) => is_read(value),
                _ => false,
            },
            Item::Loop { body, .. } => self.hands_entries_on(root, body),
            Item::Branch { arms, .. } => arms.iter().any(|a| self.hands_entries_on(root, &a.body)),
            item => self.call_of(item).is_some_and(|call| {
                call.args.iter().flat_map(Arg::each).any(|arg| match arg {
                    Arg::Shared(place) | Arg::Exclusive(place) => is_entry(place),
                    Arg::Value(value) => is_read(value),
                    _ => false,
                })
            }),
        })
    }

    /// Whether a block gives entries that have entries other values, or may.
    fn changes_entries(&self, root: RootId, depth: usize, block: &Block) -> bool {
        let level = |place: &Place| (place.base == Base::Root(root)).then(|| levels(&place.suffix));
        let is_part = |place: &Place| level(place).is_some_and(|l| 0 < l && l < depth);
        block.items.iter().any(|item| match item {
            Item::Assign {
                place,
                op: Assign::Set,
                ..
            } => is_part(place),
            Item::Swap { place, .. } => level(place).is_some_and(|l| l + 1 < depth),
            Item::Exchange { a, b } => is_part(a) || is_part(b),
            Item::Loop { body, .. } => self.changes_entries(root, depth, body),
            Item::Branch { arms, .. } => {
                let mut bodies = arms.iter().map(|arm| &arm.body);
                bodies.any(|body| self.changes_entries(root, depth, body))
            }
            item => self.call_of(item).is_some_and(|call| {
                let mut args = call.args.iter().flat_map(Arg::each);
                args.any(|arg| matches!(arg, Arg::Exclusive(place) if level(place).is_some_and(|l| l < depth)))
            }),
        })
    }
}

/// How often a place goes into an entry or a field: `[i][a..b][j].0` three times.
pub(crate) fn levels(suffix: &TokenStream) -> usize {
    let is_range = |index: TokenStream| {
        let trees: Vec<TokenTree> = index.into_iter().collect();
        let dot = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == '.');
        trees.windows(2).any(|two| two.iter().all(dot))
    };
    let trees = suffix.clone().into_iter();
    let is_level = |tree: &TokenTree| match tree {
        TokenTree::Group(index) if index.delimiter() == Delimiter::Bracket => {
            !is_range(index.stream())
        }
        TokenTree::Ident(_) | TokenTree::Literal(_) => true,
        _ => false,
    };
    trees.filter(is_level).count()
}

/// Whether a place is an entry of an entry, and neither a field nor a part: `[i][j]`.
pub(crate) fn is_indexed(suffix: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = suffix.clone().into_iter().collect();
    let is_group = |tree: &TokenTree| matches!(tree, TokenTree::Group(g) if g.delimiter() == Delimiter::Bracket);
    trees.iter().all(is_group) && levels(suffix) == trees.len()
}

/// `vec![0.0; n]`, `[[0.0; 3]; 3]`: the entries are numbers, or arrays of them.
fn is_of_numbers(init: &TokenStream) -> bool {
    let made = words(init.clone());
    let vectors = made.iter().filter(|w| *w == "vec" || *w == "Vec").count();
    vectors <= 1 && has_float(init)
}

fn has_float(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Group(group) => has_float(&group.stream()),
        TokenTree::Literal(number) => {
            let number = number.to_string();
            number.starts_with(|c: char| c.is_ascii_digit()) && number.contains('.')
        }
        _ => false,
    })
}
