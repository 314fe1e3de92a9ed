//! What functions may see of the machine: the files of the configuration, and which Terraform answers are wanted of.
//!
//! What is written must not depend on who runs it, so only what is printed for this run alone asks for the version;
//! everywhere else it stays unknown, and an answer that versions give differently is declined.

use super::rooted::Rooted;
use crate::config::Files;
use crate::eval::Asked;

/// Files, and a Terraform's version where its answers are wanted.
pub(super) type World = Asked<Files<Rooted>, Option<(u32, u32)>>;

impl World {
    /// Of files alone.
    pub fn new(files: Files<Rooted>) -> World {
        Asked { outside: files, version: None }
    }

    /// From now on the answers of this version are wanted.
    pub fn ask(&mut self, version: Option<(u32, u32)>) {
        self.version = version;
    }
}
