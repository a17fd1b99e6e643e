//! Values that the reverse pass reads again.

/// A value for the reverse pass: a copy if the memory may be overwritten in between, otherwise nothing, and it is read
/// where it lies.
///
/// ```
/// use coenzyme::Saved;
///
/// let mut x = vec![1.0, 2.0];
/// let saved = Saved::new(&x[..], true);
/// x.fill(0.0);
/// assert_eq!(saved.get(&x), [1.0, 2.0]);
/// assert_eq!(saved.clone(), saved);
/// ```
#[derive(Debug, PartialEq)]
pub struct Saved<T: ToOwned + ?Sized>(Option<T::Owned>);

impl<T: ToOwned + ?Sized> Saved<T> {
    /// Copies `value` if it may be `overwritten`.
    #[inline]
    pub fn new(value: &T, overwritten: bool) -> Self {
        Self(overwritten.then(|| value.to_owned()))
    }

    /// Without a copy.
    #[doc(hidden)]
    #[inline]
    pub const fn none() -> Self {
        Self(None)
    }

    /// The value: the copy, or `in_place` where it was left.
    #[inline]
    pub fn get<'a>(&'a self, in_place: &'a T) -> &'a T {
        match &self.0 {
            Some(copy) => std::borrow::Borrow::borrow(copy),
            None => in_place,
        }
    }

    /// Whether a copy was made.
    #[inline]
    pub fn is_copied(&self) -> bool {
        self.0.is_some()
    }
}

impl<T: ToOwned<Owned: Clone> + ?Sized> Clone for Saved<T> {
    #[inline]
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}
