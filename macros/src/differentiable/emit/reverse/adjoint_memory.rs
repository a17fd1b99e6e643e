//! Declarations and changes of memory undone.

use proc_macro2::TokenStream;

use super::Reverse;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    pub(crate) fn undo_declare(&self, root: RootId, init: &Init) -> TokenStream {
        let p = self.program;
        // what was handed over gets the cotangent of the memory, even if nothing arrives there
        let gives_back = matches!(init, Init::Value(atom) if p.is_handed_over(atom));
        if !p.roots[root].varied || !gives_back && !self.is_touched(Base::Root(root)) {
            return TokenStream::new();
        }
        self.touch(Base::Root(root));
        let d = p.shadow_name(Base::Root(root));
        match init {
            Init::Value(atom) => match self.touch_atom(atom) {
                Some(_) if p.is_handed_over(atom) => TokenStream::new(),
                Some(from) => code!(::coenzyme::__private::add(&mut #from, &#d);),
                None => TokenStream::new(),
            },
            Init::Copy { from, .. } if p.base_varied(from.base) => {
                self.require_uses(&from.uses);
                self.touch(from.base);
                let (shadows, place) = (p.shadows_mut(from.base), p.place_mut(from));
                code!(::coenzyme::__private::add_copy_at(#shadows, &#d, #place);)
            }
            _ => TokenStream::new(),
        }
    }

    pub(crate) fn undo_assign(&self, place: &Place, op: Assign, value: &Atom) -> TokenStream {
        let p = self.program;
        if !p.base_varied(place.base) {
            return TokenStream::new();
        }
        let d = self.touch(place.base);
        let into = self.touch_atom(value);
        if let Base::Root(r) = place.base
            && p.roots[r].kind == RootKind::Scalar
        {
            return match into {
                Some(into) => code!(::coenzyme::__private::hand_on(&mut #into, &mut #d);),
                None => code!(::coenzyme::__private::begin_again(&mut #d);),
            };
        }
        self.require_uses(&place.uses);
        let (shadows, place) = (p.shadows_mut(place.base), p.place_mut(place));
        match (op, into) {
            (Assign::Set, Some(_)) if p.is_handed_over(value) => TokenStream::new(),
            (Assign::Set, Some(into)) => {
                code!(::coenzyme::__private::move_from(&mut #into, #shadows, #place);)
            }
            (Assign::Set, None) => code!(::coenzyme::__private::clear_at(#shadows, #place);),
            (Assign::Add, Some(into)) => {
                code!(<_ as ::coenzyme::__private::AddsUp<::coenzyme::ops::add>>::from::<_, __W>(&mut #into, #shadows, #place);)
            }
            (Assign::Sub, Some(into)) => {
                code!(<_ as ::coenzyme::__private::AddsUp<::coenzyme::ops::sub>>::from::<_, __W>(&mut #into, #shadows, #place);)
            }
            (_, None) => TokenStream::new(),
        }
    }

    /// The memory and its shadow get the shape back that they had. The memory of a parameter is the caller's, who does so.
    pub(crate) fn undo_reshape(&self, place: &Place, shape: Option<DefId>) -> TokenStream {
        let p = self.program;
        self.touch(place.base);
        self.require_uses(&place.uses);
        let (shadows, part) = (p.shadows_mut(place.base), p.place_mut(place));
        let memory = || {
            let memory = p.in_window(place, true);
            memory.unwrap_or_else(|| p.place_value(place))
        };
        let Some(shape) = shape else {
            let memory = memory();
            return code!(::coenzyme::__private::reshape_as(&mut #memory, #shadows, #part););
        };
        self.require(shape);
        let shape = &p.defs[shape].name;
        match p.is_param(place.base) {
            true => code!(::coenzyme::__private::reshape_shadows(&#shape, #shadows, #part);),
            false => {
                let memory = memory();
                code!(::coenzyme::__private::reshape(#shape, &mut #memory, #shadows, #part);)
            }
        }
    }

    pub(crate) fn undo_copy(&self, to: &Place, from: &Place) -> TokenStream {
        let p = self.program;
        let add = (p.base_varied(to.base) && p.base_varied(from.base)).then(|| {
            self.require_uses(&from.uses);
            self.touch(from.base);
            let (t, f) = (&to.suffix, &from.suffix);
            let from = p.shadow_lane(from.base, true);
            code!(if let ::core::option::Option::Some(from) = #from {
                ::coenzyme::__private::add_slice(&mut (*from)#f, &(*m)#t);
            })
        });
        self.in_shadows(
            to,
            |suffix| code!(#add ::coenzyme::Tangent::zero_out(&mut (*m)#suffix);),
        )
    }

    pub(crate) fn undo_fill(&self, place: &Place, value: &Atom) -> TokenStream {
        self.in_shadows(place, |suffix| {
            let add = self.touch_atom(value).map(|d| {
                code!(for m in (*m)#suffix.iter() { ::coenzyme::Tangent::accumulate(&mut #d[l], m); })
            });
            code!(#add ::coenzyme::Tangent::zero_out(&mut (*m)#suffix);)
        })
    }

    /// The shadow gets shorter again; its last entry is the cotangent of what was pushed.
    pub(crate) fn undo_push(&self, place: &Place, value: &Atom) -> TokenStream {
        self.in_shadows(place, |suffix| {
            let add = self
                .touch_atom(value)
                .map(|d| code!(::coenzyme::Tangent::accumulate(&mut #d[l], &pushed);));
            code!(let pushed = (*m)#suffix.pop().expect("what was pushed"); #add)
        })
    }

    /// The shadow gets its last entry back: a zero, to which the reading of the value adds.
    pub(crate) fn undo_pop(&self, place: &Place) -> TokenStream {
        self.in_shadows(
            place,
            |suffix| code!((*m)#suffix.push(::coenzyme::__private::Blank::blank());),
        )
    }

    pub(crate) fn undo_swap(&self, place: &Place, i: &TokenStream, j: &TokenStream) -> TokenStream {
        self.in_shadows(place, |suffix| code!((*m)#suffix.swap(#i, #j);))
    }

    /// What happens to a place in each of its shadows, which are touched.
    fn in_shadows(
        &self,
        place: &Place,
        change: impl FnOnce(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        if self.program.base_varied(place.base) {
            self.require_uses(&place.uses);
            self.touch(place.base);
        }
        self.program.in_shadows(place, change)
    }

    pub(crate) fn undo_exchange(&self, a: Base, b: Base) -> TokenStream {
        for base in [a, b] {
            if self.program.base_varied(base) {
                self.touch(base);
            }
        }
        self.program.exchange_shadows(a, b)
    }
}
