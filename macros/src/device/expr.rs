//! Expressions.

use syn::visit::{self, Visit};
use syn::{
    BinOp, Expr, ExprAssign, ExprBinary, ExprCall, ExprIndex, ExprMethodCall, ExprParen, ExprUnary,
    Ident, Lit, PatIdent, Path, Type, UnOp,
};

use super::{Printer, kinds, stmt, table};

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
                    UnOp::Not(_) => self.inverted(&unary.expr, &inner),
                    // a reference is printed as what it refers to
                    _ => inner,
                }
            }
            Expr::Binary(binary) => {
                self.in_order([&*binary.left, &*binary.right]);
                let (left, right) = (self.expr(&binary.left), self.expr(&binary.right));
                match binary.op {
                    BinOp::Shl(_) => self.shift(&binary.left, &left, "shl", &right),
                    BinOp::Shr(_) => self.shift(&binary.left, &left, "shr", &right),
                    _ => self.binary(&binary.op, &left, &right),
                }
            }
            Expr::Cast(cast) => self.cast(&cast.expr, &cast.ty),
            Expr::Index(index) => {
                let (array, at) = (self.expr(&index.expr), self.expr(&index.index));
                format!("{array}[{at}]")
            }
            Expr::Array(array) => {
                self.in_order(&array.elems);
                let elements: Vec<_> = array.elems.iter().map(|e| self.expr(e)).collect();
                format!("array<N>({})", elements.join(", "))
            }
            Expr::Repeat(repeat) => {
                let (element, length) = (self.expr(&repeat.expr), self.length(&repeat.len));
                format!("filled<N, {length}>({element})")
            }
            Expr::Reference(reference) if reference.mutability.is_none() => {
                self.expr(&reference.expr)
            }
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method(call),
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) => self.value(expr),
            other => self.refused(other),
        }
    }

    fn literal(&mut self, lit: &Lit) -> String {
        match lit {
            Lit::Float(float) => {
                self.float(float, float.suffix());
                format!("R({})", float.base10_digits())
            }
            Lit::Int(int) if int.suffix().starts_with('f') => {
                self.float(int, int.suffix());
                format!("R({})", int.base10_digits())
            }
            Lit::Int(int) if int.base10_parse::<i64>().is_err() => {
                self.refuse(int, "an integer beyond 2⁶³")
            }
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
            if let Some(bound) = self.scope.iter().rev().find(|bound| bound.rust == name) {
                return bound.cpp.clone();
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
            // these bind otherwise in C++, and make integers of flags
            BitAnd(_) => return format!("math::bit_and({left}, {right})"),
            BitOr(_) => return format!("math::bit_or({left}, {right})"),
            BitXor(_) => return format!("math::bit_xor({left}, {right})"),
            other => return self.refuse(other, "an assignment inside an expression"),
        };
        format!("{left} {sign} {right}")
    }

    fn cast(&mut self, inner: &Expr, ty: &Type) -> String {
        let value = self.expr(inner);
        match (&*self.ty(ty), kinds::of_type(ty).and_then(kinds::cpp)) {
            ("N", _) => format!("N({value})"),
            ("Int", Some(cpp)) => format!("math::to<{cpp}>({value})"),
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
        let mut referred = |a: &Expr| match a {
            Expr::Reference(reference) => self.expr(&reference.expr),
            other => self.expr(other),
        };
        let arguments: Vec<_> = call.args.iter().map(&mut referred).collect();
        let mut segments = path.segments.iter();
        if let (Some(ty), Some(name), None) = (segments.next(), segments.next(), segments.next()) {
            let of_number = self.is_number(&Path::from(ty.ident.clone()));
            if of_number {
                self.float(ty, &ty.ident.to_string());
            }
            match (of_number, &*name.ident.to_string(), &*arguments) {
                (false, ..) => {}
                (true, "zero", []) => return "R(0)".into(),
                (true, "one", []) => return "R(1)".into(),
                (true, "lit", [x]) => return format!("R({x})"),
                (true, "from", [x]) => return format!("N({x})"),
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
            Expr::Reference(_) => {
                "`&mut` that is neither an argument nor bound by `let` to a place"
            }
            Expr::Break(leave) if leave.label.is_some() => "a label: use a flag",
            Expr::Continue(next) if next.label.is_some() => "a label: use a flag",
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

/// What changes a variable in an expression: a call that is given a `&mut`, an assignment to what is bound outside.
fn changes(expr: &Expr) -> Option<Expr> {
    #[derive(Default)]
    struct Finder {
        found: Option<Expr>,
        own: Vec<Ident>,
    }

    impl Finder {
        fn assigned(&mut self, place: &Expr, whole: Expr) {
            let mut base = place;
            while let Expr::Index(ExprIndex { expr, .. })
            | Expr::Unary(ExprUnary { expr, .. })
            | Expr::Paren(ExprParen { expr, .. }) = base
            {
                base = expr;
            }
            let own = |name: &Ident| self.own.contains(name);
            if !matches!(base, Expr::Path(path) if path.path.get_ident().is_some_and(own)) {
                self.found = Some(whole);
            }
        }
    }

    impl<'ast> Visit<'ast> for Finder {
        fn visit_pat_ident(&mut self, name: &'ast PatIdent) {
            self.own.push(name.ident.clone());
        }
        fn visit_expr_call(&mut self, call: &'ast ExprCall) {
            let exclusive =
                |arg: &Expr| matches!(arg, Expr::Reference(r) if r.mutability.is_some());
            match call.args.iter().any(exclusive) {
                true => self.found = Some(Expr::Call(call.clone())),
                false => visit::visit_expr_call(self, call),
            }
        }
        fn visit_expr_assign(&mut self, assign: &'ast ExprAssign) {
            self.assigned(&assign.left, Expr::Assign(assign.clone()));
        }
        fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
            match stmt::compound(&binary.op) {
                Some(_) => self.assigned(&binary.left, Expr::Binary(binary.clone())),
                None => visit::visit_expr_binary(self, binary),
            }
        }
    }

    let mut finder = Finder::default();
    finder.visit_expr(expr);
    finder.found
}
