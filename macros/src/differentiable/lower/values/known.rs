//! Functions that are known by their paths: methods of numbers, of `libm`, constructors, `mem::replace`.

use quote::format_ident;
use syn::{Expr, ExprCall, ExprClosure, Ident, Path};

use crate::differentiable::expand::literal_numbers;
use crate::differentiable::ir::*;
use crate::differentiable::lower::Lower;
use crate::differentiable::methods::{calls, operations, paths};
pub(crate) use crate::differentiable::syntax::constructors::is_constructor;

impl Lower<'_> {
    /// `f64` and `sin` of `f64::sin`: the type of a number, or one that may be, and a name.
    fn of_number<'p>(&self, path: &'p Path) -> Option<(&'p Ident, &'p Ident)> {
        let mut names = path.segments.iter().rev().map(|s| &s.ident);
        let (name, ty) = (names.next()?, names.next()?);
        let number = ["f64", "f32", "Float", "Real"].iter().any(|n| ty == n)
            && !crate::files::own_names::is_item(ty);
        (number || self.generics.type_params().any(|t| t.ident == *ty)).then_some((ty, name))
    }

    /// `f64::sin(x)`, `T::max(a, b)`: a method by its path.
    pub(crate) fn associated(&mut self, call: &ExprCall) -> Option<Atom> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let (ty, name) = self.of_number(&path.path)?;
        let (receiver, rest) = (call.args.first()?, call.args.iter().skip(1));
        if name == "from" {
            return Some(self.cast(receiver, &syn::parse_quote!(#ty)));
        }
        if name == "midpoint" && call.args.len() == 2 {
            // points of the user's have a method of this name, numbers a function
            let args: Vec<Atom> = call.args.iter().map(|a| self.operand_of(a)).collect();
            let values: Vec<_> = args.iter().map(|a| self.atom_tokens(a)).collect();
            let value = quote::quote!(#path(#(#values),*));
            return Some(self.op("midpoint", value, args, Needs::Nothing));
        }
        let (op, needs) = operations::method(&name.to_string(), call.args.len() - 1)?;
        // a local may be a literal, whose type the path tells and a method does not
        let of_two = ["atan2", "hypot", "max", "min", "powf"].contains(&op);
        if of_two && (ty == "f64" || ty == "f32") && matches!(receiver, Expr::Path(_)) {
            let args: Vec<Atom> = call.args.iter().map(|a| self.operand_of(a)).collect();
            let values: Vec<_> = args.iter().map(|a| self.atom_tokens(a)).collect();
            return Some(self.op(op, quote::quote!(#path(#(#values),*)), args, needs));
        }
        let mut receiver = receiver.clone();
        if ty == "f64" || ty == "f32" {
            literal_numbers::say(&mut receiver, &ty.to_string());
        }
        let as_method: Expr = syn::parse_quote!((#receiver).#name(#(#rest),*));
        Some(self.value(&as_method))
    }

    /// `|x| x.sin()` of `f64::sin`.
    pub(crate) fn number_method(&self, path: &Expr) -> Option<ExprClosure> {
        let path = match path {
            Expr::Path(path) => path,
            Expr::Reference(lent) => return self.number_method(&lent.expr),
            _ => return None,
        };
        let (ty, name) = self.of_number(&path.path)?;
        let known = |others: &usize| operations::method(&name.to_string(), *others).is_some();
        let others = (0..3).find(known)?;
        let rest: Vec<Ident> = (0..others).map(|i| format_ident!("__x{i}")).collect();
        Some(syn::parse_quote!(|__x: #ty, #(#rest: #ty),*| __x.#name(#(#rest),*)))
    }

    /// `libm::sin(x)`: an operation of numbers.
    pub(crate) fn of_libm(&mut self, call: &ExprCall) -> Option<Atom> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let operation = operations::of_libm(&path.path)?;
        let (op, needs) = operations::method(operation, call.args.len().checked_sub(1)?)?;
        let args: Vec<Atom> = call.args.iter().map(|a| self.operand_of(a)).collect();
        let values: Vec<_> = args.iter().map(|a| self.atom_tokens(a)).collect();
        Some(self.op(op, quote::quote!(#path(#(#values),*)), args, needs))
    }

    /// `Complex::new(re, im)`
    pub(crate) fn complex(&mut self, call: &ExprCall) -> Option<Atom> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let made = ["Complex", "Complex64", "Complex32"]
            .iter()
            .any(|ty| paths::names(&path.path, &["num_complex", ty, "new"], 2));
        if !made || call.args.len() != 2 {
            return None;
        }
        let (re, im) = (self.value(&call.args[0]), self.value(&call.args[1]));
        let parts = vec![(quote::quote!(.re), re), (quote::quote!(.im), im)];
        Some(self.make(parts, |values| quote::quote!(#path(#(#values),*))))
    }

    /// `std::mem::replace(&mut x[i], v)`: what was there.
    pub(crate) fn replaced(&mut self, call: &ExprCall) -> Option<Atom> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let name = path.path.segments.last()?.ident.to_string();
        if !paths::names(&path.path, &["mem", &name], 2) {
            return None;
        }
        match (
            name.as_str(),
            call.args.iter().collect::<Vec<_>>().as_slice(),
        ) {
            ("replace", [Expr::Reference(place), value]) => {
                let value = self.value(value);
                let place = self.place(&place.expr)?;
                let old = self.read(place.clone());
                // which is not moved out of what its shape is asked of
                self.program.exchanged.extend(old.def());
                self.set(place, value);
                Some(old)
            }
            ("take", [Expr::Reference(place)]) => {
                let place = self.place(&place.expr);
                let keeps_shape = |p: &Place| self.is_whole_local(p) || self.is_number_at(p);
                let Some(place) = place.filter(keeps_shape) else {
                    self.errors.at(
                        call,
                        "what is taken away leaves memory of another shape: take all of a local, or clone",
                    );
                    return Some(self.nothing());
                };
                let old = self.read(place.clone());
                self.program.exchanged.extend(old.def());
                let empty = crate::differentiable::ir::Expr {
                    tokens: quote::quote!(::core::default::Default::default()),
                    ..Default::default()
                };
                self.set(place, Atom::Const(empty));
                Some(old)
            }
            ("swap", _) => None,
            _ => {
                self.errors.at(
                    &call.func,
                    "this is not known on active memory: read the place, then assign to it",
                );
                Some(self.nothing())
            }
        }
    }

    /// All of a local.
    fn is_whole_local(&self, place: &Place) -> bool {
        let of_local = |r: RootId| !matches!(self.program.roots[r].kind, RootKind::Param { .. });
        place.suffix.is_empty() && matches!(place.base, Base::Root(r) if of_local(r))
    }

    /// `T::from(n).unwrap()`: a number made of a count, as the type of the count must say; `None` if it is made of a number.
    pub(crate) fn of_a_count(&mut self, call: &syn::ExprMethodCall) -> Option<Atom> {
        let unwraps = calls::unwraps(call);
        let Expr::Call(made) = &*call.receiver else {
            return None;
        };
        let Expr::Path(path) = &*made.func else {
            return None;
        };
        let names: Vec<_> = path.path.segments.iter().map(|s| &s.ident).collect();
        let [ty, from] = names[..] else {
            return None;
        };
        let of_parameter = self.generics.type_params().any(|t| t.ident == *ty) && from == "from";
        let (true, true, [count]) = (
            unwraps,
            of_parameter,
            &made.args.iter().collect::<Vec<_>>()[..],
        ) else {
            return None;
        };
        let computed = matches!(count, Expr::Field(_) | Expr::Binary(_));
        (computed && self.may_count(count)).then(|| {
            let (func, method, args) = (&made.func, &call.method, &call.args);
            self.inactive(
                &syn::parse_quote!(#func(::coenzyme::__private::inert(#count)).#method(#args)),
            )
        })
    }

    /// Whether an expression is of fields, of whose types nothing is known, and integers: `self.n - 1`.
    fn may_count(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Binary(binary) => self.may_count(&binary.left) && self.may_count(&binary.right),
            Expr::Field(_) => self.type_of(expr).is_none(),
            Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Int(_)),
            Expr::Paren(paren) => self.may_count(&paren.expr),
            _ => false,
        }
    }

    /// Refuses `T::lit(x)`, `num_traits::cast(x)` and the like, which take a number for a constant. Whether it is one.
    pub(crate) fn refused_constant(&mut self, path: &syn::ExprPath) -> bool {
        let segments: Vec<_> = path.path.segments.iter().map(|s| &s.ident).collect();
        let [.., of, name] = segments[..] else {
            return false;
        };
        let makes_one = ["lit", "from", "from_f32", "from_f64"]
            .iter()
            .any(|n| name == n);
        let mut params = self.generics.type_params();
        let of_parameter = segments.len() == 2 && params.any(|param| param.ident == *of);
        let casts = of == "num_traits" && name == "cast";
        let refused = makes_one && of_parameter || casts;
        if refused {
            let wanted = match casts {
                true => "the number in the type that is wanted".to_owned(),
                false => format!("a `{of}`"),
            };
            let message = format!(
                "`{of}::{name}` makes a constant, and a derivative would end here: take {wanted} instead, or mark the parameter `#[constant]`"
            );
            self.errors.at(path, message);
        }
        refused
    }
}

/// `Pair(x, y)`: a struct or a variant, not a function of a type.
pub(crate) fn is_tuple_constructor(func: &Expr) -> bool {
    matches!(func, Expr::Path(path) if path.path.segments.last().is_some_and(|s| s.ident.to_string().starts_with(char::is_uppercase)))
}
