//! Vectors behind `&mut` that get another length.
//!
//! ```text
//! // fn record(&mut self, x: f64) { self.history.push(x) }
//! self.history.push(x);                                                    // the augmented primal
//! lengthened(&mut self_d, |m| &mut (*m).history, &self.history);           //   ends with a shadow as long as the vector
//! x_d += (*m).history.pop();                                               // reverse: the shadow is as long as before the call
//! ```

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};

use super::Reverse;
use crate::differentiable::ir::*;

impl Reverse<'_> {
    /// Asks a callee of another crate whether it keeps lengths, which its caller relies on.
    pub(super) fn believed(&self, call: &Call) -> Option<TokenStream> {
        let believed = self.program.believed.contains(&call.point.order);
        believed.then(|| {
            code!({
                use ::coenzyme::__private::{MayReadLater as _, ReadsLater as _};
                ::coenzyme::__private::keeps_lengths((&callee).changes_lengths());
            })
        })
    }

    /// Gives the shadows of parameters the lengths that their vectors have in the end.
    pub(super) fn lengthened(&self) -> TokenStream {
        let mut places = BTreeMap::new();
        self.program
            .find_lengthened(&self.program.body, &mut places);
        // a vector keeps the cotangents that it has before another asks for its shape
        let mut places: Vec<_> = places.into_iter().collect();
        places.sort_by_key(|((.., how), _)| *how);
        let lengthened = places.into_iter().map(|((base, _, how), (part, field))| {
            let shadows = self.program.shadows_mut(base);
            let suffix = part.clone();
            let uses = Uses::default();
            let memory = self.program.place_value(&Place { base, suffix, uses });
            let lengthened = match how {
                How::Grown => code!(lengthened),
                How::Assigned => code!(shaped_as),
                How::InEntries => code!(entries_shaped_as),
                How::EntriesGrown if field.is_empty() => code!(entries_lengthened),
                How::EntriesGrown => {
                    return code!(::coenzyme::__private::fields_lengthened(
                        #shadows, |m| &mut (*m)#part, |entry| &mut (*entry)#field, &#memory, |entry| &(*entry)#field,
                    ););
                }
            };
            code!(::coenzyme::__private::#lengthened(#shadows, |m| &mut (*m)#part, &#memory);)
        });
        lengthened.collect()
    }
}

/// How a vector gets another length.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    /// By `push` and `pop`.
    Grown,
    /// By `push` to, or `pop` from, one of several entries.
    EntriesGrown,
    Assigned,
    /// By an assignment of a field of one of several entries.
    InEntries,
}

/// Parts of parameters that get another length, by where they are; with the field, if that is in each entry of the part.
type Lengthened = BTreeMap<(Base, String, How), (TokenStream, TokenStream)>;

/// The entries of which one has the field that a path ends with, and the field: `[..]` and `.v` of `[i].v`.
fn entries_of(part: &TokenStream) -> Option<(TokenStream, TokenStream)> {
    let is_index = |tree: &TokenTree| matches!(tree, TokenTree::Group(_));
    let trees: Vec<_> = part.clone().into_iter().collect();
    let index = trees.iter().position(is_index)?;
    let (before, after) = (&trees[..index], &trees[index + 1..]);
    Some((code!(#(#before)* [..]), code!(#(#after)*)))
}

impl Program {
    /// Parts of parameters that are pushed to or popped from, or assigned.
    fn find_lengthened(&self, block: &Block, found: &mut Lengthened) {
        for item in &block.items {
            let (place, how) = match item {
                Item::Push { place, .. } | Item::Pop { place } => (place, How::Grown),
                Item::Reshape { place, .. } => (place, How::Assigned),
                Item::Loop { body, .. } => {
                    self.find_lengthened(body, found);
                    continue;
                }
                Item::Branch { arms, .. } => {
                    arms.iter()
                        .for_each(|arm| self.find_lengthened(&arm.body, found));
                    continue;
                }
                _ => continue,
            };
            if self.is_param(place.base) && self.base_varied(place.base) {
                let in_entries = match how {
                    How::Grown => How::EntriesGrown,
                    _ => How::InEntries,
                };
                let whole = || ((place.suffix.clone(), TokenStream::new()), how);
                let entries = entries_of(&place.suffix).map(|entries| (entries, in_entries));
                let ((part, field), how) = entries.unwrap_or_else(whole);
                // an assignment gives the whole entry another shape
                let field = match how {
                    How::EntriesGrown => field,
                    _ => TokenStream::new(),
                };
                found.insert((place.base, format!("{part} {field}"), how), (part, field));
            }
        }
    }
}
