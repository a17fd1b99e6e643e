//! Methods of the standard library's integers: what they give has no derivative, whatever they are called on, as its type must say.
//!
//! ```text
//! // self.state.wrapping_mul(5)
//! inert(self.state.wrapping_mul(5))
//! ```

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprMethodCall};

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

/// Marks what such a method gives, where `may_be_active` says that its text does not tell; whether there is one.
pub(crate) fn written_out(
    body: &mut syn::Block,
    may_be_active: impl Fn(&ExprMethodCall) -> bool,
) -> bool {
    let mut integers = Integers {
        may_be_active,
        found: false,
    };
    integers.visit_block_mut(body);
    integers.found
}

fn is_of_integers(name: &str) -> bool {
    let operation = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix));
    NAMES.contains(&name) || operation.is_some_and(|operation| OPERATIONS.contains(&operation))
}

struct Integers<F> {
    may_be_active: F,
    found: bool,
}

impl<F: Fn(&ExprMethodCall) -> bool> VisitMut for Integers<F> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let Expr::MethodCall(call) = &*expr else {
            return;
        };
        if is_of_integers(&call.method.to_string()) && (self.may_be_active)(call) {
            self.found = true;
            let span = call.method.span();
            *expr = syn::parse_quote_spanned!(span=> ::coenzyme::__private::inert(#expr));
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;

    use super::*;

    fn written(text: &str, inactive: &str) -> String {
        let mut block: syn::Block = syn::parse_str(text).expect("a block");
        written_out(&mut block, |call| call.method != inactive);
        block.to_token_stream().to_string()
    }

    #[test]
    fn what_integers_give_is_marked() {
        let marked = written("{ s.n.wrapping_add(1).count_ones() + a.sin() }", "");
        assert_eq!(marked.matches("inert").count(), 2, "{marked}");
    }

    #[test]
    fn what_is_inactive_anyway_is_not() {
        let left = written("{ left.checked_sub(n) + a.sin() }", "checked_sub");
        assert!(!left.contains("inert"), "{left}");
    }
}
