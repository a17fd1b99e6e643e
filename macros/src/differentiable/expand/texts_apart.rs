//! What goes through the parts of a text gets names of its own: what is known of a name is known of all that the body calls so.
//!
//! ```text
//! // fn f(c: f64) { for c in "12x".chars() { … c.to_digit(10) … } }
//! for __c_of_text0 in "12x".chars() { … __c_of_text0.to_digit(10) … }
//! ```

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Lit, Pat};

use super::shadowed::renamed_within;
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::chains;
use crate::differentiable::syntax::names::hidden;

/// Renames what loops and closures over texts bind, where the body or its parameters have something else of the same name.
pub(crate) fn written_out(body: &mut syn::Block, parameters: impl Iterator<Item = String>) {
    let mut bound = Bound(parameters.collect());
    bound.visit_block(body);
    let renamed = 0;
    Apart { bound, renamed }.visit_block_mut(body);
}

/// The names that are bound, as often as they are.
struct Bound(Vec<String>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.0.push(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
}

struct Apart {
    bound: Bound,
    renamed: usize,
}

impl Apart {
    /// The names of patterns that something else has too, each with another.
    fn others<'p>(&mut self, pats: impl Iterator<Item = &'p Pat>) -> Vec<(Ident, Ident)> {
        let mut others = Vec::new();
        for name in pats.flat_map(bound_names) {
            let raw = name.starts_with("r#");
            if self.bound.0.iter().filter(|bound| **bound == name).count() > 1 && !raw {
                let fresh = hidden(&format!("{name}_of_text{}", self.renamed));
                others.push((quote::format_ident!("{name}"), fresh));
                self.renamed += 1;
            }
        }
        others
    }
}

impl VisitMut for Apart {
    fn visit_expr_for_loop_mut(&mut self, l: &mut syn::ExprForLoop) {
        visit_mut::visit_expr_for_loop_mut(self, l);
        if is_of_texts(&l.expr) {
            let others = self.others(std::iter::once(&*l.pat));
            let body = &l.body;
            let mut inside: Expr = syn::parse_quote!(#body);
            for (name, fresh) in others {
                renamed_within(std::iter::once(&mut *l.pat), &mut inside, (&name, &fresh));
            }
            if let Expr::Block(body) = inside {
                l.body = body.block;
            }
        }
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        if !is_of_texts(&call.receiver) {
            return;
        }
        for arg in &mut call.args {
            let Expr::Closure(f) = arg else { continue };
            for (name, fresh) in self.others(f.inputs.iter()) {
                renamed_within(f.inputs.iter_mut(), &mut f.body, (&name, &fresh));
            }
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether a chain goes through the parts of a text or through texts that are written there.
fn is_of_texts(chain: &Expr) -> bool {
    match chain {
        Expr::Paren(paren) => is_of_texts(&paren.expr),
        Expr::Reference(lent) => is_of_texts(&lent.expr),
        Expr::Array(list) => {
            let is_text = |e: &Expr| matches!(e, Expr::Lit(lit) if matches!(lit.lit, Lit::Str(_) | Lit::Char(_)));
            !list.elems.is_empty() && list.elems.iter().all(is_text)
        }
        Expr::MethodCall(call) => chains::gives_a_list(chain) || is_of_texts(&call.receiver),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn written(text: &str) -> String {
        let mut block: syn::Block = syn::parse_str(text).expect("a block");
        written_out(&mut block, ["c".to_owned()].into_iter());
        block.to_token_stream().to_string()
    }

    #[test]
    fn parts_of_texts_get_names_of_their_own() {
        for (text, renamed) in [
            ("{ for c in t.chars() { g(c) } c }", 2),
            ("{ for (i, c) in t.chars().enumerate() { g(c, i) } c }", 2),
            (
                "{ let n = [\"a\", \"b\"].iter().map(|c| c.len()).sum(); c }",
                2,
            ),
            ("{ for c in t.chars() { println!(\"{c}\"); } c }", 0),
            ("{ for d in t.chars() { g(d) } c }", 0),
            ("{ x.iter().map(|c| c * c).sum() }", 0),
        ] {
            assert_eq!(written(text).matches("of_text").count(), renamed, "{text}");
        }
    }
}
