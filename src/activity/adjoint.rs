//! Cotangents that can be added to, and nothing else.

use std::ops::{AddAssign, SubAssign};

use crate::tangent::Tangent;

/// The cotangent of one lane of an argument, as a reverse rule sees it: it can be added to. It cannot be read or assigned,
/// because what is there belongs to other uses of the argument.
///
/// ```
/// use coenzyme::Adjoint;
///
/// let mut shadow = [1.0, 1.0];
/// let mut dx = Adjoint::new(&mut shadow[..]);
/// for (mut dx, y) in dx.iter_mut().zip([10.0, 20.0]) {
///     dx += 2.0 * y;
/// }
/// dx.at(0).add(&0.5);
/// assert_eq!(shadow, [21.5, 41.0]);
/// ```
#[derive(Debug)]
pub struct Adjoint<'a, T: ?Sized>(&'a mut T);

impl<'a, T: ?Sized> Adjoint<'a, T> {
    /// The adjoint over a shadow.
    #[inline]
    pub fn new(shadow: &'a mut T) -> Self {
        Self(shadow)
    }

    /// Adds `other`.
    ///
    /// # Panics
    /// If the shapes differ.
    #[inline]
    pub fn add(&mut self, other: &T)
    where
        T: Tangent,
    {
        Tangent::accumulate(self.0, other);
    }

    /// The door for kernels that accumulate by themselves, such as a matrix product with `beta = 1`: `f` must add to the
    /// shadow it is given.
    #[inline]
    pub fn accumulate_with<R>(&mut self, f: impl FnOnce(&mut T) -> R) -> R {
        f(self.0)
    }

    /// The same adjoint for a shorter time.
    #[inline]
    pub fn reborrow(&mut self) -> Adjoint<'_, T> {
        Adjoint(self.0)
    }
}

impl<T> Adjoint<'_, [T]> {
    /// The number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no entries.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The adjoint of each entry.
    #[inline]
    pub fn iter_mut(
        &mut self,
    ) -> impl DoubleEndedIterator<Item = Adjoint<'_, T>> + ExactSizeIterator {
        self.0.iter_mut().map(Adjoint)
    }

    /// The adjoint of entry `i`.
    ///
    /// # Panics
    /// If there is no such entry.
    #[inline]
    #[track_caller]
    pub fn at(&mut self, i: usize) -> Adjoint<'_, T> {
        Adjoint(&mut self.0[i])
    }

    /// Adds `f(y)` for each entry `y` of a slice of the same length.
    ///
    /// ```
    /// let mut shadow = [1.0, 1.0];
    /// coenzyme::Adjoint::new(&mut shadow[..]).add_map(&[10.0, 20.0], |y| 2.0 * y);
    /// assert_eq!(shadow, [21.0, 41.0]);
    /// ```
    ///
    /// # Panics
    /// If the lengths differ.
    #[inline]
    #[track_caller]
    pub fn add_map<U>(&mut self, other: &[U], f: impl Fn(&U) -> T)
    where
        T: AddAssign,
    {
        assert_eq!(
            self.0.len(),
            other.len(),
            "add_map: slices of different lengths"
        );
        for (a, b) in self.0.iter_mut().zip(other) {
            *a += f(b);
        }
    }
}

impl<T: AddAssign> AddAssign<T> for Adjoint<'_, T> {
    #[inline]
    fn add_assign(&mut self, value: T) {
        *self.0 += value;
    }
}

impl<T: SubAssign> SubAssign<T> for Adjoint<'_, T> {
    #[inline]
    fn sub_assign(&mut self, value: T) {
        *self.0 -= value;
    }
}

#[cfg(feature = "ndarray")]
impl<T, D: ndarray::Dimension> Adjoint<'_, ndarray::ArrayRef<T, D>> {
    /// The shape.
    pub fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    /// The adjoint of each entry, in logical order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = Adjoint<'_, T>> {
        self.0.iter_mut().map(Adjoint)
    }

    /// Adds `f(y)` for each entry `y` of an array of the same shape.
    ///
    /// # Panics
    /// If the shapes differ.
    #[track_caller]
    pub fn add_map<U>(&mut self, other: &ndarray::ArrayRef<U, D>, f: impl Fn(&U) -> T)
    where
        T: AddAssign,
    {
        assert_eq!(
            self.0.shape(),
            other.shape(),
            "add_map: arrays of different shapes"
        );
        ndarray::Zip::from(&mut *self.0)
            .and(other)
            .for_each(|a, b| *a += f(b));
    }
}
