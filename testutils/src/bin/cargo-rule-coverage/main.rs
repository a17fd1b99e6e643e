//! `cargo rule-coverage`: every rule of a crate, in every mix: tested, unsupported, or missing.
//!
//! ```text
//! cargo rule-coverage [-p PACKAGE] [OPTIONS of `cargo doc` and `cargo test`] [-- OPTIONS of `cargo test`]
//! cargo rule-coverage [-p PACKAGE] --records FILE [OPTIONS of `cargo doc`]
//! ```
//!
//! It lists the rules of the package's library by its documentation, private items too: what the compiler sees, whatever
//! macro wrote it. Then it runs the tests, which record what they found in the file that `TESTUTILS_COVERAGE` names. It
//! prints what became of each rule, and fails if a mix of one is missing, a test failed, or there are no rules.
//!
//! With `--records` it runs no test: they have run, and what they found is in the file.

mod command;
mod rustdoc;
mod summary;

use std::process::ExitCode;

fn main() -> ExitCode {
    match command::Command::new(std::env::args().skip(1)).run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("cargo rule-coverage: {message}");
            ExitCode::from(2)
        }
    }
}
