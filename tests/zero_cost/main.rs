//! What differentiation may not cost: allocations in scalar code, words on the tape that nobody reads, and work for arguments that are `Const`.

mod allocation;
mod assembly;
mod lent;
mod sums;
mod tape;
