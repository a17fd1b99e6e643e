//! Ellipsoids, map projections, distances.

use coenzyme::{Tangent, differentiable};
use num_traits::{Float, FloatConst};

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct Ellipsoid {
    pub a: f64,
    pub f: f64,
}

pub const WGS84: Ellipsoid = Ellipsoid {
    a: 6.378137,
    f: 1.0 / 298.257223563,
};

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct LatLon {
    pub lat: f64,
    pub lon: f64,
}

#[derive(Debug, Clone)]
pub enum GeoError {
    OutOfRange(String),
    Antipodal,
}

#[differentiable]
impl Ellipsoid {
    #[inline]
    #[must_use]
    pub fn e2(&self) -> f64 {
        self.f * (2.0 - self.f)
    }
    pub fn b(&self) -> f64 {
        self.a * (1.0 - self.f)
    }
    /// Radius of curvature in the prime vertical.
    pub fn n(&self, lat: f64) -> f64 {
        self.a / (1.0 - self.e2() * lat.sin().powi(2)).sqrt()
    }
}

impl Default for Ellipsoid {
    fn default() -> Self {
        WGS84
    }
}

#[differentiable]
pub fn geodetic_to_ecef(ell: &Ellipsoid, lat: f64, lon: f64, h: f64) -> (f64, f64, f64) {
    let n = ell.n(lat);
    let (slat, clat) = lat.sin_cos();
    let (slon, clon) = lon.sin_cos();
    (
        (n + h) * clat * clon,
        (n + h) * clat * slon,
        (n * (1.0 - ell.e2()) + h) * slat,
    )
}

#[differentiable]
pub fn ecef_to_geodetic(ell: &Ellipsoid, x: f64, y: f64, z: f64) -> (f64, f64, f64) {
    let e2 = ell.e2();
    let p = x.hypot(y);
    let lon = y.atan2(x);
    let mut lat = z.atan2(p * (1.0 - e2));
    let mut h = 0.0;
    for _ in 0..10 {
        let n = ell.n(lat);
        h = p / lat.cos() - n;
        let next = z.atan2(p * (1.0 - e2 * n / (n + h)));
        let done = (next - lat).abs() < 1e-15;
        lat = next;
        if done {
            break;
        }
    }
    (lat, lon, h)
}

#[differentiable]
pub fn haversine(a: LatLon, b: LatLon) -> f64 {
    let dlat = b.lat - a.lat;
    let dlon = b.lon - a.lon;
    let h = (dlat / 2.0).sin().powi(2) + a.lat.cos() * b.lat.cos() * (dlon / 2.0).sin().powi(2);
    2.0 * 6.371 * h.sqrt().min(1.0).asin()
}

#[differentiable]
pub fn haversine_generic<T: Float + FloatConst>(lat1: T, lon1: T, lat2: T, lon2: T) -> T {
    let two = T::one() + T::one();
    let radius = T::from(6371.0).unwrap();
    let deg = T::PI() / T::from(180.0).unwrap();
    let dlat = (lat2 - lat1) * deg;
    let dlon = (lon2 - lon1) * deg;
    let a = (dlat / two).sin().powi(2)
        + (lat1 * deg).cos() * (lat2 * deg).cos() * (dlon / two).sin().powi(2);
    radius * two * a.sqrt().asin()
}

#[differentiable]
pub fn bearing(from: LatLon, to: LatLon) -> f64 {
    let LatLon {
        lat: lat1,
        lon: lon1,
    } = from;
    let LatLon {
        lat: lat2,
        lon: lon2,
    } = to;
    let y = (lon2 - lon1).sin() * lat2.cos();
    let x = lat1.cos() * lat2.sin() - lat1.sin() * lat2.cos() * (lon2 - lon1).cos();
    (y.atan2(x).to_degrees() + 360.0) % 360.0
}

#[differentiable]
pub fn destination(from: &LatLon, bearing: f64, distance: f64) -> LatLon {
    let d = distance / 6.371;
    let lat = (from.lat.sin() * d.cos() + from.lat.cos() * d.sin() * bearing.cos()).asin();
    let lon = from.lon
        + (bearing.sin() * d.sin() * from.lat.cos()).atan2(d.cos() - from.lat.sin() * lat.sin());
    LatLon { lat, lon }
}

#[differentiable]
pub fn check(p: LatLon) -> Result<LatLon, GeoError> {
    if p.lat.abs() > std::f64::consts::FRAC_PI_2 {
        return Err(GeoError::OutOfRange(format!("latitude {}", p.lat)));
    }
    Ok(p)
}

#[differentiable]
pub fn checked_distance(a: LatLon, b: LatLon) -> Result<f64, GeoError> {
    Ok(haversine(check(a)?, check(b)?))
}

#[differentiable]
pub fn mercator(p: LatLon) -> Result<(f64, f64), GeoError> {
    let p = check(p)?;
    let y = (std::f64::consts::FRAC_PI_4 + p.lat / 2.0).tan().ln();
    Ok((WGS84.a * p.lon, WGS84.a * y))
}

#[differentiable]
pub fn meridian_arc(ell: &Ellipsoid, lat: f64) -> f64 {
    let n = ell.f / (2.0 - ell.f);
    let coefficients = [
        1.0 + n * n / 4.0 + n.powi(4) / 64.0,
        -1.5 * (n - n.powi(3) / 8.0),
        15.0 / 16.0 * (n.powi(2) - n.powi(4) / 4.0),
        -35.0 / 48.0 * n.powi(3),
    ];
    let mut arc = coefficients[0] * lat;
    for (k, c) in coefficients.iter().enumerate().skip(1) {
        arc += c * (2.0 * k as f64 * lat).sin();
    }
    ell.a / (1.0 + n) * arc
}

#[differentiable]
pub fn vincenty(ell: &Ellipsoid, p: LatLon, q: LatLon) -> Result<f64, GeoError> {
    let l = q.lon - p.lon;
    let u1 = ((1.0 - ell.f) * p.lat.tan()).atan();
    let u2 = ((1.0 - ell.f) * q.lat.tan()).atan();
    let (su1, cu1) = u1.sin_cos();
    let (su2, cu2) = u2.sin_cos();
    let mut lambda = l;
    let mut iterations = 0;
    let (sin_sigma, cos_sigma, sigma, cos2a, cos2m) = loop {
        let (sl, cl) = lambda.sin_cos();
        let ss = ((cu2 * sl).powi(2) + (cu1 * su2 - su1 * cu2 * cl).powi(2)).sqrt();
        let cs = su1 * su2 + cu1 * cu2 * cl;
        let sigma = ss.atan2(cs);
        let sina = cu1 * cu2 * sl / ss;
        let c2a = 1.0 - sina * sina;
        let c2m = cs - 2.0 * su1 * su2 / c2a;
        let c = ell.f / 16.0 * c2a * (4.0 + ell.f * (4.0 - 3.0 * c2a));
        let previous = lambda;
        lambda = l
            + (1.0 - c)
                * ell.f
                * sina
                * (sigma + c * ss * (c2m + c * cs * (-1.0 + 2.0 * c2m * c2m)));
        iterations += 1;
        if (lambda - previous).abs() < 1e-14 {
            break (ss, cs, sigma, c2a, c2m);
        }
        if iterations > 100 {
            return Err(GeoError::Antipodal);
        }
    };
    let b = ell.b();
    let u = cos2a * (ell.a * ell.a - b * b) / (b * b);
    let ka = 1.0 + u / 16384.0 * (4096.0 + u * (-768.0 + u * (320.0 - 175.0 * u)));
    let kb = u / 1024.0 * (256.0 + u * (-128.0 + u * (74.0 - 47.0 * u)));
    let ds = kb
        * sin_sigma
        * (cos2m
            + kb / 4.0
                * (cos_sigma * (-1.0 + 2.0 * cos2m * cos2m)
                    - kb / 6.0
                        * cos2m
                        * (-3.0 + 4.0 * sin_sigma * sin_sigma)
                        * (-3.0 + 4.0 * cos2m * cos2m)));
    Ok(b * ka * (sigma - ds))
}

#[differentiable]
pub fn path_length(points: &[LatLon]) -> f64 {
    points.windows(2).map(|w| haversine(w[0], w[1])).sum()
}

#[differentiable]
pub fn centroid(points: &[LatLon]) -> Option<LatLon> {
    if points.is_empty() {
        return None;
    }
    let n = points.len() as f64;
    let (lat, lon) = points
        .iter()
        .fold((0.0, 0.0), |acc, p| (acc.0 + p.lat, acc.1 + p.lon));
    Some(LatLon {
        lat: lat / n,
        lon: lon / n,
    })
}

#[differentiable]
pub fn polygon_area(points: &[LatLon]) -> f64 {
    let n = points.len();
    let mut area = 0.0;
    for i in 0..n {
        let (p, q) = (&points[i], &points[(i + 1) % n]);
        area += (q.lon - p.lon) * (2.0 + p.lat.sin() + q.lat.sin());
    }
    (area * 6.371 * 6.371 / 2.0).abs()
}

#[differentiable]
pub fn spread(points: &[LatLon]) -> Option<f64> {
    let c = centroid(points)?;
    points.iter().map(|&p| haversine(p, c)).reduce(f64::max)
}

fn p(k: f64) -> LatLon {
    LatLon {
        lat: 0.6 + 0.1 * k,
        lon: -0.3 + 0.7 * k,
    }
}
fn route() -> Vec<LatLon> {
    vec![p(0.1), p(0.5), LatLon { lat: 0.9, lon: 0.4 }, p(1.2)]
}

crate::subject::judge! {
    geodetic_to_ecef(&WGS84, 0.7, 0.3, 0.1);
    ecef_to_geodetic(&WGS84, 4.0, 1.2, 4.7);
    haversine(p(0.1), p(0.8));
    haversine_generic(48.1, 11.5, 52.5, 13.4);
    bearing(p(0.1), p(0.8));
    destination(&p(0.2), 0.8, 1.1);
    checked_distance(p(0.1), p(0.8));
    mercator(p(0.4));
    meridian_arc(&WGS84, 0.8);
    vincenty(&WGS84, p(0.1), p(0.8));
    path_length(&route());
    centroid(&route());
    polygon_area(&route());
    spread(&route());
}
