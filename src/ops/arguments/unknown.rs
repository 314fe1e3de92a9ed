//! Names that the Terraform in use does not have, and what may be meant.

use super::fault::{Edit, Fault};
use super::line::{name_of, shown};
use super::scan::Scan;
use crate::config::nearest::nearest;
use crate::terraform::{Product, flags};

impl Scan<'_> {
    /// A name that Terraform in use does not have: the fault, and the index of what follows.
    pub fn not_known(&self, at: usize, name: &str, value: Option<&str>) -> (Fault, usize) {
        let after = self.line.get(at + 1).filter(|w| value.is_none() && name_of(w).is_none() && *w != "--");
        let own = self.passed.own.iter().find(|(o, _)| *o == name);
        if let Some((own, with_value)) = own {
            let summary = format!("--{own} is an option of tf-phi, and Terraform does not know it");
            let why = "These words go to Terraform alone.";
            let title = format!(
                "Take it out, and give it on the command line: tf-phi {} --{own}.",
                self.passed.command
            );
            let next = at + 1 + usize::from(*with_value && after.is_some());
            return (Fault::new(at, summary, why).fix(title, Vec::new()).ours(true), next);
        }
        if name == "chdir" {
            let next = at + 1 + usize::from(after.is_some());
            return (self.late(at, value, after), next);
        }
        let taken = at + 1 + usize::from(flags::takes_value(name) && after.is_some());
        if flags::of(self.command()).any(|f| f.name == name) {
            return (self.other_version(at, name), taken);
        }
        if let Some(fault) = self.other_command(at, name) {
            return (fault, taken);
        }
        let meant = self.nearest(name);
        let summary = format!("-{name} is an option of neither tf-phi nor Terraform");
        let summary = if self.written(at).starts_with("--") { format!("-{summary}") } else { summary };
        let fault = Fault::new(at, summary, "").unknown(name, meant.is_some());
        let Some(meant) = meant else {
            return (fault.fix(self.list(), Vec::new()), at + 1);
        };
        let own = self.passed.own.iter().find(|(o, _)| *o == meant);
        let with_value =
            own.map_or_else(|| flags::takes_value(meant), |(_, takes)| *takes) || meant == "chdir";
        let next = at + 1 + usize::from(with_value && after.is_some());
        if meant == "chdir" {
            let late = self.late(at, value, after);
            return (fault.fix("If -chdir is meant", late.edits), next);
        }
        if own.is_some() && self.line.origin(at).is_some() {
            let command = self.passed.command;
            let title =
                format!("If --{meant} is meant, give it on the command line: tf-phi {command} --{meant}.");
            return (fault.fix(title, Vec::new()).ours(true), next);
        }
        let dashes = if own.is_some() { "--" } else { "-" };
        let value = value.filter(|_| own.is_none_or(|(_, takes)| *takes));
        let right = value.map_or_else(|| format!("{dashes}{meant}"), |v| format!("{dashes}{meant}={v}"));
        let fault = fault.fix(format!("If {dashes}{meant} is meant"), vec![Edit::Replace(at, right)]);
        (fault.ours(own.is_some()), next)
    }

    /// `-chdir` after the command.
    fn late(&self, at: usize, value: Option<&str>, after: Option<&str>) -> Fault {
        let why = "Terraform takes it there only, and so does tf-phi.";
        let fault = Fault::new(at, "-chdir goes before the command", why);
        let mut edits = vec![Edit::Drop(at)];
        edits.extend(after.map(|_| Edit::Drop(at + 1)));
        match value.or(after).filter(|_| self.start.chdir.is_none() && self.line.origin(at).is_none()) {
            Some(dir) => {
                edits.push(Edit::Front(format!("-chdir={dir}")));
                fault.fix("Write it there", edits)
            }
            None => fault.fix("Write it there, once, as -chdir=DIR.", Vec::new()),
        }
    }

    fn other_version(&self, at: usize, name: &str) -> Fault {
        let has = flags::versions_with(self.command(), name);
        let summary = match self.version {
            Some(version) => format!("{version} has no -{name} for {}", self.command()),
            None => format!("-{name} is not for {}", self.command()),
        };
        let fault = Fault::new(at, summary, format!("It is a flag of {has}."));
        fault.fix("Leave it out, or name another binary with --terraform.", Vec::new())
    }

    /// An option that another command has.
    fn other_command(&self, at: usize, name: &str) -> Option<Fault> {
        let ours: Vec<String> = self
            .passed
            .elsewhere
            .iter()
            .filter(|(o, _)| *o == name)
            .map(|(_, c)| format!("tf-phi {c}"))
            .collect();
        let has = match ours.is_empty() {
            true => flags::commands_with(name).into_iter().map(|c| format!("terraform {c}")).collect(),
            false => ours,
        };
        if has.is_empty() {
            return None;
        }
        let dashed = shown(self.written(at));
        let summary = format!("{dashed} is no option of tf-phi {}", self.passed.command);
        let fault = Fault::new(at, summary, format!("It is one of {}.", has.join(" and ")));
        Some(fault.fix("Leave it out.", Vec::new()))
    }

    fn nearest(&self, name: &str) -> Option<&str> {
        let plain = name.to_lowercase().replace('_', "-");
        nearest(&plain, self.names())
    }

    /// Ours first, since they are the ones that keep the tree.
    pub fn names(&self) -> Vec<&str> {
        let own = self.passed.own.iter().map(|(name, _)| *name);
        let terraforms = flags::of(self.command()).filter(|f| f.is_in(self.version)).map(|f| f.name);
        own.chain(terraforms).chain(["help", "chdir"]).collect()
    }

    fn list(&self) -> String {
        let product = match self.version.map(|v| v.product) {
            Some(Product::OpenTofu) => "tofu",
            _ => "terraform",
        };
        let command = self.passed.command;
        format!(
            "Leave it out. `tf-phi {command} -help` and `{product} {} -help` list what there is.",
            self.command()
        )
    }
}
