//! Secrets by the names of members: an object that is handed on takes the names of its entries along, and one of them may be a secret's where it arrives.
//!
//! In: the flow, and where entries with such names are written out. Out: what is secret of them. A name that stays behind, as in `local.all.password`, isn't
//! handed on. Absent on purpose: which names are secret.

use super::flow::{Flow, Held, MOST_ROUTES, hold};
use super::members::{Member, members_of, put_last};
use super::route::{EACH, KEYS, Route, is_around};
use super::shape::{Edge, Handing, Names};
use crate::addr::Target;
use crate::config::{In, is_secret_argument, is_secret_setting};
use crate::syntax::Attribute;
use std::sync::Arc;

impl Flow<'_> {
    /// Notes the entries that are written out in what defines a root, with the way to that.
    pub(super) fn name_members(&mut self, module: usize, root: usize, attr: &Attribute, names: &Names) {
        let found = self.members_in(module, names, attr);
        self.note_members(root, &[], &found);
    }

    pub(super) fn members_in(&mut self, module: usize, names: &Names, attr: &Attribute) -> Vec<Member> {
        members_of(&mut self.finder(module, names.clone()), &attr.expr)
    }

    pub(super) fn note_members(&mut self, root: usize, start: &[Arc<str>], found: &[Member]) {
        for member in found {
            self.named.push((root, put_last(start, &member.route)));
        }
    }

    /// Makes secret what is written out in an argument by a secret's name, and what it comes from. Returns true if there is any.
    pub(super) fn open_members(
        &mut self,
        target: &Target,
        path: &[Arc<str>],
        attr: &In<Attribute>,
        found: &[Member],
    ) -> bool {
        let mut any = false;
        for member in found {
            if is_secret_by_names(target, path, &member.names) {
                any = true;
                self.seed(&member.shape, &[Route::new()]);
                if member.is_written_out {
                    self.spots.push(attr.at(member.span));
                }
            }
        }
        any
    }

    /// Follows the names of entries to the arguments that they arrive at.
    pub(super) fn follow_members(&mut self) {
        let mut open = std::mem::take(&mut self.named);
        let mut held = Held::default();
        while let Some((root, part)) = open.pop() {
            let Some(part) = hold(&mut held, root, part) else { continue };
            for user in self.users.get(&root).into_iter().flatten() {
                let into = self.into.get(user).map(Vec::as_slice).unwrap_or_default();
                let own = into.iter().filter(|edge| edge.root == root);
                open.extend(own.filter_map(|edge| Some((*user, follow_edge(edge, &part)?))));
            }
        }
        for at in 0..self.fields.len() {
            let Some(field) = self.fields.get(at).filter(|field| field.takes_names) else { continue };
            let mut opened = Vec::new();
            for edge in &field.shape {
                for part in held.get(&edge.root).into_iter().flatten() {
                    let Some(names) = follow_edge(edge, part) else { continue };
                    if part.is_empty() || is_secret_by_names(&field.addr.target, &field.addr.path.0, &names) {
                        opened.push((edge.root, part.clone()));
                    }
                }
            }
            if !opened.is_empty() {
                opened.truncate(MOST_ROUTES);
                self.open.extend(opened);
                if let Some(field) = self.fields.get_mut(at) {
                    field.holds_secret = true;
                }
            }
        }
    }
}

/// The way to an entry in what it is handed to; nothing where its name stays behind.
fn follow_edge(edge: &Edge, part: &Route) -> Option<Route> {
    if part.is_empty() {
        return Some(edge.to.clone()).filter(|_| edge.from.is_empty());
    }
    let rest = part.get(edge.from.len()..).filter(|rest| !rest.is_empty())?;
    if !is_around(&edge.from, part) {
        return None;
    }
    let rest = match edge.handing {
        Handing::Same => rest,
        Handing::Changed | Handing::Within => rest.last().map(std::slice::from_ref)?,
    };
    Some(put_last(&edge.to, rest))
}

/// Returns true if names that lead into an argument's value say that a secret is there.
fn is_secret_by_names(target: &Target, path: &[Arc<str>], names: &[Arc<str>]) -> bool {
    let is_name = |step: &&Arc<str>| ***step != *EACH && ***step != *KEYS;
    let all: Vec<&str> = path.iter().chain(names.iter().filter(is_name)).map(|name| &**name).collect();
    match target {
        Target::Resource(resource) => is_secret_argument(&resource.kind, &all),
        _ => is_secret_setting(&all),
    }
}
