//! Views that are passed to functions: of a whole array the array itself, of a part that is changed a copy that is assigned back.

use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

use super::views::Part;
use crate::differentiable::ir::*;
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::{Binding, Lower};

/// A part that a call got as a copy.
pub(crate) struct LentPart {
    part: Part,
    copy: RootId,
}

impl Lower<'_> {
    /// The arguments with copies in place of parts of arrays that the call may change.
    pub(crate) fn parts_lent(
        &mut self,
        args: &Punctuated<Expr, Token![,]>,
    ) -> (Vec<Expr>, Vec<LentPart>) {
        let mut lent = Vec::new();
        let args = args.iter().map(|arg| {
            let shared = matches!(arg, Expr::Reference(r) if r.mutability.is_none());
            let part = (!shared).then(|| self.part_of(arg)).flatten();
            let Some(part) = part.filter(|p| p.exclusive && self.place_varied(p.whole())) else {
                return arg.clone();
            };
            let value = self.part_value(&part);
            let name = self.fresh("part");
            let copy = self.memory(&name, true, Init::Value(value));
            let name = quote::format_ident!("__part{copy}");
            self.bind(&name.to_string(), Binding::Root(copy));
            lent.push(LentPart { part, copy });
            syn::parse_quote!(&mut #name)
        });
        (args.collect(), lent)
    }

    /// After the call: what it did to the copies.
    pub(crate) fn take_back(&mut self, lent: Vec<LentPart>) {
        for LentPart { part, copy } in lent {
            let second = quote!(::coenzyme::ops::array::Second);
            let copy = Arg::Shared(place::whole(Base::Root(copy)));
            self.change_part(&part, &second, copy);
        }
    }

    /// `a.view()`, `a.view_mut()` of a whole array.
    pub(crate) fn view_argument(&mut self, arg: &Expr) -> Option<Arg> {
        let Expr::MethodCall(call) = arg else {
            return None;
        };
        let exclusive = match call.method.to_string().as_str() {
            "view" => false,
            "view_mut" => true,
            _ => return None,
        };
        if !self.is_array(&call.receiver) || self.part_of(&call.receiver).is_some() {
            return None;
        }
        let place = self.place(&call.receiver)?;
        match (exclusive, self.place_varied(&place)) {
            (true, _) => Some(Arg::Exclusive(place)),
            (false, true) => Some(Arg::Shared(self.settled(place))),
            (false, false) => None,
        }
    }
}
