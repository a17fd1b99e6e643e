//! Functions of a macro, of which no file tells what they do to what they are lent: what has one shape keeps it.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Copy, Debug, Tangent)]
struct State {
    x: f64,
    v: [f64; 2],
}
#[derive(Clone, Debug, Tangent)]
struct Held<'a> {
    #[tangent(inactive)]
    c: &'a [usize],
    v: Vec<f64>,
}
macro_rules! steps {
    () => {
        #[differentiable]
        fn put(into: &mut f64, x: f64) {
            *into = (0.5 * *into + x * x).sin();
        }
        #[differentiable]
        fn all_put(into: &mut [f64; 2], x: f64) {
            *into = [into[1] * x, into[0]];
        }
        #[differentiable]
        fn stepped(s: &mut State, k: f64) {
            *s = State {
                x: s.x + k * s.v[0],
                v: [s.v[1] * k, s.x],
            };
        }
        #[differentiable]
        fn parts_stepped(s: &mut State, k: f64) {
            s.x *= k;
            s.v = [s.v[1] * k, s.x];
        }
    };
}
steps!();
#[differentiable]
fn with_lifetime<'a>(h: &mut Held<'a>, k: f64) {
    h.v = vec![h.v[0] * k; h.c.len()];
}
#[differentiable]
fn through(x: &[f64], k: f64) -> f64 {
    let mut s = State {
        x: x[0],
        v: [x[1], x[2]],
    };
    let mut y = x.to_vec();
    for r in y.iter_mut() {
        put(r, k);
    }
    put(&mut y[1], k);
    put(&mut s.x, k);
    all_put(&mut s.v, k);
    stepped(&mut s, k);
    parts_stepped(&mut s, k);

    let mut h = Held {
        c: &[1, 2, 3],
        v: x.to_vec(),
    };
    with_lifetime(&mut h, k);
    y[0] * y[1] + s.x * s.v[0] + s.v[1] + h.v[2]
}
judge! { through(&any(3), 0.7); }
