//! Which functions have a second one: those that change what they are lent and may give no value, and that a marked function of the crate asks by a
//! pattern or a query, as its files tell. Both sides read the same files, and where they err the program does not compile.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, Ident, Item, Signature, UseTree};

use super::body::{Kind, tried};
use super::values::Values;
use super::{first, named};
use crate::files::answers::Answers;
use crate::files::source::{self, Read};

/// A function or a method by its name and the number of its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Named {
    is_method: bool,
    name: String,
    arguments: usize,
}

impl Named {
    fn declared(sig: &Signature) -> Self {
        let is_method = sig.receiver().is_some();
        Self {
            is_method,
            name: sig.ident.to_string(),
            arguments: sig.inputs.len() - usize::from(is_method),
        }
    }

    /// What a call names: a function by its path, or a method.
    fn called(call: &Expr) -> Option<Self> {
        match call {
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else {
                    return None;
                };
                let mut segments = path.path.segments.iter().rev();
                let last = segments.next()?;
                let of_type =
                    |s: &syn::PathSegment| s.ident.to_string().starts_with(char::is_uppercase);
                let known = path.qself.is_none()
                    && path.path.leading_colon.is_none()
                    && last.arguments.is_none()
                    && !segments.next().is_some_and(of_type);
                known.then(|| Self {
                    is_method: false,
                    name: last.ident.to_string(),
                    arguments: call.args.len(),
                })
            }
            Expr::MethodCall(call) if call.turbofish.is_none() => Some(Self {
                is_method: true,
                name: call.method.unraw().to_string(),
                arguments: call.args.len(),
            }),
            _ => None,
        }
    }
}

/// What the files of a crate tell.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// What the functions of a name in a file return, if all can have a second one.
    of_files: HashMap<(PathBuf, Named), Option<Kind>>,
    /// The same of the crate.
    of_crate: HashMap<Named, Option<Kind>>,
    asked: HashSet<Named>,
    /// The modules of functions and methods in a file, by name; `None` of one name in several.
    modules: HashMap<(PathBuf, String), Option<Module>>,
}

/// What a module of a file has names for.
#[derive(Clone, Debug, Default, PartialEq)]
struct Module {
    functions: HashSet<String>,
    /// What is imported by name, and its path.
    imported: HashMap<String, String>,
    /// Modules inside.
    inside: HashSet<String>,
    has_glob: bool,
}

impl Module {
    /// The path by which a function is called whose second one stands beside it; `None` where the path leads out of the crate, or may.
    fn path(&self, path: &syn::Path) -> Option<syn::Path> {
        let first = path.segments.first()?.ident.to_string();
        let is_own =
            |name: &str| ["crate", "self", "super"].contains(&name) || self.inside.contains(name);
        let imported = self.imported.get(&first).filter(|text| {
            let begins = text.split("::").next();
            begins.is_some_and(is_own)
        });
        match path.segments.len() {
            1 if self.functions.contains(&first) => Some(path.clone()),
            1 if self.imported.contains_key(&first) => syn::parse_str(imported?).ok(),
            1 => self.has_glob.then(|| path.clone()),
            _ => (is_own(&first) || imported.is_some()).then(|| path.clone()),
        }
    }

    /// Notes what a `use` imports without renaming.
    fn import(&mut self, before: &str, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.import(&format!("{before}{}::", path.ident), &path.tree),
            UseTree::Name(name) if name.ident == "self" => {
                let path = before.trim_end_matches("::");
                let name = path.rsplit("::").next().unwrap_or(path);
                self.imported.insert(name.to_owned(), path.to_owned());
            }
            UseTree::Name(name) => {
                let path = format!("{before}{}", name.ident);
                self.imported.insert(name.ident.to_string(), path);
            }
            UseTree::Group(group) => {
                (group.items.iter()).for_each(|tree| self.import(before, tree))
            }
            UseTree::Glob(_) => self.has_glob = true,
            UseTree::Rename(_) => {}
        }
    }
}

impl Asked {
    /// What the files of the crate tell that a function stands in.
    pub(crate) fn of(function: &Ident) -> Option<Rc<Self>> {
        thread_local!(static KNOWN: Answers<Asked> = Answers::default());
        source::found_in_crate(function, &KNOWN, Self::read)
    }

    /// Whether a function has a second one.
    pub(crate) fn has(&self, sig: &Signature) -> bool {
        let file = sig.ident.span().local_file();
        let kind = self.kind(file.as_deref(), &Named::declared(sig));
        kind.is_some()
    }

    /// The call of the second function, if what a call calls has one, and what the first returns; `caller` stands in the file of the call.
    pub(crate) fn second(&self, call: &Expr, caller: &Ident) -> Option<(Kind, Expr)> {
        let file = caller.span().local_file()?;
        let of = Named::called(call)?;
        let kind = self.kind(Some(&file), &of)?;
        let mut call = call.clone();
        match &mut call {
            Expr::MethodCall(call) => call.method = named(&call.method),
            Expr::Call(call) => {
                let Expr::Path(path) = &mut *call.func else {
                    return None;
                };
                let caller = (file, first(&caller.to_string()).to_owned());
                path.path = self.modules.get(&caller)?.as_ref()?.path(&path.path)?;
                let last = path.path.segments.last_mut()?;
                last.ident = named(&last.ident);
            }
            _ => return None,
        }
        Some((kind, call))
    }

    /// Whether what a call calls changes what it is lent and may give no value, whoever asks it.
    pub(crate) fn changes(&self, call: &Expr, caller: &Ident) -> bool {
        let of = Named::called(call);
        let file = caller.span().local_file();
        of.is_some_and(|of| self.changing(file.as_deref(), &of).is_some())
    }

    fn changing(&self, file: Option<&Path>, named: &Named) -> Option<Kind> {
        let in_file = file.and_then(|file| self.of_files.get(&(file.to_owned(), named.clone())));
        in_file.or_else(|| self.of_crate.get(named)).copied()?
    }

    fn kind(&self, file: Option<&Path>, named: &Named) -> Option<Kind> {
        let kind = self.changing(file, named);
        kind.filter(|_| self.asked.contains(named))
    }

    fn read(files: &[Read]) -> Self {
        let (mut found, mut values, mut inside) = (Self::default(), Values::default(), Vec::new());
        for (_, parsed) in files {
            values.visit_file(parsed);
        }
        for (file, parsed) in files {
            let mut bodies = Bodies::default();
            bodies.in_module(&parsed.items);
            for body in bodies.found {
                if body.is_marked {
                    Asks(&mut found.asked).visit_block(body.block);
                }
                let named = Named::declared(body.sig);
                let module = &bodies.modules[body.module];
                let known = found.modules.entry((file.clone(), named.name.clone()));
                let known = known.or_insert_with(|| Some(module.clone()));
                *known = known.take().filter(|known| known == module);
                let second = tried(body.sig, body.block).filter(|second| {
                    let value = values.has(&second.value, body.of.as_deref());
                    value && body.is_marked && body.is_plain
                });
                let kind = second.as_ref().map(|second| second.kind);
                let of_file = found.of_files.entry((file.clone(), named.clone()));
                let of_crate = found.of_crate.entry(named.clone());
                for known in [of_file.or_insert(kind), of_crate.or_insert(kind)] {
                    *known = known.filter(|known| Some(*known) == kind);
                }
                if let Some(second) = second {
                    let mut asks = HashSet::new();
                    Asks(&mut asks).visit_block(&second.body);
                    inside.push((named, asks));
                }
            }
        }
        // a second function asks where the first has a `?`
        loop {
            let before = found.asked.len();
            for (named, asks) in &inside {
                if found.asked.contains(named) {
                    found.asked.extend(asks.iter().cloned());
                }
            }
            if found.asked.len() == before {
                return found;
            }
        }
    }
}

/// A function or a method with a body.
struct Body<'a> {
    is_marked: bool,
    is_plain: bool,
    of: Option<String>,
    /// The number of its module.
    module: usize,
    sig: &'a Signature,
    block: &'a Block,
}

#[derive(Default)]
struct Bodies<'a> {
    is_marked: bool,
    /// Whether the block around is that of a trait.
    is_of_trait: bool,
    /// The type that the block around is of.
    of: Option<String>,
    found: Vec<Body<'a>>,
    modules: Vec<Module>,
    /// The number of the module around.
    module: usize,
}

impl<'a> Bodies<'a> {
    fn body(&mut self, is_marked: bool, sig: &'a Signature, block: &'a Block) {
        self.found.push(Body {
            is_marked: self.is_marked || is_marked,
            is_plain: !self.is_of_trait,
            of: self.of.clone(),
            module: self.module,
            sig,
            block,
        });
    }

    /// Looks at the items of a module.
    fn in_module(&mut self, items: &'a [Item]) {
        let mut module = Module::default();
        for item in items {
            match item {
                Item::Fn(f) => drop(module.functions.insert(f.sig.ident.to_string())),
                Item::Mod(inside) => drop(module.inside.insert(inside.ident.to_string())),
                Item::Use(import) => module.import("", &import.tree),
                _ => {}
            }
        }
        let outside = std::mem::replace(&mut self.module, self.modules.len());
        self.modules.push(module);
        items.iter().for_each(|item| self.visit_item(item));
        self.module = outside;
    }

    fn within(&mut self, is_marked: bool, is_of_trait: bool, inside: impl FnOnce(&mut Self)) {
        let marked = std::mem::replace(&mut self.is_marked, is_marked);
        let many = std::mem::replace(&mut self.is_of_trait, is_of_trait);
        inside(self);
        (self.is_marked, self.is_of_trait) = (marked, many);
    }
}

fn is_marked(attributes: &[Attribute]) -> bool {
    source::has_attribute(attributes, &["differentiable"])
}

impl<'a> Visit<'a> for Bodies<'a> {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if let Some((_, items)) = &module.content {
            self.in_module(items);
        }
    }
    fn visit_item_impl(&mut self, block: &'a syn::ItemImpl) {
        let is_of_trait = block.trait_.is_some();
        let of = std::mem::replace(&mut self.of, source::name_of(&block.self_ty));
        self.within(is_marked(&block.attrs), is_of_trait, |this| {
            visit::visit_item_impl(this, block);
        });
        self.of = of;
    }
    fn visit_item_trait(&mut self, block: &'a syn::ItemTrait) {
        self.within(is_marked(&block.attrs), true, |this| {
            visit::visit_item_trait(this, block);
        });
    }
    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        self.body(is_marked(&f.attrs), &f.sig, &f.block);
        self.within(false, false, |this| visit::visit_item_fn(this, f));
    }
    fn visit_impl_item_fn(&mut self, f: &'a syn::ImplItemFn) {
        self.body(is_marked(&f.attrs), &f.sig, &f.block);
        visit::visit_impl_item_fn(self, f);
    }
    fn visit_trait_item_fn(&mut self, f: &'a syn::TraitItemFn) {
        if let Some(block) = &f.default {
            self.body(is_marked(&f.attrs), &f.sig, block);
        }
    }
}

/// Notes the calls that are asked by a pattern or a query, or whose value is left.
struct Asks<'a>(&'a mut HashSet<Named>);

impl Asks<'_> {
    fn of(&mut self, call: &Expr) {
        self.0.extend(Named::called(call));
    }
}

impl<'ast> Visit<'ast> for Asks<'_> {
    fn visit_expr_let(&mut self, asked: &'ast syn::ExprLet) {
        self.of(&asked.expr);
        visit::visit_expr_let(self, asked);
    }
    fn visit_expr_match(&mut self, asked: &'ast syn::ExprMatch) {
        self.of(&asked.expr);
        visit::visit_expr_match(self, asked);
    }
    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            self.of(&init.expr);
        }
        visit::visit_local(self, local);
    }
    fn visit_stmt(&mut self, stmt: &'ast syn::Stmt) {
        if let syn::Stmt::Expr(call, Some(_)) = stmt {
            self.of(call);
        }
        visit::visit_stmt(self, stmt);
    }
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if super::is_query(&call.method) {
            self.of(&call.receiver);
        }
        visit::visit_expr_method_call(self, call);
    }
    fn visit_item(&mut self, _: &'ast Item) {}
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{Asked, Named};

    /// The functions and methods of a file of this text that have a second one.
    fn second(text: &str) -> Vec<String> {
        let path = PathBuf::from("lib.rs");
        let file = syn::parse_file(text).expect("a file");
        let asked = Asked::read(&[(path.clone(), file.into())]);
        let declared = asked.of_files.keys().map(|(_, named)| named);
        let has = |named: &&Named| asked.kind(Some(Path::new("lib.rs")), named).is_some();
        let mut found: Vec<String> = declared.filter(has).map(|n| n.name.clone()).collect();
        found.sort();
        found
    }

    #[test]
    fn what_changes_and_may_fail_is_asked_by_marked_functions() {
        let text = |caller: &str| {
            format!(
                "#[differentiable] fn step(s: &mut f64) -> Option<f64> {{ Some(*s) }}
                 #[differentiable] impl S {{ fn next_one(&mut self) -> Result<f64, E> {{ Err(E) }} }}
                 #[differentiable] fn read(s: &f64) -> Option<f64> {{ Some(*s) }}
                 fn unmarked(s: &mut f64) -> Option<f64> {{ Some(*s) }}
                 {caller}"
            )
        };
        for body in [
            "if let Some(v) = step(&mut s) { v }",
            "while let Some(v) = step(&mut s) {}",
            "let Some(v) = step(&mut s) else { return };",
            "match step(&mut s) { Some(v) => v, None => 0.0 };",
            "step(&mut s).is_none()",
            "step(&mut s).unwrap_or(0.0)",
            "step(&mut s);",
        ] {
            let marked = format!("#[differentiable] fn f() {{ {body} }}");
            assert_eq!(second(&text(&marked)), ["step"], "{body}");
            assert!(second(&text(&format!("fn f() {{ {body} }}"))).is_empty());
        }
        let method = "#[differentiable] fn f() { if s.next_one().is_err() {} }";
        assert_eq!(second(&text(method)), ["next_one"]);
        for body in [
            "step(&mut s)?",
            "step(&mut s).unwrap()",
            "if let Some(v) = read(&s) {}",
            "if let Some(v) = unmarked(&mut s) {}",
        ] {
            let marked = format!("#[differentiable] fn f() {{ {body} }}");
            assert!(second(&text(&marked)).is_empty(), "{body}");
        }
    }

    #[test]
    fn a_second_function_asks_where_the_first_has_a_question() {
        let text = "
            #[differentiable] fn one(s: &mut f64) -> Option<f64> { Some(*s) }
            #[differentiable] fn two(s: &mut f64) -> Option<f64> { let a = one(s)?; Some(a) }
            #[differentiable] fn unasked(s: &mut f64) -> Option<f64> { let a = two(s)?; Some(a) }
            #[differentiable] fn f(s: &mut f64) -> f64 { two(s).unwrap_or(1.0) }
        ";
        assert_eq!(second(text), ["one", "two"]);
    }

    #[test]
    fn a_path_is_that_of_the_module_of_the_caller() {
        let text = "
            mod solver { pub fn step() {} }
            fn own() {}
            use solver::step;
            use crate::elsewhere::{self, solve};
            use other::foreign;
            fn caller() {}
            mod tests { use super::own; fn test() {} }
        ";
        let file = syn::parse_file(text).expect("a file");
        let path = PathBuf::from("lib.rs");
        let asked = Asked::read(&[(path.clone(), file.into())]);
        let of = |caller: &str, called: &str| {
            let module = asked.modules[&(path.clone(), caller.to_owned())]
                .as_ref()
                .expect("one");
            let path = module.path(&syn::parse_str(called).expect("a path"))?;
            Some(quote::quote!(#path).to_string().replace(' ', ""))
        };
        for (called, path) in [
            ("own", "own"),
            ("step", "solver::step"),
            ("solve", "crate::elsewhere::solve"),
            ("solver::step", "solver::step"),
            ("elsewhere::f", "elsewhere::f"),
        ] {
            assert_eq!(of("caller", called).as_deref(), Some(path));
        }
        assert_eq!(of("test", "own").as_deref(), Some("super::own"));
        for foreign in ["foreign", "other::step", "unknown"] {
            assert_eq!(of("caller", foreign), None, "{foreign}");
        }
    }

    #[test]
    fn one_name_for_several_is_not_known() {
        let text = "
            mod a { #[differentiable] fn step(s: &mut f64) -> Option<f64> { Some(*s) } }
            mod b { #[differentiable] fn step(s: &f64) -> Option<f64> { Some(*s) } }
            #[differentiable] fn f(s: &mut f64) -> f64 { step(s).unwrap_or(1.0) }
        ";
        assert!(second(text).is_empty());
    }
}
