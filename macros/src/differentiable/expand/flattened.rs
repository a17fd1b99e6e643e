//! Optional numbers that a chain takes out, each of which is asked by a pattern.
//!
//! ```text
//! // readings.iter().flatten()
//! readings.iter().filter_map(|entry| if let Some(entry) = entry { Some(entry) } else { None })
//! // readings.iter().filter_map(|r| *r)
//! readings.iter().filter_map(|entry| if let Some(entry) = entry { Some(*entry) } else { None })
//! ```

use proc_macro2::Ident;
use syn::{Expr, ExprClosure, ExprMethodCall, Pat, UnOp};

use crate::differentiable::syntax::names::simple_name;

/// Writes the call out, if it takes something out of options.
pub(super) fn write_out(call: &mut ExprMethodCall) {
    let entry: Expr = match call.args.first() {
        None if call.method == "flatten" => syn::parse_quote!(entry),
        Some(Expr::Closure(f)) if call.method == "filter_map" && copies(f) => {
            syn::parse_quote!(*entry)
        }
        _ => return,
    };
    call.method = Ident::new("filter_map", call.method.span());
    call.args = syn::parse_quote!(|entry| if let Some(entry) = entry {
        Some(#entry)
    } else {
        None
    });
}

/// Whether a closure copies what it is given: `|x| *x`, `|&x| x`.
fn copies(f: &ExprClosure) -> bool {
    let (name, value) = match (f.inputs.first(), &*f.body) {
        (Some(Pat::Ident(name)), Expr::Unary(of)) if matches!(of.op, UnOp::Deref(_)) => {
            (name, &*of.expr)
        }
        (Some(Pat::Reference(of)), value) => match &*of.pat {
            Pat::Ident(name) => (name, value),
            _ => return false,
        },
        _ => return false,
    };
    simple_name(value).is_some_and(|value| name.ident == value)
}

#[cfg(test)]
mod tests {
    use super::write_out;
    use quote::ToTokens;

    fn written(text: &str) -> String {
        let mut call = syn::parse_str(text).expect("a call");
        write_out(&mut call);
        call.into_token_stream().to_string()
    }

    #[test]
    fn options_are_asked() {
        let asked = "x . iter () . filter_map (| entry | if let Some (entry) = entry { Some (# entry) } else { None })";
        assert_eq!(written("x.iter().flatten()"), asked.replace("# ", ""));
        for copied in ["|v| *v", "|&v| v"] {
            let text = format!("x.iter().filter_map({copied})");
            assert_eq!(written(&text), asked.replace('#', "*"));
        }
    }

    #[test]
    fn everything_else_stays() {
        for text in [
            "x . iter () . filter_map (| v | * w)",
            "x . iter () . filter_map (| & v | w)",
            "x . iter () . filter_map (| v | v . sin ())",
            "x . iter () . map (| v | * v)",
        ] {
            assert_eq!(written(text), text);
        }
    }
}
