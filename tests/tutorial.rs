//! The tutorial, as a program, prints what the book says it prints.

use std::process::Command;

/// What the program prints, without its headings: the numbers of Enzyme's tutorial.
const PRINTED: &[&str] = &[
    // generated
    "forward of g: (120.0,), dy = [6.0, 0.0]",
    "reverse of g: dx = [120.0, 40.0], dy = [0.0, 0.0]",
    "reverse of h: dx = [120.0, 40.0], dy = [0.0, 0.0], and x is now [9.0, 1.0]",
    // specific
    "Using custom rule!",
    "forward of g: (120.0,), dy = [6.0, 0.0]",
    "Using custom rule with DuplicatedNoNeed output.",
    "forward of f: (6.0,), dy = [6.0, 0.0], y = [9.0, 1.0]",
    // general
    "Using our general custom rule!",
    "y and x Duplicated: (120.0,), dy = [6.0, 0.0]",
    "Using our general custom rule!",
    "y Const: (0.0,)",
    "Using our general custom rule!",
    "y and x Const: (0.0,)",
    "Using our general custom rule!",
    "two lanes: ([120.0, 40.0],), dy = [[6.0, 0.0], [0.0, 2.0]]",
    // reverse
    "In custom augmented primal rule.",
    "In custom reverse rule.",
    "reverse of g: dx = [120.0, 40.0], dy = [0.0, 0.0], copies of x: 0",
    "In custom augmented primal rule.",
    "In custom reverse rule.",
    "reverse of h: dx = [120.0, 40.0], dy = [0.0, 0.0], copies of x: 1",
    // inactive
    "Hi!",
    "derivative of x² at 2: (4.0,)",
    "derivative of 3x with double(x) wrongly inactive: (1.0,)",
];

fn lines(of: &str) -> Vec<&str> {
    of.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

#[test]
fn the_tutorial_prints_its_numbers() {
    let output = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--example", "tutorial"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(lines(&printed), PRINTED);
}
