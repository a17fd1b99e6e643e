//! The names of what is generated: readable in `cargo expand`, and no name of the user's.

use proc_macro2::{Ident, Span, TokenStream};
use quote::format_ident;

use crate::differentiable::ir::*;
use crate::differentiable::tokens::index::only_index;
use crate::signature::{Function, Passing};

/// A generated local.
pub(super) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The shadow of a value or a root: its tangents or cotangents in all lanes.
pub(super) fn shadow(name: &Ident) -> Ident {
    format_ident!("{name}_d", span = Span::mixed_site())
}

/// The slot that knows the type of a value.
pub(super) fn slot(name: &Ident) -> Ident {
    format_ident!("{name}_slot", span = Span::mixed_site())
}

/// What a call gives that may be no value.
pub(super) fn attempt(name: &Ident) -> Ident {
    format_ident!("{name}_attempt", span = Span::mixed_site())
}

/// The handle of parameter `index`.
pub(super) fn handle(index: usize) -> Ident {
    local(&format!("h{index}"))
}

/// The type of the handle of parameter `index`.
pub(super) fn handle_type(index: usize) -> Ident {
    format_ident!("__H{index}")
}

impl Root {
    /// `let mut name`, with the type if the user wrote one.
    pub(super) fn declared(&self) -> TokenStream {
        let name = &self.name;
        let ty = self.ty.as_ref().map(|ty| code!(: #ty));
        code!(let mut #name #ty)
    }
}

impl Program {
    /// The way to a place in the shadow of its base: `entry_mut(i)`, `|m| &mut (*m).x`.
    pub(super) fn place_mut(&self, place: &Place) -> TokenStream {
        let suffix = self.suffix_in_window(place);
        let is_sequence = self.is_in_window(place.base) || self.sequences.contains(&place.base);
        match only_index(&suffix).filter(|_| is_sequence) {
            Some(index) => code!(::coenzyme::__private::entry_mut(#index)),
            None => code!(|m| &mut (*m)#suffix),
        }
    }

    /// As [`place_mut`](Self::place_mut), to be read.
    pub(super) fn place_ref(&self, place: &Place) -> TokenStream {
        let suffix = &place.suffix;
        match only_index(suffix).filter(|_| self.sequences.contains(&place.base)) {
            Some(index) => code!(::coenzyme::__private::entry(#index)),
            None => code!(|m| &(*m)#suffix),
        }
    }

    /// The shadow of a base in one lane: an `Option` of a reference, by `as_deref` or `as_deref_mut` for a parameter.
    pub(super) fn shadow_lane(&self, base: Base, exclusive: bool) -> TokenStream {
        match base {
            Base::Root(r) if matches!(self.roots[r].kind, RootKind::Param { .. }) => {
                let name = shadow(&self.roots[r].name);
                match exclusive {
                    true => code!(#name[l].as_deref_mut()),
                    false => code!(#name[l].as_deref()),
                }
            }
            base => {
                let name = self.shadow_name(base);
                match exclusive {
                    true => code!(::core::option::Option::Some(&mut #name[l])),
                    false => code!(::core::option::Option::Some(&#name[l])),
                }
            }
        }
    }

    /// What happens to the memory `m` of a place in each of its shadows, if it may have any; `change` is given the way into it.
    pub(super) fn in_shadows(
        &self,
        place: &Place,
        change: impl FnOnce(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        if !self.base_varied(place.base) {
            return TokenStream::new();
        }
        let lane = self.shadow_lane(place.base, true);
        let change = change(&place.suffix);
        super::primal::lanes(code!(if let ::core::option::Option::Some(m) = #lane { #change }))
    }

    /// The shadows of a base in all lanes, to be changed.
    pub(super) fn shadows_mut(&self, base: Base) -> TokenStream {
        if let Some(parts) = self.window_shadows(base) {
            return code!(&mut #parts);
        }
        let d = self.shadow_name(base);
        match self.is_param(base) {
            true => code!(&mut #d),
            false => code!(::coenzyme::__private::Own(&mut #d)),
        }
    }

    /// The shadows of a base in all lanes, to be read.
    pub(super) fn shadows(&self, base: Base) -> TokenStream {
        let d = self.shadow_name(base);
        match self.is_param(base) {
            true => code!(&#d),
            false => code!(::coenzyme::__private::Own(&#d)),
        }
    }

    /// The shadow of a base.
    pub(super) fn shadow_name(&self, base: Base) -> Ident {
        match base {
            Base::Root(r) => shadow(&self.roots[r].name),
            Base::Def(d) => shadow(&self.defs[d].name),
        }
    }

    /// A parameter's memory lent for a call: `&*x`, `&mut *y`.
    pub(super) fn lend_root(&self, root: RootId) -> TokenStream {
        let Root { name, kind, .. } = &self.roots[root];
        match kind {
            RootKind::Param {
                passing: Passing::Exclusive,
                ..
            } => code!(&mut *#name),
            _ => code!(&*#name),
        }
    }

    pub(super) fn is_param(&self, base: Base) -> bool {
        matches!(base, Base::Root(r) if matches!(self.roots[r].kind, RootKind::Param { .. }))
    }

    /// The shadows of two memories change places, in both modes; what has none is zero.
    pub(super) fn exchange_shadows(&self, a: Base, b: Base) -> TokenStream {
        if !self.base_varied(a) && !self.base_varied(b) {
            return TokenStream::new();
        }
        let lane = |base| match self.base_varied(base) {
            true => self.shadow_lane(base, true),
            false => code!(::core::option::Option::None),
        };
        let (a, b) = (lane(a), lane(b));
        super::primal::lanes(code!(::coenzyme::__private::exchange(#a, #b);))
    }

    pub(super) fn base_varied(&self, base: Base) -> bool {
        match base {
            Base::Def(d) => self.defs[d].varied,
            Base::Root(r) => self.roots[r].varied,
        }
    }

    pub(super) fn atom_varied(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Def(d) => self.defs[*d].varied,
            Atom::Root(r) => self.roots[*r].varied,
            Atom::Const(_) => false,
        }
    }

    pub(super) fn atom_value(&self, atom: &Atom) -> TokenStream {
        match atom {
            Atom::Def(d) => {
                let name = &self.defs[*d].name;
                code!(#name)
            }
            Atom::Root(r) => {
                let name = &self.roots[*r].name;
                code!(#name)
            }
            Atom::Const(expr) => expr.tokens.clone(),
        }
    }

    /// As [`atom_value`](Self::atom_value), where the value goes elsewhere: memory, and what a call returned, may be read
    /// again.
    pub(super) fn owned_value(&self, atom: &Atom) -> TokenStream {
        let value = self.atom_value(atom);
        let may_be_memory = match atom {
            Atom::Root(_) => true,
            Atom::Def(d) => self.moves.structs.contains(d) || self.is_exchanged(*d),
            Atom::Const(_) => false,
        };
        match may_be_memory {
            true => code!(::coenzyme::__private::copy(&#value)),
            false => value,
        }
    }

    /// The shadow lanes of an operand, if it is varied.
    pub(super) fn atom_shadow(&self, atom: &Atom) -> Option<Ident> {
        match atom {
            Atom::Def(d) => self.defs[*d].varied.then(|| shadow(&self.defs[*d].name)),
            Atom::Root(r) => self.roots[*r].varied.then(|| shadow(&self.roots[*r].name)),
            Atom::Const(_) => None,
        }
    }

    /// The place in the primal.
    pub(super) fn place_value(&self, place: &Place) -> TokenStream {
        if let Some(part) = self.in_window(place, false) {
            return part;
        }
        let (base, suffix) = (self.base_tokens(place.base), &place.suffix);
        code!(#base #suffix)
    }
}

impl Function {
    /// Whether a root is a parameter that was declared `#[constant]`.
    pub(super) fn is_constant(&self, root: &Root) -> bool {
        matches!(root.kind, RootKind::Param { index, .. } if self.params[index].constant)
    }
}
