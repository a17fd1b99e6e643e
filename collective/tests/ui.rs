//! What the compiler says if kinds of values are mixed up. The texts are those of the toolchain named below; another one words its part
//! differently, so the test runs there only. To accept new texts: `TRYBUILD=overwrite cargo test -p coenzyme-collective --test ui`.

/// The toolchain whose texts are kept.
const TOOLCHAIN: &str = "1.95";

#[test]
fn kinds_that_are_mixed_up_do_not_compile() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = std::process::Command::new(rustc).arg("--version").output();
    let version = output
        .expect("the compiler that built this test runs")
        .stdout;
    let version = String::from_utf8(version).expect("a version is text");
    if !version.starts_with(&format!("rustc {TOOLCHAIN}.")) {
        println!("skipped: the texts are those of rustc {TOOLCHAIN}, this is {version}");
        return;
    }
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
