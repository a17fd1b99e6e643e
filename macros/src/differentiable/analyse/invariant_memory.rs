//! Memory that stands still in a loop, in which an inner loop reads it over and over: it goes to the tape once for the outer loop,
//! not once for each of its rounds.
//!
//! ```text
//! for t in 0..steps {
//!     for r in 0..m { for k in 0..n { z[r] += u[r * n + k] * h[k]; } }   // h[0..n] goes to the tape here
//!     for k in 0..n { h[k] = z[k].tanh(); }                              // because of this
//! }
//! ```
//!
//! It is never more than the values read: the entries are those of one round.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};

use super::scratch::is_guard;
use crate::differentiable::ir::*;
use crate::differentiable::tokens::index::{slope, split};

/// Entries of memory that a loop leaves on the tape.
#[derive(Clone)]
pub(crate) struct Standing {
    pub(crate) root: RootId,
    pub(crate) part: Part,
    /// The values that are read.
    pub(crate) reads: BTreeSet<DefId>,
}

/// Which entries.
#[derive(Clone)]
pub(crate) enum Part {
    /// The range of a loop, its variable, and the indices of the entries that a round reads.
    Run {
        range: Expr,
        variable: DefId,
        indices: Vec<Expr>,
    },
    /// All of them.
    All,
}

/// Such memory by the bodies of the outer loops.
pub(crate) type Stands = BTreeMap<usize, Vec<Standing>>;

/// A loop around others: its body, and its number in [`Point::loops`].
type Around = (usize, usize);

impl Program {
    /// Finds the memory of which values would go to the tape. Loops for which `apart` holds are not looked across.
    pub(crate) fn standing(
        &self,
        taped: &BTreeSet<DefId>,
        apart: &dyn Fn(usize) -> bool,
    ) -> Stands {
        let mut search = Search {
            program: self,
            taped,
            apart,
            found: Stands::new(),
        };
        search.block(&self.body, &mut Vec::new());
        search.found
    }

    /// Whether a local is a vector or a fixed array for sure, and stays as long as it is.
    pub(super) fn is_fixed(&self, root: RootId) -> bool {
        self.has_entries(root) && self.keeps_length(root, &self.body)
    }

    /// Whether a local is a vector or a fixed array for sure.
    pub(super) fn has_entries(&self, root: RootId) -> bool {
        self.roots[root].kind == RootKind::Memory
            && (self.is_vector(root) || is_copied(&self.body, root))
    }

    /// Whether what a block does with memory leaves its length as it is.
    fn keeps_length(&self, root: RootId, block: &Block) -> bool {
        let is = |place: &Place| place.base == Base::Root(root);
        let atom = |atom: &Atom| matches!(atom, Atom::Root(r) if *r == root);
        block.items.iter().all(|item| match item {
            Item::Loop { body, .. } => self.keeps_length(root, body),
            Item::Branch { arms, .. } => arms.iter().all(|a| self.keeps_length(root, &a.body)),
            Item::Assign { place, value, .. } => {
                !(is(place) && place.suffix.is_empty() || atom(value))
            }
            Item::Push { place, .. } | Item::Pop { place } | Item::Reshape { place, .. } => {
                !is(place)
            }
            Item::Exchange { a, b } => !is(a) && !is(b),
            Item::Verbatim(_) => false,
            item => match self.call_of(item) {
                Some(call) => call.args.iter().flat_map(Arg::each).all(|arg| match arg {
                    Arg::Exclusive(place) => !(is(place) && place.suffix.is_empty()),
                    _ => true,
                }),
                None => true,
            },
        })
    }
}

/// Whether a local begins as `….to_vec()`.
fn is_copied(block: &Block, root: RootId) -> bool {
    block.items.iter().any(|item| match item {
        Item::Declare {
            root: declared,
            init: Init::Copy { tokens, .. },
        } => *declared == root && ends_with_call(tokens, "to_vec"),
        Item::Loop { body, .. } => is_copied(body, root),
        Item::Branch { arms, .. } => arms.iter().any(|a| is_copied(&a.body, root)),
        _ => false,
    })
}

/// Whether tokens end with `.name()`.
fn ends_with_call(tokens: &TokenStream, name: &str) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    matches!(&trees[..], [.., TokenTree::Punct(dot), TokenTree::Ident(method), TokenTree::Group(args)]
        if dot.as_char() == '.' && method == name && args.stream().is_empty())
}

struct Search<'a> {
    program: &'a Program,
    taped: &'a BTreeSet<DefId>,
    apart: &'a dyn Fn(usize) -> bool,
    found: Stands,
}

impl Search<'_> {
    fn block(&mut self, block: &Block, around: &mut Vec<Around>) {
        for item in &block.items {
            match item {
                Item::Loop {
                    iterable: Iterable::Counted { range, variable },
                    body,
                    flags,
                } if flags.is_empty() && !(self.apart)(body.id) => {
                    self.inner(range, *variable, body, around);
                    let loops = &self.program.defs[*variable].point.loops;
                    around.push((body.id, *loops.last().expect("the loop")));
                    self.block(body, around);
                    around.pop();
                }
                Item::Loop { body, .. } => self.block(body, &mut Vec::new()),
                Item::Branch { arms, selector } if is_guard(arms, selector) => {
                    self.block(&arms[0].body, around);
                }
                // it may not run
                Item::Branch { arms, .. } => {
                    arms.iter()
                        .for_each(|a| self.block(&a.body, &mut Vec::new()));
                }
                _ => {}
            }
        }
    }

    /// What a loop reads that stands still in loops around it.
    fn inner(&mut self, range: &Range, variable: DefId, body: &Block, around: &[Around]) {
        let Atom::Const(run) = &range.range else {
            return;
        };
        if range.step.is_some() || around.is_empty() {
            return;
        }
        for item in &body.items {
            let Item::Def(d) = item else { continue };
            let Some((root, index)) = self.entry(*d, variable) else {
                continue;
            };
            let inside = around.iter().rev();
            let still = inside.take_while(|(_, number)| self.stands(root, run, &index, *number));
            let Some((outer, _)) = still.last() else {
                continue;
            };
            let standing = self.found.entry(*outer).or_default();
            let same = |s: &&mut Standing| match &s.part {
                Part::Run {
                    variable: of,
                    indices,
                    ..
                } => {
                    (s.root, *of) == (root, variable)
                        && indices[0].tokens.to_string() == index.tokens.to_string()
                }
                Part::All => false,
            };
            match standing.iter_mut().find(same) {
                Some(known) => drop(known.reads.insert(*d)),
                None => standing.push(Standing {
                    root,
                    part: Part::Run {
                        range: run.clone(),
                        variable,
                        indices: vec![index],
                    },
                    reads: [*d].into(),
                }),
            }
        }
    }

    /// The memory of which a value is the entry that a variable and what does not change name, and the index.
    fn entry(&self, id: DefId, variable: DefId) -> Option<(RootId, Expr)> {
        let def = &self.program.defs[id];
        let DefKind::Read(place) = &def.kind else {
            return None;
        };
        let Base::Root(root) = place.base else {
            return None;
        };
        if !self.taped.contains(&id) || def.stored || !self.program.is_fixed(root) {
            return None;
        }
        let name = &self.program.defs[variable].name;
        let (prefix, tokens) = split(&place.suffix, name)?;
        let rises = slope(&syn::parse2(tokens.clone()).ok()?, name) == Some(1);
        let mut uses = place.uses.clone();
        uses.defs.remove(&variable);
        (rises && prefix.is_empty()).then_some((root, Expr { tokens, uses }))
    }

    /// Whether memory, and which of its entries an inner loop reads, stay as they are in the loop of a number.
    fn stands(&self, root: RootId, range: &Expr, index: &Expr, number: usize) -> bool {
        let p = self.program;
        let outside = |loops: &[usize]| !loops.contains(&number);
        let still = |root: &RootId| {
            let root = &p.roots[*root];
            outside(&root.loops) && root.writes.iter().all(|w| outside(&w.loops))
        };
        let known = |uses: &Uses| {
            uses.defs.iter().all(|d| outside(&p.defs[*d].point.loops))
                && uses.roots.iter().all(still)
                && uses.lengths.iter().all(|r| outside(&p.roots[*r].loops))
        };
        still(&root) && known(&range.uses) && known(&index.uses)
    }
}
