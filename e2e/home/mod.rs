//! The way home, and whose object is whose: small trees in which objects were once lost, beside a twin under plain Terraform.
//!
//! What the twin plans is right. What an object is says the `tag` in its `input`, never its address.

mod chosen;
mod again;
mod by_hand;
mod failing;
mod keyed;
mod left;
mod links;
mod lost;
mod one_source;
mod protected;
mod readings;
mod recounted;
mod unfinished;
mod within;

use crate::kept::twin::{Mode, Twin, same};
use crate::support::{Ran, Scratch};

const PROD: &[&str] = &["-var=env=prod"];
const DEV: &[&str] = &["-var=env=dev"];

const ENV: &str = "variable \"env\" {\n  default = \"dev\"\n}\n";

const PIN: (&str, &str) = ("phi.hcl", "specialize \"terraform_data.db\" {\n  fields = [\"input.v\"]\n}\n");

/// What is repeated or moved: a resource of the root, or a call of a module.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Resource,
    Call,
}

impl Kind {
    /// Its address, without keys.
    fn address(self, name: &str) -> String {
        match self {
            Kind::Resource => format!("terraform_data.{name}"),
            Kind::Call => format!("module.{name}"),
        }
    }
}

/// A `moved` block.
fn moved(from: &str, to: &str) -> String {
    format!("moved {{\n  from = {from}\n  to   = {to}\n}}\n")
}

/// The commands of tf-phi in what was printed that begin so, each once, as words.
fn commands(ran: &Ran, begin: &str) -> Vec<Vec<String>> {
    let mut lines: Vec<&str> = ran.stderr.lines().map(str::trim).filter(|l| l.starts_with(begin)).collect();
    lines.dedup();
    lines.into_iter().map(words).collect()
}

/// The words of a command after the program's name, as a shell takes them apart. What is printed has single quotes alone.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().unwrap().push(c),
        }
    }
    words.into_iter().skip(1).filter(|w| !w.is_empty()).collect()
}

/// A plan that is the twin's, at once or after the printed answers `tf-phi history --copy` were given, which is what is so.
#[track_caller]
fn right_or_answered(twin: &Twin, args: &[&str], what: &str) {
    for _ in 0..4 {
        let ran = twin.run("plan", args);
        if ran.code == 0 {
            break;
        }
        let answers = commands(&ran, "tf-phi history --copy");
        assert!(!answers.is_empty(), "{what}: refused, and no answer is printed\n{}", ran.stderr);
        let answer: Vec<&str> = answers[0].iter().map(String::as_str).collect();
        twin.phi.tf_phi(&answer).expect(0);
    }
    twin.step(args, what);
}

/// Both stop, since something is protected, and nothing is applied.
#[track_caller]
fn both_protect(twin: &Twin, args: &[&str], what: &str) {
    let all = [&["plan", "-input=false", "-no-color"][..], args].concat();
    let plain = twin.plain.terraform(&all).expect(1);
    assert!(plain.stderr.contains("Instance cannot be destroyed"), "{what}: {}", plain.stderr);
    let ran = twin.run("plan", args);
    assert!(
        ran.code == 1 && ran.stderr.contains("prevent_destroy"),
        "{what}: plain Terraform protects an object, tf-phi ends with {}\n{}\n{}",
        ran.code,
        ran.stdout,
        ran.stderr
    );
    twin.apply_fails(args, what);
}

/// A plain plan of what stands in tf-phi's folder does what the twin's does.
#[track_caller]
fn plain_is_right(twin: &Twin, args: &[&str], what: &str) {
    let want = twin.plain.plan(args);
    let file = twin.phi.aside("left.out");
    let out = format!("-out={}", file.display());
    let ran = twin.phi.terraform(&[&["plan", "-input=false", "-no-color", &out][..], args].concat());
    assert!(ran.code == 0, "{what}: Terraform stops\n{}\n{}", ran.stderr, text(&twin.phi, "phi.moved.tf"));
    same(&want, &twin.phi.show(&file), what);
}

/// A file, or nothing where there is none.
fn text(scratch: &Scratch, path: &str) -> String {
    std::fs::read_to_string(scratch.dir().join(path)).unwrap_or_default()
}

/// Tests of a function with each of these arguments.
macro_rules! cases {
    ($what:ident: $($name:ident ($($arg:expr),* $(,)?)),+ $(,)?) => {
        mod $what {
            #[allow(unused_imports)] // some arguments are literals alone
            use super::*;
            $(
                #[test]
                fn $name() {
                    super::$what($($arg),*);
                }
            )+
        }
    };
}

use cases;
