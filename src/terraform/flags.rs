//! The flags of Terraform's own commands: which there are, in which versions of which product, and what each takes.
//!
//! The rows are in `table`, read off the sources of Terraform and OpenTofu. A new command needs rows and nothing else.

mod table;
mod values;

use super::{Product, Version};
pub use table::{FLAGS, NEWEST};
pub use values::parse_duration;

/// The value that a flag takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// None: the bare word with one dash, anywhere on the line.
    Nothing,
    /// None, `=true` or `=false`, with one dash, anywhere on the line.
    Setting,
    /// None, or `=` and a boolean.
    Bool,
    /// A value, as `=value` or in the next word.
    Text,
    /// The same; a whole number.
    Number,
    /// The same; a length of time as Go writes it.
    Duration,
    /// `=module:` and a word, with one dash.
    Module,
}

/// Major and minor number.
pub type Release = (u64, u64);

/// A range of releases: from one on, and before another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Releases {
    /// The first that has the flag.
    pub from: Release,
    /// The first that has it no more.
    pub until: Option<Release>,
}

impl Releases {
    fn holds(self, release: Release) -> bool {
        self.from <= release && self.until.is_none_or(|u| release < u)
    }

    /// Returns the range in words, to follow the name of the product.
    fn said(self) -> String {
        let show = |(major, minor): Release| format!("{major}.{minor}");
        match (self.from, self.until) {
            ((0, 0), None) => String::new(),
            ((0, 0), Some(until)) => format!(" before {}", show(until)),
            (from, None) => format!(" {} or later", show(from)),
            (from, Some(until)) => format!(" {} or later, before {}", show(from), show(until)),
        }
    }
}

/// A row of the table: a flag of some commands.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// Its name without dashes.
    pub name: &'static str,
    /// The value that it takes.
    pub takes: Takes,
    /// The commands that have it.
    pub commands: &'static [&'static str],
    /// The releases of Terraform that have it.
    pub terraform: Option<Releases>,
    /// The releases of OpenTofu that have it.
    pub opentofu: Option<Releases>,
}

impl Flag {
    /// Returns true if a version has it; every one may, where none is named.
    pub fn is_in(&self, version: Option<&Version>) -> bool {
        version.is_none_or(|v| {
            let releases = match v.product {
                Product::Terraform => self.terraform,
                Product::OpenTofu => self.opentofu,
            };
            releases.is_some_and(|r| r.holds((v.major, v.minor)))
        })
    }

    /// Returns true if every version of every product has it.
    fn is_everywhere(&self) -> bool {
        let always = Some(Releases { from: (0, 0), until: None });
        self.terraform == always && self.opentofu == always
    }
}

/// The rows of a command, in the order of the table.
pub fn of(command: &str) -> impl Iterator<Item = &'static Flag> {
    FLAGS.iter().filter(move |f| f.commands.contains(&command))
}

/// The row of a flag in a version.
pub fn find(command: &str, name: &str, version: Option<&Version>) -> Option<&'static Flag> {
    of(command).find(|f| f.name == name && f.is_in(version))
}

/// Returns true if some versions lack a flag that others have.
pub fn depends_on_version(command: &str, name: &str) -> bool {
    let mut rows = of(command).filter(|f| f.name == name).peekable();
    rows.peek().is_some() && !rows.any(Flag::is_everywhere)
}

/// The commands that have a flag.
pub fn commands_with(name: &str) -> Vec<&'static str> {
    let mut found: Vec<&str> =
        FLAGS.iter().filter(|f| f.name == name).flat_map(|f| f.commands).copied().collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the versions that have a flag, in words: `OpenTofu 1.9 or later`.
pub fn versions_with(command: &str, name: &str) -> String {
    let mut said: Vec<String> = Vec::new();
    for flag in of(command).filter(|f| f.name == name) {
        said.extend(flag.terraform.map(|r| format!("Terraform{}", r.said())));
        said.extend(flag.opentofu.map(|r| format!("OpenTofu{}", r.said())));
    }
    said.join(" or ")
}

/// Returns true if a version may have flags that the table doesn't know yet.
pub fn is_newer(version: &Version) -> bool {
    NEWEST
        .iter()
        .any(|(product, release)| version.product == *product && (version.major, version.minor) > *release)
}

/// Returns true if a flag of some command is followed by a value. An unknown one is taken for a switch.
pub fn takes_value(name: &str) -> bool {
    FLAGS.iter().any(|f| f.name == name && matches!(f.takes, Takes::Text | Takes::Number | Takes::Duration))
}

impl Takes {
    /// Returns what a flag wants, if the value is wrong; `None` if it is right.
    pub fn wants(self, value: &str) -> Option<&'static str> {
        match self {
            Takes::Nothing => Some("nothing"),
            Takes::Setting => (!matches!(value, "true" | "false")).then_some("true or false"),
            Takes::Bool => (!values::is_bool(value)).then_some("true or false"),
            Takes::Text => None,
            Takes::Number => (!values::is_count(value)).then_some("a whole number from 0 on"),
            Takes::Duration => {
                (!values::is_duration(value)).then_some("a length of time with its unit, as 30s or 5m")
            }
            Takes::Module => {
                (!value.starts_with("module:")).then_some("module:all, module:local or module:none")
            }
        }
    }
}

#[cfg(test)]
mod tests;
