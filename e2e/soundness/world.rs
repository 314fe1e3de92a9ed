//! What functions may see in generated trees: no files, and a Terraform of one version.

use tf_phi::func::{FuncError, NoSurroundings, Surroundings, Work};
use tf_phi::host::EntryKind;
use tf_phi::value::Value;

/// No files, and the answers of this Terraform where versions differ.
pub struct World(pub Option<(u32, u32)>);

impl Surroundings for World {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        NoSurroundings.read(path)
    }

    fn files(&self, path: &str) -> Result<Vec<String>, String> {
        NoSurroundings.files(path)
    }

    fn kind(&self, path: &str) -> Result<Option<EntryKind>, String> {
        NoSurroundings.kind(path)
    }

    fn list(&self, path: &str) -> Result<Vec<String>, String> {
        NoSurroundings.list(path)
    }

    fn absolute(&self, path: &str) -> String {
        NoSurroundings.absolute(path)
    }

    fn home(&self) -> Option<String> {
        None
    }

    fn render(&self, template: &str, files: bool, vars: &Value, work: &Work) -> Result<Value, FuncError> {
        tf_phi::eval::template::render(template, vars, files, self, work)
    }

    fn terraform(&self) -> Option<(u32, u32)> {
        self.0
    }
}
