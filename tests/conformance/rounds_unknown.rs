//! `#[checkpoint]` on loops of which nobody knows how many rounds they have: `while`, `loop`, and those that `break`, `return` and `?` leave.

use coenzyme::{Real, differentiable};

use crate::judge::positive;
use crate::subject::judge;

#[differentiable]
fn while_it_is_small(x: f64, limit: f64) -> f64 {
    let mut s = x;
    let mut k = 0;
    #[checkpoint(3)]
    while s < limit {
        s = s * 1.3 + (x * k as f64).sin() * 0.1;
        k += 1;
    }
    s * x
}

#[differentiable]
fn as_many_states_as_are_good(x: f64, limit: f64) -> f64 {
    let (mut s, mut t) = (x, 1.0);
    #[checkpoint]
    while s < limit {
        t = t * 0.9 + s * s * 0.1;
        s += t * 0.3;
    }
    s * t
}

#[differentiable]
fn left_in_the_middle(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint(2)]
    for k in 0..n {
        s = s * 1.2 + 0.1 * k as f64;
        if s > 2.0 {
            break;
        }
        s += x * x * 0.1;
    }
    s * x
}

#[differentiable]
fn a_loop_with_a_way_out(x: f64) -> f64 {
    let (mut s, mut k) = (x, 0);
    #[checkpoint(2)]
    loop {
        k += 1;
        if k % 3 == 0 {
            continue;
        }
        s = (s * s + x).sin() + 0.2;
        if k > 11 {
            break;
        }
    }
    s * x
}

#[differentiable]
fn the_function_is_left(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint(2)]
    for k in 0..n {
        s *= 1.0 + 0.1 * x;
        if k == 5 {
            return s * s;
        }
    }
    s
}

#[differentiable]
fn fields(x: &[f64], limit: f64) -> f64 {
    let mut u = x.to_vec();
    let mut v = vec![0.0; x.len()];
    #[checkpoint(2)]
    while u[0] < limit {
        for i in 0..x.len() {
            v[i] = u[i] * 1.1 + 0.1 * u[(i + 1) % x.len()] * x[i];
        }
        std::mem::swap(&mut u, &mut v);
        u[0] += 0.2;
    }
    u[0] * u[1]
}

#[differentiable]
fn one_inside_the_other(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint(2)]
    for _ in 0..n {
        let (mut t, mut j) = (s * 0.1, 0);
        #[checkpoint(2)]
        while j < 4 {
            t = t * 1.5 + s * s * 0.05;
            j += 1;
        }
        s = (s * t + x).cos() + 1.1;
    }
    s
}

#[differentiable]
fn both_are_left(x: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint(2)]
    'outer: loop {
        let mut j = 0;
        #[checkpoint(2)]
        while j < n {
            s = s * 1.1 + 0.05 * x;
            if s > 3.0 {
                break 'outer;
            }
            j += 1;
        }
        s += 0.1;
    }
    s * x
}

#[differentiable]
fn in_a_loop_that_tapes(x: f64, n: usize) -> f64 {
    let mut s = x;
    for i in 0..n {
        let (scale, mut j) = (1.0 + s * s * 0.1, 0);
        #[checkpoint(2)]
        loop {
            s *= scale;
            if j > i {
                break;
            }
            j += 1;
        }
        s *= 0.7;
    }
    s
}

#[differentiable]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err("negative".into());
    }
    Ok(x.sqrt())
}

#[differentiable]
fn rounds_that_may_fail(x: f64, n: usize) -> Result<f64, String> {
    let mut s = x;
    #[checkpoint(2)]
    for k in 0..n {
        s = root(s * x + 0.5)? - 0.05 * k as f64;
    }
    Ok(s)
}

#[differentiable]
fn they_did_not(x: f64, n: usize) -> f64 {
    rounds_that_may_fail(x, n).unwrap()
}

#[differentiable]
fn there(x: f64) -> Option<f64> {
    if x > 9.0 { None } else { Some(x * x) }
}

#[differentiable]
fn until_it_is_not_there(x: f64) -> Option<f64> {
    let (mut s, mut k) = (x, 0);
    #[checkpoint(2)]
    while k < 6 {
        s = there(s + 0.3)?.sin();
        k += 1;
    }
    Some(s)
}

#[differentiable]
fn it_was_there(x: f64) -> f64 {
    until_it_is_not_there(x).unwrap()
}

#[differentiable]
fn generic<T: Real>(x: &[T], limit: T) -> T {
    let mut s = x[0];
    #[checkpoint(2)]
    while s < limit {
        s = s + s * x[1] * T::lit(0.2);
    }
    s * s
}

judge! {
    while_it_is_small(0.3, 4.0) (0.3, 0.1);
    as_many_states_as_are_good(0.4, 6.0);
    left_in_the_middle(0.5, 9) (0.5, 2) (0.5, 0);
    a_loop_with_a_way_out(0.4);
    the_function_is_left(0.7, 9) (0.7, 3);
    fields(&positive(3), 4.0);
    one_inside_the_other(0.6, 3);
    both_are_left(0.8, 3);
    in_a_loop_that_tapes(0.4, 3);
    they_did_not(0.9, 7) (0.9, 0);
    it_was_there(0.4);
    generic(&positive(2), 3.0);
}

/// An error of a round is the function's, in every mode.
#[test]
fn a_round_that_fails_is_an_error() {
    use coenzyme::{Active, Const, Reverse, autodiff};
    let of = |x: f64| {
        autodiff!(
            Reverse,
            rounds_that_may_fail,
            Active,
            Active(x),
            Const(9_usize)
        )
    };
    assert!(of(0.9).is_ok());
    assert_eq!(of(-3.0).err(), Some("negative".to_string()));
}

/// What is left on the tape is what is kept, however many rounds there are.
#[test]
fn the_tape_does_not_grow_with_the_rounds() {
    use coenzyme::{Active, Const, Thunk};
    #[differentiable]
    fn slowly(x: f64, rounds: usize) -> f64 {
        let (mut s, mut k) = (x, 0);
        #[checkpoint(8)]
        while k < rounds {
            s = (s + x).sin();
            k += 1;
        }
        s
    }
    let bytes = |rounds: usize| {
        let run = || {
            let thunk = Thunk::<_, Active<f64>>::new(slowly {});
            let mut args = (Active(0.3), Const(rounds));
            std::hint::black_box(thunk.augmented(&mut args).tape);
        };
        allocation_counter::measure(run).bytes_max
    };
    assert!(
        bytes(100_000) <= 4 * bytes(100),
        "{} {}",
        bytes(100_000),
        bytes(100)
    );
}
