//! References that change places: which is which is known by a number, and what follows is written once for each order.
//!
//! ```text
//! // for _ in 0..n { step(cur, next); swap(&mut cur, &mut next); } cur[0]
//! let mut turn = 0;
//! for _ in 0..n {
//!     if turn == 1 { step(next, cur); turn = 0; } else { step(cur, next); turn = 1; }
//! }
//! if turn == 1 { next[0] } else { cur[0] }
//! ```

mod find;
mod moves;

use std::collections::HashSet;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::format_ident;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Stmt};

use crate::signature::{Function, Passing};
use find::{Unfollowed, mentions, references, swap_of, swaps_in};
use moves::Moves;

/// More references than these have too many orders.
const MOST: usize = 3;

/// How often what follows may be written out.
const MOST_WRITTEN: usize = 512;

/// Writes the swaps of references in a body out, as far as they can be followed.
pub(crate) fn written_out(function: &Function, body: &mut Block) {
    let lent = function.params.iter();
    let lent = lent.filter(|p| p.passing != Passing::Value && p.pattern.is_none());
    let mut blocks = Blocks {
        known: lent.clone().map(|p| p.name.to_string()).collect(),
        parameters: lent
            .filter(|p| p.mutable)
            .map(|p| p.name.to_string())
            .collect(),
    };
    blocks.visit_block_mut(body);
}

struct Blocks {
    /// The names of references.
    known: HashSet<String>,
    /// Those that are bound where the next block begins, and can change.
    parameters: Vec<String>,
}

impl VisitMut for Blocks {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let parameters = std::mem::take(&mut self.parameters);
        for stmt in &block.stmts {
            if let Stmt::Local(local) = stmt {
                let more = references(local, &self.known);
                self.known.extend(more);
            }
        }
        Moves { known: &self.known }.visit_block_mut(block);
        while let Some((places, start)) = Places::of(&parameters, &self.known, block) {
            let rest = block.stmts.split_off(start);
            let turn = &places.turn;
            block
                .stmts
                .push(syn::parse_quote!(let mut #turn = 0_usize;));
            block.stmts.extend(places.in_order(&rest, 0));
        }
        visit_mut::visit_block_mut(self, block);
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// References that change places with each other.
struct Places {
    names: Vec<String>,
    /// The orders that they can be in; in the first, each is in its own place.
    orders: Vec<Vec<usize>>,
    /// The local that says which.
    turn: Ident,
}

impl Places {
    /// Some that are bound in this block, and the number of the first statement in which all are.
    fn of(parameters: &[String], known: &HashSet<String>, block: &Block) -> Option<(Self, usize)> {
        let mut bound: Vec<(String, usize)> = parameters.iter().map(|p| (p.clone(), 0)).collect();
        for (i, stmt) in block.stmts.iter().enumerate() {
            if let Stmt::Local(local) = stmt {
                let more = references(local, known).into_iter();
                bound.extend(more.map(|name| (name, i + 1)));
            }
        }
        // of names that mean these references: before, they are others
        let is_bound = |name: &String, at: usize| bound.iter().any(|(b, i)| b == name && *i <= at);
        let each = block.stmts.iter().enumerate().flat_map(|(at, stmt)| {
            let swaps = swaps_in(std::slice::from_ref(stmt)).into_iter();
            swaps.filter(move |(a, b)| is_bound(a, at) && is_bound(b, at))
        });
        let swaps: Vec<(String, String)> = each.collect();
        let (a, b) = swaps.first()?;
        let mut names = vec![a.clone(), b.clone()];
        while let Some((a, b)) = swaps
            .iter()
            .find(|(a, b)| names.contains(a) != names.contains(b))
        {
            let other = if names.contains(a) { b } else { a };
            names.push(other.clone());
        }
        let start = |name| bound.iter().find(|(b, _)| b == name).map(|(_, i)| *i);
        let starts: Vec<usize> = names.iter().map(start).collect::<Option<_>>()?;
        let start = starts.into_iter().max()?;
        if names.len() > MOST || Unfollowed::any(&names, &block.stmts[start..]) {
            return None;
        }
        let orders = orders(&names, &swaps);
        let written = u32::try_from(forks(&block.stmts[start..], &names)).ok();
        let written = written.and_then(|forks| orders.len().checked_pow(forks));
        if written.is_none_or(|times| times > MOST_WRITTEN) {
            return None;
        }
        let turn = format_ident!("__turn_of_{}", names.join("_and_"));
        Some((
            Self {
                names,
                orders,
                turn,
            },
            start,
        ))
    }

    /// Statements that begin when the references are in a known order.
    fn in_order(&self, stmts: &[Stmt], mut order: usize) -> Vec<Stmt> {
        let mut written = Vec::new();
        for (i, stmt) in stmts.iter().enumerate() {
            if let Some(pair) = swap_of(stmt).filter(|(a, _)| self.names.contains(a)) {
                order = self.after(order, &pair);
                let turn = &self.turn;
                written.push(syn::parse_quote!(#turn = #order;));
                continue;
            }
            let mut stmt = stmt.clone();
            Written {
                places: self,
                order,
            }
            .visit_stmt_mut(&mut stmt);
            written.push(stmt);
            if self.swaps_in(&stmts[i..=i]) {
                written.extend(self.in_any_order(&stmts[i + 1..]));
                break;
            }
        }
        written
    }

    /// Statements that begin when the references are in some order.
    fn in_any_order(&self, stmts: &[Stmt]) -> Vec<Stmt> {
        if !mentions(stmts, &self.names) {
            return stmts.to_vec();
        }
        let mut orders = (0..self.orders.len()).map(|order| self.in_order(stmts, order));
        let first = orders.next().unwrap_or_default();
        let mut all: Expr = syn::parse_quote!({ #(#first)* });
        for (i, stmts) in orders.enumerate() {
            let (turn, order) = (&self.turn, i + 1);
            all = syn::parse_quote!(if #turn == #order { #(#stmts)* } else #all);
        }
        vec![Stmt::Expr(all, None)]
    }

    fn swaps_in(&self, stmts: &[Stmt]) -> bool {
        swaps_in(stmts).iter().any(|(a, _)| self.names.contains(a))
    }

    /// The order after a swap.
    fn after(&self, order: usize, swap: &(String, String)) -> usize {
        let next = swapped(&self.names, &self.orders[order], swap);
        let found = self.orders.iter().position(|order| *order == next);
        found.expect("every order that swaps lead to is known")
    }
}

/// Renames what stands in a statement, and writes the swaps in it out.
struct Written<'p> {
    places: &'p Places,
    order: usize,
}

impl Written<'_> {
    fn rename(&self, ident: &mut Ident) {
        let names = &self.places.names;
        if let Some(i) = names.iter().position(|name| ident == name) {
            let place = self.places.orders[self.order][i];
            *ident = Ident::new(&names[place], ident.span());
        }
    }

    fn renamed(&self, tokens: TokenStream) -> TokenStream {
        let mut field = false;
        let renamed = tokens.into_iter().map(|tree| {
            let after_dot = std::mem::replace(
                &mut field,
                matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.'),
            );
            match tree {
                TokenTree::Ident(mut ident) if !after_dot => {
                    self.rename(&mut ident);
                    TokenTree::Ident(ident)
                }
                TokenTree::Group(group) => {
                    let mut inside = Group::new(group.delimiter(), self.renamed(group.stream()));
                    inside.set_span(group.span());
                    TokenTree::Group(inside)
                }
                tree => tree,
            }
        });
        renamed.collect()
    }

    /// The body of a loop begins in the order in which a round left them.
    fn body(&mut self, body: &mut Block) {
        match self.places.swaps_in(&body.stmts) {
            true => body.stmts = self.places.in_any_order(&body.stmts),
            false => self.visit_block_mut(body),
        }
    }
}

impl VisitMut for Written<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts = self.places.in_order(&block.stmts, self.order);
    }
    fn visit_expr_for_loop_mut(&mut self, l: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut l.expr);
        self.body(&mut l.body);
    }
    fn visit_expr_loop_mut(&mut self, l: &mut syn::ExprLoop) {
        self.body(&mut l.body);
    }
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        // the condition is asked in every order
        if let Expr::While(l) = expr
            && self.places.swaps_in(&l.body.stmts)
        {
            let (attrs, label) = (&l.attrs, &l.label);
            let (condition, stmts) = (&l.cond, &l.body.stmts);
            *expr = syn::parse_quote!(#(#attrs)* #label loop { if !(#condition) { break; } #(#stmts)* });
        }
        visit_mut::visit_expr_mut(self, expr);
    }
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if path.path.get_ident().is_some()
            && let Some(segment) = path.path.segments.first_mut()
        {
            self.rename(&mut segment.ident);
        }
    }
    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        mac.tokens = self.renamed(std::mem::take(&mut mac.tokens));
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// After how many statements in a row it is not known in which order they left the references.
fn forks(stmts: &[Stmt], names: &[String]) -> usize {
    let each = stmts.iter().filter(|stmt| {
        let swaps = swaps_in(std::slice::from_ref(*stmt));
        swap_of(stmt).is_none() && swaps.iter().any(|(a, _)| names.contains(a))
    });
    each.count()
}

/// The orders that swaps lead to, from that in which each is in its own place.
fn orders(names: &[String], swaps: &[(String, String)]) -> Vec<Vec<usize>> {
    let mut orders = vec![(0..names.len()).collect::<Vec<_>>()];
    let mut seen = 0;
    while seen < orders.len() {
        for swap in swaps.iter().filter(|(a, _)| names.contains(a)) {
            let next = swapped(names, &orders[seen], swap);
            if !orders.contains(&next) {
                orders.push(next);
            }
        }
        seen += 1;
    }
    orders
}

fn swapped(names: &[String], order: &[usize], (a, b): &(String, String)) -> Vec<usize> {
    let at = |name: &String| names.iter().position(|n| n == name);
    let mut next = order.to_vec();
    if let (Some(a), Some(b)) = (at(a), at(b)) {
        next.swap(a, b);
    }
    next
}
