//! A largest or smallest value that a loop keeps is what it searches for.
//!
//! ```text
//! // for v in x { m = m.max(*v); }                    x.iter().fold(f64::NEG_INFINITY, |m, v| m.max(*v))
//! for k in 0..x.len() { let v = x[k]; if !first_is_larger(&m, &v) { m = v; } }
//! ```

use proc_macro2::TokenStream;

use super::local;
use crate::differentiable::analyse::degree;
use crate::differentiable::ir::*;

/// The value that a round compares with the largest so far.
struct Compared {
    scalar: RootId,
    value: DefId,
    /// What the scalar was before.
    before: DefId,
    other: DefId,
    /// The operation, and whether the other value is its first operand.
    op: &'static str,
    first: bool,
}

impl Program {
    /// Writes such a loop as a branch in each round, if that makes it a search.
    pub(super) fn compare(&mut self, item: &mut Item, next_block: &mut usize) {
        let Item::Loop { body, .. } = &*item else {
            return;
        };
        let Some(compared) = self.compared(body) else {
            return;
        };
        let branch = self.branch_on(&compared, *next_block);
        let before = replace_last(item, branch);
        match self.round_of(item) {
            Some(_) => *next_block += 2,
            None => drop(replace_last(item, before)),
        }
    }

    /// What the last two statements of a round compare, if they do nothing else.
    fn compared(&self, body: &Block) -> Option<Compared> {
        let [
            ..,
            Item::Def(value),
            Item::Assign {
                place,
                op,
                value: Atom::Def(assigned),
            },
        ] = &body.items[..]
        else {
            return None;
        };
        let (
            DefKind::Op {
                op: operation,
                args,
                ..
            },
            Base::Root(scalar),
        ) = (&self.defs[*value].kind, place.base)
        else {
            return None;
        };
        let op_name = degree::operation(operation);
        let operation = ["max", "min"].into_iter().find(|name| op_name == *name)?;
        let [Atom::Def(a), Atom::Def(b)] = args[..] else {
            return None;
        };
        let is_before = |d: DefId| matches!(self.defs[d].kind, DefKind::Version(r) if r == scalar);
        let whole = value == assigned && *op == Assign::Set && place.suffix.is_empty();
        let (before, other) = match (is_before(a), is_before(b)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => return None,
        };
        whole.then_some(Compared {
            scalar,
            value: *value,
            before,
            other,
            op: operation,
            first: other == a,
        })
    }

    /// The comparison, and the branch in which the scalar is set.
    fn branch_on(&mut self, compared: &Compared, block: usize) -> [Item; 2] {
        let id = self.defs.len();
        self.defs.push(Def {
            name: local(&format!("taken{block}")),
            kind: DefKind::Pure(self.condition(compared)),
            varied: false,
            stored: false,
            point: self.defs[compared.value].point.clone(),
        });
        let set = Item::Assign {
            place: Place {
                base: Base::Root(compared.scalar),
                suffix: TokenStream::new(),
                uses: Uses::default(),
            },
            op: Assign::Set,
            value: Atom::Def(compared.other),
        };
        let arms = [(block, vec![set]), (block + 1, Vec::new())];
        let arms = arms.map(|(id, items)| Arm {
            pattern: TokenStream::new(),
            body: Block { id, items },
        });
        let branch = Item::Branch {
            arms: arms.into(),
            selector: Selector::If(Atom::Def(id)),
        };
        [Item::Def(id), branch]
    }

    /// When the operation gives the other value.
    fn condition(&self, compared: &Compared) -> Expr {
        let name = |d: DefId| &self.defs[d].name;
        let (before, other) = (name(compared.before), name(compared.other));
        let is = match (compared.op, compared.first) {
            ("max", false) => code!(!::coenzyme::__private::first_is_larger(&#before, &#other)),
            ("max", true) => code!(::coenzyme::__private::first_is_larger(&#other, &#before)),
            (_, false) => code!(!::coenzyme::__private::first_is_smaller(&#before, &#other)),
            (_, true) => code!(::coenzyme::__private::first_is_smaller(&#other, &#before)),
        };
        Expr {
            tokens: is,
            uses: Uses {
                defs: [compared.before, compared.other].into(),
                ..Uses::default()
            },
        }
    }
}

/// The last two statements of a loop, which gives way to others.
fn replace_last(item: &mut Item, by: [Item; 2]) -> [Item; 2] {
    let Item::Loop { body, .. } = item else {
        unreachable!("a loop")
    };
    let mut last = body.items.drain(body.items.len() - 2..);
    let two = last.next().zip(last.next()).expect("two statements");
    drop(last);
    body.items.extend(by);
    two.into()
}

impl Block {
    /// The largest number of a block in it, and its own.
    pub(super) fn last_id(&self) -> usize {
        let inside = self.items.iter().map(|item| match item {
            Item::Branch { arms, .. } => arms.iter().map(|a| a.body.last_id()).max().unwrap_or(0),
            Item::Loop { body, .. } => body.last_id(),
            _ => 0,
        });
        let own = (self.id != Self::EMPTY.id).then_some(self.id);
        inside.chain(own).max().unwrap_or(0)
    }
}
