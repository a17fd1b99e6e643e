//! From syntax to syntax: what is short for something else is written out. There is no activity here.

pub(crate) mod at_once;
pub(crate) mod azip;
pub(crate) mod chosen;
pub(crate) mod collected_slices;
pub(crate) mod conversions;
pub(crate) mod copied;
pub(crate) mod declared;
pub(crate) mod destructured;
pub(crate) mod desugar;
pub(crate) mod eager;
pub(crate) mod early_return;
pub(crate) mod folded;
pub(crate) mod inner_functions;
pub(crate) mod items;
pub(crate) mod let_else;
pub(crate) mod literal_types;
pub(crate) mod matrix_of;
pub(crate) mod outcome;
pub(crate) mod permutations;
pub(crate) mod ref_patterns;
pub(crate) mod slice_inside;
pub(crate) mod slice_pattern;
pub(crate) mod swaps;
pub(crate) mod synonym;
pub(crate) mod trait_paths;
pub(crate) mod whole;
