//! Methods of the crate's own that lend a part of their receiver by integers: see [`crate::lender`].
//!
//! That a block has the generated implementations, and that a call may use them, is one answer, from the same files.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Expr, Ident, ImplItem, ItemImpl, Member, Type};

use super::answers::Answers;
use super::nearest::Nearest;
use super::own_types::OwnTypes;
use super::source::{self, Read, name_of};
use crate::differentiable::methods::operations;
use crate::differentiable::words;
use crate::dispatch::hash;
use crate::lender::{Lender, is_integer, lent};

/// A method of a type.
type Method = (String, String);

#[derive(Debug, Default)]
struct Lenders {
    /// Also what each gives; `None` for what is declared more than once.
    methods: HashMap<Method, Option<(Lender, String)>>,
    /// Fields that are assigned, or lent to be changed: of a type, where they are those of `self`, or of any.
    assigned: HashSet<(Option<String>, String)>,
    /// Types whose `Index` takes more than one type: another implementation may meet it.
    indexed_by_any: HashSet<String>,
    /// The type of the block that is looked at.
    of: Option<String>,
}

/// What the files of a crate say.
#[derive(Debug, Default)]
pub(crate) struct OwnLenders(Nearest<Lenders>);

impl OwnLenders {
    /// What the files of the crate say that a name stands in.
    pub(crate) fn of(near: &Ident) -> Rc<Self> {
        thread_local!(static KNOWN: Answers<OwnLenders> = Answers::default());
        source::found_in_crate(near, &KNOWN, Self::read).unwrap_or_default()
    }

    fn read(files: &[Read]) -> Self {
        Self(Nearest::read(files, |lenders: &mut Lenders, file| {
            lenders.visit_file(file);
        }))
    }

    /// Such a method.
    pub(crate) fn lends(&self, of: &str, method: &str, near: &Ident) -> Option<&Lender> {
        Some(&self.known(of, method, near)?.0)
    }

    /// What the method of this hash gives, without the reference.
    pub(crate) fn lent(&self, of: &str, method: u64, near: &Ident) -> Option<Type> {
        let methods = self.0.of_type(of, near).methods.keys();
        let mut names = methods.filter(|(owner, name)| owner == of && hash(name) == method);
        let (_, name) = names.next()?;
        syn::parse_str(&self.known(of, name, near)?.1).ok()
    }

    /// The names of methods that choose by a field of this name, of some type.
    pub(crate) fn choosing_by(&self, field: &str) -> Vec<&str> {
        let methods = self.0.of_crate().methods.iter();
        let choose = methods.filter(|(_, known)| {
            let fields = known.iter().flat_map(|(lender, _)| &lender.fields);
            fields.into_iter().any(|read| read == field)
        });
        let mut names: Vec<&str> = choose.map(|((_, name), _)| &name[..]).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn known(&self, of: &str, method: &str, near: &Ident) -> Option<&(Lender, String)> {
        let key = (of.to_owned(), method.to_owned());
        let lenders = self.0.of_type(of, near);
        let known = lenders.methods.get(&key)?.as_ref()?;
        let types = OwnTypes::of(near);
        let chooses = |field: &String| {
            let ty = types.field(of, field, near);
            ty.is_some_and(|ty| is_integer(&ty)) && self.stays(of, field, near)
        };
        let fits = known.0.fields.iter().all(chooses) && !lenders.indexed_by_any.contains(of);
        fits.then_some(known)
    }

    /// Whether nothing assigns a field of a type, as far as text tells: that of the crate, or that of the file where the crate has several types of the name.
    fn stays(&self, of: &str, field: &str, near: &Ident) -> bool {
        let assigned = &self.0.of_type(of, near).assigned;
        let by = [None, Some(of.to_owned())];
        !by.into_iter()
            .any(|of| assigned.contains(&(of, field.to_owned())))
    }
}

impl Lenders {
    fn note(&mut self, block: &ItemImpl) {
        let Some(of) = name_of(&block.self_ty) else {
            return;
        };
        for method in &block.items {
            let ImplItem::Fn(method) = method else {
                continue;
            };
            let left_out = ["skip", "inactive", "primitive", "cfg"];
            let Some(given) = lent(method) else { continue };
            if source::has_attribute(&method.attrs, &left_out) {
                continue;
            }
            let lender = Lender::of(block, method);
            let lender = lender.map(|lender| (lender, given.to_token_stream().to_string()));
            let key = (of.clone(), method.sig.ident.unraw().to_string());
            let known = self.methods.entry(key);
            known.and_modify(|known| *known = None).or_insert(lender);
        }
    }
}

impl<'ast> Visit<'ast> for Lenders {
    fn visit_item_impl(&mut self, block: &'ast ItemImpl) {
        if source::has_attribute(&block.attrs, &["differentiable"]) {
            self.note(block);
        }
        self.of = name_of(&block.self_ty);
        if is_index_by_any(block) {
            self.indexed_by_any.extend(self.of.clone());
        }
        visit::visit_item_impl(self, block);
        self.of = None;
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Assign(assign) => self.assigned(&assign.left),
            Expr::Binary(binary) if operations::compound(&binary.op).is_some() => {
                self.assigned(&binary.left);
            }
            Expr::Reference(lent) if lent.mutability.is_some() => self.assigned(&lent.expr),
            _ => {}
        }
        visit::visit_expr(self, expr);
    }
}

impl Lenders {
    /// Notes the fields on the way to places that are assigned.
    fn assigned(&mut self, place: &Expr) {
        match place {
            Expr::Field(field) => {
                let own = matches!(&*field.base, Expr::Path(path) if path.path.is_ident("self"));
                let of = self.of.clone().filter(|_| own);
                match &field.member {
                    Member::Named(name) => {
                        let name = name.unraw().to_string();
                        self.assigned.insert((of, name));
                    }
                    // of some tuple, as a rule; the types tell
                    Member::Unnamed(_) if !own => {}
                    Member::Unnamed(index) => {
                        self.assigned.insert((of, index.index.to_string()));
                    }
                }
                self.assigned(&field.base);
            }
            Expr::Index(index) => self.assigned(&index.expr),
            Expr::Paren(paren) => self.assigned(&paren.expr),
            Expr::Unary(unary) => self.assigned(&unary.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|part| self.assigned(part)),
            _ => {}
        }
    }
}

/// Whether a block implements `Index<I>` for a parameter `I`.
fn is_index_by_any(block: &ItemImpl) -> bool {
    let Some((path, _)) = &block.trait_ else {
        return false;
    };
    let Some(last) = path.segments.last().filter(|last| last.ident == "Index") else {
        return false;
    };
    let by = words(last.arguments.to_token_stream());
    let mut params = block.generics.type_params();
    params.any(|param| by.iter().any(|by| param.ident == by))
}

#[cfg(test)]
mod tests {
    use super::OwnLenders;

    /// Whether `row` of `G` is known.
    fn is_known(beside: &str) -> bool {
        let text = format!(
            "struct G {{ w: usize, v: Vec<f64> }} struct H {{ w: usize }}
            #[differentiable] impl G {{ fn row(&mut self, i: usize) -> &mut f64 {{ &mut self.v[i * self.w] }} }}
            {beside}"
        );
        let file = syn::parse_file(&text).expect("a file");
        let files = [("lib.rs".into(), file.into())];
        let lenders = OwnLenders::read(&files);
        let near = syn::parse_quote!(caller);
        let known = lenders.0.of_type("G", &near).methods.len();
        assert_eq!(known, 1);
        lenders.stays("G", "w", &near)
    }

    #[test]
    fn a_field_that_is_assigned_chooses_nothing() {
        assert!(is_known(""));
        assert!(is_known("impl H { fn set(&mut self) { self.w = 1; } }"));
        assert!(is_known("fn f(g: &mut G) { g.v[0] += 1.0; }"));
        for text in [
            "impl G { fn set(&mut self) { self.w = 1; } }",
            "impl G { fn set(&mut self) { (self.w, _) = (1, 2); } }",
            "impl H { fn set(g: &mut G) { g.w -= 1; } }",
            "fn f(g: &mut G, n: &mut usize) { swap(n, &mut g.w); }",
        ] {
            assert!(!is_known(text), "{text}");
        }
    }

    #[test]
    fn an_index_by_any_type_leaves_no_room() {
        for (index, any) in [
            (
                "impl<I: SliceIndex<[f64]>> Index<I> for G { type Output = I::Output; }",
                true,
            ),
            ("impl<T> Index<usize> for G<T> { type Output = T; }", false),
            ("impl<I> From<I> for G {}", false),
        ] {
            assert_eq!(
                super::is_index_by_any(&syn::parse_str(index).expect("a block")),
                any,
                "{index}"
            );
        }
    }
}
