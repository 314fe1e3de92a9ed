//! A loopback AWS API: `moto_server` from the Python package `moto[server]`, on a free port, stopped in the end.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Names a `moto_server`.
pub const ENV: &str = "TF_PHI_E2E_MOTO";

pub struct Moto {
    child: Child,
    port: u16,
}

impl Moto {
    /// Starts one, or says why there is none.
    pub fn start() -> Result<Moto, String> {
        let named = std::env::var_os(ENV).map(PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let on_path = || std::env::split_paths(&path).map(|d| d.join("moto_server")).find(|p| p.is_file());
        let fetched = || {
            let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools/moto/bin/moto_server");
            own.is_file().then_some(own)
        };
        let program = named.or_else(on_path).or_else(fetched).ok_or("no moto_server")?;
        let port = TcpListener::bind(("127.0.0.1", 0))
            .and_then(|l| l.local_addr())
            .map_err(|e| e.to_string())?
            .port();
        let mut command = Command::new(program);
        command.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut moto = Moto { child: child.map_err(|e| e.to_string())?, port };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if start.elapsed() > Duration::from_secs(60) || moto.child.try_wait().is_ok_and(|s| s.is_some()) {
                return Err("moto_server doesn't answer".to_owned());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(moto)
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
