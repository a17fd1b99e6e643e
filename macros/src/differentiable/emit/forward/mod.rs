//! Forward mode: every statement is followed by its tangents.
//!
//! ```text
//! let t3 = (a * b);
//! let t3_d = push::<ops::mul, _, _, __W>(a, (b,), t3, &a_d, (&b_d,), strong_zero);
//! set_at(&mut y_d, &t3_d, |m| &mut (*m)[i]);
//! y[i] = t3;
//! ```

mod call;
mod lanewise;
mod memory;
mod statement;
mod value;

use proc_macro2::TokenStream;

use super::bounds::{self, Mode};
use super::names::{handle, local, shadow};
use super::scopes::flattened;
use super::{params, quiet};
use crate::differentiable::analyse::attempts::Attempts;
use crate::differentiable::ir::*;
use crate::signature::{Function, Passing};

/// `impl ForwardRule for f`.
pub(super) fn rule(function: &Function, program: &Program) -> TokenStream {
    let emit = Forward {
        function,
        program,
        config: local("config"),
        attempts: program.attempts(),
    };
    let name = &function.name;
    let generics = bounds::generics(function, program, Mode::Forward);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let handles = bounds::handles(function);
    let handle_types = function
        .params
        .iter()
        .enumerate()
        .map(|(i, p)| bounds::handle(p, i));
    let names = (0..function.params.len()).map(handle);
    let (config, output) = (&emit.config, &function.output);
    let lanewise = emit.lanewise();
    let bind = emit.bind_params();
    let body = flattened(emit.block(&program.body));
    let result = emit.result();
    let (inlining, quiet) = (program.inlining(), quiet());
    let ask = program.ask_callees();
    code! {
        #quiet
        impl #impl_generics ::coenzyme::ForwardRule<__R, #handles, __W> for #name #where_clause {
            #inlining
            fn forward(
                &self,
                #config: &::coenzyme::ForwardConfig,
                (#(#names,)*): (#(&mut #handle_types,)*),
            ) -> ::coenzyme::ForwardOutcome<__R, __W> {
                let strong_zero = #config.strong_zero();
                #ask
                #lanewise
                #bind
                #body
                let (value, tangents) = #result;
                let mut tangents = ::coenzyme::__private::lane_values(tangents);
                <#output as ::coenzyme::Outcome>::wrap(
                    <__R as ::coenzyme::ForwardReturn<__W>>::forward(#config, || value, |lane| tangents(lane)),
                )
            }
        }
    }
}

struct Forward<'a> {
    function: &'a Function,
    program: &'a Program,
    config: proc_macro2::Ident,
    attempts: Attempts,
}

impl Forward<'_> {
    fn bind_params(&self) -> TokenStream {
        let memory = self
            .program
            .roots
            .iter()
            .enumerate()
            .filter_map(|(r, _)| self.bind_root(r));
        let values = self.program.defs.iter().filter_map(|def| {
            let value = params::bind_value(self.function, def, Mode::Forward)?;
            let tangents = self.bind_tangents(def);
            Some(code!(#value #tangents))
        });
        code!(#(#memory)* #(#values)*)
    }

    /// The tangents of a parameter by value in all lanes.
    fn bind_tangents(&self, def: &Def) -> Option<TokenStream> {
        let DefKind::Param(index) = def.kind else {
            return None;
        };
        let (param, h, name, d) = (
            &self.function.params[index],
            handle(index),
            &def.name,
            shadow(&def.name),
        );
        let (tr, ty) = (bounds::argument_trait(param, Mode::Forward), &param.ty);
        (def.varied && !param.constant).then(|| {
            code! {
                let #d: [#ty; __W] = ::coenzyme::__private::lane_array(|l| match <_ as #tr>::tangent(&*#h, l) {
                    ::core::option::Option::Some(d) => ::coenzyme::__private::copy(d),
                    ::core::option::Option::None => ::coenzyme::Tangent::zero_like(&#name),
                });
            }
        })
    }

    /// The primal of a parameter in memory, and its tangents in all lanes.
    fn bind_root(&self, root: RootId) -> Option<TokenStream> {
        let root = &self.program.roots[root];
        params::bind_memory(self.function, root, Mode::Forward, |name, param, h, tr| {
            let d = shadow(name);
            match param.passing {
                Passing::Exclusive => {
                    code!(let (#name, mut #d) = <_ as #tr>::split_mut(&mut *#h);)
                }
                _ => code!(let (#name, #d) = <_ as #tr>::split(&*#h);),
            }
        })
    }

    fn result(&self) -> TokenStream {
        let p = self.program;
        match &p.result {
            None => code!(((), [(); __W])),
            Some(atom) => {
                let value = p.atom_value(atom);
                match p.atom_shadow(atom) {
                    Some(d) => code!((#value, #d)),
                    None => code!({
                        let value = #value;
                        let tangents = ::coenzyme::__private::zeros::<_, __W>(&value);
                        (value, tangents)
                    }),
                }
            }
        }
    }
}
