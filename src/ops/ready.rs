//! All that a run needs once it is decided what to write.

use super::decide::Decided;
use super::place::Placed;
use super::session::Session;
use crate::terraform::Terraform;
use crate::terraform::args::RunArgs;
use crate::trace::Driven;
use std::ffi::OsString;

/// All that a run needs from here on.
pub(super) struct Ready {
    pub session: Session,
    pub decided: Decided,
    pub driven: Vec<Driven>,
    pub read: RunArgs,
    pub placed: Placed,
    pub terraform: Terraform,
    /// The command's words in the specialised tree's addresses.
    pub words: Vec<OsString>,
}
