//! Small functions, one file for each group of constructs, each judged in both modes, all activity mixes and two widths.

// the subjects are written in every way that people write, also in those that lints would have otherwise: Clippy has `tests/corpus`
#![allow(
    unused_parens,
    unused_qualifications,
    unused_variables,
    unused_assignments,
    dead_code,
    mismatched_lifetime_syntaxes
)]

#[path = "conformance/bindings.rs"]
mod bindings;
#[path = "conformance/changed_receivers.rs"]
mod changed_receivers;
#[path = "conformance/combinators.rs"]
mod combinators;
#[path = "conformance/computed_anyway.rs"]
mod computed_anyway;
#[path = "conformance/drops.rs"]
mod drops;
#[path = "conformance/enums.rs"]
mod enums;
#[path = "conformance/errors_of_no_traits.rs"]
mod errors_of_no_traits;
#[path = "conformance/errors_with_parts.rs"]
mod errors_with_parts;
#[path = "conformance/judge.rs"]
mod judge;
#[path = "conformance/lengths.rs"]
mod lengths;
#[path = "conformance/optional.rs"]
mod optional;
#[path = "conformance/options.rs"]
mod options;
#[path = "conformance/own_copies.rs"]
mod own_copies;
#[path = "conformance/present.rs"]
mod present;
#[path = "conformance/subject.rs"]
mod subject;
#[path = "conformance/swaps.rs"]
mod swaps;
