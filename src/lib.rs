//! Activity-annotated differentiation rules.
