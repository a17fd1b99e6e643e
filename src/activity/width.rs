//! The width of a call, found from its arguments.

/// The width of an argument that stands in calls of any width: `Const`, `Active`.
#[derive(Clone, Copy, Debug)]
pub struct AnyWidth {}

/// The width of an argument that has `W` shadows.
#[derive(Clone, Copy, Debug)]
pub struct Width<const W: usize> {}

/// The width of two arguments together.
#[diagnostic::on_unimplemented(
    message = "arguments of different widths in one differentiated call: `{Self}` and `{Other}`",
    label = "mixed widths",
    note = "all batched arguments of one call have the same number of shadows; `Duplicated` has one"
)]
pub trait Join<Other> {
    /// The width of both.
    type Joined;
}

impl<Other> Join<Other> for AnyWidth {
    type Joined = Other;
}

impl<const W: usize> Join<AnyWidth> for Width<W> {
    type Joined = Width<W>;
}

impl<const W: usize> Join<Width<W>> for Width<W> {
    type Joined = Width<W>;
}

/// The width that a call has in the end: one, if no argument says otherwise.
pub trait Resolve<const W: usize> {}

impl Resolve<1> for AnyWidth {}
impl<const W: usize> Resolve<W> for Width<W> {}

/// `T`, which is known only if `Self` is: where `Self` is a mistake, what depends on it says nothing more.
#[doc(hidden)]
pub trait Known<T> {
    /// `T`.
    type Known;

    /// The value itself.
    fn known(value: T) -> Self::Known;
}

impl<T, X> Known<T> for X {
    type Known = T;

    #[inline]
    fn known(value: T) -> T {
        value
    }
}
