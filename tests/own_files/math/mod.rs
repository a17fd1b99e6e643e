pub mod deep;
pub mod gain;
pub mod norm;
mod sum;

pub use self::gain::gain;
pub use norm::norm;
pub use sum::sum;
