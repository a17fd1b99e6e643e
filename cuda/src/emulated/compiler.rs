//! The system's C++ compiler.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, process};

use crate::error::{Error, Result};
use crate::source::Source;

const SHIM: &str = include_str!("shim.hpp");

/// `a·b + c` rounds twice, as it does on every host; a card may contract it. What is hidden is each library's own: the shared memory of a
/// function template would be one for all libraries of the process, and so for all devices.
const OPTIONS: &[&str] = &[
    "-std=c++17",
    "-O1",
    "-fPIC",
    "-shared",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fvisibility=hidden",
    "-w",
];

/// A C++ compiler and what it says of itself.
#[derive(Clone, Debug)]
pub(super) struct Compiler {
    program: PathBuf,
    version: String,
}

impl Compiler {
    /// What `CXX` names, or `g++`, `clang++` or `c++`.
    pub(super) fn find() -> Result<Self> {
        let named = env::var_os("CXX").map(PathBuf::from);
        let usual = ["g++", "clang++", "c++"].map(PathBuf::from);
        let mut candidates = named.into_iter().chain(usual);
        candidates.find_map(Self::at).ok_or_else(|| Error::Missing {
            what: "a C++ compiler, which the emulation builds kernels with; install g++ or clang++, or set CXX"
                .into(),
        })
    }

    fn at(program: PathBuf) -> Option<Self> {
        let output = Command::new(&program).arg("--version").output().ok()?;
        let version = String::from_utf8_lossy(&output.stdout);
        let version = version.lines().next()?.to_owned();
        let ok = output.status.success();
        ok.then_some(Self { program, version })
    }

    /// What a compiled kernel depends on.
    pub(super) fn target(&self) -> String {
        // the shim is a part of every kernel
        format!("{} {} {SHIM}", self.version, OPTIONS.join(" "))
    }

    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Compiles to a shared library, with an entry `emulated_NAME` for each kernel.
    pub(super) fn compile(&self, source: &Source) -> Result<Vec<u8>> {
        let mut text = format!("{SHIM}\n{}\n", source.full());
        for kernel in &source.kernels {
            text += &format!(
                "extern \"C\" __attribute__((visibility(\"default\"))) int emulated_{kernel}(const unsigned* grid, const unsigned* extent, void** arguments) \
                 {{ return emulation::launch({kernel}, grid, extent, arguments); }}\n"
            );
        }
        let folder = Scratch::new()?;
        let (input, output) = (folder.path("kernels.cpp"), folder.path("kernels.so"));
        fs::write(&input, text).map_err(|e| world("writing a kernel", &e))?;
        let run = Command::new(&self.program)
            .args(OPTIONS)
            .arg("-o")
            .args([&output, &input])
            .output()
            .map_err(|e| world("running the C++ compiler", &e))?;
        refused(source, &run)?;
        fs::read(&output).map_err(|e| world("reading a kernel", &e))
    }
}

fn refused(source: &Source, run: &Output) -> Result<()> {
    if run.status.success() {
        return Ok(());
    }
    Err(Error::Compile {
        function: source.name.clone(),
        log: String::from_utf8_lossy(&run.stderr).into_owned(),
    })
}

pub(super) fn world(call: &'static str, error: &dyn std::error::Error) -> Error {
    Error::Driver {
        call,
        message: error.to_string(),
    }
}

/// A folder of one's own, which is removed when it goes out of scope.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new() -> Result<Self> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("coenzyme-kernels-{}-{number}", process::id());
        let path = env::temp_dir().join(name);
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        // fails if it exists: another's folder is never used
        builder
            .create(&path)
            .map_err(|e| world("creating a folder for kernels", &e))?;
        Ok(Self(path))
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let folder: &Path = &self.0;
        // a folder that stays is no error
        let _ = fs::remove_dir_all(folder);
    }
}
