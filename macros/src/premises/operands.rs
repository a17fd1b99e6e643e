//! Asserts that an operand is a reference, or a value, where the compiler took it for one.

use quote::{format_ident, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use crate::differentiable::OperandForm;

/// An operand whose type is asked for: of a number or an array it does not matter.
pub(super) fn asserted(operand: &Expr, form: OperandForm) -> Expr {
    let at = operand.span();
    let ask = match form {
        OperandForm::Reference => format_ident!("taken_for_a_reference", span = at),
        OperandForm::Value => format_ident!("taken_for_a_value", span = at),
    };
    // what is expected of the whole, `-n` of a reference `n`, says nothing of the operand
    syn::parse2(quote_spanned!(at=> (::coenzyme::__private::form::#ask(#operand),).0))
        .expect("a field is an expression")
}
