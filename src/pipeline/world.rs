//! The surroundings of functions in a run: the configuration's files, and the version of Terraform whose answers are wanted.
//!
//! Written files must not depend on who runs it, so only output for this run asks for the version;
//! everywhere else it stays unknown, and an answer that versions give differently is declined.

use crate::config::Files;
use crate::eval::Asked;

/// Files, and a Terraform's version where its answers are wanted.
pub type World<H> = Asked<Files<H>, Option<(u32, u32)>>;

impl<H> World<H> {
    /// Creates a world of files alone.
    pub fn new(files: Files<H>) -> World<H> {
        Asked { outside: files, version: None }
    }

    /// From now on the answers of this version are wanted.
    pub fn ask(&mut self, version: Option<(u32, u32)>) {
        self.version = version;
    }
}
