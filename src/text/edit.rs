//! Edits: sorted, disjoint replacements of byte ranges in an original text.

use super::Span;

/// One replacement. An empty span is an insertion, an empty text a deletion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The bytes of the original that are replaced.
    pub span: Span,
    /// The text that replaces them.
    pub text: String,
}

impl Edit {
    /// The same edit where the offsets of the text are others.
    #[must_use]
    pub fn moved(self, offset: impl Fn(u32) -> u32) -> Edit {
        Edit { span: Span { start: offset(self.span.start), end: offset(self.span.end) }, ..self }
    }
}

/// Why a set of edits cannot be applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EditError {
    /// Two edits touch the same bytes.
    Overlap(Span, Span),
    /// An edit lies outside the text, or cuts a character in two.
    OutOfBounds(Span),
}

impl std::fmt::Display for EditError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EditError::Overlap(a, b) => {
                write!(f, "two edits overlap: bytes {}-{} and {}-{}", a.start, a.end, b.start, b.end)
            }
            EditError::OutOfBounds(s) => {
                write!(f, "an edit lies outside the text: bytes {}-{}", s.start, s.end)
            }
        }
    }
}

/// A sorted list of disjoint edits. Insertions at one place keep the order in which they came.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EditSet {
    edits: Vec<Edit>,
}

impl EditSet {
    /// Builds a set from replacements in any order. Replacements that are sorted already are not moved.
    ///
    /// # Errors
    /// [`EditError::Overlap`] where two touch the same bytes.
    pub fn of(mut edits: Vec<Edit>) -> Result<EditSet, EditError> {
        edits.sort_by_key(|e| e.span);
        let mut set = EditSet { edits: Vec::with_capacity(edits.len()) };
        for edit in edits {
            set.replace(edit.span, edit.text)?;
        }
        Ok(set)
    }

    /// Adds a replacement. One that is there already is not added again.
    ///
    /// # Errors
    /// [`EditError::Overlap`] where it touches bytes that another edit replaces.
    pub fn replace(&mut self, span: Span, text: impl Into<String>) -> Result<(), EditError> {
        let edit = Edit { span, text: text.into() };
        let at = self.edits.partition_point(|e| (e.span.start, e.span.end) <= (span.start, span.end));
        let alike = self.edits.iter().take(at).rev().take_while(|e| e.span == span);
        if !span.is_empty() && alike.into_iter().any(|e| *e == edit) {
            return Ok(());
        }
        let before = at.checked_sub(1).and_then(|i| self.edits.get(i));
        if let Some(b) = before.filter(|b| b.span.end > span.start) {
            return Err(EditError::Overlap(b.span, span));
        }
        if let Some(a) = self.edits.get(at).filter(|a| a.span.start < span.end) {
            return Err(EditError::Overlap(span, a.span));
        }
        self.edits.insert(at, edit);
        Ok(())
    }

    /// Adds an insertion before byte `at`.
    ///
    /// # Errors
    /// [`EditError::Overlap`] where the byte lies inside a replaced range.
    pub fn insert(&mut self, at: u32, text: impl Into<String>) -> Result<(), EditError> {
        self.replace(Span { start: at, end: at }, text)
    }

    /// The edits in order.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Returns true if the set has no edits.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The text with all edits applied; every byte outside them is copied as it is.
    ///
    /// # Errors
    /// [`EditError::OutOfBounds`] where an edit does not fit the text.
    pub fn apply(&self, original: &str) -> Result<String, EditError> {
        let mut out = String::with_capacity(original.len() + 64);
        let mut at = 0usize;
        for edit in &self.edits {
            let range = edit.span.range();
            let kept = original.get(at..range.start).ok_or(EditError::OutOfBounds(edit.span))?;
            original.get(range.clone()).ok_or(EditError::OutOfBounds(edit.span))?;
            out.push_str(kept);
            out.push_str(&edit.text);
            at = range.end;
        }
        out.push_str(original.get(at..).unwrap_or(""));
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    #[test]
    fn applies_in_order_whatever_the_order_of_adding() {
        let mut set = EditSet::default();
        set.replace(span(4, 5), "E").unwrap();
        set.insert(2, "<").unwrap();
        set.replace(span(0, 1), "").unwrap();
        assert_eq!(set.apply("abcdef").unwrap(), "b<cdEf");
    }

    #[test]
    fn refuses_overlap_and_out_of_bounds() {
        let mut set = EditSet::default();
        set.replace(span(1, 4), "x").unwrap();
        assert!(set.replace(span(3, 5), "y").is_err());
        assert!(set.replace(span(0, 2), "y").is_err());
        assert!(set.insert(2, "y").is_err());
        assert!(set.replace(span(4, 9), "z").is_ok());
        assert_eq!(set.apply("abcdef"), Err(EditError::OutOfBounds(span(4, 9))));
    }
}
