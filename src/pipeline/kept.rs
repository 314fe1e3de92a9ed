//! Keeps what a user typed into the specialised tree.
//!
//! In: the tree as it would be written, the files as they stand. Out: files that differ in comments, blank lines and layout alone as
//! they are; the comments and blank lines of others in their new text. Invariant: nothing that was typed goes without a word.
//! Absent: how comments find their place.

use super::session::Session;
use crate::host::Host;
use crate::issue::{Code, Issue};
use crate::specialise::record::typed::{self, Homeless, Typed};
use crate::specialise::record::{FileRecord, unslashed};
use crate::specialise::{Record, is_alike, record};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files as they are to be, by path relative to the working directory; `None` where nothing is to stand. Others stay.
pub type Tree = BTreeMap<PathBuf, Option<String>>;

impl<H: Host + Clone> Session<H> {
    /// The files on record with their texts as they stand.
    fn standing(&self) -> impl Iterator<Item = (PathBuf, &FileRecord, &str)> {
        let all = self.record.iter().flat_map(|record| &record.files);
        all.filter_map(|file| {
            let path = unslashed(&file.path);
            let now = std::str::from_utf8(self.seen.get(&path)?).ok()?;
            (!file.is_made_by_merge(now)).then(|| (path, file.of_text(now), now))
        })
    }

    /// The comments that a user typed into what was written and that aren't in a tree, as `file:line: text`.
    pub fn lost(&self, tree: &Tree) -> Vec<String> {
        let edited = self.standing().filter(|(_, file, now)| !file.is_as_written(now));
        let gone = edited.filter_map(|(path, file, now)| {
            let after = tree.get(&path)?.as_deref().unwrap_or_default();
            let said = |typed: Typed| format!("{}:{}: {}", file.path, typed.line, typed.text);
            Some(typed::lost(file, now, after).into_iter().map(said).collect::<Vec<_>>())
        });
        gone.flatten().collect()
    }

    /// The originals, with the comments of a user's that stood between two statements which come back as they were.
    pub fn originals_with_comments(&self) -> Tree {
        let mut tree: Tree = self.overlay.clone();
        for (path, file, now) in self.standing().filter(|(_, file, now)| !file.is_as_written(now)) {
            if let Some(Some(text)) = tree.get_mut(&path) {
                *text = typed::carried(&path, file, now, text, Homeless::Nowhere);
            }
        }
        tree
    }
}

/// Puts a record into the tree that it tells of, and what the user typed into the files.
pub fn keep<H: Host + Clone>(session: &Session<H>, tree: &mut Tree, mut planned: Record) {
    for (path, file, now) in session.standing() {
        let Some(Some(new)) = tree.get_mut(&path) else { continue };
        let mut ours = planned.files.iter_mut().find(|f| f.path == file.path && f.created == file.created);
        // The text behind a link is no copy's, and lacks the line at a copy's head.
        let becomes_link = ours.as_ref().is_some_and(|ours| ours.link.is_some() && ours.link != file.link)
            && file.is_as_written(now);
        match &mut ours {
            Some(ours) if is_alike(&path, now, new) && !becomes_link => {
                // What a user typed into a file in the place of a link is in no other file, and so it stays what it is.
                let link = ours.link.take();
                let link = if now == new { link } else { link.and(file.link.clone()) };
                now.clone_into(new);
                // A copy that was edited to what it is to be now is none that the older entry tells of.
                let is_told = !file.created || file.is_as_written(now) || file.is_shaped(now);
                let entry = if is_told { file.clone() } else { ours.clone() };
                **ours = FileRecord { link, others: Vec::new(), ..entry };
            }
            _ if !file.is_as_written(now) => {
                let carried = typed::carried(&path, file, now, new, Homeless::Above);
                if let Some(ours) = ours.filter(|_| carried != *new) {
                    ours.link = None;
                }
                *new = carried;
            }
            _ => {}
        }
    }
    // A comment behind a link of ours stands there by itself, and changes nothing here.
    for ours in planned.files.iter_mut().filter(|f| f.created && f.link.is_some()) {
        let path = unslashed(&ours.path);
        let older = session.record.as_ref().and_then(|r| r.file(&path));
        let same = |o: &&FileRecord| o.link == ours.link && o.shape.is_some() && o.shape == ours.shape;
        if let Some(older) = older.filter(same).filter(|_| !session.seen.contains_key(&path)) {
            older.clone_into(ours);
        }
    }
    let path = Path::new(record::FILE);
    let stands = session
        .record
        .as_ref()
        .filter(|older| !older.is_merged && !older.is_local && older.is_alike(&planned));
    let text = match stands.and_then(|_| String::from_utf8(session.host.read(path).ok()?).ok()) {
        Some(text) => text,
        None => planned.to_text(),
    };
    tree.insert(path.to_path_buf(), Some(text));
}

/// A warning for what a user typed and that isn't written any more.
pub fn warning(lost: &[String]) -> Option<Issue> {
    if lost.is_empty() {
        return None;
    }
    let why = format!("What they stood in is not written any more:\n{}", lost.join("\n"));
    Some(Issue::warning(Code::Edited, "comments in files that tf-phi wrote are not kept", why))
}
