//! Enums by derive: `match` and `if let` on active values.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[derive(Clone, Copy, Debug, Tangent)]
enum Shape {
    Circle(f64),
    Rectangle { width: f64, height: f64 },
    Polygon(usize, f64),
    Empty,
}

#[differentiable]
fn area(s: &Shape, k: f64) -> f64 {
    match s {
        Shape::Circle(r) => k * r * r,
        Shape::Rectangle { width, height } => width * height,
        Shape::Polygon(n, side) => *n as f64 * side * side,
        Shape::Empty => 0.0,
    }
}

#[derive(Clone, Copy, Debug, Tangent)]
enum Norm {
    One,
    Power(u32),
}

#[differentiable]
fn norm(x: &[f64], kind: Norm) -> f64 {
    match kind {
        Norm::One => x.iter().map(|v| v.abs()).sum(),
        Norm::Power(p) => {
            let mut s = 0.0;
            for v in x {
                s += v.abs().powi(p as i32);
            }
            s.powf(1.0 / p as f64)
        }
    }
}

#[differentiable]
fn optional(x: f64, w: Option<f64>) -> f64 {
    if let Some(w) = w { x * w } else { x }
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Ellipse {
    a: f64,
    b: f64,
}

#[derive(Clone, Copy, Debug, Tangent)]
enum Figure {
    Round(Ellipse),
    Line(f64),
}

#[differentiable]
fn of_ellipse(e: &Ellipse, k: f64) -> f64 {
    k * e.a * e.b * e.b
}

/// What the variant holds goes to a function that takes a reference.
#[differentiable]
fn of_figure(f: &Figure, k: f64) -> f64 {
    match f {
        Figure::Round(e) => of_ellipse(e, k),
        Figure::Line(l) => l * l,
    }
}

#[derive(Clone, Debug, Tangent)]
enum Kernel {
    Linear(Vec<f64>),
    Scaled { by: f64, weights: Vec<f64> },
    None,
}

#[differentiable]
fn kernel(k: &Kernel, x: &[f64]) -> f64 {
    let mut s = 0.0;
    match k {
        Kernel::Linear(w) => {
            for i in 0..x.len() {
                s += w[i] * x[i];
            }
        }
        Kernel::Scaled { by, weights } if *by > 0.0 => {
            for (a, b) in weights.iter().zip(x) {
                s += by * a * b;
            }
        }
        Kernel::Scaled { weights: w, .. } => s += w[0],
        Kernel::None => {}
    }
    s * s
}

/// A choice, without derivative, beside numbers.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
enum Right {
    Call,
    Put,
    Share(u32),
}

#[derive(Clone, Debug, Tangent)]
struct Contract {
    strike: f64,
    right: Right,
    #[tangent(inactive)]
    step: Step,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Step {
    #[default]
    Whole,
    Half,
}

#[differentiable]
impl Contract {
    fn value(&self, price: f64) -> f64 {
        let value = match self.right {
            Right::Call => price - self.strike,
            Right::Put => self.strike * price,
            Right::Share(n) => n as f64 * price,
        };
        match self.step {
            Step::Whole => value,
            Step::Half => 0.5 * value * self.strike,
        }
    }
}

#[differentiable]
fn contract(strike: f64, right: Right) -> Contract {
    Contract {
        strike: strike * strike,
        right,
        step: Step::Half,
    }
}

#[differentiable]
fn a_list_of_choices(x: f64, y: f64) -> f64 {
    let mut book = vec![
        Contract {
            strike: x,
            right: Right::Call,
            step: Step::Whole,
        },
        contract(y, Right::Put),
    ];
    book.push(contract(x * y, Right::Share(2)));
    let mut total = 0.0;
    for one in &book {
        total += one.value(1.1 + x);
    }
    total * book[1].strike
}

#[differentiable]
fn a_choice_made_again(x: f64, y: f64) -> f64 {
    let mut one = contract(x, Right::Call);
    let first = one.value(y);
    if first > -10.0 {
        one = contract(y, Right::Put);
    }
    one.strike *= x;
    let mut both = [one.clone(), contract(first, Right::Share(3))];
    both[0].strike += y;
    first * one.value(x) + both.iter().map(|c| c.value(y)).sum::<f64>()
}

/// Shapes of several variants beside each other.
#[differentiable]
fn a_list_of_shapes(x: f64, y: f64) -> f64 {
    let mut shapes = vec![
        Shape::Empty,
        Shape::Circle(x),
        Shape::Rectangle {
            width: x,
            height: y,
        },
    ];
    shapes.push(Shape::Polygon(3, x * y));
    shapes[0] = Shape::Circle(y * y);
    shapes.iter().map(|s| area(s, x + 1.0)).sum()
}

#[differentiable]
fn made_by_branch(x: f64, y: f64) -> Shape {
    if x < y {
        Shape::Rectangle {
            width: x,
            height: y * y,
        }
    } else {
        Shape::Circle(x * y)
    }
}

#[differentiable]
fn chosen_by_a_branch(x: f64, y: f64) -> f64 {
    let one = match x > 0.5 {
        true => Shape::Circle(x * y),
        false => Shape::Polygon(4, x),
    };
    area(&one, x) * area(&made_by_branch(x, y), y) + area(&made_by_branch(y, x), y)
}

/// A state that goes from variant to variant.
#[differentiable]
fn stages(x: f64, y: f64) -> f64 {
    let mut figure = Figure::Line(x);
    let mut sum = 0.0;
    for i in 0..5 {
        figure = match figure {
            Figure::Line(length) if i > 1 => Figure::Round(Ellipse {
                a: length,
                b: y * length,
            }),
            Figure::Line(length) => Figure::Line(length * y),
            Figure::Round(ellipse) => Figure::Round(Ellipse {
                a: ellipse.b,
                b: 0.5 * ellipse.a,
            }),
        };
        sum += of_figure(&figure, x);
    }
    sum
}

#[derive(Clone, Debug, Tangent)]
enum Term {
    Sum(Box<Term>, Box<Term>),
    Number(f64),
    Product(Box<Term>, Box<Term>),
}

#[differentiable]
fn worth(term: &Term) -> f64 {
    match term {
        Term::Number(x) => *x,
        Term::Sum(a, b) => worth(a) + worth(b),
        Term::Product(a, b) => worth(a) * worth(b),
    }
}

#[differentiable]
fn a_tree(x: f64, y: f64) -> f64 {
    let product = Term::Product(Box::new(Term::Number(x)), Box::new(Term::Number(y)));
    let sum = Term::Sum(Box::new(product), Box::new(Term::Number(x * y)));
    worth(&sum) * worth(&Term::Number(y))
}

judge! {
    a_list_of_shapes(0.3, 0.7);
    chosen_by_a_branch(0.3, 0.7) (0.9, 0.4);
    stages(0.6, 0.7);
    a_tree(0.3, 0.7);
    a_list_of_choices(0.3, 0.7);
    a_choice_made_again(0.3, 0.7);
    area(&Shape::Circle(0.7), 0.4) (&Shape::Rectangle { width: 0.3, height: 0.9 }, 0.7) (&Shape::Polygon(3, 0.4), 0.1) (&Shape::Empty, 0.2);
    norm(&any(3), Norm::One) (&any(3), Norm::Power(3));
    of_figure(&Figure::Round(Ellipse { a: 0.7, b: 1.2 }), 0.6) (&Figure::Line(0.4), 0.6);
    optional(0.7, Some(0.4)) (0.7, None);
    kernel(&Kernel::Linear(any(2)), &any(2)) (&Kernel::Scaled { by: 0.7, weights: any(2) }, &positive(2)) (&Kernel::Scaled { by: -0.7, weights: any(2) }, &positive(2)) (&Kernel::None, &any(2));
}
