//! Methods of own types that have the names of the standard library's: which is meant, the type of the receiver says.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, Tangent)]
struct Grid {
    nodes: Vec<f64>,
    step: f64,
}
#[derive(Clone, Copy, Debug, Tangent)]
struct Segment {
    from: f64,
    to: f64,
}
#[derive(Clone, Debug, Tangent)]
struct Path {
    parts: Vec<Segment>,
    start: Segment,
    grid: Grid,
}

trait Extent {
    fn count(&self) -> usize;
    fn all(&self) -> f64;
}

#[differentiable]
impl Grid {
    fn new(x: &[f64], step: f64) -> Self {
        Grid {
            nodes: x.to_vec(),
            step,
        }
    }
    fn position(&self, i: usize) -> f64 {
        self.nodes[0] + self.step * i as f64
    }
    fn any(&self, k: f64) -> f64 {
        self.nodes.iter().sum::<f64>() * k
    }
    fn find(&self, i: usize) -> f64 {
        self.nodes[i % self.nodes.len()]
    }
    fn split_at(&self, i: usize) -> (f64, f64) {
        (self.nodes[i], self.step)
    }
    fn get(&self, i: usize) -> f64 {
        self.nodes[i] * self.step
    }
    fn first(&self) -> Segment {
        Segment {
            from: self.nodes[0],
            to: self.nodes[1] * self.step,
        }
    }
    fn next(&mut self) -> f64 {
        self.step *= 1.5;
        self.nodes[0] += self.step;
        self.nodes[0] * self.step
    }
    fn push(&mut self, x: f64) -> f64 {
        self.nodes[1] *= x;
        self.nodes[1]
    }
    fn map(&self, k: f64) -> Grid {
        Grid {
            nodes: self.nodes.iter().map(|n| n * k).collect(),
            step: self.step,
        }
    }
}
#[differentiable]
impl Segment {
    fn len(&self) -> f64 {
        (self.from * self.from + self.to * self.to).sqrt()
    }
    fn is_empty(&self) -> bool {
        self.from == self.to
    }
    fn contains(&self, x: f64) -> bool {
        self.from < x && x < self.to
    }
    fn min(&self, other: &Segment) -> f64 {
        self.from * other.to
    }
    fn sum(self) -> f64 {
        self.from + 2.0 * self.to
    }
}
#[differentiable]
impl Extent for Grid {
    fn count(&self) -> usize {
        self.nodes.len()
    }
    fn all(&self) -> f64 {
        self.nodes[0] * self.step
    }
}

#[differentiable]
fn made(x: &[f64], k: f64) -> Grid {
    Grid {
        nodes: x.to_vec(),
        step: k * k,
    }
}
#[differentiable]
fn found(x: &[f64], k: f64) -> Option<Segment> {
    if x[0] > 100.0 {
        return None;
    }
    Some(Segment { from: x[0], to: k })
}
#[differentiable]
fn ends(x: &[f64]) -> (Segment, Segment) {
    let last = Segment {
        from: x[2],
        to: x[0] * x[1],
    };
    (
        Segment {
            from: x[0],
            to: x[1],
        },
        last,
    )
}

#[differentiable]
fn of_a_literal(x: &[f64], k: f64) -> f64 {
    let g = Grid {
        nodes: x.to_vec(),
        step: k,
    };
    let (a, b) = g.split_at(1);
    let mut s = 0.0;
    for i in 0..g.count() {
        s += g.position(i) * g.find(i + 1);
    }
    s + g.any(k) + a * b + g.all()
}
#[differentiable]
fn of_what_is_returned(x: &[f64], k: f64) -> f64 {
    let g = made(x, k);
    let mut s = made(x, k).position(2) * Grid::new(x, k).find(1);
    for i in 0..g.count() {
        s += g.position(i) * g.find(i + 1);
    }
    s + g.any(k) + g.map(k).any(2.0) + g.first().len()
}
#[differentiable]
fn of_parameters(g: &Grid, s: Segment, all: &[Segment]) -> f64 {
    let total: f64 = all.iter().map(|s| s.len()).sum();
    let mut t = total * g.get(1) + s.sum();
    for (i, s) in all.iter().enumerate() {
        t += s.len() * i as f64 + all[i].min(s);
    }
    t
}
#[differentiable]
fn lent_to_parameters(x: &[f64], k: f64) -> f64 {
    let (a, b) = ends(x);
    of_parameters(&made(x, k), a, &[a, b, Segment { from: k, to: k * k }])
}
#[differentiable]
fn of_fields(x: &[f64], k: f64) -> f64 {
    let (a, b) = ends(x);
    let p = Path {
        parts: vec![a, b],
        start: b,
        grid: Grid::new(x, k),
    };
    let mut s = p.start.len() * p.grid.get(2);
    for part in &p.parts {
        s += part.len() * if part.is_empty() { 3.0 } else { 2.0 };
    }
    s + p.parts[1].len() + p.parts.len() as f64
}
#[differentiable]
fn of_what_is_found(x: &[f64], k: f64) -> f64 {
    let Some(s) = found(x, k) else { return 0.0 };
    let also = found(x, k * k).map_or(0.0, |s| s.len());
    let by_pattern = match found(x, 2.0 * k) {
        Some(s) if s.contains(1e6) => s.len(),
        Some(s) => s.len() * 2.0,
        None => 1.0,
    };
    if let Some(s) = found(x, 1.0) {
        return s.len() * also + by_pattern;
    }
    s.len()
}
#[derive(Clone, Copy, Debug, Tangent)]
struct Pair(Segment, f64);
#[differentiable]
fn checked(s: Segment, k: f64) -> Result<Segment, String> {
    if k > 10.0 {
        return Err("far".into());
    }
    Ok(Segment {
        from: s.from * k,
        to: s.to,
    })
}
#[differentiable]
fn by_patterns(x: &[f64], k: f64) -> f64 {
    let (a, b) = ends(x);
    let Pair(s, f) = Pair(a, k);
    let t = match checked(b, k) {
        Ok(s) => s.len(),
        Err(e) => e.len() as f64,
    };
    let n = match checked(b, 20.0) {
        Ok(_) => 0,
        Err(e) => e.len(),
    };
    s.len() * f + t * n as f64
}
#[differentiable]
fn a_name_for_another_thing(x: &[f64], k: f64) -> f64 {
    let g = Grid::new(x, k);
    let first = g.get(1);
    let g = g.nodes;
    let mut s = g[g.len() - 1] * first;
    for s2 in [1.0, 2.0] {
        let g = [s2, k, s2];
        s += g[g.len() - 1] * g.iter().position(|v| *v == s2).unwrap() as f64 + g[0];
    }
    s * g.first().unwrap()
}
#[differentiable]
fn changed(x: &[f64], k: f64) -> f64 {
    let mut g = Grid::new(x, k);
    let mut s = 0.0;
    for _ in 0..3 {
        s += g.next() * g.push(k);
    }
    s * g.get(0) + g.nodes.len() as f64
}
#[differentiable]
fn made_by_a_closure(x: &[f64], k: f64) -> f64 {
    let build = |f: f64| Segment {
        from: f * x[0],
        to: k,
    };
    let (a, b) = (build(1.0), build(k));
    a.len() * b.len() + a.min(&b)
}

#[differentiable]
trait Curve {
    fn len(&self) -> f64;
    fn position(&self, t: f64) -> f64;
    fn twice(&self) -> f64 {
        2.0 * self.len() + self.position(0.3)
    }
}
#[derive(Clone, Tangent)]
struct Line {
    a: f64,
    b: f64,
}
#[differentiable]
impl Curve for Line {
    fn len(&self) -> f64 {
        (self.a * self.a + self.b * self.b).sqrt()
    }
    fn position(&self, t: f64) -> f64 {
        self.a * t + self.b
    }
}
#[differentiable]
fn by_impl(c: &impl Curve, t: f64) -> f64 {
    c.len() * c.position(t)
}
#[differentiable]
fn by_bound<C: Curve>(c: &C, t: f64) -> f64 {
    c.len() * c.position(t)
}
#[differentiable]
fn by_clause<C>(all: &[C], t: f64) -> f64
where
    C: Curve,
{
    all.iter().map(|c| c.len() * c.position(t)).sum::<f64>() * all.len() as f64
}
#[differentiable]
fn of_traits(x: f64, y: f64) -> f64 {
    let l = Line { a: x, b: y };
    let all = [l.clone(), Line { a: y, b: x * y }];
    by_impl(&l, x) + by_bound(&l, y) + by_clause(&all, x) + l.twice() + l.position(y)
}

judge! {
    of_a_literal(&any(3), 0.7);
    of_what_is_returned(&any(3), 0.7);
    lent_to_parameters(&any(3), 0.7);
    of_fields(&any(3), 0.7);
    of_what_is_found(&any(3), 0.7);
    a_name_for_another_thing(&any(3), 0.7);
    by_patterns(&any(3), 0.7);
    of_traits(0.7, 0.4);
    changed(&any(3), 0.7);
    made_by_a_closure(&any(3), 0.7);
}
