//! Asserts that a receiver is lent while the arguments of its call are computed, and so the same before and after them.
//!
//! A method that takes its receiver by value gets what it was before: `p.moved(p.eat())`. Generated code reads it afterwards.

use proc_macro2::Span;
use quote::quote_spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprMethodCall};

use super::places;
use crate::differentiable::{Change, change_of_receiver, is_given};

/// Holds the receiver wherever an argument gives it to something that may change it. How often that was.
pub(super) fn during_arguments(call: &mut ExprMethodCall) -> usize {
    // what surely changes it is seen by the compiler, too
    if change_of_receiver(call) != Change::Perhaps {
        return 0;
    }
    let Some(receiver) = places::again(&call.receiver) else {
        return 0;
    };
    let at = call.method.span();
    let mut hold = Hold {
        receiver,
        at,
        held: 0,
    };
    call.args.iter_mut().for_each(|a| hold.visit_expr_mut(a));
    hold.held
}

struct Hold {
    receiver: Expr,
    at: Span,
    held: usize,
}

impl VisitMut for Hold {
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let given = is_given(expr, &self.receiver);
        visit_mut::visit_expr_mut(self, expr);
        if given {
            let receiver = &self.receiver;
            self.held += 1;
            *expr = syn::parse2(quote_spanned! {self.at=>
                ::coenzyme::__private::bind_the_receiver_to_a_name_first(&#receiver, #expr)
            })
            .expect("a call is an expression");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_is_held_while_a_method_may_change_it() {
        let mut call = syn::parse_quote!(p.moved(2.0 * p.eat()));
        assert_eq!(during_arguments(&mut call), 1);
        let held: ExprMethodCall = syn::parse_quote!(
            p.moved(2.0 * ::coenzyme::__private::bind_the_receiver_to_a_name_first(&p, p.eat()))
        );
        assert_eq!(
            quote::quote!(#call).to_string(),
            quote::quote!(#held).to_string()
        );
    }
}
