//! What differentiation may not cost: allocations in scalar code, and work for arguments that are `Const`.

mod allocation;
mod assembly;
mod lent;
