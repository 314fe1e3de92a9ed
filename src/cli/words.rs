//! Terraform's habits, made into clap's: one dash before a long option, `-chdir=DIR`, and for `plan` and `apply`
//! options of ours among those of Terraform.

use super::table::{COMMANDS, Spec};
use crate::terraform::args::takes_value;
use std::ffi::{OsStr, OsString};

/// Options of every command, before its name or after it; each takes a value.
pub(super) const ANYWHERE: &[(&str, bool)] = &[("terraform", true), ("form-factor", true)];

/// The words as clap is to see them.
///
/// # Errors
/// A sentence, where `-chdir` has no `=`.
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
                Some(Spec { among_terraforms: Some(own), .. }) => parted(own, rest),
                Some(spec) => double_dashed(spec, rest),
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
            _ if ANYWHERE.iter().any(|(name, _)| text.trim_start_matches('-') == *name) => {
                out.push(format!("--{}", text.trim_start_matches('-')).into());
                out.extend(rest.next());
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

/// Our options first, then `--`, then Terraform's words in their order.
///
/// A word that is the value of one of Terraform's options is never ours, and neither is anything after `--`.
fn parted(own: &[(&str, bool)], words: Vec<OsString>) -> Vec<OsString> {
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
        let mine = name.and_then(|n| own.iter().chain(ANYWHERE).find(|(o, _)| *o == n));
        let single = text.trim_start_matches('-');
        match mine {
            Some((_, with_value)) => {
                ours.push(if text.starts_with("--") { word } else { format!("-{text}").into() });
                if *with_value && !text.contains('=') {
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

/// `-name` and `-name=value` as `--name`, for the long options of a command.
fn double_dashed(spec: &Spec, words: Vec<OsString>) -> Vec<OsString> {
    let command = (spec.arguments)(clap::Command::new(spec.name));
    let longs: Vec<&str> = command
        .get_arguments()
        .filter_map(clap::Arg::get_long)
        .chain(["help"])
        .chain(ANYWHERE.iter().map(|(name, _)| *name))
        .collect();
    let one = |word: OsString| {
        let name = word.to_str().and_then(|t| t.strip_prefix('-')).map(|t| t.split('=').next().unwrap_or(t));
        match name {
            Some(name) if name.len() > 1 && longs.contains(&name) => {
                let mut dashed = OsString::from("-");
                dashed.push(word);
                dashed
            }
            _ => word,
        }
    };
    words.into_iter().map(one).collect()
}
