//! What statements name: the values and the memory that they read or change.

use super::*;

/// One name in a statement.
pub(crate) enum Mention<'a> {
    /// A value.
    Def(DefId),
    /// Memory as a whole.
    Root(RootId),
    /// A part of memory.
    Place(&'a Place),
}

/// What is done with each name.
type Found<'a, 'f> = &'f mut dyn FnMut(Mention<'a>);

impl Program {
    /// Everything that a block and the blocks inside it name, in the order of the text.
    pub(crate) fn mentions<'a>(&'a self, block: &'a Block, found: Found<'a, '_>) {
        for item in &block.items {
            self.item_mentions(item, found);
        }
    }

    /// As [`mentions`](Self::mentions), of one statement.
    pub(crate) fn item_mentions<'a>(&'a self, item: &'a Item, found: Found<'a, '_>) {
        match item {
            Item::Verbatim(_) => {}
            Item::Def(d) => self.def_mentions(*d, found),
            Item::Declare { init, .. } => match init {
                Init::Later => {}
                Init::Value(atom) => atom.mentions(found),
                Init::Inactive { expr, .. } => expr.uses.mentions(found),
                Init::Copy { from, .. } => from.mentions(found),
            },
            Item::Assign { place, value, .. } => {
                place.mentions(found);
                value.mentions(found);
            }
            Item::Branch { arms, selector } => {
                let (Selector::If(atom) | Selector::Match(atom)) = selector;
                atom.mentions(found);
                arms.iter().for_each(|a| self.mentions(&a.body, found));
            }
            Item::Loop {
                iterable,
                body,
                flags,
            } => {
                if let Iterable::Counted { range, .. } = iterable {
                    range.range.mentions(found);
                    range.step.iter().for_each(|s| s.uses.mentions(found));
                }
                flags.iter().for_each(|f| found(Mention::Root(*f)));
                self.mentions(body, found);
            }
            Item::Call(call) => call.mentions(found),
            Item::Reshape { place, shape } => {
                place.uses.mentions(found);
                if let Base::Root(root) = place.base {
                    found(Mention::Root(root));
                }
                shape.iter().for_each(|shape| found(Mention::Def(*shape)));
            }
            Item::Copy { to, from } => {
                to.mentions(found);
                from.mentions(found);
            }
            Item::Fill { place, value } | Item::Push { place, value } => {
                place.mentions(found);
                value.mentions(found);
            }
            Item::Exchange { a, b } => {
                a.mentions(found);
                b.mentions(found);
            }
            Item::Pop { place } | Item::Swap { place, .. } => place.mentions(found),
        }
    }

    /// As [`mentions`](Self::mentions), of a value.
    pub(crate) fn def_mentions<'a>(&'a self, def: DefId, found: Found<'a, '_>) {
        match &self.defs[def].kind {
            DefKind::Param(_) | DefKind::LoopVariable => {}
            DefKind::Pure(expr) | DefKind::Opaque(expr) => expr.uses.mentions(found),
            DefKind::Read(place) => place.mentions(found),
            DefKind::Op { args, .. } => args.iter().for_each(|a| a.mentions(found)),
            DefKind::Make { parts, .. } => parts.iter().for_each(|(_, a)| a.mentions(found)),
            DefKind::Version(root) => found(Mention::Root(*root)),
            DefKind::Call(call) => call.mentions(found),
        }
    }
}

impl Uses {
    pub(crate) fn mentions<'a>(&'a self, found: Found<'a, '_>) {
        self.defs.iter().for_each(|d| found(Mention::Def(*d)));
        self.roots.iter().for_each(|r| found(Mention::Root(*r)));
    }
}

impl Atom {
    pub(crate) fn mentions<'a>(&'a self, found: Found<'a, '_>) {
        match self {
            Atom::Def(d) => found(Mention::Def(*d)),
            Atom::Const(expr) => expr.uses.mentions(found),
            Atom::Root(r) => found(Mention::Root(*r)),
        }
    }
}

impl Place {
    pub(crate) fn mentions<'a>(&'a self, found: Found<'a, '_>) {
        self.uses.mentions(found);
        match self.base {
            Base::Def(d) => found(Mention::Def(d)),
            Base::Root(_) => found(Mention::Place(self)),
        }
    }
}

impl Call {
    pub(crate) fn mentions<'a>(&'a self, found: Found<'a, '_>) {
        if let Callee::Method { receiver, .. } | Callee::Part { of: receiver, .. } = &self.callee {
            receiver.mentions(found);
        }
        for arg in self.args.iter().flat_map(Arg::each) {
            match arg {
                Arg::Const(expr) => expr.uses.mentions(found),
                Arg::Value(atom) => atom.mentions(found),
                Arg::Whole { root } => found(Mention::Root(*root)),
                Arg::Closure { .. } => {}
                Arg::Shared(place) | Arg::Exclusive(place) => place.mentions(found),
            }
        }
    }
}
