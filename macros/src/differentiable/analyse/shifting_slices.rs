//! Memory that a loop runs over from an entry which moves by one in each round of the loop around it, to an end that stays.
//!
//! ```text
//! for j in 0..d { for r in j + 1..d { y[r] += l[c + r] * z; } }
//! ```
//!
//! From its beginning, such a loop loads vectors of `y` that straddle two which the round before has just stored, and waits for
//! both. From its end, it loads what was stored.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::Expr as Syntax;

use crate::differentiable::ir::*;
use crate::differentiable::tokens::index::slope;

impl Program {
    /// Whether a loop of which `windows` are open adds to memory that shifts; `added` are the roots that it adds to.
    pub(crate) fn shifts(
        &self,
        range: &Range,
        variable: DefId,
        windows: &[Window],
        added: &[RootId],
    ) -> bool {
        let plain = range.step.is_none() && !range.reversed;
        let (Some(outer), Some((start, end))) = (self.variable_around(variable), ends(range))
        else {
            return false;
        };
        let shift = |window: &Window| {
            let index = syn::parse2(window.index.clone()).ok()?;
            let moves = slope(&index, outer)?;
            let begins = match before(&window.prefix)? {
                Some(before) => slope(&before, outer)?,
                None if slope(&end, outer)? + moves == 0 => 0,
                None => return None,
            };
            Some(slope(&start, outer)? + moves + begins)
        };
        let added = windows.iter().filter(|w| added.contains(&w.root));
        plain
            && added
                .into_iter()
                .any(|w| shift(w).is_some_and(|by| by.abs() == 1))
    }

    /// The variable of the loop around that of a variable.
    fn variable_around(&self, variable: DefId) -> Option<&Ident> {
        let (_, around) = self.defs[variable].point.loops.split_last()?;
        let outer = self
            .defs
            .iter()
            .find(|def| matches!(def.kind, DefKind::LoopVariable) && def.point.loops == around);
        outer.map(|def| &def.name)
    }
}

/// `a` and `b` of `a..b`.
fn ends(range: &Range) -> Option<(Syntax, Syntax)> {
    let Atom::Const(expr) = &range.range else {
        return None;
    };
    let mut parsed = syn::parse2::<Syntax>(expr.tokens.clone()).ok()?;
    while let Syntax::Paren(inside) = parsed {
        parsed = *inside.expr;
    }
    match parsed {
        Syntax::Range(range) => Some((*range.start?, *range.end?)),
        _ => None,
    }
}

/// What is left out in front of a place: `a` of `[a..]`; nothing in front of all of the memory. `None` for anything else.
fn before(prefix: &TokenStream) -> Option<Option<Syntax>> {
    let trees: Vec<_> = prefix.clone().into_iter().collect();
    match &trees[..] {
        [] => Some(None),
        [TokenTree::Group(group)] if group.delimiter() == Delimiter::Bracket => {
            match syn::parse2(group.stream()).ok()? {
                Syntax::Range(syn::ExprRange {
                    start: Some(start),
                    end: None,
                    ..
                }) => Some(Some(*start)),
                _ => None,
            }
        }
        _ => None,
    }
}
