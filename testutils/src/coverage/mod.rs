//! Which mixes of a rule are covered, and which are declared not to be.

mod declaration;
mod probe;

pub use declaration::{Outcomes, Unsupported, assert_lines_apply};
pub use probe::{
    ForwardMissing, ForwardPresent, PairingMissing, PairingPresent, Probe, ReuseMissing,
    ReusePresent, ReverseMissing, ReversePresent,
};
