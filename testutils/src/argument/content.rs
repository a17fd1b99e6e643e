//! Arguments as an author writes them down.

use std::ops::Range;
use std::sync::Arc;

use super::passing::{ByValue, Exclusive, Lent, Passing, Shared, Writable};
use super::slice::{Piece, Slice, SliceMut};
use coenzyme::Tangent;

/// Where the numbers of an argument come from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Draw {
    /// They are those the author gave.
    Given,
    /// They are drawn in a range.
    Within(Range<f64>),
}

/// What is known of an argument whatever its type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spec {
    pub(crate) name: Option<String>,
    pub(crate) draw: Draw,
    /// The function overwrites the argument without reading it.
    pub(crate) write_only: bool,
    /// No range was given: the function may be defined anywhere.
    pub(crate) free: bool,
}

/// One argument of the function under test: how it is taken, and at which point.
#[must_use]
pub struct Arg<P: Passing> {
    pub(super) store: P::Store,
    pub(super) spec: Spec,
}

impl<P: Passing> Clone for Arg<P> {
    fn clone(&self) -> Self {
        let (store, spec) = (self.store.clone(), self.spec.clone());
        Arg { store, spec }
    }
}

impl<P: Passing> Arg<P> {
    /// An argument taken as `P` says, at the point that `store` holds.
    pub fn new(store: P::Store) -> Self {
        let spec = Spec {
            name: None,
            draw: Draw::Given,
            write_only: false,
            free: true,
        };
        Arg { store, spec }
    }

    /// Draws the point from `range` instead: for functions such as `ln`, which are not defined everywhere.
    ///
    /// ```
    /// use coenzyme_testutils::{input, test_forward};
    /// # use coenzyme::{ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds};
    /// # pub struct Logs {}
    /// # impl<X: Holds<[f64]>> Function<(X,)> for Logs {
    /// #     type Output = f64;
    /// #     fn call(&self, (x,): (X,)) -> f64 { x.get().iter().map(|x| x.ln()).sum() }
    /// # }
    /// # impl<R: ForwardReturn<W, Out = f64>, X: ForwardArg<[f64], W>, const W: usize> ForwardRule<R, (X,), W> for Logs {
    /// #     fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
    /// #         let sum = x.primal().iter().map(|x| x.ln()).sum();
    /// #         R::forward(config, || sum, |lane| x.tangent(lane).map_or(0.0, |dx| {
    /// #             dx.iter().zip(x.primal()).map(|(dx, x)| coenzyme::scaled(1.0 / x, *dx, config.strong_zero())).sum()
    /// #         }))
    /// #     }
    /// # }
    /// # let sum_of_logs = Logs {};
    /// test_forward!((sum_of_logs), Duplicated, (input(3).within(0.1..4.0), Duplicated));
    /// ```
    pub fn within(mut self, range: Range<f64>) -> Self {
        self.spec.draw = Draw::Within(range);
        self.spec.free = false;
        self
    }

    /// Names the argument in messages; the macros do it by themselves.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.spec.name = Some(name.into());
        self
    }

    /// Names the argument by the variable that holds it, unless it has a name or the expression is no variable.
    #[doc(hidden)]
    pub fn or_named(mut self, expression: &str) -> Self {
        if expression.chars().all(|c| c.is_alphanumeric() || c == '_') {
            self.spec.name.get_or_insert_with(|| expression.to_owned());
        }
        self
    }
}

impl<P: Writable> Arg<P> {
    /// Declares that the function overwrites all of the argument, and reads nothing of what was there.
    pub fn write_only(mut self) -> Self {
        self.spec.write_only = true;
        self
    }
}

/// What [`input`], [`out`] and [`inout`] make an argument of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the content of an argument",
    label = "neither a length, nor a vector, an array or a slice",
    note = "for a struct or another type taken by reference write `by_ref(…)` or `by_mut(…)`"
)]
pub trait Content {
    /// How the function takes it where it only reads.
    type Read: Passing;
    /// How the function takes it where it writes.
    type Write: Writable<Store = <Self::Read as Passing>::Store>;

    /// What owns it, and whether its numbers are to be drawn.
    fn store(self) -> (<Self::Read as Passing>::Store, bool);
}

/// As many random numbers.
impl Content for usize {
    type Read = Slice<f64>;
    type Write = SliceMut<f64>;

    fn store(self) -> (Piece<f64>, bool) {
        (Piece::new(vec![0.0; self]), true)
    }
}

/// A slice of these values.
macro_rules! slices {
    ($([$($g:tt)*] $t:ty),*) => {$(
        impl<T: Clone + Send + Sync + 'static, $($g)*> Content for $t
        where
            [T]: Lent,
        {
            type Read = Slice<T>;
            type Write = SliceMut<T>;

            fn store(self) -> (Piece<T>, bool) {
                (Piece::new(self.to_vec()), false)
            }
        }
    )*};
}

slices!([] Vec<T>, [const N: usize] [T; N], [] &[T]);

fn arg<P: Passing>((store, random): (P::Store, bool)) -> Arg<P> {
    let arg = Arg::new(store);
    let free = true;
    match random {
        true => {
            let Arg { store, spec } = arg.within(-3.0..3.0);
            let spec = Spec { free, ..spec };
            Arg { store, spec }
        }
        false => arg,
    }
}

/// An argument that the function reads: `&[f64]` from a length or a vector.
pub fn input<C: Content>(content: C) -> Arg<C::Read> {
    arg(content.store())
}

/// An argument that the function overwrites without reading it.
pub fn out<C: Content>(content: C) -> Arg<C::Write> {
    inout(content).write_only()
}

/// An argument that the function reads and writes.
pub fn inout<C: Content>(content: C) -> Arg<C::Write> {
    arg(content.store())
}

/// An argument that the function takes as `&T`.
pub fn by_ref<T>(value: T) -> Arg<Shared<T>>
where
    T: Lent + ToOwned<Owned = T>,
{
    Arg::new(Arc::new(value))
}

/// An argument that the function takes as `&mut T`.
pub fn by_mut<T>(value: T) -> Arg<Exclusive<T>>
where
    T: Lent + ToOwned<Owned = T>,
{
    Arg::new(Arc::new(value))
}

/// An argument that the function takes as `T`.
pub fn value<T>(value: T) -> Arg<ByValue<T>>
where
    T: Tangent<Owned = T> + Clone + Send + Sync + 'static,
{
    Arg::new(value)
}
