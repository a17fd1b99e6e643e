//! `let a: Length<Meter> = Length { value: x, unit: PhantomData };`, whose literal says what it makes only by the type beside it. A local is kept in
//! parts, which have lost that type, so the literal names it itself: `Length::<Meter> { … }`.

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Local, Pat, PathArguments, Type};

/// Writes out the types of the literals that locals with written types begin with.
pub(crate) fn written_out(body: &mut syn::Block) {
    Literals.visit_block_mut(body);
}

struct Literals;

impl VisitMut for Literals {
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        if let (Pat::Type(typed), Some(init)) = (&local.pat, &mut local.init)
            && let (Type::Path(ty), Expr::Struct(literal)) = (&*typed.ty, &mut *init.expr)
            && let (Some(of), Some(name)) =
                (ty.path.segments.last(), literal.path.segments.last_mut())
            && of.ident == name.ident
            && let (PathArguments::AngleBracketed(list), PathArguments::None) =
                (&of.arguments, &name.arguments)
        {
            let mut list = list.clone();
            list.colon2_token = Some(Default::default());
            name.arguments = PathArguments::AngleBracketed(list);
        }
    }
}
