//! Functions as people write them, judged as those of `conformance` are: both modes, all mixes of activities, one lane and three.
//!
//! Each stands here as it would stand in a crate of its field; the attribute is all that was added. Those that the compiler does
//! not accept stand in `tests/ui/corpus_refused.rs`, where what it says of them is kept. `count` prints how many of each there are.

// the functions are written in every way that people write, also in those that lints would have otherwise
#![allow(
    clippy::all,
    unreachable_pub,
    unused_parens,
    unused_variables,
    unused_assignments,
    dead_code
)]

#[path = "../conformance/judge.rs"]
mod judge;
#[allow(unused_macros, unused_imports)]
#[path = "../conformance/subject.rs"]
mod subject;

mod colour;
mod finance;
mod geodesy;
mod geometry;
mod networks;
mod optimisation;
mod orbits;
mod outcomes;
mod physics;
mod signal;
mod special;
mod splines;
mod statistics;

/// What is counted: the functions under judgement.
const ACCEPTED: &[&str] = &[
    include_str!("colour.rs"),
    include_str!("finance.rs"),
    include_str!("geodesy.rs"),
    include_str!("geometry.rs"),
    include_str!("networks.rs"),
    include_str!("optimisation.rs"),
    include_str!("orbits.rs"),
    include_str!("outcomes.rs"),
    include_str!("physics.rs"),
    include_str!("signal.rs"),
    include_str!("special.rs"),
    include_str!("splines.rs"),
    include_str!("statistics.rs"),
];
const REFUSED: &str = include_str!("../ui/corpus_refused.rs");

/// Refused by the compiler behind the macro, whose texts are not kept: what is written, and why.
const REFUSED_BY_TYPE: &[(&str, &str)] = &[
    (
        "x.windows(2).enumerate().find(|(_, w)| w[0] * w[1] < 0.0).map(|(i, w)| …)",
        "an element that is a pair with a slice in it is no value",
    ),
    (
        "impl Mul<f64> for V { fn mul(self, k: f64) -> V { self.scale(k) } }",
        "whether an operator that hands on to a method is linear is not seen: write its formula",
    ),
    (
        "let kinds = [Relu, Tanh]; kinds.iter().map(|&k| activate(x, k)).sum()",
        "what a closure with active values runs over is taken for active",
    ),
];

#[test]
fn count() {
    let judged = |source: &&str| {
        let points = source.split("judge! {").nth(1).expect("a list of points");
        points.lines().filter(|line| line.ends_with(");")).count()
    };
    let accepted: usize = ACCEPTED.iter().map(judged).sum();
    let refused = REFUSED.matches("// refused").count() + REFUSED_BY_TYPE.len();
    println!("corpus: {accepted} functions accepted unchanged, {refused} refused");
    assert!(accepted >= 120);
}
