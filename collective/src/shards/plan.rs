//! How operands get where a call needs them, and the value where it belongs.

use std::collections::BTreeSet;
use std::fmt;

use coenzyme_rules::class::Spec;
use ndarray::{ArrayD, Axis, Slice, concatenate};

use super::cost::{Collective, Link};
use super::factors::Placed;
use super::layout::Layout;
use crate::transport::Op;
use crate::{CommError, Element, Mesh, Process};

/// One step of a [`Plan`].
///
/// | step | each rank | communication | that of its transpose |
/// |---|---|---|---|
/// | `Gather` | its block, then all | all-gather | none: its own block; a reduce-scatter if it `varies` |
/// | `Slice` | all, then its block | none | all-gather |
/// | `Vary` | uses a value that is equal along an axis for work that is not | none | all-reduce |
/// | `AllReduce` | its part of a sum, then the sum | all-reduce | none |
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A dimension of an operand that is cut becomes whole.
    Gather {
        /// The operand.
        operand: usize,
        /// The dimension.
        dim: usize,
        /// The axis that it is cut along.
        axis: String,
        /// Whether the work it is gathered for is cut along the same axis.
        varies: bool,
    },
    /// A dimension of an operand that is whole is cut.
    Slice {
        /// The operand.
        operand: usize,
        /// The dimension.
        dim: usize,
        /// The axis that it is cut along.
        axis: String,
    },
    /// An operand that is equal along an axis takes part in work that is cut along it.
    Vary {
        /// The operand.
        operand: usize,
        /// The axis.
        axis: String,
    },
    /// The parts of the value are summed.
    AllReduce {
        /// The axis that they lie along.
        axis: String,
    },
}

/// The steps of a call on shards, in order: those of operands, then those of the value. Printed, one line a step; run on shards of any
/// [`Element`], by [`value`](Self::value) and [`gradients`](Self::gradients).
///
/// ```
/// use coenzyme_collective::shards::{Layout, Shards};
/// use coenzyme_collective::{CommError, LocalMesh, Mesh};
/// use coenzyme_rules::{class::Spec, linalg::matmul};
/// use ndarray::{ArrayD, arr2};
///
/// // a row, cut, times a column that is whole on each of two ranks
/// let mesh = Mesh::new([("tp", 2)]);
/// let (x, w) = (Layout::new([None, Some("tp")]), Layout::new([None, None]));
/// let specs = [Spec::f32(&[1, 2]), Spec::f32(&[2, 1])];
/// let call = Shards::of(matmul {}, [(&specs[0], &x), (&specs[1], &w)], (), &mesh)?;
/// assert_eq!(call.plan.to_string(), "slice dimension 0 of operand 1 along tp\nsum the value along tp\n");
///
/// let runs = LocalMesh::new(mesh).run(|process| {
///     let operands = [arr2(&[[1.0 + process.rank() as f32]]).into_dyn(), arr2(&[[3.0], [4.0]]).into_dyn()];
///     // each rank has 1×1 matrices where it calls the function
///     let product = |x: &[ArrayD<f32>]| &x[0] * &x[1];
///     let y = call.plan.value(process, &operands, product)?;
///     let dy = arr2(&[[1.0]]).into_dyn();
///     let dx = call.plan.gradients(process, &operands, &dy, |x, dy| vec![dy * &x[1], &x[0] * dy])?;
///     Ok::<_, CommError>((y.sum(), dx))
/// })?;
/// // 1·3 + 2·4, of which each rank has its shard of the cotangents
/// assert_eq!(runs[0].0, 11.0);
/// assert_eq!((&runs[1].1[0], &runs[1].1[1]), (&arr2(&[[4.0]]).into_dyn(), &arr2(&[[1.0], [2.0]]).into_dyn()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    steps: Vec<Step>,
}

impl Plan {
    /// From where operands are to where a call needs them.
    #[must_use]
    pub fn new(operands: &[&Layout], placed: &Placed) -> Self {
        let mut steps = Vec::new();
        let work = placed.operands.iter().flat_map(Layout::axes).flatten();
        let work: BTreeSet<_> = work.collect();
        for (operand, (is, wanted)) in operands.iter().zip(&placed.operands).enumerate() {
            let has = |layout: &Layout, axis| layout.axes().any(|a| a == Some(axis));
            let dims = || {
                is.axes()
                    .zip(wanted.axes())
                    .enumerate()
                    .filter(|(_, (a, b))| a != b)
            };
            // an axis is free again before another dimension is cut along it
            steps.extend(dims().filter_map(|(dim, (axis, _))| {
                let axis = axis?;
                Some(Step::Gather {
                    operand,
                    dim,
                    axis: axis.into(),
                    varies: work.contains(axis) && !has(wanted, axis),
                })
            }));
            steps.extend(dims().filter_map(|(dim, (_, axis))| {
                let axis = axis?.into();
                Some(Step::Slice { operand, dim, axis })
            }));
            let equal = work
                .iter()
                .filter(|axis| !has(is, axis) && !has(wanted, axis));
            steps.extend(equal.map(|axis| Step::Vary {
                operand,
                axis: (*axis).into(),
            }));
        }
        let sums = placed.partial.iter().cloned();
        steps.extend(sums.map(|axis| Step::AllReduce { axis }));
        Self { steps }
    }

    /// The steps of the operands alone: those that the reverse pass takes again.
    #[must_use]
    pub fn without_sums(mut self) -> Self {
        self.steps.retain(|step| step.operand().is_some());
        self
    }

    /// The steps.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The collectives of the call, or of its reverse pass, each with the bytes of the whole array and the ranks: what it costs with a
    /// [`Link`] is [`Collective::seconds`] of each. `operands` are the shards before the plan, `out` the shard of the value. A dual number
    /// is sent as two.
    #[must_use]
    pub fn collectives(
        &self,
        operands: &[Spec],
        out: &Spec,
        mesh: &Mesh,
        reverse: bool,
    ) -> Vec<(Collective, usize, usize)> {
        let mut shards = operands.to_vec();
        let mut all = Vec::new();
        for step in &self.steps {
            let n = mesh.devices([step.axis()]);
            let (forward, back) = match step {
                Step::Gather {
                    operand,
                    dim,
                    varies,
                    ..
                } => {
                    shards[*operand].shape[*dim] *= n;
                    let whole = shards[*operand].bytes();
                    let back = varies.then_some((Collective::ReduceScatter, whole, n));
                    (Some((Collective::AllGather, whole, n)), back)
                }
                Step::Slice { operand, dim, .. } => {
                    let whole = shards[*operand].bytes();
                    shards[*operand].shape[*dim] /= n;
                    (None, Some((Collective::AllGather, whole, n)))
                }
                Step::Vary { operand, .. } => (
                    None,
                    Some((Collective::AllReduce, shards[*operand].bytes(), n)),
                ),
                Step::AllReduce { .. } => (Some((Collective::AllReduce, out.bytes(), n)), None),
            };
            all.extend(if reverse { back } else { forward });
        }
        all
    }

    /// Seconds of [`collectives`](Self::collectives).
    #[must_use]
    pub fn seconds(
        &self,
        operands: &[Spec],
        out: &Spec,
        mesh: &Mesh,
        reverse: bool,
        link: Link,
    ) -> f64 {
        let all = self.collectives(operands, out, mesh, reverse);
        all.iter()
            .map(|(c, bytes, n)| c.seconds(*bytes, *n, link))
            .sum()
    }

    /// The shard of the value on this rank: `f` of the operands where it needs them, and the sum of its parts.
    ///
    /// # Errors
    /// As [`CommError`] says.
    pub fn value<T: Element>(
        &self,
        process: &Process,
        operands: &[ArrayD<T>],
        f: impl FnOnce(&[ArrayD<T>]) -> ArrayD<T>,
    ) -> Result<ArrayD<T>, CommError> {
        let mut y = f(&self.moved(process, operands)?);
        for step in &self.steps {
            if let Step::AllReduce { axis } = step {
                y = summed(process, axis, &y)?;
            }
        }
        Ok(y)
    }

    /// The shards of the cotangents of the operands on this rank, each laid out as its operand, from the shard of that of the value:
    /// `pullback` gives those of the call on this rank. The loss counts once, however many ranks have the value.
    ///
    /// # Errors
    /// As [`CommError`] says.
    pub fn gradients<T: Element>(
        &self,
        process: &Process,
        operands: &[ArrayD<T>],
        dy: &ArrayD<T>,
        pullback: impl FnOnce(&[ArrayD<T>], &ArrayD<T>) -> Vec<ArrayD<T>>,
    ) -> Result<Vec<ArrayD<T>>, CommError> {
        // the transpose of a sum that counts once is the identity
        let mut dx = pullback(&self.moved(process, operands)?, dy);
        for step in self.steps.iter().rev() {
            if let Some(operand) = step.operand() {
                dx[operand] = step.transpose(process, &dx[operand])?;
            }
        }
        Ok(dx)
    }

    fn moved<T: Element>(
        &self,
        process: &Process,
        operands: &[ArrayD<T>],
    ) -> Result<Vec<ArrayD<T>>, CommError> {
        let mut x = operands.to_vec();
        for step in &self.steps {
            if let Some(operand) = step.operand() {
                x[operand] = step.apply(process, &x[operand])?;
            }
        }
        Ok(x)
    }
}

impl Step {
    /// The axis of the mesh.
    #[must_use]
    pub fn axis(&self) -> &str {
        match self {
            Step::Gather { axis, .. }
            | Step::Slice { axis, .. }
            | Step::Vary { axis, .. }
            | Step::AllReduce { axis } => axis,
        }
    }

    /// The operand, for a step of one.
    #[must_use]
    pub fn operand(&self) -> Option<usize> {
        match self {
            Step::Gather { operand, .. }
            | Step::Slice { operand, .. }
            | Step::Vary { operand, .. } => Some(*operand),
            Step::AllReduce { .. } => None,
        }
    }

    fn apply<T: Element>(&self, process: &Process, x: &ArrayD<T>) -> Result<ArrayD<T>, CommError> {
        match self {
            Step::Gather { dim, axis, .. } => gathered(process, axis, *dim, x),
            Step::Slice { dim, axis, .. } => own_block(process, axis, *dim, x),
            Step::Vary { .. } | Step::AllReduce { .. } => Ok(x.clone()),
        }
    }

    fn transpose<T: Element>(
        &self,
        process: &Process,
        dx: &ArrayD<T>,
    ) -> Result<ArrayD<T>, CommError> {
        match self {
            Step::Gather {
                dim,
                axis,
                varies: true,
                ..
            } => scattered(process, axis, *dim, dx),
            Step::Gather { dim, axis, .. } => own_block(process, axis, *dim, dx),
            Step::Slice { dim, axis, .. } => gathered(process, axis, *dim, dx),
            Step::Vary { axis, .. } => summed(process, axis, dx),
            Step::AllReduce { .. } => Ok(dx.clone()),
        }
    }
}

/// The blocks of all ranks along an axis, in their order.
fn gathered<T: Element>(
    process: &Process,
    axis: &str,
    dim: usize,
    x: &ArrayD<T>,
) -> Result<ArrayD<T>, CommError> {
    let comm = process.along(&[axis])?;
    let flat: Vec<T> = x.iter().copied().collect();
    let all = comm.all_gather(&vec![flat.len(); comm.size()], &flat)?;
    let blocks = (0..comm.size()).map(|rank| {
        let block = all[rank * flat.len()..][..flat.len()].to_vec();
        ArrayD::from_shape_vec(x.raw_dim(), block).expect("a block has the shape of each other")
    });
    let blocks: Vec<_> = blocks.collect();
    let views: Vec<_> = blocks.iter().map(|block| block.view()).collect();
    Ok(concatenate(Axis(dim), &views).expect("blocks have one shape"))
}

/// This rank's block of the sum along an axis.
fn scattered<T: Element>(
    process: &Process,
    axis: &str,
    dim: usize,
    x: &ArrayD<T>,
) -> Result<ArrayD<T>, CommError> {
    let comm = process.along(&[axis])?;
    let each = comm.equal_parts(x.shape()[dim])?[0];
    let blocks = x.axis_chunks_iter(Axis(dim), each.max(1));
    let flat: Vec<T> = blocks
        .flat_map(|block| block.iter().copied().collect::<Vec<_>>())
        .collect();
    let block = comm.reduce_scatter(&comm.equal_parts(flat.len())?, &flat)?;
    let mut shape = x.raw_dim();
    shape[dim] = each;
    Ok(ArrayD::from_shape_vec(shape, block).expect("a block of the array's blocks"))
}

/// This rank's block along an axis.
fn own_block<T: Element>(
    process: &Process,
    axis: &str,
    dim: usize,
    x: &ArrayD<T>,
) -> Result<ArrayD<T>, CommError> {
    let comm = process.along(&[axis])?;
    let each = comm.equal_parts(x.shape()[dim])?[0];
    let begin = comm.rank() * each;
    Ok(x.slice_axis(Axis(dim), Slice::from(begin..begin + each))
        .to_owned())
}

/// The sum over the ranks along an axis.
fn summed<T: Element>(
    process: &Process,
    axis: &str,
    x: &ArrayD<T>,
) -> Result<ArrayD<T>, CommError> {
    let flat: Vec<T> = x.iter().copied().collect();
    let sum = process.along(&[axis])?.all_reduce(Op::Sum, &flat)?;
    Ok(ArrayD::from_shape_vec(x.raw_dim(), sum).expect("a sum has the shape of its terms"))
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Gather {
                operand, dim, axis, ..
            } => {
                write!(
                    f,
                    "gather dimension {dim} of operand {operand} along {axis}"
                )
            }
            Step::Slice { operand, dim, axis } => {
                write!(f, "slice dimension {dim} of operand {operand} along {axis}")
            }
            Step::Vary { operand, axis } => write!(f, "operand {operand} is equal along {axis}"),
            Step::AllReduce { axis } => write!(f, "sum the value along {axis}"),
        }
    }
}
