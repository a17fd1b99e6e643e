//! What generated code asserts of names: see the `premises` of the macros. Nothing here is ever run.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use crate::Inert;

pub use num_traits::Float;
pub use num_traits::ToPrimitive;
pub use num_traits::real::Real as NumReal;

/// The answer of a query.
pub fn inert<T: Inert>(answer: T) -> T {
    answer
}

/// What a field borrows: a shadow owns its memory, so there is no derivative of that.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn borrowed<'a, T: ?Sized>(field: &&'a T) -> &'a T {
    field
}

/// A type that is taken for inactive.
pub fn inert_type<T: Inert + ?Sized>() {}

/// What is read of an error.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` that is read of an error may carry a derivative, which an error does not",
    label = "computed with, where a call has given no value",
    note = "return what is differentiated in `Ok`, or write `Inactive(value).0` for what is known to carry none"
)]
pub trait ErrorPart {}

#[diagnostic::do_not_recommend]
impl<T: Inert> ErrorPart for T {}

/// What is read of an error that a pattern binds.
pub fn of_error<T: ErrorPart>(part: T) -> T {
    part
}

/// A type of the standard library or of a library that the compiler knows, whose methods are what their names say.
#[diagnostic::on_unimplemented(
    message = "the name of this method is taken for one of the standard library, which `{Self}` is no part of",
    label = "not a method of the standard library",
    note = "call a method of your own by its path, `Type::method(&x, …)`, or on a local whose type is written, `let x: &Type = …`; or give it another name"
)]
pub trait Standard {
    /// The vector or the array itself, whose own methods come before those of its slice.
    type Vector;
}

/// As [`Standard`], of types that are no slices, vectors or arrays: the methods of iterators, options, and `ndarray`.
#[diagnostic::on_unimplemented(
    message = "the name of this method is taken for one of iterators, options or `ndarray`, which `{Self}` has not",
    label = "not a method of the standard library",
    note = "call a method of your own by the path of its type, `Type::method(&x, …)`, or give it another name"
)]
pub trait NoSlice {}

/// The receiver of a method.
pub fn standard<T: Standard + ?Sized>(_: &T) {}

/// As [`standard`], of a value.
pub fn standard_value<T: Standard>(receiver: T) -> T {
    receiver
}

/// The receiver of a method that slices have not.
pub fn no_slice<T: NoSlice + ?Sized>(_: &T) {}

/// As [`no_slice`], of a value.
pub fn no_slice_value<T: NoSlice>(receiver: T) -> T {
    receiver
}

/// A function that is taken for one of the standard library: two items of one type are one item.
pub fn this_name_means_the_function_of_the_standard_library<F>(function: F, _: F) -> F {
    function
}

/// What is converted by the standard library.
pub fn converted<X, T: Into<X>>(value: T) -> T {
    value
}

/// Functions that are one: see [`sole_of_its_name`].
#[diagnostic::on_unimplemented(
    message = "the type has a method of its own with the name of this one, and a call by the name means that",
    label = "not what a call means",
    note = "the rule of the trait's method would be found for a call of the other: give one of them another name, or write `#[skip]` before this one"
)]
pub trait Is<F> {}

#[diagnostic::do_not_recommend]
impl<F> Is<F> for F {}

/// A method by the path of its type, and by that of its trait.
pub fn sole_of_its_name<F: Is<G>, G>(_: Functions<F, G>) {}

/// Two functions, whose types are known before they are compared.
#[derive(Debug)]
pub struct Functions<F, G>(pub F, pub G);

/// A method that changes nothing that can be seen.
pub fn unchanged<T>(method: impl Fn() -> T) -> T {
    method()
}

/// A receiver that a method takes, which stays what it is while an argument is computed: generated code reads it afterwards.
pub fn bind_the_receiver_to_a_name_first<P: ?Sized, T>(_: &P, argument: T) -> T {
    argument
}

/// What a method returns that is taken for its receiver.
pub fn lent_back<T: ?Sized>(receiver: &mut T) -> &mut T {
    receiver
}

macro_rules! sequences {
    ($([$($generics:tt)*] $ty:ty, $vector:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Standard for $ty {
            type Vector = $vector;
        }
    )* };
}
macro_rules! others {
    ($([$($generics:tt)*] $ty:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Standard for $ty {
            type Vector = $crate::__private::decoys::NoVector;
        }
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> NoSlice for $ty {}
    )* };
}

sequences! {
    [T] [T], decoys::NoVector;
    [T, const N: usize] [T; N], [T; N];
    [T] Vec<T>, Vec<T>;
    [T: Standard + ?Sized] &T, T::Vector;
    [T: Standard + ?Sized] &mut T, T::Vector;
    [T: Standard + ?Sized] Box<T>, T::Vector;
    [T: Standard + ?Sized] Rc<T>, T::Vector;
    [T: Standard + ?Sized] Arc<T>, T::Vector;
    [T: Standard + ToOwned + ?Sized] Cow<'_, T>, T::Vector;
}

#[diagnostic::do_not_recommend]
impl<T: NoSlice + ?Sized> NoSlice for &T {}
#[diagnostic::do_not_recommend]
impl<T: NoSlice + ?Sized> NoSlice for &mut T {}
#[diagnostic::do_not_recommend]
impl<T: NoSlice + ?Sized> NoSlice for Box<T> {}
#[diagnostic::do_not_recommend]
impl<T: NoSlice + ?Sized> NoSlice for Rc<T> {}
#[diagnostic::do_not_recommend]
impl<T: NoSlice + ?Sized> NoSlice for Arc<T> {}

others! {
    [] f64; [] f32; [] std::cmp::Ordering; [] bool; [] char; [] str; [] String; [] ();
    [] i8; [] i16; [] i32; [] i64; [] i128; [] isize; [] u8; [] u16; [] u32; [] u64; [] u128; [] usize;
    [T] Option<T>;
    [T, E] Result<T, E>;
    [T] VecDeque<T>;
    [T] BinaryHeap<T>;
    [T] LinkedList<T>;
    [K, V, S] HashMap<K, V, S>;
    [K, S] HashSet<K, S>;
    [K, V] BTreeMap<K, V>;
    [K] BTreeSet<K>;
    [T: ?Sized] Cell<T>;
    [T: ?Sized] RefCell<T>;
    [T] core::ops::Range<T>;
    [T] core::ops::RangeInclusive<T>;
    [T] core::ops::RangeFrom<T>;
    [T] dyn Iterator<Item = T> + '_;
    [T] core::slice::Iter<'_, T>;
    [T] core::slice::IterMut<'_, T>;
    [T] core::slice::Chunks<'_, T>;
    [T] core::slice::ChunksMut<'_, T>;
    [T] core::slice::ChunksExact<'_, T>;
    [T] core::slice::ChunksExactMut<'_, T>;
    [T] core::slice::RChunks<'_, T>;
    [T] core::slice::Windows<'_, T>;
    [T, P: FnMut(&T) -> bool] core::slice::Split<'_, T, P>;
    [T] std::vec::IntoIter<T>;
    [T] std::vec::Drain<'_, T>;
    [T, const N: usize] core::array::IntoIter<T, N>;
    [T] core::option::IntoIter<T>;
    [T] core::iter::Once<T>;
    [T] core::iter::Repeat<T>;
    [T] core::iter::RepeatN<T>;
    [T] core::iter::Empty<T>;
    [T, F] core::iter::Successors<T, F>;
    [F] core::iter::RepeatWith<F>;
    [F] core::iter::FromFn<F>;
    [I, F] core::iter::Map<I, F>;
    [I, P] core::iter::Filter<I, P>;
    [I, F] core::iter::FilterMap<I, F>;
    [I: Iterator, U: IntoIterator, F] core::iter::FlatMap<I, U, F>;
    [I] core::iter::Enumerate<I>;
    [I: Iterator] core::iter::Peekable<I>;
    [I] core::iter::Rev<I>;
    [I] core::iter::Take<I>;
    [I] core::iter::Skip<I>;
    [I] core::iter::StepBy<I>;
    [I] core::iter::Copied<I>;
    [I] core::iter::Cloned<I>;
    [I] core::iter::Cycle<I>;
    [I] core::iter::Fuse<I>;
    [A, B] core::iter::Zip<A, B>;
    [A, B] core::iter::Chain<A, B>;
    [I, P] core::iter::TakeWhile<I, P>;
    [I, P] core::iter::SkipWhile<I, P>;
    [I, P] core::iter::MapWhile<I, P>;
    [I, F] core::iter::Inspect<I, F>;
    [I, S, F] core::iter::Scan<I, S, F>;
    [] core::str::Chars<'_>;
    [] core::str::Bytes<'_>;
    [] core::str::Lines<'_>;
    [] core::str::SplitWhitespace<'_>;
}

#[cfg(feature = "ndarray")]
mod arrays {
    use super::{NoSlice, Standard};
    use ndarray::iter;
    use ndarray::{ArrayBase, ArrayRef, Dimension, RawData, Zip};

    others! {
        [S: RawData, D: Dimension] ArrayBase<S, D>;
        [T, D: Dimension] ArrayRef<T, D>;
        [P, D] Zip<P, D>;
        [T, D] iter::Iter<'_, T, D>;
        [T, D] iter::IterMut<'_, T, D>;
        [T, D] iter::IndexedIter<'_, T, D>;
        [T, D] iter::IndexedIterMut<'_, T, D>;
        [T, D] iter::AxisIter<'_, T, D>;
        [T, D] iter::AxisIterMut<'_, T, D>;
        [T, D] iter::AxisChunksIter<'_, T, D>;
        [T, D] iter::AxisChunksIterMut<'_, T, D>;
        [T, D] iter::Lanes<'_, T, D>;
        [T, D] iter::LanesMut<'_, T, D>;
        [T, D] iter::LanesIter<'_, T, D>;
        [T, D] iter::LanesIterMut<'_, T, D>;
        [T, D] iter::ExactChunks<'_, T, D>;
        [T, D] iter::ExactChunksIter<'_, T, D>;
        [T, D] iter::Windows<'_, T, D>;
        [T, D] iter::AxisWindows<'_, T, D>;
        [D: Dimension] iter::Indices<D>;
    }
}

#[cfg(feature = "complex")]
mod numbers {
    use super::{NoSlice, Standard};

    others! {
        [T] num_complex::Complex<T>;
    }
}

/// A complex number.
pub trait Complexes {}

#[cfg(feature = "complex")]
impl<T> Complexes for num_complex::Complex<T> {}

/// What a constructor of complex numbers made.
pub fn complex<T: Complexes>(number: T) -> T {
    number
}

/// The vector or array on the way to a slice, which may have a method of the same name by a trait.
pub fn vector<T: Standard + ?Sized>(_: &T) -> T::Vector {
    unreachable!("a witness is never run")
}

/// Traits with the names of methods of slices. Where a trait of the user's gives a vector a method of such a name, there are two to
/// choose from, and the program does not compile.
#[allow(non_camel_case_types, missing_docs)]
pub mod decoys {
    /// What the method of a decoy returns, and no other.
    #[derive(Debug)]
    pub struct Decoy;

    /// A receiver that has decoys and nothing else.
    #[derive(Debug)]
    pub struct NoVector;

    macro_rules! decoys {
        ($($name:ident)*) => {$(
            pub trait $name {
                fn $name(&mut self) -> Decoy;
            }
            impl<T> $name for Vec<T> {
                fn $name(&mut self) -> Decoy {
                    Decoy
                }
            }
            impl<T, const N: usize> $name for [T; N] {
                fn $name(&mut self) -> Decoy {
                    Decoy
                }
            }
            impl $name for NoVector {
                fn $name(&mut self) -> Decoy {
                    Decoy
                }
            }
        )*};
    }

    decoys! {
        chunks chunks_exact chunks_exact_mut chunks_mut clone_from_slice concat contains copy_from_slice copy_within fill first
        first_chunk first_mut get get_mut is_sorted iter iter_mut join last last_chunk last_mut reverse rotate_left
        rotate_right select_nth_unstable_by sort sort_by sort_by_key sort_unstable sort_unstable_by split_at split_at_mut
        split_first split_first_mut split_last split_last_mut swap swap_with_slice to_vec windows
    }
}

#[cfg(feature = "nalgebra")]
mod matrices {
    use super::{NoSlice, Standard};
    use nalgebra::{Matrix, Quaternion, Unit};

    others! {
        [T, R, C, S] Matrix<T, R, C, S>;
        [T] Quaternion<T>;
        [T] Unit<T>;
    }
}
