//! Methods that return their receivers where a condition begins.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, Tangent)]
struct Account {
    balance: f64,
    rate: f64,
    log: Vec<f64>,
}
#[differentiable]
impl Account {
    fn open(balance: f64) -> Self {
        Account {
            balance,
            rate: 0.0,
            log: Vec::new(),
        }
    }
    fn with_rate(mut self, rate: f64) -> Self {
        self.rate = rate;
        self
    }
    fn deposit(&mut self, amount: f64) -> &mut Self {
        self.balance += amount;
        self.log.push(amount);
        self
    }
    fn accrue(&mut self, years: u32) -> &mut Self {
        for _ in 0..years {
            self.balance *= 1.0 + self.rate;
        }
        self
    }
    fn withdraw(&mut self, amount: f64) -> Result<f64, String> {
        if amount > self.balance {
            return Err(format!("short"));
        }
        self.balance -= amount;
        Ok(amount * 0.99)
    }
    fn value(&self) -> f64 {
        self.balance + self.log.iter().sum::<f64>() * 0.1
    }
}
#[differentiable]
fn plan(a: f64, r: f64) -> f64 {
    let mut acc = Account::open(a).with_rate(r);
    acc.deposit(2.0 * a).accrue(2).deposit(r);
    let got = acc.withdraw(0.5 * a).unwrap_or(0.0);
    let miss = match acc.withdraw(100.0) {
        Ok(v) => v,
        Err(_) => acc.rate,
    };
    if acc.accrue(1).value() > 1.0 {
        acc.deposit(got * miss);
    }
    acc.value() * got
}
judge! { plan(0.9, 0.1) (0.4, 0.2); }
