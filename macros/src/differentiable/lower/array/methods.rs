//! Methods of arrays that are short for others.

use syn::{Expr, ExprMethodCall};

use super::kind::Is;
use crate::differentiable::ir::*;
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::{Binding, Lower};

impl Lower<'_> {
    /// `a.var(1.0)`, `a.fold_axis(axis, start, f)` and others, by what they are short for.
    pub(crate) fn short_method(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        if !self.receiver_kind(call).is_surely() {
            return None;
        }
        let name = call.method.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        let scalar = self.scalar.clone();
        let long: Expr = match (name.as_str(), &args[..]) {
            ("product", []) => syn::parse_quote!(__array.iter().product::<#scalar>()),
            ("fold", [start, f]) => syn::parse_quote!(__array.iter().fold(#start, #f)),
            ("var", [freedom]) => syn::parse_quote!({
                let __n = __array.len() as f64;
                let __mean = __array.sum() / <#scalar as ::coenzyme::Real>::lit(__n);
                let __from_mean = &__array - __mean;
                (&__from_mean * &__from_mean).sum()
                    / (<#scalar as ::coenzyme::Real>::lit(__n) - #freedom)
            }),
            ("std", [freedom]) => syn::parse_quote!(__array.var(#freedom).sqrt()),
            ("var_axis", [axis, freedom]) => {
                syn::parse_quote!(__array.map_axis(#axis, |__lane| __lane.var(#freedom)))
            }
            ("std_axis", [axis, freedom]) => {
                syn::parse_quote!(__array.map_axis(#axis, |__lane| __lane.std(#freedom)))
            }
            ("fold_axis", [axis, start, f]) => {
                syn::parse_quote!(__array.map_axis(#axis, |__lane| __lane.iter().fold(#start, #f)))
            }
            ("map_axis", [axis, f]) => return self.map_axis(&call.receiver, axis, f),
            _ => return None,
        };
        self.of_named(&call.receiver, |this| this.value(&long))
            .into()
    }

    /// One number for each lane.
    fn map_axis(&mut self, array: &Expr, axis: &Expr, f: &Expr) -> Option<Atom> {
        self.of_named(array, |this| {
            let values = syn::parse_quote!(
                ::coenzyme::ndarray::Array1::from_vec(
                    __array.lanes(#axis).into_iter().map(#f).collect::<Vec<_>>()
                )
            );
            this.array_made(&values)
        })
    }

    /// Runs `inside`, where an array has the name `__array`.
    pub(crate) fn of_named<R>(&mut self, array: &Expr, inside: impl FnOnce(&mut Self) -> R) -> R {
        let rank = self.kind(array).rank();
        let binding = match self.part_of(array) {
            Some(part) => Binding::Part(part),
            None => {
                let place = match self.place(array) {
                    Some(place) => self.settled(place),
                    None => {
                        let value = self.value(array);
                        place::whole(self.atom_base(value))
                    }
                };
                self.note_place(&place, Is::Surely(rank));
                Binding::Alias {
                    place,
                    exclusive: false,
                }
            }
        };
        self.scopes.push(Default::default());
        self.bind("__array", binding);
        let result = inside(self);
        self.scopes.pop();
        result
    }
}
