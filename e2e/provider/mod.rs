//! A provider of our own that serves `helm_release` and `kubernetes_manifest` with the arguments of the real ones, and makes nothing. Of
//! its own configuration it knows `helm_driver`.
//!
//! Terraform finds it by `TF_REATTACH_PROVIDERS`, so that it is installed nowhere and needs no certificate. It runs on a thread of
//! the test, speaks protocol 6 over loopback, and ends with it. What it doesn't know it refuses; what it makes it writes down.

mod manifest;
mod server;
mod wire;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use wire::{Message, NIL, UNKNOWN, entries, field, map, string, text};

/// The resource types, each with its arguments.
const TYPES: [(&str, &str); 2] =
    [("helm_release", include_str!("helm.tsv")), (manifest::TYPE, include_str!("kubernetes.tsv"))];

const ADDRESSES: [&str; 2] =
    ["registry.terraform.io/hashicorp/helm", "registry.terraform.io/hashicorp/kubernetes"];

/// One that answers as long as the tests run.
pub struct Provider {
    port: u16,
    log: Log,
}

/// What it was asked.
#[derive(Clone, Default)]
struct Log {
    made: Arc<Mutex<Vec<String>>>,
    drivers: Arc<Mutex<BTreeSet<String>>>,
}

impl Provider {
    pub fn start() -> Provider {
        let log = Log::default();
        let own = log.clone();
        let port = server::start(move |method, request| reply(method, request, &own));
        Provider { port, log }
    }

    /// The value of `TF_REATTACH_PROVIDERS`.
    pub fn reattach(&self) -> String {
        server::reattach(self.port, &ADDRESSES)
    }

    /// The names of the releases that were made, in that order.
    pub fn made(&self) -> Vec<String> {
        self.log.made.lock().unwrap().clone()
    }

    /// The known values of `helm_driver` with which it was configured.
    pub fn drivers(&self) -> BTreeSet<String> {
        self.log.drivers.lock().unwrap().clone()
    }
}

/// What a method gives; nothing for one that isn't served.
fn reply(method: &str, request: &[u8], log: &Log) -> Option<Message> {
    let value = |n: u64| field(field(request, n), 1);
    let dynamic = |bytes: &[u8]| Message::default().bytes(1, bytes);
    let kind = std::str::from_utf8(field(request, 1)).unwrap_or_default();
    Some(match method {
        "GetProviderSchema" => schemas(),
        "ValidateProviderConfig" | "ValidateResourceConfig" | "StopProvider" => Message::default(),
        "ConfigureProvider" => {
            let config = entries(value(2));
            let driver = config.iter().find(|(name, _)| name == "helm_driver").and_then(|(_, v)| text(v));
            log.drivers.lock().unwrap().extend(driver);
            Message::default()
        }
        "UpgradeResourceState" => {
            let json = field(field(request, 3), 1);
            Message::default().message(1, &Message::default().bytes(2, json))
        }
        "ReadResource" => Message::default().message(1, &dynamic(value(2))),
        "PlanResourceChange" => {
            let proposed = value(3);
            if proposed == NIL {
                return Some(Message::default().message(1, &dynamic(NIL)));
            }
            if kind == manifest::TYPE {
                return Some(manifest::planned(value(2), proposed, &log.made.lock().unwrap()));
            }
            let planned = match value(2) == NIL {
                true => completed(proposed, |_| UNKNOWN.to_vec(), NIL),
                false => proposed.to_vec(),
            };
            Message::default().message(1, &dynamic(&planned))
        }
        "ApplyResourceChange" => {
            let planned = value(3);
            if planned == NIL {
                return Some(Message::default().message(1, &dynamic(NIL)));
            }
            if kind == manifest::TYPE {
                let (name, new) = manifest::applied(planned);
                log.made.lock().unwrap().push(name);
                return Some(Message::default().message(1, &dynamic(&new)));
            }
            let all = entries(planned);
            let name = all.iter().find(|(n, _)| n == "name").and_then(|(_, v)| text(v)).unwrap();
            log.made.lock().unwrap().push(name.clone());
            let new = completed(planned, |argument| of(argument, &name), UNKNOWN);
            Message::default().message(1, &dynamic(&new))
        }
        _ => return None,
    })
}

/// What a computed argument is in the end.
fn of(argument: &str, name: &str) -> Vec<u8> {
    match argument {
        "id" => string(name),
        _ => NIL.to_vec(),
    }
}

/// A value with each computed argument that is still `open` filled.
fn completed(value: &[u8], with: impl Fn(&str) -> Vec<u8>, open: &[u8]) -> Vec<u8> {
    let computed: Vec<&str> =
        arguments().filter(|(.., how)| *how != "required" && *how != "optional").map(|(n, ..)| n).collect();
    let filled = entries(value).into_iter().map(|(name, own)| {
        let fill = own == open && computed.contains(&name.as_str());
        let own = if fill { with(&name) } else { own.to_vec() };
        (name, own)
    });
    map(&filled.collect::<Vec<_>>())
}

/// Name, type, and how it is set; of releases.
fn arguments() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    rows(TYPES[0].1)
}

fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    table.lines().filter(|l| !l.starts_with('#')).map(|line| {
        let mut cells = line.split('\t');
        (cells.next().unwrap(), cells.next().unwrap(), cells.next().unwrap())
    })
}

fn schemas() -> Message {
    let driver = Message::default().bytes(1, b"helm_driver").bytes(2, b"\"string\"").number(5, 1);
    let own = Message::default().message(2, &Message::default().message(2, &driver));
    TYPES.into_iter().fold(Message::default().message(1, &own), |all, (name, table)| {
        let version = if name == manifest::TYPE { 1 } else { 2 };
        let schema = Message::default().number(1, version).message(2, &block(table));
        all.message(2, &Message::default().bytes(1, name.as_bytes()).message(2, &schema))
    })
}

/// The block of a resource type, with nested blocks as lists of one at most.
fn block(table: &'static str) -> Message {
    let mut outer = Message::default();
    let mut inner: Vec<(&str, Message)> = Vec::new();
    for (name, kind, how) in rows(table) {
        match name.split_once('.') {
            None => outer = outer.message(2, &attribute(name, kind, how)),
            Some((block, name)) => {
                if inner.last().is_none_or(|(known, _)| *known != block) {
                    inner.push((block, Message::default()));
                }
                let own = &mut inner.last_mut().unwrap().1;
                *own = std::mem::take(own).message(2, &attribute(name, kind, how));
            }
        }
    }
    inner.into_iter().fold(outer, |outer, (name, own)| {
        let nested = Message::default().bytes(1, name.as_bytes()).message(2, &own).number(3, 2).number(5, 1);
        outer.message(3, &nested)
    })
}

fn attribute(name: &str, kind: &str, how: &str) -> Message {
    let kind = match kind {
        "list" => "[\"list\",\"string\"]".to_owned(),
        "map" => "[\"map\",\"string\"]".to_owned(),
        "fields" => "[\"object\",{\"fields\":[\"map\",\"string\"]}]".to_owned(),
        kind => format!("\"{kind}\""),
    };
    let attribute = Message::default().bytes(1, name.as_bytes()).bytes(2, kind.as_bytes());
    match how {
        "required" => attribute.number(4, 1),
        "optional" => attribute.number(5, 1),
        "both" => attribute.number(5, 1).number(6, 1),
        "computed" => attribute.number(6, 1),
        other => panic!("{other}"),
    }
}
