//! Entries that the loops have left behind: what is read of them is not written again, so that the reverse sweep reads it in the memory, where an
//! entry would go to the tape for each read.
//!
//! ```text
//! for i in 1..n { for j in 1..m { t[i][j] = f(t[i - 1][j], t[i][j - 1]); } }       // a table that is filled
//! for i in 0..n { for k in 0..i { y[i] -= a[i][k] * y[k]; } }                      // k < i: substitution
//! ```
//!
//! A later round of a loop writes at larger indices (smaller ones, if the loop runs backwards); in the same round the loops inside decide, and at last
//! the order of the statements. Only of slices, arrays and vectors of numbers, whose `[i]` is that of the language.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::Expr as Syntax;

use crate::differentiable::ir::*;

/// A loop that counts: its variable, and the range if it is written.
struct Counting<'a> {
    name: &'a Ident,
    range: Option<syn::ExprRange>,
    reversed: bool,
}

/// What is written of each memory: the indices, and where.
type Writes = HashMap<RootId, Vec<(Vec<usize>, Option<Vec<Syntax>>)>>;

struct Search<'a> {
    program: &'a Program,
    loops: HashMap<usize, Counting<'a>>,
    writes: Writes,
}

impl Program {
    /// Those of these numbers that are read of such entries.
    pub(crate) fn behind(&self, numbers: &HashSet<DefId>) -> HashSet<DefId> {
        let mut search = Search {
            program: self,
            loops: HashMap::new(),
            writes: Writes::new(),
        };
        // a loop that keeps states has its own way back
        if numbers.is_empty() || !self.checkpoints.is_empty() {
            return HashSet::new();
        }
        search.block(&self.body, &mut Vec::new());
        let all = numbers.iter().copied();
        all.filter(|d| search.is_behind(*d) == Some(true)).collect()
    }
}

impl<'a> Search<'a> {
    fn block(&mut self, block: &'a Block, around: &mut Vec<usize>) {
        let p = self.program;
        for item in &block.items {
            match item {
                Item::Branch { arms, .. } => arms.iter().for_each(|a| self.block(&a.body, around)),
                Item::Loop { iterable, body, .. } => {
                    let Iterable::Counted { range, variable } = iterable else {
                        // its number is not told: what it writes will not be found where it is
                        around.push(usize::MAX);
                        self.block(body, around);
                        around.pop();
                        continue;
                    };
                    let variable = &p.defs[*variable];
                    let Some(number) = variable.point.loops.last() else {
                        continue;
                    };
                    let counting = Counting {
                        name: &variable.name,
                        range: written(&range.range),
                        reversed: range.reversed,
                    };
                    self.loops.insert(*number, counting);
                    around.push(*number);
                    self.block(body, around);
                    around.pop();
                }
                Item::Assign { place, .. } => {
                    if let Base::Root(root) = place.base {
                        let write = (around.clone(), indices(&place.suffix));
                        self.writes.entry(root).or_default().push(write);
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether an entry that is read is not written afterwards; `None` as well as `false` where it is not known.
    fn is_behind(&self, read: DefId) -> Option<bool> {
        let def = &self.program.defs[read];
        let DefKind::Read(Place {
            base: Base::Root(root),
            suffix,
            ..
        }) = &def.kind
        else {
            return None;
        };
        let memory = &self.program.roots[*root];
        let (at, writes) = (indices(suffix)?, self.writes.get(root)?);
        // every write is an assignment that was found where it says that it is
        let same = writes.len() == memory.writes.len()
            && (writes.iter().zip(&memory.writes)).all(|((loops, _), w)| *loops == w.loops);
        if memory.kind != RootKind::Memory || !same {
            return None;
        }
        let outside = memory.loops.len();
        for ((_, to), point) in writes.iter().zip(&memory.writes) {
            let both = point.loops.iter().zip(&def.point.loops);
            let shared = both.take_while(|(a, b)| a == b).map(|(a, _)| *a);
            let shared: Vec<usize> = shared.skip(outside).collect();
            if !self.is_before(&shared, to.as_ref(), &at, &def.point)?
                && point.order > def.point.order
            {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Whether the loops that a write and a read share tell that no round writes what an earlier one has read; `false` where it is one statement after
    /// the other in the same round of all of them.
    fn is_before(
        &self,
        shared: &[usize],
        to: Option<&Vec<Syntax>>,
        at: &[Syntax],
        read: &Point,
    ) -> Option<bool> {
        for number in shared {
            let counting = self.loops.get(number)?;
            counting.range.as_ref()?;
            let index = |i: &Syntax| offset(i, counting.name);
            let (level, writes) =
                (to?.iter().enumerate()).find_map(|(l, i)| Some((l, index(i)?)))?;
            let entry = at.get(level)?;
            let passed = self.extreme(entry, counting, read)?;
            match counting.reversed {
                false if passed < writes => return Some(true),
                true if passed > writes => return Some(true),
                _ if index(entry) == Some(writes) => {}
                _ => return None,
            }
        }
        Some(false)
    }

    /// How much an index is at most (at least, if the loop runs backwards) behind the variable of a loop in one of its rounds.
    fn extreme(&self, index: &Syntax, of: &Counting<'_>, read: &Point) -> Option<i64> {
        if let Some(offset) = offset(index, of.name) {
            return Some(offset);
        }
        read.loops.iter().find_map(|number| {
            let inner = self.loops.get(number)?;
            let added = offset(index, inner.name)?;
            let range = inner.range.as_ref()?;
            let end = match of.reversed {
                true => range.start.as_ref()?,
                false => range.end.as_ref()?,
            };
            let open = !of.reversed && matches!(range.limits, syn::RangeLimits::HalfOpen(_));
            Some(added + offset(end, of.name)? - i64::from(open))
        })
    }
}

/// The range that is written.
fn written(range: &Atom) -> Option<syn::ExprRange> {
    let Atom::Const(range) = range else {
        return None;
    };
    match syn::parse2(range.tokens.clone()).ok()? {
        Syntax::Range(range) => Some(range),
        Syntax::Paren(inside) => match *inside.expr {
            Syntax::Range(range) => Some(range),
            _ => None,
        },
        _ => None,
    }
}

/// The indices of a place that is an entry: `[i][j]`.
fn indices(suffix: &TokenStream) -> Option<Vec<Syntax>> {
    let index = |tree: TokenTree| match tree {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            syn::parse2(group.stream()).ok()
        }
        _ => None,
    };
    let all: Vec<Syntax> = suffix
        .clone()
        .into_iter()
        .map(index)
        .collect::<Option<_>>()?;
    (!all.is_empty()).then_some(all)
}

/// `-1` of `i - 1`.
fn offset(index: &Syntax, variable: &Ident) -> Option<i64> {
    match index {
        Syntax::Paren(inside) => offset(&inside.expr, variable),
        Syntax::Path(path) => path.path.is_ident(variable).then_some(0),
        Syntax::Binary(binary) => match (&binary.op, number(&binary.left), number(&binary.right)) {
            (syn::BinOp::Add(_), _, Some(n)) => Some(offset(&binary.left, variable)? + n),
            (syn::BinOp::Add(_), Some(n), _) => Some(offset(&binary.right, variable)? + n),
            (syn::BinOp::Sub(_), _, Some(n)) => Some(offset(&binary.left, variable)? - n),
            _ => None,
        },
        _ => None,
    }
}

fn number(expr: &Syntax) -> Option<i64> {
    match expr {
        Syntax::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) => n.base10_parse::<u32>().ok().map(i64::from),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
