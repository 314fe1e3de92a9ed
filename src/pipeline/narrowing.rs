//! Traces that don't share assumptions.
//!
//! In a plan all driven fields are traced together: a variable whose default one of them needs counts as its default
//! for all. In a report each field speaks for itself, so tracers are kept by what they take for pinned.

use super::session::Session;
use crate::addr::FieldAddr;
use crate::config::phi::FieldDecl;
use crate::gate::{GateCache, Prover};
use crate::host::{Host, threads};
use crate::trace::site::FieldSite;
use crate::trace::{Assumptions, MOST_WORK, Trace, Tracer, Universe, Universes};
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Universes where what the run gives is the only value.
pub fn narrowed(mut universes: Universes, values: &BTreeMap<Arc<str>, Value>) -> Universes {
    for (name, value) in values {
        universes.insert(name.clone(), Universe::listed(vec![value.clone()], true));
    }
    universes
}

/// Traces fields, each by itself, and gives what `read` makes of them, in order.
pub fn each<H: Host + Clone, F: Sync, T: Send>(
    session: &Session<H>,
    universes: &Universes,
    fields: &[F],
    read: impl Fn(&mut Tracers<'_, H>, &F) -> T + Sync,
) -> Vec<T> {
    let done = in_parts(session, universes, fields, |_, tracers, part| {
        part.iter().map(|field| read(tracers, field)).collect::<Vec<T>>()
    });
    done.into_iter().flatten().collect()
}

/// Gives each part of the fields, with its number, to `act`.
///
/// Several threads take a part of the fields each, with tables of its own. How many parts there are depends on the
/// fields alone: the order in which terms are met shows in how conditions are said, and that must not depend on the
/// machine.
pub fn in_parts<H: Host + Clone, F: Sync, T: Send>(
    session: &Session<H>,
    universes: &Universes,
    fields: &[F],
    act: impl Fn(usize, &mut Tracers<'_, H>, &[F]) -> T + Sync,
) -> Vec<T> {
    let mut rest = fields;
    let sizes = sizes_of_parts(fields.len());
    let parts = sizes.into_iter().map(|size| rest.split_off(..size.min(rest.len())).unwrap_or_default());
    let parts: Vec<(usize, &[F])> = parts.enumerate().collect();
    threads::map_in_turn(&parts, |(number, part)| {
        let mut tracers = Tracers::new(session, universes).within(share_of(part.len(), fields.len()));
        let done = act(*number, &mut tracers, part);
        if number + threads::count() >= parts.len() {
            // Nothing is traced after the last ones, and the process ends: taking their tables apart would only take time.
            std::mem::forget(tracers);
        }
        done
    })
}

/// Into parts of which sizes so many fields are divided: long ones first, so that threads are at their end at about the same
/// time.
///
/// Values that several parts need are computed in each part. If that is much, it is nearly everything, and each part takes as long as
/// one would alone; where it isn't, tens of fields take a millisecond. So few fields are not divided.
fn sizes_of_parts(fields: usize) -> Vec<usize> {
    let weights: &[usize] = match fields {
        0..3600 => &[1],
        3600..7200 => &[2, 2, 1, 1],
        _ => &[6, 6, 4, 4, 4, 2, 2, 2, 1, 1],
    };
    let unit = fields.div_ceil(weights.iter().sum::<usize>().max(1));
    weights.iter().map(|weight| weight * unit).collect()
}

/// A tracer with more formulas than this begins anew.
const MOST_FORMULAS: usize = 200_000;

/// All tracers together keep about so many formulas: some 200 MB. Those that were used longest ago go first.
const MOST_TOGETHER: usize = 500_000;

/// One tracer among those that are kept.
struct Kept<'a> {
    tracer: Tracer<'a>,
    gates: GateCache,
    /// The number of its formulas when it was last used.
    size: usize,
    /// When it was last used, as a number of uses.
    used: usize,
    /// What it had spent then.
    spent: u64,
}

/// What a part may cost of what all fields together may. What comes out doesn't depend on which part is done first.
fn share_of(part: usize, fields: usize) -> u64 {
    let share = u128::from(MOST_WORK) * part as u128 / fields.max(1) as u128;
    u64::try_from(share).unwrap_or(MOST_WORK).min(MOST_WORK)
}

/// Tracers by what they take for granted.
pub struct Tracers<'a, H> {
    session: &'a Session<H>,
    universes: &'a Universes,
    /// The sets of assumptions made so far; [`FREE`] is the empty one.
    assumed: Vec<Assumptions>,
    /// By the number of what they take for granted.
    tracers: BTreeMap<usize, Kept<'a>>,
    /// How often any of them was used.
    uses: usize,
    /// The number of formulas of all of them.
    formulas: usize,
    /// What all of them have spent.
    spent: u64,
    /// What all of them may spend.
    most: u64,
}

/// The number of what takes nothing for granted.
const FREE: usize = 0;

impl<'a, H: Host + Clone> Tracers<'a, H> {
    /// None yet.
    pub fn new(session: &'a Session<H>, universes: &'a Universes) -> Tracers<'a, H> {
        let assumed = vec![Assumptions::default()];
        Tracers {
            session,
            universes,
            assumed,
            tracers: BTreeMap::new(),
            uses: 0,
            formulas: 0,
            spent: 0,
            most: MOST_WORK,
        }
    }

    /// The same for so much work.
    #[must_use]
    pub fn within(self, most: u64) -> Tracers<'a, H> {
        Tracers { most, ..self }
    }

    /// Returns true if so much was traced that no further field is.
    pub fn is_spent(&self) -> bool {
        self.spent > self.most
    }

    /// Traces one field by itself, and hands it to `read` with what the tracer knows.
    pub fn trace<T>(
        &mut self,
        field: &FieldAddr,
        site: &FieldSite,
        said: Option<&FieldDecl>,
        read: impl FnOnce(&mut Prover<'_, 'a>, &Trace) -> T,
    ) -> T {
        let predicted = match said {
            None => self.at(FREE).predicted_defaults(field, site),
            Some(_) => None,
        };
        if let Some(assumptions) = predicted {
            let at = self.number(assumptions);
            let (trace, more) = self.at(at).trace(field, site, said);
            // Why there is no finite result is for the longer way to say.
            if more.is_empty() && !trace.branches().is_empty() {
                return self.read(at, &trace, read);
            }
        }
        let (mut at, mut assumptions) = (FREE, Assumptions::default());
        loop {
            let (trace, more) = self.at(at).trace(field, site, said);
            let assumed = assumptions.clone();
            if !assumptions.take_in(more) {
                return self.read(at, &trace.under(&assumed, &self.session.config), read);
            }
            at = self.number(assumptions.clone());
        }
    }

    /// The tracer of a number.
    fn at(&mut self, number: usize) -> &mut Tracer<'a> {
        &mut self.kept(number).tracer
    }

    fn kept(&mut self, number: usize) -> &mut Kept<'a> {
        let (session, universes, assumed) = (self.session, self.universes, &self.assumed);
        let kept = self.tracers.entry(number).or_insert_with(|| {
            let assumptions = assumed.get(number).cloned().unwrap_or_default();
            let tracer =
                Tracer::new(&session.config, session.limits(), universes, assumptions, session.outside());
            Kept { tracer, gates: GateCache::default(), size: 0, used: 0, spent: 0 }
        });
        self.uses += 1;
        kept.used = self.uses;
        let spent = kept.tracer.spent();
        self.spent = self.spent.saturating_add(spent.saturating_sub(kept.spent));
        kept.spent = spent;
        kept
    }

    /// The number of what is taken for granted.
    fn number(&mut self, assumptions: Assumptions) -> usize {
        self.assumed.iter().position(|of| *of == assumptions).unwrap_or_else(|| {
            self.assumed.push(assumptions);
            self.assumed.len() - 1
        })
    }

    fn read<T>(
        &mut self,
        at: usize,
        trace: &Trace,
        read: impl FnOnce(&mut Prover<'_, 'a>, &Trace) -> T,
    ) -> T {
        let kept = self.kept(at);
        let done = read(&mut Prover::new(&mut kept.tracer, &mut kept.gates), trace);
        // What reading costs counts as well, and a tracer that goes takes its count along.
        let spent = kept.tracer.spent();
        let more = spent.saturating_sub(std::mem::replace(&mut kept.spent, spent));
        let size = kept.tracer.formulas().size();
        if let Some(kept) = self.tracers.get_mut(&at) {
            self.formulas += size - std::mem::replace(&mut kept.size, size);
        }
        self.spent = self.spent.saturating_add(more);
        if size > MOST_FORMULAS && self.tracers.remove(&at).is_some() {
            self.formulas -= size;
        }
        // What was learnt of other fields helps, until it takes the place that the next one may need.
        while self.formulas > MOST_TOGETHER {
            let oldest =
                self.tracers.iter().filter(|(_, kept)| kept.size > 0).min_by_key(|(_, kept)| kept.used);
            let Some(gone) =
                oldest.map(|(number, _)| *number).and_then(|number| self.tracers.remove(&number))
            else {
                break;
            };
            self.formulas -= gone.size;
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_WORK, share_of, sizes_of_parts};

    #[test]
    fn all_parts_have_one_bound_together() {
        for fields in [1_usize, 3599, 3600, 7200, 7201, 100_000] {
            let mut left = fields;
            let parts: Vec<usize> = sizes_of_parts(fields)
                .into_iter()
                .map(|size| {
                    let own = size.min(left);
                    left -= own;
                    own
                })
                .collect();
            let shares: Vec<u64> = parts.iter().map(|part| share_of(*part, fields)).collect();
            let all: u64 = shares.iter().sum();
            assert!(all <= MOST_WORK && all > MOST_WORK - 10, "{fields}: {all}");
            assert_eq!(shares.len() == 1, shares.first() == Some(&MOST_WORK), "{fields}");
        }
        assert_eq!(share_of(0, 0), 0);
    }

    #[test]
    fn few_fields_are_not_divided() {
        let parts = [0, 1, 3599, 3600, 7199, 7200, 1_000_000].map(|fields| sizes_of_parts(fields).len());
        assert_eq!(parts, [1, 1, 1, 4, 4, 10, 10]);
    }

    #[test]
    fn no_field_is_left_over() {
        for fields in [0, 1, 3599, 3600, 3601, 7200, 7201, 7215, 100_000] {
            assert!(sizes_of_parts(fields).iter().sum::<usize>() >= fields, "{fields}");
        }
    }
}
