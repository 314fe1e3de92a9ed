//! The exit code and nothing else.
fn main() {}
