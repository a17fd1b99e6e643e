//! `Checked` and `test_gradient!` of functions that take types of their own: by value, by reference, nested, generic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use coenzyme::prelude::*;
use coenzyme::{Checked, Real, Tangent, check_gradient, check_tangent};
use coenzyme_testutils::test_gradient;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

/// Not `Copy`, with a count, a name and a nested point.
#[derive(Clone, Debug, PartialEq, Tangent)]
struct Body {
    at: Point,
    masses: Vec<f64>,
    steps: usize,
    #[tangent(inactive)]
    name: &'static str,
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Pair<T>
where
    T: Real,
{
    a: T,
    b: Vec<T>,
}

#[derive(Clone, Debug, PartialEq, Tangent)]
enum Shape {
    Disc { radius: f64 },
    Box(f64, f64),
}

#[differentiable]
impl Point {
    fn norm(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// A lie.
    #[inactive]
    fn half(self) -> f64 {
        self.x / 2.0
    }
}

#[differentiable]
fn distance(p: Point, q: Point) -> f64 {
    (p.x - q.x).hypot(p.y - q.y)
}

#[differentiable]
fn reflected(p: Point, by: f64) -> Point {
    Point {
        x: p.x - 2.0 * by * p.y,
        y: p.y * by,
    }
}

#[differentiable]
fn energy(body: Body) -> f64 {
    let mut sum = 0.0;
    for _ in 0..body.steps {
        for m in &body.masses {
            sum += m * body.at.norm();
        }
    }
    sum
}

#[differentiable]
fn energy_of(body: &Body) -> f64 {
    let mut sum = body.steps as f64 * body.at.x;
    for m in &body.masses {
        sum += m * m * body.at.y;
    }
    sum
}

#[differentiable]
fn moved(body: &mut Body, by: f64) {
    body.at.x += by * body.masses[0];
    body.at.y *= by;
}

#[differentiable]
fn weighted<T: Real>(pair: Pair<T>, by: T) -> T {
    let mut sum = pair.a * by;
    for b in &pair.b {
        sum += *b * *b * by;
    }
    sum
}

#[differentiable]
fn area(shape: Shape) -> f64 {
    match shape {
        Shape::Disc { radius } => 3.0 * radius * radius,
        Shape::Box(width, height) => width * height,
    }
}

#[differentiable]
fn ratio(p: Point) -> Result<f64, String> {
    if p.y == 0.0 {
        return Err("no ratio".to_owned());
    }
    Ok(p.x / p.y)
}

#[differentiable]
fn lie(p: Point, k: f64) -> f64 {
    p.half() * p.x * k + p.y
}

const P: Point = Point { x: 3.0, y: -4.0 };
const Q: Point = Point { x: 0.5, y: 0.25 };

fn body() -> Body {
    Body {
        at: P,
        masses: vec![1.5, 0.5, -2.0],
        steps: 2,
        name: "moon",
    }
}

fn message(call: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(call)).expect_err("the derivative is wrong");
    panic.downcast_ref::<String>().cloned().expect("a message")
}

#[test]
fn one_line_tests_take_structs() {
    test_gradient! { distance(P, Q) }
    test_gradient! { distance(P, Const(Q)) }
    test_gradient! { energy(body()) }
    test_gradient! { energy_of(&body()) }
    test_gradient! { weighted(Pair { a: 0.5_f64, b: vec![1.5, -0.5] }, 2.0_f64) }
    test_gradient! { area(Shape::Disc { radius: 1.5 }) }
    test_gradient! { area(Shape::Box(1.5, 0.25)) }
    test_gradient! { ratio(P) }
    test_gradient! { ratio(Point { x: 1.0, y: 0.0 }) }
}

#[test]
fn checked_gradients_are_structs() {
    let gradient = autodiff!(
        Checked(Reverse),
        distance,
        Active,
        Active(P),
        Const(Point { x: 0.0, y: 0.0 })
    );
    assert_eq!(gradient, ((Point { x: 0.6, y: -0.8 }, ()),));
    let (gradient,) = check_gradient(&energy {}, (body(),));
    assert_eq!(gradient.masses, [10.0; 3]);
    assert_eq!((gradient.steps, gradient.name), (2, "moon"));
    let gradient = autodiff!(Checked(Reverse), ratio, Active, Active(P));
    assert_eq!(
        gradient,
        Ok(((Point {
            x: -0.25,
            y: -0.1875
        },),))
    );
}

#[test]
fn checked_tangents_are_structs() {
    let tangent = autodiff!(Checked(Forward), reflected, Duplicated(P, Q), Const(0.5));
    assert_eq!(tangent, (Point { x: 0.25, y: 0.125 },));
    let (mut at, mut tangent) = (body(), body());
    autodiff!(
        Checked(Forward),
        moved,
        Duplicated(&mut at, &mut tangent),
        Duplicated(2.0, 1.0)
    );
    assert_eq!(
        tangent.at,
        Point {
            x: 3.0 + 2.0 * 1.5 + 1.5,
            y: -4.0 * 2.0 - 4.0
        }
    );
    check_tangent(&reflected {}, (P, 0.5_f64));
}

#[test]
fn a_lie_in_a_method_is_found() {
    let reverse = message(|| test_gradient! { lie(P, 2.0) });
    for part in ["the derivative of `lie` is wrong", "argument 0 alone"] {
        assert!(reverse.contains(part), "{part:?} is missing in {reverse}");
    }
    assert!(!reverse.contains("argument 1 alone"), "{reverse}");
    let forward = message(|| {
        let _ = autodiff!(Checked(Forward), lie, Duplicated(P, Q), Const(2.0));
    });
    assert!(forward.contains("`lie`"), "{forward}");
}
