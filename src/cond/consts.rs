//! Constants by number: each value that a formula compares with, once.
//!
//! Input: known values. Invariant: two constants have one id exactly where Terraform's `==` says true, so
//! nulls of every type are one constant, while `5` and `"5"`, or a list and a tuple, are two.
//! Marks play no part in the identity, but a constant seen once with a mark keeps it, so that a sensitive value can't
//! be printed by way of an equal plain one. Deliberately absent: unknown values, which are not constants.

use crate::value::{Data, Marks, Number, Value};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A constant in a [`Consts`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct ConstId(u32);

/// The table of constants.
#[derive(Clone, Debug, Default)]
pub(super) struct Consts {
    /// The values as they are handed out, with all marks ever seen on them.
    values: Vec<Value>,
    /// Without marks, for comparison; only of those that the maps below don't hold.
    composite: Vec<(Value, ConstId)>,
    null: Option<ConstId>,
    bools: [Option<ConstId>; 2],
    numbers: BTreeMap<Number, ConstId>,
    strings: FxHashMap<Arc<str>, ConstId>,
}

impl Consts {
    /// The id of `value`, new or not; `None` where it isn't wholly known, or holds a fraction of many digits.
    pub fn intern(&mut self, value: &Value) -> Option<ConstId> {
        let mut marks = Marks::NONE;
        let bare = strip(value, &mut marks)?;
        let id = match self.find(&bare) {
            Some(id) => id,
            None => self.add(bare)?,
        };
        if let Some(kept) = self.values.get_mut(id.0 as usize) {
            kept.marks = kept.marks.union(&marks);
        }
        Some(id)
    }

    /// The id of `value` where it is known already. `Err` where it isn't wholly known.
    pub fn lookup(&self, value: &Value) -> Result<Option<ConstId>, ()> {
        let bare = strip(value, &mut Marks::NONE.clone()).ok_or(())?;
        Ok(self.find(&bare))
    }

    fn find(&self, bare: &Value) -> Option<ConstId> {
        match &bare.data {
            Data::Null => self.null,
            Data::Bool(b) => self.bools.get(usize::from(*b)).copied().flatten(),
            Data::Number(n) => self.numbers.get(n).copied(),
            Data::String(s) => self.strings.get(s).copied(),
            _ => self.composite.iter().find(|(v, _)| v == bare).map(|(_, id)| *id),
        }
    }

    fn add(&mut self, bare: Value) -> Option<ConstId> {
        let id = ConstId(u32::try_from(self.values.len()).ok()?);
        match &bare.data {
            Data::Null => self.null = Some(id),
            Data::Bool(b) => {
                if let Some(slot) = self.bools.get_mut(usize::from(*b)) {
                    *slot = Some(id);
                }
            }
            Data::Number(n) => drop(self.numbers.insert(Number::clone(n), id)),
            Data::String(s) => drop(self.strings.insert(s.clone(), id)),
            _ => self.composite.push((bare.clone(), id)),
        }
        self.values.push(bare);
        Some(id)
    }

    /// The value of `id`, with every mark it was ever seen with.
    pub fn value(&self, id: ConstId) -> Option<&Value> {
        self.values.get(id.0 as usize)
    }

    /// The number that `id` is, if it is one.
    pub fn number(&self, id: ConstId) -> Option<&Number> {
        match self.value(id).map(|v| &v.data) {
            Some(Data::Number(n)) => Some(n),
            _ => None,
        }
    }
}

/// The order in which people read values, whatever the order of interning: null, bools, numbers, strings, the rest.
pub(super) fn reading_order(a: &Value, b: &Value) -> Ordering {
    match (&a.data, &b.data) {
        (Data::Bool(p), Data::Bool(q)) => p.cmp(q),
        (Data::Number(p), Data::Number(q)) => p.cmp(q),
        (Data::String(p), Data::String(q)) => p.cmp(q),
        (p, q) if rank(p) != rank(q) => rank(p).cmp(&rank(q)),
        (Data::Null, _) => Ordering::Equal,
        // Any fixed order will do for collections.
        (p, q) => format!("{p:?}").cmp(&format!("{q:?}")).then_with(|| a.ty.cmp(&b.ty)),
    }
}

fn rank(data: &Data) -> u8 {
    match data {
        Data::Null => 0,
        Data::Bool(_) => 1,
        Data::Number(_) => 2,
        Data::String(_) => 3,
        _ => 4,
    }
}

/// `value` without marks at any depth, which go to `marks`; `None` where a part is no constant.
fn strip(value: &Value, marks: &mut Marks) -> Option<Value> {
    *marks = marks.union(&value.marks);
    let data = match &value.data {
        Data::Unknown(_) => return None,
        Data::Seq(items) => {
            let bare: Option<Vec<Value>> = items.iter().map(|v| strip(v, marks)).collect();
            Data::Seq(bare?.into())
        }
        Data::Map(entries) => {
            let bare = entries.iter().map(|(key, v)| Some((key.clone(), strip(v, marks)?)));
            Data::Map(Arc::new(bare.collect::<Option<_>>()?))
        }
        Data::Number(n) => Data::Number(canonical(n)?.into()),
        plain => plain.clone(),
    };
    Some(Value { ty: value.ty.clone(), data, marks: Marks::NONE })
}

/// A fraction of more significant digits is no constant.
const MAX_DIGITS: usize = 15;

/// The number of full precision that stands for all that `==` takes for `n`.
///
/// Terraform compares fractions by the text they print, which depends on their precision. Up to 15 digits a text
/// belongs to one number at every precision in use (53 bits and more); beyond, `==` isn't even transitive.
fn canonical(n: &Number) -> Option<Number> {
    if n.is_integer() || n.is_infinite() {
        return Some(n.clone());
    }
    let text = n.to_string();
    let digits = text.bytes().filter(u8::is_ascii_digit).skip_while(|d| *d == b'0').count();
    if digits > MAX_DIGITS { None } else { Number::parse(&text).ok() }
}

/// Returns true if a condition can tell a number from all others.
pub fn can_name(n: &Number) -> bool {
    canonical(n).is_some()
}

/// Returns true if `<` with `n` agrees with `==`: all numbers that equal a constant lie on the same side of `n` or
/// are `n`. This holds if `n` is exact at every precision in use. Otherwise `t == 0.1` and `t > 0.1` can both be
/// true.
pub(super) fn is_exact(n: &Number) -> bool {
    n.is_integer() || Number::from_f64(n.to_f64()).is_some_and(|f| f == *n)
}
