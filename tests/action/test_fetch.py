"""A shallow clone without credentials, as persist-credentials: false leaves it: the base is fetched by the action's own token."""

import base64
import http.server
import os
import subprocess
import threading
import unittest
from pathlib import Path

from world import World

TOKEN = "ghs_fetch-token"
REVIEW = {"format_version": 1, "environments": [], "differences": []}


class Served(http.server.BaseHTTPRequestHandler):
    """Repositories below `root`, for those who bring the token."""

    root = None
    asked = []

    def do_GET(self):
        brought = self.headers.get("Authorization", "")
        self.asked.append(brought)
        if brought != "basic " + base64.b64encode(("x-access-token:" + TOKEN).encode()).decode():
            self.send_response(401)
            self.send_header("WWW-Authenticate", "Basic realm=\"x\"")
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        env = {
            **os.environ, "GIT_PROJECT_ROOT": str(self.root), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path, "QUERY_STRING": query,
            "REQUEST_METHOD": self.command, "CONTENT_TYPE": self.headers.get("Content-Type", ""), "REMOTE_USER": "x",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
        }
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        answer = subprocess.run(["git", "http-backend"], input=body, env=env, capture_output=True, check=True).stdout
        head, _, rest = answer.partition(b"\r\n\r\n")
        self.send_response(200)
        for line in head.decode().splitlines():
            self.send_header(*line.split(": ", 1))
        self.end_headers()
        self.wfile.write(rest)

    do_POST = do_GET

    def log_message(self, *_):
        pass


class Fetch(unittest.TestCase):
    def test_the_base_is_fetched_by_the_token(self):
        world = World()
        self.addCleanup(world.close)
        (world.tree / "live/app/main.tf").write_text("# two\n")
        world.git("commit", "-qam", "two")
        world.git("config", "uploadpack.allowAnySHA1InWant", "true")
        clone = world.home / "clone"
        world.git("clone", "-q", "--depth=1", "file://%s" % world.tree, str(clone))
        handler = type("Own", (Served,), {"root": Path(world.tree).parent, "asked": []})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        url = "http://127.0.0.1:%d" % server.server_port
        subprocess.run(
            ["git", "-C", str(clone), "remote", "set-url", "origin", "%s/%s" % (url, Path(world.tree).name)], check=True
        )
        world.answer("review", REVIEW)
        world.run(GITHUB_WORKSPACE=str(clone), GITHUB_SERVER_URL=url, PHI_TOKEN="")
        self.assertIn("can't be fetched", world.out)
        world.run(GITHUB_WORKSPACE=str(clone), GITHUB_SERVER_URL=url, PHI_TOKEN=TOKEN)
        self.assertIn("--base=" + world.base, world.words("tf-phi", "review")[0])
        self.assertIn("", handler.asked)
        # It stands nowhere in the clone afterwards.
        self.assertNotIn("extraheader", (clone / ".git/config").read_text())


if __name__ == "__main__":
    unittest.main()
