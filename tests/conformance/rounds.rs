//! What rounds of a loop share, leave behind, and read of each other: scratch memory, neighbours, values that do not change.

use coenzyme::differentiable;

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn log_sum(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i].exp();
    }
    sum.ln()
}

/// Every round fills the scratch memory before it reads it.
#[differentiable]
fn scratch(x: &[f64], w: &[f64]) -> f64 {
    let n = w.len();
    let mut scaled = vec![0.0; n];
    let mut sums = [0.0; 3];
    let mut total = 0.0;
    for i in 0..x.len() {
        for j in 0..n {
            scaled[j] = x[i] * w[j];
        }
        sums.fill(0.5);
        for j in 0..n {
            sums[j % 3] += scaled[j] * scaled[(j + 1) % n];
        }
        total += log_sum(&scaled) + sums[0] * sums[1] * sums[2];
    }
    total
}

/// As `scratch`, by the length that the memory has.
#[differentiable]
fn scratch_by_its_length(x: &[f64], n: usize) -> f64 {
    let mut powers = vec![0.0; n];
    let mut total = 1.0;
    for i in 0..x.len() {
        let mut power = x[i];
        for j in 0..powers.len() {
            powers[j] = power;
            power *= x[i];
        }
        for j in 0..n {
            total += powers[j] * powers[n - 1 - j];
        }
    }
    total
}

/// Only a part is filled: the rest comes from the round before.
#[differentiable]
fn filled_in_part(x: &[f64], n: usize) -> f64 {
    let mut kept = vec![0.0; n];
    let mut total = 0.0;
    for i in 0..x.len() {
        for j in 0..n - 1 {
            kept[j] = kept[j + 1] + x[i] * x[i];
        }
        if x[i] > 0.0 {
            kept[n - 1] = x[i];
        }
        for j in 0..n {
            total += kept[j] * kept[j] * x[i];
        }
    }
    total
}

/// What a round reads first is what the round before left.
#[differentiable]
fn read_before_filled(x: &[f64]) -> f64 {
    let mut last = vec![1.0; 2];
    let mut total = 0.0;
    for i in 0..x.len() {
        total += last[0] * last[1] * x[i];
        for j in 0..2 {
            last[j] = x[i] * (j + 1) as f64;
        }
    }
    total
}

/// A loop without rounds fills nothing.
#[differentiable]
fn filled_by_no_rounds(x: &[f64], n: usize) -> f64 {
    let mut kept = vec![1.0; 2];
    let mut total = 0.0;
    for i in 0..x.len() {
        if i < n {
            for j in 0..2 {
                kept[j] = x[i] * x[i];
            }
        }
        total += kept[0] * kept[1] * x[i];
    }
    total
}

#[differentiable]
fn scratch_read_afterwards(x: &[f64]) -> f64 {
    let mut square = vec![0.0; 2];
    let mut total = 0.0;
    for i in 0..x.len() {
        for j in 0..2 {
            square[j] = x[i] * x[i];
        }
        total += square[0] * square[1];
    }
    total * square[0]
}

/// The sum itself is needed for its derivative.
#[differentiable]
fn sum_used_nonlinearly(x: &[f64]) -> f64 {
    let mut parts = vec![0.0; 2];
    let (mut total, mut rest) = (0.3, 1.0);
    for i in 0..x.len() {
        for j in 0..2 {
            parts[j] = x[i] + j as f64;
        }
        total += parts[0] * parts[1];
        rest -= parts[1] * parts[1];
    }
    total * rest
}

/// Several sums, a branch that adds, and a loop that adds.
#[differentiable]
fn sums_in_branches(x: &[f64], w: &[f64]) -> f64 {
    let (mut a, mut b) = (0.0, 0.0);
    let mut t = vec![0.0; 2];
    for i in 0..x.len() {
        t[..].fill(x[i]);
        t[1] *= x[i];
        if t[1] > 1.0 {
            a += t[0] * t[1];
        } else {
            b -= t[0].sin();
            for j in 0..w.len() {
                a += w[j] * t[1];
            }
        }
        b += log_sum(&t);
    }
    a - 2.0 * b
}

/// Nothing is read of `x` where the inner loop has no rounds.
#[differentiable]
fn not_read_without_rounds(x: &[f64], w: &[f64], n: usize) -> f64 {
    let mut s = 1.0;
    for i in 0..n {
        for j in 0..w.len() {
            s += x[i] * w[j] * w[j];
        }
    }
    s
}

/// `x[i]` changes in the inner loop, `y[i]` does not.
#[differentiable]
fn changing_and_unchanging(x: &mut [f64], y: &[f64]) {
    for i in 0..x.len() {
        for j in 0..y.len() {
            x[i] = x[i] * y[i] + y[j].sin() * x[i];
        }
    }
}

#[differentiable]
fn neighbours(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() - 1 {
        s += x[i - 1] * x[i] * x[i + 1] + x[i].sin();
    }
    s
}

#[differentiable]
fn neighbours_falling(x: &[f64]) -> f64 {
    let mut s = 0.5;
    for i in (1..x.len()).rev() {
        s += x[i - 1] * x[i] * x[i];
    }
    s
}

/// The rounds depend on each other: the reverse sweep runs them from the last.
#[differentiable]
fn neighbours_in_a_recurrence(x: &[f64]) -> f64 {
    let mut s = 0.5;
    for i in 0..x.len() - 2 {
        s = s * x[i] + x[i + 2] * x[i + 1];
    }
    s
}

#[differentiable]
fn windows_of_three(x: &[f64]) -> f64 {
    x.windows(3).map(|w| w[0] * w[1] - w[2] * w[1]).sum()
}

/// Entries with a gap between them, entries of two arrays, entries of rows.
#[differentiable]
fn neighbours_of_several(x: &[f64], y: &[f64], m: &[[f64; 2]]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() - 3 {
        s += x[i] * x[i + 1] * x[i + 3] + y[i + 1] * y[i] * x[2];
        s += m[i][0] * m[i + 1][0] + m[i][1] * m[i + 1][0];
    }
    s
}

#[differentiable]
fn neighbours_written(x: &mut [f64]) {
    for i in 0..x.len() - 1 {
        x[i + 1] += x[i] * x[i + 1];
    }
}

#[differentiable]
fn neighbours_in_branches(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        if i + 1 < x.len() {
            s += x[i] * x[i + 1];
        }
        if i > 0 {
            s -= x[i - 1] * x[i] * x[i];
        }
    }
    s
}

/// Indices that grow with the loop, fall, leap, and stay.
#[differentiable]
fn indices(x: &[f64], y: &mut [f64], a: usize) -> f64 {
    let n = y.len();
    let mut s = 0.0;
    for i in a..n {
        y[i - a + 1] *= x[i + a - 1] * x[n - 1 - i];
        s += x[2 * (i - a)] * x[a];
    }
    s
}

#[differentiable]
fn length_in_the_loop(x: &mut [f64], y: &mut [f64]) {
    for i in 0..y.len() {
        if i + 1 < y.len() {
            y[i] *= x[i];
        }
        x[i] *= x[i] * x.len() as f64;
    }
}

#[differentiable]
fn rows(m: &[[f64; 3]], v: &[Vec<f64>], c: &mut [[f64; 3]; 2]) {
    for i in 0..2 {
        for j in 0..3 {
            c[i][j] += m[i][j] * m[i][j];
            for k in 0..2 {
                c[i][j] += m[i][k] * v[k][j];
            }
        }
    }
}

/// Values that the rounds leave on the tape, of several types.
#[differentiable]
fn left_by_the_rounds(x: &[f64], n: i32) -> f64 {
    let (mut s, mut pair) = (1.0, (0.5, 0.4));
    for i in 0..n {
        s = s * s * x[i as usize];
        pair = (pair.0 * s, pair.1 * pair.0);
    }
    for i in (0..n as u64).step_by(2) {
        s = s.sin() * x[i as usize] + pair.1;
    }
    for i in (0..x.len()).rev() {
        s = s * s + x[i];
    }
    s * pair.0
}

judge! {
    scratch(&any(3), &any(3)) (&any(1), &any(4)) (&vec![], &any(3));
    scratch_by_its_length(&any(3), 3) (&any(2), 0);
    filled_in_part(&vec![0.7, -0.4, 1.2], 3) (&vec![-0.7, 0.4, 1.2], 1);
    read_before_filled(&any(3)) (&any(1));
    filled_by_no_rounds(&any(3), 1) (&any(3), 0) (&any(3), 3);
    scratch_read_afterwards(&any(3));
    sum_used_nonlinearly(&any(3));
    sums_in_branches(&vec![0.7, 1.3, -0.4], &any(2)) (&vec![0.7], &vec![]);
    not_read_without_rounds(&any(3), &any(2), 3) (&vec![], &vec![], 2);
    changing_and_unchanging(&mut any(2), &positive(2));
    neighbours(&any(5)) (&any(3)) (&any(2));
    neighbours_falling(&any(4)) (&any(1));
    neighbours_in_a_recurrence(&any(5)) (&any(2));
    windows_of_three(&any(5)) (&any(2));
    neighbours_of_several(&any(5), &any(4), &vec![[0.4, 0.3], [0.7, -0.2], [1.1, 0.9]]);
    neighbours_written(&mut any(4)) (&mut any(1));
    neighbours_in_branches(&any(4)) (&any(1));
    indices(&any(6), &mut any(4), 1) (&any(6), &mut any(4), 2) (&any(3), &mut any(1), 1);
    length_in_the_loop(&mut any(3), &mut any(3));
    rows(&vec![[0.4, 0.3, 0.2], [0.7, -0.2, 1.3]], &vec![any(3), positive(3)], &mut [[0.4; 3], [0.7; 3]]);
    left_by_the_rounds(&any(4), 3) (&any(2), 0);
}
