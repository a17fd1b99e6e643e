//! Loops under `#[checkpoint]`: what is the state that a round begins with, and what can be read again in the reverse sweep.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};

use super::*;
use crate::errors::Errors;

/// Finds the state of every loop under `#[checkpoint]`.
pub(crate) fn resolve(program: &mut Program, errors: &mut Errors) {
    let mut found = Vec::new();
    visit(&program.body, &mut |item, body| {
        if let Some(checkpoint) = program.checkpoints.get(&body.id) {
            found.push((body.id, state(program, checkpoint, item, body)));
        }
    });
    for (id, outcome) in found {
        let checkpoint = program
            .checkpoints
            .get_mut(&id)
            .expect("it was found above");
        match outcome {
            Ok(found) => {
                (checkpoint.state, checkpoint.reads) = (found.state, found.reads);
                checkpoint.known = found.known;
            }
            Err(message) => errors.push(syn::Error::new(checkpoint.span, message)),
        }
    }
}

fn visit<'p>(block: &'p Block, see: &mut dyn FnMut(&'p Item, &'p Block)) {
    for item in &block.items {
        match item {
            Item::Loop { body, .. } => {
                see(item, body);
                visit(body, see);
            }
            Item::Branch { arms, .. } => arms.iter().for_each(|a| visit(&a.body, see)),
            _ => {}
        }
    }
}

/// What is found of a loop.
struct Found {
    state: Vec<RootId>,
    reads: Uses,
    known: bool,
}

/// The locals that a round may find changed, and what else it reads.
fn state(
    program: &Program,
    checkpoint: &Checkpoint,
    item: &Item,
    body: &Block,
) -> Result<Found, String> {
    let mut names = Names {
        program,
        found: Uses::default(),
        fails: false,
        asks: false,
    };
    names.block(body);
    if names.asks {
        return Err(
            "a round asks a value without derivative by `?`, which cannot run again: do it before the loop, or in a function that it calls"
                .into(),
        );
    }
    let known = match item {
        Item::Loop {
            iterable: Iterable::Counted { .. },
            flags,
            ..
        } => flags.is_empty() && !names.fails,
        _ => false,
    };
    let inside = |loops: &[usize]| loops.contains(&checkpoint.number);
    let mut reads = names.found;
    reads
        .defs
        .retain(|d| !inside(&program.defs[*d].point.loops));
    let mut state = Vec::new();
    for root in std::mem::take(&mut reads.roots) {
        let Root {
            name, kind, writes, ..
        } = &program.roots[root];
        if inside(&program.roots[root].loops) {
            continue;
        }
        let written = writes.iter().any(|w| inside(&w.loops));
        let outside = program.roots[root].loops.len();
        let stable = program.stable(root, &checkpoint.at, outside);
        match kind {
            RootKind::Param { .. } if written => {
                return Err(format!(
                    "the rounds change the argument `{name}`, and run again in the reverse pass: change a local, and copy it to `{name}` after the loop"
                ));
            }
            RootKind::Param { .. } if !stable => {
                return Err(format!(
                    "the argument `{name}` is changed elsewhere, and the rounds read it again in the reverse pass: let them read a copy"
                ));
            }
            RootKind::Memory if stable => drop(reads.roots.insert(root)),
            RootKind::Param { .. } => drop(reads.roots.insert(root)),
            RootKind::Memory | RootKind::Scalar => state.push(root),
        }
    }
    Ok(Found {
        state,
        reads,
        known,
    })
}

/// What a block names.
struct Names<'a> {
    program: &'a Program,
    found: Uses,
    /// Whether a call may fail, and the function with it.
    fails: bool,
    /// Whether a value without derivative is asked by `?`.
    asks: bool,
}

impl Names<'_> {
    fn block(&mut self, block: &Block) {
        block.items.iter().for_each(|item| self.item(item));
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Verbatim(tokens) => self.tokens(tokens),
            Item::Def(d) => self.def(*d),
            Item::Declare { init, .. } => match init {
                Init::Value(atom) => self.atom(atom),
                Init::Inactive { expr, .. } => self.expr(expr),
                Init::Copy { from, .. } => self.place(from),
                Init::Later => {}
            },
            Item::Assign { place, value, .. }
            | Item::Push { place, value }
            | Item::Fill { place, value } => {
                self.place(place);
                self.atom(value);
            }
            Item::Branch { arms, selector } => {
                let (Selector::If(atom) | Selector::Match(atom)) = selector;
                self.atom(atom);
                for arm in arms {
                    self.tokens(&arm.pattern);
                    self.block(&arm.body);
                }
            }
            Item::Loop { iterable, body, .. } => {
                match iterable {
                    Iterable::Counted { range, .. } => {
                        self.atom(&range.range);
                        range.step.iter().for_each(|s| self.expr(s));
                    }
                    Iterable::While { condition } => self.tokens(condition),
                }
                self.block(body);
            }
            Item::Call(call) => self.call(call),
            Item::Reshape { .. } => {}
            Item::Copy { to: a, from: b } | Item::Exchange { a, b } => {
                self.place(a);
                self.place(b);
            }
            Item::Swap { place, i, j } => {
                self.place(place);
                self.tokens(i);
                self.tokens(j);
            }
            Item::Pop { place } => self.place(place),
        }
    }

    fn def(&mut self, id: DefId) {
        match &self.program.defs[id].kind {
            DefKind::Pure(expr) | DefKind::Opaque(expr) => self.expr(expr),
            DefKind::Read(place) => self.place(place),
            DefKind::Op { args, value, .. } => {
                args.iter().for_each(|a| self.atom(a));
                self.tokens(value);
            }
            DefKind::Make { parts, .. } => parts.iter().for_each(|(_, a)| self.atom(a)),
            DefKind::Version(root) => drop(self.found.roots.insert(*root)),
            DefKind::Call(call) => self.call(call),
            DefKind::Param(_) | DefKind::LoopVariable => {}
        }
    }

    fn call(&mut self, call: &Call) {
        self.fails |= call.unpack.leaves();
        if let Callee::Value(d) = &call.callee {
            self.found.defs.insert(*d);
        }
        if let Callee::Method {
            receiver: place, ..
        }
        | Callee::Part { of: place, .. } = &call.callee
        {
            self.place(place);
        }
        for arg in call.args.iter().flat_map(Arg::each) {
            match arg {
                Arg::Const(expr) => self.expr(expr),
                Arg::Value(atom) => self.atom(atom),
                Arg::Whole { root } => drop(self.found.roots.insert(*root)),
                Arg::Closure { .. } => {}
                Arg::Shared(place) | Arg::Exclusive(place) => self.place(place),
            }
        }
    }

    fn atom(&mut self, atom: &Atom) {
        match atom {
            Atom::Def(d) => drop(self.found.defs.insert(*d)),
            Atom::Root(r) => drop(self.found.roots.insert(*r)),
            Atom::Const(expr) => self.expr(expr),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.found.extend(&expr.uses);
        self.tokens(&expr.tokens);
    }

    fn place(&mut self, place: &Place) {
        self.found.extend(&place.uses);
        self.tokens(&place.suffix);
        match place.base {
            Base::Root(r) => drop(self.found.roots.insert(r)),
            Base::Def(d) => drop(self.found.defs.insert(d)),
        }
    }

    /// What tokens name: names are unique in the program.
    fn tokens(&mut self, tokens: &TokenStream) {
        let mut words = BTreeSet::new();
        self.asks |= identifiers(tokens.clone(), &mut words);
        let named = |name: &Ident| words.contains(&name.to_string());
        let defs = self.program.defs.iter().enumerate();
        self.found
            .defs
            .extend(defs.filter(|(_, d)| named(&d.name)).map(|(i, _)| i));
        let roots = self.program.roots.iter().enumerate();
        self.found
            .roots
            .extend(roots.filter(|(_, r)| named(&r.name)).map(|(i, _)| i));
    }
}

/// All words, and whether there is a `?` beside them.
fn identifiers(tokens: TokenStream, words: &mut BTreeSet<String>) -> bool {
    let mut asks = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => drop(words.insert(ident.to_string())),
            TokenTree::Group(group) => asks |= identifiers(group.stream(), words),
            TokenTree::Punct(punct) => asks |= punct.as_char() == '?',
            TokenTree::Literal(_) => {}
        }
    }
    asks
}
