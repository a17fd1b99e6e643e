//! Arguments that are computed whether or not they are needed: `o.unwrap_or(v.pop().unwrap())` takes an entry away even if there is a
//! value. Those that change something get a name first, since the branches that these methods become would compute them where they are read.
//!
//! ```text
//! // a.or(v.pop())
//! { let first = a; let eager = v.pop(); first.or(eager) }
//! ```

use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall};

use crate::differentiable::methods::table::{self, Fact};
use crate::differentiable::methods::{operations, paths};
use crate::differentiable::syntax::chains;
use crate::differentiable::syntax::names::hidden;

/// The call with names for its receiver and such an argument.
pub(crate) fn named(call: &ExprMethodCall) -> Option<Expr> {
    let eager = table::is(&call.method.to_string(), Fact::Eager);
    let argument = call.args.first().filter(|_| eager)?;
    // a container's `insert(index, value)`; what is lent is not changed by that
    let of_option = call.args.len() == 1 || call.method == "map_or";
    let lends = matches!(argument, Expr::Reference(_));
    if !of_option || lends || chains::is_chain(&call.receiver) || !has_effects(argument) {
        return None;
    }
    let (first, eager) = (hidden("first_of_all"), hidden("eager"));
    let mut named = call.clone();
    named.args[0] = syn::parse_quote!(#eager);
    let (receiver, is_place) = (&call.receiver, is_place(&call.receiver));
    if is_place {
        return Some(syn::parse_quote!({ let #eager = #argument; #named }));
    }
    *named.receiver = syn::parse_quote!(#first);
    Some(syn::parse_quote!({ let #first = #receiver; let #eager = #argument; #named }))
}

/// Whether an expression is a name, or a part of what a name stands for.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Field(field) => is_place(&field.base),
        Expr::Paren(paren) => is_place(&paren.expr),
        _ => false,
    }
}

/// Whether an expression changes something, as far as it is seen: what a function does that is lent nothing is not.
pub(crate) fn has_effects(expr: &Expr) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr_assign(&mut self, _: &'ast syn::ExprAssign) {
            self.0 = true;
        }
        fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
            self.0 |= operations::compound(&binary.op).is_some();
            visit::visit_expr_binary(self, binary);
        }
        fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
            self.0 |= reference.mutability.is_some();
            visit::visit_expr_reference(self, reference);
        }
        fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
            let name = call.method.to_string();
            self.0 |= table::changes(&name) || table::is(&name, Fact::Steps);
            visit::visit_expr_method_call(self, call);
        }
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            self.0 |= ["take", "replace", "swap"]
                .iter()
                .any(|name| paths::is(&call.func, &["mem", name], 1));
            visit::visit_expr_call(self, call);
        }
        // what a closure does counts where it is called
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut find = Find(false);
    find.visit_expr(expr);
    find.0
}
