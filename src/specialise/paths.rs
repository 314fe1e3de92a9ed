//! Relative paths between module folders, and where residuals go.

use crate::config::paths::clean;
use std::path::{Component, Path, PathBuf};

/// `to` as a module source seen from the folder `from`: always starts with `./` or `../`.
pub fn source(from: &Path, to: &Path) -> String {
    let (from, to) = (clean(from), clean(to));
    let mut a = from.components().peekable();
    let mut b = to.components().peekable();
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        if x != y {
            break;
        }
        a.next();
        b.next();
    }
    let ups = a.count();
    let mut parts: Vec<String> = std::iter::repeat_n("..".to_owned(), ups).collect();
    parts.extend(b.map(|c| c.as_os_str().to_string_lossy().into_owned()));
    match parts.first().map(String::as_str) {
        Some("..") => parts.join("/"),
        _ => format!("./{}", parts.join("/")),
    }
}

/// The folder of residuals that stand beside no module.
pub const APART: &str = ".phi/modules";

/// The folder in which a module's residuals stand: beside it, or under `.phi/modules` where it isn't ours to add to
/// (installed modules, modules outside the working directory, modules in another repository).
pub fn residual_parent(dir: &Path, is_in_other_repository: bool) -> PathBuf {
    let outside = matches!(
        dir.components().next(),
        Some(Component::ParentDir | Component::RootDir | Component::Prefix(_))
    );
    let hidden = dir
        .components()
        .any(|c| c.as_os_str().to_string_lossy().starts_with('.') && c != Component::ParentDir);
    if outside || hidden || is_in_other_repository {
        return PathBuf::from(APART);
    }
    dir.parent().map(Path::to_path_buf).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_relative() {
        let s = |a: &str, b: &str| source(Path::new(a), Path::new(b));
        assert_eq!(s("", "modules/a"), "./modules/a");
        assert_eq!(s("modules/a-v1", "modules/a/sub"), "../a/sub");
        assert_eq!(s(".phi/modules/a", "modules/a/sub"), "../../../modules/a/sub");
        assert_eq!(s("modules/a", "modules/a/./x/../y"), "./y");
    }

    #[test]
    fn residuals_of_foreign_modules_are_kept_apart() {
        assert_eq!(residual_parent(Path::new("modules/a"), false), Path::new("modules"));
        assert_eq!(residual_parent(Path::new("a"), false), Path::new(""));
        assert_eq!(residual_parent(Path::new("modules/a"), true), Path::new(".phi/modules"));
        assert_eq!(residual_parent(Path::new("../shared/a"), false), Path::new(".phi/modules"));
        assert_eq!(residual_parent(Path::new(".terraform/modules/x"), false), Path::new(".phi/modules"));
    }
}
