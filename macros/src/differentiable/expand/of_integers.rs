//! Methods of the standard library's integers, and functions that give an integer: what they give has no derivative, whatever they are called with, as
//! its type must say.
//!
//! ```text
//! // self.state.wrapping_mul(5) ^ self.state.rotate_left(7)
//! inert(self.state.wrapping_mul(5)) ^ inert(Integer::rotated_left(self.state, 7))
//! ```
//!
//! A slice's `rotate_left` gives nothing, so that one whose value is used is an integer's.

use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, ExprMethodCall};

/// Methods that integers have, and no other number.
const NAMES: [&str; 18] = [
    "abs_diff",
    "count_ones",
    "count_zeros",
    "div_ceil",
    "ilog",
    "ilog10",
    "ilog2",
    "is_power_of_two",
    "isqrt",
    "leading_ones",
    "leading_zeros",
    "next_multiple_of",
    "next_power_of_two",
    "reverse_bits",
    "swap_bytes",
    "trailing_ones",
    "trailing_zeros",
    "unsigned_abs",
];

/// What is said before an operation of what becomes of a result that has no room.
const PREFIXES: [&str; 4] = ["checked_", "overflowing_", "saturating_", "wrapping_"];

const OPERATIONS: [&str; 11] = [
    "abs", "add", "div", "ilog2", "mul", "neg", "pow", "rem", "shl", "shr", "sub",
];

/// Marks what such a method gives, where `may_be_active` says that its text does not tell, and what the calls give that `gives_inert` knows of; whether
/// there is one.
pub(crate) fn written_out(
    body: &mut syn::Block,
    may_be_active: impl Fn(&ExprMethodCall) -> bool,
    gives_inert: impl Fn(&ExprCall) -> bool,
) -> bool {
    let mut integers = Integers {
        may_be_active,
        gives_inert,
        found: false,
    };
    integers.visit_block_mut(body);
    integers.found
}

fn is_of_integers(name: &str) -> bool {
    let operation = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix));
    NAMES.contains(&name) || operation.is_some_and(|operation| OPERATIONS.contains(&operation))
}

struct Integers<F, G> {
    may_be_active: F,
    gives_inert: G,
    found: bool,
}

impl<F: Fn(&ExprMethodCall) -> bool, G: Fn(&ExprCall) -> bool> VisitMut for Integers<F, G> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        for operand in operands(expr) {
            self.rotated(operand);
        }
        let span = match &*expr {
            Expr::MethodCall(call)
                if is_of_integers(&call.method.to_string()) && (self.may_be_active)(call) =>
            {
                call.method.span()
            }
            Expr::Call(call) if (self.gives_inert)(call) => call.func.span(),
            _ => return,
        };
        self.found = true;
        *expr = syn::parse_quote_spanned!(span=> ::coenzyme::__private::inert(#expr));
    }
    fn visit_local_init_mut(&mut self, init: &mut syn::LocalInit) {
        visit_mut::visit_local_init_mut(self, init);
        self.rotated(&mut init.expr);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl<F: Fn(&ExprMethodCall) -> bool, G> Integers<F, G> {
    /// Calls the method of integers by its path, where the value of the expression is used.
    fn rotated(&mut self, used: &mut Expr) {
        let Expr::MethodCall(call) = &*used else {
            return;
        };
        let path: syn::Path = match call.method.to_string().as_str() {
            "rotate_left" => syn::parse_quote!(::coenzyme::__private::Integer::rotated_left),
            "rotate_right" => syn::parse_quote!(::coenzyme::__private::Integer::rotated_right),
            _ => return,
        };
        if call.args.len() == 1 && (self.may_be_active)(call) {
            self.found = true;
            let (span, of, by) = (call.method.span(), &call.receiver, &call.args[0]);
            *used = syn::parse_quote_spanned!(span=> ::coenzyme::__private::inert(#path(#of, #by)));
        }
    }
}

/// The parts of an expression whose values it computes with.
fn operands(expr: &mut Expr) -> Vec<&mut Expr> {
    match expr {
        Expr::Assign(assign) => vec![&mut assign.right],
        Expr::Binary(binary) => vec![&mut binary.left, &mut binary.right],
        Expr::Cast(cast) => vec![&mut cast.expr],
        Expr::MethodCall(call) => vec![&mut call.receiver],
        Expr::Paren(paren) => vec![&mut paren.expr],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn written(text: &str, inactive: &str) -> String {
        let mut block: syn::Block = syn::parse_str(text).expect("a block");
        written_out(
            &mut block,
            |call| call.method != inactive,
            |call| call.func == syn::parse_quote!(next),
        );
        block.to_token_stream().to_string()
    }

    #[test]
    fn what_integers_give_is_marked() {
        let marked = written("{ s.n.wrapping_add(1).count_ones() + a.sin() }", "");
        assert_eq!(marked.matches("inert").count(), 2, "{marked}");
    }

    #[test]
    fn what_functions_give_is_marked() {
        let marked = written("{ let b = next(s.n); f(s.x) }", "");
        assert!(marked.contains("inert (next (s . n))"), "{marked}");
    }

    #[test]
    fn integers_are_rotated_and_slices_are_not() {
        let written = written("{ s.n = s.n.rotate_left(3) ^ 1; s.v.rotate_left(1); }", "");
        assert_eq!(written.matches("rotated_left").count(), 1, "{written}");
    }

    #[test]
    fn what_is_inactive_anyway_is_not() {
        let left = written("{ left.checked_sub(n) + a.sin() }", "checked_sub");
        assert!(!left.contains("inert"), "{left}");
    }
}
