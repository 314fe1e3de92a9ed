//! Free memory and processors for programs that are to be started, and the sizes of these programs.
//!
//! If the machine doesn't tell, there is no figure. Absent on purpose: what a program will need, which is the business of whoever starts it.

use super::{Host, Machine};
use std::path::{Path, PathBuf};

/// The folder in which Linux keeps the limits of control groups.
const GROUPS: &str = "/sys/fs/cgroup";

/// The depth of folders, and the number of entries, up to which sizes are added up.
const MOST_DEEP: usize = 8;
const MOST_ENTRIES: usize = 10_000;

/// Returns the number of bytes of memory that are free without pushing anything out; `None` if the system doesn't
/// tell.
pub fn free_memory() -> Option<u64> {
    let text = |path: &Path| Some(String::from_utf8_lossy(&Machine.read(path).ok()?).into_owned());
    let machine = number(&text(Path::new("/proc/meminfo"))?, "MemAvailable:")?.saturating_mul(1024);
    // In a container the limit is the group's.
    let own = text(Path::new("/proc/self/cgroup")).unwrap_or_default();
    let own = own.lines().find_map(|line| line.strip_prefix("0::/")).map(|path| Path::new(GROUPS).join(path));
    let groups: Vec<PathBuf> = own.into_iter().chain([PathBuf::from(GROUPS)]).collect();
    let left = groups.iter().filter_map(|dir| {
        let of = |name: &str| text(&dir.join(name));
        left_in_group(&of("memory.max")?, &of("memory.current")?, &of("memory.stat").unwrap_or_default())
    });
    Some(left.fold(machine, u64::min))
}

/// Returns what a limit leaves, in bytes. Files that were read count as used until somebody else needs the memory, so
/// they are added.
fn left_in_group(max: &str, current: &str, stat: &str) -> Option<u64> {
    let max: u64 = max.trim().parse().ok()?;
    let current: u64 = current.trim().parse().ok()?;
    let files = number(stat, "inactive_file").unwrap_or(0);
    Some(max.saturating_sub(current.saturating_sub(files)))
}

/// The number behind a name at the beginning of a line.
fn number(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(name));
    lines.next()?.split_whitespace().next()?.parse().ok()
}

/// The sizes of all files below a folder, together. Links are followed.
pub fn bytes_below(dir: &Path) -> u64 {
    let mut left = MOST_ENTRIES;
    sum(dir, MOST_DEEP, &mut left)
}

#[allow(clippy::disallowed_methods)]
fn sum(dir: &Path, deep: usize, left: &mut usize) -> u64 {
    let mut total = 0u64;
    for (name, _) in Machine.list(dir).unwrap_or_default() {
        let Some(rest) = left.checked_sub(1) else { break };
        *left = rest;
        let path = dir.join(name);
        let Ok(found) = std::fs::metadata(&path) else { continue };
        let own = match (found.is_dir(), deep) {
            (true, 0) => 0,
            (true, deep) => sum(&path, deep - 1, left),
            (false, _) => found.len(),
        };
        total = total.saturating_add(own);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_group_has_left() {
        assert_eq!(left_in_group("1000\n", "700\n", "anon 400\ninactive_file 200\n"), Some(500));
        assert_eq!(left_in_group("1000\n", "1200\n", ""), Some(0));
        assert_eq!(left_in_group("max\n", "1200\n", ""), None, "no limit");
    }

    #[test]
    fn what_the_system_tells() {
        let text = "MemTotal:       24105 kB\nMemAvailable:   23573 kB\n";
        assert_eq!(number(text, "MemAvailable:"), Some(23573));
        assert_eq!(number(text, "SwapFree:"), None);
        assert!(!cfg!(target_os = "linux") || free_memory().is_some_and(|free| free > 1 << 20));
    }

    #[test]
    fn sizes_are_added_up_through_links() {
        let temp = tempfile::tempdir().unwrap();
        let inner = temp.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(inner.join("x"), [0; 30]).unwrap();
        std::fs::write(temp.path().join("y"), [0; 5]).unwrap();
        std::os::unix::fs::symlink(inner.join("x"), temp.path().join("z")).unwrap();
        // One that leads back comes to an end.
        std::os::unix::fs::symlink(temp.path(), inner.join("up")).unwrap();
        assert!(bytes_below(temp.path()) >= 65);
        assert_eq!(bytes_below(&temp.path().join("none")), 0);
    }
}
