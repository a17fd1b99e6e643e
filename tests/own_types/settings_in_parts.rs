//! Parts of values without derivative: lists that patterns bind, fields that are moved out, objects behind `dyn`.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Debug)]
enum Shape {
    Series(Vec<f64>),
    Pieces {
        knots: Vec<f64>,
        values: Vec<(f64, f64)>,
    },
    Level,
}

#[derive(Clone, Debug)]
struct Choices {
    shape: Shape,
    taps: Option<Vec<f64>>,
    names: Vec<String>,
}

#[differentiable]
fn of_shape(shape: &Shape, x: f64) -> f64 {
    match shape {
        Shape::Series(factors) => {
            let mut sum = 0.0;
            for factor in factors {
                sum = sum * x + factor;
            }
            sum
        }
        Shape::Pieces { knots, values } => {
            let mut sum = 0.0;
            for knot in knots.iter() {
                if x > *knot {
                    sum += x - knot;
                }
            }
            for (a, b) in values {
                sum += a * x.powi(2) + b;
            }
            sum + values.iter().map(|(a, b)| a * b * x).sum::<f64>()
        }
        Shape::Level => 1.0,
    }
}

#[differentiable]
fn of_choices(choices: &Choices, x: f64) -> f64 {
    let mut sum = x;
    if let Shape::Series(factors) = &choices.shape {
        for (i, factor) in factors.iter().enumerate() {
            sum += factor * x.powi(i as i32);
        }
    }
    if let Some(taps) = &choices.taps {
        for tap in taps {
            sum *= tap + x;
        }
    }
    for name in &choices.names {
        sum += name.len() as f64 * x;
    }
    sum
}

#[differentiable]
fn lists_of_patterns(x: f64) -> f64 {
    let pieces = Shape::Pieces {
        knots: vec![0.2, 1.5],
        values: vec![(0.1, 0.2)],
    };
    let choices = Choices {
        shape: Shape::Series(vec![1.0, 2.0, 0.5]),
        taps: Some(vec![0.1, 0.4]),
        names: vec!["a".into(), "bcd".to_string()],
    };
    let shapes = [choices.shape.clone(), pieces, Shape::Level];
    shapes
        .iter()
        .map(|shape| of_shape(shape, x))
        .product::<f64>()
        + of_choices(&choices, x)
}

#[derive(Debug, Clone, PartialEq)]
enum Stepper {
    Euler,
    Heun,
}

#[derive(Debug, Clone)]
struct Plan {
    stepper: Stepper,
    rounds: usize,
    width: f64,
}

fn plan_of(text: &str) -> Result<Plan, String> {
    let (stepper, rounds) = text.split_once(' ').ok_or("no rounds")?;
    let stepper = match stepper {
        "euler" => Stepper::Euler,
        "heun" => Stepper::Heun,
        other => return Err(format!("unknown: {other}")),
    };
    let rounds = rounds.parse().map_err(|e| format!("{e}"))?;
    Ok(Plan {
        stepper,
        rounds,
        width: 0.1,
    })
}

#[differentiable]
fn moved_out(text: &str, x: f64, k: f64) -> Result<f64, String> {
    let Plan {
        stepper,
        rounds,
        width,
    } = plan_of(text)?;
    let mut y = x;
    for _ in 0..rounds {
        match stepper {
            Stepper::Euler => y -= width * k * y * y,
            Stepper::Heun => {
                let next = y - width * k * y * y;
                y -= 0.5 * width * k * (y * y + next * next);
            }
        }
    }
    Ok(y)
}

#[differentiable]
fn by_texts(x: f64, k: f64) -> f64 {
    let texts = ["euler 3", "heun 2", "none", "leap 4"];
    texts.iter().filter_map(|t| moved_out(t, x, k).ok()).sum()
}

trait Rate {
    fn rate(&self, round: usize) -> f64;
}
struct Even(f64);
struct Late {
    of: Box<dyn Rate>,
    rounds: usize,
}
impl Rate for Even {
    fn rate(&self, _: usize) -> f64 {
        self.0
    }
}
impl Rate for Late {
    fn rate(&self, round: usize) -> f64 {
        let there = round >= self.rounds;
        if there {
            self.of.rate(round - self.rounds)
        } else {
            0.5
        }
    }
}

#[differentiable]
fn objects(x: f64, k: f64) -> f64 {
    let rates: Vec<Box<dyn Rate>> = vec![
        Box::new(Even(0.2)),
        Box::new(Late {
            of: Box::new(Even(0.3)),
            rounds: 1,
        }),
    ];
    let mut sum = 0.0;
    for of in rates.iter() {
        let mut y = x;
        for round in 0..3 {
            y -= of.rate(round) * k * y * y;
        }
        sum += y;
    }
    sum
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Quotes {
    spot: f64,
    vol: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    Long,
    Short,
}

#[derive(Clone, Debug)]
struct Deal {
    side: Side,
    strike: f64,
    label: String,
}

#[differentiable]
impl Quotes {
    fn worth(&self, deal: &Deal) -> f64 {
        let sign = if deal.side == Side::Long { 1.0 } else { -1.0 };
        sign * (self.spot - deal.strike).tanh() * self.vol
    }
}

#[differentiable]
fn book_of(quotes: Quotes, rows: &[(f64, Side)]) -> f64 {
    let deals: Vec<Deal> = (rows.iter().enumerate())
        .map(|(i, &(strike, side))| Deal {
            side,
            strike,
            label: format!("d{i}"),
        })
        .collect();
    let bumped = Quotes {
        vol: quotes.vol * 1.5,
        ..quotes
    };
    let total: f64 = deals
        .iter()
        .map(|d| bumped.worth(d) - quotes.worth(d))
        .sum();
    let some = deals.iter().filter(|d| d.label != "d0");
    total + some.map(|d| quotes.worth(d)).fold(f64::INFINITY, f64::min)
}

#[differentiable]
fn rows_with_sides(quotes: Quotes) -> f64 {
    book_of(
        quotes,
        &[(1.0, Side::Long), (1.1, Side::Short), (0.8, Side::Long)],
    )
}

#[differentiable]
fn weighed(age: u32, side: Side, rate: f64, growth: impl Fn(u32) -> f64) -> f64 {
    let sign = if side == Side::Long { 1.0 } else { 0.5 };
    sign * growth(age) / (1.0 + rate).powi(age as i32)
}

#[differentiable]
fn closures_beside_sides(rate: f64, growth: f64) -> f64 {
    let people = [(3, Side::Long), (2, Side::Short)];
    people
        .iter()
        .map(|&(age, side)| weighed(age, side, rate, |y| (1.0 + growth).powi(y as i32)))
        .sum()
}

#[derive(Clone, Debug)]
struct Model {
    terms: Vec<String>,
}

#[differentiable]
fn term_of(name: &str, x: f64) -> f64 {
    match name {
        "x" => x,
        "sine" => x.sin(),
        _ => 1.0,
    }
}

#[differentiable]
fn predicted(model: &Model, beta: &[f64], x: f64) -> f64 {
    model
        .terms
        .iter()
        .zip(beta)
        .map(|(t, b)| b * term_of(t, x))
        .sum()
}

#[differentiable]
fn texts_beside_numbers(beta: &[f64], t: f64) -> f64 {
    let model = Model {
        terms: ["x", "1", "sine"].iter().map(|t| t.to_string()).collect(),
    };
    predicted(&model, beta, t * t)
}

struct Nodes<const N: usize> {
    at: [f64; N],
    weights: [f64; N],
}

impl<const N: usize> Nodes<N> {
    fn iter(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.at.iter().copied().zip(self.weights.iter().copied())
    }
}

const NODES: Nodes<2> = Nodes {
    at: [-0.577, 0.577],
    weights: [1.0, 0.9],
};

#[differentiable]
fn own_iter(x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    for (at, weight) in NODES.iter() {
        sum += weight * (x + at * y).powi(3);
    }
    sum
}

judge! {
    lists_of_patterns(0.9) (1.7);
    by_texts(0.8, 1.1);
    objects(0.8, 1.1);
    rows_with_sides(Quotes { spot: 1.05, vol: 0.3 });
    closures_beside_sides(0.03, 0.1);
    texts_beside_numbers(&[0.3, -0.2, 0.4], 0.7);
    own_iter(0.7, 1.2);
}
