//! Signals for programs that a test starts.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::register_conditional_default;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A background job of a shell ignores SIGINT, and so would all that it starts. What has a handler here is at its
/// default in a started program.
pub fn heard_by_children() {
    let always = Arc::new(AtomicBool::new(true));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        register_conditional_default(signal, Arc::clone(&always)).unwrap();
    }
}
