//! The files of the proposal while they are written, in pieces that keep the order of the root module's files.

use super::read::Root;
use crate::stacks::items::laid_out;
use crate::syntax::{Block, Body, Item};
use crate::text::{SourceId, Span};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Pieces of files.
pub(super) struct Sheet<'s, 'a> {
    root: &'s Root<'a>,
    pieces: BTreeMap<PathBuf, Vec<(u32, u32, String)>>,
}

impl<'s, 'a> Sheet<'s, 'a> {
    pub fn new(root: &'s Root<'a>) -> Sheet<'s, 'a> {
        Sheet { root, pieces: BTreeMap::new() }
    }

    /// Adds a block that comes from a file of the root module, with the comment before it.
    pub fn block(&mut self, path: PathBuf, file: SourceId, at: Span, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let comment = self.comment(file, at);
        self.pieces.entry(path).or_default().push((file.0, at.start, format!("{comment}{text}")));
    }

    /// Adds a text behind all others of its file.
    pub fn add(&mut self, path: PathBuf, text: String) {
        if !text.trim().is_empty() {
            self.pieces.entry(path).or_default().push((u32::MAX, 0, text));
        }
    }

    /// Returns the comment of a block or argument: the lines right before it.
    pub fn comment(&self, file: SourceId, at: Span) -> String {
        let Some(source) = self.root.config.sources.get(file) else { return String::new() };
        let body = self.root.module.file(file).map(|entry| entry.body.clone()).unwrap_or_default();
        let start = previous(&body, at.start);
        let gap = source.slice(Span { start, end: at.start });
        // What stands in the line of the one before belongs to that.
        let gap = if start > 0 { gap.split_once('\n').map_or("", |(_, rest)| rest) } else { gap };
        let mut lines: Vec<&str> = Vec::new();
        for line in gap.lines() {
            match line.trim().is_empty() {
                true => lines.clear(),
                false => lines.push(line.trim_start()),
            }
        }
        lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// Returns the files, formatted as `terraform fmt` does.
    pub fn files(self) -> BTreeMap<PathBuf, String> {
        let text = |mut pieces: Vec<(u32, u32, String)>| {
            pieces.sort_by_key(|(file, at, _)| (*file, *at));
            let all: Vec<String> =
                pieces.into_iter().map(|(_, _, text)| text.trim_end().to_owned()).collect();
            laid_out(&all.join("\n\n"))
        };
        self.pieces.into_iter().map(|(path, pieces)| (path, text(pieces))).collect()
    }

    /// Returns the name of a file of the root module, without its suffix.
    pub fn stem(&self, file: SourceId) -> String {
        let path = self.root.config.sources.get(file).map(|s| s.path.clone()).unwrap_or_default();
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        name.split_once(".t").map_or(name.clone(), |(stem, _)| stem.to_owned())
    }
}

/// Returns the end of the last item before an offset, in bytes, at any depth of blocks.
fn previous(body: &Body, at: u32) -> u32 {
    let mut end = 0;
    let mut inner: Option<&Block> = None;
    for item in &body.items {
        let span = match item {
            Item::Attribute(attr) => attr.span,
            Item::Block(block) => block.span,
        };
        if span.end <= at {
            end = end.max(span.end);
        } else if let Item::Block(block) = item
            && span.start < at
        {
            inner = Some(block);
        }
    }
    match inner {
        Some(block) => previous(&block.body, at).max(block.braces.start.saturating_add(1)),
        None => end,
    }
}

/// Returns the path of a file of the Stack.
pub(super) fn stack_file(stem: &str) -> PathBuf {
    format!("{stem}.tfcomponent.hcl").into()
}

/// Returns the path of a local module, relative to a folder `depth` levels below the root module's.
pub(super) fn source(dir: &Path, depth: usize) -> String {
    let up = "../".repeat(depth);
    format!("{up}{}", dir.display()).trim_end_matches('/').to_owned()
}
