//! The rows beside this file.

use std::fs;
use std::path::{Path, PathBuf};

/// One expression.
pub struct Row {
    /// The expression.
    pub text: String,
    /// Whether our side may decline or not know.
    pub lenient: bool,
    /// File and line.
    pub place: String,
    /// The file's name without `.txt`: a function's name.
    pub group: String,
}

/// All rows of all files, in the order of files.
pub fn all() -> Vec<Row> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("e2e/differential");
    let mut files: Vec<PathBuf> = [root.clone(), root.join("language")]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    files.iter().flat_map(|path| of_file(&root, path)).collect()
}

/// The rows of one file.
pub fn of_file(root: &Path, path: &Path) -> Vec<Row> {
    let name = path.strip_prefix(root).unwrap().display().to_string();
    let group = path.file_stem().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    rows.map(|(i, line)| Row {
        text: line.strip_prefix('~').unwrap_or(line).trim().to_owned(),
        lenient: line.starts_with('~'),
        place: format!("{name}:{}", i + 1),
        group: group.clone(),
    })
    .collect()
}
