//! Scratch memory that the caller handed in: rounds that run again have their own. Where a round does not fill all of it, which is
//! known when the lengths are, each round leaves what it began with.
//!
//! ```text
//! // for p in &x { for (t, a) in te.iter_mut().zip(alphas) { *t = …; } total += logsumexp(te); }
//! let filled1 = te.len() <= min(te.len(), alphas.len());
//! if !(__LATER && filled1) {
//!     let mut te_rounds = Vec::new();
//!     for … { if !filled1 { te_rounds.push(te.to_vec()); } … }
//!     if !filled1 { te_rounds_slot.push(tape, te_rounds); }
//! }
//! // backwards
//! let mut te_scratch = te.to_vec();
//! for … .rev() { let te = &mut te_scratch[..]; …; if __LATER && filled1 { te_last.get_or_insert_with(|| te_scratch.clone()); } }
//! if let Some(last) = te_last { te.clone_from_slice(&last); }
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;

use super::{Pass, Reverse};
use crate::differentiable::emit::names::local;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// The scratch memory of a loop's rounds that the caller handed in.
    fn lent_to(&self, body: &Block) -> Vec<RootId> {
        let again = self.plan.recomputed.get(&body.id);
        again.map_or(Vec::new(), |round| round.lent.clone())
    }

    /// That of it which a round that runs again has for itself: what it only writes it leaves alone.
    pub(crate) fn own_scratch(&self, body: &Block) -> Vec<RootId> {
        let mut lent = self.lent_to(body);
        if let Some(round) = self.plan.recomputed.get(&body.id) {
            lent.retain(|root| !round.unread.contains(root));
        }
        lent
    }

    /// Whether a round that runs again need not do this: nothing reads what it writes.
    pub(crate) fn writes_in_vain(&self, item: &Item) -> bool {
        let Item::Assign { place, .. } = item else {
            return false;
        };
        let again = self.pass.get() == Pass::Again;
        again && matches!(place.base, Base::Root(root) if self.unread.borrow().contains(&root))
    }

    /// What stands at the beginning of a round of the forward sweep, if there is any such memory.
    pub(crate) fn lent_round_forwards(&self, body: &Block) -> Option<TokenStream> {
        let (lent, filled) = (self.lent_to(body), filled(body));
        let binds = lent.iter().map(|root| self.bind_root(*root));
        let own = self.own_scratch(body);
        let keeps = own.iter().map(|root| {
            let name = &self.program.roots[*root].name;
            let rounds = with(name, "rounds");
            code!(#rounds.push(::std::borrow::ToOwned::to_owned(&*#name));)
        });
        (!lent.is_empty()).then(|| code!(#(#binds)* if !#filled { #(#keeps)* }))
    }

    /// The loop of the forward sweep. If it runs although the reverse sweep adds up the value, then for what its rounds begin with.
    pub(crate) fn lent_forwards(&self, body: &Block, whole: &TokenStream) -> TokenStream {
        let p = self.program;
        let filled = filled(body);
        let condition = self.plan.recomputed[&body.id].filled.tokens.clone();
        let (mut news, mut pushes) = (Vec::new(), Vec::new());
        for root in self.own_scratch(body) {
            let rounds = with(&p.roots[root].name, "rounds");
            let slot = self.slot_of(&rounds);
            news.push(code!(let mut #rounds = ::std::vec::Vec::new();));
            pushes.push(code!(#slot.push(tape, #rounds);));
        }
        let run = match self.plan.deferred.filter(|_| self.plan.is_later(body)) {
            None => code!(#(#news)* #whole if !#filled { #(#pushes)* }),
            Some(total) => {
                let total = &p.roots[total].name;
                let before = with(total, "before");
                code! {
                    if !(__LATER && #filled) {
                        let #before = ::coenzyme::__private::copy(&#total);
                        #(#news)*
                        #whole
                        if !#filled { #(#pushes)* }
                        if __LATER { #total = #before; }
                    }
                }
            }
        };
        code!(let #filled = #condition; #run)
    }

    /// The loop of the reverse sweep.
    pub(crate) fn lent_backwards(&self, body: &Block, whole: TokenStream) -> TokenStream {
        let p = self.program;
        let (lent, filled) = (self.lent_to(body), filled(body));
        if lent.is_empty() || whole.is_empty() {
            return whole;
        }
        let condition = self.plan.recomputed[&body.id].filled.clone();
        self.require_uses(&condition.uses);
        let condition = condition.tokens;
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for root in self.own_scratch(body).into_iter().rev() {
            let (name, bind) = (&p.roots[root].name, self.bind_root(root));
            let (rounds, scratch) = (with(name, "rounds"), with(name, "scratch"));
            let (slot, last) = (self.slot_of(&rounds), with(name, "last"));
            before.push(code! {
                #bind
                let mut #scratch = ::std::borrow::ToOwned::to_owned(&*#name);
                let mut #rounds = match #filled {
                    true => ::std::vec::Vec::new(),
                    false => #slot.pop(tape),
                }.into_iter();
                let mut #last = ::core::option::Option::None;
                // its type
                if false { #last = ::core::option::Option::Some(::coenzyme::__private::copy(&#scratch)); }
            });
            after.push(code! {
                #bind
                if let ::core::option::Option::Some(last) = #last { #name.clone_from_slice(&last); }
            });
        }
        code!(let #filled = #condition; #(#before)* #whole #(#after)*)
    }

    /// At the end of a round: what the last of them leaves, which is undone first, is what the caller finds if the forward sweep did not run
    /// the loop.
    pub(crate) fn keep_last(&self, body: &Block, lent: &[RootId]) -> TokenStream {
        if lent.is_empty() || !self.plan.is_later(body) {
            return TokenStream::new();
        }
        let filled = filled(body);
        let keeps = lent.iter().map(|root| {
            let name = &self.program.roots[*root].name;
            let (last, scratch) = (with(name, "last"), with(name, "scratch"));
            code!(#last.get_or_insert_with(|| ::coenzyme::__private::copy(&#scratch));)
        });
        code!(if __LATER && #filled { #(#keeps)* })
    }

    /// Whether rounds have scratch memory that the caller handed in.
    pub(crate) fn has_lent(&self, body: &Block) -> bool {
        !self.lent_to(body).is_empty()
    }

    /// Names the scratch memory of a round that runs again.
    pub(crate) fn bind_scratch(&self, lent: &[RootId]) -> TokenStream {
        let binds = lent.iter().map(|root| {
            let name = &self.program.roots[*root].name;
            let scratch = with(name, "scratch");
            code!(let #name = &mut #scratch[..];)
        });
        binds.collect()
    }

    /// What such a round begins with, if the round before did not fill it.
    pub(crate) fn restore_scratch(&self, lent: &[RootId]) -> TokenStream {
        let restores = lent.iter().map(|root| {
            let name = &self.program.roots[*root].name;
            let (rounds, scratch) = (with(name, "rounds"), with(name, "scratch"));
            code!(if let ::core::option::Option::Some(kept) = #rounds.next_back() { #scratch = kept; })
        });
        restores.collect()
    }
}

/// Whether every round of a loop fills its scratch memory.
fn filled(body: &Block) -> Ident {
    local(&format!("filled{}", body.id))
}

fn with(name: &Ident, what: &str) -> Ident {
    format_ident!("{name}_{what}", span = proc_macro2::Span::mixed_site())
}
