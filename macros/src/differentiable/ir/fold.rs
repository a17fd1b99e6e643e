//! Which values are written where they are used: temporaries of one use, between which and their use nothing happens.

use std::collections::{HashMap, HashSet};

use super::*;
use crate::differentiable::ir::mentions::Mention;

impl Program {
    /// The temporaries that the alternate form of the text, `{:#}`, writes where they are used.
    pub(crate) fn folded(&self) -> HashSet<DefId> {
        let once = self.used_once();
        let mut folded = HashSet::new();
        self.fold(&self.body, &once, &mut folded);
        folded
    }

    /// The temporaries of one use.
    pub(crate) fn used_once(&self) -> HashSet<DefId> {
        let mut uses: HashMap<DefId, usize> = HashMap::new();
        let mut count = |mention: Mention<'_>| {
            if let Some(d) = value(&mention) {
                *uses.entry(d).or_default() += 1;
            }
        };
        self.mentions(&self.body, &mut count);
        self.result.iter().for_each(|r| r.mentions(&mut count));
        // whose text may bind names of its own
        let opaque = self.defs.iter().filter_map(|def| match &def.kind {
            DefKind::Opaque(expr) => Some(&expr.uses),
            _ => None,
        });
        opaque.for_each(|uses| uses.mentions(&mut count));
        let once = uses.into_iter().filter(|(_, count)| *count == 1);
        let once = once.map(|(d, _)| d);
        once.filter(|d| self.defs[*d].is_temporary()).collect()
    }

    fn fold(&self, block: &Block, once: &HashSet<DefId>, folded: &mut HashSet<DefId>) {
        for (i, item) in block.items.iter().enumerate() {
            match item {
                Item::Branch { arms, .. } => {
                    arms.iter().for_each(|a| self.fold(&a.body, once, folded))
                }
                Item::Loop { body, .. } => self.fold(body, once, folded),
                Item::Def(d)
                    if once.contains(d) && self.is_used_at_once(*d, &block.items[i + 1..]) =>
                {
                    folded.insert(*d);
                }
                _ => {}
            }
        }
    }

    /// Whether nothing changes memory between a value and the statement that uses it.
    fn is_used_at_once(&self, d: DefId, rest: &[Item]) -> bool {
        for item in rest {
            let mut used = false;
            self.head_mentions(item, &mut |mention| used |= value(&mention) == Some(d));
            if used {
                return true;
            }
            match item {
                Item::Def(other) => match self.defs[*other].kind {
                    DefKind::Call(_) | DefKind::Opaque(_) => return false,
                    _ => {}
                },
                _ => return false,
            }
        }
        matches!(self.result, Some(Atom::Def(result)) if result == d)
    }

    /// What a statement names before its blocks begin.
    fn head_mentions<'a>(&'a self, item: &'a Item, found: &mut dyn FnMut(Mention<'a>)) {
        match item {
            Item::Branch { selector, .. } => {
                let (Selector::If(atom) | Selector::Match(atom)) = selector;
                atom.mentions(found);
            }
            Item::Loop { iterable, .. } => {
                if let Iterable::Counted { range, .. } = iterable {
                    range.range.mentions(found);
                    range.step.iter().for_each(|s| s.uses.mentions(found));
                }
            }
            item => self.item_mentions(item, found),
        }
    }
}

impl Def {
    /// Whether lowering made the name: `t3`, `x_now`, `x_now_2`.
    pub(crate) fn is_temporary(&self) -> bool {
        let name = self.name.to_string();
        let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
        let number = name.strip_prefix('t').is_some_and(digits);
        let now = name
            .rsplit_once("_now")
            .is_some_and(|(_, rest)| rest.is_empty() || rest.strip_prefix('_').is_some_and(digits));
        (number || now) && !self.stored && !matches!(self.kind, DefKind::Param(_))
    }
}

fn value(mention: &Mention<'_>) -> Option<DefId> {
    match mention {
        Mention::Def(d) => Some(*d),
        Mention::Place(Place {
            base: Base::Def(d), ..
        }) => Some(*d),
        Mention::Root(_) | Mention::Place(_) => None,
    }
}
