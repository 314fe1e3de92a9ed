//! `tf-phi roots`: the root modules that are meant, for whatever is to be done in each.

use super::{Asked, Selection};
use crate::ops::options::{PRINTED, one_of};
use crate::ops::{Command, DONE, Outcome, Start};
use crate::report::issue::Format;
use crate::report::roots::heading;
use clap::Args;
use serde_json::json;
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
        let asked = Asked { dirs, selection, files, jobs: None };
        let dirs = asked.chosen(start, &[])?.dirs();
        if self.json || self.format == Some(Format::Json) {
            let shown: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
            let document = json!({ "format_version": "1.0", "root_modules": shown });
            start.console.json(&document);
        } else {
            let lines: String = dirs.iter().map(|dir: &PathBuf| format!("{}\n", heading(dir))).collect();
            start.console.report(&lines);
        }
        if dirs.is_empty() {
            start.note(&asked.none());
        }
        Ok(DONE)
    }
}
