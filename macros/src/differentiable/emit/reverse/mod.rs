//! Reverse mode: the forward sweep and the reverse sweep, in one body so that types are inferred once.
//!
//! A block runs backwards like this: what was taped at its end comes off the tape; values that can be computed again are;
//! then the statements are undone in reverse order, each adding to the cotangents of what it read. The cotangent of a value
//! comes to life with the first thing that is added to it.
//!
//! ```text
//! // let t3 = a * b; y[i] = t3;
//! let t3 = (a * b);
//! let mut t3_d = sums::<_, __W>(&t3);
//! move_from(&mut t3_d, &mut y_d, |m| &mut (*m)[i]);
//! pull_factors::<ops::mul, _, _, __W>(a, (b,), &t3_d, &mut a_d, (&mut b_d,), strong_zero);
//! ```

mod adjoint;
mod adjoint_loop;
mod adjoint_memory;
mod block;
mod call;
mod checkpoint;
mod columns;
mod conditional;
mod deferred;
mod demand;
mod forwards;
mod function;
mod handle;
mod inactive_rounds;
mod invariant_memory;
mod kept_contents;
mod lengths;
mod lent_often;
mod local_cotangents;
mod loop_carried;
mod measured;
mod moved;
mod recompute;
mod recomputed_calls;
mod repeated;
mod returned;
mod scratch;
mod side_by_side;
mod tapes;
mod values;
mod zero_rounds;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};

use super::bounds::{self, Mode};
use super::names::{handle, local};
use super::quiet;
use crate::differentiable::analyse::attempts::Attempts;
use crate::differentiable::analyse::floats::Floats;
use crate::differentiable::emit::reverse::demand::State;
use crate::differentiable::ir::*;
use crate::differentiable::plan::{Draft, Plan, Subject};
use crate::signature::Function;

/// `impl Sweep for f`, and `impl ReverseRule for f` by it.
pub(super) fn rule(function: &Function, program: &Program, fast: bool) -> (TokenStream, Plan) {
    let mut emit = Reverse::new(function, program, fast);
    let backwards = emit.planned();
    let forwards = emit.function_forwards();
    let name = &function.name;
    let generics = bounds::generics(function, program, Mode::Reverse);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let handles = bounds::handles(function);
    let handle_types: Vec<_> = function
        .params
        .iter()
        .enumerate()
        .map(|(i, p)| bounds::handle(p, i))
        .collect();
    let names: Vec<_> = (0..function.params.len()).map(handle).collect();

    let (slots, copies) = (emit.slots(), emit.copies());
    let (known_cost, call_cost) = program.call_cost(function);
    let inlining = program.inlining();
    let ask = program.ask_callees();
    let both = emit.both();
    let (reads_later, quiet) = (emit.reads_later(), quiet());
    let by_sweeps = by_sweeps(function, &generics, &inlining, &code!(#both #call_cost));
    let rule = code! {
        #known_cost
        #reads_later

        #quiet
        impl #impl_generics ::coenzyme::__private::Sweep<__R, #handles, __W> for #name #where_clause {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn sweep<const __REVERSE: bool, const __LATER: bool>(
                &self,
                config: &::coenzyme::ReverseConfig,
                strong_zero: bool,
                tape: &mut ::coenzyme::Tape,
                dret: ::core::option::Option<<__R as ::coenzyme::ReverseReturn<__W>>::Cotangent>,
                (#(#names,)*): (#(&mut #handle_types,)*),
            ) -> ::coenzyme::__private::SweptOutcome<__R, #handles, __W> {
                let config = &config.with_strong_zero(strong_zero);
                #copies
                #slots
                if !__REVERSE {
                    #ask
                    #forwards
                } else {
                    #backwards
                }
            }

            #inlining
            fn swept<const __REVERSE: bool, const __LATER: bool>(
                &self,
                config: &::coenzyme::ReverseConfig,
                strong_zero: bool,
                tape: &mut ::coenzyme::Tape,
                dret: ::core::option::Option<<__R as ::coenzyme::ReverseReturn<__W>>::Cotangent>,
                args: (#(&mut #handle_types,)*),
            ) -> ::coenzyme::__private::SweptOutcome<__R, #handles, __W> {
                ::coenzyme::__private::Sweep::<__R, #handles, __W>::sweep::<__REVERSE, __LATER>(
                    self, config, strong_zero, tape, dret, args,
                )
            }
        }

        #by_sweeps
    };
    (rule, emit.plan)
}

/// What is decided of the reverse sweep of a function.
#[cfg(test)]
pub(in crate::differentiable) fn plan(function: &Function, program: &Program) -> Plan {
    let mut emit = Reverse::new(function, program, false);
    emit.planned();
    emit.plan
}

impl<'a> Reverse<'a> {
    fn new(function: &'a Function, program: &'a Program, fast: bool) -> Self {
        let floats = program.floats(function);
        Reverse {
            function,
            program,
            plan: Plan::default(),
            state: RefCell::default(),
            pass: Cell::new(Pass::Forward),
            replaying: Cell::new(false),
            columns_of: Cell::new(None),
            computing: Cell::new(false),
            drafting: Cell::new(true),
            lent: RefCell::default(),
            unread: RefCell::default(),
            fast,
            attempts: program.attempts(),
            behind: program.behind(&floats.numbers),
            floats,
        }
    }

    fn subject(&self) -> Subject<'a> {
        Subject {
            function: self.function,
            program: self.program,
        }
    }

    /// The reverse sweep by the plan that is decided from drafts of it.
    fn planned(&mut self) -> TokenStream {
        let mut backwards = TokenStream::new();
        let plan = Plan::decide(self.subject(), &mut |plan, draft| {
            self.plan = plan.clone();
            self.drafting.set(draft == Draft::Fresh);
            if draft == Draft::Fresh {
                self.state.take();
            }
            backwards = self.function_backwards();
            self.state.borrow().demand()
        });
        self.plan = plan;
        backwards
    }
}

/// `impl ReverseRule for f`, by its sweeps.
fn by_sweeps(
    function: &Function,
    generics: &syn::Generics,
    inlining: &TokenStream,
    methods: &TokenStream,
) -> TokenStream {
    let (name, quiet) = (&function.name, quiet());
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let handles = bounds::handles(function);
    let params = function.params.iter().enumerate();
    let handle_types: Vec<_> = params.map(|(i, p)| bounds::handle(p, i)).collect();
    code! {
        #quiet
        impl #impl_generics ::coenzyme::ReverseRule<__R, #handles, __W> for #name #where_clause {
            type Tape = ::coenzyme::Tape;

            #inlining
            fn augmented_primal(
                &self,
                config: &::coenzyme::ReverseConfig,
                args: (#(&mut #handle_types,)*),
            ) -> ::coenzyme::AugmentedOutcome<__R, ::coenzyme::Tape, __W> {
                ::coenzyme::__private::augmented::<_, __R, #handles, __W>(self, config, args)
            }

            #inlining
            fn reverse(
                &self,
                config: &::coenzyme::ReverseConfig,
                dret: <__R as ::coenzyme::ReverseReturn<__W>>::Cotangent,
                tape: ::coenzyme::Tape,
                args: (#(&mut #handle_types,)*),
            ) -> <#handles as ::coenzyme::Args<__W>>::Gradients {
                let tape = &mut { tape };
                ::coenzyme::__private::reverse::<_, __R, #handles, __W>(self, config, dret, tape, args)
            }

            #inlining
            fn augmented_onto(
                &self,
                config: &::coenzyme::ReverseConfig,
                tape: &mut ::coenzyme::Tape,
                args: (#(&mut #handle_types,)*),
            ) -> ::coenzyme::AugmentedOutcome<__R, (), __W> {
                ::coenzyme::__private::augmented_onto::<_, __R, #handles, __W>(self, config, tape, args)
            }

            #inlining
            fn reverse_from(
                &self,
                config: &::coenzyme::ReverseConfig,
                dret: <__R as ::coenzyme::ReverseReturn<__W>>::Cotangent,
                tape: &mut ::coenzyme::Tape,
                args: (#(&mut #handle_types,)*),
            ) -> <#handles as ::coenzyme::Args<__W>>::Gradients {
                ::coenzyme::__private::reverse_from::<_, __R, #handles, __W>(self, config, dret, tape, args)
            }

            #methods
        }
    }
}

struct Reverse<'a> {
    function: &'a Function,
    program: &'a Program,
    plan: Plan,
    state: RefCell<State>,
    pass: Cell<Pass>,
    /// Whether a round of the forward sweep is generated that runs again in the reverse sweep.
    replaying: Cell<bool>,
    /// The body of the loop that has columns for the values that are being undone.
    columns_of: Cell<Option<usize>>,
    /// Whether what is asked for is asked for to compute a value again.
    computing: Cell<bool>,
    /// Whether what is generated is thrown away: it only finds out what is asked for.
    drafting: Cell<bool>,
    /// Scratch memory of the round that is being generated, which the caller handed in.
    lent: RefCell<Vec<RootId>>,
    /// Memory that it only writes, and that nothing reads where the round runs again.
    unread: RefCell<Vec<RootId>>,
    /// Whether the function has the mathematics of vectors.
    fast: bool,
    attempts: Attempts,
    floats: Floats,
    /// What is read of entries that are not written again.
    behind: HashSet<DefId>,
}

/// Why the primal's statements are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// The forward sweep, which fills the tape.
    Forward,
    /// The forward sweep of a loop whose rounds the reverse sweep runs again: nothing goes to the tape.
    Value,
    /// A round that the reverse sweep runs again.
    Again,
}

/// The number of rounds that a loop ran.
fn rounds(block: usize) -> Ident {
    local(&format!("rounds{block}"))
}
