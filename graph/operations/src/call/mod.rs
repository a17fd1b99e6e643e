//! What an operation is, and what it is told about a call.

mod attrs;
mod operation;
mod outline;
mod signature;

pub use attrs::{Attr, AttrKind, Attrs};
pub use operation::{Call, Cotangents, Mask, Modes, Operation, Outputs, Shadows, Tangents, Tape};
pub use outline::{Outline, Reads};
pub use signature::{Operand, Parameter, Signature};
