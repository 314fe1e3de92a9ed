//! The documents keep up with the program.

#![allow(clippy::unwrap_used, clippy::string_slice, clippy::indexing_slicing, clippy::disallowed_methods)]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use tf_phi::func::{self, Function, Joins, Kind, Purity};
use tf_phi::issue::Code;
use tf_phi::report::services::page;

const PARTS: [&str; 3] = ["**Means.**", "**Example.**", "**Fix.**"];

#[test]
fn every_code_has_its_section() {
    let text = fs::read_to_string("docs/codes.md").unwrap();
    let mut sections = text.split("\n## ").skip(1);
    let mut seen = Vec::new();
    for section in sections.by_ref() {
        let (name, body) = section.split_once('\n').unwrap();
        seen.push(name);
        let missing: Vec<_> = PARTS.iter().filter(|part| !body.contains(*part)).collect();
        assert!(missing.is_empty(), "{name} lacks {missing:?}");
    }
    let codes: Vec<_> = Code::ALL.iter().map(|c| c.name()).collect();
    assert_eq!(seen, codes, "the sections of docs/codes.md are the table's codes in its order");
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = fs::read_to_string("Cargo.toml").unwrap();
    let architecture = fs::read_to_string("docs/architecture.md").unwrap();
    let mut section = "";
    let mut unnamed = BTreeSet::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section == "[dependencies]"
            && let Some((name, _)) = line.split_once(" = ")
            && !architecture.contains(&format!("`{name}`"))
        {
            unnamed.insert(name);
        }
    }
    assert!(unnamed.is_empty(), "docs/architecture.md gives no reason for {unnamed:?}");
}

/// `scripts/release` builds it from the package as well.
#[test]
fn the_package_holds_what_the_program_is_built_from() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let list = ["package", "--list", "--allow-dirty", "--offline"];
    let done = std::process::Command::new(cargo).args(list).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8(done.stdout).unwrap();
    let packed: BTreeSet<&str> = text.lines().collect();
    let mut todo = ["src", "schemas", "services", "docs/codes.md", "build.rs"].map(PathBuf::from).to_vec();
    let mut found = 0;
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            todo.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            found += 1;
            assert!(packed.contains(path.to_str().unwrap()), "{} is not packed", path.display());
        }
    }
    assert!(found > 500, "{found}");
}

#[test]
fn links_lead_somewhere() {
    for file in pages() {
        let text = fs::read_to_string(&file).unwrap();
        for link in Parser::new(&text).filter_map(target) {
            let (path, place) = link.split_once('#').unwrap_or((&link, ""));
            if path.contains("://") {
                continue;
            }
            let to = if path.is_empty() { file.clone() } else { file.parent().unwrap().join(path) };
            assert!(to.exists(), "{} links to {link}", file.display());
            let known = place.is_empty() || headings(&fs::read_to_string(&to).unwrap()).contains(place);
            assert!(known, "{} links to {link}, and no heading is called that", file.display());
        }
    }
}

/// The pages for people.
fn pages() -> Vec<PathBuf> {
    let docs = fs::read_dir("docs").unwrap().map(|entry| entry.unwrap().path());
    let own = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"].map(PathBuf::from);
    own.into_iter().chain(docs.filter(|p| p.extension().is_some_and(|e| e == "md"))).collect()
}

fn target(event: Event<'_>) -> Option<String> {
    match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    }
}

/// The headings of a page as GitHub names them in links.
fn headings(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut open: Option<String> = None;
    for event in Parser::new(text) {
        match (event, &mut open) {
            (Event::Start(Tag::Heading { .. }), _) => open = Some(String::new()),
            (Event::Text(text) | Event::Code(text), Some(heading)) => heading.push_str(&text),
            (Event::End(TagEnd::Heading(_)), heading) => all.extend(heading.take()),
            _ => {}
        }
    }
    let slug = |c: char| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c.to_ascii_lowercase()),
        _ => None,
    };
    all.into_iter().map(|heading| heading.chars().filter_map(slug).collect()).collect()
}

/// Whoever forks or renames the repository changes `Cargo.toml`, and is told here what else names it.
#[test]
fn every_page_names_the_repository_of_the_manifest() {
    let (_, own) = env!("CARGO_PKG_REPOSITORY").split_once("github.com/").unwrap();
    let mut named = 0;
    for file in pages().into_iter().chain([PathBuf::from("action.yml")]) {
        let text = fs::read_to_string(&file).unwrap();
        let places =
            ["https://github.com/", "uses: "].into_iter().flat_map(|before| text.split(before).skip(1));
        for rest in places
            .filter(|rest| rest.split(['/', '\n']).nth(1).is_some_and(|name| name.starts_with("tf-phi")))
        {
            assert!(rest.starts_with(own), "{} names {}", file.display(), rest.lines().next().unwrap());
            named += 1;
        }
    }
    assert!(named > 5, "{named}");
}

#[test]
fn the_graph_of_the_copies_is_what_graph_draws() {
    let text = fs::read_to_string("docs/copies.md").unwrap();
    let section = text.split("\n## ").find(|s| s.starts_with("Before and after\n")).unwrap();
    let shown = section.split("```mermaid\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tf-phi"));
    let done =
        command.args(["graph", "--format", "mermaid"]).current_dir("examples/aws-postgres").output().unwrap();
    assert_eq!(shown, String::from_utf8(done.stdout).unwrap());
}

#[test]
fn pictures_are_small() {
    for entry in fs::read_dir("docs").unwrap().map(|entry| entry.unwrap()) {
        if entry.path().extension().is_some_and(|e| e == "png") {
            assert!(entry.metadata().unwrap().len() < 150_000, "{}", entry.path().display());
        }
    }
}

/// The package holds every file that is built into the program, so that it can be installed from it.
#[test]
fn the_package_is_whole() {
    let mut command = std::process::Command::new(env!("CARGO"));
    let listed = command.args(["package", "--list", "--allow-dirty", "--offline"]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let listed: BTreeSet<&str> = listed.lines().collect();
    let mut built_in = 0;
    let mut folders = vec![PathBuf::from("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            assert!(listed.contains(path.to_str().unwrap()), "{} isn't packaged", path.display());
            let text = fs::read_to_string(&path).unwrap();
            for name in text.split("include_str!(\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let file = fs::canonicalize(folder.join(name)).unwrap();
                let file = file.strip_prefix(fs::canonicalize(".").unwrap()).unwrap();
                assert!(listed.contains(file.to_str().unwrap()), "{} isn't packaged", file.display());
                built_in += 1;
            }
        }
    }
    assert!(built_in > 3 && listed.contains("Cargo.lock"));
}

/// `docs/functions.md` is what the registrations say. `UPDATE_GOLDEN=1 cargo test --test documents` writes it.
#[test]
fn the_page_of_functions_is_what_is_registered() {
    let mut functions: Vec<&Function> = func::all().collect();
    functions.sort_by_key(|f| f.name);
    let mut page = String::from(FUNCTIONS_HEAD);
    for f in functions {
        let fixed = f.params.iter().map(|p| p.name.to_owned());
        let rest = f.variadic.iter().map(|p| format!("{}...", p.name));
        let params = fixed.chain(rest).collect::<Vec<_>>().join(", ");
        let facts = facts(f).join("; ");
        page += &format!("| `{}({params})` | {} | {facts} |\n", f.name, f.doc.replace('|', "\\|"));
    }
    let file = "docs/functions.md";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(file, &page).unwrap();
    }
    let held = fs::read_to_string(file).unwrap();
    let diff =
        similar::TextDiff::from_lines(&held, &page).unified_diff().header(file, "src/func").to_string();
    assert!(held == page, "UPDATE_GOLDEN=1 cargo test --test documents writes it:\n{diff}");
}

const FUNCTIONS_HEAD: &str = "\
# Functions

Generated from the registrations in `src/func/family` (`UPDATE_GOLDEN=1 cargo test --test documents`). What differs between versions
of Terraform, and what is declined, is in [language.md](language.md).

| function | what it gives, and where that is defined | besides |
|---|---|---|
";

/// What is registered besides parameters and computation, where it isn't what most functions have.
fn facts(f: &Function) -> Vec<String> {
    let mut facts = Vec::new();
    if f.since > 0 {
        facts.push(format!("since Terraform 1.{}", f.since));
    }
    match f.purity {
        Purity::Pure => {}
        Purity::Files => facts.push("reads files, or asks where Terraform runs".to_owned()),
        Purity::Unstable => facts.push("another result in every run: never decides a field".to_owned()),
    }
    let mut add = |holds: bool, text: &str| {
        if holds {
            facts.push(text.to_owned());
        }
    };
    add(!f.not_null, "may give null");
    add(f.total, "never fails for arguments of its parameters' types that aren't null");
    add(f.joins == Joins::All, "converts its arguments to one type");
    add(f.joins == Joins::Collections, "converts lists, sets and maps among its arguments to one type");
    add(f.gives == Some(Kind::Set), "gives a set");
    add(f.gives == Some(Kind::Map), "gives a map or an object");
    add(f.decodes, "decoded only where its argument is known as a whole");
    add(f.keeps_text, "its text isn't known where an argument isn't");
    add(f.hands_on, "its elements are those of its arguments, so references may stand there");
    if f.cost > 0 {
        facts.push(format!("counts as {} expressions", f.cost));
    }
    facts
}

/// What `tf-phi services show` prints of each service stands in the documents as it is.
#[test]
fn every_service_has_its_table() {
    let text = fs::read_to_string("docs/services.md").unwrap();
    let from = text.find("<!-- services: ").unwrap();
    let to = text.find("<!-- end of services -->").unwrap();
    let own = text[from..to].split_once('\n').unwrap().1;
    let pages: Vec<String> = tf_phi::config::phi::EMBEDDED
        .iter()
        .map(|e| page(e.name, &tf_phi::ops::services::shown(std::slice::from_ref(e))))
        .collect();
    let want = pages.join("\n");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let new =
            text.replacen(&text[from..to], &format!("{}\n{want}", text[from..to].lines().next().unwrap()), 1);
        fs::write("docs/services.md", new).unwrap();
        return;
    }
    assert!(own == want, "docs/services.md lags behind: UPDATE_GOLDEN=1 cargo test --test documents");
}
