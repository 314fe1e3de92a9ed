//! Folders that nobody would write by hand: an answer or an error with its place, in bounded time, and never a panic.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::disallowed_methods, clippy::panic)]

mod cli_common;

use cli_common::{Done, Scratch};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

const MAIN: &str = "variable \"on\" {\n  type = bool\n}\n\nresource \"terraform_data\" \"db\" {\n  input = var.on ? \"a\" : \"b\"\n}\n";
const PHI: &str = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";

fn scratch() -> Scratch {
    Scratch::new([("main.tf", MAIN), ("phi.hcl", PHI)])
}

/// Runs a command; it has to end: what doesn't come to an end is a fault, however busy the machine.
fn run(scratch: &Scratch, args: &[&str]) -> Done {
    let mut command = scratch.command(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let (send, done) = channel();
    std::thread::spawn(move || send.send(child.wait_with_output().unwrap()));
    let Ok(output) = done.recv_timeout(Duration::from_secs(120)) else { panic!("{args:?} does not end") };
    let done = Done::new(output);
    assert!(!done.err.contains("panicked"), "{}", done.err);
    done
}

/// Every command that reads says `words`, ends with status 1 and leaves the tree alone.
fn refused(scratch: &Scratch, words: &str) {
    for args in [&["trace", "--all"][..], &["validate"], &["trace"], &["check"], &["diff"], &["plan"]] {
        let done = run(scratch, args);
        assert!(done.code == Some(1) && done.err.contains(words), "{args:?}: {:?} {}", done.code, done.err);
    }
    assert_eq!(scratch.log(), "");
}

/// The field is found, and what is written and restored is what was there.
fn works(scratch: &Scratch) {
    let before = scratch.snapshot();
    for args in [&["trace", "--all"][..], &["trace"]] {
        let done = run(scratch, args);
        assert!(
            done.code == Some(0) && done.out.contains("terraform_data.db.input"),
            "{args:?}: {}",
            done.err
        );
    }
    assert_eq!(run(scratch, &["check", "--fix"]).code, Some(0));
    assert_ne!(scratch.snapshot(), before);
    assert_eq!(run(scratch, &["check"]).code, Some(0));
    assert_eq!(run(scratch, &["restore"]).code, Some(0));
    // The history outlives the sources.
    let mut after = scratch.snapshot();
    after.retain(|path, _| !path.iter().any(|part| part == ".phi"));
    assert_eq!(after, before);
}

#[test]
fn links_that_go_round() {
    let scratch = scratch();
    let tree = scratch.tree();
    symlink(".", tree.join("self")).unwrap();
    symlink("b", tree.join("a")).unwrap();
    symlink("a", tree.join("b")).unwrap();
    assert_eq!(run(&scratch, &["check", "--recursive"]).code, Some(3));
    works(&scratch);
    symlink("nowhere", tree.join("dangling.tf")).unwrap();
    refused(&scratch, "dangling.tf");
}

#[test]
fn folders_named_like_files() {
    let scratch = scratch();
    fs::create_dir(scratch.tree().join("x.tf")).unwrap();
    fs::create_dir(scratch.tree().join("x.tf.json")).unwrap();
    works(&scratch);
    fs::remove_file(scratch.tree().join("phi.hcl")).unwrap();
    fs::create_dir(scratch.tree().join("phi.hcl")).unwrap();
    refused(&scratch, "phi.hcl is a folder");
}

#[test]
fn a_file_where_the_records_go() {
    let scratch = scratch();
    fs::write(scratch.tree().join(".phi"), "x").unwrap();
    let done = run(&scratch, &["check", "--fix"]);
    assert!(done.code == Some(1) && done.err.contains(".phi is not a folder"), "{}", done.err);
}

#[test]
fn other_line_ends_and_a_byte_order_mark() {
    let crlf = MAIN.replace('\n', "\r\n");
    works(&Scratch::new([("main.tf", crlf.as_str()), ("phi.hcl", PHI)]));
    let (main, phi) = (format!("\u{feff}{MAIN}"), format!("\u{feff}{PHI}"));
    works(&Scratch::new([("main.tf", main.as_str()), ("phi.hcl", phi.as_str())]));
}

#[test]
fn names_that_are_not_utf8() {
    let scratch = scratch();
    fs::create_dir(scratch.tree().join(OsStr::from_bytes(b"d\xe9"))).unwrap();
    fs::write(scratch.tree().join(OsStr::from_bytes(b"caf\xe9.txt")), "x").unwrap();
    assert_eq!(run(&scratch, &["trace", "--all"]).code, Some(0));
    fs::write(scratch.tree().join(OsStr::from_bytes(b"caf\xe9.tf")), "locals {}\n").unwrap();
    refused(&scratch, "name is not UTF-8");
}

#[test]
fn pipes() {
    let scratch = scratch();
    let made = Command::new("mkfifo").arg(scratch.tree().join("pipe.tf")).status().unwrap();
    assert!(made.success());
    refused(&scratch, "Only regular files are read");
}

#[test]
fn large_files() {
    let scratch = scratch();
    let many: String = (0..6_000)
        .map(|i| format!("resource \"terraform_data\" \"r{i}\" {{\n  triggers_replace = [\"{i}\"]\n}}\n"))
        .collect();
    fs::write(scratch.tree().join("many.tf"), many).unwrap();
    works(&scratch);
    fs::write(scratch.tree().join("big.tf"), format!("# {}\n", "x".repeat(65 << 20))).unwrap();
    refused(&scratch, "it has more than 64 MiB");
    fs::write(scratch.tree().join("big.tf"), format!("# {}\n", "x".repeat(17 << 20))).unwrap();
    refused(&scratch, "Files above 16 MiB are not read");
    fs::remove_file(scratch.tree().join("big.tf")).unwrap();
    // Each is small enough.
    for name in ["a.tf", "b.tf", "c.tf", "d.tf", "e.tf"] {
        fs::write(scratch.tree().join(name), format!("# {}\n", "x".repeat(7 << 20))).unwrap();
    }
    refused(&scratch, "No more than 32 MiB of them are read");
}

/// Each fault is compared with no more others than may equal it.
#[test]
fn many_faults() {
    let scratch = scratch();
    fs::write(scratch.tree().join("z.tf"), format!("locals {{\n{}}}\n", "  b {}\n".repeat(40_000))).unwrap();
    let done = run(&scratch, &["check"]);
    assert!(done.code == Some(1) && done.err.lines().count() > 40_000);
}

#[test]
fn installed_modules_that_lead_elsewhere() {
    let scratch = scratch();
    fs::write(scratch.tree().join("call.tf"), "module \"m\" {\n  source = \"a/b/c\"\n}\n").unwrap();
    let list = scratch.tree().join(".terraform/modules");
    fs::create_dir_all(&list).unwrap();
    for text in ["{", "{\"Modules\": 1}", "\u{0}"] {
        fs::write(list.join("modules.json"), text).unwrap();
        refused(&scratch, "The list of installed modules can't be read");
    }
    let outside =
        "{\"Modules\": [{\"Key\": \"m\", \"Source\": \"a/b/c\", \"Dir\": \"../../../../../../nowhere\"}]}";
    fs::write(list.join("modules.json"), outside).unwrap();
    let done = run(&scratch, &["plan"]);
    assert!(done.code == Some(1) && done.err.contains("call.tf"), "{}", done.err);
}

/// Blocks within blocks, and instances within instances: each is bounded.
#[test]
fn what_multiplies_is_bounded() {
    let block = |name: &str, range: &str, inner: &str| {
        format!("dynamic \"{name}\" {{\nfor_each = {range}\ncontent {{\n{inner}\n}}\n}}\n")
    };
    for last in ["range(1000)", "[]"] {
        let inner = block("b", "range(1000)", &block("c", last, "v = c.value"));
        let main = format!("resource \"aws_x\" \"a\" {{\n{}}}\n", block("a", "range(1000)", &inner));
        let scratch = Scratch::new([("main.tf", &*main)]);
        let done = run(&scratch, &["matrix", "--all"]);
        assert_eq!(done.code, Some(0), "{}", done.err);
        assert!(done.out.contains("not known"), "{last}: {}", done.out.get(..2000).unwrap_or(&done.out));
    }
    let call = |source: &str| format!("module \"m\" {{\n  source = \"{source}\"\n  count = 1000\n}}\n");
    let last = "resource \"terraform_data\" \"d\" {\n  count = 1000\n  input = count.index\n}\n";
    let scratch =
        Scratch::new([("main.tf", &*call("./a")), ("a/main.tf", &*call("../b")), ("b/main.tf", last)]);
    let done = run(&scratch, &["matrix", "--all"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
}

/// All values together are more than is kept: what is left out is said, and nobody says that it is the same.
#[test]
fn what_is_too_much_together_is_left_out() {
    let one = |n: usize| format!("output \"o{n}\" {{\n  value = \"${{local.big}}{n}\"\n}}\n");
    let big =
        format!("locals {{\n  big = join(\"\", [for i in range(1000) : \"{}\"])\n}}\n", "x".repeat(1000));
    let large: String = (0..140).map(one).chain([big]).collect();
    let scratch = Scratch::new([("main.tf", &*large)]);
    cli_common::git::repository_of(&scratch.tree());
    for args in [&["matrix", "--json"][..], &["review", "--base", "HEAD", "--json"]] {
        let done = run(&scratch, args);
        assert_eq!(done.code, Some(0), "{}", done.err);
        let read: serde_json::Value = serde_json::from_str(&done.out).unwrap();
        let left_out = read.get("left_out").and_then(serde_json::Value::as_u64);
        assert!(left_out.is_some_and(|n| n > 2), "{args:?}: {left_out:?}");
        assert!(done.err.contains("are left out"), "{}", done.err);
    }
    let done = run(&scratch, &["review", "--base", "HEAD", "--fail-on", "change"]);
    assert_eq!(done.code, Some(3), "{}", done.err);
}

/// What isn't known, put together with itself over and over: what it is made of has a bound. Past it, it is the same only where all of it is written alike.
#[test]
fn what_is_not_known_and_doubles_is_bounded() {
    let forms = [
        "\"${local.sN}${local.sN}\"",
        "concat(local.sN, local.sN)",
        "[local.sN, local.sN]",
        "{ a = local.sN, b = local.sN }",
    ];
    for form in forms {
        let first = if form.starts_with('"') { "\"a${null_resource.n.id}\"" } else { "[null_resource.n.id]" };
        let step = |n: usize| format!("  s{n} = {}\n", form.replace("sN", &format!("s{}", n - 1)));
        let steps: String = (1..60).map(step).collect();
        let main = format!(
            "resource \"null_resource\" \"n\" {{\n}}\nlocals {{\n  s0 = {first}\n{steps}}}\noutput \"c\" {{\n  value = local.s59\n}}\n"
        );
        let scratch = Scratch::new([("main.tf", &*main)]);
        cli_common::git::repository_of(&scratch.tree());
        let done = run(&scratch, &["matrix", "--all"]);
        assert_eq!(done.code, Some(0), "{form}: {}", done.err);
        let more = "output \"d\" {\n  value = 1\n}\n";
        let other = main
            .replace(&format!("s0 = {first}"), &format!("s0 = {}", first.replace(".n.id", ".n.triggers")));
        assert_ne!(other, main);
        for (text, is_same) in [(&main, true), (&other, false)] {
            fs::write(scratch.tree().join("main.tf"), format!("{text}{more}")).unwrap();
            let done = run(&scratch, &["review", "--base", "HEAD"]);
            assert!(done.out.contains("output.d.value"), "{form}: {}{}", done.out, done.err);
            assert_eq!(!done.out.contains("can't be compared"), is_same, "{form}: {}{}", done.out, done.err);
        }
    }
}

/// JSON of hundreds of thousands of members is read in one go.
#[test]
fn many_members_are_read_one_by_one() {
    let members: Vec<String> = (0..150_000).map(|n| format!("\"k{n}\": {n}")).collect();
    let members = members.join(", ");
    let locals = format!("{{\"locals\": {{{members}}}}}");
    let scratch =
        Scratch::new([("main.tf.json", &*locals), ("terraform.tfvars.json", &*format!("{{{members}}}"))]);
    let done = run(&scratch, &["check"]);
    assert!(done.code.is_some_and(|code| code <= 3), "{}", done.err);
}

/// A type whose optional attributes double at each level, and many environments that leave them out: the values of all have one bound.
#[test]
fn defaults_that_are_filled_in_are_bounded_over_all_environments() {
    fn nested(depth: usize) -> String {
        if depth == 0 {
            return "optional(string, \"x\")".to_owned();
        }
        let inner = nested(depth - 1);
        let object = format!("object({{ a = {inner}, b = {inner} }})");
        if depth == 9 { object } else { format!("optional({object}, {{}})") }
    }
    let main = format!(
        "variable \"v\" {{\n  type = list({})\n}}\nresource \"terraform_data\" \"x\" {{\n  input = length(var.v)\n}}\n",
        nested(9)
    );
    let scratch = Scratch::new([("main.tf", &*main)]);
    let env = scratch.tree().join("env");
    fs::create_dir_all(&env).unwrap();
    for n in 0..30 {
        let all = vec!["{}"; 2_000 + n].join(", ");
        fs::write(env.join(format!("e{n}.tfvars")), format!("v = [{all}]\n")).unwrap();
    }
    let done = run(&scratch, &["matrix"]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    // Nobody says that it is the same everywhere, as the lengths differ.
    assert!(done.out.contains("1 field can't be compared: terraform_data.x.input."), "{}", done.out);
}
