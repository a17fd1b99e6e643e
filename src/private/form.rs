//! Whether an operand is a reference or a value: what a witness asks where the compiler had to guess. Nothing here is ever run.
//!
//! Operators on references may be others than those on values, but for types of which the library knows that they are not.

use crate::tangent::Tangent;

/// A type whose operators mean the same on references and on values.
pub trait Uniform {}

#[cfg(feature = "ndarray")]
impl<S: ndarray::RawData, D> Uniform for ndarray::ArrayBase<S, D> {}

#[cfg(any(feature = "nalgebra", feature = "glam"))]
macro_rules! uniform {
    ($([$($g:tt)*] $t:ty;)*) => {$(impl<$($g)*> Uniform for $t {})*};
}

#[cfg(feature = "nalgebra")]
uniform! {
    [T, R, C, S] nalgebra::Matrix<T, R, C, S>;
    [T: nalgebra::Scalar, const D: usize] nalgebra::Point<T, D>;
    [T] nalgebra::Quaternion<T>;
    [T] nalgebra::Unit<T>;
    [T, const D: usize] nalgebra::Rotation<T, D>;
    [T, const D: usize] nalgebra::Translation<T, D>;
    [T, R, const D: usize] nalgebra::Isometry<T, R, D>;
}

#[cfg(feature = "nalgebra")]
impl<'a, T, R: nalgebra::Dim, C: nalgebra::Dim, P: nalgebra::Dim, Q: nalgebra::Dim> View
    for nalgebra::Matrix<T, R, C, nalgebra::ViewStorage<'a, T, R, C, P, Q>>
{
}

#[cfg(feature = "glam")]
uniform! {
    [] glam::DVec2; [] glam::DVec3; [] glam::DVec4; [] glam::DMat2; [] glam::DMat3; [] glam::DMat4; [] glam::DQuat;
    [] glam::Vec2; [] glam::Vec3; [] glam::Vec4; [] glam::Mat2; [] glam::Mat3; [] glam::Mat4; [] glam::Quat;
}

/// What a view of memory is that is no memory of its own.
pub trait View {}

#[cfg(feature = "ndarray")]
impl<S, D> View for ndarray::ArrayBase<ndarray::ViewRepr<S>, D> where
    ndarray::ViewRepr<S>: ndarray::RawData
{
}
#[cfg(feature = "ndarray")]
impl<T, D> View for ndarray::ArrayBase<ndarray::CowRepr<'_, T>, D> {}

/// Why an operand may be taken for what it was taken for: one of these holds, so that the compiler can find which.
pub mod reasons {
    /// It is a reference.
    #[derive(Debug)]
    pub struct ItIs;
    /// It is a type parameter that is a number by a bound of the user's: a witness has the bound besides, and is never called.
    #[derive(Debug)]
    pub struct Parameter;
    /// It is a view.
    #[derive(Debug)]
    pub struct View;
    /// It is a number.
    #[derive(Debug)]
    pub struct Number;
    /// It is an array.
    #[derive(Debug)]
    pub struct Array;
}

/// What may be taken for a reference.
#[diagnostic::on_unimplemented(
    message = "this operand is of type `{Self}`, and was taken for a reference",
    label = "a value",
    note = "operators on references may be others than those on values: give the value a name of its own, `let x: {Self} = …`"
)]
pub trait ForReference<Reason> {}

impl<A: ?Sized> ForReference<reasons::ItIs> for &A {}
impl<A: num_traits::Num> ForReference<reasons::Number> for A {}
impl<A: Uniform> ForReference<reasons::Array> for A {}

/// What a loop may go over by itself: entry by entry, as by its indices.
#[diagnostic::on_unimplemented(
    message = "a loop over `{Self}` is one over what its own `into_iter` gives, which the compiler does not see",
    label = "not of the standard library",
    note = "write a loop over a field of it, or over indices"
)]
pub trait Iterated: IntoIterator {}

#[diagnostic::do_not_recommend]
impl<A: super::premises::Standard + IntoIterator> Iterated for A {}

/// What a loop goes over.
pub fn iterated<A: Iterated>(over: A) -> A {
    over
}

/// What may be taken for a value.
#[diagnostic::on_unimplemented(
    message = "this operand is of type `{Self}`, and was taken for a value",
    label = "a reference",
    note = "operators on references may be others than those on values: write `*x` for the value, `&*x` for the reference"
)]
pub trait ForValue<Reason> {}

impl<A: Tangent> ForValue<reasons::ItIs> for A {}
impl<A: View> ForValue<reasons::View> for A {}
impl<A: num_traits::Num> ForValue<reasons::Number> for &A {}
impl<A: Uniform + ?Sized> ForValue<reasons::Array> for &A {}

/// An operand that was taken for a reference.
pub fn taken_for_a_reference<A: ForReference<Reason>, Reason>(operand: A) -> A {
    operand
}

/// An operand that was taken for a value.
pub fn taken_for_a_value<A: ForValue<Reason>, Reason>(operand: A) -> A {
    operand
}
