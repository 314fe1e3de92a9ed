//! The front part of every command: a working directory, its configuration, and what `phi.hcl` asks for.

use super::rooted::Rooted;
use super::{Start, Stop};
use crate::addr::ModulePath;
use crate::config::phi::{self, PhiConfig};
use crate::config::variables::{self, VarArg};
use crate::config::{Config, Module, Origin, Overlay, View, load_with};
use crate::func::{NoSurroundings, Surroundings};
use crate::issue::{Code, Issue};
use crate::report;
use crate::trace::{Driven, Limits, Universes, drivers, universes};
use std::path::{Path, PathBuf};

/// A working directory that was read.
pub(super) struct Session {
    /// Its files; relative paths count from it.
    pub host: Rooted,
    /// Texts that stand in for files: the original sources of what is specialised.
    pub overlay: Overlay,
    /// The configuration.
    pub config: Config,
    /// `phi.hcl`
    pub phi: PhiConfig,
    /// What is wrong or worth knowing so far.
    pub issues: Vec<Issue>,
}

impl Session {
    /// Reads a working directory, some files replaced in memory. Faults in files are issues of the session.
    ///
    /// # Errors
    /// Where there is no such folder.
    pub fn open(dir: &Path, overlay: Overlay) -> Result<Session, Box<Stop>> {
        let host = Rooted::new(dir)?;
        let (mut config, mut issues) = load_with(&host, &overlay, Path::new(""));
        let view = View { host: &host, overlay: &overlay };
        let (phi, found) = phi::read(view, Path::new(""), &mut config.sources);
        issues.extend(found);
        // What is wrong with a half-read tree would be said of what is missing in it.
        if !issues.iter().any(Issue::is_error) {
            issues.extend(phi::check(&phi, &config));
            issues.extend(variables::environments(view, &mut config, &phi.settings.environments).1);
        }
        Ok(Session { host, overlay, config, phi, issues })
    }

    /// Takes a folder without any configuration for an empty root module, as `terraform console` does.
    pub fn allow_empty(&mut self) {
        let only_empty = |i: &Issue| i.code == Code::Missing && i.place.is_none();
        if self.config.modules.is_empty() && self.issues.iter().filter(|i| i.is_error()).all(only_empty) {
            self.config.modules.push(Module::empty(Config::ROOT, PathBuf::new(), Origin::Root));
            self.config.paths.insert(ModulePath::ROOT, Config::ROOT);
            self.issues.retain(|i| !i.is_error());
        }
    }

    /// The limits that `phi.hcl` sets.
    pub fn limits(&self) -> Limits {
        let settings = &self.phi.settings;
        Limits { branches: settings.branches, depth: settings.depth, ..Limits::default() }
    }

    /// What functions may see of the machine.
    pub fn outside(&self) -> &dyn Surroundings {
        &NoSurroundings
    }

    /// The driven fields.
    pub fn driven(&mut self) -> Vec<Driven> {
        let (driven, mut issues) = drivers(&self.config, &self.phi);
        // Of a name that nothing answers to, enough has been said already.
        issues.retain(|i| i.place.is_none() || self.issues.iter().all(|known| known.place != i.place));
        self.extend(issues);
        driven
    }

    /// The universes of the root variables.
    pub fn universes(&mut self) -> Universes {
        let (universes, issues) = universes(&self.config, &self.phi, self.limits(), self.outside());
        self.extend(issues);
        universes
    }

    /// What this run gives to the root variables.
    pub fn values(&mut self, args: &[VarArg]) -> variables::VarValues {
        let view = View { host: &self.host, overlay: &self.overlay };
        let (values, issues) = variables::collect(view, &mut self.config, args);
        self.extend(issues);
        values
    }

    /// Adds issues, each once.
    pub fn extend(&mut self, issues: Vec<Issue>) {
        for issue in issues {
            if !self.issues.contains(&issue) {
                self.issues.push(issue);
            }
        }
    }

    /// Whether anything blocks.
    pub fn is_blocked(&self) -> bool {
        self.issues.iter().any(Issue::is_error)
    }

    /// The session's end, where something blocks.
    pub fn stop(self) -> Box<Stop> {
        Box::new(Stop { issues: self.issues, sources: self.config.sources })
    }

    /// Prints what is worth knowing and lets the run go on.
    ///
    /// # Errors
    /// Everything, where something blocks.
    pub fn go_on(mut self, start: &Start) -> Result<Session, Box<Stop>> {
        if self.is_blocked() {
            return Err(self.stop());
        }
        let warnings = std::mem::take(&mut self.issues);
        report::issue::print(start.console, report::issue::Format::Text, &warnings, &self.config.sources);
        Ok(self)
    }
}
