//! Golden trees: `tests/golden/<area>/<case>/in` and the same tree specialised, `out`.
//!
//! A file `links` beside them lists the files of copies that are links to files that equal them, as `ls -l` prints those; `out`
//! doesn't hold them.
//! No `out` means that the tree stays as it is; a file `issues` beside `in` holds what is said instead. Every case also
//! has to parse, to restore to `in` byte for byte, and to come out the same when it is specialised again.
//! A file `.terraform-version` in `in` says of which Terraform answers are wanted; without one it is any.
//! Each case is a test of its own: `cargo test --test golden -- rule/precedence` runs one, `cargo test --test golden -- rule/`
//! an area. What differs is printed as a diff, `-` what the case holds and `+` what came out. `UPDATE_GOLDEN=1` before such a
//! command writes what came out, for the cases that it names; look at it before it is committed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

#[path = "cli_common/schemas.rs"]
mod schemas;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use similar::TextDiff;
use tf_phi::issue::{Code, Fix, Issue};
use tf_phi::specialise::Specialised;
use tree::{Tree, restored, specialised};

fn tree_of(dir: &Path) -> Tree {
    let mut out = Tree::new();
    let mut todo = vec![dir.to_path_buf()];
    while let Some(at) = todo.pop() {
        let Ok(entries) = fs::read_dir(&at) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else {
                out.insert(path.strip_prefix(dir).unwrap().into(), fs::read_to_string(&path).unwrap());
            }
        }
    }
    out
}

/// Specialises a tree, whatever its form, as `check --fix` writes it: no run says which branches are active.
fn run(tree: &Tree) -> Result<Specialised, Vec<Issue>> {
    let named = tree.get(Path::new(".terraform-version")).and_then(|v| v.trim().split_once('.'));
    let version = named.map(|(major, minor)| (major.parse().unwrap(), minor.parse().unwrap()));
    let (session, done) = specialised(tree, version, "tf-phi golden")?;
    let unknown = vec![None; done.splits.len()];
    Ok(done.finished_without_run(&session.config, &unknown, (None, None)))
}

fn applied(tree: &Tree, done: &Specialised) -> Tree {
    let mut out = tree.clone();
    out.extend(done.files.clone());
    out
}

fn issues_text(issues: &[Issue]) -> String {
    issues
        .iter()
        .map(|i| {
            let fixes: Vec<String> =
                i.fixes.iter().map(|f| format!("  fix: {}\n{}", f.title, f.paste)).collect();
            format!("{} {} [{:?}]\n  why: {}\n{}\n", i.code, i.summary, i.field, i.why, fixes.join("\n"))
        })
        .collect()
}

/// The links of a tree, and what each says. Where one leads stands the same text.
fn linked(tree: &Tree) -> BTreeMap<PathBuf, String> {
    let links = tree::record_of(tree).map(|record| record.links()).unwrap_or_default();
    for (path, to) in &links {
        let mut at = path.parent().unwrap().to_owned();
        for part in Path::new(to).components() {
            match part {
                Component::ParentDir => assert!(at.pop(), "{} leads out of the tree", path.display()),
                part => at.push(part),
            }
        }
        assert_eq!(tree.get(&at), tree.get(path), "{}", path.display());
        assert!(!links.contains_key(&at), "{} leads to a link", path.display());
    }
    links
}

fn links_match(case: &Path, links: &BTreeMap<PathBuf, String>, update: bool) -> Option<String> {
    let file = case.join("links");
    let text: String = links.iter().map(|(path, to)| format!("{} -> {to}\n", path.display())).collect();
    if update {
        let _ = fs::remove_file(&file);
        if !text.is_empty() {
            fs::write(&file, &text).unwrap();
        }
    }
    let want = fs::read_to_string(&file).unwrap_or_default();
    (want != text).then(|| differ("links", &want, &text))
}

/// How what came out differs from a file of the case.
fn differ(name: &str, want: &str, got: &str) -> String {
    let diff = TextDiff::from_lines(want, got);
    diff.unified_diff().context_radius(3).header(name, "what came out").to_string()
}

/// Specialises `in` and compares with the rest of the case; what is wrong.
fn check(case: &Path, update: bool) -> Vec<String> {
    let input = tree_of(&case.join("in"));
    let want = tree_of(&case.join("out"));
    let mut wrong = Vec::new();
    let result = run(&input);
    let said = case.join("issues");
    let got = match &result {
        Ok(done) => applied(&input, done),
        Err(issues) => {
            let text = issues_text(issues);
            if update {
                fs::write(&said, &text).unwrap();
            }
            let said_before = fs::read_to_string(&said).unwrap_or_default();
            wrong.extend((said_before != text).then(|| differ("issues", &said_before, &text)));
            wrong.extend((!want.is_empty()).then(|| "it is refused, so there can be no `out`".to_owned()));
            return wrong;
        }
    };
    let linked = linked(&got);
    let differs = |(p, t): &(&PathBuf, &String)| input.get(*p) != Some(t) && !linked.contains_key(*p);
    let changed: Tree = got.iter().filter(differs).map(|(p, t)| (p.clone(), t.clone())).collect();
    wrong.extend(links_match(case, &linked, update));
    if update {
        let _ = fs::remove_dir_all(case.join("out"));
        let _ = fs::remove_file(&said);
        for (path, text) in &changed {
            let path = case.join("out").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    } else if changed != want {
        let text = |tree: &Tree, path: &PathBuf| tree.get(path).cloned().unwrap_or_default();
        for path in changed.keys().chain(want.keys()).collect::<BTreeSet<_>>() {
            if changed.get(path) != want.get(path) {
                let name = format!("out/{}", path.display());
                wrong.push(differ(&name, &text(&want, path), &text(&changed, path)));
            }
        }
    }
    for (path, text) in got.iter().filter(|(p, _)| p.extension().is_some_and(|e| e == "tf")) {
        if let Err(e) = tf_phi::syntax::parse(text) {
            wrong.push(format!("{} does not parse: {e}", path.display()));
        }
    }
    changed.iter().filter(|(path, _)| path.starts_with(".phi")).for_each(|(_, text)| schemas::judge(text));
    if restored(&got).unwrap() != input {
        wrong.push("restore does not give back what was there".to_owned());
    }
    match run(&got) {
        Ok(again) if applied(&got, &again) == got => {}
        Ok(_) => wrong.push("a second run changes something".to_owned()),
        Err(issues) => wrong.push(format!("a second run fails: {issues:?}")),
    }
    wrong
}

/// The folders in a folder, by name.
fn cases(area: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(area).unwrap().map(|c| c.unwrap().path()).collect();
    all.sort();
    all
}

/// A fix put where its title says: into `phi.hcl`, into a variable's block, or in the place of the field. `None` for what
/// has to be typed into a terminal.
fn with_fix(tree: &Tree, fix: &Fix, field: &str) -> Option<Tree> {
    let (title, paste) = (&fix.title, &fix.paste);
    if ["terraform ", "tf-phi "].iter().any(|program| paste.starts_with(program)) {
        return None;
    }
    let mut tree = tree.clone();
    if title.contains("phi.hcl") {
        let phi = tree.entry(PathBuf::from("phi.hcl")).or_default();
        let block = paste.split(" {").next().unwrap();
        let known = phi.find(&format!("{block} {{")).filter(|_| block == "settings");
        match known {
            // There is one `settings` block at the most: its argument goes into it, or takes the other's place.
            Some(at) => {
                let line = paste.lines().nth(1).unwrap();
                let name = line.split('=').next().unwrap().trim();
                let end = at + phi[at..].find('}').unwrap();
                let rest: Vec<&str> =
                    phi[at..end].lines().filter(|l| !l.trim_start().starts_with(name)).collect();
                let text = format!("{}\n{line}\n", rest.join("\n"));
                phi.replace_range(at..end, &text);
            }
            None => phi.push_str(&format!("\n{paste}\n")),
        }
        return Some(tree);
    }
    if let Some((_, rest)) = title.split_once("variable \"") {
        let head = format!("variable \"{}\" {{", rest.split('"').next().unwrap());
        let main = tree.values_mut().find(|text| text.contains(&head)).expect(&head);
        let at = main.find(&head).unwrap() + head.len();
        main.insert_str(at, &format!("\n{paste}\n"));
        return Some(tree);
    }
    if title.contains("with `for_each` in place of `count`") {
        let head = paste.lines().next().unwrap();
        let text = tree.values_mut().find(|text| text.contains(head)).expect(head);
        let at = text.find(head).unwrap();
        let end = at + text[at..].find("\n}\n").unwrap() + 3;
        text.replace_range(at..end, paste);
        return Some(tree);
    }
    if title.contains("in place of `dynamic \"") {
        let kind = title.split('"').nth(1).unwrap();
        let head = format!("  dynamic \"{kind}\" {{");
        let text = tree.values_mut().find(|text| text.contains(&head)).expect(&head);
        let at = text.find(&head).unwrap();
        let end = at + text[at..].find("\n  }\n").unwrap() + 4;
        text.replace_range(at..end, paste);
        return Some(tree);
    }
    let addr: tf_phi::addr::FieldAddr = field.parse().unwrap();
    let tf_phi::addr::Target::Resource(declared) = &addr.target else { panic!("{field}") };
    let field = &**addr.path.0.last().unwrap();
    let head = format!("resource \"{}\" \"{}\" {{", declared.kind, declared.name);
    let text = tree.values_mut().find(|text| text.contains(&head)).expect(&head);
    let at = text.find(&head).unwrap();
    let line = text[at..].lines().find(|l| l.trim_start().split(' ').next() == Some(field)).unwrap();
    *text = text.replace(&line.to_owned(), paste);
    Some(tree)
}

/// Whether a sentence begins and ends as one.
fn is_sentence(text: &str) -> bool {
    text.ends_with(['.', ':', '?']) && !text.ends_with("..") && !text.contains("  ")
}

/// What there is to paste for each code of Unbounded, by the beginnings of titles. Of a cycle, of what is ephemeral and of
/// what can't be parsed the fix is said in words alone.
const FIXES: &[(&str, &str)] = &[
    ("apply-time-value", "Write the value out"),
    ("iteration-dependent", "Write the blocks out, in place of `dynamic"),
    ("iteration-dependent", "Write the value out"),
    ("iteration-dependent", "Write module.m with `for_each` in place of `count`"),
    ("iteration-dependent", "Write terraform_data.r with `for_each` in place of `count`"),
    ("no-universe", "Constrain the variable"),
    ("no-universe", "Cut the range into bins in `phi.hcl`"),
    ("no-universe", "Give the variable a default"),
    ("no-universe", "Hardcode the value"),
    ("no-universe", "List its values in `phi.hcl`"),
    ("no-universe", "List the values of `data."),
    ("no-universe", "List the workspaces in `phi.hcl`"),
    ("no-universe", "List their values in `phi.hcl`"),
    ("no-universe", "Write the value out"),
    ("plan-stability", "Write the value out"),
    ("sensitive", "If it is no secret, take the mark off"),
    ("too-deep", "Raise the limit in `phi.hcl`"),
    ("too-large", "Raise the limit in `phi.hcl`"),
    ("undecodable", "Write the value out"),
    ("unknown-function", "Write the value out"),
];

fn every_fix_helps_as_printed() {
    let mut tried = BTreeSet::new();
    for case in cases("tests/golden/unbounded") {
        let tree = tree_of(&case.join("in"));
        let issues = run(&tree).err().unwrap();
        for issue in &issues {
            let text = issues_text(std::slice::from_ref(issue));
            assert!(is_sentence(&issue.why), "{}: {text}", case.display());
            assert!(issue.fixes.iter().all(|f| is_sentence(&f.title)), "{}: {text}", case.display());
            let ours = !matches!(issue.code, Code::Invalid | Code::Unparsable);
            assert!(!ours || !issue.fixes.is_empty(), "{}: nothing to do is said: {text}", case.display());
            let pasted = issue.fixes.iter().filter(|f| !f.paste.is_empty());
            for fixed in pasted
                .filter_map(|f| Some((f, with_fix(&tree, f, issue.field.as_deref().unwrap_or_default())?)))
            {
                let known = FIXES
                    .iter()
                    .find(|(code, title)| *code == issue.code.name() && fixed.0.title.starts_with(title));
                tried.insert(known.unwrap_or_else(|| panic!("not among all fixes: {text}")));
                if let Err(issues) = run(&fixed.1) {
                    let said = issues_text(&issues);
                    panic!("{}: {:?} does not help: {said}", case.display(), fixed.0.title);
                }
            }
        }
    }
    let untried: Vec<_> = FIXES.iter().filter(|fix| !tried.contains(fix)).collect();
    assert!(untried.is_empty(), "no case has {untried:?}");
}

/// Every code with which a trace can be Unbounded, and those of the tree that stop it, has a case.
fn every_code_of_unbounded_has_a_case() {
    let mut seen = BTreeSet::new();
    for case in cases("tests/golden/unbounded") {
        let issues = fs::read_to_string(case.join("issues")).unwrap_or_default();
        seen.extend(issues.lines().filter_map(|l| l.split(' ').next()).map(str::to_owned));
    }
    let missing: Vec<_> = Code::ALL.iter().take(12).filter(|c| !seen.contains(c.name())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn over_all(name: &str, test: fn()) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

/// One test per case, named by its folders, and those over all cases.
fn main() -> ExitCode {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut trials = vec![
        over_all("every_fix_helps_as_printed", every_fix_helps_as_printed),
        over_all("every_code_of_unbounded_has_a_case", every_code_of_unbounded_has_a_case),
    ];
    for case in cases("tests/golden").iter().flat_map(cases) {
        let name = case.strip_prefix("tests/golden").unwrap().display().to_string();
        trials.push(Trial::test(name, move || {
            let wrong = check(&case, update);
            if wrong.is_empty() { Ok(()) } else { Err(Failed::from(wrong.join("\n"))) }
        }));
    }
    assert!(trials.len() > 2, "there are no cases");
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
