//! The two streams.
//!
//! A reader that went away (`| head`) is no fault of ours: what can't be written is dropped. Any other fault, such as a
//! full disk, fails the run at its end, because a report that is cut off must not pass for a whole one.

// The one place that prints.
#![allow(clippy::disallowed_methods)]

use super::Style;
use super::document::Document;
use super::guard::Reader;
use super::pane::{Pane, To};
use crate::host::Host;
use crate::text::KeptBack;
use serde_json::Value as Json;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::OnceLock;

/// A terminal that says it is narrower is taken to have so many columns.
const NARROWEST: usize = 48;

/// Variables by which services say that a run is theirs. Most set `CI`; some, as Azure Pipelines, TeamCity, Jenkins, CodeBuild, Bamboo
/// and GoCD, have one of their own alone.
const SERVICES: [&str; 34] = [
    "CI",
    "CONTINUOUS_INTEGRATION",
    "APPCENTER_BUILD_ID",
    "APPVEYOR",
    "ATLANTIS_TERRAFORM_VERSION",
    "bamboo_buildKey",
    "bamboo_planKey",
    "BITBUCKET_BUILD_NUMBER",
    "BITRISE_IO",
    "BUDDY_WORKSPACE_ID",
    "BUILDER_OUTPUT",
    "BUILDKITE",
    "CF_BUILD_ID",
    "CIRCLECI",
    "CIRRUS_CI",
    "CODEBUILD_BUILD_ARN",
    "CODEBUILD_BUILD_ID",
    "DRONE",
    "FORGEJO_ACTIONS",
    "GITEA_ACTIONS",
    "GITHUB_ACTIONS",
    "GITLAB_CI",
    "GO_PIPELINE_NAME",
    "HARNESS_BUILD_ID",
    "HUDSON_URL",
    "JENKINS_URL",
    "PROW_JOB_ID",
    "SEMAPHORE",
    "SPACELIFT",
    "SYSTEM_TEAMFOUNDATIONCOLLECTIONURI",
    "TASKCLUSTER_ROOT_URL",
    "TEAMCITY_VERSION",
    "TF_BUILD",
    "TRAVIS",
];

/// Why a report couldn't be written; the process has one standard output.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// Standard output and standard error, and how each is marked up.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    /// For standard output.
    pub out: Style,
    /// For standard error.
    pub err: Style,
    /// True if standard error is a terminal and nobody automates the run.
    pub watched: bool,
    /// True if standard output is a terminal.
    pub read: bool,
    /// True if standard output goes into a log: a service of `SERVICES` runs this, and it is no file.
    pub logged: bool,
    /// True if the next command to run by hand may be named. False under `TF_IN_AUTOMATION`, as with Terraform.
    pub hints: bool,
    /// The pane that keeps output until its turn comes; `None` prints at once.
    pub pane: Option<&'static Pane>,
    /// What nothing may tell that is printed.
    pub kept_back: &'static KeptBack,
}

impl Console {
    /// The streams of this process. Colour where the stream is a terminal, `NO_COLOR` is unset or empty
    /// (<https://no-color.org>) and `plain` wasn't asked for.
    pub fn new(host: &dyn Host, plain: bool) -> Console {
        let plain = plain || host.env("NO_COLOR").is_some_and(|v| !v.is_empty());
        let style = |is_terminal: bool| if is_terminal && !plain { Style::Coloured } else { Style::Plain };
        let watched = io::stderr().is_terminal();
        let read = io::stdout().is_terminal();
        // Services show what goes to a pipe as a log; a file stays a file there.
        let automated = SERVICES.iter().any(|name| host.env(name).is_some_and(|v| !v.is_empty()));
        let by_hand = host.env("TF_IN_AUTOMATION").is_none_or(|v| v.is_empty());
        Console {
            read,
            hints: by_hand,
            logged: automated && !is_file(),
            out: style(read),
            err: style(watched),
            watched: watched && by_hand,
            pane: None,
            kept_back: KeptBack::new(),
        }
    }

    /// Returns the number of characters that a line of standard error may have, on a terminal. A log wraps longer lines itself, so it gets
    /// whole addresses and sentences.
    pub fn width(&self) -> Option<usize> {
        let columns =
            io::stderr().is_terminal().then(|| rustix::termios::tcgetwinsize(io::stderr()).ok())??;
        let columns = usize::from(columns.ws_col);
        (columns > 0).then_some(columns.max(NARROWEST))
    }

    /// The same streams without colour, where that was asked for.
    #[must_use]
    pub fn plain_if(self, plain: bool) -> Console {
        if plain { Console { out: Style::Plain, err: Style::Plain, ..self } } else { self }
    }

    /// Returns the reader of a diff: in a file or a pipe it is a program such as `patch`, which wants every byte.
    pub fn diff_reader(&self) -> Reader {
        if self.read || self.logged { Reader::People } else { Reader::Exact }
    }

    /// Returns the reader of a text that is meant for a file: in one it stands as it is, and what goes anywhere else is for people.
    pub fn file_reader(&self) -> Reader {
        if is_file() { Reader::Exact } else { Reader::People }
    }

    /// Prints a report for people. `false` where it can't be written.
    pub fn report(&self, text: &str) -> bool {
        self.print(Reader::People, text)
    }

    /// Prints a document for programs. `false` where it can't be written.
    pub fn json(&self, document: &Json) -> bool {
        self.print(Reader::Json, &format!("{document:#}\n"))
    }

    /// Prints a document for programs, part by part. `false` where it can't be written.
    pub fn print_document(&self, document: &Document) -> bool {
        document.write(0, &mut |text| self.part(Reader::Json, text)) && self.print(Reader::Json, "\n")
    }

    /// Prints one document of many, each made when its turn comes. `false` where it can't be written.
    pub fn print_documents(&self, name: &str, all: impl Iterator<Item = Document>) -> bool {
        let head = format!("{{\n  \"format_version\": \"1.0\",\n  \"{name}\": [");
        let mut is_taken = self.part(Reader::Json, &head);
        let mut is_first = true;
        for one in all {
            let before = if std::mem::take(&mut is_first) { "\n    " } else { ",\n    " };
            is_taken = is_taken
                && self.part(Reader::Json, before)
                && one.write(2, &mut |text| self.part(Reader::Json, text));
        }
        is_taken && self.print(Reader::Json, if is_first { "]\n}\n" } else { "\n  ]\n}\n" })
    }

    /// Prints a report. `false` where it can't be written.
    pub fn print(&self, reader: Reader, text: &str) -> bool {
        self.part(reader, text) && (self.pane.is_some() || written(io::stdout().lock().flush()))
    }

    /// Prints the beginning of a report, of which more follows at once.
    pub fn part(&self, reader: Reader, text: &str) -> bool {
        self.put(To::Out, reader.guarded(&self.kept_back.taken_out(text), self.out).as_bytes())
    }

    /// Prints sources, or what another program says, that are handed on whole. `false` where they can't be written.
    pub fn hand_on(&self, reader: Reader, text: &str) -> bool {
        self.put(To::Out, reader.guarded(text, self.out).as_bytes())
            && (self.pane.is_some() || written(io::stdout().lock().flush()))
    }

    /// Prints what another program has printed, as it is. `false` where it can't be written.
    pub fn put(&self, to: To, bytes: &[u8]) -> bool {
        match (self.pane, to) {
            (Some(pane), _) => {
                pane.keep(to, bytes);
                true
            }
            (None, To::Out) => written(io::stdout().lock().write_all(bytes)),
            (None, To::Err) => {
                let mut err = io::stderr().lock();
                let _ = err.write_all(bytes).and_then(|()| err.flush());
                true
            }
        }
    }

    /// Prints what a pane has kept.
    pub fn show(&self, pane: &Pane) {
        for (to, bytes) in pane.taken() {
            self.put(to, &bytes);
            if to == To::Out {
                written(io::stdout().lock().flush());
            }
        }
    }

    /// Returns the number of columns of the terminal that shows standard output, or nothing if none does.
    pub fn columns(&self) -> Option<usize> {
        let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
        self.read.then_some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
    }

    /// Why a report couldn't be written, where its reader had not gone away.
    pub fn unwritten(&self) -> Option<&'static str> {
        written(io::stdout().lock().flush());
        UNWRITTEN.get().map(String::as_str)
    }

    /// Prints something to standard error.
    pub fn say(&self, text: &str) {
        self.tell(Reader::People, text);
    }

    /// The same for another reader.
    pub fn tell(&self, reader: Reader, text: &str) {
        self.put(To::Err, reader.guarded(&self.kept_back.taken_out(text), self.err).as_bytes());
    }

    /// Prints text to paste, as it is, to standard error.
    pub fn paste(&self, text: &str) {
        self.say(&format!("\n{text}\n"));
    }

    /// Prints one line of tf-phi's own to standard error.
    pub fn note(&self, text: &str) {
        self.say(&format!("{} {text}\n", self.err.strong("tf-phi:")));
    }
}

/// Returns true if standard output is a regular file.
fn is_file() -> bool {
    let found = rustix::fs::fstat(io::stdout());
    found.is_ok_and(|f| rustix::fs::FileType::from_raw_mode(f.st_mode) == rustix::fs::FileType::RegularFile)
}

/// Returns true if it was written. Keeps the error, unless the reader went away.
fn written(done: io::Result<()>) -> bool {
    if let Err(error) = &done
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        UNWRITTEN.get_or_init(|| error.to_string());
    }
    done.is_ok()
}
