//! Values that are built where they stand: of constructors, boxes and lists of such. To build them again costs what to keep them does, and
//! an object whose type is not known cannot be kept: `let curves: Vec<Box<dyn Curve>> = vec![Box::new(Flat { rate: 0.02 })];`.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Type};

use super::constructors::is_constructor;
use super::vec_macro;
use crate::differentiable::methods::paths;

/// Whether there is `dyn Trait` in a type.
pub(crate) fn has_object(ty: &Type) -> bool {
    fn within(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            TokenTree::Ident(word) => word == "dyn",
            TokenTree::Group(group) => within(group.stream()),
            _ => false,
        })
    }
    within(ty.to_token_stream())
}

/// Whether an expression builds a value of literals, names and other such values.
pub(crate) fn is_built(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(paren) => is_built(&paren.expr),
        Expr::Reference(lent) => lent.mutability.is_none() && is_built(&lent.expr),
        Expr::Unary(of) => is_built(&of.expr),
        Expr::Cast(cast) => is_built(&cast.expr),
        Expr::Field(field) => is_built(&field.base),
        Expr::Array(list) => list.elems.iter().all(is_built),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_built),
        Expr::Struct(made) => {
            made.rest.is_none() && made.fields.iter().all(|field| is_built(&field.expr))
        }
        Expr::Macro(made) if paths::is_vec(&made.mac.path) => {
            let elements = vec_macro::elements_of(&made.mac);
            !elements.is_empty() && elements.iter().all(is_built)
        }
        Expr::Call(call) => {
            let holds = [["boxed", "Box"], ["rc", "Rc"], ["sync", "Arc"]];
            let boxed = |[of, name]: [&str; 2]| paths::is(&call.func, &[of, name, "new"], 2);
            (is_constructor(&call.func) || holds.into_iter().any(boxed))
                && call.args.iter().all(is_built)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constructors_boxes_and_lists_are_built() {
        for (text, built) in [
            (
                "vec![Box::new(Flat { rate: 0.02 }), Box::new(Step(k, -1.0))]",
                true,
            ),
            (
                "Box::new(Shifted { of: Box::new(Flat(r)), by: c.shift })",
                true,
            ),
            ("Box::new(read(&file))", false),
            ("vec![Box::new(Flat { rate: next() })]", false),
            ("vec![]", false),
        ] {
            let expr = syn::parse_str(text).expect("an expression");
            assert_eq!(is_built(&expr), built, "{text}");
        }
    }

    #[test]
    fn an_object_is_found_inside_of_a_type() {
        for (text, object) in [
            ("Vec<Box<dyn Curve>>", true),
            ("&dyn Fn(f64)", true),
            ("Vec<Curve>", false),
        ] {
            assert_eq!(
                has_object(&syn::parse_str(text).expect("a type")),
                object,
                "{text}"
            );
        }
    }
}
