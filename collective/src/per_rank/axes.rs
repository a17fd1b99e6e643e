//! Collectives along a dimension of arrays.

use coenzyme::{
    Annotation, Augmented, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Lanes, Memory,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, primitive,
};
use ndarray::{Array, ArrayRef, Axis, RemoveAxis, Slice, concatenate};

use crate::rule::sent_back;
use crate::{Comm, CommError, Element, Ranked};

/// `[x₀, x₁, …]` along dimension `dim`, on each rank.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(…, d, …)`, the same on each rank | `x̄ += ` the rank's block of `Σ ȳᵣ`: a [`reduce_scatter_axis()`] |
/// | `y` | `(…, n·d, …)` | `ẏ = [ẋ₀, ẋ₁, …]` |
///
/// # Errors
/// As [`CommError`] says.
///
/// # Panics
/// If there is no such dimension.
///
/// ```
/// use coenzyme_collective::LocalMesh;
/// use coenzyme_collective::per_rank::all_gather_axis;
/// use ndarray::array;
///
/// let columns = LocalMesh::of(2).run(|process| {
///     let r = process.rank() as f64;
///     all_gather_axis(process.world(), 1, &array![[r], [10.0 + r]])
/// })?;
/// assert_eq!(columns[0], array![[0.0, 1.0], [10.0, 11.0]]);
/// # Ok::<(), coenzyme_collective::CommError>(())
/// ```
#[primitive]
pub fn all_gather_axis<T: Element, D: RemoveAxis, K: Ranked>(
    comm: &K,
    dim: usize,
    x: &ArrayRef<T, D>,
) -> Result<Array<T, D>, CommError> {
    all_gather_axis::apply(comm.comm(), (&dim,), x)
}

/// The rank's block, along dimension `dim`, of `Σ xᵣ`.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(…, n·d, …)`, the same on each rank | `x̄ += [ȳ₀, ȳ₁, …]`: an [`all_gather_axis()`] |
/// | `y` | `(…, d, …)` | `ẏ = ` the rank's block of `Σ ẋᵣ` |
///
/// # Errors
/// As [`CommError`] says; [`CommError::NotDivisible`] if the dimension has no `n` equal blocks.
///
/// # Panics
/// If there is no such dimension.
#[primitive]
pub fn reduce_scatter_axis<T: Element, D: RemoveAxis, K: Ranked>(
    comm: &K,
    dim: usize,
    x: &ArrayRef<T, D>,
) -> Result<Array<T, D>, CommError> {
    reduce_scatter_axis::apply(comm.comm(), (&dim,), x)
}

/// Cuts dimension `split` among the ranks, and joins what comes from them along dimension `join`: the transpose of a matrix that is cut in
/// rows, if they differ.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(…, n·a, …, b, …)` | `x̄ += all_to_all_axis(join, split)` of `ȳ` |
/// | `y` | `(…, a, …, n·b, …)` | `ẏ = all_to_all_axis(split, join)` of `ẋ` |
///
/// # Errors
/// As [`CommError`] says; [`CommError::NotDivisible`] if dimension `split` has no `n` equal blocks.
///
/// # Panics
/// If there is no such dimension.
#[primitive]
pub fn all_to_all_axis<T: Element, D: RemoveAxis, K: Ranked>(
    comm: &K,
    split: usize,
    join: usize,
    x: &ArrayRef<T, D>,
) -> Result<Array<T, D>, CommError> {
    all_to_all_axis::apply(comm.comm(), (&split, &join), x)
}

/// A linear map of arrays.
trait AxisMap {
    /// The dimensions.
    type Told<'a>: Copy;
    const NAME: &'static str;

    fn apply<T: Element, D: RemoveAxis>(
        comm: &Comm,
        told: Self::Told<'_>,
        x: &ArrayRef<T, D>,
    ) -> Result<Array<T, D>, CommError>;

    fn transpose<T: Element, D: RemoveAxis>(
        comm: &Comm,
        told: Self::Told<'_>,
        dy: &ArrayRef<T, D>,
    ) -> Result<Array<T, D>, CommError>;
}

/// The entries of equal blocks along a dimension, block by block, and the shape of one.
fn blocks<T: Element, D: RemoveAxis>(
    comm: &Comm,
    dim: usize,
    x: &ArrayRef<T, D>,
) -> Result<(Vec<T>, D), CommError> {
    let each = comm.equal_parts(x.len_of(Axis(dim)))?[0];
    let of = |rank: usize| x.slice_axis(Axis(dim), Slice::from(rank * each..(rank + 1) * each));
    let mut flat = Vec::with_capacity(x.len());
    (0..comm.size()).for_each(|rank| flat.extend(of(rank).iter().copied()));
    let mut shape = x.raw_dim();
    shape[dim] = each;
    Ok((flat, shape))
}

/// Blocks of one shape, joined along a dimension.
fn joined<T: Element, D: RemoveAxis>(
    comm: &Comm,
    dim: usize,
    shape: &D,
    flat: &[T],
) -> Array<T, D> {
    let each = shape.size();
    let of = |rank: usize| {
        let block = flat[rank * each..][..each].to_vec();
        Array::from_shape_vec(shape.clone(), block).expect("as many entries as the shape has")
    };
    let blocks: Vec<_> = (0..comm.size()).map(of).collect();
    let views: Vec<_> = blocks.iter().map(|block| block.view()).collect();
    concatenate(Axis(dim), &views).expect("blocks have one shape")
}

impl AxisMap for all_gather_axis {
    type Told<'a> = (&'a usize,);
    const NAME: &'static str = "all_gather_axis";

    fn apply<T: Element, D: RemoveAxis>(
        comm: &Comm,
        (dim,): (&usize,),
        x: &ArrayRef<T, D>,
    ) -> Result<Array<T, D>, CommError> {
        let flat: Vec<T> = x.iter().copied().collect();
        let all = comm.all_gather(&vec![flat.len(); comm.size()], &flat)?;
        Ok(joined(comm, *dim, &x.raw_dim(), &all))
    }
    fn transpose<T: Element, D: RemoveAxis>(
        comm: &Comm,
        told: (&usize,),
        dy: &ArrayRef<T, D>,
    ) -> Result<Array<T, D>, CommError> {
        reduce_scatter_axis::apply(comm, told, dy)
    }
}

impl AxisMap for reduce_scatter_axis {
    type Told<'a> = (&'a usize,);
    const NAME: &'static str = "reduce_scatter_axis";

    fn apply<T: Element, D: RemoveAxis>(
        comm: &Comm,
        (dim,): (&usize,),
        x: &ArrayRef<T, D>,
    ) -> Result<Array<T, D>, CommError> {
        let (flat, shape) = blocks(comm, *dim, x)?;
        let own = comm.reduce_scatter(&vec![shape.size(); comm.size()], &flat)?;
        Ok(Array::from_shape_vec(shape, own).expect("as many entries as a block"))
    }
    fn transpose<T: Element, D: RemoveAxis>(
        comm: &Comm,
        told: (&usize,),
        dy: &ArrayRef<T, D>,
    ) -> Result<Array<T, D>, CommError> {
        all_gather_axis::apply(comm, told, dy)
    }
}

impl AxisMap for all_to_all_axis {
    type Told<'a> = (&'a usize, &'a usize);
    const NAME: &'static str = "all_to_all_axis";

    fn apply<T: Element, D: RemoveAxis>(
        comm: &Comm,
        (split, join): (&usize, &usize),
        x: &ArrayRef<T, D>,
    ) -> Result<Array<T, D>, CommError> {
        let (flat, shape) = blocks(comm, *split, x)?;
        let pairs = comm.size() * comm.size();
        let all = comm.all_to_all(&vec![shape.size(); pairs], &flat)?;
        Ok(joined(comm, *join, &shape, &all))
    }
    fn transpose<T: Element, D: RemoveAxis>(
        comm: &Comm,
        (split, join): (&usize, &usize),
        dy: &ArrayRef<T, D>,
    ) -> Result<Array<T, D>, CommError> {
        Self::apply(comm, (join, split), dy)
    }
}

/// The rules of an [`AxisMap`], from the names of its dimensions.
macro_rules! axis_rule {
    ($f:ident, $($p:ident $P:ident),*) => {
        impl<R, C, K, $($P,)* X, T, D, const W: usize> ForwardRule<R, (C, $($P,)* X), W> for $f
        where
            T: Element,
            D: RemoveAxis,
            R: ForwardReturn<W, Out = Result<Array<T, D>, CommError>>,
            K: Ranked,
            C: ForwardArg<K, W> + Annotation<Primal: Memory<Target = K>>,
            $($P: ForwardArg<usize, W>,)*
            X: ForwardArg<ArrayRef<T, D>, W>,
        {
            fn forward(
                &self,
                config: &ForwardConfig,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> Result<R::Forward, CommError> {
                let (comm, told) = (c.primal().comm(), ($($p.primal(),)*));
                comm.agree(Self::NAME, R::ACTIVE && x.is_active())?;
                let value = Self::apply(comm, told, x.primal())?;
                let lanes = 0..if R::ACTIVE { W } else { 0 };
                let zero = || Ok(Array::zeros(value.raw_dim()));
                let of = |lane| x.tangent(lane).map_or_else(zero, |dx| Self::apply(comm, told, dx));
                let mut dy = lanes.map(of).collect::<Result<Vec<_>, CommError>>()?.into_iter();
                let next = |_| dy.next().expect("a tangent for each lane");
                Ok(R::forward(config, || value, next))
            }
        }

        impl<R, C, K, $($P,)* X, T, D, const W: usize> ReverseRule<R, (C, $($P,)* X), W> for $f
        where
            T: Element,
            D: RemoveAxis,
            R: ReverseReturn<W, Out = Result<Array<T, D>, CommError>>,
            K: Ranked,
            C: ReverseArg<K, W> + Annotation<Primal: Memory<Target = K>>,
            $($P: ReverseArg<usize, W>,)*
            X: ReverseArg<ArrayRef<T, D>, W>,
        {
            type Tape = ();

            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> Result<Augmented<R, (), W>, CommError> {
                c.primal().comm().agree(Self::NAME, R::ACTIVE && x.is_active())?;
                let value = Self::apply(c.primal().comm(), ($($p.primal(),)*), x.primal())?;
                Ok(R::augmented(config, value, ()))
            }

            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                (): (),
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> (C::Gradient, $($P::Gradient,)* X::Gradient) {
                let dx = x.accumulate(|lane, _, mut dx| {
                    if let Some(dy) = dret.lane(lane) {
                        let back = Self::transpose(c.primal().comm(), ($($p.primal(),)*), dy);
                        let back = sent_back(back);
                        dx.accumulate_with(|dx| *dx += &*back);
                    }
                });
                (c.no_gradient(), $($p.no_gradient(),)* dx)
            }
        }
    };
}

axis_rule!(all_gather_axis, dim Dim);
axis_rule!(reduce_scatter_axis, dim Dim);
axis_rule!(all_to_all_axis, split Split, join Join);
