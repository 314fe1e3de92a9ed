//! Locals that hold what a literal can't stand for: where Terraform demands a reference, a name that becomes a value in a copy becomes
//! the name of a local with that value.

use crate::config::{Config, Module};
use crate::graph::Use;
use crate::issue::{Code, Issue};
use crate::specialise::fold;
use crate::specialise::residual::FileEdits;
use crate::specialise::written::context;
use crate::text::{Edit, Place, SourceId, Span};
use crate::value::{Value, hcl};
use std::collections::BTreeMap;

/// The locals of one copy of a module.
pub struct Held<'m> {
    module: &'m Module,
    /// Expressions in which a name stays one.
    places: Vec<(SourceId, Span)>,
    /// Arguments that have to be names with steps.
    direct: Vec<(SourceId, Span)>,
    /// Names of locals with their text.
    locals: BTreeMap<String, String>,
    /// The first use of one.
    first: Option<Place>,
}

impl<'m> Held<'m> {
    /// Collects the places of a module; `references` are those of [`fold::Folded`].
    pub fn of(module: &'m Module, references: &[(SourceId, Span)]) -> Held<'m> {
        let files = module.files.iter();
        let direct =
            files.flat_map(|entry| fold::direct_in(&entry.body).into_iter().map(|span| (entry.source, span)));
        let direct = direct.collect();
        Held { module, places: references.to_vec(), direct, locals: BTreeMap::new(), first: None }
    }

    /// Returns true if a use has to stay a name with steps.
    pub fn is_direct(&self, used: &Use) -> bool {
        let start = used.traversal.span.start;
        self.direct.iter().any(|(file, span)| *file == used.file && span.start == start)
    }

    /// Returns the edit that puts a value in place of a use; where a name has to stay, the name of a local.
    pub fn put(&mut self, used: &Use, value: &Value, text: &str) -> Option<Edit> {
        let holds = self.places.iter().any(|(file, span)| used.lies_in(Place { file: *file, span: *span }));
        if !holds && !self.is_direct(used) {
            return context::put(used, value, text);
        }
        let span = used.span_through(used.consumed);
        let name = self.name(used, hcl::to_typed_hcl(value)?);
        Some(Edit { span, text: name })
    }

    /// Returns the edit for a use whose new text must be a name: the name of a local with the text.
    pub fn hold(&mut self, used: &Use, edit: Edit) -> Edit {
        let text = self.name(used, edit.text);
        Edit { text, ..edit }
    }

    /// Returns the reference to a local with a text, called by the last name of a use.
    fn name(&mut self, used: &Use, text: String) -> String {
        self.first.get_or_insert(used.place());
        let root = &used.traversal.root;
        let last = used.traversal.names().take(used.consumed.max(1)).last().unwrap_or(root);
        let mut name = last.text.replace('-', "_");
        let is_other = |name: &str| {
            let own = self.locals.get(name);
            self.module.locals.contains_key(name) || own.is_some_and(|own| *own != text)
        };
        while is_other(&name) {
            name.push('_');
        }
        self.locals.insert(name.clone(), text);
        format!("local.{name}")
    }

    /// Returns the texts of the locals.
    pub fn locals(&self) -> &BTreeMap<String, String> {
        &self.locals
    }

    /// Adds the block that declares them, behind everything else in a file.
    ///
    /// # Errors
    /// Returns an error if all files of the module are JSON.
    pub fn declare(self, config: &Config, edits: &mut FileEdits) -> Result<(), Box<Issue>> {
        let Some(first) = self.first else { return Ok(()) };
        let files = || self.module.files.iter().filter(|entry| !entry.json);
        let entry = files().find(|entry| entry.source == first.file).or_else(|| files().next());
        let source = entry.and_then(|entry| Some((entry.source, config.sources.get(entry.source)?)));
        let Some((file, source)) = source else {
            let why = "Terraform wants a reference here, and a local that holds the value needs a file in native syntax.";
            let issue = Issue::error(Code::Unsupported, "a reference can't become a value", why).at(first);
            return Err(Box::new(issue.fix("Add a `.tf` file to the module.", "")));
        };
        let newline = source.line_ending();
        let width = self.locals.keys().map(String::len).max().unwrap_or_default();
        let mut text = if source.text.ends_with('\n') { String::new() } else { newline.to_owned() };
        text.push_str(&format!("{newline}locals {{{newline}"));
        for (name, value) in &self.locals {
            text.push_str(&format!("  {name:width$} = {value}{newline}"));
        }
        text.push_str(&format!("}}{newline}"));
        let end = Span::new(source.text.len(), source.text.len());
        // What goes at the file's end must not take it along.
        edits.entry(file).or_default().push(Edit { span: end, text });
        Ok(())
    }
}
