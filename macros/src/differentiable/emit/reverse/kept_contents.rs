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
        let own: Vec<bool> = params
            .clone()
            .map(|param| self.reads_param_later(param))
            .collect();
        let lent = params
            .filter(|param| !own[*param])
            .map(|param| (param, self.asks_callees(param)));
        let lent: Vec<_> = lent.filter(|(_, calls)| !calls.is_empty()).collect();
        let inside = (!lent.is_empty()).then(|| {
            let lent = lent
                .iter()
                .map(|(param, calls)| code!(#param => #(#calls)||*,));
            code! {
                use ::coenzyme::__private::{MayReadLater as _, ReadsLater as _};
                if let ::core::option::Option::Some(levels) = levels.checked_sub(1) {
                    let inside = match argument { #(#lent)* _ => false };
                    if inside { return ::core::option::Option::Some(true); }
                }
            }
        });
        let lengths = (self.program.changes_lengths).then(|| {
            code!(
                fn changes_lengths(&self) -> bool {
                    true
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
                    #inside
                    <[bool]>::get(&[#(#own),*], argument).copied()
                }
            }
        }
    }

    /// Whether the second half reads a parameter itself.
    fn reads_param_later(&self, param: usize) -> bool {
        let mut roots = 0..self.program.roots.len();
        roots.any(|root| self.program.param_of(root) == Some(param) && self.saves(root))
    }

    /// For each call that a parameter is lent to: whether its second half reads it.
    fn asks_callees(&self, param: usize) -> Vec<TokenStream> {
        let mut asked = Vec::new();
        self.each_lent(&mut |call, index, _, root| {
            let Callee::Path(path) = &call.callee else {
                return;
            };
            if self.program.param_of(root) == Some(param) && !self.function.names_generics_in(path)
            {
                let callee = self.program.marker_named(path);
                asked.push(
                    code!((&#callee).reads_later(#index, levels) == ::core::option::Option::Some(true)),
                );
            }
        });
        asked
    }
}
