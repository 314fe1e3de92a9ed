//! `tf-phi roots`: the root modules that are meant, for whatever is to be done in each.

use super::{Asked, Chosen};
use crate::ops::{DONE, Outcome, Start};
use crate::report::Reader;
use crate::report::roots::heading;
use serde_json::json;
use std::path::PathBuf;

/// Prints them, one a line or as JSON.
///
/// # Errors
/// A directory that isn't there; a revision that can't be read; no root module at all.
pub fn list(start: &Start, asked: &Asked, json: bool) -> Outcome {
    let dirs = match asked.chosen(start, &[])? {
        Chosen::One(dir) => vec![dir],
        Chosen::Many(dirs) => dirs,
    };
    if json {
        let shown: Vec<String> = dirs.iter().map(|dir| dir.display().to_string()).collect();
        let document = json!({ "format_version": "1.0", "root_modules": shown });
        start.console.print(Reader::Json, &format!("{document:#}\n"));
    } else {
        let lines: String = dirs.iter().map(|dir: &PathBuf| format!("{}\n", heading(dir))).collect();
        start.console.report(&lines);
    }
    if dirs.is_empty() {
        start.note(&asked.none());
    }
    Ok(DONE)
}
