//! Patterns that list texts: `^(dev|prod)$` matches two and no others.
//!
//! In: a pattern in Go's syntax. Out: every text that it matches, where that is known for sure and they are few.
//! Deliberately absent: patterns that aren't anchored at both ends, and whatever two engines might read differently.

use crate::cond::FormulaId;
use crate::eval::{At, EvalError, Op};
use crate::trace::{Alt, Excess, Frame, Guarded, Hops, Part};
use crate::value::{Type, Value};
use regex_syntax::hir::{Hir, HirKind, Look};

/// More texts than this are not listed.
const MOST: usize = 256;

/// The texts that a pattern matches.
pub(in crate::trace) fn texts(pattern: &str) -> Option<Vec<String>> {
    let plain = |c: char| c.is_ascii_alphanumeric() || " _-./:|()^$?,[]\\".contains(c);
    let special = pattern.contains("(?") && !pattern.replace("(?:", "").contains("(?");
    if !pattern.chars().all(plain) || pattern.contains("(?") && !special {
        return None;
    }
    // An escaped letter or digit is a class or an anchor of its own.
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c == '\\' && chars.next().is_none_or(|e| e.is_alphanumeric()) {
            return None;
        }
    }
    let mut found = anchored(&regex_syntax::parse(pattern).ok()?)?;
    let mut seen = std::collections::BTreeSet::new();
    found.retain(|t| seen.insert(t.clone()));
    Some(found)
}

fn anchored(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Alternation(arms) => of_arms(arms, &anchored),
        HirKind::Capture(group) => anchored(&group.sub),
        HirKind::Concat(parts) => match parts.as_slice() {
            [first, rest @ ..] if is_look(first, Look::Start) => ended(rest),
            _ => None,
        },
        _ => None,
    }
}

/// The texts of a sequence whose every way through ends in `$`.
fn ended(parts: &[Hir]) -> Option<Vec<String>> {
    let (last, before) = parts.split_last()?;
    let tails = match last.kind() {
        HirKind::Look(Look::End) => vec![String::new()],
        HirKind::Concat(inner) => ended(inner)?,
        HirKind::Capture(group) => ended(std::slice::from_ref(&*group.sub))?,
        HirKind::Alternation(arms) => of_arms(arms, &|arm| ended(std::slice::from_ref(arm)))?,
        _ => return None,
    };
    joined(&sequence(before.iter())?, &tails)
}

/// The texts of each arm, if they are few.
fn of_arms(arms: &[Hir], of: &dyn Fn(&Hir) -> Option<Vec<String>>) -> Option<Vec<String>> {
    let all = arms.iter().map(of).collect::<Option<Vec<_>>>()?.concat();
    (all.len() <= MOST).then_some(all)
}

/// Each text with each of those that may follow, if they are few.
fn joined(heads: &[String], tails: &[String]) -> Option<Vec<String>> {
    let few = heads.len().saturating_mul(tails.len()) <= MOST;
    few.then(|| heads.iter().flat_map(|a| tails.iter().map(move |b| format!("{a}{b}"))).collect())
}

fn is_look(hir: &Hir, look: Look) -> bool {
    matches!(hir.kind(), HirKind::Look(l) if *l == look)
}

fn sequence<'h>(parts: impl Iterator<Item = &'h Hir>) -> Option<Vec<String>> {
    { parts }.try_fold(vec![String::new()], |all, part| joined(&all, &listed(part)?))
}

fn listed(hir: &Hir) -> Option<Vec<String>> {
    match hir.kind() {
        HirKind::Empty => Some(vec![String::new()]),
        HirKind::Literal(l) => Some(vec![String::from_utf8(l.0.to_vec()).ok()?]),
        HirKind::Class(regex_syntax::hir::Class::Unicode(class)) => {
            let mut out = Vec::new();
            for range in class.ranges() {
                for c in range.start()..=range.end() {
                    out.push(c.to_string());
                    if out.len() > MOST {
                        return None;
                    }
                }
            }
            Some(out)
        }
        HirKind::Capture(group) => listed(&group.sub),
        HirKind::Concat(parts) => sequence(parts.iter()),
        HirKind::Alternation(arms) => of_arms(arms, &listed),
        HirKind::Repetition(r) if r.min == 0 && r.max == Some(1) => {
            let mut all = listed(&r.sub)?;
            all.push(String::new());
            Some(all)
        }
        HirKind::Class(_) | HirKind::Look(_) | HirKind::Repetition(_) => None,
    }
}

impl Frame<'_, '_> {
    /// `regex` and `regexall` with a pattern that lists texts, on a term: one alternative per text, and one for the rest.
    pub fn matched(
        &mut self,
        op: &Op<'_>,
        pattern: &Guarded,
        text: &Guarded,
        all: bool,
        at: At,
    ) -> Option<Result<Vec<Alt>, Excess>> {
        let pattern = pattern.single_value().filter(|v| v.marks.is_empty())?.clone();
        let [alt] = text.alts() else { return None };
        let term = self.term(alt)?;
        let Part::Value(symbol) = &alt.part else { return None };
        if symbol.ty != Type::String || symbol.marks.iter().count() != 1 {
            return None;
        }
        let texts = texts(pattern.as_str()?)?;
        let outside = self.tracer.surroundings();
        let context = crate::func::Context { outside: &outside, work: &self.tracer.effort.values };
        let run = |text: &Value| op.run(&[pattern.clone(), text.clone()], &context);
        let mut cases: Vec<(FormulaId, Part)> = Vec::new();
        let mut rest = FormulaId::TRUE;
        for text in &texts {
            let text = Value::string(text);
            let when = self.tracer.formulas.eq(term, &text).ok()?;
            rest = self.tracer.formulas.minus(rest, when).ok()?;
            cases.push((when, Part::Value(run(&text).ok()?)));
        }
        let failed = |why: &str| Part::Failed(EvalError::new(why).at(at.place()));
        if all {
            let null = self.tracer.formulas.eq(term, &Value::null(Type::String)).ok()?;
            let none = run(&Value::string("\u{1}")).ok().filter(|v| v.elements().next().is_none())?;
            cases.push((self.tracer.formulas.minus(rest, null).ok()?, Part::Value(none)));
            cases.push((self.tracer.formulas.and(rest, null).ok()?, failed("argument must not be null")));
        } else {
            cases.push((rest, failed("pattern did not match any part of the given string")));
        }
        let hops = Hops::one(self.text(at), Some(at.place()));
        let made = cases.into_iter().map(|(when, part)| {
            let shown = self.existing(when, at);
            Alt { when, shown, part, hops: hops.clone() }
        });
        let made: Vec<Alt> = made.collect();
        Some(self.tracer.all_under(&made, &[alt]))
    }
}

#[cfg(test)]
mod tests {
    use super::texts;

    #[test]
    fn anchored_alternations_are_listed() {
        let list = |p| texts(p).map(|t| t.join(","));
        assert_eq!(list("^(dev|prod)$").as_deref(), Some("dev,prod"));
        assert_eq!(list("^(?:a|b)-x?$").as_deref(), Some("a-x,a-,b-x,b-"));
        assert_eq!(list("^a$|^b$").as_deref(), Some("a,b"));
        assert_eq!(list("^t3\\.(micro|small)$").as_deref(), Some("t3.micro,t3.small"));
        for open in ["dev|prod", "^dev|prod$", "^dev", "^[a-z]+$", "^\\d$", "(?i)^a$", "^a*$"] {
            assert_eq!(texts(open), None, "{open}");
        }
    }
}
