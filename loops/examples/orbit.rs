//! The orbit of Mars from the twelve oppositions that Tycho Brahe and Kepler observed (J. Kepler, *Astronomia nova*, 1609, chapter 15): at an opposition
//! the earth stands between the sun and Mars, so that the longitude in which Mars is seen is that in which the sun sees it.
//!
//! Four elements by least squares, with what Kepler found beside them, and by the derivative of the minimum how much each observation has to say: the standard
//! deviation of an element that an error of one minute of arc in every longitude makes.
//!
//! Writes `orbit.png`, what is left of each longitude in minutes of arc, to the folder that is given, or to `target/pictures`.

use std::f64::consts::{PI, TAU};

use coenzyme::prelude::*;
use coenzyme::{Jacobian, Real, jacobian};
use coenzyme_loops::{Error, LeastSquares, least_squares};

#[path = "pictures/mod.rs"]
mod pictures;
use pictures::{Curve, Frame};

/// Days since the beginning of 1590, old style, and degrees, minutes and seconds of longitude.
const OPPOSITIONS: [(f64, [f64; 3]); 12] = [
    (-3330.9368, [66.0, 28.0, 35.0]),  // 1580-11-18 01:31
    (-2560.8347, [106.0, 55.0, 30.0]), // 1582-12-28 03:58
    (-1796.1986, [141.0, 36.0, 10.0]), // 1585-01-30 19:14
    (-1031.6924, [175.0, 43.0, 0.0]),  // 1587-03-06 07:23
    (-261.7340, [214.0, 23.0, 0.0]),   // 1589-04-14 06:23
    (523.3215, [266.0, 43.0, 0.0]),    // 1591-06-08 07:43
    (1332.7271, [342.0, 16.0, 0.0]),   // 1593-08-25 17:27
    (2129.0271, [47.0, 31.0, 40.0]),   // 1595-10-31 00:39
    (2903.6556, [92.0, 28.0, 0.0]),    // 1597-12-13 15:44
    (3669.5847, [128.0, 38.0, 0.0]),   // 1600-01-18 14:02
    (4433.5924, [162.0, 27.0, 0.0]),   // 1602-02-20 14:13
    (5200.6826, [198.0, 37.0, 10.0]),  // 1604-03-28 16:23
];

/// A minute of arc.
const MINUTE: f64 = PI / 180.0 / 60.0;

/// Days in the unit of time: the angles of `x` are all of one size.
const UNIT: f64 = 100.0;

/// The longitude on an ellipse, of `x = (mean motion, mean longitude in the beginning, e·cos ϖ, e·sin ϖ)`.
#[differentiable]
fn longitude<T: Real>(x: &[T], #[constant] time: f64) -> T {
    let eccentricity = (x[2] * x[2] + x[3] * x[3]).sqrt();
    let perihelion = x[3].atan2(x[2]);
    let mean = x[1] + x[0] * T::lit(time) - perihelion;
    // Kepler's equation, by Newton's method
    let mut anomaly = mean;
    for _ in 0..8 {
        let residual = anomaly - eccentricity * anomaly.sin() - mean;
        anomaly -= residual / (T::one() - eccentricity * anomaly.cos());
    }
    let half = anomaly * T::lit(0.5);
    let y = (T::one() + eccentricity).sqrt() * half.sin();
    let x = (T::one() - eccentricity).sqrt() * half.cos();
    T::lit(2.0) * y.atan2(x) + perihelion
}

/// The sines of what is left of the observed longitudes, which do not know of full turns.
#[differentiable]
fn residuals<T: Real>(r: &mut [T], x: &[T], observed: &[T]) {
    for i in 0..observed.len() {
        r[i] = (observed[i] - longitude(x, OPPOSITIONS[i].0 / UNIT)).sin();
    }
}

/// The elements `x` that fit best. The search begins with a circle, nearly, and the period that Copernicus gives.
#[differentiable]
fn fitted(observed: &[f64]) -> Result<Vec<f64>, Error> {
    let mut x = vec![TAU * UNIT / 687.0, 0.0, 0.05, 0.0];
    let how = LeastSquares::new(12, 1e-10, 100);
    least_squares(&mut x, observed, Inactive(residuals {}), how)?;
    Ok(x)
}

/// Days of a revolution, eccentricity, degrees of the aphelion.
#[differentiable]
fn elements(observed: &[f64]) -> Result<Vec<f64>, Error> {
    let x = fitted(observed)?;
    let eccentricity = (x[2] * x[2] + x[3] * x[3]).sqrt();
    let aphelion = 180.0 + x[3].atan2(x[2]).to_degrees();
    Ok(vec![TAU * UNIT / x[0], eccentricity, aphelion])
}

/// What one minute of arc in every longitude makes of an element.
fn deviation(influence: &Jacobian, element: usize) -> f64 {
    let row = influence.row(element).iter();
    MINUTE * row.map(|d| d * d).sum::<f64>().sqrt()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let observed = OPPOSITIONS.map(|(_, [d, m, s])| (60.0 * d + m + s / 60.0) * MINUTE);
    let found = elements(&observed)?;
    let influence = jacobian(&elements {}, &observed)?;
    let kepler = [686.98, 0.09264, 148.816];
    let names = [
        "days of a revolution",
        "eccentricity",
        "degrees of the aphelion",
    ];
    for (i, name) in names.iter().enumerate() {
        let deviation = deviation(&influence, i);
        println!(
            "{name:24} {:9.5} ± {deviation:.5}   Kepler: {}",
            found[i], kepler[i]
        );
    }
    // the motion is one against the equinoxes here, 0.04 days shorter than against the stars
    assert!((found[0] - kepler[0]).abs() < 0.1);
    assert!((found[1] - kepler[1]).abs() < 2.0 * deviation(&influence, 1));
    assert!((found[2] - kepler[2]).abs() < 1.0);

    let moved = |h: f64| {
        let mut observed = observed;
        observed[5] += h;
        elements(&observed)
    };
    let (more, less) = (moved(1e-4)?, moved(-1e-4)?);
    for i in 0..3 {
        let difference = (more[i] - less[i]) / 2e-4;
        assert!((influence[(i, 5)] - difference).abs() < 1e-5 * difference.abs().max(1.0));
    }

    let mut left = [0.0; 12];
    residuals(&mut left, &fitted(&observed)?, &observed);
    let left = left.map(|r| r.asin() / MINUTE);
    // eight minutes were what the circle left, and what the New Astronomy came from
    assert!(left.iter().all(|r| r.abs() < 2.0));
    let at = |i: usize| 1590.0 + OPPOSITIONS[i].0 / 365.25;
    let points = (0..12).map(|i| (at(i), left[i])).collect();
    let folder = pictures::folder();
    let zero = Curve::line(vec![(1580.0, 0.0), (1605.0, 0.0)]);
    let frame = Frame::new(1580.0..1605.0, -3.0..3.0, vec![zero, Curve::points(points)]);
    frame.save(&folder.join("orbit.png"))?;
    println!(
        "what is left: at most {:.2}', in {}",
        left.iter().fold(0.0, |a: f64, r| a.max(r.abs())),
        folder.display()
    );
    Ok(())
}
