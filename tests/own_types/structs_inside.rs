//! Structs that a function declares for itself, without `#[derive(Tangent)]`, with active values in them and without.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn moments(x: &[f64], k: f64) -> f64 {
    struct Moments {
        mean: f64,
        second: f64,
        history: Vec<f64>,
        n: usize,
    }
    let mut all = Moments {
        mean: 0.0,
        second: 0.0,
        history: vec![0.0; x.len()],
        n: 0,
    };
    for (i, v) in x.iter().enumerate() {
        all.n += 1;
        all.mean += v * k;
        all.second += v * v;
        all.history[i] = all.mean * all.second;
    }
    all.history.iter().sum::<f64>() * all.mean / all.n as f64
}
#[differentiable]
fn points(x: f64, y: f64) -> f64 {
    #[derive(Clone, Copy)]
    struct Segment {
        from: Point,
        to: Point,
    }
    #[derive(Clone, Copy)]
    struct Point {
        x: f64,
        y: f64,
    }
    struct Wrapped(f64, bool);
    let s = Segment {
        from: Point { x, y },
        to: Point { x: x * y, y: 1.0 },
    };
    let w = Wrapped(x, y > 0.0);
    let l = (s.to.x - s.from.x).powi(2) + (s.to.y - s.from.y).powi(2);
    if w.1 { l * w.0 } else { l }
}
#[differentiable]
fn told(x: f64, y: f64) -> f64 {
    struct Label<'a> {
        name: &'a str,
        n: usize,
    }
    struct Held(std::collections::HashMap<usize, f64>);
    impl Clone for Kept {
        fn clone(&self) -> Self {
            Kept(self.0)
        }
    }
    struct Kept(usize);
    let l = Label { name: "ab", n: 3 };
    let h = Held([(3usize, 2.0)].into_iter().collect());
    let k = Kept(2).clone();
    x.powi(l.n as i32) * y * l.name.len() as f64 * h.0[&3] * k.0 as f64
}
judge! { moments(&[0.3, 0.9, 0.4], 1.1); points(0.9, 1.1) (0.4, -0.3); told(0.9, 1.1); }
