//! Surroundings in which the answers of one Terraform are wanted, where versions differ.

use super::template;
use crate::func::{FuncError, Surroundings, Work};
use crate::host::EntryKind;
use crate::value::Value;

/// Files and the like, and whose answers are wanted.
pub struct Asked<S, V> {
    /// What functions may see besides.
    pub outside: S,
    /// Which Terraform answers.
    pub version: V,
}

/// Names a Terraform, when it is asked for the first time.
pub trait Version: Sync {
    /// Major and minor; nothing where no version's answers go before another's.
    fn version(&self) -> Option<(u32, u32)>;
}

impl Version for Option<(u32, u32)> {
    fn version(&self) -> Option<(u32, u32)> {
        *self
    }
}

impl<S: Surroundings, V: Version> Surroundings for Asked<S, V> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.outside.read(path)
    }

    fn files(&self, path: &str) -> Result<Vec<String>, String> {
        self.outside.files(path)
    }

    fn kind(&self, path: &str) -> Result<Option<EntryKind>, String> {
        self.outside.kind(path)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, String> {
        self.outside.list(path)
    }

    fn absolute(&self, path: &str) -> String {
        self.outside.absolute(path)
    }

    fn home(&self) -> Option<String> {
        self.outside.home()
    }

    /// What a template calls is answered by the same Terraform.
    fn render(&self, text: &str, files: bool, vars: &Value, work: &Work) -> Result<Value, FuncError> {
        template::render(text, vars, files, self, work)
    }

    fn terraform(&self) -> Option<(u32, u32)> {
        self.version.version()
    }
}
