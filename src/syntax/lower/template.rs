//! Templates: sequences come from hcl-edit, the text between them from the original.

use super::text::{Gap, Style};
use super::{Lower, Result};
use crate::syntax::error::ParseError;
use crate::syntax::tree::{Expr, ExprKind, Template, TemplatePart};
use crate::text::Span;
use hcl_edit::template as foreign;
use std::sync::Arc;

/// The gaps of one template in order, with a mark for each sequence between them.
type Gaps = Vec<Option<Gap>>;

impl Lower<'_> {
    /// A quoted string, or a heredoc (which is a quoted string in the shadow).
    pub(super) fn string(&mut self, span: Span, template: &foreign::Template) -> Result<ExprKind> {
        if self.byte(span.range().start) != b'<' {
            if template.is_empty() {
                return Ok(ExprKind::String(self.quoted(span)?));
            }
            let region = Span { start: span.start + 1, end: span.end.saturating_sub(1) };
            return self.template(region, template, Style::Quoted);
        }
        let found = self.heredocs.binary_search_by_key(&span.range().start, |h| h.start);
        let heredoc = found.ok().and_then(|i| self.heredocs.get(i)).copied();
        match heredoc {
            Some(h) if h.end == span.range().end => {
                let style = if h.flush { Style::Flush } else { Style::Lines };
                self.template(Span::new(h.body, h.body_end), template, style)
            }
            _ => Err(ParseError::over(span, "the end of this heredoc was not found")),
        }
    }

    /// A whole text as a template.
    pub(in crate::syntax) fn bare_template(&mut self, template: &foreign::Template) -> Result<Expr> {
        let span = Span::new(0, self.text.len());
        self.make(span, |l| match l.template(span, template, Style::Lines)? {
            ExprKind::Template(t) => Ok(ExprKind::Template(Template { heredoc: false, ..t })),
            other => Ok(other),
        })
    }

    fn template(&mut self, region: Span, template: &foreign::Template, style: Style) -> Result<ExprKind> {
        let mut gaps = Gaps::new();
        let mut parts = self.parts(region, template, &mut gaps)?;
        let mut texts = self.decode(&gaps, style)?.into_iter();
        if parts.iter().all(|p| matches!(p, TemplatePart::Literal(..))) {
            return Ok(ExprKind::String(texts.next().unwrap_or_else(|| Arc::from(""))));
        }
        fill(&mut parts, &mut texts);
        Ok(ExprKind::Template(Template { parts, heredoc: style != Style::Quoted }))
    }

    /// The parts of a region; literals stay empty until [`fill`].
    fn parts(
        &mut self,
        region: Span,
        template: &foreign::Template,
        gaps: &mut Gaps,
    ) -> Result<Vec<TemplatePart>> {
        let mut parts = Vec::with_capacity(template.len());
        let mut at = region.start;
        for element in template.iter() {
            if matches!(element, foreign::Element::Literal(_)) {
                continue;
            }
            let span = self.span(element)?;
            if span.start < at || span.end > region.end {
                return Err(ParseError::over(span, "a template sequence stands outside of its template"));
            }
            self.gap(Span { start: at, end: span.start }, gaps, &mut parts);
            gaps.push(None);
            match element {
                foreign::Element::Literal(_) => {}
                foreign::Element::Interpolation(i) => {
                    let expr = self.expr(&i.expr)?;
                    parts.push(TemplatePart::Interpolation(expr, span));
                }
                foreign::Element::Directive(d) => {
                    let part = self.down(1, span, |l| l.directive(d, span, gaps))?;
                    parts.push(part);
                }
            }
            at = span.end;
        }
        self.gap(Span { start: at, end: region.end }, gaps, &mut parts);
        Ok(parts)
    }

    /// Notes the literal text of `span`, if there is any.
    fn gap(&self, span: Span, gaps: &mut Gaps, parts: &mut Vec<TemplatePart>) {
        if span.is_empty() {
            return;
        }
        let range = span.range();
        // A gap follows a sequence or starts its template; `~}` right before it can only be a sequence's end.
        let after = gaps.last().is_some_and(Option::is_none);
        let trim_start = after && self.byte(range.start.wrapping_sub(2)) == b'~';
        let next = self.text.get(range.end..).unwrap_or("");
        let trim_end = next.starts_with("${~") || next.starts_with("%{~");
        gaps.push(Some(Gap { span, trim_start, trim_end }));
        parts.push(TemplatePart::Literal(Arc::from(""), span));
    }

    fn directive(
        &mut self,
        directive: &foreign::Directive,
        span: Span,
        gaps: &mut Gaps,
    ) -> Result<TemplatePart> {
        match directive {
            foreign::Directive::If(d) => {
                let condition = self.expr(&d.if_expr.cond_expr)?;
                let then = self.branch(&d.if_expr.template, gaps)?;
                gaps.push(None);
                let otherwise = match &d.else_expr {
                    Some(e) => {
                        let parts = self.branch(&e.template, gaps)?;
                        gaps.push(None);
                        parts
                    }
                    None => Vec::new(),
                };
                Ok(TemplatePart::If { condition, then, otherwise, span })
            }
            foreign::Directive::For(d) => {
                let intro = &d.for_expr;
                let key = intro.key_var.as_ref().map(|k| self.ident(k)).transpose()?;
                let value = self.ident(&intro.value_var)?;
                let collection = self.expr(&intro.collection_expr)?;
                self.apart(collection.span)?;
                let body = self.branch(&intro.template, gaps)?;
                gaps.push(None);
                Ok(TemplatePart::For { key, value, collection, body, span })
            }
        }
    }

    fn branch(&mut self, template: &foreign::Template, gaps: &mut Gaps) -> Result<Vec<TemplatePart>> {
        let region = self.span(template)?;
        self.parts(region, template, gaps)
    }
}

/// Puts the decoded texts into the literals, in the order in which the gaps were noted.
fn fill(parts: &mut [TemplatePart], texts: &mut impl Iterator<Item = Arc<str>>) {
    for part in parts {
        match part {
            TemplatePart::Literal(text, _) => {
                if let Some(decoded) = texts.next() {
                    *text = decoded;
                }
            }
            TemplatePart::Interpolation(..) => {}
            TemplatePart::If { then, otherwise, .. } => {
                fill(then, texts);
                fill(otherwise, texts);
            }
            TemplatePart::For { body, .. } => fill(body, texts),
        }
    }
}
