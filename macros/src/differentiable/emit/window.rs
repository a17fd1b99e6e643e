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

use super::blocks::Blocks;
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

    /// The shadows of the part, which are asked for.
    pub(super) fn shadows(&mut self) -> Ident {
        self.shadowed = true;
        self.shadow()
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
                round: round_of(body.id),
                name,
                read: false,
                written: false,
                shadowed: false,
            });
        }
        before
    }

    /// A loop, which closes its windows.
    pub(super) fn loop_over(
        &self,
        rounds: &Rounds<'_>,
        around: &Around,
        inside: &TokenStream,
    ) -> TokenStream {
        let mut windows = self.windows.borrow_mut().split_off(rounds.windows);
        windows.retain(|w| w.read || w.written || w.shadowed);
        let Around { before, after } = around;
        let (variable, order) = (&self.defs[rounds.variable].name, &rounds.order);
        let (round, count) = (round_of(rounds.body.id), rounds_of(rounds.body.id));
        if windows.is_empty() {
            let run = self.range(rounds.range);
            return match (before.is_empty(), rounds.rises) {
                (true, _) => code!(for #variable in #order { #inside }),
                (false, true) => code! {
                    let #count = ::coenzyme::__private::rounds(&#run);
                    #before
                    let mut #round = 0_usize;
                    for #variable in #order { #inside #round += 1; }
                    #after
                },
                (false, false) => code! {
                    let #count = ::coenzyme::__private::rounds(&#run);
                    #before
                    let mut #round = #count;
                    for #variable in #order { #round -= 1; #inside }
                    #after
                },
            };
        }
        let run = self.atom_value(&rounds.range.range);
        let all = local(&format!("run{}", rounds.body.id));
        let rev = (!rounds.rises).then(|| code!(.rev()));
        let firsts = windows.iter().map(|window| {
            let (first, index) = (window.first(), &window.index);
            match syn::parse2::<Ident>(index.clone()).is_ok_and(|name| name == *variable) {
                true => code!(let #first = ::coenzyme::__private::start(&#all);),
                false => {
                    code!(let #first = ::coenzyme::__private::first(&#all, |#variable| #index);)
                }
            }
        });
        let statements = windows.iter().map(|window| self.window_of(window, &count));
        let in_blocks = rounds.blocks.as_ref().map(|blocks| {
            let variable = |at| code!(let #variable = #all.start + #at;);
            blocks.rounds(&windows, (&round, &count), &variable, inside)
        });
        let asked = rounds.blocks.as_ref().map(Blocks::asked);
        let inside = in_blocks.unwrap_or_else(|| {
            code! {
                for #round in (0..#count)#rev {
                    let #variable = #all.start + #round;
                    #inside
                }
            }
        });
        // in a block: parts that live on cost the borrow checker a time that grows with the square of the loops
        code! {{
            let #all = #run;
            let #count = ::coenzyme::__private::rounds(&#all);
            #asked
            #(#firsts)*
            #(#statements)*
            #before
            #inside
            #after
        }}
    }

    /// The part of memory, and that of its shadows, as far as the loop uses them.
    fn window_of(&self, window: &Window, rounds: &Ident) -> TokenStream {
        let (name, first, prefix) = (&window.name, window.first(), &window.prefix);
        let base = self.base_tokens(Base::Root(window.root));
        let primal = match (window.read, window.written) {
            (_, true) => Some(
                code!(let #name = ::coenzyme::__private::window_mut(&mut #base #prefix [..], #first, #rounds);),
            ),
            (true, false) => Some(
                code!(let #name = ::coenzyme::__private::window(&#base #prefix [..], #first, #rounds);),
            ),
            _ => None,
        };
        let shadow = window.shadowed.then(|| {
            let shadows = self.shadow_name(Base::Root(window.root));
            let name = window.shadow();
            let of = match self.roots[window.root].kind {
                RootKind::Param { .. } => quote!(shadow_windows),
                _ => quote!(own_shadow_windows),
            };
            let is_whole = prefix.is_empty() && self.sequences.contains(&Base::Root(window.root));
            let place = match is_whole {
                true => code!(::coenzyme::__private::entry_mut(..)),
                false => code!(|m| &mut (*m) #prefix [..]),
            };
            code!(let mut #name = ::coenzyme::__private::#of(&mut #shadows, #place, #first, #rounds);)
        });
        code!(#primal #shadow)
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

    /// Whether a window of some memory is open.
    pub(super) fn is_in_window(&self, base: Base) -> bool {
        self.window(base, |_| ()).is_some()
    }

    /// The shadows of an open window.
    pub(super) fn window_shadows(&self, base: Base) -> Option<Ident> {
        self.window(base, Window::shadows)
    }

    fn window<T>(&self, base: Base, found: impl FnOnce(&mut Window) -> T) -> Option<T> {
        let mut windows = self.windows.borrow_mut();
        let window = windows.iter_mut().find(|w| Base::Root(w.root) == base)?;
        Some(found(window))
    }
}

/// A loop whose rounds are known before the first.
pub(super) struct Rounds<'a> {
    pub(super) range: &'a Range,
    pub(super) variable: DefId,
    pub(super) body: &'a Block,
    /// What gives the values of the variable.
    pub(super) order: TokenStream,
    /// Whether they rise.
    pub(super) rises: bool,
    /// How many windows were open before.
    pub(super) windows: usize,
    /// In the reverse sweep: whether it runs in blocks.
    pub(super) blocks: Option<Blocks>,
}

/// What stands before a loop, where the number of its rounds has a name, and after it.
#[derive(Default)]
pub(super) struct Around {
    pub(super) before: TokenStream,
    pub(super) after: TokenStream,
}

/// The number of rounds.
pub(super) fn rounds_of(body: usize) -> Ident {
    local(&format!("rounds_of{body}"))
}

/// The number of a round, which rises with the variable of a range.
pub(super) fn round_of(body: usize) -> Ident {
    local(&format!("round{body}"))
}
