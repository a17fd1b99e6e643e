//! `Option`s and `Result`s that combinators, closures and searches make.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn and_then_some(x: &[f64]) -> f64 {
    Some(x[0])
        .and_then(|v| if v > 0.0 { Some(v * x[1]) } else { None })
        .unwrap()
}
#[differentiable]
fn and_then_or_else(x: &[f64]) -> f64 {
    let o = Some(x[0])
        .and_then(|v| if v > 1.0 { Some(v * x[1]) } else { None })
        .or_else(|| Some(x[0] * x[0] * x[1]));
    o.map(|v| v * v).unwrap_or(0.0)
}
#[differentiable]
fn and_another(x: &[f64]) -> f64 {
    Some(x[0]).and(Some(x[1] * x[0])).unwrap()
}
#[differentiable]
fn exclusive(x: &[f64]) -> f64 {
    let n: Option<f64> = None;
    Some(x[0] * x[1]).xor(n).unwrap()
        + n.xor(Some(x[1])).unwrap()
        + Some(x[0]).xor(Some(x[1])).unwrap_or(2.0)
}
#[differentiable]
fn flattened(x: &[f64]) -> f64 {
    Some(Some(x[0] * x[1])).flatten().unwrap()
}
#[differentiable]
fn found_value(x: &[f64]) -> f64 {
    x.iter()
        .find_map(|v| if *v > 1.0 { Some(v * v * x[0]) } else { None })
        .unwrap_or(0.0)
}
#[differentiable]
fn found_with_its_number(x: &[f64]) -> f64 {
    if let Some(v) = x
        .iter()
        .enumerate()
        .find_map(|(i, v)| (*v > 1.0).then(|| v * i as f64))
    {
        v * v * x[2]
    } else {
        x[0]
    }
}
#[differentiable]
fn found_in_windows(x: &[f64]) -> f64 {
    let o = x.windows(2).find_map(|w| {
        if w[0] * w[1] > 2.0 {
            Some(w[0] * w[1])
        } else {
            None
        }
    });
    match o {
        Some(v) if v > 1.0 => v * v,
        Some(v) => v,
        None => x[0],
    }
}
#[differentiable]
fn folded_to_the_end(x: &[f64]) -> f64 {
    x.iter()
        .try_fold(1.0, |a, v| if *v > 0.0 { Some(a * v) } else { None })
        .unwrap()
}
#[differentiable]
fn folded_until_none(x: &[f64]) -> f64 {
    x.iter()
        .try_fold(1.0, |a, v| if *v < 1.5 { Some(a * v) } else { None })
        .unwrap_or(x[0] * x[1])
}
#[differentiable]
fn mapped_and_unwrapped(x: &[f64]) -> f64 {
    x.first().copied().map(|v| v * v).unwrap()
        * x.iter().copied().reduce(f64::max).map(|m| m * m).unwrap()
}
#[differentiable]
fn filtered(x: &[f64]) -> f64 {
    Some(x[0] * x[1])
        .filter(|v| *v > 0.0)
        .map(|v| v.sqrt())
        .unwrap_or_default()
}
#[differentiable]
fn zipped(x: &[f64]) -> f64 {
    Some(x[0]).zip(Some(x[1])).map(|(a, b)| a * b).unwrap()
}
#[differentiable]
fn inspected(x: &[f64]) -> f64 {
    let mut n = 0;
    let v = Some(x[0] * x[1]).inspect(|_| n += 1).unwrap();
    v * n as f64
}
#[differentiable]
fn asked_in_a_chain_g(x: &[f64]) -> Option<f64> {
    let a = x
        .first()
        .copied()
        .and_then(|v| if v > 0.0 { Some(v * x[1]) } else { None })?;
    Some(a * a)
}
#[differentiable]
fn asked_in_a_chain(x: &[f64]) -> f64 {
    asked_in_a_chain_g(x).unwrap()
}
#[differentiable]
fn folded_option(x: &[f64]) -> f64 {
    x.iter()
        .cloned()
        .fold(None, |m: Option<f64>, v| match m {
            None => Some(v),
            Some(w) => Some(if v > w { v } else { w }),
        })
        .unwrap()
        * x[1]
}
#[differentiable]
fn none_or(x: &[f64]) -> f64 {
    None.or(Some(x[0] * x[1])).unwrap()
}
#[differentiable]
fn function_as_combinator_h(v: f64) -> Option<f64> {
    if v > 0.0 { Some(v.ln()) } else { None }
}
#[differentiable]
fn function_as_combinator(x: &[f64]) -> f64 {
    Some(x[1])
        .and_then(function_as_combinator_h)
        .map(|v| v * x[0])
        .unwrap_or(0.0)
        + function_as_combinator_h(x[2])
            .and_then(function_as_combinator_h)
            .unwrap_or(x[0])
}
#[differentiable]
fn option_of_a_pair(x: &[f64]) -> f64 {
    let o = Some((x[0], x[1])).and_then(|(a, b)| if a < b { Some((a * b, a + b)) } else { None });
    if let Some((p, q)) = o { p * q } else { 0.0 }
}
#[derive(Clone, Copy, Tangent)]
struct StructoptP {
    a: f64,
    b: f64,
}
#[differentiable]
fn option_of_a_struct(x: &[f64]) -> f64 {
    let o = Some(StructoptP { a: x[0], b: x[1] }).and_then(|p| {
        if p.a < p.b {
            Some(StructoptP {
                a: p.a * p.b,
                b: x[2],
            })
        } else {
            None
        }
    });
    if let Some(p) = o { p.a * p.b } else { 0.0 }
}
#[differentiable]
fn option_of_a_vector(x: &[f64]) -> f64 {
    let o = Some(x.to_vec()).and_then(|v| {
        if v.len() > 2 {
            Some(v[1..].to_vec())
        } else {
            None
        }
    });
    o.map(|v| v[0] * v[1]).unwrap_or(0.0)
}
#[differentiable]
fn combinators_with_effects(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let o = Some(x[0])
        .and_then(|v| {
            s += v * x[1];
            if v > 1.0 { Some(v) } else { None }
        })
        .or_else(|| {
            s += x[2];
            Some(x[1])
        })
        .unwrap();
    o * s
}
#[differentiable]
fn combined_in_a_loop(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for v in x {
        s += Some(*v)
            .and_then(|v| if v > 1.0 { Some(v * v) } else { None })
            .or(Some(x[0]))
            .unwrap()
            * v;
    }
    s
}
#[differentiable]
fn reassigned_by_map_or(x: &[f64]) -> f64 {
    let mut best: Option<f64> = None;
    for v in x {
        best = best.map_or(Some(*v), |b| if *v > b { Some(*v) } else { Some(b) });
    }
    best.unwrap() * x[0]
}
#[differentiable]
fn reassigned_by_or(x: &[f64]) -> f64 {
    let mut best: Option<f64> = None;
    for v in x {
        best = best.map(|b| b.max(*v)).or(Some(*v));
    }
    best.unwrap() * x[0]
}
#[differentiable]
fn closure_where_none_is_returned_h(x: &[f64]) -> Option<f64> {
    let g = |a: f64| if a > 1.0 { Some(a * a) } else { None };
    let v = g(x[0]).unwrap_or(x[1]);
    Some(v * x[2])
}
#[differentiable]
fn closure_where_none_is_returned(x: &[f64]) -> f64 {
    closure_where_none_is_returned_h(x).unwrap_or(5.0)
}
#[differentiable]
fn flattened_where_none_is_returned_h(x: &[f64]) -> Option<f64> {
    let o = x
        .iter()
        .map(|v| if *v > 1.0 { Some(v * v) } else { None })
        .flatten()
        .sum::<f64>();
    Some(o * x[2])
}
#[differentiable]
fn flattened_where_none_is_returned(x: &[f64]) -> f64 {
    flattened_where_none_is_returned_h(x).unwrap_or(5.0)
}
#[differentiable]
fn found_where_none_is_returned_h(x: &[f64]) -> Option<f64> {
    let o = x
        .iter()
        .find_map(|v| if *v > 1.0 { Some(v * v) } else { None });
    o.map(|v| v * x[2])
}
#[differentiable]
fn found_where_none_is_returned(x: &[f64]) -> f64 {
    found_where_none_is_returned_h(x).unwrap_or(5.0)
}
#[differentiable]
fn search_as_tail_h(x: &[f64]) -> Option<f64> {
    x.iter()
        .find_map(|v| if *v > 1.0 { Some(v * v * x[0]) } else { None })
}
#[differentiable]
fn search_as_tail(x: &[f64]) -> f64 {
    search_as_tail_h(x).unwrap_or(5.0)
}
#[differentiable]
fn combined_where_none_is_returned_h(x: &[f64]) -> Option<f64> {
    let a = Some(x[0])
        .and_then(|v| if v > 1.0 { Some(v) } else { None })
        .unwrap_or(x[1] * x[1]);
    if a > 0.0 { Some(a * x[2]) } else { None }
}
#[differentiable]
fn combined_where_none_is_returned(x: &[f64]) -> f64 {
    combined_where_none_is_returned_h(x).unwrap_or(5.0)
}
#[differentiable]
fn option_as_result_h(x: &[f64]) -> Result<f64, String> {
    let mut best: Option<f64> = None;
    for v in x {
        if *v > 1.0 {
            best = Some(v * v);
        } else {
            best = None;
        }
    }
    let b = best.ok_or("none".to_string())?;
    Ok(b * x[0])
}
#[differentiable]
fn option_as_result(x: &[f64]) -> f64 {
    option_as_result_h(x).unwrap_or(5.0)
}
#[differentiable]
fn combinators_as_tail_h(x: &[f64]) -> Option<f64> {
    Some(x[0])
        .and_then(|v| if v > 0.0 { Some(v * x[1]) } else { None })
        .or(Some(x[2]))
        .filter(|v| *v > 0.1)
}
#[differentiable]
fn combinators_as_tail(x: &[f64]) -> f64 {
    combinators_as_tail_h(x).unwrap_or(5.0) * x[0]
}
#[differentiable]
fn largest_as_tail_h(x: &[f64]) -> Option<f64> {
    x.iter()
        .copied()
        .filter(|v| *v < 1.5)
        .max_by(|a, b| a.total_cmp(b))
}
#[differentiable]
fn largest_as_tail(x: &[f64]) -> f64 {
    largest_as_tail_h(x).unwrap_or(5.0) * x[0]
}
#[differentiable]
fn reduced_as_tail_h(x: &[f64]) -> Option<f64> {
    x.iter().copied().reduce(|a, b| a * b)
}
#[differentiable]
fn reduced_as_tail(x: &[f64]) -> f64 {
    reduced_as_tail_h(x).unwrap_or(5.0) * x[0]
}
#[differentiable]
fn match_as_tail_h(x: &[f64]) -> Option<f64> {
    let o = if x[0] > 1.0 { None } else { Some(x[0]) };
    match o {
        Some(v) if v > 5.0 => None,
        Some(v) => Some(v * x[1]),
        None => None,
    }
}
#[differentiable]
fn match_as_tail(x: &[f64]) -> f64 {
    match_as_tail_h(x).unwrap_or(5.0) * x[0]
}
#[differentiable]
fn pair_if_real_h(x: &[f64]) -> Option<(f64, f64)> {
    let d = x[1] * x[1] - x[0];
    (d >= 0.0).then(|| (x[1] - d.sqrt(), x[1] + d.sqrt()))
}
#[differentiable]
fn pair_if_real(x: &[f64]) -> f64 {
    match pair_if_real_h(x) {
        Some((a, b)) if a > 0.0 => a * b * a,
        Some((_, b)) => b,
        None => x[2],
    }
}
#[derive(Clone, Copy, Tangent)]
struct StructOptMethodH {
    t: f64,
    n: Option<f64>,
}
#[differentiable]
impl StructOptMethodH {
    fn options_in_methods_s(&self) -> f64 {
        self.n.map_or(self.t, |n| n * self.t)
    }
    fn options_in_methods_with(mut self, n: f64) -> Self {
        self.n = Some(n);
        self
    }
}
#[differentiable]
fn options_in_methods(x: &[f64]) -> f64 {
    let h = StructOptMethodH { t: x[0], n: None };
    h.options_in_methods_s()
        + h.options_in_methods_with(x[1] * x[2])
            .options_in_methods_s()
}
#[derive(Clone, Copy, Tangent)]
struct OptHitHit {
    t: f64,
    p: [f64; 2],
}
#[differentiable]
fn nearest_hit_hit(o: f64, d: f64) -> Option<OptHitHit> {
    let t = -o / d;
    if t.abs() < 0.1 {
        return None;
    }
    Some(OptHitHit { t, p: [o, d * t] })
}
#[differentiable]
fn nearest_hit(x: &[f64]) -> f64 {
    let mut best: Option<OptHitHit> = None;
    for i in 0..2 {
        if let Some(h) = nearest_hit_hit(x[i], x[i + 1]) {
            match &best {
                Some(b) if b.t <= h.t => {}
                _ => best = Some(h),
            }
        }
    }
    best.map_or(0.0, |h| h.t * h.p[0] * h.p[0])
}
#[differentiable]
fn largest_of_some_h(x: &[f64]) -> Option<f64> {
    x.iter()
        .copied()
        .filter(|v| *v < 1.5)
        .max_by(|a, b| a.total_cmp(b))
}
#[differentiable]
fn largest_of_some(x: &[f64]) -> f64 {
    largest_of_some_h(x).unwrap_or(5.0) * x[0]
}
#[differentiable]
fn largest_reference(x: &[f64]) -> f64 {
    let m = x
        .iter()
        .filter(|v| **v < 1.5)
        .max_by(|a, b| a.partial_cmp(b).unwrap())
        .unwrap();
    m * x[2]
}
#[differentiable]
fn smallest_behind_a_star(x: &[f64]) -> f64 {
    let m = *x
        .iter()
        .filter(|v| **v < 1.5)
        .min_by(|a, b| a.partial_cmp(b).unwrap())
        .unwrap();
    m * x[2]
}
#[differentiable]
fn found_after_a_filter(x: &[f64]) -> f64 {
    x.iter()
        .map(|v| v * v)
        .filter(|v| *v > 0.5)
        .find(|v| *v < 3.0)
        .map_or(0.0, |v| v * x[3])
}
#[differentiable]
fn last_taken(x: &[f64]) -> f64 {
    if let Some(v) = x.iter().take_while(|v| **v < 1.9).last() {
        v * v * x[3]
    } else {
        0.0
    }
}
#[differentiable]
fn reduced_after_flat_map(x: &[f64]) -> f64 {
    x.iter()
        .flat_map(|v| [*v, v * v])
        .reduce(|a, b| a * b + 1.0)
        .unwrap()
}
#[differentiable]
fn reduced_by_a_function(x: &[f64]) -> f64 {
    x.iter()
        .filter_map(|v| (*v > 0.5).then(|| v.sqrt()))
        .reduce(f64::max)
        .unwrap()
        * x[3]
}
#[differentiable]
fn largest_with_its_number(x: &[f64]) -> f64 {
    let (i, v) = x
        .iter()
        .enumerate()
        .filter(|(_, v)| **v < 1.9)
        .max_by(|a, b| a.1.total_cmp(b.1))
        .unwrap();
    v * v * i as f64 * x[0]
}
#[differentiable]
fn by_keys(x: &[f64]) -> f64 {
    let v = x
        .iter()
        .copied()
        .max_by_key(|v| (v * 100.0) as i64)
        .unwrap();
    let w = x
        .iter()
        .filter(|v| **v > 0.5)
        .min_by_key(|v| (**v * 100.0) as i64)
        .unwrap();
    v * v * w
}
#[differentiable]
fn number_by_key(x: &[f64]) -> f64 {
    x.iter()
        .copied()
        .enumerate()
        .min_by_key(|(_, v)| (v * 100.0) as i64)
        .map(|(i, v)| v * x[(i + 1) % 4])
        .unwrap()
}
#[differentiable]
fn closure_asked_and_not_h(x: &[f64]) -> Option<f64> {
    let g = |a: f64| if a > 1.0 { Some(a * a) } else { None };
    let v = g(x[0]).unwrap_or(x[1]);
    let w = g(x[1])?;
    Some(v * x[2] * w)
}
#[differentiable]
fn closure_asked_and_not(x: &[f64]) -> f64 {
    closure_asked_and_not_h(x).unwrap_or(5.0)
}
#[differentiable]
fn closure_in_a_combinator(x: &[f64]) -> f64 {
    let g = |a: f64| -> Option<f64> { if a > 1.0 { Some(a * a) } else { None } };
    let mut s = 0.0;
    for v in x {
        if let Some(w) = g(*v) {
            s += w;
        }
    }
    s + g(x[2]).and_then(|v| g(v * v)).map(|v| v * x[0]).unwrap()
}
#[differentiable]
fn closure_of_pairs(x: &[f64]) -> f64 {
    let g = |a: f64, b: f64| {
        let d = a * a - b;
        if d < 0.0 {
            None
        } else {
            Some((a - d.sqrt(), a + d.sqrt()))
        }
    };
    match g(x[1], x[0]) {
        Some((p, q)) => p * q * q,
        None => 0.0,
    }
}
#[derive(Clone, Copy, Tangent)]
struct PartsMinP {
    a: f64,
    b: f64,
}
#[differentiable]
fn smallest_of_structs(x: &[f64]) -> f64 {
    let ps = [
        PartsMinP { a: x[0], b: x[1] },
        PartsMinP { a: x[1], b: x[2] },
    ];
    let p = ps
        .iter()
        .filter(|p| p.a > 0.1)
        .min_by(|p, q| p.b.total_cmp(&q.b))
        .unwrap();
    p.a * p.b * x[0]
}
#[derive(Clone, Copy, Tangent)]
struct PartsMin2P {
    a: f64,
    b: f64,
}
#[differentiable]
fn found_struct(x: &[f64]) -> f64 {
    let ps = vec![
        PartsMin2P { a: x[0], b: x[1] },
        PartsMin2P { a: x[1], b: x[2] },
    ];
    let p = ps.iter().find(|p| p.a > 1.0).unwrap();
    let q = ps.iter().min_by(|p, q| p.b.total_cmp(&q.b));
    p.a * p.b * x[0] + q.map_or(0.0, |q| q.a * q.b)
}
#[differentiable]
fn largest_row(x: &[f64]) -> f64 {
    let rows = vec![vec![x[0], x[1]], vec![x[1], x[2]]];
    let r = rows
        .iter()
        .filter(|r| r.len() > 1)
        .max_by(|p, q| p[0].total_cmp(&q[0]))
        .unwrap();
    r[0] * r[1]
}
#[differentiable]
fn closure_and_then(x: &[f64]) -> f64 {
    let g = |a: f64| -> Option<f64> { if a > 1.0 { Some(a * a) } else { None } };
    g(x[2]).and_then(|v| g(v * v)).unwrap()
}
#[differentiable]
fn closure_mapped(x: &[f64]) -> f64 {
    let g = |a: f64| -> Option<f64> { if a > 1.0 { Some(a * a) } else { None } };
    g(x[2]).map(|v| v * x[0]).unwrap()
}
#[differentiable]
fn closure_in_a_loop(x: &[f64]) -> f64 {
    let g = |a: f64| -> Option<f64> { if a > 1.0 { Some(a * a) } else { None } };
    let mut s = 0.0;
    for v in x {
        if let Some(w) = g(*v) {
            s += w;
        }
    }
    s
}
#[differentiable]
fn matched_call_g(a: f64, b: f64) -> Option<f64> {
    if a > 0.0 { Some(a * b) } else { None }
}
#[differentiable]
fn matched_call(x: &[f64]) -> f64 {
    let r = matched_call_g(x[0], x[1]);
    match r {
        Some(v) => v * v,
        None => x[2],
    }
}
#[differentiable]
fn asked_call_g(a: f64, b: f64) -> Option<f64> {
    if a > 0.0 { Some(a * b) } else { None }
}
#[differentiable]
fn asked_call(x: &[f64]) -> f64 {
    let r = asked_call_g(x[0], x[1]);
    if r.is_none() {
        return x[2];
    }
    r.unwrap() * x[2]
}
#[differentiable]
fn calls_with_defaults_g(a: f64, b: f64) -> Result<f64, String> {
    if a > 0.0 {
        Ok(a * b)
    } else {
        Err("neg".into())
    }
}
#[differentiable]
fn calls_with_defaults(x: &[f64]) -> f64 {
    calls_with_defaults_g(x[0], x[1]).unwrap_or(x[2])
        + calls_with_defaults_g(-x[0], x[1]).unwrap_or_else(|_| x[2] * x[2])
        + calls_with_defaults_g(x[0], x[2])
            .map(|v| v * v)
            .unwrap_or(0.0)
        + calls_with_defaults_g(x[1], x[1]).ok().unwrap_or(1.0)
}
#[differentiable]
fn option_where_one_is_returned_h(x: &[f64]) -> Option<f64> {
    let r: Option<f64> = if x[0] > 1.0 { Some(x[0]) } else { None };
    match r {
        Some(v) => Some(v * x[1]),
        None => Some(x[2] * x[1]),
    }
}
#[differentiable]
fn option_where_one_is_returned(x: &[f64]) -> f64 {
    option_where_one_is_returned_h(x).unwrap_or(5.0)
}
#[differentiable]
fn local_result(x: &[f64]) -> f64 {
    let r: Result<f64, String> = if x[0] > 1.0 {
        Ok(x[0])
    } else {
        Err("n".into())
    };
    match r {
        Ok(v) => v * x[1],
        Err(_) => x[2] * x[1],
    }
}
#[derive(Clone, Copy, Tangent)]
struct StructOptH {
    t: f64,
    n: Option<f64>,
}
#[differentiable]
fn option_in_a_struct(x: &[f64]) -> f64 {
    let h = StructOptH {
        t: x[0],
        n: if x[1] > 1.0 { Some(x[1] * x[2]) } else { None },
    };
    match h.n {
        Some(v) => v * h.t,
        None => h.t,
    }
}
#[differentiable]
fn vector_of_options(x: &[f64]) -> f64 {
    let a: Vec<Option<f64>> = x
        .iter()
        .map(|v| if *v > 1.0 { Some(v * v) } else { None })
        .collect();
    let mut s = 0.0;
    for o in &a {
        if let Some(v) = o {
            s += v * x[0];
        }
    }
    s
}
#[differentiable]
fn entry_that_becomes_some(x: &[f64]) -> f64 {
    let mut a = vec![None; 3];
    a[1] = Some(x[0] * x[1]);
    a[1].unwrap_or(0.0) * x[2] + a[0].unwrap_or(x[0])
}
#[differentiable]
fn option_as_argument_g(a: f64, b: Option<f64>) -> f64 {
    a * b.unwrap_or(1.0)
}
#[differentiable]
fn option_as_argument(x: &[f64]) -> f64 {
    option_as_argument_g(x[0], Some(x[1])) + option_as_argument_g(x[2], None)
}
#[differentiable]
fn option_in_a_returned_pair_g(a: f64, b: f64) -> (f64, Option<f64>) {
    (a * b, if a > 0.0 { Some(a) } else { None })
}
#[differentiable]
fn option_in_a_returned_pair(x: &[f64]) -> f64 {
    let (p, q) = option_in_a_returned_pair_g(x[0], x[1]);
    p * q.unwrap_or(x[2])
}
#[differentiable]
fn changed_by_as_mut(x: &[f64]) -> f64 {
    let mut o = Some(x[0] * x[1]);
    if let Some(v) = o.as_mut() {
        *v *= x[2];
    }
    o.unwrap()
}
#[differentiable]
fn changed_by_reference(x: &[f64]) -> f64 {
    let mut o = Some(x[0] * x[1]);
    if let Some(v) = &mut o {
        *v *= x[2];
    }
    if let Some(ref mut v) = o {
        *v += x[2];
    }
    o.unwrap()
}
#[differentiable]
fn replaced(x: &[f64]) -> f64 {
    let mut o = Some(x[0] * x[1]);
    let p = o.replace(x[2]);
    p.unwrap() * o.unwrap()
}
#[differentiable]
fn inserted_once(x: &[f64]) -> f64 {
    let mut o: Option<f64> = None;
    let mut s = 0.0;
    for v in x {
        s += *o.get_or_insert(v * v) * v;
    }
    s
}
#[differentiable]
fn inserted_by_a_closure(x: &[f64]) -> f64 {
    let mut o: Option<f64> = None;
    let a = *o.get_or_insert_with(|| x[0] * x[1]);
    let b = *o.get_or_insert_with(|| x[2]);
    a * b
}
#[differentiable]
fn closures_in_a_sum(x: &[f64]) -> f64 {
    let g = |a: f64| if a > 1.0 { Some(a * a) } else { None };
    g(x[0]).unwrap_or(x[2]) + g(x[1]).map(|v| v * x[0]).unwrap_or(0.0)
}
#[differentiable]
fn closure_of_a_declared_type(x: &[f64]) -> f64 {
    let g = |a: f64| -> Option<f64> { if a > 1.0 { Some(a * a) } else { None } };
    let mut s = 0.0;
    for v in x {
        if let Some(w) = g(*v) {
            s += w;
        }
    }
    s
}
#[differentiable]
fn compared_with_none(x: &[f64]) -> f64 {
    let o = if x[0] > 1.0 { Some(x[0]) } else { None };
    if o == None { x[1] * x[2] } else { o.unwrap() }
}
#[differentiable]
fn compared_options(x: &[f64]) -> f64 {
    let a = Some(x[0]);
    let b = Some(x[1]);
    if a < b { x[2] * x[1] } else { x[0] }
}
#[differentiable]
fn option_of_an_option(x: &[f64]) -> f64 {
    let o: Option<Option<f64>> = if x[0] < 1.0 {
        Some(Some(x[0] * x[1]))
    } else {
        None
    };
    match o {
        Some(Some(v)) => v * v,
        Some(None) => 1.0,
        None => 0.0,
    }
}
#[differentiable]
fn result_of_a_fold(x: &[f64]) -> f64 {
    let r: Result<f64, String> = x.iter().try_fold(1.0, |a, v| {
        if *v > 0.0 {
            Ok(a * v)
        } else {
            Err("n".to_string())
        }
    });
    r.unwrap_or(0.0)
}
#[differentiable]
fn result_by_branches(x: &[f64]) -> f64 {
    let r: Result<f64, String> = if x[0] > 1.0 {
        Ok(x[0])
    } else {
        Err("n".into())
    };
    match r {
        Ok(v) => v * x[1],
        Err(_) => x[2] * x[1],
    }
}
#[differentiable]
fn result_unwrapped(x: &[f64]) -> f64 {
    let r: Result<f64, String> = Ok(x[0] * x[1]);
    r.unwrap() * x[2]
}
#[differentiable]
fn closures_of_results_h(x: &[f64]) -> Result<f64, String> {
    let g = |a: f64| -> Result<f64, String> {
        if a > 0.5 {
            Ok(a * a)
        } else {
            Err("n".to_string())
        }
    };
    let a = g(x[0])?;
    let b = g(x[1])?;
    Ok(a * b)
}
#[differentiable]
fn closures_of_results(x: &[f64]) -> f64 {
    closures_of_results_h(x).unwrap()
}
#[differentiable]
fn error_asked_g(a: f64, b: f64) -> Result<f64, String> {
    if a > 0.0 {
        Ok(a * b)
    } else {
        Err("neg".into())
    }
}
#[differentiable]
fn error_asked(x: &[f64]) -> f64 {
    let r = error_asked_g(x[0], x[1]);
    if r.is_err() {
        return x[2];
    }
    r.unwrap() * x[2]
}
#[differentiable]
fn call_by_if_let_g(a: f64, b: f64) -> Option<f64> {
    if a > 0.0 { Some(a * b) } else { None }
}
#[differentiable]
fn call_by_if_let(x: &[f64]) -> f64 {
    let r = call_by_if_let_g(x[0], x[1]);
    if let Some(v) = r { v * v } else { 0.0 }
}
#[differentiable]
fn calls_kept_g(a: f64, b: f64) -> Option<f64> {
    if a > 0.0 { Some(a * b) } else { None }
}
#[differentiable]
fn calls_kept(x: &[f64]) -> f64 {
    let r = calls_kept_g(x[0], x[1]);
    let q = calls_kept_g(-x[0], x[1]);
    r.unwrap_or(0.0) * x[2] + q.unwrap_or(x[1]) + q.or(r).map_or(0.0, |v| v * v)
}
#[differentiable]
fn calls_in_chains_g(a: f64, b: f64) -> Option<f64> {
    if a > 1.0 { Some(a * b) } else { None }
}
#[differentiable]
fn calls_in_chains(x: &[f64]) -> f64 {
    x.windows(2)
        .filter_map(|w| calls_in_chains_g(w[0], w[1]))
        .sum::<f64>()
        + x.windows(2)
            .map(|w| calls_in_chains_g(w[0], w[1]))
            .flatten()
            .product::<f64>()
}
#[differentiable]
fn pair_with_an_option_g(a: f64, b: f64) -> (Option<f64>, f64) {
    (if a > 1.0 { Some(a * b) } else { None }, b)
}
#[differentiable]
fn pair_with_an_option(x: &[f64]) -> f64 {
    let (o, b) = pair_with_an_option_g(x[1], x[2]);
    match o {
        Some(v) => v * b,
        None => b,
    }
}
#[differentiable]
fn value_before(x: &[f64]) -> f64 {
    let mut prev: Option<f64> = None;
    let mut s = 0.0;
    for v in x {
        if let Some(p) = prev {
            s += (v - p) * (v - p);
        }
        prev = Some(*v);
    }
    s
}
#[differentiable]
fn reference_before(x: &[f64]) -> f64 {
    let mut prev: Option<&f64> = None;
    let mut s = 0.0;
    for v in x.iter() {
        s += match prev {
            Some(p) => (v - p) * v,
            None => *v,
        };
        prev = Some(v);
    }
    s
}
#[derive(Clone, Copy, Tangent, Default)]
struct R15O {
    lo: Option<f64>,
    hi: Option<f64>,
}
#[differentiable]
fn options_with_defaults(x: &[f64]) -> f64 {
    let o = R15O {
        lo: Some(x[0]),
        ..Default::default()
    };
    let lo = o.lo.unwrap_or(0.0);
    let hi = o.hi.unwrap_or(x[2]);
    x[1].max(lo).min(hi) * lo * hi
}

judge! {
    and_then_some(&vec![0.7, 1.3]);
    and_then_or_else(&vec![0.7, 1.3]);
    and_another(&vec![0.7, 1.3]);
    exclusive(&vec![0.7, 1.3]);
    flattened(&vec![0.7, 1.3]);
    found_value(&vec![0.7, 1.3, 2.0]);
    found_with_its_number(&vec![0.7, 1.3, 2.0]);
    found_in_windows(&vec![0.7, 1.3, 2.0]);
    folded_to_the_end(&vec![0.7, 1.3, 2.0]);
    folded_until_none(&vec![0.7, 1.3, 2.0]);
    mapped_and_unwrapped(&vec![0.7, 1.3, 2.0]);
    filtered(&vec![0.7, 1.3, 2.0]);
    zipped(&vec![0.7, 1.3, 2.0]);
    inspected(&vec![0.7, 1.3, 2.0]);
    asked_in_a_chain(&vec![0.7, 1.3, 2.0]);
    folded_option(&vec![0.7, 1.3, 2.0]);
    none_or(&vec![0.7, 1.3, 2.0]);
    function_as_combinator(&vec![0.7, 1.3, 2.0]);
    option_of_a_pair(&vec![0.7, 1.3, 2.0]);
    option_of_a_struct(&vec![0.7, 1.3, 2.0]);
    option_of_a_vector(&vec![0.7, 1.3, 2.0]);
    combinators_with_effects(&vec![0.7, 1.3, 2.0]);
    combined_in_a_loop(&vec![0.7, 1.3, 2.0]);
    reassigned_by_map_or(&vec![0.7, 1.3, 2.0]);
    reassigned_by_or(&vec![0.7, 1.3, 2.0]);
    closure_where_none_is_returned(&vec![0.7, 1.3, 2.0]);
    flattened_where_none_is_returned(&vec![0.7, 1.3, 2.0]);
    found_where_none_is_returned(&vec![0.7, 1.3, 2.0]);
    search_as_tail(&vec![0.7, 1.3, 2.0]);
    combined_where_none_is_returned(&vec![0.7, 1.3, 2.0]);
    option_as_result(&vec![0.7, 1.3, 2.0]);
    combinators_as_tail(&vec![0.7, 1.3, 2.0]);
    largest_as_tail(&vec![0.7, 1.3, 2.0]);
    reduced_as_tail(&vec![0.7, 1.3, 2.0]);
    match_as_tail(&vec![0.7, 1.3, 2.0]);
    pair_if_real(&vec![0.7, 1.3, 2.0]);
    options_in_methods(&vec![0.7, 1.3, 2.0]);
    nearest_hit(&vec![0.7, 1.3, 2.0]);
    largest_of_some(&vec![0.7, 1.3, 2.0, 0.4]);
    largest_reference(&vec![0.7, 1.3, 2.0, 0.4]);
    smallest_behind_a_star(&vec![0.7, 1.3, 2.0, 0.4]);
    found_after_a_filter(&vec![0.7, 1.3, 2.0, 0.4]);
    last_taken(&vec![0.7, 1.3, 2.0, 0.4]);
    reduced_after_flat_map(&vec![0.7, 1.3, 2.0, 0.4]);
    reduced_by_a_function(&vec![0.7, 1.3, 2.0, 0.4]);
    largest_with_its_number(&vec![0.7, 1.3, 2.0, 0.4]);
    by_keys(&vec![0.7, 1.3, 2.0, 0.4]);
    number_by_key(&vec![0.7, 1.3, 2.0, 0.4]);
    closure_asked_and_not(&vec![0.7, 1.3, 2.0]);
    closure_in_a_combinator(&vec![0.7, 1.3, 2.0]);
    closure_of_pairs(&vec![0.7, 1.3, 2.0]);
    smallest_of_structs(&vec![0.7, 1.3, 2.0]);
    found_struct(&vec![0.7, 1.3, 2.0]);
    largest_row(&vec![0.7, 1.3, 2.0]);
    closure_and_then(&vec![0.7, 1.3, 2.0]);
    closure_mapped(&vec![0.7, 1.3, 2.0]);
    closure_in_a_loop(&vec![0.7, 1.3, 2.0]);
    matched_call(&vec![0.7, 1.3, 2.0]);
    asked_call(&vec![0.7, 1.3, 2.0]);
    calls_with_defaults(&vec![0.7, 1.3, 2.0]);
    option_where_one_is_returned(&vec![0.7, 1.3, 2.0]);
    local_result(&vec![0.7, 1.3, 2.0]);
    option_in_a_struct(&vec![0.7, 1.3, 2.0]);
    vector_of_options(&vec![0.7, 1.3, 2.0]);
    entry_that_becomes_some(&vec![0.7, 1.3, 2.0]);
    option_as_argument(&vec![0.7, 1.3, 2.0]);
    option_in_a_returned_pair(&vec![0.7, 1.3, 2.0]);
    changed_by_as_mut(&vec![0.7, 1.3, 2.0]);
    changed_by_reference(&vec![0.7, 1.3, 2.0]);
    replaced(&vec![0.7, 1.3, 2.0]);
    inserted_once(&vec![0.7, 1.3, 2.0]);
    inserted_by_a_closure(&vec![0.7, 1.3, 2.0]);
    closures_in_a_sum(&vec![0.7, 1.3, 2.0]);
    closure_of_a_declared_type(&vec![0.7, 1.3, 2.0]);
    compared_with_none(&vec![0.7, 1.3, 2.0]);
    compared_options(&vec![0.7, 1.3, 2.0]);
    option_of_an_option(&vec![0.7, 1.3, 2.0]);
    result_of_a_fold(&vec![0.7, 1.3, 2.0]);
    result_by_branches(&vec![0.7, 1.3, 2.0]);
    result_unwrapped(&vec![0.7, 1.3, 2.0]);
    closures_of_results(&vec![0.7, 1.3, 2.0]);
    error_asked(&vec![0.7, 1.3, 2.0]);
    call_by_if_let(&vec![0.7, 1.3, 2.0]);
    calls_kept(&vec![0.7, 1.3, 2.0]);
    calls_in_chains(&vec![0.7, 1.3, 2.0]);
    pair_with_an_option(&vec![0.7, 1.3, 2.0]);
    value_before(&vec![0.7, 1.3, 2.0]);
    reference_before(&vec![0.7, 1.3, 2.0]);
    options_with_defaults(&vec![0.7, 1.3, 2.0]);
}
