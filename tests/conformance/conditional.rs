//! What `cfg` removes is not differentiated.

// conditions that are always true or never
#![allow(clippy::non_minimal_cfg)]

use coenzyme::{Tangent, differentiable, inactive};

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn statements(x: f64) -> f64 {
    let mut y = x * x;
    #[cfg(test)]
    {
        y *= x;
    }
    #[cfg(not(test))]
    {
        y *= 100.0;
    }
    #[cfg(any())]
    let y = nothing(x);
    y
}

#[differentiable]
fn bindings(x: f64) -> f64 {
    #[cfg(test)]
    let k = x.sin();
    #[cfg(not(test))]
    let k = x.cos();
    #[cfg(debug_assertions)]
    let k = k + x * 1e-3;
    k * x
}

#[differentiable]
fn tails(x: f64) -> f64 {
    #[cfg(all(test, not(any())))]
    {
        x * x * x
    }
    #[cfg(not(all(test, not(any()))))]
    {
        x
    }
}

#[differentiable]
fn assignments(x: f64, y: &mut [f64]) {
    #[cfg(test)]
    (y[0] *= x);
    #[cfg(not(test))]
    (y[0] = 0.0);
    for i in 1..y.len() {
        #[cfg(not(test))]
        (y[i] = x);
        #[cfg(test)]
        (y[i] = y[i - 1] * x);
    }
}

#[differentiable]
fn arms(x: f64, n: usize) -> f64 {
    match n {
        #[cfg(not(test))]
        0 => 7.0,
        #[cfg(test)]
        0 => x * x,
        1 => x,
        _ => x.sin(),
    }
}

#[derive(Clone, Tangent)]
struct Pair {
    a: f64,
    #[cfg(test)]
    b: f64,
    #[cfg(not(test))]
    c: f64,
}

#[differentiable]
impl Pair {
    fn new(x: f64) -> Pair {
        Pair {
            a: x,
            #[cfg(test)]
            b: x * x,
            #[cfg(not(test))]
            c: x,
        }
    }

    #[cfg(test)]
    fn multiplied(&self) -> f64 {
        self.a * self.b
    }

    #[cfg(not(test))]
    fn multiplied(&self) -> f64 {
        self.a
    }
}

#[differentiable]
fn fields(x: f64) -> f64 {
    let pair = Pair::new(x);
    let Pair {
        a,
        #[cfg(test)]
        b,
        #[cfg(not(test))]
            c: b,
    } = &pair;
    pair.multiplied() * a * b
}

#[differentiable]
fn parameters(x: f64, #[cfg(test)] y: f64, #[cfg(not(test))] z: &[f64]) -> f64 {
    #[cfg(not(test))]
    let y = z[0];
    x * y
}

#[differentiable]
fn items(x: f64) -> f64 {
    #[cfg(test)]
    const K: f64 = 3.0;
    #[cfg(not(test))]
    const K: f64 = 5.0;
    K * x * x
}

#[differentiable]
fn arguments(x: f64) -> f64 {
    parameters(
        x,
        #[cfg(test)]
        x,
        #[cfg(not(test))]
        &[x],
    )
}

#[differentiable]
fn attributes(x: f64, n: usize) -> f64 {
    let mut y = x;
    #[cfg_attr(test, checkpoint(3))]
    for _ in 0..n {
        y = (y * x).sin();
    }
    #[cfg_attr(not(test), unknown)]
    let z = y * y;
    z * x
}

#[differentiable]
#[cfg(test)]
fn whole(x: f64) -> f64 {
    x * x
}

#[differentiable]
#[cfg(not(test))]
fn whole(x: f64) -> f64 {
    nothing(x)
}

#[inactive]
fn decided(x: f64, #[cfg(not(test))] y: f64) -> f64 {
    #[cfg(test)]
    let y = 2.0;
    x.floor() * y
}

#[differentiable]
fn inside_branches_and_loops(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        if *v > 0.0 {
            #[cfg(test)]
            let v = v * v;
            sum += v;
        } else {
            #[cfg(not(test))]
            return sum;
            let f = |t: f64| {
                #[cfg(test)]
                let t = t * x[0];
                t * t
            };
            sum += f(*v);
        }
    }
    if cfg!(test) { sum * x[0] } else { sum }
}

#[differentiable]
fn without_a_condition(x: f64, y: &mut [f64]) {
    #[cfg(any())]
    {
        y[0] = 0.0;
    }
    #[cfg(not(any()))]
    {
        y[0] += 0.3 * x;
    }
    #[cfg(all())]
    {
        y[0] *= x;
    }
    #[cfg(false)]
    {
        y[0] = x;
    }
}

judge! {
    without_a_condition(0.7, &mut any(1));
    statements(0.7);
    bindings(0.7);
    tails(0.7);
    assignments(0.7, &mut any(3));
    arms(0.7, 0);
    fields(0.7);
    parameters(0.7, 1.3);
    items(0.7);
    arguments(0.7);
    attributes(0.7, 5);
    whole(0.7);
    inside_branches_and_loops(&any(5));
}
