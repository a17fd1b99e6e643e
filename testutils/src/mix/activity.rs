//! Activities as values, for what is decided at run time.

use coenzyme::{AsActive, AsConst, AsDuplicated, AsDuplicatedNoNeed};
use std::fmt;

/// An activity, for messages and for the judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activity {
    /// `Const`.
    Const,
    /// `Active`.
    Active,
    /// `Duplicated`, in any width.
    Duplicated,
    /// `DuplicatedNoNeed`, in any width.
    DuplicatedNoNeed,
    /// `MixedDuplicated`, in any width.
    Mixed,
}

impl Activity {
    /// Whether derivatives flow.
    pub const fn is_active(self) -> bool {
        !matches!(self, Activity::Const)
    }

    /// Whether the primal has to be right afterwards.
    pub const fn needs_primal(self) -> bool {
        !matches!(self, Activity::DuplicatedNoNeed)
    }

    /// The name in the id of a case.
    pub const fn key(self) -> &'static str {
        match self {
            Activity::Const => "Const",
            Activity::Active => "Active",
            Activity::Duplicated => "Dup",
            Activity::DuplicatedNoNeed => "NoNeed",
            Activity::Mixed => "Mixed",
        }
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// The argument is `MixedDuplicated`: a value that owns memory, whose shadow lives elsewhere.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsMixed;

/// A marker of an activity.
pub trait Marker: Copy + Default + 'static {
    /// The activity it marks.
    const ACTIVITY: Activity;

    /// The marker of the same activity in forward mode, where values are `Duplicated` too.
    type Forward: Marker;
}

macro_rules! markers {
    ($($marker:ident $activity:ident $forward:ident,)*) => {$(
        impl Marker for $marker {
            const ACTIVITY: Activity = Activity::$activity;

            type Forward = $forward;
        }
    )*};
}

markers! {
    AsConst Const AsConst,
    AsActive Active AsDuplicated,
    AsDuplicated Duplicated AsDuplicated,
    AsDuplicatedNoNeed DuplicatedNoNeed AsDuplicatedNoNeed,
    AsMixed Mixed AsDuplicated,
}
