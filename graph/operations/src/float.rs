//! Floats in files: text has no infinity and no NaN, so there they are words.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A float as text has it.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Text {
    Number(f64),
    Word(String),
}

/// Writes a float.
///
/// # Errors
/// Those of the serializer.
pub fn serialize<S: Serializer>(x: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if !serializer.is_human_readable() || x.is_finite() {
        return x.serialize(serializer);
    }
    // a NaN is written with its bits
    Text::Word(match x.is_nan() {
        true => format!("NaN:{:016x}", x.to_bits()),
        false => x.to_string(),
    })
    .serialize(serializer)
}

/// Reads a float.
///
/// # Errors
/// If there is none.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    if !deserializer.is_human_readable() {
        return f64::deserialize(deserializer);
    }
    let word = match Text::deserialize(deserializer)? {
        Text::Number(x) => return Ok(x),
        Text::Word(word) => word,
    };
    let nan = word.strip_prefix("NaN:");
    let parsed = match nan {
        Some(bits) => u64::from_str_radix(bits, 16).ok().map(f64::from_bits),
        None => word.parse().ok().filter(|x: &f64| x.is_infinite()),
    };
    parsed.ok_or_else(|| serde::de::Error::custom(format_args!("'{word}' is not a number")))
}
