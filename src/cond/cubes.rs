//! The disjunctive normal form: a formula as a short list of conjunctions.
//!
//! Input: a formula, and a budget of conjunctions. The first cover is Minato's and Morreale's irredundant
//! sum of products, generalised to terms of many values: at each term, what can't be covered without the term is
//! covered first, per class of values; the rest is covered without it. Then `minimise` makes it shorter.
//! Invariant: the list is equivalent to the formula and no conjunction can be left out.
//! Deliberately absent: the minimum, which is exponential to find.

use super::literal::Cube;
use super::table::{FormulaId, Formulas, Refusal};
use super::term::TermId;

/// A cube whose literals are formulas over one term each.
pub(super) type RawCube = Vec<(TermId, FormulaId)>;

/// The first cover may have this many times the cubes of the final one, since merging comes after it.
const SLACK: usize = 4;

/// A first cover of more literals than this is not made shorter: that takes the third power of their number, and nobody
/// would read what is left.
const LITERALS: usize = 400;

/// The bounds of a cover: it must hold where `lower` does, and nowhere outside `upper`.
#[derive(Clone, Copy)]
pub(super) struct Goal {
    pub lower: FormulaId,
    pub upper: FormulaId,
}

impl Formulas {
    /// `f` as an irredundant disjunction of at most `budget` conjunctions, in a fixed order; none for false, one that
    /// is empty for true. Holds for values outside assumed universes too.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`] where it takes more, or the conjunctions are too long.
    pub fn cubes(&mut self, f: FormulaId, budget: usize) -> Result<Vec<Cube>, Refusal> {
        self.cubes_given(f, FormulaId::TRUE, budget)
    }

    /// The same where only the cases in `care` matter: the result agrees with `f` there, and is free elsewhere.
    ///
    /// # Errors
    /// [`Refusal::OverBudget`]
    pub fn cubes_given(
        &mut self,
        f: FormulaId,
        care: FormulaId,
        budget: usize,
    ) -> Result<Vec<Cube>, Refusal> {
        let lower = self.and(f, care)?;
        let elsewhere = self.not(care)?;
        let goal = Goal { lower, upper: self.or(f, elsewhere)? };
        let mut left = budget.saturating_mul(SLACK);
        let (cubes, _) = self.cover(goal, &mut left)?;
        if cubes.iter().map(Vec::len).sum::<usize>() > LITERALS.max(budget) {
            return Err(Refusal::OverBudget);
        }
        let cubes = self.minimise(cubes, goal)?;
        if cubes.len() > budget {
            return Err(Refusal::OverBudget);
        }
        Ok(cubes.iter().map(|cube| self.spell(cube)).collect())
    }

    fn cover(&mut self, goal: Goal, left: &mut usize) -> Result<(Vec<RawCube>, FormulaId), Refusal> {
        if goal.lower == FormulaId::FALSE {
            return Ok((Vec::new(), FormulaId::FALSE));
        }
        let (term, pairs) = self.divide(goal.lower, goal.upper);
        let Some(term) = term.filter(|_| goal.upper != FormulaId::TRUE) else {
            *left = left.checked_sub(1).ok_or(Refusal::OverBudget)?;
            return Ok((vec![Vec::new()], FormulaId::TRUE));
        };
        let mut classes: Vec<(FormulaId, FormulaId)> = Vec::new();
        for pair in pairs.children() {
            if !classes.contains(pair) {
                classes.push(*pair);
            }
        }
        let core = self.and_all(classes.iter().map(|(_, upper)| *upper).collect::<Vec<_>>())?;
        let (mut cubes, mut covered, mut rest) = (Vec::new(), FormulaId::FALSE, FormulaId::FALSE);
        for class in classes {
            let (lower, upper) = class;
            let own = Goal { lower: self.minus(lower, core)?, upper };
            let (below, done) = self.cover(own, left)?;
            let split = pairs.map(|p| Ok(if *p == class { FormulaId::TRUE } else { FormulaId::FALSE }))?;
            let literal = self.node(term, split)?;
            for cube in below {
                cubes.push([(term, literal)].into_iter().chain(cube).collect());
            }
            let here = self.and(literal, done)?;
            covered = self.or(covered, here)?;
            let open = self.minus(lower, done)?;
            rest = self.or(rest, open)?;
        }
        let (below, done) = self.cover(Goal { lower: rest, upper: core }, left)?;
        cubes.extend(below);
        Ok((cubes, self.or(covered, done)?))
    }
}
