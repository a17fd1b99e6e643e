//! What the macros' output names. Not part of the public interface.

mod adds_up;
mod any_order;
mod apart;
mod arriving;
mod attempt;
mod bound;
mod boxed;
pub mod callee;
mod column;
mod combination;
mod conversion;
mod copies;
mod cost;
pub mod dispatch;
mod easy;
mod extremum;
mod fast;
pub mod form;
mod found;
pub mod indexed;
mod inside;
mod lanes;
mod lend;
mod lengths;
mod lent_by;
mod listing;
mod literals;
mod named;
mod never;
mod operation;
mod operator;
mod part;
mod places;
mod premises;
mod range;
mod reads_later;
mod returned;
mod rounds;
mod shape;
mod side_by_side;
mod slot;
pub mod sums;
mod sweep;
mod takes_any;
mod told;
mod unchanging;
mod variant;
mod variants;
mod window;

pub use crate::activity::{Lent, lane_array, map_lanes, map_lanes_mut};
/// Where a crate without `std`, or of edition 2015, finds them.
pub use ::{core, std};
pub use adds_up::{AddsUp, adds_up, is_linear};
pub use any_order::*;
pub use apart::*;
pub use arriving::{Arrives, Arriving, MayArrive};
pub use attempt::{Attempt, Fallible};
pub use bound::{Bound, Captured};
pub use boxed::content;
pub use column::{
    Column, cut as cut_columns, keep, keep_all, last as last_columns, restore, restore_all,
    room as columns,
};
pub use combination::{Combination, InForward, InReverse};
pub use conversion::{Converted, Convertible, conversion};
pub use copies::{
    Copied, CopiedWhole, CopiedWords, Copies, MayClone, NotCopied, borrowed_is_not_kept, copy,
};
pub use cost::{CallCost, UnknownCost};
pub use easy::{TangentSum, augmented_if_needed, forward_without_tangent, present, present_owned};
pub use extremum::{first_is_larger, first_is_smaller};
pub use fast::*;
pub use found::{MayBeFound, found};
pub use inside::Inside;
pub use lanes::*;
pub use lend::*;
pub use lengths::{
    entries_lengthened, entries_shaped_as, fields_lengthened, keeps_lengths, lengthened, shaped_as,
};
pub use lent_by::{
    Beside, ChoosesBy, FieldBeside, LentBy, NotBeside, PartFollows, field_beside, parts_stay,
};
pub use listing::*;
pub use literals::{References, parameters_tell};
pub use named::{
    HasFunctionRules, HasMethodRules, HasRules, HasTraitRules, IsThat, Named, OwnFile, RuleOf,
    Unmarked, one_function,
};
pub use never::{Linear, LinearFunction, Marker, Never, NeverEither};
pub use operation::{Cotangents, Derived, DerivedLikeNumbers, NoShadow, Tangents};
pub use operator::{ByReference, ByValue, Combines, Operands, Reaches, operator};
pub use part::{Assigned, Part, Standing, part};
pub use places::*;
pub use premises::*;
pub use range::{
    FixedArray, Star, advanced, all_of_the_first, array_len, array_like, backwards, chunk,
    chunk_from_behind, has_any, is_there, keeps, nth, order_after_selection, order_by_key,
    order_of, position_of, position_of_max, position_of_max_by_key, position_of_min,
    position_of_min_by_key, rounds, within, without_end,
};
pub use reads_later::{
    LEVELS, MayReadLater, ReadsLater, any_reads, is_kept, keep_contents, restore_contents,
};
pub use returned::{Counts, Iterated, NotIterated, Returned};
pub use rounds::{Keeper, Kept, Round, Succeeded, run_rounds, undo_rounds};
pub use shape::{has_shapes, reshape, reshape_as, reshape_shadows, shape_before};
pub use side_by_side::{
    Inactive as InactiveWay, Shadowed as ShadowedWay, pop_side_by_side, push_side_by_side,
};
pub use slot::Slot;
pub use sweep::{
    Again, Sweep, Swept, SweptOutcome, augmented, augmented_onto, both, call_again, call_augmented,
    call_augmented_or_again, call_augmented_unused, call_forward, call_held, call_held_passed_on,
    call_held_reverse, call_held_unused, call_kept, call_kept_passed_on, call_kept_reverse,
    call_kept_unused, call_passed_on, call_reverse, mark, reverse, reverse_from, rewind,
};
pub use takes_any::{MayTakeAny, TakesAny};
pub use told::{Told, ToldBy};
pub use unchanging::{AMacroThatReturnsIsNotKnown, unchanging};
pub use variant::{Present, Variant, variant};
pub use variants::{different_variants, sum_of_variants};
pub use window::*;

pub use crate::tangent::Growing;
pub use crate::tangent::{all_words, keep_as_one, read_part, restore_as_one, write_part};

#[cfg(feature = "ndarray")]
pub use crate::ops::array::{ArrayMethods, NumberMethods};
/// Without arrays there are no methods of theirs.
#[cfg(not(feature = "ndarray"))]
pub trait ArrayMethods {}
/// The rules of operators as methods are those of arrays.
#[cfg(not(feature = "ndarray"))]
pub trait NumberMethods {}

pub use crate::ops::integer::*;

#[cfg(feature = "complex")]
pub use crate::ops::complex::ComplexMethods;
/// Without complex numbers there are no methods of theirs.
#[cfg(not(feature = "complex"))]
pub trait ComplexMethods {}
