//! A function and the marker of its name are one.
//!
//! Functions and markers are items of two kinds. An unmarked function hides a marked one that comes by a glob import, but not its marker: a
//! call would mean the first, and its rule would be that of the second. Types do not tell, since nobody can write the type of a function; the
//! names of the types do. Where they agree the optimizer sees it, and nothing is left of the comparison.

use std::any::type_name;
use std::marker::PhantomData;

/// The function that a call means, and the marker of its name: a call that is never made tells both types.
#[derive(Debug)]
pub struct Callee<M, F>(PhantomData<(M, F)>);

impl<M, F> Callee<M, F> {
    /// Not yet known.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn new() -> Self {
        Self(PhantomData)
    }

    /// The function itself.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn is(&self, _: M, function: F) -> F {
        function
    }
}

impl<M, F> Clone for Callee<M, F> {
    fn clone(&self) -> Self {
        *self
    }
}

// a closure of the witness may own what it names
impl<M, F> Copy for Callee<M, F> {}

/// A marker whose function has one type, which has no lifetime.
pub trait OneType {}

/// A marker, which says whether the type of its function can be told.
#[derive(Debug)]
pub struct Of<M>(pub M);

impl<M: OneType> Of<M> {
    /// The function itself.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn agrees<F>(self, _: &Callee<M, F>, function: F) -> F {
        function
    }
}

/// What is found for other markers: nothing is told.
pub trait AnyType: Sized {
    /// The function itself.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn agrees<F>(self, _: &Callee<(), ()>, function: F) -> F {
        function
    }
}

impl<M> AnyType for Of<M> {}

impl<M, F> Default for Callee<M, F> {
    fn default() -> Self {
        Self::new()
    }
}

/// Callees in a list.
pub trait Agree {
    /// Panics if a function is not that of its marker.
    fn agree();
}

impl Agree for () {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn agree() {}
}

impl<M, F, Rest: Agree> Agree for (Callee<M, F>, Rest) {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn agree() {
        let (marker, function) = (type_name::<M>(), type_name::<F>());
        if marker != function && !is_instance(function, marker) {
            compare(function, marker);
        }
        Rest::agree();
    }
}

/// Asks those that a witness would return: it is not called.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn agree<A: Agree>(_: fn() -> A) {
    A::agree();
}

/// The marker of a function that calls others.
pub trait Callees {
    /// Panics if one of them is not the function of its marker.
    fn agree();
}

/// `lib::norm<f64>` of `lib::norm`, and what a function in a file of its own name has for a marker.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_instance(function: &str, marker: &str) -> bool {
    begins(function, marker, "<") || begins(marker, function, OF_A_FILE)
}

/// What the name of the marker of such a function ends with.
const OF_A_FILE: &str = "__marker";

/// Whether a name is `start`, `then`, and more.
#[cfg_attr(not(debug_assertions), inline(always))]
fn begins(name: &str, start: &str, then: &str) -> bool {
    let (name, start, then) = (name.as_bytes(), start.as_bytes(), then.as_bytes());
    let (n, m) = (start.len(), start.len() + then.len());
    name.len() >= m && name[..n] == *start && name[n..m] == *then
}

/// Compares names whose parameters differ.
#[cold]
#[inline(never)]
fn compare(function: &str, marker: &str) {
    let bare = |name| str::split(name, '<').next().unwrap_or_default();
    let marker = bare(marker);
    assert_eq!(
        bare(function),
        marker.strip_suffix(OF_A_FILE).unwrap_or(marker),
        "the call means the first of these functions, the rule is that of the second, which came by a glob import: mark the first, too"
    );
}
