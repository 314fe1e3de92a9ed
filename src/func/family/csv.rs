//! `csvdecode`: comma-separated values by the rules of Go's `encoding/csv`.
//!
//! Empty lines are skipped, CR LF is LF, a quoted field may span lines, and quotes elsewhere are errors. The first
//! record names the columns. Deliberately absent: other separators, comments, lazy quotes.

use crate::func::args::{check_elements, shared_text};
use crate::func::{Context, FuncError, Function, Param, Returns, Want};
use crate::value::{Type, Value};
use std::collections::BTreeSet;

pub(super) const FUNCTIONS: &[Function] = &[Function::new(
    "csvdecode",
    &[Param::new("str", Want::String)],
    Returns::Fixed(Want::Any),
    decode,
    "The rows of a CSV text as objects, named by its first row (Terraform docs: csvdecode; go-cty stdlib).",
)
.costs_for_each(32)
.decodes()];

fn decode(context: &Context<'_>, args: &[Value], _: &Type) -> Result<Value, FuncError> {
    context.outside.decoded("csvdecode", shared_text(args, 0)?, &decode_text)
}

fn decode_text(source: &str) -> Result<Value, FuncError> {
    let mut reader = Reader { rest: source, line: 0 };
    let header = reader.record()?.ok_or_else(|| FuncError::new("missing header line"))?;
    let mut names = BTreeSet::new();
    for name in &header {
        if !names.insert(name.as_str()) {
            return Err(FuncError::new(format!("duplicate column name {name:?}")));
        }
    }
    let ty = Type::object(header.iter().map(|name| (crate::value::normalise(name), Type::String)));
    let mut rows = Vec::new();
    loop {
        let line = reader.line + 1;
        let Some(fields) = reader.record()? else { break };
        if fields.len() != header.len() {
            return Err(Reader::error(line, "wrong number of fields"));
        }
        check_elements((rows.len() + 1).saturating_mul(header.len()))?;
        rows.push(Value::object(header.iter().zip(fields.iter().map(Value::string))));
    }
    Ok(Value::list(ty, rows))
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Reader<'a> {
    fn error(line: usize, what: &str) -> FuncError {
        FuncError::new(format!("CSV parse error on line {line}: {what}"))
    }

    /// The next line without its ending, and whether it had one; CR LF counts as one ending.
    fn next_line(&mut self) -> Option<(&'a str, bool)> {
        if self.rest.is_empty() {
            return None;
        }
        self.line += 1;
        let (line, ended) = match self.rest.split_once('\n') {
            Some((line, rest)) => {
                self.rest = rest;
                (line, true)
            }
            None => (std::mem::take(&mut self.rest), false),
        };
        Some((line.strip_suffix('\r').unwrap_or(line), ended))
    }

    fn record(&mut self) -> Result<Option<Vec<String>>, FuncError> {
        let (mut line, mut ended) = loop {
            match self.next_line() {
                None => return Ok(None),
                Some(("", _)) => {}
                Some(found) => break found,
            }
        };
        let mut fields = Vec::new();
        loop {
            let Some(quoted) = line.strip_prefix('"') else {
                let (field, rest) = line.split_once(',').map_or((line, None), |(f, r)| (f, Some(r)));
                if field.contains('"') {
                    return Err(Reader::error(self.line, "bare \" in non-quoted field"));
                }
                fields.push(field.to_owned());
                check_elements(fields.len())?;
                match rest {
                    Some(rest) => line = rest,
                    None => return Ok(Some(fields)),
                }
                continue;
            };
            line = quoted;
            let mut field = String::new();
            let more = self.quoted(&mut line, &mut ended, &mut field)?;
            fields.push(field);
            check_elements(fields.len())?;
            if !more {
                return Ok(Some(fields));
            }
        }
    }

    /// Reads on after an opening quote; whether another field follows.
    fn quoted(
        &mut self,
        line: &mut &'a str,
        ended: &mut bool,
        field: &mut String,
    ) -> Result<bool, FuncError> {
        let wrong = |line| Reader::error(line, "extraneous or missing \" in quoted-field");
        loop {
            let Some((before, after)) = line.split_once('"') else {
                field.push_str(line);
                if *ended {
                    field.push('\n');
                }
                (*line, *ended) = self.next_line().ok_or_else(|| wrong(self.line))?;
                continue;
            };
            field.push_str(before);
            if let Some(rest) = after.strip_prefix('"') {
                field.push('"');
                *line = rest;
            } else if let Some(rest) = after.strip_prefix(',') {
                *line = rest;
                return Ok(true);
            } else if after.is_empty() {
                return Ok(false);
            } else {
                return Err(wrong(self.line));
            }
        }
    }
}
