//! A program with one function of many statements.

use std::fmt::Write;

/// The function with as many statements, of the kinds that numerical code is made of.
fn function(statements: usize) -> String {
    let mut body = String::new();
    for k in 0..statements {
        let (v, i) = (k / 5 + 1, k % 8);
        let before = v - 1;
        let line = match k % 5 {
            0 => format!("let v{v} = v{before} * x[{i}] + 0.5;"),
            1 => format!("s += (v{v} - v{before}).sin();"),
            2 => format!("y[{i}] = v{v} / (1.0 + x[{i}] * x[{i}]);"),
            3 => format!("for i in 0..x.len() {{ y[i] += v{v} * x[i]; }}"),
            _ => format!("s += if v{v} > v{before} {{ v{v} * y[{i}] }} else {{ v{v}.exp() }};"),
        };
        writeln!(body, "    {line}").expect("a string takes everything");
    }
    format!(
        "fn large(x: &[f64], y: &mut [f64]) -> f64 {{
    let v0 = x[0];
    let mut s = 0.0;
{body}    s
}}
"
    )
}

/// The function, and a call of it.
pub(crate) fn primal(statements: usize) -> String {
    let function = function(statements);
    format!(
        "{function}
fn main() {{
    let (x, mut y) = ([0.5; 8], [0.25; 8]);
    println!(\"{{}}\", large(&x, &mut y));
}}
"
    )
}

/// The function and its derivatives, and calls of these.
pub(crate) fn derived(statements: usize) -> String {
    let function = function(statements);
    format!(
        "use coenzyme::prelude::*;

#[differentiable]
{function}
fn main() {{
    let (x, mut y) = ([0.5; 8], [0.25; 8]);
    let (mut dx, mut dy) = ([1.0; 8], [0.0; 8]);
    let (value, dvalue) = autodiff!(
        ForwardWithPrimal, large, Duplicated, Duplicated(&x[..], &mut dx[..]), Duplicated(&mut y[..], &mut dy[..])
    );
    println!(\"{{value}} {{dvalue}}\");
    dx.fill(0.0);
    autodiff!(
        Reverse, large, Active, Duplicated(&x[..], &mut dx[..]), Duplicated(&mut y[..], &mut dy[..])
    );
    println!(\"{{dx:?}}\");
}}
"
    )
}
