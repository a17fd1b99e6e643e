//! One step of a Runge–Kutta method, its tangent and its adjoint.
//!
//! | stage `i` | forward | reverse, from the last stage |
//! |---|---|---|
//! | `sᵢ = x + h·Σ aᵢⱼkⱼ` | `ṡᵢ = ẋ + h·Σ aᵢⱼk̇ⱼ` | `x̄ += s̄ᵢ`, `k̄ⱼ += h·aᵢⱼ·s̄ᵢ` |
//! | `kᵢ = f(sᵢ + hγkᵢ, p)` | `(1 − hγJ)·k̇ᵢ = J·ṡᵢ + fₚ·ṗ` | `μ = (1 − hγJ)⁻ᵀ·k̄ᵢ`, `s̄ᵢ = Jᵀ·μ`, `p̄ += fₚᵀ·μ` |
//! | `x + h·Σ bᵢkᵢ` | `ẋ + h·Σ bᵢk̇ᵢ` | `k̄ᵢ = h·bᵢ·x̄` |
//!
//! with `J = fₓ` at the stage. For an explicit method `γ = 0` and nothing is solved.

use std::array::from_fn;

use coenzyme::{ForwardConfig, Function, Real, ReverseConfig, Tangent};

use super::tableau::Tableau;
use crate::Error;
use crate::body::{ForwardField, ReverseField};
use crate::implicit::linear::{Lu, distance, norm, unit};

/// Where a step begins, and how long it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interval {
    pub(super) start: f64,
    pub(super) length: f64,
}

/// The equation and the method.
pub(super) struct Stepper<'a, F, P: ?Sized> {
    pub(super) tableau: Tableau,
    pub(super) f: &'a F,
    pub(super) p: &'a P,
}

/// The states at which the stages were taken, and their slopes.
#[derive(Debug)]
pub(super) struct Stages<T> {
    pub(super) states: Vec<Vec<T>>,
    pub(super) slopes: Vec<Vec<T>>,
}

/// What the reverse pass of a step reads: the states of its stages, and what the equation leaves at each.
pub(super) struct StepTape<T, Tape> {
    states: Vec<Vec<T>>,
    tapes: Vec<Tape>,
}

/// `y += a·x`
pub(super) fn axpy<T: Real>(y: &mut [T], a: f64, x: &[T]) {
    if a != 0.0 {
        let a = T::lit(a);
        y.iter_mut().zip(x).for_each(|(y, x)| *y += a * *x);
    }
}

impl<F, P: ?Sized> Stepper<'_, F, P> {
    /// The stages of a step from `x`.
    pub(super) fn stages<T>(&self, x: &[T], at: Interval) -> Result<Stages<T>, Error>
    where
        T: Real,
        P: 'static,
        F: for<'a> Function<(&'a mut [T], &'a [T], &'a P, f64), Output = ()>
            + ForwardField<[T], P, 1>,
    {
        let Tableau { a, diagonal, c, .. } = self.tableau;
        let h = at.length;
        let (mut states, mut slopes) = (Vec::with_capacity(a.len()), Vec::<Vec<T>>::new());
        for (row, c) in a.iter().zip(c) {
            let t = at.start + c * h;
            let mut state = x.to_vec();
            for (a, k) in row.iter().zip(&slopes) {
                axpy(&mut state, h * a, k);
            }
            let mut slope = vec![T::zero(); x.len()];
            if diagonal == 0.0 {
                self.f.call((&mut slope, &state, self.p, t));
            } else {
                self.solve(&mut state, &mut slope, t, h * diagonal)?;
            }
            states.push(state);
            slopes.push(slope);
        }
        Ok(Stages { states, slopes })
    }

    /// Solves `k = f(s + γh·k)` by Newton's method: `state` is `s` before and where the slope is taken after.
    fn solve<T>(&self, state: &mut [T], slope: &mut [T], t: f64, gamma: f64) -> Result<(), Error>
    where
        T: Real,
        P: 'static,
        F: for<'a> Function<(&'a mut [T], &'a [T], &'a P, f64), Output = ()>
            + ForwardField<[T], P, 1>,
    {
        const LIMIT: usize = 50;
        const TOLERANCE: f64 = 1e-14;
        let base = state.to_vec();
        let mut last = f64::INFINITY;
        self.f.call((slope, &base, self.p, t));
        for _ in 0..LIMIT {
            state.copy_from_slice(&base);
            axpy(state, gamma, slope);
            let mut value = vec![T::zero(); slope.len()];
            self.f.call((&mut value, state, self.p, t));
            let residual: Vec<f64> = Tangent::to_flat(slope)
                .iter()
                .zip(Tangent::to_flat(&value))
                .map(|(k, f)| k - f)
                .collect();
            let lu = self.along_states::<T, 1>(state, t, gamma)?;
            let (here, change) = (Tangent::to_flat(slope), lu.solve(&residual));
            let there: Vec<f64> = here.iter().zip(&change).map(|(k, d)| k - d).collect();
            Tangent::unflatten(slope, &there);
            let moved = gamma.abs() * distance(&here, &there);
            let size = Tangent::to_flat(state);
            // converged, or rounding is all that moves
            let done = moved <= TOLERANCE * norm(&size).max(1e-10);
            if done || moved >= 0.5 * last && moved <= 1e-9 * norm(&size).max(1e-10) {
                state.copy_from_slice(&base);
                axpy(state, gamma, slope);
                return Ok(());
            }
            last = moved;
        }
        Err(Error::NoConvergence {
            iterations: LIMIT,
            residual: last,
            tolerance: TOLERANCE,
        })
    }

    /// `1 − γh·J`, factorized, from forward derivatives.
    fn along_states<T, const W: usize>(&self, state: &[T], t: f64, gamma: f64) -> Result<Lu, Error>
    where
        T: Real,
        F: ForwardField<[T], P, W>,
    {
        let n = Tangent::to_flat(state).len();
        let mut columns = Vec::new();
        Lu::of_columns(n, |j| {
            if j % W == 0 {
                let seeds: [Vec<T>; W] = from_fn(|lane| shaped(state, unit(n, (j + lane) % n)));
                columns = self
                    .push(&ForwardConfig::new(false), state, seeds, None, t)
                    .1
                    .into();
            }
            column(j, gamma, &Tangent::to_flat(&columns[j % W]))
        })
    }

    /// `f` at a state, and its tangents.
    fn push<T, const W: usize>(
        &self,
        config: &ForwardConfig,
        state: &[T],
        seeds: [Vec<T>; W],
        dp: Option<[&P; W]>,
        t: f64,
    ) -> (Vec<T>, [Vec<T>; W])
    where
        T: Real,
        F: ForwardField<[T], P, W>,
    {
        let mut slope = vec![T::zero(); state.len()];
        let mut tangents: [Vec<T>; W] = from_fn(|_| vec![T::zero(); state.len()]);
        let lanes = tangents.each_mut().map(|lane| &mut lane[..]);
        let seeds = Some(seeds.each_ref().map(|seed| &seed[..]));
        self.f
            .push(config, &mut slope, Some(lanes), state, seeds, self.p, dp, t);
        (slope, tangents)
    }

    /// The tangents of a step whose stages are known.
    pub(super) fn forward<T, const W: usize>(
        &self,
        config: &ForwardConfig,
        stages: &Stages<T>,
        dx: &mut [&mut [T]; W],
        dp: Option<[&P; W]>,
        at: Interval,
    ) -> Result<(), Error>
    where
        T: Real,
        F: ForwardField<[T], P, W>,
    {
        let Tableau {
            a, diagonal, b, c, ..
        } = self.tableau;
        let h = at.length;
        let mut slopes: Vec<[Vec<T>; W]> = Vec::new();
        for ((row, c), state) in a.iter().zip(c).zip(&stages.states) {
            let t = at.start + c * h;
            let seeds: [Vec<T>; W] = from_fn(|lane| {
                let mut seed = dx[lane].to_vec();
                for (a, k) in row.iter().zip(&slopes) {
                    axpy(&mut seed, h * a, &k[lane]);
                }
                seed
            });
            let (_, mut tangents) = self.push(config, state, seeds, dp, t);
            if diagonal != 0.0 {
                let lu = self.along_states::<T, W>(state, t, h * diagonal)?;
                for lane in &mut tangents {
                    let solved = lu.solve(&Tangent::to_flat(lane));
                    Tangent::unflatten(lane, &solved);
                }
            }
            slopes.push(tangents);
        }
        for (lane, dx) in dx.iter_mut().enumerate() {
            for (b, k) in b.iter().zip(&slopes) {
                axpy(dx, h * b, &k[lane]);
            }
        }
        Ok(())
    }

    /// The derivative of the state after a step in the length of the step, of an equation that does not depend on time.
    ///
    /// `s′ᵢ = Σ aᵢⱼ(kⱼ + h·k′ⱼ)`, `(1 − hγJ)·k′ᵢ = J·(s′ᵢ + γkᵢ)`, `x′ = Σ bᵢ(kᵢ + h·k′ᵢ)`
    pub(super) fn in_length(&self, stages: &Stages<f64>, at: Interval) -> Result<Vec<f64>, Error>
    where
        F: ForwardField<[f64], P, 1>,
    {
        let Tableau {
            a, diagonal, b, c, ..
        } = self.tableau;
        let h = at.length;
        let config = ForwardConfig::new(false);
        let mut along: Vec<Vec<f64>> = Vec::new();
        let mut whole = vec![0.0; stages.slopes.first().map_or(0, Vec::len)];
        for (i, (state, slope)) in stages.states.iter().zip(&stages.slopes).enumerate() {
            let t = at.start + c[i] * h;
            let mut seed = vec![0.0; state.len()];
            for (a, along) in a[i].iter().zip(&along) {
                axpy(&mut seed, *a, along);
            }
            axpy(&mut seed, diagonal, slope);
            let (_, [mut change]) = self.push(&config, state, [seed], None, t);
            if diagonal != 0.0 {
                let lu = self.along_states::<f64, 1>(state, t, h * diagonal)?;
                change = lu.solve(&change);
            }
            // kᵢ + h·k′ᵢ
            let mut both = slope.clone();
            axpy(&mut both, h, &change);
            axpy(&mut whole, b[i], &both);
            along.push(both);
        }
        Ok(whole)
    }

    /// The first half of the adjoint, from the states of the stages.
    pub(super) fn tape<T, const W: usize>(
        &self,
        config: &ReverseConfig,
        stages: Stages<T>,
        active: bool,
        at: Interval,
    ) -> StepTape<T, F::Tape>
    where
        T: Real,
        F: ReverseField<[T], P, W>,
    {
        let mut slope = vec![T::zero(); stages.states.first().map_or(0, Vec::len)];
        let tapes = stages.states.iter().zip(self.tableau.c).map(|(state, c)| {
            let t = at.start + c * at.length;
            let config = slope_unread(config);
            self.f
                .tape(&config, &mut slope, state, self.p, (true, active), t)
        });
        let tapes = tapes.collect();
        StepTape {
            states: stages.states,
            tapes,
        }
    }

    /// The second half of the adjoint: `dx` becomes the cotangent of the state before the step.
    pub(super) fn pull<T, const W: usize>(
        &self,
        config: &ReverseConfig,
        tape: StepTape<T, F::Tape>,
        dx: &mut [&mut [T]; W],
        mut dp: Option<[&mut P; W]>,
        at: Interval,
    ) where
        T: Real,
        F: ReverseField<[T], P, W>,
    {
        let Tableau {
            a, diagonal, b, c, ..
        } = self.tableau;
        let (h, n) = (at.length, dx[0].len());
        let mut slopes: Vec<[Vec<T>; W]> = b
            .iter()
            .map(|b| {
                from_fn(|lane| {
                    let mut slope = vec![T::zero(); n];
                    axpy(&mut slope, h * b, dx[lane]);
                    slope
                })
            })
            .collect();
        let config = slope_unread(config);
        let mut slope = vec![T::zero(); n];
        let stages = tape.states.iter().zip(tape.tapes).enumerate();
        for (i, (state, taped)) in stages.collect::<Vec<_>>().into_iter().rev() {
            let t = at.start + c[i] * h;
            let (before, these) = slopes.split_at_mut(i);
            let these = &mut these[0];
            if diagonal != 0.0 {
                let lu = self.against_states::<T, W>(&config, state, t, h * diagonal);
                for lane in these.iter_mut() {
                    let solved = lu.solve(&Tangent::to_flat(lane));
                    Tangent::unflatten(lane, &solved);
                }
            }
            let mut states: [Vec<T>; W] = from_fn(|_| vec![T::zero(); n]);
            let (of_slope, of_state) = (
                these.each_mut().map(|lane| &mut lane[..]),
                states.each_mut().map(|lane| &mut lane[..]),
            );
            let lent = dp.as_mut().map(|dp| dp.each_mut().map(|dp| &mut **dp));
            self.f.pull(
                &config,
                &mut slope,
                of_slope,
                state,
                Some(of_state),
                self.p,
                lent,
                t,
                taped,
            );
            for lane in 0..W {
                axpy(dx[lane], 1.0, &states[lane]);
                for (a, k) in a[i].iter().zip(before.iter_mut()) {
                    axpy(&mut k[lane], h * a, &states[lane]);
                }
            }
        }
    }

    /// `(1 − γh·J)ᵀ`, factorized, from reverse derivatives: the primal had its own, which was regular.
    fn against_states<T, const W: usize>(
        &self,
        config: &ReverseConfig,
        state: &[T],
        t: f64,
        gamma: f64,
    ) -> Lu
    where
        T: Real,
        F: ReverseField<[T], P, W>,
    {
        let n = Tangent::to_flat(state).len();
        let mut columns: Vec<Vec<T>> = Vec::new();
        let lu = Lu::of_columns(n, |j| {
            if j % W == 0 {
                let mut slope = vec![T::zero(); state.len()];
                let mut seeds: [Vec<T>; W] = from_fn(|lane| shaped(state, unit(n, (j + lane) % n)));
                let mut found: [Vec<T>; W] = from_fn(|_| vec![T::zero(); state.len()]);
                let tape = self
                    .f
                    .tape(config, &mut slope, state, self.p, (true, false), t);
                let seeds = seeds.each_mut().map(|seed| &mut seed[..]);
                let lanes = found.each_mut().map(|lane| &mut lane[..]);
                self.f.pull(
                    config,
                    &mut slope,
                    seeds,
                    state,
                    Some(lanes),
                    self.p,
                    None,
                    t,
                    tape,
                );
                columns = found.into();
            }
            column(j, gamma, &Tangent::to_flat(&columns[j % W]))
        });
        lu.expect("the transpose of a regular matrix is regular")
    }
}

/// Column `j` of `1 − γh·J`.
fn column(j: usize, gamma: f64, of_jacobian: &[f64]) -> Vec<f64> {
    let entries = of_jacobian.iter().enumerate();
    entries
        .map(|(i, d)| f64::from(i == j) - gamma * d)
        .collect()
}

fn shaped<T: Real>(like: &[T], floats: Vec<f64>) -> Vec<T> {
    let mut shaped = like.to_vec();
    Tangent::unflatten(&mut shaped, &floats);
    shaped
}

/// The slope is not there any more when the reverse half runs.
pub(super) fn slope_unread(config: &ReverseConfig) -> ReverseConfig {
    config.with_none_overwritten().with_overwritten(0, true)
}
