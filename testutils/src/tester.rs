//! The tester: one function at one point, judged in any number of mixes.

use std::marker::PhantomData;
use std::sync::OnceLock;

use coenzyme::{ForwardRule, Function, Outcome, ReverseRule};

use crate::argument::{Access, Arguments, Passings, Specs};
use crate::case::{Case, Mode};
use crate::environment::Environment;
use crate::judge::{self, Bench, Point, Signature};
use crate::ladder::Ladder;
use crate::mix::{ForwardMix, ForwardRet, ReverseMix, ReverseRet};
use crate::overrides::Overrides;
use crate::report::Report;
use crate::sample::Stream;
use crate::subject::{Forward, ForwardCall, Mix, Reverse, ReverseCall, Subject};
use crate::verdict::Verdict;

/// The arguments of a test, before the function is known.
///
/// They come first because the compiler must know them before it can look for a rule.
pub struct Setting<Ps: Passings> {
    slots: Ps::Slots,
    specs: Specs,
}

impl<Ps: Passings> Setting<Ps> {
    /// A tuple of [`input`](crate::input), [`out`](crate::out), [`value`](crate::value) and their kin.
    pub fn new<A: Arguments<Passings = Ps>>(arguments: A) -> Self {
        let (slots, specs) = arguments.split();
        Setting { slots, specs }
    }

    /// A tester of `f` with these arguments, called `name` in messages.
    pub fn function<F, Out>(self, name: &str, f: F) -> Tester<F, Ps, Out>
    where
        Out: Outcome,
        F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
    {
        let subject = Subject::new(f, self.slots);
        let signature = Signature::new(self.specs.0, subject.shapes(), subject.access());
        Tester {
            name: name.to_owned(),
            subject,
            signature,
            ladder: Ladder::default(),
            overrides: Overrides::none(),
            buffers: ConstBuffers::default(),
            seed: 0,
            point: OnceLock::new(),
        }
    }
}

/// One function at one point, judged in any number of mixes and widths by one set of differences.
///
/// The functions [`test_forward`](crate::test_forward()) and [`test_reverse`](crate::test_reverse()), and the macros of the
/// same names, each make one for a single mix; [`test_rule!`](crate::test_rule) makes one for all.
pub struct Tester<F, Ps: Passings, Out: Outcome> {
    name: String,
    subject: Subject<F, Ps, Out>,
    signature: Signature,
    ladder: Ladder,
    overrides: Overrides,
    buffers: ConstBuffers,
    seed: u64,
    point: OnceLock<Point>,
}

/// What a rule does with a derivative that flows through a `Const` buffer.
///
/// A function may write active data to a buffer that is `Const`, and read it back: to Enzyme, what is read from `Const`
/// memory is inactive, so the derivative is severed. Differences of the primal cannot know this.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ConstBuffers {
    /// Nothing is known: a mix in which it matters is inconclusive.
    #[default]
    Undeclared,
    /// The rule severs the derivative, for this reason: such a mix is judged by the checks that need no differences.
    Severed(String),
    /// The rule lets the derivative flow, for this reason: such a mix is judged by the differences.
    Flowing(String),
}

/// [`ConstBuffers::Severed`], for this reason.
pub fn severed(reason: &str) -> ConstBuffers {
    ConstBuffers::Severed(reason.to_owned())
}

/// [`ConstBuffers::Flowing`], for this reason.
pub fn flowing(reason: &str) -> ConstBuffers {
    ConstBuffers::Flowing(reason.to_owned())
}

impl<F, Ps, Out> Tester<F, Ps, Out>
where
    Ps: Passings,
    Out: Outcome,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
{
    /// Allows what `overrides` allow.
    #[must_use]
    pub fn overrides(mut self, overrides: Overrides) -> Self {
        self.overrides = overrides;
        self
    }

    /// Declares what the rule does with derivatives that flow through `Const` buffers.
    #[must_use]
    pub fn const_buffers(mut self, buffers: ConstBuffers) -> Self {
        self.buffers = buffers;
        self
    }

    /// Measures the primal on another ladder.
    #[must_use]
    pub fn ladder(mut self, ladder: Ladder) -> Self {
        self.ladder = ladder;
        self
    }

    /// Draws points and seeds by another seed, which is mixed with that of the environment.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// One mix: the return activity `returned`, and a tuple of argument activities.
    pub fn mix<Ret, M>(&self, _returned: Ret, _arguments: M) -> InMix<'_, F, Ps, Out, Ret, M> {
        InMix {
            tester: self,
            mix: PhantomData,
        }
    }

    /// Judges one mix under each setting of `needs_primal`; the worst report counts.
    fn each_config(
        &self,
        mode: Mode,
        mix: Mix,
        needs_primal: &[bool],
        judge: impl Fn(&mut Bench<'_>, bool),
    ) -> Report {
        Report::worst(needs_primal.iter().map(|needs_primal| {
            let mut bench = self.bench(mode, mix, *needs_primal);
            judge(&mut bench, *needs_primal);
            bench.report
        }))
    }

    fn bench(&self, mode: Mode, mix: Mix, needs_primal: bool) -> Bench<'_> {
        let point = self.point();
        let case = self.case(mode, mix).fact(
            format!("needs_primal={needs_primal}"),
            format!("np{}", u8::from(needs_primal)),
        );
        let mut bench = Bench {
            signature: &self.signature,
            point,
            mix,
            stream: self.stream().fork("seeds"),
            report: Report::new(case, self.overrides.clone()),
            jacobian: point.jacobian.as_ref(),
        };
        self.classify(&mut bench);
        bench
    }

    /// V1, and the question whether a `Const` buffer receives active data.
    fn classify(&self, bench: &mut Bench<'_>) {
        let Some(jacobian) = bench.jacobian else {
            let why = "the primal fails at this point, or its value is not finite";
            return bench.report.pronounce(Verdict::Inconclusive(why.into()));
        };
        let point = bench.point;
        let inputs: Vec<_> = bench
            .arguments()
            .filter(|(_, parameter, a)| a.is_active() && !parameter.write_only)
            .map(|(i, _, _)| point.input(i))
            .collect();
        let matters = |rows: &std::ops::Range<usize>| {
            inputs
                .iter()
                .any(|columns| jacobian.matters(rows.clone(), columns.clone()))
        };
        let mut outputs: Vec<_> = bench
            .arguments()
            .filter(|(_, _, activity)| activity.is_active())
            .filter_map(|(index, _, _)| point.output(index))
            .collect();
        if bench.mix.returned.is_active() {
            outputs.push(point.returned());
        }
        let buffer = bench.arguments().find(|(index, parameter, activity)| {
            let receives = point.output(*index).is_some_and(|rows| matters(&rows));
            parameter.access == Access::Exclusive && !activity.is_active() && receives
        });
        if outputs.is_empty() || inputs.is_empty() {
            return;
        }
        if !outputs.iter().any(matters) {
            let why = "every derivative of this mix is zero at this point: choose another point";
            return bench.report.pronounce(Verdict::Vacuous(why.into()));
        }
        if let Some((_, parameter, _)) = buffer {
            let buffer = &parameter.name;
            match &self.buffers {
                ConstBuffers::Flowing(reason) => bench.report.note(
                    "buffer",
                    format!("flows through `Const` {buffer}: {reason}"),
                ),
                ConstBuffers::Severed(reason) => {
                    bench
                        .report
                        .note("buffer", format!("severed at `Const` {buffer}: {reason}"));
                    bench.jacobian = None;
                }
                ConstBuffers::Undeclared => {
                    bench.report.pronounce(Verdict::Inconclusive(format!(
                        "`Const` buffer {buffer} receives active data: reading it back is inactive, which differences cannot know"
                    )));
                    bench.report.note("likely", "declare `const_buffers = severed(\"why\")`, or `flowing(\"why\")` if the rule lets it flow on purpose");
                    bench.jacobian = None;
                }
            }
        }
    }

    fn case(&self, mode: Mode, mix: Mix) -> Case {
        let arguments = self.signature.arguments.iter().zip(mix.arguments);
        let mut words = format!("ret={}", mix.returned);
        let mut key = mix.returned.key().to_owned();
        for (parameter, activity) in arguments {
            words += &format!(" {}={activity}", parameter.name);
            key += &format!(",{}", activity.key());
        }
        Case::new(&self.name, mode)
            .fact(words, key)
            .fact(format!("width {}", mix.width), format!("w{}", mix.width))
            .seed(self.seed)
    }

    fn stream(&self) -> Stream {
        Stream::of_case(&self.name, self.seed ^ Environment::from_env().seed)
    }

    /// The point, and its differences, made once.
    fn point(&self) -> &Point {
        self.point.get_or_init(|| {
            let primals = self.signature.draw(&self.subject.given(), &self.stream());
            Point::new(&self.signature, &self.ladder, primals, |x| {
                self.subject.primal(x)
            })
        })
    }
}

/// A tester in one mix.
pub struct InMix<'t, F, Ps: Passings, Out: Outcome, Ret, M> {
    tester: &'t Tester<F, Ps, Out>,
    mix: PhantomData<fn() -> (Ret, M)>,
}

impl<F, Ps, Out, Ret, M> InMix<'_, F, Ps, Out, Ret, M>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync>,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
{
    /// Judges the forward rule in `W` lanes.
    pub fn forward<const W: usize>(&self) -> Report
    where
        Ret: ForwardRet<Out, 1> + ForwardRet<Out, W>,
        M: ForwardMix<Ps, 1> + ForwardMix<Ps, W>,
        F: for<'a> ForwardRule<
                <Ret as ForwardRet<Out, 1>>::R,
                <M as ForwardMix<Ps, 1>>::Args<'a>,
                1,
            > + for<'a> ForwardRule<
                <Ret as ForwardRet<Out, W>>::R,
                <M as ForwardMix<Ps, W>>::Args<'a>,
                W,
            > + Sync,
    {
        let subject = &self.tester.subject;
        let wide = ForwardCall::<F, Ps, Out, Ret, M, W>::new(subject);
        let single = ForwardCall::<F, Ps, Out, Ret, M, 1>::new(subject);
        self.tester.each_config(
            Mode::Forward,
            wide.mix(),
            wide.needs_primal(),
            |bench, needs_primal| {
                judge::forward(bench, &wide, &single, needs_primal);
            },
        )
    }

    /// Judges the reverse rule in `W` lanes.
    pub fn reverse<T1, TW, const W: usize>(&self) -> Report
    where
        Ret: ReverseRet<Out, 1> + ReverseRet<Out, W>,
        M: ReverseMix<Ps, 1> + ReverseMix<Ps, W>,
        F: for<'a> ReverseRule<
                <Ret as ReverseRet<Out, 1>>::R,
                <M as ReverseMix<Ps, 1>>::Args<'a>,
                1,
                Tape = T1,
            > + for<'a> ReverseRule<
                <Ret as ReverseRet<Out, W>>::R,
                <M as ReverseMix<Ps, W>>::Args<'a>,
                W,
                Tape = TW,
            > + Sync,
    {
        let subject = &self.tester.subject;
        let wide = ReverseCall::<F, Ps, Out, Ret, M, TW, W>::new(subject);
        let single = ReverseCall::<F, Ps, Out, Ret, M, T1, 1>::new(subject);
        self.tester.each_config(
            Mode::Reverse,
            wide.mix(),
            wide.needs_primal(),
            |bench, needs_primal| {
                judge::reverse(bench, &wide, &single, needs_primal);
            },
        )
    }
}

/// Judges the forward rule of `f` for one mix, in one, two and three lanes.
///
/// [`test_forward!`](macro@crate::test_forward) is the same with less to write. The function comes last because the compiler
/// must know the arguments before it can look for a rule.
pub fn test_forward<A, M, Ret, F, Out>(
    name: &str,
    arguments: A,
    mix: M,
    returned: Ret,
    f: F,
) -> Report
where
    A: Arguments,
    Out: Outcome<Value: Send + Sync>,
    Ret: ForwardRet<Out, 1> + ForwardRet<Out, 2> + ForwardRet<Out, 3>,
    M: ForwardMix<A::Passings, 1> + ForwardMix<A::Passings, 2> + ForwardMix<A::Passings, 3>,
    F: for<'a> Function<<A::Passings as Passings>::Primals<'a>, Output = Out>
        + for<'a> ForwardRule<
            <Ret as ForwardRet<Out, 1>>::R,
            <M as ForwardMix<A::Passings, 1>>::Args<'a>,
            1,
        > + for<'a> ForwardRule<
            <Ret as ForwardRet<Out, 2>>::R,
            <M as ForwardMix<A::Passings, 2>>::Args<'a>,
            2,
        > + for<'a> ForwardRule<
            <Ret as ForwardRet<Out, 3>>::R,
            <M as ForwardMix<A::Passings, 3>>::Args<'a>,
            3,
        > + Sync,
{
    let tester = Setting::new(arguments).function(name, f);
    let mix = tester.mix(returned, mix);
    Report::worst([mix.forward::<1>(), mix.forward::<2>(), mix.forward::<3>()])
}

/// Judges the reverse rule of `f` for one mix, in one, two and three lanes.
///
/// [`test_reverse!`](macro@crate::test_reverse) is the same with less to write. The function comes last because the compiler
/// must know the arguments before it can look for a rule.
pub fn test_reverse<A, M, Ret, F, Out, T1, T2, T3>(
    name: &str,
    arguments: A,
    mix: M,
    returned: Ret,
    f: F,
) -> Report
where
    A: Arguments,
    Out: Outcome<Value: Send + Sync>,
    Ret: ReverseRet<Out, 1> + ReverseRet<Out, 2> + ReverseRet<Out, 3>,
    M: ReverseMix<A::Passings, 1> + ReverseMix<A::Passings, 2> + ReverseMix<A::Passings, 3>,
    F: for<'a> Function<<A::Passings as Passings>::Primals<'a>, Output = Out>
        + for<'a> ReverseRule<
            <Ret as ReverseRet<Out, 1>>::R,
            <M as ReverseMix<A::Passings, 1>>::Args<'a>,
            1,
            Tape = T1,
        > + for<'a> ReverseRule<
            <Ret as ReverseRet<Out, 2>>::R,
            <M as ReverseMix<A::Passings, 2>>::Args<'a>,
            2,
            Tape = T2,
        > + for<'a> ReverseRule<
            <Ret as ReverseRet<Out, 3>>::R,
            <M as ReverseMix<A::Passings, 3>>::Args<'a>,
            3,
            Tape = T3,
        > + Sync,
{
    let tester = Setting::new(arguments).function(name, f);
    let mix = tester.mix(returned, mix);
    Report::worst([
        mix.reverse::<T1, T1, 1>(),
        mix.reverse::<T1, T2, 2>(),
        mix.reverse::<T1, T3, 3>(),
    ])
}
