//! What a call hands over: parameters as they came, parts of memory, numbers, closures, and what has no derivative.

use syn::Expr;

use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::references::held;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::syntax::names::simple_name;

impl Lower<'_> {
    /// Whether nothing tells that an argument by value is another type than the number that the function computes with.
    pub(super) fn may_be_number(&self, arg: &Arg) -> bool {
        let Arg::Value(Atom::Def(d)) = arg else {
            return true;
        };
        let of = match &self.program.defs[*d].kind {
            DefKind::Make { .. } => return false,
            DefKind::Pure(of) | DefKind::Opaque(of) if is_tuple(&of.tokens) => return false,
            DefKind::Call(call) => {
                return matches!(&call.callee, Callee::Path(path) if self.callees.returns(path, &self.scalar));
            }
            DefKind::Version(root) => Base::Root(*root),
            DefKind::Read(place) if place.suffix.is_empty() => place.base,
            _ => Base::Def(*d),
        };
        let made = self.constructed.contains(&of) || self.constructed.contains(&Base::Def(*d));
        !made && self.type_of_base(of).is_none_or(|ty| ty == self.scalar)
    }

    /// The parameter that is called by this name.
    pub(crate) fn callable(&self, func: &Expr) -> Option<DefId> {
        match self.lookup(&simple_name(func)?)? {
            Binding::Def(d) if self.callables.contains_key(d) => Some(*d),
            _ => None,
        }
    }

    /// A function that is passed to be called: its marker.
    pub(crate) fn passed_function(&self, arg: &Expr) -> Option<Arg> {
        let mut uses = Uses::default();
        // where a reference to something that can be called is wanted
        let arg = match arg {
            Expr::Reference(reference) => &*reference.expr,
            arg => arg,
        };
        if let Some(d) = self.callable(arg) {
            let name = &self.program.defs[d].name;
            let tokens = quote::quote!(::core::clone::Clone::clone(&#name));
            uses.defs.insert(d);
            return Some(Arg::Const(ir::Expr { tokens, uses }));
        }
        let Expr::Path(path) = arg else { return None };
        let last = path.path.segments.last()?.ident.to_string();
        // constants and statics are written in capitals
        let local = simple_name(arg).is_some_and(|n| self.lookup(&n).is_some());
        if local || !last.starts_with(char::is_lowercase) {
            return None;
        }
        let tokens = self.program.marker_told(&path.path);
        Some(Arg::Const(ir::Expr { tokens, uses }))
    }

    /// The arguments of a call; closures have the types that the function says.
    pub(super) fn arguments(&mut self, call: &Expr, args: &[Expr]) -> Vec<Arg> {
        let told = self.told_closures(call, args);
        let args = args.iter().zip(told);
        let args = args.map(|(arg, told)| {
            self.told_closure = told;
            let lowered = self.argument(arg);
            self.told_closure = None;
            lowered
        });
        args.collect()
    }

    pub(super) fn argument(&mut self, arg: &Expr) -> Arg {
        let arg = held::peeled(arg);
        if let Some(closure) = self.number_method(arg) {
            return self.argument(&Expr::Closure(closure));
        }
        if let Some(function) = self.passed_function(arg).or_else(|| self.lifted(arg)) {
            return function;
        }
        let exclusive = matches!(arg, Expr::Reference(r) if r.mutability.is_some());
        if let Some(whole) = self.whole(arg) {
            return whole;
        }
        if let Some(view) = self.view_argument(arg) {
            return view;
        }
        if let (false, Some(part)) = (exclusive, self.part_of(arg)) {
            return self.part_argument(&part);
        }
        let by_reference = match arg {
            Expr::Reference(_) => true,
            _ => simple_name(arg)
                .and_then(|n| self.lookup(&n).cloned())
                .is_some_and(|b| match b {
                    Binding::Alias { .. } | Binding::View(_) => true,
                    Binding::Root(r) => {
                        matches!(self.program.roots[r].kind, RootKind::Param { .. })
                    }
                    _ => false,
                }),
        };
        if by_reference {
            let is_mut_alias = simple_name(arg)
                .and_then(|n| self.lookup(&n).cloned())
                .is_some_and(|b| match b {
                    Binding::Alias { exclusive, .. } => exclusive,
                    Binding::View(view) => view.is_exclusive(),
                    _ => false,
                });
            if let Some(place) = self.place(arg) {
                if exclusive || is_mut_alias {
                    return Arg::Exclusive(place);
                }
                if self.place_varied(&place) {
                    let place = self.settled(place);
                    return Arg::Shared(place);
                }
                // where another scope uses the name for something active
                if matches!(arg, Expr::Path(_)) && !self.is_moved(&place) {
                    return self.inactive_argument(arg);
                }
            }
        }
        if !self.is_varied(arg) {
            return self.inactive_argument(arg);
        }
        if let Expr::Reference(reference) = arg {
            // a reference to a value that is not a place: `&(a + b)`
            let option = self.local_option(&reference.expr);
            let atom = option.unwrap_or_else(|| self.value(&reference.expr));
            if let Atom::Def(d) = atom {
                return Arg::Shared(place::whole(Base::Def(d)));
            }
        }
        let made = self.some_made(arg).or_else(|| self.local_option(arg));
        let atom = made.unwrap_or_else(|| self.value(arg));
        // memory by value is a copy
        let atom = match atom {
            Atom::Root(r) => self.read(place::whole(Base::Root(r))),
            atom => atom,
        };
        match atom {
            // a view, or an array that the call may read where it is
            Atom::Def(d) if self.kind(arg).is_surely() => Arg::Shared(place::whole(Base::Def(d))),
            atom => Arg::Value(atom),
        }
    }

    /// An argument without derivative: by reference if it is one.
    fn inactive_argument(&mut self, arg: &Expr) -> Arg {
        let name = simple_name(arg).and_then(|n| self.lookup(&n));
        let lent = match (arg, name) {
            (Expr::Reference(reference), _) => &*reference.expr,
            // a part of memory that a name refers to, which may be a row
            (_, Some(Binding::Alias { .. } | Binding::View(_))) => arg,
            _ => {
                let atom = self.inactive(arg);
                return Arg::Const(self.atom_expr(&atom));
            }
        };
        let ir::Expr { tokens, uses } = self.plain(lent).expr;
        let tokens = quote::quote!(&#tokens);
        Arg::Const(ir::Expr { tokens, uses })
    }

    /// A parameter that is passed on as it came.
    pub(super) fn whole(&mut self, arg: &Expr) -> Option<Arg> {
        let name = match arg {
            Expr::Path(_) => simple_name(arg)?,
            // `&*x`, `&mut *x`
            Expr::Reference(reference) => match &*reference.expr {
                Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                    simple_name(&unary.expr)?
                }
                _ => return None,
            },
            _ => return None,
        };
        match self.lookup(&name)? {
            Binding::Root(r) if matches!(self.program.roots[*r].kind, RootKind::Param { .. }) => {
                Some(Arg::Whole { root: *r })
            }
            _ => None,
        }
    }
}

/// Whether an expression is a tuple that is written out.
fn is_tuple(tokens: &proc_macro2::TokenStream) -> bool {
    fn of(expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => of(&paren.expr),
            expr => matches!(expr, Expr::Tuple(_)),
        }
    }
    syn::parse2(tokens.clone()).is_ok_and(|expr| of(&expr))
}
