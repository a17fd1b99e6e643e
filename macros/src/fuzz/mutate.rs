//! Mutations of token trees: tokens, subtrees and statements are deleted, doubled, exchanged, and taken from other functions.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::random::Random;

/// What is rarely written, and must be understood or refused wherever it stands.
const SNIPPETS: &[&str] = &[
    "return x * x;",
    "return;",
    "{ return x * x; }",
    "{ let t = x; t; }",
    "{}",
    "()",
    "[]",
    "_",
    "..",
    "!",
    "break;",
    "continue;",
    "break 'a x;",
    "'a: { x }",
    "'a: loop { break 'a 1.0; }",
    "loop {}",
    "|s, v| {}",
    "move || x",
    "|| self",
    "|&mut (a, [b, ..])| a * b",
    "match x {}",
    "match x { _ if true => {} y => y }",
    "if let Some(y) = x {}",
    "let Some(y) = x else { return };",
    "let _ = x;",
    "let y;",
    "let (a, .., b) = x;",
    "let [a, rest @ ..] = x;",
    "ref mut",
    "&mut",
    "*",
    "?",
    "as f64",
    "as usize",
    "self",
    "self.x",
    "Self",
    "Self::new(x)",
    "async { x }",
    "unsafe { x }",
    "const { 1.0 }",
    "static S: f64 = 1.0;",
    "const K: usize = 2;",
    "struct S { x: f64 }",
    "fn g(x: f64) -> f64 { x }",
    "use std::f64::consts::PI;",
    "macro_rules! m { () => {} }",
    "m!(x, y);",
    "vec![]",
    "vec![x; 3]",
    "vec![vec![x], vec![1.0]]",
    "println!(\"{x}\");",
    "assert!(x > 0.0);",
    "matches!(x, 1 | 2)",
    "#[cfg(test)]",
    "#[cfg(not(test))]",
    "#[checkpoint]",
    "#[checkpoint(3)]",
    "#[store]",
    "#[recompute]",
    "#[allow(unused)]",
    ".iter()",
    ".iter_mut()",
    ".map(|v| v * x)",
    ".fold(0.0, |s, v| s + v)",
    ".fold()",
    ".fold(x, || {})",
    ".sum::<f64>()",
    ".zip(x)",
    ".windows(2)",
    ".chunks_mut(3)",
    ".split_at_mut(1)",
    ".unwrap()",
    ".clone()",
    ".collect::<Vec<_>>()",
    ".pop()",
    ".push(x);",
    ".swap(0, 1);",
    ".view()",
    ".0",
    ".0.1",
    "[0]",
    "[1..]",
    "[..=2]",
    "+= x;",
    "= x;",
    "1..=3",
    "-1.0",
    "1e400",
    "\"text\"",
    "b'c'",
    "r#fn",
    "std::mem::swap(&mut x, &mut y);",
    "<f64 as From<f32>>::from",
    "f64::consts::PI",
    "where Self: Sized",
    "dyn Fn(f64) -> f64",
    "impl Fn(f64) -> f64",
    "mut",
    "if x { y } else { z }",
    "for i in 0.. {}",
    "for _ in x {}",
    "for (i, v) in x.iter().enumerate() { y += v; }",
    "while let Some(v) = x.pop() {}",
    "while x < 1.0 { x *= 2.0; }",
];

/// A function with one to four mutations.
pub(super) fn mutated(
    function: &TokenStream,
    donors: &[TokenStream],
    random: &mut Random,
) -> TokenStream {
    let mut tokens = function.clone();
    for _ in 0..1 + random.below(4) {
        let groups = groups(&tokens);
        // the signature has fewer groups than the body, and the first token trees are its own
        let target = random.below(groups.len() + 1);
        let donor = random.of(donors).clone();
        tokens = at(tokens, &mut { target }, &mut |level| {
            change(level, &donor, random)
        });
    }
    tokens
}

/// Every delimited group, outer ones first.
fn groups(tokens: &TokenStream) -> Vec<Group> {
    let mut found = Vec::new();
    for tree in tokens.clone() {
        if let TokenTree::Group(group) = tree {
            let inside = group.stream();
            found.push(group);
            found.extend(groups(&inside));
        }
    }
    found
}

/// Changes the level with the number `left`: 0 is this one, the groups inside follow in their order.
fn at(
    tokens: TokenStream,
    left: &mut usize,
    change: &mut dyn FnMut(Vec<TokenTree>) -> Vec<TokenTree>,
) -> TokenStream {
    if *left == 0 {
        *left = usize::MAX;
        return change(tokens.into_iter().collect()).into_iter().collect();
    }
    *left -= 1;
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Group(group) if *left != usize::MAX => {
                let count = 1 + groups(&group.stream()).len();
                if *left >= count {
                    *left -= count;
                    return group.into();
                }
                let inside = at(group.stream(), left, change);
                *left = usize::MAX;
                Group::new(group.delimiter(), inside).into()
            }
            tree => tree,
        })
        .collect()
}

fn change(mut level: Vec<TokenTree>, donor: &TokenStream, random: &mut Random) -> Vec<TokenTree> {
    if level.is_empty() {
        return snippet(random);
    }
    let i = random.below(level.len());
    match random.below(14) {
        0 => {
            level.remove(i);
        }
        1 => level.insert(i, level[i].clone()),
        2 => {
            let j = random.below(level.len());
            level.swap(i, j);
        }
        3 => {
            let others: Vec<TokenTree> = flat(donor);
            level[i] = random.of(&others).clone();
        }
        4 | 5 => exchange_group(&mut level, donor, random),
        6 | 7 => {
            let others = parts(donor, random);
            let at = boundary(&level, random);
            level.splice(at..at, others);
        }
        8 => {
            let (from, to) = (boundary(&level, random), boundary(&level, random));
            level.drain(from.min(to)..from.max(to));
        }
        9 => {
            let (from, to) = (boundary(&level, random), boundary(&level, random));
            let part = level[from.min(to)..from.max(to)].to_vec();
            let at = boundary(&level, random);
            level.splice(at..at, part);
        }
        10 => {
            let at = boundary(&level, random);
            level.splice(at..at, snippet(random));
        }
        11 => {
            level.splice(i..=i, snippet(random));
        }
        12 => {
            level.splice(i..i, snippet(random));
        }
        _ => {
            let (from, to) = (boundary(&level, random), boundary(&level, random));
            let part: TokenStream = level.drain(from.min(to)..from.max(to)).collect();
            let delimiter = *random.of(&[
                Delimiter::Brace,
                Delimiter::Brace,
                Delimiter::Parenthesis,
                Delimiter::Bracket,
            ]);
            level.insert(from.min(to), Group::new(delimiter, part).into());
        }
    }
    level
}

fn snippet(random: &mut Random) -> Vec<TokenTree> {
    let tokens: TokenStream = random.of(SNIPPETS).parse().expect("a snippet is tokens");
    tokens.into_iter().collect()
}

/// Every token of a function that is no group.
fn flat(tokens: &TokenStream) -> Vec<TokenTree> {
    let each = tokens.clone().into_iter().flat_map(|tree| match tree {
        TokenTree::Group(group) => flat(&group.stream()),
        tree => vec![tree],
    });
    each.collect()
}

/// A group becomes one of another function with the same delimiters.
fn exchange_group(level: &mut [TokenTree], donor: &TokenStream, random: &mut Random) {
    let here: Vec<usize> = (0..level.len())
        .filter(|i| matches!(level[*i], TokenTree::Group(_)))
        .collect();
    if here.is_empty() {
        return;
    }
    let i = *random.of(&here);
    let TokenTree::Group(old) = &level[i] else {
        return;
    };
    let mut others = groups(donor);
    others.retain(|g| g.delimiter() == old.delimiter());
    if !others.is_empty() {
        level[i] = random.of(&others).clone().into();
    }
}

/// Where a statement or an argument begins or ends.
fn boundaries(level: &[TokenTree]) -> Vec<usize> {
    let mut found = vec![0, level.len()];
    found.extend((1..level.len()).filter(|i| match &level[i - 1] {
        TokenTree::Punct(p) => matches!(p.as_char(), ';' | ','),
        TokenTree::Group(g) if g.delimiter() == Delimiter::Brace => match &level[*i] {
            TokenTree::Punct(p) => matches!(p.as_char(), '*' | '#' | '&' | ','),
            TokenTree::Ident(word) => word != "else",
            _ => true,
        },
        _ => false,
    }));
    found
}

fn boundary(level: &[TokenTree], random: &mut Random) -> usize {
    *random.of(&boundaries(level))
}

/// Statements of a function that follow each other, or arguments of a call.
fn parts(donor: &TokenStream, random: &mut Random) -> Vec<TokenTree> {
    let groups = groups(donor);
    if groups.is_empty() {
        return Vec::new();
    }
    let level: Vec<TokenTree> = random.of(&groups).stream().into_iter().collect();
    let mut all = boundaries(&level);
    all.sort_unstable();
    let from = random.below(all.len());
    let to = (from + 1 + random.below(2)).min(all.len() - 1);
    level[all[from]..all[to]].to_vec()
}

/// The function without one of its token trees or statements: each way to make it smaller.
pub(super) fn smaller(function: &TokenStream) -> Vec<TokenStream> {
    let mut found = Vec::new();
    for number in 0..=groups(function).len() {
        let mut level = Vec::new();
        at(function.clone(), &mut { number }, &mut |l| {
            level.clone_from(&l);
            l
        });
        let mut all = boundaries(&level);
        all.sort_unstable();
        all.dedup();
        let statements = all.windows(2).map(|w| (w[0], w[1]));
        let tokens = (0..level.len()).map(|i| (i, i + 1));
        for (from, to) in statements.chain(tokens) {
            let without = at(function.clone(), &mut { number }, &mut |mut l| {
                l.drain(from..to);
                l
            });
            found.push(without);
        }
    }
    found
}
