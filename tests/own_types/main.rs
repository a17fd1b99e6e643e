//! Small functions of own types, traits and operators, judged as those of `conformance` are. They are a program of their own because one for
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

mod asked_of_generics;
mod borrowed_tables;
mod borrowed_types;
mod captured_to_look_into;
mod chain_state;
mod changed_in_macros;
mod changed_parts;
mod changed_receivers;
mod conditions_of_state;
mod conversions_taken;
mod conversions_told;
mod copied_fields;
mod counts_in_generics;
mod declared;
mod entries_apart;
mod entries_grown;
mod enum_parts;
mod enums;
mod errors_of_no_traits;
mod errors_with_parts;
mod field_lengths;
mod fields_grown;
mod foreign_traits;
mod foreign_types;
mod functions_of_traits;
mod generic_arrays;
mod generic_containers;
mod generics;
mod given_back;
mod given_back_first;
mod holding;
mod inactive_state;
mod indexed_and_moved;
mod integer_fields;
mod lengths_untold;
mod lent_by_value;
mod lent_often;
mod lists_in_structs;
mod local_parts;
mod made_and_changed;
mod marked_blocks;
mod matched_places;
mod methods;
mod methods_handed_on;
mod methods_of_generics;
mod methods_of_results;
mod moved_constants;
mod mutable_parameters;
mod named_like_functions;
mod named_like_operations;
mod named_like_std;
mod named_like_tangent;
mod named_parts;
mod names_alone;
mod not_copy;
mod operands_of_std;
mod operator_forms;
mod operator_types;
mod operators;
mod option_fields;
mod options_in_flux;
mod other_lengths;
mod own_beside;
mod own_copies;
mod own_methods;
mod own_names;
mod own_operations;
mod own_traits_of_values;
mod parts_by_value;
mod parts_lent;
mod parts_of_results;
mod phantoms;
mod private_types;
mod products_of_given;
mod queued_settings;
mod read_backwards;
mod read_receivers;
mod references_chosen;
mod replaced_lists;
mod returned_early;
mod returned_fields;
mod rows_in_structs;
mod rows_lent;
mod scoped_items;
mod settings;
mod settings_in_parts;
mod short_forms;
mod short_variants;
mod single;
mod states;
mod stranger_macros;
mod stranger_traits;
mod strangers;
mod structs;
mod structs_inside;
mod sums_by_iterators;
mod sums_of_entries;
mod sums_taken;
mod texts_matched;
mod trait_arguments;
mod trait_constants;
mod trait_objects;
mod traits;
mod traits_of_themselves;
mod tuple_parts;
mod type_arguments;
mod updated_from;
mod updated_in_lists;
mod values_lent;
mod variants_imported;
mod variants_listed;
mod vectors_moved;
mod without_tangent;
mod wrappers;
mod written_by_others;
