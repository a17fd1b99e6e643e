//! Rules and arrays on a device.

mod device_functions;
mod errors;
mod maps;
mod methods;
mod on;
mod rules;
mod seed_rows;
