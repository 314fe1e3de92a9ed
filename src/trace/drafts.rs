//! Drafts of gates: two ways to say a set of conditions, before anything is proved.
//!
//! Many fields of a module depend on the same choice, so each set of conditions is put into words once, and each text
//! is evaluated once in an instance. Invariant: what is kept depends on nothing but the key.

use super::gate::{CUBES, Choice, Gate, Gates, binding_of, literal, path_of};
use super::{InstanceId, Tracer};
use crate::addr::{Key, ModulePath, Target};
use crate::cond::{Condition, FormulaId, Meaning, Site, TermId, TermText, Writing};
use crate::value::{Type, Value};
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A gate's text, whether it is negated, where it stands, in which repeated declaration (and for which key alone), and for
/// which Terraform it is read.
type Standing = (String, bool, InstanceId, Option<(Target, Option<Key>)>, Option<(u32, u32)>);

/// A cache of texts and evaluations.
#[derive(Debug, Default)]
pub(super) struct Drafts {
    known: FxHashMap<u64, Vec<Draft>>,
    /// Normal forms, by the formulas alone: the same choice is said in other words in each module.
    normal: FxHashMap<Vec<FormulaId>, Option<Normal>>,
    /// Conditions in the words of their terms.
    spelled: FxHashMap<FormulaId, Option<Arc<Condition>>>,
    /// True if a term can be null where a formula holds.
    nulls: FxHashMap<(TermId, FormulaId), bool>,
    /// The conditions under which a gate's text is true, and an error.
    pub outcomes: FxHashMap<Standing, Option<super::gate::Gives>>,
}

/// One set of conditions. The inner options are empty where there are no such words.
#[derive(Debug)]
struct Draft {
    of: Vec<(FormulaId, Arc<Condition>)>,
    said: Option<Option<Gates>>,
    simple: Option<Vec<Arc<Condition>>>,
    /// The gates that were proved outside of every iteration, and the modules of all the texts that they were chosen
    /// from.
    proved: Option<(Gates, Vec<ModulePath>)>,
}

/// Texts over terms, each with whether it is the negation, and where all of them can be written.
type Normal = (ModulePath, Vec<(String, bool)>);

/// Conditions of more parts are said in the words of their terms.
const READABLE: usize = 64;

impl Drafts {
    fn of(&mut self, choices: &[Choice]) -> Option<&mut Draft> {
        let mut hasher = FxHasher::default();
        for choice in choices {
            choice.when.hash(&mut hasher);
            choice.shown.hash_into(&mut hasher);
        }
        let same = self.known.entry(hasher.finish()).or_default();
        let is = |d: &Draft| {
            d.of.len() == choices.len()
                && d.of.iter().zip(choices).all(|((when, shown), c)| {
                    *when == c.when && (Arc::ptr_eq(shown, &c.shown) || *shown == c.shown)
                })
        };
        let at = same.iter().position(is).unwrap_or_else(|| {
            let of = choices.iter().map(|c| (c.when, c.shown.clone())).collect();
            same.push(Draft { of, said: None, simple: None, proved: None });
            same.len() - 1
        });
        same.get_mut(at)
    }
}

impl Tracer<'_> {
    /// The user's own words, where they all stand in one module. `accepted` is where any of the choices is taken.
    pub(super) fn said(&mut self, choices: &[Choice], accepted: FormulaId) -> Option<Gates> {
        if let Some(known) = self.drafts.of(choices).and_then(|d| d.said.clone()) {
            return known;
        }
        let said = self.in_own_words(choices, accepted, Writing::Operators);
        if let Some(draft) = self.drafts.of(choices) {
            draft.said = Some(said.clone());
        }
        said
    }

    /// Gates that were proved before, where the proof holds for this field too: it speaks of no iteration, and of the field
    /// only that its module can be seen from where the gates stand.
    pub(super) fn proved_before(
        &mut self,
        choices: &[Choice],
        field: (&ModulePath, &Target),
    ) -> Option<Gates> {
        let (gates, scopes) = self.drafts.of(choices)?.proved.clone()?;
        self.are_single(&scopes, field).then_some(gates)
    }

    /// Remembers gates that were proved for a field, chosen from words in the modules `scopes`.
    pub(super) fn remember(
        &mut self,
        gates: &Gates,
        scopes: Vec<ModulePath>,
        choices: &[Choice],
        field: (&ModulePath, &Target),
    ) {
        if self.are_single(&scopes, field)
            && let Some(draft) = self.drafts.of(choices)
        {
            draft.proved = Some((gates.clone(), scopes));
        }
    }

    fn are_single(&mut self, scopes: &[ModulePath], field: (&ModulePath, &Target)) -> bool {
        scopes.iter().all(|scope| scope.contains(field.0) && self.is_single(scope, field))
    }

    /// Returns true if nothing is repeated around what would carry a field's gates, and it always exists.
    fn is_single(&mut self, scope: &ModulePath, field: (&ModulePath, &Target)) -> bool {
        let unit = super::gate::unit_at(scope, field);
        if self.gate_names.is_some() || self.existence_within(scope) != FormulaId::TRUE {
            return false;
        }
        let Some(instance) = self.instance_at(scope) else { return false };
        let axis = self.axis(instance, &unit);
        axis.is_none() && axis.exists.is_none()
    }

    /// The smallest form over terms, where one module can write them all.
    pub(super) fn normal(&mut self, choices: &[Choice], accepted: FormulaId) -> Option<Gates> {
        let formulas: Vec<FormulaId> = choices.iter().map(|c| c.when).collect();
        let normal = match self.drafts.normal.get(&formulas) {
            Some(known) => known.clone(),
            None => {
                let made = self.write_normal(choices, accepted);
                self.drafts.normal.insert(formulas, made.clone());
                made
            }
        };
        let (scope, texts) = normal?;
        let conditions = self.simple(choices);
        let gates = texts.into_iter().zip(conditions);
        let gates = gates.map(|((text, negated), condition)| Gate { text, negated, condition }).collect();
        Some(Gates { scope, gates, guards: Vec::new(), by_value: false, late: false })
    }

    /// The conditions without needless parts.
    fn simple(&mut self, choices: &[Choice]) -> Vec<Arc<Condition>> {
        if let Some(known) = self.drafts.of(choices).and_then(|d| d.simple.clone()) {
            return known;
        }
        let mut simple = Vec::with_capacity(choices.len());
        for choice in choices {
            let said = choice.shown.simplify(&mut self.formulas);
            let spelled = if said.exceeds(READABLE) { self.spelled_once(choice.when) } else { None };
            simple.push(spelled.unwrap_or(said));
        }
        if let Some(draft) = self.drafts.of(choices) {
            draft.simple = Some(simple.clone());
        }
        simple
    }

    /// The user's own words, put together in one way or the other.
    pub(super) fn in_own_words(
        &mut self,
        choices: &[Choice],
        accepted: FormulaId,
        writing: Writing,
    ) -> Option<Gates> {
        let mut scope: Option<Arc<str>> = None;
        let mut gates = Vec::new();
        for condition in self.simple(choices) {
            let condition = self.with_nulls(&condition, accepted);
            for site in condition.sites() {
                if scope.get_or_insert_with(|| site.scope.clone()) != &site.scope {
                    return None;
                }
            }
            let gate = condition.gate(writing, &|v| literal(v))?;
            gates.push(Gate { text: gate.text, negated: gate.negated, condition });
        }
        Some(Gates { scope: path_of(&scope?), gates, guards: Vec::new(), by_value: false, late: false })
    }

    fn write_normal(&mut self, choices: &[Choice], accepted: FormulaId) -> Option<Normal> {
        let mut scope: Option<ModulePath> = None;
        for choice in choices {
            for term in self.formulas.terms(choice.when).iter().copied() {
                let home = self.origins.info(term)?.home.clone()?;
                if scope.get_or_insert_with(|| home.scope.clone()) != &home.scope {
                    return None;
                }
            }
        }
        let mut terms = BTreeMap::new();
        for term in self.terms_of(choices) {
            let text = self.term_text(term, accepted)?;
            terms.insert(term, text);
        }
        let inside = self.inside(choices)?;
        let mut gates = Vec::new();
        for choice in choices {
            let cubes = self.formulas.cubes(choice.when, CUBES).ok()?;
            let negation = self.formulas.not(choice.when).ok()?;
            // The negation need not speak of values that nobody listed. The proof sees to the rest.
            let among = self.formulas.and(negation, inside).ok()?;
            let negation = self.formulas.cubes(negation, CUBES).ok()?;
            let among = self.formulas.cubes(among, CUBES).ok()?;
            let (negation, _) = self.formulas.flip(&negation, &among);
            let (best, negated) = self.formulas.flip(&cubes, negation);
            let text = self.formulas.cubes_text(best, &|t| terms.get(&t).cloned(), &|v| literal(v))?;
            gates.push((text, negated));
        }
        Some((scope?, gates))
    }

    /// A condition in the words of the terms that it is about, where one module can write them all.
    pub(super) fn spelled(&mut self, when: FormulaId) -> Option<Arc<Condition>> {
        let mut scope: Option<ModulePath> = None;
        let mut terms = BTreeMap::new();
        for &term in &*self.formulas.terms(when) {
            let home = self.origins.info(term)?.home.clone()?;
            if *scope.get_or_insert_with(|| home.scope.clone()) != home.scope {
                return None;
            }
            terms.insert(term, self.term_text(term, when)?);
        }
        let Some(scope) = scope else {
            return Some(if when == FormulaId::TRUE {
                Arc::new(Condition::Always)
            } else {
                Condition::never()
            });
        };
        let cubes = self.formulas.cubes(when, CUBES).ok()?;
        let text = self.formulas.cubes_text(&cubes, &|t| terms.get(&t).cloned(), &|v| literal(v))?;
        Some(Arc::new(Condition::Existing(super::gate::site(scope.to_string(), text, when))))
    }

    /// The same, looked for once.
    pub(super) fn spelled_once(&mut self, when: FormulaId) -> Option<Arc<Condition>> {
        if let Some(known) = self.drafts.spelled.get(&when) {
            return known.clone();
        }
        let made = self.spelled(when);
        self.drafts.spelled.insert(when, made.clone());
        made
    }

    /// Returns true if a term can be null in any assignment that a branch was made for: `contains` takes no null.
    fn can_be_null(&mut self, term: TermId, accepted: FormulaId) -> bool {
        if let Some(known) = self.drafts.nulls.get(&(term, accepted)) {
            return *known;
        }
        let ty = self.origins.info(term).map_or(Type::Dynamic, |i| i.ty.clone());
        let null = match self.formulas.restrict(accepted, term, &Value::null(ty)) {
            Ok(f) => f != FormulaId::FALSE,
            Err(_) => true,
        };
        self.drafts.nulls.insert((term, accepted), null);
        null
    }

    /// A condition whose sites say whether their selector can be null here.
    fn with_nulls(&mut self, condition: &Arc<Condition>, accepted: FormulaId) -> Arc<Condition> {
        let mut each = |parts: &[Arc<Condition>]| -> Vec<Arc<Condition>> {
            parts.iter().map(|p| self.with_nulls(p, accepted)).collect()
        };
        match &**condition {
            Condition::Always | Condition::Existing(_) => condition.clone(),
            Condition::Not(part) => Condition::negate(&self.with_nulls(part, accepted)),
            Condition::And(parts) => Condition::all(each(parts)),
            Condition::Or(parts) => Condition::any(each(parts)),
            Condition::Eq(site, value) => match site.meaning {
                Meaning::Term(term) => {
                    let nullable = self.can_be_null(term, accepted);
                    Arc::new(Condition::Eq(Site { nullable, ..site.clone() }, value.clone()))
                }
                Meaning::Formula(_) => condition.clone(),
            },
        }
    }

    fn term_text(&mut self, term: TermId, accepted: FormulaId) -> Option<TermText> {
        let info = self.origins.info(term)?;
        let text = info.home.as_ref()?.text.clone();
        let nullable = self.can_be_null(term, accepted);
        Some(TermText { binding: binding_of(&text), text, nullable })
    }
}
