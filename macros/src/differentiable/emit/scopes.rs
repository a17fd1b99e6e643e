//! Locals of a long function, declared together.
//!
//! Each `let` opens a scope inside that before it. A few thousand are more than the records for the debugger take: LLVM follows them
//! by recursion, and its time grows with their square. All at once would be as bad for rustc, which goes through the locals whose types it does
//! not know yet at each call.
//!
//! ```text
//! let t1 = x[0];         let (t1, t2,);
//! let t2 = t1 * t1;      t1 = x[0];
//!                        t2 = t1 * t1;
//! ```

use std::collections::HashSet;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;

/// A function with fewer locals stays as it is.
const FEW: usize = 200;

/// How many are declared together.
const TOGETHER: usize = 32;

/// The statements of a function, with the locals that are declared where they get their values declared in front of a few statements.
pub(super) fn flattened(body: TokenStream) -> TokenStream {
    if lets(&body) < FEW {
        return body;
    }
    let mut scan = Scan::default();
    let mut rest = body.clone().into_iter().peekable();
    while rest.peek().is_some() {
        let statement = next_statement(&mut rest);
        scan.statement(statement);
    }
    if scan.count < FEW {
        return body;
    }
    scan.finished()
}

/// How many locals a function declares outside of its blocks.
fn lets(body: &TokenStream) -> usize {
    let is_let = |tree: &TokenTree| matches!(tree, TokenTree::Ident(word) if word == "let");
    body.clone().into_iter().filter(is_let).count()
}

/// What was found so far.
#[derive(Default)]
struct Scan {
    finished: TokenStream,
    /// Locals that are declared next, with `mut` where they are mutable, and the statements that follow.
    names: Vec<TokenStream>,
    statements: TokenStream,
    /// How many locals there were.
    count: usize,
    /// All names that a statement mentions: another declaration of one of them is another local.
    seen: HashSet<String>,
}

impl Scan {
    fn statement(&mut self, statement: Vec<TokenTree>) {
        let declared = match declared(&statement) {
            Some((name, value)) if is_free_of_temporaries(&statement[value..]) => {
                note(&statement[value..], &mut self.seen);
                let is_new = !self.seen.contains(&name.to_string());
                is_new.then_some((name, value))
            }
            _ => None,
        };
        note(&statement, &mut self.seen);
        let Some((name, value)) = declared else {
            self.statements.extend(statement);
            return;
        };
        if self.names.len() == TOGETHER {
            self.finish();
        }
        let mutable = (value == 4).then(|| quote!(mut));
        self.names.push(quote!(#mutable #name));
        self.count += 1;
        // the equals sign too
        let assigned = statement.into_iter().skip(value - 1);
        self.statements.extend(quote!(#name));
        self.statements.extend(assigned);
    }

    fn finish(&mut self) {
        let (names, statements) = (
            std::mem::take(&mut self.names),
            std::mem::take(&mut self.statements),
        );
        self.finished.extend(quote!(let (#(#names,)*); #statements));
    }

    fn finished(mut self) -> TokenStream {
        self.finish();
        self.finished
    }
}

/// The name of `let name = value;` or `let mut name = value;`, and where the value stands.
fn declared(statement: &[TokenTree]) -> Option<(Ident, usize)> {
    let is = |at: usize, word: &str| matches!(statement.get(at), Some(TokenTree::Ident(ident)) if ident == word);
    if !is(0, "let") {
        return None;
    }
    let at = if is(1, "mut") { 2 } else { 1 };
    match (statement.get(at)?, statement.get(at + 1)?) {
        (TokenTree::Ident(name), TokenTree::Punct(equals))
            if equals.as_char() == '=' && name != "_" =>
        {
            Some((name.clone(), at + 2))
        }
        _ => None,
    }
}

/// Whether a value is an operation, a place or a call: what it borrows of its own does not live longer in a `let`.
fn is_free_of_temporaries(value: &[TokenTree]) -> bool {
    match &value[0] {
        TokenTree::Group(group) => {
            let is_paren = group.delimiter() == Delimiter::Parenthesis;
            let inside: Vec<_> = group.stream().into_iter().collect();
            let is_tuple = inside
                .iter()
                .any(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ','));
            is_paren && !is_tuple && !inside.is_empty() && is_free_of_temporaries(&inside)
        }
        TokenTree::Ident(word) => {
            !["if", "loop", "match", "move", "unsafe", "while"]
                .iter()
                .any(|w| word == w)
                && !value
                    .iter()
                    .any(|t| matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace))
        }
        TokenTree::Punct(punct) => matches!(punct.as_char(), '*' | '-' | ':' | '<'),
        TokenTree::Literal(_) => true,
    }
}

/// Notes every name.
fn note(trees: &[TokenTree], seen: &mut HashSet<String>) {
    for tree in trees {
        match tree {
            TokenTree::Ident(ident) => {
                seen.insert(ident.to_string());
            }
            TokenTree::Group(group) => {
                let inside: Vec<_> = group.stream().into_iter().collect();
                note(&inside, seen);
            }
            _ => {}
        }
    }
}

/// The tokens of a statement: up to its semicolon, or the last block of an `if`, a loop, a `match`.
fn next_statement(
    rest: &mut std::iter::Peekable<impl Iterator<Item = TokenTree>>,
) -> Vec<TokenTree> {
    let mut statement: Vec<TokenTree> = Vec::new();
    while let Some(tree) = rest.next() {
        let ends_with_block = match statement.first().unwrap_or(&tree) {
            TokenTree::Ident(word) => ["for", "if", "loop", "match", "while"]
                .iter()
                .any(|w| word == w),
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            _ => false,
        };
        let ends = match &tree {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) if ends_with_block => {
                let more = matches!(rest.peek(), Some(TokenTree::Ident(word)) if word == "else");
                group.delimiter() == Delimiter::Brace && !more
            }
            _ => false,
        };
        statement.push(tree);
        if ends {
            break;
        }
    }
    statement
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(body: &str) -> String {
        let mut scan = Scan::default();
        let body: TokenStream = body.parse().expect("tokens");
        let mut rest = body.into_iter().peekable();
        while rest.peek().is_some() {
            let statement = next_statement(&mut rest);
            scan.statement(statement);
        }
        let names: Vec<_> = scan.names.iter().map(ToString::to_string).collect();
        format!("{} | {}", names.join(", "), scan.statements)
    }

    #[test]
    fn values_are_assigned_where_they_stand() {
        assert_eq!(
            shown(
                "let a = x[0]; if a > 1.0 { let b = a; } else { f(); } let mut c = (a * a); c += 1.0; c"
            ),
            "a, mut c | a = x [0] ; if a > 1.0 { let b = a ; } else { f () ; } c = (a * a) ; c += 1.0 ; c"
        );
    }

    #[test]
    fn a_few_are_declared_together() {
        let long = (0..TOGETHER + 1).map(|i| format!("let t{i} = x;"));
        let mut scan = Scan::default();
        for statement in long {
            let tokens: TokenStream = statement.parse().expect("tokens");
            scan.statement(tokens.into_iter().collect());
        }
        let text = scan.finished().to_string();
        let declarations: Vec<_> = text.match_indices("let (").map(|(at, _)| at).collect();
        assert_eq!(declarations.len(), 2);
        let before = text.find("t31 = x").expect("the last of the first");
        assert!(
            before < declarations[1] && text.ends_with("let (t32 ,) ; t32 = x ;"),
            "{text}"
        );
    }

    #[test]
    fn another_local_of_a_name_stays_another() {
        assert_eq!(
            shown("let _ = e(); let x = f(&x); let a = 1; let a = a + 1; g(b); let b = a;"),
            "a | let _ = e () ; let x = f (& x) ; a = 1 ; let a = a + 1 ; g (b) ; let b = a ;"
        );
    }

    #[test]
    fn what_borrows_a_temporary_stays_declared() {
        let body =
            "let a = & f () ; let b = (& f () , 1) ; let c = { f () } ; let d = S { x : & f () } ;";
        assert_eq!(shown(body), format!(" | {body}"));
    }
}
