//! Changes of memory, and of the tangents in its shadows.

use proc_macro2::TokenStream;

use super::Forward;
use crate::differentiable::emit::names::shadow;
use crate::differentiable::ir::*;

impl Forward<'_> {
    pub(super) fn declare(&self, root: &Root, init: &Init) -> TokenStream {
        let p = self.program;
        let (name, declared, d) = (&root.name, root.declared(), shadow(&root.name));
        let Some(value) = p.init_primal(init, root.kind) else {
            let tangents = root.varied.then(|| code!(let mut #d;));
            return code!(#declared; #tangents);
        };
        let tangents = root.varied.then(|| match init {
            Init::Value(atom) if p.atom_varied(atom) => {
                let from = p.atom_shadow(atom);
                code!(let mut #d = ::coenzyme::__private::copy(&#from);)
            }
            Init::Copy { from, .. } if p.base_varied(from.base) => {
                let (lane, suffix) = (p.shadow_lane(from.base, false), &from.suffix);
                code! {
                    let mut #d = ::coenzyme::__private::zeros::<_, __W>(&#name);
                    for l in 0..__W {
                        if let ::core::option::Option::Some(m) = #lane {
                            ::core::clone::Clone::clone_from(&mut #d[l], &::coenzyme::__private::owned_like(&#name, &(*m)#suffix));
                        }
                    }
                }
            }
            _ => code!(let mut #d = ::coenzyme::__private::zeros::<_, __W>(&#name);),
        });
        code!(#declared = #value; #tangents)
    }

    pub(super) fn assign(&self, place: &Place, op: Assign, value: &Atom) -> TokenStream {
        let p = self.program;
        if !p.base_varied(place.base) {
            return TokenStream::new();
        }
        let from = p.atom_shadow(value);
        // all of a local, which may have been declared without a value
        if let Base::Root(r) = place.base
            && (p.roots[r].kind == RootKind::Scalar
                || p.roots[r].kind == RootKind::Memory
                    && place.suffix.is_empty()
                    && op == Assign::Set)
        {
            let d = shadow(&p.roots[r].name);
            let v = p.atom_value(value);
            return match from {
                Some(from) => code!(#d = ::coenzyme::__private::copy(&#from);),
                None => code!(#d = ::coenzyme::__private::zeros::<_, __W>(&#v);),
            };
        }
        let (shadows, place) = (p.shadows_mut(place.base), p.place_mut(place));
        match (op, from) {
            (Assign::Set, Some(from)) => {
                code!(::coenzyme::__private::set_at(#shadows, &#from, #place);)
            }
            // what is there may have another shape
            (Assign::Set, None) if matches!(value, Atom::Def(_)) => {
                let v = p.atom_value(value);
                code!(::coenzyme::__private::renew_at(#shadows, &#v, #place);)
            }
            (Assign::Set, None) => code!(::coenzyme::__private::clear_at(#shadows, #place);),
            (Assign::Add, Some(from)) => {
                code!(<_ as ::coenzyme::__private::AddsUp<::coenzyme::ops::add>>::at::<_, __W>(#shadows, &#from, #place);)
            }
            (Assign::Sub, Some(from)) => {
                code!(<_ as ::coenzyme::__private::AddsUp<::coenzyme::ops::sub>>::at::<_, __W>(#shadows, &#from, #place);)
            }
            (_, None) => TokenStream::new(),
        }
    }

    pub(super) fn copy(&self, to: &Place, from: &Place) -> TokenStream {
        let p = self.program;
        let (primal, source) = (p.place_value(to), p.place_value(from));
        let lane = self.shadow_or_none(from);
        let f = &from.suffix;
        let tangents = self.program.in_shadows(to, |t| {
            code! {
                match #lane {
                    ::core::option::Option::Some(from) => (*m)#t.clone_from_slice(&(*from)#f),
                    ::core::option::Option::None => ::coenzyme::Tangent::zero_out(&mut (*m)#t),
                }
            }
        });
        code!(#primal.clone_from_slice(&#source); #tangents)
    }

    pub(super) fn fill(&self, place: &Place, value: &Atom) -> TokenStream {
        let p = self.program;
        let (primal, v) = (p.place_value(place), p.atom_value(value));
        let tangents = self
            .program
            .in_shadows(place, |suffix| match p.atom_shadow(value) {
                Some(d) => code!((*m)#suffix.fill(#d[l]);),
                None => code!(::coenzyme::Tangent::zero_out(&mut (*m)#suffix);),
            });
        code!(#primal.fill(#v); #tangents)
    }

    pub(super) fn push(&self, place: &Place, value: &Atom) -> TokenStream {
        let p = self.program;
        let (primal, v) = (p.place_value(place), p.owned_value(value));
        let tangents = self
            .program
            .in_shadows(place, |suffix| match p.atom_shadow(value) {
                Some(d) => code!((*m)#suffix.push(::coenzyme::__private::copy(&#d[l]));),
                None => code!((*m)#suffix.push(::coenzyme::__private::zero_of(&#v));),
            });
        code!(#tangents #primal.push(#v);)
    }

    pub(super) fn pop(&self, place: &Place) -> TokenStream {
        let primal = self.program.place_value(place);
        let tangents = self
            .program
            .in_shadows(place, |suffix| code!((*m)#suffix.pop();));
        code!(#primal.pop(); #tangents)
    }

    pub(super) fn swap(&self, place: &Place, i: &TokenStream, j: &TokenStream) -> TokenStream {
        let primal = self.program.place_value(place);
        let tangents = self
            .program
            .in_shadows(place, |suffix| code!((*m)#suffix.swap(#i, #j);));
        code!(#primal.swap(#i, #j); #tangents)
    }

    fn shadow_or_none(&self, place: &Place) -> TokenStream {
        match self.program.base_varied(place.base) {
            true => self.program.shadow_lane(place.base, false),
            false => {
                let value = self.program.base_tokens(place.base);
                code!(if false { ::core::option::Option::Some(&#value) } else { ::core::option::Option::None })
            }
        }
    }
}
