//! Memory whose entries have a shape of their own: a vector of vectors begins with other entries than it ends with.
//!
//! ```text
//! let mut rows = vec![vec![]; 2]; rows[0] = x.to_vec();     // the shadow has the shape that `rows` has afterwards
//! ```

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::ir::*;
use super::mentions::Mention;
use super::text::words;

impl Program {
    /// Whether entries of a local may get another shape than that with which it begins. The types tell in the end: this is
    /// no for what is surely numbers.
    pub(super) fn may_reshape_entries(&self, root: RootId, init: &Expr) -> bool {
        !is_of_numbers(&init.tokens)
            && self.has_nested_uses(root)
            && self.changes_entries(root, &self.body)
    }

    /// Whether an entry is looked into, or handed on as a whole.
    fn has_nested_uses(&self, root: RootId) -> bool {
        let mut nested = false;
        self.mentions(&self.body, &mut |mention| {
            nested |= matches!(mention, Mention::Place(place)
                if place.base == Base::Root(root) && levels(&place.suffix) > 1);
        });
        nested || self.hands_entries_on(root, &self.body)
    }

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

    /// Whether a block gives entries other values, or may.
    fn changes_entries(&self, root: RootId, block: &Block) -> bool {
        let is = |place: &Place| place.base == Base::Root(root);
        block.items.iter().any(|item| match item {
            Item::Assign {
                place,
                op: Assign::Set,
                ..
            } => is(place) && !place.suffix.is_empty(),
            Item::Swap { place, .. } => is(place),
            Item::Exchange { a, b } => is(a) || is(b),
            Item::Loop { body, .. } => self.changes_entries(root, body),
            Item::Branch { arms, .. } => arms.iter().any(|a| self.changes_entries(root, &a.body)),
            item => self.call_of(item).is_some_and(|call| {
                let mut args = call.args.iter().flat_map(Arg::each);
                args.any(|arg| matches!(arg, Arg::Exclusive(place) if is(place)))
            }),
        })
    }
}

/// How often a place goes into an entry or a field: `[i][a..b][j].0` three times.
fn levels(suffix: &TokenStream) -> usize {
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
