//! That a call's function and the marker of its name are one: see `coenzyme::__private::called`.

use proc_macro2::TokenStream;
use syn::{Path, PathArguments};

use super::argument::Passed;
use crate::associated;
use crate::differentiable::ir::*;
use crate::signature::Function;

impl Program {
    /// The comparison, where the marker has been bound to `callee`.
    pub(super) fn compared(&self, function: &Function, call: &Call) -> Option<TokenStream> {
        let Callee::Path(path) = &call.callee else {
            return None;
        };
        let (recursive, alias) = (path.is_ident(&function.name), path.get_ident());
        if recursive || !is_plain(path) || alias.is_some_and(|name| self.aliases.contains(name)) {
            return None;
        }
        let args = call
            .args
            .iter()
            .map(|arg| match self.passed(function, arg) {
                Passed::Const(value) => Some(value),
                Passed::Value(atom) => Some(self.atom_value(atom)),
                Passed::Memory(lent) => Some(lent.primal()),
                // its type has no name
                Passed::Closure { .. } => None,
            });
        let args: Vec<_> = args.collect::<Option<_>>()?;
        // what cannot be reached has types, and borrows nothing
        Some(code! {
            let function = ::coenzyme::__private::called::Function::new();
            loop {
                break;
                let _ = function.is(#path)(#(#args),*);
            }
            function.belongs_to(&callee);
        })
    }
}

/// Whether a path is one of modules and a function, which tells no types.
fn is_plain(path: &Path) -> bool {
    let plain = |segment: &syn::PathSegment| {
        matches!(segment.arguments, PathArguments::None)
            && segment.ident.to_string().starts_with(char::is_lowercase)
    };
    path.leading_colon.is_none()
        && path.segments.iter().all(plain)
        && !associated::is_associated(path)
}
