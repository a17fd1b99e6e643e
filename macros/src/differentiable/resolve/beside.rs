//! Functions without derivative that stand in the file of their caller, and what it does to run them again, as their text shows.
//!
//! ```text
//! fn at(i: usize, j: usize) -> usize { (i % N) * N + j % N }   // needs no attribute
//! w[at(i + 1, j)]                                              // nothing goes to the tape
//! ```
//!
//! An attribute sees one function, and no type tells whether another has effects. So the file is read. A name is believed only if nothing else in the file
//! can have it: one function of the name, in the module of the caller, and no import of it.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use syn::visit::{self, Visit};
use syn::{Expr, FnArg, Ident, ImplItem, Item, Pat, Signature, Type};

use super::fn_bounds::{self, Told};
use super::own_effects::OwnEffects;
use crate::differentiable::front::numbers;
use crate::differentiable::syntax::effects::{self, Again};
use crate::differentiable::syntax::names::plain;
use crate::files::answers::Answers;
use crate::files::source;

/// What a call names: `at(i, j)`, or `grid.at(i, j)` and `Grid::at(&grid, i, j)`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Named {
    Function(String),
    Method(String, String),
}

/// What is known of the functions that a file's functions call.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    /// By the module, as its number in the file.
    known: HashMap<(usize, Named), Again>,
    /// Those of them that return an iterator of the standard library's over a range.
    chains: HashSet<(usize, Named)>,
    /// Those that return some iterator, of which only that is known.
    iterators: HashSet<(usize, Named)>,
    /// What functions say of the closures that they take.
    closures: HashMap<(usize, Named), Told>,
    /// The plain names of the types that functions return.
    returned: HashMap<(usize, Named), String>,
    /// The plain names of the types that functions take, a receiver's among them.
    taken: HashMap<(usize, Named), Vec<Option<String>>>,
    /// Functions without a mark that return an integer, a flag or a character, and change nothing that they are lent.
    inert: HashSet<(usize, Named)>,
    /// The modules in which a function or method of a name stands; of one that stands elsewhere too nothing is known.
    callers: HashMap<String, Option<usize>>,
}

impl Beside {
    /// What the file of a function tells.
    pub(crate) fn of(function: &Ident) -> Rc<Self> {
        let file = function.span().local_file();
        file.map(|file| read(&file)).unwrap_or_default()
    }

    /// What it does to run a callee again.
    pub(crate) fn again(&self, caller: &str, callee: Named) -> Again {
        let module = self.callers.get(caller).copied().flatten();
        let known = module.and_then(|module| self.known.get(&(module, callee)));
        known.copied().unwrap_or(Again::Effects)
    }

    /// Whether a callee returns an iterator of the standard library's over a range, and has no effects.
    pub(crate) fn gives_chain(&self, caller: &str, callee: Named) -> bool {
        let module = self.callers.get(caller).copied().flatten();
        module.is_some_and(|module| self.chains.contains(&(module, callee)))
    }

    /// What a callee says of the closures that it takes.
    pub(crate) fn closures(&self, caller: &str, callee: Named) -> Option<&Told> {
        let module = self.callers.get(caller).copied().flatten()?;
        self.closures.get(&(module, callee))
    }

    /// Whether a callee returns `impl Iterator`.
    pub(crate) fn gives_iterator(&self, caller: &str, callee: Named) -> bool {
        let module = self.callers.get(caller).copied().flatten();
        module.is_some_and(|module| self.iterators.contains(&(module, callee)))
    }

    /// Whether a callee returns the type of this name, which has no parameters.
    pub(crate) fn returns(&self, caller: &str, callee: Named, name: &str) -> bool {
        let module = self.callers.get(caller).copied().flatten();
        let returned = module.and_then(|module| self.returned.get(&(module, callee)));
        returned.is_some_and(|returned| returned == name)
    }

    /// The plain names of the types that a callee takes, a receiver's among them.
    pub(crate) fn taken(&self, caller: &str, callee: Named) -> Option<&[Option<String>]> {
        let module = self.callers.get(caller).copied().flatten()?;
        self.taken.get(&(module, callee)).map(Vec::as_slice)
    }

    /// The same of the only method of a name in the file.
    pub(crate) fn taken_by_method(&self, caller: &str, name: &str) -> Option<&[Option<String>]> {
        let name = plain(name);
        let module = self.callers.get(caller).copied().flatten()?;
        let is_it = |(of, named): &(usize, Named)| {
            *of == module && matches!(named, Named::Method(_, method) if method == name)
        };
        let mut taken = self.taken.iter().filter(|(named, _)| is_it(named));
        let (_, only) = taken.next()?;
        taken.next().is_none().then_some(only.as_slice())
    }

    /// Whether a callee has no mark, and gives what has no derivative.
    pub(crate) fn gives_inert(&self, caller: &str, callee: Named) -> bool {
        let module = self.callers.get(caller).copied().flatten();
        module.is_some_and(|module| self.inert.contains(&(module, callee)))
    }

    fn of_items(file: &syn::File, effects: Rc<OwnEffects>) -> Self {
        let mut names = Names {
            effects,
            ..Names::default()
        };
        names.visit_file(file);
        let mut found = Self::default();
        let mut modules = vec![&file.items];
        let mut number = 0;
        while let Some(items) = modules.get(number).copied() {
            let inside = items.iter().filter_map(|item| match item {
                Item::Mod(module) => module.content.as_ref().map(|(_, items)| items),
                _ => None,
            });
            modules.extend(inside);
            found.module(number, items, &names);
            number += 1;
        }
        found
    }

    fn module(&mut self, number: usize, items: &[Item], names: &Names) {
        let module = Module::of(items);
        for (name, of) in module.callers() {
            let only = names.functions.get(&name) == Some(&of);
            self.callers.insert(name, only.then_some(number));
        }
        // in a block an import of everything may bring another function of any name
        if names.globs_in_blocks {
            return;
        }
        for (named, text) in &module.functions {
            if let [(attrs, sig, _)] = text.as_slice()
                && names.mean_one(sig)
            {
                if gives_inert(sig)
                    && !source::has_attribute(attrs, &["differentiable", "inactive", "primitive"])
                {
                    self.inert.insert((number, named.clone()));
                }
                if let syn::ReturnType::Type(_, ty) = &sig.output
                    && let Some(name) = plain_name(ty)
                {
                    self.returned.insert((number, named.clone()), name);
                }
                if !module.generic.contains(named) {
                    let taken = types_taken(sig);
                    self.taken.insert((number, named.clone()), taken);
                }
                if is_some_iterator(&sig.output) {
                    self.iterators.insert((number, named.clone()));
                }
                if let (false, Some(told)) = (module.generic.contains(named), fn_bounds::told(sig))
                {
                    self.closures.insert((number, named.clone()), told);
                }
            }
            let again = module.again(named, names, &mut Vec::new());
            if text.len() == 1 && again < Again::Effects {
                self.known.insert((number, named.clone()), again);
                if ends_in_a_chain(text[0].2) {
                    self.chains.insert((number, named.clone()));
                }
            }
        }
    }
}

/// Whether a body gives an iterator over a range that is written there.
fn ends_in_a_chain(body: &syn::Block) -> bool {
    matches!(body.stmts.last(), Some(syn::Stmt::Expr(expr, None)) if effects::runs_over_a_range(expr))
}

/// What a file tells, which is read once.
fn read(file: &Path) -> Rc<Beside> {
    thread_local!(static KNOWN: Answers<Beside> = Answers::default());
    let read = || {
        let parsed = source::parsed(file);
        parsed.map_or_else(Beside::default, |parsed| {
            Beside::of_items(&parsed, OwnEffects::of_file(file))
        })
    };
    KNOWN.with(|known| known.of(file, read))
}

/// How often names are given in a file.
#[derive(Default)]
struct Names {
    /// By functions and methods, wherever they stand.
    functions: HashMap<String, usize>,
    /// By imports, and by items that are no functions.
    others: HashMap<String, usize>,
    globs_in_blocks: bool,
    in_block: bool,
    /// What operators and methods of the crate's own do.
    effects: Rc<OwnEffects>,
}

impl Names {
    /// Whether the name of a function is given once in the file.
    fn mean_one(&self, sig: &Signature) -> bool {
        let name = sig.ident.to_string();
        self.functions.get(&name) == Some(&1) && !self.others.contains_key(&name)
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_signature(&mut self, sig: &'ast Signature) {
        *self.functions.entry(sig.ident.to_string()).or_default() += 1;
    }
    fn visit_use_name(&mut self, name: &'ast syn::UseName) {
        *self.others.entry(name.ident.to_string()).or_default() += 1;
    }
    fn visit_use_rename(&mut self, name: &'ast syn::UseRename) {
        *self.others.entry(name.rename.to_string()).or_default() += 1;
    }
    fn visit_use_glob(&mut self, _: &'ast syn::UseGlob) {
        self.globs_in_blocks |= self.in_block;
    }
    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        *self.others.entry(item.ident.to_string()).or_default() += 1;
    }
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        *self.others.entry(item.ident.to_string()).or_default() += 1;
        visit::visit_item_const(self, item);
    }
    fn visit_block(&mut self, block: &'ast syn::Block) {
        let outside = std::mem::replace(&mut self.in_block, true);
        visit::visit_block(self, block);
        self.in_block = outside;
    }
}

/// A function's signature and body.
type Text<'a> = (&'a [syn::Attribute], &'a Signature, &'a syn::Block);

/// The functions of a module, and the methods of its blocks that are no trait's.
struct Module<'a> {
    functions: HashMap<Named, Vec<Text<'a>>>,
    /// Methods of blocks with parameters.
    generic: HashSet<Named>,
    /// Names of functions and methods, of traits' too, with how often they stand here.
    all: HashMap<String, usize>,
}

impl<'a> Module<'a> {
    fn of(items: &'a [Item]) -> Self {
        let (mut functions, mut all) = (HashMap::<_, Vec<_>>::new(), HashMap::new());
        let mut generic = HashSet::new();
        let mut count = |sig: &Signature| *all.entry(sig.ident.to_string()).or_default() += 1;
        for item in items {
            match item {
                Item::Fn(f) => {
                    count(&f.sig);
                    let named = Named::Function(f.sig.ident.to_string());
                    let text: Text<'a> = (&f.attrs, &f.sig, &f.block);
                    functions.entry(named).or_default().push(text);
                }
                Item::Impl(block) => {
                    for item in &block.items {
                        let ImplItem::Fn(f) = item else { continue };
                        count(&f.sig);
                        let Some(of) = type_name(&block.self_ty) else {
                            continue;
                        };
                        let named = Named::Method(of, f.sig.ident.to_string());
                        if !block.generics.params.is_empty() {
                            generic.insert(named.clone());
                        }
                        let text: Text<'a> = (&f.attrs, &f.sig, &f.block);
                        let texts = functions.entry(named).or_default();
                        texts.push(text);
                        // a trait's may be another than that which a call means
                        if block.trait_.is_some() {
                            texts.push(text);
                        }
                    }
                }
                _ => {}
            }
        }
        Self {
            functions,
            generic,
            all,
        }
    }

    fn callers(&self) -> impl Iterator<Item = (String, usize)> {
        self.all.iter().map(|(name, times)| (name.clone(), *times))
    }

    /// What it does to run one of its functions again; `open`: those that are being asked about.
    fn again(&self, named: &Named, names: &Names, open: &mut Vec<Named>) -> Again {
        let texts = self.functions.get(named).map(Vec::as_slice);
        let Some([(attrs, sig, body)]) = texts else {
            return Again::Effects;
        };
        if !names.mean_one(sig) || open.contains(named) || !attrs.iter().all(is_harmless) {
            return Again::Effects;
        }
        let Some(parameters) = parameters(sig) else {
            return Again::Effects;
        };
        open.push(named.clone());
        let of = match named {
            Named::Method(of, _) => Some(of.as_str()),
            Named::Function(_) => None,
        };
        let mut known = |call: &Expr| match callee(call, of) {
            Some(callee) => self.again(&callee, names, open),
            None => Again::Effects,
        };
        let again = effects::of_body(body, parameters, opaque(sig), &mut known);
        open.pop();
        match names.effects.in_body(sig, body) {
            true => Again::Effects,
            false => again,
        }
    }
}

/// What a call names in a function of the type `own`, if that is plain: a local may have the name.
pub(crate) fn callee(call: &Expr, own: Option<&str>) -> Option<Named> {
    match call {
        Expr::Call(call) => {
            let Expr::Path(path) = &*call.func else {
                return None;
            };
            let mut names = path.path.segments.iter();
            let (first, second) = (names.next()?, names.next());
            let is_one = path.qself.is_none() && path.path.leading_colon.is_none();
            match (second, names.next()) {
                (None, _) if is_one => Some(Named::Function(first.ident.to_string())),
                (Some(method), None) if is_one => {
                    let of = match first.ident == "Self" {
                        true => own?.to_owned(),
                        false => first.ident.to_string(),
                    };
                    let upper = of.starts_with(char::is_uppercase);
                    upper.then(|| Named::Method(of, method.ident.to_string()))
                }
                _ => None,
            }
        }
        Expr::MethodCall(call) => {
            let is_self = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
            let of = own.filter(|_| is_self)?;
            let method = call.method.to_string();
            Some(Named::Method(of.to_owned(), plain(&method).to_owned()))
        }
        _ => None,
    }
}

/// The name of a type.
pub(crate) fn type_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => Some(path.path.segments.last()?.ident.to_string()),
        Type::Reference(lent) => type_name(&lent.elem),
        Type::Paren(inner) => type_name(&inner.elem),
        Type::Group(inner) => type_name(&inner.elem),
        _ => None,
    }
}

/// Whether a function returns `impl Iterator<…>`, or one of the traits that have it as a supertrait.
fn is_some_iterator(output: &syn::ReturnType) -> bool {
    let syn::ReturnType::Type(_, ty) = output else {
        return false;
    };
    let Type::ImplTrait(of) = &**ty else {
        return false;
    };
    of.bounds.iter().any(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => {
            let last = bound.path.segments.last();
            last.is_some_and(|last| last.ident.to_string().ends_with("Iterator"))
        }
        _ => false,
    })
}

/// `f64`: a type that is a name.
fn plain_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) if path.qself.is_none() => Some(path.path.get_ident()?.to_string()),
        _ => None,
    }
}

/// The names of the types of parameters, but for those that only the function knows.
fn types_taken(sig: &Signature) -> Vec<Option<String>> {
    let own = |name: &String| {
        name == "Self"
            || sig
                .generics
                .type_params()
                .any(|param| param.ident == name.as_str())
    };
    let of = |arg: &FnArg| match arg {
        FnArg::Typed(arg) => plain_name(&arg.ty).filter(|name| !own(name)),
        FnArg::Receiver(_) => None,
    };
    sig.inputs.iter().map(of).collect()
}

/// Whether a function gives an integer, a flag or a character, and may be called with what it cannot change.
fn gives_inert(sig: &Signature) -> bool {
    let name = match &sig.output {
        syn::ReturnType::Type(_, ty) => plain_name(ty),
        syn::ReturnType::Default => None,
    };
    let is_inert = name.is_some_and(|name| {
        let is_float = name.starts_with('f');
        let ident = Ident::new(&name, proc_macro2::Span::call_site());
        name == "bool" || name == "char" || !is_float && numbers::is_primitive(&ident)
    });
    is_inert && parameters(sig).is_some()
}

/// The names that parameters bind; none if one of them may be changed for the caller.
fn parameters(sig: &Signature) -> Option<Vec<String>> {
    let plain = sig.asyncness.is_none() && sig.abi.is_none() && sig.variadic.is_none();
    let plain = plain && !matches!(sig.safety, syn::Safety::Unsafe(_));
    let names = sig.inputs.iter().map(|arg| match arg {
        FnArg::Receiver(receiver) => match &receiver.kind {
            syn::ReceiverKind::Reference(_, _, None) => Some("self".to_owned()),
            _ => None,
        },
        FnArg::Typed(arg) => match (&*arg.pat, &*arg.ty) {
            (_, Type::Reference(lent)) if lent.mutability.is_some() => None,
            (_, Type::ImplTrait(_)) => None,
            (Pat::Ident(name), _) => Some(name.ident.to_string()),
            _ => None,
        },
    });
    plain.then(|| names.collect()).flatten()
}

/// The parameters whose types may have operators of their own, which may have effects: those of which numbers are not all there is.
fn opaque(sig: &Signature) -> Vec<String> {
    let names = sig.inputs.iter().filter_map(|arg| match arg {
        FnArg::Receiver(_) => Some("self".to_owned()),
        FnArg::Typed(arg) => match &*arg.pat {
            Pat::Ident(name) if !is_of_numbers(&arg.ty) => Some(name.ident.to_string()),
            _ => None,
        },
    });
    names.collect()
}

/// Whether a type is made of numbers by what the language and the standard library have.
pub(crate) fn is_of_numbers(ty: &Type) -> bool {
    match ty {
        Type::Reference(lent) => is_of_numbers(&lent.elem),
        Type::Slice(slice) => is_of_numbers(&slice.elem),
        Type::Array(array) => is_of_numbers(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_of_numbers),
        Type::Path(path) => path.path.segments.last().is_some_and(|s| match &s.arguments {
            syn::PathArguments::None => {
                numbers::is_primitive(&s.ident) || s.ident == "bool" || s.ident == "char"
            }
            syn::PathArguments::AngleBracketed(of) => {
                let whole = ["Option", "Vec"].iter().any(|name| s.ident == name);
                let number = |of: &syn::GenericArgument| matches!(of, syn::GenericArgument::Type(ty) if is_of_numbers(ty));
                whole && of.args.iter().all(number)
            }
            syn::PathArguments::Parenthesized(_) => false,
        }),
        _ => false,
    }
}

/// Whether an attribute leaves a function what it is.
fn is_harmless(attr: &syn::Attribute) -> bool {
    let names = [
        "doc",
        "inline",
        "must_use",
        "allow",
        "expect",
        "cold",
        "track_caller",
        "differentiable",
        "inactive",
    ];
    let path = attr.path();
    path.segments
        .last()
        .is_some_and(|s| names.iter().any(|name| s.ident == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_text(text: &str) -> Beside {
        let file = Rc::new(syn::parse_file(text).expect("a file"));
        let effects = OwnEffects::read(&[("lib.rs".into(), Rc::clone(&file))]);
        Beside::of_items(&file, Rc::new(effects))
    }

    /// What a file tells the caller `step` of `at`.
    fn of(text: &str) -> Again {
        let beside = of_text(text);
        beside.again("step", Named::Function("at".to_owned()))
    }

    #[test]
    fn a_function_beside_its_caller_is_read() {
        for text in [
            "fn at(i: usize) -> usize { i % N } fn step(x: &[f64]) -> f64 { x[at(3)] }",
            "use a::*; #[inline] #[differentiable] const fn at(i: usize) -> usize { i % N } #[differentiable] impl Grid { fn step(&self) {} }",
            "fn at(g: &Grid, i: usize) -> usize { i * g.n + row(g) } fn row(g: &Grid) -> usize { g.m } fn step() {}",
            "mod a { fn at(i: usize) -> usize { wrap(i) } fn wrap(i: usize) -> usize { i % N } fn step() {} } fn other() {}",
        ] {
            assert_eq!(of(text), Again::Cheap, "{text}");
        }
    }

    #[test]
    fn of_a_name_that_may_mean_another_nothing_is_known() {
        for text in [
            "fn step() {}",
            "use a::at; fn step() {}",
            // elsewhere in the file
            "fn at(i: usize) -> usize { i } mod a { use super::*; fn step() {} }",
            "fn at(i: usize) -> usize { i } mod b { fn at(i: usize) -> usize { next(i) } } fn step() {}",
            "fn at(i: usize) -> usize { i } mod b { use c::at; } fn step() {}",
            "fn at(i: usize) -> usize { i } fn step() {} mod b { use c::*; fn step() {} }",
            // in a block
            "fn at(i: usize) -> usize { i } fn step() { fn at(i: usize) -> usize { next(i) } }",
            "fn at(i: usize) -> usize { i } fn step() { use c::*; }",
            "fn at(i: usize) -> usize { i } fn outer() { fn step() {} }",
            // as the attribute makes it
            "#[cfg(a)] fn at(i: usize) -> usize { i } fn step() {}",
            "#[counted] fn at(i: usize) -> usize { i } fn step() {}",
            // what it calls
            "fn at(i: usize) -> usize { next(i) } fn step() {}",
            "fn at(i: usize) -> usize { if i < 9 { i } else { at(i - 9) } } fn step() {}",
            "fn at(w: &mut Vec<usize>) -> usize { w[0] } fn step() {}",
            "fn at(next: impl Fn() -> usize) -> usize { next() } fn step() {}",
            "fn at(i: Turn) -> usize { i % 3 } fn step() {}",
            "fn at(d: &Dice, i: usize) -> usize { d[i] } fn step() {}",
            "fn at(i: Turn) -> usize { let j = i; j % 3 } fn step() {}",
            "fn at(next: fn() -> usize) -> usize { next() } fn next() -> usize { 1 } fn step() {}",
        ] {
            assert_eq!(of(text), Again::Effects, "{text}");
        }
    }

    #[test]
    fn a_method_is_that_of_the_type_itself() {
        let at = |text: &str| {
            let beside = of_text(text);
            beside.again("step", Named::Method("Grid".to_owned(), "at".to_owned()))
        };
        let own = "impl Grid { fn at(&self, i: usize) -> usize { self.row(i) + 1 } fn row(&self, i: usize) -> usize { i * self.n } fn step(&self) {} }";
        assert_eq!(at(own), Again::Cheap);
        for text in [
            "impl Count for Grid { fn at(&self, i: usize) -> usize { i } } fn step() {}",
            "impl Grid { fn at(&self, i: usize) -> usize { i } } trait Count { fn at(&self) -> usize; } fn step() {}",
            "impl Grid { fn at(&mut self, i: usize) -> usize { i } } fn step() {}",
            "impl Other { fn at(&self, i: usize) -> usize { i } } fn step() {}",
            "impl Grid { fn at(&self) -> usize { self.last.get() } } fn step() {}",
        ] {
            assert_eq!(at(text), Again::Effects, "{text}");
        }
    }
}
