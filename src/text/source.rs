//! Source files, spans in bytes, and the line index.

use super::{EditSet, SecretTexts, Span};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Index of a file in [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SourceId(pub u32);

/// A span in a known file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file.
    pub file: SourceId,
    /// The bytes.
    pub span: Span,
}

/// Line and column, both from 1; the column counts characters, as Terraform's diagnostics do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineCol {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// The bytes of one block.
const BLOCK: usize = 4 << 10;

/// Ranges of lines, each by its first and its last.
pub type LineRanges = Vec<(usize, usize)>;

/// One file's text with its line index.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path relative to the working directory, as it is shown to people.
    pub path: PathBuf,
    /// The text exactly as on disk.
    pub text: Arc<str>,
    lines: Arc<[u32]>,
    /// The number of characters before each block of bytes. Columns stay cheap in a file that is one long line with
    /// many findings.
    blocks: Arc<[u32]>,
    /// True if most lines end in `\r\n`.
    crlf: bool,
    /// True if it holds nothing but values of variables, whatever its name.
    holds_values: bool,
    /// The file that people know, if this text was made from another one.
    origin: Option<Arc<Original>>,
    /// What was found to hold a secret; nothing before all that is known of it was read.
    secret: Option<Arc<[Span]>>,
    /// Ranges of lines that nobody is to be shown, once they were asked for.
    withheld: Arc<OnceLock<Vec<(usize, usize)>>>,
    /// What lines tell of a text that can't be read otherwise, once that was asked for; nothing of one that can.
    unread: Arc<OnceLock<Option<LineRanges>>>,
}

/// The file from which a text was made, and the edits that made it.
#[derive(Debug)]
struct Original {
    file: SourceFile,
    edits: EditSet,
}

impl SourceFile {
    /// Indexes `text`.
    pub fn new(path: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> SourceFile {
        let text = text.into();
        let mut lines = vec![0u32];
        lines.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| Span::new(i + 1, i + 1).start));
        let is_crlf = |start: &&u32| text.as_bytes().get((**start as usize).wrapping_sub(2)) == Some(&b'\r');
        let crlf = lines.iter().skip(1).filter(is_crlf).count() * 2 > lines.len() - 1;
        let mut before = 0;
        let each = text.as_bytes().chunks(BLOCK).map(|block| {
            before += characters(block);
            Span::new(before, before).start
        });
        let blocks = std::iter::once(0).chain(each).collect();
        SourceFile {
            path: path.into(),
            text,
            lines: lines.into(),
            blocks,
            crlf,
            holds_values: false,
            origin: None,
            secret: None,
            withheld: Arc::default(),
            unread: Arc::default(),
        }
    }

    /// The same file as one that is read for the values of variables that it holds.
    #[must_use]
    pub fn with_values(self) -> SourceFile {
        SourceFile { holds_values: true, ..self }
    }

    /// Returns true if this, or the file that it was made from, was read for values of variables.
    pub fn holds_values(&self) -> bool {
        self.holds_values || self.made_of().is_some_and(SourceFile::holds_values)
    }

    /// Returns the ranges of lines that nobody is to be shown, as they were found once.
    pub fn withheld(&self, find: &dyn Fn(&SourceFile) -> Vec<(usize, usize)>) -> &[(usize, usize)] {
        self.withheld.get_or_init(|| find(self))
    }

    /// The file that people know, if this text was made from another one.
    pub fn made_of(&self) -> Option<&SourceFile> {
        self.origin.as_ref().map(|origin| &origin.file)
    }

    /// Ranges of lines of a text that can't be read, as they were found once; nothing where it can be.
    pub fn unread(&self, find: &dyn Fn(&SourceFile) -> Option<LineRanges>) -> Option<&[(usize, usize)]> {
        self.unread.get_or_init(|| find(self)).as_deref()
    }

    /// What was found to hold a secret.
    pub fn secret_spans(&self) -> &[Span] {
        self.secret.as_deref().unwrap_or_default()
    }

    /// Returns true if it is known what in it is secret: a configuration that couldn't be read as a whole doesn't tell.
    pub fn is_judged(&self) -> bool {
        self.secret.is_some()
    }

    /// Returns the line ending that most lines have.
    pub fn line_ending(&self) -> &'static str {
        if self.crlf { "\r\n" } else { "\n" }
    }

    /// Says that this text was made from another file by these edits. Lines are counted and shown as they stand in
    /// that file.
    #[must_use]
    pub fn made_from(self, file: SourceFile, edits: EditSet) -> SourceFile {
        SourceFile { origin: Some(Arc::new(Original { file, edits })), ..self }
    }

    /// The path of the file that people know.
    pub fn shown(&self) -> &Path {
        self.origin.as_ref().map_or(&self.path, |o| &o.file.path)
    }

    /// The text of a span; empty where the span is not in the file.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Line and column of a byte offset.
    pub fn line_col(&self, offset: u32) -> LineCol {
        if let Some(origin) = &self.origin {
            return origin.file.line_col(origin.edits.origin(offset));
        }
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let column = match (offset.saturating_sub(start) as usize) < BLOCK {
            true => characters(self.slice(Span { start, end: offset }).as_bytes()),
            false => self.characters(offset).saturating_sub(self.characters(start)),
        };
        LineCol { line, column: column + 1 }
    }

    /// Returns the number of characters that begin before a byte.
    fn characters(&self, offset: u32) -> usize {
        let at = (offset as usize).min(self.text.len());
        let before = self.blocks.get(at / BLOCK).copied().unwrap_or(0) as usize;
        before + characters(self.text.as_bytes().get(at / BLOCK * BLOCK..at).unwrap_or_default())
    }

    /// Returns the number of bytes between the start of the line and an offset.
    pub fn in_line(&self, offset: u32) -> usize {
        if let Some(origin) = &self.origin {
            return origin.file.in_line(origin.edits.origin(offset));
        }
        let line = self.lines.partition_point(|start| *start <= offset);
        offset.saturating_sub(self.lines.get(line.saturating_sub(1)).copied().unwrap_or(0)) as usize
    }

    /// The line of a byte offset, from 1.
    fn line(&self, offset: u32) -> usize {
        match &self.origin {
            Some(origin) => origin.file.line(origin.edits.origin(offset)),
            None => self.lines.partition_point(|start| *start <= offset),
        }
    }

    /// First and last line of a span, from 1.
    pub fn line_range(&self, span: Span) -> (usize, usize) {
        let last = span.end.saturating_sub(1).max(span.start);
        (self.line(span.start), self.line(last))
    }

    /// The whole line a byte stands in, without its line ending.
    pub fn line_text(&self, line: usize) -> &str {
        if let Some(origin) = &self.origin {
            return origin.file.line_text(line);
        }
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let end = self.lines.get(line).copied().unwrap_or(u32::MAX).min(Span::new(0, self.text.len()).end);
        self.slice(Span { start, end }).trim_end_matches(['\n', '\r'])
    }
}

/// Returns the number of characters that begin in these bytes of UTF-8.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|b| **b & 0xc0 != 0x80).count()
}

/// Every file of a run, by [`SourceId`].
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    bytes: usize,
    /// The folder to which paths are relative, seen from the user's current directory.
    dir: PathBuf,
    /// The folder that the command was told to change to. Paths are shown from there, as Terraform does; commands are typed above it.
    changed_to: PathBuf,
    /// What no words may quote.
    told: Arc<SecretTexts>,
}

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, file: SourceFile) -> SourceId {
        let id = SourceId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.bytes += file.text.len();
        self.files.push(file);
        id
    }

    /// Returns the same files for a user whose current directory isn't the working directory: `from` leads from there
    /// to it.
    #[must_use]
    pub fn seen_from(self, dir: &Path) -> Sources {
        Sources { dir: dir.strip_prefix(".").unwrap_or(dir).to_path_buf(), ..self }
    }

    /// Returns the same files for a command that was told to change to a folder first.
    #[must_use]
    pub fn changed_to(self, folder: Option<&Path>) -> Sources {
        Sources { changed_to: folder.map(Path::to_path_buf).unwrap_or_default(), ..self }
    }

    /// Returns true if paths are shown from another folder than the working directory.
    pub fn is_seen_from_elsewhere(&self) -> bool {
        !self.dir.as_os_str().is_empty()
    }

    /// Returns the working directory as seen from the folder in which the user types commands, where that is another one.
    pub fn folder_of_commands(&self) -> Option<&Path> {
        [&self.changed_to, &self.dir]
            .into_iter()
            .find(|dir| !dir.as_os_str().is_empty())
            .map(PathBuf::as_path)
    }

    /// Returns the path of a file as seen from the user's current directory.
    pub fn seen(&self, path: &Path) -> PathBuf {
        self.dir.join(path)
    }

    /// Returns the length of all texts together, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Records the file and the edits from which the text of a path was made.
    pub fn made_from(&mut self, path: &Path, file: &SourceFile, edits: &EditSet) {
        for own in self.files.iter_mut().filter(|f| f.path == path) {
            *own = own.clone().made_from(file.clone(), edits.clone());
        }
    }

    /// Notes what no words may quote.
    pub fn keep_from_words(&mut self, told: SecretTexts) {
        self.told = Arc::new(told);
    }

    /// What no words may quote.
    pub fn told(&self) -> &Arc<SecretTexts> {
        &self.told
    }

    /// Returns words without the secrets that they quote.
    pub fn conceal<'w>(&self, words: &'w str) -> Cow<'w, str> {
        self.told.conceal(words)
    }

    /// Notes that secrets stand at these places, and nowhere else.
    pub fn withhold(&mut self, places: &[Place]) {
        let mut by_file: BTreeMap<SourceId, Vec<Span>> = BTreeMap::new();
        places.iter().for_each(|place| by_file.entry(place.file).or_default().push(place.span));
        for (id, file) in (0u32..).map(SourceId).zip(self.files.iter_mut()) {
            let spans = by_file.remove(&id).unwrap_or_default();
            file.secret = Some(spans.into());
            file.withheld = Arc::default();
            file.unread = Arc::default();
        }
    }

    /// Returns the file with this id, if the id belongs to this table.
    pub fn get(&self, id: SourceId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All files with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &SourceFile)> {
        (0u32..).map(SourceId).zip(self.files.iter())
    }

    /// The id of a path, if it is loaded.
    pub fn find(&self, path: &Path) -> Option<SourceId> {
        self.iter().find(|(_, f)| f.path == path).map(|(id, _)| id)
    }

    /// The text of a place.
    pub fn slice(&self, place: Place) -> &str {
        self.get(place.file).map_or("", |f| f.slice(place.span))
    }

    /// `path:first-last`, the form of `source_span` in reports; one line gives `path:line`.
    pub fn span_text(&self, place: Place) -> String {
        let Some(file) = self.get(place.file) else { return String::new() };
        let (first, last) = file.line_range(place.span);
        let mut text = super::one_line(&file.shown().to_string_lossy()).into_owned();
        for (separator, line) in [(':', first), ('-', last)].into_iter().take(1 + usize::from(first != last))
        {
            text.push(separator);
            text.push_str(&line.to_string());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns() {
        let file = SourceFile::new("a.tf", "ab\nçd\r\nx");
        assert_eq!(file.line_col(0), LineCol { line: 1, column: 1 });
        assert_eq!(file.line_col(5), LineCol { line: 2, column: 2 });
        assert_eq!(file.line_col(8), LineCol { line: 3, column: 1 });
        assert_eq!(file.line_text(2), "çd");
        assert_eq!((file.in_line(5), file.in_line(8)), (2, 0));
        assert_eq!(file.line_range(Span { start: 0, end: 3 }), (1, 1));
    }
    #[test]
    fn columns_of_a_long_line() {
        let text = format!("x\n{}", "aç…".repeat(5_000));
        let file = SourceFile::new("a.tf", &*text);
        let line: String = text.chars().skip(2).collect();
        for (column, (at, _)) in line.char_indices().enumerate().step_by(7) {
            let offset = Span::new(at + 2, at + 2).start;
            assert_eq!(file.line_col(offset), LineCol { line: 2, column: column + 1 }, "{offset}");
        }
        let end = LineCol { line: 2, column: 15_001 };
        assert_eq!(file.line_col(Span::new(text.len(), text.len()).start), end);
    }
}
