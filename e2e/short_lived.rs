//! What makes a Go program cheap that lives for a tenth of a second.

/// Environment of Terraform and its providers in tests. They are over before collecting garbage pays, unless they are large, and their
/// threads only wait for each other: a plan takes 76 ms of a processor instead of 172 (measured, 1.11).
pub const SHORT_LIVED: [(&str, &str); 3] = [("GOGC", "off"), ("GOMEMLIMIT", "512MiB"), ("GOMAXPROCS", "1")];
