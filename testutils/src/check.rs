//! What is checked: one row per check, with what to suspect when it fails.

use std::fmt;

use crate::comparison::Comparison;
use crate::tolerance::Tolerance;

/// Where the expected number of a check comes from; the heading of its column in a message.
const DIFFERENCES: &str = "differences";

/// The comparison with the differences.
const FD: Option<Comparison> = Some(Comparison::Differences(Tolerance::DOUBLE));
const COARSE: Option<Comparison> = Some(Comparison::Differences(Tolerance::COARSE));
const ROUGH: Option<Comparison> = Some(Comparison::Largest(1e-6));
const BITS: Option<Comparison> = Some(Comparison::Bits);
const ZERO: Option<Comparison> = Some(Comparison::Zero);

/// `Id: "title", comparison, "expected from", "likely cause";`
macro_rules! checks {
    ($($(#[$doc:meta])* $id:ident: $title:literal, $comparison:expr, $source:expr, $likely:literal;)*) => {
        /// A property that the tester requires of a rule.
        ///
        /// The ids are those of messages, code and documentation alike.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Check {
            $(#[doc = concat!("`", stringify!($id), "`, ", $title, ". Suspect: ", $likely, ".")] $id,)*
        }

        impl Check {
            /// Every check, in the order of the specification.
            pub const ALL: &[Check] = &[$(Check::$id),*];

            /// The check's name in words.
            pub const fn title(self) -> &'static str {
                match self { $(Check::$id => $title,)* }
            }

            /// How near a number must come to pass; `None` for checks that compare no numbers.
            pub const fn comparison(self) -> Option<Comparison> {
                match self { $(Check::$id => $comparison,)* }
            }

            /// Where the expected numbers come from.
            pub const fn source(self) -> &'static str {
                match self { $(Check::$id => $source,)* }
            }

            /// What is most often wrong when the check fails.
            pub const fn likely(self) -> &'static str {
                match self { $(Check::$id => $likely,)* }
            }
        }
    };
}

checks! {
    P1: "primal return", Some(Comparison::Ulps(4)), "primal",
        "the rule computes another function, or reads an argument after changing it";
    P2: "primal of mutated arguments", BITS, "primal",
        "the rule skips the mutation when the primal is not needed; it must happen all the same";
    P3: "read-only arguments unchanged", BITS, "before",
        "the rule uses a read-only argument as workspace";
    P4: "nothing written outside a view", BITS, "canary",
        "the rule assumes contiguous memory; go through the view's strides";
    I1: "primal returned iff needed", None, "config",
        "the rule ignores `needs_primal`";
    I2: "shadow returned iff needed", None, "config",
        "the rule ignores `needs_shadow`";
    F1: "tangent of the return", FD, DIFFERENCES,
        "a wrong partial, or an argument whose tangent is left out";
    F2: "tangents of mutated arguments", FD, DIFFERENCES,
        "`forward` adds to the stale shadow of an output; it must assign";
    F3: "read-only shadows unchanged", BITS, "before",
        "`forward` writes the tangent of an input";
    L1: "linear in the seed", BITS, "2 × rule(v)",
        "a term without the tangent, or a constant added to the shadow";
    L2: "linear in seeds and shadows together", BITS, "s × rule(ȳ, x̄)",
        "`reverse` takes a small shadow for zero, or limits what it has become; it must accumulate";
    B1: "lanes independent of the width", BITS, "width 1",
        "a lane reads its neighbour's tangent, or all lanes read lane 0";
    B2: "lanes with equal seeds", BITS, "width 1",
        "a lane that is taken for a copy of another because its seeds are the same; it has a shadow of its own";
    R1: "adjoints added to non-zero shadows", FD, DIFFERENCES,
        "`reverse` assigns a shadow; it must accumulate";
    R1z: "adjoints added to zero shadows", FD, DIFFERENCES,
        "a wrong partial, or a transposition missing in the pullback";
    R2: "pullback is the transpose of the pushforward", Some(Comparison::Terms(16.0)), "forward rule",
        "forward and reverse disagree on a partial; compare each with the differences";
    // a loop adds to one entry again and again, and rounds each time
    R3: "result minus initial shadow independent of the initial shadow", Some(Comparison::Terms(8.0)),
        "zero shadows",
        "`reverse` scales or overwrites what was in the shadow";
    R4: "shadow of an overwritten output is zero", ZERO, "zero",
        "`reverse` consumes the shadow of an output without zeroing it";
    R5: "adjoints added to partly zero shadows", Some(Comparison::Terms(8.0)), "zero shadows",
        "`reverse` assigns where it finds a zero, as BLAS does with beta = 0; it must accumulate";
    R7: "adjoints added to partly zero shadows, at sizes that were not given", ROUGH, "zero shadows",
        "`reverse` assigns a block of which it finds an entry zero; it must accumulate";
    R8: "adjoints added to shadows that are numbers of the call", Some(Comparison::Terms(8.0)), "zero shadows",
        "`reverse` takes a shadow that is what it would add for a shadow to which that has been added, or treats one sign otherwise";
    R6: "tape independent of overwritten arguments", BITS, "unpoisoned",
        "`reverse` reads a primal that was declared overwritten; save it in `augmented_primal`";
    R9: "reverse changes no primal", BITS, "before",
        "`reverse` uses an argument as workspace, or runs the primal again in place";
    R10: "augmented primal touches no shadow", BITS, "before",
        "`augmented_primal` zeroes or seeds a shadow; both are for the caller and `reverse`";
    N1: "strong zero: zero for zero beside infinities, elsewhere no change", BITS, "weak zero, or 0",
        "the rule multiplies a zero seed by an infinite partial; use the strong zero";
    N2: "derivatives finite wherever differences are", COARSE, DIFFERENCES,
        "an intermediate number overflows, or is 0/0, where the derivative itself is an ordinary number";
    N3: "derivatives beside zeros and ties", COARSE, DIFFERENCES,
        "a quotient that cancels, a series that ends too early, or a special case that is not the limit";
    N4: "derivatives at every magnitude", COARSE, DIFFERENCES,
        "a number beyond which an asymptote or a constant is taken for the function, where it is not yet";
    N5: "derivatives where the domain ends", COARSE, DIFFERENCES,
        "a number that is clamped or padded, lest it leave the domain, while it is still well inside";
    N6: "seeds that are no numbers leave none", None, "the seed",
        "a NaN is taken for a zero, or an infinite seed is cut off: what went wrong before the call looks right after it";
    T1: "tape within its budget", None, "budget",
        "`augmented_primal` saves what is not overwritten";
    T2: "allocations within their budget, and none leaked", None, "budget",
        "a temporary in the loop over lanes, or memory that is never freed";
    D1: "two runs agree", BITS, "first run",
        "uninitialised memory, or an order of summation that depends on threads";
    D2: "interleaved tapes agree", BITS, "alone",
        "state outside the tape: the second call overwrote what the first had kept";
    D3: "tape serves twice", BITS, "first reverse",
        "`reverse` changes its tape through shared ownership";
    D4: "the same memory with new contents", BITS, "other memory",
        "something is kept under the address of an argument; the tape alone may remember";
    D5: "reverse on another thread", BITS, "same thread",
        "something is kept in a thread-local; the tape alone may remember";
    U1: "seeds that are ones and unit vectors", FD, DIFFERENCES,
        "a special case for a seed of 1 or -1, or for seeds that are zero but for one entry";
    U2: "seeds one by one, at sizes that were not given", ROUGH, "linearity",
        "a fast path for seeds that are ones, or zero but for one entry, which is wrong at this length";
    U3: "seeds that are numbers of the call", FD, DIFFERENCES,
        "a special case for a seed that is the output, or an input, which is right for one such seed only";
    U4: "rows of seeds of one sign, in steps, large and small, at any size", ROUGH, "linearity",
        "a fast path for seeds that are alike, of one sign or in steps, or a limit on what is large or small, in long rows";
    C1: "every legal mix implemented or declared", None, "declaration",
        "no impl for this mix, or a line `unsupported` that is no longer true";
    Z1: "sizes from zero", FD, DIFFERENCES,
        "a loop that assumes one element, or a remainder of the vector width left out";
    Z2: "sizes that were not given", FD, DIFFERENCES,
        "a loop that is unrolled and forgets the remainder, or a block of a fixed length";
    Z4: "every size", COARSE, DIFFERENCES,
        "a block or a threshold that this one length meets, and its neighbours do not";
    Z5: "one size in every mix, and at many points", COARSE, DIFFERENCES,
        "a block that is used for some activities or widths only, or beside numbers of some magnitude or sign";
    Z3: "integers that were not given", FD, DIFFERENCES,
        "a case of the configuration that the derivative does not know";
    S1: "strides", Some(Comparison::Terms(64.0)), "contiguous",
        "the rule indexes memory, not the view, or takes two views to be laid out alike";
    S2: "memory that is not aligned", Some(Comparison::Terms(64.0)), "aligned",
        "a loop over whole registers that takes the first entry to be aligned";
    H1: "threads agree", BITS, "serial run",
        "state shared between calls";
    A1: "one buffer in two slots", BITS, "two buffers",
        "the rule tells its arguments apart by address";
    A2: "one slice behind the other in one allocation", BITS, "two allocations",
        "the rule takes two slices for one, or for parts of something, because one ends where the other begins";
    E1: "fails iff the primal fails, and then changes nothing", BITS, "before",
        "the rule mutates an argument before it has checked the shapes";
    E2: "refuses what the primal refuses, found by probing", BITS, "before",
        "the rule writes to an argument or a shadow before it has checked its domain, or never checks it";
    X1: "structured arguments", FD, DIFFERENCES,
        "a field is missing, or a complex cotangent lacks its conjugate";
    X2: "second derivatives, symmetric", FD, DIFFERENCES,
        "a partial computed with a function that is itself not differentiated";
    X3: "the last digits, by dual numbers", Some(Comparison::Terms(64.0)), "dual numbers",
        "a constant with too few digits, a series that ends too early, or an iteration that stops too soon";
    X4: "single precision beside dual numbers in double", Some(Comparison::Terms(64.0)), "dual numbers",
        "a constant or a series for a precision lower still";
    G1: "device agrees with host", Some(Comparison::Terms(64.0)), "host",
        "a missing synchronisation, or a reduction that leaves out its last block";
}

/// From the most telling to the least: a rule that mixes up its lanes also fails the differences, but not the other way
/// round. Checks of one row tell equally much.
const PRECEDENCE: &[&[Check]] = &[
    &[Check::C1, Check::E1, Check::I1, Check::I2],
    &[Check::E2],
    &[Check::D1, Check::P4],
    &[Check::P1, Check::P2, Check::P3],
    &[Check::R10, Check::R9, Check::F3],
    &[Check::B1, Check::B2],
    &[Check::L1],
    &[
        Check::D2,
        Check::D3,
        Check::D4,
        Check::D5,
        Check::H1,
        Check::R6,
    ],
    &[Check::R4],
    &[Check::F1, Check::R1z],
    &[Check::F2],
    &[Check::R1],
    &[Check::R3, Check::N1, Check::R5, Check::L2, Check::U1],
    &[Check::R8],
    &[Check::R7, Check::U2, Check::U3, Check::U4],
    &[Check::N3],
    &[Check::N2, Check::N4, Check::N5, Check::N6],
    &[
        Check::S1,
        Check::S2,
        Check::Z1,
        Check::Z2,
        Check::Z3,
        Check::Z4,
        Check::Z5,
        Check::A1,
        Check::X1,
    ],
    &[Check::A2],
    &[
        Check::R2,
        Check::X2,
        Check::X3,
        Check::X4,
        Check::G1,
        Check::T1,
        Check::T2,
    ],
];

impl Check {
    /// How telling a failure is: of several failed checks, that of the lowest precedence names the cause.
    pub fn precedence(self) -> usize {
        let row = PRECEDENCE.iter().position(|row| row.contains(&self));
        row.expect("every check has a precedence")
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?} {}", self.title())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_printed_as_in_the_specification() {
        assert_eq!(Check::R1z.to_string(), "R1z adjoints added to zero shadows");
        assert_eq!(Check::ALL.len(), 59);
    }

    #[test]
    fn what_names_the_cause_comes_before_what_follows_from_it() {
        let told = [
            Check::C1,
            Check::D1,
            Check::B1,
            Check::F1,
            Check::R1,
            Check::T2,
        ];
        let places = told.map(Check::precedence);
        assert!(places.is_sorted_by(|a, b| a < b), "{places:?}");
        assert_eq!(Check::E1.precedence(), Check::C1.precedence());
    }

    #[test]
    fn rows_are_distinct_and_complete() {
        let titles: std::collections::HashSet<_> = Check::ALL.iter().map(|c| c.title()).collect();
        assert_eq!(titles.len(), Check::ALL.len());
        for check in Check::ALL {
            assert!(check.likely().len() > 20, "{check}");
            assert!(check.precedence() < PRECEDENCE.len());
            let fd = matches!(check.comparison(), Some(Comparison::Differences(_)));
            assert_eq!(fd, check.source() == DIFFERENCES, "{check}");
        }
    }
}
