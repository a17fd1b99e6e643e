//! `let x: X = a.into();`, which is `X::from(a)` for a type of the user's, and sums that give one: `let x: X = all.sum();` is `all.sum::<X>()`.
//! Functions of a type with lengths name them: `let m: M<3> = M::from_slice(x);` is `M::<3>::from_slice(x)`.

use std::rc::Rc;

use syn::visit_mut::{self, VisitMut};
use syn::{
    AngleBracketedGenericArguments, Expr, ExprCall, ExprMethodCall, GenericArgument, Generics,
    Ident, Local, Member, Pat, PathArguments, Stmt, Type,
};

use crate::differentiable::syntax::chains;
use crate::files::own_types::OwnTypes;
use crate::operator::is_number;
use crate::signature::{Function, converted};

/// Types of other crates whose conversions are known by the method's name.
const FOREIGN: [&str; 16] = [
    "Arc",
    "ArcArray",
    "Array",
    "Array1",
    "Array2",
    "Array3",
    "ArrayD",
    "Box",
    "Complex",
    "Complex32",
    "Complex64",
    "Cow",
    "Option",
    "Rc",
    "String",
    "Vec",
];

/// Writes the conversions of a body as functions of the types that are written beside them: of a local, of what is returned, of a field, or of what is
/// `taken` by the callee of which they are arguments. `own` is the type of which the function is a method.
pub(crate) fn written_out(
    body: &mut syn::Block,
    function: &Function,
    own: Option<&str>,
    taken: &dyn Fn(&Expr) -> Vec<Option<Type>>,
) {
    let converted = converted(&function.written).into_iter();
    let mut conversions = Conversions {
        generics: &function.generics,
        converted: converted.map(|c| c.name).collect(),
        taken,
        own,
        declared: OwnTypes::of(&function.written.ident),
        caller: &function.written.ident,
    };
    conversions.visit_block_mut(body);
    conversions.write_last(body, &function.output);
    Returned(&conversions, &function.output).visit_block_mut(body);
}

struct Conversions<'a> {
    generics: &'a Generics,
    /// Parameters that the rules take converted.
    converted: Vec<Ident>,
    /// The types of what a call takes, where they are known.
    taken: &'a dyn Fn(&Expr) -> Vec<Option<Type>>,
    /// The type of which the function is a method.
    own: Option<&'a str>,
    declared: Rc<OwnTypes>,
    caller: &'a Ident,
}

impl VisitMut for Conversions<'_> {
    fn visit_local_mut(&mut self, local: &mut Local) {
        visit_mut::visit_local_mut(self, local);
        let Some(init) = &mut local.init else { return };
        let ty = match &local.pat {
            Pat::Type(typed) => (*typed.ty).clone(),
            // of a struct; that of a variant would name its enum too
            Pat::Struct(syn::PatStruct { path, .. })
            | Pat::TupleStruct(syn::PatTupleStruct { path, .. })
                if path.get_ident().is_some_and(|name| !is_variant(name)) =>
            {
                syn::parse_quote!(#path)
            }
            _ => return,
        };
        self.write(&mut init.expr, &ty);
    }
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::Struct(made) = expr {
            return self.write_fields(made);
        }
        let taken = match &*expr {
            Expr::Call(call) if call.args.iter().any(is_told) => (self.taken)(expr),
            Expr::MethodCall(call) if call.args.iter().any(is_told) => (self.taken)(expr),
            _ => return,
        };
        if let Expr::Call(ExprCall { args, .. }) | Expr::MethodCall(ExprMethodCall { args, .. }) =
            expr
        {
            for (arg, ty) in args.iter_mut().zip(taken) {
                if let Some(ty) = ty {
                    self.write(arg, &ty);
                }
            }
        }
    }
}

/// What a function returns before its end.
struct Returned<'a>(&'a Conversions<'a>, &'a Type);

impl VisitMut for Returned<'_> {
    fn visit_expr_return_mut(&mut self, returned: &mut syn::ExprReturn) {
        visit_mut::visit_expr_return_mut(self, returned);
        if let Some(value) = &mut returned.expr {
            self.0.write(value, self.1);
        }
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether the type that stands beside an expression tells what it is: `a.into()`, `all.sum()`.
fn is_told(value: &Expr) -> bool {
    matches!(value, Expr::MethodCall(call) if call.args.is_empty() && (call.method == "into" || is_sum(call)))
}

/// Whether an expression may be told, or a part of it.
fn is_held(value: &Expr) -> bool {
    is_told(value) || matches!(value, Expr::Call(_) | Expr::Tuple(_) | Expr::Array(_))
}

/// The type of what `Some`, `Ok` or `Err` holds, of a value of the type `ty`.
fn held<'t>(variant: &Ident, ty: &'t Type) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let place = match (
        last.ident.to_string().as_str(),
        variant.to_string().as_str(),
    ) {
        ("Option", "Some") | ("Result", "Ok") => 0,
        ("Result", "Err") => 1,
        _ => return None,
    };
    match arguments.args.get(place)? {
        GenericArgument::Type(held) => Some(held),
        _ => None,
    }
}

/// Whether a call sums up a chain of iterators; arrays have methods of these names too.
fn is_sum(call: &ExprMethodCall) -> bool {
    let named = call.method == "sum" || call.method == "product";
    named && call.turbofish.is_none() && chains::is_chain(&call.receiver)
}

/// Whether the arguments of a type are lengths, beside which floats may stand: `<3>`, `<f64, 2, 2>`.
fn are_lengths(of: &AngleBracketedGenericArguments) -> bool {
    let is_length = |arg: &GenericArgument| matches!(arg, GenericArgument::Const(Expr::Lit(_)));
    let is_float =
        |arg: &GenericArgument| matches!(arg, GenericArgument::Type(ty) if is_number(ty));
    of.args.iter().any(is_length) && of.args.iter().all(|arg| is_length(arg) || is_float(arg))
}

/// Whether a name is that of a variant which everybody imports.
fn is_variant(name: &Ident) -> bool {
    ["Some", "Ok", "Err"].iter().any(|variant| name == variant)
}

impl Conversions<'_> {
    fn write(&self, value: &mut Expr, ty: &Type) {
        match value {
            Expr::MethodCall(call) => {
                if is_sum(call) && self.own(ty).is_some() {
                    call.turbofish = Some(syn::parse_quote!(::<#ty>));
                } else if let Some(from) = self.from(call, ty) {
                    *value = from;
                }
            }
            Expr::Call(made) => {
                let variant = match &*made.func {
                    Expr::Path(path) => path.path.get_ident(),
                    _ => None,
                };
                let held = variant.and_then(|variant| held(variant, ty));
                if let (Some(held), Some(value)) = (held, made.args.first_mut()) {
                    self.write(value, held);
                }
                self.write_lengths(made, ty);
            }
            Expr::Tuple(values) => {
                if let Type::Tuple(types) = ty {
                    let of_each = values.elems.iter_mut().zip(&types.elems);
                    of_each.for_each(|(value, ty)| self.write(value, ty));
                }
            }
            Expr::Array(values) => {
                if let Type::Array(array) = ty {
                    let each = values.elems.iter_mut();
                    each.for_each(|value| self.write(value, &array.elem));
                }
            }
            Expr::Block(block) => self.write_last(&mut block.block, ty),
            Expr::If(choice) => {
                self.write_last(&mut choice.then_branch, ty);
                if let Some((_, otherwise)) = &mut choice.else_branch {
                    self.write(otherwise, ty);
                }
            }
            Expr::Match(choice) => {
                choice
                    .arms
                    .iter_mut()
                    .for_each(|arm| self.write(&mut arm.body, ty));
            }
            _ => {}
        }
    }

    /// Those that are values of fields: `Segment { from: a.into(), to }`.
    fn write_fields(&self, made: &mut syn::ExprStruct) {
        let of = made.path.segments.last().map(|s| s.ident.to_string());
        let of = match of.as_deref() {
            Some("Self") => self.own.map(str::to_owned),
            _ => of,
        };
        let Some(of) = of else { return };
        for field in made.fields.iter_mut().filter(|f| is_held(&f.expr)) {
            if let Member::Named(name) = &field.member
                && let Some(ty) = self.declared.field(&of, &name.to_string(), self.caller)
            {
                self.write(&mut field.expr, &ty);
            }
        }
    }

    /// The lengths of a type whose function gives `Self`: `let m: M<3> = M::from_slice(x)` is `M::<3>::from_slice(x)`.
    fn write_lengths(&self, call: &mut ExprCall, ty: &Type) {
        let (Expr::Path(path), Some(ty)) = (&mut *call.func, self.own(ty)) else {
            return;
        };
        let mut segments = path.path.segments.iter_mut().rev();
        let (Some(function), Some(of), Some(told)) =
            (segments.next(), segments.next(), ty.path.segments.last())
        else {
            return;
        };
        let (name, method) = (of.ident.to_string(), function.ident.to_string());
        let gives_itself = || {
            let given = self.declared.given_by(&name, &method, self.caller);
            given.is_some_and(
                |given| matches!(&given, Type::Path(given) if given.path.is_ident(&of.ident)),
            )
        };
        let open = of.ident == told.ident && of.arguments.is_none();
        if let PathArguments::AngleBracketed(lengths) = &told.arguments
            && open
            && are_lengths(lengths)
            && gives_itself()
        {
            let mut lengths = lengths.clone();
            lengths.colon2_token = Some(Default::default());
            of.arguments = PathArguments::AngleBracketed(lengths);
        }
    }

    fn write_last(&self, block: &mut syn::Block, ty: &Type) {
        if let Some(Stmt::Expr(value, None)) = block.stmts.last_mut() {
            self.write(value, ty);
        }
    }

    /// The path of a type, if it is one of the user's.
    fn own<'t>(&self, ty: &'t Type) -> Option<&'t syn::TypePath> {
        let Type::Path(ty) = ty else { return None };
        let last = ty.path.segments.last()?.ident.to_string();
        let own = ty.qself.is_none()
            && last.starts_with(char::is_uppercase)
            && !FOREIGN.contains(&last.as_str())
            && !self
                .generics
                .type_params()
                .any(|t| ty.path.is_ident(&t.ident));
        own.then_some(ty)
    }

    /// `X::from(a)` for `a.into()`.
    fn from(&self, call: &ExprMethodCall, ty: &Type) -> Option<Expr> {
        let ty = self.own(ty)?;
        let is_converted = matches!(&*call.receiver, Expr::Path(path) if path.path.get_ident().is_some_and(|n| self.converted.contains(n)));
        if is_converted || call.method != "into" || !call.args.is_empty() {
            return None;
        }
        let mut path = ty.path.clone();
        for segment in &mut path.segments {
            // where premises look for what was decided
            segment.ident.set_span(call.method.span());
            if let PathArguments::AngleBracketed(args) = &mut segment.arguments {
                args.colon2_token = Some(Default::default());
            }
        }
        let from = quote::format_ident!("from", span = call.method.span());
        let of = &call.receiver;
        Some(syn::parse_quote!(#path::#from(#of)))
    }
}
