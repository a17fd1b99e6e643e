//! Shadows as generated code sees them.

/// The shadow of an argument in one lane, to be changed, if it has one.
///
/// As `Option<&mut T>`, with a tag of its own: where the activity is known the tag is a constant, and the optimizer need not find
/// out that a pointer which was computed from the shadow is not null.
#[doc(hidden)]
#[derive(Debug)]
#[repr(u8)]
pub enum Lane<'a, T: ?Sized> {
    /// There is no shadow.
    Inactive,
    /// The shadow.
    Active(&'a mut T),
}

impl<'a, T: ?Sized> Lane<'a, T> {
    /// Whether there is a shadow.
    #[inline]
    pub fn is_active(&self) -> bool {
        matches!(self, Lane::Active(_))
    }

    /// The shadow, to be read.
    #[inline]
    pub fn as_deref(&self) -> Option<&T> {
        match self {
            Lane::Active(shadow) => Some(shadow),
            Lane::Inactive => None,
        }
    }

    /// The shadow, to be changed.
    #[inline]
    pub fn as_deref_mut(&mut self) -> Option<&mut T> {
        match self {
            Lane::Active(shadow) => Some(shadow),
            Lane::Inactive => None,
        }
    }

    /// A part of the shadow.
    #[inline]
    pub fn into_part<U: ?Sized>(self, part: impl FnOnce(&'a mut T) -> &'a mut U) -> Lane<'a, U> {
        match self {
            Lane::Active(shadow) => Lane::Active(part(shadow)),
            Lane::Inactive => Lane::Inactive,
        }
    }
}
