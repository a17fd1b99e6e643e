//! Pictures of the programs in `src/bin`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A picture of 600 by 400, whose axes have the given ranges.
pub struct Plot {
    x: [f64; 2],
    y: [f64; 2],
    svg: String,
}

impl Plot {
    /// An empty picture.
    pub fn new(title: &str, x: [f64; 2], y: [f64; 2]) -> Self {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 600 400\" font-family=\"sans-serif\" font-size=\"15\">\n\
             <rect width=\"600\" height=\"400\" fill=\"white\"/>\n<text x=\"20\" y=\"25\">{title}</text>\n"
        );
        Self { x, y, svg }
    }

    fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let part = |v: f64, [low, high]: [f64; 2]| (v - low) / (high - low);
        [
            30.0 + 540.0 * part(x, self.x),
            370.0 - 320.0 * part(y, self.y),
        ]
    }

    /// A line through points.
    pub fn line(&mut self, points: impl IntoIterator<Item = [f64; 2]>, colour: &str, width: f64) {
        let mut way = String::new();
        for point in points {
            let [x, y] = self.place(point);
            let _ = write!(way, "{x:.2},{y:.2} ");
        }
        let _ = writeln!(
            self.svg,
            "<polyline points=\"{way}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
        );
    }

    /// A dot at each point.
    pub fn dots(&mut self, points: impl IntoIterator<Item = [f64; 2]>, colour: &str) {
        for point in points {
            let [x, y] = self.place(point);
            let _ = writeln!(
                self.svg,
                "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"4\" fill=\"{colour}\"/>"
            );
        }
    }

    /// Writes the picture to `NAME.svg` in the directory that the program was built in.
    pub fn save(self, name: &str) -> std::io::Result<()> {
        let program = std::env::current_exe().unwrap_or_default();
        let target = program.ancestors().nth(2).unwrap_or(Path::new("."));
        let path: PathBuf = target.join(format!("{name}.svg"));
        std::fs::write(&path, self.svg + "</svg>\n")?;
        println!("picture: {}", path.display());
        Ok(())
    }
}
