//! Vectors that functions push to and pop from behind `&mut`, and in fields.

use coenzyme::{
    Active, Const, Duplicated, ReverseConfig, ReverseRule, Tangent, Value, differentiable,
};

use crate::judge::positive;
use crate::subject::judge;

#[differentiable]
fn push_square(v: &mut Vec<f64>, x: f64) {
    v.push(x * x);
}

#[differentiable]
fn pushed_by_another(x: &[f64]) -> f64 {
    let mut v = vec![x[0]; 2];
    let n = v.len();
    let mut s = 0.0;
    for i in 0..n {
        s += v[i].sin();
    }
    push_square(&mut v, x[1]);
    push_square(&mut v, x[2]);
    for i in 0..v.len() {
        s += v[i] * v[i] * x[0];
    }
    for i in 0..n {
        s *= v[i];
    }
    s
}

#[differentiable]
fn push_twice(v: &mut Vec<f64>, x: f64) {
    push_square(v, x);
    v[0] += x * v[1];
    push_square(v, x * v[0]);
}

#[differentiable]
fn pushed_two_calls_down(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    for i in 0..3 {
        push_twice(&mut v, x[i] * 0.5);
    }
    v.iter().sum::<f64>()
}

#[differentiable]
fn rearrange(v: &mut Vec<f64>, x: &[f64]) {
    v.extend(x.iter().map(|a| a * a));
    v[0] *= x[1];
    v.resize(9, x[2]);
    v.insert(1, x[0]);
    v.truncate(7);
}

#[differentiable]
fn rearranged_by_another(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1]];
    rearrange(&mut v, x);
    rearrange(&mut v, x);
    let mut s = 1.0;
    for (i, a) in v.iter().enumerate() {
        s += a * (i as f64 + 1.0) * a;
    }
    s
}

#[differentiable]
fn clear_and_fill(v: &mut Vec<f64>, x: &[f64]) {
    let first = v[0];
    v.clear();
    v.extend_from_slice(x);
    v.push(first);
}

#[differentiable]
fn cleared_by_another(x: &[f64]) -> f64 {
    let mut v = vec![x[1] * x[1], 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    clear_and_fill(&mut v, &x[..3]);
    let mut s = 0.0;
    for i in 0..v.len() {
        s += v[i] * v[i] * (i as f64 + 1.0);
    }
    s
}

#[differentiable]
fn multiply_last(v: &mut Vec<f64>) -> f64 {
    let a = v.pop().unwrap();
    let b = v.pop().unwrap();
    v.push(a * b);
    a * b
}

#[differentiable]
fn popped_by_another(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.0;
    while v.len() > 1 {
        s += multiply_last(&mut v).sin();
    }
    s * v[0]
}

#[differentiable]
fn stack_machine(x: &[f64]) -> f64 {
    let mut stack: Vec<f64> = Vec::new();
    for a in x {
        if *a > 0.5 {
            push_square(&mut stack, *a);
        } else {
            stack.push(-a);
        }
        if stack.len() > 2 {
            let r = multiply_last(&mut stack);
            stack.push(r);
        }
    }
    stack.iter().map(|a| a * a).sum()
}

#[differentiable]
fn squares(v: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..v.len() {
        s += v[i] * v[i];
    }
    s
}

#[differentiable]
fn scale_by_last(v: &mut [f64]) {
    let n = v.len();
    let k = v[n - 1];
    for i in 0..n {
        v[i] *= k;
    }
}

#[differentiable]
fn grow_and_read(v: &mut Vec<f64>, x: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..4 {
        v.push(0.3 * x * i as f64 + v[0]);
        s += squares(v);
        if i == 2 {
            scale_by_last(v);
            v.pop();
        }
        s += squares(&v[1..]);
    }
    s
}

#[differentiable]
fn read_between(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let s = grow_and_read(&mut v, x[2]);
    s + grow_and_read(&mut v, x[1]) * v[v.len() - 1]
}

#[differentiable]
fn push_to_own(mut v: Vec<f64>, x: f64) -> Vec<f64> {
    v.push(x * x);
    v[0] *= x;
    v
}

#[differentiable]
fn pushed_by_value(x: &[f64]) -> f64 {
    let v = push_to_own(vec![x[0]], x[1]);
    squares(&push_to_own(v, x[2]))
}

#[derive(Clone, Copy, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Default, Tangent)]
struct Log {
    values: Vec<f64>,
    last: f64,
}

#[derive(Clone, Default, Tangent)]
struct Track {
    points: Vec<Point>,
    log: Log,
    count: usize,
}

#[differentiable]
impl Track {
    fn add(&mut self, x: f64, y: f64) {
        self.points.push(Point { x, y: y * x });
        self.log.values.push(x * y);
        self.log.last = y;
        self.count += 1;
    }

    fn length(&self) -> f64 {
        let mut s = self.log.last;
        for w in self.points.windows(2) {
            s += ((w[0].x - w[1].x).powi(2) + (w[0].y - w[1].y).powi(2) + 0.1).sqrt();
        }
        for i in 0..self.log.values.len() {
            s += self.log.values[i].sin();
        }
        s
    }

    fn push_or_clear(&mut self, x: f64) {
        if x > 0.9 {
            self.log.values.push(x)
        } else {
            self.log.values.clear()
        }
    }

    fn checked(&mut self, x: f64) -> Result<f64, String> {
        self.log.values.push(x * x);
        if x < 0.0 {
            return Err("negative".to_string());
        }
        let values = &mut self.log.values;
        values.push(2.0 * x);
        Ok(self.log.values[0] * x)
    }

    fn add_all(&mut self, xs: &[f64]) {
        for x in xs {
            self.add(*x, x * x);
            if self.length() > 2.0 {
                self.log.values.pop();
                self.log.values.truncate(2);
            }
        }
    }
}

#[differentiable]
fn fields_grow(x: &[f64]) -> f64 {
    let mut track = Track::default();
    for i in 0..3 {
        track.add(x[i], x[(i + 1) % 3]);
        track.push_or_clear(x[i]);
    }
    track.length() * track.log.values.len() as f64
}

#[differentiable]
fn fields_grow_in_calls(x: &[f64]) -> f64 {
    let mut track = Track::default();
    track.add_all(x);
    track.add_all(x);
    track.length()
}

#[differentiable]
fn fields_are_read_between(x: &[f64]) -> f64 {
    let mut track = Track::default();
    let mut s = 0.0;
    for i in 0..3 {
        track.add(x[i], x[i] * 2.0);
        s += track.length() * x[i];
        let n = track.points.len();
        s *= n as f64;
    }
    s
}

#[differentiable]
fn fields_grow_or_fail(x: &[f64]) -> Result<f64, String> {
    let mut track = Track::default();
    let a = track.checked(x[0])?;
    let b = track.checked(x[1])?;
    Ok(a * b + track.length())
}

#[differentiable]
trait Recorder: Value {
    fn record(&mut self, x: f64);
    fn sum(&self) -> f64;
}

#[differentiable]
impl Recorder for Log {
    fn record(&mut self, x: f64) {
        self.values.push(x * x);
    }
    fn sum(&self) -> f64 {
        let mut s = self.last;
        for a in &self.values {
            s += a.cos();
        }
        s
    }
}

#[differentiable]
fn record_all<R: Recorder>(recorder: &mut R, x: &[f64]) -> f64 {
    let mut total = 0.0;
    for a in x {
        recorder.record(*a);
        total += recorder.sum();
    }
    total
}

#[differentiable]
fn recorded_by_a_trait(x: &[f64]) -> f64 {
    let mut log = Log::default();
    record_all(&mut log, x) + log.values.len() as f64 * log.values[1]
}

judge! {
    pushed_by_another(&positive(3));
    pushed_two_calls_down(&positive(3));
    rearranged_by_another(&positive(3));
    cleared_by_another(&positive(3));
    popped_by_another(&positive(4));
    stack_machine(&positive(5));
    read_between(&positive(3));
    pushed_by_value(&positive(3));
    fields_grow(&positive(3));
    fields_grow_in_calls(&positive(3));
    fields_are_read_between(&positive(3));
    fields_grow_or_fail(&positive(2));
    recorded_by_a_trait(&positive(3));
}

type Pushed<'a> = (Duplicated<&'a mut Vec<f64>>, Active<f64>);

/// Between the halves the shadow is as long as the vector, and the cotangents of what was pushed are written there; afterwards it is as long
/// as the vector was before.
#[test]
fn the_shadow_has_the_length_of_the_vector() {
    let (mut v, mut dv) = (vec![1.0], vec![0.5]);
    let mut x = Active(3.0);
    let (rule, config) = (push_square {}, ReverseConfig::new(false));
    let mut memory = Duplicated(&mut v, &mut dv);
    let augmented = ReverseRule::<Const<()>, Pushed, 1>::augmented_primal(
        &rule,
        &config,
        (&mut memory, &mut x),
    );
    assert_eq!((&v, &dv), (&vec![1.0, 9.0], &vec![0.5, 0.0]));
    dv[1] = 2.0;
    let mut memory = Duplicated(&mut v, &mut dv);
    let gradients = ReverseRule::<Const<()>, Pushed, 1>::reverse(
        &rule,
        &config,
        (),
        augmented.tape,
        (&mut memory, &mut x),
    );
    assert_eq!(gradients, ((), [12.0]));
    assert_eq!(dv, [0.5]);
}

#[test]
fn forward_mode_pushes_tangents() {
    let (mut v, mut dv) = (vec![1.0], vec![0.5]);
    coenzyme::autodiff!(
        coenzyme::Forward,
        push_square,
        Duplicated(&mut v, &mut dv),
        Duplicated(3.0, 1.0)
    );
    assert_eq!((v, dv), (vec![1.0, 9.0], vec![0.5, 6.0]));
}

macro_rules! elsewhere {
    ($name:ident) => {
        #[differentiable]
        fn $name(v: &mut Vec<f64>, x: f64) {
            v.push(x);
        }
    };
}
elsewhere!(pushed_elsewhere);

#[differentiable]
fn does_not_know(x: f64) -> f64 {
    let mut v = vec![x];
    pushed_elsewhere(&mut v, x);
    v[0] * v[1]
}

/// The files of a crate tell which functions change lengths; of others it is asked when they are called.
#[test]
#[should_panic(expected = "changes the length of a vector that it is lent")]
fn a_function_of_another_crate_is_asked() {
    coenzyme::gradient!(does_not_know, 3.0);
}
