//! The body of a method that lends a part: as `index_mut`, and as `index`, which lends to be read.

use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprMethodCall, ItemImpl};

use super::{Lender, place};
use crate::lender::reading::method_of;

/// The body, in which other methods of the block that lend are places too.
pub(super) fn places(block: &ItemImpl, body: &Block) -> Block {
    let mut body = body.clone();
    Places(block).visit_block_mut(&mut body);
    body
}

struct Places<'b>(&'b ItemImpl);

impl VisitMut for Places<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::MethodCall(call) = expr
            && matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"))
            && method_of(self.0, &call.method).is_some_and(|m| Lender::of(self.0, m).is_some())
        {
            let place = place(call);
            *expr = syn::parse_quote!((&mut #place));
        }
    }
}

/// The body with `&` for each `&mut`.
pub(super) fn shared(body: &Block) -> Block {
    let mut body = body.clone();
    Shared.visit_block_mut(&mut body);
    body
}

struct Shared;

impl VisitMut for Shared {
    fn visit_expr_reference_mut(&mut self, lent: &mut syn::ExprReference) {
        lent.mutability = None;
        visit_mut::visit_expr_reference_mut(self, lent);
    }

    fn visit_type_reference_mut(&mut self, of: &mut syn::TypeReference) {
        of.mutability = None;
        visit_mut::visit_type_reference_mut(self, of);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        let name = match call.method.to_string().as_str() {
            "as_mut_slice" => Some("as_slice"),
            "get_mut" => Some("get"),
            "first_mut" => Some("first"),
            "last_mut" => Some("last"),
            _ => None,
        };
        if let Some(name) = name {
            call.method = syn::Ident::new(name, call.method.span());
        }
        visit_mut::visit_expr_method_call_mut(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    #[test]
    fn what_is_lent_to_be_changed_is_lent_to_be_read() {
        let body: Block = syn::parse_quote!({
            let row: &mut Vec<f64> = &mut self.rows[i];
            row.get_mut(j).unwrap()
        });
        let expected: Block = syn::parse_quote!({
            let row: &Vec<f64> = &self.rows[i];
            row.get(j).unwrap()
        });
        let text = |block: Block| block.to_token_stream().to_string();
        assert_eq!(text(shared(&body)), text(expected));
    }
}
