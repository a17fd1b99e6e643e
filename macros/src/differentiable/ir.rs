//! The program between the user's tokens and the derivative: structured control flow over definitions that never change.
//!
//! Every value has one definition ([`Def`]). Memory that changes (parameters, arrays, mutable locals) is a [`Root`]; reading
//! it makes a definition, so that the reverse pass can ask for the value that was read.

mod display;
mod fold;
mod operands;
#[cfg(test)]
mod tests;
mod text;
mod tight;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};

pub(super) use super::table::Needs;
use crate::associated;
use crate::premises::Decisions;
use crate::signature::Passing;

/// Index of a definition in [`Program::defs`].
pub(super) type DefId = usize;
/// Index of a root in [`Program::roots`].
pub(super) type RootId = usize;

/// A function body.
#[derive(Default)]
pub(super) struct Program {
    pub(super) roots: Vec<Root>,
    pub(super) defs: Vec<Def>,
    pub(super) body: Block,
    /// The returned value; `None` for `()`.
    pub(super) result: Option<Atom>,
    /// Functions and types declared inside the body.
    pub(super) items: TokenStream,
    /// Functions declared inside the body that are called with active values and have no rules.
    pub(super) wanted: HashSet<String>,
    /// The parts of memory that have names where code is being generated.
    pub(super) windows: RefCell<Vec<Window>>,
    /// Loops that keep some states instead of taping every round, by the number of their body.
    pub(super) checkpoints: BTreeMap<usize, Checkpoint>,
    /// Opaque values that have no effect, and rounds that run again ask again: where a part of memory lies in it, whether a call that
    /// follows gives a value.
    pub(super) questions: HashSet<DefId>,
    /// Calls without their rules, where they are of no effect: for rounds that are looked at and not differentiated.
    pub(super) primals: HashMap<DefId, Expr>,
    /// What is copied where it would be moved.
    pub(super) moves: Moves,
    /// Parameters of which no copy can be kept.
    pub(super) unkept: HashSet<RootId>,
    /// The parameters that are called.
    pub(super) called: HashSet<DefId>,
    /// What was decided by names, to be asserted.
    pub(super) decisions: Decisions,
    /// The callees that are named by constants, and not by their markers.
    pub(super) aliases: HashSet<Ident>,
    /// The constants among the parameters of the function.
    pub(super) constants: Vec<Ident>,
}

/// What may not be moved.
#[derive(Default)]
pub(super) struct Moves {
    /// Values that may be structs.
    pub(super) structs: HashSet<DefId>,
    /// Those of them that are wanted again after they have been moved into a local or a struct.
    pub(super) values: HashSet<DefId>,
    /// Locals that may be structs, and are wanted again after they have been read.
    pub(super) locals: HashSet<RootId>,
    /// Parts of memory that may be structs, and are read as a whole.
    pub(super) parts: HashSet<DefId>,
}

/// A part of memory that a loop runs over.
pub(super) struct Window {
    pub(super) root: RootId,
    /// The place in front of the index.
    pub(super) prefix: TokenStream,
    pub(super) index: TokenStream,
    /// The number of the round.
    pub(super) round: Ident,
    pub(super) name: Ident,
    /// What the generated loop does with it.
    pub(super) read: bool,
    pub(super) written: bool,
    pub(super) shadowed: bool,
}

/// A loop under `#[checkpoint]`.
pub(super) struct Checkpoint {
    /// How many states are kept.
    pub(super) snapshots: TokenStream,
    /// The number of the loop, as in [`Point::loops`].
    pub(super) number: usize,
    pub(super) at: Point,
    /// What is said if it cannot be done, is said here.
    pub(super) span: Span,
    /// Whether the number of rounds is known before the first: none leaves the loop, and none fails.
    pub(super) known: bool,
    /// The locals that make its state.
    pub(super) state: Vec<RootId>,
    /// What it reads besides.
    pub(super) reads: Uses,
}

/// Memory or a variable that can change.
pub(super) struct Root {
    pub(super) name: Ident,
    pub(super) kind: RootKind,
    /// The type that the user wrote, which the methods of its value may need.
    pub(super) ty: Option<syn::Type>,
    /// Whether a derivative can flow into it.
    pub(super) varied: bool,
    /// The loops around its declaration.
    pub(super) loops: Vec<usize>,
    /// Where it is written.
    pub(super) writes: Vec<Point>,
}

/// What sort of root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RootKind {
    /// Behind a reference that is parameter `index`.
    Param { index: usize, passing: Passing },
    /// A local that is changed in parts: an array, a vector, a struct.
    Memory,
    /// A local that is changed as a whole.
    Scalar,
}

/// A place in the text, to tell what can happen after what.
#[derive(Clone)]
pub(super) struct Point {
    pub(super) order: usize,
    pub(super) loops: Vec<usize>,
}

/// A value.
pub(super) struct Def {
    pub(super) name: Ident,
    pub(super) kind: DefKind,
    /// Whether a derivative can flow into it.
    pub(super) varied: bool,
    /// Whether the user wants it on the tape rather than computed again.
    pub(super) stored: bool,
    pub(super) point: Point,
}

/// How a value comes about.
#[allow(clippy::large_enum_variant)] // a function has some hundred of them
pub(super) enum DefKind {
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
pub(super) struct Expr {
    pub(super) tokens: TokenStream,
    pub(super) uses: Uses,
}

/// The definitions and the roots that some tokens name.
#[derive(Clone, Default)]
pub(super) struct Uses {
    pub(super) defs: BTreeSet<DefId>,
    pub(super) roots: BTreeSet<RootId>,
    /// Roots of which only the length is read, which never changes.
    pub(super) lengths: BTreeSet<RootId>,
}

impl Uses {
    pub(super) fn extend(&mut self, other: &Uses) {
        self.defs.extend(&other.defs);
        self.roots.extend(&other.roots);
        self.lengths.extend(&other.lengths);
    }
}

/// An operand.
#[derive(Clone)]
pub(super) enum Atom {
    /// A definition.
    Def(DefId),
    /// An inactive expression.
    Const(Expr),
    /// A local root by value, moved out.
    Root(RootId),
}

/// A part of memory: `base` followed by `suffix`, as in `x` `[i]`.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) base: Base,
    pub(super) suffix: TokenStream,
    /// What the suffix names.
    pub(super) uses: Uses,
}

/// Where a place begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Base {
    Root(RootId),
    Def(DefId),
}

/// Statements in order.
#[derive(Default)]
pub(super) struct Block {
    /// Its number: 0 for the function's own block.
    pub(super) id: usize,
    pub(super) items: Vec<Item>,
}

impl Program {
    /// The call that a statement is.
    pub(super) fn call_of<'a>(&'a self, item: &'a Item) -> Option<&'a Call> {
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
    pub(super) const EMPTY: Self = Self {
        id: usize::MAX,
        items: Vec::new(),
    };
}

/// A statement.
pub(super) enum Item {
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
    /// Stands before all of a local is assigned: the shape that it had until then, where that changes.
    Reshape {
        root: RootId,
        shape: DefId,
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
pub(super) enum Init {
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
pub(super) enum Assign {
    Set,
    Add,
    Sub,
}

/// What decides between arms.
pub(super) enum Selector {
    /// A flag.
    If(Atom),
    /// A value and patterns.
    Match(Atom),
}

/// One way through a branch.
pub(super) struct Arm {
    /// The pattern and guard; empty for `if`.
    pub(super) pattern: TokenStream,
    pub(super) body: Block,
}

/// What a loop runs over.
pub(super) enum Iterable {
    /// A range and the loop variable.
    Counted { range: Range, variable: DefId },
    /// `while condition`: the condition runs in the primal only.
    While { condition: TokenStream },
}

/// `range`, `range.step_by(step)`, either `.rev()`.
pub(super) struct Range {
    /// An inactive expression.
    pub(super) range: Atom,
    pub(super) step: Option<Expr>,
    pub(super) reversed: bool,
}

impl Range {
    pub(super) fn up(range: Atom) -> Self {
        Self {
            range,
            step: None,
            reversed: false,
        }
    }
}

/// A call of a function that has rules.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) callee: Callee,
    pub(super) args: Vec<Arg>,
    /// Whether the result is used.
    pub(super) used: bool,
    /// What becomes of an error that it returns.
    pub(super) unpack: Unpack,
    pub(super) point: Point,
}

/// How the value comes out of the `Result` or `Option` that a call returns.
#[derive(Clone, Default)]
pub(super) enum Unpack {
    /// It returns none.
    #[default]
    Plain,
    /// An error leaves the function: `f(x)?`, `f(x).map_err(g)?` with the methods in between.
    Question(TokenStream),
    /// `f(x).unwrap()`.
    Method(TokenStream),
}

impl Unpack {
    /// What stands behind the call.
    pub(super) fn tokens(&self) -> TokenStream {
        match self {
            Unpack::Plain => TokenStream::new(),
            Unpack::Question(methods) => quote::quote!(#methods ?),
            Unpack::Method(tokens) => tokens.clone(),
        }
    }

    /// The methods behind the call.
    pub(super) fn methods(&self) -> Option<&TokenStream> {
        match self {
            Unpack::Plain => None,
            Unpack::Question(methods) | Unpack::Method(methods) => Some(methods),
        }
    }

    /// Whether an error leaves the function.
    pub(super) fn leaves(&self) -> bool {
        matches!(self, Unpack::Question(_))
    }
}

/// How an operand stands beside an operator, as far as tokens tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperandForm {
    Reference,
    Value,
}

/// What is called.
#[derive(Clone)]
pub(super) enum Callee {
    /// A function by its path, with generic arguments if any.
    Path(syn::Path),
    /// `X::from`, found by the type of its argument.
    Conversion(syn::Path),
    /// An operator on references, found by the types of its operands.
    Operator(Ident, [OperandForm; 2]),
    /// A method, found by the type of a place. `turbofish`: what is told to the finder.
    Method {
        receiver: Place,
        name: Ident,
        turbofish: Option<syn::AngleBracketedGenericArguments>,
    },
    /// A parameter that is called.
    Value(DefId),
    /// A variant of an enum, made of a tuple: how it is made, and taken apart again.
    Variant {
        make: TokenStream,
        parts: TokenStream,
    },
    /// What a pattern binds to a name, as a part of a value.
    Part {
        of: Place,
        pattern: TokenStream,
        name: Ident,
    },
}

impl Call {
    /// Whether argument `index` is in the same memory as one before it.
    pub(super) fn is_repeated(&self, index: usize) -> bool {
        let base = self.args[index].base();
        base.is_some() && self.args[..index].iter().any(|a| a.base() == base)
    }

    /// Whether a parameter can be handed on: the bound that this takes can be written.
    pub(super) fn passes_whole(&self) -> bool {
        matches!(&self.callee, Callee::Path(path) if !associated::is_associated(path))
            && !self.shares_memory()
            && self
                .args
                .iter()
                .all(|a| matches!(a, Arg::Whole { .. } | Arg::Value(_)))
    }

    /// Whether two arguments are in the same memory.
    pub(super) fn shares_memory(&self) -> bool {
        (0..self.args.len()).any(|i| self.is_repeated(i))
    }
}

/// An argument of a call.
#[derive(Clone)]
pub(super) enum Arg {
    /// An inactive expression, passed as `Const`.
    Const(Expr),
    /// A number, passed as `Active`.
    Value(Atom),
    /// Parameter `index` as a whole: its handle is passed on.
    Whole { root: RootId },
    /// A closure, as a function of its own whose last arguments are what it captures.
    Closure {
        function: Ident,
        captured: Vec<Arg>,
        point: Point,
    },
    /// A part of memory, read.
    Shared(Place),
    /// A part of memory, read and written.
    Exclusive(Place),
}

impl Arg {
    /// The arguments that a function gets by this one: itself, or what a closure captures.
    pub(super) fn each(&self) -> &[Arg] {
        match self {
            Arg::Closure { captured, .. } => captured,
            arg => std::slice::from_ref(arg),
        }
    }

    /// The memory that is passed.
    pub(super) fn base(&self) -> Option<Base> {
        match self {
            Arg::Whole { root } => Some(Base::Root(*root)),
            Arg::Shared(place) | Arg::Exclusive(place) => Some(place.base),
            Arg::Const(_) | Arg::Value(_) | Arg::Closure { .. } => None,
        }
    }
}
