//! How differentiated code finds the rule of a constructor of another crate: by its type, as that of a user's own.
//!
//! ```text
//! impl New for DVec3 { type Marker = DVec3_new; }     // DVec3::marker_of_new(), where the program calls `DVec3::new(x, y, z)`
//! ```
//!
//! So the name of a type does not matter, nor the path by which it is called: `na::Vector3::new(x, y, z)`. A type with parameters has one
//! implementation, for `f64`: its marker is the same for all, and a call need not say which is meant.

/// A trait for each name of a constructor.
macro_rules! finders {
    ($($name:ident: $finder:ident;)*) => {
        $(
            #[doc(hidden)]
            pub trait $name {
                /// What has the rules.
                type Marker: Default;

                /// The marker.
                #[inline]
                fn $finder() -> Self::Marker {
                    Default::default()
                }
            }
        )*

        /// The traits, for the prelude: without names.
        #[doc(hidden)]
        pub mod unnamed {
            $(pub use super::$name as _;)*
        }
    };
}

finders! {
    From: marker_of_from;
    FromAngle: marker_of_from_angle;
    FromArray: marker_of_from_array;
    FromAxisAngle: marker_of_from_axis_angle;
    FromCols: marker_of_from_cols;
    FromColumnSlice: marker_of_from_column_slice;
    FromColumns: marker_of_from_columns;
    FromDiagonal: marker_of_from_diagonal;
    FromElement: marker_of_from_element;
    FromEulerAngles: marker_of_from_euler_angles;
    FromParts: marker_of_from_parts;
    FromQuat: marker_of_from_quat;
    FromQuaternion: marker_of_from_quaternion;
    FromRotationTranslation: marker_of_from_rotation_translation;
    FromRotationX: marker_of_from_rotation_x;
    FromRotationY: marker_of_from_rotation_y;
    FromRotationZ: marker_of_from_rotation_z;
    FromRowSlice: marker_of_from_row_slice;
    FromRows: marker_of_from_rows;
    FromScale: marker_of_from_scale;
    FromScaledAxis: marker_of_from_scaled_axis;
    FromSlice: marker_of_from_slice;
    FromTranslation: marker_of_from_translation;
    FromVec: marker_of_from_vec;
    FromXyzw: marker_of_from_xyzw;
    New: marker_of_new;
    NewNormalize: marker_of_new_normalize;
    Repeat: marker_of_repeat;
    Splat: marker_of_splat;
}

/// Which marker the constructors of a name have: `found! { New: DVec2 DVec2_new, DVec3 DVec3_new; … }`.
macro_rules! found {
    ($($name:ident: $($of:ty => $marker:ident),*;)*) => {$($(
        impl crate::constructors::$name for $of {
            type Marker = $marker;
        }

        // `Vector3::<f64>::new(x, y, z)`: what the call says the arguments tell
        impl crate::__private::Marker for $marker {}
    )*)*};
}

pub(crate) use found;
