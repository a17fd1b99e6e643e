//! Activity mixes: which handle a rule receives for each argument, and which return activity it is asked for.
//!
//! The activities are coenzyme's markers [`AsConst`], [`AsActive`], [`AsDuplicated`], [`AsDuplicatedNoNeed`], and
//! [`AsMixed`]; the macros take them without the `As`.
//!
//! [`AsConst`]: coenzyme::AsConst
//! [`AsActive`]: coenzyme::AsActive
//! [`AsDuplicated`]: coenzyme::AsDuplicated
//! [`AsDuplicatedNoNeed`]: coenzyme::AsDuplicatedNoNeed

mod activity;
mod argument;
mod returned;
mod tuple;

pub use activity::{Activity, AsMixed, Marker};
pub use argument::{ForwardActivity, ReverseActivity};
pub use returned::{Augmented, ForwardRet, ReverseRet, Tangents};
pub use tuple::{ForwardMix, Markers, ReverseMix};
