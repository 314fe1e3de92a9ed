//! Which statement has to come before which.
//!
//! Terraform carries out a statement after those it chains from, one inside of a moved module before the module's own move,
//! and one at the place where a module arrives after it (`internal/refactoring`, Terraform 1.11). Among statements that this
//! leaves open the order is random there.

use super::pattern::{self, End, Index, Relation, Step};
use super::{Statement, Subject};

/// The graph of statements.
pub(super) struct Order {
    /// For each statement, the statements that come before it, in ascending order.
    before: Vec<Vec<usize>>,
    /// Pairs that name some object both, while nothing says which comes first.
    pub open: Vec<(usize, usize)>,
}

/// The number of pairs without an edge that are searched for a path of several edges.
const SEARCHED: usize = 64;

impl Order {
    pub(super) fn of(statements: &[Statement]) -> Order {
        let mut index = Index::default();
        for (i, statement) in statements.iter().enumerate() {
            for (end, subject, path) in ends(i, statement) {
                index.insert(&path, subject, end);
            }
        }
        let mut before = vec![Vec::new(); statements.len()];
        let mut touching = Vec::new();
        for (i, statement) in statements.iter().enumerate() {
            for (end, subject, path) in ends(i, statement) {
                index.around(&path, subject, &mut |other, relation| {
                    if other.statement == end.statement {
                        return;
                    }
                    touching.push((end.statement.min(other.statement), end.statement.max(other.statement)));
                    let Some((later, earlier)) = edge(statements, end, other, relation) else { return };
                    if let Some(all) = before.get_mut(later) {
                        all.push(earlier);
                    }
                });
            }
        }
        for all in &mut before {
            all.sort_unstable();
            all.dedup();
        }
        touching.sort_unstable();
        touching.dedup();
        let mut order = Order { before, open: Vec::new() };
        touching.retain(|(a, b)| !order.is_direct(*a, *b) && !order.is_direct(*b, *a));
        let searched = touching.len() <= SEARCHED;
        touching.retain(|(a, b)| !(searched && (order.leads(*a, *b) || order.leads(*b, *a))));
        order.open = touching;
        order
    }

    fn befores(&self, of: usize) -> &[usize] {
        self.before.get(of).map_or(&[], Vec::as_slice)
    }

    fn is_direct(&self, later: usize, earlier: usize) -> bool {
        self.befores(later).binary_search(&earlier).is_ok()
    }

    fn leads(&self, later: usize, earlier: usize) -> bool {
        let mut seen = vec![false; self.before.len()];
        let mut open = vec![later];
        while let Some(at) = open.pop() {
            for next in self.befores(at) {
                if *next == earlier {
                    return true;
                }
                if let Some(seen) = seen.get_mut(*next)
                    && !std::mem::replace(seen, true)
                {
                    open.push(*next);
                }
            }
        }
        false
    }

    /// Returns a possible order: each statement as early as its turn in `starts` allows, after all statements that
    /// have to come before it. Every possible order results from itself as `starts`.
    pub(super) fn sorted(&self, starts: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut seen = vec![false; self.before.len()];
        let mut out = Vec::with_capacity(self.before.len());
        let mut enter = |at: usize| seen.get_mut(at).is_some_and(|seen| !std::mem::replace(seen, true));
        for start in starts {
            if !enter(start) {
                continue;
            }
            let mut stack = vec![(start, self.befores(start).iter())];
            while let Some((at, rest)) = stack.last_mut() {
                match rest.next() {
                    Some(next) if enter(*next) => stack.push((*next, self.befores(*next).iter())),
                    Some(_) => {}
                    None => {
                        out.push(*at);
                        stack.pop();
                    }
                }
            }
        }
        out
    }

    /// The groups of statements each of which would have to come before all of its group, itself among them.
    pub(super) fn cycles(&self) -> Vec<Vec<usize>> {
        // Backwards along the edges, from the last of an order of the forward walk, a walk stays within its own group.
        let order = self.sorted(0..self.before.len());
        let mut after = vec![Vec::new(); self.before.len()];
        for (later, all) in self.before.iter().enumerate() {
            for earlier in all {
                if let Some(list) = after.get_mut(*earlier) {
                    list.push(later);
                }
            }
        }
        let mut seen = vec![false; self.before.len()];
        let mut enter = |at: usize| seen.get_mut(at).is_some_and(|seen| !std::mem::replace(seen, true));
        let mut found = Vec::new();
        for start in order.into_iter().rev() {
            if !enter(start) {
                continue;
            }
            let mut group = vec![start];
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                for next in after.get(at).into_iter().flatten() {
                    if enter(*next) {
                        group.push(*next);
                        open.push(*next);
                    }
                }
            }
            if group.len() > 1 {
                group.sort_unstable();
                found.push(group);
            }
        }
        found
    }
}

/// Both ends of a statement, each with its steps.
fn ends(at: usize, statement: &Statement) -> [(End, &Subject, Vec<Step>); 2] {
    [(false, &statement.from), (true, &statement.to)]
        .map(|(is_to, subject)| (End { statement: at, is_to }, subject, pattern::path(statement, subject)))
}

/// Returns the later and the earlier statement, if one end lies in another or both are the same.
fn edge(statements: &[Statement], end: End, other: End, relation: Relation) -> Option<(usize, usize)> {
    let (this, that) = (end.statement, other.statement);
    let (later, earlier) = if other.is_to { (this, that) } else { (that, this) };
    match relation {
        // A chain: what arrives there has to be there first.
        Relation::Same => (end.is_to != other.is_to).then_some((later, earlier)),
        Relation::Around => {
            let (l, e) = (statements.get(later)?, statements.get(earlier)?);
            // What a module declares for itself is inside of both ends of a move that changes the module's key alone.
            let deep = l.scope.depth() >= e.scope.depth();
            (deep || !l.only_rekeys()).then_some((later, earlier))
        }
    }
}
