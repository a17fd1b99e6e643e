//! What a reverse rule is given: primals, what inputs have accumulated so far, and the cotangents of outputs.

use super::bench::Bench;
use super::partly::Partly;
use super::signature::Parameter;
use super::silence::Silence;
use crate::argument::Access;
use crate::canary::canary;
use crate::subject::{Adjacent, Alias, State};

/// What a call is given: primals, what the shadows of inputs have accumulated so far, the cotangents of outputs.
#[derive(Clone)]
pub(super) struct Seeds {
    pub(super) primals: Vec<Vec<f64>>,
    /// By argument and lane: what the first half finds in the shadows, and must not touch.
    earlier: Vec<Vec<Vec<f64>>>,
    /// By argument and lane: what the second half finds in the shadows of inputs. Other calls have added to them since.
    before: Vec<Vec<Vec<f64>>>,
    /// By argument and lane; `None` for inputs, which keep what they have.
    pub(super) outputs: Vec<Option<Vec<Vec<f64>>>>,
    pub(super) returned: Vec<Vec<f64>>,
    layout: usize,
    alias: Option<Alias>,
    adjacent: Option<Adjacent>,
}

impl Seeds {
    pub(super) fn of(bench: &Bench<'_>) -> Self {
        let fill = |suffix: &str| {
            bench.shadows(|index, lane, parameter, _| {
                let length = bench.point.primals[index].len();
                bench.seeds(&format!("{}{suffix}", parameter.name), lane, length)
            })
        };
        let arguments = bench.signature.arguments.iter().zip(fill(""));
        let cotangent = |(parameter, seeds): (&Parameter, _)| {
            (parameter.access == Access::Exclusive).then_some(seeds)
        };
        Seeds {
            primals: bench.primals(),
            earlier: fill(" earlier"),
            before: fill(" before"),
            outputs: arguments.map(cotangent).collect(),
            returned: bench.returned_seeds(),
            layout: 0,
            alias: None,
            adjacent: None,
        }
    }

    /// The same cotangents at another point.
    pub(super) fn at(mut self, primals: Vec<Vec<f64>>) -> Self {
        self.primals = primals;
        self
    }

    /// The same in another layout of memory.
    pub(super) fn in_layout(mut self, layout: usize) -> Self {
        self.layout = layout;
        self
    }

    /// The same with no number in what the function overwrites unread.
    pub(super) fn unread(mut self, bench: &Bench<'_>) -> Self {
        for (index, parameter, _) in bench.arguments() {
            if parameter.write_only {
                self.primals[index].fill(canary());
                let lanes = self.earlier[index].iter_mut();
                lanes.for_each(|lane| lane.fill(canary()));
            }
        }
        self
    }

    /// The same with two arguments in one memory.
    pub(super) fn aliased(mut self, (one, other): (usize, usize)) -> Self {
        self.alias = Some(Alias::Primals(one, other));
        self
    }

    /// The same with the second of two arguments behind the first.
    pub(super) fn adjoining(mut self, (one, other): (usize, usize)) -> Self {
        self.adjacent = Some(Adjacent::Primals(one, other));
        self
    }

    /// The same cotangents, and nothing accumulated so far.
    pub(super) fn unaccumulated(mut self) -> Self {
        let shadows = self.earlier.iter_mut().chain(&mut self.before);
        let seeds = shadows.flatten().flatten();
        seeds.for_each(|seed| *seed = 0.0);
        self
    }

    /// Replaces what has been accumulated in one lane of an argument, entry by entry.
    pub(super) fn replace_before(
        &mut self,
        argument: usize,
        lane: usize,
        number: impl Fn(usize, f64) -> f64,
    ) {
        for shadows in [&mut self.earlier, &mut self.before] {
            let floats = shadows[argument].get_mut(lane).into_iter().flatten();
            floats
                .enumerate()
                .for_each(|(entry, x)| *x = number(entry, *x));
        }
    }

    /// The cotangents times `factor`.
    pub(super) fn scaled(mut self, factor: f64) -> Self {
        let outputs = self.outputs.iter_mut().flatten().flatten().flatten();
        let returned = self.returned.iter_mut().flatten();
        outputs.chain(returned).for_each(|seed| *seed *= factor);
        self
    }

    /// What was accumulated before, times `factor`.
    pub(super) fn after(mut self, factor: f64) -> Self {
        let shadows = self.earlier.iter_mut().chain(&mut self.before);
        let seeds = shadows.flatten().flatten();
        seeds.for_each(|seed| *seed *= factor);
        self
    }

    /// The same cotangents, some of them zero.
    pub(super) fn silenced(mut self, silence: &Silence) -> Self {
        let mut start = self.returned.first().map_or(0, Vec::len);
        silence.apply(0, &mut self.returned);
        for lanes in self.outputs.iter_mut().flatten() {
            silence.apply(start, lanes);
            start += lanes.first().map_or(0, Vec::len);
        }
        self
    }

    /// The cotangents of all active outputs in a row, lane by lane.
    pub(super) fn seeded(mut self, lanes: &[Vec<f64>]) -> Self {
        let mut next = 0;
        let outputs = self.outputs.iter_mut().flatten();
        for cotangents in std::iter::once(&mut self.returned).chain(outputs) {
            let length = cotangents.first().map_or(0, Vec::len);
            for (cotangent, row) in cotangents.iter_mut().zip(lanes) {
                cotangent.copy_from_slice(&row[next..next + length]);
            }
            next += length;
        }
        self
    }

    /// The arguments whose shadows accumulate.
    pub(super) fn accumulating(&self, bench: &Bench<'_>) -> Vec<usize> {
        let shadows = bench.arguments().filter(|(index, parameter, _)| {
            let length = self.before[*index].first().map_or(0, Vec::len);
            parameter.access != Access::Exclusive && length > 0
        });
        shadows.map(|(index, _, _)| index).collect()
    }

    /// The same, with shadows that are zero in some places.
    pub(super) fn partly_zero(mut self, bench: &Bench<'_>, partly: Partly) -> Self {
        for shadows in [&mut self.earlier, &mut self.before] {
            for (argument, lanes) in shadows.iter_mut().enumerate() {
                let shape = &bench.signature.arguments[argument].shape;
                for (lane, shadow) in lanes.iter_mut().enumerate() {
                    partly.apply(argument, shape, lane, shadow);
                }
            }
        }
        self
    }

    /// The active outputs that have entries: their names and lengths.
    pub(super) fn extent(&self, bench: &Bench<'_>) -> (Vec<String>, Vec<usize>) {
        let returned = std::iter::once(("ret", Some(&self.returned)));
        let names = bench.signature.arguments.iter();
        let names = names.map(|parameter| parameter.name.as_str());
        let outputs = names.zip(self.outputs.iter().map(Option::as_ref));
        let lanes = |(name, lanes): (&str, Option<&Vec<Vec<f64>>>)| {
            let length = lanes.and_then(|lanes| lanes.first()).map_or(0, Vec::len);
            (length > 0).then(|| (name.to_owned(), length))
        };
        returned.chain(outputs).filter_map(lanes).unzip()
    }

    /// One lane alone.
    pub(super) fn lane(&self, lane: usize) -> Self {
        let one = |lanes: &Vec<Vec<f64>>| lanes.get(lane).cloned().into_iter().collect();
        Seeds {
            primals: self.primals.clone(),
            earlier: self.earlier.iter().map(one).collect(),
            before: self.before.iter().map(one).collect(),
            outputs: self
                .outputs
                .iter()
                .map(|lanes| lanes.as_ref().map(one))
                .collect(),
            returned: one(&self.returned),
            layout: self.layout,
            alias: self.alias,
            adjacent: self.adjacent,
        }
    }

    /// The same of dual numbers: the point moves along `direction`, the cotangents are constants.
    pub(super) fn dual(&self, direction: &[Vec<f64>]) -> Self {
        let pair = |(value, tangent): (&f64, &f64)| [*value, *tangent];
        let point = self.primals.iter().zip(direction);
        let constant = |floats: &Vec<f64>| floats.iter().flat_map(|x| [*x, 0.0]).collect();
        let constants = |lanes: &Vec<Vec<f64>>| lanes.iter().map(constant).collect();
        Seeds {
            primals: point
                .map(|(x, along)| x.iter().zip(along).flat_map(pair).collect())
                .collect(),
            earlier: self.earlier.iter().map(constants).collect(),
            before: self.before.iter().map(constants).collect(),
            outputs: self
                .outputs
                .iter()
                .map(|lanes| lanes.as_ref().map(constants))
                .collect(),
            returned: constants(&self.returned),
            layout: self.layout,
            alias: self.alias,
            adjacent: self.adjacent,
        }
    }

    /// What an input had accumulated before the call.
    pub(super) fn initial(&self, argument: usize, lane: usize) -> &[f64] {
        &self.before[argument][lane]
    }

    /// The same, if the argument has a shadow.
    pub(super) fn before(&self, argument: usize, lane: usize) -> Option<&[f64]> {
        self.before[argument].get(lane).map(Vec::as_slice)
    }

    /// The cotangent of every output of the total map, in one lane: zero for what is inactive.
    pub(super) fn total(&self, bench: &Bench<'_>, lane: usize) -> Vec<f64> {
        let length = bench.point.returned().len();
        let mut total = self
            .returned
            .get(lane)
            .cloned()
            .unwrap_or_else(|| vec![0.0; length]);
        for (index, cotangents) in self.outputs.iter().enumerate() {
            if let Some(cotangents) = cotangents {
                match cotangents.get(lane) {
                    Some(cotangent) => total.extend(cotangent),
                    None => total.resize(total.len() + self.primals[index].len(), 0.0),
                }
            }
        }
        total
    }

    /// What the caller has put into the shadows between the halves: the cotangents of outputs, and in those of inputs
    /// what other calls have added.
    pub(super) fn between(&self) -> Vec<Vec<Vec<f64>>> {
        let rows = self.outputs.iter().zip(&self.before);
        rows.map(|(cotangents, before)| cotangents.as_ref().unwrap_or(before).clone())
            .collect()
    }

    /// The state before the call.
    pub(super) fn start(&self) -> State {
        State {
            primals: self.primals.clone(),
            shadows: self.earlier.clone(),
            layout: self.layout,
            alias: self.alias,
            adjacent: self.adjacent,
            gaps: vec![],
        }
    }
}
