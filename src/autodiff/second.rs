//! `hvp!` and `hessian!`: second derivatives of functions of any arguments, from gradients at dual numbers.

use crate::activity::{Active, Const};
use crate::dual::Dual;
use crate::real::Real;
use crate::rule::{Annotated, Function, Outcome, ReverseRule};

use super::{GradientArgs, ScalarOutcome, gradient};

/// An argument that second derivatives can be taken with respect to: a number, or what consists of numbers.
#[diagnostic::on_unimplemented(
    message = "a second derivative with respect to `{Self}` is not known",
    label = "not numbers",
    note = "pass a number, a slice, a vector, an array, or `Const(x)` for what no derivative is taken of"
)]
pub trait DualArg {
    /// The type of the numbers.
    type Scalar: Real;
    /// The argument over dual numbers.
    type Lifted: Lend;

    /// The numbers, in order.
    fn numbers(&self) -> Vec<Self::Scalar>;

    /// The argument, moving along the numbers that the iterator gives.
    fn along(&self, direction: &mut dyn Iterator<Item = Self::Scalar>) -> Self::Lifted;
}

/// An argument over dual numbers, from which each call takes what it needs.
pub trait Lend {
    /// What a call is given.
    type Lent<'a>
    where
        Self: 'a;

    /// Lends or copies.
    fn lend(&self) -> Self::Lent<'_>;
}

/// An argument by value.
#[derive(Clone, Debug)]
pub struct OfValue<X>(pub X);

/// An argument by reference.
#[derive(Clone, Debug)]
pub struct OfMemory<X>(pub X);

/// An argument of which no derivative is taken.
#[derive(Clone, Debug)]
pub struct Fixed<L>(pub L);

impl<X: Clone> Lend for OfValue<X> {
    type Lent<'a>
        = X
    where
        X: 'a;

    #[inline]
    fn lend(&self) -> X {
        self.0.clone()
    }
}

impl<X> Lend for OfMemory<X> {
    type Lent<'a>
        = &'a X
    where
        X: 'a;

    #[inline]
    fn lend(&self) -> &X {
        &self.0
    }
}

impl<L: Lend> Lend for Fixed<L> {
    type Lent<'a>
        = Const<L::Lent<'a>>
    where
        L: 'a;

    #[inline]
    fn lend(&self) -> Const<L::Lent<'_>> {
        Const(self.0.lend())
    }
}

/// The next number of a direction.
fn next<T>(direction: &mut dyn Iterator<Item = T>) -> T {
    direction
        .next()
        .expect("a direction has as many numbers as the point")
}

macro_rules! numbers {
    ($([$($g:tt)*] $t:ty),*) => {$(
        impl<$($g)*> DualArg for $t {
            type Scalar = $t;
            type Lifted = OfValue<Dual<$t>>;

            fn numbers(&self) -> Vec<$t> {
                vec![*self]
            }
            #[inline]
            fn along(&self, direction: &mut dyn Iterator<Item = $t>) -> Self::Lifted {
                OfValue(Dual::new(*self, next(direction)))
            }
        }
    )*};
}

numbers! { [] f64, [] f32, [T: Real] Dual<T> }

macro_rules! memory {
    ($([$($g:tt)*] $t:ty => $wrap:ident $lifted:ty: $x:ident, $direction:ident => $along:expr;)*) => {$(
        impl<$($g)*> DualArg for $t {
            type Scalar = T;
            type Lifted = $wrap<$lifted>;

            fn numbers(&self) -> Vec<T> {
                self.iter().copied().collect()
            }
            fn along(&self, $direction: &mut dyn Iterator<Item = T>) -> Self::Lifted {
                let $x = self;
                $wrap($along)
            }
        }
    )*};
}

memory! {
    [T: Real] &[T] => OfMemory Vec<Dual<T>>: x, v => x.iter().map(|&x| Dual::new(x, next(v))).collect();
    [T: Real] &Vec<T> => OfMemory Vec<Dual<T>>: x, v => x.iter().map(|&x| Dual::new(x, next(v))).collect();
    [T: Real] Vec<T> => OfValue Vec<Dual<T>>: x, v => x.iter().map(|&x| Dual::new(x, next(v))).collect();
    [T: Real, const N: usize] &[T; N] => OfMemory [Dual<T>; N]: x, v => x.map(|x| Dual::new(x, next(v)));
    [T: Real, const N: usize] [T; N] => OfValue [Dual<T>; N]: x, v => x.map(|x| Dual::new(x, next(v)));
}

#[cfg(feature = "ndarray")]
mod array {
    use ndarray::{Array, ArrayView, Dimension};

    use super::{Dual, DualArg, OfMemory, Real, next};

    memory! {
        [T: Real, D: Dimension] &Array<T, D> => OfMemory Array<Dual<T>, D>: x, v => x.map(|&x| Dual::new(x, next(v)));
        [T: Real, D: Dimension] ArrayView<'_, T, D> => OfMemory Array<Dual<T>, D>: x, v => x.map(|&x| Dual::new(x, next(v)));
    }
}

/// `x`, moving along `v`.
///
/// # Panics
/// If there are not as many numbers in both.
#[track_caller]
pub fn along<X: DualArg, V: DualArg<Scalar = X::Scalar>>(x: X, v: V) -> X::Lifted {
    let (n, v) = (x.numbers().len(), v.numbers());
    assert_eq!(
        n,
        v.len(),
        "hvp: the point has {n} entries, the direction {}",
        v.len()
    );
    x.along(&mut v.into_iter())
}

/// An argument that no derivative is taken of. `fixed` is that over dual numbers if it consists of numbers, else as it is.
#[derive(Debug)]
pub struct Constant<X>(pub X);

impl<X: DualArg> Constant<X> {
    /// Over dual numbers.
    pub fn fixed(&self) -> Fixed<X::Lifted> {
        use num_traits::Zero;
        Fixed(self.0.along(&mut std::iter::repeat(X::Scalar::zero())))
    }
}

/// What is found where an argument is made of no numbers.
pub trait StaysAsItIs {
    /// The type as it is.
    type As;

    /// As it is.
    fn fixed(&self) -> Fixed<OfValue<Self::As>>;
}

impl<X: Clone> StaysAsItIs for Constant<X> {
    type As = X;

    fn fixed(&self) -> Fixed<OfValue<X>> {
        Fixed(OfValue(self.0.clone()))
    }
}

/// A gradient at dual numbers.
pub trait TangentPart {
    /// The same without values.
    type Part;

    /// The tangents.
    fn tangent_part(self) -> Self::Part;
}

/// A gradient at dual numbers, as a list.
pub trait TangentList<T> {
    /// Appends the tangents.
    fn list(&self, to: &mut Vec<T>);
}

impl<T> TangentPart for Dual<T> {
    type Part = T;

    #[inline]
    fn tangent_part(self) -> T {
        self.tangent
    }
}

impl<T: Real> TangentList<T> for Dual<T> {
    fn list(&self, to: &mut Vec<T>) {
        to.push(self.tangent);
    }
}

impl<X: TangentPart> TangentPart for Vec<X> {
    type Part = Vec<X::Part>;

    fn tangent_part(self) -> Self::Part {
        self.into_iter().map(X::tangent_part).collect()
    }
}

impl<T, X: TangentList<T>> TangentList<T> for Vec<X> {
    fn list(&self, to: &mut Vec<T>) {
        self.iter().for_each(|x| x.list(to));
    }
}

impl<X: TangentPart, const N: usize> TangentPart for [X; N] {
    type Part = [X::Part; N];

    fn tangent_part(self) -> Self::Part {
        self.map(X::tangent_part)
    }
}

impl<T, X: TangentList<T>, const N: usize> TangentList<T> for [X; N] {
    fn list(&self, to: &mut Vec<T>) {
        self.iter().for_each(|x| x.list(to));
    }
}

#[cfg(feature = "ndarray")]
impl<T: Real, D: ndarray::Dimension> TangentPart for ndarray::Array<Dual<T>, D> {
    type Part = ndarray::Array<T, D>;

    fn tangent_part(self) -> Self::Part {
        self.map(|x| x.tangent)
    }
}

#[cfg(feature = "ndarray")]
impl<T: Real, D: ndarray::Dimension> TangentList<T> for ndarray::Array<Dual<T>, D> {
    fn list(&self, to: &mut Vec<T>) {
        to.extend(self.iter().map(|x| x.tangent));
    }
}

impl TangentPart for () {
    type Part = ();

    fn tangent_part(self) {}
}

impl<T> TangentList<T> for () {
    fn list(&self, _: &mut Vec<T>) {}
}

/// The entry of the first argument.
pub trait First {
    /// Its type.
    type First;

    /// Leaves out the others.
    fn first(self) -> Self::First;
}

macro_rules! tuples {
    ($(($($g:ident $i:tt)*))*) => {$(
        impl<$($g: TangentPart),*> TangentPart for ($($g,)*) {
            type Part = ($($g::Part,)*);

            #[inline]
            fn tangent_part(self) -> Self::Part {
                ($(self.$i.tangent_part(),)*)
            }
        }
        impl<T, $($g: TangentList<T>),*> TangentList<T> for ($($g,)*) {
            fn list(&self, to: &mut Vec<T>) {
                $(self.$i.list(to);)*
            }
        }
        impl<$($g),*> First for ($($g,)*) {
            type First = A;

            #[inline]
            fn first(self) -> A {
                self.0
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

/// What a function returns of these arguments.
pub(super) type Out<F, X> =
    <F as Function<<<X as GradientArgs>::Handles as Annotated>::Primals>>::Output;

/// What is made of a gradient.
pub trait Finish<G> {
    /// What that is.
    type Output;

    /// Makes it.
    fn finish(self, gradients: G) -> Self::Output;
}

/// The tangents of a gradient at dual numbers.
#[derive(Clone, Copy, Debug)]
pub struct Tangents;

impl<G: TangentPart> Finish<G> for Tangents {
    type Output = G::Part;

    #[inline]
    fn finish(self, gradients: G) -> G::Part {
        gradients.tangent_part()
    }
}

/// Those with respect to the first argument.
#[derive(Clone, Copy, Debug)]
pub struct FirstTangents;

impl<G: TangentPart<Part: First>> Finish<G> for FirstTangents {
    type Output = <G::Part as First>::First;

    #[inline]
    fn finish(self, gradients: G) -> Self::Output {
        gradients.tangent_part().first()
    }
}

/// A row of a Hessian of so many, after those that are there. It is all of them once it is the last.
#[derive(Debug)]
pub struct Row<'r, T>(pub usize, pub &'r mut Vec<Vec<T>>);

impl<T, G: TangentList<T>> Finish<G> for Row<'_, T> {
    type Output = Vec<Vec<T>>;

    fn finish(self, gradients: G) -> Vec<Vec<T>> {
        let Row(n, rows) = self;
        let mut row = Vec::with_capacity(n);
        gradients.list(&mut row);
        if n > 0 {
            rows.push(row);
        }
        match rows.len() == n {
            true => std::mem::take(rows),
            false => Vec::new(),
        }
    }
}

/// What `finish` makes of the gradient of `f` at dual arguments.
#[inline]
pub fn finished<F, X, L>(f: &F, args: X, finish: L) -> <Out<F, X> as Outcome>::Of<L::Output>
where
    X: GradientArgs,
    L: Finish<X::Gradients>,
    F: Function<<X::Handles as Annotated>::Primals, Output: ScalarOutcome>,
    F: ReverseRule<Active<Out<F, X>>, X::Handles, 1>,
{
    Out::<F, X>::map_of(gradient(f, args), |gradients| finish.finish(gradients))
}

/// The rows of a Hessian, one for each direction, until one fails.
pub fn rows<T: Real, R>(n: usize, mut row: impl FnMut(&[T], &mut Vec<Vec<T>>) -> R) -> R {
    let (mut rows, mut direction) = (Vec::new(), vec![T::zero(); n]);
    for i in 0..n.saturating_sub(1) {
        direction[i] = T::one();
        let returned = row(&direction, &mut rows);
        direction[i] = T::zero();
        if rows.len() != i + 1 {
            return returned;
        }
    }
    if let Some(last) = direction.last_mut() {
        *last = T::one();
    }
    row(&direction, &mut rows)
}
