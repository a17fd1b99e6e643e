//! Arguments at which a derivative is taken in many passes: each pass gets its own activities, from the same point.

use std::borrow::BorrowMut;

use crate::activity::{Active, Activity, BatchDuplicated, Const, Duplicated};
use crate::rule::Args;
use crate::tangent::Tangent;

/// Numbers of each lane, which arguments take off the front.
pub(super) type Seeds<'s, const W: usize> = [&'s [f64]; W];

/// An argument with its activity, made ready for many passes.
#[diagnostic::on_unimplemented(
    message = "a Jacobian with respect to `{Self}` is not known",
    label = "not an argument of `jacobian!` or `vjp!`",
    note = "pass a number, a slice, an array, a vector, or `Const(x)` for what can be cloned and no derivative is taken of"
)]
pub trait Hold {
    /// What the passes take their arguments from.
    type Held: Point;

    /// Keeps what passes change.
    fn hold(self) -> Self::Held;
}

/// An argument that each pass begins with anew.
pub trait Point {
    /// What a plain call is given.
    type Plain<'a>
    where
        Self: 'a;
    /// The argument of a forward pass.
    type Forward<'a, const W: usize>: Activity<W>
    where
        Self: 'a;
    /// The argument of a reverse pass.
    type Reverse<'a, const W: usize>: Activity<W>
    where
        Self: 'a;
    /// The gradient in its own shape.
    type Gradient;

    /// How many numbers the derivative is taken with respect to.
    fn inputs(&self) -> usize;

    /// How many numbers the function writes to, after a plain call.
    fn outputs(&self) -> usize {
        0
    }

    /// For a plain call, whose writes stay.
    fn plain(&mut self) -> Self::Plain<'_>;

    /// With its part of the directions.
    fn along<const W: usize>(&mut self, seeds: &mut Seeds<'_, W>) -> Self::Forward<'_, W>;

    /// Appends the tangents of what was written.
    fn tangents<const W: usize>(_: &Self::Forward<'_, W>, _: &mut [Vec<f64>; W]) {}

    /// With zero shadows. In the `last` pass what the function writes stays.
    fn against<const W: usize>(&mut self, last: bool) -> Self::Reverse<'_, W>;

    /// How many numbers were written.
    fn written<const W: usize>(_: &Self::Reverse<'_, W>) -> usize {
        0
    }

    /// Takes the cotangents of what was written.
    fn seed<const W: usize>(_: &mut Self::Reverse<'_, W>, _: &mut Seeds<'_, W>) {}

    /// Appends the gradient in each lane.
    fn cotangents<const W: usize>(
        handle: &Self::Reverse<'_, W>,
        entry: &<Self::Reverse<'_, W> as Activity<W>>::Gradient,
        rows: &mut [Vec<f64>; W],
    );

    /// The gradient of the only lane.
    fn gradient<'a>(
        handle: Self::Reverse<'a, 1>,
        entry: <Self::Reverse<'a, 1> as Activity<1>>::Gradient,
    ) -> Self::Gradient
    where
        Self: 'a;
}

/// A shadow of this shape that holds the next numbers of one lane.
fn filled<X: Tangent + ?Sized>(like: &X, seed: &mut &[f64]) -> X::Owned {
    let mut shadow = Tangent::zero_like(like);
    Tangent::unflatten_from(&mut shadow, seed);
    shadow
}

/// Such a shadow for each lane.
fn shadows<X: Tangent + ?Sized, const W: usize>(
    like: &X,
    seeds: &mut Seeds<'_, W>,
) -> [X::Owned; W] {
    std::array::from_fn(|lane| filled(like, &mut seeds[lane]))
}

fn append<'s, S: Tangent + 's, const W: usize>(
    shadow: impl Fn(usize) -> &'s S,
    to: &mut [Vec<f64>; W],
) {
    for (lane, to) in to.iter_mut().enumerate() {
        Tangent::flatten_into(shadow(lane), to);
    }
}

impl<T: Tangent<Owned = T> + Clone> Hold for Active<T> {
    type Held = Self;

    fn hold(self) -> Self {
        self
    }
}

impl<T: Tangent<Owned = T> + Clone> Point for Active<T> {
    type Plain<'a>
        = T
    where
        T: 'a;
    type Forward<'a, const W: usize>
        = BatchDuplicated<T, T, W>
    where
        T: 'a;
    type Reverse<'a, const W: usize>
        = Active<T>
    where
        T: 'a;
    type Gradient = T;

    fn inputs(&self) -> usize {
        Tangent::to_flat(&self.0).len()
    }
    fn plain(&mut self) -> T {
        self.0.clone()
    }
    fn along<const W: usize>(&mut self, seeds: &mut Seeds<'_, W>) -> BatchDuplicated<T, T, W> {
        BatchDuplicated::from_parts(self.0.clone(), shadows(&self.0, seeds))
    }
    fn against<const W: usize>(&mut self, _: bool) -> Self {
        Active(self.0.clone())
    }
    fn cotangents<const W: usize>(_: &Self, entry: &[T; W], rows: &mut [Vec<f64>; W]) {
        append(|lane| &entry[lane], rows);
    }
    fn gradient<'a>(_: Self, [entry]: [T; 1]) -> T
    where
        T: 'a,
    {
        entry
    }
}

/// What every pass can be given.
#[diagnostic::on_unimplemented(
    message = "a Jacobian is taken in several passes from the same arguments, and `{Self}` cannot be cloned",
    label = "only for one pass",
    note = "memory that the function works in is made inside of it, or passed as `&mut` without `Const`"
)]
pub trait Again: Clone {}

#[diagnostic::do_not_recommend]
impl<P: Clone> Again for P {}

impl<P: Again> Hold for Const<P> {
    type Held = Self;

    fn hold(self) -> Self {
        self
    }
}

impl<P: Clone> Point for Const<P> {
    type Plain<'a>
        = P
    where
        P: 'a;
    type Forward<'a, const W: usize>
        = Const<P>
    where
        P: 'a;
    type Reverse<'a, const W: usize>
        = Const<P>
    where
        P: 'a;
    type Gradient = ();

    fn inputs(&self) -> usize {
        0
    }
    fn plain(&mut self) -> P {
        self.0.clone()
    }
    fn along<const W: usize>(&mut self, _: &mut Seeds<'_, W>) -> Self {
        Const(self.0.clone())
    }
    fn against<const W: usize>(&mut self, _: bool) -> Self {
        Const(self.0.clone())
    }
    fn cotangents<const W: usize>(_: &Self, (): &(), _: &mut [Vec<f64>; W]) {}
    fn gradient<'a>(_: Self, (): ())
    where
        P: 'a,
    {
    }
}

/// Memory that is read: a reference or a view, with a zero of its shape.
#[derive(Clone, Copy, Debug)]
pub struct Read<P, S>(P, S);

impl<'x, T: ?Sized, S: Tangent<Owned = S>> Hold for Duplicated<&'x T, S> {
    type Held = Read<&'x T, S>;

    fn hold(self) -> Read<&'x T, S> {
        let (primal, [zero]) = self.into_parts();
        Read(primal, zero)
    }
}

#[cfg(feature = "ndarray")]
impl<'x, T, D, S> Hold for Duplicated<ndarray::ArrayView<'x, T, D>, S>
where
    D: ndarray::Dimension,
    S: Tangent<Owned = S>,
{
    type Held = Read<ndarray::ArrayView<'x, T, D>, S>;

    fn hold(self) -> Self::Held {
        let (primal, [zero]) = self.into_parts();
        Read(primal, zero)
    }
}

impl<P: Clone, S: Tangent<Owned = S>> Point for Read<P, S> {
    type Plain<'a>
        = P
    where
        Self: 'a;
    type Forward<'a, const W: usize>
        = BatchDuplicated<P, S, W>
    where
        Self: 'a;
    type Reverse<'a, const W: usize>
        = BatchDuplicated<P, S, W>
    where
        Self: 'a;
    type Gradient = S;

    fn inputs(&self) -> usize {
        Tangent::to_flat(&self.1).len()
    }
    fn plain(&mut self) -> P {
        self.0.clone()
    }
    fn along<const W: usize>(&mut self, seeds: &mut Seeds<'_, W>) -> BatchDuplicated<P, S, W> {
        BatchDuplicated::from_parts(self.0.clone(), shadows(&self.1, seeds))
    }
    fn against<const W: usize>(&mut self, _: bool) -> BatchDuplicated<P, S, W> {
        let zeros = std::array::from_fn(|_| Tangent::zero_like(&self.1));
        BatchDuplicated::from_parts(self.0.clone(), zeros)
    }
    fn cotangents<const W: usize>(
        handle: &BatchDuplicated<P, S, W>,
        (): &(),
        rows: &mut [Vec<f64>; W],
    ) {
        append(|lane| handle.shadow(lane), rows);
    }
    fn gradient<'a>(handle: BatchDuplicated<P, S, 1>, (): ()) -> S
    where
        Self: 'a,
    {
        let (_, [shadow]) = handle.into_parts();
        shadow
    }
}

/// Memory that is written: each pass has a copy of what was there before.
#[derive(Debug)]
pub struct Written<'x, T: ?Sized, S> {
    memory: &'x mut T,
    zero: S,
    before: Vec<f64>,
    copy: S,
}

impl<'x, T, S> Hold for Duplicated<&'x mut T, S>
where
    T: Tangent + ?Sized,
    S: Tangent<Owned = S> + BorrowMut<T>,
{
    type Held = Written<'x, T, S>;

    fn hold(self) -> Written<'x, T, S> {
        let (memory, [zero]) = self.into_parts();
        let (before, copy) = (Tangent::to_flat(memory), Tangent::zero_like(&zero));
        Written {
            memory,
            zero,
            before,
            copy,
        }
    }
}

impl<T: ?Sized, S: Tangent<Owned = S> + BorrowMut<T>> Written<'_, T, S> {
    /// What was there before.
    fn anew(&mut self) -> &mut T {
        self.copy = filled(&self.zero, &mut &self.before[..]);
        self.copy.borrow_mut()
    }
}

impl<'x, T, S> Point for Written<'x, T, S>
where
    T: Tangent + ?Sized,
    S: Tangent<Owned = S> + BorrowMut<T>,
{
    type Plain<'a>
        = &'a mut T
    where
        Self: 'a;
    type Forward<'a, const W: usize>
        = BatchDuplicated<&'a mut T, S, W>
    where
        Self: 'a;
    type Reverse<'a, const W: usize>
        = BatchDuplicated<&'a mut T, S, W>
    where
        Self: 'a;
    type Gradient = S;

    fn inputs(&self) -> usize {
        self.before.len()
    }
    fn outputs(&self) -> usize {
        Tangent::to_flat(self.memory).len()
    }
    fn plain(&mut self) -> &mut T {
        self.memory
    }
    fn along<const W: usize>(&mut self, seeds: &mut Seeds<'_, W>) -> Self::Forward<'_, W> {
        let shadows = shadows(&self.zero, seeds);
        BatchDuplicated::from_parts(self.anew(), shadows)
    }
    fn tangents<const W: usize>(
        handle: &BatchDuplicated<&mut T, S, W>,
        columns: &mut [Vec<f64>; W],
    ) {
        append(|lane| handle.shadow(lane), columns);
    }
    fn against<const W: usize>(&mut self, last: bool) -> Self::Reverse<'_, W> {
        let zeros = std::array::from_fn(|_| Tangent::zero_like(&self.zero));
        let memory = match last {
            true => &mut *self.memory,
            false => self.anew(),
        };
        BatchDuplicated::from_parts(memory, zeros)
    }
    fn written<const W: usize>(handle: &BatchDuplicated<&mut T, S, W>) -> usize {
        Tangent::to_flat(*handle.primal()).len()
    }
    fn seed<const W: usize>(handle: &mut BatchDuplicated<&mut T, S, W>, seeds: &mut Seeds<'_, W>) {
        (0..W).for_each(|lane| Tangent::unflatten_from(handle.shadow_mut(lane), &mut seeds[lane]));
    }
    fn cotangents<const W: usize>(
        handle: &BatchDuplicated<&mut T, S, W>,
        (): &(),
        rows: &mut [Vec<f64>; W],
    ) {
        append(|lane| handle.shadow(lane), rows);
    }
    fn gradient<'a>(handle: Self::Reverse<'a, 1>, (): ()) -> S
    where
        Self: 'a,
    {
        let (_, [shadow]) = handle.into_parts();
        shadow
    }
}

/// A tuple of arguments.
pub trait Points {
    /// What a plain call is given.
    type Plain<'a>
    where
        Self: 'a;
    /// The arguments of a forward pass.
    type Forward<'a, const W: usize>: Args<W>
    where
        Self: 'a;
    /// The arguments of a reverse pass.
    type Reverse<'a, const W: usize>: Args<W>
    where
        Self: 'a;
    /// An entry for each argument.
    type Gradients;

    /// See [`Point`].
    fn inputs(&self) -> usize;
    /// See [`Point`].
    fn outputs(&self) -> usize;
    /// See [`Point`].
    fn plain(&mut self) -> Self::Plain<'_>;
    /// See [`Point`].
    fn along<const W: usize>(&mut self, seeds: Seeds<'_, W>) -> Self::Forward<'_, W>;
    /// See [`Point`].
    fn tangents<const W: usize>(handles: &Self::Forward<'_, W>, columns: &mut [Vec<f64>; W]);
    /// See [`Point`].
    fn against<const W: usize>(&mut self, last: bool) -> Self::Reverse<'_, W>;
    /// See [`Point`].
    fn written<const W: usize>(handles: &Self::Reverse<'_, W>) -> usize;
    /// See [`Point`].
    fn seed<const W: usize>(handles: &mut Self::Reverse<'_, W>, seeds: Seeds<'_, W>);
    /// See [`Point`].
    fn cotangents<const W: usize>(
        handles: &Self::Reverse<'_, W>,
        entries: &<Self::Reverse<'_, W> as Args<W>>::Gradients,
        rows: &mut [Vec<f64>; W],
    );
    /// See [`Point`].
    fn gradients<'a>(
        handles: Self::Reverse<'a, 1>,
        entries: <Self::Reverse<'a, 1> as Args<1>>::Gradients,
    ) -> Self::Gradients
    where
        Self: 'a;
}

macro_rules! tuples {
    ($(($($p:ident $i:tt)*))*) => {$(
        impl<$($p: Point),*> Points for ($($p,)*) {
            type Plain<'a> = ($($p::Plain<'a>,)*) where Self: 'a;
            type Forward<'a, const W: usize> = ($($p::Forward<'a, W>,)*) where Self: 'a;
            type Reverse<'a, const W: usize> = ($($p::Reverse<'a, W>,)*) where Self: 'a;
            type Gradients = ($($p::Gradient,)*);

            fn inputs(&self) -> usize {
                0 $(+ self.$i.inputs())*
            }
            fn outputs(&self) -> usize {
                0 $(+ self.$i.outputs())*
            }
            fn plain(&mut self) -> Self::Plain<'_> {
                ($(self.$i.plain(),)*)
            }
            fn along<const W: usize>(&mut self, mut seeds: Seeds<'_, W>) -> Self::Forward<'_, W> {
                ($(self.$i.along(&mut seeds),)*)
            }
            fn tangents<const W: usize>(handles: &Self::Forward<'_, W>, columns: &mut [Vec<f64>; W]) {
                $($p::tangents(&handles.$i, columns);)*
            }
            fn against<const W: usize>(&mut self, last: bool) -> Self::Reverse<'_, W> {
                ($(self.$i.against(last),)*)
            }
            fn written<const W: usize>(handles: &Self::Reverse<'_, W>) -> usize {
                0 $(+ $p::written(&handles.$i))*
            }
            fn seed<const W: usize>(handles: &mut Self::Reverse<'_, W>, mut seeds: Seeds<'_, W>) {
                $($p::seed(&mut handles.$i, &mut seeds);)*
            }
            fn cotangents<const W: usize>(
                handles: &Self::Reverse<'_, W>,
                entries: &<Self::Reverse<'_, W> as Args<W>>::Gradients,
                rows: &mut [Vec<f64>; W],
            ) {
                $($p::cotangents(&handles.$i, &entries.$i, rows);)*
            }
            fn gradients<'a>(
                handles: Self::Reverse<'a, 1>,
                entries: <Self::Reverse<'a, 1> as Args<1>>::Gradients,
            ) -> Self::Gradients
            where
                Self: 'a,
            {
                ($($p::gradient(handles.$i, entries.$i),)*)
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
}
