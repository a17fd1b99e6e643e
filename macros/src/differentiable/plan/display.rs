//! A plan as text, for people and for tests.
//!
//! ```text
//! // let mut s = 0.0; for v in x { let e = v.exp(); s += e * e; } s
//! taped: e
//! recomputed: read x[k]
//! unused: mul(e, e), load s, …
//! loop k: reversed, with values on the tape
//! ```

use std::fmt::{Display, Formatter, Result};

use super::{Fate, Plan};
use crate::differentiable::ir::*;

/// A plan, with the program that it is for.
pub(crate) struct Shown<'a> {
    plan: &'a Plan,
    program: &'a Program,
}

impl Plan {
    /// The plan as text.
    pub(crate) fn shown<'a>(&'a self, program: &'a Program) -> Shown<'a> {
        Shown {
            plan: self,
            program,
        }
    }
}

impl Fate {
    /// The standard word.
    fn word(self) -> &'static str {
        match self {
            Fate::Taped => "taped",
            Fate::Round => "taped for a round",
            Fate::Kept => "checkpointed",
            Fate::Again => "recomputed",
            Fate::Rerun => "recomputed by the call, or taped",
            Fate::Shape => "shape alone",
            Fate::Unread => "unused",
        }
    }
}

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let all = [
            Fate::Taped,
            Fate::Round,
            Fate::Kept,
            Fate::Again,
            Fate::Rerun,
            Fate::Shape,
            Fate::Unread,
        ];
        for fate in all {
            list(f, fate.word(), self.of_fate(fate))?;
        }
        self.loops(f, &self.program.body)?;
        let p = self.program;
        let cuts = self.plan.cuts.iter().map(|d| p.expression(*d));
        list(f, "cut", cuts.collect())?;
        let invariant = self.plan.invariant.values().flatten();
        let invariant = invariant.map(|s| p.roots[s.root].name.to_string());
        list(f, "loop-invariant", invariant.collect())?;
        let passed_on = (0..p.defs.len()).filter(|d| match &p.defs[*d].kind {
            DefKind::Call(call) => self.plan.passed_on.contains(&call.point.order),
            _ => false,
        });
        list(f, "passed on", passed_on.map(|d| p.expression(d)).collect())?;
        let for_value = self.plan.primal_only_values.iter();
        list(
            f,
            "for the value alone",
            for_value.map(|d| p.expression(*d)).collect(),
        )?;
        let deferred = self.plan.deferred.iter();
        let deferred = deferred.map(|r| p.roots[*r].name.to_string());
        list(f, "deferred sum", deferred.collect())
    }
}

impl Shown<'_> {
    /// The memory and the values of one fate, in the order of the text.
    fn of_fate(&self, fate: Fate) -> Vec<String> {
        let p = self.program;
        let is = |name: &proc_macro2::Ident| self.plan.fates.get(&name.to_string()) == Some(&fate);
        let roots = p.roots.iter().filter(|root| is(&root.name));
        let values = (0..p.defs.len()).filter(|d| is(&p.defs[*d].name));
        let roots = roots.map(|root| root.name.to_string());
        roots.chain(values.map(|d| p.expression(d))).collect()
    }

    /// How each loop is reversed.
    fn loops(&self, f: &mut Formatter<'_>, block: &Block) -> Result {
        for item in &block.items {
            match item {
                Item::Branch { arms, .. } => {
                    arms.iter().try_for_each(|a| self.loops(f, &a.body))?;
                }
                Item::Loop { iterable, body, .. } => {
                    let name = match iterable {
                        Iterable::Counted { variable, .. } => {
                            self.program.defs[*variable].name.to_string()
                        }
                        Iterable::While { .. } => "while".to_owned(),
                    };
                    let skipped = match self.plan.primal_only.contains(&body.id) {
                        true => ", and run forwards for the primal alone",
                        false => "",
                    };
                    writeln!(f, "loop {name}: {}{skipped}", self.reversal(body))?;
                    self.loops(f, body)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn reversal(&self, body: &Block) -> String {
        let plan = self.plan;
        if let Some(conditions) = plan.conditional.get(&body.id) {
            let conditions = conditions.iter().map(|(condition, holds)| {
                let not = if *holds { "" } else { "not " };
                format!("{not}{}", self.program.operand(condition))
            });
            let conditions: Vec<_> = conditions.collect();
            return format!(
                "each round recomputed, and reversed if {}",
                conditions.join(" or ")
            );
        }
        let words = match body.id {
            id if self.program.checkpoints.contains_key(&id) => "checkpointed",
            id if !plan.undone.contains(&id) => "not reversed",
            id if plan.recomputed.contains_key(&id) => "each round recomputed",
            id if plan.counted.contains(&id) => "reversed, with the number of rounds on the tape",
            id if plan.taping.contains(&id) => "reversed, with values on the tape",
            _ => "reversed",
        };
        words.to_owned()
    }
}

fn list(f: &mut Formatter<'_>, head: &str, of: Vec<String>) -> Result {
    match &of[..] {
        [] => Ok(()),
        of => writeln!(f, "{head}: {}", of.join(", ")),
    }
}
