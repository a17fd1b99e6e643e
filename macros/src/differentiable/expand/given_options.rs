//! Options that a condition makes for the function that is called with them.
//!
//! ```text
//! // rated((x > 0.0).then_some(x * k), None)
//! rated(if (x > 0.0) { Some(x * k) } else { None }, None)
//! ```

use syn::{Expr, ExprCall};

use super::desugar::is_called;
use super::eager::has_effects;
use crate::differentiable::tokens::head::head;

/// The call with such options written out.
pub(crate) fn written_out(call: &ExprCall) -> Option<Expr> {
    if !is_called(&Expr::Call(call.clone())) {
        return None;
    }
    let made: Vec<_> = call.args.iter().map(by_condition).collect();
    if made.iter().all(Option::is_none) {
        return None;
    }
    let mut written = call.clone();
    for (arg, made) in written.args.iter_mut().zip(made) {
        if let Some(made) = made {
            *arg = made;
        }
    }
    Some(Expr::Call(written))
}

fn by_condition(option: &Expr) -> Option<Expr> {
    let Expr::MethodCall(call) = option else {
        return None;
    };
    let condition = head(&call.receiver);
    let value = match (&*call.method.to_string(), call.args.first()?) {
        // it is computed anyway, which makes a difference if it changes something
        ("then_some", value) if !has_effects(value) => value,
        ("then", Expr::Closure(f)) if f.inputs.is_empty() => &*f.body,
        _ => return None,
    };
    Some(syn::parse_quote!(if #condition { Some(#value) } else { None }))
}

#[cfg(test)]
mod tests {
    use quote::{ToTokens, quote};

    fn written(call: syn::ExprCall) -> Option<String> {
        super::written_out(&call).map(|e| e.to_token_stream().to_string())
    }

    #[test]
    fn an_option_by_a_condition_is_a_branch() {
        let expected = quote!(f(if (x > 0.0) { Some(x * k) } else { None }, k));
        let call = syn::parse_quote!(f((x > 0.0).then_some(x * k), k));
        assert_eq!(written(call), Some(expected.to_string()));
        let call = syn::parse_quote!(f((x > 0.0).then(|| x * k), k));
        assert_eq!(written(call), Some(expected.to_string()));
    }

    #[test]
    fn a_structure_is_no_body_of_the_branch() {
        let expected = quote!(f(if (S { x }) { Some(x) } else { None }));
        let call = syn::parse_quote!(f(S { x }.then(|| x)));
        assert_eq!(written(call), Some(expected.to_string()));
    }

    #[test]
    fn what_changes_something_is_computed_anyway() {
        assert_eq!(
            written(syn::parse_quote!(f((x > 0.0).then_some(pop(&mut v))))),
            None
        );
        assert_eq!(
            written(syn::parse_quote!(Some((x > 0.0).then_some(x)))),
            None
        );
    }
}
