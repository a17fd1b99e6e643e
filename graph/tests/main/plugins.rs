//! Shared libraries in Rust and in C, good ones and bad ones.

#![allow(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use coenzyme_graph::{Loaded, Named, PluginError, Registry, Session};
use coenzyme_testutils::{input, test_forward, test_reverse};
use ndarray::array;

use super::{close, none, said, v};

/// The folder of the plug-in crate.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("plugin")
}

/// Builds the example in Rust, in the folder where this test was built.
fn in_rust() -> PathBuf {
    let binary = std::env::current_exe().expect("a path");
    let profile = binary
        .parent()
        .and_then(Path::parent)
        .expect("target/PROFILE/deps");
    let target = profile.parent().expect("target");
    let built = Command::new(env!("CARGO"))
        .args([
            "build",
            "--quiet",
            "--example",
            "swish_plugin",
            "--manifest-path",
        ])
        .arg(folder().join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", target)
        .status()
        .expect("cargo runs");
    assert!(built.success());
    let (before, after) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    target
        .join("debug/examples")
        .join(format!("{before}swish_plugin{after}"))
}

/// Compiles the example in C; `None`, aloud, without a compiler.
fn in_c(name: &str, defines: &[&str]) -> Option<PathBuf> {
    let (before, after) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let file = format!("{before}coenzyme_{name}_{}{after}", std::process::id());
    let library = std::env::temp_dir().join(file);
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(folder().join("include"))
        .args(defines)
        .arg(folder().join("examples/square.c"))
        .arg("-o")
        .arg(&library)
        .status();
    let Ok(built) = built else {
        eprintln!("skipped: no C compiler `cc`");
        return None;
    };
    assert!(built.success());
    Some(library)
}

fn load(registry: &Registry, path: &Path) -> Result<Loaded, PluginError> {
    // SAFETY: these are the examples beside this crate
    unsafe { registry.load_plugin(path) }
}

#[test]
fn m27_a_plug_in_in_rust_has_values_and_both_modes() {
    let registry = Arc::new(Registry::with_core());
    let path = in_rust();
    let loaded = load(&registry, &path).expect("a plug-in");
    assert_eq!((&*loaded.name, &*loaded.version), ("swish", "1.2.0"));
    assert_eq!(
        loaded.operations,
        [
            "plugin::swish",
            "plugin::inner",
            "plugin::sine_cosine",
            "plugin::panics"
        ]
    );
    let session = Session::new(Arc::clone(&registry));
    let x = v(array![1.0, 2.0, -1.0]);
    let swish = registry.get("plugin::swish").expect("registered");
    let (y, dx) = session
        .gradients(&swish, &[&x], &none(), None)
        .expect("runs");
    close(&y[0], &[0.731058578630, 1.761594155956, -0.268941421370]);
    close(
        dx[0].as_ref().expect("active"),
        &[0.927670511871, 1.090784248785, 0.072329488129],
    );

    // the tester judges it like any other rule
    let inner = Named::new(&registry.get("plugin::inner").expect("registered"), none());
    let (a, b) = (input(array![1.0, -2.0, 0.5]), input(array![0.3, 1.5, -0.7]));
    test_forward!(
        (inner.clone()),
        Duplicated,
        (a, Duplicated),
        (b, Duplicated)
    );
    test_reverse!((inner), Duplicated, (a, Duplicated), (b, Const));

    // two outputs, of which one has no cotangent
    let both = registry.get("plugin::sine_cosine").expect("registered");
    let angle = v(array![0.5, -1.0]);
    let (y, dx) = session
        .gradients(
            &both,
            &[&angle],
            &none(),
            Some(&[None, Some(angle.clone())]),
        )
        .expect("runs");
    close(&y[1], &[0.5_f64.cos(), 1.0_f64.cos()]);
    let expected = [-0.5 * 0.5_f64.sin(), -(1.0_f64.sin())];
    close(dx[0].as_ref().expect("active"), &expected);
    let (_, dy) = session
        .pushforward(&both, &[&angle], &[Some(&angle)], &none())
        .expect("runs");
    close(&dy[0], &[0.5 * 0.5_f64.cos(), -(1.0_f64.cos())]);
    close(&dy[1], &expected);

    // its errors, and a panic inside, are errors here
    let misfit = said(session.call("plugin::inner", &[&x, &v(array![1.0])], &none()));
    assert_eq!(
        misfit,
        "operation 'plugin::inner': operands x: f64[3], y: f64[1]: expected two vectors of one length"
    );
    let panicked = said(session.call("plugin::panics", &[&x], &none()));
    assert_eq!(
        panicked,
        "operation 'plugin::panics': panic: no value for [3]"
    );

    // a second time its names are taken, and nothing changes
    let before = registry.names();
    assert!(matches!(
        load(&registry, &path),
        Err(PluginError::Refused(_))
    ));
    assert_eq!(registry.names(), before);

    // an operation keeps its library
    for name in loaded.operations {
        registry.unregister(&name).expect("registered");
    }
    drop(registry);
    close(
        &swish.value(&[&x], &none()).expect("runs")[0],
        &[0.731058578630, 1.761594155956, -0.268941421370],
    );
}

#[test]
fn a_plug_in_in_c() {
    let Some(path) = in_c("good", &[]) else {
        return;
    };
    let registry = Arc::new(Registry::new());
    let loaded = load(&registry, &path).expect("a plug-in");
    assert_eq!(loaded.operations, ["square::first", "square::square"]);
    let square = registry.get("square::square").expect("registered");
    let session = Session::new(registry);
    let x = v(array![[3.0, -4.0]]);
    let (y, dx) = session
        .gradients(&square, &[&x], &none(), None)
        .expect("runs");
    close(&y[0], &[9.0, 16.0]);
    close(dx[0].as_ref().expect("active"), &[6.0, -8.0]);
    let (_, dy) = session
        .pushforward(&square, &[&x], &[Some(&x)], &none())
        .expect("runs");
    close(&dy[0], &[18.0, 32.0]);
}

#[test]
fn bad_plug_ins_are_refused_and_leave_nothing() {
    let registry = Registry::new();
    let refused = |name: &str, defines: &[&str]| {
        let path = in_c(name, defines)?;
        let error = said(load(&registry, &path));
        assert!(registry.is_empty(), "all or nothing");
        Some(error)
    };
    let Some(version) = refused("version", &["-DABI=7"]) else {
        return;
    };
    assert_eq!(
        version,
        "a plug-in for version 7 of the table; this library has version 2"
    );
    let entry = refused("entry", &["-DENTRY=something_else"]).expect("a compiler");
    assert!(
        entry.starts_with("no plug-in: ") && entry.contains("coenzyme_plugin"),
        "{entry}"
    );
    // the second of two operations has no name of a crate
    let unnamed = refused("unnamed", &["-DNAME=\"square\""]).expect("a compiler");
    assert_eq!(
        unnamed,
        "'square' is not a name of the form 'crate::operation'"
    );
    let twice = refused("twice", &["-DNAME=\"square::first\""]).expect("a compiler");
    assert!(
        twice.starts_with("operation 'square::first' is already registered"),
        "{twice}"
    );
    let absent = said(load(&registry, Path::new("/no/such/library.so")));
    assert!(
        absent.starts_with("the plug-in cannot be opened"),
        "{absent}"
    );
}
