use crate::eval::concrete::Concrete;
use crate::eval::standalone::{Nothing, eval_closed};
use crate::eval::{Bindings, eval as evaluated};
use crate::func::{Context, Surroundings, Work};
use crate::host::EntryKind;
use crate::syntax::parse_expr;
use crate::text::SourceId;
use crate::value::json;

/// Paths in a working directory; those that end in `/` are folders, the rest hold their own names.
struct Tree(&'static [&'static str]);

impl Surroundings for Tree {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        Ok(path.as_bytes().to_vec())
    }

    fn kind(&self, path: &str) -> Result<Option<EntryKind>, String> {
        let folder = format!("{path}/");
        Ok(if path == "." || self.0.iter().any(|p| p.starts_with(&folder)) {
            Some(EntryKind::Dir)
        } else {
            self.0.contains(&path).then_some(EntryKind::File)
        })
    }

    fn list(&self, path: &str) -> Result<Vec<String>, String> {
        let prefix = if path == "." { String::new() } else { format!("{path}/") };
        let below = self.0.iter().filter_map(|p| p.strip_prefix(&prefix));
        let mut names: Vec<String> = below.filter_map(|p| p.split('/').next()).map(str::to_owned).collect();
        names.push("dangling".to_owned());
        names.dedup();
        Ok(names)
    }

    fn absolute(&self, path: &str) -> String {
        format!("/tree/{path}")
    }
}

fn eval(text: &str) -> String {
    let tree = Tree(&["a.txt", "main.tf", "data/a.json", "data/b.yaml", "data/deep/c.txt", "data/m/main.tf"]);
    let context = Context { outside: &tree, work: &Work::default() };
    let mut domain = Concrete { resolver: Nothing, context };
    match evaluated(&mut domain, SourceId(0), &parse_expr(text).unwrap(), &Bindings::default()) {
        Ok(value) if !value.is_known() => "unknown".to_owned(),
        Ok(value) => json::encode(&value).unwrap(),
        Err(e) if e.limit => "declined".to_owned(),
        Err(_) => "error".to_owned(),
    }
}

#[track_caller]
fn check(rows: &[(&str, &str)]) {
    for (text, wanted) in rows {
        assert_eq!(eval(text), *wanted, "{text}");
    }
}

#[test]
fn files_that_stay() {
    check(&[
        (r#"file("a.txt")"#, r#""a.txt""#),
        (r#"file("./data/../a.txt")"#, r#""a.txt""#),
        (r#"file("data")"#, "error"),
        (r#"file("a.txt/x")"#, "error"),
        (r#"try(file("b.txt"), "none")"#, r#""none""#),
        (r#"fileexists("a.txt")"#, "true"),
        (r#"fileexists("data/x/y")"#, "false"),
        (r#"fileset("data", "*.{json,yaml}")"#, r#"["a.json","b.yaml"]"#),
        (r#"fileset("data/deep", "[^d]*")"#, r#"["c.txt"]"#),
        (r#"fileset("data", "deep/c.txt")"#, r#"["deep/c.txt"]"#),
    ]);
}

#[test]
fn what_may_change_or_cannot_be_seen_is_declined() {
    check(&[
        (r#"try(file("main.tf"), "none")"#, "declined"),
        (r#"filemd5(".terraform.lock.hcl")"#, "declined"),
        (r#"fileexists("phi.moved.tf")"#, "declined"),
        (r#"fileexists("dangling")"#, "declined"),
        (r#"fileset(".", "*")"#, "declined"),
        (r#"fileset(".", "**/*.yaml")"#, "declined"),
        (r#"fileset("data/..", "*.tfstate")"#, "declined"),
        (r#"fileset("data", "m/*")"#, "declined"),
        (r#"fileset("data", "*")"#, "declined"),
        (r#"fileset("data/deep", "[c")"#, "declined"),
        (r#"try(file("~/x"), "none")"#, "unknown"),
    ]);
}

#[test]
fn without_surroundings_everything_is_declined() {
    for text in [
        r#"try(file("a"), "none")"#,
        r#"fileexists("a")"#,
        r#"fileset(".", "*.txt")"#,
        r#"can(filemd5("a"))"#,
    ] {
        let outcome = eval_closed(&parse_expr(text).unwrap(), SourceId(0));
        assert!(outcome.is_err_and(|e| e.limit), "{text}");
    }
}
