//! Which binary is run, and which version it is.
//!
//! The order is a public contract: `--terraform`, `TF_PHI_TERRAFORM`, `settings.terraform` of `phi.hcl`, then
//! `terraform`, then `tofu` on `PATH`. The version costs a process, so it is asked for once and only on demand.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use crate::host::{EntryKind, Host};
use crate::issue::{Code, Issue};
use crate::text::shell_word;

/// The environment variable that names the binary.
pub const ENV: &str = "TF_PHI_TERRAFORM";

/// A binary that was found.
#[derive(Clone, Debug)]
pub struct Terraform {
    /// Absolute path.
    pub path: PathBuf,
    /// Environment variables that it gets besides ours.
    pub env: Vec<(String, OsString)>,
    /// True if it is to end where this program does, however that ends.
    pub leashed: bool,
    /// The longest time that it may take for an answer; as long as its kind of question has where there is none.
    pub patience: Option<Duration>,
    version: OnceLock<Version>,
}

/// Whose binary it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Product {
    /// HashiCorp's.
    Terraform,
    /// OpenTofu.
    OpenTofu,
}

/// A version, as the first line of `terraform version` gives it. (Its JSON form does not tell the product.)
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// Whose.
    pub product: Product,
    /// Major number.
    pub major: u64,
    /// Minor number.
    pub minor: u64,
    /// Patch number.
    pub patch: u64,
    /// The part after a `-`, such as `beta1`; empty for a release.
    pub pre: String,
}

impl Version {
    /// Returns true for this product in this version or a later one. A pre-release counts as its release.
    pub fn is_at_least(&self, product: Product, major: u64, minor: u64) -> bool {
        self.product == product && (self.major, self.minor) >= (major, minor)
    }

    fn parse(output: &str) -> Option<Version> {
        // A broken CLI configuration makes a warning come first.
        output.lines().find_map(|line| {
            let (product, rest) = match line.trim().split_once(" v")? {
                ("Terraform", rest) => (Product::Terraform, rest),
                ("OpenTofu", rest) => (Product::OpenTofu, rest),
                _ => return None,
            };
            let (numbers, pre) = rest.split_once('-').unwrap_or((rest, ""));
            let mut numbers = numbers.split('.').map(|n| n.parse().ok());
            let mut next = || numbers.next().flatten();
            let (major, minor, patch) = (next()?, next()?, next()?);
            Some(Version { product, major, minor, patch, pre: pre.to_owned() })
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let product = match self.product {
            Product::Terraform => "Terraform",
            Product::OpenTofu => "OpenTofu",
        };
        write!(f, "{product} {}.{}.{}", self.major, self.minor, self.patch)?;
        if self.pre.is_empty() { Ok(()) } else { write!(f, "-{}", self.pre) }
    }
}

/// Finds the binary. `flag` is `--terraform`'s value; `setting` is `settings.terraform`, whose relative path
/// counts from the folder of `phi.hcl`, given with it.
///
/// # Errors
/// [`Code::Terraform`], saying what was looked for and where.
pub fn locate(
    host: &dyn Host,
    flag: Option<&str>,
    setting: Option<(&str, &Path)>,
) -> Result<Terraform, Issue> {
    let here = Path::new("");
    let from_env = host.env(ENV).filter(|v| !v.is_empty());
    let named = [
        flag.map(|v| ("--terraform", v, here)),
        from_env.as_deref().map(|v| (ENV, v, here)),
        setting.map(|(v, base)| ("settings.terraform", v, base)),
    ];
    if let Some(issue) = setting.and_then(|(value, _)| by_tree(host, flag, value)) {
        return Err(issue);
    }
    if let Some((source, value, base)) = named.into_iter().flatten().next() {
        return find(host, value, base).ok_or_else(|| not_found(source, value));
    }
    let tried = ["terraform", "tofu"];
    tried.into_iter().find_map(|name| find(host, name, here)).ok_or_else(|| {
        Issue::error(
            Code::Terraform,
            "there is no terraform and no tofu on PATH",
            "tf-phi runs the real Terraform after it has specialised the configuration.",
        )
        .fix("Install Terraform or OpenTofu, or name the binary:", format!("export {ENV}=/path/to/terraform"))
    })
}

/// Returns the reason not to run a binary that `phi.hcl` names by a path, or by another name than Terraform's and
/// OpenTofu's: otherwise the author of the tree would choose the program, and `sh version` runs a file of the tree. A
/// flag or the user's environment takes precedence.
pub fn by_tree(host: &dyn Host, flag: Option<&str>, setting: &str) -> Option<Issue> {
    let named = flag.is_some() || host.env(ENV).is_some_and(|v| !v.is_empty());
    let known = ["terraform", "tofu"].iter().any(|name| setting.starts_with(name));
    let is_path = setting.contains('/');
    if named || (known && !is_path) {
        return None;
    }
    let what = if is_path { "a path" } else { "another program" };
    let why = "phi.hcl would let whoever wrote the tree choose which program runs. A name on PATH that begins with `terraform` \
               or `tofu` is fine.";
    let issue =
        Issue::error(Code::Config, format!("settings.terraform names {what}"), why).in_path("phi.hcl");
    Some(issue.fix(
        "Take it out of phi.hcl, and name the binary where you run tf-phi:",
        format!("export {ENV}={}", shell_word(setting)),
    ))
}

fn not_found(source: &str, value: &str) -> Issue {
    let kind = if value.contains('/') { "no program stands there" } else { "PATH has no such program" };
    Issue::error(Code::Terraform, format!("{source} names {value:?}, and {kind}"), "")
        .fix(format!("Give {source} the path of a Terraform or OpenTofu binary, or leave it out."), "")
}

/// Finds any other program: on PATH, or by a path that counts from a folder.
pub fn find_program(host: &dyn Host, name: &str, folder: &Path) -> Option<Terraform> {
    find(host, name, folder)
}

/// A name without `/` is looked for on PATH; anything else is a path.
pub(super) fn find(host: &dyn Host, value: &str, base: &Path) -> Option<Terraform> {
    let runs = |path: &Path| {
        host.kind(path) == Some(EntryKind::File)
            && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok()
    };
    let found = if value.contains('/') {
        Some(base.join(value)).filter(|p| runs(p))
    } else {
        let path = host.env("PATH").unwrap_or_default();
        // A folder that counts from the working directory may be one of the tree's.
        std::env::split_paths(&path)
            .filter(|dir| dir.is_absolute())
            .map(|dir| dir.join(value))
            .find(|p| runs(p))
    }?;
    // The child runs in another folder, so a relative path would lead elsewhere.
    let path = std::path::absolute(found).ok()?;
    Some(Terraform::at(path))
}

impl Terraform {
    /// The binary at an absolute path.
    pub fn at(path: PathBuf) -> Terraform {
        Terraform { path, env: Vec::new(), leashed: false, patience: None, version: OnceLock::new() }
    }

    /// Returns true if the binary's name, or that of what it is a link to, is OpenTofu's. Nothing is started.
    pub fn is_tofu(&self, host: &dyn Host) -> bool {
        let real = host.canonical(&self.path);
        [Some(&self.path), real.as_ref().ok()].into_iter().flatten().any(|path| {
            let name = path.file_name().map(std::ffi::OsStr::to_string_lossy).unwrap_or_default();
            name.contains("tofu")
        })
    }

    /// Returns the same binary with one more environment variable.
    #[must_use]
    pub fn with(&self, name: &str, value: impl Into<OsString>) -> Terraform {
        let mut own = self.clone();
        own.env.push((name.to_owned(), value.into()));
        own
    }

    /// Returns the same binary, with so much time at most for an answer.
    #[must_use]
    pub fn within(&self, patience: Duration) -> Terraform {
        Terraform { patience: Some(patience), ..self.clone() }
    }

    /// The version; asks the binary the first time.
    ///
    /// # Errors
    /// [`Code::Terraform`] where it can't be started or answers something else.
    pub fn version(&self) -> Result<&Version, Issue> {
        if let Some(version) = self.version.get() {
            return Ok(version);
        }
        let answer = self.ask(Path::new("."), &["version".into()])?;
        let version = Version::parse(&String::from_utf8_lossy(&answer.stdout)).ok_or_else(|| {
            let summary = format!("{} does not answer `version` like Terraform", self.path.display());
            Issue::error(Code::Terraform, summary, answer.shown())
                .fix("Name a Terraform or OpenTofu binary with --terraform.", "")
        })?;
        Ok(self.version.get_or_init(|| version))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::host::Machine;

    #[test]
    fn versions() {
        let show = |text: &str| Version::parse(text).map(|v| v.to_string());
        assert_eq!(show("Terraform v1.11.4\non linux_amd64\n").unwrap(), "Terraform 1.11.4");
        assert_eq!(
            show("\u{2577}\n\u{2502} Warning: x v1\n\nOpenTofu v1.9.0-beta1\n").unwrap(),
            "OpenTofu 1.9.0-beta1"
        );
        assert_eq!(show("bash v5.2.0\n"), None);
        assert_eq!(show("Terraform v1.x\n"), None);
        let v = Version::parse("Terraform v1.15.0").unwrap();
        assert!(v.is_at_least(Product::Terraform, 1, 15) && !v.is_at_least(Product::Terraform, 1, 16));
        assert!(!v.is_at_least(Product::OpenTofu, 1, 8));
    }

    #[test]
    fn the_flag_and_the_setting() {
        let dir = tempfile::tempdir().unwrap();
        let tool = dir.path().join("tool");
        std::fs::write(&tool, "#!/bin/sh\n").unwrap();
        let value = tool.to_str().unwrap();
        let issue = locate(&Machine, Some(value), None).unwrap_err();
        assert!(issue.summary.contains("--terraform"), "{}", issue.summary);
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(locate(&Machine, Some(value), None).unwrap().path, tool);
        let found = find(&Machine, "./tool", dir.path()).unwrap();
        assert_eq!(found.path, dir.path().join("tool"));
        assert_eq!(locate(&Machine, Some("no-such-tool"), None).unwrap_err().code, Code::Terraform);
    }
}
