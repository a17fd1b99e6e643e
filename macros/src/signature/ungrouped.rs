//! Types that another macro passes on (`$t:ty`), taken out of the groups without delimiters in which they arrive.

use syn::visit_mut::{self, VisitMut};
use syn::{ImplItem, ItemImpl, Type};

/// Takes the types of a block and of its signatures out of their groups.
pub(crate) fn ungroup_head(block: &mut ItemImpl) {
    Ungroup.visit_generics_mut(&mut block.generics);
    Ungroup.visit_type_mut(&mut block.self_ty);
    if let Some((path, _)) = &mut block.trait_ {
        Ungroup.visit_path_mut(path);
    }
    for item in &mut block.items {
        match item {
            ImplItem::Type(item) => Ungroup.visit_type_mut(&mut item.ty),
            ImplItem::Fn(item) => Ungroup.visit_signature_mut(&mut item.sig),
            _ => {}
        }
    }
}

/// Takes types out of the invisible groups in which a `macro_rules!` macro passes them on (`$t:ty`).
pub(super) struct Ungroup;

impl VisitMut for Ungroup {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        while let Type::Group(group) = ty {
            *ty = (*group.elem).clone();
        }
        visit_mut::visit_type_mut(self, ty);
        // `f64 +`, a trait object without its `dyn`: what stands before `as` in a path ends at the `+`
        if matches!(ty, Type::TraitObject(object) if object.dyn_token.is_none()) {
            *ty = syn::parse_quote!((#ty));
        }
    }
}
