//! The file under decoding, and what is wrong with it.

use crate::config::{Decl, In, MergedBody, literal};
use crate::issue::{Code, Issue};
use crate::syntax::{Attribute, Block, Body, is_name};
use crate::text::{Place, SourceId, Span};
use std::sync::Arc;

/// The file under decoding, and what is wrong with it.
pub(in crate::config) struct Ctx {
    pub file: SourceId,
    pub json: bool,
    pub is_override: bool,
    /// True if OpenTofu is to read it.
    pub tofu: bool,
    pub issues: Vec<Issue>,
}

impl Ctx {
    pub fn at(&self, span: Span) -> Place {
        Place { file: self.file, span }
    }

    /// Reports what Terraform would reject.
    pub fn invalid(&mut self, span: Span, summary: impl Into<String>, why: impl Into<String>) {
        let issue = Issue::error(Code::Invalid, summary, why).at(self.at(span));
        self.issues.push(issue);
    }

    /// Says that an argument has no business where it stands.
    pub fn unexpected(&mut self, attr: &Attribute) {
        let name = &attr.name.text;
        let (summary, why) = if self.json {
            ("Extraneous JSON object property", format!("No argument or block type is named \"{name}\"."))
        } else {
            ("Unsupported argument", format!("An argument named \"{name}\" is not expected here."))
        };
        self.invalid(attr.name.span, summary, why);
    }

    /// The same of a block.
    pub fn unexpected_block(&mut self, block: &Block) {
        let why = format!("Blocks of type \"{}\" are not expected here.", block.kind.text);
        self.invalid(block.kind.span, "Unsupported block type", why);
    }

    /// Says which arguments and blocks a block doesn't take.
    pub fn only(&mut self, block: &Block, attrs: &[&str], blocks: &[&str]) {
        let unexpected = block.body.attributes().filter(|a| !attrs.contains(&&*a.name.text));
        unexpected.for_each(|attr| self.unexpected(attr));
        let unexpected = block.body.blocks().filter(|b| !blocks.contains(&&*b.kind.text));
        unexpected.for_each(|inner| self.unexpected_block(inner));
    }

    /// Says that a block lacks an argument.
    pub fn lacks(&mut self, block: &Block, name: &str) {
        let why = format!("The argument \"{name}\" is required, but no definition was found.");
        self.invalid(block.kind.span, "Missing required argument", why);
    }

    pub fn decl(&self, block: &Arc<Block>) -> Decl {
        Decl { block: In::new(self.file, block.clone()), json: self.json, overrides: Vec::new() }
    }

    pub fn attr(&self, body: &Body, name: &str) -> Option<In<Attribute>> {
        body.attribute(name).map(|a| In::new(self.file, a.clone()))
    }

    pub fn block(&self, block: &Arc<Block>) -> In<Block> {
        In::new(self.file, block.clone())
    }

    /// A constant flag; `missing` where it isn't there or is null.
    pub fn flag(&mut self, body: &Body, name: &str, missing: bool) -> bool {
        let Some(attr) = body.attribute(name) else { return missing };
        match literal::flag(&attr.expr) {
            Ok(value) => value.unwrap_or(missing),
            Err(span) => {
                self.invalid(
                    span,
                    format!("\"{name}\" is not a constant"),
                    format!("The argument \"{name}\" takes true or false as a literal."),
                );
                missing
            }
        }
    }

    /// The labels of a block, where there are as many as the names of what they hold.
    pub fn labels<const N: usize>(&mut self, block: &Arc<Block>, names: [&str; N]) -> Option<[Arc<str>; N]> {
        let kind = &block.kind.text;
        if let Some(missing) = names.get(block.labels.len()) {
            self.invalid(
                block.kind.span,
                format!("Missing {missing} for {kind}"),
                format!("All {kind} blocks must have {N} labels ({}).", names.join(", ")),
            );
            return None;
        }
        if let Some(extra) = block.labels.get(N) {
            let why = if N == 0 {
                format!("No labels are expected for {kind} blocks.")
            } else {
                format!("Only {N} labels ({}) are expected for {kind} blocks.", names.join(", "))
            };
            self.invalid(extra.span, format!("Extraneous label for {kind}"), why);
            return None;
        }
        // Addresses are made of labels, and addresses are written into files.
        for (label, what) in block.labels.iter().zip(names) {
            if !is_name(&label.text) {
                let summary = format!("Invalid {kind} {what}");
                let why = "A name must start with a letter or underscore and may contain only letters, digits, \
                           underscores, and dashes.";
                self.invalid(label.span, summary, why);
                return None;
            }
        }
        let texts: Vec<Arc<str>> = block.labels.iter().map(|l| l.text.clone()).collect();
        texts.try_into().ok()
    }

    /// Arguments and blocks other than those named; the content of a `_` block is taken in.
    pub fn rest(&self, body: &Body, attrs: &[&str], blocks: &[&str]) -> MergedBody {
        let mut rest = MergedBody::default();
        for attr in body.attributes().filter(|a| !attrs.contains(&&*a.name.text)) {
            rest.attributes.push(In::new(self.file, attr.clone()));
        }
        for block in body.blocks() {
            if &*block.kind.text == "_" {
                rest.attributes.extend(block.body.attributes().map(|a| In::new(self.file, a.clone())));
                rest.blocks.extend(block.body.blocks().map(|b| self.block(b)));
            } else if !blocks.contains(&&*block.kind.text) {
                rest.blocks.push(self.block(block));
            }
        }
        rest
    }

    /// Says so where both ways of repeating are used.
    pub fn one_repetition(&mut self, body: &Body) {
        if let (Some(_), Some(for_each)) = (body.attribute("count"), body.attribute("for_each")) {
            let span = for_each.name.span;
            self.invalid(
                span,
                "Invalid combination of \"count\" and \"for_each\"",
                "The \"count\" and \"for_each\" meta-arguments are mutually-exclusive: only one of them can say how \
                 many there are.",
            );
        }
    }
}
