//! Parts of parameters that are values of the crate's own types, which are not `Copy`: `layers[i]` of `layers: &[Layer]`, `self.u` of an `Image`.
//! Nothing is moved out of what is behind a reference, so what takes all of such a part takes a copy.

use std::collections::HashSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Ident, Type};

use crate::differentiable::ir::*;
use crate::differentiable::resolve::known_types::{bare, entry};
use crate::files::own_copies;
use crate::files::own_types::OwnTypes;

impl Program {
    /// The definitions that read such a part, as far as declarations tell.
    pub(super) fn own_parts(&self) -> HashSet<DefId> {
        let defs = 0..self.defs.len();
        defs.filter(|d| self.is_own_part(*d)).collect()
    }

    fn is_own_part(&self, id: DefId) -> bool {
        let DefKind::Read(Place {
            base: Base::Root(root),
            suffix,
            ..
        }) = &self.defs[id].kind
        else {
            return false;
        };
        let RootKind::Param { index, .. } = self.roots[*root].kind else {
            return false;
        };
        let ty = self.parameters.get(index).filter(|_| !suffix.is_empty());
        ty.and_then(|ty| part(ty.clone(), suffix.clone()))
            .is_some_and(|ty| name_of(&ty).is_some_and(own_copies::are_cloned_alone))
    }
}

/// The type of what fields and indices lead to.
fn part(of: Type, suffix: TokenStream) -> Option<Type> {
    let (mut ty, mut tokens) = (of, suffix.into_iter());
    while let Some(token) = tokens.next() {
        ty = match token {
            TokenTree::Group(index) if index.delimiter() == Delimiter::Bracket => {
                entry(bare(&ty))?.clone()
            }
            TokenTree::Punct(dot) if dot.as_char() == '.' => {
                let (of, field) = (name_of(&ty)?, tokens.next()?.to_string());
                OwnTypes::of(of).field(&of.to_string(), &field, of)?
            }
            _ => return None,
        };
    }
    Some(ty)
}

/// The name of a type, without arguments or references.
fn name_of(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Reference(of) => name_of(&of.elem),
        Type::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::part;
    use quote::{ToTokens, quote};

    #[test]
    fn indices_lead_to_entries() {
        for (of, suffix, found) in [
            (quote!(&[Layer]), quote!([i - 1]), Some("Layer")),
            (quote!(Vec<[Layer; 2]>), quote!([i][j]), Some("Layer")),
            (quote!(Layer), quote!([i]), None),
            (quote!([Layer]), quote!([i].iter()), None),
        ] {
            let ty = syn::parse2(of).expect("a type");
            let found_of = part(ty, suffix).map(|ty| ty.to_token_stream().to_string());
            assert_eq!(found_of.as_deref(), found);
        }
    }
}
