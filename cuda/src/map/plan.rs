//! One call of a map: shapes, kernels, launches.

use std::sync::Arc;

use ndarray::{Dimension, Ix1};

use super::argument::{Input, Target};
use super::print::{self, LANES};
use crate::array::DeviceArray;
use crate::device::{Device, Module};
use crate::element::{Element, Float};
use crate::error::{Error, Result};
use crate::function::DeviceFunction;
use crate::kernels::{PARTIAL_SUMS, Rows};
use crate::launch::{Address, Arguments};

/// A call whose shapes fit and whose kernels are loaded.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    device: Device,
    module: Arc<Module>,
    inputs: Vec<Input>,
    shape: Vec<usize>,
}

/// What the reverse pass of a map reads again, and what it has reserved.
pub struct MapTape<T> {
    plan: Plan,
    /// Partial sums of one lane, and sums that go to the host.
    workspace: Option<(DeviceArray<T>, DeviceArray<T>)>,
}

impl Plan {
    pub(super) fn new<F: DeviceFunction, T: Element>(inputs: Vec<Input>) -> Result<Self> {
        let shape = common(&inputs)?;
        let mut devices = inputs.iter().filter_map(Input::device);
        let Some(device) = devices.next().cloned() else {
            let wanted = "an array among the arguments, which says on which device";
            return Err(Error::shape("map", wanted, "numbers alone"));
        };
        if let Some(other) = devices.find(|other| **other != device) {
            return Err(Error::MixedDevices {
                first: device.name(),
                other: other.name(),
            });
        }
        let arity = inputs.len();
        let print = || print::source(&F::definition(), arity, T::NAME);
        Ok(Self {
            module: device.printed::<(F, T)>(arity, print)?,
            device,
            inputs,
            shape,
        })
    }

    fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// An array for the result.
    pub(super) fn unset<T: Element, D: Dimension>(&self) -> Result<DeviceArray<T, D>> {
        let mut shape = D::zeros(self.shape.len());
        shape.slice_mut().copy_from_slice(&self.shape);
        DeviceArray::unset(&self.device, shape)
    }

    /// Zeros like the result.
    pub(super) fn zeros<T: Element, D: Dimension>(&self) -> Result<DeviceArray<T, D>> {
        let zeros = self.unset::<T, D>()?;
        self.device.zero(zeros.address(), zeros.bytes())?;
        Ok(zeros)
    }

    fn inputs(&self, arguments: Arguments) -> Arguments {
        let n = self.len();
        self.inputs.iter().fold(arguments, |a, x| x.push(a, n))
    }

    pub(super) fn value<T: Element, D: Dimension>(&self) -> Result<DeviceArray<T, D>> {
        let y = self.unset::<T, D>()?;
        let arguments = Arguments::new().int(self.len()).address(y.address());
        let arguments = self.inputs(arguments);
        self.device
            .each(&self.module, "map_value", self.len(), arguments)?;
        Ok(y)
    }

    /// Value and tangents. `tangents[k][lane]` is that of argument `k`; `y` is not written if it is null.
    pub(super) fn forward(
        &self,
        y: Address,
        dy: &[Address],
        tangents: &[Vec<Option<Input>>],
    ) -> Result<()> {
        let (mut done, n) = (0, self.len());
        while done < dy.len() {
            let (kernel, lanes) = match dy.len() - done {
                1 => ("map_forward1", 1),
                _ => ("map_forward4", LANES),
            };
            let at = |w: usize| dy.get(done + w).copied().unwrap_or(0);
            let outputs: Vec<Address> = (0..lanes).map(at).collect();
            let y = if done == 0 { y } else { 0 };
            let arguments = Arguments::new().int(n).address(y).words(&outputs);
            let mut arguments = self.inputs(arguments);
            for of_argument in tangents {
                let one = |w: usize| {
                    let input = of_argument.get(done + w).and_then(Option::as_ref);
                    input.map_or([0; 3], |input| input.words(n))
                };
                let words: Vec<u64> = (0..lanes).flat_map(one).collect();
                arguments = arguments.words(&words);
            }
            self.device.each(&self.module, kernel, n, arguments)?;
            done += lanes;
        }
        Ok(())
    }

    /// Whether the cotangent of an argument is a sum.
    fn is_sum(&self, k: usize) -> bool {
        self.inputs[k].is_number() || self.inputs[k].len() != self.len()
    }

    /// How many partial sums there are of each entry of an argument with `period` entries.
    fn chunks(&self, period: usize) -> usize {
        let rows = self.len() / period.max(1);
        rows.clamp(1, (PARTIAL_SUMS / period.max(1)).max(1))
    }

    /// What the reverse pass of these active arguments needs: all that can fail.
    pub(super) fn tape<T: Float>(self, active: &[bool], width: usize) -> Result<MapTape<T>> {
        let sums = (0..self.inputs.len()).filter(|k| active[*k] && self.is_sum(*k));
        let periods = sums.map(|k| self.inputs[k].len());
        let longest = periods.map(|period| period * self.chunks(period)).max();
        let workspace = longest.map(|longest| {
            let count = self.inputs.len();
            let partials = DeviceArray::<T, Ix1>::unset(&self.device, longest * count)?;
            let numbers = DeviceArray::unset(&self.device, count * width)?;
            Ok::<_, Error>((partials, numbers))
        });
        let workspace = workspace.transpose()?;
        // also what adds the sums up
        self.device.library::<T>()?;
        Ok(MapTape {
            plan: self,
            workspace,
        })
    }
}

impl<T: Float> MapTape<T> {
    /// Adds the cotangents: `targets[k][lane]` is where that of argument `k` goes, nothing if it is inactive.
    pub(super) fn reverse(&self, dy: &[Option<Address>], targets: &mut [Vec<Target<'_, T>>]) {
        let added = self
            .elementwise(dy, targets)
            .and_then(|()| self.sums(dy, targets));
        self.plan.device.must(added);
    }

    /// Arguments as long as the result.
    fn elementwise(&self, dy: &[Option<Address>], targets: &[Vec<Target<'_, T>>]) -> Result<()> {
        let (plan, n) = (&self.plan, self.plan.len());
        let address = |k: usize, lane: usize| match targets[k].get(lane) {
            Some(Target::Array(at)) if !plan.is_sum(k) => *at,
            _ => 0,
        };
        for start in (0..dy.len()).step_by(LANES) {
            let lanes = start..start + LANES;
            let of = |k: usize| {
                lanes
                    .clone()
                    .map(|lane| address(k, lane))
                    .collect::<Vec<_>>()
            };
            let shadows: Vec<_> = (0..targets.len()).map(of).collect();
            if shadows.iter().flatten().all(|at| *at == 0) {
                continue;
            }
            let seeds = lanes.clone().map(|lane| dy.get(lane).copied().flatten());
            let seeds: Vec<u64> = seeds.map(|at| at.unwrap_or(0)).collect();
            let arguments = Arguments::new().int(n).words(&seeds);
            let arguments = plan.inputs(arguments);
            let arguments = shadows.iter().fold(arguments, |a, s| a.words(s));
            plan.device
                .each(&plan.module, "map_reverse", n, arguments)?;
        }
        Ok(())
    }

    /// Arguments that were repeated: partial sums, which are summed again; those of numbers are brought to the host.
    fn sums(&self, dy: &[Option<Address>], targets: &mut [Vec<Target<'_, T>>]) -> Result<()> {
        let Some((partials, numbers)) = &self.workspace else {
            return Ok(());
        };
        let (plan, n) = (&self.plan, self.plan.len());
        if n == 0 {
            return Ok(());
        }
        let summed = |k: &usize| plan.is_sum(*k) && !targets[*k].is_empty();
        let summed: Vec<usize> = (0..targets.len()).filter(summed).collect();
        let mut periods: Vec<usize> = summed.iter().map(|k| plan.inputs[*k].len()).collect();
        periods.sort_unstable();
        periods.dedup();
        let mut brought = Vec::new();
        for (lane, at) in dy.iter().enumerate() {
            let Some(at) = at else { continue };
            for &period in &periods {
                let chunks = plan.chunks(period);
                let of_period = |k: &&usize| plan.inputs[**k].len() == period;
                let group: Vec<usize> = summed.iter().filter(of_period).copied().collect();
                let mask = group.iter().fold(0, |mask, k| mask | 1_u64 << k);
                let threads = chunks * period;
                let arguments = Arguments::new().int(n).int(threads).words(&[mask]);
                let arguments = plan.inputs(arguments.address(*at));
                let arguments = arguments.address(partials.address());
                plan.device
                    .each(&plan.module, "map_sums", threads, arguments)?;
                let rows = Rows {
                    outer: 1,
                    n: chunks,
                    inner: period,
                };
                for k in group {
                    let bytes = size_of::<T>();
                    let from = partials.address() + (k * threads * bytes) as Address;
                    let (to, add) = match &targets[k][lane] {
                        Target::Array(to) => (*to, true),
                        Target::Number(_) => {
                            brought.push((k, lane));
                            let place = lane * targets.len() + k;
                            (numbers.address() + (place * bytes) as Address, false)
                        }
                    };
                    let one = T::narrow(1.0);
                    rows.sum(&plan.device, one, from, to, add)?;
                }
            }
        }
        if brought.is_empty() {
            return Ok(());
        }
        let values = numbers.values()?;
        for (k, lane) in brought {
            let count = targets.len();
            if let Target::Number(number) = &mut targets[k][lane] {
                **number += values[lane * count + k];
            }
        }
        Ok(())
    }
}

/// The shape of the result: that with most axes, whose last axes the others have.
fn common(inputs: &[Input]) -> Result<Vec<usize>> {
    let arrays = inputs.iter().filter(|input| !input.is_number());
    let mut widest: &[usize] = &[];
    for input in arrays.clone() {
        if input.shape.len() > widest.len() {
            widest = &input.shape;
        }
    }
    for input in arrays {
        if !widest.ends_with(&input.shape) {
            return Err(Error::shape(
                "map",
                format_args!("the last axes of {widest:?}, which are repeated along the others"),
                format_args!("{:?}", input.shape),
            ));
        }
    }
    Ok(widest.to_vec())
}
