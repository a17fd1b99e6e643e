pub(crate) fn run(_: &crate::measure::Bench) {}
