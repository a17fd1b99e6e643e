//! Small functions of iterators, closures, options and results, judged as those of `conformance` are. They are a program of their own because one for
//! all takes most of a machine's memory to compile, on one core.

// the subjects are written in every way that people write, also in those that lints would have otherwise: Clippy has `tests/corpus`
#![cfg(not(clippy))]
#![allow(
    unused_parens,
    unused_qualifications,
    unused_variables,
    unused_assignments,
    dead_code,
    mismatched_lifetime_syntaxes
)]

#[path = "../conformance/judge.rs"]
mod judge;
#[path = "../conformance/subject.rs"]
mod subject;

mod asked_calls;
mod callables;
mod called;
mod captures;
mod chosen_elements;
mod closures;
mod closures_by_name;
mod closures_by_path;
mod closures_elsewhere;
mod closures_of_generics;
mod closures_that_ask;
mod closures_told;
mod combinators;
mod counted_and_asked;
mod counted_chains;
mod counted_numbers;
mod defaults_of_errors;
mod folds_that_change;
mod for_some;
mod given_options;
mod held_results;
mod in_one_line;
mod inactive_tables;
mod integrators;
mod iterated_by_value;
mod iterators;
mod iterators_returned;
mod lazy;
mod mapped;
mod mapped_rows;
mod mapped_to_counts;
mod maps;
mod nested_iterators;
mod nested_options;
mod operators_by_path;
mod optional;
mod options;
mod present;
mod pushed_fields;
mod refusals;
mod returned_errors;
mod rounds_that_change;
mod searches;
mod stepped;
mod stepped_iterators;
mod sums;
mod taken_by_value;
mod taken_out;
mod tried_calls;
