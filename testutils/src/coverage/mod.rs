//! Which mixes of a rule are covered, and which are declared not to be.

mod declaration;
mod facts;
mod probe;
mod record;
mod sizes;

pub use declaration::{
    Mix, Outcomes, Unsupported, assert_lines_apply, is_fullest, is_mix, untested,
};
pub use facts::{ArgumentFacts, Facts, Taken};
pub use probe::{
    ErrorsMissing, ErrorsPresent, FinerMissing, FinerPresent, ForwardLevel, Probe, ReverseLevel,
};
pub use record::{ParseRecordError, Record};
pub use sizes::{all_sizes, label_of_size};
