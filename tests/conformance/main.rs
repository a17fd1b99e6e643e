//! Small functions, one file for each group of constructs, each judged in both modes, all activity mixes and two widths.

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

mod judge;
mod subject;

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
mod asked_calls;
mod backwards;
mod bindings;
mod blocks;
mod borrowed_types;
mod boxes;
mod branches;
mod by_reference;
mod callables;
mod called;
mod calls;
mod captures;
mod chain_state;
mod changed_parts;
mod changed_receivers;
mod changing_conditions;
mod choices;
mod chosen;
mod closures;
mod closures_by_name;
mod closures_that_ask;
mod closures_told;
mod coerced;
mod columns;
mod combinators;
#[cfg(feature = "complex")]
mod complex;
mod computed_anyway;
mod conditional;
mod conversions;
mod counted_and_asked;
mod counted_chains;
mod counted_numbers;
mod declared;
mod drops;
mod elsewhere;
mod enum_parts;
mod enums;
mod errors_of_no_traits;
mod errors_with_parts;
mod evaluated_once;
mod everyday;
mod everyday_borrows;
mod expressions;
mod flow;
mod for_some;
mod foreign_traits;
mod foreign_types;
mod functions_of_traits;
mod generic_arrays;
mod generic_containers;
mod generics;
mod growing;
mod grown_and_lent;
mod grown_to_the_end;
mod guards;
mod held_results;
mod helpers_beside;
mod hidden_functions;
mod holding;
mod idle;
mod in_one_line;
mod inactive_state;
mod inactive_tables;
mod integer_fields;
mod iterated_by_value;
mod iterators;
mod iterators_returned;
mod kept_arguments;
mod kept_contents;
mod labels;
mod lazy;
mod lengths;
mod lengths_lent;
mod lent_results;
mod lifted;
mod lists_in_structs;
mod local_parts;
mod loops;
mod made_and_lent;
mod mapped;
mod marked_blocks;
mod matched_tuples;
mod mathematics;
mod memory;
mod methods;
mod moves;
mod mutation;
mod named_parts;
mod names_alone;
mod nested_iterators;
mod nested_options;
mod not_copy;
mod number_ranges;
mod number_types;
mod operator_forms;
mod operator_types;
mod operators;
mod optional;
mod options;
mod outside;
mod overwriting;
mod own_beside;
mod own_copies;
mod own_methods;
mod own_names;
mod own_traits_of_values;
mod parameter_patterns;
mod parts_lent;
mod phantoms;
mod places;
mod present;
mod private_types;
mod ragged;
mod read_around;
mod read_once;
mod read_receivers;
mod references;
mod references_combined;
mod refusals;
mod reruns;
mod returned_errors;
mod rounds;
mod rounds_unknown;
mod scoped_items;
mod searches;
mod settings;
mod short_forms;
mod short_variants;
mod single;
mod slice_arrays;
mod slice_patterns;
mod small_programs;
mod standing;
mod states;
mod steering;
mod stepped;
mod stepped_iterators;
mod stranger_macros;
mod stranger_traits;
mod strangers;
mod structs;
mod sums;
mod surroundings;
mod swaps;
mod tables;
mod taken_by_value;
mod taken_out;
mod trait_arguments;
mod trait_constants;
mod trait_objects;
mod traits;
mod traits_of_themselves;
mod tried_calls;
mod type_arguments;
mod values_beside_slices;
mod vectors;
mod wrappers;
mod written_by_others;
