//! Options, bonds, cash flows.

use coenzyme::{Tangent, differentiable};
use num_traits::Float;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Call,
    Put,
}

#[derive(Debug, Clone, Copy, Tangent)]
pub struct Market {
    pub spot: f64,
    pub rate: f64,
    pub vol: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PricingError {
    NegativeTime(f64),
    NoRoot { iterations: u32 },
    Curve(&'static str),
}

#[differentiable]
pub fn norm_cdf(x: f64) -> f64 {
    // Hart's approximation, short form
    let l = x.abs();
    let k = 1.0 / (1.0 + 0.2316419 * l);
    let w = 1.0
        - 1.0 / (2.0 * std::f64::consts::PI).sqrt()
            * (-l * l / 2.0).exp()
            * (0.31938153 * k - 0.356563782 * k * k + 1.781477937 * k.powi(3)
                - 1.821255978 * k.powi(4)
                + 1.330274429 * k.powi(5));
    if x < 0.0 { 1.0 - w } else { w }
}

#[differentiable]
fn d1_d2(m: &Market, strike: f64, t: f64) -> (f64, f64) {
    let st = m.vol * t.sqrt();
    let d1 = ((m.spot / strike).ln() + (m.rate + 0.5 * m.vol * m.vol) * t) / st;
    (d1, d1 - st)
}

#[differentiable]
pub fn black_scholes(m: &Market, strike: f64, t: f64, #[constant] kind: Kind) -> f64 {
    let (d1, d2) = d1_d2(m, strike, t);
    let df = (-m.rate * t).exp();
    match kind {
        Kind::Call => m.spot * norm_cdf(d1) - strike * df * norm_cdf(d2),
        Kind::Put => strike * df * norm_cdf(-d2) - m.spot * norm_cdf(-d1),
    }
}

#[differentiable]
pub fn call_price(m: &Market, strike: f64, t: f64) -> Result<f64, PricingError> {
    if t < 0.0 {
        return Err(PricingError::NegativeTime(t));
    }
    if t == 0.0 {
        return Ok((m.spot - strike).max(0.0));
    }
    Ok(black_scholes(m, strike, t, Kind::Call))
}

#[differentiable]
pub fn straddle(m: &Market, strike: f64, t: f64) -> Result<f64, PricingError> {
    let call = call_price(m, strike, t)?;
    let put = call - m.spot + strike * (-m.rate * t).exp();
    Ok(call + put)
}

#[differentiable]
pub fn spread_price(m: &Market, lower: f64, upper: f64, t: f64) -> Result<f64, PricingError> {
    call_price(m, lower, t).and_then(|long| Ok(long - call_price(m, upper, t)?))
}

#[differentiable]
pub fn binomial_american_put(spot: f64, strike: f64, r: f64, sigma: f64, t: f64) -> f64 {
    let n = 12;
    let dt = t / n as f64;
    let u = (sigma * dt.sqrt()).exp();
    let d = 1.0 / u;
    let p = ((r * dt).exp() - d) / (u - d);
    let disc = (-r * dt).exp();
    let mut values: Vec<f64> = (0..=n)
        .map(|i| (strike - spot * u.powi(n - i) * d.powi(i)).max(0.0))
        .collect();
    for step in (0..n).rev() {
        for i in 0..=step as usize {
            let hold = disc * (p * values[i] + (1.0 - p) * values[i + 1]);
            let exercise = strike - spot * u.powi(step - i as i32) * d.powi(i as i32);
            values[i] = hold.max(exercise);
        }
    }
    values[0]
}

#[differentiable]
pub fn present_value(cash_flows: &[(f64, f64)], rate: f64) -> f64 {
    cash_flows
        .iter()
        .map(|&(t, amount)| amount / (1.0 + rate).powf(t))
        .sum()
}

#[differentiable]
pub fn npv<T: Float>(rate: T, flows: &[T]) -> T {
    flows.iter().enumerate().fold(T::zero(), |acc, (i, &cf)| {
        acc + cf / (T::one() + rate).powi(i as i32)
    })
}

#[differentiable]
pub fn irr(flows: &[f64], guess: f64) -> Result<f64, PricingError> {
    let mut r = guess;
    for _ in 0..100 {
        let (mut f, mut df) = (0.0, 0.0);
        for (i, cf) in flows.iter().enumerate() {
            let v = (1.0 + r).powi(-(i as i32));
            f += cf * v;
            df -= i as f64 * cf * v / (1.0 + r);
        }
        let step = f / df;
        r -= step;
        if step.abs() < 1e-13 {
            return Ok(r);
        }
    }
    Err(PricingError::NoRoot { iterations: 100 })
}

#[differentiable]
pub fn bond_price(face: f64, coupon: f64, yield_: f64, years: u32) -> f64 {
    let mut price = 0.0;
    for year in 1..=years {
        price += coupon * face / (1.0 + yield_).powi(year as i32);
    }
    price + face / (1.0 + yield_).powi(years as i32)
}

#[differentiable]
pub fn duration(face: f64, coupon: f64, y: f64, years: u32) -> f64 {
    let price = bond_price(face, coupon, y, years);
    let weighted: f64 = (1..=years)
        .map(|t| {
            let cf = if t == years {
                face * (1.0 + coupon)
            } else {
                face * coupon
            };
            t as f64 * cf / (1.0 + y).powi(t as i32)
        })
        .sum();
    weighted / price
}

/// A curve of discount factors.
#[derive(Debug, Clone, Tangent)]
pub struct Curve {
    pub times: Vec<f64>,
    pub rates: Vec<f64>,
}

#[differentiable]
impl Curve {
    pub fn rate(&self, t: f64) -> Result<f64, PricingError> {
        let n = self.times.len();
        if n == 0 {
            return Err(PricingError::Curve("empty"));
        }
        if t <= self.times[0] {
            return Ok(self.rates[0]);
        }
        if t >= self.times[n - 1] {
            return Ok(self.rates[n - 1]);
        }
        let i = self.times.partition_point(|&x| x <= t);
        let w = (t - self.times[i - 1]) / (self.times[i] - self.times[i - 1]);
        Ok(self.rates[i - 1] * (1.0 - w) + self.rates[i] * w)
    }

    pub fn discount(&self, t: f64) -> Result<f64, PricingError> {
        self.rate(t).map(|r| (-r * t).exp())
    }

    pub fn forward_rate(&self, t1: f64, t2: f64) -> Result<f64, PricingError> {
        let (d1, d2) = (self.discount(t1)?, self.discount(t2)?);
        Ok((d1 / d2).ln() / (t2 - t1))
    }
}

#[differentiable]
pub fn swap_rate(curve: &Curve, years: usize) -> Result<f64, PricingError> {
    let mut annuity = 0.0;
    for year in 1..=years {
        annuity += curve.discount(year as f64)?;
    }
    let last = curve.discount(years as f64)?;
    Ok((1.0 - last) / annuity)
}

#[differentiable]
pub fn forward_or_flat(curve: &Curve, t1: f64, t2: f64, flat: f64) -> f64 {
    curve.forward_rate(t1, t2).unwrap_or(flat)
}

#[differentiable]
pub fn portfolio_variance(weights: &[f64], cov: &[Vec<f64>]) -> f64 {
    let mut v = 0.0;
    for (i, wi) in weights.iter().enumerate() {
        for (j, wj) in weights.iter().enumerate() {
            v += wi * wj * cov[i][j];
        }
    }
    v
}

#[differentiable]
pub fn sharpe(returns: &[f64], rf: f64) -> Option<f64> {
    let excess: Vec<f64> = returns.iter().map(|r| r - rf).collect();
    let n = excess.len() as f64;
    let mean = excess.iter().sum::<f64>() / n;
    let sd = (excess.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    (sd > 0.0).then(|| mean / sd)
}

#[differentiable]
pub fn max_drawdown(prices: &[f64]) -> f64 {
    let mut peak = f64::MIN;
    let mut worst = 0.0_f64;
    for &p in prices {
        peak = peak.max(p);
        worst = worst.max((peak - p) / peak);
    }
    worst
}

fn market() -> Market {
    Market {
        spot: 1.05,
        rate: 0.03,
        vol: 0.25,
    }
}
fn curve() -> Curve {
    Curve {
        times: vec![0.5, 1.2, 2.7, 6.0],
        rates: vec![0.02, 0.025, 0.031, 0.035],
    }
}

crate::subject::judge! {
    norm_cdf(0.4)(-0.8);
    call_price(&market(), 1.0, 0.7);
    straddle(&market(), 1.0, 0.7);
    spread_price(&market(), 0.9, 1.1, 0.7);
    binomial_american_put(1.0, 1.1, 0.05, 0.3, 1.0);
    present_value(&[(0.5, 1.0), (1.5, 2.0), (3.0, -0.4)], 0.04);
    npv(0.07, &[-1.0, 0.4, 0.5, 0.6]);
    irr(&[-1.0, 0.4, 0.5, 0.6], 0.1);
    bond_price(1.0, 0.05, 0.04, 5);
    duration(1.0, 0.05, 0.04, 5);
    swap_rate(&curve(), 5);
    forward_or_flat(&curve(), 1.4, 2.1, 0.02);
    portfolio_variance(&[0.3, 0.7], &[vec![0.04, 0.01], vec![0.01, 0.09]]);
    sharpe(&[0.02, -0.01, 0.03, 0.015], 0.004);
    max_drawdown(&[1.0, 1.3, 0.9, 1.5, 1.1]);
}
