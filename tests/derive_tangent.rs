//! `#[derive(Tangent)]`: structs and enums as shadows, arguments, returned values and arguments of `gradient`.

use coenzyme::prelude::*;
use coenzyme::{AugmentedOutcome, ForwardOutcome};

/// A type without tangent space.
#[derive(Clone, Debug, PartialEq)]
struct Label(&'static str);

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Line {
    slope: f64,
    offset: f64,
    steps: usize,
    #[tangent(inactive)]
    label: Label,
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Pair<T>(T, Vec<T>);

#[derive(Clone, Debug, Default, PartialEq, Tangent)]
struct Nothing;

#[derive(Clone, Debug, PartialEq, Tangent)]
enum Shape<T, const N: usize> {
    Point,
    Ball(T),
    Box { sides: [T; N], name: String },
}

#[derive(Clone, Debug, PartialEq, Tangent)]
enum List {
    End,
    Entry(f64, Box<List>),
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Borrowing<'a, T> {
    value: T,
    #[tangent(inactive)]
    name: &'a str,
}

#[derive(Clone, Copy, Debug, Tangent)]
enum Impossible {}

fn line(slope: f64, offset: f64) -> Line {
    Line {
        slope,
        offset,
        steps: 7,
        label: Label("l"),
    }
}

#[test]
fn a_struct_is_the_sum_of_its_fields() {
    let x = line(2.0, 3.0);
    let mut dx = Tangent::zero_like(&x);
    assert_eq!(dx, line(0.0, 0.0));
    Tangent::accumulate(&mut dx, &x);
    Tangent::accumulate(&mut dx, &x);
    assert_eq!(dx, line(4.0, 6.0));
    Tangent::scale(&mut dx, 0.5);
    assert_eq!(Tangent::inner(&dx, &x), 13.0);
    assert_eq!(Tangent::to_flat(&dx), [2.0, 3.0]);
    Tangent::unflatten(&mut dx, &[5.0, 8.0]);
    assert_eq!(dx, line(5.0, 8.0));
    Tangent::zero_out(&mut dx);
    assert_eq!(dx, line(0.0, 0.0));
}

#[test]
fn tuple_unit_generic_and_borrowing_structs_have_spaces() {
    let x = Pair(1.0_f32, vec![2.0, 3.0]);
    assert_eq!(Tangent::zero_like(&x), Pair(0.0, vec![0.0, 0.0]));
    assert_eq!(Tangent::to_flat(&x), [1.0, 2.0, 3.0]);
    assert_eq!(Tangent::to_flat(&Pair((1.0, 2_u8), vec![])), [1.0]);
    assert_eq!(Tangent::to_flat(&Nothing), []);
    assert_eq!(Tangent::zero_like(&Nothing), Nothing);
    let b = Borrowing {
        value: 2.0,
        name: "b",
    };
    assert_eq!(Tangent::zero_like(&b).name, "b");
    assert_eq!(Tangent::inner(&b, &b), 4.0);
    let none: Option<Impossible> = None;
    assert_eq!(Tangent::to_flat(&none), []);
}

#[test]
fn incongruent_fields_are_reported_with_both_shapes() {
    let error = Tangent::congruent(&Pair(1.0, vec![1.0]), &Pair(1.0, vec![1.0, 2.0])).unwrap_err();
    assert_eq!((error.primal(), error.shadow()), ("[1]", "[2]"));
}

#[test]
fn an_enum_keeps_its_variant() {
    let x = Shape::Box {
        sides: [1.0, 2.0],
        name: "box".into(),
    };
    let mut dx = Tangent::zero_like(&x);
    assert_eq!(
        dx,
        Shape::Box {
            sides: [0.0, 0.0],
            name: "box".into()
        }
    );
    Tangent::accumulate(&mut dx, &x);
    assert_eq!(Tangent::inner(&dx, &x), 5.0);
    assert_eq!(Tangent::to_flat(&Shape::<f64, 2>::Point), []);
    let error = Tangent::congruent(&x, &Shape::Ball(1.0)).unwrap_err();
    assert_eq!((error.primal(), error.shadow()), ("Box", "Ball"));
}

#[test]
fn zero_is_the_zero_of_every_variant() {
    let (ball, sides) = (Shape::Ball(1.0), [0.0; 2]);
    let zero = Shape::Box {
        sides,
        name: "zero".into(),
    };
    let mut sum = ball.clone();
    Tangent::accumulate(&mut sum, &zero);
    Tangent::accumulate(&mut sum, &Shape::Point);
    assert_eq!(sum, ball);
    let mut sum = zero;
    Tangent::accumulate(&mut sum, &ball);
    assert_eq!(sum, ball);
}

#[test]
#[should_panic(expected = "accumulate: values of different variants, `Ball` and `Box`")]
fn variants_do_not_add() {
    let sides = [0.0, 2.0];
    Tangent::accumulate(
        &mut Shape::Ball(1.0),
        &Shape::Box {
            sides,
            name: "box".into(),
        },
    );
}

#[test]
#[should_panic(expected = "the primal has shape Ball, its shadow Point")]
fn a_shadow_of_another_variant_is_refused() {
    let (x, dx) = (Shape::<f64, 1>::Ball(1.0), Shape::Point);
    let _ = Duplicated(&x, &dx);
}

#[test]
fn recursive_types_have_spaces() {
    let x = List::Entry(1.0, Box::new(List::Entry(2.0, Box::new(List::End))));
    assert_eq!(Tangent::to_flat(&x), [1.0, 2.0]);
    assert_eq!(Tangent::inner(&x, &x), 5.0);
}

/// The value of a line at `x`, by value.
#[primitive]
fn at(l: Line, x: f64) -> f64 {
    l.slope * x + l.offset
}

impl<R, L, X, const W: usize> ReverseRule<R, (L, X), W> for at
where
    R: ReverseReturn<W, Out = f64>,
    L: ReverseArg<Line, W>,
    X: ReverseArg<f64, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (l, x): (&mut L, &mut X),
    ) -> AugmentedOutcome<R, (), W> {
        R::augmented(config, at(l.primal().clone(), *x.primal()), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (l, x): (&mut L, &mut X),
    ) -> (L::Gradient, X::Gradient) {
        let (slope, at) = (l.primal().slope, *x.primal());
        (
            l.accumulate(|lane, l, mut dl| {
                let d = *dret.lane(lane).unwrap_or(&0.0);
                dl.add(&Line {
                    slope: at * d,
                    offset: d,
                    ..Tangent::zero_like(l)
                });
            }),
            x.accumulate(|lane, _, mut dx| dx += slope * dret.lane(lane).unwrap_or(&0.0)),
        )
    }
}

#[test]
fn a_struct_is_an_active_argument() {
    assert_eq!(gradient!(at, line(2.0, 3.0), 5.0), (line(5.0, 1.0), 2.0));
    let mut dl = line(1.0, 1.0);
    let gradients = autodiff!(
        Reverse,
        at,
        Active,
        MixedDuplicated(line(2.0, 3.0), &mut dl),
        Const(5.0)
    );
    assert_eq!(gradients, (((), ()),));
    assert_eq!(dl, line(6.0, 2.0));
}

/// `l` moved by `by`, returned.
#[primitive]
fn moved(l: &Line, by: f64) -> Line {
    Line {
        offset: l.offset + by,
        ..l.clone()
    }
}

impl<R, L, B, const W: usize> ForwardRule<R, (L, B), W> for moved
where
    R: ForwardReturn<W, Out = Line>,
    L: ForwardArg<Line, W>,
    B: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (l, by): (&mut L, &mut B)) -> ForwardOutcome<R, W> {
        R::forward(
            config,
            || moved(l.primal(), *by.primal()),
            |lane| {
                let dl = l
                    .tangent(lane)
                    .cloned()
                    .unwrap_or_else(|| Tangent::zero_like(l.primal()));
                moved(&dl, *by.tangent(lane).unwrap_or(&0.0))
            },
        )
    }
}

impl<R, L, B, const W: usize> ReverseRule<R, (L, B), W> for moved
where
    R: ReverseReturn<W, Out = Line>,
    L: ReverseArg<Line, W>,
    B: ReverseArg<f64, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (l, by): (&mut L, &mut B),
    ) -> AugmentedOutcome<R, (), W> {
        R::augmented(config, moved(l.primal(), *by.primal()), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (l, by): (&mut L, &mut B),
    ) -> (L::Gradient, B::Gradient) {
        (
            l.accumulate(|lane, _, mut dl| dret.lane(lane).into_iter().for_each(|d| dl.add(d))),
            by.accumulate(|lane, _, mut db| db += dret.lane(lane).map_or(0.0, |d| d.offset)),
        )
    }
}

#[test]
fn a_struct_is_memory_behind_a_reference_and_a_returned_value() {
    let (l, dl) = (line(2.0, 3.0), line(10.0, 20.0));
    let tangent = autodiff!(Forward, moved, Duplicated(&l, &dl), Duplicated(1.0, 0.5));
    assert_eq!(tangent, (line(10.0, 20.5),));

    let thunk = Thunk::<_, Active<Line>>::new(moved {});
    let mut shadow = line(0.0, 0.0);
    let mut args = (Duplicated(&l, &mut shadow), Active(1.0));
    let augmented = thunk.augmented(&mut args);
    assert_eq!(augmented.primal, Some(line(2.0, 4.0)));
    let () = augmented.tape;
    let gradients = thunk.reverse([line(1.0, 7.0)], (), &mut args);
    assert_eq!(gradients, ((), [7.0]));
    assert_eq!(shadow, line(1.0, 7.0));
}

/// The area of a square of the side `s.0`.
#[primitive]
fn area(s: &Pair<f64>) -> f64 {
    s.0 * s.0
}

impl<R, S, const W: usize> ReverseRule<R, (S,), W> for area
where
    R: ReverseReturn<W, Out = f64>,
    S: ReverseArg<Pair<f64>, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (s,): (&mut S,),
    ) -> AugmentedOutcome<R, (), W> {
        R::augmented(config, area(s.primal()), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (s,): (&mut S,),
    ) -> (S::Gradient,) {
        (s.accumulate(|lane, s, mut ds| {
            let d = dret.lane(lane).unwrap_or(&0.0);
            ds.add(&Pair(2.0 * s.0 * d, vec![0.0; s.1.len()]));
        }),)
    }
}

#[test]
fn the_gradient_of_a_reference_is_an_owned_struct() {
    let s = Pair(3.0, vec![1.0]);
    assert_eq!(gradient!(area, &s), (Pair(6.0, vec![0.0]),));
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Table {
    cells: Vec<(f64, usize)>,
    columns: usize,
    last: Option<Kind>,
    #[tangent(inactive)]
    name: String,
}

#[derive(Clone, Debug, PartialEq, Tangent)]
enum Kind {
    Edge(f64, u8),
    Inner,
}

#[test]
fn what_has_no_derivative_is_copied_and_nothing_else() {
    let from = Table {
        cells: vec![(1.0, 7)],
        columns: 2,
        last: Some(Kind::Edge(3.0, 4)),
        name: "t".to_owned(),
    };
    let mut to = Table {
        cells: vec![(5.0, 0)],
        columns: 0,
        last: Some(Kind::Edge(6.0, 0)),
        name: String::new(),
    };
    Tangent::copy_inactive(&mut to, &from);
    let expected = Table {
        cells: vec![(5.0, 7)],
        last: Some(Kind::Edge(6.0, 4)),
        ..from.clone()
    };
    assert_eq!(to, expected);
    to.last = Some(Kind::Inner);
    Tangent::copy_inactive(&mut to, &from);
    assert_eq!(to.last, Some(Kind::Inner), "a variant is kept");
}
