//! Paths by their letters, as Terraform joins them (Go's `filepath.Join`): links are not followed.

use std::path::{Component, Path, PathBuf};

/// Without `.`, doubled separators, and `..` after a name. Empty for the working directory itself.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => match out.components().next_back() {
                Some(Component::Normal(_)) => {
                    out.pop();
                }
                Some(Component::RootDir) => {}
                _ => out.push(".."),
            },
            other => out.push(other),
        }
    }
    out
}

/// `base/relative`, cleaned; `relative` alone where it is absolute.
pub(crate) fn join(base: &Path, relative: impl AsRef<Path>) -> PathBuf {
    clean(&base.join(relative))
}

/// The way from one folder to a path, both absolute and cleaned.
pub(crate) fn relative_path(from: &Path, to: &Path) -> PathBuf {
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

/// Returns the path to ask the host for: `.` for the working directory.
pub(crate) fn or_dot(path: &Path) -> &Path {
    if path.as_os_str().is_empty() { Path::new(".") } else { path }
}

/// Returns the path as it is shown to people, with `/` between names.
pub(crate) fn shown(path: &Path) -> String {
    or_dot(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleans_by_letters() {
        for (from, to) in [
            ("./a/../b/.//c", "b/c"),
            (".", ""),
            ("..", ".."),
            ("a/../../b", "../b"),
            ("/../a", "/a"),
            ("", ""),
        ] {
            assert_eq!(clean(Path::new(from)), Path::new(to), "{from}");
        }
        assert_eq!(join(Path::new("envs/x"), "../../modules/a"), Path::new("modules/a"));
        assert_eq!(relative_path(Path::new("/t/a/b"), Path::new("/t/c")), Path::new("../../c"));
        assert_eq!(relative_path(Path::new("/t"), Path::new("/t/a")), Path::new("a"));
    }
}
