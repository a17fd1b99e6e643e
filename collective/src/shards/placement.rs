//! The shards of a call.

use std::borrow::Cow;

use coenzyme_rules::array::{permute, sum, sum_axes, sum_axis, transpose};
use coenzyme_rules::class::{
    Broadcast, Classified, Each, Elementwise1, Elementwise2, Outline, Outlined, Spec,
};
use coenzyme_rules::linalg::{batch_matmul, dot, matmul, matvec, outer};

use super::factors::{Factors, ONE, Placed};
use super::layout::{Layout, Misplaced};
use super::plan::Plan;
use crate::Mesh;

/// A function that each device can call on its shards, so that the value is where [`Factors`] say, as a sum of parts over the axes that
/// are [`partial`](Placed::partial).
pub trait Sharded<const N: usize>: Outlined<N> {
    /// Which dimensions of operands with so many dimensions are the same: the text of [`Factors`].
    fn factors(dims: [usize; N], attrs: Self::Attrs<'_>) -> Cow<'static, str>;
}

macro_rules! sharded {
    ($($name:ident: $text:literal;)*) => {$(
        impl<const N: usize> Sharded<N> for $name
        where
            Self: Outlined<N>,
        {
            fn factors(_: [usize; N], _: Self::Attrs<'_>) -> Cow<'static, str> {
                $text.into()
            }
        }
    )*};
}

sharded! {
    sum: "... ->";
    matmul: "m k, k n -> m n";
    matvec: "m k, k -> m";
    dot: "k, k ->";
    outer: "m, n -> m n";
    batch_matmul: "b m k, b k n -> b m n";
}

impl<F> Sharded<1> for Each<F>
where
    F: Elementwise1<f64>,
    Self: Outlined<1>,
{
    fn factors(_: [usize; 1], _: Self::Attrs<'_>) -> Cow<'static, str> {
        "... -> ...".into()
    }
}

impl<F> Sharded<2> for Broadcast<F>
where
    F: Elementwise2<f64>,
    Self: Outlined<2>,
{
    fn factors(_: [usize; 2], _: Self::Attrs<'_>) -> Cow<'static, str> {
        "..., ... -> ...".into()
    }
}

/// Sums along axes are sums of those of the shards. Other reductions (a maximum, a mean, a variance) are no sum of theirs.
impl Sharded<1> for sum_axis {
    fn factors([dims]: [usize; 1], axis: usize) -> Cow<'static, str> {
        picked(dims, (0..dims).filter(|dim| *dim != axis).map(Some))
    }
}

impl Sharded<1> for sum_axes {
    fn factors([dims]: [usize; 1], (axes, keepdims): (&[usize], bool)) -> Cow<'static, str> {
        let kept = |dim: usize| (!axes.contains(&dim)).then_some(dim);
        picked(
            dims,
            (0..dims).map(kept).filter(|dim| keepdims || dim.is_some()),
        )
    }
}

impl Sharded<1> for transpose {
    fn factors([dims]: [usize; 1], (): ()) -> Cow<'static, str> {
        picked(dims, (0..dims).rev().map(Some))
    }
}

impl Sharded<1> for permute {
    fn factors([dims]: [usize; 1], axes: &[usize]) -> Cow<'static, str> {
        picked(dims, axes.iter().copied().map(Some))
    }
}

/// `d0 d1 d2 -> d2 1`: dimensions of the one operand in another order, or of length 1.
fn picked(dims: usize, out: impl Iterator<Item = Option<usize>>) -> Cow<'static, str> {
    let words = |dims: &mut dyn Iterator<Item = Option<usize>>| {
        let names = dims.map(|dim| dim.map_or(ONE.to_owned(), |dim| format!("d{dim}")));
        names.collect::<Vec<_>>().join(" ")
    };
    let (x, y) = (words(&mut (0..dims).map(Some)), words(&mut { out }));
    format!("{x} -> {y}").into()
}

/// The shards of a call on a mesh, told before anything is allocated.
///
/// ```
/// use coenzyme_rules::class::Spec;
/// use coenzyme_rules::linalg::matmul;
/// use coenzyme_collective::Mesh;
/// use coenzyme_collective::shards::{Layout, Shards};
///
/// let mesh = Mesh::new([("dp", 2), ("tp", 4)]);
/// let (x, w) = (Layout::new([Some("dp"), Some("tp")]), Layout::new([Some("tp"), None]));
/// let call = Shards::of(
///     matmul {},
///     [(&Spec::f64(&[8, 16]), &x), (&Spec::f64(&[16, 4]), &w)],
///     (),
///     &mesh,
/// )
/// .expect("they fit");
/// assert_eq!(call.out, Spec::f64(&[4, 4]));
/// assert_eq!(call.placed.partial, ["tp"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shards<const N: usize> {
    /// What each device has of each operand when it calls the function.
    pub operands: [Spec; N],
    /// What each device returns.
    pub out: Spec,
    /// Where operands and value lie.
    pub placed: Placed,
    /// How they get there.
    pub plan: Plan,
}

impl<const N: usize> Shards<N> {
    /// Of a call on operands that lie so.
    ///
    /// # Errors
    /// If the operands, whole or cut, do not fit.
    pub fn of<F: Classified<Class: Sharded<N>>>(
        f: F,
        x: [(&Spec, &Layout); N],
        attrs: <F::Class as Outlined<N>>::Attrs<'_>,
        mesh: &Mesh,
    ) -> Result<Self, Misplaced> {
        let whole = Outline::of(f, x.map(|(spec, _)| spec), attrs).map_err(Misplaced::Misfit)?;
        let dims = x.map(|(spec, _)| spec.shape.len());
        let factors: Factors = F::Class::factors(dims, attrs)
            .parse()
            .expect("the factors of a class are well formed");
        let layouts = x.map(|(_, layout)| layout);
        let mut placed = factors.infer(&layouts)?;
        for (wanted, (spec, _)) in placed.operands.iter_mut().zip(x) {
            wanted.whole_where_one(&spec.shape);
        }
        let plan = Plan::new(&layouts, &placed);
        let shard = |spec: &Spec, layout: &Layout| {
            let shape = layout.local(&spec.shape, mesh)?;
            let number = spec.number;
            Ok(Spec { shape, number })
        };
        let mut operands = x.map(|(spec, _)| spec.clone());
        for ((operand, (spec, layout)), wanted) in operands.iter_mut().zip(x).zip(&placed.operands)
        {
            // as it lies, and as it must lie
            shard(spec, layout)?;
            *operand = shard(spec, wanted)?;
        }
        let out = shard(whole.out(), &placed.layout)?;
        Ok(Self {
            operands,
            out,
            placed,
            plan,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coenzyme_rules::array::mul;

    #[test]
    fn n5_each_shard_has_its_part_of_the_value() {
        let mesh = Mesh::new([("dp", 2), ("tp", 4)]);
        let (x, w) = (Spec::f64(&[8, 16]), Spec::f64(&[16, 4]));
        let (rows, columns) = (
            Layout::new([Some("dp"), Some("tp")]),
            Layout::new([Some("tp"), None]),
        );
        let call = Shards::of(matmul {}, [(&x, &rows), (&w, &columns)], (), &mesh).expect("fit");
        assert_eq!(call.operands, [Spec::f64(&[4, 4]), Spec::f64(&[4, 4])]);
        assert_eq!(call.out, Spec::f64(&[4, 4]));

        let sum = Shards::of(sum {}, [(&x, &rows)], (), &mesh).expect("fits");
        assert_eq!((sum.out.shape.len(), sum.placed.partial.len()), (0, 2));

        // an operand that is whole is cut for the call, and one axis cuts one factor
        let whole = Layout::new([None, None]);
        let call = Shards::of(matmul {}, [(&x, &rows), (&w, &whole)], (), &mesh).expect("fit");
        assert_eq!(call.operands, [Spec::f64(&[4, 4]), Spec::f64(&[4, 4])]);
        let call = Shards::of(matmul {}, [(&x, &columns), (&w, &columns)], (), &mesh).expect("fit");
        assert_eq!(call.operands, [Spec::f64(&[2, 16]), Spec::f64(&[16, 4])]);
        assert_eq!(
            (call.out, call.placed.partial.len()),
            (Spec::f64(&[2, 4]), 0)
        );
        let gathers = "gather dimension 0 of operand 1 along tp\n";
        assert_eq!(call.plan.to_string(), gathers);

        let misfit = Shards::of(mul {}, [(&x, &rows), (&w, &columns)], (), &mesh);
        let said = misfit.map_err(|why| why.to_string());
        assert_eq!(said, Err("shapes [8, 16] and [16, 4] do not fit".into()));
    }
}
