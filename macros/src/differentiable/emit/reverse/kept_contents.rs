//! Memory of the function that the second half of a call reads, and that changes in between: the function keeps it on its tape, and
//! has it back before the second half. A generated callee would copy it, and allocate for each copy whose length is not known.
//!
//! ```text
//! let keeps0 = is_kept(&at, (&callee).reads_later(0, LEVELS));
//! let value = call_augmented(&callee, &config.with_overwritten(0, !keeps0), tape, (&mut a0, …));
//! if keeps0 { keep_contents(tape, &at); }
//! // backwards
//! if keeps0 { restore_contents(tape, &mut at); }
//! call_reverse(&callee, &config.with_overwritten(0, !keeps0), …);
//! ```

use proc_macro2::{Ident, TokenStream};
use syn::Type;

use super::function::borrows;
use super::{Pass, Reverse};
use crate::differentiable::emit::names::local;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// The memory that argument `index` of a call lends as a whole, if the function may keep it.
    fn keepable(&self, call: &Call, index: usize) -> Option<RootId> {
        let (Arg::Shared(place) | Arg::Exclusive(place)) = &call.args[index] else {
            return None;
        };
        let Base::Root(root) = place.base else {
            return None;
        };
        let p = self.program;
        let own = p.roots[root].kind == RootKind::Memory && p.roots[root].varied;
        let still = self.plan.lends_still.contains(&(call.point.order, root));
        let changes = || !still && p.changed_after(root, &call.point, self.plan.outside(p, root));
        let known = matches!(call.callee, Callee::Path(_) | Callee::Method { .. });
        (own && known && place.suffix.is_empty() && changes()).then_some(root)
    }

    /// Whether the function keeps what argument `index` of a call lends, if it may.
    pub(super) fn keeps(&self, call: &Call, index: usize) -> Option<Ident> {
        let may = self.pass.get() != Pass::Value && self.keepable(call, index).is_some();
        may.then(|| local(&format!("keeps{index}")))
    }

    /// Finds out what the function keeps for a call; puts it on the tape; has it back.
    pub(super) fn kept_contents(&self, call: &Call) -> [TokenStream; 3] {
        let mut all = [(); 3].map(|()| TokenStream::new());
        let [ask, keep, restore] = &mut all;
        for index in 0..call.args.len() {
            let (Some(keeps), Some(root)) = (self.keeps(call, index), self.keepable(call, index))
            else {
                continue;
            };
            let name = &self.program.roots[root].name;
            ask.extend(code! {
                let #keeps = {
                    use ::coenzyme::__private::{MayReadLater as _, ReadsLater as _};
                    let later = (&callee).reads_later(#index, ::coenzyme::__private::LEVELS);
                    ::coenzyme::__private::is_kept(&#name, later)
                };
            });
            keep.extend(code!(if #keeps { ::coenzyme::__private::keep_contents(tape, &#name); }));
            *restore = code! {
                if #keeps { ::coenzyme::__private::restore_contents(tape, &mut #name); }
                #restore
            };
        }
        all
    }

    /// `impl ReadsLater for f`, once the reverse sweep is known.
    pub(super) fn reads_later(&self) -> TokenStream {
        let name = &self.function.name;
        let params = 0..self.function.params.len();
        let answers = params
            .clone()
            .map(|param| match self.reads_param_later(param) {
                true => code!(::core::option::Option::Some(true)),
                false => self.callees_answer(param),
            });
        let lengths = self.changes_lengths().map(|changes| {
            code!(
                fn changes_lengths(&self) -> bool {
                    #changes
                }
            )
        });
        let tapeless = self.is_tapeless();
        code! {
            #[doc(hidden)]
            #[allow(unused, clippy::all)]
            impl ::coenzyme::__private::ReadsLater for #name {
                #lengths #tapeless
                #[inline]
                fn reads_later(&self, argument: usize, levels: u32) -> ::core::option::Option<bool> {
                    use ::coenzyme::__private::{MayReadLater as _, ReadsLater as _};
                    match argument {
                        #(#params => #answers,)*
                        _ => ::core::option::Option::None,
                    }
                }
            }
        }
    }

    /// Whether a vector that it is lent may have another length afterwards: not one in a parameter whose values have one shape.
    fn changes_lengths(&self) -> Option<TokenStream> {
        let changed = self.program.changes_lengths.iter();
        let is_active = |param| {
            let mut roots = self.program.roots.iter();
            roots.any(|root| {
                root.varied && matches!(root.kind, RootKind::Param { index, .. } if index == param)
            })
        };
        let may_change = changed.map(|param| match &self.function.params[*param].ty {
            // what is generic has no type beside the marker, and what has no derivative no shapes
            ty if !is_active(*param)
                || matches!(ty, Type::Slice(_))
                || self.function.names_generics(ty)
                || borrows(ty) =>
            {
                code!(true)
            }
            ty => code!(::coenzyme::__private::has_shapes::<#ty>()),
        });
        let may_change: Vec<_> = may_change.collect();
        (!may_change.is_empty()).then(|| code!(#(#may_change)||*))
    }

    /// Whether the second half reads a parameter itself.
    fn reads_param_later(&self, param: usize) -> bool {
        let mut roots = 0..self.program.roots.len();
        roots.any(|root| self.program.param_of(root) == Some(param) && self.saves(root))
            || self.lent_value().is_some_and(|(index, ..)| index == param)
    }

    /// What the functions say that a parameter is lent to: nothing is known where one of them is not, or lies too deep.
    fn callees_answer(&self, param: usize) -> TokenStream {
        let (mut asked, mut known) = (Vec::new(), true);
        self.each_lent(&mut |call, index, arg, root| {
            if self.program.param_of(root) != Some(param) {
                return;
            }
            let lent = matches!(arg, Arg::Whole { .. } | Arg::Shared(_));
            let own = !matches!(call.args[index], Arg::Closure { .. });
            match &call.callee {
                Callee::Path(path) if lent && own && !self.function.names_generics_in(path) => {
                    let callee = self.program.marker_told(path);
                    asked.push(code!((&#callee).reads_later(#index, levels)));
                }
                _ => known = false,
            }
        });
        let rest = match known {
            true => code!(::core::option::Option::Some(false)),
            false => code!(::core::option::Option::None),
        };
        if asked.is_empty() {
            return rest;
        }
        code!({
            match levels.checked_sub(1) {
                ::core::option::Option::None => ::core::option::Option::None,
                ::core::option::Option::Some(levels) => {
                    ::coenzyme::__private::any_reads(&[#(#asked),*], #rest)
                }
            }
        })
    }
}
