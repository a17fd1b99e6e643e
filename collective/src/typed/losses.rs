//! Sums and products of losses: of one kind, never of two.

use coenzyme::Real;
use coenzyme::ops::{LikeNumbers, Operand, add, mul, sub};

use super::markers::{Partial, Replicated, Varying};

/// What may be added to a loss of the marker `Loss`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{Loss}` count differently, and cannot be added",
    label = "another kind of loss",
    note = "`Replicated` counts once, `Varying` and `Partial` on each rank: sum them before, by `all_reduce` or `total`",
    note = "a plain number does not say on which ranks it counts, and losses along different axes are not one loss"
)]
pub trait SameLoss<Loss> {
    /// The number.
    #[doc(hidden)]
    type Number;

    /// The number.
    #[doc(hidden)]
    fn number(self) -> Self::Number;
}

/// A sum or a difference. That both count along one axis is what the operator asks for; the derivative does not ask again.
macro_rules! linear {
    ($name:ident: $op:ident, $sign:tt, $back:expr) => {
        impl<T: Real, A, B> Operand<$op, ($name<T, B>,)> for $name<T, A> {
            type Output = Self;
            type Partials = ();

            fn partials(self, _: ($name<T, B>,), _: Self) {}
            fn pushforward((): &(), da: Self, (db,): ($name<T, B>,)) -> Self {
                Self::of(*da.get() $sign *db.get())
            }
            fn pullback((): &(), dy: &Self) -> (Self, ($name<T, B>,)) {
                (*dy, ($name::of($back(*dy.get())),))
            }
        }

        impl<T: Real, A, B> LikeNumbers<$op, ($name<T, B>,)> for $name<T, A> {}

        coenzyme::operator_forms! { [T: Real, A, B] ($name<T, A>) $op ($name<T, B>); }
    };
}

/// Losses of one kind can be added; a loss that counts once and one that counts on each rank cannot.
macro_rules! sum {
    ($($name:ident),*) => {$(
        impl<T: Real, A> SameLoss<$name<T, A>> for $name<T, A> {
            type Number = T;

            fn number(self) -> T {
                *self.get()
            }
        }

        impl<T: Real, A, Other: SameLoss<Self, Number = T>> std::ops::Add<Other> for $name<T, A> {
            type Output = Self;

            fn add(self, other: Other) -> Self {
                Self::of(*self.get() + other.number())
            }
        }

        impl<T: Real, A, Other: SameLoss<Self, Number = T>> std::ops::Sub<Other> for $name<T, A> {
            type Output = Self;

            fn sub(self, other: Other) -> Self {
                Self::of(*self.get() - other.number())
            }
        }

        impl<T: Real, A, Other: SameLoss<Self, Number = T>> std::ops::AddAssign<Other> for $name<T, A> {
            fn add_assign(&mut self, other: Other) {
                *self = Self::of(*self.get() + other.number());
            }
        }

        linear!($name: add, +, |dy: T| dy);
        linear!($name: sub, -, |dy: T| -dy);

        impl<T: Real, A> coenzyme::__private::Blank for $name<T, A> {
            fn blank() -> Self {
                Self::of(T::zero())
            }
        }
    )*};
}

sum!(Varying, Replicated, Partial);

/// Losses that count differently have no sum and no product, parts have no product, and a plain number is no loss; the operators say so. Their derivatives exist for the
/// code that `#[differentiable]` writes, which need not say it again; who calls them by hand is stopped by the compiler.
macro_rules! refused {
    ($($a:ident $b:ident: $($op:ident),+;)*) => {$($(
        refused!(@one [B] $a ($b<T, B>): $op);
    )+)*};
    ($($a:ident: $($op:ident),+;)*) => {$($(
        refused!(@one [] $a (T): $op);
    )+)*};
    (@one [$($B:ident)?] $a:ident ($b:ty): $op:ident) => {
        impl<T: Real, A, $($B)?> Operand<$op, ($b,)> for $a<T, A> {
            type Output = Self;
            type Partials = ();

            fn partials(self, _: ($b,), _: Self) {}
            fn pushforward((): &(), _: Self, _: ($b,)) -> Self {
                const { panic!("these losses are not combined") }
            }
            fn pullback((): &(), _: &Self) -> (Self, ($b,)) {
                const { panic!("these losses are not combined") }
            }
        }

        impl<T: Real, A, $($B)?> LikeNumbers<$op, ($b,)> for $a<T, A> {}

        coenzyme::operator_forms! { [T: Real, A, $($B)?] ($a<T, A>) $op ($b); }
    };
}

// a plain number does not say on which ranks it counts
refused! {
    Varying: add, sub, mul;
    Replicated: add, sub, mul;
    Partial: add, sub, mul;
}

refused! {
    Varying Replicated: add, sub, mul;
    Varying Partial: add, sub, mul;
    Replicated Varying: add, sub, mul;
    Replicated Partial: add, sub, mul;
    Partial Varying: add, sub, mul;
    Partial Replicated: add, sub, mul;
    Partial Partial: mul;
}

/// What may be multiplied with a loss of the marker `Loss`: products of what is equal are equal. Parts have none.
#[diagnostic::on_unimplemented(
    message = "`{Loss}` and `{Self}` have no product",
    label = "multiplied here",
    note = "`(Σ xᵣ)·(Σ yᵣ)` is not `Σ xᵣ·yᵣ`, and losses that count differently are not multiplied: sum them before, by `all_reduce` or `total`"
)]
pub trait Factor<Loss>: SameLoss<Loss> {}

macro_rules! product {
    ($($name:ident),*) => {$(
        impl<T: Real, A, Other: Factor<Self, Number = T>> std::ops::Mul<Other> for $name<T, A> {
            type Output = Self;

            fn mul(self, other: Other) -> Self {
                Self::of(*self.get() * other.number())
            }
        }
    )*};
}

product!(Varying, Replicated, Partial);

/// The seed of a loss is one on each rank, whatever its marker.
macro_rules! factor {
    ($($name:ident),*) => {$(
        impl<T: Real, A> Factor<Self> for $name<T, A> {}

        impl<T: Real, A> num_traits::One for $name<T, A> {
            fn one() -> Self {
                Self::of(T::one())
            }
        }

        impl<T: Real, A, B> Operand<mul, ($name<T, B>,)> for $name<T, A> {
            type Output = Self;
            type Partials = (T, T);

            fn partials(self, (other,): ($name<T, B>,), _: Self) -> (T, T) {
                (*other.get(), *self.get())
            }
            fn pushforward((of_a, of_b): &(T, T), da: Self, (db,): ($name<T, B>,)) -> Self {
                Self::of(*of_a * *da.get() + *of_b * *db.get())
            }
            fn pullback((of_a, of_b): &(T, T), dy: &Self) -> (Self, ($name<T, B>,)) {
                (Self::of(*of_a * *dy.get()), ($name::of(*of_b * *dy.get()),))
            }
        }

        impl<T: Real, A, B> LikeNumbers<mul, ($name<T, B>,)> for $name<T, A> {}

        coenzyme::operator_forms! { [T: Real, A, B] ($name<T, A>) mul ($name<T, B>); }
    )*};
}

factor!(Varying, Replicated);
