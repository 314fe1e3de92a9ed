//! An address that names nothing: why, and the nearest addresses there are.

use super::field::Field;
use crate::addr::{FieldAddr, FieldPath, ModulePath, Target};
use crate::config::Config;
use crate::config::nearest::nearest;
use std::collections::BTreeSet;

/// So many addresses are offered.
const MOST: usize = 5;

/// The name that was asked for, and the names that exist.
pub struct Asked<'a> {
    /// The configuration.
    pub config: &'a Config,
    /// Its fields.
    pub every: &'a [Field],
    /// The address as text.
    pub text: &'a str,
}

impl Asked<'_> {
    /// For a text that is no address.
    pub fn text(&self, why: &str) -> String {
        let near = self.endings().or_else(|| self.slips(&self.all()));
        format!("{why}{}", offered(&near.unwrap_or_default()))
    }

    /// For an address of something that isn't there.
    pub fn address(&self, addr: &FieldAddr) -> String {
        if self.config.at(&addr.module).is_none() {
            return self.module(addr);
        }
        let declaration = FieldAddr { path: FieldPath::default(), ..addr.clone() };
        let own: Vec<&FieldAddr> = self
            .every
            .iter()
            .map(|f| &f.addr)
            .filter(|a| a.module == addr.module && a.target == addr.target)
            .collect();
        if own.is_empty() {
            let why = format!("Nothing in this configuration is called \"{declaration}\".");
            let below = || Asked { text: &declaration.to_string(), ..*self }.endings();
            let near = self.endings().or_else(below).or_else(|| self.slips(&self.declarations()));
            let near = near.or_else(|| self.slips(&self.all())).unwrap_or_default();
            let there = if near.is_empty() { self.there(&addr.module) } else { String::new() };
            return format!("{why}{}{there}", offered(&near));
        }
        let paths: Vec<String> = own.iter().map(|a| a.path.to_string()).collect();
        let last = addr.path.0.last().map(|n| format!(".{n}")).unwrap_or_default();
        let inside: Vec<String> =
            own.iter().map(ToString::to_string).filter(|n| !last.is_empty() && n.ends_with(&last)).collect();
        let names: Vec<String> = own.iter().map(ToString::to_string).collect();
        let near = if inside.is_empty() { self.slips(&names).unwrap_or_default() } else { inside };
        format!("{declaration} sets no such argument. It sets {}.{}", paths.join(", "), offered(&near))
    }

    /// For an address in a module that isn't there.
    fn module(&self, addr: &FieldAddr) -> String {
        let why = format!("There is no module at \"{}\".", addr.module);
        let modules: Vec<String> = self.config.paths.keys().map(ToString::to_string).collect();
        let asked = addr.module.to_string();
        let near = nearest(&asked, modules.iter().map(String::as_str));
        let near = near.map(|n| vec![n.to_owned()]).or_else(|| self.endings());
        if let Some(near) = near {
            return format!("{why}{}", offered(&near));
        }
        let outer = addr.module.parent().map(|(m, _)| m).filter(|m| self.config.at(m).is_some());
        format!("{why}{}", self.there(&outer.unwrap_or(ModulePath::ROOT)))
    }

    /// Addresses that end as the text does, from a dot on: without its module, its type, or all but its last name.
    fn endings(&self) -> Option<Vec<String>> {
        let ending = format!(".{}", self.text);
        let all = self.all();
        let full: Vec<String> = all.iter().filter(|n| n.ends_with(&ending)).cloned().collect();
        if !full.is_empty() {
            return Some(full);
        }
        // In another module than was said.
        let bare = self.text.rsplit_once("module.").and_then(|(_, rest)| rest.split_once('.'));
        let bare = bare.map(|(_, rest)| rest).filter(|rest| rest.contains('.'))?;
        let ending = format!(".{bare}");
        let other: Vec<String> = all.iter().filter(|n| *n == bare || n.ends_with(&ending)).cloned().collect();
        Some(other).filter(|o| !o.is_empty())
    }

    /// The nearest by letters.
    fn slips(&self, names: &[String]) -> Option<Vec<String>> {
        nearest(self.text, names.iter().map(String::as_str)).map(|n| vec![n.to_owned()])
    }

    /// Declarations and their fields.
    fn all(&self) -> Vec<String> {
        let fields = self.every.iter().map(|f| f.addr.to_string());
        self.declarations().into_iter().chain(fields).collect()
    }

    fn declarations(&self) -> Vec<String> {
        let mut out = BTreeSet::new();
        for field in self.every {
            out.insert(FieldAddr { path: FieldPath::default(), ..field.addr.clone() }.to_string());
        }
        for (path, id) in &self.config.paths {
            let Some(module) = self.config.module(*id) else { continue };
            let locals = module.locals.keys().map(|n| Target::Local(n.clone()));
            let targets = locals.chain(module.variables.keys().map(|n| Target::Variable(n.clone())));
            let whole = |target| FieldAddr { module: path.clone(), target, path: FieldPath::default() };
            out.extend(targets.map(|t| whole(t).to_string()));
        }
        out.into_iter().collect()
    }

    /// Returns the declarations of a module that have fields.
    fn there(&self, module: &ModulePath) -> String {
        let own = self.every.iter().filter(|f| f.addr.module == *module);
        let names: BTreeSet<String> =
            own.map(|f| FieldAddr { path: FieldPath::default(), ..f.addr.clone() }.to_string()).collect();
        let shown: Vec<&str> = names.iter().take(MOST).map(String::as_str).collect();
        if shown.is_empty() {
            return String::new();
        }
        let more = match names.len().saturating_sub(MOST) {
            0 => String::new(),
            n => format!(", and {n} more"),
        };
        format!(" What is declared there: {}{more}.", shown.join(", "))
    }
}

/// The addresses as a question.
fn offered(near: &[String]) -> String {
    let quoted: Vec<String> = near.iter().take(MOST).map(|n| format!("\"{n}\"")).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [only] => format!(" Did you mean {only}?"),
        _ if near.len() > MOST => {
            format!(" Did you mean one of {}, or of {} more?", quoted.join(", "), near.len() - MOST)
        }
        _ => format!(" Did you mean one of {}?", quoted.join(", ")),
    }
}
