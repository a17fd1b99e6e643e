//! From statement to statement: a parameter that a call got as a whole is bound again after it.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;

use crate::differentiable::ir::*;
use crate::differentiable::tokens::text::names;

impl Block {
    /// Its statements; `again` binds a parameter again.
    pub(super) fn statements(
        &self,
        program: &Program,
        statement: impl Fn(&Item) -> TokenStream,
        again: impl Fn(RootId) -> Option<TokenStream>,
    ) -> TokenStream {
        let statements = self.items.iter().map(|item| {
            let tokens = statement(item);
            let again = item.whole_roots(program).into_iter().filter_map(&again);
            code!(#tokens #(#again)*)
        });
        statements.collect()
    }

    /// What a block inside another begins with: the parameters that calls in it get as a whole are bound for it.
    pub(super) fn bound_again(
        &self,
        program: &Program,
        again: impl Fn(RootId) -> Option<TokenStream>,
    ) -> TokenStream {
        let roots = self.whole_roots(program).into_iter();
        roots.filter_map(again).collect()
    }

    /// The parameters that calls in this block, or in blocks inside it, get as a whole.
    fn whole_roots(&self, program: &Program) -> BTreeSet<RootId> {
        self.items
            .iter()
            .flat_map(|i| i.whole_roots(program))
            .collect()
    }
}

impl Iterable {
    /// What a loop runs over, where its condition binds for itself the parameters that it reads and that calls in the body get as a
    /// whole: a binding from outside would be borrowed in all rounds. `None` if there are none.
    pub(super) fn bound_again(
        &self,
        program: &Program,
        body: &Block,
        again: impl Fn(RootId) -> Option<TokenStream>,
    ) -> Option<Iterable> {
        let Iterable::While { condition } = self else {
            return None;
        };
        let roots = body.whole_roots(program).into_iter();
        let read = roots.filter(|r| names(condition.clone(), &program.roots[*r].name));
        let again: Vec<_> = read.filter_map(again).collect();
        let condition = code!({ #(#again)* #condition });
        (!again.is_empty()).then_some(Iterable::While { condition })
    }
}

impl Item {
    /// The parameters that calls in this item get as a whole, or write: they are bound again afterwards.
    pub(super) fn whole_roots(&self, program: &Program) -> Vec<RootId> {
        let of_call = |call: &Call| {
            let whole = call.args.iter().filter_map(|a| match a {
                Arg::Whole { root } => Some(*root),
                Arg::Exclusive(Place {
                    base: Base::Root(root),
                    ..
                }) if matches!(program.roots[*root].kind, RootKind::Param { .. }) => Some(*root),
                _ => None,
            });
            whole.collect()
        };
        match self {
            Item::Call(call) => of_call(call),
            Item::Def(d) => match &program.defs[*d].kind {
                DefKind::Call(call) => of_call(call),
                _ => Vec::new(),
            },
            Item::Branch { arms, .. } => arms
                .iter()
                .flat_map(|a| a.body.whole_roots(program))
                .collect(),
            Item::Loop { body, .. } => body.whole_roots(program).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}
