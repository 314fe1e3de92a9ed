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
    &["stacks", "from-root"],
    &["roots", "--recursive"],
    &["check", "--recursive", "--format", "github"],
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
            if old {
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

/// Services that keep a log and don't set `CI`, and what each sets.
const SERVICES: &[(&str, &str)] = &[
    ("TF_BUILD", "True"),
    ("TEAMCITY_VERSION", "2024.12"),
    ("GITHUB_ACTIONS", "true"),
    ("GITLAB_CI", "true"),
    ("JENKINS_URL", "https://ci.example.com"),
    ("CODEBUILD_BUILD_ID", "b:1"),
    ("bamboo_planKey", "P"),
    ("GO_PIPELINE_NAME", "p"),
    ("BUILDKITE", "true"),
];

/// In the log of each of them a diff and a list of addresses give no orders.
#[test]
fn no_service_gets_orders_from_a_tree() {
    let orders = "##vso[task.setvariable variable=X]y ##teamcity[x] ##[error]";
    let scratch = Scratch::new([
        ("main.tf", &*split(&format!("\"y\" /* {orders} */"), "")),
        ("phi.hcl", "specialize \"terraform_data.a\" {\n  fields = [\"input.v\"]\n}\n"),
    ]);
    let marks = ["##vso[", "##teamcity[", "##["];
    let say = format!("echo 'terraform_data.b[\"{orders}\"]'");
    for (name, value) in SERVICES {
        for args in [&["diff"][..], &["check", "--diff"], &["state", "list", "--original"]] {
            let mut command = scratch.command(args);
            let done = Done::new(command.env(name, value).env("FAKE_DURING", &say).output().unwrap());
            let all = format!("{}{}", done.out, done.err);
            assert!(marks.iter().all(|mark| !all.contains(mark)), "{name} {args:?}\n{all}");
            assert!(args[0] == "check" || all.contains("task.setvariable"), "{name} {args:?}\n{all}");
        }
    }
    // Without a service a pipe is a program's.
    assert!(scratch.run(&["diff"]).out.contains("##vso["));
}

/// What `suggest` proposes is exact in a file alone.
#[test]
fn a_suggestion_gives_no_orders() {
    let folder = "env ##vso[task.setvariable variable=PATH]";
    let main = "variable \"env\" {}\nresource \"terraform_data\" \"a\" {\n  input = var.env\n}\n";
    let file = format!("{folder}/prod.tfvars");
    let scratch = Scratch::new([("main.tf", main), (&*file, "env = \"prod\"\n")]);
    let shown = scratch.run(&["suggest"]);
    assert!(shown.out.contains("task.setvariable") && !shown.out.contains("##vso["), "{}", shown.out);
    let file = std::fs::File::create(scratch.path("proposed")).unwrap();
    let done = scratch.command(&["suggest"]).stdout(file).output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    assert!(std::fs::read_to_string(scratch.path("proposed")).unwrap().contains("##vso["));
}

/// Names that a shell or a program would take for more than a name.
const NAMES: &[&str] = &[
    "$(touch pwned)",
    "`touch pwned`",
    "a;touch pwned",
    "a'; touch pwned; '",
    "\"$(touch pwned)\"",
    "a && touch pwned",
    "-a$(touch pwned)",
    "--help$(touch pwned)",
    "a\ntouch pwned\n",
];

/// Every place where a name of a tree, or of its files, is said in a command, with what asks for it.
fn named(name: &str) -> Vec<(Files, Vec<String>)> {
    let words = |all: &[&str]| all.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    let file = name.replace('/', "");
    let at = |path: String, text: &str| (path, text.to_owned());
    let main = split("\"y\"", "");
    let call = |source: &str| format!("module \"m\" {{\n  source = {}\n}}\n", quoted(source));
    let stack = "component \"c\" {\n  source = \"./c\"\n}\n";
    let deployment = format!("deployment {} {{\n  inputs = {{}}\n}}\n", quoted(name));
    let base = || files(&[("main.tf", main.clone())]);
    let with = |more: Files| base().into_iter().chain(more).collect::<Files>();
    let setting = format!("settings {{\n  terraform = {}\n}}\n", quoted(name));
    vec![
        (vec![at(format!("{file}.tfstack.hcl"), stack), at("c/main.tf".into(), "")], words(&["matrix"])),
        (
            vec![
                at("s.tfcomponent.hcl".into(), stack),
                at("d.tfdeploy.hcl".into(), &deployment),
                at("c/main.tf".into(), ""),
            ],
            words(&["plan"]),
        ),
        (base(), words(&["review", &format!("--base={name}")])),
        (base(), words(&["matrix", &format!("--env={name}")])),
        (base(), words(&["validate", &format!("--env={name}")])),
        (base(), words(&["check", &format!("--form-factor={name}")])),
        (files(&[("main.tf", main.clone()), ("phi.hcl", setting)]), words(&["check"])),
        (with(vec![at(format!("{file}/main.tf"), &main)]), words(&["check", "--recursive"])),
        (with(vec![at(format!("{file}/phi.hcl"), "x")]), words(&["check", "--recursive", "--strict"])),
        (with(vec![at("other.tf".into(), &call(&format!("../{name}")))]), words(&["check"])),
        (with(vec![at(format!("env/{file}.tfvars"), "env = \"x\"\n")]), words(&["validate"])),
        (
            with(vec![at(format!("a/{file}.tfvars"), "env = \"x\"\n"), at(format!("b/{file}.tfvars"), "")]),
            words(&["matrix"]),
        ),
        (base(), words(&["plan", &format!("-{name}")])),
    ]
}

/// Whatever command is printed to be pasted does nothing but what it says, whatever names are in it.
#[test]
fn names_in_commands_are_words() {
    const PROGRAMS: [&str; 9] =
        ["tf-phi ", "terraform ", "git ", "rm ", "mv ", "export ", "cd ", "TF_", "--form-factor"];
    let mut pasted = 0;
    for name in NAMES {
        for (files, args) in named(name) {
            let scratch = Scratch::new(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
            nothing_committed(&scratch);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let output = scratch.command(&args).output().unwrap();
            let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
            let lines =
                said.lines().map(str::trim).filter(|line| PROGRAMS.iter().any(|p| line.starts_with(p)));
            for line in lines.filter(|line| line.contains("pwned")) {
                pasted += 1;
                let dir = tempfile::tempdir().unwrap();
                let mut shell = std::process::Command::new("/bin/sh");
                let shell = shell.args(["-c", line]).current_dir(dir.path()).env_clear().output().unwrap();
                assert!(!dir.path().join("pwned").exists(), "{args:?}: {line}\n{shell:?}");
                let option = [" -a", " --help", " '-a", " '--help"].iter().any(|o| line.contains(o));
                assert!(!option || line.contains("--env"), "an option: {args:?}: {line}");
            }
        }
    }
    assert!(pasted > 20, "{pasted}");
}

/// Expressions that fail, or not, over something sensitive.
const CALLS: &[&str] = &[
    "file(var.s)",
    "filesha256(var.s)",
    "templatefile(var.s, {})",
    "base64decode(\"%${var.s}\")",
    "parseint(var.s, 10)",
    "cidrsubnet(var.s, 8, 0)",
    "cidrhost(var.s, 1)",
    "cidrnetmask(var.s)",
    "formatdate(var.s, \"2020-01-01T00:00:00Z\")",
    "formatdate(\"YYYY\", var.s)",
    "timeadd(var.s, \"1h\")",
    "jsondecode(var.s)",
    "yamldecode(\"[${var.s}\")",
    "tonumber(var.s)",
    "tobool(var.s)",
    "lookup({ a = 1 }, var.s)",
    "regex(\"(${var.s}\", \"x\")",
    "{ a = 1 }[var.s]",
    "format(\"%d\", var.s)",
    "{ for x in [var.s, var.s] : x => 1 }",
    "{ for x in var.l : x => 1 }",
    "[for x in var.l : parseint(x, 10)]",
    "1 + var.s",
];

/// Arguments that are secret by their names, and by what they are handed to.
const SECRETS: &[(&str, &str)] = &[
    ("resource \"aws_db_instance\" \"d\"", "password"),
    ("resource \"aws_ssm_parameter\" \"d\"", "value"),
    ("resource \"aws_secretsmanager_secret_version\" \"d\"", "secret_string"),
    ("resource \"azurerm_key_vault_secret\" \"d\"", "value"),
    ("resource \"google_sql_user\" \"d\"", "password"),
    ("resource \"kubernetes_secret\" \"d\"", "data"),
    ("provider \"aws\"", "secret_key"),
    ("module \"c\"", "s"),
];

fn secret_trees() -> Vec<Files> {
    let variable = |kind: &str| format!("variable \"s\" {{\n  type = string\n  {kind} = true\n}}\n");
    let list = "variable \"l\" {\n  type = list(string)\n  sensitive = true\n}\n";
    let mut trees: Vec<Files> = Vec::new();
    for call in CALLS {
        for kind in ["sensitive", "ephemeral"] {
            let main = format!(
                "{}{list}locals {{\n  x = {call}\n}}\nresource \"terraform_data\" \"a\" {{\n  input = {{ v = local.x }}\n}}\n",
                variable(kind)
            );
            trees.push(files(&[("main.tf", main)]));
        }
    }
    for (block, argument) in SECRETS {
        let source = if block.starts_with("module") { "  source = \"./c\"\n" } else { "" };
        let main = format!(
            "variable \"p\" {{\n  type = string\n}}\n{block} {{\n{source}  {argument} = \"x${{var.p}}\"\n}}\nresource \
             \"terraform_data\" \"a\" {{\n  input = {{ v = \"x\" }}\n}}\n"
        );
        trees.push(files(&[("main.tf", main), ("c/main.tf", variable("sensitive"))]));
    }
    trees
}

/// What is sensitive, in every way in which a value is called that: no report, page, message or file holds any of it.
#[test]
fn no_sensitive_value_is_shown() {
    const SECRET: &str = "hunter2-zq";
    let given = format!("s = \"{SECRET}\"\nl = [\"{SECRET}\", \"{SECRET}\"]\np = \"{SECRET}\"\n");
    let block =
        format!("environment \"e\" {{\n  variables = {{ s = \"{SECRET}\", l = 1, p = \"{SECRET}\" }}\n}}\n");
    let commands: &[&[&str]] = &[
        &["matrix", "--all"],
        &["matrix", "--all", "--format", "json"],
        &["matrix", "--all", "--format", "html"],
        &["review", "--base", "HEAD"],
        &["review", "--base", "HEAD", "--format", "json"],
        &["review", "--base", "HEAD", "--format", "markdown"],
        &["validate"],
        &["validate", "--format", "json"],
        &["stacks", "from-root"],
        &["check"],
    ];
    let mut wrong = Vec::new();
    for (n, tree) in secret_trees().iter().enumerate() {
        let more = match n % 3 {
            0 => ("phi.hcl".to_owned(), block.clone()),
            _ => ("env/e.tfvars".to_owned(), given.clone()),
        };
        let own = tree.iter().filter(|(path, _)| n % 3 != 0 || path != "phi.hcl").cloned().chain([more]);
        let own: Files = own.collect();
        let scratch = Scratch::new(own.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        nothing_committed(&scratch);
        let some = commands.iter().enumerate().filter(|(c, _)| whole() || (n + c) % 3 == 0);
        // What nobody calls sensitive is what a deployment gives.
        for (_, args) in some.filter(|(_, args)| args[0] != "stacks" || n < 2 * CALLS.len()) {
            let done = scratch.run(args);
            let said = format!("{}{}", done.out, done.err);
            // Nor a part of it that would tell it.
            if said.contains(SECRET) || said.contains("hunter") || done.code.is_none_or(|code| code > 3) {
                wrong.push(format!("{:?} {args:?} {:?}: {said}", tree.first(), done.code));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
}

/// A plain value that looks like what a report says of a sensitive one is told apart from it.
#[test]
fn a_value_is_no_marker() {
    let output = |name: &str, value: &str| format!("output \"{name}\" {{\n  {value}\n}}\n");
    let main = [
        output("a", "value = { sensitive = true }"),
        output("b", "value = { \"=sensitive\" = true }"),
        output("c", "value = { sensitive = true, x = 1 }"),
        output("d", "sensitive = true\n  value = sensitive(1)"),
    ];
    let done = Scratch::new([("main.tf", &*main.concat())]).run(&["matrix", "--all", "--json"]);
    let read: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    let rows = read["rows"].as_array().unwrap();
    let value = |name: &str| {
        let row = rows.iter().find(|row| row["field"] == format!("output.{name}.value")).unwrap();
        row["cells"].as_object().unwrap().values().next().unwrap()["value"].clone()
    };
    assert_eq!(value("a"), serde_json::json!({ "=sensitive": true }));
    assert_eq!(value("b"), serde_json::json!({ "==sensitive": true }));
    assert_eq!(value("c"), serde_json::json!({ "sensitive": true, "x": 1 }));
    assert_eq!(value("d"), serde_json::json!({ "sensitive": true }));
}
