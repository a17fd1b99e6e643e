//! For the tests of the premises: what becomes of a method call in a function.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ItemFn;
use syn::spanned::Spanned;
use syn::visit::Visit;

use super::front::callable;
use super::lower;
use super::methods::operations;
use crate::errors::Errors;
use crate::premises::{self, Site};

/// What becomes of a call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// The function is refused, or the call does not parse.
    Refused,
    /// The type of the receiver decides.
    ByType,
    /// The name decides, and the witness asserts that it may.
    Asserted,
    /// The name decides.
    Believed,
}

/// What stands in a function where a name may be believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Method,
    Function,
    Macro,
}

/// What becomes of the last use of `name` in this role.
pub(crate) fn fate(program: &str, name: &str, role: Role) -> Fate {
    let Ok(mut item) = syn::parse_str::<ItemFn>(program) else {
        return Fate::Refused;
    };
    let Some((site, arguments)) = found(&item, name, role) else {
        return Fate::Refused;
    };
    let mut errors = Errors::default();
    let function = callable::parse(&item.vis, &mut item.sig, &mut errors);
    let program = lower::lower(&function, &item.block, &mut errors);
    if !errors.is_empty() {
        return Fate::Refused;
    }
    let operation = operations::method(name, arguments).is_some() || name == "sin_cos";
    let by_type = role == Role::Method && operation;
    if by_type || program.decisions.by_rule.contains(&site) {
        return Fate::ByType;
    }
    let witness = premises::witness(
        &function.name,
        &function.written,
        &item.block,
        &program.decisions,
    );
    match asserts(witness.tokens, name, role) {
        true => Fate::Asserted,
        false => Fate::Believed,
    }
}

/// Where a name stands, and with how many arguments.
fn found(item: &ItemFn, name: &str, role: Role) -> Option<(Site, usize)> {
    struct Find<'a>(&'a str, Role, Option<(Site, usize)>);
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            if self.1 == Role::Method && call.method == self.0 {
                self.2 = Some((Site::of(call.method.span()), call.args.len()));
            }
            syn::visit::visit_expr_method_call(self, call);
        }
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            if let (Role::Function, syn::Expr::Path(path)) = (self.1, &*call.func)
                && path.path.segments.last().is_some_and(|s| s.ident == self.0)
            {
                self.2 = Some((Site::of(path.span()), call.args.len()));
            }
            syn::visit::visit_expr_call(self, call);
        }
        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            if self.1 == Role::Macro && mac.path.is_ident(self.0) {
                self.2 = Some((Site::of(mac.path.span()), 0));
            }
        }
    }
    let mut find = Find(name, role, None);
    find.visit_item_fn(item);
    find.2
}

/// Whether a witness asserts anything of this name.
fn asserts(witness: TokenStream, name: &str, role: Role) -> bool {
    let Ok(syn::Item::Const(witness)) = syn::parse2(witness) else {
        return false;
    };
    struct Find<'a>(&'a str, Role, bool);
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_expr(&mut self, expr: &'ast syn::Expr) {
            self.2 |= match expr {
                // `assertion(call)`, `assertion(function, meant)`, `Iterator::method(receiver)`
                syn::Expr::Call(call) => is_ours(&call.func) && names(call, self.0),
                // `assertion(receiver).call()`
                syn::Expr::MethodCall(call) => {
                    call.method == self.0
                        && matches!(&*call.receiver, syn::Expr::Call(inner) if is_ours(&inner.func))
                }
                // `(assertion, call).1`
                syn::Expr::Tuple(tuple) => self.1 == Role::Method && names(&tuple.elems, self.0),
                _ => false,
            };
            syn::visit::visit_expr(self, expr);
        }
        fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
            self.2 |= self.1 == Role::Macro && names(item, self.0);
        }
    }
    let mut find = Find(name, role, false);
    find.visit_item_const(&witness);
    find.2
}

/// Whether a function is one that asserts, or one of `Iterator` by its path.
fn is_ours(func: &syn::Expr) -> bool {
    matches!(func, syn::Expr::Path(path) if path.path.leading_colon.is_some())
}

fn names(tokens: &impl ToTokens, name: &str) -> bool {
    fn find(tokens: TokenStream, name: &str) -> bool {
        tokens.into_iter().any(|tree| match tree {
            proc_macro2::TokenTree::Ident(ident) => ident == name,
            proc_macro2::TokenTree::Group(group) => find(group.stream(), name),
            _ => false,
        })
    }
    find(tokens.to_token_stream(), name)
}
