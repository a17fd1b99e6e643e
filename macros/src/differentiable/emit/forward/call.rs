//! Calls of functions that have rules.

use proc_macro2::TokenStream;

use super::Forward;
use crate::differentiable::emit::argument::{Lent, Passed, dynamic, inactive};
use crate::differentiable::emit::bounds::{self, Mode};
use crate::differentiable::emit::names::{handle, local, shadow};
use crate::differentiable::ir::*;
use crate::signature::Passing;

impl Forward<'_> {
    /// The call of a callee's forward rule.
    pub(super) fn call(&self, call: &Call) -> TokenStream {
        let (value, question) = (self.call_as_it_is(call), call.unpack.tokens());
        code!(#value #question)
    }

    /// The same, with what it returns as it is: it may be no value.
    pub(super) fn call_as_it_is(&self, call: &Call) -> TokenStream {
        let callee = self.program.callee(call);
        let config = &self.config;
        let whole = call.passes_whole();
        let mut before = Vec::new();
        let mut args = Vec::new();
        let mut types = Vec::new();
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
                    continue;
                }
                arg => {
                    let known = match (self.program.passed(self.function, arg), call.takes_any()) {
                        (Passed::Memory(lent), Some(by)) => {
                            let known = lent.known(Mode::Forward, false);
                            known.map(|known| by.asked(&lent, known))
                        }
                        _ => None,
                    };
                    let (value, ty) = known.unwrap_or_else(|| self.handle(arg));
                    before.push(code!(let mut #a = #value;));
                    let lent = (self.program).lend_as(self.function, (call, i), &a, Mode::Forward);
                    types.push(lent.as_ref().map_or(ty, |_| code!(_)));
                    before.extend(lent);
                }
            }
            args.push(code!(&mut #a));
        }
        let (returns, needs) = match call.used {
            true => (code!(::coenzyme::BatchDuplicated<_, _, __W>), true),
            false => (code!(::coenzyme::Const<_>), false),
        };
        code!({
            let callee = #callee;
            #(#before)*
            ::coenzyme::__private::call_forward::<_, #returns, (#(#types,)*), _, __W>(
                &callee, &#config.with_needs_primal(#needs), (#(#args,)*),
            )
        })
    }

    fn handle(&self, arg: &Arg) -> (TokenStream, TokenStream) {
        let p = self.program;
        match p.passed(self.function, arg) {
            Passed::Const(value) => inactive(value),
            Passed::Value(atom) => {
                let (value, passed) = (p.atom_value(atom), p.owned_value(atom));
                let tangents = match p.atom_shadow(atom) {
                    Some(d) => code!(::coenzyme::__private::copy(&#d)),
                    None => code!(::coenzyme::__private::zeros::<_, __W>(&#value)),
                };
                (
                    code!(::coenzyme::BatchDuplicated::from_parts(#passed, #tangents)),
                    code!(::coenzyme::BatchDuplicated<_, _, __W>),
                )
            }
            Passed::Closure {
                function, captured, ..
            } => {
                let captured = captured.iter().map(|a| (self.handle(a).0, code!(false)));
                (
                    bounds::bound(function, captured.collect()),
                    code!(::coenzyme::Const<_>),
                )
            }
            Passed::Memory(lent) => dynamic(self.lent(&lent)),
        }
    }

    fn lent(&self, lent: &Lent<'_>) -> TokenStream {
        let p = self.program;
        match lent.place.base {
            base if !p.base_varied(base) => lent.promised(code!(false)),
            Base::Root(r) => match p.roots[r].kind {
                RootKind::Param { .. } if lent.exclusive => lent.with(lent.param_shadows(r)),
                RootKind::Param { passing, .. } => {
                    let (d, suffix) = (shadow(&p.roots[r].name), &lent.place.suffix);
                    lent.with(match passing {
                        Passing::Exclusive => {
                            code!(::coenzyme::__private::each_of_mut(&#d, |m| &(*m)#suffix))
                        }
                        _ => code!(::coenzyme::__private::each(&#d, |m| &(*m)#suffix)),
                    })
                }
                _ if lent.exclusive => lent.with(lent.own_shadows_mut()),
                _ => lent.with(lent.own_shadows()),
            },
            Base::Def(_) => lent.with(lent.own_shadows()),
        }
    }
}
