//! Terraform's habits, made into clap's: one dash before a long option, `-chdir=DIR`, and for `plan` and `apply`
//! options of ours among those of Terraform.

use super::table::{COMMANDS, Spec};
use crate::config::nearest::nearest;
use crate::host::{Host as _, Machine};
use crate::terraform::args::takes_value;
use crate::text::one_line;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Options of every command, before its name or after it, and whether each takes a value.
pub(super) const ANYWHERE: &[(&str, bool)] =
    &[("terraform", true), ("form-factor", true), ("no-copies", false), ("strict", false)];

/// Commands of Terraform that tf-phi has under another name.
const TERRAFORMS: &[(&str, &str)] = &[("destroy", "tf-phi apply -destroy")];

/// Options that a command of Terraform has and ours of the same name hasn't.
const OPTIONS: &[(&str, &str)] = &[
    ("validate", "no-tests"),
    ("validate", "test-directory"),
    ("validate", "query"),
    ("graph", "plan"),
    ("graph", "draw-cycles"),
    ("graph", "type"),
    ("graph", "module-depth"),
];

/// Returns what to type for a command of Terraform's own.
pub(super) fn instead(command: &str) -> Option<String> {
    let (name, ours) = TERRAFORMS.iter().find(|(name, _)| *name == command)?;
    Some(format!("tf-phi has no `{name}`. Type: {ours}"))
}

/// The words as clap is to see them.
///
/// # Errors
/// A sentence, where `-chdir` has no `=`, or an option isn't known.
pub(super) fn normalised(words: Vec<OsString>) -> Result<Vec<OsString>, String> {
    let mut out = Vec::new();
    let mut rest = words.into_iter();
    while let Some(word) = rest.next() {
        let Some(text) = word.to_str().filter(|t| t.starts_with('-')) else {
            let rest: Vec<OsString> = rest.collect();
            let spec = COMMANDS.iter().find(|s| OsStr::new(s.name) == word);
            out.push(word);
            out.extend(match spec {
                None => rest,
                Some(spec) if spec.name == PROGRAM => before_program(&spec.options(), rest),
                Some(spec) if spec.among_terraforms => parted(&spec.options(), rest),
                Some(spec) => double_dashed(spec, rest, &folder(&out))?,
            });
            return Ok(out);
        };
        match text {
            "-chdir" | "--chdir" => {
                return Err(
                    "-chdir must be followed by an equals sign and a directory, as in -chdir=DIR.".into()
                );
            }
            "-version" | "-v" => out.push("--version".into()),
            "-help" => out.push("--help".into()),
            _ if text.starts_with("-chdir=") => out.push(format!("-{text}").into()),
            _ if let Some((name, with_value)) = anywhere(text) => {
                out.push(format!("--{name}").into());
                out.extend(with_value.then(|| rest.next()).flatten());
            }
            _ if ANYWHERE
                .iter()
                .any(|(n, _)| text.strip_prefix('-').is_some_and(|t| t.starts_with(&format!("{n}=")))) =>
            {
                out.push(format!("-{text}").into());
            }
            // `-chdir` with a directory that is not UTF-8 is not text and ends up with clap, which says so.
            _ => out.push(word),
        }
    }
    Ok(out)
}

/// The command that runs any program.
const PROGRAM: &str = "run";

/// Our options, then `--`, the program and all that follows: its options are its own.
fn before_program(own: &[(String, bool)], words: Vec<OsString>) -> Vec<OsString> {
    let mut front = Vec::new();
    let mut words = words.into_iter().peekable();
    while let Some(word) = words.next_if(|word| word != "--" && word.to_string_lossy().starts_with('-')) {
        let text = word.to_string_lossy().into_owned();
        let own = own.iter().map(|(name, with_value)| (&**name, *with_value)).chain(ANYWHERE.iter().copied());
        let with_value = own.into_iter().any(|(name, takes)| takes && text.trim_start_matches('-') == name);
        front.push(word);
        front.extend(with_value.then(|| words.next()).flatten());
    }
    words.next_if(|word| word == "--");
    let front = parted(own, front);
    let program: Vec<OsString> = words.collect();
    let separated = !program.is_empty() && !front.iter().any(|word| word == "--");
    front.into_iter().chain(separated.then(|| "--".into())).chain(program).collect()
}

/// Our options first, then `--`, then Terraform's words in their order.
///
/// A word that is the value of one of Terraform's options is never ours, and neither is anything after `--`.
fn parted(own: &[(String, bool)], words: Vec<OsString>) -> Vec<OsString> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        if text == "--" {
            theirs.push(word);
            break;
        }
        if matches!(text.as_str(), "-h" | "-help" | "--help") {
            return vec!["--help".into()];
        }
        // None of Terraform's options has the name of one of ours.
        let bare = text.strip_prefix("--").or_else(|| text.strip_prefix('-'));
        let name = bare.map(|t| t.split('=').next().unwrap_or(t));
        let own = || own.iter().map(|(o, v)| (&**o, *v)).chain(ANYWHERE.iter().copied());
        let mine = name.and_then(|n| own().find(|(o, _)| *o == n));
        let single = text.trim_start_matches('-');
        match mine {
            Some((_, with_value)) => {
                ours.push(if text.starts_with("--") { word } else { format!("-{text}").into() });
                if with_value && !text.contains('=') {
                    ours.extend(words.next());
                }
            }
            None => {
                theirs.push(word);
                if text.starts_with('-') && takes_value(single) {
                    theirs.extend(words.next());
                }
            }
        }
    }
    theirs.extend(words);
    if !theirs.is_empty() {
        ours.push("--".into());
        ours.extend(theirs);
    }
    ours
}

/// The option of every command that a word is.
fn anywhere(word: &str) -> Option<(&'static str, bool)> {
    ANYWHERE.iter().copied().find(|(name, _)| word.trim_start_matches('-') == *name)
}

/// `-name` and `-name=value` as `--name`, for the long options of a command.
fn double_dashed(spec: &Spec, words: Vec<OsString>, folder: &Path) -> Result<Vec<OsString>, String> {
    let own = spec.options();
    let own = own.iter().map(|(name, with_value)| (&**name, *with_value));
    let longs: Vec<(&str, bool)> = own.chain([("help", false)]).chain(ANYWHERE.iter().copied()).collect();
    let mut out = Vec::with_capacity(words.len());
    let mut words = words.into_iter();
    let mut takes_files = false;
    while let Some(word) = words.next() {
        if word == "--" {
            out.push(word);
            break;
        }
        let text = word.to_str().unwrap_or_default();
        if takes_files {
            no_file(&word, folder)?;
        }
        takes_files |= matches!(text, "--files" | "-files");
        let dashed = text.strip_prefix("--");
        let bare = dashed.or_else(|| text.strip_prefix('-')).map(|t| t.split('=').next().unwrap_or(t));
        match bare.and_then(|name| longs.iter().find(|(long, _)| *long == name)) {
            Some((_, with_value)) => {
                let waits = *with_value && !text.contains('=');
                out.push(if dashed.is_some() { word } else { format!("-{text}").into() });
                // What stands behind it is its value, whatever it looks like.
                out.extend(waits.then(|| words.next()).flatten());
            }
            // A letter by itself is for clap to judge.
            None => match bare.filter(|name| name.len() > 1) {
                Some(name) => {
                    let dashes = if dashed.is_some() { "--" } else { "-" };
                    return Err(unknown(spec.name, dashes, name, &longs));
                }
                None => out.push(word),
            },
        }
    }
    out.extend(words);
    Ok(out)
}

/// The folder that `-chdir` names, among the words before the command.
fn folder(words: &[OsString]) -> PathBuf {
    let mut named = words.iter().filter_map(|word| word.to_str()?.strip_prefix("--chdir="));
    named.next_back().map(PathBuf::from).unwrap_or_default()
}

/// Refuses a file that is named like an option where names of files are expected: it is one to nobody's knowledge.
fn no_file(word: &OsStr, folder: &Path) -> Result<(), String> {
    let is_file = |path: &Path| Machine.kind(path).is_some() || Machine.link(path).is_some();
    let is_there = is_file(Path::new(word)) || is_file(&folder.join(word));
    match word.as_encoded_bytes().starts_with(b"-") && is_there {
        true => Err(format!(
            "The file {} is named like an option. Put -- before the names of files.",
            one_line(&word.to_string_lossy())
        )),
        false => Ok(()),
    }
}

/// The message for an option that a command doesn't have.
fn unknown(command: &str, dashes: &str, name: &str, longs: &[(&str, bool)]) -> String {
    if OPTIONS.contains(&(command, name)) {
        return format!(
            "{dashes}{name} is an option of `terraform {command}`, which is another command. Type: tf-phi run -- terraform {command} -{name}"
        );
    }
    let wrong = format!("{dashes}{name} is no option of `tf-phi {command}`.");
    match nearest(name, longs.iter().map(|(long, _)| *long)) {
        Some(near) => format!("{wrong} Did you mean {dashes}{near}?"),
        None => format!("{wrong} `tf-phi {command} --help` lists them."),
    }
}
