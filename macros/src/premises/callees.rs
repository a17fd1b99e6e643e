//! Asserts that the function that a call means and the marker of its name are one.
//!
//! The witness of a function with such calls is a closure in a function that can name nothing of it but types: those of the functions that its
//! calls mean, and of their markers, whose names are compared when a derivative begins.
//!
//! ```text
//! fn witness() -> impl Agree {
//!     let callee_0 = Callee::new();
//!     let body = |x: f64| -> f64 { callee_0.is(norm {}, norm)(x, 2.0) };
//!     (callee_0,)
//! }
//! impl Callees for f { fn agree() { agree(witness) } }
//! ```

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Block, Expr, ExprCall, FnArg, Pat, Path, PathArguments, ReturnType, Signature, Type};

use crate::associated;
use crate::differentiable::bound_names;
use crate::differentiable::methods::operations;

/// The callees of a function whose signature can be that of a closure.
pub(super) struct Callees {
    /// Names of locals, which are no functions, and of functions that stand in the body.
    locals: Vec<String>,
    /// Those of numbers. Where a function is called with something else its type may have a lifetime, which the witness cannot hand out: it is
    /// asked where the marker says that it has one type.
    numbers: Vec<String>,
    /// One for each call.
    found: Vec<Ident>,
}

impl Callees {
    /// `None` if no closure has the signature.
    pub(super) fn of(signature: &Signature, body: &Block) -> Option<Self> {
        let is_plain = signature.generics.params.is_empty()
            && signature
                .inputs
                .iter()
                .all(|arg| matches!(arg, FnArg::Typed(arg) if !has_no_name(&arg.ty)))
            && match &signature.output {
                ReturnType::Default => true,
                ReturnType::Type(_, ty) => !has_no_name(ty) && !lends(ty),
            };
        let mut locals = Locals::default();
        signature
            .inputs
            .iter()
            .for_each(|arg| locals.visit_fn_arg(arg));
        locals.visit_block(body);
        is_plain.then_some(Self {
            locals: locals.names,
            numbers: locals.numbers,
            found: Vec::new(),
        })
    }

    /// Whether there are any.
    pub(super) fn is_any(&self) -> bool {
        !self.found.is_empty()
    }

    /// Names what a call means, if its path may mean a function and the marker of another; whether it does.
    pub(super) fn name(&mut self, call: &mut ExprCall) -> bool {
        let Expr::Path(path) = &*call.func else {
            return false;
        };
        let path = &path.path;
        let is_local = path
            .get_ident()
            .is_some_and(|name| self.locals.contains(&name.to_string()));
        if is_local || !is_plain(path) {
            return false;
        }
        // in parentheses it has the place of the path, and a mistake is one at the call
        let (name, at) = (format!("callee_{}", self.found.len()), path.span());
        let callee = Ident::new(&name, at.resolved_at(Span::mixed_site()));
        let marker = crate::marker::of(path);
        let of_numbers = call.args.iter().all(|arg| is_number(arg, &self.numbers));
        let named = match of_numbers {
            true => quote_spanned!(at=> (#callee.is(#marker, #path))),
            false => quote_spanned! {at=>
                (::coenzyme::__private::callee::Of(#marker).agrees(&#callee, #path))
            },
        };
        *call.func = syn::parse2(named).expect("a call is an expression");
        self.found.push(callee);
        true
    }

    /// The witness with this body, and what asks it.
    pub(super) fn witness(
        &self,
        marker: &Ident,
        signature: &Signature,
        body: &TokenStream,
    ) -> TokenStream {
        let (callees, inputs) = (&self.found, &signature.inputs);
        let output = match &signature.output {
            ReturnType::Default => quote!(-> ()),
            output => quote!(#output),
        };
        let all = callees
            .iter()
            .rev()
            .fold(quote!(()), |all, callee| quote!((#callee, #all)));
        quote! {
            fn witness() -> impl ::coenzyme::__private::callee::Agree {
                use ::coenzyme::__private::callee::AnyType as _;
                #(let #callees = ::coenzyme::__private::callee::Callee::new();)*
                let _ = |#inputs| #output { #body };
                #all
            }
            impl ::coenzyme::__private::callee::Callees for #marker {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn agree() {
                    ::coenzyme::__private::callee::agree(witness)
                }
            }
        }
    }
}

/// Whether a path is one of modules and a function, and tells no types.
fn is_plain(path: &Path) -> bool {
    let plain = |segment: &syn::PathSegment| {
        matches!(segment.arguments, PathArguments::None)
            && segment.ident.to_string().starts_with(char::is_lowercase)
    };
    path.leading_colon.is_none()
        && path.segments.iter().all(plain)
        && !associated::is_associated(path)
}

/// Whether a type cannot be written where a closure has it.
fn has_no_name(ty: &Type) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_type(ty);
    find.0
}

/// Whether a type has a lifetime, which a closure would not take from its arguments.
fn lends(ty: &Type) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_type_reference(&mut self, _: &'ast syn::TypeReference) {
            self.0 = true;
        }
        fn visit_lifetime(&mut self, _: &'ast syn::Lifetime) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_type(ty);
    find.0
}

/// Whether an expression is a number, as far as tokens tell.
fn is_number(expr: &Expr, numbers: &[String]) -> bool {
    let is = |expr| is_number(expr, numbers);
    match expr {
        Expr::Lit(_) | Expr::Cast(_) => true,
        Expr::Path(path) => path
            .path
            .get_ident()
            .is_some_and(|name| numbers.contains(&name.to_string())),
        Expr::Paren(paren) => is(&paren.expr),
        Expr::Unary(unary) => is(&unary.expr),
        Expr::Binary(binary) => is(&binary.left) && is(&binary.right),
        Expr::Index(index) => !matches!(&*index.index, Expr::Range(_)),
        Expr::MethodCall(call) => {
            operations::is_operation(&call.method.to_string()) && is(&call.receiver)
        }
        _ => false,
    }
}

/// The names of locals, and of functions that stand in the body.
#[derive(Default)]
struct Locals {
    names: Vec<String>,
    numbers: Vec<String>,
}

impl<'ast> Visit<'ast> for Locals {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.names.push(item.sig.ident.to_string());
    }

    fn visit_fn_arg(&mut self, arg: &'ast FnArg) {
        if let FnArg::Typed(arg) = arg {
            let number = ["f32", "f64", "i32", "usize"]
                .iter()
                .any(|name| matches!(&*arg.ty, Type::Path(path) if path.path.is_ident(name)));
            self.bind(&arg.pat, number);
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let init = local.init.as_ref();
        let number = init.is_some_and(|init| is_number(&init.expr, &self.numbers));
        self.bind(&local.pat, number);
        if let Some(init) = init {
            syn::visit::visit_local_init(self, init);
        }
    }

    fn visit_pat(&mut self, pat: &'ast Pat) {
        self.bind(pat, false);
    }
}

impl Locals {
    /// A name that is bound to something else as well is that of no number.
    fn bind(&mut self, pat: &Pat, number: bool) {
        for name in bound_names(pat) {
            let known = self.names.contains(&name);
            match number {
                true if !known => self.numbers.push(name.clone()),
                true => {}
                false => self.numbers.retain(|other| *other != name),
            }
            self.names.push(name);
        }
    }
}
