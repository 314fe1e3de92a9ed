//! Instances of resources, and their addresses from text.
//!
//! The rule of the text: `module.NAME` steps, each with a key where the call is repeated, then `TYPE.NAME` with `data.` or
//! `ephemeral.` before it where it is one, then the instance's key. Keys are HCL strings in quotes, or numbers.

use super::parse::identifier;
use super::{AddrError, Key, Mode, ModuleInstance, ResourceAddr};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// The address of a resource instance in the whole tree, as state and plans print it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectAddr {
    /// The module instance that holds it.
    pub module: ModuleInstance,
    /// The resource within the module.
    pub resource: ResourceAddr,
    /// The instance's own key, where the resource is repeated.
    pub key: Option<Key>,
}

impl fmt::Display for ObjectAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.module.0.is_empty() {
            write!(f, "{}.", self.module)?;
        }
        self.resource.fmt(f)?;
        self.key.as_ref().map_or(Ok(()), |key| key.fmt(f))
    }
}

impl FromStr for ObjectAddr {
    type Err = AddrError;

    fn from_str(text: &str) -> Result<ObjectAddr, AddrError> {
        match read(text)? {
            (module, Some((resource, key))) => Ok(ObjectAddr { module, resource, key }),
            (_, None) => {
                Err(AddrError(format!("The address \"{text}\" names a module and no resource in it.")))
            }
        }
    }
}

impl FromStr for ModuleInstance {
    type Err = AddrError;

    /// The empty text is the root.
    fn from_str(text: &str) -> Result<ModuleInstance, AddrError> {
        if text.is_empty() {
            return Ok(ModuleInstance::default());
        }
        match read(text)? {
            (module, None) => Ok(module),
            (_, Some(_)) => Err(AddrError(format!("The address \"{text}\" names more than a module."))),
        }
    }
}

/// A resource of a module, with the instance's key.
type Instance = (ResourceAddr, Option<Key>);

/// Reads the module steps of an address, and the resource instance after them if there is one.
pub(crate) fn read(text: &str) -> Result<(ModuleInstance, Option<Instance>), AddrError> {
    let mut module = ModuleInstance::default();
    let all = steps(text)?;
    all.iter().try_for_each(|(name, _)| identifier(name, text).map(drop))?;
    let mut rest = all.as_slice();
    while let [(word, None), (name, key), after @ ..] = rest {
        if &**word != "module" {
            break;
        }
        module.0.push((name.clone(), key.clone()));
        rest = after;
    }
    let (mode, rest) = match rest {
        [] if !module.0.is_empty() => return Ok((module, None)),
        [(word, None), rest @ ..] if &**word == "data" => (Mode::Data, rest),
        [(word, None), rest @ ..] if &**word == "ephemeral" => (Mode::Ephemeral, rest),
        rest => (Mode::Managed, rest),
    };
    let [(kind, None), (name, key)] = rest else {
        return Err(AddrError(format!(
            "\"{text}\" is not the address of a module or of a resource instance."
        )));
    };
    let resource = ResourceAddr { mode, kind: kind.clone(), name: name.clone() };
    Ok((module, Some((resource, key.clone()))))
}

/// Returns true if a text is the address of a module or a resource instance in the form that Terraform prints: nothing else can be read
/// from it, wherever it is written.
pub fn is_instance_address(text: &str) -> bool {
    let printed = match read(text) {
        Ok((module, None)) => module.to_string(),
        Ok((module, Some((resource, key)))) => ObjectAddr { module, resource, key }.to_string(),
        Err(_) => return false,
    };
    printed == text
}

/// Returns true if a text is the address of a call or a resource without instance keys, in the form that Terraform prints.
pub fn is_declaration_address(text: &str) -> bool {
    !text.contains('[') && is_instance_address(text)
}

/// A name in an address, and its key if it has one.
pub(crate) type InstanceStep = (Arc<str>, Option<Key>);

/// Returns the names between the dots, whatever they are, with their keys.
///
/// # Errors
/// Returns an error for brackets that hold no key.
pub(crate) fn steps(whole: &str) -> Result<Vec<InstanceStep>, AddrError> {
    let mut found = Vec::new();
    let mut rest = whole;
    loop {
        let (name, after) = rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
        let (key, after) = match after.strip_prefix('[') {
            Some(inner) => {
                let (key, after) = key(inner).ok_or_else(|| {
                    AddrError(format!(
                        "The address \"{whole}\" has no number or quoted string in its brackets."
                    ))
                })?;
                (Some(key), after)
            }
            None => (None, after),
        };
        found.push((name.into(), key));
        rest = match after.strip_prefix('.') {
            Some(after) => after,
            None if after.is_empty() => return Ok(found),
            None => {
                return Err(AddrError(format!(
                    "In the address \"{whole}\" a dot is missing after a bracket."
                )));
            }
        };
    }
}

/// Returns the key after an opening bracket, and the text after the closing one.
fn key(text: &str) -> Option<(Key, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let (number, after) = text.split_once(']')?;
        return Some((Key::Index(number.parse().ok()?), after));
    };
    let mut name = String::new();
    let mut rest = quoted;
    loop {
        let c = rest.chars().next()?;
        let doubled = rest.starts_with("$${") || rest.starts_with("%%{");
        rest = rest.get(c.len_utf8() + usize::from(doubled)..)?;
        match c {
            '"' => return Some((Key::Name(name.into()), rest.strip_prefix(']')?)),
            '\\' => {
                let (c, after) = escaped(rest)?;
                name.push(c);
                rest = after;
            }
            c => name.push(c),
        }
    }
}

/// Returns the character that a backslash and this one stand for.
fn escaped(text: &str) -> Option<(char, &str)> {
    let c = text.chars().next()?;
    let rest = text.get(c.len_utf8()..)?;
    let digits = match c {
        'n' => return Some(('\n', rest)),
        'r' => return Some(('\r', rest)),
        't' => return Some(('\t', rest)),
        '"' | '\\' => return Some((c, rest)),
        'u' => 4,
        'U' => 8,
        _ => return None,
    };
    let code = u32::from_str_radix(rest.get(..digits)?, 16).ok()?;
    Some((char::from_u32(code)?, rest.get(digits..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_back() {
        for text in [
            "t.a",
            "t.a[0]",
            "data.t.a[\"k\"]",
            "ephemeral.t.a",
            "module.m[\"a.b[0]\"].t.a",
            r#"module.m["x"].module.n[3].t.a["q\"]\\ $${v} %%{w} $ \n"]"#,
            r#"t.a["\u0007"]"#,
            "t.a[\"ä $\"]",
            "t.a[\"\"]",
            "t.x\u{301}",
            "t.\u{e17}\u{e35}\u{e48}",
            "module.l·l.t.a",
        ] {
            let address: ObjectAddr = text.parse().unwrap();
            assert_eq!(address.to_string(), text);
        }
        for text in ["", "module.a", "module.a[\"k\"].module.b[0]"] {
            assert_eq!(text.parse::<ModuleInstance>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn parts_are_told_apart() {
        let address: ObjectAddr = r#"module.a["x.y"].data.t.n[2]"#.parse().unwrap();
        assert_eq!(address.module, ModuleInstance::default().child("a", Some(Key::Name("x.y".into()))));
        assert_eq!(address.resource, ResourceAddr { mode: Mode::Data, ..ResourceAddr::managed("t", "n") });
        assert_eq!(address.key, Some(Key::Index(2)));
    }

    #[test]
    fn others_are_refused() {
        for text in [
            "", "t", "module.a", "t.a[", "t.a[\"k]", "t.a[x]", "t.a[0]b", "t[0].a", "t.a.b", "t..a",
            "t.a[0].b",
        ] {
            assert!(text.parse::<ObjectAddr>().is_err(), "{text}");
        }
        assert!("t.a".parse::<ModuleInstance>().is_err());
    }
}
