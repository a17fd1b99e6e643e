//! Methods of a type of one's own that are named like functions of numbers, on places of which the file alone tells the type.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

/// Astronomy: Julian date, sidereal time, equatorial to horizontal, struct update and tuple returns
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Angle {
    radians: f64,
}
#[differentiable]
impl Angle {
    fn from_degrees(d: f64) -> Angle {
        Angle {
            radians: d.to_radians(),
        }
    }
    fn from_hours(h: f64) -> Angle {
        Angle::from_degrees(15.0 * h)
    }
    fn degrees(&self) -> f64 {
        self.radians.to_degrees()
    }
    fn normalized(self) -> Angle {
        Angle {
            radians: self.radians.rem_euclid(std::f64::consts::TAU),
        }
    }
    fn sin(self) -> f64 {
        self.radians.sin()
    }
    fn cos(self) -> f64 {
        self.radians.cos()
    }
    fn tan(self) -> f64 {
        self.sin() / self.cos()
    }
}
#[differentiable]
impl std::ops::Sub for Angle {
    type Output = Angle;
    fn sub(self, o: Angle) -> Angle {
        Angle {
            radians: self.radians - o.radians,
        }
    }
}
#[derive(Clone, Copy, Debug, Tangent)]
struct Observer {
    lat: Angle,
    lon: Angle,
}
#[derive(Clone, Copy, Debug, Tangent)]
struct Equatorial {
    ra: Angle,
    dec: Angle,
}
#[differentiable]
fn gmst(jd: f64) -> Angle {
    let t = (jd - 2451545.0) / 36525.0;
    Angle::from_degrees(
        280.46061837 + 360.98564736629 * (jd - 2451545.0) + t * t * (0.000387933 - t / 38710000.0),
    )
    .normalized()
}
#[differentiable]
fn horizontal(o: &Observer, e: &Equatorial, jd: f64) -> (Angle, Angle) {
    let ha = gmst(jd) - e.ra;
    let h = Angle {
        radians: ha.radians + o.lon.radians,
    };
    let alt = (o.lat.sin() * e.dec.sin() + o.lat.cos() * e.dec.cos() * h.cos()).asin();
    let az = h
        .sin()
        .atan2(h.cos() * o.lat.sin() - e.dec.tan() * o.lat.cos());
    (Angle { radians: az }.normalized(), Angle { radians: alt })
}
#[differentiable]
fn mass(lat: f64, ra: f64, dec: f64) -> f64 {
    let me = Observer {
        lat: Angle::from_degrees(lat),
        lon: Angle::from_degrees(8.5),
    };
    let star = Equatorial {
        ra: Angle::from_hours(ra),
        dec: Angle::from_degrees(dec),
    };
    let (az, alt) = horizontal(&me, &star, 2451545.3);
    let z = 90.0 - alt.degrees();
    if z >= 90.0 {
        return f64::INFINITY;
    }
    1.0 / (z.to_radians().cos() + 0.50572 * (96.07995 - z).powf(-1.6364))
        + 0.01 * az.degrees().sqrt()
}
judge! { mass(47.0, 4.0, 38.0) (47.0, 1.0, 38.0) (47.0, 20.0, 38.0); }
