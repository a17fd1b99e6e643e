//! Statements, blocks, and what is a statement in Rust and an expression too.

use syn::{Arm, BinOp, Block, Expr, ExprForLoop, ExprIf, Lit, Pat, RangeLimits, Stmt};

use super::{Bound, Printer, kinds, table};

/// What becomes of the value of a block.
#[derive(Clone, Copy, PartialEq)]
enum Tail {
    /// There is none.
    Nothing,
    /// The function returns it.
    Return,
    /// It is the value of an expression, which is printed as a lambda.
    Value,
}

impl Printer<'_> {
    /// Binds a name. One that is bound already gets another in C++, where `auto x = x + 1` would read the new `x`.
    pub(super) fn bind(&mut self, name: &syn::Ident, kind: Option<&'static str>) -> String {
        let rust = name.to_string();
        let plain = table::name(&rust);
        self.bind_as(rust, &plain, kind)
    }

    /// A name of the printer's own, which no name of the function is.
    fn fresh(&mut self, plain: &str) -> String {
        self.bind_as("_".into(), plain, None)
    }

    fn bind_as(&mut self, rust: String, plain: &str, kind: Option<&'static str>) -> String {
        let taken = |name: &str| self.scope.iter().any(|bound| bound.cpp == name);
        let mut cpp = plain.to_owned();
        for i in 2.. {
            if !taken(&cpp) {
                break;
            }
            cpp = format!("{plain}_{i}");
        }
        let name = cpp.clone();
        self.scope.push(Bound { rust, cpp, kind });
        name
    }

    /// The body of a function.
    pub(super) fn body(&mut self, block: &Block, depth: usize) -> String {
        self.block(block, Tail::Return, depth)
    }

    /// `if`, `match` or a block as a value: a conditional expression if that is enough, else a lambda.
    pub(super) fn value(&mut self, expr: &Expr) -> String {
        if let Some(short) = self.conditional(expr) {
            return short;
        }
        let (in_value, loops) = (self.in_value, self.loops);
        (self.in_value, self.loops) = (true, 0);
        let body = self.tail(expr, Tail::Value, 1);
        (self.in_value, self.loops) = (in_value, loops);
        format!("[&] {{\n{body}}}()")
    }

    /// `if c { a } else { b }` with expressions alone.
    fn conditional(&mut self, expr: &Expr) -> Option<String> {
        let Expr::If(branch) = expr else { return None };
        let (_, other) = branch.else_branch.as_ref()?;
        let only = |block: &Block| match &*block.stmts {
            [Stmt::Expr(expr, None)] if is_plain(expr) => Some(expr.clone()),
            _ => None,
        };
        let first = only(&branch.then_branch)?;
        let second = match &**other {
            Expr::Block(block) => {
                let second = only(&block.block)?;
                self.expr(&second)
            }
            nested => self.conditional(nested)?,
        };
        let (condition, first) = (self.expr(&branch.cond), self.expr(&first));
        Some(format!("({condition} ? {first} : {second})"))
    }

    /// The statements of a block. Its names are forgotten at the end.
    fn block(&mut self, block: &Block, tail: Tail, depth: usize) -> String {
        let bound = self.scope.len();
        let last = block.stmts.len().saturating_sub(1);
        let mut text = String::new();
        for (i, stmt) in block.stmts.iter().enumerate() {
            text += &match stmt {
                Stmt::Expr(expr, None) if i == last => self.tail(expr, tail, depth),
                Stmt::Expr(expr, _) => self.tail(expr, Tail::Nothing, depth),
                Stmt::Local(local) => self.local(local, depth),
                Stmt::Item(item) => line(depth, &self.refuse(item, "an item: put it outside")),
                Stmt::Macro(m) => {
                    let message = "a macro: nothing is printed or checked there";
                    line(depth, &self.refuse(m, message))
                }
            };
        }
        self.scope.truncate(bound);
        text
    }

    fn local(&mut self, local: &syn::Local, depth: usize) -> String {
        let Some(init) = &local.init else {
            return line(
                depth,
                &self.refuse(local, "a `let` without a value: give it one"),
            );
        };
        if let Some((_, diverge)) = &init.diverge {
            return line(depth, &self.refuse(diverge, "`let … else`"));
        }
        if let (Pat::Ident(pat), Some(place)) = (&local.pat, exclusive(&init.expr)) {
            let (place, kind) = (self.expr(place), self.kind(place));
            let name = self.bind(&pat.ident, kind);
            return line(depth, &format!("auto& {name} = {place};"));
        }
        let value = self.expr(&init.expr);
        let (pat, ty, kind) = match &local.pat {
            Pat::Type(typed) => {
                let kind = kinds::of_type(&typed.ty);
                (&*typed.pat, Some(self.ty(&typed.ty)), kind)
            }
            pat => (pat, None, self.kind(&init.expr)),
        };
        let name = match pat {
            Pat::Ident(pat) if pat.subpat.is_none() => self.bind(&pat.ident, kind),
            Pat::Wild(_) => return line(depth, &format!("{value};")),
            other => {
                return line(
                    depth,
                    &self.refuse(other, "a pattern: bind one name at a time"),
                );
            }
        };
        match ty {
            Some(ty) => line(depth, &format!("{ty} {name} = {value};")),
            None => line(depth, &format!("auto {name} = lift<N>({value});")),
        }
    }

    /// An expression as a statement, or at the end of a block.
    fn tail(&mut self, expr: &Expr, tail: Tail, depth: usize) -> String {
        match expr {
            Expr::If(branch) => self.branch(branch, tail, depth),
            Expr::Match(m) => self.matching(m, tail, depth),
            Expr::Block(block) => {
                let inner = self.block(&block.block, tail, depth + 1);
                format!("{}{inner}{}", line(depth, "{"), line(depth, "}"))
            }
            Expr::ForLoop(each) => self.for_loop(each, depth),
            Expr::While(turn) => {
                let condition = self.expr(&turn.cond);
                let head = format!("while ({condition}) {{");
                self.looping(&head, &turn.body, depth)
            }
            Expr::Loop(turn) => self.looping("for (;;) {", &turn.body, depth),
            Expr::Assign(assign) if matches!(peel(&assign.left), Expr::Array(_)) => {
                let message = "an assignment to a pattern: assign to one place at a time";
                line(depth, &self.refuse(assign, message))
            }
            Expr::Assign(assign) => {
                let (to, value) = (self.expr(&assign.left), self.expr(&assign.right));
                line(depth, &format!("{to} = {value};"))
            }
            Expr::Binary(binary) if compound(&binary.op).is_some() => {
                let (to, value) = (self.expr(&binary.left), self.expr(&binary.right));
                let sign = compound(&binary.op).unwrap_or_default();
                match sign {
                    "%=" => line(depth, &format!("{to} = math::rem({to}, {value});")),
                    "<<=" | ">>=" => {
                        let name = if sign == "<<=" { "shl" } else { "shr" };
                        let shifted = self.shift(&binary.left, &to, name, &value);
                        line(depth, &format!("{to} = {shifted};"))
                    }
                    _ => line(depth, &format!("{to} {sign} {value};")),
                }
            }
            Expr::Return(leave) => self.leave(leave, depth),
            Expr::Break(leave)
                if leave.label.is_none() && leave.expr.is_none() && self.loops > 0 =>
            {
                line(depth, "break;")
            }
            Expr::Continue(next) if next.label.is_none() && self.loops > 0 => {
                line(depth, "continue;")
            }
            Expr::Paren(inner) => self.tail(&inner.expr, tail, depth),
            _ => {
                let value = self.expr(expr);
                match tail {
                    Tail::Nothing => line(depth, &format!("{value};")),
                    Tail::Return => line(depth, &format!("return {value};")),
                    Tail::Value => line(depth, &format!("return lift<N>({value});")),
                }
            }
        }
    }

    fn leave(&mut self, leave: &syn::ExprReturn, depth: usize) -> String {
        if self.in_value {
            let message = "leaving from inside a value: write a statement";
            return line(depth, &self.refuse(leave, message));
        }
        match &leave.expr {
            Some(value) => {
                let value = self.expr(value);
                line(depth, &format!("return {value};"))
            }
            None => line(depth, "return;"),
        }
    }

    fn branch(&mut self, branch: &ExprIf, tail: Tail, depth: usize) -> String {
        let condition = self.expr(&branch.cond);
        let then = self.block(&branch.then_branch, tail, depth + 1);
        let mut text = line(depth, &format!("if ({condition}) {{")) + &then;
        match branch.else_branch.as_ref().map(|(_, other)| &**other) {
            None => text += &line(depth, "}"),
            Some(Expr::Block(block)) => {
                let other = self.block(&block.block, tail, depth + 1);
                text += &format!("{}{other}{}", line(depth, "} else {"), line(depth, "}"));
            }
            Some(nested) => {
                let nested = self.tail(nested, tail, depth);
                text += &format!("{}}} else {}", "    ".repeat(depth), nested.trim_start());
            }
        }
        text
    }

    /// A `match` of an integer: a chain of `if`.
    fn matching(&mut self, m: &syn::ExprMatch, tail: Tail, depth: usize) -> String {
        let subject = self.expr(&m.expr);
        let bound = self.scope.len();
        let matched = self.fresh("matched");
        let mut text =
            line(depth, "{") + &line(depth + 1, &format!("const Int {matched} = {subject};"));
        for (i, arm) in m.arms.iter().enumerate() {
            let condition = self.arm(arm, &matched);
            let body = self.tail(&arm.body, tail, depth + 2);
            let head = match (i, &*condition) {
                (0, _) => format!("if ({condition}) {{"),
                (_, "true") => "} else {".into(),
                _ => format!("}} else if ({condition}) {{"),
            };
            text += &line(depth + 1, &head);
            text += &body;
        }
        self.scope.truncate(bound);
        text + &line(depth + 1, "}") + &line(depth, "}")
    }

    /// When an arm is taken.
    fn arm(&mut self, arm: &Arm, matched: &str) -> String {
        let (pat, guard) = match &arm.pat {
            Pat::Guard(guarded) => (&*guarded.pat, Some(&guarded.guard)),
            pat => (pat, None),
        };
        let condition = self.pattern(pat, matched);
        match guard {
            Some(guard) => format!("({condition}) && ({})", self.expr(guard)),
            None => condition,
        }
    }

    fn pattern(&mut self, pat: &Pat, matched: &str) -> String {
        match pat {
            Pat::Wild(_) => "true".into(),
            Pat::Lit(lit) if matches!(lit.lit, Lit::Int(_)) => {
                format!("{matched} == {}", self.expr(&Expr::Lit(lit.clone())))
            }
            Pat::Or(or) => {
                let cases: Vec<_> = or.cases.iter().map(|p| self.pattern(p, matched)).collect();
                cases.join(" || ")
            }
            Pat::Range(range) => {
                let mut sides = Vec::new();
                if let Some(start) = &range.start {
                    sides.push(format!("{matched} >= {}", self.expr(start)));
                }
                if let Some(end) = &range.end {
                    let sign = match range.limits {
                        RangeLimits::HalfOpen(_) => "<",
                        RangeLimits::Closed(_) => "<=",
                    };
                    sides.push(format!("{matched} {sign} {}", self.expr(end)));
                }
                sides.join(" && ")
            }
            other => self.refuse(
                other,
                "this pattern: match an integer with numbers, ranges and `_`",
            ),
        }
    }

    fn for_loop(&mut self, each: &ExprForLoop, depth: usize) -> String {
        let (range, reversed) = match &*each.expr {
            Expr::MethodCall(call) if call.method == "rev" => match peel(&call.receiver) {
                Expr::Range(range) => (range, true),
                other => return line(depth, &self.no_range(other)),
            },
            other => match peel(other) {
                Expr::Range(range) => (range, false),
                other => return line(depth, &self.no_range(other)),
            },
        };
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            return line(depth, &self.no_range(&each.expr));
        };
        let kind = self.kind(start).or_else(|| self.kind(end));
        let (start, mut end) = (self.expr(start), self.expr(end));
        if let RangeLimits::Closed(_) = range.limits {
            end = format!("{end} + 1");
        }
        let bound = self.scope.len();
        let i = match &*each.pat {
            Pat::Ident(pat) if pat.mutability.is_some() => {
                self.refuse(pat, "an index that is changed: copy it, `let mut j = i`")
            }
            Pat::Ident(pat) => self.bind(&pat.ident, kind),
            Pat::Wild(_) => self.fresh("turn"),
            other => self.refuse(other, "a pattern: name the index"),
        };
        let last = self.fresh("end");
        let head = match reversed {
            false => format!("for (Int {i} = {start}, {last} = {end}; {i} < {last}; ++{i}) {{"),
            true => format!("for (Int {last} = {start}, {i} = {end} - 1; {i} >= {last}; --{i}) {{"),
        };
        let text = self.looping(&head, &each.body, depth);
        self.scope.truncate(bound);
        text
    }

    fn no_range(&mut self, expr: &Expr) -> String {
        self.refuse(expr, "a loop over this: write a range, `for i in 0..n`")
    }

    fn looping(&mut self, head: &str, body: &Block, depth: usize) -> String {
        self.loops += 1;
        let body = self.block(body, Tail::Nothing, depth + 1);
        self.loops -= 1;
        line(depth, head) + &body + &line(depth, "}")
    }
}

/// A line, or the lines of a lambda, moved to the right.
fn line(depth: usize, text: &str) -> String {
    let indent = "    ".repeat(depth);
    text.lines()
        .map(|line| format!("{indent}{line}\n"))
        .collect()
}

/// An expression that stays one in C++.
fn is_plain(expr: &Expr) -> bool {
    !matches!(
        expr,
        Expr::Assign(_) | Expr::Return(_) | Expr::Break(_) | Expr::Continue(_)
    ) && !matches!(expr, Expr::Binary(binary) if compound(&binary.op).is_some())
}

/// The place that is borrowed to be changed.
fn exclusive(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Reference(reference) if reference.mutability.is_some() => {
            let place = peel(&reference.expr);
            matches!(place, Expr::Path(_) | Expr::Index(_)).then_some(place)
        }
        _ => None,
    }
}

fn peel(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => peel(&inner.expr),
        Expr::Group(inner) => peel(&inner.expr),
        other => other,
    }
}

/// The sign of `x += y` and its kin.
pub(super) fn compound(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::AddAssign(_) => "+=",
        BinOp::SubAssign(_) => "-=",
        BinOp::MulAssign(_) => "*=",
        BinOp::DivAssign(_) => "/=",
        BinOp::RemAssign(_) => "%=",
        BinOp::BitAndAssign(_) => "&=",
        BinOp::BitOrAssign(_) => "|=",
        BinOp::BitXorAssign(_) => "^=",
        BinOp::ShlAssign(_) => "<<=",
        BinOp::ShrAssign(_) => ">>=",
        _ => return None,
    })
}
