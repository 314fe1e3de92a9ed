//! Traces on their way out: several threads make them, and they are printed in their order, each as soon as all before it
//! are.

use crate::report::trace_text::Tally;
use crate::report::{Console, trace_json};
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
    /// Whether nothing was printed yet.
    begun: bool,
    /// Whether nobody reads any more.
    gone: bool,
}

impl Stream {
    /// Begins; as JSON, one document of all traces.
    pub fn new(console: Console, json: bool) -> Stream {
        let gone = json && !console.report(trace_json::HEAD);
        Stream { console, json, state: Mutex::new(State { gone, ..State::default() }) }
    }

    /// One more text of a part.
    pub fn put(&self, part: usize, text: String) {
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
    pub fn done(&self, part: usize) {
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
        let text = match self.json {
            true => format!("{}{text}", trace_json::separator(!state.begun)),
            false => text.to_owned(),
        };
        state.begun = true;
        state.gone = !self.console.report(&text);
    }

    /// The end of all, with the counts.
    pub fn end(self, tally: &Tally) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if state.gone {
            return;
        }
        self.console.report(&match self.json {
            true => trace_json::end(!state.begun, Some(tally)),
            false => tally.summary(self.console.out),
        });
    }
}
