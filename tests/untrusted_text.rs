//! Whatever a tree holds, what is printed is text: nothing in it gives orders to a terminal, a log, or a page.

#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::indexing_slicing)]

mod cli_common;
mod sample;

use cli_common::{Done, Scratch};
use pulldown_cmark::{Event, Options, Parser, Tag};
use sample::whole;

/// What a stranger would like to see printed as it is.
const TEXTS: &[&str] = &[
    "\u{1b}[2J\u{1b}]0;t\u{7}",
    "\u{1b}[31;1mred\u{1b}[8mhidden",
    "\n::add-mask::x",
    "\r::stop-commands::x",
    "##[add-mask]x",
    "##vso[task.complete]x",
    "\u{202e}\u{2066}\u{200b}",
    "\u{85}\u{2028}\u{9b}2J\u{7f}",
    "\u{feff}\u{e0041}\u{fffe}",
    "<script>alert(1)</script>",
    "](http://x) ![a](http://x)",
    "`` ` | <b>\n# h\n",
    "\"] --> n0; click n0",
    "\\\"\\n\"",
    "--><img src=x onerror=y>",
];

type Files = Vec<(String, String)>;

/// A tree that holds a text somewhere.
type Place = fn(&str) -> Files;

const FIELD: &str = "terraform_data.a.input.v";

fn files(all: &[(&str, String)]) -> Files {
    let pin = ("phi.hcl", "specialize \"terraform_data.a\" {\n  fields = [\"input.v\"]\n}\n".to_owned());
    let own = all.iter().any(|(path, _)| *path == "phi.hcl");
    let pin = [pin].into_iter().filter(|_| !own);
    all.iter().cloned().chain(pin).map(|(path, text)| (path.to_owned(), text)).collect()
}

/// The text as a string of HCL that holds it as it is, as far as one can.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{}\"", text.replace('\r', "\\r"))
}

fn split(value: &str, more: &str) -> String {
    format!(
        "variable \"env\" {{\n  type = string\n  default = \"dev\"\n}}\nresource \"terraform_data\" \"a\" {{\n  input = {{\n    \
         v = var.env == \"prod\" ? {value} : \"x\"\n  }}\n}}\n{more}"
    )
}

const PLACES: &[(&str, Place)] = &[
    ("a value", |t| files(&[("main.tf", split(&quoted(t), ""))])),
    ("a condition", |t| files(&[("main.tf", split("\"y\"", "").replace("\"prod\"", &quoted(t)))])),
    ("a comment", |t| files(&[("main.tf", split(&format!("\"y\" /* {t} */"), ""))])),
    ("a heredoc", |t| files(&[("main.tf", split("\"y\"", &format!("locals {{\n  h = <<E\n{t}\nE\n}}\n")))])),
    ("a heredoc in the copy", |t| {
        let main = split("\"y\"", "").replace("  input = {", &format!("  input = {{\n    h = <<E\n{t}\nE\n"));
        files(&[("main.tf", main)])
    }),
    ("a message", |t| {
        let message = format!(
            "validation {{\n    condition = var.env != \"prod\"\n    error_message = {}\n  }}",
            quoted(t)
        );
        files(&[("main.tf", split("\"y\"", "").replace("type = string", &message))])
    }),
    ("a name of a file", |t| {
        let name = format!("x{}.tf", t.replace('/', ""));
        files(&[(&*name, split(&quoted(t), "")), ("b.tf", "locals {\n".to_owned())])
    }),
    ("a name of a folder", |t| {
        let name = t.replace('/', "");
        let call = format!("module \"m\" {{\n  source = {}\n}}\n", quoted(&format!("./{name}")));
        let bad = ("locals {\n  a = nope(1)\n}\n").to_owned();
        files(&[("main.tf", split("\"y\"", &call)), (&*format!("{name}/main.tf"), bad)])
    }),
    ("a key", |t| {
        let map = format!("{{ {} = \"1\", k = nope }}", quoted(t));
        files(&[("main.tf", split(&format!("{map}[var.env]"), ""))])
    }),
    ("what is no expression", |t| files(&[("main.tf", split(&format!("y {t} z"), ""))])),
    ("a name of a function", |t| files(&[("main.tf", split(&format!("f{t}(1)"), ""))])),
    ("a label", |t| files(&[("main.tf", split("\"y\"", &format!("resource {} \"b\" {{}}\n", quoted(t))))])),
    ("an unknown value", |t| {
        let more = format!("data \"external\" \"e\" {{\n  program = [{}]\n}}\n", quoted(t));
        files(&[("main.tf", split(&format!("data.external.e.result[{}]", quoted(t)), &more))])
    }),
    ("JSON", |t| {
        let text = serde_json::json!({ "locals": { t: format!("${{{t}}}") } }).to_string();
        files(&[("main.tf", split("\"y\"", "")), ("b.tf.json", text)])
    }),
    ("broken JSON", |t| files(&[("main.tf", split("\"y\"", "")), ("b.tf.json", format!("{{\"a\": {t}}}"))])),
    ("a variable file", |t| {
        files(&[("main.tf", split("\"y\"", "")), ("terraform.tfvars", format!("env = {t}\n"))])
    }),
    ("a pin", |t| {
        let pin = format!("specialize {} {{\n  fields = [{}]\n}}\n", quoted(t), quoted(t));
        files(&[("main.tf", split("\"y\"", "")), ("phi.hcl", pin)])
    }),
    ("a setting", |t| {
        let pin = format!("settings {{\n  {t} = 1\n  terraform = {}\n}}\n", quoted(t));
        files(&[("main.tf", split("\"y\"", "")), ("phi.hcl", pin)])
    }),
    ("a name of an environment", |t| {
        let phi = format!(
            "environment {} {{\n  variables = {{ env = \"prod\" }}\n}}\nspecialize \"terraform_data.a\" {{\n  \
             fields = [\"input.v\"]\n}}\n",
            quoted(t)
        );
        files(&[("main.tf", split("\"y\"", "")), ("phi.hcl", phi)])
    }),
    ("a name of a variable file", |t| {
        let name = format!("env/{}.tfvars", t.replace('/', ""));
        let other = ("env/other.tfvars", "env = \"dev\"\n".to_owned());
        files(&[("main.tf", split("\"y\"", "")), (&*name, "env = \"prod\"\n".to_owned()), other])
    }),
    ("a record", |t| {
        let record = serde_json::json!({ "format_version": t, "files": { t: t } }).to_string();
        files(&[("main.tf", split("\"y\"", "")), (".phi/provenance.json", record)])
    }),
    ("a list of modules", |t| {
        let list = serde_json::json!({ "Modules": [{ "Key": "m", "Source": t, "Dir": t }] }).to_string();
        let call = "module \"m\" {\n  source = \"far/m/aws\"\n}\n";
        files(&[("main.tf", split("\"y\"", call)), (".terraform/modules/modules.json", list)])
    }),
];

const COMMANDS: &[&[&str]] = &[
    &["check"],
    &["check", "--format", "json"],
    &["check", "--format", "sarif"],
    &["check", "--format", "github"],
    &["check", "--format", "markdown"],
    &["check", "--recursive", "--format", "markdown"],
    &["trace", FIELD],
    &["trace", FIELD, "--format", "json"],
    &["trace", FIELD, "--format", "markdown"],
    &["trace", "--all"],
    &["validate"],
    &["validate", "--format", "json"],
    &["validate", "--format", "markdown"],
    &["trace", "--all", "--format", "github"],
    &["diff"],
    &["graph", FIELD],
    &["graph", FIELD, "--format", "mermaid"],
    &["graph", FIELD, "--format", "svg"],
    &["graph", FIELD, "--format", "html"],
    &["explain", "terraform_data.a"],
    &["explain", "terraform_data.a", "--format", "json"],
    &["matrix", "--all"],
    &["matrix", "--all", "--format", "markdown"],
    &["matrix", "--all", "--format", "html"],
    &["matrix", "--all", "--format", "csv"],
    &["matrix", "--all", "--format", "json"],
    &["review", "--base", "HEAD"],
    &["review", "--base", "HEAD", "--format", "markdown"],
    &["review", "--base", "HEAD", "--format", "html"],
    &["review", "--base", "HEAD", "--format", "json"],
    &["plan", "--dry-run"],
    &["history"],
    &["restore"],
];

/// Not the list of the program: control and format characters that Unicode has below U+E1000, as far as terminals know them.
fn is_hidden(c: char) -> bool {
    matches!(u32::from(c),
        0..=0x08 | 0x0b..=0x1f | 0x7f..=0x9f | 0xad | 0x61c | 0x180e | 0x200b..=0x200f | 0x2028..=0x202e
        | 0x2060..=0x206f | 0xfeff | 0xfff9..=0xfffb | 0xfffe..=0xffff | 0xe0000..=0xe007f)
}

fn judge(args: &[&str], done: &Done) -> Result<(), String> {
    let github = args.contains(&"github");
    for text in [&done.out, &done.err] {
        if let Some(c) = text.chars().find(|c| is_hidden(*c)) {
            return Err(format!("{c:?} is printed"));
        }
        for line in text.lines() {
            let order = line.trim_start().starts_with("::");
            let own = line.starts_with("::error ") || line.starts_with("::warning ");
            if order && !(github && own) {
                return Err(format!("an order: {line}"));
            }
            let old = ["##[", "##vso["].iter().any(|o| line.contains(o));
            if old && !(github && own) {
                return Err(format!("an order: {line}"));
            }
        }
    }
    match args.last() {
        Some(&"json" | &"sarif") if !done.out.is_empty() => {
            serde_json::from_str::<serde_json::Value>(&done.out).map(drop).map_err(|e| e.to_string())
        }
        Some(&"markdown") => markdown(&done.out),
        Some(&"svg" | &"html") => page(&done.out),
        Some(&"mermaid") => done.out.lines().try_for_each(|line| {
            let rest = line.trim_start_matches("  n").trim_start_matches(|c: char| c.is_ascii_digit());
            let known =
                ["flowchart TD", "[\"", "([\"", "{{\"", " -->", " ==>"].iter().any(|s| rest.starts_with(s));
            if known { Ok(()) } else { Err(format!("an order: {line}")) }
        }),
        _ => Ok(()),
    }
}

fn markdown(text: &str) -> Result<(), String> {
    for event in Parser::new_ext(text, Options::all()) {
        let markup = match &event {
            Event::Html(_) | Event::InlineHtml(_) => true,
            Event::Start(tag) => matches!(tag, Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock),
            _ => false,
        };
        if markup {
            return Err(format!("{event:?}"));
        }
    }
    Ok(())
}

/// What a picture consists of, and a page besides.
const PICTURE: [&str; 6] = ["svg", "style", "rect", "path", "text", "title"];
const PAGE: [&str; 37] = [
    "!DOCTYPE", "html", "head", "meta", "body", "a", "header", "div", "p", "b", "ul", "li", "label", "input",
    "kbd", "output", "button", "main", "section", "details", "summary", "h1", "h2", "h3", "table", "caption",
    "thead", "tbody", "tr", "th", "td", "span", "wbr", "code", "pre", "article", "footer",
];

/// Only our own elements, each with attributes that do nothing, and one script.
fn page(text: &str) -> Result<(), String> {
    for piece in text.split('<').skip(1) {
        let tag = piece.split('>').next().unwrap();
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap();
        let known = PICTURE.contains(&name)
            || PAGE.contains(&name)
            || name == "g"
            || tag == "script"
            || tag == "/script";
        // What stands in quotes is text.
        let names: String = tag.split('"').step_by(2).collect();
        if !known || names.contains(" on") || names.contains(" style=") {
            return Err(format!("<{piece}"));
        }
    }
    let scripts = text.matches("<script").count();
    if scripts > 1 { Err(format!("{scripts} scripts")) } else { Ok(()) }
}

/// A repository with one commit that holds nothing: for `review` everything is new.
fn nothing_committed(scratch: &Scratch) {
    for args in [&["init", "-q"][..], &["commit", "-q", "--allow-empty", "-m", "none"]] {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=tf-phi", "-c", "user.email=tf-phi@example.com"]);
        let done = git.args(args).current_dir(scratch.tree()).status().unwrap();
        assert!(done.success(), "git {args:?}");
    }
}

/// One in so many of the combinations of a place, a text and a command is tried.
const EVERY: usize = 16;

/// Every place with every text, with two commands or three; with `TF_PHI_WHOLE` with all commands.
#[test]
fn nothing_goes_around_the_writers() {
    let mut runs = 0;
    let mut wrong = Vec::new();
    for (p, (place, make)) in PLACES.iter().enumerate() {
        for (t, text) in TEXTS.iter().enumerate() {
            let files = make(text);
            let files = files.iter().map(|(path, text)| (path.as_str(), text.as_str()));
            // No file system takes every name.
            let scratch = Scratch::new(files);
            nothing_committed(&scratch);
            let some = COMMANDS.iter().enumerate().filter(|(c, _)| whole() || (p + t + c) % EVERY == 0);
            for (_, args) in some {
                runs += 1;
                let output = scratch.command(args).env("CI", "true").output().unwrap();
                let done = Done::new(output);
                if done.code.is_none_or(|code| code > 3) {
                    wrong.push(format!("{place} {text:?} {args:?}: status {:?}\n{}", done.code, done.err));
                }
                if let Err(why) = judge(args, &done) {
                    wrong.push(format!("{place} {text:?} {args:?}: {why}"));
                }
            }
        }
    }
    assert!(runs > 600, "{runs} runs");
    assert!(wrong.is_empty(), "{} of {runs}:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

/// A diff that goes into a file is for `patch`, byte by byte.
#[test]
fn a_diff_in_a_file_is_exact() {
    let scratch = Scratch::new([
        ("main.tf", &*split("\"y\" /* \u{202e} */", "")),
        ("phi.hcl", "specialize \"terraform_data.a\" {\n  fields = [\"input.v\"]\n}\n"),
    ]);
    let file = std::fs::File::create(scratch.path("patch")).unwrap();
    let done = scratch.command(&["diff"]).env("CI", "true").stdout(file).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let patch = std::fs::read_to_string(scratch.path("patch")).unwrap();
    assert!(patch.contains('\u{202e}'), "{patch}");
    let shown = Done::new(scratch.command(&["diff"]).env("CI", "true").output().unwrap());
    assert!(shown.out.contains("\\u{202e}") && !shown.out.contains('\u{202e}'), "{}", shown.out);
}
