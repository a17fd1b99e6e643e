//! Expressions in the place of a statement, which a block ends.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// The expression, in parentheses if `{ … }` around it would be read otherwise: `{ a } - b` is two statements, `'a: { } = b` is none.
pub(crate) fn tail(expr: &impl ToTokens) -> TokenStream {
    match syn::parse2::<syn::Block>(quote!({ #expr })) {
        Ok(block) if block.stmts.len() == 1 => expr.to_token_stream(),
        _ => quote!((#expr)),
    }
}

#[cfg(test)]
mod tests {
    use super::tail;

    #[test]
    fn what_a_block_would_end_stands_in_parentheses() {
        let stands = |text: &str| {
            let expr: syn::Expr = syn::parse_str(text).expect("an expression");
            tail(&expr).to_string().starts_with('(')
        };
        let ended = [
            "{ a } - b",
            "'a: { } = b",
            "if a { } else { } as f64",
            "match a { } > b",
            "unsafe { a }[0]",
        ];
        for text in ended {
            assert!(stands(text), "{text}");
        }
        for text in [
            "a - b",
            "{ a }",
            "{ a }.b()",
            "match a { }",
            "S { a } + b",
            "vec![a].len()",
        ] {
            assert!(!stands(text), "{text}");
        }
    }
}
