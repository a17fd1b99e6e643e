//! `concatenate![Axis(0), a, b]` and `stack![…]`: an array of zeros, into whose parts the others are assigned.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprCall};

use super::views::Part;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::Lower;
use crate::differentiable::lower::memory::place;
use crate::differentiable::methods::paths;

/// The arrays that `concatenate(axis, &[a, b])` and `stack` join.
pub(crate) fn parts(call: &ExprCall) -> Option<Vec<Expr>> {
    let list = match call.args.get(1)? {
        Expr::Reference(reference) => &*reference.expr,
        list => list,
    };
    match list {
        Expr::Array(list) => Some(list.elems.iter().cloned().collect()),
        _ => None,
    }
}

/// Whether a macro stacks or concatenates, the axis, and the arrays.
pub(crate) fn parts_of_macro(mac: &syn::Macro) -> Option<(bool, Expr, Vec<Expr>)> {
    let stacks = match paths::macro_name(&mac.path)?.as_str() {
        "concatenate" => false,
        "stack" => true,
        _ => return None,
    };
    let list = syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated;
    let mut list = mac.parse_body_with(list).ok()?.into_iter();
    Some((stacks, list.next()?, list.collect()))
}

impl Lower<'_> {
    /// `concatenate(axis, &[a, b]).unwrap()`
    pub(crate) fn joined_by_call(&mut self, call: &ExprCall) -> Option<Atom> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let stacks = match path.path.segments.last()?.ident.to_string().as_str() {
            "concatenate" => false,
            "stack" => true,
            _ => return None,
        };
        self.joined(stacks, call.args.first()?, &parts(call)?)
    }

    pub(crate) fn joined(&mut self, stacks: bool, axis: &Expr, parts: &[Expr]) -> Option<Atom> {
        parts.first()?;
        let is = self.kind_of_joined(stacks, parts);
        let axis = self.index(axis);
        let places: Vec<Place> = parts
            .iter()
            .map(|part| match self.operand_argument(part) {
                Arg::Shared(place) => place,
                Arg::Const(expr) => place::whole(Base::Def(self.def(DefKind::Pure(expr), false))),
                _ => unreachable!("an operand is read"),
            })
            .collect();
        // room for all
        let mut uses = axis.uses.clone();
        let arrays: Vec<TokenStream> = places.iter().map(|p| self.place_tokens(p)).collect();
        places.iter().for_each(|p| uses.extend(&self.place_uses(p)));
        let (along, first) = (&axis.tokens, &arrays[0]);
        let room = match stacks {
            true => quote!(room_to_stack),
            false => quote!(room_to_concatenate),
        };
        let tokens =
            quote!(::coenzyme::ops::array::#room(#along, &#first, &[#((#arrays).shape()),*]));
        let name = self.fresh("joined");
        let init = Init::Inactive {
            expr: ir::Expr { tokens, uses },
            again: false,
        };
        let root = self.memory(&name, true, init);
        self.arrays.insert(Base::Root(root), is);
        let whole = place::whole(Base::Root(root));
        let shape = self.shape_of(&whole);
        let mut before = quote!(0);
        let mut before_uses = axis.uses.clone();
        for (i, (place, array)) in places.iter().zip(&arrays).enumerate() {
            let selection = match stacks {
                true => quote!(::coenzyme::ops::array::At(#along, #i)),
                false => {
                    let from = before.clone();
                    before.extend(quote!(+ (#array).len_of(#along)));
                    before_uses.extend(&self.place_uses(place));
                    quote!(::coenzyme::ops::array::Within(#along, #from, #before))
                }
            };
            let selection = ir::Expr {
                tokens: selection,
                uses: before_uses.clone(),
            };
            let part = Part {
                whole: whole.clone(),
                selection,
                shapes: (shape, shape),
                rank: None,
                exclusive: true,
            };
            let second = quote!(::coenzyme::ops::array::Second);
            self.change_part(&part, &second, Arg::Shared(place.clone()));
        }
        Some(Atom::Root(root))
    }
}
