//! Functions that nobody would write: whatever parses as a function is expanded or refused, and what is printed parses.
//!
//! `FUZZ_SEED=7 FUZZ_INPUTS=20000 cargo test -p coenzyme-macros fuzz` looks at others; `FUZZ_FIRST=123 FUZZ_INPUTS=1` at one of them.
//! With `FUZZ_LOUD` the number of each input is printed before it is looked at. An input counts if it parses as what the attributes stand on. A failure is printed after it has been made small.

mod corpus;
mod graft;
mod mutate;
mod quiet;
mod random;
mod same;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::thread::{Builder, available_parallelism};

use proc_macro2::TokenStream;

use crate::Marked;
use quiet::quietly;
use random::Random;

/// As much as the compiler's own thread has.
const STACK: usize = 8 << 20;

/// What goes wrong with an input, by which failures are told apart.
fn failure(input: &TokenStream) -> Option<String> {
    let printed = match quietly(|| expansions(input)) {
        Ok(printed) => printed?,
        Err(panic) => return Some(format!("the macro panics {panic}")),
    };
    printed.into_iter().find_map(|(attribute, tokens)| {
        let refused = syn::parse2::<syn::File>(tokens).err()?;
        Some(format!(
            "#[{attribute}] prints what does not parse: {refused}"
        ))
    })
}

/// What each attribute makes of a function; `None` if the input is none.
fn expansions(input: &TokenStream) -> Option<Vec<(&'static str, TokenStream)>> {
    let marked: Marked = syn::parse2(input.clone()).ok()?;
    let each = |expand: fn(Marked) -> TokenStream| {
        let marked = match &marked {
            Marked::Function(item) => Marked::Function(item.clone()),
            Marked::Methods(item) => Marked::Methods(item.clone()),
            Marked::Trait(item) => Marked::Trait(item.clone()),
        };
        crate::cfg::each(marked, expand)
    };
    let differentiable = each(|marked| match marked {
        Marked::Function(item) => crate::differentiable::expand(Default::default(), item),
        Marked::Methods(item) => crate::differentiable::expand_impl(Default::default(), item),
        Marked::Trait(item) => crate::differentiable::expand_trait(&Default::default(), item),
    });
    let primitive = each(|marked| match marked {
        Marked::Function(item) => crate::primitive::expand(item),
        Marked::Methods(item) => crate::primitive::expand_impl(item),
        Marked::Trait(item) => crate::traits::refused(&item),
    });
    let inactive = each(|marked| match marked {
        Marked::Function(item) => crate::inactive::expand(item),
        Marked::Methods(item) => crate::inactive::expand_impl(item),
        Marked::Trait(item) => crate::traits::refused(&item),
    });
    let names = ["differentiable", "primitive", "inactive"];
    Some(
        names
            .into_iter()
            .zip([differentiable, primitive, inactive])
            .collect(),
    )
}

/// The smallest input with the same failure that is found by leaving something out.
fn small(input: TokenStream, same: &dyn Fn(&TokenStream) -> bool) -> TokenStream {
    let mut input = input;
    for _ in 0..400 {
        match mutate::smaller(&input).into_iter().find(|s| same(s)) {
            Some(smaller) => input = smaller,
            None => break,
        }
    }
    input
}

fn number(name: &str, otherwise: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name}={text} is no number")),
        Err(_) => otherwise,
    }
}

/// Half of them by tokens, half by syntax, a few by both.
fn mutant([marked, others]: &[Vec<TokenStream>; 2], random: &mut Random) -> TokenStream {
    let functions = match random.below(8) {
        0 => others,
        _ => marked,
    };
    let (function, donor) = (random.of(functions), random.of(functions));
    let way = random.below(8);
    let grafted = (way > 2)
        .then(|| graft::grafted(function, donor, random))
        .flatten();
    match grafted {
        Some(grafted) if way < 7 => grafted,
        Some(grafted) => mutate::mutated(&grafted, functions, random),
        None => mutate::mutated(function, functions, random),
    }
}

/// Inputs one after the other, each handed out once: the same ones, however many threads ask.
struct Inputs {
    seed: u64,
    next: u64,
    left: u64,
}

impl Inputs {
    /// The next mutant that parses, with its number.
    fn next(&mut self, functions: &[Vec<TokenStream>; 2]) -> Option<(u64, TokenStream)> {
        self.left = self.left.checked_sub(1)?;
        loop {
            let number = self.next;
            self.next += 1;
            let input = mutant(functions, &mut Random::new(self.seed << 40 | number));
            if syn::parse2::<Marked>(input.clone()).is_ok() {
                return Some((number, input));
            }
        }
    }
}

/// Each way to fail, with the first input that fails so and its number.
type Failures = BTreeMap<String, (u64, String)>;

/// Looks at inputs until none is left; also how many functions are mutated.
fn fuzz(inputs: &Mutex<Inputs>) -> (usize, Failures) {
    let loud = std::env::var_os("FUZZ_LOUD").is_some();
    let functions = corpus::read();
    let mut failures = Failures::new();
    loop {
        let input = inputs.lock().expect("nobody panics here").next(&functions);
        let Some((number, input)) = input else { break };
        if loud {
            // a stack that overflows ends the process: the last numbers tell where
            eprintln!("input {number}: {input}");
        }
        if let Some(found) = failure(&input)
            && !failures.contains_key(&found)
        {
            let input = small(input, &|i| failure(i).as_ref() == Some(&found));
            failures.insert(found, (number, input.to_string()));
        }
    }
    (functions.concat().len(), failures)
}

#[test]
fn what_parses_as_a_function_is_expanded_or_refused() {
    let inputs = Mutex::new(Inputs {
        seed: number("FUZZ_SEED", 1),
        next: number("FUZZ_FIRST", 0),
        left: number("FUZZ_INPUTS", 2000),
    });
    let threads = available_parallelism().map_or(1, usize::from);
    let found: Vec<(usize, Failures)> = std::thread::scope(|scope| {
        let start = |_| {
            let thread = Builder::new().stack_size(STACK);
            thread
                .spawn_scoped(scope, || fuzz(&inputs))
                .expect("a thread")
        };
        let threads: Vec<_> = (0..threads).map(start).collect();
        let ended = threads.into_iter().map(|t| t.join());
        ended.map(|t| t.expect("the driver ends")).collect()
    });
    let functions = found[0].0;
    assert!(functions > 500, "only {functions} functions to mutate");
    let mut failures = Failures::new();
    for (what, first) in found.into_iter().flat_map(|(_, failures)| failures) {
        let known = failures.entry(what).or_insert_with(|| first.clone());
        *known = first.min(known.clone());
    }
    let list: Vec<String> = failures
        .iter()
        .map(|(what, (number, input))| format!("{what}\n    input {number}: {input}"))
        .collect();
    assert!(
        list.is_empty(),
        "{} failures:\n{}",
        list.len(),
        list.join("\n")
    );
}

/// What mutations have found, made small.
const FOUND: &[&str] = &[
    "fn both() -> f64 { ends = if let (Some(p), Some(q)) = (x.first, y.last ..) { } else { } }",
    "fn f(x: f64) -> f64 { let s = 0.0; for k in 0.. { s = match step(x) { Ok(v) => y, Err() if {} = 7 => 1.0 } } }",
    "fn f(y: f64) -> f64 { Model { rate: x }.at(y).or_else.map(x).unwrap_or(x) }",
    "impl Sum for M { fn sum<I: Iterator<Item = M>>(it: I) -> M { it.fold('a: {} + b, |a, b| a + b) } }",
    "fn f(y: f64) -> f64 { v = [y]; (0..6).filter_map(|| { let (e) = v.get else {}; Some(S { x: e, ..x } + x) }).sum() }",
    "fn f() -> f64 { ().inspect(|_| 'a: {} = 1).unwrap() }",
    "fn f() -> f64 { () = Self { y, .. }; #[cfg(test)] a + b }",
    "fn f(a: f64, b: f64) -> f64 { #[cfg(test)] a + b }",
    "fn f(v: &[f64]) { match v { [] => S { .. [] } = ().unwrap, [] => {} } }",
    "fn continued() -> f64 { for i in ..x.len { [if [] < 0.0 { }] = t + 1.0 } }",
    "fn f(y: f64) -> f64 { let best = None; for v in x { match best { None => S { .. v } = (), Some(b) if v > b => best = (y), Some(_) => {} } } }",
    "fn f(x: f64) -> Result<> { ().or_else(|| {} (2.0 * x)) }",
    "fn f(data: &[f64]) { for x in data { let d = match () { data if data > 0.0 => count as f64, _ => data }; } }",
    "fn f(x: &[f64]) -> f64 { x.iter().sum::<>() }",
    "fn f(x: f64) -> f64 { let y: f64 = { return x * x; }; y }",
    "fn f(x: f64) -> f64 { g(x).unwrap_or_else(|| if [] {} else {} as f64) }",
    "fn f(x: f64) -> f64 { let u = { x * x; }; x }",
    "fn f(x: &[f64]) -> f64 { let u = { let t = x[0]; t.sin(); }; x[0] }",
    "impl S { fn f(&self, x: f64) -> f64 { let k = |y: f64| y * self.a; apply(k, x) } }",
    "impl S { fn f(&self, x: f64) -> f64 { apply(|y: f64| y * self.a, x) } }",
    "fn f(x: &[f64]) -> f64 { x.iter().fold(0.0, || {}) }",
    "fn f(x: &[f64]) -> f64 { x.iter().fold(0.0, |s, v| {}) }",
    "fn f(x: &[f64]) -> f64 { x.iter().fold() }",
    "fn f(x: f64) -> f64 { let at = |h: f64| { g(at, h) }; let at = |h: f64| { g(at, h) * x }; g(at, x) }",
    "fn f(x: &[f64]) -> f64 { let (a, b) = (1.0, x); let (a, b) = (2.0, b.iter().zip(g(a, b))); b.map(|(p, q)| p * q).sum() }",
    "fn f() { let (a, b) = (1.0, 2.0); let (a, b) = (array![vec![1.0]], (array![vec![1.0, 2.0]]).iter_mut().zip(matrix(d, b))); assert_eq!(d(a.congruent(&b)), 1); }",
    "fn f(x: &[f64]) -> f64 { let b = x; let b = x.iter().zip(g(b)); b.map(|(p, q)| p * q).sum() }",
    "fn f(x: &[f64]) -> f64 { let b = x.iter().zip(g(b)); b.map(|(p, q)| p * q).sum() }",
    "fn f() { let d = |e: f64| e.g(); let b = x.iter_mut().zip(m(d, b)); assert!(d(&b)); }",
    "fn f(x: f64 +, y: Vec<f64 +>) -> f64 + { let z: f64 + = x; z }",
    "impl V { fn f(k: f64) -> f64 { apply(|| {} + t, k) } }",
    "fn f(x: &[f64]) -> f64 { ().map(_ | { for _ in .. { f(); } }) }",
    "fn f(y: f64) { let at = m.and_then.or_else(|| M { rate: x }.at(y)); }",
    "fn f(x: f64) { let mut it = vec![v, it].iter_mut(); while let Some(r) = it.next() { put(r, x); } }",
    "fn f(x: &[f64]) -> f64 { x.map().unwrap() }",
    "fn f(x: f64) -> f64 { S { ..x } = (); x }",
    "fn f() -> f64 { { }.v.truncate(2); }",
    "impl AddAssign for V { fn add_assign(&mut self, o: V) { fn f(self) -> Self { } } }",
    "fn f() -> f64 { while let () = 0 .. { } 0.0 }",
    "fn f(x: [f64]) -> f64 { S { b: x }.iter().filter().min_by(q).unwrap() }",
    "fn f(x: &[f64]) -> f64 { S { b: x }.iter().filter(p).fold(vec![0.0], |s, v| s) }",
    "fn f(x: &[f64]) -> Option<f64> { S { b: x }.iter().find_map(|v| if v > 0.0 { Some(v) } else { None }) }",
    "fn f(x: &[f64]) -> Option<f64> { S { b: x }.iter().try_fold(0.0, |s, v| if v > 0.0 { Some(s + v) } else { None }) }",
    "fn f(x: &[f64]) -> Option<f64> { S { b: x }.iter().fold(None, |s, v| if v > 0.0 { Some(v) } else { s }) }",
];

#[test]
fn what_was_found_once() {
    let failed: Vec<String> = FOUND
        .iter()
        .filter_map(|text| {
            let input: TokenStream = text.parse().expect("tokens");
            assert!(syn::parse2::<Marked>(input.clone()).is_ok(), "{text}");
            let failure = failure(&input)?;
            Some(format!("{failure}\n    {text}"))
        })
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// A function whose expression goes as deep as no person would write it.
fn deep(depth: usize, around: impl Fn(String) -> String) -> TokenStream {
    let body = (0..depth).fold("x".to_owned(), |inside, _| around(inside));
    let text = format!("fn f(x: f64) -> f64 {{ {body} }}");
    text.parse().expect("tokens")
}

#[test]
fn deep_expressions_take_time_in_proportion() {
    let thread = Builder::new().stack_size(STACK).spawn(|| {
        let inputs = [
            deep(60, |x| format!("({x})")),
            deep(60, |x| format!("({x}).sin()")),
            deep(60, |x| format!("{x} * 2.0 + x")),
            deep(60, |x| format!("f({x})")),
            deep(40, |x| format!("{{ let y = {x}; y }}")),
            deep(30, |x| format!("if x > 1.0 {{ {x} }} else {{ x }}")),
        ];
        inputs.iter().filter_map(failure).collect::<Vec<_>>()
    });
    let failures = thread.expect("a thread").join().expect("no overflow");
    assert!(failures.is_empty(), "{failures:?}");
}
