//! Locals that are memory: arrays, vectors, copies, what is collected.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Expr, ExprMethodCall};

use super::place;
use crate::differentiable::expand::outcome;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::binding::annotated;
use crate::differentiable::lower::iterators::element::Element;
use crate::differentiable::lower::iterators::seq::Seq;
use crate::differentiable::lower::references::held;
use crate::differentiable::lower::{Binding, Lower, array};
use crate::differentiable::methods::{calls, paths};
use crate::differentiable::syntax::chains;
use crate::differentiable::syntax::names::hidden;
use crate::differentiable::syntax::vec_macro::VecMacro;
use crate::signature::Passing;

impl Lower<'_> {
    /// A local that is changed in parts.
    pub(crate) fn let_memory(&mut self, name: &Ident, ty: Option<&syn::Type>, init: &Expr) {
        let text = name.to_string();
        if let Some(root) = self.memory_of(name, init) {
            return self.bind_typed(&text, ty, root);
        }
        let inactive =
            !self.is_varied(init) && !matches!(init, Expr::If(_) | Expr::Match(_) | Expr::Block(_));
        if !inactive {
            let value = self.typed_value(ty, init);
            return self.declare(name, ty, value);
        }
        let value = self.plain(init);
        let init = Init::Inactive {
            again: value.pure && value.expr.uses.roots.is_empty() && self.keeps_length(name),
            expr: annotated(ty, value.expr),
        };
        let varied = self.varied.contains(&text);
        let root = self.memory(name, varied, init);
        self.bind_typed(&text, ty, root);
    }

    /// The memory that an expression makes, if it makes memory that a derivative can be in.
    pub(crate) fn memory_of(&mut self, name: &Ident, init: &Expr) -> Option<RootId> {
        let varied = self.varied.contains(&name.to_string());
        match init {
            Expr::Paren(paren) => self.memory_of(name, &paren.expr),
            Expr::Macro(mac) if paths::is_vec(&mac.mac.path) => {
                match mac.mac.parse_body::<VecMacro>() {
                    Ok(VecMacro::Repeat(row, n))
                        if self.is_varied(&row) && self.is_surely_vector(&row) =>
                    {
                        self.repeated_row(name, &row, &n)
                    }
                    Ok(VecMacro::Repeat(value, n)) if self.is_varied(&value) => Some(
                        self.repeated(name, &value, &n, |blank, n| quote!(::std::vec![#blank; #n])),
                    ),
                    Ok(VecMacro::List(list)) if list.iter().any(|e| self.is_varied(e)) => {
                        Some(self.listed(name, &list))
                    }
                    Ok(_) if varied => {
                        // inactive, but written later
                        let expr = self.inactive_vector(&mac.mac)?;
                        let again = self.keeps_length(name);
                        Some(self.memory(name, varied, Init::Inactive { expr, again }))
                    }
                    Ok(_) => None,
                    Err(e) => {
                        self.errors.push(e);
                        None
                    }
                }
            }
            Expr::Repeat(repeat) if self.is_varied(&repeat.expr) => Some(self.repeated(
                name,
                &repeat.expr,
                &repeat.len,
                |blank, n| quote!([#blank; #n]),
            )),
            Expr::MethodCall(call) if self.is_varied(init) => {
                match call.method.to_string().as_str() {
                    "to_vec" if self.kind(&call.receiver).is_surely() => {
                        let entries = self.seq(&call.receiver)?;
                        Some(self.collected_from(name, &entries, &call.method))
                    }
                    "to_vec" | "clone" | "to_owned" => self.copied(name, call),
                    "into_boxed_slice" => self.boxed_slice(name, call),
                    "collect" => self.collected(name, call),
                    "map" => self.mapped_array(name, call),
                    "concat" => self.concatenated(name, call),
                    _ => None,
                }
            }
            Expr::Call(call) if self.is_varied(init) => match self.same_array(call) {
                Some(same) => self.memory_of(name, &same),
                None => self.array_from_fn(name, None, call),
            },
            // a copy, or the memory moved
            Expr::Path(_) => match self.place(init)? {
                Place {
                    base: Base::Root(r),
                    suffix,
                    ..
                } if suffix.is_empty() && self.program.roots[r].kind == RootKind::Memory => {
                    let from = &self.program.roots[r].name;
                    let tokens = quote!(::core::clone::Clone::clone(&#from));
                    let from = place::whole(Base::Root(r));
                    let varied = varied || self.program.roots[r].varied;
                    Some(self.memory(name, varied, Init::Copy { from, tokens }))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Memory without a name of its own: the value of `init` where it stands inside an expression.
    pub(crate) fn nameless_memory(&mut self, init: &Expr) -> Option<Atom> {
        if matches!(init, Expr::Path(_)) {
            return None;
        }
        let name = self.fresh("made");
        let ty = self.scalar.clone();
        if let Some(root) = self.array_of_slice(&name, Some(&ty), init) {
            return Some(Atom::Root(root));
        }
        self.memory_of(&name, init).map(Atom::Root)
    }

    pub(crate) fn memory(&mut self, name: &Ident, varied: bool, init: Init) -> RootId {
        let root = self.root(name, RootKind::Memory, varied);
        self.push(Item::Declare { root, init });
        root
    }

    /// `vec![value; n]`, `[value; n]`.
    fn repeated(
        &mut self,
        name: &Ident,
        value: &Expr,
        n: &Expr,
        blank: impl FnOnce(TokenStream, TokenStream) -> TokenStream,
    ) -> RootId {
        let value = self.value(value);
        let n = self.index(n);
        let expr = ir::Expr {
            tokens: blank(quote!(::coenzyme::__private::Blank::blank()), n.tokens),
            uses: n.uses,
        };
        let again = self.keeps_length(name);
        let root = self.memory(name, true, Init::Inactive { expr, again });
        self.reseated.insert(root);
        let mut place = place::whole(Base::Root(root));
        place.suffix = quote!([..]);
        self.write(root);
        self.push(Item::Fill { place, value });
        root
    }

    /// Gives a value a name that the text has not.
    pub(crate) fn under_name(&mut self, name: &str, value: &Expr) -> Expr {
        let name = hidden(name);
        self.let_pattern(&syn::parse_quote!(#name), None, value);
        syn::parse_quote!(#name)
    }

    /// Whether an expression is a vector, as far as tokens tell.
    fn is_surely_vector(&self, expr: &Expr) -> bool {
        let told = || {
            let ty = self.type_of(expr);
            matches!(&ty, Some(syn::Type::Path(ty)) if ty.path.segments.last().is_some_and(|s| s.ident == "Vec"))
        };
        paths::makes_vector(expr) || paths::is_collected(expr) || told()
    }

    /// `vec![x.to_vec(); n]`, whose rows have a length that only the vector has: each is a copy.
    fn repeated_row(&mut self, name: &Ident, row: &Expr, n: &Expr) -> Option<RootId> {
        let repeated = self.under_name("repeated", row);
        let rows = syn::parse_quote! {
            (0..(#n)).map(|_| #repeated.clone()).collect::<::std::vec::Vec<_>>()
        };
        self.memory_of(name, &rows)
    }

    /// `vec![a, b, c]`.
    fn listed(&mut self, name: &Ident, list: &[Expr]) -> RootId {
        let values: Vec<Atom> = list.iter().map(|e| self.value(e)).collect();
        let n = values.len();
        let expr = ir::Expr {
            tokens: quote!(::coenzyme::__private::blanks(#n)),
            ..Default::default()
        };
        let again = self.keeps_length(name);
        let root = self.memory(name, true, Init::Inactive { expr, again });
        self.reseated.insert(root);
        for (i, value) in values.into_iter().enumerate() {
            let place = Place {
                base: Base::Root(root),
                suffix: quote!([#i]),
                uses: Uses::default(),
            };
            self.write(root);
            self.push(Item::Assign {
                place,
                op: Assign::Set,
                value,
            });
        }
        root
    }

    /// `vec![0.0; n]`: what it reads is read now.
    fn inactive_vector(&mut self, mac: &syn::Macro) -> Option<ir::Expr> {
        let mut uses = Uses::default();
        let tokens = match mac.parse_body::<VecMacro>().ok()? {
            VecMacro::Repeat(value, n) => {
                let (value, n) = (self.vector_element(&value)?, self.index(&n));
                uses.extend(&value.uses);
                uses.extend(&n.uses);
                let (value, n) = (value.tokens, n.tokens);
                quote!(::std::vec![#value; #n])
            }
            VecMacro::List(list) => {
                let list = list.iter().map(|e| self.vector_element(e));
                let list: Vec<_> = list.collect::<Option<_>>()?;
                list.iter().for_each(|e| uses.extend(&e.uses));
                let list = list.iter().map(|e| &e.tokens);
                quote!(::std::vec![#(#list),*])
            }
        };
        Some(ir::Expr { tokens, uses })
    }

    /// Whether a place is a vector with a name, or a field of one, which can grow: its shadow grows with it.
    pub(crate) fn is_growing(&self, place: &Place) -> bool {
        let whole = place.suffix.is_empty();
        let Base::Root(root) = place.base else {
            return false;
        };
        let may_grow = match &self.program.roots[root].kind {
            RootKind::Memory => true,
            RootKind::Param { index, passing } => {
                let is_slice = matches!(self.parameter_types[*index], syn::Type::Slice(_));
                *passing == Passing::Exclusive && !(whole && is_slice)
            }
            RootKind::Scalar => false,
        };
        may_grow
            && (is_of_fields(&place.suffix) || is_entry(&place.suffix))
            && self.grown.contains(&root)
            && !(whole && self.own.contains(&root))
    }

    /// `v.pop().unwrap()`, `x.first().unwrap()`, `x.last().copied().unwrap()`: an entry.
    pub(crate) fn entry(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        if !calls::unwraps(call) {
            return None;
        }
        let mut inner = &*call.receiver;
        while let Expr::MethodCall(method) = inner
            && ["copied", "cloned"].contains(&method.method.to_string().as_str())
        {
            inner = &method.receiver;
        }
        let Expr::MethodCall(inner) = inner else {
            return None;
        };
        let vector = &inner.receiver;
        if self.is_chain_name(vector) || chains::is_chain(vector) {
            return None;
        }
        match (inner.method.to_string().as_str(), inner.args.first()) {
            ("first", None) => Some(self.copied_entry(&syn::parse_quote!(#vector[0]))),
            ("last", None) => {
                Some(self.copied_entry(&syn::parse_quote!(#vector[#vector.len() - 1])))
            }
            ("get", Some(at)) => Some(self.copied_entry(&syn::parse_quote!(#vector[#at]))),
            ("pop", None) => {
                let place = self.place(vector)?;
                if !self.is_growing(&place) {
                    self.errors
                        .at(&inner.method, super::effect::KEEPS_ITS_LENGTH);
                    return Some(self.nothing());
                }
                let last = self.copied_entry(&syn::parse_quote!(#vector[#vector.len() - 1]));
                self.written(&place);
                self.push(Item::Pop { place });
                Some(last)
            }
            _ => None,
        }
    }

    /// The value of an entry, which has a shape of its own: the entry may be gone when that is asked for.
    pub(crate) fn copied_entry(&mut self, entry: &Expr) -> Atom {
        let value = self.value(entry);
        self.program.exchanged.extend(value.def());
        value
    }

    /// An element of an inactive vector, which may be a vector itself.
    fn vector_element(&mut self, element: &Expr) -> Option<ir::Expr> {
        match element {
            Expr::Macro(mac) if paths::is_vec(&mac.mac.path) => self.inactive_vector(&mac.mac),
            element => Some(self.index(element)),
        }
    }

    /// `place.to_vec()`, `place.clone()`.
    fn copied(&mut self, name: &Ident, call: &ExprMethodCall) -> Option<RootId> {
        let from = self.place(&call.receiver)?;
        let from = self.settled(from);
        // a number that is cloned stays a value
        if call.method != "to_vec" && matches!(from.base, Base::Def(_)) && from.suffix.is_empty() {
            return None;
        }
        let (tokens, method) = (self.place_tokens(&from), &call.method);
        let tokens = quote!((#tokens).#method());
        // of an array too
        let mut from = from;
        if call.method == "to_vec" && !self.is_slice(&call.receiver) {
            from.suffix.extend(quote!([..]));
        }
        Some(self.memory(name, true, Init::Copy { tokens, from }))
    }

    /// `v.into_boxed_slice()`
    fn boxed_slice(&mut self, name: &Ident, call: &ExprMethodCall) -> Option<RootId> {
        let from = match self.place(&call.receiver) {
            Some(place) => self.settled(place),
            None => {
                let vector = self.value(&call.receiver);
                place::whole(self.atom_base(vector))
            }
        };
        let tokens = self.place_tokens(&from);
        let tokens = quote!(::core::clone::Clone::clone(&#tokens).into_boxed_slice());
        let mut from = from;
        from.suffix.extend(quote!([..]));
        Some(self.memory(name, true, Init::Copy { tokens, from }))
    }

    /// `chain.collect()`: a vector of known length that is filled.
    fn collected(&mut self, name: &Ident, call: &ExprMethodCall) -> Option<RootId> {
        if outcome::ends_in_outcome(call) {
            return None;
        }
        let to_array = call.turbofish.as_ref().and_then(|t| t.args.first());
        if matches!(to_array, Some(syn::GenericArgument::Type(ty)) if array::of_type(ty).is_surely())
        {
            return None;
        }
        let seq = self.seq_to_its_end(&call.receiver)?;
        if !matches!(seq, Seq::Array(_)) && !self.leads.lent(&call.receiver).is_empty() {
            self.errors.at(&call.method, held::HELD);
        }
        Some(self.collected_from(name, &seq, &call.method))
    }

    /// The elements of a sequence; `at` is the method that asks for them.
    pub(crate) fn collected_from(&mut self, name: &Ident, seq: &Seq, at: &Ident) -> RootId {
        let Some(len) = self.seq_len(seq).filter(|_| seq.ends()) else {
            return self.grown_from(name, seq, at);
        };
        let n = Atom::Def(self.def(DefKind::Pure(len), false));
        let n = self.atom_expr(&n);
        let (tokens, uses) = (n.tokens, n.uses);
        let expr = ir::Expr {
            tokens: quote!(::coenzyme::__private::blanks(#tokens)),
            uses: uses.clone(),
        };
        let again = self.keeps_length(name);
        let root = self.memory(name, true, Init::Inactive { expr, again });
        self.reseated.insert(root);
        let range = Range::up(Atom::Const(ir::Expr {
            tokens: quote!((0..#tokens)),
            uses,
        }));
        let changed = self.changed_by(seq);
        self.changing(changed, |this| {
            this.counted(range, None, |this, k| {
                let element = this.seq_element(seq, k.clone());
                let value = this.element_value(element);
                let i = &k.tokens;
                let place = Place {
                    base: Base::Root(root),
                    suffix: quote!([#i]),
                    uses: k.uses,
                };
                this.set(place, value);
            });
        });
        root
    }

    /// `[a, b].concat()`
    fn concatenated(&mut self, name: &Ident, call: &ExprMethodCall) -> Option<RootId> {
        let Expr::Array(parts) = &*call.receiver else {
            return None;
        };
        let root = self.empty_vector(name);
        self.scopes.push(Default::default());
        self.bind("__all", Binding::Root(root));
        for part in &parts.elems {
            self.expression_statement(&match part {
                Expr::Reference(_) => syn::parse_quote!(__all.extend_from_slice(#part)),
                Expr::Path(_) => syn::parse_quote!(__all.extend_from_slice(&#part)),
                part => syn::parse_quote!({
                    let __part = #part;
                    __all.extend_from_slice(&__part);
                }),
            });
        }
        self.scopes.pop();
        Some(root)
    }

    /// A vector that grows by each element, where their number is not known before.
    fn grown_from(&mut self, name: &Ident, seq: &Seq, at: &Ident) -> RootId {
        let root = self.empty_vector(name);
        self.drive(seq, at, &mut |this: &mut Self, element| {
            this.grow(root, element);
        });
        root
    }

    /// A vector that will grow.
    pub(crate) fn empty_vector(&mut self, name: &Ident) -> RootId {
        let root = self.root(name, RootKind::Memory, true);
        self.grown.insert(root);
        let init = Init::Inactive {
            expr: ir::Expr {
                tokens: quote!(::std::vec::Vec::new()),
                ..Default::default()
            },
            again: false,
        };
        self.push(Item::Declare { root, init });
        root
    }

    /// `vector.push(element)`
    pub(crate) fn grow(&mut self, vector: RootId, element: Element) {
        let value = self.element_value(element);
        let place = self.whole_of(vector);
        self.written(&place);
        self.push(Item::Push { place, value });
    }
}

/// Whether a suffix is that of an entry of a field, or of a field of one: `.rows[i]`, `.nodes[i].children`.
fn is_entry(suffix: &TokenStream) -> bool {
    use proc_macro2::{Delimiter::Bracket, TokenTree};
    let trees: Vec<TokenTree> = suffix.clone().into_iter().collect();
    let is_group = |tree: &TokenTree| matches!(tree, TokenTree::Group(_));
    let Some(at) = trees.iter().position(is_group) else {
        return false;
    };
    let TokenTree::Group(index) = &trees[at] else {
        return false;
    };
    let index_is_one =
        index.delimiter() == Bracket && !matches!(syn::parse2(index.stream()), Ok(Expr::Range(_)));
    let fields = |trees: &[TokenTree]| is_of_fields(&trees.iter().cloned().collect());
    index_is_one && fields(&trees[..at]) && fields(&trees[at + 1..])
}

/// Whether a suffix is `.field` and the like.
fn is_of_fields(suffix: &TokenStream) -> bool {
    use proc_macro2::TokenTree::{Group, Ident, Literal, Punct};
    let mut tokens = suffix.clone().into_iter();
    tokens.all(|token| match token {
        Punct(dot) => dot.as_char() == '.',
        Ident(_) | Literal(_) => true,
        Group(_) => false,
    })
}
