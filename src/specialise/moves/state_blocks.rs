//! `moved`, `removed` and `import` blocks whose addresses lead through split units.
//!
//! * `moved`: written per run ([`crate::specialise::moves::relocate`]); as a destination alone, a unit keeps its address.
//! * `removed`: one block per copy; its address takes no instance key.
//! * `import`: one block per copy, each with the copy's gate in its `for_each`, so that only the active one imports; where no
//!   gate can stand there, written per run.

use crate::addr::Key;
use crate::config::{Decl, In};
use crate::gate::Gate;
use crate::graph::{self, Use};
use crate::issue::{Code, Issue};
use crate::specialise::decision::Node;
use crate::specialise::moves::named::{self, Segment};
use crate::specialise::moves::relocate::{self, Import, Relocation};
use crate::specialise::residual::{self, FileEdits, Here, Naming, Writer};
use crate::specialise::unit::Unit;
use crate::specialise::written::filter::{self, Clause};
use crate::specialise::written::{block, subst};
use crate::syntax::{Attribute, Block, ExprKind, trivia};
use crate::text::{Edit, Place, SourceFile, Span, one_line};

/// Stands for an address while a text is made; no source holds it.
const ADDRESS: &str = "\u{1}";

/// A block of addresses and the argument that leads through split units.
pub(in crate::specialise) struct Through<'a> {
    pub block: &'a In<Block>,
    attr: &'a In<Attribute>,
    pub segments: Vec<Segment<'a>>,
    /// Index of the part, index of the unit.
    pub units: Vec<(usize, usize)>,
    /// True if these differ from copy to copy of a call on the way.
    pub uneven: bool,
}

impl Through<'_> {
    /// Returns true if the whole address is the last unit on its way.
    fn ends_in_unit(&self) -> bool {
        self.units.last().is_some_and(|(at, _)| at + 1 == self.segments.len())
    }

    /// The units that are only passed through.
    fn passed(&self) -> Vec<(usize, usize)> {
        let end = self.segments.len();
        self.units.iter().filter(|(at, _)| at + 1 < end).copied().collect()
    }

    fn differs(&self) -> Issue {
        differs(self.attr.place())
    }

    fn refused(&self, summary: &str, why: &str) -> Issue {
        Issue::error(Code::Unsupported, summary, why).at(self.attr.place())
    }
}

pub(in crate::specialise) fn through<'a>(
    block: &'a In<Block>,
    attr: &'a In<Attribute>,
    node: &Node,
) -> Option<Through<'a>> {
    let segments = named::segments(&attr.expr)?;
    let units = named::splits(node, &segments);
    let uneven = units.is_none();
    Some(Through { block, attr, segments, units: units.unwrap_or_default(), uneven })
}

fn argument(decl: &Decl, name: &str) -> Option<In<Attribute>> {
    decl.block.body.attribute(name).map(|a| In::new(decl.block.file, a.clone()))
}

/// Returns true if a `moved` block stays as it is: its addresses lead through no split unit, though they may end in
/// one.
pub(in crate::specialise) fn stays(decl: &Decl, node: &Node) -> bool {
    let (from, to) = (argument(decl, "from"), argument(decl, "to"));
    [from, to].iter().flatten().all(|attr| {
        let found = through(&decl.block, attr, node);
        found.is_some_and(|found| !found.uneven && found.passed().is_empty())
    })
}

impl Writer<'_> {
    /// The blocks of a module that name addresses.
    pub(in crate::specialise) fn statements(&mut self, here: Here<'_>, node: &Node, edits: &mut FileEdits) {
        for decl in &here.module.moved {
            // What would have to change in JSON is refused as such.
            if !decl.json || stays(decl, node) {
                self.moved(here, node, decl, edits);
            }
        }
        for decl in here.module.removed.iter().filter(|d| !d.json) {
            let Some(from) = argument(decl, "from") else { continue };
            if let Some(found) = self.split_on_way(through(&decl.block, &from, node)) {
                let made = removed(&found, self.naming);
                self.copies(&found, made, edits);
            }
        }
        for decl in here.module.imports.iter().filter(|d| !d.json) {
            let Some(to) = argument(decl, "to") else { continue };
            if let Some(found) = self.split_on_way(through(&decl.block, &to, node)) {
                self.import(&found, edits);
            }
        }
    }

    /// Returns what leads through split units. If these differ from source to source of a call, it is refused.
    pub(in crate::specialise) fn split_on_way<'t>(
        &mut self,
        found: Option<Through<'t>>,
    ) -> Option<Through<'t>> {
        self.issues.extend(found.as_ref().filter(|t| t.uneven).map(Through::differs));
        found.filter(|t| !t.units.is_empty())
    }

    fn moved(&mut self, here: Here<'_>, node: &Node, decl: &Decl, edits: &mut FileEdits) {
        let (Some(from), Some(to)) = (argument(decl, "from"), argument(decl, "to")) else { return };
        let ends = through(&decl.block, &from, node).zip(through(&decl.block, &to, node));
        let Some((from, to)) = ends else { return };
        if from.uneven || to.uneven {
            self.issues.extend([from, to].iter().find(|t| t.uneven).map(Through::differs));
            return;
        }
        if from.ends_in_unit() && from.passed().is_empty() {
            let unit = from.units.last().map(|(_, unit)| *unit);
            let key = from.segments.last().and_then(Segment::constant_key);
            self.handed.extend(unit.map(|unit| (unit, key)));
        }
        if from.passed().is_empty() && to.passed().is_empty() {
            return;
        }
        let Some(source) = self.config.sources.get(decl.block.file) else { return };
        let (shown_from, shown_to) = (from.shown(&source.text), to.shown(&source.text));
        let text = format!("# phi: written for each run in phi.moved.tf: {shown_from} to {shown_to}");
        let text = one_line(&text).into_owned();
        let relocation = Relocation {
            scope: here.path.clone(),
            from: relocate::parts(&from.segments, &from.passed()),
            to: relocate::parts(&to.segments, &to.passed()),
        };
        // A module with several copies is written several times.
        if !self.relocations.contains(&relocation) {
            self.relocations.push(relocation);
        }
        residual::replace(edits.entry(decl.block.file).or_default(), Edit { span: decl.block.span, text });
    }

    fn import(&mut self, found: &Through<'_>, edits: &mut FileEdits) {
        let Some(source) = self.config.sources.get(found.block.file) else { return };
        if found.needs_run(self.units) {
            if self.names_itself(found) {
                let why = "It names what it imports into, and would wait for all of it.";
                return self.issues.push(found.no_import(why));
            }
            let span = found.block.span;
            let file = edits.entry(found.block.file).or_default();
            let inner: Vec<Edit> = file.iter().filter(|e| span.contains(e.span)).cloned().collect();
            match found.per_run(&source.text, inner) {
                Ok(import) => {
                    let shown = found.shown(&source.text);
                    let text = format!("# phi: written for each run in phi.moved.tf: import to {shown}");
                    let text = one_line(&text).into_owned();
                    residual::replace(file, Edit { span, text });
                    self.imports.push(import);
                }
                Err(issue) => self.issues.push(*issue),
            }
            return;
        }
        let made =
            imported(found, self.units, self.naming, source).and_then(|made| self.own_names(found, made));
        self.copies(found, made, edits);
    }

    /// Returns true if an `import` block names what it imports into beside its address.
    fn names_itself(&self, found: &Through<'_>) -> bool {
        let unit = found.units.first().and_then(|(_, index)| self.units.get(*index));
        let uses = graph::uses_in(&found.block.body, found.block.file);
        let outside = |used: &&Use| !found.attr.expr.span.contains(used.traversal.span);
        let holds =
            |used: &Use| unit.is_some_and(|unit| unit.scope.is_root() && unit.name.holds(&used.referent));
        uses.iter().filter(outside).any(holds)
    }

    /// Adds to the edits of each copy of an `import` block that it names the copy that it imports into and no other one, and of that one output
    /// alone: what is imported into a copy would wait for the other one, or for all of its own.
    fn own_names(&self, found: &Through<'_>, mut made: Vec<Vec<Edit>>) -> Result<Vec<Vec<Edit>>, Box<Issue>> {
        let unit = found.units.last().map(|(_, index)| *index).unwrap_or_default();
        let (Some(unit), Some(naming)) = (self.units.get(unit), self.naming.get(unit)) else {
            return Ok(made);
        };
        let each = found.block.body.attribute("for_each").map(|attr| attr.expr.span);
        for used in graph::uses_in(&found.block.body, found.block.file) {
            let span = used.traversal.span;
            if !unit.name.holds(&used.referent) || found.attr.expr.span.contains(span) {
                continue;
            }
            // Without an instance there is nothing to take, and `for_each` is evaluated all the same.
            if each.is_some_and(|each| each.contains(span)) {
                let why = "Its `for_each` names what it imports into, and a copy without an instance has no value for it.";
                return Err(Box::new(found.no_import(why)));
            }
            let steps = if matches!(&*used.traversal.root.text, "resource" | "data") { 2 } else { 1 };
            let index = if naming.repetition.is_none() { "[0]" } else { "" };
            for (edits, name) in made.iter_mut().zip(&naming.names) {
                let text = format!("{}{index}", unit.name.called(name));
                edits.push(Edit { span: used.span_through(steps), text });
            }
        }
        Ok(made)
    }

    /// Puts copies in place of a block.
    pub(in crate::specialise) fn copies(
        &mut self,
        found: &Through<'_>,
        made: Result<Vec<Vec<Edit>>, Box<Issue>>,
        edits: &mut FileEdits,
    ) {
        let block = found.block;
        let Some(source) = self.config.sources.get(block.file) else { return };
        let file = edits.entry(block.file).or_default();
        let inner: Vec<Edit> = file.iter().filter(|e| block.span.contains(e.span)).cloned().collect();
        let mut texts = Vec::new();
        for own in match made {
            Ok(made) => made,
            Err(issue) => return self.issues.push(*issue),
        } {
            let stays = |edit: &&Edit| {
                edit.span.is_empty() || own.iter().all(|o| o.span.is_empty() || !edit.span.contains(o.span))
            };
            let mut all: Vec<Edit> = inner.iter().filter(stays).cloned().collect();
            all.extend(own);
            match block::edited(&source.text, block.span, &all) {
                Ok(text) => texts.push(text),
                Err(issue) => self.issues.push(issue.at(block.place())),
            }
        }
        let newline = source.line_ending();
        let indent = trivia::line_indent(&source.text, block.span.start);
        let text = texts.join(&format!("{newline}{newline}{indent}"));
        file.retain(|e| !block.span.contains(e.span));
        file.push(Edit { span: block.span, text });
    }
}

/// An address on whose way different units are split for each source of a call.
pub(in crate::specialise) fn differs(place: Place) -> Issue {
    let why = "It leads through a call whose source is chosen, and what is split within is another for each source.";
    Issue::error(Code::Unsupported, "an address can't be led to the copies", why)
        .at(place)
        .fix("Write a call per source, each with a `count` for its condition, and name these.", "")
}

fn rename(segment: &Segment<'_>, name: &str) -> Edit {
    Edit { span: segment.name, text: name.to_owned() }
}

/// The edits that make each copy of a `removed` block.
fn removed(found: &Through<'_>, naming: &[Naming]) -> Result<Vec<Vec<Edit>>, Box<Issue>> {
    if found.ends_in_unit() {
        let why = "It says that this is no longer declared, and it is.";
        return Err(Box::new(found.refused("a `removed` block names what is still declared", why)));
    }
    Ok(renamed(&found.segments, &found.units, naming))
}

/// The edits that make one address for each copy of each unit on the way: index of the part, index of the unit.
pub(in crate::specialise) fn renamed(
    segments: &[Segment<'_>],
    units: &[(usize, usize)],
    naming: &[Naming],
) -> Vec<Vec<Edit>> {
    let mut made: Vec<Vec<Edit>> = vec![Vec::new()];
    for (at, unit) in units {
        let (Some(segment), Some(naming)) = (segments.get(*at), naming.get(*unit)) else { continue };
        made = made
            .iter()
            .flat_map(|edits| {
                let with = |name: &String| edits.iter().cloned().chain([rename(segment, name)]).collect();
                naming.names.iter().map(with).collect::<Vec<Vec<Edit>>>()
            })
            .collect();
    }
    made
}

/// The edits that make each copy of an `import` block.
fn imported(
    found: &Through<'_>,
    units: &[Unit<'_>],
    naming: &[Naming],
    source: &SourceFile,
) -> Result<Vec<Vec<Edit>>, Box<Issue>> {
    let start = found.block.span.start;
    let (indent, newline) = (trivia::inner_indent(&source.text, start), source.line_ending());
    let refused = |why: &str| Box::new(found.no_import(why));
    let at = found.units.last().copied().unwrap_or_default();
    let (at, index) = (&at.0, &at.1);
    let (Some(unit), Some(naming), Some(segment)) =
        (units.get(*index), naming.get(*index), found.segments.get(*at))
    else {
        return Err(refused("It names nothing that is known."));
    };
    let mut out = Vec::new();
    for (gate, name) in unit.gates.gates.iter().zip(&naming.names) {
        let text = at_key(gate, segment)
            .ok_or_else(|| refused("The gate depends on the instance, and the address doesn't name one."))?;
        let gate = Gate { text, ..gate.clone() };
        let mut edits = vec![rename(segment, name)];
        if naming.repetition.is_none() {
            let end = segment.name.end;
            edits.push(Edit { span: Span { start: end, end }, text: "[0]".to_owned() });
        }
        edits.extend(found.for_each(&gate, &indent, newline));
        out.push(edits);
    }
    Ok(out)
}

impl Through<'_> {
    /// The address as it is written, without spaces.
    fn shown(&self, text: &str) -> String {
        text.get(self.attr.expr.span.range()).unwrap_or_default().split_whitespace().collect()
    }

    fn no_import(&self, why: &str) -> Issue {
        let issue = self.refused("an `import` block can't be joined with a gate", why);
        issue.fix(
            "Import it before it is specialised, and take the block out: `terraform apply`, without tf-phi.",
            "",
        )
    }

    /// Returns true if no gate in the root can say to which copy an import goes: there are several, it stands
    /// elsewhere, or `for_each` doesn't take it.
    fn needs_run(&self, units: &[Unit<'_>]) -> bool {
        let root = |unit: &Unit<'_>| unit.scope.is_root() && !unit.sensitive;
        self.units.len() > 1 || !self.units.iter().filter_map(|(_, at)| units.get(*at)).all(root)
    }

    /// The block as it is written for each run; `inner` are edits within it.
    fn per_run(&self, text: &str, inner: Vec<Edit>) -> Result<Import, Box<Issue>> {
        let last = self.units.last().map_or(0, |(at, _)| *at);
        let way = self.segments.get(..=last).unwrap_or_default();
        let known = way.iter().all(|s| s.key.is_none() || s.constant_key().is_some());
        let end = way.last().and_then(|s| match s.key {
            None => Some(s.name.end),
            Some(key) => {
                let rest = text.get(key.span.end as usize..)?;
                Some(key.span.end + u32::try_from(rest.find(']')?).ok()? + 1)
            }
        });
        let (Some(end), true) = (end, known) else {
            return Err(Box::new(self.no_import(
                "To which copy it goes depends on the instance, and its keys are not literals.",
            )));
        };
        let address = Span { start: self.attr.expr.span.start, end };
        let mut edits: Vec<Edit> = inner.into_iter().filter(|e| !address.contains(e.span)).collect();
        edits.push(Edit { span: address, text: ADDRESS.to_owned() });
        let whole = block::edited(text, self.block.span, &edits).map_err(|i| i.at(self.block.place()))?;
        let (before, after) = whole.split_once(ADDRESS).unwrap_or((&whole, ""));
        let to = relocate::parts(way, &self.units);
        let after = format!("{}\n", after.replace("\r\n", "\n"));
        Ok(Import { to, before: before.replace("\r\n", "\n"), after })
    }

    /// The edits that make a gate part of the block's `for_each`.
    fn for_each(&self, gate: &Gate, indent: &str, newline: &str) -> Vec<Edit> {
        let insert = |at: u32, text: String| Edit { span: Span { start: at, end: at }, text };
        if let Some(attr) = self.block.body.attribute("for_each") {
            let test = filter::test(gate, Clause { set: Some(false), late: false });
            let space = block::behind_word(&test);
            return vec![
                insert(attr.expr.span.start, "{ for each_key, each_value in ".to_owned()),
                insert(attr.expr.span.end, format!(" : each_key => each_value if{space}{test} }}")),
            ];
        }
        let (yes, no) = if gate.negated { ("[]", "[\"import\"]") } else { ("[\"import\"]", "[]") };
        let text = format!("for_each = {} ? {yes} : {no}{newline}{indent}", gate.text);
        vec![insert(self.attr.span.start, text)]
    }
}

/// A gate's text for the instance of the unit that an address names.
fn at_key(gate: &Gate, segment: &Segment<'_>) -> Option<String> {
    let free = |text: &str| subst::each_as(text, "-", "-") == text;
    if free(&gate.text) {
        return Some(gate.text.clone());
    }
    let key = match (segment.constant_key(), &segment.key?.kind) {
        (Some(Key::Name(name)), _) => crate::syntax::emit::string_literal(&name),
        (None, ExprKind::GetAttr(base, name))
            if matches!(&base.kind, ExprKind::Variable(v) if &**v == "each") && &*name.text == "key" =>
        {
            // The key of the block's own repetition is the unit's; its value is not.
            return free(&subst::each_as(&gate.text, "each_key", "each.value")).then(|| gate.text.clone());
        }
        _ => return None,
    };
    let text = subst::each_as(&gate.text, &key, "each.value");
    free(&text).then_some(text)
}
