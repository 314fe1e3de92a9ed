//! The paths that are written in a file: in literals and templates of its syntax, or anywhere in what has none that is known here.
//!
//! In: a file's name and its text. Out: [`Written`]. Absent on purpose: evaluating paths. Of a template counts what stands before whatever is put
//! in, with all that lies there, and what begins with a step upwards behind it, as in `format("%s/../x", path.module)`. Invariants: what stands in the
//! syntax is found however it is laid out; a path of which nothing is known means all that lies in the folder.

use crate::syntax::walk::{walk, walk_body};
use crate::syntax::{self, Body, Call, Expr, ExprKind, TemplatePart};
use regex::{Captures, Regex};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

/// A step to a folder, with what follows, in any text: not behind a letter, a dot, or a slash.
static STEPS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?:^|[^\w./\\-])(\.{1,2}/[^\s"'`,;()\[\]<>|]*)"#).ok());

/// What a function that reads files is given in any text.
static READ: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"file\w*\s*\(\s*"(?:\$\{\s*path\s*\.\s*(?:module|root|cwd)\s*\}/?)?([^"\n]*)"#).ok()
});

/// One of Terraform's own folders, in any text.
static OWN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"\$\{\s*path\s*\.\s*(?:module|root|cwd)\s*\}/?([^"\s]*)"#).ok());

/// One of Terraform's own folders, whatever is done with it, in any text.
static OWN_NAME: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"path\s*\.\s*(?:module|root|cwd)\b").ok());

/// What a function that reads files is given and that isn't written out, in any text.
static COMPUTED: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"fileset\s*\(|file\w*\s*\(\s*[^"\s]"#).ok());

/// The paths that a file holds.
#[derive(Default, Debug)]
pub(super) struct Written {
    /// Relative paths, each up to whatever is put in.
    pub paths: Vec<PathBuf>,
    /// Folders of which whatever lies there may be meant: steps upwards alone, and what stands before something that is put in.
    pub above: Vec<PathBuf>,
}

impl Written {
    /// The paths that are written in a file of this name.
    pub fn of(name: &str, text: &str) -> Written {
        let mut found = Written::default();
        let is_native = [".tf", ".tofu", ".tfvars", ".hcl"].iter().any(|end| name.ends_with(end));
        match (is_native, name.ends_with(".json")) {
            (true, _) => match syntax::parse(text) {
                Ok(body) => found.body(&body),
                Err(_) => found.text(text),
            },
            (_, true) => match serde_json::from_str(text) {
                Ok(json) => found.json(&json),
                Err(_) => found.text(text),
            },
            _ => found.text(text),
        }
        found
    }

    fn body(&mut self, body: &Body) {
        walk_body(body, &mut |_, attr| self.expr(&attr.expr));
    }

    fn expr(&mut self, expr: &Expr) {
        let (mut steps, mut own, mut known) = (0, 0, 0);
        walk(expr, &mut |inner| {
            match &inner.kind {
                ExprKind::String(text) => {
                    steps += usize::from(is_step(text));
                    self.literal(text);
                }
                ExprKind::Template(template) => {
                    known += template.parts.iter().filter(|part| is_own_part(part)).count();
                    self.literal(&text_of(&template.parts));
                }
                ExprKind::Call(call) if call.name.text.contains("file") => known += self.call(call),
                _ if is_own_folder(inner) => own += 1,
                _ => {}
            }
            true
        });
        // What becomes of it, nobody knows.
        if own > known {
            self.above.push(PathBuf::new());
        }
        // Several of them may be joined: `join("/", ["..", "..", "x"])`.
        let mut above = PathBuf::new();
        for _ in 1..steps.min(MOST_STEPS) {
            above.push("..");
            self.above.push(above.join(".."));
        }
    }

    /// The call of a function that reads files: whatever its first argument is called, it is a path. Returns how many of Terraform's own folders it
    /// names beside templates.
    fn call(&mut self, call: &Call) -> usize {
        let Some(first) = call.args.first() else { return 0 };
        let pattern = match (&*call.name.text, call.args.get(1).map(|pattern| &pattern.kind)) {
            ("fileset", Some(ExprKind::String(pattern))) => &**pattern,
            // Any, at whatever depth.
            ("fileset", _) => "**",
            _ => "",
        };
        let folder = match &first.kind {
            ExprKind::String(text) => text.to_string(),
            ExprKind::Template(template) => text_of(&template.parts),
            _ if is_own_folder(first) && !pattern.is_empty() => OWN_FOLDER.to_owned(),
            _ => {
                self.above.push(PathBuf::new());
                return 0;
            }
        };
        let folder = folder.strip_prefix(OWN_FOLDER).map_or(&*folder, |rest| rest.trim_start_matches('/'));
        match (folder, pattern) {
            (_, "") => self.path(folder),
            // Files that stand in Terraform's own folder itself.
            ("" | ".", pattern) if !pattern.contains('/') && !pattern.contains("**") => {}
            ("" | ".", pattern) => self.path(pattern),
            _ => self.path(&format!("{}/{pattern}", folder.trim_end_matches('/'))),
        }
        usize::from(is_own_folder(first))
    }

    fn json(&mut self, json: &Json) {
        match json {
            Json::String(text) => {
                self.text(text);
                self.literal(text);
            }
            Json::Array(items) => items.iter().for_each(|item| self.json(item)),
            Json::Object(members) => members.values().for_each(|member| self.json(member)),
            _ => {}
        }
    }

    /// Text of whatever kind, as it stands and with what its escapes say.
    fn text(&mut self, text: &str) {
        self.plain_text(text);
        let unescaped = resolve_escapes(text);
        if unescaped != text {
            self.plain_text(&unescaped);
        }
    }

    fn plain_text(&mut self, text: &str) {
        let count =
            |pattern: &Option<Regex>| pattern.as_ref().map_or(0, |pattern| pattern.find_iter(text).count());
        if count(&OWN_NAME) > count(&OWN) || count(&COMPUTED) > 0 {
            self.above.push(PathBuf::new());
        }
        for pattern in [&*STEPS, &*READ, &*OWN].into_iter().flatten() {
            for found in pattern.captures_iter(text).filter_map(|found| found.get(1)) {
                self.path(found.as_str());
                if !ends_with_name(text, found.range()) {
                    self.add_folder_around(found.as_str());
                }
            }
        }
    }

    /// A literal, of which each word may be a path, or begin one.
    fn literal(&mut self, text: &str) {
        text.lines().for_each(|line| self.read_words(line));
    }

    fn read_words(&mut self, line: &str) {
        let mut words = line.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let goes_on = words.peek().is_some();
            let word = word.strip_prefix(OWN_FOLDER).map_or(word, |rest| {
                // Its own folder, whatever is called there.
                self.path(rest.trim_start_matches('/'));
                rest
            });
            // Something stands before it that may be no part of it, as a quote.
            if word.contains(OWN_FOLDER) {
                self.above.push(PathBuf::new());
            }
            let is_relative = word.starts_with("./") && !is_here(word) || word.starts_with("../");
            if is_relative || is_step(word) {
                self.path(word);
                // A name may hold blanks.
                if goes_on {
                    self.add_folder_around(word);
                }
            }
            // What stands before it is put in, or names a folder that needn't be there.
            for (at, _) in word.match_indices("/..") {
                self.path(word.get(at + 1..).unwrap_or_default());
            }
        }
    }

    /// The folder in which a path lies of which only the beginning may be written: any name may follow.
    fn add_folder_around(&mut self, written: &str) {
        let folder = written.rsplit_once('/').map_or("", |(folder, _)| folder);
        self.above.push(fixed(&format!("{folder}/")));
    }

    fn path(&mut self, written: &str) {
        let path = fixed(written);
        let is_named = path.components().any(|c| matches!(c, Component::Normal(_)));
        // Something below is meant that isn't named, or the folder itself is handed on.
        if !is_named || path.as_os_str() != written {
            self.above.push(path.clone());
        }
        if is_named {
            self.paths.push(path);
        }
    }
}

/// A template as text, with signs for Terraform's own folders and for whatever else is put in.
fn text_of(parts: &[TemplatePart]) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            TemplatePart::Literal(literal, _) => text.push_str(literal),
            part if is_own_part(part) => text.push_str(OWN_FOLDER),
            _ => text.push('*'),
        }
    }
    text
}

/// Returns true if one of Terraform's own folders is put in.
fn is_own_part(part: &TemplatePart) -> bool {
    matches!(part, TemplatePart::Interpolation(expr, _) if is_own_folder(expr))
}

/// The number of steps upwards that are taken together.
const MOST_STEPS: usize = 16;

/// Stands for one of Terraform's own folders. No path has it.
const OWN_FOLDER: &str = "\0";

/// Returns true for a step upwards, or several, and nothing besides.
fn is_step(text: &str) -> bool {
    let path = Path::new(text);
    !text.is_empty() && path.components().all(|c| c == Component::ParentDir)
}

/// Returns true for the folder itself. Alone it leads nowhere: a function that is given it isn't given a path that is written out.
fn is_here(text: &str) -> bool {
    Path::new(text).components().all(|c| c == Component::CurDir)
}

/// Returns true for `path.module` and its like.
fn is_own_folder(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::GetAttr(of, _) => matches!(&of.kind, ExprKind::Variable(root) if &**root == "path"),
        _ => false,
    }
}

/// Returns true if a path in a text ends where what was found ends, as far as the syntaxes of data agree: a closing quote that isn't doubled,
/// or the end of the line. What stands in a list ends with a comma and a blank; what stands between commas, with the comma.
fn ends_with_name(text: &str, found: Range<usize>) -> bool {
    let before = text.get(..found.start).unwrap_or_default();
    let mut after = text.get(found.end..).unwrap_or_default().chars();
    let next = after.next();
    match before.chars().next_back().filter(|c| matches!(c, '"' | '\'' | '`')) {
        Some(quote) => next == Some(quote) && after.next() != Some(quote),
        None => match next {
            None | Some('\n' | '\r') => true,
            Some(',') => before.ends_with(',') || after.next().is_none_or(char::is_whitespace),
            Some(' ' | '\t') => {
                let rest = after.as_str().lines().next().unwrap_or_default().trim_start();
                rest.is_empty() || rest.starts_with('#')
            }
            Some(']' | '}' | ')') => true,
            _ => false,
        },
    }
}

/// The escapes of YAML and of quoted templates by which a step upwards can be written, and the end of a line that is none.
static ESCAPES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(/)|\r?\n[ \t]*)").ok()
});

/// A text with the letters that its escapes stand for.
fn resolve_escapes(text: &str) -> Cow<'_, str> {
    let Some(escapes) = ESCAPES.as_ref() else { return Cow::Borrowed(text) };
    escapes.replace_all(text, |found: &Captures<'_>| {
        let code = (1..=3).find_map(|at| u32::from_str_radix(found.get(at)?.as_str(), 16).ok());
        let letter = code.and_then(char::from_u32).or(found.get(4).map(|_| '/'));
        letter.map(String::from).unwrap_or_default()
    })
}

/// The part of a written path before anything that is put in, or stands for other letters.
pub(super) fn fixed(written: &str) -> PathBuf {
    let special = written.find(['$', '%', '*', '?', '[', '{', '\\', '\0']);
    match special {
        None => PathBuf::from(written),
        Some(at) => {
            let front = written.get(..at).unwrap_or_default();
            PathBuf::from(front.rsplit_once('/').map_or("", |(dir, _)| dir))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_anything_that_is_put_in() {
        for (written, want) in [
            ("a/b.json", "a/b.json"),
            ("../env/*.tfvars", "../env"),
            ("templates/${var.x}.tpl", "templates"),
            ("${var.x}", ""),
            ("../x-${var.x}/y", ".."),
        ] {
            assert_eq!(fixed(written), Path::new(want), "{written}");
        }
    }

    /// Each names the file `../x/y`, or a folder above it.
    #[test]
    fn a_path_is_seen_however_it_is_written() {
        let native = [
            r#""../x/y""#,
            r#"file("../x/y")"#,
            r#"file ( "../x/y" )"#,
            "file(\n\"../x/y\")",
            r#"file(/* c */ "../x/y")"#,
            r#""${path.module}/../x/y""#,
            r#""${ path.module }/../x/y""#,
            r#"format("%s/../x/y", path.module)"#,
            r#"join("/", [path.module, "../x", "y"])"#,
            r#"join("/", ["..", "x", "y"])"#,
            r#""${true ? "../x" : "q"}/y""#,
            "\"..\\u002fx/y\"",
            "<<E\n../x/y\nE\n",
            "<<-E\n  a ../x/y b\n  E\n",
            r#"fileset("..", "x/*")"#,
            r#""../${var.v}/y""#,
            r#""${var.v}/../x/y""#,
            r#"abspath("${path.module}/../x/y")"#,
            r#""${path.root}/a/../../x/y""#,
            r#"["../x/y"][0]"#,
            r#"{ k = "../x/y" }.k"#,
            r#"file("a/../../x/y")"#,
        ];
        let target = Path::new("../x/y");
        let leads = |found: &Written| {
            let clean = |path: &PathBuf| crate::config::paths::clean(path);
            found.paths.iter().map(clean).any(|path| target.starts_with(path))
                || found.above.iter().map(clean).any(|path| target.starts_with(path))
        };
        for expr in native {
            let found = Written::of("main.tf", &format!("locals {{\n  v = {expr}\n}}\n"));
            assert!(leads(&found), "{expr}: {found:?}");
            let found = Written::of("x.tfvars", &format!("v = {expr}\n"));
            assert!(leads(&found), "{expr}: {found:?}");
        }
        for (name, text) in [
            ("c.yaml", "p: ../x/y\n"),
            ("c.yaml", "- '../x/y'\n"),
            ("c.yaml", "p: [../x/y, z]\n"),
            ("c.json", "{\"p\": \"..\\u002fx/y\"}"),
            ("c.tftpl", "${file(\"../x/y\")}"),
            ("c.tftpl", "${ file ( \"${ path.module }/../x/y\" ) }"),
            ("c.csv", "a,../x/y,b\n"),
            ("c.csv", "a,../x/y,\n"),
            ("c.yaml", "p: \"..\\x2fx/y\"\n"),
            ("c.yaml", "p: \"..\\u002Fx/y\"\n"),
            ("c.yaml", "p: \"\\U0000002e./x/y\"\n"),
            ("c.yaml", "{\"p\": \"..\\/x\\/y\"}\n"),
            ("c.yaml", "p: \"../\\\n  x/y\"\n"),
            ("c.tftpl", "${file(\"\\u002e./x/y\")}"),
            ("main.tf.json", "{\"locals\": {\"v\": \"${file(\\\"../x/y\\\")}\"}}"),
            ("main.tf.json", "{\"locals\": {\"v\": \"${path.module}/../x/y\"}}"),
            ("broken.tf", "locals {\n v = \"../x/y\"\n"),
        ] {
            let found = Written::of(name, text);
            assert!(leads(&found), "{name}: {text}: {found:?}");
        }
        // Names with blanks, quotes and commas.
        for (name, path, text) in [
            ("c.json", "../x y/z", "{\"p\": \"../x y/z\"}"),
            ("c.yaml", "../x y/z", "p: ../x y/z\n"),
            ("c.yaml", "../x y/z", "p: '../x y/z'\n"),
            ("c.yaml", "../it's/z", "p: '../it''s/z'\n"),
            ("c.yaml", "../x,y/z", "p: ../x,y/z\n"),
            ("c.csv", "../x y/z", "../x y/z,1\n"),
            ("c.csv", "../x\"y/z", "1,\"../x\"\"y/z\"\n"),
            ("c.csv", "../x,y/z", "1,\"../x,y/z\"\n"),
            ("x.tfvars", "../x y/z", "v = \"../x y/z\"\n"),
            ("main.tf", "../x y/z", "locals {\n  v = \"../x y/z\"\n}\n"),
        ] {
            let found = Written::of(name, text);
            let mut led =
                found.paths.iter().chain(&found.above).map(|path| crate::config::paths::clean(path));
            assert!(led.any(|at| Path::new(path).starts_with(at)), "{name}: {text}: {found:?}");
        }
        // What ends is that file alone.
        for (name, text) in [
            ("c.json", "{\"p\": \"../x/y\"}"),
            ("c.yaml", "p: ../x/y # said\n"),
            ("c.yaml", "p: [../x/y, z]\n"),
            ("c.yaml", "p: \"../x/y\"\n"),
            ("c.csv", "a,../x/y,b\n"),
        ] {
            let found = Written::of(name, text);
            let is_one = found.paths.iter().all(|path| path == Path::new("../x/y"));
            assert!(is_one && !found.paths.is_empty() && found.above.is_empty(), "{text}: {found:?}");
        }
        for text in ["\"a/b\"", "\"a..b\"", "\"https://x/y\"", "\"1...2\"", "\"./\"", "\".\""] {
            let found = Written::of("main.tf", &format!("locals {{\n  v = {text}\n}}\n"));
            assert!(found.paths.is_empty() && found.above.is_empty(), "{text}: {found:?}");
        }
    }
}
