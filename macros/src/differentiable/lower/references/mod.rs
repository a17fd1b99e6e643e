//! References, which become names for places.

pub(crate) mod alias;
pub(crate) mod aliasing;
pub(crate) mod checks;
pub(crate) mod held;
mod kept_arguments;
pub(crate) mod lent_in_place;
pub(crate) mod move_closures;
pub(crate) mod receiver;
pub(crate) mod reseated;
