//! Pictures of curves, without text: no fonts of the system are needed.

#![allow(dead_code, reason = "each example uses some of it")]

use std::ops::Range;
use std::path::{Path, PathBuf};

use plotters::coord::Shift;
use plotters::prelude::*;

const SIZE: (u32, u32) = (640, 420);

/// The folder that is given as the first argument, or `target/pictures`.
pub(crate) fn folder() -> PathBuf {
    let given = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = given.unwrap_or_else(|| PathBuf::from("target/pictures"));
    std::fs::create_dir_all(&folder).expect("a folder for pictures");
    folder
}

/// Points that are joined, or not, or the space between two curves.
#[derive(Clone, Debug)]
pub(crate) enum Curve {
    Line(Vec<(f64, f64)>),
    Points(Vec<(f64, f64)>),
    Band(Vec<(f64, f64)>),
}

impl Curve {
    pub(crate) fn line(points: Vec<(f64, f64)>) -> Self {
        Self::Line(points)
    }

    pub(crate) fn points(points: Vec<(f64, f64)>) -> Self {
        Self::Points(points)
    }

    /// Between `lower` and `upper`.
    pub(crate) fn band(lower: Vec<(f64, f64)>, upper: Vec<(f64, f64)>) -> Self {
        Self::Band(lower.into_iter().chain(upper.into_iter().rev()).collect())
    }
}

/// Curves in a window of the plane.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    x: Range<f64>,
    y: Range<f64>,
    curves: Vec<Curve>,
    mark: Option<(f64, f64)>,
}

type Failure = Box<dyn std::error::Error>;

impl Frame {
    pub(crate) fn new(x: Range<f64>, y: Range<f64>, curves: Vec<Curve>) -> Self {
        let mark = None;
        Self { x, y, curves, mark }
    }

    /// With a cross at a point.
    pub(crate) fn with_mark(self, at: (f64, f64)) -> Self {
        Self {
            mark: Some(at),
            ..self
        }
    }

    pub(crate) fn save(&self, file: &Path) -> Result<(), Failure> {
        let area = BitMapBackend::new(file, SIZE).into_drawing_area();
        self.draw(&area)
    }

    fn draw(&self, area: &DrawingArea<BitMapBackend<'_>, Shift>) -> Result<(), Failure> {
        area.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        let mut mesh = chart.configure_mesh();
        mesh.x_labels(8)
            .y_labels(8)
            .light_line_style(TRANSPARENT)
            .draw()?;
        for (i, curve) in self.curves.iter().enumerate() {
            let color = Palette99::pick(i).to_rgba();
            match curve {
                Curve::Line(points) => {
                    let style = color.stroke_width(2);
                    chart.draw_series(LineSeries::new(points.iter().copied(), style))?;
                }
                Curve::Points(points) => {
                    let dots = points.iter().map(|at| Circle::new(*at, 3, color.filled()));
                    chart.draw_series(dots)?;
                }
                Curve::Band(points) => {
                    let band = Polygon::new(points.clone(), color.mix(0.25));
                    chart.draw_series([band])?;
                }
            }
        }
        if let Some(at) = self.mark {
            chart.draw_series([Cross::new(at, 6, BLACK.stroke_width(2))])?;
        }
        area.present()?;
        Ok(())
    }
}

/// The frames one after the other, a third of a second each.
pub(crate) fn animate(frames: &[Frame], file: &Path) -> Result<(), Failure> {
    let area = BitMapBackend::gif(file, SIZE, 330)?.into_drawing_area();
    frames.iter().try_for_each(|frame| frame.draw(&area))
}
