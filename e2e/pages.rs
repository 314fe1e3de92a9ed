//! Pages that people follow step by step are followed here, literally.
//!
//! A block `hcl`, `yaml`, `ini` or `text` whose first line is `# PATH` is written to that file. A block `diff` is applied with `git
//! apply`. Each line `$ COMMAND` of a block `console` is run by bash in the page's own folder, and has to print what
//! stands below it; a line `…` stands for any lines. A command that fails has to be followed by `$ echo $?`. Other blocks
//! are only read.

use std::fs;
use std::path::Path;
use std::process::Command;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::provider::Provider;
use crate::support::{Scratch, terraform};

const BINARY: &str = env!("CARGO_BIN_EXE_tf-phi");

/// A fenced block: its language and its text.
struct Block {
    language: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut all = Vec::new();
    let mut open = None;
    for event in Parser::new_ext(page, Options::all()) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                open = Some(Block { language: language.to_string(), text: String::new() });
            }
            Event::Text(text) => {
                if let Some(block) = &mut open {
                    block.text.push_str(&text);
                }
            }
            Event::End(TagEnd::CodeBlock) => all.extend(open.take()),
            _ => {}
        }
    }
    all
}

/// A command of a page, and what the page says that it prints.
struct Step {
    command: String,
    printed: Vec<String>,
}

fn steps(console: &str) -> Vec<Step> {
    let mut all: Vec<Step> = Vec::new();
    for line in console.lines() {
        match (line.strip_prefix("$ "), all.last_mut()) {
            (Some(command), _) => all.push(Step { command: command.to_owned(), printed: Vec::new() }),
            (None, Some(step)) if step.command.ends_with('\\') => {
                step.command.pop();
                step.command.push_str(line.trim_start());
            }
            (None, Some(step)) => step.printed.push(line.to_owned()),
            (None, None) => panic!("a console block begins with a command: {line}"),
        }
    }
    all
}

/// Whether the lines are those of the page, in which `…` stands for any lines.
fn agrees(page: &[String], lines: &[&str]) -> bool {
    match page.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first.trim() == "…" => (0..=lines.len()).any(|n| agrees(rest, &lines[n..])),
        Some((first, rest)) => lines.first().is_some_and(|l| l == first) && agrees(rest, &lines[1..]),
    }
}

/// Follows a page from its first block to its last.
struct Reader {
    scratch: Scratch,
    path: String,
    status: i32,
}

impl Reader {
    fn new(scratch: Scratch) -> Reader {
        let bin = scratch.aside("bin");
        fs::create_dir_all(&bin).unwrap();
        for (name, program) in [("tf-phi", Path::new(BINARY)), ("terraform", terraform())] {
            std::os::unix::fs::symlink(fs::canonicalize(program).unwrap(), bin.join(name)).unwrap();
        }
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
        Reader { scratch, path, status: 0 }
    }

    fn bash(&self, script: &str) -> (String, i32) {
        let mut command: Command = self.scratch.command(Path::new("bash"));
        command.env("PATH", &self.path).env_remove("TF_PHI_TERRAFORM");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "You").env(format!("GIT_{who}_EMAIL"), "you@example.org");
        }
        let output = command.arg("-c").arg(format!("exec 2>&1\n{script}")).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        // Terraform colours what goes into a pipe, too.
        let plain = regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap().replace_all(&printed, "").into_owned();
        (plain, output.status.code().unwrap())
    }

    fn write(&self, text: &str) {
        if let Some(path) = text.lines().next().and_then(|l| l.strip_prefix("# ")) {
            self.scratch.write(path, text);
        }
    }

    fn patch(&self, patch: &str) {
        let file = self.scratch.aside("page.patch");
        fs::write(&file, patch).unwrap();
        let (said, status) = self.bash(&format!("git apply '{}'", file.display()));
        assert_eq!(status, 0, "{said}{patch}");
    }

    fn console(&mut self, text: &str) {
        let steps = steps(text);
        for (index, step) in steps.iter().enumerate() {
            let (printed, status) = self.bash(&format!("(exit {})\n{}", self.status, step.command));
            let lines: Vec<&str> = printed.lines().collect();
            assert!(
                agrees(&step.printed, &lines),
                "$ {}\n{printed}\nThe page says:\n{}",
                step.command,
                step.printed.join("\n")
            );
            let asked = steps.get(index + 1).is_some_and(|next| next.command == "echo $?");
            assert!(status == 0 || asked, "status {status}: $ {}", step.command);
            self.status = status;
        }
    }
}

/// Follows the page, and gives how many commands were run.
fn follow(page: &str) -> usize {
    follow_in(Scratch::with(&[]), page)
}

/// The same in a folder that isn't empty.
fn follow_in(scratch: Scratch, page: &str) -> usize {
    follow_text(scratch, &fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap())
}

fn follow_text(scratch: Scratch, text: &str) -> usize {
    let mut reader = Reader::new(scratch);
    let mut commands = 0;
    for block in blocks(text) {
        match block.language.as_str() {
            "hcl" | "yaml" | "ini" | "text" => reader.write(&block.text),
            "diff" => reader.patch(&block.text),
            "console" => {
                commands += steps(&block.text).len();
                reader.console(&block.text);
            }
            _ => {}
        }
    }
    commands
}

/// What somebody reads in the first minute.
#[test]
fn the_readme() {
    assert!(follow("README.md") > 8);
    let lines =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap().lines().count();
    assert!(lines < 140, "{lines} lines");
}

#[test]
fn the_tutorial() {
    assert!(follow("docs/tutorial.md") > 10);
}

#[test]
fn the_how_tos() {
    assert!(follow("docs/howto.md") > 10);
}

#[test]
fn stacks() {
    assert!(follow("docs/stacks.md") > 2);
}

#[test]
fn what_is_committed() {
    assert!(follow("docs/choose.md") > 10);
}

/// The section alone: the rest of the page is for reading.
#[test]
fn a_service_in_ten_minutes() {
    let provider = Provider::start();
    let mut scratch = Scratch::with(&[]);
    scratch.env("TF_REATTACH_PROVIDERS", &provider.reattach());
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/services.md");
    let text = fs::read_to_string(page).unwrap();
    let (_, section) = text.split_once("## A service in ten minutes\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    assert!(follow_text(scratch, section) > 5);
}

#[test]
fn from_aws_to_a_cluster() {
    let provider = Provider::start();
    let mut scratch = Scratch::copy_of("examples/vendor-app");
    scratch.env("TF_REATTACH_PROVIDERS", &provider.reattach());
    assert!(follow_in(scratch, "examples/vendor-app/README.md") > 10);
}

/// A page that says something else than what is printed doesn't pass.
#[test]
fn a_page_that_is_wrong() {
    let printed = ["a", "b", "c"];
    let page = |lines: &[&str]| lines.iter().map(ToString::to_string).collect::<Vec<_>>();
    for right in [&["a", "b", "c"][..], &["…"], &["…", "c"], &["a", "…", "c"], &["a", "b", "…", "c"]]
    {
        assert!(agrees(&page(right), &printed), "{right:?}");
    }
    for wrong in [&["a", "b"][..], &["a", "b", "c", "d"], &["…", "b"], &["b", "…"], &[]] {
        assert!(!agrees(&page(wrong), &printed), "{wrong:?}");
    }
}
