//! Patterns of slices: with guards, by value, mutable, of what a call gives, in `let … else`.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn else_returns(x: &[f64]) -> f64 {
    let [first, rest @ ..] = x else { return 0.0 };
    let mut power = 1.0;
    let mut sum = 0.0;
    for c in rest {
        sum += c * power;
        power *= first;
    }
    sum
}
#[differentiable]
fn else_of_several(x: &[f64]) -> f64 {
    let Some((first, rest)) = x.split_first() else {
        return 1.0;
    };
    let Some(last) = rest.last() else {
        return *first;
    };
    first * last + rest[0].powi(2)
}
#[differentiable]
fn else_in_a_loop(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for pair in x.chunks(2) {
        let [a, b] = pair else {
            sum *= pair[0];
            continue;
        };
        sum += a * b * b;
    }
    sum
}
#[differentiable]
fn else_of_a_part(x: &[f64]) -> f64 {
    let [a, b] = x[..2] else { return 0.0 };
    let [.., c] = &x[2..] else { unreachable!() };
    a * b + c * a
}
#[differentiable]
fn ends_multiplied(v: &mut [f64]) {
    let [a, inner @ .., b] = v else { return };
    *a *= *b;
    *b += inner[0];
    inner[0] *= 3.0;
}
#[differentiable]
fn mutable_ends(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    ends_multiplied(&mut v);
    v[0] * v[2] + v[1]
}
#[differentiable]
fn doubled_along(v: &mut [f64]) {
    match v {
        [] => {}
        [a] => *a = *a * *a,
        [a, rest @ ..] => {
            *a *= 2.0;
            doubled_along(rest);
            *a += rest[0];
        }
    }
}
#[differentiable]
fn mutable_recursion(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    doubled_along(&mut v);
    v[0] * v[2] + v[1]
}
#[differentiable]
fn of_a_call(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    if let [a, .., b] = v.as_mut_slice() {
        *a *= *b;
        *b += 1.0;
    }
    match v.as_slice() {
        [a, b, ..] => a * b * v[2],
        _ => 0.0,
    }
}
#[differentiable]
fn by_value(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for w in x.windows(2) {
        if let &[a, b] = w {
            sum += a * b * b;
        }
        if let [a, b] = *w {
            sum -= a * a * b;
        }
    }
    sum
}
#[differentiable]
fn with_guards(x: &[f64]) -> f64 {
    let pick = |v: &[f64]| match v {
        [a, b, ..] if a < b => a * b,
        [.., c] => c * c,
        [] => 1.0,
    };
    pick(x) * pick(&x[1..]) + pick(&x[2..])
}
#[differentiable]
fn chosen_by_value(x: &[f64]) -> f64 {
    match &x[..] {
        &[a, b, c] if a > b => a * b + c,
        &[a, ..] => a * a,
        [] => 0.0,
    }
}
#[differentiable]
fn of_pairs(x: &[f64]) -> f64 {
    let numbered: Vec<(f64, usize)> = x.iter().copied().zip(1..).collect();
    match numbered.as_slice() {
        [(a, i), (b, j), ..] => a * b * (i + j) as f64,
        _ => 0.0,
    }
}
#[differentiable]
fn several_and_a_condition(x: &[f64]) -> f64 {
    let mut a = x[0];
    if let (Some(p), Some(q)) = (x.get(1), x.get(2))
        && *p > 0.0
    {
        a *= p - q;
    }
    a
}
/// The length of a part that is borrowed.
#[differentiable]
fn lengths_of_parts(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let w = v.as_mut_slice();
    let last = &mut w[w.len() - 1];
    *last *= 5.0;
    w[w.len() - 2] *= w[w.len() - 1];
    v[0] * v[1] + v[2]
}

#[differentiable]
fn ends_of_an_array(x: f64, y: f64) -> f64 {
    let [a, .., b, c] = [x, y, x * y, x + y, 2.0 * x];
    a * b + c
}
#[differentiable]
fn middle_of_an_array(x: f64, y: f64) -> f64 {
    let v = [x, y, x * y, x + y];
    let [a, middle @ .., b] = &v;
    a * b + middle[0] * middle[1] + middle.iter().sum::<f64>()
}
#[differentiable]
fn ends_that_change(x: f64, y: f64) -> f64 {
    let mut v = [x, y, x * y, x + y];
    let [a, .., b] = &mut v;
    *a *= *b;
    *b += *a;
    v[0] * v[3]
}
#[differentiable]
fn ends_by_reference(x: f64, y: f64) -> f64 {
    let mut t = (0.0, [x, y, x * y]);
    let (ref mut s, [.., ref mut z]) = t;
    *s += *z * x;
    *z *= y;
    let mut v = [x, y, x * y, x + y];
    let [ref mut a, ref mut middle @ .., ref b] = v;
    *a += *b * x;
    middle[1] *= *a;
    middle[0] += middle[1];
    t.0 * t.1[2] + v[0] * v[1] * v[2]
}
#[differentiable]
fn ends_of_rows(x: f64, y: f64) -> f64 {
    let rows = [[x, y], [y, x * y], [x, x]];
    let [[a, _], .., [p, q]] = rows;
    let last = |[.., t]: [f64; 2]| t * y;
    a * p + q * last(rows[1])
}

judge! {
    else_returns(&vec![0.7, 1.3, -0.4, 0.9]);
    else_of_several(&vec![0.7, 1.3, -0.4]);
    else_in_a_loop(&vec![0.7, 1.3, -0.4, 0.2, 0.8]);
    else_of_a_part(&vec![0.7, 1.3, -0.4, 0.2]);
    mutable_ends(&vec![0.7, 1.3, -0.4]);
    mutable_recursion(&vec![0.7, 1.3, -0.4]);
    of_a_call(&vec![0.7, 1.3, -0.4]);
    by_value(&vec![0.7, 1.3, -0.4]);
    with_guards(&vec![0.7, 1.3, -0.4]);
    chosen_by_value(&vec![0.7, 1.3, -0.4]);
    of_pairs(&vec![0.7, 1.3, -0.4]);
    several_and_a_condition(&vec![0.7, 1.3, -0.4]);
    lengths_of_parts(&vec![0.7, 1.3, -0.4]);
    ends_of_an_array(0.83, 1.1);
    middle_of_an_array(0.83, 1.1);
    ends_that_change(0.83, 1.1);
    ends_by_reference(0.83, 1.1);
    ends_of_rows(0.83, 1.1);
}
