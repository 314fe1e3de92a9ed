//! Every claim of the algebra against brute force over all assignments, with values outside every list included.

mod algebra;
mod conditions;
mod gates;
mod normal_form;
mod numbers;
mod size;

use super::*;
use crate::value::{Data, Mark, Marks, Type, Value};
use proptest::prelude::*;
use std::sync::Arc;

/// Questions that only tests ask.
impl Formulas {
    /// Returns the formula that holds if both or neither does.
    fn iff(&mut self, a: FormulaId, b: FormulaId) -> Result<FormulaId, Refusal> {
        let differ = self.xor(a, b)?;
        self.not(differ)
    }

    /// Returns true if `a` implies `b` within the universes.
    fn implies(&mut self, a: FormulaId, b: FormulaId) -> Result<bool, Refusal> {
        let gap = self.minus(a, b)?;
        self.is_false(gap)
    }

    /// Returns true if `a` and `b` exclude each other within the universes.
    fn disjoint(&mut self, a: FormulaId, b: FormulaId) -> Result<bool, Refusal> {
        let both = self.and(a, b)?;
        self.is_false(both)
    }

    /// Returns true if `a` and `b` are equivalent within the universes.
    fn equivalent(&mut self, a: FormulaId, b: FormulaId) -> Result<bool, Refusal> {
        let differ = self.xor(a, b)?;
        self.is_false(differ)
    }
}

/// A string value.
fn text(s: &str) -> Value {
    Value { ty: Type::String, data: Data::String(s.into()), marks: Marks::NONE }
}

fn truth(b: bool) -> Value {
    Value { ty: Type::Bool, data: Data::Bool(b), marks: Marks::NONE }
}

fn null(ty: Type) -> Value {
    Value { ty, data: Data::Null, marks: Marks::NONE }
}

fn texts(names: &[&str]) -> Vec<Value> {
    names.iter().map(|n| text(n)).collect()
}

/// A random formula: an atom is a term's number and a constant's number.
#[derive(Clone, Debug)]
enum Tree {
    Eq(usize, usize),
    Not(Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Xor(Box<Tree>, Box<Tree>),
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = (0..TERMS, 0..4usize).prop_map(|(t, c)| Tree::Eq(t, c));
    leaf.prop_recursive(4, 12, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(|a| Tree::Not(Box::new(a))),
            pair.clone().prop_map(|(a, b)| Tree::And(Box::new(a), Box::new(b))),
            pair.clone().prop_map(|(a, b)| Tree::Or(Box::new(a), Box::new(b))),
            pair.prop_map(|(a, b)| Tree::Xor(Box::new(a), Box::new(b))),
        ]
    })
}

/// Open; closed and enforced; bool; two closed and assumed.
const TERMS: usize = 5;

/// The terms of the random formulas, what each can be compared with, and what each can be.
struct World {
    formulas: Formulas,
    terms: Vec<TermId>,
    constants: Vec<Vec<Value>>,
    values: Vec<Vec<Value>>,
    /// How many of `values` are in an assumed universe, from the front.
    inside: Vec<usize>,
}

impl World {
    fn new() -> World {
        let mut formulas = Formulas::default();
        let closed = |enforced| Domain::Closed { values: texts(&["a", "b", "c"]), enforced };
        let terms = vec![
            formulas.term("open", Domain::Open),
            formulas.term("closed", closed(true)),
            formulas.term("bool", Domain::bool()),
            formulas.term("assumed", closed(false)),
            formulas.term("assumed too", closed(false)),
        ];
        let letters = texts(&["a", "b", "c", "d"]);
        let bools = vec![truth(true), truth(false), text("true"), null(Type::Bool)];
        let constants = vec![letters.clone(), letters.clone(), bools.clone(), letters.clone(), letters];
        let any = texts(&["a", "b", "c", "d", "elsewhere"]);
        let values = vec![any.clone(), texts(&["a", "b", "c"]), bools[..2].to_vec(), any.clone(), any];
        World { formulas, terms, constants, values, inside: vec![5, 3, 2, 3, 3] }
    }

    fn build(&mut self, tree: &Tree) -> FormulaId {
        match tree {
            Tree::Eq(t, c) => self.formulas.eq(self.terms[*t], &self.constants[*t][*c]).unwrap(),
            Tree::Not(a) => {
                let a = self.build(a);
                self.formulas.not(a).unwrap()
            }
            Tree::And(a, b) => {
                let (a, b) = (self.build(a), self.build(b));
                self.formulas.and(a, b).unwrap()
            }
            Tree::Or(a, b) => {
                let (a, b) = (self.build(a), self.build(b));
                self.formulas.or(a, b).unwrap()
            }
            Tree::Xor(a, b) => {
                let (a, b) = (self.build(a), self.build(b));
                self.formulas.xor(a, b).unwrap()
            }
        }
    }

    /// All assignments, each as the numbers of its values.
    fn rows(&self) -> Vec<Vec<usize>> {
        let mut rows = vec![Vec::new()];
        for values in &self.values {
            let longer = |row: &Vec<usize>| {
                (0..values.len()).map(|v| [row.clone(), vec![v]].concat()).collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(longer).collect();
        }
        rows
    }

    fn is_inside(&self, row: &[usize], terms: &[usize]) -> bool {
        terms.iter().all(|t| row[*t] < self.inside[*t])
    }

    fn index(&self, term: TermId) -> usize {
        self.terms.iter().position(|t| *t == term).unwrap()
    }

    fn at(&self, row: &[usize], term: TermId) -> Value {
        let i = self.index(term);
        self.values[i][row[i]].clone()
    }

    fn truth(&self, tree: &Tree, row: &[usize]) -> bool {
        match tree {
            Tree::Eq(t, c) => self.values[*t][row[*t]] == self.constants[*t][*c],
            Tree::Not(a) => !self.truth(a, row),
            Tree::And(a, b) => self.truth(a, row) && self.truth(b, row),
            Tree::Or(a, b) => self.truth(a, row) || self.truth(b, row),
            Tree::Xor(a, b) => self.truth(a, row) != self.truth(b, row),
        }
    }

    fn table(&self, tree: &Tree) -> Vec<bool> {
        self.rows().iter().map(|row| self.truth(tree, row)).collect()
    }

    fn table_of(&self, f: FormulaId) -> Vec<bool> {
        self.rows().iter().map(|row| self.formulas.evaluate(f, &|t| Some(self.at(row, t))).unwrap()).collect()
    }

    fn cubes_hold(&self, cubes: &[Cube], row: &[usize]) -> bool {
        let literal = |l: &Literal| {
            assert!(l.ranges.is_empty());
            l.values.contains(&self.at(row, l.term)) != l.negated
        };
        cubes.iter().any(|cube| cube.iter().all(literal))
    }

    fn table_of_cubes(&self, cubes: &[Cube]) -> Vec<bool> {
        self.rows().iter().map(|row| self.cubes_hold(cubes, row)).collect()
    }
}
