//! Gates: conditions as boolean expressions in HCL.
//!
//! Input: a condition whose sites share one scope, or cubes and a text per term; and how to write a constant.
//! Invariant: the text binds tighter than `? :` and has no line break outside brackets, so that it can stand before a
//! `?`; it means what the condition means wherever Terraform can evaluate the sites' own texts.
//! `contains` is written only for a selector that can't be null, since Terraform rejects a null there.
//! Deliberately absent: the `count` or `for_each` around it.

use super::condition::{Binding, Condition, Site};
use super::literal::{Cube, Literal, Range};
use super::table::Formulas;
use super::term::TermId;
use crate::value::{Data, Value};
use std::sync::Arc;

/// A boolean expression, or its negation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gate {
    /// HCL that binds tighter than `? :`.
    pub text: String,
    /// True if the condition is the negation of the text: write `count = text ? 0 : 1`.
    pub negated: bool,
}

/// The text of a term in the scope of a gate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TermText {
    /// HCL of the term's value.
    pub text: Arc<str>,
    /// The precedence of its outermost operator.
    pub binding: Binding,
    /// True if the value can be null.
    pub nullable: bool,
}

/// The form in which conjunctions and disjunctions are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writing {
    /// With `&&` and `||`. Terraform before 1.12 evaluates both operands, whatever the first one gives.
    Operators,
    /// With conditionals. An error or a null in a part counts only if the parts before it don't decide. The parts
    /// stand in the order in which the configuration evaluates them.
    Lazy,
}

/// Writes a constant as HCL.
type Write<'a> = &'a dyn Fn(&Value) -> String;

impl Condition {
    /// The condition as HCL; `None` where its sites lie in different scopes.
    pub fn text(&self, writing: Writing, constant: Write<'_>) -> Option<String> {
        (self.scopes().len() <= 1).then(|| top(&said(self, writing, constant)))
    }

    /// The same, with an outermost negation left to the caller.
    pub fn gate(&self, writing: Writing, constant: Write<'_>) -> Option<Gate> {
        match self {
            Condition::Not(part) if !self.is_never() => {
                Some(Gate { text: part.text(writing, constant)?, negated: true })
            }
            _ => Some(Gate { text: self.text(writing, constant)?, negated: false }),
        }
    }
}

impl Formulas {
    /// A disjunction of cubes (see [`Formulas::cubes`]) as HCL; `None` where `term` has no text for one of its terms.
    pub fn cubes_text(
        &self,
        cubes: &[Cube],
        term: &dyn Fn(TermId) -> Option<TermText>,
        constant: Write<'_>,
    ) -> Option<String> {
        let mut any = Vec::new();
        for cube in cubes {
            let mut all = Vec::new();
            for literal in cube {
                all.push(self.literal_text(literal, &term(literal.term)?, constant));
            }
            any.push(join(all, Binding::And));
        }
        Some(top(&join(any, Binding::Or)))
    }

    /// Whichever of a formula's cubes and its negation's is shorter to read, and whether it is the negation's: the
    /// caller writes the latter as `count = text ? 0 : 1`.
    pub fn flip<'a>(&self, cubes: &'a [Cube], negation: &'a [Cube]) -> (&'a [Cube], bool) {
        let weight = |cubes: &[Cube]| {
            let literals = cubes.iter().flatten();
            literals.map(|l| 4 + 2 * l.weight() + usize::from(l.negated)).sum::<usize>()
        };
        // A constant has an empty side, which says less than the other's `true`.
        if !negation.is_empty() && weight(negation) < weight(cubes) {
            (negation, true)
        } else {
            (cubes, false)
        }
    }

    fn literal_text(&self, literal: &Literal, term: &TermText, constant: Write<'_>) -> Said {
        let subject = Said::given(&term.text, term.binding);
        let two = |v: &Value| matches!(v.data, Data::Bool(_));
        // Where null can't occur, a bool says by itself what it is; and if it were null, it would be an error.
        if let [value] = literal.values.as_slice()
            && !term.nullable
            && two(value)
            && self.universe(literal.term).iter().filter(|v| !matches!(v.data, Data::Null)).all(two)
            && self.universe(literal.term).iter().filter(|v| two(v)).count() == 2
        {
            let holds = matches!(value.data, Data::Bool(true)) != literal.negated;
            return if holds { subject } else { negation(&subject) };
        }
        let mut parts = Vec::new();
        if !literal.values.is_empty() {
            let values: Vec<&Value> = literal.values.iter().collect();
            if literal.ranges.is_empty() {
                return one_of(&subject, &values, term.nullable, literal.negated, constant);
            }
            parts.push(one_of(&subject, &values, term.nullable, false, constant));
        }
        parts.extend(literal.ranges.iter().map(|r| between(&subject, r, constant)));
        let any = join(parts, Binding::Or);
        if literal.negated { negation(&any) } else { any }
    }
}

/// A piece of HCL and how tightly it binds.
#[derive(Clone, PartialEq, Debug)]
struct Said {
    text: String,
    binding: Binding,
}

impl Said {
    fn new(text: String, binding: Binding) -> Said {
        Said { text, binding }
    }

    /// The configuration's own text. One of several lines goes into brackets wherever it stands.
    fn given(text: &str, binding: Binding) -> Said {
        let binding = if text.contains('\n') { Binding::Conditional } else { binding };
        Said::new(text.to_owned(), binding)
    }

    /// The text, in brackets unless it binds as tightly as `least`.
    fn at_least(&self, least: Binding) -> String {
        if self.binding >= least {
            return self.text.clone();
        }
        // The end of a heredoc stands alone on its line.
        let end = if self.text.contains("<<") && self.text.contains('\n') { "\n" } else { "" };
        format!("({}{end})", self.text)
    }
}

fn top(said: &Said) -> String {
    said.at_least(Binding::Or)
}

fn said(condition: &Condition, writing: Writing, constant: Write<'_>) -> Said {
    match condition {
        Condition::Always => Said::new("true".into(), Binding::Primary),
        Condition::Existing(site) => Said::given(&site.text, site.binding),
        Condition::Eq(site, value) => equals(site, &[value], false, constant),
        Condition::And(parts) => match writing {
            Writing::Operators => {
                join(parts.iter().map(|p| said(p, writing, constant)).collect(), Binding::And)
            }
            Writing::Lazy => {
                let Some((last, others)) = parts.split_last() else {
                    return Said::new("true".into(), Binding::Primary);
                };
                let others = others.iter().map(|p| match &**p {
                    Condition::Not(part) => (said(part, writing, constant), false),
                    _ => (said(p, writing, constant), true),
                });
                nested(others.collect(), said(last, writing, constant), "false")
            }
        },
        Condition::Or(parts) => {
            let groups = grouped(parts);
            let mut parts: Vec<Said> = groups.iter().map(|g| group(g, writing, constant)).collect();
            match writing {
                Writing::Operators => join(parts, Binding::Or),
                Writing::Lazy => match parts.pop() {
                    Some(last) => nested(parts.into_iter().map(|p| (p, false)).collect(), last, "true"),
                    None => Said::new("true".into(), Binding::Primary),
                },
            }
        }
        Condition::Not(part) => match &**part {
            Condition::Always => Said::new("false".into(), Binding::Primary),
            Condition::Eq(site, value) => equals(site, &[value], true, constant),
            Condition::Or(parts) => match grouped(parts).as_slice() {
                [Group::Equal(site, values)] => equals(site, values, true, constant),
                _ => negation(&said(part, writing, constant)),
            },
            _ => negation(&said(part, writing, constant)),
        },
    }
}

/// Parts as conditionals: each is asked only where those before it leave the answer open. Of each but the last: what is
/// asked, and whether to go on where it holds; elsewhere the answer is `decided`.
fn nested(parts: Vec<(Said, bool)>, last: Said, decided: &str) -> Said {
    parts.into_iter().rev().fold(last, |rest, (asked, on)| {
        let (asked, rest) = (asked.at_least(Binding::Or), rest.at_least(Binding::Or));
        let text = match on {
            true => format!("{asked} ? {rest} : {decided}"),
            false => format!("{asked} ? {decided} : {rest}"),
        };
        Said::new(text, Binding::Conditional)
    })
}

/// A part of a disjunction: one selector against some values, or anything else.
enum Group<'a> {
    Equal(&'a Site, Vec<&'a Value>),
    Other(&'a Condition),
}

fn grouped(parts: &[Arc<Condition>]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for part in parts {
        let Condition::Eq(site, value) = &**part else {
            groups.push(Group::Other(part));
            continue;
        };
        let same = groups.iter_mut().find_map(|g| match g {
            Group::Equal(s, values) if *s == site => Some(values),
            _ => None,
        });
        match same {
            Some(values) => values.push(value),
            None => groups.push(Group::Equal(site, vec![value])),
        }
    }
    groups
}

fn group(group: &Group<'_>, writing: Writing, constant: Write<'_>) -> Said {
    match group {
        Group::Equal(site, values) => equals(site, values, false, constant),
        Group::Other(condition) => said(condition, writing, constant),
    }
}

fn equals(site: &Site, values: &[&Value], negated: bool, constant: Write<'_>) -> Said {
    one_of(&Said::given(&site.text, site.binding), values, site.nullable, negated, constant)
}

/// `subject` is one of `values`, or none of them.
fn one_of(subject: &Said, values: &[&Value], nullable: bool, negated: bool, constant: Write<'_>) -> Said {
    let null = values.iter().any(|v| matches!(v.data, Data::Null));
    if values.len() < 2 || nullable || null {
        let (operator, joint) = if negated { ("!=", Binding::And) } else { ("==", Binding::Or) };
        let left = subject.at_least(Binding::Comparison);
        let each = |v: &&Value| Said::new(format!("{left} {operator} {}", constant(v)), Binding::Equality);
        return join(values.iter().map(each).collect(), joint);
    }
    let list: Vec<String> = values.iter().map(|v| constant(v)).collect();
    // A trailing heredoc would swallow the bracket, so a subject of several lines keeps its own.
    let call = format!("contains([{}], {})", list.join(", "), subject.at_least(Binding::Or));
    let call = Said::new(call, Binding::Primary);
    if negated { negation(&call) } else { call }
}

fn between(subject: &Said, range: &Range, constant: Write<'_>) -> Said {
    let left = subject.at_least(Binding::Additive);
    let bound = |operator: &str, v: &Value| {
        Said::new(format!("{left} {operator} {}", constant(v)), Binding::Comparison)
    };
    let low = range.low.as_ref().map(|b| bound(if b.inclusive { ">=" } else { ">" }, &b.value));
    let high = range.high.as_ref().map(|b| bound(if b.inclusive { "<=" } else { "<" }, &b.value));
    let parts: Vec<Said> = [low, high].into_iter().flatten().collect();
    if parts.is_empty() {
        // Any number: true for each, and an error for what the original comparison rejects as well.
        return Said::new(format!("{left} <= {left}"), Binding::Comparison);
    }
    join(parts, Binding::And)
}

fn negation(said: &Said) -> Said {
    Said::new(format!("!{}", said.at_least(Binding::Primary)), Binding::Unary)
}

/// `parts` with `&&` or `||` between them. A conjunction inside a disjunction gets brackets, for the reader.
fn join(mut parts: Vec<Said>, by: Binding) -> Said {
    if parts.len() == 1
        && let Some(only) = parts.pop()
    {
        return only;
    }
    let (operator, empty) = if by == Binding::And { (" && ", "true") } else { (" || ", "false") };
    if parts.is_empty() {
        return Said::new(empty.into(), Binding::Primary);
    }
    let bracketed = |p: &Said| p.at_least(if p.binding == by { by } else { Binding::Equality });
    Said::new(parts.iter().map(bracketed).collect::<Vec<_>>().join(operator), by)
}
