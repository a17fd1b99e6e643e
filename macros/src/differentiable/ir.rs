//! The program between the user's tokens and the derivative: structured control flow over definitions that never change.
//!
//! Every value has one definition ([`Def`]). Memory that changes (parameters, arrays, mutable locals) is a [`Root`]; reading
//! it makes a definition, so that the reverse pass can ask for the value that was read.

mod call;
pub(crate) mod checkpoint;
mod display;
mod fold;
pub(crate) mod mentions;
pub(crate) mod nested;
mod operands;
#[cfg(test)]
mod tests;
mod text;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};

pub(crate) use super::methods::operations::Needs;
use crate::premises::Decisions;
use crate::signature::Passing;
pub(crate) use call::*;

/// Index of a definition in [`Program::defs`].
pub(crate) type DefId = usize;
/// Index of a root in [`Program::roots`].
pub(crate) type RootId = usize;

/// A function body.
#[derive(Default)]
pub(crate) struct Program {
    pub(crate) roots: Vec<Root>,
    pub(crate) defs: Vec<Def>,
    pub(crate) body: Block,
    /// The returned value; `None` for `()`.
    pub(crate) result: Option<Atom>,
    /// Functions and types declared inside the body.
    pub(crate) items: TokenStream,
    /// The names of functions declared inside the body: no import is needed for their markers, and one of that name outside is another.
    pub(crate) inner: HashSet<Ident>,
    /// Functions declared inside the body that are called with active values and have no rules.
    pub(crate) wanted: HashSet<String>,
    /// The parts of memory that have names where code is being generated.
    pub(crate) windows: RefCell<Vec<Window>>,
    /// Loops that keep some states instead of taping every round, by the number of their body.
    pub(crate) checkpoints: BTreeMap<usize, Checkpoint>,
    /// Opaque values that have no effect, and rounds that run again ask again: where a part of memory lies in it, whether a call that
    /// follows gives a value.
    pub(crate) questions: HashSet<DefId>,
    /// Calls without their rules, where they are of no effect: for rounds that are looked at and not differentiated.
    pub(crate) primals: HashMap<DefId, Expr>,
    /// Calls that are unwrapped where a condition has asked whether they give a value, by their values, with that condition.
    pub(crate) asked: HashMap<DefId, DefId>,
    /// Which parameters are numbers, or made of them, as their types say.
    pub(crate) numbers: Vec<bool>,
    /// The types of the parameters, without references.
    pub(crate) parameters: Vec<syn::Type>,
    /// What is copied where it would be moved.
    pub(crate) moves: Moves,
    /// Parameters of which no copy can be kept.
    pub(crate) unkept: HashSet<RootId>,
    /// Memory that is a slice, an array or a vector, as its type or its value says.
    pub(crate) sequences: HashSet<Base>,
    /// What is read of places that are swapped, which are not moved out of, or that are gone afterwards.
    pub(crate) exchanged: HashSet<DefId>,
    /// The parameters that are called.
    pub(crate) called: HashSet<DefId>,
    /// The parameters behind `&mut` of which a vector may have another length in the end, here or in what is called.
    pub(crate) changes_lengths: Vec<usize>,
    /// Calls of functions that no file of the crate has, which are believed to leave the length of what they are lent as it is, by their order.
    pub(crate) believed: HashSet<usize>,
    /// What was decided by names, to be asserted.
    pub(crate) decisions: Decisions,
    /// Whether a derivative begins with the question whether its callees are what their markers say.
    pub(crate) asks_callees: bool,
    /// The callees that are named by constants, and not by their markers.
    pub(crate) aliases: HashSet<Ident>,
    /// The constants among the parameters of the function.
    pub(crate) constants: Vec<Ident>,
}

/// What may not be moved.
#[derive(Default)]
pub(crate) struct Moves {
    /// Values that may be structs.
    pub(crate) structs: HashSet<DefId>,
    /// Those of them that are wanted again after they have been moved into a local or a struct.
    pub(crate) values: HashSet<DefId>,
    /// Locals that may be structs, and are wanted again after they have been read.
    pub(crate) locals: HashSet<RootId>,
    /// Parts of memory that may be structs, and are read as a whole.
    pub(crate) parts: HashSet<DefId>,
    /// Values without derivative that several things name.
    pub(crate) inactive: HashSet<DefId>,
    /// What calls give that nobody names but the statement of the same block which puts it into memory, and where that is.
    pub(crate) handed_over: HashMap<DefId, HandedOver>,
    /// What takes memory for the last time.
    pub(crate) last: LastTakers,
}

/// Statements that take all of some memory, which nothing names behind them.
#[derive(Default)]
pub(crate) struct LastTakers {
    /// Reads whose value is moved once, in the loop that they stand in.
    pub(crate) reads: HashSet<DefId>,
    /// The memory that is assigned to other memory.
    pub(crate) assigned: HashSet<RootId>,
}

/// The memory that gets what a call gives.
pub(crate) enum HandedOver {
    /// Which begins with it.
    Declared(RootId),
    /// A part of it.
    Assigned(Place),
}

/// A part of memory that a loop runs over.
pub(crate) struct Window {
    pub(crate) root: RootId,
    /// The place in front of the index.
    pub(crate) prefix: TokenStream,
    pub(crate) index: TokenStream,
    /// The number of the round.
    pub(crate) round: Ident,
    pub(crate) name: Ident,
    /// What the generated loop does with it.
    pub(crate) read: bool,
    pub(crate) written: bool,
    pub(crate) shadowed: bool,
}

/// A loop under `#[checkpoint]`.
pub(crate) struct Checkpoint {
    /// How many states are kept.
    pub(crate) snapshots: TokenStream,
    /// The number of the loop, as in [`Point::loops`].
    pub(crate) number: usize,
    pub(crate) at: Point,
    /// What is said if it cannot be done, is said here.
    pub(crate) span: Span,
    /// Whether the number of rounds is known before the first: none leaves the loop, and none fails.
    pub(crate) known: bool,
    /// The locals that make its state.
    pub(crate) state: Vec<RootId>,
    /// What it reads besides.
    pub(crate) reads: Uses,
}

/// Memory or a variable that can change.
pub(crate) struct Root {
    pub(crate) name: Ident,
    pub(crate) kind: RootKind,
    /// The type that the user wrote, which the methods of its value may need.
    pub(crate) ty: Option<syn::Type>,
    /// Whether a derivative can flow into it.
    pub(crate) varied: bool,
    /// The loops around its declaration.
    pub(crate) loops: Vec<usize>,
    /// Where it is written.
    pub(crate) writes: Vec<Point>,
}

/// What sort of root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RootKind {
    /// Behind a reference that is parameter `index`.
    Param { index: usize, passing: Passing },
    /// A local that is changed in parts: an array, a vector, a struct.
    Memory,
    /// A local that is changed as a whole.
    Scalar,
}

/// A place in the text, to tell what can happen after what.
#[derive(Clone)]
pub(crate) struct Point {
    pub(crate) order: usize,
    pub(crate) loops: Vec<usize>,
}

/// A value.
pub(crate) struct Def {
    pub(crate) name: Ident,
    pub(crate) kind: DefKind,
    /// Whether a derivative can flow into it.
    pub(crate) varied: bool,
    /// Whether the user wants it on the tape rather than computed again.
    pub(crate) stored: bool,
    pub(crate) point: Point,
}

/// How a value comes about.
#[allow(clippy::large_enum_variant)] // a function has some hundred of them
pub(crate) enum DefKind {
    /// By-value parameter `index`.
    Param(usize),
    /// An expression without derivative and without effect, computed from these.
    Pure(Expr),
    /// Reading a place.
    Read(Place),
    /// An operation with a derivative: its marker, the expression, the operands.
    Op {
        op: TokenStream,
        value: TokenStream,
        args: Vec<Atom>,
        needs: Needs,
    },
    /// A tuple, an array or a struct of values, with the access to each.
    Make {
        value: TokenStream,
        parts: Vec<(TokenStream, Atom)>,
    },
    /// An expression that must not be run again: it has effects, or reads what changes.
    Opaque(Expr),
    /// The current value of a mutable local.
    Version(RootId),
    /// The result of a call.
    Call(Call),
    /// The variable of a loop.
    LoopVariable,
}

/// Tokens, and what they read.
#[derive(Clone, Default)]
pub(crate) struct Expr {
    pub(crate) tokens: TokenStream,
    pub(crate) uses: Uses,
}

impl Expr {
    /// The value or the memory whose name is all of it.
    pub(crate) fn alone(&self) -> Option<Base> {
        let mut tokens = self.tokens.clone().into_iter();
        let name = matches!(tokens.next(), Some(TokenTree::Ident(_))) && tokens.next().is_none();
        let defs = self.uses.defs.iter().map(|d| Base::Def(*d));
        let mut named = defs.chain(self.uses.roots.iter().map(|r| Base::Root(*r)));
        named.next().filter(|_| name)
    }
}

/// The definitions and the roots that some tokens name.
#[derive(Clone, Default)]
pub(crate) struct Uses {
    pub(crate) defs: BTreeSet<DefId>,
    pub(crate) roots: BTreeSet<RootId>,
    /// Roots of which only the length is read, which never changes.
    pub(crate) lengths: BTreeSet<RootId>,
}

impl Uses {
    pub(crate) fn is_empty(&self) -> bool {
        self.defs.is_empty() && self.roots.is_empty() && self.lengths.is_empty()
    }

    pub(crate) fn extend(&mut self, other: &Uses) {
        self.defs.extend(&other.defs);
        self.roots.extend(&other.roots);
        self.lengths.extend(&other.lengths);
    }
}

/// An operand.
#[derive(Clone)]
pub(crate) enum Atom {
    /// A definition.
    Def(DefId),
    /// An inactive expression.
    Const(Expr),
    /// A local root by value, moved out.
    Root(RootId),
}

impl Atom {
    /// The definition that it is.
    pub(crate) fn def(&self) -> Option<DefId> {
        match self {
            Atom::Def(d) => Some(*d),
            Atom::Const(_) | Atom::Root(_) => None,
        }
    }
}

/// A part of memory: `base` followed by `suffix`, as in `x` `[i]`.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) base: Base,
    pub(crate) suffix: TokenStream,
    /// What the suffix names.
    pub(crate) uses: Uses,
}

/// Where a place begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Base {
    Root(RootId),
    Def(DefId),
}

/// Statements in order.
#[derive(Default)]
pub(crate) struct Block {
    /// Its number: 0 for the function's own block.
    pub(crate) id: usize,
    pub(crate) items: Vec<Item>,
}

impl Program {
    /// The call that a statement is.
    pub(crate) fn call_of<'a>(&'a self, item: &'a Item) -> Option<&'a Call> {
        match item {
            Item::Call(call) => Some(call),
            Item::Def(d) => match &self.defs[*d].kind {
                DefKind::Call(call) => Some(call),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Block {
    /// A block in which nothing happens, and which needs no number.
    pub(crate) const EMPTY: Self = Self {
        id: usize::MAX,
        items: Vec::new(),
    };
}

/// A statement.
pub(crate) enum Item {
    Def(DefId),
    /// Runs in the primal only.
    Verbatim(TokenStream),
    /// `let mut s = …;`
    Declare {
        root: RootId,
        init: Init,
    },
    /// `place = value`, `place += value`, `place -= value`.
    Assign {
        place: Place,
        op: Assign,
        value: Atom,
    },
    /// Stands before all of a local or of a field is assigned: the shape that it had until then, where that changes. Without one, it
    /// stands before a call that assigns fields, whose second half gives them their shape back in the shadow.
    Reshape {
        place: Place,
        shape: Option<DefId>,
    },
    /// `if`, `match`.
    Branch {
        arms: Vec<Arm>,
        selector: Selector,
    },
    /// A loop, which ends after a round in which one of the flags went up.
    Loop {
        iterable: Iterable,
        body: Block,
        flags: Vec<RootId>,
    },
    /// A call as a statement.
    Call(Call),
    /// `dst.copy_from_slice(src)`.
    Copy {
        to: Place,
        from: Place,
    },
    /// `dst.fill(value)`.
    Fill {
        place: Place,
        value: Atom,
    },
    /// `std::mem::swap(&mut a, &mut b)` of two locals.
    Exchange {
        a: Place,
        b: Place,
    },
    /// `place.push(value)`.
    Push {
        place: Place,
        value: Atom,
    },
    /// The last entry leaves: `place.pop()`.
    Pop {
        place: Place,
    },
    /// `place.swap(i, j)`.
    Swap {
        place: Place,
        i: TokenStream,
        j: TokenStream,
    },
}

/// How a root comes about.
pub(crate) enum Init {
    /// Later, in every branch.
    Later,
    /// From a value.
    Value(Atom),
    /// An inactive expression; `again`: it can be run again.
    Inactive { expr: Expr, again: bool },
    /// A copy of a place, by this expression.
    Copy { from: Place, tokens: TokenStream },
}

/// How a place is assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Assign {
    Set,
    Add,
    Sub,
}

/// What decides between arms.
pub(crate) enum Selector {
    /// A flag.
    If(Atom),
    /// A value and patterns.
    Match(Atom),
}

/// One way through a branch.
pub(crate) struct Arm {
    /// The pattern and guard; empty for `if`.
    pub(crate) pattern: TokenStream,
    pub(crate) body: Block,
}

/// What a loop runs over.
pub(crate) enum Iterable {
    /// A range and the loop variable.
    Counted { range: Range, variable: DefId },
    /// `while condition`: the condition runs in the primal only.
    While { condition: TokenStream },
}

/// `range`, `range.step_by(step)`, either `.rev()`.
pub(crate) struct Range {
    /// An inactive expression.
    pub(crate) range: Atom,
    pub(crate) step: Option<Expr>,
    pub(crate) reversed: bool,
}

impl Range {
    pub(crate) fn up(range: Atom) -> Self {
        Self {
            range,
            step: None,
            reversed: false,
        }
    }
}
