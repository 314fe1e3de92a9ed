//! Limits the work for one field. A field that would take more is `too-large`, so that every run ends soon.

use crate::func::Work;

/// Operations that one field may take, with everything that is traced for it the first time.
const MAX_WORK: usize = 300_000;

/// What a command may spend on all fields in all environments together, in the units that tracers count: about a minute.
pub const MOST_WORK: u64 = 1 << 30;

/// The bytes of values that a tracer may make for all fields together: it keeps what it made. Of one field [`Work`] bounds them.
pub const MOST_BYTES: u64 = 1 << 30;

/// What an operation on alternatives costs, where values count by their parts: all that a field may do of either takes about as long.
const OPERATION: u64 = 224;

/// Formulas that may be made for one field. Of 159,354 fields of real code none is answered otherwise without this bound, but some make
/// a million and still have no answer.
const MAX_FORMULAS: usize = 100_000;

/// The work done for the field at hand.
#[derive(Default)]
pub(in crate::trace) struct Effort {
    /// Operations since the field was begun.
    pub work: usize,
    /// The number of formulas when the field was begun.
    formulas_before: usize,
    /// The work that may still be done with plain values for it.
    pub values: Work,
}

/// The counts of a field while other work is counted on its own.
pub(in crate::trace) struct SetAside {
    work: usize,
    /// Formulas that were made for the field.
    made: usize,
}

/// `formulas` is how many there are now.
impl Effort {
    /// Starts with no operations counted.
    pub fn begun(formulas: usize) -> Effort {
        Effort { formulas_before: formulas, ..Effort::default() }
    }

    /// Starts to count operations and formulas anew, for something that may take as much as a field.
    pub fn set_aside(&mut self, formulas: usize) -> SetAside {
        let made = self.made(formulas);
        self.formulas_before = formulas;
        SetAside { work: std::mem::take(&mut self.work), made }
    }

    /// Goes on with what was set aside.
    pub fn resume(&mut self, aside: &SetAside, formulas: usize) {
        self.work = aside.work;
        self.formulas_before = formulas.saturating_sub(aside.made);
    }

    /// What was spent since the field was begun, in the units of [`Work`].
    pub fn spent(&self) -> u64 {
        (self.work as u64).saturating_mul(OPERATION).saturating_add(self.values.spent())
    }

    /// Returns true if a field has used up its work. Everything computed from then on is too large.
    pub fn is_used_up(&self, formulas: usize) -> bool {
        self.work > MAX_WORK || self.made(formulas) > MAX_FORMULAS || self.values.why_ended().is_some()
    }

    fn made(&self, formulas: usize) -> usize {
        formulas.saturating_sub(self.formulas_before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_may_make_formulas_anew() {
        let made = 7 + MAX_FORMULAS + 1;
        assert!(Effort::begun(7).is_used_up(made));
        assert!(!Effort::begun(7).is_used_up(made - 1));
        assert!(!Effort::begun(made).is_used_up(made));
    }

    #[test]
    fn what_is_made_beside_a_field_does_not_count_for_it() {
        let mut effort = Effort::begun(0);
        effort.work = MAX_WORK;
        let aside = effort.set_aside(MAX_FORMULAS);
        let beside = 2 * MAX_FORMULAS;
        assert_eq!((effort.work, effort.is_used_up(beside)), (0, false));
        assert!(effort.is_used_up(beside + 1));
        effort.resume(&aside, beside + 1);
        assert_eq!((effort.work, effort.is_used_up(beside + 1)), (MAX_WORK, false));
        assert!(effort.is_used_up(beside + 2));
    }
}
