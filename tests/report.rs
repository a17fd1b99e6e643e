//! What the compiler decided can be seen, and steered.

use coenzyme::prelude::*;

#[differentiable(report)]
fn drift(x: &[f64], theta: f64) -> f64 {
    let mut p = theta;
    for v in x.iter() {
        let scale = 2.0 * v;
        #[store]
        let pull = (scale * p).sin();
        p -= pull * pull;
    }
    p
}

fn fate(name: &str) -> &'static str {
    let line = drift::REPORT
        .lines()
        .find(|l| l.split_whitespace().next() == Some(name));
    line.unwrap_or_else(|| panic!("no line for {name} in\n{}", drift::REPORT))
}

#[test]
fn the_report_tells_what_is_taped_and_what_is_computed_again() {
    let pull = fate("pull").ends_with("on the tape: by `#[store]`");
    assert!(pull, "{}", drift::REPORT);
    let p = fate("p_now").ends_with("on the tape: the variable changes");
    assert!(p, "{}", drift::REPORT);
    assert!(
        fate("scale").ends_with("computed again"),
        "{}",
        drift::REPORT
    );
    assert!(fate("theta").contains("varied"));
}

#[test]
fn a_stored_binding_is_two_words_a_round() {
    let x = [0.5, 0.25, 0.125];
    let thunk = Thunk::<_, Active<f64>>::new(drift {});
    let augmented = thunk.augmented(&mut (Const(&x[..]), Active(0.3)));
    assert_eq!(augmented.tape.bytes(), 2 * 8 * x.len());
}

#[differentiable]
fn saturated(x: &[f64], start: f64) -> f64 {
    let mut state = start;
    for v in x {
        state = (state + v).tanh();
    }
    state
}

#[test]
fn of_a_function_whose_derivative_reads_the_result_alone_that_is_on_the_tape() {
    let x = [0.5, 0.25, 0.125];
    let thunk = Thunk::<_, Active<f64>>::new(saturated {});
    let augmented = thunk.augmented(&mut (Const(&x[..]), Active(0.3)));
    assert_eq!(augmented.tape.bytes(), 8 * x.len());
}

#[test]
fn the_graph_names_values_and_marks_active_edges() {
    assert!(drift::GRAPH.starts_with("digraph \"drift\" {"));
    assert!(drift::GRAPH.contains("= sin"));
    assert!(drift::GRAPH.contains("label=\"active\""));
}

#[test]
fn what_is_stored_does_not_change_the_derivative() {
    let x = [0.5, 0.25, 0.125];
    let (_, dtheta): (_, f64) = gradient!(drift, &x, 0.3);
    let h = 1e-6;
    let slope = (drift(&x, 0.3 + h) - drift(&x, 0.3 - h)) / (2.0 * h);
    assert!((dtheta - slope).abs() < 1e-8);
}

/// The logistic map, its state kept at four rounds.
#[differentiable(report)]
fn logistic(x: f64, rate: f64, rounds: usize) -> f64 {
    let mut y = x;
    #[checkpoint(4)]
    for _ in 0..rounds {
        y = rate * y * (1.0 - y);
    }
    y
}

#[test]
fn a_checkpointed_loop_is_reported() {
    let line = |name: &str| {
        let found = logistic::REPORT
            .lines()
            .find(|l| l.split_whitespace().next() == Some(name));
        found.unwrap_or_else(|| panic!("no line for {name} in\n{}", logistic::REPORT))
    };
    assert!(line("y").ends_with("kept at checkpoints"));
    assert!(line("y_now").contains("on the tape of its round, which runs again"));
    assert!(logistic::GRAPH.contains("label=\"y\", shape=box, style=\"filled,dashed\""));
}

#[test]
fn the_tape_of_a_checkpointed_loop_does_not_grow() {
    let thunk = Thunk::<_, Active<f64>>::new(logistic {});
    let bytes = |rounds| {
        let augmented = thunk.augmented(&mut (Active(0.3), Active(2.5), Const(rounds)));
        augmented.tape.bytes()
    };
    assert_eq!(bytes(10), bytes(1000));
}

#[test]
fn checkpoints_do_not_change_the_derivative() {
    let (_, drate, ()) = gradient!(logistic, 0.3, 2.5, 50);
    let h = 1e-6;
    let slope = (logistic(0.3, 2.5 + h, 50) - logistic(0.3, 2.5 - h, 50)) / (2.0 * h);
    assert!((drate - slope).abs() < 1e-8);
}

#[test]
fn the_report_ends_with_the_plan() {
    let line = |of: &str| drift::REPORT.lines().map(str::trim).any(|line| line == of);
    assert!(
        line("loop k: reversed, with values on the tape"),
        "{}",
        drift::REPORT
    );
    assert!(line("taped: load p, pull"), "{}", drift::REPORT);
}

/// Its rules can be read.
#[differentiable(report, expand)]
fn area(r: f64) -> f64 {
    std::f64::consts::PI * r * r
}

#[test]
fn the_expansion_is_the_text_of_the_rules() {
    let text = area::EXPANSION;
    let rule = |name: &str| text.contains(&format!("::coenzyme::{name}<"));
    assert!(rule("ForwardRule") && rule("ReverseRule"), "{text}");
    let longest = text.lines().map(|line| line.trim_start().len()).max();
    assert!(longest < Some(400), "{longest:?} in\n{text}");
    assert!(text.lines().count() > 40, "{text}");
    assert_eq!(gradient!(area, 2.0), (4.0 * std::f64::consts::PI,));
}

/// With the functions that the rules call.
#[differentiable(expand, math = fast)]
fn wave(x: f64) -> f64 {
    x.sin()
}

#[test]
fn the_expansion_names_the_fast_functions() {
    assert!(wave::EXPANSION.contains("fast"), "{}", wave::EXPANSION);
}
