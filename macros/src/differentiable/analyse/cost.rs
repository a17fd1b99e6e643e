//! What it costs to run a function again: a caller that needs the result of a cheap one in its reverse sweep does not tape it.
//!
//! The macro sees one function at a time, so each says what its own statements cost and whom it calls; the sum is found where
//! types are known, and folds to a constant.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use crate::differentiable::ir::*;
use crate::differentiable::methods::operations;
use crate::signature::Passing;

/// Levels of calls that are looked through.
const DEPTH: u32 = 4;

/// Statements of a function that is always inlined with its rules: a call and its handles would be more.
const FEW: usize = 40;

/// What a function costs: its own operations, and the markers of what it calls, with how often.
struct Cost {
    operations: u32,
    calls: Vec<(syn::Path, u32)>,
}

impl Program {
    /// `impl CallCost for f`, and the method of its reverse rule that says what a call costs. Without them a call is not run again.
    pub(crate) fn call_cost(&self, marker: &proc_macro2::Ident) -> (TokenStream, TokenStream) {
        let mut cost = Cost {
            operations: 0,
            calls: Vec::new(),
        };
        if self.writes_arguments() || self.add_cost(&self.body, 1, &mut cost).is_none() {
            return Default::default();
        }
        let operations = cost.operations;
        let calls = cost
            .calls
            .iter()
            .map(|(path, times)| code_of_call(&self.marker_named(path), *times));
        let deeper = match cost.calls.is_empty() {
            true => quote!(),
            false => quote! {
                use ::coenzyme::__private::{CallCost as _, UnknownCost as _};
                let Some(depth) = depth.checked_sub(1) else { return u32::MAX };
            },
        };
        let levels = DEPTH;
        let known = quote! {
            #[doc(hidden)]
            #[allow(unused, clippy::all)]
            impl ::coenzyme::__private::CallCost for #marker {
                #[inline]
                fn cost_of_levels(&self, depth: u32) -> u32 {
                    #deeper
                    #operations #(.saturating_add(#calls))*
                }
            }
        };
        let method = quote! {
            #[inline]
            fn call_cost(&self) -> u32 {
                ::coenzyme::__private::CallCost::cost_of_levels(self, #levels)
            }
        };
        (known, method)
    }

    /// Whether the function does a number of additions, multiplications and the like that is known here, and nothing else.
    pub(crate) fn is_cheap(&self) -> bool {
        let mut cost = Cost {
            operations: 0,
            calls: Vec::new(),
        };
        self.add_cost(&self.body, 1, &mut cost).is_some() && cost.calls.is_empty()
    }

    /// The attribute of the methods of the function's rules.
    pub(crate) fn inlining(&self) -> TokenStream {
        fn statements(block: &Block) -> usize {
            let of = |item: &Item| match item {
                Item::Branch { arms, .. } => {
                    1 + arms.iter().map(|a| statements(&a.body)).sum::<usize>()
                }
                Item::Loop { .. } => FEW,
                _ => 1,
            };
            block.items.iter().map(of).sum()
        }
        match statements(&self.body) < FEW {
            true => quote!(#[inline(always)]),
            false => quote!(#[inline]),
        }
    }

    fn writes_arguments(&self) -> bool {
        self.roots.iter().any(|root| {
            let exclusive = Passing::Exclusive;
            matches!(root.kind, RootKind::Param { passing, .. } if passing == exclusive)
        })
    }

    /// Adds what a block costs; `None` if it has effects, allocates, runs loops whose rounds are not in the text, or computes what
    /// costs more than a word of memory.
    fn add_cost(&self, block: &Block, times: u32, cost: &mut Cost) -> Option<()> {
        for item in &block.items {
            match item {
                Item::Def(d) => match &self.defs[*d].kind {
                    DefKind::Opaque(_) => return None,
                    DefKind::Op { op, .. } if operations::is_costly(op) => return None,
                    DefKind::Op { .. } => cost.operations = cost.operations.saturating_add(times),
                    DefKind::Call(call) => add_call(call, times, cost)?,
                    _ => {}
                },
                Item::Call(call) => add_call(call, times, cost)?,
                Item::Declare { init, .. } => match init {
                    Init::Later | Init::Value(_) => {}
                    Init::Inactive { expr, again: true } if !allocates(&expr.tokens) => {}
                    _ => return None,
                },
                Item::Assign { op, .. } => {
                    let adds = u32::from(*op != Assign::Set);
                    cost.operations = cost.operations.saturating_add(times * adds);
                }
                Item::Branch { arms, .. } => {
                    for arm in arms {
                        self.add_cost(&arm.body, times, cost)?;
                    }
                }
                Item::Loop {
                    iterable: Iterable::Counted { range, .. },
                    body,
                    flags,
                } if flags.is_empty() && range.step.is_none() => {
                    let rounds = literal_rounds(&range.range)?;
                    self.add_cost(body, times.saturating_mul(rounds), cost)?;
                }
                _ => return None,
            }
        }
        Some(())
    }
}

/// Adds a call of a function whose path is known, and which changes nothing.
fn add_call(call: &Call, times: u32, cost: &mut Cost) -> Option<()> {
    let (Callee::Path(path), Unpack::Plain) = (&call.callee, &call.unpack) else {
        return None;
    };
    let reads = |arg: &Arg| {
        matches!(
            arg,
            Arg::Const(_) | Arg::Value(_) | Arg::Shared(_) | Arg::Whole { .. }
        )
    };
    cost.calls.push((path.clone(), times));
    call.args.iter().all(reads).then_some(())
}

/// `(&g {}).cost_of_levels(depth)`: that of the marker, if it has one, otherwise that of every reference.
fn code_of_call(marker: &TokenStream, times: u32) -> TokenStream {
    quote!((&#marker).cost_of_levels(depth).saturating_mul(#times))
}

/// Whether an initial value may allocate: it is not a literal or a fixed array.
fn allocates(tokens: &TokenStream) -> bool {
    let array = |tree: &TokenTree| matches!(tree, TokenTree::Group(g) if g.delimiter() == Delimiter::Bracket);
    let literal = |tree: &TokenTree| matches!(tree, TokenTree::Literal(_));
    let trees: Vec<_> = tokens.clone().into_iter().collect();
    !matches!(&trees[..], [one] if array(one) && !names_vec(one) || literal(one))
}

/// `[vec![…]; 3]` allocates.
fn names_vec(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Group(group) => group.stream().into_iter().any(|t| names_vec(&t)),
        TokenTree::Ident(_) => true,
        _ => false,
    }
}

/// `4` of `0..4`.
pub(crate) fn literal_rounds(range: &Atom) -> Option<u32> {
    let Atom::Const(expr) = range else {
        return None;
    };
    let mut expr: syn::Expr = syn::parse2(expr.tokens.clone()).ok()?;
    while let syn::Expr::Paren(inside) = expr {
        expr = *inside.expr;
    }
    let syn::Expr::Range(range) = expr else {
        return None;
    };
    let number = |expr: Option<Box<syn::Expr>>| match *expr? {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) => n.base10_parse::<u32>().ok(),
        _ => None,
    };
    let (start, end) = (number(range.start)?, number(range.end)?);
    let extra = u32::from(matches!(range.limits, syn::RangeLimits::Closed(_)));
    Some(end.saturating_sub(start).saturating_add(extra))
}

#[cfg(test)]
mod tests;
