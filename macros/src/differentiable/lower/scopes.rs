//! What the names of a function stand for while it is lowered.

use std::collections::HashMap;

use proc_macro2::Ident;
use syn::Expr;

use crate::differentiable::ir::*;
use crate::differentiable::lower::array;
use crate::differentiable::lower::references::reseated;

/// What names stand for, where something was written.
pub(crate) type Scopes = Vec<HashMap<String, Binding>>;

/// What a name stands for.
#[derive(Clone)]
pub(crate) enum Binding {
    Def(DefId),
    Root(RootId),
    /// A reference to a part of memory.
    Alias {
        place: Place,
        exclusive: bool,
    },
    /// A reference that is pointed elsewhere.
    View(reseated::View),
    /// A closure, expanded where it is called, in the scopes where it was written.
    Closure {
        closure: syn::ExprClosure,
        scopes: Scopes,
    },
    /// A chain of iterators, written out where it is used.
    Chain {
        chain: Expr,
        scopes: Scopes,
        /// The local that says which element comes next, if it is advanced.
        at: Option<Ident>,
    },
    /// An `Option` as two locals, by their names: whether there is a value, and the value.
    Optional {
        there: Ident,
        some: Ident,
    },
    /// A view of a part of an array.
    Part(array::Part),
    /// A name that a pattern bound, without derivative.
    Inactive,
}
