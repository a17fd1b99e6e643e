//! Calls of functions that have rules: one half in each sweep.

use proc_macro2::{Ident, TokenStream};

use super::super::names::{local, slot};
use super::Reverse;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    pub(super) fn tape_slot(&self, call: &Call) -> Ident {
        slot(&local(&format!("call{}", call.point.order)))
    }

    pub(super) fn call_config(&self, call: &Call) -> TokenStream {
        let used = call.used;
        let overwritten = call.args.iter().enumerate().filter_map(|(i, arg)| {
            let root = match arg {
                Arg::Whole { root } => *root,
                Arg::Shared(Place {
                    base: Base::Root(root),
                    ..
                })
                | Arg::Exclusive(Place {
                    base: Base::Root(root),
                    ..
                }) => *root,
                _ => return None,
            };
            let here = self.program.changed_after(root, &call.point);
            let outside = match self.program.roots[root].kind {
                RootKind::Param { index, .. } => code!(|| config.overwritten(#index)),
                _ => TokenStream::new(),
            };
            Some(code!(.with_overwritten(#i, #here #outside)))
        });
        code!(config.with_needs_primal(#used).with_none_overwritten()#(#overwritten)*)
    }

    pub(super) fn call_forwards(&self, call: &Call) -> TokenStream {
        let callee = self.program.callee(call);
        let (before, args, types) = self.arguments(call, false);
        let config = self.call_config(call);
        let slot = self.tape_slot(call);
        let question = call.question.then(|| code!(?));
        if call.used {
            code!({
                let callee = #callee;
                #(#before)*
                let (value, callee_tape) = ::coenzyme::__private::call_augmented::<_, ::coenzyme::Active<_>, (#(#types,)*), _, __W>(
                    &callee, &#config, (#(#args,)*),
                )#question;
                #slot.push(tape, callee_tape);
                value
            })
        } else {
            code!({
                let callee = #callee;
                #(#before)*
                let callee_tape = ::coenzyme::__private::call_augmented_unused::<_, ::coenzyme::Const<_>, (#(#types,)*), _, __W>(
                    &callee, &#config, (#(#args,)*),
                )#question;
                #slot.push(tape, callee_tape);
            })
        }
    }

    pub(super) fn call_backwards(&self, call: &Call, cotangent: Option<&Ident>) -> TokenStream {
        if let Callee::Method { receiver, .. } | Callee::Part { of: receiver, .. } = &call.callee {
            self.require_uses(&receiver.uses);
            if let Base::Def(d) = receiver.base {
                self.require(d);
            }
        }
        let callee = self.program.callee(call);
        let (before, args, types) = self.arguments(call, true);
        let config = self.call_config(call);
        let slot = self.slot_of(&local(&format!("call{}", call.point.order)));
        let (returns, cotangent) = match cotangent {
            Some(d) => (
                code!(::coenzyme::Active<_>),
                code!(::core::clone::Clone::clone(&#d)),
            ),
            None => (code!(::coenzyme::Const<_>), code!(())),
        };
        let adds = call.args.iter().enumerate().filter_map(|(i, arg)| {
            let Arg::Value(atom) = arg else { return None };
            let (d, i) = (self.touch_atom(atom)?, syn::Index::from(i));
            Some(code!(::coenzyme::__private::add(&mut #d, &entries.#i);))
        });
        let apart = self.add_apart(call);
        code!({
            let callee_tape = #slot.pop(tape);
            let callee = #callee;
            #(#before)*
            let entries = ::coenzyme::__private::call_reverse::<_, #returns, (#(#types,)*), _, __W>(
                &callee, &#config, #cotangent, callee_tape, (#(#args,)*),
            );
            #(#adds)*
            #apart
        })
    }
}
