//! The front part of every command: a working directory, its configuration, and what `phi.hcl` asks for.

use crate::config::Overlay;
use crate::host::Machine;
use crate::issue::{Code, Fix, Issue, Severity};
use crate::ops::read::by_environment::give_arguments;
use crate::ops::read::committed::{
    advise_to_merge, advise_without_record, name_edited_lines, read_by_commits, read_record,
};
use crate::ops::read::merge::merge_originals;
use crate::ops::read::rewritten::{find_edited_copies, forget_edits, list_as_decided};
use crate::ops::read::rooted_host::{RootedHost, confined};
use crate::ops::read::unfinished;
use crate::ops::{Start, Stop};
use crate::pipeline;
use crate::report;
use crate::report::issue::Format;
use crate::terraform::locate;
use crate::trace::{Driven, Driver};
use std::path::Path;

/// A working directory that was read.
pub type Session = pipeline::Session<RootedHost>;

impl Session {
    /// Reads what is on record and the original texts of what is specialised, but no configuration.
    ///
    /// # Errors
    /// Returns an error if there is no such folder, or the record can't be read.
    pub fn recorded(dir: &Path) -> Result<Session, Box<Stop>> {
        let mut host = RootedHost::new(dir)?;
        let before = unfinished::look_through(&host.root)?;
        host.look_through(before);
        confined(&host.root)?;
        let mut session = read_record(host)?;
        name_edited_lines(&mut session);
        advise_to_merge(&mut session, |session| merge_originals(&session.host, Some(session)));
        Ok(session)
    }

    /// Reads a working directory in its original form, with what the form factor that is on replaces. Faults in files are issues of the session.
    ///
    /// # Errors
    /// As [`Session::recorded`].
    pub fn open(start: &Start) -> Result<Session, Box<Stop>> {
        Session::opened(start, false)?.no_stack()
    }

    /// The session of a command that is nothing for a Stack.
    ///
    /// # Errors
    /// Returns an error if it is one.
    pub fn no_stack(mut self) -> Result<Session, Box<Stop>> {
        if self.config.is_stack() {
            return Err(self.stop(vec![only_read()]));
        }
        Ok(self)
    }

    /// The same for those who only look: what modules that are not installed give is unknown, and the rest is read.
    ///
    /// # Errors
    /// As [`Session::recorded`].
    pub fn open_partly(start: &Start) -> Result<Session, Box<Stop>> {
        Session::opened(start, true)
    }

    fn opened(start: &Start, partly: bool) -> Result<Session, Box<Stop>> {
        let mut session = Session::read_at(start, partly)?;
        if !session.host.is_looked_through() && unfinished::unfinished(&session.host.root).is_some() {
            // A run has begun while this was read.
            session = Session::read_at(start, partly)?;
        }
        session.seen_from(start);
        session.strict = start.strict || session.phi.settings.strict;
        Ok(session)
    }

    /// Shows paths as they are seen from where the command was started.
    pub fn seen_from(&mut self, start: &Start) {
        let sources = std::mem::take(&mut self.config.sources);
        self.config.sources = sources.seen_from(&start.seen).changed_to(start.chdir.as_deref());
    }

    /// Reads a working directory as if these texts stood in it, with what the form factor that is on replaces.
    ///
    /// # Errors
    /// As [`Session::recorded`].
    pub fn open_over(start: &Start, tree: &Overlay) -> Result<Session, Box<Stop>> {
        let mut session = Session::recorded(&start.dir)?;
        session.overlay.clone_from(tree);
        Session::read_on(session, start, false)
    }

    fn read_at(start: &Start, partly: bool) -> Result<Session, Box<Stop>> {
        let mut session = Session::read_on(Session::recorded(&start.dir)?, start, partly)?;
        if !session.issues.iter().any(Issue::is_of_unrecorded) {
            return Ok(session);
        }
        if let Some(copies) = find_edited_copies(&session) {
            let mut trial = Session::read_past_edits(start, partly)?;
            let driven = trial.driven(start);
            let driven = trial.copied(driven);
            let as_decided =
                if trial.is_blocked() { Vec::new() } else { list_as_decided(trial, &driven, &copies) };
            if as_decided.len() == copies.len() {
                return Session::read_past_edits(start, partly);
            }
            forget_edits(&mut session, &as_decided);
        }
        // Where the record was removed, and that was committed, the last one that there was may tell what stands there.
        match read_by_commits(&session.host)? {
            Some(told) => session = Session::read_on(told, start, partly)?,
            None => advise_without_record(&mut session),
        }
        advise_to_merge(&mut session, |session| {
            merge_originals(&session.host, Session::recorded(&start.dir).ok().as_ref())
        });
        session.advise_missing();
        Ok(session)
    }

    /// Reads the same as if nothing that was written had been edited.
    fn read_past_edits(start: &Start, partly: bool) -> Result<Session, Box<Stop>> {
        let mut session = Session::recorded(&start.dir)?;
        session.issues.retain(|issue| !issue.is_error());
        Session::read_on(session, start, partly)
    }

    /// Names the way to a call that names no module that is there: what stands in its file is what was written.
    /// The line is the one at which that stands: the original has others.
    fn advise_missing(&mut self) {
        let mut issues = std::mem::take(&mut self.issues);
        let is_specialised = |path: &Path| {
            let file = self.record.as_ref().and_then(|record| record.file(path));
            file.is_some_and(|file| !file.created)
        };
        for issue in issues.iter_mut().filter(|issue| issue.code == Code::Missing) {
            let Some(place) = issue.place else { continue };
            if !self.config.sources.get(place.file).is_some_and(|source| is_specialised(&source.path)) {
                continue;
            }
            // Where its module is told, putting back would only take the copies away.
            if issue.fixes.is_empty() {
                let title = "Put the originals back, name the folder that is there, and specialise again:";
                issue.fixes.push(Fix { title: title.to_owned(), paste: "tf-phi restore".to_owned() });
            }
            if let Some(line) = self.name_line(place) {
                (issue.place, issue.path) = (None, Some(line));
            }
        }
        self.issues = issues;
    }

    fn read_on(mut session: Session, start: &Start, partly: bool) -> Result<Session, Box<Stop>> {
        session.host.workspace.clone_from(&start.workspace);
        session.host.hides_untracked |= start.tracked_only;
        session.host.roots_of_run = start.roots_of_run;
        start.beside.iter().for_each(|folder| session.host.share(folder));
        if session.is_blocked() {
            // Half of the original would only be misread.
            return Ok(session);
        }
        let asked = start.form_factor();
        session.kept_back = Some(start.console.kept_back);
        session.read_under(partly, asked.as_deref());
        give_arguments(&session.host, &mut session.named);
        session.phi.settings.copies &= !start.no_copies;
        let setting = session.phi.settings.terraform.as_deref();
        let named = setting.and_then(|s| locate::by_tree(&Machine, start.terraform.as_deref(), s));
        session.extend(named.into_iter().collect());
        Ok(session)
    }

    /// The driven fields.
    pub fn driven(&mut self, start: &Start) -> Vec<Driven> {
        let driven = self.driven_where(&|session| session.accepted(start));
        if driven.iter().any(|d| d.driver == Driver::Static) {
            self.advise_driven();
        }
        driven
    }

    /// Advises to install with tf-phi, where Terraform would reject the sources.
    pub fn advise_driven(&mut self) {
        self.issues.iter_mut().for_each(advised);
    }

    /// Returns those of driven fields that become copies.
    pub fn copied(&self, mut driven: Vec<Driven>) -> Vec<Driven> {
        driven.retain(|driven| self.phi.settings.copies || driven.copies);
        driven
    }

    /// Returns the session at a root module and the driven fields that become copies.
    ///
    /// # Errors
    /// As [`Session::open`], and all issues where one of them blocks.
    pub fn unblocked(start: &Start) -> Result<(Session, Vec<Driven>), Box<Stop>> {
        let mut session = Session::open(start)?;
        let driven = session.driven(start);
        let driven = session.copied(driven);
        session.judge()?;
        Ok((session, driven))
    }

    /// Lets the run go on.
    ///
    /// # Errors
    /// Fails with all issues if one of them blocks.
    pub fn judge(&mut self) -> Result<(), Box<Stop>> {
        if self.is_blocked() { Err(self.stop(Vec::new())) } else { Ok(()) }
    }

    /// Returns the session's end, with what else has been found. What it has to say is taken out of it.
    pub fn stop(&mut self, found: Vec<Issue>) -> Box<Stop> {
        self.extend(found);
        for issue in self.issues.iter_mut().filter(|_| self.strict) {
            issue.severity = Severity::Error;
        }
        let issues = std::mem::take(&mut self.issues);
        self.stopped(issues)
    }

    /// Returns an end for these issues alone.
    pub fn stopped(&self, issues: Vec<Issue>) -> Box<Stop> {
        Box::new(Stop { issues, sources: self.config.sources.clone() })
    }

    /// Prints issues of it.
    pub fn print(&self, start: &Start, format: Format, issues: &[Issue]) {
        report::issue::print(start.console, format, issues, &self.config.sources);
    }

    /// Prints what services do without, what couldn't be read, and what `phi.hcl` asks for in vain.
    pub fn print_warnings(&self, start: &Start, format: Format) {
        let is_told = |i: &&Issue| {
            matches!(i.code, Code::Service | Code::Outside | Code::Io)
                || (i.code == Code::Invalid && !i.is_error())
                || self.is_passed_over(i)
        };
        let said = self.issues.iter().filter(is_told);
        let said: Vec<Issue> = said.cloned().collect();
        self.print(start, format, &said);
        if let Some(rewrite) = self.rewrite.as_ref().filter(|_| start.tells(format)) {
            start.note(&format!("the form factor \"{}\":", rewrite.factor));
            start.console.say(&report::services::notes(rewrite));
        }
    }

    /// Prints what is worth knowing and lets the run go on.
    ///
    /// # Errors
    /// Everything, where something blocks.
    pub fn go_on(self, start: &Start) -> Result<Session, Box<Stop>> {
        let (session, warnings) = self.cleared()?;
        session.print(start, Format::Text, &warnings);
        Ok(session)
    }

    /// Returns the session and its warnings.
    ///
    /// # Errors
    /// Fails with all issues if one of them blocks.
    pub fn cleared(mut self) -> Result<(Session, Vec<Issue>), Box<Stop>> {
        self.judge()?;
        let warnings = std::mem::take(&mut self.issues);
        Ok((self, warnings))
    }
}

/// Returns the issue of a command that doesn't work in a Stack.
fn only_read() -> Issue {
    let why = "It is for root modules. A Stack is read as it is, and its deployments are planned and applied one by one.";
    let issue = Issue::error(Code::Unsupported, "This command doesn't work in a Stack", why);
    issue
        .fix("See what every deployment is:", "tf-phi matrix")
        .fix("See where a deployment would stop:", "tf-phi validate")
        .fix("Plan a deployment without HCP:", "tf-phi plan --env DEPLOYMENT")
}

/// Removes the advice to run `terraform init` from an issue where Terraform would reject the sources.
fn advised(issue: &mut Issue) {
    if issue.code == Code::NotInstalled {
        issue.refix("Specialise and install what this configuration calls:", "tf-phi init");
    }
}
