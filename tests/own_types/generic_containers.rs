//! Containers of whatever type, which take and give its values; constructors that may fail, and what they make.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Window<T> {
    entries: Box<[T]>,
    index: usize,
    last: T,
}

#[differentiable]
impl<T: Copy> Window<T> {
    fn new(n: usize, value: T) -> Self {
        Window {
            entries: vec![value; n].into_boxed_slice(),
            index: 0,
            last: value,
        }
    }
    fn push(&mut self, value: T) -> T {
        let oldest = self.entries[self.index];
        self.entries[self.index] = value;
        self.index += 1;
        if self.index == self.entries.len() {
            self.index = 0;
        }
        self.last = value;
        oldest
    }
    fn newest(&self) -> T {
        self.last
    }
    fn swapped(&self, pair: (T, T)) -> (T, T) {
        (pair.1, pair.0)
    }
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Pair {
    x: f64,
    y: f64,
}

trait Method {
    type Input;
    type Output;
    fn new(n: usize, value: &Self::Input) -> Result<Self, String>
    where
        Self: Sized;
    fn next(&mut self, value: &Self::Input) -> Self::Output;
}

#[derive(Clone, Debug, Tangent)]
struct Average {
    value: f64,
    window: Window<f64>,
}

#[differentiable]
impl Method for Average {
    type Input = f64;
    type Output = f64;

    fn new(n: usize, &value: &Self::Input) -> Result<Self, String> {
        match n {
            0 => Err("of nothing".to_string()),
            n => Ok(Self {
                value,
                window: Window::new(n, value),
            }),
        }
    }
    fn next(&mut self, &value: &Self::Input) -> Self::Output {
        let oldest = self.window.push(value);
        self.value += (value - oldest) * 0.5;
        self.value
    }
}

/// A constructor that may fail, and methods of names that the standard library has, too.
#[derive(Clone, Debug, Tangent)]
struct Line {
    slope: f64,
}

#[differentiable]
impl Line {
    fn new(slope: f64) -> Option<Self> {
        if slope > 0.0 {
            Some(Line { slope })
        } else {
            None
        }
    }
    fn get(&self, x: f64) -> f64 {
        self.slope * x
    }
    fn push(&mut self, slope: f64) -> f64 {
        self.slope += slope * slope;
        self.slope
    }
}

/// A trait one of whose methods takes any type of the trait.
#[differentiable]
trait Candle: 'static {
    fn high(&self) -> f64;

    fn beside(&self, other: &dyn Candle) -> f64 {
        other.high() * self.high()
    }
    fn doubled(&self) -> f64 {
        2.0 * self.high()
    }
}

#[differentiable]
impl Candle for Pair {
    fn high(&self) -> f64 {
        self.x * self.y
    }
}

#[differentiable]
fn twice_of<C: Candle>(candle: &C, by: f64) -> f64 {
    candle.doubled() * by
}

#[differentiable]
fn of_a_trait(x: f64, y: f64) -> f64 {
    twice_of(&Pair { x, y }, x)
}

#[differentiable]
fn averaged(x: f64, y: f64) -> f64 {
    let mut average = Average::new(2, &x).unwrap();
    let mut sum = average.next(&y) * x;
    sum += average.next(&(x * y));
    sum *= average.next(&x);
    sum * average.window.newest()
}

#[differentiable]
fn of_structs(x: f64, y: f64) -> f64 {
    let first = Window::new(2, Pair { x, y });
    let mut window = first.clone();
    let oldest = window.push(Pair { x: x * y, y: 1.0 });
    let (a, b) = window.swapped((oldest, Pair { x: y, y: x * x }));
    a.x * b.y * a.y + oldest.x * window.newest().x
}

#[differentiable]
fn of_a_fallible_constructor(x: f64, y: f64) -> f64 {
    let line = Line::new(x).unwrap();
    let mut steep = Line::new(y * y).expect("positive");
    let first = steep.push(x);
    line.get(y) * first + steep.get(x) * Line::new(x * y).unwrap().get(y)
}

#[differentiable]
fn asked(x: f64, y: f64) -> Option<f64> {
    let mut line = Line::new(x)?;
    let first = line.push(y);
    Some(line.get(first) * y)
}

#[differentiable]
fn answered(x: f64, y: f64) -> f64 {
    asked(x, y).unwrap_or(0.0) + asked(-x, y).unwrap_or(y)
}

judge! {
    of_a_trait (0.3, 1.2);
    averaged (0.3, 1.2);
    of_structs (0.3, 1.2);
    of_a_fallible_constructor (0.3, 1.2);
    answered (0.3, 1.2);
}
