//! Operations on the lanes of a local's shadow.

use std::borrow::Borrow;

use crate::activity::{
    DynArg, Lane, Lent, each_lane, lane_array, lanes_of, map_lanes, map_lanes_mut,
};
use crate::rule::Lanes;
use crate::tangent::{SHORT, Tangent};

/// A type with a zero that needs no shape: the type of a scalar local.
#[diagnostic::on_unimplemented(
    message = "an active local of type `{Self}` has no zero without its shape",
    label = "not a number, or a tuple or fixed array of numbers",
    note = "write into a `&mut` argument or a `Vec` that is declared with its shape"
)]
pub trait Blank: Sized {
    /// The zero.
    fn blank() -> Self;

    /// What a sum begins with: see [`Tangent::empty_sum`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty_sum() -> Self {
        Self::blank()
    }
}

/// A vector of blanks, all of which are written before they are read.
pub fn blanks<T: Blank + Clone>(n: usize) -> Vec<T> {
    /// The longest block that `malloc` takes from those that were freed last, where `calloc` does not look.
    const CACHED: usize = 1024;
    if n.saturating_mul(size_of::<T>()) > CACHED {
        return vec![T::blank(); n];
    }
    let mut short = Vec::with_capacity(n);
    short.resize(n, T::blank());
    short
}

/// Nothing. The optimizer takes a branch in which this is called for a rare one, so that it computes nothing of it before it knows that the branch is
/// taken: it takes a logarithm for cheap.
#[cold]
pub fn seldom() {}

macro_rules! blank_floats {
    ($($t:ty),*) => {$(
        impl Blank for $t {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn blank() -> Self {
                0.0
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn empty_sum() -> Self {
                -0.0
            }
        }
    )*};
}

blank_floats!(f32, f64);

macro_rules! blank {
    ($($zero:expr => $($t:ty),*;)*) => {$($(
        impl Blank for $t {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn blank() -> Self {
                $zero
            }
        }
    )*)*};
}

blank! {
    0 => i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize;
    false => bool;
    '\0' => char;
    () => ();
    "" => &'static str;
    String::new() => String;
}

impl<T: crate::Real> Blank for crate::Dual<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn blank() -> Self {
        Self::default()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty_sum() -> Self {
        Tangent::empty_sum(&Self::default())
    }
}

impl<T: crate::Real> Blank for std::ops::Range<T> {
    #[inline(always)]
    fn blank() -> Self {
        Self::default()
    }
    #[inline(always)]
    fn empty_sum() -> Self {
        Tangent::empty_sum(&Self::default())
    }
}

#[cfg(feature = "complex")]
impl<T: crate::Real> Blank for num_complex::Complex<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn blank() -> Self {
        Self::default()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty_sum() -> Self {
        Tangent::empty_sum(&Self::default())
    }
}

impl<T: ?Sized> Blank for std::marker::PhantomData<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn blank() -> Self {
        Self
    }
}

impl<T: Default> Blank for crate::Inactive<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn blank() -> Self {
        Self(T::default())
    }
}

impl<T: Blank, const N: usize> Blank for [T; N] {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn blank() -> Self {
        std::array::from_fn(|_| T::blank())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty_sum() -> Self {
        match N <= SHORT {
            true => std::array::from_fn(|_| T::empty_sum()),
            false => Self::blank(),
        }
    }
}

impl<T> Blank for Vec<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn blank() -> Self {
        Self::new()
    }
}

impl<T: Blank> Blank for Box<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn blank() -> Self {
        Self::new(T::blank())
    }
}

/// A type that can stand in a field without derivative of a [`Blank`] struct.
#[diagnostic::on_unimplemented(
    message = "an active local of a struct with an inactive field of type `{Self}` begins with a default",
    label = "`{Self}` has no default",
    note = "derive `Default` for it; or, if it is an enum, derive `Tangent` and leave `#[tangent(inactive)]` off the field"
)]
pub trait BlankInactive {
    /// What nobody reads.
    fn blank_inactive() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> BlankInactive for T {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn blank_inactive() -> Self {
        Self::default()
    }
}

impl<T> Blank for Option<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn blank() -> Self {
        None
    }
}

impl<T> Blank for Box<[T]> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn blank() -> Self {
        Self::default()
    }
}

#[cfg(feature = "ndarray")]
impl<T: Default, D: ndarray::Dimension> Blank for ndarray::Array<T, D> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn blank() -> Self {
        Default::default()
    }
}

macro_rules! blank_tuples {
    ($(($($t:ident)+))*) => {$(
        impl<$($t: Blank),+> Blank for ($($t,)+) {
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn blank() -> Self {
                ($($t::blank(),)+)
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn empty_sum() -> Self {
                ($($t::empty_sum(),)+)
            }
        }
    )*};
}

blank_tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
(A B C D E F G H I)
(A B C D E F G H I J)
(A B C D E F G H I J K)
(A B C D E F G H I J K L) }

/// Lanes that sums into the shape of `value` begin with.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn sums<T: Tangent<Owned = T>, const W: usize>(value: &T) -> [T; W] {
    lane_array(|_| value.empty_sum())
}

/// What tells the shape of a cotangent that is handed on.
pub trait Shape<T> {
    /// Whether a cotangent has the shape.
    fn is_of(&self, cotangent: &T) -> bool;
    /// Gives a cotangent of the shape the parts that have no derivative.
    fn copy_inactive(&self, cotangent: &mut T);
    /// What a sum of the shape begins with.
    fn empty_sum(&self) -> T;
}

impl<T: Tangent<Owned = T>> Shape<T> for T {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_of(&self, cotangent: &T) -> bool {
        Tangent::congruent(self, cotangent).is_ok()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn copy_inactive(&self, cotangent: &mut T) {
        Tangent::copy_inactive(cotangent, self);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty_sum(&self) -> T {
        Tangent::empty_sum(self)
    }
}

/// The shape of the result of a call that a function returns: `None` if a cotangent comes back for certain, which has it.
pub struct ReturnedShape<T>(pub Option<T>);

impl<T: Tangent<Owned = T>> Shape<T> for ReturnedShape<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_of(&self, _: &T) -> bool {
        true
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn copy_inactive(&self, cotangent: &mut T) {
        if let Some(shape) = &self.0 {
            Tangent::copy_inactive(cotangent, shape);
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty_sum(&self) -> T {
        Tangent::empty_sum(self.0.as_ref().expect("no cotangent comes back"))
    }
}

/// Lanes of memory that became a value as a whole, with the cotangents of the value.
///
/// # Panics
/// If their shape is another.
pub fn received<T: Tangent<Owned = T>, const W: usize>(
    shape: &impl Shape<T>,
    from: impl Lanes<T>,
) -> [T; W] {
    let mut from = from.into_lanes();
    lane_array(|_| match from.next() {
        Some(mut from) if shape.is_of(&from) => {
            shape.copy_inactive(&mut from);
            from
        }
        Some(mut from) => {
            let mut sum = shape.empty_sum();
            Tangent::absorb(&mut sum, &mut from);
            sum
        }
        None => shape.empty_sum(),
    })
}

/// Lanes that sums into the shape of `lanes` begin with.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn sums_like<T: Tangent<Owned = T>, const W: usize>(lanes: &[T; W]) -> [T; W] {
    map_lanes(lanes, T::empty_sum)
}

/// A zero of the type of `value`, which what takes the zero tells where `value` is a literal.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn zero_of<T: Tangent<Owned = T>>(value: &T) -> T {
    Tangent::zero_like(value)
}

/// Zero lanes of the shape of `value`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn zeros<T: Tangent<Owned = T>, const W: usize>(value: &T) -> [T; W] {
    lane_array(|_| Tangent::zero_like(value))
}

/// `lanes += other`, lane by lane.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn add<T: Tangent, const W: usize>(lanes: &mut [T; W], other: &[T; W]) {
    for (a, b) in lanes.iter_mut().zip(other) {
        Tangent::accumulate(a, b);
    }
}

/// `into += from; from = 0`, lane by lane.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn move_into<T: Tangent<Owned = T>, const W: usize>(into: &mut [T; W], from: &mut [T; W]) {
    for (a, b) in into.iter_mut().zip(from) {
        Tangent::accumulate(a, b);
        *b = b.empty_sum();
    }
}

/// `into += from`, lane by lane; `from` is of a local that had another value before, maybe of another shape.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn hand_on<T: Tangent<Owned = T> + Blank, const W: usize>(
    into: &mut [T; W],
    from: &mut [T; W],
) {
    add(into, from);
    begin_again(from);
}

/// What sums of a local begin with, before it was assigned.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn begin_again<T: Blank, const W: usize>(lanes: &mut [T; W]) {
    for lane in lanes {
        *lane = T::empty_sum();
    }
}

/// The shadows of a slice, cut to its length, so that one check serves both.
///
/// # Panics
/// If a shadow is shorter.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn cut<'a, T, const W: usize>(primal: &[T], shadows: [Lane<'a, [T]>; W]) -> [Lane<'a, [T]>; W] {
    shadows.map(|lane| lane.into_part(|s| &mut s[..primal.len()]))
}

/// The shadows of two memories that change places; an inactive one has none.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn exchange<T: Tangent>(a: Option<&mut T>, b: Option<&mut T>) {
    match (a, b) {
        (Some(a), Some(b)) => std::mem::swap(a, b),
        (Some(one), None) | (None, Some(one)) => Tangent::zero_out(one),
        (None, None) => {}
    }
}

/// Lanes by number, each once.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn lane_values<T, const W: usize>(lanes: [T; W]) -> impl FnMut(usize) -> T {
    let mut lanes = lanes.map(Some);
    move |lane| lanes[lane].take().expect("each lane is asked for once")
}

/// A value of a type that the user wrote.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn typed<T>(value: T) -> T {
    value
}

/// One.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn one<T: num_traits::One>() -> T {
    T::one()
}

/// An owned copy of `value`, as the container that `like` is.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn owned_like<S, T>(_: &S, value: &T) -> S
where
    T: ToOwned<Owned: TryInto<S>> + ?Sized,
{
    let copy = value.to_owned().try_into();
    copy.ok().expect("a shadow has the length of its primal")
}

/// The copy, if one was made, otherwise the memory in place.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn saved_or<'a, T: ?Sized, C: Borrow<T>>(saved: &'a Option<C>, in_place: &'a T) -> &'a T {
    match saved {
        Some(copy) => copy.borrow(),
        None => in_place,
    }
}

/// A part of every lane's shadow, if there are shadows.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn each<'a, T: ?Sized, U: ?Sized, const W: usize>(
    lanes: &'a [Option<&T>; W],
    part: impl Fn(&T) -> &U,
) -> Option<[&'a U; W]> {
    lanes[0]?;
    let part = |lane: &Option<&'a T>| part(lane.expect("all lanes have a shadow or none"));
    Some(map_lanes(lanes, part))
}

/// As [`each`], of shadows that could be changed.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn each_of_mut<'a, T: ?Sized, U: ?Sized, const W: usize>(
    lanes: &'a [Lane<'_, T>; W],
    part: impl Fn(&T) -> &U,
) -> Option<[&'a U; W]> {
    if !lanes[0].is_active() {
        return None;
    }
    Some(map_lanes(lanes, |l| {
        part(l.as_deref().expect("all lanes have a shadow or none"))
    }))
}

/// As [`each`], to be changed.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn each_mut<'a, T: ?Sized, U: ?Sized, const W: usize>(
    lanes: &'a mut [Lane<'_, T>; W],
    part: impl Fn(&mut T) -> &mut U,
) -> Option<[&'a mut U; W]> {
    if !lanes[0].is_active() {
        return None;
    }
    Some(map_lanes_mut(lanes, |l| {
        part(l.as_deref_mut().expect("all lanes have a shadow or none"))
    }))
}

/// A part of memory as an argument of an augmented pass, which touches no shadow: only whether there is one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn promised<'s, U: ?Sized, const W: usize>(
    primal: &U,
    active: bool,
) -> DynArg<&U, &'s mut U, W> {
    DynArg::promised(primal, active)
}

/// As [`promised`], to be written.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn promised_mut<'s, U: ?Sized, const W: usize>(
    primal: &mut U,
    active: bool,
) -> DynArg<&mut U, &'s mut U, W> {
    DynArg::promised(primal, active)
}

/// A part of a local as an argument of an augmented pass.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn promise<'s, U: ?Sized, const W: usize>(primal: &U) -> Lent<&U, &'s mut U, W> {
    Lent::promised(primal)
}

/// As [`promise`], to be written.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn promise_mut<'s, U: ?Sized, const W: usize>(primal: &mut U) -> Lent<&mut U, &'s mut U, W> {
    Lent::promised(primal)
}

/// The most words of an array whose cotangents are summed up in a local.
const FEW: usize = 64;

/// Sums in the place of the shadows of a small array, if it is active.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn own_sums<T: Tangent<Owned = T>, const W: usize>(
    primal: &T,
    shadows: &[Lane<'_, T>; W],
) -> Option<[T; W]> {
    let small = (1..=FEW).contains(&T::WORDS);
    (small && shadows[0].is_active()).then(|| sums(primal))
}

/// The sums as shadows; the shadows themselves if there are none.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn own_lanes<'a, T, const W: usize>(
    own: &'a mut Option<[T; W]>,
    shadows: [Lane<'a, T>; W],
) -> [Lane<'a, T>; W] {
    match own {
        Some(own) => lanes_of(own, |sum| Lane::Active(sum)),
        None => shadows,
    }
}

/// Adds the sums to the shadows.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn add_own<T: Tangent<Owned = T>, const W: usize>(
    shadows: &mut [Lane<'_, T>; W],
    own: &Option<[T; W]>,
) {
    let Some(own) = own else { return };
    each_lane::<W>(|lane| {
        if let Some(shadow) = shadows[lane].as_deref_mut() {
            Tangent::accumulate(shadow, &own[lane]);
        }
    });
}
