//! A condition as it is said: the symbolic tree of reports, provenance and gates.
//!
//! Input: sites, each a text together with what it means. Invariant of the constructors: no negation of a negation,
//! no conjunction inside a conjunction, no repeated part, no part that is always (or never) true.
//! Deliberately absent: an own form for "never", which is `Not(Always)`; syntax trees, since a site is text.

use super::table::{FormulaId, Formulas, Refusal};
use super::term::{TermId, bool_value};
use crate::addr::ModulePath;
use crate::value::{Data, Value};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// The precedence of a text's outermost operator, in HCL's order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Binding {
    /// `a ? b : c`
    Conditional,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`, `!=`
    Equality,
    /// `<`, `<=`, `>`, `>=`
    Comparison,
    /// `+`, `-`
    Additive,
    /// `*`, `/`, `%`
    Multiplicative,
    /// `!`, `-`
    Unary,
    /// A literal, reference, call, index, or anything in brackets.
    Primary,
}

/// The meaning of a site's text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Meaning {
    /// The text is a boolean expression that holds where the formula does.
    Formula(FormulaId),
    /// The text is an expression whose value is that of the term.
    Term(TermId),
}

/// A place in the condition where the configuration's own text is used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The module whose names the text uses.
    pub scope: ModulePath,
    /// HCL, valid in that scope.
    pub text: Arc<str>,
    /// The precedence of the text's outermost operator.
    pub binding: Binding,
    /// True if the value can be null. Then `contains([…], text)` would be an error and isn't written.
    pub nullable: bool,
    /// The meaning of the text.
    pub meaning: Meaning,
}

impl Hash for Site {
    /// Hashes the meaning only. It nearly always tells sites apart, and hashing long texts again and again is slow.
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.meaning.hash(hasher);
        self.text.len().hash(hasher);
    }
}

/// A condition. Build it with the functions below, which keep it in its simple form. Parts may be shared; whoever walks
/// over one asks [`Condition::exceeds`] first.
#[derive(Clone, Debug)]
pub enum Condition {
    /// Holds in every case.
    Always,
    /// The boolean expression at the site holds.
    Existing(Site),
    /// The part doesn't hold.
    Not(Arc<Condition>),
    /// All parts hold; two at least.
    And(Several),
    /// The disjunction of two or more parts.
    Or(Several),
    /// The expression at the site equals the value.
    Eq(Site, Value),
}

/// The parts of a conjunction or disjunction. Long ones are asked over and over how long they are and whether they are equal.
#[derive(Clone, Debug)]
pub struct Several {
    parts: Vec<Arc<Condition>>,
    /// The number of parts to read, including this one. Shared parts count each time.
    size: usize,
    /// Equal ones have equal digests.
    digest: u64,
}

impl Several {
    fn new(parts: Vec<Arc<Condition>>) -> Several {
        let size = parts.iter().fold(1, |all: usize, part| all.saturating_add(part.size()));
        let mut hasher = FxHasher::default();
        parts.len().hash(&mut hasher);
        parts.iter().for_each(|part| part.digest(&mut hasher));
        Several { size, digest: hasher.finish(), parts }
    }
}

impl Deref for Several {
    type Target = [Arc<Condition>];

    fn deref(&self) -> &[Arc<Condition>] {
        &self.parts
    }
}

impl PartialEq for Condition {
    fn eq(&self, other: &Condition) -> bool {
        let same = |a: &Arc<Condition>, b: &Arc<Condition>| Arc::ptr_eq(a, b) || a == b;
        let all = |a: &Several, b: &Several| {
            a.digest == b.digest && a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b))
        };
        match (self, other) {
            (Condition::Always, Condition::Always) => true,
            (Condition::Existing(a), Condition::Existing(b)) => a == b,
            (Condition::Not(a), Condition::Not(b)) => same(a, b),
            (Condition::And(a), Condition::And(b)) | (Condition::Or(a), Condition::Or(b)) => all(a, b),
            (Condition::Eq(a, v), Condition::Eq(b, w)) => a == b && v == w,
            _ => false,
        }
    }
}

thread_local! {
    /// Most alternatives are under no condition. Shared between threads, its count would go to and fro.
    static ALWAYS: Arc<Condition> = Arc::new(Condition::Always);
}

impl Condition {
    /// The condition that always holds.
    pub fn always() -> Arc<Condition> {
        ALWAYS.with(Arc::clone)
    }

    /// The condition that never holds.
    pub fn never() -> Arc<Condition> {
        Arc::new(Condition::Not(Condition::always()))
    }

    /// Returns true for [`Condition::never`] itself. Other conditions that can't hold give false.
    pub fn is_never(&self) -> bool {
        matches!(self, Condition::Not(c) if **c == Condition::Always)
    }

    /// Not `part`.
    #[must_use]
    pub fn negate(part: &Arc<Condition>) -> Arc<Condition> {
        match &**part {
            Condition::Not(inner) => inner.clone(),
            _ => Arc::new(Condition::Not(part.clone())),
        }
    }

    /// All of `parts`; always for none.
    pub fn all(parts: impl IntoIterator<Item = Arc<Condition>>) -> Arc<Condition> {
        let mut flat = Parts::default();
        for part in parts {
            match &*part {
                Condition::Always => {}
                c if c.is_never() => return part,
                Condition::And(inner) => inner.iter().for_each(|c| flat.add(c)),
                _ => flat.add(&part),
            }
        }
        let mut flat = flat.list;
        if flat.len() > 1 {
            return Arc::new(Condition::And(Several::new(flat)));
        }
        flat.pop().unwrap_or_else(Condition::always)
    }

    /// Both of two.
    pub fn both(a: &Arc<Condition>, b: &Arc<Condition>) -> Arc<Condition> {
        match (&**a, &**b) {
            (Condition::Always, _) => b.clone(),
            (_, Condition::Always) => a.clone(),
            _ if Arc::ptr_eq(a, b) => a.clone(),
            // One more part: the others differ from each other already.
            (Condition::And(parts), leaf) if !matches!(leaf, Condition::And(_)) && !leaf.is_never() => {
                if parts.contains(b) {
                    return a.clone();
                }
                Arc::new(Condition::And(Several::new(parts.iter().chain([b]).cloned().collect())))
            }
            _ => Condition::all([a.clone(), b.clone()]),
        }
    }

    /// Returns the disjunction of `parts`; [`Condition::never`] for none.
    pub fn any(parts: impl IntoIterator<Item = Arc<Condition>>) -> Arc<Condition> {
        let mut flat = Parts::default();
        for part in parts {
            match &*part {
                Condition::Always => return part,
                c if c.is_never() => {}
                Condition::Or(inner) => inner.iter().for_each(|c| flat.add(c)),
                _ => flat.add(&part),
            }
        }
        let mut flat = flat.list;
        if flat.len() > 1 {
            return Arc::new(Condition::Or(Several::new(flat)));
        }
        flat.pop().unwrap_or_else(Condition::never)
    }

    /// Returns the condition's meaning as a formula.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]; [`Refusal::NotConstant`] where a site's value isn't known, or where a boolean
    /// expression is compared with something else than a bool.
    pub fn formula(&self, formulas: &mut Formulas) -> Result<FormulaId, Refusal> {
        Meanings { formulas, found: FxHashMap::default() }.of(self)
    }

    /// The sites in reading order, with repetitions.
    pub fn sites(&self) -> Vec<&Site> {
        match self {
            Condition::Always => Vec::new(),
            Condition::Existing(site) | Condition::Eq(site, _) => vec![site],
            Condition::Not(part) => part.sites(),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().flat_map(|p| p.sites()).collect(),
        }
    }

    /// The scopes of the sites, each once, in reading order.
    pub fn scopes(&self) -> Vec<&ModulePath> {
        let mut scopes = Vec::new();
        for site in self.sites() {
            if !scopes.contains(&&site.scope) {
                scopes.push(&site.scope);
            }
        }
        scopes
    }
}

/// Formulas of the parts of one condition, each found once.
pub(super) struct Meanings<'f> {
    pub formulas: &'f mut Formulas,
    /// Meanings by the address of the part. The caller holds the condition, so no other part can come to that
    /// address.
    pub found: FxHashMap<*const Condition, FormulaId>,
}

impl Meanings<'_> {
    /// The meaning of the condition, or of a part of it; errors as those of [`Condition::formula`].
    pub fn of(&mut self, condition: &Condition) -> Result<FormulaId, Refusal> {
        let address = std::ptr::from_ref(condition);
        if let Some(known) = self.found.get(&address) {
            return Ok(*known);
        }
        let formula = match condition {
            Condition::Always => return Ok(FormulaId::TRUE),
            Condition::Existing(site) => {
                return match site.meaning {
                    Meaning::Formula(f) => Ok(f),
                    Meaning::Term(term) => self.formulas.eq(term, &bool_value(true)),
                };
            }
            Condition::Eq(site, value) => {
                return match (site.meaning, &value.data) {
                    (Meaning::Term(term), _) => self.formulas.eq(term, value),
                    (Meaning::Formula(f), Data::Bool(true)) => Ok(f),
                    (Meaning::Formula(f), Data::Bool(false)) => self.formulas.not(f),
                    _ => Err(Refusal::NotConstant),
                };
            }
            Condition::Not(part) => {
                let f = self.of(part)?;
                self.formulas.not(f)?
            }
            Condition::And(parts) => {
                let parts = self.of_all(parts)?;
                self.formulas.and_all(parts)?
            }
            Condition::Or(parts) => {
                let parts = self.of_all(parts)?;
                self.formulas.or_all(parts)?
            }
        };
        self.found.insert(address, formula);
        Ok(formula)
    }

    fn of_all(&mut self, parts: &[Arc<Condition>]) -> Result<Vec<FormulaId>, Refusal> {
        parts.iter().map(|part| self.of(part)).collect()
    }
}

/// The largest number of parts that are compared one by one.
const FEW: usize = 8;

/// Parts without repetition, in the order in which they came. A thousand branches have conditions of a thousand parts,
/// so equal ones are found by their digest.
#[derive(Default)]
struct Parts {
    list: Vec<Arc<Condition>>,
    seen: FxHashMap<u64, Vec<u32>>,
}

impl Parts {
    fn add(&mut self, part: &Arc<Condition>) {
        if self.list.len() < FEW {
            if !self.list.iter().any(|known| Arc::ptr_eq(known, part) || known == part) {
                self.list.push(part.clone());
            }
            return;
        }
        if self.seen.is_empty() {
            for (at, known) in self.list.iter().enumerate() {
                self.seen.entry(known.hashed()).or_default().push(at as u32);
            }
        }
        let same = self.seen.entry(part.hashed()).or_default();
        let at = |i: &u32| self.list.get(*i as usize);
        if !same.iter().filter_map(at).any(|known| Arc::ptr_eq(known, part) || known == part) {
            same.push(self.list.len() as u32);
            self.list.push(part.clone());
        }
    }
}

impl Condition {
    /// Returns true if there are more than `size` parts to read. Shared parts count each time.
    pub fn exceeds(&self, size: usize) -> bool {
        self.size() > size
    }

    fn size(&self) -> usize {
        match self {
            Condition::Always | Condition::Existing(_) | Condition::Eq(..) => 1,
            Condition::Not(part) => part.size().saturating_add(1),
            Condition::And(parts) | Condition::Or(parts) => parts.size,
        }
    }

    /// Adds a digest of the first and the last site: equal conditions have equal digests.
    pub fn hash_into(&self, hasher: &mut FxHasher) {
        std::mem::discriminant(self).hash(hasher);
        [false, true].into_iter().for_each(|last| self.leaf(last).digest(hasher));
    }

    fn leaf(&self, last: bool) -> &Condition {
        let mut at = self;
        loop {
            let inner = match at {
                Condition::Not(part) => Some(part),
                Condition::And(parts) | Condition::Or(parts) if last => parts.last(),
                Condition::And(parts) | Condition::Or(parts) => parts.first(),
                Condition::Always | Condition::Existing(_) | Condition::Eq(..) => None,
            };
            match inner {
                Some(inner) => at = inner,
                None => return at,
            }
        }
    }

    fn hashed(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.digest(&mut hasher);
        hasher.finish()
    }

    /// Equal conditions have equal digests.
    fn digest(&self, hasher: &mut FxHasher) {
        std::mem::discriminant(self).hash(hasher);
        match self {
            Condition::Always => {}
            Condition::Existing(site) => site.hash(hasher),
            Condition::Not(part) => part.digest(hasher),
            Condition::And(parts) | Condition::Or(parts) => parts.digest.hash(hasher),
            Condition::Eq(site, value) => {
                site.hash(hasher);
                match &value.data {
                    Data::String(text) => text.hash(hasher),
                    Data::Number(number) => number.hash(hasher),
                    Data::Bool(value) => value.hash(hasher),
                    Data::Null | Data::Unknown(_) | Data::Seq(_) | Data::Map(_) => {}
                }
            }
        }
    }
}
