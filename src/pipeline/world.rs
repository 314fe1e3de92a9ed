//! The surroundings of functions in a run: the configuration's files, and the versions of Terraform whose answers are wanted.
//!
//! Written files must not depend on who runs it. So the tree says which versions count (`required_version`), whatever
//! Terraform is in use, and an answer that those give differently is declined.

use crate::config::Files;
use crate::eval::Asked;
use crate::func::TerraformVersions;

/// Files, and a Terraform's version where its answers are wanted.
pub type World<H> = Asked<Files<H>, TerraformVersions>;

impl<H> World<H> {
    /// Creates a world of files, in which these versions answer.
    pub fn new(files: Files<H>, versions: TerraformVersions) -> World<H> {
        Asked { outside: files, version: versions }
    }

    /// From now on the answers of these versions are wanted.
    pub fn ask(&mut self, version: TerraformVersions) {
        self.version = version;
    }
}
