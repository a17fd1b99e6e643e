//! The adjoint equation, solved in its own right: *optimize, then discretize*.
//!
//! `λ′ = −fₓᵀλ`, `p̄ = ∫ fₚᵀλ dt`, backwards from `λ = x̄`, by a step of the classical Runge–Kutta method for each step of the solver. In the middle
//! of a step the state is that of the cubic through the states and slopes at its ends (Hermite's).

use std::array::from_fn;

use coenzyme::{Function, Real, ReverseConfig};

use super::step::{Interval, Stepper, axpy, slope_unread};
use crate::body::ReverseField;

/// Which derivative the reverse pass of a differential equation computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Adjoint {
    /// That of the discrete solver, exactly: what differences of the program agree with.
    #[default]
    Discrete,
    /// That of the solution: the adjoint equation along the states of the solver, interpolated. Approximate: its error is that of a classical
    /// Runge–Kutta method of the solver's steps. Four pullbacks of the equation a step, whatever the method has for stages.
    Interpolated,
    /// The same along states that are found by going back from the last one, in the memory of that one. Approximate, and useless for an equation that
    /// forgets: where it decays by a factor, errors of the states grow by it.
    BackSolve,
}

impl Adjoint {
    /// Whether derivatives are only approximately those of what the program computes.
    #[must_use]
    pub const fn is_approximate(self) -> bool {
        !matches!(self, Adjoint::Discrete)
    }
}

/// The state where the adjoint equation has got to, and its slope.
pub(super) struct Ahead<T> {
    x: Vec<T>,
    slope: Vec<T>,
}

/// Cotangents in each lane.
type Lanes<T, const W: usize> = [Vec<T>; W];

impl<F, P: ?Sized> Stepper<'_, F, P> {
    /// `f` at a state.
    fn slope<T: Real>(&self, x: &[T], t: f64) -> Vec<T>
    where
        F: for<'a> Function<(&'a mut [T], &'a [T], &'a P, f64), Output = ()>,
    {
        let mut slope = vec![T::zero(); x.len()];
        self.f.call((&mut slope, x, self.p, t));
        slope
    }

    /// The end, from which the adjoint equation goes back.
    pub(super) fn ahead<T: Real>(&self, x: Vec<T>, t: f64) -> Ahead<T>
    where
        F: for<'a> Function<(&'a mut [T], &'a [T], &'a P, f64), Output = ()>,
    {
        let slope = self.slope(&x, t);
        Ahead { x, slope }
    }

    /// The state before a step, from the one after it, by a step of the classical method.
    pub(super) fn back<T: Real>(&self, ahead: &Ahead<T>, at: Interval) -> Vec<T>
    where
        F: for<'a> Function<(&'a mut [T], &'a [T], &'a P, f64), Output = ()>,
    {
        let (h, end) = (-at.length, at.start + at.length);
        let there = |k: &[T], part: f64| {
            let mut x = ahead.x.clone();
            axpy(&mut x, part * h, k);
            self.slope(&x, end + part * h)
        };
        let first = &ahead.slope;
        let second = there(first, 0.5);
        let third = there(&second, 0.5);
        let fourth = there(&third, 1.0);
        let mut x = ahead.x.clone();
        for (weight, k) in [1.0, 2.0, 2.0, 1.0]
            .into_iter()
            .zip([first, &second, &third, &fourth])
        {
            axpy(&mut x, weight * h / 6.0, k);
        }
        x
    }

    /// The adjoint equation over a step that began at `x`: `dx` is that of its end before, and that of `x` after.
    pub(super) fn against<T, const W: usize>(
        &self,
        config: &ReverseConfig,
        x: &[T],
        ahead: &mut Ahead<T>,
        dx: &mut [&mut [T]; W],
        mut dp: Option<[&mut P; W]>,
        at: Interval,
    ) where
        T: Real,
        F: for<'a> Function<(&'a mut [T], &'a [T], &'a P, f64), Output = ()>
            + ReverseField<[T], P, W>,
    {
        let (h, end) = (at.length, at.start + at.length);
        let begin = self.ahead(x.to_vec(), at.start);
        let mut middle = begin.x.clone();
        middle
            .iter_mut()
            .zip(&ahead.x)
            .for_each(|(m, x)| *m = T::lit(0.5) * (*m + *x));
        axpy(&mut middle, h / 8.0, &begin.slope);
        axpy(&mut middle, -h / 8.0, &ahead.slope);
        let centre = at.start + 0.5 * h;
        // each gives its share `h·wᵢ·fₓᵀλᵢ` of the change, of which the next λ is made: λ₂ = λ + (h/2)·fₓᵀλ₁ = λ + 3·share₁
        let mut change: Lanes<T, W> = from_fn(|lane| vec![T::zero(); dx[lane].len()]);
        let mut share: Lanes<T, W> = change.clone();
        let stages = [
            (&ahead.x, end, 0.0, 1.0 / 6.0),
            (&middle, centre, 3.0, 1.0 / 3.0),
            (&middle, centre, 1.5, 1.0 / 3.0),
            (&begin.x, at.start, 3.0, 1.0 / 6.0),
        ];
        for (state, t, of_share, weight) in stages {
            let lambda: Lanes<T, W> = from_fn(|lane| {
                let mut lambda = vec![T::zero(); dx[lane].len()];
                axpy(&mut lambda, h * weight, dx[lane]);
                axpy(&mut lambda, h * weight * of_share, &share[lane]);
                lambda
            });
            let lent = dp.as_mut().map(|dp| dp.each_mut().map(|dp| &mut **dp));
            share = self.pulled(config, state, lambda, lent, t);
            for (change, share) in change.iter_mut().zip(&share) {
                axpy(change, 1.0, share);
            }
        }
        for (dx, change) in dx.iter_mut().zip(&change) {
            axpy(dx, 1.0, change);
        }
        *ahead = begin;
    }

    /// `fₓᵀλ`, where `fₚᵀλ` is added to the cotangents of the parameter.
    fn pulled<T, const W: usize>(
        &self,
        config: &ReverseConfig,
        state: &[T],
        mut lambda: Lanes<T, W>,
        dp: Option<[&mut P; W]>,
        t: f64,
    ) -> Lanes<T, W>
    where
        T: Real,
        F: ReverseField<[T], P, W>,
    {
        let config = slope_unread(config);
        let mut slope = vec![T::zero(); state.len()];
        let mut found: Lanes<T, W> = from_fn(|_| vec![T::zero(); state.len()]);
        let active = (true, dp.is_some());
        let tape = self.f.tape(&config, &mut slope, state, self.p, active, t);
        let lambda = lambda.each_mut().map(|lane| &mut lane[..]);
        let lanes = Some(found.each_mut().map(|lane| &mut lane[..]));
        self.f.pull(
            &config, &mut slope, lambda, state, lanes, self.p, dp, t, tape,
        );
        found
    }
}
