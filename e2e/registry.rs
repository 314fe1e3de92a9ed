//! A registry of modules on this machine, as Terraform's protocol has it: versions, and where each is downloaded from.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use crate::support::Scratch;

/// One that answers as long as the tests run.
pub struct Registry {
    port: u16,
}

impl Registry {
    /// With one module, in these versions; each says its version in an output.
    pub fn serving(scratch: &Scratch, versions: &[&str]) -> Registry {
        let folder = scratch.aside("registry");
        for version in versions {
            fs::create_dir_all(folder.join(version)).unwrap();
            let text = format!("output \"version\" {{\n  value = \"{version}\"\n}}\n");
            fs::write(folder.join(version).join("main.tf"), text).unwrap();
        }
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let versions: Vec<String> = versions.iter().map(ToString::to_string).collect();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (versions, folder) = (versions.clone(), folder.clone());
                thread::spawn(move || answer(stream, &versions, &folder.display().to_string()));
            }
        });
        Registry { port }
    }

    /// Leads a host name to it.
    pub fn cli_config(&self, host: &str) -> String {
        format!(
            "host \"{host}\" {{\n  services = {{\n    \"modules.v1\" = \"http://127.0.0.1:{}/v1/\"\n  }}\n}}\n",
            self.port
        )
    }
}

fn answer(mut stream: TcpStream, versions: &[String], folder: &str) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let Some(Ok(request)) = lines.next() else { return };
    for line in lines.map_while(Result::ok) {
        if line.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or_default();
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    let reply = match parts.as_slice() {
        ["v1", _, _, _, "versions"] => {
            let all: Vec<String> = versions.iter().map(|v| format!("{{\"version\":\"{v}\"}}")).collect();
            let body = format!("{{\"modules\":[{{\"versions\":[{}]}}]}}", all.join(","));
            format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            )
        }
        ["v1", _, _, _, version, "download"] => {
            format!("HTTP/1.1 204 No Content\r\nX-Terraform-Get: file://{folder}/{version}\r\n\r\n")
        }
        _ => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
    };
    let _ = stream.write_all(reply.as_bytes());
}
