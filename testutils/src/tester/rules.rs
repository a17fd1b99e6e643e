//! Which checks judge a rule: what a mix is asked for, once its types are known no more.

use super::Trial;
use super::variation::Looks;
use crate::case::Mode;
use crate::judge::{self, Bench, Flat};
use crate::report::Report;
use crate::subject::{Callable, Forward, RawForward, RawReverse, Reverse};

impl Trial<'_> {
    /// Judges a forward rule, here and at other sizes; `single` is the same in one lane.
    pub(super) fn forward(&self, wide: &dyn RawForward, single: &dyn RawForward) -> Report {
        let call = Forward::new(self.subject, wide);
        let single = Forward::new(self.subject, single);
        let report = self.each_config(
            Mode::Forward,
            call.mix(),
            call.needs_primal(),
            &|bench, needs_primal| judge::forward(bench, &call, &single, needs_primal),
            Some(&|bench, needs_primal| judge::forward_beside(bench, &call, needs_primal)),
        );
        let sized = |other: Trial<'_>| {
            let call = Forward::new(other.subject, wide);
            let judge = |bench: &mut Bench<'_>, needs| judge::forward_sized(bench, &call, needs);
            other.sized(Mode::Forward, call.mix(), call.needs_primal()[0], &judge)
        };
        let glanced = |other: Trial<'_>| {
            let call = Forward::new(other.subject, wide);
            let judge = |bench: &mut Bench<'_>, needs| judge::forward_glanced(bench, &call, needs);
            other.glanced(Mode::Forward, call.mix(), call.needs_primal()[0], &judge)
        };
        let at_places = |other: Trial<'_>| {
            let call = Forward::new(other.subject, wide);
            let judge = |bench: &mut Bench<'_>, needs| judge::forward_beside(bench, &call, needs);
            let again = |bench: &mut Bench<'_>, needs| judge::forward_again(bench, &call, needs);
            let needs_primal = call.needs_primal()[0];
            other.at_places(Mode::Forward, call.mix(), needs_primal, &judge, &again)
        };
        let at_sides = |other: Trial<'_>| {
            let call = Forward::new(other.subject, wide);
            let judge = |bench: &mut Bench<'_>, needs| judge::forward_beside(bench, &call, needs);
            other.at_sides(Mode::Forward, call.mix(), call.needs_primal()[0], &judge)
        };
        let looks = Looks {
            sized: &sized,
            glanced: &glanced,
            at_places: &at_places,
            at_sides: &at_sides,
        };
        self.varied(report, Mode::Forward, call.mix(), &looks)
    }

    /// Judges a reverse rule, here and at other sizes; `single` is the same in one lane.
    pub(super) fn reverse(&self, wide: &dyn RawReverse, single: &dyn RawReverse) -> Report {
        let call = Reverse::new(self.subject, wide);
        let single = Reverse::new(self.subject, single);
        let report = self.each_config(
            Mode::Reverse,
            call.mix(),
            call.needs_primal(),
            &|bench, needs_primal| judge::reverse(bench, &call, &single, needs_primal),
            Some(&|bench, needs_primal| judge::reverse_beside(bench, &call, needs_primal)),
        );
        let sized = |other: Trial<'_>| {
            let call = Reverse::new(other.subject, wide);
            let judge = |bench: &mut Bench<'_>, needs| judge::reverse_sized(bench, &call, needs);
            other.sized(Mode::Reverse, call.mix(), call.needs_primal()[0], &judge)
        };
        let glanced = |other: Trial<'_>| {
            let call = Reverse::new(other.subject, wide);
            let judge = |bench: &mut Bench<'_>, needs| judge::reverse_glanced(bench, &call, needs);
            other.glanced(Mode::Reverse, call.mix(), call.needs_primal()[0], &judge)
        };
        let at_places = |other: Trial<'_>| {
            let call = Reverse::new(other.subject, wide);
            let judge = |bench: &mut Bench<'_>, needs| judge::reverse_beside(bench, &call, needs);
            let again = |bench: &mut Bench<'_>, needs| judge::reverse_again(bench, &call, needs);
            let needs_primal = call.needs_primal()[0];
            other.at_places(Mode::Reverse, call.mix(), needs_primal, &judge, &again)
        };
        let at_sides = |other: Trial<'_>| {
            let call = Reverse::new(other.subject, wide);
            let judge = |bench: &mut Bench<'_>, needs| judge::reverse_beside(bench, &call, needs);
            other.at_sides(Mode::Reverse, call.mix(), call.needs_primal()[0], &judge)
        };
        let looks = Looks {
            sized: &sized,
            glanced: &glanced,
            at_places: &at_places,
            at_sides: &at_sides,
        };
        self.varied(report, Mode::Reverse, call.mix(), &looks)
    }

    /// Judges a reverse rule against the forward rule.
    pub(super) fn pairing(&self, forward: &dyn RawForward, reverse: &dyn RawReverse) -> Report {
        let forward = Forward::new(self.subject, forward);
        self.of_reverse(reverse, &|bench, reverse| {
            judge::pairing(bench, &forward, reverse);
        })
    }

    /// Judges second derivatives by `dual`, the same rule on dual numbers, whose function is `wide`.
    pub(super) fn second_order(
        &self,
        plain: &dyn RawReverse,
        dual: &Reverse<'_>,
        wide: &dyn Callable,
    ) -> Report {
        // The shape of what is returned is seen by calling the function once.
        let _ = wide.primal(&wide.given());
        self.of_reverse(plain, &|bench, plain| {
            judge::second_order(bench, &self.protocol.ladder, plain, dual);
        })
    }

    /// Judges the last digits of a reverse rule by `finer`, the function of dual numbers.
    pub(super) fn digits(&self, rule: &dyn RawReverse, finer: &Flat<'_>) -> Report {
        let judge = |bench: &mut Bench<'_>, call: &Reverse<'_>| {
            judge::digits(bench, call, finer);
        };
        let report = self.of_reverse(rule, &judge);
        let call = Reverse::new(self.subject, rule);
        self.at_further_points(report, Mode::Reverse, call.mix(), &|bench, _| {
            judge(bench, &call);
        })
    }

    /// Judges the last digits of a forward rule by `finer`, the function of dual numbers.
    pub(super) fn digits_ahead(&self, rule: &dyn RawForward, finer: &Flat<'_>) -> Report {
        let call = Forward::new(self.subject, rule);
        let judge = |bench: &mut Bench<'_>, _: bool| {
            judge::digits_ahead(bench, &call, finer);
        };
        let needs_primal = &call.needs_primal()[..1];
        let report = self.each_config(Mode::Forward, call.mix(), needs_primal, &judge, None);
        self.at_further_points(report, Mode::Forward, call.mix(), &judge)
    }

    /// Judges whether the second half can be run on another thread.
    pub(super) fn elsewhere(&self, rule: &dyn RawReverse) -> Report {
        self.of_reverse(rule, &judge::elsewhere)
    }

    /// Judges whether a copy of a tape is a tape of its own.
    pub(super) fn reuse(&self, rule: &dyn RawReverse) -> Report {
        self.of_reverse(rule, &judge::reused)
    }

    /// Judges a reverse rule at its points, the primal not needed.
    fn of_reverse(
        &self,
        rule: &dyn RawReverse,
        judge: &dyn Fn(&mut Bench<'_>, &Reverse<'_>),
    ) -> Report {
        let call = Reverse::new(self.subject, rule);
        self.each_config(
            Mode::Reverse,
            call.mix(),
            &[false],
            &|bench, _| judge(bench, &call),
            None,
        )
    }
}
