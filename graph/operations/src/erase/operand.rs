//! From values to what rules read, and from shadows to what they add to.

use coenzyme::{Dual, DynArg, Tangent};
use ndarray::{Array, ArrayD, ArrayRef, ArrayView, ArrayViewMut, Dimension, IxDyn, Zip};
use num_complex::Complex;

use super::Failure;
use crate::call::Call;
use crate::value::{DType, Value};

/// An operand as it was given: a value, and for the derivative of a reverse rule the direction in which it moves.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// The operand.
    pub value: &'a Value,
    /// Its tangent; none is zero.
    pub tangent: Option<&'a Value>,
}

/// The memory behind an operand of a static rule: `ArrayRef<f64, D>`, `f64`, `[usize]`.
pub trait Operand: 'static {
    /// The type of its numbers at run time.
    const DTYPE: DType;
    /// The rank, if it has only one.
    const RANK: Option<usize>;

    /// What the memory is read through while the rule runs.
    type Held<'a>;
    /// What the memory of the shadow is written through.
    type Shadow<'a>;

    /// Takes hold of a value; `None` if it has another type or rank.
    fn hold<'a>(given: &Given<'a>) -> Option<Self::Held<'a>>;
    /// The memory.
    fn see<'h>(held: &'h Self::Held<'_>) -> &'h Self;
    /// Takes hold of a shadow; `None` if it has another type or rank, or there is no derivative.
    fn shadow(dx: &mut Value) -> Option<Self::Shadow<'_>>;
    /// Its memory.
    fn see_mut<'h>(shadow: &'h mut Self::Shadow<'_>) -> &'h mut Self;
    /// Brings what was added elsewhere to the shadow.
    fn finish(_: Self::Shadow<'_>) {}
}

macro_rules! floats {
    ($($t:ty),+) => {$(
        impl<D: Dimension + 'static> Operand for ArrayRef<$t, D> {
            const DTYPE: DType = <$t as crate::value::Element>::DTYPE;
            const RANK: Option<usize> = D::NDIM;

            type Held<'a> = ArrayView<'a, $t, D>;
            type Shadow<'a> = ArrayViewMut<'a, $t, D>;

            fn hold<'a>(given: &Given<'a>) -> Option<ArrayView<'a, $t, D>> {
                given.value.get::<$t>()?.view().into_dimensionality().ok()
            }
            fn see<'h>(held: &'h ArrayView<'_, $t, D>) -> &'h Self {
                held
            }
            fn shadow(dx: &mut Value) -> Option<ArrayViewMut<'_, $t, D>> {
                dx.get_mut::<$t>()?.view_mut().into_dimensionality().ok()
            }
            fn see_mut<'h>(shadow: &'h mut ArrayViewMut<'_, $t, D>) -> &'h mut Self {
                shadow
            }
        }

        impl Operand for $t {
            const DTYPE: DType = <$t as crate::value::Element>::DTYPE;
            const RANK: Option<usize> = Some(0);

            type Held<'a> = $t;
            type Shadow<'a> = &'a mut $t;

            fn hold<'a>(given: &Given<'a>) -> Option<$t> {
                given.value.get::<$t>().filter(|x| x.ndim() == 0)?.first().copied()
            }
            fn see(held: &$t) -> &Self {
                held
            }
            fn shadow(dx: &mut Value) -> Option<&mut $t> {
                dx.get_mut::<$t>()?.first_mut()
            }
            fn see_mut<'h>(shadow: &'h mut &mut $t) -> &'h mut Self {
                shadow
            }
        }

        impl Operand for [$t] {
            const DTYPE: DType = <$t as crate::value::Element>::DTYPE;
            const RANK: Option<usize> = Some(1);

            type Held<'a> = &'a [$t];
            type Shadow<'a> = &'a mut [$t];

            fn hold<'a>(given: &Given<'a>) -> Option<&'a [$t]> {
                given.value.get::<$t>().filter(|x| x.ndim() == 1)?.as_slice()
            }
            fn see<'h>(held: &'h &[$t]) -> &'h Self {
                held
            }
            fn shadow(dx: &mut Value) -> Option<&mut [$t]> {
                dx.get_mut::<$t>()?.as_slice_mut()
            }
            fn see_mut<'h>(shadow: &'h mut &mut [$t]) -> &'h mut Self {
                shadow
            }
        }
    )+};
}

floats!(f32, f64);

impl Operand for [Complex<f64>] {
    const DTYPE: DType = DType::Complex;
    const RANK: Option<usize> = Some(1);

    type Held<'a> = &'a [Complex<f64>];
    type Shadow<'a> = &'a mut [Complex<f64>];

    fn hold<'a>(given: &Given<'a>) -> Option<&'a [Complex<f64>]> {
        let x = given.value.get::<Complex<f64>>();
        x.filter(|x| x.ndim() == 1)?.as_slice()
    }
    fn see<'h>(held: &'h &[Complex<f64>]) -> &'h Self {
        held
    }
    fn shadow(dx: &mut Value) -> Option<&mut [Complex<f64>]> {
        dx.get_mut::<Complex<f64>>()?.as_slice_mut()
    }
    fn see_mut<'h>(shadow: &'h mut &mut [Complex<f64>]) -> &'h mut Self {
        shadow
    }
}

/// Values with their tangents.
fn dual<'a, D: Dimension>(given: &Given<'a>) -> Option<Array<Dual<f64>, D>> {
    let x: ArrayView<'a, f64, D> = given.value.get()?.view().into_dimensionality().ok()?;
    let Some(dx) = given.tangent else {
        return Some(x.mapv(Dual::constant));
    };
    let dx: ArrayView<'a, f64, D> = dx.get()?.view().into_dimensionality().ok()?;
    let both = Zip::from(x).and(dx);
    Some(both.map_collect(|x, dx| Dual::new(*x, *dx)))
}

impl<D: Dimension + 'static> Operand for ArrayRef<Dual<f64>, D> {
    const DTYPE: DType = DType::F64;
    const RANK: Option<usize> = D::NDIM;

    type Held<'a> = Array<Dual<f64>, D>;
    /// Dual cotangents, and where their tangents go.
    type Shadow<'a> = (Array<Dual<f64>, D>, &'a mut Value);

    fn hold(given: &Given<'_>) -> Option<Array<Dual<f64>, D>> {
        dual(given)
    }
    fn see(held: &Array<Dual<f64>, D>) -> &Self {
        held
    }
    fn shadow(dx: &mut Value) -> Option<Self::Shadow<'_>> {
        let zeros = ArrayD::from_elem(IxDyn(dx.shape()), Dual::constant(0.0));
        Some((zeros.into_dimensionality().ok()?, dx))
    }
    fn see_mut<'h>(shadow: &'h mut Self::Shadow<'_>) -> &'h mut Self {
        &mut shadow.0
    }
    fn finish((d, dx): Self::Shadow<'_>) {
        if let Some(dx) = dx.get_mut::<f64>() {
            dx.iter_mut().zip(&d).for_each(|(dx, d)| *dx += d.tangent);
        }
    }
}

impl Operand for Dual<f64> {
    const DTYPE: DType = DType::F64;
    const RANK: Option<usize> = Some(0);

    type Held<'a> = Dual<f64>;
    type Shadow<'a> = (Dual<f64>, &'a mut Value);

    fn hold(given: &Given<'_>) -> Option<Dual<f64>> {
        let tangent = given.tangent.map_or(Some(0.0), Value::to_number)?;
        Some(Dual::new(given.value.to_number()?, tangent))
    }
    fn see(held: &Dual<f64>) -> &Self {
        held
    }
    fn shadow(dx: &mut Value) -> Option<Self::Shadow<'_>> {
        Some((Dual::constant(0.0), dx))
    }
    fn see_mut<'h>(shadow: &'h mut Self::Shadow<'_>) -> &'h mut Self {
        &mut shadow.0
    }
    fn finish((d, dx): Self::Shadow<'_>) {
        if let Some(dx) = dx.get_mut::<f64>().and_then(|dx| dx.first_mut()) {
            *dx += d.tangent;
        }
    }
}

/// Indices as rules take them; one that is negative is beyond all bounds, which the rule refuses.
fn index(i: i64) -> usize {
    usize::try_from(i).unwrap_or(usize::MAX)
}

/// A shadow that cannot be.
pub enum Never {}

macro_rules! inactive {
    ($([$($g:tt)*] $t:ty: $dtype:ident, rank $rank:expr, held $Held:ty, $given:ident => $hold:expr;)+) => {$(
        impl<$($g)*> Operand for $t {
            const DTYPE: DType = DType::$dtype;
            const RANK: Option<usize> = $rank;

            type Held<'a> = $Held;
            type Shadow<'a> = Never;

            fn hold<'a>($given: &Given<'a>) -> Option<$Held> {
                $hold
            }
            fn see(held: &$Held) -> &Self {
                held
            }
            fn shadow(_: &mut Value) -> Option<Never> {
                None
            }
            fn see_mut(shadow: &mut Never) -> &mut Self {
                match *shadow {}
            }
        }
    )+};
}

inactive! {
    [] [usize]: I64, rank Some(1), held Vec<usize>,
        given => Some(given.value.get::<i64>().filter(|x| x.ndim() == 1)?.iter().map(|i| index(*i)).collect());
    [D: Dimension + 'static] ArrayRef<usize, D>: I64, rank D::NDIM, held Array<usize, D>,
        given => given.value.get::<i64>()?.mapv(index).into_dimensionality().ok();
}

impl<D: Dimension + 'static> Operand for ArrayRef<bool, D> {
    const DTYPE: DType = DType::Bool;
    const RANK: Option<usize> = D::NDIM;

    type Held<'a> = ArrayView<'a, bool, D>;
    type Shadow<'a> = Never;

    fn hold<'a>(given: &Given<'a>) -> Option<ArrayView<'a, bool, D>> {
        given.value.get::<bool>()?.view().into_dimensionality().ok()
    }
    fn see<'h>(held: &'h ArrayView<'_, bool, D>) -> &'h Self {
        held
    }
    fn shadow(_: &mut Value) -> Option<Never> {
        None
    }
    fn see_mut(shadow: &mut Never) -> &mut Self {
        match *shadow {}
    }
}

/// An operand in a call: its memory and, if it is active, that of its shadow.
pub struct Taken<'a, X: Operand + ?Sized> {
    held: X::Held<'a>,
    tangent: Option<X::Held<'a>>,
    shadow: Option<X::Shadow<'a>>,
    active: bool,
}

/// What an iterator over operands gives.
type Next<'i, 'a> = Option<(usize, &'i Given<'a>)>;

impl<'a, X: Operand + Tangent + ?Sized> Taken<'a, X> {
    fn new(next: Next<'_, 'a>) -> Result<(usize, Self), Failure> {
        let (i, given) = next.ok_or(Failure::Operand(usize::MAX))?;
        let taken = Self {
            held: X::hold(given).ok_or(Failure::Operand(i))?,
            tangent: None,
            shadow: None,
            active: false,
        };
        Ok((i, taken))
    }

    /// For a forward rule.
    ///
    /// # Errors
    /// If the value is not what the rule takes.
    pub fn forward(next: Next<'_, 'a>, dx: Option<&Option<&'a Value>>) -> Result<Self, Failure> {
        let (i, mut taken) = Self::new(next)?;
        if let Some(value) = dx.copied().flatten() {
            let tangent = Given {
                value,
                tangent: None,
            };
            taken.tangent = Some(X::hold(&tangent).ok_or(Failure::Operand(i))?);
        }
        Ok(taken)
    }

    /// For an augmented pass.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn promised(next: Next<'_, 'a>, call: &Call) -> Result<Self, Failure> {
        let (i, taken) = Self::new(next)?;
        Ok(Self {
            active: call.active.has(i) && X::DTYPE.is_float(),
            ..taken
        })
    }

    /// For a reverse pass.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn reverse(next: Next<'_, 'a>, dx: Option<&'a mut Option<Value>>) -> Result<Self, Failure> {
        let (i, mut taken) = Self::new(next)?;
        if let Some(dx) = dx.and_then(Option::as_mut) {
            taken.shadow = Some(X::shadow(dx).ok_or(Failure::Operand(i))?);
        }
        Ok(taken)
    }

    /// As a forward rule takes it.
    pub fn tangent(&self) -> DynArg<&X, &X, 1> {
        let tangent = self.tangent.as_ref().map(|dx| [X::see(dx)]);
        DynArg::new(X::see(&self.held), tangent)
    }

    /// As a reverse rule takes it.
    pub fn cotangent(&mut self) -> DynArg<&X, &mut X, 1> {
        let x = X::see(&self.held);
        match &mut self.shadow {
            Some(shadow) => DynArg::duplicated(x, [X::see_mut(shadow)]),
            None => DynArg::promised(x, self.active),
        }
    }

    /// Brings what was added to the shadow.
    pub fn finish(self) {
        self.shadow.into_iter().for_each(X::finish);
    }
}
