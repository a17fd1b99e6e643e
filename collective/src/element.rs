//! Numbers that ranks send each other.

use std::borrow::Cow;

use coenzyme::{Dual, Real};

use crate::transport::Wire;

/// A number that collectives and messages carry: `f64`, `f32`, and [`Dual`] numbers of them, to any depth. A program that is generic over
/// it has second derivatives, by forward over reverse.
///
/// A dual number goes over the wire as its parts, value first: twice the bytes, and no more messages.
///
/// ```
/// use coenzyme::Dual;
/// use coenzyme_collective::{LocalMesh, per_rank::all_reduce};
///
/// let sums = LocalMesh::of(3).run(|process| {
///     let x = Dual::new(1.0, process.rank() as f64);
///     all_reduce(process.world(), &[x])
/// })?;
/// assert_eq!((sums[0][0].value, sums[0][0].tangent), (3.0, 3.0));
/// # Ok::<(), coenzyme_collective::CommError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "ranks cannot send each other `{Self}`",
    label = "no number of a collective",
    note = "collectives carry `f64`, `f32` and `Dual` numbers of them; convert integers (`comm.count(n)` sums lengths), take structs apart"
)]
pub trait Element: Real {
    /// What goes over the wire.
    type Wire: Wire;

    /// How many of them make one number.
    const PARTS: usize;

    /// The name in messages.
    fn name() -> Cow<'static, str>;

    /// Appends the parts.
    fn push(self, parts: &mut Vec<Self::Wire>);

    /// From the parts. **Panics** if there are fewer than [`PARTS`](Self::PARTS).
    fn pull(parts: &[Self::Wire]) -> Self;

    /// The parts of several numbers; those of a plain number are itself.
    #[must_use]
    fn parts(x: &[Self]) -> Cow<'_, [Self::Wire]> {
        let mut parts = Vec::with_capacity(Self::PARTS * x.len());
        x.iter().for_each(|x| x.push(&mut parts));
        parts.into()
    }

    /// Numbers from their parts.
    #[must_use]
    fn whole(parts: Vec<Self::Wire>) -> Vec<Self> {
        parts.chunks_exact(Self::PARTS).map(Self::pull).collect()
    }

    /// The number without its derivatives, as it goes over the wire.
    #[must_use]
    fn plain(self) -> Self::Wire;

    /// A constant.
    #[must_use]
    fn constant(wire: Self::Wire) -> Self;
}

macro_rules! plain {
    ($($t:ident)*) => {$(
        impl Element for $t {
            type Wire = $t;

            const PARTS: usize = 1;

            fn name() -> Cow<'static, str> {
                stringify!($t).into()
            }
            fn push(self, parts: &mut Vec<$t>) {
                parts.push(self);
            }
            fn pull(parts: &[$t]) -> $t {
                parts[0]
            }
            fn parts(x: &[$t]) -> Cow<'_, [$t]> {
                x.into()
            }
            fn whole(parts: Vec<$t>) -> Vec<$t> {
                parts
            }
            fn plain(self) -> $t {
                self
            }
            fn constant(wire: $t) -> $t {
                wire
            }
        }
    )*};
}

plain!(f64 f32);

impl<T: Element> Element for Dual<T> {
    type Wire = T::Wire;

    const PARTS: usize = 2 * T::PARTS;

    fn name() -> Cow<'static, str> {
        format!("Dual<{}>", T::name()).into()
    }
    fn push(self, parts: &mut Vec<T::Wire>) {
        self.value.push(parts);
        self.tangent.push(parts);
    }
    fn pull(parts: &[T::Wire]) -> Self {
        let (value, tangent) = parts.split_at(T::PARTS);
        Self::new(T::pull(value), T::pull(tangent))
    }
    fn plain(self) -> T::Wire {
        self.value.plain()
    }
    fn constant(wire: T::Wire) -> Self {
        Dual::constant(T::constant(wire))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_its_parts() {
        let x = Dual::new(Dual::new(1.0_f32, 2.0), Dual::new(3.0, 4.0));
        let numbers = [x, Element::constant(5.0)];
        let parts = Element::parts(&numbers);
        assert_eq!(*parts, [1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 0.0, 0.0]);
        let whole = <Dual<Dual<f32>>>::whole(parts.to_vec());
        assert_eq!((whole[0].tangent.tangent, whole[1].plain()), (4.0, 5.0));
        assert_eq!(<Dual<Dual<f32>>>::name(), "Dual<Dual<f32>>");
        assert!(matches!(f64::parts(&[1.0]), Cow::Borrowed(_)));
    }
}
