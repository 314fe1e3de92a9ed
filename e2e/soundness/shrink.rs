//! Making a failing tree small.

use super::check::{Failure, check};
use super::model::{Expr, Repeat, Tree};
use super::pipeline;
use std::time::{Duration, Instant};

/// Trees without something that the root has besides.
fn besides(tree: &Tree) -> Vec<Tree> {
    let mut out = Vec::new();
    let mut with = |change: &dyn Fn(&mut Tree)| {
        let mut copy = tree.clone();
        change(&mut copy);
        out.push(copy);
    };
    if tree.at_resource {
        with(&|t| t.at_resource = false);
    }
    if tree.edited {
        with(&|t| t.edited = false);
    }
    (0..tree.said.len()).for_each(|i| with(&|t| drop(t.said.remove(i))));
    for (m, module) in tree.modules.iter().enumerate() {
        for i in 0..module.data.len() {
            with(&|t| drop(t.modules[m].data.remove(i)));
            let last = module.data[i].outputs.last().map(|(name, _)| name);
            if module.data[i].listed.as_ref().map(|(name, _)| name) != last {
                with(&|t| drop(t.modules[m].data[i].outputs.pop()));
            }
            if module.data[i].listed.is_some() {
                with(&|t| t.modules[m].data[i].listed = None);
            }
        }
    }
    for i in (0..tree.modules[0].calls.len()).filter(|i| tree.modules[0].calls[*i].choice.is_some()) {
        with(&|t| t.modules[0].calls[i].choice = None);
    }
    out
}

/// Trees that are one step smaller.
fn steps(tree: &Tree) -> Vec<Tree> {
    let mut out = besides(tree);
    let mut with = |change: &dyn Fn(&mut Tree)| {
        let mut copy = tree.clone();
        change(&mut copy);
        out.push(copy);
    };
    for (m, module) in tree.modules.iter().enumerate() {
        for i in 0..module.calls.len() {
            with(&|t| drop(t.modules[m].calls.remove(i)));
            if !module.calls[i].after.is_empty() {
                with(&|t| t.modules[m].calls[i].after.clear());
            }
            if module.calls[i].repeat != Repeat::No {
                with(&|t| t.modules[m].calls[i].repeat = Repeat::No);
            }
        }
        for i in 0..module.resources.len() {
            with(&|t| drop(t.modules[m].resources.remove(i)));
            if module.resources[i].overridden {
                with(&|t| t.modules[m].resources[i].overridden = false);
            }
            if !module.resources[i].after.is_empty() {
                with(&|t| t.modules[m].resources[i].after.clear());
            }
            if module.resources[i].repeat != Repeat::No {
                with(&|t| t.modules[m].resources[i].repeat = Repeat::No);
            }
        }
        for i in 0..module.outputs.len() {
            with(&|t| drop(t.modules[m].outputs.remove(i)));
        }
        for i in 0..module.locals.len() {
            with(&|t| drop(t.modules[m].locals.remove(i)));
        }
        for i in 0..module.variables.len() {
            with(&|t| {
                let gone = t.modules[m].variables.remove(i).name;
                for call in t.modules.iter_mut().flat_map(|x| &mut x.calls).filter(|c| c.module == m) {
                    call.args.retain(|a| a.0 != gone);
                }
            });
            if !module.variables[i].validations.is_empty() && m > 0 {
                with(&|t| t.modules[m].variables[i].validations.clear());
            }
            if module.variables[i].nullable.is_some() {
                with(&|t| t.modules[m].variables[i].nullable = None);
            }
            if m == 0 && !module.variables[i].outside.is_empty() {
                with(&|t| t.modules[m].variables[i].outside.clear());
            }
        }
    }
    for (m, module) in tree.modules.iter().enumerate() {
        for (i, (_, e)) in module.outputs.iter().enumerate() {
            e.smaller().into_iter().for_each(|s| with(&|t| t.modules[m].outputs[i].1 = s.clone()));
        }
        for (i, (_, e)) in module.locals.iter().enumerate() {
            e.smaller().into_iter().for_each(|s| with(&|t| t.modules[m].locals[i].1 = s.clone()));
        }
        for (i, r) in module.resources.iter().enumerate() {
            for less in smaller_repeat(&r.repeat) {
                with(&|t| t.modules[m].resources[i].repeat = less.clone());
            }
            r.input
                .smaller()
                .into_iter()
                .for_each(|s| with(&|t| t.modules[m].resources[i].input = s.clone()));
        }
        for (i, c) in module.calls.iter().enumerate() {
            for less in smaller_repeat(&c.repeat) {
                with(&|t| t.modules[m].calls[i].repeat = less.clone());
            }
            for (j, (_, e)) in c.args.iter().enumerate() {
                e.smaller().into_iter().for_each(|s| with(&|t| t.modules[m].calls[i].args[j].1 = s.clone()));
            }
        }
    }
    out
}

fn smaller_repeat(repeat: &Repeat) -> Vec<Repeat> {
    match repeat {
        Repeat::No => Vec::new(),
        Repeat::Count(e) => e.smaller().into_iter().map(Repeat::Count).collect(),
        Repeat::ForEach(e) => {
            let plain = Expr::leaf(e.ty.clone(), "{ k1 = \"e1\", k2 = \"e2\" }");
            let plain = (plain != *e).then_some(plain);
            e.smaller().into_iter().chain(plain).map(Repeat::ForEach).collect()
        }
    }
}

/// What makes fields of a tree finite.
fn lists(tree: &Tree) -> (usize, usize) {
    let listed = tree.modules.iter().flat_map(|m| &m.data).filter(|d| d.listed.is_some()).count();
    (tree.said.len(), listed)
}

/// The smallest tree found that is refused for the same reason, without a look at Terraform. What lists values stays: without
/// it there would be a reason anyhow.
pub fn refused(tree: &Tree, kind: &str) -> Tree {
    let mut best = tree.clone();
    loop {
        let same = |t: &Tree| {
            pipeline::run(&t.files(), &[]).is_ok_and(|o| o.refusals.iter().any(|r| r.kind() == kind))
        };
        match steps(&best).into_iter().filter(|t| lists(t) == lists(&best)).find(same) {
            Some(next) => best = next,
            None => return best,
        }
    }
}

/// The smallest tree found, within a time, that fails in the same way.
pub fn shrink(tree: &Tree, failure: &Failure, most: usize, seed: u64, time: Duration) -> (Tree, Failure) {
    let until = Instant::now() + time;
    let mut best = (tree.clone(), failure.clone());
    loop {
        let mut better = None;
        for step in steps(&best.0) {
            if Instant::now() > until {
                return best;
            }
            match check(&step, most, seed).failure {
                Some(f) if f.kind == failure.kind => {
                    better = Some((step, f));
                    break;
                }
                _ => {}
            }
        }
        match better {
            Some(next) => best = next,
            None => return best,
        }
    }
}
