//! Calls of functions that have rules.

use syn::spanned::Spanned;
use syn::{Expr, ExprCall};

use super::substituted;
use crate::differentiable::expand::trait_paths;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::Lower;
use crate::differentiable::lower::iterators::searched;
use crate::differentiable::lower::memory::assign::LENT;
use crate::differentiable::lower::memory::place;
use crate::differentiable::methods::{calls, operations};
use crate::differentiable::resolve::varied;
use crate::differentiable::syntax::names::{is_unit, simple_name};
use crate::differentiable::syntax::receivers::Change;
use crate::premises::Site;
use crate::signature::{Callable, Passing};

impl Lower<'_> {
    /// A call whose value is used.
    pub(crate) fn call_value(&mut self, call: &ExprCall) -> Atom {
        if let Some(atom) = self.closure_call(call) {
            return atom;
        }
        if searched::is_position(&call.func) {
            return self.inactive(&Expr::Call(call.clone()));
        }
        if let Some(atom) = self.associated(call).or_else(|| self.of_libm(call)) {
            return atom;
        }
        if let Some(atom) = self.complex(call) {
            return atom;
        }
        if let Some(atom) = self.replaced(call) {
            return atom;
        }
        if let Some(same) = self.same_array(call) {
            return self.value(&same);
        }
        if let Some(atom) = self.new_box(call) {
            return atom;
        }
        if let Some(atom) = self.array_made(call) {
            return atom;
        }
        if let Some(some) = self.some_made(&Expr::Call(call.clone())) {
            return some;
        }
        if self.refused_variant(&call.func) {
            return self.nothing();
        }
        if substituted::is_tuple_constructor(&call.func) {
            if self.refused_parts(&call.args) {
                return self.nothing();
            }
            if let Expr::Path(path) = &*call.func
                && self.is_variant(&path.path)
            {
                let values = call.args.iter().map(|e| self.operand_of(e)).collect();
                return self.variant_made(&path.path, values, |names| quote::quote!((#(#names),*)));
            }
            let parts = call.args.iter().enumerate().map(|(i, e)| {
                let index = syn::Index::from(i);
                (quote::quote!(.#index), self.value(e))
            });
            let parts: Vec<_> = parts.collect();
            let func = &call.func;
            return self.make(parts, |values| quote::quote!(#func(#(#values),*)));
        }
        self.rule_call(call, true, Unpack::Plain)
    }

    /// `f(x).unwrap()`, of a function that has rules and may fail; `wanted` if its value is.
    pub(crate) fn unwrapped_call(
        &mut self,
        call: &syn::ExprMethodCall,
        wanted: bool,
    ) -> Option<Atom> {
        if !calls::unwraps(call) {
            return None;
        }
        let unpack = Unpack::Method(calls::unpacked(call));
        match &*call.receiver {
            Expr::Call(inner) if !self.is_local(&inner.func) => {
                Some(self.rule_call(inner, wanted, unpack))
            }
            Expr::MethodCall(inner)
                if !calls::is_std_call(inner)
                    && operations::method(&inner.method.to_string(), inner.args.len())
                        .is_none() =>
            {
                Some(self.method_call(inner, wanted, unpack))
            }
            _ => None,
        }
    }

    /// Whether a function is a local of this one: a closure.
    pub(crate) fn is_local(&self, func: &Expr) -> bool {
        simple_name(func).is_some_and(|n| self.lookup(&n).is_some())
    }

    /// A call as a statement.
    pub(crate) fn call_statement(&mut self, call: &ExprCall) {
        if self.closure_call(call).is_some() {
            return;
        }
        self.rule_call(call, false, Unpack::Plain);
    }

    pub(crate) fn rule_call(&mut self, call: &ExprCall, used: bool, unpack: Unpack) -> Atom {
        let Expr::Path(path) = &*call.func else {
            self.errors.at(
                &call.func,
                "call a function by its path, or a closure by the name it is bound to",
            );
            return self.nothing();
        };
        if trait_paths::of_trait(&call.func).is_some() {
            self.errors.at(
                &call.func,
                "other methods have this name, and the path of the trait does not lead to its rules: write `#[differentiable]` before the trait, and call the method on a parameter with the bound; or give it a name of its own",
            );
            return self.nothing();
        }
        if path.qself.is_some() {
            self.errors.at(
                &call.func,
                "rules are not found through a type and its trait: call the method on a value, `x.f(…)`, or name the function, `Type::f(x, …)`",
            );
            return self.nothing();
        }
        if let Some(d) = self.callable(&call.func) {
            let Callable { inputs, output, .. } = self.callables[&d].clone();
            let args = call
                .args
                .iter()
                .enumerate()
                .map(|(i, a)| match inputs.get(i) {
                    Some(syn::Type::Reference(_)) => match self.argument(a) {
                        Arg::Value(value) => Arg::Shared(place::whole(self.atom_base(value))),
                        lent => lent,
                    },
                    _ => {
                        let value = self.value(a);
                        Arg::Value(self.operand(value))
                    }
                });
            let args = args.collect();
            // the rules that are asked of it return what it returns
            let used = used || !is_unit(&output);
            return self.finish_call(Callee::Value(d), args, used, unpack);
        }
        if is_of_integer(&path.path) {
            return self.surely_inert(&Expr::Call(call.clone()));
        }
        if self.refused_local(&call.func)
            || self.refused_container(&call.func)
            || self.refused_range(&path.path)
            || self.refused_constant(path)
            || self.refused_unmarked(path)
        {
            return self.nothing();
        }
        let site = Site::of(path.span());
        self.program.decisions.by_rule.insert(site);
        let asks = self.asked_before(&Expr::Call(call.clone()), &unpack);
        let primal = self.primal_of(&Expr::Call(call.clone()), &unpack);
        let (args, lent) = self.parts_lent(&call.args);
        let args = self.arguments(&Expr::Call(call.clone()), &args);
        let imported = path.path.get_ident().map(ToString::to_string);
        let imported = imported.and_then(|name| self.imports.get(&name));
        let path = imported.unwrap_or(&path.path).clone();
        let callee = match args.len() == 1 && is_conversion(&path) {
            true => Callee::Conversion(path),
            false => Callee::Path(path),
        };
        let value = self.finish_call(callee, args, used, unpack);
        self.note_primal(&value, primal);
        self.note_asked(&value, asks);
        self.take_back(lent);
        value
    }

    /// Refuses a call of a local. Whether it is one.
    fn refused_local(&mut self, func: &Expr) -> bool {
        let name = simple_name(func).filter(|name| self.lookup(name).is_some());
        if let Some(name) = &name {
            self.errors.at(
                func,
                format!("`{name}` is a value, and a value that can be called has no rule: call a function by its path, or a closure written in this function"),
            );
        }
        name.is_some()
    }

    /// Refuses a function inside the body that has no rule. Whether it is one.
    fn refused_unmarked(&mut self, path: &syn::ExprPath) -> bool {
        let name = path.path.get_ident();
        let name = name.filter(|name| self.unmarked.contains(*name));
        if let Some(name) = name {
            self.program.wanted.insert(name.to_string());
            self.errors.at(
                path,
                "this function stands inside of the body and has no rule: mark it `#[differentiable]`, `#[primitive]` or `#[inactive]`",
            );
        }
        name.is_some()
    }

    /// Refuses `Rc::new(x)`, `VecDeque::new()` and the like. Whether it is one.
    pub(crate) fn refused_container(&mut self, func: &Expr) -> bool {
        let refused = matches!(func, Expr::Path(path) if is_container(&path.path));
        if refused {
            self.errors.at(
                func,
                "active values are kept in locals, arrays, `Vec`s, boxes and structs: this container has no place that a derivative could follow",
            );
        }
        refused
    }

    /// A method that is not known here: the type of its receiver has the rules.
    pub(crate) fn method_call(
        &mut self,
        call: &syn::ExprMethodCall,
        used: bool,
        unpack: Unpack,
    ) -> Atom {
        if self.callees.lends_a_part(&call.method.to_string()) {
            self.errors.at(&call.method, LENT);
            return self.nothing();
        }
        let site = Site::of(call.method.span());
        self.program.decisions.by_rule.insert(site);
        let asks = self.asked_before(&Expr::MethodCall(call.clone()), &unpack);
        let primal = self.primal_of(&Expr::MethodCall(call.clone()), &unpack);
        let receiver = match self.place(&call.receiver) {
            Some(place) => self.settled(place),
            None => {
                let value = self.value(&call.receiver);
                place::whole(self.atom_base(value))
            }
        };
        // by value, before the arguments run
        let receiver = match self.change_of_receiver(call) {
            Change::Surely => self.copy_apart(&receiver),
            Change::Nothing | Change::Perhaps => receiver,
        };
        // it may change its receiver, if it can, unless the crate's own methods of this name do not
        let exclusive = match receiver.base {
            Base::Root(_) if self.callees.keeps_receiver(&call.method.to_string()) => false,
            Base::Root(r) => !matches!(
                self.program.roots[r].kind,
                RootKind::Param {
                    passing: Passing::Shared,
                    ..
                }
            ),
            Base::Def(_) => false,
        };
        let receiver = match exclusive {
            true => self.numbered(receiver),
            false => receiver,
        };
        let first = match exclusive {
            true => Arg::Exclusive(receiver.clone()),
            false => Arg::Shared(receiver.clone()),
        };
        let (args, lent) = self.parts_lent(&call.args);
        let args = std::iter::once(first)
            .chain(self.arguments(&Expr::MethodCall(call.clone()), &args))
            .collect();
        let callee = Callee::Method {
            receiver,
            name: call.method.clone(),
            // the sizes of a part, by which `nalgebra` names such methods
            turbofish: (call.turbofish.clone())
                .filter(|_| call.method.to_string().starts_with("fixed_")),
        };
        let value = self.finish_call(callee, args, used, unpack);
        self.note_primal(&value, primal);
        self.note_asked(&value, asks);
        self.take_back(lent);
        value
    }

    /// A call in a loop without its rules, if it changes nothing that it is lent.
    fn primal_of(&mut self, call: &Expr, unpack: &Unpack) -> Option<ir::Expr> {
        if self.point().loops.is_empty() || unpack.leaves() || self.changes_arguments(call) {
            return None;
        }
        let call = self.with_references(call);
        let errors = std::mem::take(self.errors);
        let ir::Expr { tokens, uses } = self.plain(&call).expr;
        let refused = std::mem::replace(self.errors, errors);
        let unpack = unpack.tokens();
        let tokens = quote::quote!(#tokens #unpack);
        refused.is_empty().then_some(ir::Expr { tokens, uses })
    }

    /// The condition that has just asked whether this call gives the value that is taken out of it.
    fn asked_before(&mut self, call: &Expr, unpack: &Unpack) -> Option<DefId> {
        let (asked, _) = self.asking.as_ref()?;
        let same = matches!(unpack, Unpack::Method(_)) && *asked == self.with_references(call);
        self.asking.take_if(|_| same).map(|(_, asks)| asks)
    }

    fn note_asked(&mut self, value: &Atom, asks: Option<DefId>) {
        if let (Atom::Def(d), Some(asks)) = (value, asks) {
            self.program.asked.insert(*d, asks);
        }
    }

    fn note_primal(&mut self, value: &Atom, primal: Option<ir::Expr>) {
        if let (Atom::Def(d), Some(primal)) = (value, primal) {
            self.program.primals.insert(*d, primal);
        }
    }

    pub(crate) fn finish_call(
        &mut self,
        callee: Callee,
        args: Vec<Arg>,
        used: bool,
        unpack: Unpack,
    ) -> Atom {
        let (args, copies) = self.apart(&callee, args);
        self.keep_shapes(&callee, &args);
        let point = self.point();
        for arg in &args {
            match arg {
                Arg::Whole { root } => {
                    if matches!(
                        self.program.roots[*root].kind,
                        RootKind::Param {
                            passing: Passing::Exclusive,
                            ..
                        }
                    ) {
                        self.write_at(*root, point.clone());
                    }
                }
                Arg::Exclusive(Place {
                    base: Base::Root(root),
                    ..
                }) => {
                    self.write_at(*root, point.clone());
                }
                _ => {}
            }
        }
        let call = Call {
            of_numbers: args.iter().all(|arg| self.may_be_number(arg)),
            callee,
            args,
            used,
            unpack,
            point,
        };
        self.believe(&call);
        let value = match used {
            true => Atom::Def(self.def(DefKind::Call(call), true)),
            false => {
                self.push(Item::Call(call));
                self.nothing()
            }
        };
        self.copy_back(copies);
        value
    }

    /// Notes what an inactive call may write.
    pub(crate) fn lent_mutably(&mut self, call: &ExprCall) {
        for arg in &call.args {
            if let Some(part) = self.part_of(arg) {
                self.written(part.whole());
            } else if varied::borrows_mutably(arg) {
                if let Some(place) = self.place(arg) {
                    self.written(&place);
                }
            } else if let Some(Arg::Whole { root }) = self.whole(arg)
                && matches!(
                    self.program.roots[root].kind,
                    RootKind::Param {
                        passing: Passing::Exclusive,
                        ..
                    }
                )
            {
                self.write(root);
            }
        }
    }
}

/// `X::from`, for a type.
fn is_conversion(path: &syn::Path) -> bool {
    let mut names = path.segments.iter().rev().map(|s| s.ident.to_string());
    names.next().is_some_and(|name| name == "from")
        && names
            .next()
            .is_some_and(|ty| ty.starts_with(char::is_uppercase))
}

/// `i64::from`, `usize::try_from`: what a function of integers gives has no derivative.
fn is_of_integer(path: &syn::Path) -> bool {
    const INTEGERS: &[&str] = &[
        "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize",
    ];
    let of = path.segments.first().filter(|_| path.segments.len() == 2);
    of.is_some_and(|of| INTEGERS.iter().any(|name| of.ident == name))
}

/// `Rc::new`, `Cell::new` and the like.
fn is_container(path: &syn::Path) -> bool {
    let mut names = path.segments.iter().rev().map(|s| s.ident.to_string());
    let (Some(_), Some(ty)) = (names.next(), names.next()) else {
        return false;
    };
    [
        "Rc", "Arc", "Cell", "RefCell", "Mutex", "RwLock", "OnceCell", "VecDeque", "HashMap",
        "BTreeMap",
    ]
    .contains(&ty.as_str())
}
