//! What makes a type of values an argument that a check can copy and move; nothing, where checks are not asked for.

/// `__probed! { (<T: Real>) (Point<T>) (where predicates) }` implements [`Probed`](crate::Probed).
///
/// The lifetime puts off the question whether the bounds hold to where a call is checked: a type that is not `Clone` is not refused
/// before.
#[cfg(feature = "checked-modes")]
#[doc(hidden)]
#[macro_export]
macro_rules! __probed {
    (($($generics:tt)*) ($t:ty) ($($bounds:tt)*)) => {
        #[automatically_derived]
        #[allow(trivial_bounds)]
        impl $($generics)* $crate::Probed for $t
        where
            $t: 'static,
            for<'probed> $t: ::core::clone::Clone + $crate::Tangent,
            $($bounds)*
        {
            type Copied = $t;
            type Lent<'probed> = $t;

            fn copied(&self) -> $t {
                ::core::clone::Clone::clone(self)
            }
            fn lend(copy: &mut $t) -> $t {
                ::core::clone::Clone::clone(copy)
            }
            fn read(copy: &$t) -> ::std::vec::Vec<f64> {
                $crate::Tangent::to_flat(copy)
            }
            fn write(copy: &mut $t, flat: &[f64]) {
                $crate::Tangent::unflatten(copy, flat);
            }
        }
    };
}

/// Nothing.
#[cfg(not(feature = "checked-modes"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __probed {
    ($($none:tt)*) => {};
}
