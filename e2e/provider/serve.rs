//! A provider that has what the built-in one lacks: nested blocks of each kind, a write-only argument, and an ephemeral resource. It
//! makes nothing, and plans what is configured. Prints the value of `TF_REATTACH_PROVIDERS`, and ends when its input does.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout, dead_code)]

mod server;
mod wire;

use std::io::Read;
use wire::{Message, NIL, entries, field, map};

const ADDRESS: &str = "registry.terraform.io/hashicorp/block";

/// Numbers of the protocol for how blocks are nested.
const LIST: u64 = 2;
const SET: u64 = 3;
const MAP: u64 = 4;

/// An argument that is never in a plan.
const SECRET: &str = "secret";

fn main() {
    // Versions before 1.11 know no write-only arguments.
    let secret = std::env::args().all(|arg| arg != "--no-secret");
    println!(
        "{}",
        server::reattach(server::start(move |method, request| reply(method, request, secret)), &[ADDRESS])
    );
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

fn reply(method: &str, request: &[u8], secret: bool) -> Option<Message> {
    let value = |n: u64| field(field(request, n), 1);
    let dynamic = |bytes: &[u8]| Message::default().bytes(1, bytes);
    Some(match method {
        "GetProviderSchema" => schemas(secret),
        "ValidateProviderConfig" | "ValidateResourceConfig" | "ValidateEphemeralResourceConfig" => {
            Message::default()
        }
        "ConfigureProvider" | "CloseEphemeralResource" | "StopProvider" => Message::default(),
        "UpgradeResourceState" => {
            let json = field(field(request, 3), 1);
            Message::default().message(1, &Message::default().bytes(2, json))
        }
        "ReadResource" => Message::default().message(1, &dynamic(value(2))),
        "PlanResourceChange" | "ApplyResourceChange" => {
            let proposed = value(3);
            let new = if proposed == NIL { NIL.to_vec() } else { without_secret(proposed) };
            Message::default().message(1, &dynamic(&new))
        }
        "OpenEphemeralResource" => Message::default().message(3, &dynamic(value(2))),
        _ => return None,
    })
}

fn without_secret(value: &[u8]) -> Vec<u8> {
    let all = entries(value).into_iter().map(|(name, own)| {
        let own = if name == SECRET { NIL } else { own };
        (name, own.to_vec())
    });
    map(&all.collect::<Vec<_>>())
}

fn schemas(secret: bool) -> Message {
    let text = |name: &str| attribute(name, "string");
    let piece = Message::default().message(2, &text("value"));
    let part = Message::default().message(2, &text("name")).message(2, &text("value"));
    let part = part.message(3, &nested("piece", &piece, LIST));
    let mut outer = Message::default().message(2, &text("text"));
    if secret {
        outer = outer.message(2, &text(SECRET).number(11, 1));
    }
    let tag = Message::default().message(2, &text("value"));
    let outer = outer.message(3, &nested("part", &part, LIST));
    let outer = outer.message(3, &nested("tag", &tag, SET)).message(3, &nested("entry", &tag, MAP));
    let schema = |block: &Message| Message::default().number(1, 1).message(2, block);
    let entry =
        |name: &str, block: &Message| Message::default().bytes(1, name.as_bytes()).message(2, &schema(block));
    let opened = Message::default().message(2, &text("text")).message(3, &nested("part", &part, LIST));
    Message::default()
        .message(1, &Message::default().message(2, &Message::default()))
        .message(2, &entry("block_box", &outer))
        .message(8, &entry("block_token", &opened))
}

fn nested(name: &str, block: &Message, mode: u64) -> Message {
    Message::default().bytes(1, name.as_bytes()).message(2, block).number(3, mode)
}

fn attribute(name: &str, kind: &str) -> Message {
    Message::default().bytes(1, name.as_bytes()).bytes(2, format!("\"{kind}\"").as_bytes()).number(5, 1)
}
