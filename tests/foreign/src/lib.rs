//! Tests of the derivatives of other crates' types: see `tests/`.
