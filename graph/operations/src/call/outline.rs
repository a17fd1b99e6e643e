//! What a call will return, cost and keep, told before there is any data.

use smallvec::{SmallVec, smallvec};

use super::Mask;
use crate::value::{DType, Shape, Spec};

/// What the derivative in one operand reads again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reads {
    /// Which operands.
    pub operands: Mask,
    /// Whether the outputs.
    pub outputs: bool,
    /// Whether what the value left behind.
    pub residual: bool,
}

/// What a call will return, cost and keep.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// Types and shapes of the outputs.
    pub outputs: SmallVec<[Spec; 1]>,
    /// An estimate of the operations of the value.
    pub flops: f64,
    /// What the derivative in each operand reads. Where this is not known it is everything: an upper bound.
    pub reads: SmallVec<[Reads; 2]>,
    /// The bytes of what the value leaves behind for derivatives that read it.
    pub residual: usize,
    operands: SmallVec<[usize; 2]>,
}

impl Outline {
    /// Of a call with one output that costs an operation for each entry of it, and whose derivatives read all.
    #[must_use]
    pub fn new(x: &[Spec], output: Spec) -> Self {
        let flops = output.entries() as f64;
        Self::of(x, smallvec![output], flops)
    }

    /// Of a call whose derivatives read all.
    #[must_use]
    pub fn of(x: &[Spec], outputs: SmallVec<[Spec; 1]>, flops: f64) -> Self {
        let all = Reads {
            operands: Mask::ALL,
            outputs: true,
            residual: true,
        };
        Self {
            outputs,
            flops,
            reads: x.iter().map(|_| all.clone()).collect(),
            residual: 0,
            operands: x.iter().map(Spec::bytes).collect(),
        }
    }

    /// Of a call that returns one array of the type of the first operand.
    pub(crate) fn shaped(x: &[Spec], shape: impl IntoIterator<Item = usize>) -> Self {
        let dtype = x.first().map_or(DType::F64, |x| x.dtype);
        let shape: Shape = shape.into_iter().collect();
        Self::new(x, Spec { dtype, shape })
    }

    /// With another number of operations.
    #[must_use]
    pub fn costing(mut self, flops: f64) -> Self {
        self.flops = flops;
        self
    }

    /// With derivatives that read nothing: the function is linear.
    #[must_use]
    pub fn linear(mut self) -> Self {
        self.reads.fill(Reads::default());
        self
    }

    /// The bytes of the outputs.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.outputs.iter().map(Spec::bytes).sum()
    }

    /// The bytes that the tape owns if some operands are active, and some may be overwritten before the reverse pass: what the
    /// derivatives in the active ones read again, of operands only what may be overwritten.
    #[must_use]
    pub fn tape_bytes(&self, active: Mask, overwritten: Mask) -> usize {
        let mut read = Reads::default();
        for (i, reads) in self.reads.iter().enumerate() {
            if active.has(i) {
                read.operands = read.operands.union(reads.operands);
                read.outputs |= reads.outputs;
                read.residual |= reads.residual;
            }
        }
        let operands = self.operands.iter().enumerate();
        let copied = operands.filter(|(i, _)| read.operands.has(*i) && overwritten.has(*i));
        let copied: usize = copied.map(|(_, bytes)| bytes).sum();
        let outputs = if read.outputs { self.bytes() } else { 0 };
        let residual = if read.residual { self.residual } else { 0 };
        copied + outputs + residual
    }
}
