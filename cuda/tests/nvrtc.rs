//! Every kernel compiles for cards that are not here: by NVRTC, and by `ptxas` without spills. Both come as wheels, which the step `cuda` of
//! `.ci/run` installs. Skipped, aloud, without them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use coenzyme::differentiable;
use coenzyme_cuda::driver::compile_ptx;
use coenzyme_cuda::source::Source;
use coenzyme_cuda::{DeviceFunction, Error, library, map};

const ARCHITECTURES: &[&str] = &["sm_80", "sm_90"];

#[path = "device_functions.rs"]
mod device_functions;

use device_functions::{g1, langmuir, odd, various};

#[path = "strange_functions.rs"]
mod strange_functions;

/// Eight active arguments: as many partials in registers as there ever are.
#[differentiable(device)]
#[allow(clippy::too_many_arguments)] // as many as a map takes
fn eight(a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, g: f64, h: f64) -> f64 {
    (a * b + c).sin() * (d / (1.0 + e * e)) + (f - g).exp() * h.tanh()
}

/// All kernels of the crate, those of its rules for both kinds of number, and maps of functions of several sizes.
fn sources() -> Vec<Source> {
    let user = |name: &str, text: &str, kernels: &[&str]| Source::new(name, text, kernels);
    let mut sources = vec![
        library::source::<f64>(),
        library::source::<f32>(),
        user(
            "normalize",
            include_str!("kernels/normalize.cu"),
            &["normalize"],
        ),
        user("ticket", include_str!("kernels/ticket.cu"), &["ticket"]),
        user(
            "elliptic",
            include_str!("kernels/elliptic.cu"),
            &["elliptic_jvp"],
        ),
    ];
    macro_rules! strange {
        ($($f:ident)*) => {
            $(sources.push(map::source(&strange_functions::$f::definition(), 2, "double"));)*
        };
    }
    strange_functions::each_strange_function!(strange);
    sources.push(map::source(&odd::definition(), 2, "double"));
    for number in ["double", "float"] {
        sources.push(map::source(&g1::definition(), 2, number));
        sources.push(map::source(&langmuir::definition(), 3, number));
        sources.push(map::source(&various::definition(), 2, number));
        sources.push(map::source(&eight::definition(), 8, number));
    }
    sources
}

/// What `ptxas` says of each kernel that spills registers.
fn spills(ptxas: &Path, ptx: &Path, architecture: &str) -> Vec<String> {
    let arch = format!("-arch={architecture}");
    let run = Command::new(ptxas)
        .args(["-v", &arch, "-o", "/dev/null"])
        .arg(ptx)
        .output();
    let run = run.expect("ptxas runs");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}");
    let spilling = |line: &&str| {
        line.contains("spill") && !line.contains("0 bytes spill stores, 0 bytes spill loads")
    };
    said.lines().filter(spilling).map(str::to_owned).collect()
}

#[test]
fn every_kernel_compiles_for_cards_without_spills() {
    let ptxas = env::var_os("COENZYME_PTXAS").map(PathBuf::from);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut count = 0;
    for source in sources() {
        for architecture in ARCHITECTURES {
            let ptx = match compile_ptx(&source, architecture) {
                Ok(ptx) => ptx,
                Err(error @ Error::Missing { .. }) => return println!("skipped: {error}"),
                Err(error) => panic!("{error}"),
            };
            for kernel in &source.kernels {
                assert!(ptx.contains(&format!(".entry {kernel}(")), "{kernel}");
            }
            count += source.kernels.len();
            let Some(ptxas) = &ptxas else { continue };
            let path = folder.join("kernel.ptx");
            fs::write(&path, ptx).unwrap();
            let spills = spills(ptxas, &path, architecture);
            assert!(
                spills.is_empty(),
                "{} on {architecture}: {spills:?}",
                source.name
            );
        }
    }
    match &ptxas {
        Some(ptxas) => {
            let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels/elliptic.ptx");
            for architecture in ARCHITECTURES {
                assert!(spills(ptxas, &own, architecture).is_empty());
            }
            println!("{count} kernels through NVRTC and ptxas, for {ARCHITECTURES:?}");
        }
        None => println!(
            "{count} kernels through NVRTC; ptxas skipped: COENZYME_PTXAS does not say where it is"
        ),
    }
}

#[test]
fn a_text_that_does_not_compile_is_an_error_with_its_own_lines() {
    let source = Source::new(
        "wrong",
        "\nextern \"C\" __global__ void wrong() { return 1 }",
        &["wrong"],
    );
    match compile_ptx(&source, "sm_80") {
        Err(Error::Missing { what }) => println!("skipped: not found: {what}"),
        Err(Error::Compile { function, log }) => {
            assert_eq!(function, "wrong");
            assert!(log.contains("wrong(2)"), "{log}");
        }
        other => panic!("{other:?}"),
    }
}
