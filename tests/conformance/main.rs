//! Small functions, one file for each group of constructs, each judged in both modes, all activity mixes and two widths.

// the subjects are written in every way that people write, also in those that lints would have otherwise: Clippy has `tests/corpus`
#![cfg(not(clippy))]
// what a function allows is allowed in its rules
#![deny(nonstandard_style, deprecated)]
#![allow(
    unused_parens,
    unused_qualifications,
    unused_variables,
    unused_assignments,
    dead_code,
    mismatched_lifetime_syntaxes
)]

mod constant_tables;
mod judge;
mod left_behind;
mod left_with_options;
mod not_chosen;
mod subject;

mod advanced_lists;
mod aliases;
mod apart;
mod arithmetic;
#[cfg(feature = "ndarray")]
mod array_elements;
#[cfg(feature = "ndarray")]
mod array_making;
#[cfg(feature = "ndarray")]
mod array_parts;
#[cfg(feature = "ndarray")]
mod arrays;
mod backwards;
mod bindings;
mod blocks;
mod boxes;
mod branches;
mod by_reference;
mod calls;
mod changed_beside;
mod changing_conditions;
mod choices;
mod chosen;
mod closures_in_closures;
mod coerced;
mod columns;
#[cfg(feature = "complex")]
mod complex;
mod computed_anyway;
mod conditional;
mod conversions;
mod drops;
mod elsewhere;
mod entries_apart;
mod evaluated_once;
mod everyday;
mod everyday_borrows;
mod expressions;
mod flow;
mod growing;
mod grown_and_lent;
mod grown_to_the_end;
mod guards;
mod helpers_beside;
mod hidden_functions;
mod idle;
mod inactive_references;
mod kept_arguments;
mod kept_contents;
mod labels;
mod lengths;
mod lengths_lent;
mod lent_results;
mod lifted;
mod lists_returned;
mod lists_taken;
mod literals;
mod literals_told;
mod loops;
mod made_and_lent;
mod made_in_chains;
mod matched_tuples;
mod mathematics;
mod memory;
mod moves;
mod mutation;
mod number_ranges;
mod number_types;
mod optional_entries;
mod options_beside;
mod outside;
mod overwriting;
mod parameter_patterns;
mod places;
mod ragged;
mod read_around;
mod read_once;
mod references;
mod references_combined;
mod reruns;
mod rounds;
mod rounds_unknown;
mod slice_arrays;
mod slice_patterns;
mod small_programs;
mod standing;
mod steering;
mod surroundings;
mod swaps;
mod tables;
mod then_some;
mod tried_arrays;
mod values_beside_slices;
mod vectors;
mod whole_programs;
