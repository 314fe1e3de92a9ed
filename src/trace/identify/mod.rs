//! What a field is in one instance, entry by entry, or in all of them where nobody knows how many there are.

mod apply;
mod domain;
mod refer;

use crate::addr::{FieldAddr, Target};
use crate::config::In;
use crate::eval::{At, Bindings, Domain as _, Op, eval};
use crate::syntax::Block;
use crate::trace::identity::assemble::elements;
use crate::trace::iterator_name;
use crate::trace::{
    Frame, Identity, Iteration, Standing, Tracer, repetition::never_instantiated::repeats, site::FieldSite,
};
use domain::Reader;
use refer::label;
use std::collections::BTreeMap;
use std::sync::Arc;

/// No more entries of `dynamic` blocks are looked at in one instance.
const MOST_ENTRIES: usize = 1 << 12;

/// A field in one instance: the keys of entries of `dynamic` blocks around it, and what it is there.
pub type Identified = (String, Identity);

impl<'a> Tracer<'a> {
    /// What a field is in one instance, or in one that stands for all of them.
    pub fn identities(
        &mut self,
        field: &FieldAddr,
        site: &FieldSite,
        at: Option<&Standing>,
    ) -> Vec<Identified> {
        self.begin();
        let outer = repeats(field);
        let found = match at {
            Some(standing) => Some((standing.instance, standing.iteration.clone())),
            None => self.any_instance(field),
        };
        let Some((instance, iteration)) = found else { return vec![(String::new(), Identity::Untold)] };
        let iteration = if outer { Iteration::default() } else { iteration };
        let target = (!outer).then(|| field.target.clone());
        let frame = Frame { tracer: self, instance, iteration };
        let mut out = Vec::new();
        within(Reader { frame, target, depth: 0 }, site, &site.dynamics, &Bindings::default(), "", &mut out);
        if self.exhausted() || out.len() > MOST_ENTRIES {
            return vec![(String::new(), Identity::Untold)];
        }
        out
    }

    /// An instance that stands for all of them, with the iteration over all of its keys.
    fn any_instance(&mut self, field: &FieldAddr) -> Option<(crate::trace::InstanceId, Iteration)> {
        let mut instance = self.root_instance();
        for name in &field.module.0 {
            instance = self.called(instance, name, None)?;
        }
        let iteration = match &field.target {
            target @ (Target::Resource(_) | Target::Call(_) | Target::Provider(_) | Target::Block(_)) => {
                self.axis(instance, target)
            }
            Target::Output(_) | Target::Local(_) | Target::Variable(_) => Iteration::default(),
        };
        Some((instance, iteration))
    }
}

fn within(
    mut reader: Reader<'_, '_>,
    site: &FieldSite,
    blocks: &[In<Block>],
    names: &Bindings<Identity>,
    keys: &str,
    out: &mut Vec<Identified>,
) {
    if out.len() > MOST_ENTRIES {
        return;
    }
    let Some((block, rest)) = blocks.split_first() else {
        let stands_for = site.reading.expression(&site.attr.expr);
        let expr = stands_for.as_ref().unwrap_or(&site.attr.expr);
        let at = At::new(site.attr.value_place());
        let whole = eval(&mut reader, site.attr.file, expr, names);
        let value =
            site.rest.iter().fold(whole, |value, name| reader.apply(&Op::GetAttr(name), vec![value], at));
        out.push((keys.to_owned(), value));
        return;
    };
    let Some(for_each) = block.body.attribute("for_each") else {
        return within(reader, site, rest, names, keys, out);
    };
    let collection = eval(&mut reader, block.file, &for_each.expr, names);
    let name = iterator_name(block);
    let bound = |key: Identity, value: Identity| {
        let pair = BTreeMap::from([(Arc::from("key"), key), (Arc::from("value"), value)]);
        names.with(name.clone(), Identity::Object(Arc::new(pair)))
    };
    let Some(all) = elements(&collection) else {
        // The entries aren't known: what repeats them, and what each of them holds.
        let depth = blocks.len();
        let any = |what: &str| {
            Identity::made(&format!("entry {what} {depth}"), std::slice::from_ref(&collection), |_| {
                what.to_owned()
            })
        };
        let names = bound(any("key"), any("value"));
        let mut inner = Vec::new();
        within(reader.again(), site, rest, &names, "", &mut inner);
        let parts: Vec<Identity> =
            std::iter::once(collection.clone()).chain(inner.into_iter().map(|(_, one)| one)).collect();
        let whole = Identity::made("entries", &parts, |terms| match terms {
            [of, ..] => format!("entries of {}", of.text),
            [] => String::new(),
        });
        out.push((keys.to_owned(), whole));
        return;
    };
    for (key, value) in all {
        let own = bound(Identity::Known(key.clone()), value);
        within(reader.again(), site, rest, &own, &format!("{keys}[{}]", label(&key)), out);
    }
}
