//! What functions may see of the machine: the files of the configuration, and which Terraform answers are wanted of.
//!
//! What is written must not depend on who runs it, so only what is printed for this run alone asks for the version;
//! everywhere else it stays unknown, and an answer that versions give differently is declined.

use super::rooted::Rooted;
use crate::config::Files;
use crate::func::{FuncError, Surroundings, Work};
use crate::host::EntryKind;
use crate::terraform::{Product, Terraform};
use crate::value::Value;
use std::sync::OnceLock;

/// Files, and a Terraform where one is asked.
pub(super) struct World {
    files: Files<Rooted>,
    terraform: Option<Terraform>,
    version: OnceLock<Option<(u32, u32)>>,
}

impl World {
    /// Of files alone.
    pub fn new(files: Files<Rooted>) -> World {
        World { files, terraform: None, version: OnceLock::new() }
    }

    /// From now on the answers of this Terraform are wanted. It is started where they matter, and once.
    pub fn ask(&mut self, terraform: Terraform) {
        (self.terraform, self.version) = (Some(terraform), OnceLock::new());
    }

    /// OpenTofu counts its versions in its own way, and is no Terraform of any.
    fn asked(&self) -> Option<(u32, u32)> {
        let version = self.terraform.as_ref()?.version().ok()?;
        let part = |n: u64| u32::try_from(n).ok();
        (version.product == Product::Terraform).then_some((part(version.major)?, part(version.minor)?))
    }
}

impl Surroundings for World {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.files.read(path)
    }

    fn files(&self, path: &str) -> Result<Vec<String>, String> {
        self.files.files(path)
    }

    fn kind(&self, path: &str) -> Result<Option<EntryKind>, String> {
        self.files.kind(path)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, String> {
        self.files.list(path)
    }

    fn absolute(&self, path: &str) -> String {
        self.files.absolute(path)
    }

    fn home(&self) -> Option<String> {
        self.files.home()
    }

    fn render(&self, template: &str, files: bool, vars: &Value, work: &Work) -> Result<Value, FuncError> {
        crate::eval::template::render(template, vars, files, self, work)
    }

    fn terraform(&self) -> Option<(u32, u32)> {
        *self.version.get_or_init(|| self.asked())
    }
}
