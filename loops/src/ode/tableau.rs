//! Runge–Kutta methods: their coefficients.

/// The coefficients of a diagonally implicit Runge–Kutta method, explicit if the diagonal is zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tableau {
    /// The rows below the diagonal.
    pub(super) a: &'static [&'static [f64]],
    /// The diagonal, the same in all stages.
    pub(super) diagonal: f64,
    pub(super) b: &'static [f64],
    pub(super) c: &'static [f64],
    /// The difference of `b` to the weights of the embedded method, with one for the derivative at the new state.
    pub(super) error: Option<&'static [f64]>,
    /// The order by which step sizes are chosen.
    pub(super) order: i32,
}

/// A Runge–Kutta method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Euler's method: order 1, one stage.
    Euler,
    /// The explicit midpoint rule: order 2, two stages.
    Midpoint,
    /// The classical Runge–Kutta method: order 4, four stages.
    Rk4,
    /// Dormand and Prince's method: order 5, with step sizes chosen by an error estimate of order 4. doi:10.1016/0771-050X(80)90013-3
    DormandPrince,
    /// The implicit Euler method: order 1, L-stable, for stiff equations.
    ImplicitEuler,
    /// Alexander's method of two implicit stages: order 2, L-stable, for stiff equations, with step sizes chosen by an error estimate of
    /// order 1. doi:10.1137/0714068
    Sdirk2,
    /// Hairer and Wanner's method of five implicit stages: order 4, L-stable, for stiff equations that are solved to more than three or four
    /// digits, with step sizes chosen by an error estimate of order 3. *Solving Ordinary Differential Equations II*, table IV.6.5
    Sdirk4,
}

/// `1 − 1/√2`
const GAMMA: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

impl Method {
    pub(super) const fn tableau(self) -> Tableau {
        match self {
            Method::Euler => Tableau {
                a: &[&[]],
                diagonal: 0.0,
                b: &[1.0],
                c: &[0.0],
                error: None,
                order: 1,
            },
            Method::Midpoint => Tableau {
                a: &[&[], &[0.5]],
                diagonal: 0.0,
                b: &[0.0, 1.0],
                c: &[0.0, 0.5],
                error: None,
                order: 2,
            },
            Method::Rk4 => Tableau {
                a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
                diagonal: 0.0,
                b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
                c: &[0.0, 0.5, 0.5, 1.0],
                error: None,
                order: 4,
            },
            Method::DormandPrince => DORMAND_PRINCE,
            Method::ImplicitEuler => Tableau {
                a: &[&[]],
                diagonal: 1.0,
                b: &[1.0],
                c: &[1.0],
                error: None,
                order: 1,
            },
            Method::Sdirk2 => Tableau {
                a: &[&[], &[1.0 - GAMMA]],
                diagonal: GAMMA,
                b: &[1.0 - GAMMA, GAMMA],
                c: &[GAMMA, 1.0],
                // beside the implicit Euler method's `x + h·k₂`
                error: Some(&[1.0 - GAMMA, GAMMA - 1.0, 0.0]),
                order: 2,
            },
            Method::Sdirk4 => SDIRK4,
        }
    }
}

const SDIRK4: Tableau = Tableau {
    a: &[
        &[],
        &[1.0 / 2.0],
        &[17.0 / 50.0, -1.0 / 25.0],
        &[371.0 / 1360.0, -137.0 / 2720.0, 15.0 / 544.0],
        &[25.0 / 24.0, -49.0 / 48.0, 125.0 / 16.0, -85.0 / 12.0],
    ],
    diagonal: 1.0 / 4.0,
    b: &[
        25.0 / 24.0,
        -49.0 / 48.0,
        125.0 / 16.0,
        -85.0 / 12.0,
        1.0 / 4.0,
    ],
    c: &[1.0 / 4.0, 3.0 / 4.0, 11.0 / 20.0, 1.0 / 2.0, 1.0],
    error: Some(&[-3.0 / 16.0, -27.0 / 32.0, 25.0 / 32.0, 0.0, 1.0 / 4.0, 0.0]),
    order: 4,
};

const DORMAND_PRINCE: Tableau = Tableau {
    a: &[
        &[],
        &[1.0 / 5.0],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[
            19372.0 / 6561.0,
            -25360.0 / 2187.0,
            64448.0 / 6561.0,
            -212.0 / 729.0,
        ],
        &[
            9017.0 / 3168.0,
            -355.0 / 33.0,
            46732.0 / 5247.0,
            49.0 / 176.0,
            -5103.0 / 18656.0,
        ],
    ],
    diagonal: 0.0,
    b: &[
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
    c: &[0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0],
    error: Some(&[
        71.0 / 57600.0,
        0.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339_200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ]),
    order: 5,
};

#[cfg(test)]
mod tests {
    use super::Method;

    /// `Σb = 1`, `Σⱼ aᵢⱼ = cᵢ`, and the errors' weights add up to nothing.
    #[test]
    fn coefficients_are_consistent() {
        for method in [
            Method::Euler,
            Method::Midpoint,
            Method::Rk4,
            Method::DormandPrince,
            Method::ImplicitEuler,
            Method::Sdirk2,
            Method::Sdirk4,
        ] {
            let t = method.tableau();
            assert!((t.b.iter().sum::<f64>() - 1.0).abs() < 1e-15);
            for (row, c) in t.a.iter().zip(t.c) {
                assert!(
                    (row.iter().sum::<f64>() + t.diagonal - c).abs() < 1e-14,
                    "{method:?}"
                );
            }
            assert!(t.error.is_none_or(|e| e.iter().sum::<f64>().abs() < 1e-15));
        }
    }

    /// The conditions of order 4: `b·cᵏ = 1/(k + 1)`, `b·A·c = 1/6`, `b·(c∘A·c) = 1/8`, `b·A·c² = 1/12`, `b·A·A·c = 1/24`.
    #[test]
    fn methods_of_order_four_have_it() {
        for method in [Method::Rk4, Method::DormandPrince, Method::Sdirk4] {
            let t = method.tableau();
            let row = |i: usize, v: &[f64]| {
                let before = t.a[i].iter().zip(v).map(|(a, v)| a * v);
                before.sum::<f64>() + t.diagonal * v[i]
            };
            let times_a = |v: &[f64]| (0..v.len()).map(|i| row(i, v)).collect::<Vec<_>>();
            let b = |v: &[f64]| t.b.iter().zip(v).map(|(b, v)| b * v).sum::<f64>();
            let power = |k: i32| t.c.iter().map(|c| c.powi(k)).collect::<Vec<_>>();
            let ac = times_a(&power(1));
            let c_ac: Vec<f64> = t.c.iter().zip(&ac).map(|(c, ac)| c * ac).collect();
            let found = [
                b(&power(1)),
                b(&power(2)),
                b(&power(3)),
                b(&ac),
                b(&c_ac),
                b(&times_a(&power(2))),
                b(&times_a(&ac)),
            ];
            let wanted = [2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 24.0].map(f64::recip);
            for (found, wanted) in found.iter().zip(wanted) {
                assert!(
                    (found - wanted).abs() < 1e-14,
                    "{method:?}: {found}, {wanted}"
                );
            }
        }
    }
}
