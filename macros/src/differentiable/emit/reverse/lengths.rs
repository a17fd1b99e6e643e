//! Vectors behind `&mut` that get another length.
//!
//! ```text
//! // fn record(&mut self, x: f64) { self.history.push(x) }
//! self.history.push(x);                                                    // the augmented primal
//! lengthened(&mut self_d, |m| &mut (*m).history, &self.history);           //   ends with a shadow as long as the vector
//! x_d += (*m).history.pop();                                               // reverse: the shadow is as long as before the call
//! ```

use std::collections::BTreeMap;

use proc_macro2::TokenStream;

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
        let lengthened = places.values().map(|place| {
            let (shadows, part) = (self.program.shadows_mut(place.base), &place.suffix);
            let vector = self.program.place_value(place);
            code!(::coenzyme::__private::lengthened(#shadows, |m| &mut (*m)#part, &#vector);)
        });
        lengthened.collect()
    }
}

impl Program {
    /// Parts of parameters that are pushed to or popped from.
    fn find_lengthened<'p>(
        &'p self,
        block: &'p Block,
        found: &mut BTreeMap<(Base, String), &'p Place>,
    ) {
        for item in &block.items {
            match item {
                Item::Push { place, .. } | Item::Pop { place }
                    if self.is_param(place.base) && self.base_varied(place.base) =>
                {
                    found.insert((place.base, place.suffix.to_string()), place);
                }
                Item::Loop { body, .. } => self.find_lengthened(body, found),
                Item::Branch { arms, .. } => {
                    arms.iter()
                        .for_each(|arm| self.find_lengthened(&arm.body, found));
                }
                _ => {}
            }
        }
    }
}
