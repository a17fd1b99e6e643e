//! Two-body motion, frames, times.

use std::f64::consts::{PI, TAU};

use coenzyme::{Tangent, differentiable};

pub const GM: f64 = 1.32712440018;

#[derive(Debug, Clone, Copy, PartialEq, Tangent)]
pub struct Vec3 {
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

#[differentiable]
impl Vec3 {
    pub const fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }
    pub fn dot(&self, other: &Vec3) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
    pub fn cross(self, b: Vec3) -> Vec3 {
        Vec3::new(
            self.y * b.z - self.z * b.y,
            self.z * b.x - self.x * b.z,
            self.x * b.y - self.y * b.x,
        )
    }
    pub fn norm(&self) -> f64 {
        self.dot(self).sqrt()
    }
    pub fn scale(&self, k: f64) -> Self {
        Self::new(self.x * k, self.y * k, self.z * k)
    }
    pub fn unit(&self) -> Option<Vec3> {
        let n = self.norm();
        if n > 0.0 {
            Some(self.scale(1.0 / n))
        } else {
            None
        }
    }
}

#[differentiable]
impl std::ops::Add for Vec3 {
    type Output = Vec3;
    fn add(self, o: Vec3) -> Vec3 {
        Vec3::new(self.x + o.x, self.y + o.y, self.z + o.z)
    }
}

#[differentiable]
impl std::ops::Sub for Vec3 {
    type Output = Vec3;
    fn sub(self, o: Vec3) -> Self::Output {
        Vec3::new(self.x - o.x, self.y - o.y, self.z - o.z)
    }
}

#[differentiable]
impl std::ops::Mul<f64> for Vec3 {
    type Output = Self;
    fn mul(self, k: f64) -> Self {
        Self::new(self.x * k, self.y * k, self.z * k)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum OrbitError {
    NotElliptic { eccentricity: f64 },
    NoConvergence(usize),
}

#[derive(Debug, Clone, Copy, Tangent)]
pub struct Elements {
    pub a: f64,
    pub e: f64,
    pub i: f64,
    pub raan: f64,
    pub argp: f64,
    pub m0: f64,
}

#[differentiable]
pub fn wrap_angle(x: f64) -> f64 {
    x.rem_euclid(TAU)
}

#[differentiable]
pub fn normalize_degrees(mut angle: f64) -> f64 {
    while angle < 0.0 {
        angle += 360.0;
    }
    while angle >= 360.0 {
        angle -= 360.0;
    }
    angle
}

#[differentiable]
pub fn eccentric_anomaly(m: f64, e: f64) -> Result<f64, OrbitError> {
    if !(0.0..1.0).contains(&e) {
        return Err(OrbitError::NotElliptic { eccentricity: e });
    }
    let mut ea = if e < 0.8 { m } else { PI };
    for _ in 0..50 {
        let f = ea - e * ea.sin() - m;
        let step = f / (1.0 - e * ea.cos());
        ea -= step;
        if step.abs() < 1e-14 {
            return Ok(ea);
        }
    }
    Err(OrbitError::NoConvergence(50))
}

#[differentiable]
pub fn true_anomaly(m: f64, e: f64) -> Result<f64, OrbitError> {
    let ea = eccentric_anomaly(m, e)?;
    let (s, c) = (0.5 * ea).sin_cos();
    Ok(2.0 * ((1.0 + e).sqrt() * s).atan2((1.0 - e).sqrt() * c))
}

#[differentiable]
pub fn solve_kepler(m: f64, e: f64) -> Result<f64, OrbitError> {
    eccentric_anomaly(wrap_angle(m), e)
}

#[differentiable]
pub fn radius(el: &Elements, t: f64) -> Result<f64, OrbitError> {
    let n = (GM / el.a.powi(3)).sqrt();
    eccentric_anomaly(el.m0 + n * t, el.e).map(|ea| el.a * (1.0 - el.e * ea.cos()))
}

#[differentiable]
pub fn perifocal(el: &Elements, t: f64) -> Result<[f64; 2], OrbitError> {
    let n = (GM / (el.a * el.a * el.a)).sqrt();
    let ea = solve_kepler(el.m0 + n * t, el.e)?;
    let x = el.a * (ea.cos() - el.e);
    let y = el.a * (1.0 - el.e * el.e).sqrt() * ea.sin();
    Ok([x, y])
}

#[differentiable]
pub fn rotate_z(v: Vec3, angle: f64) -> Vec3 {
    let (s, c) = angle.sin_cos();
    Vec3 {
        x: c * v.x - s * v.y,
        y: s * v.x + c * v.y,
        ..v
    }
}

#[differentiable]
pub fn rotate_x(v: Vec3, angle: f64) -> Vec3 {
    let (s, c) = angle.sin_cos();
    Vec3 {
        x: v.x,
        y: c * v.y - s * v.z,
        z: s * v.y + c * v.z,
    }
}

#[differentiable]
pub fn position(el: &Elements, t: f64) -> Result<Vec3, OrbitError> {
    let [x, y] = perifocal(el, t)?;
    let v = rotate_z(Vec3::new(x, y, 0.0), el.argp);
    let v = rotate_x(v, el.i);
    Ok(rotate_z(v, el.raan))
}

#[differentiable]
pub fn distance(a: &Elements, b: &Elements, t: f64) -> Result<f64, OrbitError> {
    let d = position(a, t)? - position(b, t)?;
    Ok(d.norm())
}

#[differentiable]
pub fn angular_momentum(r: Vec3, v: Vec3) -> Vec3 {
    r.cross(v)
}

#[differentiable]
pub fn eccentricity_vector(r: Vec3, v: Vec3) -> Option<Vec3> {
    let h = r.cross(v);
    let rhat = r.unit()?;
    Some(v.cross(h) * (1.0 / GM) - rhat)
}

#[differentiable]
pub fn semi_major_axis(r: Vec3, v: Vec3) -> Result<f64, OrbitError> {
    let energy = 0.5 * v.dot(&v) - GM / r.norm();
    if energy >= 0.0 {
        let e = eccentricity_vector(r, v).map(|e| e.norm()).unwrap_or(1.0);
        return Err(OrbitError::NotElliptic { eccentricity: e });
    }
    Ok(-GM / (2.0 * energy))
}

#[differentiable]
pub fn period(r: Vec3, v: Vec3) -> Result<f64, OrbitError> {
    semi_major_axis(r, v).map(|a| TAU * (a.powi(3) / GM).sqrt())
}

#[differentiable]
pub fn inclination(r: Vec3, v: Vec3) -> Option<f64> {
    r.cross(v).unit().map(|h| h.z.acos())
}

#[differentiable]
fn acceleration(r: &Vec3) -> Vec3 {
    let d = r.norm();
    r.scale(-GM / (d * d * d))
}

#[differentiable]
pub fn leapfrog(r: Vec3, v: Vec3, dt: f64, steps: usize) -> (Vec3, Vec3) {
    let (mut r, mut v) = (r, v);
    let mut a = acceleration(&r);
    for _ in 0..steps {
        v = v + a * (0.5 * dt);
        r = r + v * dt;
        a = acceleration(&r);
        v = v + a * (0.5 * dt);
    }
    (r, v)
}

#[differentiable]
pub fn stumpff_c(psi: f64) -> f64 {
    if psi > 1e-6 {
        (1.0 - psi.sqrt().cos()) / psi
    } else if psi < -1e-6 {
        (1.0 - (-psi).sqrt().cosh()) / psi
    } else {
        0.5 - psi / 24.0 + psi * psi / 720.0
    }
}

#[differentiable]
pub fn julian_centuries(jd: f64) -> f64 {
    (jd - 2451545.0) / 36525.0
}

#[differentiable]
pub fn solar_longitude(days: f64) -> f64 {
    let t = days / 36525.0;
    let l0 = 280.46646 + t * (36000.76983 + t * 0.0003032);
    let m = (357.52911 + t * (35999.05029 - 0.0001537 * t)).to_radians();
    let c = (1.914602 - t * (0.004817 + 0.000014 * t)) * m.sin()
        + (0.019993 - 0.000101 * t) * (2.0 * m).sin()
        + 0.000289 * (3.0 * m).sin();
    normalize_degrees(l0 + c)
}

#[differentiable]
pub fn equatorial(lambda: f64, beta: f64, eps: f64) -> (f64, f64) {
    let ra = (lambda.sin() * eps.cos() - beta.tan() * eps.sin()).atan2(lambda.cos());
    let dec = (beta.sin() * eps.cos() + beta.cos() * eps.sin() * lambda.sin()).asin();
    (if ra < 0.0 { ra + TAU } else { ra }, dec)
}

#[differentiable]
pub fn hohmann(r1: f64, r2: f64) -> (f64, f64, f64) {
    let at = (r1 + r2) / 2.0;
    let dv1 = (GM / r1).sqrt() * ((2.0 * r2 / (r1 + r2)).sqrt() - 1.0);
    let dv2 = (GM / r2).sqrt() * (1.0 - (2.0 * r1 / (r1 + r2)).sqrt());
    let tof = PI * (at.powi(3) / GM).sqrt();
    (dv1.abs(), dv2.abs(), tof)
}

fn el(k: f64) -> Elements {
    Elements {
        a: 1.0 + 0.2 * k,
        e: 0.1 + 0.05 * k,
        i: 0.3 * k,
        raan: 0.4,
        argp: 0.9 - k,
        m0: 0.2 + k,
    }
}
fn r0() -> Vec3 {
    Vec3 {
        x: 0.9,
        y: 0.3,
        z: 0.2,
    }
}
fn v0() -> Vec3 {
    Vec3 {
        x: -0.3,
        y: 0.95,
        z: 0.25,
    }
}

crate::subject::judge! {
    wrap_angle(7.3)(-0.4);
    normalize_degrees(777.0)(-30.0);
    eccentric_anomaly(0.8, 0.3)(2.0, 0.85);
    true_anomaly(0.8, 0.3);
    solve_kepler(7.0, 0.4);
    radius(&el(0.5), 1.3);
    perifocal(&el(0.5), 1.3);
    rotate_z(r0(), 0.4);
    position(&el(0.5), 1.3);
    distance(&el(0.5), &el(0.9), 1.3);
    angular_momentum(r0(), v0());
    eccentricity_vector(r0(), v0());
    semi_major_axis(r0(), v0());
    period(r0(), v0());
    inclination(r0(), v0());
    leapfrog(r0(), v0(), 0.05, 7);
    stumpff_c(0.7)(-0.4)(1e-8);
    julian_centuries(2451600.3);
    solar_longitude(500.3);
    equatorial(0.4, 0.1, 0.41)(4.4, 0.1, 0.41);
    hohmann(1.0, 1.52);
}
