//! The code of the book: every block of every chapter is a doctest of this crate. `mdbook build book` makes the pages.

/// One module for each chapter; a chapter that is not listed here is not tested.
macro_rules! chapters {
    ($($name:ident: $file:literal;)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!($file)]
            mod $name {}
        )*

        #[test]
        fn every_chapter_is_tested_and_in_the_summary() {
            let listed = [$($file.trim_start_matches("src/")),*];
            let summary = include_str!("src/SUMMARY.md");
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
            for file in std::fs::read_dir(folder).expect("the folder of the chapters") {
                let name = file.expect("a file").file_name().into_string().expect("a plain name");
                if name != "SUMMARY.md" {
                    assert!(listed.contains(&&*name), "{name} is not tested");
                    assert!(summary.contains(&format!("({name})")), "{name} is not in the summary");
                }
            }
        }
    };
}

chapters! {
    tutorial: "src/tutorial.md";
    activities: "src/activities.md";
    rules: "src/rules.md";
    differentiable: "src/differentiable.md";
    checkpointing: "src/checkpointing.md";
    loops: "src/loops.md";
    gpu: "src/gpu.md";
    drivers: "src/drivers.md";
    collectives: "src/collectives.md";
    testing: "src/testing.md";
    edges: "src/edges.md";
    what_if: "src/what_if.md";
    graph: "src/graph.md";
    how: "src/how.md";
}
