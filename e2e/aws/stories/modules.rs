//! Modules of other people, at a release that takes the AWS provider 5: fetched when a story needs one, never kept in the
//! repository. Where one can't be had, the reason.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Names a folder that holds them already, as `rds-v6.12.0` and so on.
pub const ENV: &str = "TF_PHI_E2E_MODULES";

/// The Python package with Terraform modules in it, and where these stand there.
const PACKAGE: (&str, &str) = ("nebari==2025.10.1", "_nebari/stages/infrastructure/template/aws/modules");

/// Where a module comes from.
#[derive(Clone, Copy)]
pub enum Origin {
    /// A release of `terraform-aws-modules/terraform-aws-NAME`.
    Release(&'static str, &'static str),
    /// A folder among the modules of a Python package.
    Package(&'static str),
}

impl Origin {
    /// The name that a root calls it by, below `modules/`.
    pub fn name(self) -> &'static str {
        let (Origin::Release(name, _) | Origin::Package(name)) = self;
        name
    }

    /// The folder of the module on this machine; it is fetched where it isn't there yet.
    pub fn folder(self) -> Result<PathBuf, String> {
        match self {
            Origin::Release(name, version) => release(name, version),
            Origin::Package(name) => packaged().map(|all| all.join(name)),
        }
    }
}

fn tools() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools/modules")
}

fn release(name: &str, version: &str) -> Result<PathBuf, String> {
    let folder = format!("{name}-{version}");
    let given = std::env::var_os(ENV).map(|all| PathBuf::from(all).join(&folder));
    if let Some(given) = given.filter(|g| g.is_dir()) {
        return Ok(given);
    }
    let own = tools().join(&folder);
    if own.is_dir() {
        return Ok(own);
    }
    let from = format!("https://github.com/terraform-aws-modules/terraform-aws-{name}.git");
    let new = tools().join(format!("{folder}.new"));
    let mut clone = Command::new("git");
    clone.args(["clone", "--quiet", "--depth", "1", "--branch", version, &from]).arg(&new);
    clone.env("GIT_TERMINAL_PROMPT", "0").stdin(Stdio::null());
    finish(&mut clone, &new, &own).map_err(|why| format!("{name} {version} can't be fetched ({why})"))
}

fn packaged() -> Result<PathBuf, String> {
    let (package, below) = PACKAGE;
    let own = tools().join(package);
    if !own.is_dir() {
        let new = tools().join(format!("{package}.new"));
        let mut pip = Command::new("python3");
        pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check", "--target"]);
        pip.arg(&new).arg(package).env("PIP_ROOT_USER_ACTION", "ignore").stdin(Stdio::null());
        finish(&mut pip, &new, &own).map_err(|why| format!("{package} can't be installed ({why})"))?;
    }
    Ok(own.join(below))
}

/// Runs what fills `new`, and gives it its name once it is whole.
fn finish(command: &mut Command, new: &Path, own: &Path) -> Result<PathBuf, String> {
    let _ = std::fs::remove_dir_all(new);
    std::fs::create_dir_all(tools()).map_err(|e| e.to_string())?;
    let ran = command.output().map_err(|e| e.to_string())?;
    if !ran.status.success() {
        let _ = std::fs::remove_dir_all(new);
        let said = String::from_utf8_lossy(&ran.stderr);
        return Err(said.lines().last().unwrap_or_default().to_owned());
    }
    std::fs::rename(new, own).map_err(|e| e.to_string())?;
    Ok(own.to_path_buf())
}
