//! A robot arm of six joints draws a circle: forward kinematics with `nalgebra`, inverse kinematics by our Jacobian and damped least
//! squares. The Jacobian is asserted against that of geometry (a joint's axis times the lever to the tool), the way of the tool against
//! the circle. The picture goes to `target/robot_arm.svg`.
//!
//! `cargo run --release --features nalgebra --example robot_arm`

use std::fmt::Write;
use std::path::{Path, PathBuf};

use coenzyme::jacobian;
use coenzyme::nalgebra::{Isometry3, Matrix6, Translation3, UnitQuaternion, Vector3, Vector6};
use coenzyme::prelude::*;

const JOINTS: usize = 6;
/// The axis about which each joint turns, and the way from the joint before, in the frame of that.
const AXIS: [[f64; 3]; JOINTS] = [
    [0.0, 0.0, 1.0],
    [0.0, 1.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
];
const LINK: [[f64; 3]; JOINTS] = [
    [0.0, 0.0, 0.1],
    [0.05, 0.0, 0.3],
    [0.0, 0.0, 0.5],
    [0.0, 0.0, 0.1],
    [0.0, 0.0, 0.35],
    [0.0, 0.0, 0.08],
];
/// From the last joint to the tool.
const TOOL: [f64; 3] = [0.0, 0.0, 0.12];

/// The frame after a joint that turns by `angle`.
#[differentiable]
fn joint(before: Isometry3<f64>, angle: f64, axis: &[f64; 3], link: &[f64; 3]) -> Isometry3<f64> {
    let shift = Translation3::new(link[0], link[1], link[2]);
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(
        axis[0] * angle,
        axis[1] * angle,
        axis[2] * angle,
    ));
    before * Isometry3::from_parts(shift, turn)
}

/// Where the tool is, and where it points.
#[differentiable]
fn tool(angles: &[f64]) -> [f64; 6] {
    let mut frame = Isometry3::identity();
    for i in 0..JOINTS {
        frame = joint(frame, angles[i], &AXIS[i], &LINK[i]);
    }
    let place =
        frame.transform_vector(&Vector3::new(TOOL[0], TOOL[1], TOOL[2])) + frame.translation.vector;
    let pointing = frame.transform_vector(&Vector3::new(0.0, 0.0, 1.0));
    [
        place.x, place.y, place.z, pointing.x, pointing.y, pointing.z,
    ]
}

/// The frames after each joint.
fn frames(angles: &[f64]) -> Vec<Isometry3<f64>> {
    let mut frame = Isometry3::identity();
    let next = |i| {
        frame = joint(frame, angles[i], &AXIS[i], &LINK[i]);
        frame
    };
    (0..JOINTS).map(next).collect()
}

/// A joint moves the tool by its axis times the lever, and turns its direction by the axis.
fn geometric(angles: &[f64]) -> Matrix6<f64> {
    let t = tool(angles);
    let (place, pointing) = (
        Vector3::new(t[0], t[1], t[2]),
        Vector3::new(t[3], t[4], t[5]),
    );
    let mut j = Matrix6::zeros();
    for (i, frame) in frames(angles).iter().enumerate() {
        // an axis is the same before and after the turn about it
        let axis = frame.rotation * Vector3::from(AXIS[i]);
        let moved = axis.cross(&(place - frame.translation.vector));
        j.fixed_view_mut::<3, 1>(0, i).copy_from(&moved);
        j.fixed_view_mut::<3, 1>(3, i)
            .copy_from(&axis.cross(&pointing));
    }
    j
}

/// Angles that bring the tool to `goal`, by damped least squares from `angles` on. Returns how many steps it took.
fn solve(angles: &mut [f64; JOINTS], goal: &Vector6<f64>) -> usize {
    // the arm may turn about the tool's direction: six numbers of five degrees of freedom
    const DAMPING: f64 = 1e-6;
    for step in 0..50 {
        let miss = goal - Vector6::from(tool(angles));
        if miss.norm() < 1e-12 {
            return step;
        }
        let j = jacobian!(tool, &*angles);
        let j = Matrix6::from_row_slice(j.as_slice());
        let normal = j.transpose() * j + Matrix6::identity() * DAMPING;
        let step = normal
            .cholesky()
            .expect("damped")
            .solve(&(j.transpose() * miss));
        angles.iter_mut().zip(&step).for_each(|(a, s)| *a += s);
    }
    panic!("the tool does not reach {goal:?} from {angles:?}");
}

/// A point of the circle, with the tool pointing down.
fn goal(turn: f64) -> Vector6<f64> {
    let angle = std::f64::consts::TAU * turn;
    let (sin, cos) = angle.sin_cos();
    Vector6::new(0.55 + 0.15 * cos, 0.15 * sin, 0.2, 0.0, 0.0, -1.0)
}

fn main() -> std::io::Result<()> {
    let mut angles = [0.1, 0.6, 1.2, 0.1, 1.3, 0.0];
    let j = jacobian!(tool, &angles);
    let far = Matrix6::from_row_slice(j.as_slice()) - geometric(&angles);
    println!(
        "Jacobian, farthest from that of geometry: {:.1e}",
        far.abs().max()
    );
    assert!(far.abs().max() < 1e-14);

    println!("steps to the circle: {}", solve(&mut angles, &goal(0.0)));
    const POINTS: usize = 72;
    let (mut poses, mut steps) = (Vec::new(), 0);
    for i in 0..POINTS {
        let goal = goal(i as f64 / POINTS as f64);
        steps += solve(&mut angles, &goal);
        assert!((Vector6::from(tool(&angles)) - goal).norm() < 1e-12);
        poses.push(angles);
    }
    println!(
        "steps from point to point, on average: {:.2}",
        steps as f64 / POINTS as f64
    );
    assert!(steps <= 6 * POINTS);

    let path = target().join("robot_arm.svg");
    std::fs::write(&path, svg(&poses))?;
    println!("picture: {}", path.display());
    Ok(())
}

/// The arm in some poses, and the way of its tool, seen obliquely from above.
fn svg(poses: &[[f64; JOINTS]]) -> String {
    let place = |p: [f64; 3]| {
        let (x, y) = (
            150.0 + 420.0 * (p[0] + 0.35 * p[1]),
            400.0 - 420.0 * (p[2] + 0.35 * p[1]),
        );
        format!("{x:.1},{y:.1} ")
    };
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 600 440\">\n<rect width=\"600\" height=\"440\" fill=\"white\"/>\n",
    );
    let mut way = String::new();
    for (i, angles) in poses.iter().enumerate() {
        let t = tool(angles);
        way += &place([t[0], t[1], t[2]]);
        if i % 12 != 0 {
            continue;
        }
        let mut arm = place([0.0; 3]);
        for frame in frames(angles) {
            arm += &place(frame.translation.vector.into());
        }
        arm += &place([t[0], t[1], t[2]]);
        let shade = if i == 0 { "#1b6ca8" } else { "#9cc3dd" };
        let _ = writeln!(
            svg,
            "<polyline points=\"{arm}\" fill=\"none\" stroke=\"{shade}\" stroke-width=\"5\" stroke-linejoin=\"round\"/>"
        );
    }
    svg + &format!(
        "<polygon points=\"{way}\" fill=\"none\" stroke=\"#d95f02\" stroke-width=\"2\"/>\n</svg>\n"
    )
}

/// The directory that this program was built in: `target`, two above `release/examples`.
fn target() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().nth(3);
    target.unwrap_or(Path::new(".")).to_owned()
}
