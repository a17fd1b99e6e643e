//! Loops that search: of their rounds only the last one that was taken matters, so only that one is differentiated.
//!
//! ```text
//! // for k in 0..n { let d = (x - a[k]).abs(); if d < best { best = d; which = k; } }
//! let found = {
//!     let (mut best, mut found, mut round) = (best, 0, 0);
//!     for k in 0..n { round += 1; let d = …; if d < best { best = d; found = round; } }
//!     found
//! };
//! if found > 0 { let k = nth(0..n, found - 1); let d = …; best = d; which = k; }
//! ```

use std::collections::{BTreeSet, HashSet};

use proc_macro2::TokenStream;
use quote::quote;

use super::names::local;
use crate::differentiable::ir::*;
use crate::differentiable::mentions::Mention;

/// What the rounds of such a loop do, from condition to condition.
#[derive(Default)]
struct Round {
    /// The values on the way, in the order of the text.
    values: Vec<DefId>,
    /// Memory and scalars that a round declares.
    own: HashSet<RootId>,
    /// What stands where all conditions hold, each with its scalar.
    set: Vec<(RootId, Atom)>,
    /// How many conditions that takes.
    conditions: usize,
}

/// What of a round what is set is computed from.
struct Wanted {
    values: BTreeSet<DefId>,
    /// Whether it is computed from what a round declares: then all that changes it.
    own: bool,
}

impl Round {
    /// Whether this is what the loop searches for.
    fn sets(&self, root: RootId) -> bool {
        self.set.iter().any(|(r, _)| *r == root)
    }

    /// Whether a statement changes, or may change, what the round declares.
    fn is_of_its_own(&self, item: &Item) -> bool {
        match item {
            Item::Def(_) => false,
            Item::Assign { place, .. } => match place.base {
                Base::Root(root) => self.own.contains(&root),
                Base::Def(_) => false,
            },
            _ => true,
        }
    }
}

impl Program {
    /// Writes such loops as a search that has no derivative, and a branch with the round that it found.
    pub(in crate::differentiable) fn settle_searches(&mut self) {
        // the state of a round that is run again is known
        if !self.checkpoints.is_empty() {
            return;
        }
        let mut body = std::mem::take(&mut self.body);
        let any = self.searches_in(&mut body);
        self.body = body;
        if any {
            self.settle_moves();
        }
    }

    fn searches_in(&mut self, block: &mut Block) -> bool {
        let mut any = false;
        for mut item in std::mem::take(&mut block.items) {
            match &mut item {
                Item::Branch { arms, .. } => {
                    for arm in arms {
                        any |= self.searches_in(&mut arm.body);
                    }
                }
                Item::Loop { body, .. } => any |= self.searches_in(body),
                _ => {}
            }
            match self.round_of(&item) {
                Some((round, wanted)) => {
                    any = true;
                    block.items.extend(self.searched(item, &round, &wanted));
                }
                None => block.items.push(item),
            }
        }
        any
    }

    /// The rounds of a loop that searches for something with a derivative.
    fn round_of(&self, item: &Item) -> Option<(Round, Wanted)> {
        let Item::Loop {
            iterable: Iterable::Counted { .. },
            body,
            flags,
        } = item
        else {
            return None;
        };
        let mut round = Round::default();
        if !flags.is_empty() || !self.looks(body, &mut round) {
            return None;
        }
        let varied = round.set.iter().any(|(root, _)| self.roots[*root].varied);
        let wanted = self.wanted(body, &round)?;
        varied.then_some((round, wanted))
    }

    /// Whether a block computes values, and then, where a condition holds, sets scalars.
    fn looks(&self, block: &Block, round: &mut Round) -> bool {
        let Some((last, before)) = block.items.split_last() else {
            return false;
        };
        if !before.iter().all(|item| self.is_own(item, round, true)) {
            return false;
        }
        match taken(last) {
            Some(then) if round.set.is_empty() => {
                round.conditions += 1;
                self.looks(then, round)
            }
            _ => self.is_own(last, round, true) && !round.set.is_empty(),
        }
    }

    /// Whether a statement of a round changes nothing but what the round declares; on the way to what is set, also that.
    fn is_own(&self, item: &Item, round: &mut Round, way: bool) -> bool {
        match item {
            Item::Def(d) => {
                if way {
                    round.values.push(*d);
                }
                match &self.defs[*d].kind {
                    DefKind::Opaque(_) => self.questions.contains(d),
                    DefKind::Call(_) => self.primals.contains_key(d),
                    _ => true,
                }
            }
            Item::Declare { root, init } => {
                round.own.insert(*root);
                !matches!(init, Init::Inactive { again: false, .. })
            }
            Item::Assign { place, op, value } => match place.base {
                Base::Root(root) if round.own.contains(&root) => true,
                Base::Root(root) if way && *op == Assign::Set && round.conditions > 0 => {
                    round.set.push((root, value.clone()));
                    let whole = place.suffix.is_empty() && !matches!(value, Atom::Root(_));
                    whole && self.roots[root].kind == RootKind::Scalar
                }
                _ => false,
            },
            Item::Branch { arms, .. } => arms
                .iter()
                .flat_map(|arm| &arm.body.items)
                .all(|item| self.is_own(item, round, false)),
            Item::Loop {
                iterable: Iterable::Counted { .. },
                body,
                flags,
            } => {
                let own = body
                    .items
                    .iter()
                    .all(|item| self.is_own(item, round, false));
                own && flags.iter().all(|flag| round.own.contains(flag))
            }
            _ => false,
        }
    }

    /// What is needed of the round that was found; none if what earlier rounds have set is.
    fn wanted(&self, body: &Block, round: &Round) -> Option<Wanted> {
        let mut wanted = Wanted {
            values: BTreeSet::new(),
            own: false,
        };
        let mut open = Vec::new();
        for (_, value) in &round.set {
            value.mentions(&mut |mention| open.push((mention.value(), mention.root())));
        }
        while let Some((value, root)) = open.pop() {
            if root.is_some_and(|root| round.sets(root)) {
                return None;
            }
            let mut add = |mention: Mention<'_>| open.push((mention.value(), mention.root()));
            if !wanted.own && root.is_some_and(|root| round.own.contains(&root)) {
                wanted.own = true;
                let way = way(body, round.conditions).into_iter();
                way.filter(|item| round.is_of_its_own(item))
                    .for_each(|item| self.item_mentions(item, &mut add));
            }
            if let Some(d) = value.filter(|d| round.values.contains(d))
                && wanted.values.insert(d)
            {
                self.def_mentions(d, &mut add);
            }
        }
        Some(wanted)
    }

    /// The search, and the branch with the round that it found.
    fn searched(&mut self, item: Item, round: &Round, wanted: &Wanted) -> Vec<Item> {
        let search = self.search(&item, round);
        let Item::Loop {
            iterable: Iterable::Counted { range, variable },
            body,
            ..
        } = item
        else {
            unreachable!("a counted loop")
        };
        let (found, name) = (self.defs.len(), local(&format!("found{}", body.id)));
        let mut point = self.defs[variable].point.clone();
        let number = point.loops.pop().expect("the loop");
        self.defs.push(Def {
            name: name.clone(),
            kind: DefKind::Opaque(search),
            varied: false,
            stored: false,
            point,
        });
        self.questions.insert(found);
        let (run, mut uses) = (self.range(&range), range_uses(&range));
        uses.defs.insert(found);
        self.defs[variable].kind = DefKind::Pure(Expr {
            tokens: quote!(::coenzyme::__private::nth(::core::clone::Clone::clone(&(#run)), #name - 1)),
            uses,
        });
        self.leave_loop(number);
        let id = body.id;
        let (steps, otherwise) = steps(body, round.conditions);
        let steps = steps.into_iter().filter(|item| match item {
            Item::Def(d) => wanted.values.contains(d),
            item => wanted.own || !round.is_of_its_own(item),
        });
        let items = std::iter::once(Item::Def(variable)).chain(steps).collect();
        let arm = |id, items| Arm {
            pattern: TokenStream::new(),
            body: Block { id, items },
        };
        let condition = Expr {
            tokens: quote!((#name > 0)),
            uses: Uses {
                defs: [found].into(),
                ..Uses::default()
            },
        };
        let branch = Item::Branch {
            arms: vec![arm(id, items), arm(otherwise, Vec::new())],
            selector: Selector::If(Atom::Const(condition)),
        };
        vec![Item::Def(found), branch]
    }

    /// What stands in loop `number` stands there no longer.
    fn leave_loop(&mut self, number: usize) {
        let leave = |point: &mut Point| point.loops.retain(|l| *l != number);
        for def in &mut self.defs {
            leave(&mut def.point);
            if let DefKind::Call(call) = &mut def.kind {
                leave(&mut call.point);
            }
        }
        for root in &mut self.roots {
            root.loops.retain(|l| *l != number);
            root.writes.iter_mut().for_each(leave);
        }
    }

    /// The number of the round that was taken last, from one; zero if none was.
    fn search(&self, item: &Item, round: &Round) -> Expr {
        let Item::Loop {
            iterable: iterable @ Iterable::Counted { range, variable },
            body,
            ..
        } = item
        else {
            unreachable!("a counted loop")
        };
        let mut uses = range_uses(range);
        self.item_mentions(item, &mut |mention| {
            uses.defs.extend(mention.value());
            uses.roots.extend(mention.root());
        });
        let number = self.defs[*variable].point.loops.last();
        let number = number.expect("the loop");
        let inside = |d: &DefId| self.defs[*d].point.loops.contains(number);
        // what the conditions read of earlier rounds
        let mut read = BTreeSet::new();
        for d in (0..self.defs.len()).filter(inside) {
            match &self.defs[d].kind {
                DefKind::Pure(expr) | DefKind::Opaque(expr) => uses.extend(&expr.uses),
                DefKind::Read(place) => uses.extend(&place.uses),
                DefKind::Call(_) => uses.extend(&self.primals[&d].uses),
                DefKind::Version(root) if round.sets(*root) => drop(read.insert(*root)),
                _ => {}
            }
        }
        uses.defs.retain(|d| !inside(d));
        uses.roots.retain(|root| {
            !round.own.contains(root) && (!round.sets(*root) || read.contains(root))
        });
        let names = read.iter().map(|root| &self.roots[*root].name);
        let look = Look {
            program: self,
            round,
            read: &read,
        };
        let inside = look.way(body, round.conditions);
        let whole = self.loop_primal(iterable, code!(round += 1; #inside));
        let tokens = code!({
            #(let mut #names = ::core::clone::Clone::clone(&#names);)*
            let (mut found, mut round) = (0_usize, 0_usize);
            #whole
            found
        });
        Expr { tokens, uses }
    }
}

/// The search of a loop: its rounds without what they set, but for the scalars `read` in later rounds.
struct Look<'a> {
    program: &'a Program,
    round: &'a Round,
    read: &'a BTreeSet<RootId>,
}

impl Look<'_> {
    /// The statements up to what is set, behind as many conditions.
    fn way(&self, block: &Block, conditions: usize) -> TokenStream {
        let last = block.items.len().saturating_sub(1);
        let items = block.items.iter().enumerate().map(|(i, item)| match item {
            Item::Branch { arms, selector } if i == last && conditions > 0 => {
                let inside = self.way(&arms[0].body, conditions - 1);
                let bodies = vec![inside, TokenStream::new()];
                self.program.branch(selector, arms, bodies)
            }
            item => self.item(item),
        });
        let items: TokenStream = items.collect();
        let found = (conditions == 0).then(|| code!(found = round;));
        code!(#items #found)
    }

    fn block(&self, block: &Block) -> TokenStream {
        block.items.iter().map(|item| self.item(item)).collect()
    }

    fn item(&self, item: &Item) -> TokenStream {
        let p = self.program;
        match item {
            Item::Def(d) => {
                let primal = p.primals.get(d).map(|primal| primal.tokens.clone());
                let (name, value) = (&p.defs[*d].name, primal.or_else(|| p.def_value(*d)));
                value.map_or_else(TokenStream::new, |value| code!(let #name = #value;))
            }
            Item::Declare { root, init } => {
                let declared = p.roots[*root].declared();
                let value = p.init_primal(init, p.roots[*root].kind);
                let value = value.map(|value| code!(= #value));
                code!(#declared #value;)
            }
            Item::Assign { place, op, value } => match place.base {
                Base::Root(root) if self.read.contains(&root) => {
                    let (name, value) = (&p.roots[root].name, p.atom_value(value));
                    code!(#name = ::core::clone::Clone::clone(&#value);)
                }
                Base::Root(root) if self.round.sets(root) => TokenStream::new(),
                _ => p.assign_primal(place, *op, value),
            },
            Item::Branch { arms, selector } => {
                let bodies = arms.iter().map(|arm| self.block(&arm.body)).collect();
                p.branch(selector, arms, bodies)
            }
            Item::Loop {
                iterable,
                body,
                flags,
            } => {
                let (inside, leave) = (self.block(body), p.leave_primal(flags));
                p.loop_primal(iterable, code!(#inside #leave))
            }
            _ => unreachable!("a round that searches has no other statements"),
        }
    }
}

/// The block behind the condition of a branch without alternative.
fn taken(item: &Item) -> Option<&Block> {
    let Item::Branch {
        arms,
        selector: Selector::If(_),
    } = item
    else {
        return None;
    };
    match &arms[..] {
        [then, otherwise] if otherwise.body.items.is_empty() => Some(&then.body),
        _ => None,
    }
}

/// The statements of a round up to what is set, without the conditions.
fn way(block: &Block, conditions: usize) -> Vec<&Item> {
    let mut items: Vec<&Item> = block.items.iter().collect();
    let last = items.pop_if(|item| conditions > 0 && taken(item).is_some());
    let inside = last.and_then(taken);
    items.extend(
        inside
            .into_iter()
            .flat_map(|block| way(block, conditions - 1)),
    );
    items
}

/// As [`way`], by value; and the number of the innermost block that is not taken.
fn steps(block: Block, conditions: usize) -> (Vec<Item>, usize) {
    let (mut items, mut otherwise) = (block.items, block.id);
    if conditions > 0 {
        let Some(Item::Branch { arms, .. }) = items.pop() else {
            unreachable!("a condition")
        };
        let mut arms = arms.into_iter().map(|arm| arm.body);
        let (then, not) = (arms.next(), arms.next());
        let (inside, innermost) = steps(then.expect("an arm"), conditions - 1);
        items.extend(inside);
        otherwise = match conditions {
            1 => not.expect("an arm").id,
            _ => innermost,
        };
    }
    (items, otherwise)
}

/// What the bounds and the step of a range read.
fn range_uses(range: &Range) -> Uses {
    let mut uses = Uses::default();
    match &range.range {
        Atom::Const(expr) => uses.extend(&expr.uses),
        Atom::Def(d) => drop(uses.defs.insert(*d)),
        Atom::Root(root) => drop(uses.roots.insert(*root)),
    }
    range.step.iter().for_each(|step| uses.extend(&step.uses));
    uses
}

impl Mention<'_> {
    /// The value that is named.
    fn value(&self) -> Option<DefId> {
        match self {
            Mention::Def(d) => Some(*d),
            Mention::Root(_) => None,
            Mention::Place(place) => match place.base {
                Base::Def(d) => Some(d),
                Base::Root(_) => None,
            },
        }
    }

    /// The memory that is named.
    fn root(&self) -> Option<RootId> {
        match self {
            Mention::Def(_) => None,
            Mention::Root(root) => Some(*root),
            Mention::Place(place) => match place.base {
                Base::Def(_) => None,
                Base::Root(root) => Some(root),
            },
        }
    }
}
