//! Which mixes of a rule are covered, and which are declared not to be.

mod declaration;
mod facts;
mod probe;
mod record;
mod sizes;

pub use declaration::{Outcomes, Unsupported, assert_lines_apply, is_fullest, untested};
pub use facts::{ArgumentFacts, Facts, Taken};
pub use probe::{
    DigitsAheadMissing, DigitsAheadPresent, DigitsMissing, DigitsPresent, ElsewhereMissing,
    ElsewherePresent, ErrorsMissing, ErrorsPresent, FinerMissing, FinerPresent, ForwardMissing,
    ForwardPresent, PairingMissing, PairingPresent, Probe, ReuseMissing, ReusePresent,
    ReverseMissing, ReversePresent,
};
pub use record::{ParseRecordError, Record};
pub use sizes::{all_sizes, label_of_size};
