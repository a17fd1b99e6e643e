//! Calls without derivative that can be run again, as the text of the callee shows.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

use syn::ext::IdentExt;
use syn::{Expr, ExprCall, Ident, Path, ReturnType, Stmt, Type};

use super::substituted::Replace;
use crate::differentiable::front::numbers;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::resolve::beside::{Beside, Named, callee, is_of_numbers, type_name};
use crate::differentiable::resolve::fn_bounds::{FnBound, Told};
use crate::differentiable::resolve::meanings::Meanings;
use crate::differentiable::resolve::own_closures::OwnClosures;
use crate::differentiable::resolve::own_effects::OwnEffects;
use crate::differentiable::resolve::receivers::Receivers;
use crate::differentiable::syntax::effects::{self, Again};
use crate::differentiable::syntax::names::simple_name;
use crate::files::own_sums::OwnSums;
use crate::files::own_types::OwnTypes;
use crate::files::{own_names, scope};
use crate::signature::{Function, RECEIVER};

/// What is known of the functions beside one.
pub(crate) struct Callees {
    /// The function that calls them.
    caller: Ident,
    /// The type that it is a method of.
    pub(crate) own: Option<String>,
    /// The names of the types of its parameters.
    types: HashMap<String, String>,
    /// Which parameters are made of numbers.
    pub(crate) numbers: Vec<bool>,
    beside: OnceCell<Rc<Beside>>,
    effects: OnceCell<Rc<OwnEffects>>,
    receivers: OnceCell<Rc<Receivers>>,
    sums: OnceCell<Rc<OwnSums>>,
    declared: OnceCell<Rc<OwnTypes>>,
}

impl Callees {
    pub(crate) fn of(function: &Function) -> Self {
        let types = function.params.iter().filter_map(|param| {
            let name = match param.name == RECEIVER {
                true => "self".to_owned(),
                false => param.name.to_string(),
            };
            type_name(&param.ty).map(|ty| (name, ty))
        });
        let numbers = function.params.iter().map(|p| is_of_numbers(&p.ty));
        let path = function
            .path
            .clone()
            .and_then(|path| syn::parse2(path).ok());
        let own = path.and_then(|path: syn::ExprPath| type_name(&path.qself?.ty));
        let mut types: HashMap<_, _> = types.collect();
        if let (Some(own), true) = (&own, types.contains_key("self")) {
            types.insert("self".to_owned(), own.clone());
        }
        Self {
            caller: function.written.ident.clone(),
            own,
            types,
            numbers: numbers.collect(),
            beside: OnceCell::new(),
            effects: OnceCell::new(),
            receivers: OnceCell::new(),
            sums: OnceCell::new(),
            declared: OnceCell::new(),
        }
    }

    /// What operators, queries and constructors of the crate's own do beside computing.
    fn effects(&self) -> &OwnEffects {
        self.effects.get_or_init(|| OwnEffects::of(&self.caller))
    }

    /// Whether the receiver of a call is changed by a method of the crate's own, of some type.
    pub(crate) fn changes_receiver(&self, method: &str) -> bool {
        self.effects().changes_receiver(method)
    }

    /// How methods of the crate's own take their receivers.
    fn receivers(&self) -> &Receivers {
        self.receivers.get_or_init(|| Receivers::of(&self.caller))
    }

    /// Whether a method leaves its receiver as it is, which it may take by value, as far as the crate tells: its rules assert it by their types.
    pub(crate) fn keeps_receiver(&self, method: &str) -> bool {
        self.receivers().kept_by(method)
    }

    /// Whether a method of this name changes its receiver, as far as files tell.
    pub(crate) fn surely_changes_receiver(&self, method: &str) -> bool {
        self.receivers().changed_by(method, &self.caller)
    }

    /// Whether a method of this name may change its receiver, by rules.
    pub(crate) fn changes_receiver_by_rules(&self, method: &str) -> bool {
        self.receivers().changed_by_rules(method, &self.caller)
    }

    /// Whether a method of this name returns its receiver, as far as files tell.
    pub(crate) fn gives_back(&self, method: &str) -> bool {
        self.receivers().given_back_by(method)
    }

    /// Whether methods of this name give values of the types that they are methods of, as far as files tell.
    pub(crate) fn gives_own_type(&self, method: &str) -> bool {
        self.receivers().gives_own_type(method, &self.caller)
    }

    /// Whether the crate's own methods of this name lend a part of their receivers, which may be changed there.
    pub(crate) fn lends_a_part(&self, method: &str) -> bool {
        self.receivers().lend_a_part(method, &self.caller)
    }

    /// Whether the crate's own methods of this name have rules.
    pub(crate) fn has_rules(&self, method: &str) -> bool {
        self.receivers().ruled(method, &self.caller)
    }

    /// How values of the crate's own types add and multiply.
    fn sums(&self) -> &OwnSums {
        self.sums.get_or_init(|| OwnSums::of(&self.caller))
    }

    /// Whether sums of a type of the crate may depend on the lengths of their operands' parts.
    pub(crate) fn adds_by_lengths(&self, of: &str) -> bool {
        self.sums().by_lengths(of, &self.caller)
    }

    /// Whether products of a type of the crate may depend on the lengths of their operands' parts.
    pub(crate) fn multiplies_by_lengths(&self, of: &str) -> bool {
        self.sums().multiplies_by_lengths(of, &self.caller)
    }

    /// The type of a field, as far as the crate declares it.
    pub(crate) fn field(&self, of: &str, field: &str) -> Option<Type> {
        let declared = (self.declared).get_or_init(|| OwnTypes::of(&self.caller));
        let of = (self.own.as_deref()).filter(|_| of == "Self").unwrap_or(of);
        declared.field(of, field, &self.caller)
    }

    /// Whether a function of the crate of this name may change the length of a vector that it is lent.
    pub(crate) fn grows(&self, name: &str) -> bool {
        self.effects().grows(name)
    }

    /// Whether a function of the crate of this name may give fields of what it is lent another length, by assignments.
    pub(crate) fn refits(&self, name: &str) -> bool {
        self.effects().refits(name)
    }

    /// Whether a file of the crate has a function or a method of this name.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.effects().has(name)
    }

    /// What the file tells of the functions in it.
    fn beside(&self) -> &Beside {
        self.beside.get_or_init(|| Beside::of(&self.caller))
    }

    /// Whether the file of the caller shows that a callee returns the number that it computes with.
    pub(crate) fn returns(&self, path: &Path, scalar: &Type) -> bool {
        let named = path
            .get_ident()
            .map(|name| Named::Function(name.to_string()));
        let (Some(named), Some(scalar)) = (named, type_name(scalar)) else {
            return false;
        };
        let caller = self.caller.unraw().to_string();
        self.beside().returns(&caller, named, &scalar)
    }

    /// Whether the file of the caller shows that a function has no mark, and gives what has no derivative.
    pub(crate) fn gives_inert(&self, call: &ExprCall) -> bool {
        let Expr::Path(func) = &*call.func else {
            return false;
        };
        let caller = self.caller.unraw().to_string();
        func.path.get_ident().is_some_and(|name| {
            let named = Named::Function(name.to_string());
            self.beside().gives_inert(&caller, named)
        })
    }

    /// The types that the arguments of a call are taken as, where the file of the caller tells.
    pub(crate) fn taken(&self, call: &Expr) -> Vec<Option<Type>> {
        let caller = self.caller.unraw().to_string();
        let taken = match call {
            Expr::MethodCall(call) => {
                let taken = self
                    .beside()
                    .taken_by_method(&caller, &call.method.to_string());
                taken.and_then(|taken| taken.get(1..))
            }
            call => callee(call, self.own.as_deref())
                .and_then(|named| self.beside().taken(&caller, named)),
        };
        let parsed = |name: &Option<String>| syn::parse_str(name.as_deref()?).ok();
        taken.unwrap_or_default().iter().map(parsed).collect()
    }

    /// Whether a function or a method of the crate of this name takes an argument by `&mut`.
    pub(crate) fn takes_mutably(&self, call: &Expr) -> bool {
        self.effects().takes_mutably(call)
    }

    fn again(&self, callee: Named) -> Again {
        let caller = self.caller.unraw().to_string();
        self.beside().again(&caller, callee)
    }
}

impl Lower<'_> {
    /// Whether an expression may do more than compute, by operators, queries and constructors of the crate's own.
    pub(crate) fn may_act(&self, expr: &Expr) -> bool {
        let is_number = |name: &str| self.is_number(name);
        self.callees.effects().in_expr(expr, &is_number)
    }

    /// Whether an expression is a number, as far as its text and the declarations of the crate tell.
    pub(crate) fn is_made_of_numbers(&self, expr: &Expr) -> bool {
        let is_number = |name: &str| self.is_number(name);
        self.callees.effects().is_of_numbers(expr, &is_number)
    }

    /// Whether a type of the crate has a method of this name that does more than compute.
    pub(crate) fn acts(&self, method: &str) -> bool {
        self.callees.effects().has_method(method)
    }

    /// Whether a name is made of numbers, by its type or by what it was declared with.
    pub(crate) fn is_number(&self, name: &str) -> bool {
        match self.lookup(name) {
            Some(Binding::Def(d)) => self.is_number_def(*d),
            Some(Binding::Root(r)) => self.is_number_root(*r),
            _ => false,
        }
    }

    fn is_number_root(&self, root: RootId) -> bool {
        let Root { kind, ty, .. } = &self.program.roots[root];
        if let RootKind::Param { index, .. } = kind {
            return self.callees.numbers[*index];
        }
        if let Some(ty) = ty {
            return is_of_numbers(ty);
        }
        match self.init_of(root) {
            Some(Init::Value(Atom::Def(d))) => self.is_number_def(*d),
            Some(Init::Value(Atom::Const(expr)) | Init::Inactive { expr, .. }) => {
                self.is_number_text(expr)
            }
            _ => false,
        }
    }

    fn is_number_def(&self, def: DefId) -> bool {
        match &self.program.defs[def].kind {
            DefKind::LoopVariable => true,
            DefKind::Param(index) => self.callees.numbers[*index],
            DefKind::Pure(expr) | DefKind::Opaque(expr) => self.is_number_text(expr),
            _ => false,
        }
    }

    /// Whether generated text is made of numbers: its own names are those of generated values.
    fn is_number_text(&self, expr: &ir::Expr) -> bool {
        let known = |expr| self.callees.effects().is_of_numbers(&expr, &|_| false);
        syn::parse2(expr.tokens.clone()).is_ok_and(known)
    }

    /// What a local was declared with, in one of the blocks around.
    fn init_of(&self, root: RootId) -> Option<&Init> {
        let mut items = self.blocks.iter().flat_map(|block| &block.items);
        items.find_map(|item| match item {
            Item::Declare { root: r, init } if *r == root => Some(init),
            _ => None,
        })
    }

    /// What it does to run a call again that is no constructor, and no method of the standard library's.
    fn again(&self, call: &Expr) -> Again {
        let named = self.named(call);
        named.map_or(Again::Effects, |named| self.callees.again(named))
    }

    /// Whether a call gives an iterator of the standard library's over a range, and has no effects.
    pub(crate) fn gives_chain(&self, call: &Expr) -> bool {
        let caller = self.callees.caller.unraw().to_string();
        let named = self.named(call);
        named.is_some_and(|named| self.callees.beside().gives_chain(&caller, named))
    }

    /// Whether a call gives some iterator.
    pub(crate) fn gives_iterator(&self, call: &Expr) -> bool {
        let caller = self.callees.caller.unraw().to_string();
        let named = self.named_by_type(call);
        named.is_some_and(|named| self.callees.beside().gives_iterator(&caller, named))
    }

    /// What the function that is called says of the closures among these arguments.
    pub(crate) fn told_closures(&self, call: &Expr, args: &[Expr]) -> Vec<Option<FnBound>> {
        let untold = || vec![None; args.len()];
        if !args.iter().any(|arg| self.closure(arg).is_some()) {
            return untold();
        }
        let caller = self.callees.caller.unraw().to_string();
        let named = self.named_by_type(call);
        let told = named.and_then(|named| self.callees.beside().closures(&caller, named));
        let told = told.cloned().or_else(|| self.told_elsewhere(call));
        let Some(told) = told else {
            return untold();
        };
        // a receiver in front of the others is no argument
        let receivers = told.parameters.len().saturating_sub(args.len());
        let parameters = &told.parameters[receivers..];
        let mut meanings = Meanings::of(&told.generics);
        if let Expr::Call(call) = call
            && let Expr::Path(path) = &*call.func
        {
            meanings.written(&told.generics, &path.path);
        }
        for ((declared, bound), arg) in parameters.iter().zip(args) {
            let declared = match bound {
                Some(bound) => bound.output(),
                None => declared.as_deref().and_then(|ty| syn::parse_str(ty).ok()),
            };
            if let (Some(declared), Some(given)) = (declared, self.type_told(arg)) {
                meanings.compare(&declared, &given);
            }
        }
        let bounds = parameters
            .iter()
            .map(|(_, bound)| bound.as_ref()?.put_in(&meanings));
        bounds
            .chain(std::iter::repeat(None))
            .take(args.len())
            .collect()
    }

    /// What a function of another file says, with the names of types that this one has, or with the path by which it is called.
    fn told_elsewhere(&self, call: &Expr) -> Option<Told> {
        let caller = &self.callees.caller;
        let (named, module) = match call {
            Expr::Call(of) if self.is_local(&of.func) => return None,
            Expr::Call(of) => called(of)?,
            call => (self.named_by_type(call)?, None),
        };
        let name = |ident: &Ident| {
            let near = Ident::new(&ident.to_string(), caller.span());
            let known =
                numbers::is_primitive(ident) || EVERYWHERE.iter().any(|known| ident == known);
            if known || own_names::is_item(&near) || scope::is_imported(&near) {
                return Some(ident.clone().into());
            }
            match &module {
                Some(module) => Some(syn::parse_quote!(#module::#ident)),
                None => own_names::may_come_by_glob(&near).then(|| ident.clone().into()),
            }
        };
        let of = match (&module, &named) {
            (Some(path), _) => path.segments.last().map(|last| last.ident.to_string()),
            (None, Named::Function(function)) => {
                scope::module_of(&Ident::new(function, caller.span()))
            }
            _ => None,
        };
        let declared = OwnClosures::of(caller);
        Some(
            declared
                .told(&named, of.as_deref(), caller)?
                .elsewhere(&name),
        )
    }

    /// The type of an argument, of a closure that of what it returns, as far as tokens and the crate's files tell.
    fn type_told(&self, arg: &Expr) -> Option<Type> {
        if let Some((closure, _)) = self.closure(arg) {
            return match (&closure.output, &*closure.body) {
                (ReturnType::Type(_, ty), _) => Some((**ty).clone()),
                (_, Expr::Block(block)) => match block.block.stmts.last()? {
                    Stmt::Expr(end, None) => self.type_of_array(end),
                    _ => None,
                },
                (_, end) => self.type_of_array(end),
            };
        }
        match arg {
            Expr::Reference(lent) => {
                let ty = self.type_told(&lent.expr)?;
                Some(syn::parse_quote!(&#ty))
            }
            Expr::Paren(inner) => self.type_told(&inner.expr),
            arg => self.type_of(arg).or_else(|| self.type_of_array(arg)),
        }
    }

    /// As [`named`](Self::named), also where a local tells the type of a receiver.
    fn named_by_type(&self, call: &Expr) -> Option<Named> {
        self.named(call).or_else(|| match call {
            Expr::MethodCall(method) => {
                let of = type_name(&self.type_of(&method.receiver)?)?;
                Some(Named::Method(of, method.method.to_string()))
            }
            _ => None,
        })
    }

    /// What a call names.
    fn named(&self, call: &Expr) -> Option<Named> {
        match call {
            Expr::Call(of) if self.is_local(&of.func) => None,
            Expr::MethodCall(method) => self
                .receiver_type(&method.receiver)
                .map(|of| Named::Method(of.to_owned(), method.method.to_string())),
            call => callee(call, self.callees.own.as_deref()),
        }
    }

    /// The name of the type of a receiver that is a parameter.
    fn receiver_type(&self, receiver: &Expr) -> Option<&str> {
        let name = simple_name(receiver)?;
        let is_param = match self.lookup(&name)? {
            Binding::Def(d) => matches!(self.program.defs[*d].kind, DefKind::Param(_)),
            Binding::Root(r) => matches!(self.program.roots[*r].kind, RootKind::Param { .. }),
            _ => false,
        };
        is_param
            .then(|| self.callees.types.get(&name).map(String::as_str))
            .flatten()
    }
}

impl Replace<'_, '_> {
    /// Notes what it does to run a call again.
    pub(crate) fn runs(&mut self, call: &Expr) {
        let again = match self.is_own(call) {
            true => Again::Effects,
            false => self.lower.again(call),
        };
        self.note(again);
    }

    /// Notes what it does to run a block again.
    pub(crate) fn runs_text(&mut self, expr: &Expr) {
        let mut known = |call: &Expr| self.lower.again(call);
        let again = effects::of_expr(expr, &mut known);
        self.note(again);
    }

    fn note(&mut self, again: Again) {
        self.pure &= again != Again::Effects;
        self.again = self.again.max(again);
    }

    /// Whether what is called is a name of the expression's own.
    fn is_own(&self, call: &Expr) -> bool {
        let name = match call {
            Expr::Call(call) => simple_name(&call.func),
            Expr::MethodCall(call) => simple_name(&call.receiver),
            _ => None,
        };
        name.is_some_and(|name| self.own.contains(&name))
    }
}

/// The names of types that every file has, beside those of numbers.
const EVERYWHERE: &[&str] = &[
    "bool", "char", "str", "Box", "Option", "Result", "String", "Vec",
];

/// The function that a path names, and the module that it is called from.
fn called(call: &ExprCall) -> Option<(Named, Option<Path>)> {
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let mut module = path.path.clone();
    let function = module.segments.pop()?.ident.to_string();
    let of = module.segments.last().map(|of| of.ident.to_string());
    match of.filter(|of| of.starts_with(char::is_uppercase)) {
        Some(of) => Some((Named::Method(of, function), None)),
        None => {
            module.segments.pop_punct();
            let module = (!module.segments.is_empty()).then_some(module);
            Some((Named::Function(function), module))
        }
    }
}
