//! Methods of the standard library in one line each: searches, sorts, parts of slices, vectors that grow, closures that return early.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn find_map(x: &[f64]) -> f64 {
    x.iter()
        .find_map(|v| if *v > 1.0 { Some(v * v * x[0]) } else { None })
        .unwrap_or(0.0)
}
#[differentiable]
fn fuse(x: &[f64]) -> f64 {
    x.iter().fuse().map(|v| v * v).sum::<f64>()
}
#[differentiable]
fn max_by_key(x: &[f64]) -> f64 {
    x.iter()
        .copied()
        .max_by_key(|v| (v * 100.0) as i64)
        .unwrap()
        * x[0]
}
#[differentiable]
fn min_by_key(x: &[f64]) -> f64 {
    x.iter()
        .copied()
        .enumerate()
        .min_by_key(|(_, v)| (v * 100.0) as i64)
        .map(|(i, v)| v * x[(i + 1) % 6])
        .unwrap()
}
#[differentiable]
fn partition(x: &[f64]) -> f64 {
    let (a, b): (Vec<f64>, Vec<f64>) = x.iter().partition(|v| **v > 1.0);
    a.iter().sum::<f64>() * b.iter().product::<f64>()
}
#[differentiable]
fn peekable(x: &[f64]) -> f64 {
    let mut it = x.iter().peekable();
    let mut s = 0.0;
    while let Some(v) = it.next() {
        if let Some(w) = it.peek() {
            s += v * **w;
        }
    }
    s
}
#[differentiable]
fn rfind(x: &[f64]) -> f64 {
    *x.iter().rfind(|v| **v > 1.0).unwrap() * x[0]
}
#[differentiable]
fn rfold(x: &[f64]) -> f64 {
    x.iter().rfold(0.0, |a, v| a * 0.5 + v * v)
}
#[differentiable]
fn scan(x: &[f64]) -> f64 {
    x.iter()
        .scan(1.0, |s, v| {
            *s *= v;
            Some(*s)
        })
        .sum::<f64>()
}
#[differentiable]
fn try_fold(x: &[f64]) -> f64 {
    x.iter()
        .try_fold(1.0, |a, v| if *v > 0.0 { Some(a * v) } else { None })
        .unwrap()
}
#[differentiable]
fn unzip(x: &[f64]) -> f64 {
    let (a, b): (Vec<f64>, Vec<f64>) = x.iter().map(|v| (v * v, v.sin())).unzip();
    a.iter().zip(&b).map(|(p, q)| p * q).sum::<f64>()
}
#[differentiable]
fn fill_with(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut a = 1.0;
    v.fill_with(|| {
        a *= x[0];
        a
    });
    v.iter().map(|a| a * a).sum::<f64>()
}
#[differentiable]
fn select_nth(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.select_nth_unstable_by(2, |a, b| a.total_cmp(b));
    v[2] * x[0]
}
#[differentiable]
fn sort_cached(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.sort_by_cached_key(|a| (a * 1000.0) as i64);
    v.iter()
        .enumerate()
        .map(|(i, a)| a * a * i as f64)
        .sum::<f64>()
}
#[differentiable]
fn sort_key(x: &[f64]) -> f64 {
    let mut v: Vec<(usize, f64)> = x.iter().copied().enumerate().collect();
    v.sort_by_key(|p| std::cmp::Reverse(p.0));
    v[0].1 * v[1].1
}
#[differentiable]
fn get_range(x: &[f64]) -> f64 {
    x.get(1..3).map(|s| s[0] * s[1]).unwrap_or(0.0)
}
#[differentiable]
fn get_range2(x: &[f64]) -> f64 {
    if let Some(s) = x.get(2..) {
        s.iter().product::<f64>()
    } else {
        0.0
    }
}
#[differentiable]
fn drain(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let d: Vec<f64> = v.drain(1..3).collect();
    d[0] * d[1] * v[1]
}
#[differentiable]
fn extend_within(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.extend_from_within(..2);
    v.iter().product::<f64>()
}
#[differentiable]
fn from_arr(x: &[f64]) -> f64 {
    let v = Vec::from([x[0], x[1] * x[2]]);
    v[0] * v[1]
}
#[differentiable]
fn shrink(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.shrink_to_fit();
    v.reserve(10);
    v[0] * v[1]
}
#[differentiable]
fn then(x: &[f64]) -> f64 {
    if x[0].total_cmp(&x[1]).then(x[2].total_cmp(&x[3])).is_lt() {
        x[0] * x[1]
    } else {
        x[2]
    }
}
#[differentiable]
fn round_ties(x: &[f64]) -> f64 {
    x[3].round_ties_even() * x[0] * x[1]
}
#[differentiable]
fn match_range(x: &[f64]) -> f64 {
    match x[0] {
        v if v < 0.5 => v,
        v @ 0.5..=1.0 => v * v * x[1],
        _ => 0.0,
    }
}
#[differentiable]
fn closure_ret(x: &[f64]) -> f64 {
    let f = |a: f64| -> f64 {
        if a > 1.0 {
            return a * x[0];
        }
        a * a
    };
    f(x[1]) * f(x[2])
}
#[differentiable]
fn arr_assign(x: &[f64]) -> f64 {
    let mut a = 0.0;
    let mut b = 0.0;
    [a, b] = [x[0] * x[1], x[2]];
    a * b
}
#[differentiable]
fn key_of_some(x: &[f64]) -> f64 {
    let w = x
        .iter()
        .filter(|v| **v > 0.5)
        .min_by_key(|v| (**v * 100.0) as i64)
        .unwrap();
    w * w
}
#[differentiable]
fn shadowed_by_closures(x: &[f64]) -> f64 {
    let v = x[0];
    let w = x
        .iter()
        .filter(|v| **v > 0.5)
        .min_by(|v, w| v.total_cmp(w))
        .unwrap();
    w * w * v
}
#[differentiable]
fn largest_by_key(x: &[f64]) -> f64 {
    let v = x
        .iter()
        .copied()
        .max_by_key(|v| (v * 100.0) as i64)
        .unwrap();
    v * v
}
#[differentiable]
fn then_in_a_filter(x: &[f64]) -> f64 {
    x.iter()
        .filter_map(|v| (*v > 0.5).then(|| v.sqrt()))
        .reduce(|a, b| a * b)
        .unwrap()
        * x[3]
}
#[differentiable]
fn reduced_by_max(x: &[f64]) -> f64 {
    x.iter()
        .filter_map(|v| if *v > 0.5 { Some(v.sqrt()) } else { None })
        .reduce(|a, b| a.max(b))
        .unwrap()
        * x[3]
}
#[differentiable]
fn found_under_another_name(x: &[f64]) -> f64 {
    let v = x[0];
    let w = x.iter().find(|v| **v > 0.8).unwrap();
    w * w * v
}
#[differentiable]
fn smallest_under_another_name(x: &[f64]) -> f64 {
    let v = x[0];
    let w = x
        .iter()
        .filter(|v| **v > 0.5)
        .min_by(|p, q| p.total_cmp(q))
        .unwrap();
    w * w * v
}
#[differentiable]
fn smallest_by_shadowing_names(x: &[f64]) -> f64 {
    let p = x[1];
    let w = x
        .iter()
        .filter(|p| **p > 0.5)
        .min_by(|v, w| v.total_cmp(w))
        .unwrap();
    w * w * p
}
#[differentiable]
fn to_an_array(x: &[f64]) -> f64 {
    let mut a = x[0];
    let mut b = x[1];
    for _ in 0..3 {
        [a, b] = [a * b, a + 0.5];
    }
    a * b
}
#[derive(Clone, Copy, Tangent)]
struct Da2P {
    a: f64,
    b: f64,
}
#[differentiable]
fn to_a_struct(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    let p = Da2P { a: x[2] * a, b };
    Da2P { a, b } = p;
    Da2P { a: b, .. } = Da2P { a: b * a, b: a };
    a * b
}
#[derive(Clone, Copy, Tangent)]
struct Da3Q(f64, f64);
#[differentiable]
fn to_a_tuple_struct(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    Da3Q(a, b) = Da3Q(b * x[2], a);
    (a, _) = (a * b, b);
    a * b * b
}
#[differentiable]
fn to_entries(x: &[f64]) -> f64 {
    let mut v = vec![0.0; 3];
    let mut a = 1.0;
    [v[0], a, v[2]] = [x[0], x[1] * x[2], x[2]];
    v[0] * a * v[2]
}
#[differentiable]
fn returns_early(x: &[f64]) -> f64 {
    let g = |a: f64| -> f64 {
        if a > 1.0 {
            return a * x[0];
        }
        a * a
    };
    g(x[1]) * g(x[2]) * g(x[0])
}
#[differentiable]
fn returns_from_a_loop(x: &[f64]) -> f64 {
    let g = |a: f64| {
        for v in x {
            if *v > a {
                return v * a;
            }
        }
        a * a
    };
    g(x[1]) + g(x[2]) + g(x[0])
}
#[differentiable]
fn returns_in_map(x: &[f64]) -> f64 {
    x.iter()
        .map(|v| {
            if *v < 1.0 {
                return 0.5 * v;
            }
            v * v
        })
        .sum()
}
#[differentiable]
fn returns_in_for_each(x: &[f64]) -> f64 {
    let mut s = 0.0;
    x.iter().for_each(|v| {
        if *v < 1.0 {
            return;
        }
        s += v * v;
    });
    s
}
#[differentiable]
fn returns_none(x: &[f64]) -> f64 {
    let g = |a: f64| -> Option<f64> {
        if a < 1.0 {
            return None;
        }
        Some(a * a)
    };
    let mut s = 0.0;
    for v in x {
        if let Some(w) = g(*v) {
            s += w;
        }
    }
    s
}
#[differentiable]
fn ranges_with_names(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        s += match x[i] {
            v if v < 0.5 => v,
            v @ 0.5..=1.5 => v * v * x[1],
            v @ 1.5..5.0 if v > 1.0 => v * 3.0,
            _ => 0.0,
        };
    }
    s
}
#[differentiable]
fn ranges_of_a_product(x: &[f64]) -> f64 {
    match x[0] * x[1] {
        v @ (0.0..0.2 | 0.3..0.9) => v * v,
        0.9.. => x[2],
        other => other.sin(),
    }
}
#[differentiable]
fn sorted_by_keys(x: &[f64]) -> f64 {
    let mut v: Vec<(usize, f64)> = x.iter().copied().enumerate().collect();
    v.sort_by_key(|p| std::cmp::Reverse(p.0));
    v.sort_unstable_by_key(|p| 3 - p.0);
    v[0].1 * v[1].1 * v[1].1
}
#[differentiable]
fn median(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let m = v.len() / 2;
    v.select_nth_unstable_by(m, |a, b| a.partial_cmp(b).unwrap());
    v[m] * x[0]
}
#[differentiable]
fn reserved(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    v.reserve(x.len());
    for a in x {
        v.push(a * a);
    }
    v.shrink_to_fit();
    v.iter().product()
}
#[differentiable]
fn drained_within(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let s: f64 = v.drain(1..=2).map(|a| a * a).sum();
    s * v[1] + v.len() as f64
}
#[differentiable]
fn drained_from_the_beginning(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.0;
    for a in v.drain(..2) {
        s += a * a;
    }
    s * v[0] * v[1]
}
#[differentiable]
fn part_by_get(x: &[f64]) -> f64 {
    let a = x.get(1..3).unwrap();
    let mut s = a[0] * a[1];
    if let Some(t) = x.get(3..9) {
        s += t[0];
    }
    match x.get(..2) {
        Some([p, q]) => s * p * q,
        _ => s,
    }
}
#[differentiable]
fn slice_in_some(x: &[f64]) -> f64 {
    let mut it = x.chunks(2);
    let mut s = 0.0;
    while let Some([a, b]) = it.next() {
        s += a * b;
    }
    s
}
#[differentiable]
fn extended_and_filled(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.extend_from_within(1..3);
    let mut c = 1.0;
    v[..2].fill_with(|| {
        c *= 2.0;
        c
    });
    v.resize_with(8, || 0.5);
    v.iter().enumerate().map(|(i, a)| a * a * i as f64).sum()
}
#[differentiable]
fn returns_in_three_places(x: &[f64]) -> f64 {
    let g = |a: f64| {
        if a > 1.0 {
            let b = a * x[0];
            return b;
        } else if a > 0.5 {
            return a * x[1];
        }
        let c = a.sin();
        if c > 0.2 {
            return c;
        }
        c * c
    };
    x.iter().map(|v| g(*v)).sum()
}
#[differentiable]
fn returns_in_a_match(x: &[f64]) -> f64 {
    let g = |a: f64| -> f64 {
        return a * a * x[0];
    };
    let h = |a: f64| -> f64 {
        let b = match a {
            a if a > 1.0 => return a,
            a => a * 0.5,
        };
        b * b
    };
    g(x[1]) + h(x[2]) * h(x[3])
}
#[differentiable]
fn chunks_by_while(x: &[f64]) -> f64 {
    let mut it = x.chunks(2);
    let mut s = 0.0;
    while let Some(c) = it.next() {
        s += c[0] * c[1];
    }
    s
}
#[differentiable]
fn first_chunk_or_else(x: &[f64]) -> f64 {
    let Some(r) = x.chunks(2).next() else {
        return 0.0;
    };
    r[0] * r[1]
}
#[differentiable]
fn chunks_one_by_one(x: &[f64]) -> f64 {
    let mut it = x.chunks_exact(2);
    let a = it.next().unwrap();
    let b = it.next().unwrap();
    a[0] * b[1] + a[1] * b[0]
}
#[differentiable]
fn last_window(x: &[f64]) -> f64 {
    if let Some(c) = x.windows(2).last() {
        c[0] * c[1]
    } else {
        0.0
    }
}
#[differentiable]
fn second_window(x: &[f64]) -> f64 {
    let c = x.windows(2).nth(1).unwrap();
    c[0] * c[1]
}
#[differentiable]
fn rows_by_while(x: &[f64]) -> f64 {
    let rows: Vec<Vec<f64>> = x.chunks(2).map(|c| c.to_vec()).collect();
    let mut it = rows.iter();
    let a = it.next().unwrap();
    let mut s = a[0];
    while let Some(r) = it.next() {
        s += r[0] * r[1] * a[1];
    }
    s
}

judge! {
    find_map(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    fuse(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    max_by_key(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    min_by_key(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    partition(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    peekable(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    rfind(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    rfold(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    scan(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    try_fold(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    unzip(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    fill_with(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    select_nth(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    sort_cached(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    sort_key(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    get_range(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    get_range2(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    drain(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    extend_within(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    from_arr(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    shrink(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    then(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    round_ties(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    match_range(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    closure_ret(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    arr_assign(&vec![0.7, 1.3, 0.4, 2.1, 1.7, 0.9]);
    key_of_some(&vec![0.7, 1.3, 2.0, 0.4]);
    shadowed_by_closures(&vec![0.7, 1.3, 2.0, 0.4]);
    largest_by_key(&vec![0.7, 1.3, 2.0, 0.4]);
    then_in_a_filter(&vec![0.7, 1.3, 2.0, 0.4]);
    reduced_by_max(&vec![0.7, 1.3, 2.0, 0.4]);
    found_under_another_name(&vec![0.7, 1.3, 2.0, 0.4]);
    smallest_under_another_name(&vec![0.7, 1.3, 2.0, 0.4]);
    smallest_by_shadowing_names(&vec![0.7, 1.3, 2.0, 0.4]);
    to_an_array(&vec![0.7, 1.3, 2.0]);
    to_a_struct(&vec![0.7, 1.3, 2.0]);
    to_a_tuple_struct(&vec![0.7, 1.3, 2.0]);
    to_entries(&vec![0.7, 1.3, 2.0]);
    returns_early(&vec![0.7, 1.3, 2.0]);
    returns_from_a_loop(&vec![0.7, 1.3, 2.0]);
    returns_in_map(&vec![0.7, 1.3, 2.0]);
    returns_in_for_each(&vec![0.7, 1.3, 2.0]);
    returns_none(&vec![0.7, 1.3, 2.0]);
    ranges_with_names(&vec![0.3, 1.3, 2.0]);
    ranges_of_a_product(&vec![0.3, 1.3, 2.0]);
    sorted_by_keys(&vec![0.3, 1.3, 2.0]);
    median(&vec![0.3, 1.3, 2.0]);
    reserved(&vec![0.3, 1.3, 2.0]);
    drained_within(&vec![0.3, 1.3, 2.0, 0.7]);
    drained_from_the_beginning(&vec![0.3, 1.3, 2.0, 0.7]);
    part_by_get(&vec![0.3, 1.3, 2.0, 0.7]);
    slice_in_some(&vec![0.3, 1.3, 2.0, 0.7]);
    extended_and_filled(&vec![0.3, 1.3, 2.0, 0.7]);
    returns_in_three_places(&vec![0.3, 1.3, 2.0, 0.7]);
    returns_in_a_match(&vec![0.3, 1.3, 2.0, 0.7]);
    chunks_by_while(&vec![0.3, 1.3, 2.0, 0.7]);
    first_chunk_or_else(&vec![0.3, 1.3, 2.0, 0.7]);
    chunks_one_by_one(&vec![0.3, 1.3, 2.0, 0.7]);
    last_window(&vec![0.3, 1.3, 2.0, 0.7]);
    second_window(&vec![0.3, 1.3, 2.0, 0.7]);
    rows_by_while(&vec![0.3, 1.3, 2.0, 0.7]);
}
