//! `tf-phi roots`: the root modules that are meant, for whatever is to be done in each.

use super::{Asked, Lost, Purpose, Selection};
use crate::ops::commits::Commits;
use crate::ops::options::{PRINTED, one_of};
use crate::ops::{Command, DONE, Outcome, Start};
use crate::report::issue::Format;
use crate::report::roots::heading;
use crate::terraform::git::Base;
use crate::text::one_line;
use clap::Args;
use serde_json::{Map, Value as Json, json};
use std::path::PathBuf;

/// The arguments of `tf-phi roots`.
#[derive(Args, Clone, Debug)]
pub struct List {
    /// Directories of root modules; none stands for the current one
    #[arg(value_name = "DIR", num_args(0..))]
    dirs: Vec<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// Only root modules affected by the files named as arguments (for pre-commit)
    #[arg(long, conflicts_with = "changed_since")]
    files: bool,
    /// Also root modules of this revision that are none any more
    #[arg(long, value_name = "REV", requires = "recursive")]
    base: Option<String>,
    /// How they are printed: one a line, or as JSON
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&PRINTED), conflicts_with = "json")]
    format: Option<Format>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Command for List {
    fn run(&self, start: &Start) -> Outcome {
        let List { dirs, selection, files, .. } = self.clone();
        let asked = Asked { dirs, selection, files, jobs: None, purpose: Purpose::Read };
        let all = asked.all(start)?;
        let lost = match &self.base {
            Some(base) => {
                let (base, commits) = (Base::written(base, false), Commits::default());
                asked.lost(start, &all, &|root| commits.open_around(root, &base).map(Some))?
            }
            None => Vec::new(),
        };
        let mut dirs = asked.narrowed(start, &[], all)?.dirs();
        let (still, gone): (Vec<Lost>, Vec<Lost>) = lost.into_iter().partition(|one| one.gone.is_none());
        dirs.extend(still.into_iter().map(|one| one.dir));
        if self.json || self.format == Some(Format::Json) {
            let shown: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
            let mut document = Map::new();
            document.insert("format_version".into(), "1.0".into());
            document.insert("root_modules".into(), shown.into());
            if self.base.is_some() {
                document.insert("gone".into(), gone.iter().map(told).collect());
            }
            start.console.json(&Json::Object(document));
        } else {
            let lines: String = dirs.iter().map(|dir: &PathBuf| format!("{}\n", heading(dir))).collect();
            start.console.report(&lines);
        }
        for one in &gone {
            start.note(&format!("{}. {}", one.summary(), one_line(one.gone.as_deref().unwrap_or_default())));
        }
        if dirs.is_empty() {
            start.note(&asked.none());
        }
        Ok(DONE)
    }
}

/// A root module that is none any more and can't be looked at.
fn told(lost: &Lost) -> Json {
    json!({ "directory": lost.dir.display().to_string(), "summary": lost.summary(), "why": lost.gone })
}
