//! The assembly of derivatives: what a `Const` argument would have got is not computed.
//!
//! A small crate (`kernels.rs`) is compiled as a user would, but for vectors and unrolling, so that a loop of the source is a loop
//! of the assembly. Then arithmetic and stores are counted, beside adjoints written by hand.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Kernels, compiled: the lines of the assembly.
struct Assembly(Vec<String>);

/// What is in a function, or in one round of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Count {
    /// Additions, subtractions, multiplications, divisions of floats.
    arithmetic: usize,
    /// Floats written to memory.
    stores: usize,
}

impl Count {
    fn of(lines: &[String]) -> Self {
        let mnemonics = || lines.iter().filter_map(|line| line.split_once('\t'));
        let is_arithmetic = |name: &str| {
            ["add", "sub", "mul", "div"]
                .iter()
                .any(|op| name.starts_with(op))
                && (name.ends_with("sd") || name.ends_with("pd"))
        };
        let is_store = |name: &str, operands: &str| {
            name.starts_with("mov") && operands.starts_with("%xmm") && operands.ends_with(')')
        };
        Self {
            arithmetic: mnemonics().filter(|(name, _)| is_arithmetic(name)).count(),
            stores: mnemonics()
                .filter(|(name, operands)| is_store(name, operands))
                .count(),
        }
    }
}

impl Assembly {
    /// The lines of a function.
    fn function(&self, name: &str) -> &[String] {
        let start = self.0.iter().position(|line| *line == format!("{name}:"));
        let body = &self.0[start.unwrap_or_else(|| panic!("no function {name}"))..];
        let end = body
            .iter()
            .position(|line| line.starts_with(".cfi_endproc"));
        &body[..end.expect("a function ends")]
    }

    /// The innermost loop of a function: the shortest way back to a label.
    fn innermost(&self, name: &str) -> Option<Count> {
        let body = self.function(name);
        let labels: HashMap<_, _> = (body.iter().enumerate())
            .filter_map(|(at, line)| Some((line.strip_suffix(':')?, at)))
            .collect();
        let loops = body.iter().enumerate().filter_map(|(at, line)| {
            let (_, label) = line
                .split_once('\t')
                .filter(|(name, _)| name.starts_with('j'))?;
            let begin = *labels.get(label)?;
            (begin < at).then(|| &body[begin..at])
        });
        loops.min_by_key(|body| body.len()).map(Count::of)
    }
}

/// Compiles `kernels.rs`; `None`, said aloud, where the assembly is of another kind.
fn compiled() -> Option<Assembly> {
    if !cfg!(target_arch = "x86_64") {
        eprintln!("skipped: the counts are of x86_64 instructions");
        return None;
    }
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels");
    fs::create_dir_all(directory.join("src")).unwrap();
    let manifest = format!(
        "[package]\nname = \"kernels\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         coenzyme = {{ path = {home:?}, default-features = false }}\n"
    );
    fs::write(directory.join("Cargo.toml"), manifest).unwrap();
    fs::write(directory.join("src/lib.rs"), include_str!("kernels.rs")).unwrap();
    // the versions that the workspace is built with, so that nothing is downloaded
    let lock = directory.join("Cargo.lock");
    if home.join("Cargo.lock").exists() {
        fs::copy(home.join("Cargo.lock"), lock).unwrap();
    }
    let built = Command::new(env!("CARGO"))
        .args([
            "rustc",
            "--release",
            "--offline",
            "--target-dir",
            "target",
            "--",
        ])
        .args(["--emit", "asm", "-Ccodegen-units=1", "-Cno-vectorize-loops"])
        .args(["-Cno-vectorize-slp", "-Cllvm-args=--unroll-runtime=false"])
        .env_remove("RUSTC_WRAPPER")
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .current_dir(&directory)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{errors}");
    let text = fs::read_to_string(newest(&directory.join("target/release/deps"))).unwrap();
    Some(Assembly(
        text.lines().map(|line| line.trim().to_owned()).collect(),
    ))
}

/// The assembly that was written last.
fn newest(directory: &Path) -> PathBuf {
    let files = fs::read_dir(directory)
        .unwrap()
        .map(|file| file.unwrap().path());
    files
        .filter(|file| file.extension().is_some_and(|e| e == "s"))
        .max_by_key(|file| file.metadata().unwrap().modified().unwrap())
        .expect("the compiler has written assembly")
}

#[test]
fn the_adjoint_of_a_constant_argument_is_not_computed() {
    let Some(assembly) = compiled() else { return };
    let round = |name: &str| {
        assembly
            .innermost(name)
            .unwrap_or_else(|| panic!("no loop in {name}"))
    };

    // one addition for each of `x` and `μ`, and one store for `x`
    let (both, memory, value) = (round("both"), round("memory_only"), round("value_only"));
    assert_eq!((both.stores, memory.stores, value.stores), (1, 1, 0));
    assert_eq!(memory.arithmetic, both.arithmetic - 1);
    assert_eq!(value.arithmetic, both.arithmetic - 1);

    // a round does what is done by hand, and at most one addition to zero, which the compiler may not drop
    for name in ["both", "memory_only", "value_only"] {
        let (generated, by_hand) = (round(name), round(&format!("{name}_by_hand")));
        assert_eq!(generated.stores, by_hand.stores, "{name}");
        assert!(
            generated.arithmetic <= by_hand.arithmetic + 1,
            "{name}: {generated:?}, by hand {by_hand:?}"
        );
    }

    let whole = |name: &str| Count::of(assembly.function(name)).arithmetic;
    assert!(whole("first_only") < whole("numbers"));
    assert_eq!(whole("nothing"), 0);
    assert_eq!(assembly.innermost("nothing"), None);
}
