//! Parameters and results.

use quote::{ToTokens, quote};
use syn::{Expr, FnArg, ItemFn, Lit, Pat, ReturnType, Type};

use super::{Printer, kinds};

impl Printer<'_> {
    /// The whole template.
    pub(super) fn function(&mut self, item: &ItemFn) -> String {
        let mut parameters = Vec::new();
        for input in &item.sig.inputs {
            match input {
                FnArg::Typed(typed) => {
                    let ty = self.parameter(&typed.ty);
                    self.scalar &= ty == "N";
                    match &*typed.pat {
                        Pat::Ident(pat) => {
                            let kind = kinds::of_type(&typed.ty);
                            parameters.push(format!("{ty} {}", self.bind(&pat.ident, kind)));
                        }
                        other => _ = self.refuse(other, "a pattern: name the parameter"),
                    }
                }
                FnArg::Receiver(receiver) => {
                    self.refuse(receiver, "a method: write a function");
                }
            }
        }
        let output = match &item.sig.output {
            ReturnType::Default => "void".into(),
            ReturnType::Type(_, ty) => self.ty(ty),
        };
        self.scalar &= output == "N";
        let parameters = parameters.join(", ");
        let body = self.body(&item.block, 1);
        format!(
            "template <class N> __device__ {output} ${{self}}({parameters}) {{\n    \
             typedef typename Number<N>::Real R;\n{body}}}\n"
        )
    }

    /// A parameter's type.
    fn parameter(&mut self, ty: &Type) -> String {
        match ty {
            Type::Reference(reference) => {
                let inner = self.ty(&reference.elem);
                match reference.mutability {
                    Some(_) => format!("{inner}&"),
                    None => format!("const {inner}&"),
                }
            }
            _ => self.ty(ty),
        }
    }

    /// A type: a number, an integer, a flag, an array of fixed length.
    pub(super) fn ty(&mut self, ty: &Type) -> String {
        match ty {
            Type::Path(path) if path.qself.is_none() => {
                let name = path.path.to_token_stream().to_string();
                if self.is_number(&path.path) {
                    self.float(path, &name);
                    return "N".into();
                }
                match kinds::named(&name) {
                    Some("bool") => return "bool".into(),
                    Some(_) => return "Int".into(),
                    None => {}
                }
            }
            Type::Array(array) => {
                let length = self.length(&array.len);
                return format!("Array<{}, {length}>", self.ty(&array.elem));
            }
            Type::Paren(inner) => return self.ty(&inner.elem),
            Type::Group(inner) => return self.ty(&inner.elem),
            _ => {}
        }
        let shown = quote!(#ty)
            .to_string()
            .replace(" ;", ";")
            .replace("& ", "&");
        self.refuse(
            ty,
            format_args!("`{shown}`: use numbers, integers, `bool`, and arrays `[T; N]` of them"),
        )
    }

    /// Whether a path is a type parameter, which stands for the kind of number, or a float type.
    pub(super) fn is_number(&self, path: &syn::Path) -> bool {
        path.is_ident("f64")
            || path.is_ident("f32")
            || self.numbers.iter().any(|number| path.is_ident(number))
    }

    /// Notes a kind of floating-point number, `f64` or `f32`: rounding to the other in between has no place in C++ text over one kind.
    pub(super) fn float(&mut self, at: impl ToTokens, name: &str) {
        let Some(name) = ["f64", "f32"].into_iter().find(|float| *float == name) else {
            return;
        };
        let first = *self.float.get_or_insert(name);
        if first != name {
            let message = format!(
                "`{name}` in a function of `{first}`: a device computes in one kind of number"
            );
            self.refuse(at, message);
        }
    }

    /// The length of an array.
    pub(super) fn length(&mut self, len: &Expr) -> String {
        match len {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(int) => int.base10_digits().to_owned(),
                other => self.refuse(other, "a length that is no integer"),
            },
            Expr::Path(path) => Self::place(&mut self.constants, &path.path),
            other => self.refuse(other, "a computed length: write a number or a constant"),
        }
    }
}
