"""The fitted coefficients of `exp.rs` and `erf.rs`: near-minimax polynomials by interpolation at Chebyshev points.

    pip install mpmath; python3 coefficients.py
"""
from mpmath import chebyfit, erf, erfc, exp, expm1, log, mp, mpf, nstr, pi, sqrt

mp.dps = 60


def show(what, f, low, high, terms):
    fit, error = chebyfit(f, [low, high], terms, error=True)
    print(f"{what}: error {nstr(error, 3)}")
    print("   ", ", ".join(repr(float(c)) for c in reversed(fit)))


def exp_tail(r):
    """(e^r - 1 - r)/r^2"""
    return (expm1(r) - r) / r**2 if abs(r) > mpf(10) ** -12 else mpf(1) / 2 + r / 6 + r * r / 24


def erf_near(z):
    """erf(x)/x - 1 with z = x^2"""
    if z < mpf(10) ** -15:
        return 2 / sqrt(pi) * (1 - z / 3 + z * z / 10) - 1
    return erf(sqrt(z)) / sqrt(z) - 1


def erf_far(t):
    """e^(x^2) erfc(x) with t = (x - 3)/(x + 3)"""
    x = 3 * (1 + t) / (1 - t)
    return erfc(x) * exp(x * x)


half = log(2) / 2 * mpf("1.001")
show("exp: EXP", exp_tail, -half, half, 11)
show("erf: NEAR", erf_near, mpf(0), mpf(1), 12)
show("erf: FAR", erf_far, mpf(1 - 3) / (1 + 3), mpf(6 - 3) / (6 + 3), 15)
