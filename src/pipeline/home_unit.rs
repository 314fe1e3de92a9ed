//! A unit that was split once, in the words of the configuration as it is now.
//!
//! In: what the history tells of it. Out: where it stands, and the addresses that its copies ever had. Absent: which instances there are.

use crate::addr::{FieldAddr, Key, Mode, ModuleInstance, ModulePath, Target};
use crate::config::Config;
use crate::specialise::record::UnitRecord;
use crate::specialise::record::history::{AppliedInstance, Entry, History, Keys};
use crate::specialise::record::keys::place_given_up;
use crate::trace::Repetition;

/// An instance of a unit in the original: the module's, and the unit's own key.
pub(super) type UnitInstance = (ModuleInstance, Option<Key>);

/// A unit that was split once, in the words of the configuration as it is now.
pub(super) struct Unit<'a> {
    pub record: &'a UnitRecord,
    pub config: &'a Config,
    /// The module that holds it; of a call whose source is chosen, one for each source.
    pub scopes: Vec<ModulePath>,
    /// The same without sources.
    pub scope: ModulePath,
    pub target: Target,
}

impl<'a> Unit<'a> {
    /// Reads a record; nothing for what has no state to move.
    pub fn new(config: &'a Config, record: &'a UnitRecord) -> Option<Unit<'a>> {
        let field: FieldAddr = record.original.parse().ok()?;
        match &field.target {
            Target::Resource(resource) if resource.mode == Mode::Managed => {}
            Target::Call(_) => {}
            _ => return None,
        }
        let scope = field.module.plain();
        let scopes = config.paths.keys().filter(|path| path.plain() == scope).cloned().collect();
        Some(Unit { record, config, scopes, scope, target: field.target })
    }

    pub fn is_declared(&self, scope: &ModulePath, target: &Target) -> bool {
        self.config.at(scope).is_some_and(|module| match target {
            Target::Call(name) => module.call(name).is_some(),
            Target::Resource(resource) => module.resources.contains_key(resource),
            _ => false,
        })
    }

    /// Returns true if a call on the way to the unit is repeated.
    pub fn is_within_repeated(&self) -> bool {
        self.scopes.iter().any(|scope| {
            let mut above = ModulePath::ROOT;
            scope.0.iter().any(|name| {
                let module = self.config.at(&above);
                let call = Target::Call(name.clone());
                above = above.child(name.clone());
                module.is_some_and(|m| !Repetition::of(m, &call).is_none())
            })
        })
    }

    /// The address within its module.
    fn own(&self, address: &str) -> String {
        let scope = self.scope.to_string();
        let own = address.strip_prefix(scope.as_str()).filter(|_| !scope.is_empty());
        own.map_or(address, |own| own.trim_start_matches('.')).to_owned()
    }

    fn within(module: &ModuleInstance, own: &str) -> String {
        if module.0.is_empty() { own.to_owned() } else { format!("{module}.{own}") }
    }

    /// The instance's address in the original.
    pub fn address_of(&self, (module, key): &UnitInstance) -> String {
        let key = key.as_ref().map(ToString::to_string).unwrap_or_default();
        format!("{}{key}", Unit::within(module, &self.own(&self.record.original)))
    }

    /// The addresses that copies of an instance ever had. Under those of copies of another form it stands where it was given up.
    pub fn copies_of(&self, one: &UnitInstance, history: &History) -> Vec<String> {
        let (module, key) = one;
        let applied = self.address_of(one);
        let is_given_up = |address: &str, keys: Keys| {
            let entry = Entry { address: address.to_owned(), original: self.record.original.clone(), keys };
            history.is_applied(&AppliedInstance { entry, applied: applied.clone() })
        };
        let (form, same_form) = match key {
            None => (Keys::Gate, Key::Index(0)),
            Some(key) => (Keys::Own, key.clone()),
        };
        let taken = |address: &str| {
            let target = address.parse::<FieldAddr>().map(|field| field.target);
            target.is_ok_and(|target| self.scopes.iter().any(|scope| self.is_declared(scope, &target)))
        };
        let given_up = place_given_up(key.as_ref());
        let one = |(address, keys): (&str, Keys)| {
            let key = if keys == form { &same_form } else { &given_up };
            format!("{}{key}", Unit::within(module, &self.own(address)))
        };
        let is_known = |(address, keys): &(&str, Keys)| *keys == form || is_given_up(address, *keys);
        self.record.forms().filter(|(address, _)| !taken(address)).filter(is_known).map(one).collect()
    }
}
