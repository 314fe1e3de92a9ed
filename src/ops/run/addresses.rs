//! Addresses in the words of commands on a state: the original's, or a copy's, for what state holds under either.
//!
//! In: the words as they were typed, the history, and the objects in state, which are asked for only where an address may be another's.
//! Invariants: what state holds under the very address stays as it is; a name that state doesn't hold, and that stands for nothing which it
//! holds, reaches Terraform unchanged; what the sources declare is its own, whatever a history says. Absent on purpose: values.

use crate::addr::{Key, ModuleInstance, ObjectAddr, steps};
use crate::config::Config;
use crate::ops::Start;
use crate::ops::read::session::Session;
use crate::ops::run::original_json::Read;
use crate::specialise::moves::originals::{covers, names};
use crate::specialise::record::history::History;
use std::collections::BTreeSet;
use std::ffi::OsString;

/// Flags of commands on a state whose value may be the next word.
const WITH_VALUES: &[&str] = &[
    "state",
    "state-out",
    "backup",
    "backup-out",
    "lock-timeout",
    "id",
    "config",
    "provider",
    "var",
    "var-file",
    "parallelism",
];

/// Which words of a command are addresses.
enum Named {
    /// None.
    Nothing,
    /// The first, of one instance or module.
    One,
    /// All, each of whatever it takes in.
    All,
}

/// Which words behind the flags are addresses, and the number of words before the flags.
fn named(command: &str, words: &[String]) -> (Named, usize) {
    match (command, words.first().map(String::as_str)) {
        ("state", Some("show" | "mv")) => (Named::One, 1),
        ("state", Some("list" | "rm")) => (Named::All, 1),
        ("taint" | "untaint" | "import", _) => (Named::One, 0),
        _ => (Named::Nothing, 0),
    }
}

/// The index of the first word that is neither a flag nor the value of one; behind a bare `--` all are none.
pub fn first_positional(words: &[String], from: usize) -> usize {
    let mut at = from;
    while let Some(word) = words.get(at) {
        if word == "--" {
            return at + 1;
        }
        let Some(flag) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')) else { break };
        at += if WITH_VALUES.contains(&flag) { 2 } else { 1 };
    }
    at.min(words.len())
}

/// What the history knows of addresses.
pub struct Addresses {
    history: History,
}

impl Addresses {
    /// Reads the history of a working directory; where it can't be read, each address is its own.
    pub fn new(start: &Start) -> Addresses {
        let Ok(session) = Session::open_partly(start) else {
            return Addresses { history: History::default() };
        };
        let mut history = session.history;
        history.forget_declared(&|address| is_declared(&session.config, address));
        Addresses { history }
    }

    /// The original's address of a resource, an instance, or a module.
    pub fn original(&self, address: &str) -> String {
        if let Ok(object) = address.parse::<ObjectAddr>() {
            return self.original_object(&object).to_string();
        }
        // A module is read on the way to something in it.
        match format!("{address}.terraform_data.x").parse::<ObjectAddr>() {
            Ok(inner) if address.parse::<ModuleInstance>().is_ok() => {
                self.original_object(&inner).module.to_string()
            }
            _ => address.to_owned(),
        }
    }

    /// The original's address of a declaration. Nothing says which instance is meant: of a copy with a gate there is one.
    fn original_declaration(&self, address: &str) -> String {
        let Ok(typed) = steps(address) else { return address.to_owned() };
        let is_name = |at: usize| {
            at + 1 == typed.len() || at > 0 && typed.get(at - 1).is_some_and(|s| &*s.0 == "module")
        };
        let keyless = |at: usize| typed.get(at).is_some_and(|(_, key)| key.is_none());
        let key = |at: usize, key: &Option<Key>| match key {
            None if is_name(at) => "[0]".to_owned(),
            key => key.as_ref().map(ToString::to_string).unwrap_or_default(),
        };
        let keyed = typed.iter().enumerate().map(|(at, (name, own))| format!("{name}{}", key(at, own)));
        let original = self.original(&keyed.collect::<Vec<_>>().join("."));
        let Ok(now) = steps(&original) else { return address.to_owned() };
        let bare = now.iter().enumerate().map(|(at, (name, own))| match own {
            Some(Key::Index(0)) if keyless(at) => name.to_string(),
            own => format!("{name}{}", own.as_ref().map(ToString::to_string).unwrap_or_default()),
        });
        bare.collect::<Vec<_>>().join(".")
    }

    fn original_object(&self, object: &ObjectAddr) -> ObjectAddr {
        self.history.readings(object).into_iter().next().unwrap_or_else(|| object.clone())
    }

    /// The words with addresses that state holds; `held` asks for these.
    pub fn translate_words(
        &self,
        command: &str,
        args: &[OsString],
        held: &dyn Fn() -> Vec<ObjectAddr>,
    ) -> Vec<OsString> {
        let words: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let (named, before) = named(command, &words);
        let first = first_positional(&words, before);
        if matches!(named, Named::Nothing) || first >= words.len() || self.history.is_empty() {
            return args.to_vec();
        }
        let held = held();
        let mut out: Vec<OsString> = args.get(..first).unwrap_or_default().to_vec();
        for (at, word) in words.iter().enumerate().skip(first) {
            let found = match named {
                Named::One if at > first => vec![word.clone()],
                Named::One => vec![self.find_one(word, &held)],
                _ => self.find(word, &held),
            };
            out.extend(found.into_iter().map(OsString::from));
        }
        out
    }

    /// The address under which state holds one; itself where that isn't sure.
    fn find_one(&self, address: &str, held: &[ObjectAddr]) -> String {
        match self.find(address, held).as_slice() {
            [only] if self.original(only) == self.original(address) => only.clone(),
            _ => address.to_owned(),
        }
    }

    /// The addresses under which state holds what an address takes in, cut where the address ends.
    fn find(&self, address: &str, held: &[ObjectAddr]) -> Vec<String> {
        let own = || vec![address.to_owned()];
        if held.iter().any(|object| covers(address, &object.to_string())) {
            return own();
        }
        let wanted = self.original(address);
        let length = names(&wanted).len();
        let within = held.iter().filter(|object| covers(&wanted, &self.original_object(object).to_string()));
        let found: BTreeSet<String> = within.map(|object| cut(object, length)).collect();
        if found.is_empty() { own() } else { found.into_iter().collect() }
    }
}

impl Read for Addresses {
    fn instance(&self, address: &str) -> String {
        self.original(address)
    }

    fn declaration(&self, address: &str) -> String {
        self.original_declaration(address)
    }
}

/// Returns true if sources declare what has an address without keys.
fn is_declared(config: &Config, address: &str) -> bool {
    let object = address.parse::<ObjectAddr>();
    let module = address.parse::<ModuleInstance>();
    match (object, module) {
        (Ok(object), _) => {
            config.at(&object.module.path()).is_some_and(|m| m.resources.contains_key(&object.resource))
        }
        (_, Ok(ModuleInstance(mut steps))) => steps.pop().is_some_and(|(name, _)| {
            config.at(&ModuleInstance(steps).path()).is_some_and(|m| m.calls.contains_key(&name))
        }),
        _ => false,
    }
}

/// The beginning of an address: a module on the way to an object, or the object.
fn cut(object: &ObjectAddr, length: usize) -> String {
    let depth = length / 2;
    match object.module.0.len() >= depth
        && length.is_multiple_of(2)
        && names(&object.to_string()).len() > length
    {
        true => ModuleInstance(object.module.0.iter().take(depth).cloned().collect()).to_string(),
        false => object.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specialise::record::history::{Entry, Keys};

    fn addresses() -> Addresses {
        let mut history = History::default();
        for (address, original, keys) in [
            ("module.db_a", "module.db", Keys::Gate),
            ("module.db_b", "module.db", Keys::Gate),
            ("terraform_data.n_x", "terraform_data.n", Keys::Gate),
            ("terraform_data.m_x", "terraform_data.m", Keys::Own),
        ] {
            history.add(Entry { address: address.to_owned(), original: original.to_owned(), keys });
        }
        Addresses { history }
    }

    #[test]
    fn declarations_of_copies() {
        for (address, original) in [
            ("module.db_a.terraform_data.x", "module.db.terraform_data.x"),
            ("module.db_a[0].terraform_data.x[0]", "module.db.terraform_data.x[0]"),
            ("terraform_data.m_x", "terraform_data.m"),
            ("module.o.data.t.x", "module.o.data.t.x"),
            ("module.db_b", "module.db"),
            ("var.x", "var.x"),
        ] {
            assert_eq!(addresses().original_declaration(address), original);
        }
    }

    #[test]
    fn words_name_what_state_holds() {
        let held = [
            "module.db_a[0].terraform_data.x",
            "module.db_a[0].terraform_data.y[\"k\"]",
            "terraform_data.m_x[\"a\"]",
            "terraform_data.m_x[\"b\"]",
            "terraform_data.n_x[0]",
            "terraform_data.own",
        ];
        let held: Vec<ObjectAddr> = held.iter().map(|address| address.parse().unwrap()).collect();
        for (command, line, wanted) in [
            ("state", "show module.db.terraform_data.x", "show module.db_a[0].terraform_data.x"),
            (
                "state",
                "show -state s module.db_b[0].terraform_data.x",
                "show -state s module.db_a[0].terraform_data.x",
            ),
            ("state", "list module.db terraform_data.own", "list module.db_a[0] terraform_data.own"),
            ("state", "list -id x terraform_data.n", "list -id x terraform_data.n_x[0]"),
            (
                "state",
                "rm -dry-run terraform_data.m",
                "rm -dry-run terraform_data.m_x[\"a\"] terraform_data.m_x[\"b\"]",
            ),
            ("state", "mv module.db module.other", "mv module.db_a[0] module.other"),
            ("state", "mv terraform_data.m terraform_data.k", "mv terraform_data.m terraform_data.k"),
            (
                "state",
                "mv module.db_a[0].terraform_data.x module.db",
                "mv module.db_a[0].terraform_data.x module.db",
            ),
            ("taint", "-lock=false terraform_data.n", "-lock=false terraform_data.n_x[0]"),
            ("taint", "terraform_data.n[0]", "terraform_data.n[0]"),
            ("taint", "terraform_data.m[\"a\"]", "terraform_data.m_x[\"a\"]"),
            ("taint", "module.db.terraform_data.y[\"k\"]", "module.db_a[0].terraform_data.y[\"k\"]"),
            ("output", "module.db", "module.db"),
            ("state", "pull", "pull"),
        ] {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let got = addresses().translate_words(command, &args, &|| held.clone());
            let got: Vec<String> = got.into_iter().map(|word| word.into_string().unwrap()).collect();
            assert_eq!(got.join(" "), wanted, "{command}");
        }
    }
}
