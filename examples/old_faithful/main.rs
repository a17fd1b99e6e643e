//! Old Faithful: a mixture of two normal distributions, fitted to the eruptions of a geyser.
//!
//! The log-likelihood is plain Rust marked `#[differentiable]` (`model.rs`); one function in it, `logsumexp`, has a rule
//! written by hand (`exponentials.rs`). The gradient is checked against finite differences, then an optimizer climbs with it, then
//! the Hessian gives the standard errors, and a picture goes to `target/old_faithful.svg`.
//!
//! `cargo run --release --example old_faithful`

mod check;
mod compare;
mod data;
mod exponentials;
mod fit;
mod model;
mod plot;
mod uncertainty;

use std::path::{Path, PathBuf};

use argmin::core::Error;

/// The maximum of the likelihood as other programs find it (R packages `mclust` and `mixtools`): weight, means, covariances.
const PUBLISHED: &str =
    "weight 0.356, means (2.036, 54.48) and (4.290, 79.97), log-likelihood -1130.264";

fn main() -> Result<(), Error> {
    println!("log Σ exp xᵢ, three times\n");
    println!(
        "{:23} {:^27} {:^20}",
        "", "at (1000, 1001)", "ns per gradient"
    );
    println!(
        "{:23} {:>9} {:>17} {:>9} {:>10}",
        "", "value", "gradient", "N = 2", "N = 32"
    );
    for row in compare::compare(20_000) {
        let [a, b] = row.gradient;
        let [two, more] = row.nanoseconds;
        println!(
            "{:23} {:9.3} {a:8.3} {b:8.3} {two:9.1} {more:10.1}",
            row.name, row.value
        );
    }

    let data = data::observations();
    let start = model::start(&data);
    println!(
        "\nThe gradient of the log-likelihood of {} observations, checked\n",
        data.len()
    );
    println!(
        "{:>9} {:>17} {:>17} {:>15}",
        "parameter", "derivative", "difference", "relative error"
    );
    for (i, entry) in check::gradient_check(&start, &data).into_iter().enumerate() {
        let (derivative, difference) = (entry.derivative, entry.difference);
        println!(
            "{i:>9} {derivative:>17.9} {difference:>17.9} {:>15.1e}",
            entry.error()
        );
    }

    println!(
        "\nThe fit\n\n{:>9} {:>16} {:>14}",
        "iteration", "log-likelihood", "mean gradient"
    );
    let steps = fit::fit(&data, start, false)?;
    let last = steps.last().expect("a fit has iterations");
    println!("\n{:21} {:>10} {:>15}", "", "estimate", "standard error");
    let estimates = model::natural(&last.theta);
    let errors = uncertainty::standard_errors(&last.theta);
    for ((name, estimate), error) in model::NAMES.iter().zip(estimates).zip(errors) {
        println!("{name:21} {estimate:>10.4} {error:>15.4}");
    }
    println!(
        "\nlog-likelihood {:.3} after {} iterations\npublished: {PUBLISHED}",
        last.log_likelihood,
        steps.len()
    );

    let path = target().join("old_faithful.svg");
    std::fs::write(&path, plot::svg(&data, &steps))?;
    println!("picture: {}", path.display());
    Ok(())
}

/// The directory that this program was built in: `target`, two above `release/examples`.
fn target() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().nth(3);
    target.unwrap_or(Path::new(".")).to_owned()
}
