//! Writes programs at random, each a function and a test: see `src/lib.rs`.

mod class;
mod expression;
mod idiom;
mod random;
mod scope;
mod statement;
mod writer;

use std::path::Path;

use random::Random;
use writer::Writer;

fn main() {
    let number = |name: &str, otherwise: u64| match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name}={text} is no number")),
        Err(_) => otherwise,
    };
    let (seed, programs) = (number("RANDOM_SEED", 1), number("RANDOM_PROGRAMS", 12));
    let classes = class::asked_for();
    let (mut text, mut list) = (String::new(), String::new());
    for program in 0..programs {
        let name = format!("program_{seed}_{program}");
        let function =
            Writer::new(Random::new(seed << 32 | program), classes.clone()).function(&name);
        text += &format!("#[differentiable]\n{function}\n\n");
        list += &format!("judged!({name}), ");
    }
    text += &format!("const PROGRAMS: &[Judged] = &[{list}];\n");
    let folder = std::env::var("OUT_DIR").expect("cargo says where");
    std::fs::write(Path::new(&folder).join("programs.rs"), text)
        .expect("cargo's folder can be written");
    println!("cargo::rerun-if-env-changed=RANDOM_SEED");
    println!("cargo::rerun-if-env-changed=RANDOM_PROGRAMS");
    println!("cargo::rerun-if-env-changed=RANDOM_CLASSES");
    println!("cargo::rerun-if-changed=build");
}
