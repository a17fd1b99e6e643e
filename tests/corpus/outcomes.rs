//! `Result` and `Option` in every form that they are handed on in, and errors that come through unchanged.

use coenzyme::{Tangent, differentiable};
use num_traits::Float;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bad {
    Negative(f64),
    TooLarge,
    Wrapped(Low),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Low(pub f64);

impl From<Low> for Bad {
    fn from(low: Low) -> Bad {
        Bad::Wrapped(low)
    }
}

#[differentiable]
fn root(x: f64) -> Result<f64, Bad> {
    if x < 0.0 {
        Err(Bad::Negative(x))
    } else {
        Ok(x.sqrt())
    }
}

#[differentiable]
fn low(x: f64) -> Result<f64, Low> {
    if x < 0.5 { Err(Low(x)) } else { Ok(x * x) }
}

#[differentiable]
fn positive(x: f64) -> Option<f64> {
    (x > 0.0).then_some(x * x)
}

#[differentiable]
fn in_branches(x: f64) -> Result<f64, Bad> {
    if x > 2.0 {
        root(x - 2.0)
    } else if x > 1.0 {
        return root(x);
    } else {
        match x > 0.5 {
            true => root(2.0 * x),
            false => Err(Bad::TooLarge),
        }
    }
}

#[differentiable]
fn out_of_a_loop(x: f64) -> Result<f64, Bad> {
    let mut y = x;
    loop {
        y *= 1.5;
        if y > 4.0 {
            break root(y);
        }
    }
}

#[differentiable]
fn early(xs: &[f64]) -> Result<f64, Bad> {
    for x in xs {
        if *x > 1.0 {
            return root(*x * xs[0]);
        }
    }
    root(xs[0])
}

#[differentiable]
fn chained(x: f64) -> Result<f64, Bad> {
    root(x)
        .and_then(|r| root(r + 1.0))
        .map(|r| r * x)
        .and_then(root)
}

#[differentiable]
fn chained_in_between(x: f64) -> Result<f64, Bad> {
    let y = root(x).map(|r| 2.0 * r)?;
    let z = root(y).and_then(|r| root(r * x))?;
    Ok(y * z)
}

#[differentiable]
fn converted(x: f64) -> Result<f64, Bad> {
    let y = low(x)?;
    let z = low(x + 1.0).map_err(Bad::from)?;
    low(y * z).map_err(|Low(at)| Bad::Negative(at))
}

#[differentiable]
fn with_message(x: f64, k: f64) -> Result<f64, String> {
    let y = root(x).map_err(|e| format!("at {k}: {e:?}"))?;
    positive(y)
        .ok_or_else(|| format!("{y} is not positive"))
        .map(|p| p * k)
}

#[differentiable]
fn from_an_option(x: f64) -> Result<f64, Bad> {
    positive(x).ok_or(Bad::Negative(x))
}

#[differentiable]
fn into_an_option(x: f64) -> Option<f64> {
    let a = root(x).ok()?;
    let b = low(x).ok().map(|v| v + a)?;
    root(a * b).ok()
}

#[differentiable]
fn other_way(x: f64) -> Result<f64, Bad> {
    root(-x).or_else(|_| root(2.0 * x))
}

#[differentiable]
fn other_option(x: f64) -> Option<f64> {
    positive(-x).or_else(|| positive(3.0 * x))
}

#[differentiable]
fn defaults(x: f64) -> f64 {
    let a = root(x).unwrap_or(0.0);
    let b = root(-x).unwrap_or_else(|_| 3.0 * x);
    let c = positive(-x).unwrap_or_default();
    let d = positive(x).map(|p| p * a).unwrap_or(1.0);
    let e = low(x).ok().map_or(x, |v| v * b);
    a + b * x + c + d + e
}

#[differentiable]
fn option_argument(x: f64, weight: Option<f64>) -> Option<f64> {
    let w = weight?;
    Some(w * x).filter(|v| *v > 0.0)
}

#[differentiable]
fn option_mapped(x: f64, weight: Option<f64>) -> f64 {
    weight.map(|w| w * x).unwrap_or(x * x)
}

#[differentiable]
fn by_closure(x: f64, y: f64) -> Option<f64> {
    let safe = |v: f64| if v > 0.0 { Some(v.ln()) } else { None };
    let a = safe(x)?;
    Some(a * safe(x * y)?)
}

#[differentiable]
fn first_and_rest(xs: &[f64]) -> Option<f64> {
    let (first, rest) = xs.split_first()?;
    let last = rest.last()?;
    let largest = rest.iter().copied().reduce(f64::max)?;
    Some(first * last + largest)
}

#[differentiable]
fn largest_by(xs: &[f64]) -> Option<f64> {
    xs.iter()
        .copied()
        .max_by(|a, b| a.total_cmp(b))
        .map(|v| v * xs[0])
}

#[differentiable]
fn pair(x: f64, y: f64) -> Option<(f64, f64)> {
    if x > 0.0 { Some((x * y, y)) } else { None }
}

#[differentiable]
fn of_pair(x: f64, y: f64) -> Option<f64> {
    let (a, b) = pair(x, y)?;
    pair(a, b).map(|(p, q)| p / q)
}

#[differentiable]
fn roots(xs: &[f64]) -> Result<Vec<f64>, Bad> {
    xs.iter().map(|x| root(*x)).collect()
}

#[differentiable]
fn sum_of_roots(xs: &[f64]) -> Result<f64, Bad> {
    let all = xs
        .iter()
        .map(|&x| root(x + 1.0))
        .collect::<Result<Vec<_>, _>>()?;
    let sum: f64 = xs
        .iter()
        .map(|x| if *x > 0.5 { root(*x) } else { Ok(*x) })
        .sum::<Result<f64, _>>()?;
    Ok(all.iter().product::<f64>() * sum)
}

#[derive(Debug, Clone, Copy, Tangent)]
pub struct Line<T> {
    pub slope: T,
    pub offset: T,
}

#[differentiable]
impl<T: Float> Line<T> {
    fn at(&self, x: T) -> T {
        self.slope * x + self.offset
    }
    fn zero(&self) -> Option<T> {
        if self.slope.abs() > T::epsilon() {
            Some(-self.offset / self.slope)
        } else {
            None
        }
    }
}

#[differentiable]
fn crossing(a: f64, b: f64) -> Option<f64> {
    let line = Line {
        slope: a,
        offset: b,
    };
    line.zero().map(|z| line.at(z + 1.0))
}

#[derive(Clone, Debug, Tangent)]
enum Shape {
    Circle(f64),
    Rect { w: f64, h: f64 },
}

#[differentiable]
fn area(s: &Shape) -> f64 {
    match s {
        Shape::Circle(r) => r * r,
        Shape::Rect { w, h } => w * h,
    }
}

#[differentiable]
impl Shape {
    fn scaled(&self, k: f64) -> Shape {
        match self {
            Shape::Circle(r) => Shape::Circle(r * k),
            Shape::Rect { w, h } => Shape::Rect { w: w * k, h: h * k },
        }
    }
}

#[differentiable]
fn scaled_variants(x: f64, y: f64) -> f64 {
    let rect = Shape::Rect { w: x, h: y }.scaled(y);
    area(&rect) + area(&Shape::Circle(x).scaled(y).scaled(x))
}

#[differentiable]
fn normalize(a: &mut [f64]) -> Result<(), String> {
    let sum: f64 = a.iter().sum();
    if sum == 0.0 {
        return Err("nothing to divide by".into());
    }
    a.iter_mut().for_each(|a| *a /= sum);
    Ok(())
}

#[differentiable]
fn normalized_twice(x: f64, y: f64) -> f64 {
    let mut a = [x, y, 1.0];
    normalize(&mut a).unwrap();
    a[0] += y;
    normalize(&mut a[..2]).expect("positive numbers");
    a[0] * a[1] * a[2]
}

#[differentiable]
fn variants(x: f64, y: f64) -> f64 {
    let circle = Shape::Circle(x * y);
    let rect = Shape::Rect {
        w: x + y,
        h: x * 2.0,
    };
    area(&circle) + area(&rect) * x
}

#[test]
fn errors_come_through() {
    assert_eq!(coenzyme::gradient!(in_branches, 0.2), Err(Bad::TooLarge));
    assert_eq!(coenzyme::gradient!(chained, -0.2), Err(Bad::Negative(-0.2)));
    assert_eq!(
        coenzyme::gradient!(chained_in_between, -0.3),
        Err(Bad::Negative(-0.3))
    );
    assert_eq!(
        coenzyme::gradient!(converted, 0.1),
        Err(Bad::Wrapped(Low(0.1)))
    );
    assert_eq!(
        coenzyme::gradient!(from_an_option, -1.0),
        Err(Bad::Negative(-1.0))
    );
    let message = coenzyme::gradient!(with_message, -1.0, 2.0).expect_err("a negative root");
    assert_eq!(message, "at 2: Negative(-1.0)");
    assert_eq!(coenzyme::gradient!(into_an_option, 0.2), None);
    assert_eq!(
        coenzyme::gradient!(other_option, -0.2).map(|(d,)| d < 0.0),
        Some(true)
    );
    assert_eq!(coenzyme::gradient!(by_closure, 1.0, -1.0), None);
    assert_eq!(coenzyme::gradient!(crossing, 0.0, 1.0), None);
    assert_eq!(
        coenzyme::gradient!(sum_of_roots, &[0.1, -2.0]),
        Err(Bad::Negative(-1.0))
    );
}

#[differentiable]
fn newton_sqrt(a: f64) -> Option<f64> {
    std::iter::successors(Some(0.5 * (a + 1.0)), |x| Some(0.5 * (x + a / x)))
        .take(8)
        .last()
}

crate::subject::judge! {
    in_branches(2.7)(1.4)(0.7);
    out_of_a_loop(1.1);
    newton_sqrt(1.7);
    early(&[0.4, 0.7, 1.3])(&[0.4, 0.7, 0.9]);
    chained(0.8);
    chained_in_between(0.8);
    converted(1.1);
    with_message(0.8, 1.4);
    from_an_option(0.8);
    into_an_option(0.8);
    other_way(0.8)(-0.8);
    other_option(0.8)(-0.8);
    defaults(0.8);
    option_argument(0.8, Some(0.6));
    option_mapped(0.8, Some(0.6))(0.8, None);
    by_closure(1.8, 0.7);
    first_and_rest(&[0.4, 0.7, 1.3]);
    largest_by(&[0.4, 1.7, 1.3]);
    of_pair(0.8, 1.3);
    roots(&[0.4, 1.7]);
    sum_of_roots(&[0.4, 1.7]);
    crossing(0.8, 1.3);
    variants(0.8, 1.3);
    scaled_variants(0.8, 1.3);
    normalized_twice(0.8, 1.3);
}
