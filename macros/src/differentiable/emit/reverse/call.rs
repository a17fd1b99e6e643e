//! Calls of functions that have rules: one half in each sweep.

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;

use super::recomputed_calls::again;
use super::{Pass, Reverse};
use crate::differentiable::emit::bounds::{self, Mode};
use crate::differentiable::emit::names::{handle, handle_type, local};
use crate::differentiable::ir::*;
use crate::signature::Passing;

impl Reverse<'_> {
    /// The tape of a call in a round that is run again.
    pub(super) fn held_tape(&self, call: &Call) -> Ident {
        local(&format!("call{}_tape", call.point.order))
    }

    pub(super) fn call_config(&self, call: &Call) -> TokenStream {
        let used = match (
            self.plan.passed_on.contains(&call.point.order),
            self.pass.get(),
        ) {
            // a round that runs again is not run for the value of the function
            (true, Pass::Again) => self.wants_value_later(),
            (true, _) => code!(config.needs_primal()),
            (false, _) => call.used.to_token_stream(),
        };
        if self.pass.get() == Pass::Value {
            return code!(config.with_needs_primal(#used).with_none_overwritten().with_keeps_costly(false));
        }
        let keeps = self.keeps_costly(call);
        let overwritten = call.args.iter().enumerate().filter_map(|(i, arg)| {
            let overwritten = match self.keeps(call, i) {
                Some(keeps) => code!(!#keeps),
                None => self.overwritten(arg, &call.point)?,
            };
            Some(code!(.with_overwritten(#i, #overwritten)))
        });
        code!(config.with_needs_primal(#used).with_none_overwritten().with_inside()#keeps #(#overwritten)*)
    }

    /// Whether the callee keeps the results of elementary functions: where its halves run in different loops. In a round that runs again
    /// they follow each other.
    fn keeps_costly(&self, call: &Call) -> Option<TokenStream> {
        let held = self.state.borrow().held_calls.contains(&call.point.order);
        let keeps = !held;
        (!call.point.loops.is_empty()).then(|| code!(.with_keeps_costly(#keeps)))
    }

    /// Whether an argument of the call at `point` changes before the call is undone.
    pub(super) fn overwritten(&self, arg: &Arg, point: &Point) -> Option<TokenStream> {
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
        let here = !self.standing(root, point);
        let outside = match self.program.param_of(root) {
            Some(index) if !self.plan.is_scratch(root) => {
                let outside = self.overwritten_outside(arg, root, index);
                code!(|| #outside)
            }
            _ => TokenStream::new(),
        };
        Some(code!(#here #outside))
    }

    pub(super) fn call_forwards(&self, call: &Call) -> TokenStream {
        self.call_forwards_of(call, None)
    }

    /// A call with what it returns as it is: it may be no value.
    pub(super) fn attempt_forwards(&self, call: &Call) -> TokenStream {
        let [_, keep, _] = self.kept_contents(call);
        let whole = Call {
            unpack: Unpack::Plain,
            ..call.clone()
        };
        let keep = (!keep.is_empty())
            .then(|| code!(if ::coenzyme::__private::Attempt::came(&value) { #keep }));
        self.call_with(&whole, None, &keep.unwrap_or_default())
    }

    /// A call that may be run again, of this name.
    pub(super) fn call_forwards_of(&self, call: &Call, rerun: Option<&Ident>) -> TokenStream {
        let [_, keep, _] = self.kept_contents(call);
        self.call_with(call, rerun, &keep)
    }

    /// A call, and what is kept of memory after it.
    fn call_with(&self, call: &Call, rerun: Option<&Ident>, keep: &TokenStream) -> TokenStream {
        let callee = self.program.callee(call);
        let (before, args, types) = self.arguments(call, false);
        let config = self.call_config(call);
        let question = match &call.unpack {
            // it has succeeded before
            Unpack::Question(methods) if self.replaying.get() => code!(#methods),
            unpack => unpack.tokens(),
        };
        let held = self.state.borrow().held_calls.contains(&call.point.order);
        // what becomes of the callee's tape
        let (call_held, call_kept) = match self.plan.passed_on.contains(&call.point.order) {
            true => (code!(call_held_passed_on), code!(call_kept_passed_on)),
            false => (code!(call_held), code!(call_kept)),
        };
        let (function, tape, result) = match (self.pass.get(), call.used) {
            (Pass::Value, true) => (call_held, None, code!(value.0)),
            (Pass::Value, false) => (code!(call_held_unused), None, code!(())),
            (Pass::Again, true) if held => (call_kept, Some(code!(tape,)), code!(value)),
            (Pass::Again, false) if held => {
                (code!(call_kept_unused), Some(code!(tape,)), code!(value))
            }
            (_, true) if rerun.is_some() => {
                let name = rerun.expect("a name");
                let (again, holds) = (again(name), self.holds(call));
                (
                    code!(call_augmented_or_again),
                    Some(code!((tape, &mut #again, #holds),)),
                    code!(value),
                )
            }
            (_, true) if self.plan.passed_on.contains(&call.point.order) => {
                (code!(call_passed_on), Some(code!(tape,)), code!(value))
            }
            (_, true) => (code!(call_augmented), Some(code!(tape,)), code!(value)),
            (_, false) => (
                code!(call_augmented_unused),
                Some(code!(tape,)),
                code!(value),
            ),
        };
        let returns = match call.used {
            true => code!(::coenzyme::Active<_>),
            false => code!(::coenzyme::Const<_>),
        };
        let value = code! {
            ::coenzyme::__private::#function::<_, #returns, (#(#types,)*), _, __W>(
                &callee, &#config, #tape (#(#args,)*),
            )#question
        };
        let value = match call.unpack {
            Unpack::Question(_) if self.replaying.get() => {
                code!(::coenzyme::__private::Succeeded::succeeded(#value))
            }
            _ => value,
        };
        let [ask, ..] = self.kept_contents(call);
        let believed = self.believed(call);
        code!({
            let callee = #callee;
            #ask #believed
            #(#before)*
            let value = #value;
            #keep
            #result
        })
    }

    /// What a call gave for a parameter that it got as a whole, in a handle by value.
    fn gather(&self, call: &Call, root: RootId, entry: TokenStream) -> Option<TokenStream> {
        let RootKind::Param { index, passing } = self.program.roots[root].kind else {
            return None;
        };
        let param = &self.function.params[index];
        if !self.passes_whole(call) || passing != Passing::Shared || param.constant {
            return None;
        }
        let tr = bounds::argument_trait(param, Mode::Reverse);
        let (h, own) = (handle_type(index), super::function::entry(&handle(index)));
        Some(code!(<#h as #tr>::gather(&mut #own, #entry);))
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
        let held = self.state.borrow().held_calls.contains(&call.point.order);
        let (function, tape) = match held {
            true => {
                let tape = self.held_tape(call);
                (code!(call_kept_reverse), code!((tape, #tape)))
            }
            false => (code!(call_reverse), code!(tape)),
        };
        let (returns, cotangent) = match cotangent {
            Some(d) => (code!(::coenzyme::Active<_>), code!(#d)),
            None => (code!(::coenzyme::Const<_>), code!(())),
        };
        let adds = call.args.iter().enumerate().filter_map(|(i, arg)| {
            let number = syn::Index::from(i);
            match arg {
                Arg::Value(atom) => {
                    let d = self.touch_atom(atom)?;
                    Some(code!(::coenzyme::__private::add(&mut #d, &entries.#number);))
                }
                Arg::Whole { root } => self.gather(call, *root, code!(entries.#number)),
                _ => None,
            }
        });
        let apart = self.add_apart(call);
        let [ask, _, restore] = self.kept_contents(call);
        code!({
            let callee = #callee;
            #ask
            #restore
            #(#before)*
            let entries = ::coenzyme::__private::#function::<_, #returns, (#(#types,)*), _, __W>(
                &callee, &#config, #cotangent, #tape, (#(#args,)*),
            );
            #(#adds)*
            #apart
        })
    }
}
