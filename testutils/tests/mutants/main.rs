//! Rules that are wrong on purpose: each is refused by the check named for its mistake, with a message that names the
//! place. And rules that are right in unusual ways: all pass.
//!
//! A base rule is a type whose value says which mistake it makes; the mistake is one branch in an otherwise right rule.

mod ablation;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

use coenzyme_testutils::{Check, Report, Verdict};

/// One wrong rule: its name, the check that must refuse it, a part of the message, and the tester's report on it.
pub(crate) struct Mutant {
    pub(crate) name: String,
    pub(crate) check: Check,
    pub(crate) says: &'static str,
    pub(crate) report: Report,
}

/// The mutants of one base rule: after each way of judging, `mistake => check, "part of the message"` for each mistake.
#[macro_export]
macro_rules! mutants {
    ($($judge:ident { $($mistake:ident => $check:ident, $says:literal;)* })*) => {
        pub(crate) fn mutants() -> Vec<$crate::Mutant> {
            let families = [$(vec![$($crate::Mutant {
                name: format!("{}::{} ({})", module_path!(), stringify!($mistake), stringify!($judge)),
                check: coenzyme_testutils::Check::$check,
                says: $says,
                report: $judge(Wrong::$mistake),
            }),*]),*];
            families.into_iter().flatten().collect()
        }
    };
}

/// Right rules: none may be refused.
#[macro_export]
macro_rules! variants {
    ($judge:ident: $($variant:ident),*) => {
        pub(crate) fn variants() -> Vec<(String, coenzyme_testutils::Report)> {
            vec![$((format!("{}::{}", module_path!(), stringify!($variant)), $judge(Wrong::$variant))),*]
        }
    };
}

/// The worst report over the mixes of a base rule: `forward [ret; arguments…]`, `reverse [ret; arguments…]`, and `only` if
/// the two are not compared.
#[macro_export]
macro_rules! in_mixes {
    ($tester:ident; only forward [$ret:ident; $($a:ident),*]) => {{
        use coenzyme_testutils::{__activity, Report};
        let mix = $tester.mix(__activity!($ret), ($(__activity!($a),)*));
        Report::worst([mix.forward::<1>(), mix.forward::<2>(), mix.forward::<3>()])
    }};
    ($tester:ident; only reverse [$ret:ident; $($a:ident),*]) => {{
        use coenzyme_testutils::{__activity, Report};
        let mix = $tester.mix(__activity!($ret), ($(__activity!($a),)*));
        Report::worst([mix.reverse::<_, _, 1>(), mix.reverse::<_, _, 2>(), mix.reverse::<_, _, 3>()])
    }};
    ($tester:ident; $(forward [$fr:ident; $($fa:ident),*])* $(reverse [$rr:ident; $($ra:ident),*])*) => {{
        use coenzyme_testutils::{__activity, Report};
        let mut reports = Vec::new();
        $(
            let mix = $tester.mix(__activity!($fr), ($(__activity!($fa),)*));
            reports.extend([mix.forward::<1>(), mix.forward::<2>(), mix.forward::<3>()]);
        )*
        $(
            let mix = $tester.mix(__activity!($rr), ($(__activity!($ra),)*));
            reports.extend([mix.reverse::<_, _, 1>(), mix.reverse::<_, _, 2>(), mix.reverse::<_, _, 3>()]);
            reports.push(mix.pairing::<_, 2>());
        )*
        Report::worst(reports)
    }};
}

/// A tester that shares its differences with those of all mistakes in the same function.
#[macro_export]
macro_rules! shared {
    ($tester:expr) => {{
        static POINTS: coenzyme_testutils::__private::Points =
            coenzyme_testutils::__private::Points::new();
        $tester.sharing(&POINTS, "()", true)
    }};
}

/// The base rules, each a module with `mutants` and `variants`.
macro_rules! families {
    ($($family:ident)*) => {
        $(mod $family;)*

        const FAMILIES: &[fn() -> Family] = &[$(|| Family {
            name: stringify!($family),
            mutants: Box::new($family::mutants),
            variants: Box::new($family::variants),
        }),*];
    };
}

mod catalogue;

/// What is judged in turn.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) mutants: Box<dyn Fn() -> Vec<Mutant> + Sync>,
    pub(crate) variants: Box<dyn Fn() -> Vec<(String, Report)> + Sync>,
}

families! {
    affine
    blocks
    complex_square
    configured
    curved
    digits
    disguised
    echoes
    exp_view
    extremes
    fused
    laid_out
    long
    magnitudes
    matvec
    memory
    norms
    numbers
    order
    parallel
    products
    quotient
    recurrence
    refusing
    root
    scalars
    scaled_copy
    shared_tape
    spring
    square_sum
    strangers
    trapezoids
    unasked
    uncommon
    unforeseen
    weighted
    windows
}

/// The families to be judged, by name: all, or those that `MUTANTS` names.
fn families() -> Vec<Family> {
    let only = std::env::var("MUTANTS").ok();
    let wanted = |family: &Family| only.as_ref().is_none_or(|only| only == family.name);
    let all = FAMILIES.iter().map(|family| family());
    let wanted = all.chain(catalogue::families()).filter(wanted);
    let mut families: Vec<_> = wanted.collect();
    families.sort_by_key(|family| family.name);
    families
}

/// What `judge` says of every family, several at a time. Within a family one thing comes after the other, for some mistakes
/// are about what calls share.
fn judged<T: Send>(judge: impl Fn(&Family) -> Vec<T> + Sync) -> Vec<T> {
    let (families, next) = (families(), AtomicUsize::new(0));
    let judged: Vec<Mutex<Vec<T>>> = families.iter().map(|_| Mutex::default()).collect();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(family) = families.get(place) else {
                        break;
                    };
                    let found = judge(family);
                    *judged[place].lock().expect("nobody panics here") = found;
                }
            });
        }
    });
    let judged = judged.into_iter();
    judged
        .flat_map(|of| of.into_inner().expect("nobody panics here"))
        .collect()
}

/// Every mutant, judged once for all tests here.
static ALL: LazyLock<Vec<Mutant>> = LazyLock::new(|| judged(|family| (family.mutants)()));

#[test]
fn every_mutant_is_killed_by_the_check_named_for_it() {
    let mutants = &*ALL;
    let survives = |mutant: &&Mutant| {
        let killed = mutant.report.verdict() == Verdict::Fail(mutant.check);
        !killed || !mutant.report.to_string().contains(mutant.says)
    };
    let survivors: Vec<_> = mutants.iter().filter(survives).collect();
    for Mutant {
        name,
        check,
        says,
        report,
    } in &survivors
    {
        eprintln!("{name} should fail {check:?}, saying {says:?}\n{report}");
    }
    assert!(
        survivors.is_empty(),
        "{} of {} mutants survive",
        survivors.len(),
        mutants.len()
    );
    eprintln!("{} mutants killed", mutants.len());
}

#[test]
fn every_message_fits_on_a_screen_and_shows_an_entry_once() {
    for Mutant { name, report, .. } in &*ALL {
        let text = report.to_string();
        assert!(text.lines().count() <= 25, "{name}\n{text}");
        let wide = |line: &&str| line.chars().count() > 100 && !line.contains("cargo test ");
        assert_eq!(text.lines().find(wide), None, "{name}");
        let mut seen = std::collections::HashSet::new();
        let mut table = "";
        for line in text.lines() {
            table = line.strip_prefix("  where   ").unwrap_or(table);
            let argument = table.split(':').next().unwrap_or_default();
            let index = line
                .strip_prefix("          [")
                .and_then(|line| line.split(']').next());
            assert!(
                index.is_none_or(|index| seen.insert((argument, index))),
                "{name}\n{text}"
            );
        }
    }
}

#[test]
fn right_rules_pass_however_they_round() {
    let variants = judged(|family| (family.variants)());
    let alarms = variants
        .iter()
        .filter(|(_, report)| report.verdict() != Verdict::Pass);
    let alarms: Vec<_> = alarms
        .map(|(name, report)| format!("{name}\n{report}"))
        .collect();
    assert!(alarms.is_empty(), "{}", alarms.join("\n"));
    eprintln!("{} right rules pass", variants.len());
}
