//! Tuples of arguments: the only place that counts them.

use super::content::{Arg, Spec};
use super::passing::{Access, Passing};
use super::slot::{AnySlots, Flat, Slot};

/// How a function takes its arguments: a tuple of [`Passing`]s.
pub trait Passings: 'static {
    /// The memory of all arguments.
    type Slots: AnySlots + Clone + Sync;
    /// What the function receives.
    type Primals<'a>;

    /// What the function may do with each argument.
    const ACCESS: &'static [Access];

    /// Whether some argument is a view.
    const VIEWS: bool;

    /// Lends the primals.
    fn primals(slots: &mut Self::Slots) -> Self::Primals<'_>;

    /// The slots in layouts of memory: as they are, then all arguments alike in a few ways, then each with a layout of its own, and
    /// its shadows with others, so that each has been in every layout that it has. An argument of fewer layouts keeps its first.
    fn layouts(slots: &Self::Slots) -> Vec<Self::Slots>;

    /// The slots with every view that is only read as one row repeated, if there is one; in way 1, as one column.
    fn broadcast(slots: &Self::Slots, way: usize) -> Option<Self::Slots>;

    /// The slots with the tangents of such views so repeated.
    fn broadcast_tangents(slots: &Self::Slots, way: usize) -> Option<Self::Slots>;

    /// The slots at another size, where all that are memory have one; values stay as they are.
    fn resized(slots: &Self::Slots, to: &dyn Fn(usize) -> usize) -> Option<Self::Slots>;

    /// The slots with another integer in place of argument `argument`: number `number` of those there are.
    fn another(slots: &Self::Slots, argument: usize, number: usize) -> Option<Self::Slots>;

    /// The slots with argument `argument` alone at another size; `None` if it is no memory, or has one size.
    fn stretched(
        slots: &Self::Slots,
        argument: usize,
        to: &dyn Fn(usize) -> usize,
    ) -> Option<Self::Slots>;
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

/// The layouts in which all arguments are put alike, by number: as they are, with gaps, backwards, by columns.
const ALIKE: [usize; 4] = [0, 1, 2, 5];

macro_rules! tuples {
    ($(($($p:ident $i:tt),*))*) => {$(
        impl<$($p: Passing),*> Passings for ($($p,)*) {
            type Slots = ($(Slot<$p>,)*);
            type Primals<'a> = ($($p::Primal<'a>,)*);

            const ACCESS: &'static [Access] = &[$($p::ACCESS),*];
            const VIEWS: bool = false $(|| $p::VIEW)*;

            #[allow(clippy::unused_unit)]
            fn primals(_slots: &mut Self::Slots) -> Self::Primals<'_> {
                ($($p::primal(&mut _slots.$i.primal),)*)
            }
            #[allow(clippy::unused_unit)]
            fn layouts(_slots: &Self::Slots) -> Vec<Self::Slots> {
                let counts: &[usize] = &[1, $(_slots.$i.count()),*];
                let count = counts.iter().copied().fold(1, usize::max);
                let uniform = ALIKE.into_iter().filter(|number| *number < count).map(|_number| ($(_slots.$i.uniform(_number),)*));
                let turns = if count > 1 { count } else { 0 };
                let mixed = (0..turns).map(|_turn| ($(_slots.$i.mixed(_turn + $i),)*));
                uniform.chain(mixed).collect()
            }
            #[allow(clippy::unused_unit)]
            fn broadcast(_slots: &Self::Slots, _way: usize) -> Option<Self::Slots> {
                let _slots = ($(_slots.$i.broadcast(_way),)*);
                let any = false $(|| _slots.$i.1)*;
                any.then_some(($(_slots.$i.0,)*))
            }
            #[allow(clippy::unused_unit)]
            fn broadcast_tangents(_slots: &Self::Slots, _way: usize) -> Option<Self::Slots> {
                let _slots = ($(_slots.$i.broadcast_tangents(_way),)*);
                let any = false $(|| _slots.$i.1)*;
                any.then_some(($(_slots.$i.0,)*))
            }
            #[allow(clippy::unused_unit)]
            fn resized(_slots: &Self::Slots, _to: &dyn Fn(usize) -> usize) -> Option<Self::Slots> {
                let slots = ($(match $p::ACCESS {
                    Access::Value => _slots.$i.clone(),
                    Access::Shared | Access::Exclusive => _slots.$i.resized(_to)?,
                },)*);
                Some(slots)
            }
            fn another(_slots: &Self::Slots, _argument: usize, _number: usize) -> Option<Self::Slots> {
                #[allow(unused_mut)]
                let mut _other = _slots.clone();
                $(if _argument == $i {
                    _other.$i = _slots.$i.another(_number)?;
                    return Some(_other);
                })*
                None
            }
            fn stretched(_slots: &Self::Slots, _argument: usize, _to: &dyn Fn(usize) -> usize) -> Option<Self::Slots> {
                #[allow(unused_mut)]
                let mut _other = _slots.clone();
                $(if _argument == $i && $p::ACCESS != Access::Value {
                    _other.$i = _slots.$i.resized(_to)?;
                    return Some(_other);
                })*
                None
            }
        }

        impl<$($p: Passing),*> AnySlots for ($(Slot<$p>,)*) {
            fn flat(&self) -> Vec<&dyn Flat> {
                vec![$(&self.$i),*]
            }
            fn flat_mut(&mut self) -> Vec<&mut dyn Flat> {
                vec![$(&mut self.$i),*]
            }
            fn twin(&self) -> Box<dyn AnySlots> {
                Box::new(self.clone())
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
