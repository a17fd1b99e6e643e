//! A chain of iterators as a value: what its elements come from and what is done to them.

use proc_macro2::TokenStream;
use syn::{Expr, ExprClosure};

use crate::differentiable::ir::{DefId, Place, Uses};
use crate::differentiable::lower::array::ArraySeq;

/// How elements are had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// By reference.
    Lent,
    /// By value, and read at once: `iter().copied()`.
    Copied,
    /// By value, of what is no more: `for x in vector`.
    Moved,
}

/// A chain of iterators, as its elements by number.
pub(crate) enum Seq {
    Range {
        range: TokenStream,
        uses: Uses,
        /// `a..b`, not `a..`.
        ends: bool,
    },
    Slice {
        place: Place,
        exclusive: bool,
        taken: Taken,
    },
    /// `chunks_exact(size)`, `windows(size)`, `chunks(size)`.
    Windows {
        place: Place,
        size: TokenStream,
        uses: Uses,
        exclusive: bool,
        cut: Cut,
    },
    /// What was collected of an iterator without derivative.
    Listed(DefId),
    /// What an array gives.
    Array(ArraySeq),
    Zip(Box<Seq>, Box<Seq>),
    Enumerate(Box<Seq>),
    /// Backwards; with the length, where that may be another when an element is asked for.
    Rev(Box<Seq>, Option<DefId>),
    Skip(Box<Seq>, Expr),
    Take(Box<Seq>, Expr),
    StepBy(Box<Seq>, Expr),
    /// From the beginning again after the last element; with the length as above.
    Cycle(Box<Seq>, Option<DefId>),
    Map(Box<Seq>, ExprClosure),
    /// The closure looks at each element.
    Inspect(Box<Seq>, ExprClosure),
    Filter(Box<Seq>, ExprClosure),
    /// `filter_map`, `map_while`: the closure's `Some`s, all or up to the first `None`.
    FilterMap(Box<Seq>, ExprClosure, Until),
    /// Elements as long as a condition holds, or from where it no longer does.
    While(Box<Seq>, ExprClosure, Side),
    /// The closure changes a state that starts as this, and gives `Some`.
    Scan(Box<Seq>, Expr, ExprClosure),
    Chain(Box<Seq>, Box<Seq>),
    /// The elements of the sequences that the function gives for each element.
    FlatMap(Box<Seq>, ExprClosure),
    /// `successors`: the first, and what the closure makes of the one before.
    Successors(Expr, ExprClosure),
}

/// Where the elements of a `FilterMap` end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    Exhausted,
    None,
}

/// Which elements a condition leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// `take_while`
    Before,
    /// `skip_while`
    After,
}

/// How a slice is cut into slices.
#[derive(Clone, Copy)]
pub(crate) enum Cut {
    /// One after the other, all of one size.
    Exact,
    /// One after the other, the last one shorter; with the length of the slice.
    Whole(DefId),
    /// One before the other from the end on, the last one shorter; with the length of the slice.
    FromBehind(DefId),
    /// One from every entry.
    Overlapping,
}

impl Seq {
    /// Whether the chain ends.
    pub(crate) fn ends(&self) -> bool {
        match self {
            Seq::Cycle(..) => false,
            Seq::Range { ends, .. } => *ends,
            // where, the closure says
            Seq::While(_, _, Side::Before)
            | Seq::FilterMap(_, _, Until::None)
            | Seq::Successors(..) => true,
            Seq::Scan(seq, _, f) => seq.ends() || super::optional_closures::always(f).is_none(),
            Seq::Zip(a, b) => a.ends() || b.ends(),
            Seq::Chain(a, b) => a.ends() && b.ends(),
            Seq::Enumerate(seq)
            | Seq::Rev(seq, _)
            | Seq::Skip(seq, _)
            | Seq::StepBy(seq, _)
            | Seq::Map(seq, _)
            | Seq::Inspect(seq, _)
            | Seq::Filter(seq, _)
            | Seq::FilterMap(seq, ..)
            | Seq::While(seq, ..)
            | Seq::FlatMap(seq, _) => seq.ends(),
            Seq::Slice { .. }
            | Seq::Windows { .. }
            | Seq::Listed(_)
            | Seq::Array(_)
            | Seq::Take(..) => true,
        }
    }

    /// Whether elements are mutable references.
    pub(crate) fn writes(&self) -> bool {
        match self {
            Seq::Slice { exclusive, .. } | Seq::Windows { exclusive, .. } => *exclusive,
            Seq::Zip(a, b) | Seq::Chain(a, b) => a.writes() || b.writes(),
            Seq::Enumerate(seq)
            | Seq::Rev(seq, _)
            | Seq::Skip(seq, _)
            | Seq::Take(seq, _)
            | Seq::StepBy(seq, _)
            | Seq::Cycle(seq, _)
            | Seq::Map(seq, _)
            | Seq::Inspect(seq, _)
            | Seq::Filter(seq, _)
            | Seq::FilterMap(seq, ..)
            | Seq::While(seq, ..)
            | Seq::Scan(seq, ..)
            | Seq::FlatMap(seq, _) => seq.writes(),
            Seq::Range { .. } | Seq::Listed(_) | Seq::Array(_) | Seq::Successors(..) => false,
        }
    }

    /// The closures in the chain.
    pub(crate) fn closures<'s>(&'s self, found: &mut Vec<&'s ExprClosure>) {
        match self {
            Seq::Range { .. }
            | Seq::Slice { .. }
            | Seq::Windows { .. }
            | Seq::Listed(_)
            | Seq::Array(_) => {}
            Seq::Zip(a, b) | Seq::Chain(a, b) => {
                a.closures(found);
                b.closures(found);
            }
            Seq::Enumerate(seq)
            | Seq::Rev(seq, _)
            | Seq::Skip(seq, _)
            | Seq::Take(seq, _)
            | Seq::StepBy(seq, _)
            | Seq::Cycle(seq, _) => seq.closures(found),
            Seq::Map(seq, f)
            | Seq::Inspect(seq, f)
            | Seq::Filter(seq, f)
            | Seq::FilterMap(seq, f, _)
            | Seq::While(seq, f, _)
            | Seq::Scan(seq, _, f)
            | Seq::FlatMap(seq, f) => {
                seq.closures(found);
                found.push(f);
            }
            Seq::Successors(_, f) => found.push(f),
        }
    }
}
