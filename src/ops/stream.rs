//! Traces on their way out: several threads make them, and they are printed in their order, each as soon as all before it
//! are.

use crate::report::trace_text::Tally;
use crate::report::{Console, Reader, trace_json};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// Texts that come in parts, by part.
pub(super) struct Stream {
    console: Console,
    json: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The part whose texts are printed.
    at: usize,
    /// Texts of later parts, and whether the part is at its end.
    waiting: BTreeMap<usize, (Vec<String>, bool)>,
    /// True if nothing was printed yet.
    begun: bool,
    /// True if nobody reads any more.
    gone: bool,
}

impl Stream {
    /// Begins; as JSON, one document of all traces.
    pub fn new(console: Console, json: bool) -> Stream {
        let gone = json && !console.print(Reader::Json, trace_json::HEAD);
        Stream { console, json, state: Mutex::new(State { gone, ..State::default() }) }
    }

    /// The texts of a part.
    pub fn part(&self, number: usize) -> Part<'_> {
        Part { stream: self, number, held: String::new() }
    }

    /// One or more texts of a part.
    fn put(&self, part: usize, text: String) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.gone {
            return;
        }
        if part == state.at {
            self.print(&mut state, &text);
        } else {
            state.waiting.entry(part).or_default().0.push(text);
        }
    }

    /// The end of a part.
    fn done(&self, part: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.waiting.entry(part).or_default().1 = true;
        loop {
            let at = state.at;
            let Some((texts, ended)) = state.waiting.remove(&at) else { break };
            texts.iter().for_each(|text| self.print(&mut state, text));
            if !ended {
                break;
            }
            state.at += 1;
        }
    }

    fn print(&self, state: &mut State, text: &str) {
        if state.gone {
            return;
        }
        let head = if self.json { trace_json::separator(!state.begun) } else { "" };
        state.begun = true;
        state.gone = !(self.console.part(self.reader(), head) && self.console.print(self.reader(), text));
    }

    fn reader(&self) -> Reader {
        if self.json { Reader::Json } else { Reader::People }
    }

    /// The end of all, with the counts.
    pub fn end(self, tally: &Tally) {
        let reader = self.reader();
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if state.gone {
            return;
        }
        self.console.print(
            reader,
            &match self.json {
                true => trace_json::end(!state.begun, Some(tally)),
                false => tally.summary(self.console.out),
            },
        );
    }
}

/// A part on its way out. A person sees each text when it is there; for anything else several go together, so that
/// threads don't wait for each other over each.
pub(super) struct Part<'s> {
    stream: &'s Stream,
    number: usize,
    held: String,
}

/// The size in bytes at which text is written out.
const MANY: usize = 64 << 10;

impl Part<'_> {
    /// One more text, which `write` adds.
    pub fn put(&mut self, write: impl FnOnce(&mut String)) {
        if self.stream.json && !self.held.is_empty() {
            self.held.push_str(trace_json::separator(false));
        }
        write(&mut self.held);
        if self.held.len() >= MANY || self.stream.console.read {
            let next = String::with_capacity(self.held.capacity());
            self.stream.put(self.number, std::mem::replace(&mut self.held, next));
        }
    }

    /// The end.
    pub fn done(self) {
        if !self.held.is_empty() {
            self.stream.put(self.number, self.held);
        }
        self.stream.done(self.number);
    }
}
