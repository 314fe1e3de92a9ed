//! A folder of files in memory: what the rows read, on our side.

use tf_phi::eval::template;
use tf_phi::func::{FuncError, Surroundings, TerraformVersions, Work};
use tf_phi::host::EntryKind;
use tf_phi::value::Value;

/// Files that both sides see in their working directory.
pub const FILES: &[(&str, &[u8])] = &[
    ("hello.txt", b"Hello, World!\n"),
    ("empty.txt", b""),
    ("data/a.json", b"{\"a\": [1, 2]}"),
    ("data/b.yaml", b"b: 2\n"),
    ("data/deep/c.txt", b"c"),
    ("binary.dat", b"\xff\xfe\x00"),
    ("greeting.tftpl", b"Hello, ${name}%{ for x in list }, ${x}%{ endfor }!"),
];

macro_rules! beside {
    ($($name:literal,)*) => {
        &[$((concat!("files/", $name), include_bytes!(concat!("files/", $name)) as &[u8])),*]
    };
}

/// The templates in the folder beside this file.
pub const TEMPLATES: &[(&str, &[u8])] = beside![
    "binary.tftpl",
    "bom.tftpl",
    "broken.tftpl",
    "caught.tftpl",
    "crlf.tftpl",
    "empty.tftpl",
    "escapes.tftpl",
    "hello.tftpl",
    "json.tftpl",
    "loop.tftpl",
    "missing.tftpl",
    "nfd.tftpl",
    "null.tftpl",
    "reads.tftpl",
    "recursive.tftpl",
    "scope.tftpl",
    "single.tftpl",
    "strip.tftpl",
];

/// Those files, as our functions see them, and the Terraform whose answers are wanted.
pub struct Folder(pub Option<(u32, u32)>);

impl Surroundings for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let path = path.strip_prefix("./").unwrap_or(path);
        let found = FILES.iter().chain(TEMPLATES).find(|(name, _)| *name == path);
        found.map(|(_, content)| content.to_vec()).ok_or_else(|| format!("no file exists at {path:?}"))
    }

    fn kind(&self, path: &str) -> Result<Option<EntryKind>, String> {
        if path.starts_with('/') || path.starts_with("..") {
            return Err("only files below the working directory can be seen".to_owned());
        }
        if FILES.iter().chain(TEMPLATES).any(|(name, _)| *name == path) {
            return Ok(Some(EntryKind::File));
        }
        let below = format!("{path}/");
        let folder = path == "." || FILES.iter().chain(TEMPLATES).any(|(name, _)| name.starts_with(&below));
        Ok(folder.then_some(EntryKind::Dir))
    }

    fn list(&self, path: &str) -> Result<Vec<String>, String> {
        let path = path.trim_end_matches('/').trim_start_matches("./");
        let prefix = if path.is_empty() || path == "." { String::new() } else { format!("{path}/") };
        let below = FILES.iter().chain(TEMPLATES).filter_map(|(name, _)| name.strip_prefix(&prefix));
        let mut names: Vec<String> = below.filter_map(|f| f.split('/').next()).map(str::to_owned).collect();
        names.dedup();
        Ok(names)
    }

    fn terraform(&self) -> TerraformVersions {
        self.0.map_or(TerraformVersions::ANY, TerraformVersions::exactly)
    }

    fn render(&self, template: &str, files: bool, vars: &Value, work: &Work) -> Result<Value, FuncError> {
        template::render(template, vars, files, self, work)
    }
}
