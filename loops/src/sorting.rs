//! Sorting and ranking with a derivative that is not zero: projections onto the permutahedron.
//!
//! The ranks of `x` are the vertex of the permutahedron of `(n, …, 1)`, the convex hull of its permutations, that is nearest to `x/ε` for a small `ε`. The soft ranks
//! are the *point* of it that is nearest, for any `ε`; sorting is the same with the roles exchanged. Both are isotonic regressions: values that are nearer to each
//! other than `ε` are pooled.
//!
//! Source: Blondel, Teboul, Berthet & Djolonga 2020, *Fast differentiable sorting and ranking*, ICML, arXiv:2002.08871, propositions 1–4.

use coenzyme::Real;
use coenzyme::prelude::*;

/// The indices of `x` from its largest value to its smallest.
#[inactive]
fn descending<T: Real>(x: &[T]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_by(|i, j| x[*j].to_plain().total_cmp(&x[*i].to_plain()));
    order
}

/// The pools of the ranks: of the decreasing regression of `x − ερ`.
#[inactive]
fn rank_pools<T: Real>(x: &[T], order: &[usize], strength: T) -> Vec<usize> {
    let (n, strength) = (x.len(), positive(strength));
    pools(n, |i| x[order[i]].to_plain() - strength * (n - i) as f64)
}

/// The pools of the sorted values: of the decreasing regression of `ρ − εx`.
#[inactive]
fn sort_pools<T: Real>(x: &[T], order: &[usize], strength: T) -> Vec<usize> {
    let (n, strength) = (x.len(), positive(strength));
    pools(n, |i| (n - i) as f64 - strength * x[order[i]].to_plain())
}

fn positive<T: Real>(strength: T) -> f64 {
    let strength = strength.to_plain();
    assert!(
        strength > 0.0,
        "soft sorting: the strength is {strength}, where a positive one is needed"
    );
    strength
}

/// Where the pools of a decreasing isotonic regression begin, and `n`: adjacent violators are pooled until the means fall.
fn pools(n: usize, value: impl Fn(usize) -> f64) -> Vec<usize> {
    let mut blocks: Vec<(f64, usize)> = Vec::new();
    for i in 0..n {
        let (mut sum, mut begin) = (value(i), i);
        while let Some((before, first)) = blocks.last().copied() {
            let mean = sum / (i + 1 - begin) as f64;
            if before / (begin - first) as f64 > mean {
                break;
            }
            (sum, begin) = (sum + before, first);
            blocks.pop();
        }
        blocks.push((sum, begin));
    }
    let begins = blocks.into_iter().map(|(_, begin)| begin);
    begins.chain([n]).collect()
}

/// The number of values in a pool, as a number.
#[inactive]
fn length<T: Real>(_: &[T], begin: usize, end: usize) -> T {
    T::lit((end - begin) as f64)
}

/// The mean of the ranks in a pool.
#[inactive]
fn mean_rank<T: Real>(x: &[T], begin: usize, end: usize) -> T {
    T::lit(x.len() as f64 - 0.5 * (begin + end - 1) as f64)
}

/// The soft ranks of `x`, from 1 for the smallest to `n` for the largest, for a `strength` of regularization `ε > 0` in units of `x`.
///
/// The ranks themselves, with a derivative of zero, where neighbours in size are `ε` apart or more; their mean `(n + 1)/2`, for all, where `ε` is large.
/// In between piecewise linear in `x`. The sum is that of the ranks, always. Any order of `x`, `(n)`; the result is `(n)` in the same order. Cost: `O(n log n)`.
///
/// # Panics
/// If `strength` is not positive.
///
/// ```
/// use coenzyme_loops::soft_rank;
///
/// let x = [2.9, 0.1, 1.5, 1.7];
/// assert_eq!(soft_rank(&x, 0.1), [4.0, 1.0, 2.0, 3.0]);
/// // 1.5 and 1.7 are nearer than ε
/// let soft = soft_rank(&x, 0.5);
/// assert!((soft[2] - 2.3_f64).abs() < 1e-15 && (soft[3] - 2.7).abs() < 1e-15);
/// ```
#[differentiable]
pub fn soft_rank<T: Real>(x: &[T], strength: T) -> Vec<T> {
    let order = descending(x);
    let begins = rank_pools(x, &order, strength);
    ranks_in(x, &order, &begins, strength)
}

/// The regression subtracted from `x/ε`, whose pools are known.
#[differentiable]
fn ranks_in<T: Real>(x: &[T], order: &[usize], begins: &[usize], strength: T) -> Vec<T> {
    let n = x.len();
    let mut ranks = vec![T::zero(); n];
    for pool in 0..begins.len() - 1 {
        let (begin, end) = (begins[pool], begins[pool + 1]);
        let mut sum = T::zero();
        for i in begin..end {
            sum += x[order[i]];
        }
        let mean = sum / length(x, begin, end);
        for i in begin..end {
            ranks[order[i]] = mean_rank(x, begin, end) + (x[order[i]] - mean) / strength;
        }
    }
    ranks
}

/// The values of `x`, softly sorted from the smallest to the largest, for a `strength` of regularization `ε > 0` in units of `1/x`.
///
/// The sorted values themselves, whose derivative is a permutation, where neighbours are less than `1/ε` apart; the others are drawn together, until for
/// a large `ε` all are their mean. In between piecewise linear in `x`. The sum is that of `x`, always. Any order of `x`, `(n)`; the result is
/// `(n)`. Cost: `O(n log n)`.
///
/// # Panics
/// If `strength` is not positive.
///
/// ```
/// use coenzyme_loops::soft_sort;
///
/// let x = [2.9, 0.1, 1.5, 1.7];
/// assert_eq!(soft_sort(&x, 0.1), [0.1, 1.5, 1.7, 2.9]);
/// // 1.7 and 2.9 are farther apart than 1
/// let soft = soft_sort(&x, 1.0);
/// assert!((soft[2] - 1.8_f64).abs() < 1e-15 && (soft[3] - 2.8).abs() < 1e-15);
/// ```
#[differentiable]
pub fn soft_sort<T: Real>(x: &[T], strength: T) -> Vec<T> {
    let order = descending(x);
    let begins = sort_pools(x, &order, strength);
    sorted_in(x, &order, &begins, strength)
}

/// The regression subtracted from `ρ/ε`, whose pools are known, from the last to the first.
#[differentiable]
fn sorted_in<T: Real>(x: &[T], order: &[usize], begins: &[usize], strength: T) -> Vec<T> {
    let n = x.len();
    let mut sorted = vec![T::zero(); n];
    for pool in 0..begins.len() - 1 {
        let (begin, end) = (begins[pool], begins[pool + 1]);
        let mut sum = T::zero();
        for i in begin..end {
            sum += x[order[i]];
        }
        let mean = sum / length(x, begin, end);
        for i in begin..end {
            let above = mean_rank(x, i, i + 1) - mean_rank(x, begin, end);
            sorted[n - 1 - i] = mean + above / strength;
        }
    }
    sorted
}
