//! Parameters come in by their handles.

use proc_macro2::{Ident, TokenStream};

use super::bounds::{Mode, argument_trait};
use super::names::handle;
use crate::differentiable::ir::*;
use crate::signature::{Function, Param, Passing};

/// Binds the parameter that a root is: by `bind`, given its name, its handle and the trait of that, unless it is declared
/// `#[constant]`. `None` for a local.
pub(super) fn bind_memory(
    function: &Function,
    root: &Root,
    mode: Mode,
    bind: impl FnOnce(&Ident, &Param, Ident, TokenStream) -> TokenStream,
) -> Option<TokenStream> {
    let RootKind::Param { index, .. } = root.kind else {
        return None;
    };
    let (name, param) = (&root.name, &function.params[index]);
    Some(match param.constant {
        true => {
            let memory = constant_memory(param, index);
            code!(let #name = #memory;)
        }
        false => bind(name, param, handle(index), argument_trait(param, mode)),
    })
}

/// Binds the value of a parameter by value; `None` for another definition.
pub(super) fn bind_value(function: &Function, def: &Def, mode: Mode) -> Option<TokenStream> {
    let DefKind::Param(index) = def.kind else {
        return None;
    };
    let (param, h, name) = (&function.params[index], handle(index), &def.name);
    Some(match param.constant {
        true => code!(let #name = ::coenzyme::__private::copy(&#h.0);),
        false => {
            let (tr, ty) = (argument_trait(param, mode), &param.ty);
            code!(let #name: #ty = ::coenzyme::__private::copy(<_ as #tr>::primal(&*#h));)
        }
    })
}

/// The memory of a parameter declared `#[constant]`, behind its handle.
fn constant_memory(param: &Param, index: usize) -> TokenStream {
    let (h, ty) = (handle(index), &param.ty);
    match param.passing {
        Passing::Exclusive => code!(::coenzyme::HoldsMut::<#ty>::get_mut(&mut #h.0)),
        _ => code!(::coenzyme::Holds::<#ty>::get(&#h.0)),
    }
}
