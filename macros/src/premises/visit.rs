//! Asserts each premise where its name stands.

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprCall, ExprMethodCall, FnArg, Pat, Signature};

use super::callees::Callees;
use super::names::{self, Meaning};
use super::{Decisions, Site, fields, held, operands, places, types};
use crate::differentiable::methods::table::{self, Fact};
use crate::differentiable::methods::{operations, paths};
use crate::differentiable::{Receivers, is_pure, lent_back, of_libm};
use crate::files::{own_index, own_names};
use crate::signature::{Converted, converted};

pub(super) struct Assert<'a> {
    decisions: &'a Decisions,
    /// The names of the parameters.
    params: Vec<Ident>,
    /// The parameters of which all is known is what they are converted into.
    converted: Vec<Converted>,
    /// The names that something can be changed by.
    mutable: HashSet<Ident>,
    /// What its calls mean, if that can be asked.
    pub(super) callees: Option<Callees>,
    /// Whether a type of the file has an `Index` that reads numbers.
    may_index_by_numbers: bool,
    /// What the files tell of methods.
    receivers: Rc<Receivers>,
    /// How many premises were asserted in the body.
    pub(super) asserted: usize,
    /// The macros that must be those of the standard library or of `ndarray`, and their paths.
    pub(super) macros: BTreeMap<String, TokenStream>,
}

impl<'a> Assert<'a> {
    pub(super) fn new(decisions: &'a Decisions, signature: &Signature, body: &Block) -> Self {
        let params = signature.inputs.iter().filter_map(|arg| match arg {
            FnArg::Typed(arg) => match &*arg.pat {
                Pat::Ident(name) => Some(name.ident.clone()),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
        Self {
            decisions,
            params: params.collect(),
            converted: converted(signature),
            mutable: places::mutable(signature, body),
            callees: Callees::of(signature, body).filter(|_| !decisions.callees_are_constants),
            may_index_by_numbers: own_index::may_read_numbers(&signature.ident),
            receivers: Receivers::of(&signature.ident),
            asserted: 0,
            macros: BTreeMap::new(),
        }
    }

    /// Whether tokens name anything that a derivative flows through.
    fn is_active(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            TokenTree::Ident(name) => self.decisions.varied.contains(&name.to_string()),
            TokenTree::Group(group) => self.is_active(group.stream()),
            _ => false,
        })
    }

    /// Asserts that what a loop goes over by itself, or a chain takes in, is what the standard library makes an iterator of.
    fn iterated(&mut self, over: &mut Expr) {
        let inside = match &*over {
            Expr::Reference(reference) => &*reference.expr,
            expr => expr,
        };
        let is_place = match inside {
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Unary(_) => true,
            Expr::MethodCall(copy) => ["clone", "to_vec"].iter().any(|name| copy.method == name),
            _ => false,
        };
        if is_place && self.is_active(inside.to_token_stream()) {
            self.asserted += 1;
            let asserted =
                quote_spanned!(over.span()=> ::coenzyme::__private::form::iterated(#over));
            *over = syn::parse2(asserted).expect("a call is an expression");
        }
    }

    fn method(&mut self, call: &ExprMethodCall) -> Option<Expr> {
        let name = call.method.to_string();
        let meaning = names::meaning(&name, call.args.len())?;
        let at = call.method.span();
        if self.decisions.by_rule.contains(&Site::of(at)) || !self.is_active(call.to_token_stream())
        {
            return None;
        }
        let (receiver, method, args) = (&call.receiver, &call.method, &call.args);
        let turbofish = &call.turbofish;
        Some(
            match meaning {
                Meaning::Query => syn::parse2(quote_spanned! {at=>
                    ::coenzyme::__private::inert((&#receiver).#method #turbofish(#args))
                }),
                Meaning::Comparison => syn::parse2(quote_spanned! {at=>
                    ::coenzyme::__private::inert(#call)
                }),
                Meaning::IteratorQuery if self.is_of_a_parameter(receiver) => {
                    syn::parse2(quote_spanned! {at=>
                        ::coenzyme::__private::inert((&#receiver).#method #turbofish(#args))
                    })
                }
                Meaning::IteratorQuery if name == "count" => syn::parse2(quote_spanned! {at=>
                    ::core::iter::Iterator::count(#receiver)
                }),
                Meaning::IteratorQuery => syn::parse2(quote_spanned! {at=>
                    ::core::iter::Iterator::#method(&mut #receiver, #args)
                }),
                Meaning::NotOfSlices | Meaning::Standard => return self.receiver(call, meaning),
            }
            .expect("a call is an expression"),
        )
    }

    /// Asserts that a receiver is of a type of the standard library, unless it is what one of its methods gave.
    fn receiver(&self, call: &ExprMethodCall, meaning: Meaning) -> Option<Expr> {
        let at = call.method.span();
        if !self.is_active(call.receiver.to_token_stream()) {
            return None;
        }
        if let Some(asserted) = self.conversion(call) {
            return Some(asserted);
        }
        let assertion = match meaning {
            Meaning::NotOfSlices => format_ident!("no_slice", span = at),
            _ => format_ident!("standard", span = at),
        };
        if let Some(receiver) = places::again(&call.receiver) {
            let asserted = match table::is(&call.method.to_string(), Fact::OfSlices) {
                true => {
                    let decoy = Ident::new(&call.method.to_string(), at);
                    quote_spanned! {at=> ({
                        use ::coenzyme::__private::decoys::#decoy as _;
                        let _: ::coenzyme::__private::decoys::Decoy = ::coenzyme::__private::vector(&#receiver).#decoy();
                    }, #call).1 }
                }
                false => quote_spanned! {at=>
                    (::coenzyme::__private::#assertion(&#receiver), #call).1
                },
            };
            return Some(syn::parse2(asserted).expect("a tuple is an expression"));
        }
        let is_own = match &*call.receiver {
            Expr::Call(_) => true,
            Expr::MethodCall(inner) => {
                names::meaning(&inner.method.to_string(), inner.args.len()).is_none()
                    || self
                        .decisions
                        .by_rule
                        .contains(&Site::of(inner.method.span()))
            }
            _ => false,
        };
        is_own.then(|| {
            let mut call = call.clone();
            let receiver = &call.receiver;
            let value = format_ident!("{assertion}_value", span = at);
            *call.receiver = syn::parse2(quote_spanned! {at=>
                ::coenzyme::__private::#value(#receiver)
            })
            .expect("a call is an expression");
            Expr::MethodCall(call)
        })
    }

    /// Asserts that `p.into()` of a parameter is the conversion of the standard library, which converts a type into itself by what it is.
    fn conversion(&self, call: &ExprMethodCall) -> Option<Expr> {
        let Expr::Path(path) = &*call.receiver else {
            return None;
        };
        let is_of = |c: &&Converted| path.path.is_ident(&c.name) && call.method == "into";
        let into = &self.converted.iter().find(is_of)?.into;
        let (receiver, method) = (&call.receiver, &call.method);
        let asserted = quote_spanned! {method.span()=>
            ::coenzyme::__private::converted::<#into, _>(#receiver).#method()
        };
        Some(syn::parse2(asserted).expect("a call is an expression"))
    }

    /// Asserts that what a macro asks or prints leaves what it is asked of as it is: the primal alone runs it.
    fn unchanged_by(&mut self, mac: &mut syn::Macro) {
        let args = mac.parse_body_with(Punctuated::<Expr, syn::Token![,]>::parse_terminated);
        let Ok(mut args) = args else { return };
        let mut unchanged = Unchanged(self);
        args.iter_mut()
            .for_each(|arg| unchanged.visit_expr_mut(arg));
        mac.tokens = quote!(#args);
    }

    /// Asserts that a method leaves its receiver as it is, so that it may be called again: a closure around it is `Fn`.
    fn unchanged(&self, call: &ExprMethodCall) -> Option<Expr> {
        let name = call.method.to_string();
        let root = places::root(&call.receiver)?;
        let decided = self
            .decisions
            .by_rule
            .contains(&Site::of(call.method.span()));
        let known = is_pure(&name) || self.is_active(call.receiver.to_token_stream());
        let consumes = table::is(&name, Fact::Consumes) || name == "into" || name == "clone";
        if !known || consumes || decided || !self.mutable.contains(root) || leaves(call) {
            return None;
        }
        let asserted = quote_spanned! {call.method.span()=>
            ::coenzyme::__private::unchanged(|| #call)
        };
        Some(syn::parse2(asserted).expect("a call is an expression"))
    }

    /// Asserts that the arguments of a rule's method, or of an operation, leave its receiver as it is; how often.
    fn receiver_held(&mut self, call: &mut ExprMethodCall) -> usize {
        let decided = self
            .decisions
            .by_rule
            .contains(&Site::of(call.method.span()));
        let by_value = decided || operations::is_operation(&call.method.to_string());
        let mutable = places::root(&call.receiver).is_some_and(|root| self.mutable.contains(root));
        let held = match by_value && mutable {
            true => held::during_arguments(call),
            false => 0,
        };
        self.asserted += held;
        held
    }

    /// Asserts that what is taken for the receiver of a call is lent by it.
    fn lent_back(&mut self, expr: &mut Expr) {
        let gives_back = |method: &str| self.receivers.given_back_by(method);
        if let Some(receiver) = lent_back(expr, &gives_back) {
            self.asserted += 1;
            let asserted =
                quote_spanned!(receiver.span()=> ::coenzyme::__private::lent_back(#receiver));
            *receiver = syn::parse2(asserted).expect("a call is an expression");
        }
    }

    /// Asserts that a function is the one that its path is taken for.
    fn function(&mut self, call: &mut ExprCall) -> Option<Expr> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let decided = self.decisions.by_rule.contains(&Site::of(path.span()));
        if decided && let Some(callees) = &mut self.callees {
            self.asserted += usize::from(callees.name(call));
            return None;
        }
        if decided || !self.is_active(call.args.to_token_stream()) {
            return None;
        }
        let at = path.span();
        let complex = |ty: &&str| paths::names(&path.path, &["num_complex", ty, "new"], 2);
        if names::COMPLEX.iter().any(complex) {
            self.asserted += 1;
            let asserted = quote_spanned!(at=> ::coenzyme::__private::complex(#call));
            return Some(syn::parse2(asserted).expect("a call is an expression"));
        }
        let of_crate = of_libm(&path.path).filter(|_| path.path.leading_colon.is_none());
        let meant = match of_crate {
            Some(_) => quote!(::#path),
            None => meant_by(&path.path)?,
        };
        self.asserted += 1;
        *call.func = syn::parse2(quote_spanned! {at=>
            ::coenzyme::__private::this_name_means_the_function_of_the_standard_library(#path, #meant)
        })
        .expect("a call is an expression");
        None
    }

    /// Asserts that operands are references, or values, where they were taken for them.
    fn operands<const N: usize>(&mut self, operator: Span, operands: [&mut Expr; N]) {
        let forms = self.decisions.operands.get(&Site::of(operator));
        for (operand, form) in operands.into_iter().zip(forms.into_iter().flatten()) {
            if let Some(form) = form {
                self.asserted += 1;
                *operand = operands::asserted(operand, *form);
            }
        }
    }

    /// The assertion that an assignment leaves what an `Index` gives where it is.
    fn places_kept(&self, assigned: &Expr) -> Option<Expr> {
        self.is_active(assigned.to_token_stream())
            .then(|| fields::keep_places(assigned))?
    }

    /// States an assertion after an assignment.
    fn with(&mut self, assignment: &mut Expr, asserted: Option<Expr>) {
        if let Some(asserted) = asserted {
            self.asserted += 1;
            *assignment = syn::parse_quote!((#assignment, #asserted).0);
        }
    }

    /// Whether an expression is a parameter or a field: nothing that iterates, by itself.
    fn is_of_a_parameter(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Field(_) => places::again(expr).is_some(),
            Expr::Paren(paren) => self.is_of_a_parameter(&paren.expr),
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|name| self.params.contains(name)),
            _ => false,
        }
    }
}

/// Whether an operator assigns to its left operand.
fn is_compound(op: &syn::BinOp) -> bool {
    use syn::BinOp::*;
    matches!(
        op,
        AddAssign(_)
            | SubAssign(_)
            | MulAssign(_)
            | DivAssign(_)
            | RemAssign(_)
            | BitXorAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
    )
}

/// Whether an expression leaves the function or a loop, or waits, which it cannot do inside of a closure.
fn leaves(call: &ExprMethodCall) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.0 |= matches!(
                expr,
                Expr::Return(_)
                    | Expr::Break(_)
                    | Expr::Continue(_)
                    | Expr::Try(_)
                    | Expr::Await(_)
            );
            visit::visit_expr(self, expr);
        }
    }
    let mut find = Find(false);
    find.visit_expr_method_call(call);
    find.0
}

/// The function that a path is taken for.
fn meant_by(path: &syn::Path) -> Option<TokenStream> {
    let at = path.span();
    let named = names::FUNCTIONS
        .iter()
        .find(|(item, shortest, _)| paths::names(path, item, *shortest));
    if let Some((_, _, meant)) = named {
        return Some(spanned(meant, at));
    }
    let method = &path.segments.last()?.ident;
    let (_, meant) = names::TRAITS
        .iter()
        .find(|(name, _)| path.segments.len() == 2 && path.segments[0].ident == name)?;
    if own_names::is_item(&path.segments[0].ident) {
        return None;
    }
    let meant = spanned(meant, at);
    Some(quote_spanned!(at=> <_ as #meant>::#method))
}

/// A path whose tokens point at `at`.
fn spanned(path: &str, at: Span) -> TokenStream {
    let tokens: TokenStream = path.parse().expect("a path");
    let point = |mut tree: TokenTree| {
        tree.set_span(at);
        tree
    };
    tokens.into_iter().map(point).collect()
}

/// Asserts of the methods in an expression that they leave their receivers as they are.
struct Unchanged<'a, 'b>(&'a mut Assert<'b>);

impl VisitMut for Unchanged<'_, '_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::MethodCall(call) = expr
            && let Some(asserted) = self.0.unchanged(call)
        {
            self.0.asserted += 1;
            *expr = asserted;
        }
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether a macro's arguments are expressions whose values it keeps.
fn holds_values(name: &Ident) -> bool {
    name == "vec" || name == "array"
}

/// The expressions in `vec![a, b]`, `vec![a; n]`.
fn values(input: syn::parse::ParseStream<'_>) -> syn::Result<(Vec<Expr>, Option<Expr>)> {
    let mut values = Vec::new();
    while !input.is_empty() {
        values.push(input.parse()?);
        if input.peek(syn::Token![;]) {
            input.parse::<syn::Token![;]>()?;
            return Ok((values, Some(input.parse()?)));
        }
        if !input.is_empty() {
            input.parse::<syn::Token![,]>()?;
        }
    }
    Ok((values, None))
}

impl VisitMut for Assert<'_> {
    /// Functions inside of the function have witnesses of their own, if they are differentiated.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let held = match expr {
            Expr::MethodCall(call) => self.receiver_held(call),
            _ => 0,
        };
        self.lent_back(expr);
        visit_mut::visit_expr_mut(self, expr);
        match expr {
            Expr::MethodCall(call) => {
                let takes = ["chain", "extend", "zip"]
                    .iter()
                    .any(|name| call.method == name);
                let by_rule = self
                    .decisions
                    .by_rule
                    .contains(&Site::of(call.method.span()));
                if let (true, Some(other)) = (takes && !by_rule, call.args.first_mut()) {
                    self.iterated(other);
                }
                let asserted = self.method(call);
                let unchanged = || self.unchanged(call).filter(|_| held == 0);
                if let Some(asserted) = asserted.or_else(unchanged) {
                    self.asserted += 1;
                    *expr = asserted;
                }
            }
            Expr::Call(call) => {
                if let Some(asserted) = self.function(call) {
                    *expr = asserted;
                }
            }
            Expr::Assign(assign) => {
                let kept = self.places_kept(&assign.left);
                self.with(expr, kept);
            }
            Expr::Index(index)
                if self.may_index_by_numbers && self.is_active(index.expr.to_token_stream()) =>
            {
                self.asserted += usize::from(fields::name_places(index));
            }
            Expr::Binary(binary) => {
                self.operands(binary.op.span(), [&mut binary.left, &mut binary.right]);
                if is_compound(&binary.op) {
                    let kept = self.places_kept(&binary.left);
                    self.with(expr, kept);
                }
            }
            Expr::Unary(unary) => self.operands(unary.op.span(), [&mut unary.expr]),
            Expr::ForLoop(each) => self.iterated(&mut each.expr),
            // a macro of the user's in a condition: only its answer counts, if it changes nothing
            Expr::Macro(mac)
                if self.is_active(mac.mac.tokens.clone())
                    && !names::is_known_macro(&mac.mac.path) =>
            {
                self.asserted += 1;
                *expr = syn::parse2(quote_spanned! {mac.mac.path.span()=>
                    ::coenzyme::__private::unchanged(|| #mac)
                })
                .expect("a call is an expression");
            }
            Expr::Cast(cast)
                if types::is_taken_for_inactive(&cast.ty)
                    && self.is_active(cast.expr.to_token_stream()) =>
            {
                self.asserted += 1;
                *expr = syn::parse2(quote_spanned! {cast.ty.span()=>
                    ::coenzyme::__private::inert(#cast)
                })
                .expect("a call is an expression");
            }
            _ => {}
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        if !self.is_active(mac.tokens.clone()) {
            return;
        }
        let own = |name: &&Ident| own_names::is_macro(name);
        let Some(name) = mac.path.get_ident().filter(|name| !own(name)).cloned() else {
            return;
        };
        let known = |list: &[&str]| list.iter().any(|known| name == known);
        if known(names::MACROS) {
            self.macros.insert(name.to_string(), quote!(::std::#name));
        } else if known(names::ARRAY_MACROS) {
            let path = quote!(::coenzyme::ndarray::#name);
            self.macros.insert(name.to_string(), path);
        }
        if !holds_values(&name) {
            return self.unchanged_by(mac);
        }
        let Ok((mut list, count)) = mac.parse_body_with(values) else {
            return;
        };
        list.iter_mut().for_each(|value| self.visit_expr_mut(value));
        mac.tokens = match count {
            Some(count) => quote!(#(#list),*; #count),
            None => quote!(#(#list),*),
        };
    }
}

#[cfg(test)]
mod tests {
    use crate::premises::{Decisions, witness};

    /// The witness of a function through which a derivative of `s` flows.
    fn witness_of(body: &str) -> String {
        let f: syn::ItemFn =
            syn::parse_str(&format!("fn f(s: &mut S) {{ {body} }}")).expect("a function");
        let decisions = Decisions {
            varied: ["s".to_owned()].into(),
            ..Decisions::default()
        };
        witness(&f.sig.ident, &f.sig, &f.block, &decisions)
            .tokens
            .to_string()
    }

    #[test]
    fn what_a_macro_asks_is_left_as_it_is() {
        for asked in [
            "assert!(s.next())",
            "println!(\"{} {n}\", 1, n = s.first())",
            "assert_eq!(1, s.get(0))",
        ] {
            let witness = witness_of(&format!("{asked};"));
            assert!(witness.contains("| | s ."), "{asked}: {witness}");
        }
        assert!(!witness_of("assert!(t.next());").contains("| |"));
    }
}
