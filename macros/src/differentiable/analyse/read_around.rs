//! Memory that a loop reads at several places in each round, or lends to calls, and leaves alone, and that changes afterwards: what it holds
//! goes to the tape once after the loop, and not each value that is read.
//!
//! ```text
//! for t in 0..steps {
//!     for i in 1..n - 1 { next[i] = f(now[i - 1], now[i], now[i + 1]); }     // one word an entry, not three
//!     now.copy_from_slice(&next);
//! }
//! ```
//!
//! Entries whose indices differ by constants are runs that overlap, so that it is never more than was read. Where indices are of any other form,
//! it is all of the memory, if the loop around changes many of the entries in each of its rounds.

use std::collections::{BTreeMap, BTreeSet};

use syn::Expr as Syntax;

use super::invariant_memory::{Part, Standing, Stands};
use crate::differentiable::ir::*;
use crate::differentiable::tokens::index::{is_all, slope, split};

/// A call, by its order, and memory that it gets.
pub(crate) type Lends = BTreeSet<(usize, RootId)>;

/// What is asked of the values that are read.
pub(crate) struct Wanted<'a> {
    /// Values that would go to the tape.
    pub(crate) taped: &'a BTreeSet<DefId>,
    /// Values in the place of which others go to the tape.
    pub(crate) cuts: &'a BTreeMap<DefId, DefId>,
    /// Whether the rounds of a loop with this body are apart from those around.
    pub(crate) apart: &'a dyn Fn(usize) -> bool,
    /// The number of loops in which memory lives.
    pub(crate) outside: &'a dyn Fn(RootId) -> usize,
}

impl Program {
    /// Finds such memory by the bodies of the loops, and the calls that find it as it was.
    pub(crate) fn read_around(&self, wanted: &Wanted<'_>) -> (Stands, Lends) {
        let mut search = Search {
            program: self,
            wanted,
            done: BTreeSet::new(),
            found: (Stands::new(), Lends::new()),
        };
        search.block(&self.body, None);
        search.found
    }
}

struct Search<'a> {
    program: &'a Program,
    wanted: &'a Wanted<'a>,
    done: BTreeSet<DefId>,
    found: (Stands, Lends),
}

/// A loop: its range, its variable, and the block of its rounds.
#[derive(Clone, Copy)]
struct Reading<'a> {
    range: &'a Range,
    variable: DefId,
    body: &'a Block,
}

/// What a loop has of some memory: values, and calls that it is lent to.
#[derive(Default)]
struct Had {
    reads: BTreeSet<DefId>,
    calls: BTreeSet<usize>,
}

impl Search<'_> {
    fn block(&mut self, block: &Block, around: Option<&Block>) {
        for item in &block.items {
            match item {
                Item::Branch { arms, .. } => arms.iter().for_each(|a| self.block(&a.body, around)),
                Item::Loop {
                    iterable,
                    body,
                    flags,
                } => {
                    if let Iterable::Counted { range, variable } = iterable
                        && flags.is_empty()
                        && !(self.wanted.apart)(body.id)
                    {
                        let variable = *variable;
                        self.reading(
                            Reading {
                                range,
                                variable,
                                body,
                            },
                            around,
                        );
                    }
                    self.block(body, Some(body));
                }
                _ => {}
            }
        }
    }

    fn reading(&mut self, reading: Reading<'_>, around: Option<&Block>) {
        let (p, mut memory) = (self.program, BTreeMap::new());
        self.had(reading.body, &mut memory);
        for (root, had) in memory {
            let (root_, loops) = (&p.roots[root], self.loops(reading));
            let own = root_.kind == RootKind::Memory && root_.varied;
            let inside = |loops_: &[usize]| loops_.starts_with(loops);
            if !own || inside(&root_.loops) || root_.writes.iter().any(|w| inside(&w.loops)) {
                continue;
            }
            let run = self.run(reading, root, &had.reads);
            let Some(standing) = run.or_else(|| self.all(reading, around, root, &had)) else {
                continue;
            };
            if let Part::All = standing.part {
                self.found.1.extend(had.calls.iter().map(|c| (*c, root)));
            }
            self.done.extend(&standing.reads);
            let found = self.found.0.entry(reading.body.id).or_default();
            found.push(standing);
        }
    }

    fn loops(&self, reading: Reading<'_>) -> &[usize] {
        &self.program.defs[reading.variable].point.loops
    }

    /// What a block has of each memory.
    fn had(&self, block: &Block, found: &mut BTreeMap<RootId, Had>) {
        let p = self.program;
        for item in &block.items {
            match item {
                Item::Branch { arms, .. } => arms.iter().for_each(|a| self.had(&a.body, found)),
                Item::Loop { body, .. } => self.had(body, found),
                Item::Def(d) => {
                    let wanted = self.wanted.taped.contains(d) && !self.done.contains(d);
                    if let (DefKind::Read(place), true) = (&p.defs[*d].kind, wanted)
                        && let Base::Root(root) = place.base
                        && !place.suffix.is_empty()
                        && !p.defs[*d].stored
                    {
                        found.entry(root).or_default().reads.insert(*d);
                    }
                    self.lent(item, found);
                }
                item => self.lent(item, found),
            }
        }
    }

    /// The memory that a call gets and that changes afterwards.
    fn lent(&self, item: &Item, found: &mut BTreeMap<RootId, Had>) {
        let p = self.program;
        let Some(call) = p.call_of(item) else { return };
        for arg in &call.args {
            if let Arg::Shared(place) = arg
                && let Base::Root(root) = place.base
                && p.changed_after(root, &call.point, (self.wanted.outside)(root))
            {
                if self.found.1.contains(&(call.point.order, root)) {
                    continue;
                }
                let had = found.entry(root).or_default();
                had.calls.insert(call.point.order);
            }
        }
    }

    /// How many values would be on the tape in a round.
    fn words(&self, reads: &BTreeSet<DefId>) -> usize {
        let cuts = &self.wanted.cuts;
        let words = reads.iter().map(|d| cuts.get(d).unwrap_or(d));
        words.collect::<BTreeSet<_>>().len()
    }

    /// The entries of the loop's own rounds, if several are at constant distances.
    fn run(&self, reading: Reading<'_>, root: RootId, reads: &BTreeSet<DefId>) -> Option<Standing> {
        let p = self.program;
        let Atom::Const(range) = &reading.range.range else {
            return None;
        };
        let plain = reading.range.step.is_none() && self.is_known(reading, &range.uses);
        if !plain || !p.is_fixed(root) {
            return None;
        }
        let direct = reading.body.items.iter().filter_map(|item| match item {
            Item::Def(d) if reads.contains(d) => Some((*d, self.index(reading, *d)?)),
            _ => None,
        });
        let direct: Vec<_> = direct.collect();
        let runs: BTreeSet<String> = direct.iter().map(|(_, i)| run_of(i)).collect();
        let reads: BTreeSet<DefId> = direct.iter().map(|(d, _)| *d).collect();
        if runs.len() >= self.words(&reads) {
            return None;
        }
        let mut indices: Vec<Expr> = Vec::new();
        for (_, index) in direct {
            if !indices.iter().any(|known| same_text(known, &index)) {
                indices.push(index);
            }
        }
        let (range, variable) = (range.clone(), reading.variable);
        Some(Standing {
            root,
            part: Part::Run {
                range,
                variable,
                indices,
            },
            reads,
        })
    }

    /// The index of a value that rises by one from round to round.
    fn index(&self, reading: Reading<'_>, id: DefId) -> Option<Expr> {
        let DefKind::Read(place) = &self.program.defs[id].kind else {
            return None;
        };
        let name = &self.program.defs[reading.variable].name;
        let (prefix, tokens) = split(&place.suffix, name)?;
        let rises = slope(&syn::parse2(tokens.clone()).ok()?, name) == Some(1);
        let mut uses = place.uses.clone();
        uses.defs.remove(&reading.variable);
        let known = self.is_known(reading, &uses);
        (rises && prefix.is_empty() && known).then_some(Expr { tokens, uses })
    }

    /// Whether what is named is the same before the loop and after it.
    fn is_known(&self, reading: Reading<'_>, uses: &Uses) -> bool {
        let (p, loops) = (self.program, self.loops(reading));
        let inside = |point: &Point| point.loops.starts_with(loops);
        uses.defs.iter().all(|d| !inside(&p.defs[*d].point))
            && uses
                .roots
                .iter()
                .all(|r| !p.roots[*r].writes.iter().any(inside))
    }

    /// All of the memory, if calls get it, or if the loop around changes many of the entries that this loop reads.
    fn all(
        &self,
        reading: Reading<'_>,
        around: Option<&Block>,
        root: RootId,
        had: &Had,
    ) -> Option<Standing> {
        let p = self.program;
        let own = |d: &&DefId| match &p.defs[**d].kind {
            DefKind::Read(place) => self.is_own(reading, place),
            _ => false,
        };
        let reads: BTreeSet<DefId> = had.reads.iter().filter(own).copied().collect();
        let changes = || around.is_some_and(|around| self.changes_many(reading, around, root));
        let worth = !had.calls.is_empty() || self.words(&reads) > 1 && changes();
        (worth && p.has_entries(root)).then_some(Standing {
            root,
            part: Part::All,
            reads,
        })
    }

    /// Whether a place depends on the loop itself, and on no loop around it that changes the memory.
    fn is_own(&self, reading: Reading<'_>, place: &Place) -> bool {
        let (p, loops) = (self.program, self.loops(reading));
        let around = &loops[..loops.len() - 1];
        let fine = |d: &DefId| {
            let at = &p.defs[*d].point.loops;
            at.starts_with(loops) || !at.starts_with(around) || around.is_empty()
        };
        let roots = |r: &RootId| p.roots[*r].writes.is_empty();
        place.uses.defs.iter().all(fine) && place.uses.roots.iter().all(roots)
    }

    /// Whether the loop around changes memory in a loop, or all of it.
    fn changes_many(&self, reading: Reading<'_>, around: &Block, root: RootId) -> bool {
        let loops = self.loops(reading);
        let outer = &loops[..loops.len() - 1];
        let inner = |w: &Point| w.loops.len() > outer.len() && w.loops.starts_with(outer);
        self.program.roots[root].writes.iter().any(inner) || replaces(around, root)
    }
}

/// Whether a block replaces all that memory holds.
fn replaces(block: &Block, root: RootId) -> bool {
    let whole = |place: &Place| place.base == Base::Root(root) && is_all(&place.suffix);
    block.items.iter().any(|item| match item {
        Item::Branch { arms, .. } => arms.iter().any(|a| replaces(&a.body, root)),
        Item::Assign { place, .. } | Item::Copy { to: place, .. } => whole(place),
        Item::Exchange { a, b } => whole(a) || whole(b),
        _ => false,
    })
}

/// What an index is without the number that is added to it: `k` of `k + 1`.
fn run_of(index: &Expr) -> String {
    fn base(index: &Syntax) -> String {
        use quote::ToTokens;
        match index {
            Syntax::Paren(inside) => base(&inside.expr),
            Syntax::Binary(binary)
                if matches!(binary.op, syn::BinOp::Add(_) | syn::BinOp::Sub(_)) =>
            {
                match (&*binary.left, &*binary.right) {
                    (left, Syntax::Lit(_)) => base(left),
                    (Syntax::Lit(_), right) if matches!(binary.op, syn::BinOp::Add(_)) => {
                        base(right)
                    }
                    _ => index.to_token_stream().to_string(),
                }
            }
            other => other.to_token_stream().to_string(),
        }
    }
    syn::parse2(index.tokens.clone()).map_or_else(|_| index.tokens.to_string(), |i| base(&i))
}

fn same_text(a: &Expr, b: &Expr) -> bool {
    a.tokens.to_string() == b.tokens.to_string() && a.uses.defs == b.uses.defs
}
