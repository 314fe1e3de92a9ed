//! What functions may see of the machine: the files of the configuration, and which Terraform answers are wanted of.
//!
//! What is written must not depend on who runs it, so only what is printed for this run alone asks for the version;
//! everywhere else it stays unknown, and an answer that versions give differently is declined.

use super::rooted::Rooted;
use crate::config::Files;
use crate::eval::{Asked, Version};
use crate::terraform::{Product, Terraform};
use std::sync::OnceLock;

/// Files, and a Terraform where one is asked.
pub(super) type World = Asked<Files<Rooted>, Wanted>;

/// The Terraform whose answers are wanted. It is started where they matter, and once.
#[derive(Default)]
pub(super) struct Wanted {
    terraform: Option<Terraform>,
    version: OnceLock<Option<(u32, u32)>>,
}

impl World {
    /// Of files alone.
    pub fn new(files: Files<Rooted>) -> World {
        Asked { outside: files, version: Wanted::default() }
    }

    /// From now on the answers of this Terraform are wanted.
    pub fn ask(&mut self, terraform: Terraform) {
        self.version = Wanted { terraform: Some(terraform), version: OnceLock::new() };
    }
}

impl Wanted {
    /// OpenTofu counts its versions in its own way, and is no Terraform of any.
    fn asked(&self) -> Option<(u32, u32)> {
        let version = self.terraform.as_ref()?.version().ok()?;
        let part = |n: u64| u32::try_from(n).ok();
        (version.product == Product::Terraform).then_some((part(version.major)?, part(version.minor)?))
    }
}

impl Version for Wanted {
    fn version(&self) -> Option<(u32, u32)> {
        *self.version.get_or_init(|| self.asked())
    }
}
