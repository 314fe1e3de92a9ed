//! `tf-phi history`: what state holds under the names of copies, and how that is known.
//!
//! In: the state, the history. Out: each object whose address in the original is another one. History that was lost is found again
//! from names and values with `--rebuild`; what these can't decide, the user says with `--copy` and `--own`. Invariant: the
//! state and the sources are not written.

use super::options::Printed;
use super::{Command, DONE, Outcome, Start};
use crate::addr::{Key, ModulePath, ObjectAddr};
use crate::issue::{Code, Issue};
use crate::ops::read::session::Session;
use crate::ops::run::decide::remember;
use crate::ops::run::enter::enter;
use crate::ops::run::write;
use crate::ops::state::by_hand::StateCommands;
use crate::ops::state::whose::{self, Whose};
use crate::report::issue::Format;
use crate::simulate::Object;
use crate::specialise::Record;
use crate::specialise::record::history::{self, Entry, Keys};
use crate::terraform::args::RunArgs;
use crate::text::shell_quoted;
use crate::txn::ChangeSet;
use clap::Args;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::path::Path;

/// The arguments of `tf-phi history`.
#[derive(Args, Clone, Debug)]
pub struct Request {
    /// Write down what names and values say where the history was lost
    #[arg(long)]
    rebuild: bool,
    /// The object HELD in state is the copy of ORIGINAL
    #[arg(long = "copy", value_name = "HELD=ORIGINAL")]
    copies: Vec<String>,
    /// The object in state is no copy, whatever its name
    #[arg(long, value_name = "ADDRESS")]
    own: Vec<String>,
    #[command(flatten)]
    printed: Printed,
}

impl Command for Request {
    fn run(&self, start: &Start) -> Outcome {
        let root = crate::ops::read::rooted_host::RootedHost::new(&start.dir)?.root;
        let lock = enter(&root)?;
        let (mut session, driven) = Session::unblocked(start)?;
        let known = session.history.clone();
        let commands = StateCommands::new(&session, &driven, &RunArgs::default());
        for pair in &self.copies {
            for entry in said_copy(pair)? {
                check_meaning(&session, &entry)?;
                session.history.add(entry);
            }
        }
        for address in &self.own {
            said_own(&session, &commands, address)?.into_iter().for_each(|entry| session.history.add(entry));
        }
        let decided = session.decide(&driven, &[])?;
        let found = whose::of_root(start, &session, &decided, &driven).map_err(|issues| session.stop(issues));
        if self.rebuild
            && let Ok(whose) = &found
        {
            whose.concluded.iter().for_each(|entry| session.history.add(entry.clone()));
            session.conclude_made(whose.objects.iter().map(|object| &object.original));
            whose
                .objects
                .iter()
                .for_each(|object| session.history.note_object(&object.held, &object.original));
        }
        // What was said is kept, though it may not be enough yet. What a record or a commit tells may stand in no file here.
        if self.rebuild && found.is_ok() || session.history != known {
            let _held = lock?;
            if write_history(start, &session)? && self.rebuild {
                start.note(&format!("wrote {}.", history::FILE));
            }
        }
        start.console.report(&report(&found?, self));
        Ok(DONE)
    }
}

/// Writes the history, and nothing else. Returns true if it wasn't there in this form.
pub(super) fn write_history(start: &Start, session: &Session) -> Result<bool, Box<super::Stop>> {
    let mut tree = BTreeMap::new();
    let within = session.record.as_ref().map(|record| record.within.clone()).unwrap_or_default();
    remember(session, &Record { within, ..Record::empty() }, &mut tree);
    let set: ChangeSet = crate::ops::run::decide::change_set(session, &tree);
    write::commit(&set, start.console)?;
    write::warn_of_excluded(&session.host, start.console);
    Ok(set.changes.contains_key(Path::new(history::FILE)))
}

/// The entries that make one address a copy of another.
fn said_copy(pair: &str) -> Result<Vec<Entry>, Issue> {
    let wrong = |why: &str| {
        let issue =
            Issue::error(Code::Config, format!("\"{pair}\" does not say what is a copy of what"), why);
        issue.fix("Name both, with their keys:", "tf-phi history --copy 'HELD=ORIGINAL'")
    };
    let both = pair.split_once('=').ok_or_else(|| wrong("There is no \"=\" between two addresses."))?;
    let read = |text: &str| text.trim().parse::<ObjectAddr>().map_err(|e| wrong(&e.to_string()));
    let (held, original) = (read(both.0)?, read(both.1)?);
    let same = held.module.0.len() == original.module.0.len()
        && (&held.resource.mode, &held.resource.kind) == (&original.resource.mode, &original.resource.kind);
    if !same {
        return Err(wrong("A copy is of the same type and as many modules deep as what it is a copy of."));
    }
    let mut out = Vec::new();
    let mut above = ModulePath::ROOT;
    for ((name, key), (of, own)) in held.module.0.iter().zip(&original.module.0) {
        let at = |name: &str| above.child(name).to_string();
        out.extend(step((at(name), key.as_ref()), (at(of), own.as_ref())).map_err(wrong)?);
        above = above.child(of.clone());
    }
    let at = |object: &ObjectAddr| above.address_of(&object.resource);
    let last = step((at(&held), held.key.as_ref()), (at(&original), original.key.as_ref()));
    out.extend(last.map_err(wrong)?);
    Ok(out)
}

/// Refuses a second original of a name: the history would lead what a state holds there to both.
fn check_meaning(session: &Session, entry: &Entry) -> Result<(), Issue> {
    let is_other = |known: &&Entry| known.address == entry.address && known.original != entry.original;
    let is_copy = |known: &&Entry| known.address != known.original;
    let Some(known) = session.history.entries().filter(is_copy).find(is_other) else { return Ok(()) };
    let summary = format!("{} is a copy of {} already", entry.address, known.original);
    let why = "The history says so. With two originals, an object under this name would be led to both.";
    let program = format!("print if index($_, q(\"address\":\"{}\",)) < 0", entry.address);
    let paste = format!("perl -i -ne {} {}", shell_quoted(&program), history::FILE);
    Err(Issue::error(Code::Held, summary, why)
        .about(entry.address.clone())
        .fix("If that is wrong, take its lines out of the history, and say again what is right:", paste))
}

/// The entry for one step; none where both names are the same.
fn step(
    (address, key): (String, Option<&Key>),
    (original, own): (String, Option<&Key>),
) -> Result<Option<Entry>, &'static str> {
    let keys = match (key, own) {
        (Some(Key::Index(0)), None) => Keys::Gate,
        (key, own) if key == own => Keys::Own,
        _ => return Err("A copy has the original's key, or [0] where the original has none."),
    };
    Ok((address != original).then_some(Entry { address, original, keys }))
}

/// The entries that make an object nobody's copy: one for each step that the configuration doesn't declare.
fn said_own(session: &Session, commands: &StateCommands, address: &str) -> Result<Vec<Entry>, Issue> {
    let held: ObjectAddr = address.parse().map_err(|e| {
        let issue =
            Issue::error(Code::Config, format!("\"{address}\" is no address of an object"), format!("{e}"));
        issue.fix("Name it as `tf-phi state list` prints it:", "tf-phi history --own 'TYPE.NAME[KEY]'")
    })?;
    if let [copy_of, _] = session.history.readings(&held).as_slice() {
        let why = format!("tf-phi wrote it for {copy_of}. Called your own, Terraform would destroy it.");
        return Err(Issue::error(Code::Held, format!("{held} is a copy"), why).about(held.to_string()).fix(
            "Leave it to tf-phi, or give it the original's address yourself:",
            commands.write_move(&held.to_string(), &copy_of.to_string()),
        ));
    }
    let mut out = Vec::new();
    let mut above = ModulePath::ROOT;
    let own = |address: String| Entry { original: address.clone(), address, keys: Keys::Own };
    for (name, _) in &held.module.0 {
        let child = above.child(name.clone());
        if session.config.at(&above).is_none_or(|m| !m.calls.contains_key(name)) {
            out.push(own(child.to_string()));
        }
        above = child;
    }
    if session.config.at(&above).is_none_or(|m| !m.resources.contains_key(&held.resource)) {
        out.push(own(above.address_of(&held.resource)));
    }
    Ok(out)
}

fn report(whose: &Whose, request: &Request) -> String {
    let away: Vec<&Object> = whose.objects.iter().filter(|o| o.held != o.original).collect();
    let concluded = |o: &Object| {
        let names = crate::specialise::moves::originals::without_keys(&o.held.to_string());
        let last = |entry: &Entry| entry.address.rsplit('.').next().map(str::to_owned);
        whose.concluded.iter().filter_map(last).any(|name| names.split('.').any(|part| part == name))
    };
    let known_by = |o: &Object| if concluded(o) { "values" } else { "history" };
    if request.printed.format() == Format::Json {
        let one = |o: &&Object| json!({ "address": o.held.to_string(), "original": o.original.to_string(), "known_by": known_by(o) });
        let all: Vec<Json> = away.iter().map(one).collect();
        return format!("{:#}\n", json!({ "format_version": "1.0", "objects": all }));
    }
    let mut out = String::new();
    for object in &away {
        let how = match known_by(object) {
            "values" if !request.rebuild => {
                "  (by its name and values; `tf-phi history --rebuild` writes it down)"
            }
            "values" => "  (by its name and values; written down)",
            _ => "",
        };
        out.push_str(&format!("{}  is {}{how}\n", object.held, object.original));
    }
    if away.is_empty() {
        out.push_str("Every object in state has its address in the original.\n");
    }
    out
}
