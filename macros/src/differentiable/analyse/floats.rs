//! Values that are `f64` or `f32` by what the text says: entries of a parameter of that type, and what operations make of them.
//!
//! Where the types of many values are inferred, the compiler of Rust asks again for each of them at every statement: a type that is
//! written costs nothing. Nothing is believed of a value of any other type.

use std::collections::{BTreeSet, HashMap, HashSet};

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::Expr as Syntax;

use super::degree::operation;
use crate::differentiable::ir::nested::{is_indexed, levels};
use crate::differentiable::ir::*;
use crate::differentiable::syntax::vec_macro::elements_of;
use crate::signature::{Function, Param, Passing};

/// Operations that give a number of the type of the first operand.
const METHODS: &[&str] = &[
    "neg", "sin", "cos", "tan", "exp", "ln", "sqrt", "abs", "powi", "powf", "tanh", "recip", "max",
    "min",
];

/// What is a float: values, and locals that are assigned as a whole, each with its type.
#[derive(Default)]
pub(crate) struct Floats {
    pub(crate) defs: HashMap<DefId, Ident>,
    pub(crate) roots: HashMap<RootId, Ident>,
    /// Values that are numbers of Rust's own types; of which is not said.
    pub(crate) numbers: HashSet<DefId>,
}

impl Program {
    /// The values and locals that are floats for certain.
    pub(crate) fn floats(&self, function: &Function) -> Floats {
        let mut find = Find {
            program: self,
            params: &function.params,
            counters: BTreeSet::new(),
            literals: HashSet::new(),
            found: Floats::default(),
        };
        find.counters(&self.body);
        loop {
            let before = find.found.defs.len() + find.found.roots.len();
            find.values();
            find.locals(&self.body);
            if find.found.defs.len() + find.found.roots.len() == before {
                find.numbers();
                return find.found;
            }
        }
    }
}

struct Find<'a> {
    program: &'a Program,
    params: &'a [Param],
    /// The variables of counted loops.
    counters: BTreeSet<DefId>,
    /// Locals that begin with a number that is written.
    literals: HashSet<RootId>,
    found: Floats,
}

impl Find<'_> {
    fn counters(&mut self, block: &Block) {
        for item in &block.items {
            match item {
                Item::Loop { iterable, body, .. } => {
                    if let Iterable::Counted { variable, .. } = iterable {
                        self.counters.insert(*variable);
                    }
                    self.counters(body);
                }
                Item::Branch { arms, .. } => arms.iter().for_each(|arm| self.counters(&arm.body)),
                _ => {}
            }
        }
    }

    fn values(&mut self) {
        for (id, def) in self.program.defs.iter().enumerate() {
            let ty = match &def.kind {
                DefKind::Param(index) => self.param(*index, Passing::Value),
                DefKind::Read(place) => self.entry(place),
                DefKind::Version(root) => self.found.roots.get(root).cloned(),
                DefKind::Op { op, args, .. } => self.operation(op, args),
                _ => None,
            };
            if let Some(ty) = ty {
                self.found.defs.insert(id, ty);
            }
        }
    }

    /// Values that are numbers: operands stand before what is made of them.
    fn numbers(&mut self) {
        let mut rows: HashMap<RootId, usize> = (0..self.program.roots.len())
            .filter(|root| match self.program.roots[*root].kind {
                RootKind::Param { index, passing } => self.param(index, passing).is_some(),
                _ => false,
            })
            .map(|root| (root, 1))
            .collect();
        self.rows(&self.program.body, &mut rows);
        for (id, def) in self.program.defs.iter().enumerate() {
            let is = |arg: &Atom| {
                let found = |d| self.found.numbers.contains(&d);
                arg.def().is_some_and(found) || self.is_literal(arg)
            };
            let is_number = match &def.kind {
                DefKind::Read(place) => match place.base {
                    Base::Root(root) => {
                        let depth = is_indexed(&place.suffix).then(|| levels(&place.suffix));
                        depth.is_some_and(|depth| rows.get(&root) == Some(&depth))
                    }
                    Base::Def(_) => false,
                },
                DefKind::Version(root) => self.literals.contains(root),
                DefKind::Op { op, args, .. } => match operation(op).as_str() {
                    "add" | "sub" | "mul" | "div" => args.iter().all(is),
                    op => METHODS.contains(&op) && args.first().is_some_and(is),
                },
                _ => false,
            };
            if is_number || self.found.defs.contains_key(&id) {
                self.found.numbers.insert(id);
            }
        }
    }

    /// Locals that are rows of numbers, or rows of rows: `vec![0.0; n]`, `[[0.0; 3]; 3]`, and copies of such memory or of a part of it. With the
    /// number of indices that lead to a number.
    fn rows(&self, block: &Block, rows: &mut HashMap<RootId, usize>) {
        for item in &block.items {
            match item {
                Item::Declare { root, init } => {
                    let made = |d: &DefId| match &self.program.defs[*d].kind {
                        DefKind::Pure(expr) => depth_of_numbers(expr),
                        _ => None,
                    };
                    let depth = match init {
                        Init::Inactive { expr, .. } => depth_of_numbers(expr),
                        Init::Value(Atom::Def(d)) => made(d),
                        Init::Copy { from, .. } => match from.base {
                            Base::Root(root) => rows.get(&root).copied().filter(|depth| {
                                from.suffix.is_empty() || *depth == 1 && is_one_index(&from.suffix)
                            }),
                            Base::Def(_) => None,
                        },
                        _ => None,
                    };
                    rows.extend(depth.map(|depth| (*root, depth)));
                }
                Item::Branch { arms, .. } => arms.iter().for_each(|a| self.rows(&a.body, rows)),
                Item::Loop { body, .. } => self.rows(body, rows),
                _ => {}
            }
        }
    }

    /// Locals that something known is assigned to as a whole.
    fn locals(&mut self, block: &Block) {
        for item in &block.items {
            match item {
                Item::Declare {
                    root,
                    init: Init::Value(value),
                } => self.local(*root, value),
                Item::Assign {
                    place,
                    op: Assign::Set,
                    value,
                } if place.suffix.is_empty() => {
                    if let Base::Root(root) = place.base {
                        self.local(root, value);
                    }
                }
                Item::Branch { arms, .. } => arms.iter().for_each(|arm| self.locals(&arm.body)),
                Item::Loop { body, .. } => self.locals(body),
                _ => {}
            }
        }
    }

    fn local(&mut self, root: RootId, value: &Atom) {
        if self.program.roots[root].kind == RootKind::Scalar {
            if let Some(ty) = self.atom(value) {
                self.found.roots.insert(root, ty);
            }
            if self.is_literal(value) {
                self.literals.insert(root);
            }
        }
    }

    fn atom(&self, atom: &Atom) -> Option<Ident> {
        self.found.defs.get(&atom.def()?).cloned()
    }

    /// A number that is written, or a local that begins with one: beside a float it is one of its type.
    fn is_literal(&self, atom: &Atom) -> bool {
        match atom {
            Atom::Const(expr) => is_number(expr),
            Atom::Def(d) => match &self.program.defs[*d].kind {
                DefKind::Pure(expr) => is_number(expr),
                DefKind::Version(root) => self.literals.contains(root),
                _ => false,
            },
            Atom::Root(_) => false,
        }
    }

    /// The type of a parameter, or that of its entries behind a reference.
    fn param(&self, index: usize, passing: Passing) -> Option<Ident> {
        let param = &self.params[index];
        let entries = match &param.ty {
            syn::Type::Slice(slice) => &*slice.elem,
            syn::Type::Array(array) => &*array.elem,
            ty if passing == Passing::Value && param.passing == Passing::Value => return float(ty),
            _ => return None,
        };
        (passing != Passing::Value).then(|| float(entries))?
    }

    /// An entry of a slice or an array that is a parameter, by an integer.
    fn entry(&self, place: &Place) -> Option<Ident> {
        let Base::Root(root) = place.base else {
            return None;
        };
        let RootKind::Param { index, passing } = self.program.roots[root].kind else {
            return None;
        };
        let suffix: Vec<_> = place.suffix.clone().into_iter().collect();
        let [TokenTree::Group(group)] = &suffix[..] else {
            return None;
        };
        let counts = place.uses.roots.is_empty() && place.uses.defs.is_subset(&self.counters);
        let by_integer =
            group.delimiter() == Delimiter::Bracket && counts && is_integer(group.stream());
        by_integer.then(|| self.param(index, passing))?
    }

    /// The result of an operation: a method of floats gives its receiver's type, an operator that of both operands.
    fn operation(&self, op: &TokenStream, args: &[Atom]) -> Option<Ident> {
        let ty = args.iter().find_map(|arg| self.atom(arg))?;
        let (receiver, rest) = args.split_first()?;
        let same =
            |arg: &Atom| self.atom(arg).is_some_and(|other| other == ty) || self.is_literal(arg);
        match operation(op).as_str() {
            "add" | "sub" | "mul" | "div" | "rem" => {
                (same(receiver) && rest.iter().all(same)).then_some(ty)
            }
            op if METHODS.contains(&op) => self.atom(receiver),
            _ => None,
        }
    }
}

/// Whether this is `[…]` alone.
fn is_one_index(suffix: &TokenStream) -> bool {
    let mut trees = suffix.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) => group.delimiter() == Delimiter::Bracket,
        _ => false,
    }
}

/// How many indices lead to a number in `vec![0.0; n]`, `[[1.0, 0.0], [0.0, 1.0]]`, if that is written.
fn depth_of_numbers(expr: &Expr) -> Option<usize> {
    fn depth(list: &Syntax) -> Option<usize> {
        match list {
            Syntax::Paren(paren) => depth(&paren.expr),
            Syntax::Repeat(repeat) => entry(&repeat.expr),
            Syntax::Array(array) => entry(array.elems.first()?),
            Syntax::Macro(mac) => entry(elements_of(&mac.mac).first()?),
            _ => None,
        }
    }
    fn entry(of: &Syntax) -> Option<usize> {
        match of {
            Syntax::Lit(_) => Some(1),
            Syntax::Unary(minus) if matches!(minus.op, syn::UnOp::Neg(_)) => entry(&minus.expr),
            Syntax::Path(path) if is_constant(&path.path) => Some(1),
            list => Some(1 + depth(list)?),
        }
    }
    depth(&syn::parse2(expr.tokens.clone()).ok()?)
}

/// `f64::INFINITY`.
fn is_constant(path: &syn::Path) -> bool {
    let mut names = path.segments.iter().map(|s| &s.ident);
    match (names.next(), names.next(), names.next()) {
        (Some(ty), Some(name), None) => {
            let name = name.to_string();
            (ty == "f64" || ty == "f32") && name.chars().all(|c| c == '_' || c.is_ascii_uppercase())
        }
        _ => false,
    }
}

/// `f64` or `f32`.
fn float(ty: &syn::Type) -> Option<Ident> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let ty = path.path.get_ident().filter(|_| path.qself.is_none())?;
    (ty == "f64" || ty == "f32").then(|| ty.clone())
}

/// Whether tokens compute with numbers that are written and with variables, and make no range.
fn is_integer(index: TokenStream) -> bool {
    index.into_iter().all(|tree| match tree {
        TokenTree::Ident(_) | TokenTree::Literal(_) => true,
        TokenTree::Punct(punct) => matches!(punct.as_char(), '+' | '-' | '*' | '/' | '%'),
        TokenTree::Group(group) => {
            group.delimiter() == Delimiter::Parenthesis && is_integer(group.stream())
        }
    })
}

/// Whether this is a number, or what a sum of floats begins with: `::coenzyme::__private::sums::zero::<f64, _>()`.
fn is_number(expr: &Expr) -> bool {
    let mut tokens = expr.tokens.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Literal(_)), None) => true,
        (Some(TokenTree::Punct(_)), Some(TokenTree::Punct(_))) => {
            let names = tokens.filter_map(|tree| match tree {
                TokenTree::Ident(ident) => Some(ident.to_string()),
                _ => None,
            });
            let mut names = names.skip_while(|name| name == "coenzyme" || name == "__private");
            names.next().is_some_and(|name| name == "sums")
                && names.nth(1).is_some_and(|ty| ty == "f64" || ty == "f32")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
