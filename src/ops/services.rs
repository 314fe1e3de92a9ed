//! `tf-phi services`: what comes with the program, and how to take it over.
//!
//! Input: the embedded folders; for `eject`, a folder that isn't there yet. Invariant: nothing that stands is written over, and
//! nothing is written through a link.

use super::{Command, DONE, Outcome, Start};
use crate::config::nearest::nearest;
use crate::config::phi::{self, EMBEDDED, Embedded, PhiConfig, embedded};
use crate::config::{Overlay, View, paths};
use crate::host::memory::MemoryHost;
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::ops::run::enter::enter;
use crate::ops::run::fresh::free;
use crate::ops::run::write;
use crate::report::Reader;
use crate::report::services::{self, Shown};
use crate::text::Sources;
use crate::txn::ChangeSet;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

/// The arguments of `tf-phi services`.
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub struct Request {
    /// As JSON
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    one: Option<One>,
}

/// What is done with one of them, or for one form factor.
#[derive(Subcommand, Clone, Debug)]
enum One {
    /// Print what a service maps, drops and refuses
    Show {
        /// The service
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Print the images and charts that a form factor needs, and their names in its mirror
    Images,
    /// Write the files of a service to a new folder, and print its blocks for phi.hcl
    Eject {
        /// The service
        #[arg(value_name = "NAME")]
        name: String,
        /// The folder, below the working directory; it must not be there yet
        #[arg(value_name = "DIR")]
        dir: PathBuf,
    },
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        match &self.one {
            None if self.json => {
                start.console.print(Reader::Json, &services::json(&shown(EMBEDDED)));
            }
            None => {
                let table = services::table(&shown(EMBEDDED));
                start.console.report(&table.text(start.console.columns(), start.console.out));
            }
            Some(One::Show { name }) => {
                let own = named(name)?;
                start.console.report(&services::page(own.name, &shown(std::slice::from_ref(own))));
            }
            Some(One::Images) => {
                let session = Session::open_partly(start)?;
                let asked = start.form_factor();
                let Some(factor) = session.phi.chosen(asked.as_deref()).map_err(|issue| *issue)? else {
                    let why = "Name it: tf-phi services images --form-factor NAME";
                    return Err(Issue::error(Code::Config, "no form factor is on", why).into());
                };
                start.console.report(&services::images(&session.phi, factor));
            }
            Some(One::Eject { name, dir }) => eject(start, named(name)?, dir)?,
        }
        Ok(DONE)
    }
}

fn named(name: &str) -> Result<&'static Embedded, Issue> {
    embedded(name).ok_or_else(|| {
        let names = || EMBEDDED.iter().map(|e| e.name);
        let why = match nearest(name, names()) {
            Some(near) => format!("Did you mean \"{near}\"?"),
            None => format!("There is {}.", names().collect::<Vec<_>>().join(", ")),
        };
        Issue::error(Code::Config, format!("no service \"{name}\" comes with tf-phi"), why)
    })
}

/// The services of these folders, with what their modules declare.
pub fn shown(all: &[Embedded]) -> Vec<Shown> {
    let mut phi = PhiConfig::default();
    for embedded in all {
        let (services, _) = embedded.services(&mut Sources::default());
        phi.services.extend(services.into_iter().map(|s| (s.name.clone(), s)));
    }
    let files: Overlay = phi.embedded_files();
    let view = View { host: &MemoryHost::default(), overlay: &files };
    let (mut templates, _) = phi::templates(view, Path::new(""), &phi);
    let shown = |service: &phi::Service| {
        Some(Shown { service: service.clone(), template: templates.remove(&service.name)? })
    };
    phi.services.values().filter_map(shown).collect()
}

/// Writes the files of a service into a folder that isn't there, and prints the blocks that name it.
fn eject(start: &Start, embedded: &Embedded, dir: &Path) -> Result<(), Box<super::Stop>> {
    let dir = paths::clean(dir);
    let root = crate::ops::read::rooted_host::RootedHost::new(&start.dir)?.root;
    free(&root, &dir, "The folder of a service lies below the working directory.")?;
    let _held = enter(&root)??;
    let mut set = ChangeSet::new(root);
    for (path, text) in embedded.module() {
        set.write(dir.join(path), text, None);
    }
    let files = set.changes.len();
    write::commit(&set, start.console)?;
    start.console.report(&services::blocks(embedded, &dir.to_string_lossy()));
    start.console.note(&format!(
        "{files} files written to {}. They are yours now: put the blocks that were printed into phi.hcl, and name them in \
         the form factor's services.",
        dir.display()
    ));
    Ok(())
}
