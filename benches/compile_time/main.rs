//! How long the derivative of a large function takes to compile, beyond the function itself.
//!
//! Writes a program whose one function has 10, 100, 300 and 1000 statements, compiles it with and without its derivatives
//! (forward and reverse, both called), and prints one line for each size:
//!
//! `compile,<statements>,<seconds of the primal>,<seconds beyond it, debug>,<milliseconds per statement>`
//!
//! `cargo bench --bench compile_time`, with `-- 10 300` for some sizes only and `-- --quick` for the smallest.

mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Measurements of each program, of which the fastest counts: what disturbs a compiler only makes it slower.
const REPEATS: usize = 3;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let quick = args.iter().any(|a| a == "--quick");
    let mut sizes: Vec<usize> = args.iter().filter_map(|a| a.parse().ok()).collect();
    if sizes.is_empty() {
        sizes = if quick {
            vec![10]
        } else {
            vec![10, 100, 300, 1000]
        };
    }
    let package = Package::new();
    package.build(&program::primal(5));
    for statements in sizes {
        let primal = package.fastest(&program::primal(statements));
        let derived = package.fastest(&program::derived(statements));
        let beyond = derived - primal;
        println!(
            "compile,{statements},{primal:.2},{beyond:.2},{:.1}",
            1e3 * beyond / statements as f64
        );
    }
}

/// A package of one program that depends on this crate.
struct Package(PathBuf);

impl Package {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_time");
        fs::create_dir_all(folder.join("src")).expect("the target folder can be written");
        let manifest = format!(
            "[package]\nname = \"large\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\ncoenzyme.path = {:?}\n\n\
             [profile.dev]\nincremental = false\n\n[workspace]\n",
            env!("CARGO_MANIFEST_DIR")
        );
        fs::write(folder.join("Cargo.toml"), manifest).expect("the package can be written");
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock");
        fs::copy(lock, folder.join("Cargo.lock")).expect("the workspace has a lock file");
        Self(folder)
    }

    /// Seconds to compile a program and link it.
    fn build(&self, program: &str) -> f64 {
        fs::write(self.0.join("src/main.rs"), program).expect("the package can be written");
        let start = Instant::now();
        let built = Command::new(env!("CARGO"))
            .args(["build", "--offline", "--quiet", "--target-dir", "target"])
            .current_dir(&self.0)
            .env_remove("CARGO_TARGET_DIR")
            // each `let` is a scope inside that before it, and the records for the debugger follow them by recursion
            .env("RUST_MIN_STACK", "67108864")
            .status()
            .expect("cargo runs");
        assert!(built.success(), "the program does not compile");
        start.elapsed().as_secs_f64()
    }

    fn fastest(&self, program: &str) -> f64 {
        let seconds = (0..REPEATS).map(|_| self.build(program));
        seconds.fold(f64::INFINITY, f64::min)
    }
}
