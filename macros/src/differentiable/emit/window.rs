//! Bounds checked in front of a loop instead of in every round: where all that a loop does with some memory is to index it by its
//! variable plus what does not change, the loop gets the part of the memory that it runs over.
//!
//! ```text
//! // for r in a..b { y[r] += l[c + r]; }
//! let run1 = a..b;
//! let rounds_of1 = rounds(&run1);
//! let (y_part1_first, l_part1_first) = (first(&run1, |r| r), first(&run1, |r| c + r));
//! let y_part1 = window_mut(&mut (*y)[..], y_part1_first, rounds_of1);
//! let l_part1 = window(&(*l)[..], l_part1_first, rounds_of1);
//! for round1 in 0..rounds_of1 { let r = run1.start + round1; y_part1[round1] += l_part1[round1]; }
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::names::local;
use crate::differentiable::ir::*;

impl Window {
    /// The place inside the part.
    fn entry(&self, place: &Place) -> TokenStream {
        let round = &self.round;
        let rest = place.suffix.clone().into_iter();
        let rest: TokenStream = rest
            .skip(self.prefix.clone().into_iter().count() + 1)
            .collect();
        code!([#round] #rest)
    }

    fn first(&self) -> Ident {
        format_ident!("{}_first", self.name, span = self.name.span())
    }

    fn shadow(&self) -> Ident {
        format_ident!("{}_d", self.name, span = self.name.span())
    }
}

impl Program {
    /// Opens the windows of a loop; `types` are those of the parameters. Returns how many were open before.
    pub(super) fn open_windows(
        &self,
        types: &[&syn::Type],
        range: &Range,
        variable: DefId,
        body: &Block,
    ) -> usize {
        let before = self.windows.borrow().len();
        for (root, prefix, index) in self.parts(types, range, variable, body) {
            let name = &self.roots[root].name;
            let name = format_ident!(
                "{name}_part{}",
                body.id,
                span = proc_macro2::Span::mixed_site()
            );
            self.windows.borrow_mut().push(Window {
                root,
                prefix,
                index,
                round: round_of(body),
                variable: self.defs[variable].name.clone(),
                name,
                read: false,
                written: false,
                shadowed: false,
            });
        }
        before
    }

    /// Closes the windows but the first `before`. If the loop uses any, this is the loop with the statements in front of it;
    /// `rises`: its variable does.
    pub(super) fn windowed_loop(
        &self,
        before: usize,
        range: &Range,
        rises: bool,
        body: &Block,
        inside: &TokenStream,
    ) -> Option<TokenStream> {
        let windows = self.windows.borrow_mut().split_off(before);
        let variable = windows.first()?.variable.clone();
        if windows.iter().all(|w| !w.read && !w.written && !w.shadowed) {
            return None;
        }
        let (run, round) = (self.atom_value(&range.range), round_of(body));
        let rounds = local(&format!("rounds_of{}", body.id));
        let all = local(&format!("run{}", body.id));
        let rev = (!rises).then(|| code!(.rev()));
        let firsts = windows
            .iter()
            .filter(|w| w.read || w.written || w.shadowed)
            .map(|window| {
                let (first, index, v) = (window.first(), &window.index, &window.variable);
                code!(let #first = ::coenzyme::__private::first(&#all, |#v| #index);)
            });
        let statements = windows.iter().map(|window| {
            let (name, first, prefix) = (&window.name, window.first(), &window.prefix);
            let base = self.base_tokens(Base::Root(window.root));
            let primal = match (window.read, window.written) {
                (_, true) => Some(code!(let #name = ::coenzyme::__private::window_mut(&mut #base #prefix [..], #first, #rounds);)),
                (true, false) => Some(code!(let #name = ::coenzyme::__private::window(&#base #prefix [..], #first, #rounds);)),
                _ => None,
            };
            let shadow = window.shadowed.then(|| {
                let shadows = self.shadow_name(Base::Root(window.root));
                let name = window.shadow();
                let of = match self.roots[window.root].kind {
                    RootKind::Param { .. } => quote!(shadow_windows),
                    _ => quote!(own_shadow_windows),
                };
                code!(let mut #name = ::coenzyme::__private::#of(&mut #shadows, |m| &mut (*m) #prefix [..], #first, #rounds);)
            });
            code!(#primal #shadow)
        });
        Some(code! {
            let #all = #run;
            let #rounds = ::coenzyme::__private::rounds(&#all);
            #(#firsts)*
            #(#statements)*
            for #round in (0..#rounds)#rev {
                let #variable = #all.start + #round;
                #inside
            }
        })
    }

    /// A place inside an open window, in the primal.
    pub(super) fn in_window(&self, place: &Place, written: bool) -> Option<TokenStream> {
        self.window(place.base, |window| {
            match written {
                true => window.written = true,
                false => window.read = true,
            }
            let (name, entry) = (&window.name, window.entry(place));
            code!(#name #entry)
        })
    }

    /// A place inside an open window, in the shadow of the part.
    pub(super) fn suffix_in_window(&self, place: &Place) -> TokenStream {
        self.window(place.base, |window| window.entry(place))
            .unwrap_or_else(|| place.suffix.clone())
    }

    /// The shadows of an open window.
    pub(super) fn window_shadows(&self, base: Base) -> Option<Ident> {
        self.window(base, |window| {
            window.shadowed = true;
            window.shadow()
        })
    }

    fn window<T>(&self, base: Base, found: impl FnOnce(&mut Window) -> T) -> Option<T> {
        let mut windows = self.windows.borrow_mut();
        let window = windows.iter_mut().find(|w| Base::Root(w.root) == base)?;
        Some(found(window))
    }
}

/// The number of a round.
fn round_of(body: &Block) -> Ident {
    local(&format!("round{}", body.id))
}
