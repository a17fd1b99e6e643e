//! Geometry: rays, polygons, rotations.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Copy, Debug, Tangent)]
struct Vec3 {
    x: f64,
    y: f64,
    z: f64,
}

#[differentiable]
impl Vec3 {
    fn new(x: f64, y: f64, z: f64) -> Self {
        Self { x, y, z }
    }
    fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }
    fn sub(self, o: Vec3) -> Vec3 {
        Vec3::new(self.x - o.x, self.y - o.y, self.z - o.z)
    }
    fn scale(self, k: f64) -> Vec3 {
        Vec3 {
            x: self.x * k,
            y: self.y * k,
            z: self.z * k,
        }
    }
    fn length(&self) -> f64 {
        (self.x.powi(2) + self.y.powi(2) + self.z.powi(2)).sqrt()
    }
    fn normalized(&self) -> Vec3 {
        let l = self.length();
        Vec3 {
            x: self.x / l,
            y: self.y / l,
            z: self.z / l,
        }
    }
}

#[differentiable]
fn hit_distance(origin: &Vec3, direction: &Vec3, center: &Vec3, radius: f64) -> f64 {
    let oc = origin.sub(*center);
    let d = direction.normalized();
    let b = oc.dot(d);
    let c = oc.dot(oc) - radius * radius;
    let disc = b * b - c;
    if disc < 0.0 {
        return -1.0;
    }
    let sq = disc.sqrt();
    let t0 = -b - sq;
    if t0 > 0.0 { t0 } else { -b + sq }
}

#[differentiable]
fn polygon_area(points: &[(f64, f64)]) -> f64 {
    let n = points.len();
    let mut area = 0.0;
    for i in 0..n {
        let (x0, y0) = points[i];
        let (x1, y1) = points[(i + 1) % n];
        area += x0 * y1 - x1 * y0;
    }
    0.5 * area.abs()
}

#[differentiable]
fn path_length(points: &[[f64; 2]]) -> f64 {
    points
        .windows(2)
        .map(|w| {
            let dx = w[1][0] - w[0][0];
            let dy = w[1][1] - w[0][1];
            dx.hypot(dy)
        })
        .sum()
}

#[differentiable]
fn det3(m: [[f64; 3]; 3]) -> f64 {
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
}

#[differentiable]
fn rotate(q: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let [w, x, y, z] = q;
    let norm = (w * w + x * x + y * y + z * z).sqrt();
    let (w, x, y, z) = (w / norm, x / norm, y / norm, z / norm);
    let m = [
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
        ],
        [
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
        ],
        [
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
        ],
    ];
    let mut out = [0.0; 3];
    for (o, row) in out.iter_mut().zip(m.iter()) {
        *o = row.iter().zip(v.iter()).map(|(a, b)| a * b).sum();
    }
    out
}

#[differentiable]
fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[differentiable]
fn triangle_area(tri: &[[f64; 3]]) -> f64 {
    let edge = |i: usize, j: usize| -> [f64; 3] {
        [
            tri[j][0] - tri[i][0],
            tri[j][1] - tri[i][1],
            tri[j][2] - tri[i][2],
        ]
    };
    let n = cross(edge(0, 1), edge(0, 2));
    0.5 * n.iter().map(|c| c * c).sum::<f64>().sqrt()
}

judge! {
    hit_distance(&Vec3{x: 0.1, y: 0.2, z: -3.0}, &Vec3 {x: 0.05, y: -0.02, z: 1.0}, &Vec3 {x: 0.0, y: 0.1, z: 0.2}, 1.0);
    polygon_area(&vec![(0.0, 0.1), (1.0, 0.2), (0.9, 1.3), (-0.1, 0.9)]);
    path_length(&vec![[0.0, 0.1], [1.0, 0.2], [0.9, 1.3]]);
    det3([[0.1, 0.2, 0.4], [0.3, 0.4, -0.3], [0.5, 0.1, 1.0]]);
    rotate([0.9, 0.1, -0.2, 0.3], [0.3, 1.0, 2.0]);
    triangle_area(&vec![[0.1, 0.2, 0.0], [1.0, 0.1, 0.3], [0.4, 0.8, -0.5]]);
}
