//! Rules and arrays on a device.

mod maps;
mod on;
mod rules;
