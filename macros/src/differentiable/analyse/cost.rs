//! What it costs to run a function again: a caller that needs the result of a cheap one in its reverse sweep does not tape it.
//!
//! The macro sees one function at a time, so each says what its own statements cost and whom it calls; the sum is found where
//! types are known, and folds to a constant.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;

use crate::differentiable::ir::*;
use crate::differentiable::methods::operations;
use crate::signature::Passing;

/// Statements of a function that is always inlined with its rules: a call and its handles would be more.
const FEW: usize = 40;
/// Statements of a loop in it.
const SHORT: usize = FEW / 4;

/// What a function costs: its own operations, and the markers of what it calls, with how often.
#[derive(Default)]
pub(crate) struct Cost {
    pub(crate) operations: u32,
    /// Those of rounds of which a constant tells the number.
    pub(crate) counted: Vec<Times>,
    pub(crate) calls: Vec<(syn::Path, Times)>,
    pub(crate) methods: Vec<Method>,
    /// The constants that are named.
    pub(crate) names: Vec<Ident>,
}

impl Cost {
    fn add(&mut self, operations: u32, times: &Times) {
        let mut times = times.clone();
        times.literal = times.literal.saturating_mul(operations);
        match times.constants.is_empty() {
            true => self.operations = self.operations.saturating_add(times.literal),
            false if operations > 0 => self.counted.push(times),
            false => {}
        }
    }

    pub(crate) fn has_calls(&self) -> bool {
        !(self.calls.is_empty() && self.methods.is_empty())
    }
}

/// A method of a parameter: with the number of the parameter.
pub(crate) struct Method {
    pub(crate) parameter: usize,
    pub(crate) name: Ident,
    pub(crate) times: Times,
}

/// How often something is done: a product.
#[derive(Clone)]
pub(crate) struct Times {
    pub(crate) literal: u32,
    /// The ends of ranges that name constants.
    constants: Vec<TokenStream>,
}

impl Times {
    const ONCE: Self = Self {
        literal: 1,
        constants: Vec::new(),
    };

    fn by(&self, rounds: &Self) -> Self {
        let constants = self.constants.iter().chain(&rounds.constants);
        Self {
            literal: self.literal.saturating_mul(rounds.literal),
            constants: constants.cloned().collect(),
        }
    }

    pub(crate) fn tokens(&self) -> TokenStream {
        let (literal, constants) = (self.literal, &self.constants);
        quote!(#literal #(.saturating_mul((#constants) as u32))*)
    }
}

impl Program {
    /// What a call costs; `None` if it must not be run again.
    pub(crate) fn cost(&self) -> Option<Cost> {
        let mut cost = Cost::default();
        self.add_cost(&self.body, &Times::ONCE, &mut cost)?;
        // an item of the body has a name there alone
        let inside = |name: &Ident| names(&self.items).contains(name);
        let again = !self.writes_arguments() && !cost.names.iter().any(inside);
        again.then_some(cost)
    }

    /// Whether the function does a number of additions, multiplications and the like that is known here, and nothing else.
    pub(crate) fn is_cheap(&self) -> bool {
        let mut cost = Cost::default();
        let known = self.add_cost(&self.body, &Times::ONCE, &mut cost);
        known.is_some() && !cost.has_calls() && cost.counted.is_empty()
    }

    /// The attribute of the methods of the function's rules.
    pub(crate) fn inlining(&self) -> TokenStream {
        match self.is_small() {
            true => quote!(#[cfg_attr(not(debug_assertions), inline(always))]),
            false => quote!(#[inline]),
        }
    }

    /// Whether a call of the function would be more than what it does.
    fn is_small(&self) -> bool {
        statements(&self.body) < FEW
    }

    fn writes_arguments(&self) -> bool {
        self.roots.iter().any(|root| {
            let exclusive = Passing::Exclusive;
            matches!(root.kind, RootKind::Param { passing, .. } if passing == exclusive)
        })
    }

    /// Adds what a block costs; `None` if it has effects, allocates, runs loops whose rounds are not in the text, or computes what
    /// costs more than a word of memory.
    fn add_cost(&self, block: &Block, times: &Times, cost: &mut Cost) -> Option<()> {
        for item in &block.items {
            match item {
                Item::Def(d) => match &self.defs[*d].kind {
                    DefKind::Opaque(_) => return None,
                    DefKind::Op { op, .. } if operations::is_costly(op) => return None,
                    DefKind::Op { .. } => cost.add(1, times),
                    DefKind::Call(call) => self.add_call(call, times, cost)?,
                    _ => {}
                },
                Item::Call(call) => self.add_call(call, times, cost)?,
                Item::Declare { init, .. } => match init {
                    Init::Later | Init::Value(_) => {}
                    Init::Inactive { expr, again: true } if !allocates(&expr.tokens) => {}
                    _ => return None,
                },
                Item::Assign { op, .. } => {
                    cost.add(u32::from(*op != Assign::Set), times);
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
                    let rounds = constant_rounds(&range.range)?;
                    let found = rounds.constants.iter().flat_map(names);
                    cost.names.extend(found);
                    self.add_cost(body, &times.by(&rounds), cost)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Adds a call of a function whose marker is known, and which changes nothing.
    fn add_call(&self, call: &Call, times: &Times, cost: &mut Cost) -> Option<()> {
        let reads = |arg: &Arg| {
            matches!(
                arg,
                Arg::Const(_) | Arg::Value(_) | Arg::Shared(_) | Arg::Whole { .. }
            )
        };
        match (&call.callee, &call.unpack) {
            (Callee::Path(path), Unpack::Plain) => cost.calls.push((path.clone(), times.clone())),
            (
                Callee::Method {
                    receiver,
                    name,
                    turbofish: None,
                },
                Unpack::Plain,
            ) if receiver.suffix.is_empty() => cost.methods.push(Method {
                parameter: self.parameter(receiver.base)?,
                name: name.clone(),
                times: times.clone(),
            }),
            _ => return None,
        }
        call.args.iter().all(reads).then_some(())
    }

    /// The number of the parameter that this is.
    fn parameter(&self, base: Base) -> Option<usize> {
        match base {
            Base::Root(root) => match self.roots[root].kind {
                RootKind::Param { index, .. } => Some(index),
                _ => None,
            },
            Base::Def(d) => match self.defs[d].kind {
                DefKind::Param(index) => Some(index),
                _ => None,
            },
        }
    }
}

/// The statements of a block. A loop is too many, unless it is short and constants tell its rounds: in a caller that knows the lengths of the slices
/// in it, it has no bounds checks, and may have no rounds.
fn statements(block: &Block) -> usize {
    let of = |item: &Item| match item {
        Item::Branch { arms, .. } => 1 + arms.iter().map(|a| statements(&a.body)).sum::<usize>(),
        Item::Loop {
            iterable: Iterable::Counted { range, .. },
            body,
            flags,
        } if flags.is_empty() && range.step.is_none() && statements(body) < SHORT => {
            match constant_rounds(&range.range) {
                Some(_) => SHORT + statements(body),
                None => FEW,
            }
        }
        Item::Loop { .. } => FEW,
        _ => 1,
    };
    block.items.iter().map(of).sum()
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

/// The names in tokens.
fn names(tokens: &TokenStream) -> Vec<Ident> {
    let each = |tree: TokenTree| match tree {
        TokenTree::Group(group) => names(&group.stream()),
        TokenTree::Ident(name) => vec![name],
        _ => Vec::new(),
    };
    tokens.clone().into_iter().flat_map(each).collect()
}

/// `4` of `0..4`, `N` of `0..N`, `N - 1` of `1..N - 1`: as many rounds at most.
pub(crate) fn constant_rounds(range: &Atom) -> Option<Times> {
    let Atom::Const(expr) = range else {
        return None;
    };
    if !expr.uses.is_empty() {
        return None;
    }
    let mut range: syn::Expr = syn::parse2(expr.tokens.clone()).ok()?;
    while let syn::Expr::Paren(inside) = range {
        range = *inside.expr;
    }
    let syn::Expr::Range(range) = range else {
        return None;
    };
    let (start, end) = (range.start?, range.end?);
    let extra = u32::from(matches!(range.limits, syn::RangeLimits::Closed(_)));
    let mut times = Times::ONCE;
    match (literal(&start), literal(&end)) {
        (Some(start), Some(end)) => times.literal = end.saturating_sub(start).saturating_add(extra),
        _ if is_constant(&start) && is_constant(&end) => {
            times.constants.push(match extra {
                0 => quote!(#end),
                _ => quote!((#end).saturating_add(1)),
            });
        }
        _ => return None,
    }
    Some(times)
}

fn literal(expr: &syn::Expr) -> Option<u32> {
    match expr {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) => n.base10_parse().ok(),
        _ => None,
    }
}

/// Whether an expression is made of numbers and names of constants.
fn is_constant(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Paren(inner) => is_constant(&inner.expr),
        syn::Expr::Binary(binary) => is_constant(&binary.left) && is_constant(&binary.right),
        syn::Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
            let name = name.to_string();
            name.starts_with(char::is_uppercase) && name == name.to_uppercase()
        }),
        expr => literal(expr).is_some(),
    }
}

#[cfg(test)]
mod tests;
