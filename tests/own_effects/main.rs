//! Operators, queries and constructors of a crate's own types that do more than compute: they run as often as in the program, in its order.
//!
//! A crate of its own: where a crate has such an operator, fewer expressions of it are run again.

#![cfg(not(clippy))]
#![allow(
    dead_code,
    unused_braces,
    unused_imports,
    unused_macros,
    unused_variables
)]

#[path = "../conformance/judge.rs"]
mod judge;
#[path = "../conformance/subject.rs"]
mod subject;
mod turns;

use coenzyme::differentiable;
use subject::judge;
use turns::*;

/// From the start, since a program is run again and again.
fn game() -> Game {
    start();
    Game::default()
}

fn by_field_rem(g: &Game) -> usize {
    g.turn % 3
}

#[differentiable]
fn field_rem_in_a_helper(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let k = by_field_rem(&g);
        s = s * w[k] + w[k] * w[i];
    }
    s
}

#[differentiable]
fn field_rem_in_place(w: &[f64], #[constant] g: &Game) -> f64 {
    let mut s = 1.0;
    for i in 0..3 {
        let k = { g.turn % 3 };
        s *= w[k] + w[k] * w[i] * 0.3;
        s = s.sin() + w[{ g.turn % 3 }];
    }
    s
}

#[differentiable]
fn field_rem_called(x: f64, y: f64) -> f64 {
    let g = game();
    field_rem_in_place(&[x, y, x * y], &g)
}

fn by_field_eq(g: &Game) -> usize {
    if g.turn == 1 { 2 } else { 1 }
}

#[differentiable]
fn field_eq_in_a_helper(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let k = by_field_eq(&g);
        s = s * w[k] + w[k] * w[i];
    }
    s
}

#[differentiable]
fn field_eq_in_place(w: &[f64], #[constant] g: &Game) -> f64 {
    let mut s = 1.0;
    for i in 0..3 {
        let k = { if g.turn == 1 { 2 } else { 1 } };
        s *= w[k] + w[k] * w[i] * 0.3;
        s = s.sin() + w[{ if g.turn == 1 { 2 } else { 1 } }];
    }
    s
}

#[differentiable]
fn field_eq_called(x: f64, y: f64) -> f64 {
    let g = game();
    field_eq_in_place(&[x, y, x * y], &g)
}

fn by_field_neg(g: &Game) -> usize {
    -g.turn
}

#[differentiable]
fn field_neg_in_a_helper(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let k = by_field_neg(&g);
        s = s * w[k] + w[k] * w[i];
    }
    s
}

#[differentiable]
fn field_neg_in_place(w: &[f64], #[constant] g: &Game) -> f64 {
    let mut s = 1.0;
    for i in 0..3 {
        let k = { -g.turn };
        s *= w[k] + w[k] * w[i] * 0.3;
        s = s.sin() + w[{ -g.turn }];
    }
    s
}

#[differentiable]
fn field_neg_called(x: f64, y: f64) -> f64 {
    let g = game();
    field_neg_in_place(&[x, y, x * y], &g)
}

fn by_field_len(g: &Game) -> usize {
    g.deck.len()
}

#[differentiable]
fn field_len_in_a_helper(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let k = by_field_len(&g);
        s = s * w[k] + w[k] * w[i];
    }
    s
}

#[differentiable]
fn field_len_in_place(w: &[f64], #[constant] g: &Game) -> f64 {
    let mut s = 1.0;
    for i in 0..3 {
        let k = { g.deck.len() };
        s *= w[k] + w[k] * w[i] * 0.3;
        s = s.sin() + w[{ g.deck.len() }];
    }
    s
}

#[differentiable]
fn field_len_called(x: f64, y: f64) -> f64 {
    let g = game();
    field_len_in_place(&[x, y, x * y], &g)
}

fn by_field_index(g: &Game) -> usize {
    g.deck[1]
}

#[differentiable]
fn field_index_in_a_helper(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let k = by_field_index(&g);
        s = s * w[k] + w[k] * w[i];
    }
    s
}

#[differentiable]
fn field_index_in_place(w: &[f64], #[constant] g: &Game) -> f64 {
    let mut s = 1.0;
    for i in 0..3 {
        let k = { g.deck[1] };
        s *= w[k] + w[k] * w[i] * 0.3;
        s = s.sin() + w[{ g.deck[1] }];
    }
    s
}

#[differentiable]
fn field_index_called(x: f64, y: f64) -> f64 {
    let g = game();
    field_index_in_place(&[x, y, x * y], &g)
}

fn by_field_deref(g: &Game) -> usize {
    *g.deck
}

#[differentiable]
fn field_deref_in_a_helper(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let k = by_field_deref(&g);
        s = s * w[k] + w[k] * w[i];
    }
    s
}

#[differentiable]
fn field_deref_in_place(w: &[f64], #[constant] g: &Game) -> f64 {
    let mut s = 1.0;
    for i in 0..3 {
        let k = { *g.deck };
        s *= w[k] + w[k] * w[i] * 0.3;
        s = s.sin() + w[{ *g.deck }];
    }
    s
}

#[differentiable]
fn field_deref_called(x: f64, y: f64) -> f64 {
    let g = game();
    field_deref_in_place(&[x, y, x * y], &g)
}

fn by_local_of_field(g: &Game) -> usize {
    let t = g.turn;
    t % 3
}

#[differentiable]
fn local_of_field_in_a_helper(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let k = by_local_of_field(&g);
        s = s * w[k] + w[k] * w[i];
    }
    s
}

#[differentiable]
fn local_of_field_in_place(w: &[f64], #[constant] g: &Game) -> f64 {
    let mut s = 1.0;
    for i in 0..3 {
        let k = {
            let t = g.turn;
            t % 3
        };
        s *= w[k] + w[k] * w[i] * 0.3;
        s = s.sin()
            + w[{
                let t = g.turn;
                t % 3
            }];
    }
    s
}

#[differentiable]
fn local_of_field_called(x: f64, y: f64) -> f64 {
    let g = game();
    local_of_field_in_place(&[x, y, x * y], &g)
}

fn by_const_op(g: &Game) -> usize {
    FIFTH % 3
}

#[differentiable]
fn const_op_in_a_helper(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let k = by_const_op(&g);
        s = s * w[k] + w[k] * w[i];
    }
    s
}

#[differentiable]
fn const_op_in_place(w: &[f64], #[constant] g: &Game) -> f64 {
    let mut s = 1.0;
    for i in 0..3 {
        let k = { FIFTH % 3 };
        s *= w[k] + w[k] * w[i] * 0.3;
        s = s.sin() + w[{ FIFTH % 3 }];
    }
    s
}

#[differentiable]
fn const_op_called(x: f64, y: f64) -> f64 {
    let g = game();
    const_op_in_place(&[x, y, x * y], &g)
}

fn by_made(g: &Game) -> usize {
    Turn(4) % 3
}

#[differentiable]
fn made_in_a_helper(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let k = by_made(&g);
        s = s * w[k] + w[k] * w[i];
    }
    s
}

#[differentiable]
fn made_in_place(w: &[f64], #[constant] g: &Game) -> f64 {
    let mut s = 1.0;
    for i in 0..3 {
        let k = { Turn(4) % 3 };
        s *= w[k] + w[k] * w[i] * 0.3;
        s = s.sin() + w[{ Turn(4) % 3 }];
    }
    s
}

#[differentiable]
fn made_called(x: f64, y: f64) -> f64 {
    let g = game();
    made_in_place(&[x, y, x * y], &g)
}

fn by_called(g: &Game) -> usize {
    turn(4) % 3
}

#[differentiable]
fn called_in_a_helper(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let k = by_called(&g);
        s = s * w[k] + w[k] * w[i];
    }
    s
}

#[differentiable]
fn called_in_place(w: &[f64], #[constant] g: &Game) -> f64 {
    let mut s = 1.0;
    for i in 0..3 {
        let k = { turn(4) % 3 };
        s *= w[k] + w[k] * w[i] * 0.3;
        s = s.sin() + w[{ turn(4) % 3 }];
    }
    s
}

#[differentiable]
fn called_called(x: f64, y: f64) -> f64 {
    let g = game();
    called_in_place(&[x, y, x * y], &g)
}

fn by_match_scrut(g: &Game) -> usize {
    match g.turn {
        t if t == 1 => 1,
        t => t % 3,
    }
}

#[differentiable]
fn match_scrut_in_a_helper(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let k = by_match_scrut(&g);
        s = s * w[k] + w[k] * w[i];
    }
    s
}

#[differentiable]
fn match_scrut_in_place(w: &[f64], #[constant] g: &Game) -> f64 {
    let mut s = 1.0;
    for i in 0..3 {
        let k = {
            match g.turn {
                t if t == 1 => 1,
                t => t % 3,
            }
        };
        s *= w[k] + w[k] * w[i] * 0.3;
        s = s.sin()
            + w[{
                match g.turn {
                    t if t == 1 => 1,
                    t => t % 3,
                }
            }];
    }
    s
}

#[differentiable]
fn match_scrut_called(x: f64, y: f64) -> f64 {
    let g = game();
    match_scrut_in_place(&[x, y, x * y], &g)
}

fn by_option(g: &Game) -> usize {
    if let Some(t) = Some(g.turn) { t % 3 } else { 0 }
}

#[differentiable]
fn option_in_a_helper(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let k = by_option(&g);
        s = s * w[k] + w[k] * w[i];
    }
    s
}

#[differentiable]
fn option_in_place(w: &[f64], #[constant] g: &Game) -> f64 {
    let mut s = 1.0;
    for i in 0..3 {
        let k = { if let Some(t) = Some(g.turn) { t % 3 } else { 0 } };
        s *= w[k] + w[k] * w[i] * 0.3;
        s = s.sin() + w[{ if let Some(t) = Some(g.turn) { t % 3 } else { 0 } }];
    }
    s
}

#[differentiable]
fn option_called(x: f64, y: f64) -> f64 {
    let g = game();
    option_in_place(&[x, y, x * y], &g)
}

#[differentiable]
fn made_with_a_count(x: f64, y: f64) -> f64 {
    let g = game();
    let w = [x, y, x * y];
    let mut s = x;
    for i in 0..3 {
        let t = Turn::new(g.top);
        s = s * w[t.0] + w[t.0] * w[i];
    }
    s
}

judge! {
    field_rem_in_a_helper(0.83, 1.1);
    field_rem_called(0.83, 1.1);
    field_eq_in_a_helper(0.83, 1.1);
    field_eq_called(0.83, 1.1);
    field_neg_in_a_helper(0.83, 1.1);
    field_neg_called(0.83, 1.1);
    field_len_in_a_helper(0.83, 1.1);
    field_len_called(0.83, 1.1);
    field_index_in_a_helper(0.83, 1.1);
    field_index_called(0.83, 1.1);
    field_deref_in_a_helper(0.83, 1.1);
    field_deref_called(0.83, 1.1);
    local_of_field_in_a_helper(0.83, 1.1);
    local_of_field_called(0.83, 1.1);
    const_op_in_a_helper(0.83, 1.1);
    const_op_called(0.83, 1.1);
    made_in_a_helper(0.83, 1.1);
    made_called(0.83, 1.1);
    called_in_a_helper(0.83, 1.1);
    called_called(0.83, 1.1);
    match_scrut_in_a_helper(0.83, 1.1);
    match_scrut_called(0.83, 1.1);
    option_in_a_helper(0.83, 1.1);
    option_called(0.83, 1.1);
    made_with_a_count(0.83, 1.1);
}
