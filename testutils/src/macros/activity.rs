//! Activities by the names that the macros take.

/// The marker of an activity, by its name in Enzyme.
#[doc(hidden)]
#[macro_export]
macro_rules! __activity {
    (forward Active) => {
        $crate::__activity!(Duplicated)
    };
    (forward Mixed) => {
        $crate::__activity!(Duplicated)
    };
    (forward $activity:ident) => {
        $crate::__activity!($activity)
    };
    (reverse $activity:ident) => {
        $crate::__activity!($activity)
    };
    (Const) => {
        $crate::__private::AsConst
    };
    (Active) => {
        $crate::__private::AsActive
    };
    (Duplicated) => {
        $crate::__private::AsDuplicated
    };
    (DuplicatedNoNeed) => {
        $crate::__private::AsDuplicatedNoNeed
    };
    (Mixed) => {
        $crate::AsMixed
    };
    ($other:ident) => {
        compile_error!(concat!(
            "`",
            stringify!($other),
            "` is not an activity: write Const, Active, Duplicated, DuplicatedNoNeed or Mixed"
        ))
    };
}
