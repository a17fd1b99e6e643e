//! Parts of enums that an arm changes in place: shapes that are scaled, states that count, machines that go on to another state.

use coenzyme::{Tangent, differentiable, inactive};

use crate::subject::judge;

mod shapes {
    use super::{Tangent, differentiable};

    #[derive(Clone, Debug, Tangent)]
    enum Shape {
        Circle { r: f64, tag: usize },
        Rect(f64, f64),
        Poly(Vec<(f64, f64)>),
        Empty,
    }
    #[differentiable]
    impl Shape {
        fn area(&self) -> f64 {
            match self {
                Shape::Circle { r, .. } => 3.0 * r * r,
                Shape::Rect(w, h) => w * h,
                Shape::Poly(points) => points.iter().map(|p| p.0 * p.1).sum(),
                Shape::Empty => 0.0,
            }
        }
        fn scale(&mut self, k: f64) {
            match self {
                Shape::Circle { r, .. } => *r *= k,
                Shape::Rect(w, h) => {
                    *w *= k;
                    *h *= k * *w;
                }
                Shape::Poly(points) => {
                    for (x, y) in points.iter_mut() {
                        *x *= k;
                        *y *= k;
                    }
                }
                Shape::Empty => {}
            }
        }
        fn grow(&mut self, x: f64) -> f64 {
            if let Shape::Poly(points) = self {
                points[0].1 += x;
                return points[0].0 * x;
            }
            match self {
                Shape::Rect(_, h) if *h > 1.0 => {
                    *h = x;
                    *self = Shape::Empty;
                    1.0
                }
                Shape::Rect(w, _) => {
                    let old = *w;
                    *w += x;
                    old * x
                }
                Shape::Circle { tag, .. } => {
                    *tag += 1;
                    x * *tag as f64
                }
                _ => x,
            }
        }
    }
    #[derive(Clone, Debug, Tangent)]
    struct Body {
        shape: Shape,
        mass: f64,
    }
    #[differentiable]
    impl Body {
        fn heat(&mut self, k: f64) {
            match self.shape {
                Shape::Circle { ref mut r, .. } => {
                    *r += self.mass * k;
                    self.mass *= 0.9;
                }
                Shape::Rect(ref mut w, h) => {
                    *w *= h * k;
                    self.mass = self.shape.area();
                }
                _ => {}
            }
            match &mut self.shape {
                Shape::Rect(w, h) => std::mem::swap(w, h),
                Shape::Poly(p) => stretch(p, k),
                _ => self.mass *= 2.0,
            }
        }
    }
    #[differentiable]
    fn stretch(p: &mut Vec<(f64, f64)>, k: f64) {
        for q in p.iter_mut() {
            q.0 += k;
            q.1 *= q.0;
        }
    }
    #[differentiable]
    pub(super) fn total(x: f64, y: f64) -> f64 {
        let mut shapes = vec![
            Shape::Circle { r: x, tag: 1 },
            Shape::Rect(x, y),
            Shape::Poly(vec![(0.2, 0.3), (x, 0.1), (0.5, y)]),
            Shape::Empty,
        ];
        for s in shapes.iter_mut() {
            s.scale(y);
        }
        let mut sum: f64 = 0.0;
        for s in &mut shapes {
            sum += s.grow(x);
        }
        sum += shapes.iter().map(|s| s.area()).sum::<f64>();
        for s in shapes {
            let mut b = Body { shape: s, mass: x };
            b.heat(y);
            b.heat(x);
            sum += b.shape.area() * b.mass;
        }
        sum
    }
    #[differentiable]
    pub(super) fn local(x: f64, y: f64) -> f64 {
        let mut s = Shape::Rect(1.0, 2.0);
        for i in 0..3 {
            match &mut s {
                Shape::Rect(w, h) if i < 2 => {
                    *w = x * *h;
                    *h += y;
                }
                Shape::Rect(w, h) => {
                    *h = *w;
                    s = Shape::Circle { r: x, tag: 0 };
                }
                Shape::Circle { r, .. } => *r += x,
                _ => {}
            }
        }
        s.area()
    }
}
use shapes::{local, total};

mod filters {
    use super::{Tangent, differentiable};

    #[derive(Clone, Debug, Tangent)]
    struct Filter {
        last: Option<f64>,
        history: Option<Vec<f64>>,
        mode: Mode,
    }
    #[derive(Clone, Debug, Tangent)]
    enum Mode {
        Warm(usize, f64),
        Hot { gain: f64, sum: f64 },
    }
    #[differentiable]
    impl Filter {
        fn feed(&mut self, x: f64) -> f64 {
            if let Some(v) = &mut self.last {
                *v += x;
            } else {
                self.last = Some(x * x);
            }
            if let Some(h) = self.history.as_mut() {
                h[0] += x;
            }
            let limit = 2;
            match &mut self.mode {
                Mode::Warm(n, sum) => {
                    *n += 1;
                    *sum += x;
                    if *n >= limit {
                        self.mode = Mode::Hot {
                            gain: *sum,
                            sum: 0.0,
                        };
                    }
                }
                Mode::Hot { gain, sum } => {
                    *sum += *gain * x;
                    *gain *= 0.9;
                }
            }
            match self.mode {
                Mode::Warm(_, s) => s,
                Mode::Hot { gain, sum } => gain * sum,
            }
        }
    }
    #[differentiable]
    pub(super) fn run(x: f64, y: f64) -> f64 {
        let mut f = Filter {
            last: None,
            history: Some(vec![1.0, x, y]),
            mode: Mode::Warm(0, 0.0),
        };
        let mut total = 0.0;
        for i in 0..5 {
            total += f.feed(x + y * i as f64);
        }
        total
            + f.last.unwrap_or(0.0)
                * match f.history {
                    Some(h) => h[1] * h[2],
                    None => 1.0,
                }
    }
}
use filters::run;

mod models {
    use super::{Tangent, differentiable};

    #[differentiable]
    trait Model {
        const DIM: usize;
        fn rhs(&self, t: f64, y: &[f64], out: &mut [f64]);
        fn jump(&mut self, y: &mut Vec<f64>) -> bool {
            let _ = y;
            false
        }
    }
    #[derive(Clone, Debug, Tangent)]
    struct Lotka {
        a: f64,
        b: f64,
        fired: usize,
    }
    #[differentiable]
    impl Model for Lotka {
        const DIM: usize = 2;
        fn rhs(&self, _t: f64, y: &[f64], out: &mut [f64]) {
            out[0] = self.a * y[0] - y[0] * y[1];
            out[1] = y[0] * y[1] - self.b * y[1];
        }
        fn jump(&mut self, y: &mut Vec<f64>) -> bool {
            if y[0] > 1.2 && self.fired < 2 {
                y[0] *= 0.5;
                self.a *= 0.9;
                self.fired += 1;
                return true;
            }
            false
        }
    }
    #[differentiable]
    fn integrate<M: Model>(m: &mut M, y0: &[f64], h: f64, n: usize) -> Vec<f64> {
        let mut y = y0.to_vec();
        let mut dy = vec![0.0; M::DIM];
        let mut t = 0.0;
        for _ in 0..n {
            m.rhs(t, &y, &mut dy);
            y.iter_mut().zip(&dy).for_each(|(y, d)| *y += h * d);
            t += h;
            if m.jump(&mut y) {
                t += 0.01;
            }
        }
        y.push(t);
        y
    }
    #[differentiable]
    pub(super) fn end(a: f64, b: f64) -> f64 {
        let mut m = Lotka { a, b, fired: 0 };
        let y = integrate(&mut m, &[1.0, b], 0.2, 5);
        y[0] * y[1] + m.a
    }
}
use models::end;

mod expressions {
    use super::{Tangent, differentiable, inactive};

    #[derive(Clone, Debug, Tangent)]
    enum Expr {
        Num(f64),
        X,
        Add(Box<Expr>, Box<Expr>),
        Mul(Box<Expr>, Box<Expr>),
        Pow(Box<Expr>, i32),
        Sin(Box<Expr>),
    }
    #[differentiable]
    fn eval(e: &Expr, x: f64) -> f64 {
        match e {
            Expr::Num(c) => *c,
            Expr::X => x,
            Expr::Add(a, b) => eval(a, x) + eval(b, x),
            Expr::Mul(a, b) => eval(a, x) * eval(b, x),
            Expr::Pow(a, n) if *n == 0 => 1.0,
            Expr::Pow(a, n @ 1..=9) => eval(a, x).powi(*n),
            Expr::Pow(a, n) => 1.0 / eval(a, x).powi(-n),
            Expr::Sin(a) => eval(a, x).sin(),
        }
    }
    #[inactive]
    fn tree() -> Expr {
        Expr::Add(
            Box::new(Expr::Mul(
                Box::new(Expr::Num(3.0)),
                Box::new(Expr::Pow(Box::new(Expr::X), 2)),
            )),
            Box::new(Expr::Sin(Box::new(Expr::Pow(Box::new(Expr::X), -2)))),
        )
    }
    #[differentiable]
    pub(super) fn formula(x: f64, y: f64) -> f64 {
        let t = tree();
        eval(&t, x) * y
    }
}
use expressions::formula;

judge! {
    total(0.9, 1.1) (0.3, 0.6);
    local(0.9, 1.1);
    run(0.9, 1.1) (0.3, 0.6);
    end(2.9, 0.4) (0.3, 0.6);
    formula(0.9, 1.1) (0.8, 0.6);
}
