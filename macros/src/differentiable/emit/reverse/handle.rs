//! The handles that a call inside gets.

use proc_macro2::TokenStream;

use super::{Pass, Reverse};
use crate::differentiable::emit::argument::{Lent, Passed, dynamic, inactive};
use crate::differentiable::emit::bounds::{self, Mode};
use crate::differentiable::emit::names::{handle, local, shadow};
use crate::differentiable::ir::*;
use crate::signature::Passing;

impl Reverse<'_> {
    /// Whether a call gets the handles of parameters as they came.
    pub(super) fn passes_whole(&self, call: &Call) -> bool {
        let itself =
            matches!(&call.callee, Callee::Path(path) if path.is_ident(&self.function.name));
        let own = |arg: &Arg| matches!(arg, Arg::Whole { root } if self.plan.is_scratch(*root));
        (call.passes_whole() || itself && !call.shares_memory()) && !call.args.iter().any(own)
    }

    /// The handles of a call, their types, and the statements before it.
    pub(super) fn arguments(
        &self,
        call: &Call,
        backwards: bool,
    ) -> (Vec<TokenStream>, Vec<TokenStream>, Vec<TokenStream>) {
        let (p, whole) = (self.program, self.passes_whole(call));
        let (mut before, mut args, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for (i, arg) in call.args.iter().enumerate() {
            let a = local(&format!("a{i}"));
            match arg {
                Arg::Whole { root } if whole => {
                    let RootKind::Param { index, .. } = self.program.roots[*root].kind else {
                        continue;
                    };
                    let h = handle(index);
                    args.push(code!(&mut *#h));
                    types.push(bounds::handle(&self.function.params[index], index));
                }
                _ if backwards && self.is_shared(call, i) => {
                    let (shadows, value) = self.shared_handle(call, i);
                    before.insert(0, shadows);
                    before.push(code!(let mut #a = #value;));
                    args.push(code!(&mut #a));
                    let lent = (self.program).lend_as(self.function, (call, i), &a, Mode::Reverse);
                    types.push(code!(::coenzyme::DynArg<_, _, __W>));
                    before.extend(lent);
                }
                arg => {
                    if let Arg::Whole { root }
                    | Arg::Exclusive(Place {
                        base: Base::Root(root),
                        ..
                    }) = arg
                        && !matches!(
                            self.program.roots[*root].kind,
                            RootKind::Param {
                                passing: Passing::Shared,
                                ..
                            }
                        )
                    {
                        // writable again, also where reads go to a copy
                        before.extend(match self.lent.borrow().contains(root) {
                            true => Some(self.bind_scratch(&[*root])),
                            false => self.bind_root(*root),
                        });
                    }
                    let known = match (p.passed(self.function, arg), call.takes_any()) {
                        (Passed::Memory(lent), Some(by)) => {
                            let known = self.known(&lent, backwards);
                            known.map(|known| by.asked(&lent, known))
                        }
                        _ => None,
                    };
                    let (value, ty) = known.unwrap_or_else(|| self.handle(arg, backwards));
                    before.push(code!(let mut #a = #value;));
                    args.push(code!(&mut #a));
                    let lent = (self.program).lend_as(self.function, (call, i), &a, Mode::Reverse);
                    types.push(lent.as_ref().map_or(ty, |_| code!(_)));
                    before.extend(lent);
                }
            }
        }
        (before, args, types)
    }

    /// Whether there are shadows.
    pub(super) fn is_active(&self, base: Base) -> TokenStream {
        let p = self.program;
        match base {
            base if !p.base_varied(base) => code!(false),
            Base::Root(r) if matches!(p.roots[r].kind, RootKind::Param { .. }) => {
                let d = shadow(&p.roots[r].name);
                code!(#d[0].is_active())
            }
            _ => code!(true),
        }
    }

    pub(super) fn handle(&self, arg: &Arg, backwards: bool) -> (TokenStream, TokenStream) {
        let p = self.program;
        match p.passed(self.function, arg) {
            Passed::Const(value) => {
                let Arg::Const(expr) = arg else {
                    return inactive(value);
                };
                if backwards {
                    self.require_uses(&expr.uses);
                }
                let wanted_again = match expr.alone() {
                    Some(Base::Def(d)) => self.is_named_after_the_call(d, backwards),
                    Some(Base::Root(r)) => self.is_memory_kept_after_the_call(r, backwards),
                    None => false,
                };
                match wanted_again {
                    true => inactive(code!(::core::clone::Clone::clone(&#value))),
                    false => inactive(value),
                }
            }
            Passed::Closure {
                function,
                captured,
                point,
            } => {
                let captured = captured.iter().map(|a| {
                    let overwritten = self.overwritten(a, point);
                    let overwritten = overwritten.unwrap_or_else(|| code!(false));
                    (self.handle(a, backwards).0, overwritten)
                });
                (
                    bounds::bound(function, captured.collect()),
                    code!(::coenzyme::Const<_>),
                )
            }
            Passed::Value(atom) => {
                if backwards {
                    self.require_atom(atom);
                }
                let mut value = p.owned_value(atom);
                if let (Atom::Def(d), false) = (atom, backwards)
                    && self.is_taped_copy(*d)
                {
                    value = code!(::coenzyme::__private::copy(&#value));
                }
                (
                    code!(::coenzyme::Active(#value)),
                    code!(::coenzyme::Active<_>),
                )
            }
            Passed::Memory(lent) if backwards => dynamic(self.lent(&lent)),
            Passed::Memory(lent) => dynamic(lent.promised(self.is_active(lent.place.base))),
        }
    }

    /// Whether a value without derivative, which the text may move into a call, is named by something that comes after the call in this sweep:
    /// by what tapes it, by the rest of a round that runs again, or by another call that the text has before.
    fn is_named_after_the_call(&self, id: DefId, backwards: bool) -> bool {
        match backwards {
            true => self.program.moves.inactive.contains(&id),
            false => {
                let again = self.pass.get() == Pass::Again || self.replaying.get();
                again || self.state.borrow().taped.contains(&id)
            }
        }
    }

    /// The same of memory: whether it goes to the tape after the call, or is found there by what the text has before.
    fn is_memory_kept_after_the_call(&self, root: RootId, backwards: bool) -> bool {
        let state = self.state.borrow();
        let again = self.pass.get() == Pass::Again || self.replaying.get();
        let kept = state.contents.contains(&root) || state.taped_roots.contains(&root);
        self.program.roots[root].kind == RootKind::Memory && (backwards || again || kept)
    }

    /// The value of a definition, which is all of some memory without derivative: a copy, where that is named afterwards.
    pub(super) fn not_moved(&self, id: DefId, value: TokenStream, backwards: bool) -> TokenStream {
        let (DefKind::Pure(expr) | DefKind::Opaque(expr)) = &self.program.defs[id].kind else {
            return value;
        };
        match expr.alone() {
            Some(Base::Root(r)) if self.is_memory_kept_after_the_call(r, backwards) => {
                code!(::core::clone::Clone::clone(&#value))
            }
            _ => value,
        }
    }

    /// Whether a value is a copy of a whole local that goes to the tape after the call.
    fn is_taped_copy(&self, id: DefId) -> bool {
        let whole =
            matches!(&self.program.defs[id].kind, DefKind::Read(place) if place.suffix.is_empty());
        whole && self.state.borrow().taped.contains(&id)
    }

    /// As [`handle`](Self::handle), if the activity is known here.
    fn known(&self, lent: &Lent<'_>, backwards: bool) -> Option<(TokenStream, TokenStream)> {
        let known = lent.known(Mode::Reverse, backwards)?;
        if backwards {
            self.require_lent(&lent.place);
        }
        Some(known)
    }

    /// Asks for memory and its shadows.
    fn require_lent(&self, place: &Place) {
        let p = self.program;
        if p.base_varied(place.base) {
            self.touch(place.base);
        }
        self.require_uses(&place.uses);
        match place.base {
            Base::Root(r) if p.roots[r].kind == RootKind::Memory => self.require_contents(r),
            Base::Root(_) => {}
            Base::Def(d) => self.require(d),
        }
    }

    /// Memory with its shadows, for the second half of a call.
    fn lent(&self, lent: &Lent<'_>) -> TokenStream {
        let (p, place) = (self.program, &lent.place);
        self.require_lent(place);
        match place.base {
            base if !p.base_varied(base) => lent.promised(code!(false)),
            Base::Root(r) if matches!(p.roots[r].kind, RootKind::Param { .. }) => {
                lent.with(lent.param_shadows(r))
            }
            _ => lent.with(lent.own_shadows_mut()),
        }
    }
}
