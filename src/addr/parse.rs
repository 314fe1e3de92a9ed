//! Addresses from text.
//!
//! The rule of Terraform's address syntax: `module.NAME` pairs are read as long as they come; what follows is
//! `data.TYPE.NAME`, `var.`/`local.`/`output.NAME` or `TYPE.NAME`; anything after that is a field path. Where nothing
//! follows the last `module.NAME`, the call itself is meant. In a Stack, `component.NAME` and `stack.NAME` stand for
//! `module.NAME`. No provider has a resource type of these names. Instance keys are not part of a declaration's address
//! and are refused.

use super::{FieldAddr, FieldPath, Mode, ModulePath, ResourceAddr, STACK_CALLS, Target};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use unicode_normalization::char::is_combining_mark;

/// The reason why a text is not an address, as one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddrError(pub String);

impl fmt::Display for AddrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The names between the dots; each has to be an identifier.
fn names(text: &str) -> Result<Vec<Arc<str>>, AddrError> {
    if text.contains('[') {
        return Err(AddrError(format!(
            "The address \"{text}\" holds an instance key; a declaration is named without keys."
        )));
    }
    text.split('.').map(|part| identifier(part, text)).collect()
}

pub(super) fn identifier(part: &str, whole: &str) -> Result<Arc<str>, AddrError> {
    let mut chars = part.chars();
    let first = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    // HCL's names are Unicode's: letters may carry marks, and Catalan has a dot among them.
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\u{b7}') || is_combining_mark(c);
    if first && chars.all(goes_on) {
        return Ok(Arc::from(part));
    }
    Err(AddrError(if part.is_empty() {
        format!("The address \"{whole}\" has an empty part between its dots.")
    } else {
        format!("\"{part}\" in the address \"{whole}\" is not a name.")
    }))
}

/// Reads leading `module.NAME` pairs.
fn modules(names: &mut &[Arc<str>], whole: &str) -> Result<ModulePath, AddrError> {
    let mut path = ModulePath::ROOT;
    while let [word, rest @ ..] = *names {
        let of_stack = STACK_CALLS.contains(&&**word);
        if &**word != "module" && !of_stack {
            break;
        }
        let [name, rest @ ..] = rest else {
            return Err(AddrError(format!(
                "In \"{whole}\", \"{word}.\" must be followed by the name of a module call."
            )));
        };
        path = path.child(if of_stack { Arc::from(format!("{word}.{name}")) } else { name.clone() });
        *names = rest;
    }
    Ok(path)
}

impl FromStr for ModulePath {
    type Err = AddrError;

    fn from_str(text: &str) -> Result<ModulePath, AddrError> {
        if text.is_empty() {
            return Ok(ModulePath::ROOT);
        }
        let all = names(text)?;
        let mut rest = all.as_slice();
        let path = modules(&mut rest, text)?;
        if rest.is_empty() { Ok(path) } else { Err(AddrError(format!("\"{text}\" does not name a module."))) }
    }
}

impl FromStr for FieldAddr {
    type Err = AddrError;

    fn from_str(text: &str) -> Result<FieldAddr, AddrError> {
        let all = names(text)?;
        let mut rest = all.as_slice();
        let path = modules(&mut rest, text)?;
        if rest.is_empty() {
            let (module, call) = path.parent().ok_or_else(|| AddrError("The address is empty.".into()))?;
            return Ok(FieldAddr { module, target: Target::Call(call), path: FieldPath::default() });
        }
        match target(rest) {
            Some((target, path_names)) => {
                Ok(FieldAddr { module: path, target, path: FieldPath(path_names.to_vec()) })
            }
            // One name after a module can only be an argument or output of that call.
            None => match (path.parent(), rest) {
                (Some((module, call)), [_]) => {
                    Ok(FieldAddr { module, target: Target::Call(call), path: FieldPath(rest.to_vec()) })
                }
                _ => Err(AddrError(format!(
                    "\"{text}\" is not a whole address: a resource is named by its type and its name."
                ))),
            },
        }
    }
}

/// The declaration that the names begin with, and what remains.
fn target(names: &[Arc<str>]) -> Option<(Target, &[Arc<str>])> {
    let resource = |mode, kind: &Arc<str>, name: &Arc<str>| {
        Target::Resource(ResourceAddr { mode, kind: kind.clone(), name: name.clone() })
    };
    match names {
        [word, tail @ ..] if matches!(&**word, "data" | "resource" | "ephemeral") => {
            let mode = match &**word {
                "data" => Mode::Data,
                "ephemeral" => Mode::Ephemeral,
                _ => Mode::Managed,
            };
            let [kind, name, rest @ ..] = tail else { return None };
            Some((resource(mode, kind, name), rest))
        }
        [word, name, rest @ ..] => {
            let target = match &**word {
                "var" => Target::Variable(name.clone()),
                "local" => Target::Local(name.clone()),
                "output" => Target::Output(name.clone()),
                _ => resource(Mode::Managed, word, name),
            };
            Some((target, rest))
        }
        _ => None,
    }
}

impl FieldAddr {
    /// The other readings of a call's nested field: `module.a.b.c` reads as resource `b.c`, and, where there is none,
    /// as field `b.c` of the call `a`. `None` where there is no second reading.
    pub fn as_call_field(&self) -> Option<FieldAddr> {
        let (module, call) = self.module.parent()?;
        let mut path = match &self.target {
            Target::Resource(r) => match r.mode {
                Mode::Managed => vec![r.kind.clone(), r.name.clone()],
                Mode::Data => vec![Arc::from("data"), r.kind.clone(), r.name.clone()],
                Mode::Ephemeral => vec![Arc::from("ephemeral"), r.kind.clone(), r.name.clone()],
            },
            Target::Output(n) => vec![Arc::from("output"), n.clone()],
            Target::Local(n) => vec![Arc::from("local"), n.clone()],
            Target::Variable(n) => vec![Arc::from("var"), n.clone()],
            Target::Call(_) | Target::Provider(_) | Target::Block(_) => return None,
        };
        path.extend(self.path.0.iter().cloned());
        Some(FieldAddr { module, target: Target::Call(call), path: FieldPath(path) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(text: &str) -> FieldAddr {
        text.parse().unwrap()
    }

    #[test]
    fn round_trips() {
        for text in [
            "module.database.aws_db_instance.app.engine_version",
            "module.a.module.b.data.x.y.z",
            "aws_db_instance.app.storage.size",
            "module.database",
            "module.a.module.b",
            "var.x",
            "module.a.local.y.z",
            "output.o",
            "module.database.engine_version",
            "component.net.terraform_data.n.input",
            "stack.a.component.b.module.c.data.x.y.z",
            "component.net",
            "component.net.cidr",
        ] {
            assert_eq!(field(text).to_string(), text);
        }
    }

    #[test]
    fn ambiguity_goes_to_the_resource_first() {
        let f = field("module.a.storage.size");
        assert_eq!(f.target, Target::Resource(ResourceAddr::managed("storage", "size")));
        let other = f.as_call_field().unwrap();
        assert_eq!(other.target, Target::Call("a".into()));
        assert_eq!(other.path.to_string(), "storage.size");
        assert_eq!(field("module.a.x").target, Target::Call("a".into()));
    }

    #[test]
    fn refuses_what_is_no_address() {
        for text in ["", "a", "module", "data.x", "a..b", "module.a[0].x.y", "1a.b", "module.a.module"] {
            assert!(text.parse::<FieldAddr>().is_err(), "{text}");
        }
        assert_eq!("module.a".parse::<ModulePath>().unwrap().depth(), 1);
        assert!("module.a.b".parse::<ModulePath>().is_err());
    }
}
