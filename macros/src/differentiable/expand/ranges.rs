//! Ranges under a name, where they are run through or are an index: `let w = 1..4; v[w]` is `v[w.start..w.end]`.

use std::collections::HashMap;

use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Local, Pat, Type};

use crate::differentiable::syntax::names::simple_name;
use crate::files::own_names;
use crate::signature::{Function, Passing};

/// Methods of a range that are those of an iterator.
const ADAPTORS: &[&str] = &[
    "all",
    "any",
    "chain",
    "enumerate",
    "filter",
    "filter_map",
    "flat_map",
    "fold",
    "for_each",
    "map",
    "rev",
    "scan",
    "skip",
    "step_by",
    "sum",
    "take",
    "take_while",
    "zip",
];

/// Writes ranges that have a name out, by their ends.
pub(crate) fn written_out(function: &Function, body: &mut Block) {
    let mut found = Found::default();
    for param in &function.params {
        let name = param.name.to_string();
        *found.bound.entry(name.clone()).or_default() += 1;
        if param.passing == Passing::Value && param.pattern.is_none() && is_range(&param.ty) {
            found.ranges.push(name);
        }
    }
    found.visit_block(body);
    let Found { bound, ranges } = found;
    let ranges: Vec<_> = ranges.into_iter().filter(|r| bound[r] == 1).collect();
    if !ranges.is_empty() {
        Write(ranges).visit_block_mut(body);
    }
}

/// The standard library's `Range<usize>`, by all of its path or by what the file imports: another one of that name may give other numbers.
fn is_range(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let segments: Vec<_> = path.path.segments.iter().map(|s| &s.ident).collect();
    match segments[..] {
        [name] => name == "Range" && own_names::is_of_std(name),
        [of, ops, name] => (of == "std" || of == "core") && ops == "ops" && name == "Range",
        _ => false,
    }
}

/// The names that are bound, how often, and those of ranges that do not change.
#[derive(Default)]
struct Found {
    bound: HashMap<String, usize>,
    ranges: Vec<String>,
}

impl<'ast> Visit<'ast> for Found {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        *self.bound.entry(pat.ident.to_string()).or_default() += 1;
        visit::visit_pat_ident(self, pat);
    }

    fn visit_local(&mut self, local: &'ast Local) {
        let (pat, typed) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, is_range(&typed.ty)),
            pat => (pat, false),
        };
        let copied = local.init.as_ref().is_some_and(|init| match &*init.expr {
            Expr::MethodCall(call) if call.method == "clone" => {
                simple_name(&call.receiver).is_some_and(|name| self.ranges.contains(&name))
            }
            _ => false,
        });
        let written = local.init.as_ref().is_some_and(|init| {
            matches!(
                &*init.expr,
                Expr::Range(syn::ExprRange {
                    start: Some(_),
                    end: Some(_),
                    limits: syn::RangeLimits::HalfOpen(_),
                    ..
                })
            )
        });
        if let (Pat::Ident(name), true) = (pat, typed || written || copied)
            && name.mutability.is_none()
            && name.by_ref.is_none()
        {
            self.ranges.push(name.ident.to_string());
        }
        visit::visit_local(self, local);
    }
}

/// Writes these ranges by their ends.
struct Write(Vec<String>);

impl Write {
    /// Writes out a range, `r` or `r.clone()`.
    fn range(&self, expr: &mut Expr) {
        let named = match &*expr {
            Expr::MethodCall(call) if call.method == "clone" => &call.receiver,
            Expr::Paren(inner) => &inner.expr,
            named => named,
        };
        if simple_name(named).is_some_and(|name| self.0.contains(&name)) {
            *expr = syn::parse_quote!((#named.start..#named.end));
        }
    }
}

impl VisitMut for Write {
    fn visit_expr_index_mut(&mut self, index: &mut syn::ExprIndex) {
        visit_mut::visit_expr_index_mut(self, index);
        self.range(&mut index.index);
        if let Expr::Paren(range) = &*index.index
            && matches!(&*range.expr, Expr::Range(_))
        {
            *index.index = (*range.expr).clone();
        }
    }

    fn visit_expr_for_loop_mut(&mut self, each: &mut syn::ExprForLoop) {
        visit_mut::visit_expr_for_loop_mut(self, each);
        self.range(&mut each.expr);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        if ADAPTORS.iter().any(|name| call.method == name) {
            self.range(&mut call.receiver);
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::written_out;
    use crate::differentiable::front::callable;
    use crate::errors::Errors;

    fn written(text: &str) -> String {
        let mut item = syn::parse_str(text).expect("a function");
        let (function, mut body) = callable::parse_item(&mut item, &mut Errors::default());
        written_out(&function, &mut body);
        body.to_token_stream().to_string().replace(' ', "")
    }

    #[test]
    fn a_range_is_written_by_its_ends() {
        let local = "fn f(v: &[f64]) -> f64 { let w = 1..4; let c = w.clone(); v[w].len() + c.rev().count() }";
        let expected =
            "{letw=1..4;letc=w.clone();v[w.start..w.end].len()+(c.start..c.end).rev().count()}";
        assert_eq!(written(local), expected);
        let param = "fn f(v: &[f64], r: std::ops::Range<usize>) -> f64 { for i in r.clone() {} }";
        assert_eq!(written(param), "{foriin(r.start..r.end){}}");
    }

    #[test]
    fn other_ranges_stay() {
        for text in [
            "fn f(v: &[f64], r: geometry::Range<usize>) -> f64 { for i in r {} }",
            "fn f(v: &[f64], r: Range<usize>) -> f64 { for i in r {} }",
            "fn f(v: &[f64], r: &std::ops::Range<usize>) -> f64 { for i in r {} }",
            "fn f(v: &[f64]) -> f64 { let mut r = 0..3; for i in r {} }",
            "fn f(v: &[f64]) -> f64 { let r = 0..3; let r = steps(r); for i in r {} }",
        ] {
            assert!(written(text).ends_with("foriinr{}}"), "{text}");
        }
    }
}
