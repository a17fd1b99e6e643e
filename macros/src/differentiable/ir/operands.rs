//! Values, places and calls as text.

use proc_macro2::TokenStream;

use super::display::Shown;
use super::*;
use crate::differentiable::tokens::tight;

impl Shown<'_> {
    pub(crate) fn iterable(&self, iterable: &Iterable) -> String {
        match iterable {
            Iterable::Counted { range, variable } => {
                let step = range
                    .step
                    .iter()
                    .map(|s| format!(" by {}", self.text(&s.tokens)));
                let (step, reversed) = (
                    step.collect::<String>(),
                    if range.reversed { " reversed" } else { "" },
                );
                let (variable, range) = (self.def(*variable), self.atom(&range.range));
                format!("for {variable} in {range}{step}{reversed}")
            }
            Iterable::While { condition } => format!("while {}", self.text(condition)),
        }
    }

    pub(crate) fn init(&self, init: &Init) -> String {
        match init {
            Init::Later => String::new(),
            Init::Value(atom) => format!(" = {}", self.atom(atom)),
            Init::Inactive { expr, again: true } => format!(" = {}", self.text(&expr.tokens)),
            Init::Inactive { expr, .. } => format!(" = once {}", self.text(&expr.tokens)),
            Init::Copy { from, tokens } => {
                format!(" = copy of {} by {}", self.place(from), self.text(tokens))
            }
        }
    }

    /// How a value comes about.
    pub(crate) fn value(&self, kind: &DefKind) -> String {
        match kind {
            DefKind::Param(index) => format!("parameter {index}"),
            DefKind::Pure(expr) => self.bare(&expr.tokens),
            DefKind::Opaque(expr) => format!("once {}", tight::tight(&expr.tokens, &|_| None)),
            DefKind::Read(place) => format!("read {}", self.place(place)),
            DefKind::Op { op, args, .. } => {
                let args: Vec<_> = args.iter().map(|a| self.atom(a)).collect();
                format!("{}({})", self.text(op), args.join(", "))
            }
            DefKind::Make { value, .. } => format!("make {}", self.text(value)),
            DefKind::Version(root) => format!("load {}", self.root(*root)),
            DefKind::Call(call) => self.call(call),
            DefKind::LoopVariable => "counter".to_owned(),
        }
    }

    pub(crate) fn call(&self, call: &Call) -> String {
        let callee = match &call.callee {
            Callee::Path(path) => self.text(&quote::quote!(#path)),
            Callee::Conversion(path) => format!("conversion {}", self.text(&quote::quote!(#path))),
            Callee::Operator(name, _) => format!("operator {name}"),
            Callee::Method { receiver, name, .. } => format!("{}.{name}", self.place(receiver)),
            Callee::Value(d) => self.def(*d),
            Callee::Variant { make, .. } => format!("variant {}", self.text(make)),
            Callee::Part {
                of,
                pattern,
                name,
                replaced,
            } => {
                let (of, pattern) = (self.place(of), self.text(pattern));
                let other = if *replaced { "another " } else { "" };
                format!("{other}part {name} by {pattern} of {of}")
            }
        };
        let args: Vec<_> = call.args.iter().map(|a| self.argument(a)).collect();
        let unpack = self.text(&call.unpack.tokens());
        format!("call {callee}({}){unpack}", args.join(", "))
    }

    fn argument(&self, arg: &Arg) -> String {
        match arg {
            Arg::Const(expr) => format!("const {}", self.text(&expr.tokens)),
            Arg::Value(atom) => self.atom(atom),
            Arg::Whole { root } => format!("whole {}", self.root(*root)),
            Arg::Closure {
                function, captured, ..
            } => {
                let captured: Vec<_> = captured.iter().map(|a| self.argument(a)).collect();
                format!("closure {function}({})", captured.join(", "))
            }
            Arg::Shared(place) => format!("&{}", self.place(place)),
            Arg::Exclusive(place) => format!("&mut {}", self.place(place)),
        }
    }

    pub(crate) fn atom(&self, atom: &Atom) -> String {
        match atom {
            Atom::Def(d) => self.def(*d),
            Atom::Const(expr) => self.bare(&expr.tokens),
            Atom::Root(root) => format!("move {}", self.root(*root)),
        }
    }

    pub(crate) fn place(&self, place: &Place) -> String {
        let base = match place.base {
            Base::Root(root) => self.root(root),
            Base::Def(d) => self.def(d),
        };
        format!("{base}{}", self.text(&place.suffix))
    }

    /// A value where it is used: its name, or what it is.
    pub(crate) fn def(&self, d: DefId) -> String {
        let def = &self.program.defs[d];
        match self.folded.contains(&d) {
            true => self.value(&def.kind),
            false => def.name.to_string(),
        }
    }

    pub(crate) fn root(&self, root: RootId) -> String {
        self.program.roots[root].name.to_string()
    }

    pub(crate) fn text(&self, tokens: &TokenStream) -> String {
        tight::tight(tokens, &|name| self.instead(name))
    }

    fn bare(&self, tokens: &TokenStream) -> String {
        tight::bare(tokens, &|name| self.instead(name))
    }

    /// What is written in the place of the name of a value.
    fn instead(&self, name: &str) -> Option<String> {
        let mut folded = self.folded.iter();
        let d = folded.find(|d| self.program.defs[**d].name == name)?;
        Some(self.value(&self.program.defs[*d].kind))
    }

    pub(crate) fn is_left_out(&self, d: DefId) -> bool {
        self.folded.contains(&d) || matches!(self.program.defs[d].kind, DefKind::Param(_))
    }
}
