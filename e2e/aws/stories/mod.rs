//! Stories: roots as people write them, most over modules of other people, with the real AWS provider.
//!
//! Each is specialised and planned for its environments beside its original, put back, and the lines that were written are
//! counted. `docs/coverage.md` keeps the figures; a story that writes more lines than it may has failed. A run of all stories plans
//! every third in one of its environments, as the provider takes its time, and the others are only specialised and put back;
//! `TF_PHI_WHOLE=1` plans them all in all environments.

mod modules;
mod table;

use crate::compare;
use crate::moto::Moto;
use crate::offer;
use crate::support::Scratch;
use crate::support::sample::{sampled, whole};
use modules::Origin;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A story.
struct Story {
    /// Its name in reports.
    name: &'static str,
    /// The folder beside this file that holds its root; a second one lies over the first where there are two.
    roots: &'static [&'static str],
    /// The modules that its root calls besides its own.
    modules: &'static [Origin],
    /// What people changed in these: file, what stood there, what stands there now.
    edits: &'static [Edit],
    /// The same places as Terraform takes them without tf-phi, by environment.
    plain: fn(&str) -> Vec<(&'static str, &'static str, String)>,
    /// The environments: arguments of `plan`, or the name of a workspace.
    environments: &'static [&'static str],
    /// The most lines that may be written, records not counted.
    most: usize,
}

/// A text of a file, and what takes its place.
type Edit = (&'static str, &'static str, &'static str);

/// What became of a story.
pub enum Told {
    /// Lines and files that were written.
    Written(usize, usize),
    /// Why it could not be tried.
    Skipped(String),
}

/// One in so many is planned.
const SAMPLE: usize = 3;

/// Runs all stories whose name holds `filter`, and prints what each of them writes. How many passed, how many were skipped.
pub fn all(filter: &str) -> (usize, usize) {
    let moto = Moto::start();
    let (mut passed, mut skipped, mut long) = (0, 0, Vec::new());
    let whole = !filter.is_empty() || whole();
    for (at, story) in table::STORIES.iter().enumerate().filter(|(_, s)| s.name.contains(filter)) {
        let is_planned = whole || at % SAMPLE == 0;
        let environments = match (is_planned, whole) {
            (false, _) => Vec::new(),
            (true, true) => story.environments.to_vec(),
            (true, false) => sampled(story.environments.to_vec(), story.environments.len(), story.name),
        };
        match story.tell(moto.as_ref().ok(), &environments) {
            Told::Written(lines, files) => {
                passed += 1;
                println!(
                    "story {}: {lines} lines in {files} files, at most {}; planned in {} of {} environments",
                    story.name,
                    story.most,
                    environments.len(),
                    story.environments.len()
                );
                long.extend((lines > story.most).then_some(story.name));
            }
            Told::Skipped(why) => {
                skipped += 1;
                println!("SKIPPED: story {}: {why}", story.name);
            }
        }
    }
    assert!(long.is_empty(), "more lines than they may: {long:?}");
    (passed, skipped)
}

impl Story {
    fn tell(&self, api: Option<&Moto>, environments: &[&str]) -> Told {
        let mut folders = Vec::new();
        for module in self.modules {
            match module.folder() {
                Ok(folder) => folders.push((module.name(), folder)),
                Err(why) => return Told::Skipped(why),
            }
        }
        let Some(api) = api else { return Told::Skipped("no loopback AWS API".to_owned()) };
        let specialised = self.scratch(&folders, api);
        let texts: Vec<_> = self.edits.iter().map(|(f, from, to)| (*f, *from, (*to).to_owned())).collect();
        edit(&specialised, &texts);
        let before = specialised.sources();
        specialised.tf_phi(&["check", "--fix"]).expect(0);
        let written = count(&before, &specialised.sources());
        if !environments.is_empty() {
            self.plan(&specialised, environments, &folders, api);
        }
        specialised.tf_phi(&["check"]).expect(0);
        specialised.tf_phi(&["restore"]).expect(0);
        // A plan that was saved may have been applied, so that the way home is left.
        let _ = std::fs::remove_file(specialised.dir().join("phi.moved.tf"));
        assert!(specialised.sources() == before, "{}: restored to something else", self.name);
        Told::Written(written.0, written.1)
    }

    /// Plans what was written beside the original.
    fn plan(&self, specialised: &Scratch, environments: &[&str], folders: &[(&str, PathBuf)], api: &Moto) {
        specialised.init();
        for environment in environments {
            let original = self.scratch(folders, api);
            edit(&original, &(self.plain)(environment));
            original.init();
            let args = arguments(environment, &[&original, specialised]);
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let plan = specialised.phi_plan(&args).0;
            compare::same(&original.plan(&args), &plan, specialised, environment);
        }
    }

    /// The root, its modules and a provider that needs no account.
    fn scratch(&self, folders: &[(&str, PathBuf)], api: &Moto) -> Scratch {
        let scratch = Scratch::with(&[]);
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("e2e/aws/stories");
        self.roots.iter().for_each(|root| scratch.copy(&here.join(root), ""));
        for (name, folder) in folders {
            scratch.copy(folder, &format!("modules/{name}"));
        }
        scratch.write("provider.tf", &provider(api));
        offer::offer(&scratch);
        scratch
    }
}

fn provider(api: &Moto) -> String {
    let one = |alias: &str| {
        format!(
            "\nprovider \"aws\" {{{alias}\n  region                      = \"eu-central-1\"\n  access_key                  \
             = \"dummy\"\n  secret_key                  = \"dummy\"\n  skip_credentials_validation = true\n  \
             skip_requesting_account_id  = true\n  skip_metadata_api_check     = true\n\n  endpoints {{\n    sts = \
             \"{}\"\n  }}\n}}\n",
            api.url()
        )
    };
    let required =
        "terraform {\n  required_providers {\n    aws = {\n      source = \"hashicorp/aws\"\n    }\n  }\n}\n";
    let aliases = ["central", "west"].map(|a| one(&format!("\n  alias                       = \"{a}\"")));
    format!("{required}{}{}", one(""), aliases.concat())
}

/// An environment as arguments; a workspace is created and selected in each of the folders.
fn arguments(environment: &str, folders: &[&Scratch]) -> Vec<String> {
    let Some(workspace) = environment.strip_prefix("workspace ") else {
        return environment.split_whitespace().map(str::to_owned).collect();
    };
    for scratch in folders.iter().filter(|_| workspace != "default") {
        scratch.terraform(&["workspace", "new", workspace]).expect(0);
    }
    Vec::new()
}

fn edit(scratch: &Scratch, edits: &[(&str, &str, String)]) {
    for (file, from, to) in edits {
        let text = scratch.read(file);
        assert!(text.contains(from), "{file} has no {from:?}");
        scratch.write(file, &text.replacen(from, to, 1));
    }
}

/// Lines that are new in sources, and files that changed. Records and the moves of a run are no sources.
fn count(before: &BTreeMap<PathBuf, Vec<u8>>, after: &BTreeMap<PathBuf, Vec<u8>>) -> (usize, usize) {
    let text = |bytes: Option<&Vec<u8>>| String::from_utf8_lossy(bytes.map_or(&[][..], |b| b)).into_owned();
    let is_record = |path: &Path| {
        (path.starts_with(".phi") && !path.starts_with(".phi/modules")) || path == Path::new("phi.moved.tf")
    };
    let changed = after.iter().filter(|(path, bytes)| before.get(*path) != Some(bytes) && !is_record(path));
    changed.fold((0, 0), |(lines, files), (path, bytes)| {
        let (old, new) = (text(before.get(path)), text(Some(bytes)));
        let diff = similar::TextDiff::from_lines(&old, &new);
        let added = diff.iter_all_changes().filter(|c| c.tag() == similar::ChangeTag::Insert).count();
        (lines + added, files + 1)
    })
}
