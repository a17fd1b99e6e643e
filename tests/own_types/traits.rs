//! Traits with `#[differentiable]`: methods of type parameters, defaults, implementations for types with parameters.

use coenzyme::prelude::*;
use coenzyme::{Real, Value};

use crate::subject::judge;

#[differentiable]
pub trait Kernel {
    fn value(&self, a: f64, b: f64) -> f64;

    fn diagonal(&self, a: f64) -> f64 {
        self.value(a, a)
    }

    fn name(&self) -> &str {
        "kernel"
    }

    fn repeated(&self, x: f64, #[constant] times: usize) -> f64 {
        (0..times).map(|_| self.diagonal(x)).sum()
    }

    fn value_with(&self) -> &str {
        self.name()
    }

    fn beside(&self, other: &dyn Kernel, a: f64) -> f64 {
        self.diagonal(a) - other.diagonal(a)
    }

    #[cfg(any())]
    fn removed(&self, x: Missing) -> f64;
}

#[derive(Clone, Tangent)]
pub struct Rbf {
    length: f64,
    scale: f64,
}

#[differentiable]
impl Kernel for Rbf {
    fn value(&self, a: f64, b: f64) -> f64 {
        let d = (a - b) / self.length;
        self.scale * (-0.5 * d * d).exp()
    }
}

#[derive(Clone, Tangent)]
pub struct White {
    scale: f64,
}

#[differentiable]
impl Kernel for White {
    fn value(&self, a: f64, b: f64) -> f64 {
        if a == b { self.scale } else { 0.1 * self.scale }
    }

    fn diagonal(&self, a: f64) -> f64 {
        self.scale * self.scale + a
    }
}

#[derive(Clone, Tangent)]
pub struct Sum<A, B> {
    a: A,
    b: B,
    weight: f64,
}

#[differentiable]
impl<A: Kernel, B: Kernel> Kernel for Sum<A, B> {
    fn value(&self, a: f64, b: f64) -> f64 {
        self.a.value(a, b) + self.weight * self.b.value(a, b)
    }

    fn diagonal(&self, a: f64) -> f64 {
        self.a.diagonal(a) * self.b.diagonal(a)
    }
}

#[differentiable]
fn total<K: Kernel>(k: &K, x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        for j in 0..i {
            s += k.value(x[i], x[j]);
        }
        s += k.diagonal(x[i]);
    }
    s
}

#[differentiable]
fn bounded(x: &[f64]) -> f64 {
    let k = Rbf {
        length: x[0],
        scale: x[1],
    };
    total(&k, x) * k.diagonal(x[0])
}

#[differentiable]
fn default_replaced(x: &[f64]) -> f64 {
    total(&White { scale: x[1] }, x)
}

#[differentiable]
fn of_parameters(x: &[f64]) -> f64 {
    let k = Sum {
        a: Rbf {
            length: x[0],
            scale: 1.0,
        },
        b: White { scale: x[1] },
        weight: x[1],
    };
    total(&k, x)
}

#[differentiable]
fn changed_between(x: &[f64]) -> f64 {
    let mut k = Sum {
        a: Rbf {
            length: x[0],
            scale: 1.0,
        },
        b: White { scale: x[1] },
        weight: x[1],
    };
    let before = total(&k, x);
    k.weight = 0.3;
    k.a.length = x[1] * 2.0;
    before * total(&k, x)
}

#[derive(Clone, Tangent)]
struct Process<K> {
    kernel: K,
    noise: f64,
}

#[differentiable]
impl<K: Kernel> Process<K> {
    fn covariance(&self, x: &[f64]) -> f64 {
        let mut s = self.noise;
        for i in 0..x.len() {
            s += self.kernel.value(x[i], x[0]) * self.kernel.diagonal(x[i]);
        }
        s
    }
}

#[differentiable]
fn in_a_field(x: &[f64]) -> f64 {
    let kernel = Rbf {
        length: x[0],
        scale: x[1],
    };
    Process {
        kernel,
        noise: x[0],
    }
    .covariance(x)
}

#[differentiable]
trait System {
    fn dimension(&self) -> usize {
        2
    }

    fn rhs(&self, t: f64, y: &[f64], dy: &mut [f64]);
}

#[derive(Clone, Tangent)]
struct Oscillator {
    stiffness: f64,
    damping: f64,
}

#[differentiable]
impl System for Oscillator {
    fn rhs(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        dy[0] = y[1] + 0.1 * t;
        dy[1] = -self.stiffness * y[0] - self.damping * y[1];
    }
}

#[differentiable]
fn euler(system: &impl System, y: &mut [f64], h: f64, n: usize) {
    let mut dy = vec![0.0; y.len()];
    for i in 0..n {
        system.rhs(i as f64 * h, y, &mut dy);
        for j in 0..y.len() {
            y[j] += h * dy[j];
        }
    }
}

#[differentiable]
fn into_memory(x: &[f64]) -> f64 {
    let system = Oscillator {
        stiffness: x[0],
        damping: 0.2,
    };
    let mut y = [x[1], 0.3];
    euler(&system, &mut y, 0.1, 4);
    y[0] * y[1]
}

#[differentiable]
trait Filter: Value {
    fn push(&mut self, x: f64) -> f64;

    fn twice(&mut self, x: f64) -> f64 {
        let y = self.push(x);
        self.push(y)
    }

    fn at_rest(self, x: f64) -> f64;
}

#[derive(Clone, Tangent)]
struct LowPass {
    y: f64,
    a: f64,
}

#[differentiable]
impl Filter for LowPass {
    fn push(&mut self, x: f64) -> f64 {
        self.y += self.a * (x - self.y);
        self.y
    }

    fn at_rest(self, x: f64) -> f64 {
        self.a * x
    }
}

#[differentiable]
fn run<F: Filter>(filter: &mut F, x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += filter.push(*v);
        s += filter.twice(s);
    }
    s + filter.clone().at_rest(s)
}

#[differentiable]
fn state_changes(x: &[f64]) -> f64 {
    let mut filter = LowPass { y: x[0], a: x[1] };
    run(&mut filter, x) * filter.y
}

#[differentiable]
trait Layer {
    fn forward(&self, x: &[f64]) -> Vec<f64>;
    fn checked(&self, x: f64) -> Result<f64, String> {
        if x > 1e6 {
            return Err("diverged".to_string());
        }
        Ok(self.forward(&[x])[0])
    }
}

#[derive(Clone, Tangent)]
struct Dense {
    w: Vec<f64>,
}

#[differentiable]
impl Layer for Dense {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        self.w.iter().map(|w| (w * x[0]).tanh()).collect()
    }
}

#[differentiable]
fn network<L: Layer>(layers: &[L], x: f64) -> Result<f64, String> {
    let mut y = x;
    for layer in layers {
        y = layer.checked(y)? + layer.forward(&[y])[1];
    }
    Ok(y)
}

#[differentiable]
fn fallible_in_a_list(x: &[f64]) -> f64 {
    let layers = [
        Dense {
            w: vec![x[0], x[1]],
        },
        Dense { w: vec![x[1], 0.5] },
    ];
    network(&layers, x[0]).unwrap()
}

#[differentiable]
fn inner<K: Kernel>(k: &K, r: f64) -> f64 {
    k.value(r, 0.3) * r
}

#[differentiable]
fn outer<K: Kernel>(k: &K, x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += inner(k, *v);
    }
    s
}

#[differentiable]
fn handed_on(x: &[f64]) -> f64 {
    outer(&White { scale: x[1] }, x)
        + outer(
            &Rbf {
                length: x[1],
                scale: x[0],
            },
            x,
        )
}

#[differentiable]
trait Loss<T: Real> {
    fn loss(&self, x: T) -> T;

    fn mean(&self, x: &[T]) -> T {
        let mut s = T::zero();
        for v in x {
            s = s + self.loss(*v);
        }
        s / T::from(x.len()).unwrap()
    }
}

#[derive(Clone, Tangent)]
struct Huber<T> {
    width: T,
}

#[differentiable]
impl<T: Real> Loss<T> for Huber<T> {
    fn loss(&self, x: T) -> T {
        if x.abs() < self.width {
            x * x
        } else {
            self.width * (x + x.abs() - self.width)
        }
    }
}

#[differentiable]
fn risk<T: Real, L: Loss<T>>(loss: &L, x: &[T]) -> T {
    loss.mean(x) * loss.loss(x[0])
}

#[differentiable]
fn with_parameters(x: &[f64]) -> f64 {
    risk(&Huber { width: x[1] * 0.5 }, x)
}

/// A trait whose name begins like one of numbers, and whose types are objects.
#[differentiable]
trait ScalarField {
    fn at(&self, x: f64) -> f64;
}

#[derive(Clone, Tangent)]
struct Wave {
    number: f64,
}

#[differentiable]
impl ScalarField for Wave {
    fn at(&self, x: f64) -> f64 {
        (self.number * x).sin()
    }
}

#[differentiable]
fn slope<F: ScalarField>(field: &F, x: f64, h: f64) -> f64 {
    (field.at(x + h) - field.at(x - h)) / (h + h)
}

#[differentiable]
fn of_a_field(x: &[f64]) -> f64 {
    slope(&Wave { number: x[0] }, x[1], 0.3)
}

/// As that of a crate whose traits have no rules.
mod rand {
    pub(super) trait Kernel {
        fn draw(&self, x: f64) -> f64;
    }
}

#[differentiable]
impl rand::Kernel for Rbf {
    fn draw(&self, x: f64) -> f64 {
        self.scale * x + self.length * self.length
    }
}

#[differentiable]
fn beside_a_strangers(x: &[f64]) -> f64 {
    use rand::Kernel as _;
    let kernel = Rbf {
        length: x[0],
        scale: x[1],
    };
    total(&kernel, x) * kernel.draw(x[1])
}

judge! {
    beside_a_strangers (&[0.4, 1.3]);
    of_a_field (&[0.4, 1.3]);
    bounded (&[0.4, 1.3]);
    default_replaced (&[0.4, 1.3]);
    of_parameters (&[0.4, 1.3]);
    changed_between (&[0.4, 1.3]);
    in_a_field (&[0.4, 1.3]);
    into_memory (&[0.4, 1.3]);
    state_changes (&[0.4, 1.3]);
    fallible_in_a_list (&[0.4, 1.3]);
    handed_on (&[0.4, 1.3]);
    with_parameters (&[0.4, 1.3]);
}

/// A trait object is one still: what `#[differentiable]` adds to a trait asks nothing of `dyn Kernel`.
#[test]
fn trait_objects_remain() {
    let kernels: [Box<dyn Kernel>; 2] = [
        Box::new(White { scale: 2.0 }),
        Box::new(Rbf {
            length: 1.0,
            scale: 3.0,
        }),
    ];
    let values = kernels.iter().map(|k| k.diagonal(1.0));
    assert_eq!(values.sum::<f64>(), 8.0);
    assert_eq!(kernels[0].name(), "kernel");
    assert_eq!(kernels[0].repeated(1.0, 3), 15.0);
}

mod one {
    #[coenzyme::differentiable]
    pub(super) trait Named {
        fn value(&self, x: f64) -> f64;
    }
}

mod other {
    pub(super) trait Named {
        fn value(&self, x: f64) -> f64;
    }
}

/// Rules are found by the names of traits: two traits of one name are told apart before a derivative is wrong.
#[test]
#[should_panic(expected = "another trait of this name")]
fn two_traits_of_one_name() {
    #[derive(Clone, Tangent)]
    struct Both(f64);
    impl one::Named for Both {
        fn value(&self, x: f64) -> f64 {
            2.0 * x
        }
    }
    #[differentiable]
    impl other::Named for Both {
        fn value(&self, x: f64) -> f64 {
            3.0 * x
        }
    }
    #[differentiable]
    fn of<N: one::Named>(n: &N, x: f64) -> f64 {
        n.value(x)
    }
    autodiff!(Reverse, of, Active, Const(&Both(0.0)), Active(1.0));
}
