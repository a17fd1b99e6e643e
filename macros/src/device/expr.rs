//! Expressions.

use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprCall, ExprMethodCall, Lit, Path, Type, UnOp};

use super::{Printer, table};

impl Printer<'_> {
    /// An expression, as it stands inside another.
    pub(super) fn expr(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Lit(lit) => self.literal(&lit.lit),
            Expr::Path(path) if path.qself.is_none() => self.path(&path.path),
            Expr::Paren(inner) => format!("({})", self.expr(&inner.expr)),
            // what another macro passed on as one expression
            Expr::Group(inner) => format!("({})", self.expr(&inner.expr)),
            Expr::Unary(unary) => {
                let inner = self.expr(&unary.expr);
                match unary.op {
                    // two signs in a row are another operator in C++
                    UnOp::Neg(_) if inner.starts_with(['-', '$']) => format!("-({inner})"),
                    UnOp::Neg(_) => format!("-{inner}"),
                    UnOp::Not(_) => format!("!{inner}"),
                    // a reference is printed as what it refers to
                    _ => inner,
                }
            }
            Expr::Binary(binary) => {
                self.in_order([&*binary.left, &*binary.right]);
                let (left, right) = (self.expr(&binary.left), self.expr(&binary.right));
                self.binary(&binary.op, &left, &right)
            }
            Expr::Cast(cast) => self.cast(&cast.expr, &cast.ty),
            Expr::Index(index) => {
                let (array, at) = (self.expr(&index.expr), self.expr(&index.index));
                format!("{array}[{at}]")
            }
            Expr::Array(array) => {
                self.in_order(&array.elems);
                let integers = array.elems.iter().all(is_integer);
                let number = if integers { "Int" } else { "N" };
                let elements: Vec<_> = array.elems.iter().map(|e| self.expr(e)).collect();
                format!("array<{number}>({})", elements.join(", "))
            }
            Expr::Repeat(repeat) => {
                let (element, length) = (self.expr(&repeat.expr), self.length(&repeat.len));
                format!("filled<N, {length}>({element})")
            }
            Expr::Reference(reference) => self.expr(&reference.expr),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method(call),
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) => self.value(expr),
            other => self.refused(other),
        }
    }

    fn literal(&mut self, lit: &Lit) -> String {
        match lit {
            Lit::Float(float) => format!("R({})", float.base10_digits()),
            Lit::Int(int) if int.suffix().starts_with('f') => format!("R({})", int.base10_digits()),
            // an `int` of C++ is shorter than the integers of Rust
            Lit::Int(int) => format!("{}LL", int.base10_digits()),
            Lit::Bool(flag) => flag.value.to_string(),
            other => self.refuse(other, "a literal that is neither number nor flag"),
        }
    }

    /// A name that is bound in the function, or else a constant, whose value the compiler knows.
    fn path(&mut self, path: &Path) -> String {
        if let Some(name) = path.get_ident() {
            let name = name.to_string();
            if let Some((_, cpp)) = self.scope.iter().rev().find(|(rust, _)| *rust == name) {
                return cpp.clone();
            }
        }
        match path.segments.first() {
            Some(first) if path.segments.len() > 1 && self.numbers.contains(&first.ident) => {
                self.refuse(path, "a constant of a type parameter: write the number")
            }
            _ => Self::place(&mut self.constants, path),
        }
    }

    fn binary(&mut self, op: &BinOp, left: &str, right: &str) -> String {
        use BinOp::*;
        let sign = match op {
            Add(_) => "+",
            Sub(_) => "-",
            Mul(_) => "*",
            Div(_) => "/",
            And(_) => "&&",
            Or(_) => "||",
            Eq(_) => "==",
            Ne(_) => "!=",
            Lt(_) => "<",
            Le(_) => "<=",
            Gt(_) => ">",
            Ge(_) => ">=",
            Rem(_) => return format!("math::rem({left}, {right})"),
            // these bind otherwise in C++
            BitAnd(_) => return format!("({left} & {right})"),
            BitOr(_) => return format!("({left} | {right})"),
            BitXor(_) => return format!("({left} ^ {right})"),
            Shl(_) => return format!("({left} << {right})"),
            Shr(_) => return format!("({left} >> {right})"),
            other => return self.refuse(other, "an assignment inside an expression"),
        };
        format!("{left} {sign} {right}")
    }

    fn cast(&mut self, inner: &Expr, ty: &Type) -> String {
        let value = self.expr(inner);
        match &*self.ty(ty) {
            "N" => format!("N({value})"),
            "Int" => format!("Int(coenzyme::value({value}))"),
            _ => self.refuse(ty, "a cast to this type"),
        }
    }

    /// `f(x)` of another device function, or `f64::max(x, y)`.
    fn call(&mut self, call: &ExprCall) -> String {
        let Expr::Path(callee) = &*call.func else {
            return self.refuse(&call.func, "a call of something that is no function");
        };
        self.in_order(&call.args);
        let path = &callee.path;
        let arguments: Vec<_> = call.args.iter().map(|a| self.expr(a)).collect();
        let mut segments = path.segments.iter();
        if let (Some(ty), Some(name), None) = (segments.next(), segments.next(), segments.next()) {
            let of_number = self.is_number(&Path::from(ty.ident.clone()));
            match (of_number, &*name.ident.to_string(), &*arguments) {
                (false, ..) => {}
                (true, "zero", []) => return "R(0)".into(),
                (true, "one", []) => return "R(1)".into(),
                (true, "lit" | "from", [x]) => return format!("R({x})"),
                (true, name, [_, rest @ ..]) if table::has(name, rest.len()) => {
                    return format!("math::{name}({})", arguments.join(", "));
                }
                (true, name, _) => {
                    return self.refuse(
                        path,
                        format_args!("`{name}`: the device has no such function"),
                    );
                }
            }
        }
        let place = Self::place(&mut self.callees, path);
        format!("{place}<N>({})", arguments.join(", "))
    }

    fn method(&mut self, call: &ExprMethodCall) -> String {
        self.in_order([&*call.receiver].into_iter().chain(&call.args));
        let name = call.method.to_string();
        let mut arguments = vec![self.expr(&call.receiver)];
        if name == "clone" && call.args.is_empty() {
            return arguments.remove(0);
        }
        if !table::has(&name, call.args.len()) {
            let message = format!(
                "`{name}`: use the methods of numbers that `coenzyme` differentiates, or write a function"
            );
            return self.refuse(&call.method, message);
        }
        arguments.extend(call.args.iter().map(|a| self.expr(a)));
        format!("math::{name}({})", arguments.join(", "))
    }

    /// Rust evaluates from the left to the right, C++ as it likes: what changes a variable stands alone.
    fn in_order<'e>(&mut self, operands: impl IntoIterator<Item = &'e Expr>) {
        let operands: Vec<_> = operands.into_iter().collect();
        if let (Some(call), true) = (operands.iter().find_map(|e| changes(e)), operands.len() > 1) {
            let message =
                "a call that changes a variable, beside others: bind its value by `let` before";
            self.refuse(call, message);
        }
    }

    fn refused(&mut self, expr: &Expr) -> String {
        let message = match expr {
            Expr::Closure(_) => "a closure: write a function",
            Expr::Tuple(_) => "a tuple: use an array",
            Expr::Struct(_) | Expr::Field(_) => "a struct: pass its numbers",
            Expr::Macro(_) => "a macro: nothing is printed or checked there",
            Expr::Range(_) => "a range outside a `for`",
            Expr::Unsafe(_) => "`unsafe`",
            Expr::Let(_) => "`if let`: compare with `==`, or `match` an integer",
            Expr::Try(_) => "`?`: a device function does not fail",
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {
                "leaving from inside a value: write a statement"
            }
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => {
                "a loop inside an expression: write a statement, and assign"
            }
            _ => "this expression",
        };
        self.refuse(expr, message)
    }
}

/// A call in an expression that is given a `&mut`.
fn changes(expr: &Expr) -> Option<ExprCall> {
    struct Finder(Option<ExprCall>);

    impl<'ast> Visit<'ast> for Finder {
        fn visit_expr_call(&mut self, call: &'ast ExprCall) {
            let exclusive =
                |arg: &Expr| matches!(arg, Expr::Reference(r) if r.mutability.is_some());
            match call.args.iter().any(exclusive) {
                true => self.0 = Some(call.clone()),
                false => visit::visit_expr_call(self, call),
            }
        }
    }

    let mut finder = Finder(None);
    finder.visit_expr(expr);
    finder.0
}

/// A literal without point.
fn is_integer(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(lit) if matches!(&lit.lit, Lit::Int(int) if !int.suffix().starts_with('f')))
}
