//! Fixed arrays that are copies of slices: `let a: [f64; 3] = x[0..3].try_into().unwrap();`, `x.first_chunk::<3>().unwrap()`.

use proc_macro2::Ident;
use quote::quote;
use syn::{Expr, GenericArgument, Type};

use super::boxed;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::Lower;
use crate::differentiable::methods::calls;

impl Lower<'_> {
    /// The array that an initializer makes of a slice, under a name.
    pub(crate) fn array_of_slice(
        &mut self,
        name: &Ident,
        ty: Option<&Type>,
        init: &Expr,
    ) -> Option<RootId> {
        let (of, own) = slice_of(init)?;
        if !self.is_varied(init) {
            return None;
        }
        let mut from = self.place(&of)?;
        from.suffix.extend(quote!([..]));
        let ty = match own.as_ref().or(ty) {
            Some(Type::Reference(lent)) => Some(&*lent.elem),
            ty => ty,
        };
        let Some(ty @ Type::Array(_)) = ty else {
            self.errors.at(
                init,
                "how long this array is, is not known here: give it a name with its type, `let a: [f64; 3] = …`",
            );
            let nothing = Init::Inactive {
                expr: ir::Expr::default(),
                again: false,
            };
            return Some(self.memory(name, true, nothing));
        };
        let slice = self.place_tokens(&from);
        let tokens = quote!(<#ty as ::core::convert::TryFrom<&[_]>>::try_from(&#slice).unwrap());
        let root = self.memory(name, true, Init::Copy { from, tokens });
        self.fixed.insert(Base::Root(root), 1);
        Some(root)
    }
}

/// The slice of which an expression makes an array, and the type of that if it says so.
fn slice_of(init: &Expr) -> Option<(Expr, Option<Type>)> {
    let Expr::MethodCall(unwrap) = boxed::without_parens(init) else {
        return None;
    };
    if !calls::unwraps(unwrap) {
        return None;
    }
    match &*unwrap.receiver {
        Expr::MethodCall(call) if call.method == "try_into" => {
            Some(((*call.receiver).clone(), None))
        }
        Expr::MethodCall(call) => {
            let (slice, ty) = chunk(call)?;
            Some((slice, Some(ty)))
        }
        Expr::Call(call) => match (&*call.func, call.args.first()) {
            (Expr::Path(path), Some(of)) if path.path.segments.last()?.ident == "try_from" => {
                let ty = path.qself.as_ref().map(|own| (*own.ty).clone())?;
                matches!(ty, Type::Array(_)).then(|| (of.clone(), Some(ty)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `x[..3]` and `[_; 3]` of `x.first_chunk::<3>()`.
fn chunk(call: &syn::ExprMethodCall) -> Option<(Expr, Type)> {
    let n = match call.turbofish.as_ref()?.args.first()? {
        GenericArgument::Const(n) => quote!(#n),
        GenericArgument::Type(n) => quote!(#n),
        _ => return None,
    };
    let of = &call.receiver;
    let slice = match call.method.to_string().as_str() {
        "first_chunk" => syn::parse_quote!(#of[..#n]),
        "last_chunk" => syn::parse_quote!(#of[#of.len() - #n..]),
        _ => return None,
    };
    Some((slice, syn::parse_quote!([_; #n])))
}

/// Whether there is an array, and the array, of `x.first_chunk::<3>()`.
pub(crate) fn chunk_of(call: &syn::ExprMethodCall) -> Option<(Expr, Expr)> {
    let (slice, ty) = chunk(call)?;
    let (of, Type::Array(array)) = (&call.receiver, &ty) else {
        return None;
    };
    let n = &array.len;
    Some((
        syn::parse_quote!((#of.len() >= #n)),
        syn::parse_quote!(<#ty>::try_from(&#slice).unwrap()),
    ))
}
