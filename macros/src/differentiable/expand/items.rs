//! Constants, functions, types and imports that a block declares: all are declared where the generated function begins, so those
//! whose names mean something else around the block get names of their own.
//!
//! ```text
//! // { const K: f64 = 5.0; K * x } + K * x
//! const K2: f64 = 5.0; { K2 * x } + K * x
//! ```

use std::collections::{HashMap, HashSet};

use proc_macro2::{Group, Ident, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Item, Stmt, UseTree};

use crate::differentiable::tokens::text::{idents, words};
use crate::errors::Errors;
use crate::signature::Function;

/// Gives the items of the blocks inside a body names that nothing else in it has.
pub(crate) fn apart(function: &Function, body: &mut Block, errors: &mut Errors) {
    let mut all = words(body.to_token_stream());
    for param in &function.params {
        all.extend(words(param.ty.to_token_stream()));
    }
    all.extend(words(function.output.to_token_stream()));
    all.extend(words(function.generics.to_token_stream()));
    all.extend(words(function.generics.where_clause.to_token_stream()));
    let mut bound = Bound(function.params.iter().map(|p| p.name.to_string()).collect());
    let patterns = function.params.iter().filter_map(|p| p.pattern.as_ref());
    patterns.for_each(|pattern| bound.visit_pat(pattern));
    bound.visit_block(body);
    let mut apart = Apart {
        all,
        heads: heads(body.to_token_stream()),
        bound: bound.0,
        errors,
    };
    for stmt in &mut body.stmts {
        apart.visit_stmt_mut(stmt);
    }
}

struct Apart<'e> {
    /// The words of the function, as often as they occur.
    all: Vec<String>,
    /// Those of the body that are not looked up in something else.
    heads: Vec<String>,
    /// The names of locals.
    bound: HashSet<String>,
    errors: &'e mut Errors,
}

impl Apart<'_> {
    fn count(&self, name: &str) -> usize {
        self.all.iter().filter(|word| *word == name).count()
    }

    /// A name like this one that the function does not use.
    fn unused(&mut self, name: &str) -> Ident {
        // in the style of what it names
        let between = if name.starts_with(char::is_uppercase) {
            ""
        } else {
            "_"
        };
        let fresh = (2..).map(|n| format!("{name}{between}{n}"));
        let fresh = fresh.into_iter().find(|name| !self.all.contains(name));
        let fresh = fresh.expect("names do not end");
        self.all.push(fresh.clone());
        format_ident!("{fresh}")
    }

    /// Refuses to import everything where that may change what names outside of the block mean.
    fn check_glob(&mut self, block: &Block) {
        for stmt in &block.stmts {
            let Stmt::Item(Item::Use(import)) = stmt else {
                continue;
            };
            if !has_glob(&import.tree) {
                continue;
            }
            let begins = idents(import.tree.to_token_stream()).into_iter().next();
            let mut outside = self.heads.clone();
            for head in heads(block.to_token_stream()) {
                if let Some(at) = outside.iter().position(|h| *h == head) {
                    outside.swap_remove(at);
                }
            }
            let mut outside = outside.iter().filter(|h| !self.bound.contains(*h));
            if outside.any(|h| may_be_imported(h) && Some(h) != begins.as_ref()) {
                self.errors.at(
                    &import.tree,
                    "what this imports would be seen outside of the block too: name what is used, or import it at the beginning of the function",
                );
            }
        }
    }
}

/// The identifiers in tokens that are not looked up in something else, as often as they occur.
fn heads(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    let mut before = ' ';
    for tree in tokens {
        match &tree {
            TokenTree::Ident(ident) if !['.', ':', '\''].contains(&before) => {
                found.push(ident.to_string());
            }
            TokenTree::Group(group) => found.extend(heads(group.stream())),
            _ => {}
        }
        before = match &tree {
            // the second of `::`, not that of `x: T`
            TokenTree::Punct(p) if p.as_char() == ':' => match (p.spacing(), before) {
                (Spacing::Joint, _) => ';',
                (Spacing::Alone, ';') => ':',
                (Spacing::Alone, _) => ' ',
            },
            TokenTree::Punct(p) => p.as_char(),
            _ => ' ',
        };
    }
    found
}

impl VisitMut for Apart<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        self.check_glob(block);
        let declared = declared(block);
        if declared.is_empty() {
            return visit_mut::visit_block_mut(self, block);
        }
        let inside = words(block.to_token_stream());
        let mut renamed = HashMap::new();
        for name in declared {
            let here = inside.iter().filter(|word| **word == name).count();
            if self.count(&name) > here {
                let fresh = self.unused(&name);
                renamed.insert(name, fresh);
            }
        }
        if !renamed.is_empty() {
            let mut rename = Rename {
                names: renamed,
                refused: None,
            };
            rename.declarations(block);
            block
                .stmts
                .iter_mut()
                .for_each(|stmt| rename.visit_stmt_mut(stmt));
            if let Some(name) = rename.refused {
                self.errors.at(
                    &name,
                    format!("`{name}` is an item of this block, another outside of it, and named here in a way that is not followed: give it a name of its own"),
                );
            }
        }
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// Words that neither a keyword nor the prelude gives a meaning, and that so may come from a glob import.
fn may_be_imported(word: &str) -> bool {
    const KNOWN: &[&str] = &[
        "Some",
        "None",
        "Ok",
        "Err",
        "Vec",
        "Option",
        "Result",
        "Box",
        "String",
        "vec",
        "f64",
        "f32",
        "usize",
        "isize",
        "u8",
        "u16",
        "u32",
        "u64",
        "i8",
        "i16",
        "i32",
        "i64",
        "bool",
        "char",
        "str",
        "self",
        "Self",
        "std",
        "core",
        "differentiable",
        "usize",
    ];
    !KNOWN.contains(&word) && syn::parse_str::<Ident>(word).is_ok()
}

/// The names that patterns bind.
struct Bound(HashSet<String>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.0.insert(pat.ident.to_string());
        visit::visit_pat_ident(self, pat);
    }
    fn visit_item(&mut self, _: &'ast Item) {}
}

fn has_glob(tree: &UseTree) -> bool {
    match tree {
        UseTree::Glob(_) => true,
        UseTree::Path(path) => has_glob(&path.tree),
        UseTree::Group(group) => group.items.iter().any(has_glob),
        UseTree::Name(_) | UseTree::Rename(_) => false,
    }
}

/// The names of the items that a block declares.
fn declared(block: &Block) -> HashSet<String> {
    let mut names = HashSet::new();
    for stmt in &block.stmts {
        match stmt {
            Stmt::Item(Item::Use(import)) => imported(&import.tree, &mut names),
            Stmt::Item(item) => names.extend(name_of(item).map(ToString::to_string)),
            _ => {}
        }
    }
    names
}

fn name_of(item: &Item) -> Option<&Ident> {
    match item {
        Item::Const(item) => Some(&item.ident),
        Item::Enum(item) => Some(&item.ident),
        Item::Fn(item) => Some(&item.sig.ident),
        Item::Macro(item) => item.ident.as_ref(),
        Item::Mod(item) => Some(&item.ident),
        Item::Static(item) => Some(&item.ident),
        Item::Struct(item) => Some(&item.ident),
        Item::Trait(item) => Some(&item.ident),
        Item::TraitAlias(item) => Some(&item.ident),
        Item::Type(item) => Some(&item.ident),
        Item::Union(item) => Some(&item.ident),
        _ => None,
    }
}

fn imported(tree: &UseTree, names: &mut HashSet<String>) {
    match tree {
        UseTree::Path(path) => imported(&path.tree, names),
        UseTree::Group(group) => group.items.iter().for_each(|t| imported(t, names)),
        UseTree::Name(name) => drop(names.insert(name.ident.to_string())),
        UseTree::Rename(rename) => drop(names.insert(rename.rename.to_string())),
        UseTree::Glob(_) => {}
    }
}

/// Renames what items of a block are called.
#[derive(Clone)]
struct Rename {
    names: HashMap<String, Ident>,
    /// A name in a place that is not followed.
    refused: Option<Ident>,
}

impl Rename {
    fn rename(&self, ident: &mut Ident) -> bool {
        let Some(name) = self.names.get(&ident.to_string()) else {
            return false;
        };
        let mut name = name.clone();
        name.set_span(ident.span());
        *ident = name;
        true
    }

    /// The names where the items are declared.
    fn declarations(&mut self, block: &mut Block) {
        for stmt in &mut block.stmts {
            let Stmt::Item(item) = stmt else { continue };
            let ident = match item {
                Item::Use(import) => {
                    self.imports(&mut import.tree);
                    continue;
                }
                Item::Const(item) => &mut item.ident,
                Item::Enum(item) => &mut item.ident,
                Item::Fn(item) => &mut item.sig.ident,
                Item::Macro(item) => match &mut item.ident {
                    Some(ident) => ident,
                    None => continue,
                },
                Item::Mod(item) => &mut item.ident,
                Item::Static(item) => &mut item.ident,
                Item::Struct(item) => &mut item.ident,
                Item::Trait(item) => &mut item.ident,
                Item::TraitAlias(item) => &mut item.ident,
                Item::Type(item) => &mut item.ident,
                Item::Union(item) => &mut item.ident,
                _ => continue,
            };
            self.rename(ident);
        }
    }

    fn imports(&self, tree: &mut UseTree) {
        match tree {
            UseTree::Path(path) => self.imports(&mut path.tree),
            UseTree::Group(group) => group.items.iter_mut().for_each(|t| self.imports(t)),
            UseTree::Name(name) => {
                if let Some(fresh) = self.names.get(&name.ident.to_string()) {
                    let of = &name.ident;
                    let fresh = fresh.clone();
                    *tree = UseTree::Rename(syn::UseRename {
                        ident: of.clone(),
                        as_token: Default::default(),
                        rename: fresh,
                    });
                }
            }
            UseTree::Rename(rename) => drop(self.rename(&mut rename.rename)),
            UseTree::Glob(_) => {}
        }
    }

    fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let mut after_dot = false;
        let renamed = tokens.into_iter().map(|tree| {
            let member = std::mem::replace(
                &mut after_dot,
                matches!(&tree, TokenTree::Punct(p) if p.as_char() == '.'),
            );
            match tree {
                TokenTree::Ident(mut ident) if !member => {
                    self.rename(&mut ident);
                    TokenTree::Ident(ident)
                }
                TokenTree::Group(group) => {
                    let mut inside = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inside.set_span(group.span());
                    TokenTree::Group(inside)
                }
                TokenTree::Literal(text) => {
                    let printed = text.to_string();
                    let named = self
                        .names
                        .keys()
                        .find(|name| printed.contains(&format!("{{{name}")));
                    if let Some(name) = named {
                        self.refused = Some(Ident::new(name, text.span()));
                    }
                    TokenTree::Literal(text)
                }
                tree => tree,
            }
        });
        renamed.collect()
    }
}

impl VisitMut for Rename {
    fn visit_block_mut(&mut self, block: &mut Block) {
        let hidden = declared(block);
        let mut inner = self.clone();
        inner.names.retain(|name, _| !hidden.contains(name));
        if !inner.names.is_empty() {
            visit_mut::visit_block_mut(&mut inner, block);
        }
        self.refused = self.refused.take().or(inner.refused);
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        if path.leading_colon.is_none()
            && let Some(first) = path.segments.first_mut()
        {
            self.rename(&mut first.ident);
        }
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        field.colon_token.get_or_insert_default();
        visit_mut::visit_field_value_mut(self, field);
    }

    fn visit_pat_ident_mut(&mut self, pat: &mut syn::PatIdent) {
        // constants are written in capitals
        let constant = pat.ident.to_string().starts_with(char::is_uppercase);
        match constant {
            true => drop(self.rename(&mut pat.ident)),
            // a local hides the item
            false if self.names.contains_key(&pat.ident.to_string()) => {
                self.refused = Some(pat.ident.clone());
            }
            false => {}
        }
        visit_mut::visit_pat_ident_mut(self, pat);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        self.visit_path_mut(&mut mac.path);
        mac.tokens = self.tokens(std::mem::take(&mut mac.tokens));
    }

    fn visit_item_use_mut(&mut self, _: &mut syn::ItemUse) {}
}
