//! Conversions whose types are told by patterns, and by the parts of a type that is written.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};
#[derive(Clone, Copy, Debug, Tangent)]
struct Polar {
    r: f64,
    t: f64,
}
#[derive(Clone, Copy, Debug, Tangent)]
struct Point(f64, f64);
#[differentiable]
impl From<Polar> for Point {
    fn from(p: Polar) -> Self {
        Point(p.r * p.t.cos(), p.r * p.t.sin())
    }
}
#[differentiable]
impl From<Point> for Polar {
    fn from(Point(x, y): Point) -> Self {
        Polar {
            r: x.hypot(y),
            t: y.atan2(x),
        }
    }
}
#[differentiable]
fn told_by_patterns(r: f64, t: f64) -> f64 {
    let Point(x, y) = Polar { r, t }.into();
    let Polar { t: angle, .. } = Point(x + 1.0, y * r).into();
    x * y + angle
}
#[differentiable]
fn told_by_parts(r: f64, t: f64) -> f64 {
    let (p, q): (Point, Polar) = (Polar { r, t }.into(), Point(r, t).into());
    let each: [Point; 2] = [q.into(), Polar { r: t, t: r }.into()];
    p.0 * q.r + each[0].1 * each[1].0
}
#[derive(Clone, Copy, Debug, Tangent)]
struct Segment {
    from: Point,
    to: Polar,
}
#[differentiable]
impl Segment {
    fn new(a: Polar, b: Point) -> Self {
        Self {
            from: a.into(),
            to: b.into(),
        }
    }
}
#[differentiable]
fn perhaps(p: Polar) -> Option<Point> {
    if p.r > 10.0 { None } else { Some(p.into()) }
}
#[differentiable]
fn surely(p: Point) -> Result<Polar, String> {
    Ok(p.into())
}
#[differentiable]
fn told_by_fields(r: f64, t: f64) -> f64 {
    let s = Segment {
        from: Polar { r, t }.into(),
        to: Point(t, r).into(),
    };
    let q = Segment::new(s.to, s.from);
    s.from.0 * s.to.t + q.from.1 * q.to.r
}
#[differentiable]
fn told_by_what_is_returned(r: f64, t: f64) -> f64 {
    let p = perhaps(Polar { r, t }).map_or(0.0, |p| p.0 * p.1);
    p * surely(Point(r, t)).map_or(1.0, |p| p.t)
}
judge! { told_by_patterns(0.9, 1.1); told_by_parts(0.9, 1.1); told_by_fields(0.9, 1.1); told_by_what_is_returned(0.9, 1.1); }
