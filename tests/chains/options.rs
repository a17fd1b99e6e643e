//! Locals that are an `Option` of an active value, what a differentiated call returns in a pattern, chains of `if let`.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[derive(Clone, Tangent)]
struct Sphere {
    centre: f64,
    radius: f64,
}

#[differentiable]
fn hit(sphere: &Sphere, from: f64) -> Option<f64> {
    let d = sphere.radius * sphere.radius - (sphere.centre - from) * (sphere.centre - from);
    if d < 0.0 {
        return None;
    }
    Some(d.sqrt())
}

#[differentiable]
impl Sphere {
    fn depth(&self, at: f64) -> Option<f64> {
        if at > self.centre {
            Some(at * self.radius)
        } else {
            None
        }
    }
}

#[differentiable]
fn root(x: f64) -> Result<f64, String> {
    if x > 0.0 {
        Ok(x.sqrt())
    } else {
        Err("below zero".to_string())
    }
}

#[differentiable]
fn best(x: &[f64]) -> f64 {
    let mut best = None;
    for v in x {
        match best {
            None => best = Some(*v),
            Some(b) => {
                if *v > b {
                    best = Some(*v * 1.5);
                }
            }
        }
    }
    best.unwrap() * x[0]
}

#[differentiable]
fn best_with_its_number(x: &[f64]) -> f64 {
    let mut best: Option<(usize, f64)> = None;
    for (i, v) in x.iter().enumerate() {
        let s = v * v;
        if best.map_or(true, |(_, b)| s > b) {
            best = Some((i, s));
        }
    }
    let (i, b) = best.expect("numbers");
    b * x[i]
}

#[differentiable]
fn nearest_hit(x: &[f64]) -> f64 {
    let spheres: Vec<Sphere> = x
        .chunks_exact(2)
        .map(|p| Sphere {
            centre: p[0],
            radius: p[1].abs() + 0.5,
        })
        .collect();
    let mut nearest: Option<(f64, usize)> = None;
    for (i, s) in spheres.iter().enumerate() {
        if let Some(t) = hit(s, 0.1 * x[1])
            && nearest.is_none_or(|(n, _)| t < n)
        {
            nearest = Some((t, i));
        }
    }
    match nearest {
        Some((t, i)) => t * spheres[i].radius,
        None => 0.0,
    }
}

#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let o = if x[0] > 0.0 { Some(x[0] * x[1]) } else { None };
    match o {
        Some(v) => v * v,
        None => x[2],
    }
}

#[differentiable]
fn changed_in_place(x: &[f64]) -> f64 {
    let mut sum: Option<f64> = None;
    for v in x {
        if let Some(s) = &mut sum {
            *s = *s * 0.5 + v * v;
        } else {
            sum = Some(*v);
        }
    }
    match sum {
        Some(ref mut s) => *s *= x[1],
        None => {}
    }
    sum.unwrap_or(0.0)
}

#[differentiable]
fn mapped(x: &[f64]) -> f64 {
    let mut a = None;
    if x[0] > 0.0 {
        a = Some(x[0]);
    }
    let b = a.map(|v| v * x[1]);
    let c = b.filter(|v| *v > 100.0);
    b.unwrap() + c.unwrap_or(x[2] * x[2]) + a.map_or(0.0, |v| v * v)
}

#[differentiable]
fn taken(x: &[f64]) -> f64 {
    let mut kept = Some(x[0] * x[1]);
    let mut sum = 0.0;
    for v in x {
        if let Some(k) = kept.take() {
            sum += k * v;
            if *v > 0.65 {
                kept = Some(*v);
            }
        }
    }
    sum
}

#[differentiable]
fn until_none(x: &[f64]) -> f64 {
    let mut current = Some(x[0]);
    let (mut n, mut sum) = (0, 0.0);
    while let Some(c) = current {
        sum += c * c;
        n += 1;
        current = if n < 4 { Some(c * x[n]) } else { None };
    }
    sum
}

#[differentiable]
fn lowest_and_highest(x: &[f64]) -> f64 {
    let (mut low, mut high) = (None, None);
    for v in x {
        if low.is_none() || *v < low.unwrap() {
            low = Some(*v);
        }
        high = match high {
            None => Some(*v),
            Some(h) => Some(if *v > h { *v } else { h }),
        };
    }
    high.unwrap() * low.unwrap()
}

#[differentiable]
fn of_a_vector(x: &[f64]) -> f64 {
    let mut best: Option<Vec<f64>> = None;
    for c in x.chunks(2) {
        if c[0] > 0.8 {
            best = Some(c.to_vec());
        }
    }
    if let Some(b) = best {
        b[0] * b[1]
    } else {
        x[0]
    }
}

#[differentiable]
fn last_above(x: &[f64], least: f64) -> Option<f64> {
    let mut last = None;
    for v in x {
        if *v > least {
            last = Some(v * v);
        }
    }
    last
}

#[differentiable]
fn twice_the_last(x: &[f64]) -> Option<f64> {
    let mut last = None;
    for v in x {
        if *v > 0.0 {
            last = Some(v * v);
        }
    }
    let l = last?;
    Some(l * x[0])
}

#[differentiable]
fn returned(x: &[f64]) -> f64 {
    last_above(x, 0.0).unwrap()
        + last_above(x, 100.0).unwrap_or(3.0 * x[0])
        + twice_the_last(x).unwrap()
}

#[differentiable]
fn present_or_not(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        match root(*v) {
            Ok(r) => sum += r * r * r,
            Err(_) => sum -= *v,
        }
        if let Ok(r) = root(*v) {
            sum += r * v;
        }
        let Ok(r) = root(*v * 2.0) else { continue };
        sum *= r;
    }
    sum
}

#[differentiable]
fn the_error_counts(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += match root(*v) {
            Ok(r) if r > 0.8 => r * r * r,
            Ok(r) => 2.0 * r,
            Err(e) => e.len() as f64 * v,
        };
    }
    sum
}

#[differentiable]
fn of_a_method(x: &[f64]) -> f64 {
    let s = Sphere {
        centre: x[0],
        radius: x[1],
    };
    let mut sum = 0.0;
    for v in x {
        if let Some(d) = s.depth(*v) {
            sum += d * d;
        } else {
            sum += v;
        }
    }
    sum
}

#[differentiable]
fn chained(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..7 {
        if let Some(a) = x.get(i)
            && let Some(b) = x.get(i + 1)
            && a > b
        {
            sum += a * b;
        } else if let Some(c) = x.get(i)
            && *c < 0.0
        {
            sum += c * x[0];
        } else {
            sum += 0.5 * x[0];
        }
    }
    let k = Some(2_usize);
    let y = if let Some(j) = k
        && x[j] > 1.0
    {
        x[j] * sum
    } else {
        x[1]
    };
    y * y
}

#[differentiable]
fn chained_loop(x: &[f64]) -> f64 {
    let mut stack = x.to_vec();
    let mut sum = 0.0;
    while let Some(v) = stack.pop()
        && sum < 3.0
    {
        sum += v * v;
    }
    sum
}

#[differentiable]
fn first_and_last(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    if let Some(l) = v.last_mut() {
        *l *= 2.0;
    }
    if let Some(m) = v.get_mut(2) {
        *m *= *m;
    }
    let first = v.first().copied();
    let last = v.last();
    first.unwrap() * last.unwrap() + v[2]
}

#[differentiable]
fn highest(x: &[f64]) -> Option<f64> {
    let first = x.first()?;
    let mut highest: Option<&f64> = None;
    for v in x {
        if highest.is_none() || v > highest.unwrap() {
            highest = Some(v);
        }
    }
    Some(highest.unwrap() * first)
}

#[differentiable]
fn highest_or_zero(x: &[f64]) -> f64 {
    highest(x).unwrap_or(0.0) + highest(&x[..0]).unwrap_or(x[1] * x[1])
}

fn numbers() -> Vec<f64> {
    vec![0.7, -0.4, 1.3, 0.9, -1.1, 0.6]
}

/// Taken in one round, absent in those after it.
#[differentiable]
fn taken_in_a_loop(x: f64) -> f64 {
    let mut o = Some(x);
    let mut t = 0.0;
    for k in 0..3 {
        if let Some(v) = o.take() {
            t += v * v;
        }
        t += 1.0;
    }
    t
}

#[differentiable]
fn best_by_guard(x: &[f64]) -> f64 {
    let mut best = None;
    for v in x {
        best = match best {
            Some(b) if b > *v => Some(b),
            Some(b) => Some(b * 0.5 + *v),
            None => Some(*v * 2.0),
        };
    }
    match best {
        Some(b) if b > 1.0 => b * b,
        Some(b) if x.len() > 3 => b * x[0],
        Some(b) => b,
        None => 0.5,
    }
}

#[differentiable]
fn guarded_entry(x: &[f64], y: f64) -> f64 {
    let mut t = y;
    match x.first() {
        Some(v) if *v > 0.5 => t *= *v,
        Some(&v) => t += v * v,
        _ => t = t * t,
    }
    t
}

#[differentiable]
fn guarded_next(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let mut t = 1.0;
    loop {
        match it.next() {
            Some(v) if *v < 0.0 => t -= v * t,
            Some(v) => t *= v,
            None => break,
        }
    }
    t
}

#[differentiable]
fn none_first(x: &[f64], y: f64) -> f64 {
    let mut best = None;
    for v in x {
        match best {
            None => best = Some(*v),
            Some(b) if *v > b => best = Some(*v * y),
            Some(_) => {}
        }
    }
    best.unwrap_or(y)
}

#[differentiable]
fn rational(num: &[f64], den: &[f64], x: f64) -> Option<f64> {
    let p = num.iter().rev().copied().reduce(|acc, c| acc * x + c)?;
    let q = den.iter().rev().fold(0.0, |acc, c| acc * x + c);
    if q == 0.0 { None } else { Some(p / q) }
}
#[differentiable]
fn use_rational(num: &[f64], den: &[f64], x: f64) -> f64 {
    rational(num, den, x).unwrap_or(0.0) + rational(&num[..0], den, x).unwrap_or(x)
}

/// Several that are all there, or not.
#[differentiable]
fn both(x: &[f64], y: &[f64]) -> f64 {
    let ends = if let (Some(p), Some(q)) = (x.first(), y.last()) {
        p * q
    } else {
        0.5
    };
    let firsts = match (x.get(1), y.get(1)) {
        (Some(p), Some(q)) => p / q,
        _ => x.iter().sum(),
    };
    ends * firsts
}

#[differentiable]
fn any_all(x: &[f64], y: f64) -> f64 {
    if x.iter().any(|v| *v > 1.0) && !x.iter().all(|v| *v < y) {
        x[0] * y
    } else {
        x.iter().position(|v| *v < 0.0).map_or(y, |i| x[i] * y)
    }
}

#[differentiable]
fn max_of(x: &[f64]) -> f64 {
    let m = x
        .iter()
        .cloned()
        .max_by(|a, b| a.partial_cmp(b).unwrap())
        .unwrap_or(0.0);
    let (i, v) = x
        .iter()
        .enumerate()
        .min_by(|a, b| a.1.total_cmp(b.1))
        .unwrap();
    m * v * i as f64
}

#[differentiable]
fn inverse(v: f64) -> Result<f64, String> {
    match v == 0.0 {
        true => Err("zero".into()),
        false => Ok(1.0 / v),
    }
}
#[differentiable]
fn sum_of_inverses(x: &[f64]) -> Result<f64, String> {
    let inverses: Result<Vec<_>, _> = x.iter().map(|v| inverse(*v)).collect();
    let inverses = inverses?;
    Ok(inverses.iter().sum())
}
/// Collected first, and taken out behind.
#[differentiable]
fn collected_and_taken_out(x: &[f64]) -> f64 {
    sum_of_inverses(x).unwrap_or(0.5) * x[0]
}
/// Vectors that are moved into what may fail.
#[differentiable]
fn unless_large(v: Vec<f64>) -> Option<f64> {
    if v[0] > 5.0 { None } else { Some(v[0] * v[1]) }
}
#[differentiable]
fn moved_into_a_test(x: &[f64]) -> f64 {
    let v = x.to_vec();
    let squared = if let Some(p) = unless_large(v) {
        p * p
    } else {
        0.0
    };
    let w = x.to_vec();
    squared + unless_large(w).unwrap_or(1.0) + unless_large(x.to_vec()).map_or(0.0, |p| 2.0 * p)
}

judge! {
    collected_and_taken_out(&vec![0.7, 1.3]);
    moved_into_a_test(&vec![0.7, 1.3])(&vec![7.0, 1.3]);
    any_all(&any(4), 0.7) (&positive(4), 0.7) (&vec![1.3, 0.2, -0.4], 0.9);
    max_of(&any(4)) (&positive(3));
    both(&any(3), &positive(2)) (&any(3), &positive(1)) (&any(2), &any(0));
    use_rational(&any(3), &positive(2), 0.7);
    best_by_guard (&any(4)) (&positive(3)) (&any(0)) (&any(2));
    guarded_entry (&vec![0.7], 0.3) (&vec![0.3], 0.3) (&vec![], 0.3);
    guarded_next (&any(5));
    none_first (&any(5), 0.4) (&positive(4), 1.1);
    taken_in_a_loop(0.7);
    best(&numbers());
    best_with_its_number(&numbers());
    nearest_hit(&numbers());
    chosen(&numbers());
    changed_in_place(&numbers());
    mapped(&numbers());
    taken(&numbers());
    until_none(&numbers());
    lowest_and_highest(&numbers());
    of_a_vector(&numbers());
    returned(&numbers());
    present_or_not(&numbers());
    the_error_counts(&numbers());
    of_a_method(&numbers());
    chained(&numbers());
    chained_loop(&numbers());
    first_and_last(&numbers());
    highest_or_zero(&numbers());
}
