#[path = "conformance/judge.rs"]
mod judge;
#[path = "conformance/subject.rs"]
mod subject;
#[path = "conformance/called.rs"]
mod called;
#[path = "conformance/lifted.rs"]
mod lifted;
#[path = "conformance/present.rs"]
mod present;
