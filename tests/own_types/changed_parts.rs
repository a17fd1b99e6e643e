//! Parts of enums that arms change in place: by assignments, in parts, through calls, and before the whole becomes another variant.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Copy, PartialEq, Tangent)]
enum Shape {
    Circle { r: f64 },
    Rect { w: f64, h: f64 },
    Unit,
}
#[differentiable]
impl Shape {
    fn area(&self) -> f64 {
        match *self {
            Shape::Circle { r } => std::f64::consts::PI * r * r,
            Shape::Rect { w, h } => w * h,
            Shape::Unit => 1.0,
        }
    }
    fn scale(&mut self, k: f64) {
        match self {
            Self::Circle { r } => *r *= k,
            Self::Rect { w, h: height } => {
                *w *= k;
                *height += k;
            }
            Self::Unit => *self = Self::Rect { w: k, h: k * k },
        }
    }
}
#[differentiable]
fn scaled_shapes(x: f64, y: f64) -> f64 {
    let mut all = [
        Shape::Circle { r: x },
        Shape::Rect { w: x, h: y },
        Shape::Unit,
    ];
    for s in all.iter_mut() {
        s.scale(y);
    }
    for s in &mut all {
        if let Shape::Rect { w, .. } = s {
            *w *= x;
        }
    }
    let mut t = 0.0;
    for s in all {
        t += s.area() * x;
    }
    t
}

#[derive(Clone, Tangent)]
enum Timer {
    Idle,
    Running { t: f64, laps: usize, rate: f64 },
    Done(f64, Vec<f64>),
}
#[differentiable]
impl Timer {
    fn step(&mut self, dt: f64) -> f64 {
        match self {
            Timer::Idle => {
                *self = Timer::Running {
                    t: dt,
                    laps: 0,
                    rate: 2.0 * dt,
                };
                0.0
            }
            Timer::Running { t, laps, rate } => {
                *t += dt * *rate;
                *laps += 1;
                if *t > 1.5 {
                    let last = *t;
                    *self = Timer::Done(last, vec![last, dt]);
                    return last * 2.0;
                }
                *t * 0.5
            }
            Timer::Done(last, v) => {
                v[0] *= dt;
                *last * v[0] + v.len() as f64
            }
        }
    }
    fn read(&self) -> f64 {
        match self {
            Timer::Idle => 0.0,
            Timer::Running { t, laps, .. } => t * *laps as f64,
            Timer::Done(a, v) => a + v.iter().sum::<f64>(),
        }
    }
}
#[differentiable]
fn timed(x: f64, y: f64) -> f64 {
    let mut t = Timer::Idle;
    let mut s = 0.0;
    for _ in 0..6 {
        s += t.step(x) * y;
    }
    s + t.read()
}

#[derive(Clone, Copy, Tangent)]
enum Mode {
    Off,
    On(f64, f64),
}
#[derive(Clone, Copy, Tangent)]
struct Device {
    mode: Mode,
    gain: f64,
    n: usize,
}
#[differentiable]
fn bump(r: &mut f64, k: f64) -> f64 {
    *r += k * k;
    *r
}
#[differentiable]
impl Device {
    fn tick(&mut self, u: f64) -> f64 {
        let k = self.gain;
        match &mut self.mode {
            Mode::Off => 0.0,
            Mode::On(a, b) => {
                *a += self.gain * u;
                *b *= *a;
                self.n += 1;
                *a + *b * k
            }
        }
    }
    fn flip(&mut self, u: f64) {
        self.mode = match self.mode {
            Mode::Off => Mode::On(u, self.gain),
            Mode::On(a, _) if a > 2.0 => Mode::Off,
            m => m,
        };
        if let Mode::On(ref mut a, _) = self.mode {
            *a *= 1.5;
        }
    }
    fn lend(&mut self, u: f64) -> f64 {
        match &mut self.mode {
            Mode::On(a, b) => bump(a, u) + bump(b, u),
            _ => u,
        }
    }
}
#[differentiable]
fn of_a_field(x: f64, y: f64) -> f64 {
    let mut d = Device {
        mode: Mode::Off,
        gain: x,
        n: 0,
    };
    let mut s = 0.0;
    for i in 0..5 {
        s += d.tick(y);
        d.flip(y * i as f64);
        s += d.lend(x);
    }
    s
}
#[differentiable]
fn of_a_local(x: f64, y: f64) -> f64 {
    let mut m = Mode::On(x, y);
    if let Mode::On(a, b) = &mut m {
        *a *= y;
        std::mem::swap(a, b);
    }
    match m {
        Mode::On(ref mut a, ref b) => {
            *a += *b;
        }
        Mode::Off => {}
    }
    for i in 0..3 {
        match &mut m {
            Mode::On(a, _) => {
                if i == 1 {
                    *a = x;
                } else {
                    *a *= y
                }
            }
            Mode::Off => (),
        }
    }
    match m {
        Mode::On(a, b) => a * b * x,
        Mode::Off => 0.0,
    }
}
#[differentiable]
fn of_copies(x: f64, y: f64) -> f64 {
    let mut m = Mode::On(x, y);
    let r = &mut m;
    match r {
        Mode::On(a, b) => {
            *a *= *b;
        }
        Mode::Off => {}
    }
    let mut s = 0.0;
    match m {
        Mode::On(mut a, b) => {
            a *= b;
            s += a;
        }
        Mode::Off => {}
    }
    if let Mode::On(mut a, _) = m {
        for _ in 0..2 {
            a = a * a;
        }
        s += a;
    }
    match m {
        Mode::On(a, b) => s + a * b * x,
        Mode::Off => 0.0,
    }
}
#[differentiable]
fn lent(m: &mut Mode, k: f64) -> f64 {
    match m {
        Mode::Off => k,
        Mode::On(a, b) => {
            if *a > 1.0 {
                *a -= k;
            } else {
                *b += k;
            }
            let c = *a * *b;
            *a = c;
            c + 1.0
        }
    }
}
#[differentiable]
fn of_entries(x: f64, y: f64) -> f64 {
    let mut v = vec![Mode::On(x, y), Mode::Off, Mode::On(y, 2.0)];
    let mut s = 0.0;
    for m in v.iter_mut() {
        s += lent(m, x);
    }
    for (i, m) in v.iter_mut().enumerate() {
        if let Mode::On(a, _) = m {
            *a *= i as f64 + y;
        }
    }
    for i in 0..v.len() {
        match &mut v[i] {
            Mode::On(a, b) => {
                *b += *a;
            }
            m => {
                s += 1.0;
                *m = Mode::On(s, y);
            }
        }
    }
    for m in &v {
        if let Mode::On(a, b) = m {
            s += a * b;
        }
    }
    s
}

#[derive(Clone, Tangent)]
enum Node {
    Leaf(f64),
    Pair(Box<Node>, Box<Node>),
}
#[differentiable]
impl Node {
    fn scale(&mut self, k: f64) {
        match self {
            Node::Leaf(v) => *v *= k,
            Node::Pair(a, b) => {
                a.scale(k);
                b.scale(k * k);
            }
        }
    }
    // a name of the standard library's
    fn sum(&self) -> f64 {
        match self {
            Node::Leaf(v) => *v,
            Node::Pair(a, b) => a.sum() * b.sum(),
        }
    }
}
#[differentiable]
fn of_a_tree(x: f64, y: f64) -> f64 {
    use Node::*;
    let mut n = Pair(Box::new(Leaf(x)), Box::new(Leaf(y)));
    n.scale(x * y);
    n = Node::Pair(Box::new(n), Box::new(Leaf(x)));
    n.sum()
}

judge! {
    scaled_shapes(0.9, 1.1);
    timed(0.9, 1.1) (0.3, 0.6);
    of_a_field(0.9, 1.1) (0.3, 2.6);
    of_a_local(0.9, 1.1);
    of_copies(0.9, 1.1);
    lent(&mut Mode::On(0.9, 1.1), 0.7) (&mut Mode::On(1.9, 1.1), 0.7) (&mut Mode::Off, 0.7);
    of_entries(0.9, 1.1) (1.9, 0.4);
    of_a_tree(0.9, 1.1);
}
