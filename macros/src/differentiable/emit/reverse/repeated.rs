//! Arguments of one call in the same memory, all of which are read: their shadows are parts of one.
//!
//! ```text
//! // density(&x[a..b], &x[c..d])
//! let ranges = [within(&x[..], &x[a..b]), within(&x[..], &x[c..d])];
//! let overlap = overlap(&ranges);
//! let mut apart1 = apart(&x[c..d], x_d[0].is_active() && overlap);
//! let [shadows0, shadows1] = split_shadows(&mut x_d, |m| &mut m[..], &ranges, overlap);
//! let mut a0 = DynArg::new(&x[a..b], shadows0);
//! let mut a1 = DynArg::new(&x[c..d], shadows1.or(lend_apart(&x[c..d], &mut apart1)));
//! … // the call
//! if let Some(own) = &apart1 { add_copy_at(&mut x_d, own, |m| &mut m[c..d]); }
//! ```

use proc_macro2::{TokenStream, TokenTree};

use super::Reverse;
use crate::differentiable::emit::names::local;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// Whether the shadows of an argument depend on those of others.
    pub(super) fn is_shared(&self, call: &Call, index: usize) -> bool {
        call.is_repeated(index) || self.of_group(call, index).is_some()
    }

    /// What stands before the handles of the call for such an argument, and its handle.
    pub(super) fn shared_handle(&self, call: &Call, index: usize) -> (TokenStream, TokenStream) {
        let arg = &call.args[index];
        match self.of_group(call, index) {
            Some(group) => {
                let is_first = group[0] == index;
                let split = is_first.then(|| self.split_shadows(call, &group));
                let handle = self.handle_of_group(arg, index, is_first);
                (split.unwrap_or_default(), handle)
            }
            None => self.handle_apart(arg, index),
        }
    }

    /// The arguments in the memory of argument `index`, if all of them are parts of one slice that are read.
    fn of_group(&self, call: &Call, index: usize) -> Option<Vec<usize>> {
        let base = call.args[index].base()?;
        let varied = self.program.base_varied(base);
        let group: Vec<usize> = (0..call.args.len())
            .filter(|i| call.args[*i].base() == Some(base))
            .collect();
        (varied && group.len() > 1 && split(call, &group).is_some()).then_some(group)
    }

    /// Before such a call: the parts of the shadows.
    fn split_shadows(&self, call: &Call, group: &[usize]) -> TokenStream {
        let p = self.program;
        let prefix = split(call, group).expect("parts of a slice");
        let places: Vec<Place> = group
            .iter()
            .filter_map(|i| Self::repeated_place(&call.args[*i]))
            .collect();
        let base = places[0].base;
        let (memory, d) = (p.base_tokens(base), p.shadow_name(base));
        let values = places.iter().map(|place| p.place_value(place));
        let shadows = group.iter().map(|i| local(&format!("shadows{i}")));
        let active = self.is_active(base);
        let owns = group.iter().zip(&places).skip(1).map(|(i, place)| {
            let (own, value) = (local(&format!("apart{i}")), p.place_value(place));
            code!(let mut #own = ::coenzyme::__private::apart::<_, __W>(&#value, #active && overlap);)
        });
        let split = match p.is_param(base) {
            true => code!(split_shadows),
            false => code!(split_own_shadows),
        };
        code! {
            let ranges = [#(::coenzyme::__private::within(&#memory #prefix[..], &#values)),*];
            let overlap = ::coenzyme::__private::overlap(&ranges);
            #(#owns)*
            let [#(#shadows),*] = ::coenzyme::__private::#split(&mut #d, |m| &mut (*m)#prefix[..], &ranges, overlap);
        }
    }

    /// The handle of an argument of such a call.
    fn handle_of_group(&self, arg: &Arg, index: usize, first: bool) -> TokenStream {
        let place = Self::repeated_place(arg).expect("memory");
        // asks for what it reads
        let _ = self.handle(&Arg::Shared(place.clone()), true);
        let value = self.program.place_value(&place);
        let (shadows, own) = (
            local(&format!("shadows{index}")),
            local(&format!("apart{index}")),
        );
        let or_own =
            (!first).then(|| code!(.or(::coenzyme::__private::lend_apart(&#value, &mut #own))));
        code!(::coenzyme::DynArg::new(&#value, #shadows #or_own))
    }

    /// The place of an argument that shares its memory with one before it, which is read only.
    fn repeated_place(arg: &Arg) -> Option<Place> {
        match arg {
            Arg::Shared(place) | Arg::Exclusive(place) => Some(place.clone()),
            Arg::Whole { root } => Some(Place::whole(*root)),
            Arg::Const(_) | Arg::Value(_) | Arg::Closure { .. } => None,
        }
    }

    /// An argument that is no such part has shadows of its own, which are added when the call is done.
    fn handle_apart(&self, arg: &Arg, index: usize) -> (TokenStream, TokenStream) {
        let p = self.program;
        let place = Self::repeated_place(arg).expect("memory");
        // asks for what it reads
        let _ = self.handle(&Arg::Shared(place.clone()), true);
        let (value, own) = (p.place_value(&place), local(&format!("apart{index}")));
        let active = self.is_active(place.base);
        (
            code!(let mut #own = ::coenzyme::__private::apart::<_, __W>(&#value, #active);),
            code!(::coenzyme::DynArg::new(&#value, ::coenzyme::__private::lend_apart(&#value, &mut #own))),
        )
    }

    /// Adds the shadows of arguments that had their own.
    pub(super) fn add_apart(&self, call: &Call) -> TokenStream {
        let adds = (0..call.args.len())
            .filter(|i| call.is_repeated(*i))
            .map(|i| {
                let place = Self::repeated_place(&call.args[i]).expect("memory");
                if !self.program.base_varied(place.base) {
                    return TokenStream::new();
                }
                self.touch(place.base);
                let own = local(&format!("apart{i}"));
                let (shadows, place) = (
                    self.program.shadows_mut(place.base),
                    self.program.place_mut(&place),
                );
                code! {
                    if let ::core::option::Option::Some(own) = &#own {
                        ::coenzyme::__private::add_copy_at(#shadows, own, #place);
                    }
                }
            });
        adds.collect()
    }
}

/// What the paths of parts of one slice have in common, if they are such.
fn split(call: &Call, group: &[usize]) -> Option<TokenStream> {
    let suffix = |i: &usize| match &call.args[*i] {
        Arg::Shared(place) => Some(place.suffix.clone().into_iter().collect::<Vec<_>>()),
        _ => None,
    };
    let suffixes: Vec<Vec<TokenTree>> = group.iter().map(suffix).collect::<Option<_>>()?;
    let same = |k: usize| {
        let text = |s: &Vec<TokenTree>| s.get(k).map(ToString::to_string);
        suffixes.iter().all(|s| text(s) == text(&suffixes[0]))
    };
    let common = (0..suffixes[0].len())
        .take_while(|k| same(*k) && !is_range(&suffixes[0][*k]))
        .count();
    let parts = |s: &Vec<TokenTree>| s.len() > common && s[common..].iter().all(is_range);
    let prefix = suffixes[0][..common].iter().cloned().collect();
    suffixes.iter().all(parts).then_some(prefix)
}

/// Whether a projection is `[a..b]`.
fn is_range(projection: &TokenTree) -> bool {
    let TokenTree::Group(group) = projection else {
        return false;
    };
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    tokens.windows(2).any(|w| {
        matches!(w, [TokenTree::Punct(a), TokenTree::Punct(b)] if a.as_char() == '.' && b.as_char() == '.')
    })
}
