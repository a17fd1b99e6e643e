//! Gradients within a budget of memory: which calls are made again.
//!
//! The calls are cut into segments. The first run keeps what later segments read; then each segment, the last one first, is run again
//! with tapes and pulled back. With `k` segments of a chain of `n` calls about `k + n/k` values live at a time in place of `n`.
//!
//! Source: Chen et al. 2016, *Training deep nets with sublinear memory cost*, arXiv:1604.06174, section 4.

use std::ops::Range;

use coenzyme_operations::{Cotangents, ErrorKind, Mask, OpError, Outputs, Shadows, Value};

use super::{Graph, Node};
use crate::session::ones;

/// Which calls are made again, and what that costs.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryPlan {
    segments: Vec<Range<usize>>,
    /// The bytes of values, tapes and cotangents that live at a time, at most; operands of the graph, constants and results not counted.
    pub peak_bytes: usize,
    /// The calls that are made twice.
    pub recomputed: usize,
    /// The operations of these.
    pub flops: f64,
}

impl MemoryPlan {
    /// The number of segments; one keeps everything.
    #[must_use]
    pub fn segments(&self) -> usize {
        self.segments.len()
    }
}

impl Graph {
    /// The plan with the fewest calls made again whose memory is within the budget.
    ///
    /// # Errors
    /// If none is, with the smallest peak that there is.
    pub fn plan_memory(&self, budget: usize) -> Result<MemoryPlan, OpError> {
        let mut smallest: Option<MemoryPlan> = None;
        for k in 1..=self.nodes.len().max(1) {
            // beyond a few, only numbers of segments that change their length
            if k > 16 && self.nodes.len().div_ceil(k) == self.nodes.len().div_ceil(k - 1) {
                continue;
            }
            let plan = self.cut(k);
            if plan.peak_bytes <= budget {
                return Ok(plan);
            }
            if smallest
                .as_ref()
                .is_none_or(|s| plan.peak_bytes < s.peak_bytes)
            {
                smallest = Some(plan);
            }
        }
        let least = smallest.map_or(0, |plan| plan.peak_bytes);
        let reason = format!("{budget} bytes are too few: the gradient needs {least}");
        Err(self.signature.error(ErrorKind::Invalid(reason)))
    }

    /// The plan with `k` segments of as many nodes.
    fn cut(&self, k: usize) -> MemoryPlan {
        let n = self.nodes.len();
        let length = n.div_ceil(k).max(1);
        let segments: Vec<_> = (0..n)
            .step_by(length)
            .map(|start| start..(start + length).min(n))
            .collect();
        let last = self.last_reads();
        let bytes = |i: usize| {
            self.nodes[i]
                .call()
                .map_or(0, |call| call.plan.outline.bytes())
        };
        let tape = |i: usize| {
            let call = self.nodes[i].call();
            call.map_or(0, |call| {
                call.plan.outline.tape_bytes(Mask::ALL, Mask::NONE)
            })
        };
        let mut peak = 0;
        for segment in &segments {
            // while a segment is pulled back: what earlier ones have kept, its own values and tapes, and a cotangent for each
            let kept = (0..segment.start).filter(|i| last[*i] >= segment.start);
            let kept: usize = kept.map(|i| 2 * bytes(i)).sum();
            let own: usize = segment.clone().map(|i| 3 * bytes(i) + tape(i)).sum();
            peak = peak.max(kept + own);
        }
        // the last segment is made once, with its tapes
        let twice = segments.split_last().map_or(&[][..], |(_, rest)| rest);
        let calls = || twice.iter().flat_map(Range::clone);
        let calls = || calls().filter_map(|i| self.nodes[i].call());
        MemoryPlan {
            peak_bytes: peak,
            recomputed: calls().count(),
            flops: calls().map(|call| call.plan.outline.flops).sum(),
            segments,
        }
    }

    /// [`gradients`](Self::gradients) as planned, on one thread: the same bits.
    ///
    /// # Errors
    /// As [`gradients`](Self::gradients); if the plan is that of another graph.
    pub fn gradients_within(
        &self,
        plan: &MemoryPlan,
        x: &[&Value],
        wanted: &[bool],
        dy: Option<&[Option<Value>]>,
    ) -> Result<(Outputs, Shadows), OpError> {
        self.check(x)?;
        if plan.segments.last().map_or(0, |s| s.end) != self.nodes.len() {
            let reason = "the plan is that of another graph".to_string();
            return Err(self.signature.error(ErrorKind::Invalid(reason)));
        }
        let mut sweep = self.sweep(Mask::of(wanted.iter().copied()), 1, false);
        sweep.begin(x);
        let last = self.last_reads();
        let is_call = |i: usize| matches!(self.nodes[i], Node::Call(_));
        for (s, segment) in plan.segments.iter().enumerate() {
            let taped = s + 1 == plan.segments.len();
            for i in segment.clone() {
                sweep.compute(i, taped)?;
            }
            if !taped {
                for i in segment
                    .clone()
                    .filter(|i| is_call(*i) && last[*i] < segment.end)
                {
                    sweep.forget(i);
                }
            }
        }
        let outputs = self.outputs_of(&sweep.values);
        let dy: Cotangents = match dy {
            Some(dy) => dy.iter().cloned().collect(),
            None => outputs.iter().map(ones).collect(),
        };
        sweep.seed(vec![dy])?;
        for (s, segment) in plan.segments.iter().enumerate().rev() {
            if s + 1 < plan.segments.len() {
                for i in segment.clone() {
                    sweep.compute(i, true)?;
                }
            }
            for i in segment.clone().rev() {
                sweep.pull_one(i);
                if is_call(i) {
                    sweep.forget(i);
                }
            }
        }
        let mut dx = sweep.finish()?.swap_remove(0);
        for ((dx, x), wanted) in dx.iter_mut().zip(x).zip(wanted) {
            match *wanted && x.dtype().is_float() {
                true => *dx = dx.take().or_else(|| Some(x.zeros_like())),
                false => *dx = None,
            }
        }
        Ok((outputs, dx))
    }
}
