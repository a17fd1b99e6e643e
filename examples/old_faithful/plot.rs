//! The picture: observations, fitted components and convergence, as SVG.

use std::f64::consts::TAU;
use std::fmt::Write;

use super::data::Observation;
use super::fit::Step;
use super::model::responsibilities;

/// The colours of the two components.
const COLOURS: [[u8; 3]; 2] = [[0xd9, 0x5f, 0x02], [0x1b, 0x6c, 0xa8]];
/// The radii, in standard deviations, of the ellipses that hold half and 95 % of a plane normal distribution.
const RADII: [f64; 2] = [1.1774, 2.4477];
const HEAD: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 460" font-family="sans-serif" font-size="13" fill="#333">
<rect width="1000" height="460" fill="white"/>
"##;

/// A rectangle of the picture, and the coordinates in it.
struct Panel {
    left: f64,
    width: f64,
    x: (f64, f64),
    y: (f64, f64),
}

const TOP: f64 = 50.0;
const HEIGHT: f64 = 350.0;

impl Panel {
    fn x(&self, x: f64) -> f64 {
        self.left + (x - self.x.0) / (self.x.1 - self.x.0) * self.width
    }

    fn y(&self, y: f64) -> f64 {
        TOP + HEIGHT - (y - self.y.0) / (self.y.1 - self.y.0) * HEIGHT
    }

    /// The points as SVG writes them.
    fn points(&self, points: impl IntoIterator<Item = Observation>) -> String {
        let points = points.into_iter();
        let points = points.map(|[x, y]| format!("{:.1},{:.1}", self.x(x), self.y(y)));
        points.collect::<Vec<_>>().join(" ")
    }

    /// Title, labels, and a line across for each tick.
    fn axes(&self, title: &str, labels: [&str; 2], ticks: [&[(f64, String)]; 2]) -> String {
        let (left, width, bottom) = (self.left, self.width, TOP + HEIGHT);
        let mut svg = format!(
            r##"<text x="{left}" y="28" font-size="16" font-weight="bold">{title}</text>
<text x="{:.1}" y="{}" text-anchor="middle">{}</text>
<text transform="translate({:.1} {}) rotate(-90)" text-anchor="middle">{}</text>
"##,
            left + width / 2.0,
            bottom + 42.0,
            labels[0],
            left - 44.0,
            TOP + HEIGHT / 2.0,
            labels[1],
        );
        for (x, text) in ticks[0] {
            let x = self.x(*x);
            svg += &format!(
                r##"<path d="M{x:.1} {TOP}V{bottom}" stroke="#eee"/><text x="{x:.1}" y="{}" text-anchor="middle">{text}</text>
"##,
                bottom + 19.0
            );
        }
        for (y, text) in ticks[1] {
            let y = self.y(*y);
            svg += &format!(
                r##"<path d="M{left} {y:.1}h{width}" stroke="#eee"/><text x="{:.1}" y="{:.1}" text-anchor="end">{text}</text>
"##,
                left - 8.0,
                y + 4.5
            );
        }
        svg + &format!(
            r##"<rect x="{left}" y="{TOP}" width="{width}" height="{HEIGHT}" fill="none" stroke="#999"/>
"##
        )
    }
}

/// The picture of a fit.
pub(crate) fn svg(data: &[Observation], steps: &[Step]) -> String {
    [HEAD, &fitted(data, steps), &convergence(steps), "</svg>\n"].concat()
}

/// Left: the observations, each component's ellipses, and the way of its mean from start to fit.
fn fitted(data: &[Observation], steps: &[Step]) -> String {
    let panel = Panel {
        left: 70.0,
        width: 500.0,
        x: (1.2, 5.6),
        y: (38.0, 100.0),
    };
    let ticks = |values: &[i32]| {
        values
            .iter()
            .map(|&v| (f64::from(v), v.to_string()))
            .collect()
    };
    let ticks: [Vec<_>; 2] = [ticks(&[2, 3, 4, 5]), ticks(&[40, 50, 60, 70, 80, 90, 100])];
    let mut svg = panel.axes(
        "Old Faithful: two kinds of eruptions",
        [
            "length of the eruption (minutes)",
            "waiting time to the next (minutes)",
        ],
        [&ticks[0], &ticks[1]],
    );
    let theta = &steps.last().expect("a fit has iterations").theta;
    for (observation, r) in data.iter().zip(responsibilities(theta, data)) {
        let [red, green, blue] =
            [0, 1, 2].map(|i| r * f64::from(COLOURS[0][i]) + (1.0 - r) * f64::from(COLOURS[1][i]));
        let (x, y) = (panel.x(observation[0]), panel.y(observation[1]));
        let _ = writeln!(
            svg,
            r##"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="rgb({red:.0},{green:.0},{blue:.0})" fill-opacity="0.55"/>"##
        );
    }
    for (component, [red, green, blue]) in COLOURS.into_iter().enumerate() {
        let first = 1 + 5 * component;
        let way = panel.points(steps.iter().map(|s| [s.theta[first], s.theta[first + 1]]));
        let colour = format!("rgb({red},{green},{blue})");
        let _ = writeln!(
            svg,
            r##"<polyline points="{way}" fill="none" stroke="#333" stroke-dasharray="3 2"/>"##
        );
        for radius in RADII {
            let ellipse = panel.points((0..90).map(|i| on_ellipse(&theta[first..], radius, i)));
            let _ = writeln!(
                svg,
                r##"<polygon points="{ellipse}" fill="{colour}" fill-opacity="0.08" stroke="{colour}" stroke-width="1.8"/>"##
            );
        }
        let (x, y) = (panel.x(theta[first]), panel.y(theta[first + 1]));
        let _ = writeln!(
            svg,
            r##"<circle cx="{x:.1}" cy="{y:.1}" r="4.5" fill="{colour}" stroke="white" stroke-width="1.5"/>"##
        );
    }
    svg
}

/// Point `i` of 90: `μ + radius·L·(cos, sin)`.
fn on_ellipse(p: &[f64], radius: f64, i: usize) -> Observation {
    let (sin, cos) = (TAU * f64::from(i as u32) / 90.0).sin_cos();
    [
        p[0] + radius * p[2].exp() * cos,
        p[1] + radius * (p[3] * cos + p[4].exp() * sin),
    ]
}

/// Right: how far the likelihood is from its maximum, and the gradient from zero, iteration by iteration.
fn convergence(steps: &[Step]) -> String {
    let panel = Panel {
        left: 660.0,
        width: 320.0,
        x: (0.0, steps.len() as f64),
        y: (-9.0, 5.0),
    };
    let iterations: Vec<_> = (0..=steps.len())
        .step_by(20)
        .map(|i| (i as f64, i.to_string()))
        .collect();
    let powers: Vec<_> = (-4..=2)
        .map(|i| 2 * i)
        .map(|power| {
            (
                f64::from(power),
                format!(r#"10<tspan dy="-5" font-size="9">{power}</tspan>"#),
            )
        })
        .collect();
    let mut svg = panel.axes("Convergence", ["iteration", ""], [&iterations, &powers]);
    let best = steps
        .iter()
        .map(|s| s.log_likelihood)
        .fold(f64::NEG_INFINITY, f64::max);
    let missing: Vec<_> = steps.iter().map(|s| best - s.log_likelihood).collect();
    let norms: Vec<_> = steps.iter().map(|s| s.gradient_norm).collect();
    let curves = [
        ("log-likelihood below its maximum", missing, "#1b6ca8"),
        ("norm of the mean gradient", norms, "#d95f02"),
    ];
    for (row, (text, values, colour)) in curves.into_iter().enumerate() {
        let seen = values
            .iter()
            .enumerate()
            .filter(|(_, v)| v.log10() > panel.y.0);
        let curve = panel.points(seen.map(|(i, v)| [i as f64, v.log10()]));
        let y = TOP + 22.0 + 20.0 * row as f64;
        let _ = writeln!(
            svg,
            r##"<polyline points="{curve}" fill="none" stroke="{colour}" stroke-width="1.8"/>
<path d="M705 {y}h22" stroke="{colour}" stroke-width="2.5"/><text x="734" y="{}">{text}</text>"##,
            y + 4.5
        );
    }
    svg
}
