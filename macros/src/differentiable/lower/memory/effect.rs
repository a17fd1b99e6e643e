//! What methods and `swap` do to memory.

use proc_macro2::{Ident, Span};
use quote::quote;
use syn::{Expr, ExprMethodCall};

use crate::differentiable::expand::permutations::as_loops;
use crate::differentiable::ir::*;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::{calls, table};
use crate::differentiable::syntax::names::{self, hidden};

/// What is said of `x[i][j].push(y)`, and where `x` is a slice or a value of another type.
pub(crate) const KEEPS_ITS_LENGTH: &str = "only a vector with a name, or a field or an entry of one with a name, gets another length here, a shadow with it: \
    build a vector with `to_vec` or `Vec::new`, and assign it";

/// The function that says in which order a method puts the entries.
fn order_of(method: &str) -> Option<&'static str> {
    Some(match method {
        "sort_by" | "sort_unstable_by" => "order_of",
        "sort_by_key" | "sort_unstable_by_key" | "sort_by_cached_key" => "order_by_key",
        "select_nth_unstable_by" => "order_after_selection",
        _ => return None,
    })
}

impl Lower<'_> {
    pub(crate) fn method_statement(&mut self, call: &ExprMethodCall) {
        let name = call.method.to_string();
        let expr = Expr::MethodCall(call.clone());
        if self.step_statement(call) {
            return;
        }
        // of a type of the user's: whatever its name, the method is
        let of_own_field = || {
            table::resizes(&name) && self.callees.knows(&name) && self.may_be_own(&call.receiver)
        };
        let is_own = self.is_own(&call.receiver) || self.is_own_local(&call.receiver);
        let own = (is_own || of_own_field())
            && self.is_varied(&call.receiver)
            && (table::is_std_method(&name) || table::returns_nothing(&name));
        if own || calls::is_stranger(call) && self.is_varied(&expr) {
            self.method_call(call, false, Unpack::Plain);
            return;
        }
        if self.is_varied(&expr) && self.unwrapped_call(call, false).is_some() {
            return;
        }
        let place = self.place(&call.receiver);
        let moves = place.as_ref().is_some_and(|p| {
            self.place_varied(p) && (!table::resizes(&name) || self.is_growing(p))
        });
        if let (true, Some(loops)) = (moves, as_loops(call)) {
            return self.expression_statement(&loops);
        }
        match (name.as_str(), place) {
            ("copy_from_slice" | "clone_from_slice", Some(to)) => self.copy_slice(call, to),
            ("fill", Some(place)) => {
                let value = self.first_argument(call);
                self.written(&place);
                self.push(Item::Fill { place, value });
            }
            ("push" | "remove" | "swap_remove" | "pop", Some(place))
                if self.place_varied(&place) && self.is_growing(&place) =>
            {
                self.change_of_length(&name, call, place);
            }
            ("swap", Some(place)) if call.args.len() == 2 => self.swap_entries(call, place),
            (name, Some(place)) if self.place_varied(&place) && order_of(name).is_some() => {
                self.sort(call);
            }
            (name, Some(place))
                if self.place_varied(&place)
                    && table::resizes(name)
                    && !self.is_growing(&place) =>
            {
                self.errors.at(&call.method, KEEPS_ITS_LENGTH);
            }
            _ if self.is_varied(&expr) && self.array_statement(call) => {}
            _ if self.for_each(call) => {}
            (_, place) => self.other_statement(call, place),
        }
    }

    fn first_argument(&mut self, call: &ExprMethodCall) -> Atom {
        match call.args.first() {
            Some(value) => self.value(value),
            None => self.nothing(),
        }
    }

    /// `v.push(x)`, `v.pop()`, `v.remove(i)` of an active local.
    fn change_of_length(&mut self, name: &str, call: &ExprMethodCall, place: Place) {
        match name {
            "push" => {
                let value = self.first_argument(call);
                self.written(&place);
                self.push(Item::Push { place, value });
            }
            _ => {
                if name != "pop" {
                    self.last_becomes(call);
                }
                self.written(&place);
                self.push(Item::Pop { place });
            }
        }
    }

    /// `x.swap(i, j)`
    fn swap_entries(&mut self, call: &ExprMethodCall, mut place: Place) {
        let (i, j) = (self.index(&call.args[0]), self.index(&call.args[1]));
        place.uses.extend(&i.uses);
        place.uses.extend(&j.uses);
        self.written(&place);
        self.push(Item::Swap {
            place,
            i: i.tokens,
            j: j.tokens,
        });
    }

    /// A method that nothing is known of, or that has no derivative.
    fn other_statement(&mut self, call: &ExprMethodCall, place: Option<Place>) {
        let (name, expr) = (call.method.to_string(), Expr::MethodCall(call.clone()));
        let varied_place = place.as_ref().is_some_and(|p| self.place_varied(p));
        let active = varied_place && !calls::is_query(call) || self.is_varied(&expr);
        if active && !calls::is_std_call(call) {
            self.method_call(call, false, Unpack::Plain);
        } else if active {
            self.errors.at(
                &call.method,
                format!("what the method `{name}` does to active memory is not known: write a loop, or a function marked `#[differentiable]` or `#[primitive]`"),
            );
        } else {
            if let Some(part) = self.part_of(&call.receiver) {
                self.written(part.whole());
            }
            if let Some(place) = place {
                self.written(&place);
            }
            let tokens = self.live(&expr);
            self.push(Item::Verbatim(quote!(#tokens;)));
        }
    }

    /// `to.copy_from_slice(&from)`
    fn copy_slice(&mut self, call: &ExprMethodCall, to: Place) {
        let from = call.args.first();
        if let Some(mut from) = from.and_then(|from| self.place(from)) {
            // the other half of a split
            if from.base == to.base {
                from = self.copy_apart(&from);
            }
            self.written(&to);
            self.push(Item::Copy { to, from });
            return;
        }
        match from {
            Some(Expr::Reference(lent)) if is_made(&lent.expr) => {
                let (all, method, made) = (&call.receiver, &call.method, &lent.expr);
                let copied = hidden("copied");
                self.expression_statement(&syn::parse_quote!({
                    let #copied = #made;
                    #all.#method(&#copied);
                }));
            }
            _ => self
                .errors
                .at(&call.args, "copy from a slice that has a name"),
        }
    }

    /// `v.remove(i)`, `v.swap_remove(i)`: the entry goes to the end, and leaves.
    pub(crate) fn removed(&mut self, call: &ExprMethodCall) -> Atom {
        self.last_becomes(call);
        let all = &call.receiver;
        self.value(&syn::parse_quote!(#all.pop().unwrap()))
    }

    /// What stands in front of the `pop` that a removal is: the entry goes to the end.
    fn last_becomes(&mut self, call: &ExprMethodCall) {
        let all = &call.receiver;
        let Some(index) = call.args.first() else {
            return;
        };
        let [at, k] = ["at", "k"].map(hidden);
        self.expression_statement(&match call.method == "remove" {
            true => syn::parse_quote!({
                let #at: usize = #index;
                for #k in #at + 1..#all.len() { #all.swap(#k - 1, #k); }
            }),
            false => syn::parse_quote!({
                let #at: usize = #index;
                #all.swap(#at, #all.len() - 1);
            }),
        });
    }

    /// `v.sort_by(compare)`: the order is found in the primal, the entries are gathered by it.
    fn sort(&mut self, call: &ExprMethodCall) {
        let (all, args) = (&call.receiver, &call.args);
        let order = order_of(&call.method.to_string()).expect("a method that sorts");
        let order = Ident::new(order, Span::mixed_site());
        let order: Expr = syn::parse_quote!(::coenzyme::__private::#order(&#all, #args));
        let order = self.plain(&order).expr;
        let order = self.def(DefKind::Opaque(order), false);
        self.scopes.push(Default::default());
        self.bind("__order", Binding::Def(order));
        self.expression_statement(&syn::parse_quote!({
            let __before = #all.to_vec();
            for __k in 0..__before.len() { #all[__k] = __before[__order[__k]]; }
        }));
        self.scopes.pop();
    }

    /// `std::mem::swap(&mut a, &mut b)`.
    pub(crate) fn swap_places(&mut self, call: &syn::ExprCall) {
        // the names of references, which lead elsewhere afterwards
        let leads = |this: &Self, arg: &Expr| match arg {
            Expr::Reference(reference) => names::simple_name(&reference.expr)
                .and_then(|n| this.lookup(&n))
                .is_some_and(|b| match b {
                    Binding::Alias { .. } | Binding::View(_) => true,
                    Binding::Root(r) => {
                        matches!(this.program.roots[*r].kind, RootKind::Param { .. })
                    }
                    _ => false,
                }),
            _ => false,
        };
        if call.args.iter().any(|arg| leads(self, arg)) {
            return self.errors.at(
                &call.args,
                "references that change places are followed where one block binds them, and nothing else is assigned to them: bind both in front of the loop, or swap the vectors that they lead to",
            );
        }
        match (self.place(&call.args[0]), self.place(&call.args[1])) {
            (Some(a), Some(b)) => {
                if self.is_scalar(&a) && self.is_scalar(&b)
                    || !a.suffix.is_empty()
                    || !b.suffix.is_empty()
                {
                    let (x, y) = (self.read(a.clone()), self.read(b.clone()));
                    let read = [&x, &y].into_iter().filter_map(Atom::def);
                    self.program.exchanged.extend(read);
                    self.set(a, y);
                    self.set(b, x);
                } else {
                    self.written(&a);
                    self.written(&b);
                    self.push(Item::Exchange { a, b });
                }
            }
            _ => self.errors.at(&call.args, "swap places that have names"),
        }
    }
}

/// Whether an expression makes what nothing else holds.
fn is_made(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) | Expr::Array(_) | Expr::Repeat(_)
    )
}
