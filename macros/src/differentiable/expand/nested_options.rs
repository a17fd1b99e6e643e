//! An option inside of another, as a call gives it that may fail or find nothing: a pattern looks into one at a time.
//!
//! ```text
//! // match f(x) { Ok(Some(y)) => a, Ok(None) => b, Err(e) => c }
//! match f(x) { Ok(inside) => match inside { Some(y) => a, None => b }, Err(e) => c }
//! ```
//!
//! An arm that takes anything stands in both.

use syn::{Arm, Expr, ExprMatch, Pat};

use crate::differentiable::syntax::names::hidden;
use crate::differentiable::syntax::options::is_present;
use crate::differentiable::tokens::head::head;

/// The `match` in two steps, if a pattern of it looks into both at once.
pub(crate) fn one_at_a_time(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::Match(branch) => in_steps(branch),
        Expr::If(branch) => {
            let Expr::Let(asked) = &*branch.cond else {
                return None;
            };
            let (pat, of, then) = (&asked.pat, head(&asked.expr), &branch.then_branch);
            let otherwise = branch.else_branch.as_ref().map(|(_, otherwise)| otherwise);
            let otherwise = otherwise.map_or_else(|| syn::parse_quote!({}), |e| (**e).clone());
            in_steps(&syn::parse_quote!(match #of { #pat => #then _ => #otherwise }))
        }
        _ => None,
    }
}

fn in_steps(branch: &ExprMatch) -> Option<Expr> {
    let variant = branch.arms.iter().find_map(|arm| {
        let (variant, inside) = taken_apart(&arm.pat)?;
        looks_inside(&inside).then_some(variant)
    })?;
    let (mut inner, mut outer) = (Vec::<Arm>::new(), Vec::<&Arm>::new());
    for arm in &branch.arms {
        match (taken_apart(&arm.pat), &arm.pat) {
            (Some((of, pat)), _) if of == variant => inner.push(Arm { pat, ..arm.clone() }),
            (_, Pat::Wild(_)) => {
                inner.push(arm.clone());
                outer.push(arm);
            }
            (Some(_), _) | (_, Pat::TupleStruct(_)) => outer.push(arm),
            (_, Pat::Ident(pat)) if pat.ident == "None" => outer.push(arm),
            // it may stand for either, and binds
            _ => return None,
        }
    }
    let (inside, of) = (hidden("inside"), head(&branch.expr));
    Some(syn::parse_quote!(match #of {
        #variant(#inside) => match #inside { #(#inner)* },
        #(#outer)*
    }))
}

/// `Ok(p)` and `Some(p)`, with what is asked behind `if`.
fn taken_apart(pat: &Pat) -> Option<(syn::Path, Pat)> {
    match pat {
        Pat::TupleStruct(pat) if is_present(pat) => Some((pat.path.clone(), pat.elems[0].clone())),
        Pat::Guard(guarded) => {
            let (variant, inside) = taken_apart(&guarded.pat)?;
            let (mut guarded, inside) = (guarded.clone(), Box::new(inside));
            guarded.pat = inside;
            Some((variant, Pat::Guard(guarded)))
        }
        _ => None,
    }
}

fn looks_inside(pat: &Pat) -> bool {
    match pat {
        Pat::TupleStruct(pat) => is_present(pat) || pat.path.is_ident("Err"),
        Pat::Ident(pat) => pat.ident == "None",
        Pat::Guard(guarded) => looks_inside(&guarded.pat),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn written(text: &str) -> Option<String> {
        let expr: Expr = syn::parse_str(text).expect("an expression");
        Some(one_at_a_time(&expr)?.to_token_stream().to_string())
    }

    #[test]
    fn what_takes_anything_stands_in_both() {
        let both = written("match f(x) { Ok(Some(y)) if y > 1.0 => y, _ => 3.0 }").expect("one");
        assert_eq!(both.matches("_ => 3.0").count(), 2, "{both}");
        assert_eq!(both.matches("if y > 1.0").count(), 1, "{both}");
    }

    #[test]
    fn one_option_is_left_as_it_is() {
        assert!(written("match f(x) { Ok(y) => y, Err(_) => 3.0 }").is_none());
        assert!(written("match f(x) { Some(Shape::Circle(r)) => r, _ => 3.0 }").is_none());
    }
}
