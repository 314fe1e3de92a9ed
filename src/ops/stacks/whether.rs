//! Tells a Stack's directory from a root module's.

use crate::ops::Start;
use crate::ops::read::rooted_host::RootedHost;

/// Returns true if the working directory is a Stack.
pub(in crate::ops) fn is_stack(start: &Start) -> bool {
    RootedHost::new(&start.dir).is_ok_and(|host| crate::config::is_stack_in(&host))
}
