//! What services made, in the model of Terraform's moves.
//!
//! No `moved` block leads from a resource to a module, so a service's objects have addresses of their own, and stand in for the
//! original's. In: the history, which says what was made for what, and the configuration with and without services. Out: the objects
//! that the original keeps and that this run would destroy. Invariant: a name is compared with the history's; where that is lost, a
//! name counts only for what the service's template declares. Absent on purpose: the words for what is lost.

use super::decide::Decided;
use super::place::{RunScope, ask_sides};
use super::possible::{is_named_alike, join_copies};
use super::session::{Possible, Session};
use crate::addr::{FieldAddr, Held, ModuleInstance, ModulePath, ObjectAddr, ResourceAddr, Target};
use crate::config::Config;
use crate::host::Host;
use crate::moves::{self, Declared as _};
use crate::simulate::{self, Census, Contents, Object, Side, covers};
use crate::specialise::record::history::{History, Made};
use crate::specialise::service::Rewrite;
use std::collections::{BTreeMap, BTreeSet};

/// An object in state that this run would destroy because of services or a form factor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gone {
    /// The object.
    pub object: Object,
    /// The address at which it ends, where nothing is declared.
    pub end: ObjectAddr,
    /// Why it would be.
    pub why: Why,
}

/// Why an object would be destroyed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// The form factor replaces or drops the resource or call of this address.
    Replaced(String),
    /// A service made it, and doesn't stand in any more, or in another call.
    Made {
        /// What the history tells of it.
        made: Made,
        /// True if a condition chooses another service in this run.
        turned: bool,
        /// True if the history doesn't tell of it, and it is concluded from its name and the service's template.
        concluded: bool,
    },
}

impl Gone {
    /// The address without keys that a `removed` block gives it up by, and the address in state of all that goes with it. What stands
    /// below a call goes with the call.
    pub fn given_up_as(&self) -> (String, String) {
        let depth = match &self.why {
            Why::Replaced(unit) => {
                let field = unit.parse::<FieldAddr>();
                field.ok().and_then(|f| matches!(f.target, Target::Call(_)).then_some(f.module.depth() + 1))
            }
            Why::Made { made, .. } => made.address.parse::<ModulePath>().ok().map(|path| path.depth()),
        };
        let Some(depth) = depth else {
            let resource = &self.end.resource;
            return (self.end.module.path().address_of(resource), self.object.held.to_string());
        };
        let cut = |module: &ModuleInstance| ModuleInstance(module.0.iter().take(depth).cloned().collect());
        let mut held = cut(&self.object.held.module);
        if let Some((_, key)) = held.0.last_mut() {
            *key = None;
        }
        (cut(&self.end.module).path().to_string(), held.to_string())
    }
}

/// Returns the objects that the original keeps and that this run would destroy, because a form factor replaces or drops what they
/// are, or because a service that made them doesn't stand in for it.
pub fn find_gone_objects<H: Host + Clone>(
    session: &Session<H>,
    scope: RunScope<'_>,
    decided: &Decided,
    contents: &Contents,
) -> Vec<Gone> {
    if session.rewrite.is_none()
        && session.history.made_calls().next().is_none()
        && session.possible.is_empty()
    {
        return Vec::new();
    }
    let origin = session.origin.as_ref().unwrap_or(&session.config);
    let tracer = decided.run.tracer(session, origin);
    let whole = Whole { config: origin, census: Census::new(origin, tracer) };
    let kept = whole.find_kept_objects((&session.history, &session.possible), contents);
    ask_sides(session, scope, decided, |rewritten, specialised, _| {
        let wanted = moves::run(&contents.original(), rewritten.statements, rewritten.declared).outcome.ends;
        let found = moves::run(&contents.held(), specialised.statements, specialised.declared).outcome.ends;
        let mut out = Vec::new();
        for object in &contents.objects {
            let Some(keeper) = kept.get(&object.held) else { continue };
            let place = wanted.get(&object.original).unwrap_or(&object.original);
            let end = found.get(&object.held).unwrap_or(&object.held);
            let spared = covers(rewritten.forgotten, end) || covers(rewritten.forgotten, place);
            if spared || session.history.is_own(&object.held) {
                continue;
            }
            let known = (specialised.has)(end);
            let why = match keeper {
                Keeper::Own(at) => find_replaced_unit(session, at).filter(|_| known == Some(false)),
                Keeper::For(made, concluded) => {
                    judge_made(session, (made, *concluded), place, (known, rewritten))
                }
            };
            out.extend(why.map(|why| Gone { object: object.clone(), end: end.clone(), why }));
        }
        out
    })
}

/// An object, what a service made it for if it did (true if that is concluded), and the instance to look for.
type Probe<'a> = (&'a Object, Option<(&'a Made, bool)>, ObjectAddr);

/// What the original keeps an object as.
enum Keeper {
    /// Itself, at this address without keys.
    Own(String),
    /// What a service made it for; true if that is concluded.
    For(Made, bool),
}

/// The configuration without services.
struct Whole<'a> {
    config: &'a Config,
    census: Census<'a>,
}

impl Whole<'_> {
    /// The objects that it keeps, by their addresses in state.
    fn find_kept_objects(
        &self,
        (history, possible): (&History, &[Possible]),
        contents: &Contents,
    ) -> BTreeMap<ObjectAddr, Keeper> {
        let mut probes: Vec<Probe<'_>> = Vec::new();
        let mut needed: Vec<(ObjectAddr, &Made)> = Vec::new();
        for object in &contents.objects {
            let made = history.made_around(&object.original.module);
            let own = self.census.has(&object.original);
            let mut is_alike = false;
            if made.is_empty() && own == Some(false) {
                for alike in possible.iter().filter(|p| is_named_alike(p, &object.original)) {
                    let joined = join_copies(self.config, alike, &object.original);
                    let probe = joined.and_then(|joined| find_original_instance(&alike.made, &joined));
                    probes.extend(probe.map(|probe| (object, Some((&alike.made, true)), probe)));
                    is_alike = true;
                }
            }
            if (!is_alike && made.is_empty()) || own == Some(true) {
                probes.push((object, None, object.original.clone()));
            }
            for made in made {
                if made.is_operator() {
                    needed.extend(self.is_needed(history, made).then(|| (object.held.clone(), made)));
                    continue;
                }
                let probe = find_original_instance(made, &object.original);
                probes.extend(probe.map(|probe| (object, Some((made, false)), probe)));
            }
        }
        let held = Held::objects(probes.iter().map(|(_, _, probe)| probe.clone()).collect::<BTreeSet<_>>());
        let statements = simulate::statements(self.config);
        let ends = moves::run(&held, &statements, &self.census).outcome.ends;
        let mut out: BTreeMap<ObjectAddr, Keeper> =
            needed.into_iter().map(|(held, made)| (held, Keeper::For(made.clone(), false))).collect();
        for (object, made, probe) in probes {
            let end = ends.get(&probe).unwrap_or(&probe);
            // Of a call no resource is known, and its instance is what counts.
            let there = self.census.has(end) != Some(false)
                || (end.resource == make_any_resource() && self.census.has_module_instance(&end.module));
            if there {
                let keeper = match made {
                    Some((made, concluded)) => Keeper::For(made.clone(), concluded),
                    None => Keeper::Own(end.module.path().address_of(&end.resource)),
                };
                out.insert(object.held.clone(), keeper);
            }
        }
        out
    }
}

impl Whole<'_> {
    /// Returns true if anything is declared still that a service of an operator's form factor stood in for.
    fn is_needed(&self, history: &History, operator: &Made) -> bool {
        let declared = |made: &Made| {
            let Ok(FieldAddr { module, target, .. }) = made.made_for.parse() else { return false };
            self.config.at(&module).is_some_and(|m| match target {
                Target::Resource(resource) => m.resources.contains_key(&resource),
                Target::Call(call) => m.calls.contains_key(&call.name),
                _ => false,
            })
        };
        let same = |made: &&Made| !made.is_operator() && made.form_factor == operator.form_factor;
        history.made_calls().filter(same).any(declared)
    }
}

/// A resource that stands for everything in a module.
pub(super) fn make_any_resource() -> ResourceAddr {
    ResourceAddr::managed("\u{1}", "any")
}

/// The instance that an object in a service's call stands in for.
fn find_original_instance(made: &Made, object: &ObjectAddr) -> Option<ObjectAddr> {
    let FieldAddr { module: scope, target, .. } = made.made_for.parse().ok()?;
    let above = ModuleInstance(object.module.0.get(..scope.depth())?.to_vec());
    let key = object.module.0.get(scope.depth())?.1.clone();
    match target {
        Target::Resource(resource) => Some(ObjectAddr { module: above, resource, key }),
        Target::Call(call) => {
            Some(ObjectAddr { module: above.child(call.name, key), resource: make_any_resource(), key: None })
        }
        _ => None,
    }
}

/// The resource or call that the form factor replaces or drops, and that an address without keys is or lies in.
fn find_replaced_unit<H>(session: &Session<H>, address: &str) -> Option<Why> {
    let rewrite = session.rewrite.as_ref()?;
    let dropped = rewrite.dropped.iter().filter(|d| d.is_managed()).map(|d| d.original());
    let mut units = rewrite.replaced.iter().map(|r| r.original()).chain(dropped);
    let is_in = |unit: &String| {
        address.strip_prefix(unit.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    units.find(is_in).map(Why::Replaced)
}

/// Why what a service made is destroyed although the original keeps what it was made for; nothing where the service stands in
/// still, so that its own module decides.
fn judge_made<H>(
    session: &Session<H>,
    (made, concluded): (&Made, bool),
    place: &ObjectAddr,
    (known, rewritten): (Option<bool>, &Side<'_>),
) -> Option<Why> {
    let depth = made.address.parse::<ModulePath>().ok()?.depth();
    let call = ModuleInstance(place.module.0.iter().take(depth).cloned().collect());
    let address = call.path().to_string();
    let now = session.rewrite.iter().flat_map(|r| &r.replaced).find(|r| r.address() == address);
    // A condition that isn't known before a plan may choose another service.
    let chosen = now.is_some_and(|r| r.origin.is_some());
    let lost = known == Some(false) || (known.is_none() && chosen);
    let probe = ObjectAddr { module: call.clone(), resource: make_any_resource(), key: None };
    let open = (rewritten.has)(&probe).is_none();
    let is_called = |r: &Rewrite| r.once.iter().any(|name| format!("module.{name}") == address);
    if made.is_operator() && session.rewrite.as_ref().is_some_and(is_called) {
        return None;
    }
    let stands = now.is_some_and(|r| *r.service == *made.service)
        && (rewritten.declared.has_module_instance(&call) || (open && !chosen));
    (lost && !stands).then(|| Why::Made { made: made.clone(), turned: chosen, concluded })
}
