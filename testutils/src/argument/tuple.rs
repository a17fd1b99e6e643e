//! Tuples of arguments: the only place that counts them.

use super::content::{Arg, Spec};
use super::passing::{Access, Passing};
use super::slot::{Flat, Slot};

/// How a function takes its arguments: a tuple of [`Passing`]s.
pub trait Passings: 'static {
    /// The memory of all arguments.
    type Slots: Clone + Send + Sync + 'static;
    /// What the function receives.
    type Primals<'a>;

    /// What the function may do with each argument.
    const ACCESS: &'static [Access];

    /// Lends the primals.
    fn primals(slots: &mut Self::Slots) -> Self::Primals<'_>;

    /// The slots in every layout that some argument has; an argument of fewer layouts keeps its first.
    fn layouts(slots: &Self::Slots) -> Vec<Self::Slots>;

    /// The slots, one by one.
    fn flat(slots: &Self::Slots) -> Vec<&dyn Flat>;

    /// The slots, one by one, to be written.
    fn flat_mut(slots: &mut Self::Slots) -> Vec<&mut dyn Flat>;
}

/// The arguments of a test: a tuple of [`Arg`]s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the arguments of a test",
    label = "not a tuple of `input(…)`, `out(…)`, `inout(…)`, `value(…)`, `by_ref(…)`, `by_mut(…)`"
)]
pub trait Arguments {
    /// How the function takes them.
    type Passings: Passings;

    /// Takes storage and specification apart.
    #[doc(hidden)]
    fn split(self) -> (<Self::Passings as Passings>::Slots, Specs);
}

/// What is known of each argument whatever its type.
#[doc(hidden)]
pub struct Specs(pub(crate) Vec<Spec>);

macro_rules! tuples {
    ($(($($p:ident $i:tt),*))*) => {$(
        impl<$($p: Passing),*> Passings for ($($p,)*) {
            type Slots = ($(Slot<$p>,)*);
            type Primals<'a> = ($($p::Primal<'a>,)*);

            const ACCESS: &'static [Access] = &[$($p::ACCESS),*];

            #[allow(clippy::unused_unit)]
            fn primals(_slots: &mut Self::Slots) -> Self::Primals<'_> {
                ($($p::primal(&mut _slots.$i.primal),)*)
            }
            fn layouts(slots: &Self::Slots) -> Vec<Self::Slots> {
                let mut layouts = vec![slots.clone()];
                loop {
                    let (_number, mut _found, mut _next) = (layouts.len(), false, slots.clone());
                    $(
                        if let Some(store) = $p::layout(&slots.$i.primal, _number) {
                            _next.$i.primal = store;
                            _found = true;
                        }
                    )*
                    if !_found {
                        return layouts;
                    }
                    layouts.push(_next);
                }
            }
            fn flat(_slots: &Self::Slots) -> Vec<&dyn Flat> {
                vec![$(&_slots.$i),*]
            }
            fn flat_mut(_slots: &mut Self::Slots) -> Vec<&mut dyn Flat> {
                vec![$(&mut _slots.$i),*]
            }
        }

        impl<$($p: Passing),*> Arguments for ($(Arg<$p>,)*) {
            type Passings = ($($p,)*);

            #[allow(clippy::unused_unit)]
            fn split(self) -> (<Self::Passings as Passings>::Slots, Specs) {
                let slots = ($(Slot::new(self.$i.store),)*);
                (slots, Specs(vec![$(self.$i.spec),*]))
            }
        }
    )*};
}

tuples! {
    ()
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
