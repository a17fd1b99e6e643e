//! Definitions, each with its tangents.

use proc_macro2::TokenStream;

use super::Forward;
use crate::differentiable::emit::names::{attempt, shadow};
use crate::differentiable::ir::*;

impl Forward<'_> {
    pub(super) fn def(&self, id: DefId) -> TokenStream {
        let p = self.program;
        let def = &p.defs[id];
        let (name, d) = (&def.name, shadow(&def.name));
        let primal = p.def_value(id).map(|value| code!(let #name = #value;));
        if let Some(call) = self.attempts.call(id)
            && let DefKind::Call(of) = &p.defs[call].kind
        {
            let lent = Item::Def(call).whole_roots(p).into_iter();
            let again = lent.filter_map(|r| self.bind_root(r));
            let (attempt, call) = (attempt(&p.defs[call].name), self.call_as_it_is(of));
            return code! {
                let #attempt = #call;
                let #name = ::coenzyme::__private::Attempt::came(&#attempt);
                #(#again)*
            };
        }
        if let DefKind::Call(call) = &def.kind {
            let call = match self.attempts.is_attempt(id) {
                true => {
                    let (attempt, unpack) = (attempt(name), call.unpack.tokens());
                    code!(#attempt #unpack)
                }
                false => self.call(call),
            };
            return code!(let (#name, #d) = ::coenzyme::BatchDuplicated::into_parts(#call););
        }
        if !def.varied {
            return code!(#primal);
        }
        let tangents = match &def.kind {
            DefKind::Read(place) => {
                let (shadows, place) = (p.shadows(place.base), p.place_ref(place));
                code!(let #d = ::coenzyme::__private::tangents_at(&#name, #shadows, #place);)
            }
            DefKind::Op {
                op, args, needs, ..
            } => {
                let (first, rest) = args.split_first().expect("an operation has an operand");
                let operand = |atom: &Atom| p.derivative_operand(atom, p.atom_value(atom));
                let (a, b) = (operand(first), rest.iter().map(operand));
                let value = operand(&Atom::Def(id));
                let tangent = |atom: &Atom| match p.atom_shadow(atom) {
                    Some(d) => code!(&#d),
                    None => code!(::coenzyme::__private::NoShadow::new()),
                };
                let (da, db) = (tangent(first), rest.iter().map(tangent));
                let derived = match needs {
                    Needs::Everything => code!(::coenzyme::__private::Derived<#op, _, _>),
                    _ => code!(::coenzyme::__private::DerivedLikeNumbers<#op, _, _>),
                };
                code! {
                    let #d = <_ as #derived>::push::<__W>(
                        #a, (#(#b,)*), #value, #da, (#(#db,)*), strong_zero,
                    );
                }
            }
            DefKind::Make { parts, .. } => {
                let parts = parts.iter().filter_map(|(suffix, atom)| {
                    let part = p.atom_shadow(atom)?;
                    Some(code!(::coenzyme::__private::set_part(&mut #d, &#part, |m| &mut (*m)#suffix);))
                });
                code!(let mut #d = ::coenzyme::__private::zeros::<_, __W>(&#name); #(#parts)*)
            }
            DefKind::Version(root) => {
                let root = shadow(&p.roots[*root].name);
                code!(let #d = ::coenzyme::__private::copy(&#root);)
            }
            _ => TokenStream::new(),
        };
        code!(#primal #tangents)
    }
}
