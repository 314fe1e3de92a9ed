"""An imitation of a runner: its files and variables, a repository, stand-ins for programs, and GitHub's API on loopback."""

import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / "scripts" / "action"
TOKEN = "ghs_0123456789abcdefToken"
SECRET = "a-secret-of-the-job"

# Writes down its words and variables, and answers with the file of the command's name.
FAKE = """#!/usr/bin/env python3
import json, os, sys
from pathlib import Path
here, words = Path(%(here)r), sys.argv[1:]
name = Path(sys.argv[0]).name
with open(here / "calls", "a") as file:
    file.write(json.dumps([name, words, dict(os.environ)]) + "\\n")
command = next((w for w in words if not w.startswith("-")), "")
if "--help" in words:
    sys.exit(2)
for stream, text in (("out", sys.stdout), ("err", sys.stderr)):
    path = here / ("%%s.%%s.%%s" %% (name, command, stream))
    if path.exists():
        text.write(path.read_text())
status = here / ("%%s.%%s.status" %% (name, command))
sys.exit(int(status.read_text()) if status.exists() else 0)
"""


class World:
    """One run's surroundings, removed in the end."""

    def __init__(self, event="pull_request", fork=False):
        self.temp = tempfile.TemporaryDirectory(prefix="action-")
        self.home = Path(self.temp.name).resolve()
        self.tree = self.home / "work"
        for folder in ("work/live/app", "bin", "answers", "temp"):
            (self.home / folder).mkdir(parents=True)
        (self.tree / "live/app/main.tf").write_text("")
        for name in ("tf-phi", "terraform"):
            self.program("bin/" + name)
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "one")
        self.base = self.git("rev-parse", "HEAD")
        repository = lambda name: {"repo": {"full_name": name}}
        request = {"number": 7, "base": {"sha": self.base, **repository("o/r")},
                   "head": repository("x/r" if fork else "o/r")}
        (self.home / "event.json").write_text(json.dumps({"pull_request": request} if event == "pull_request" else {}))
        for name in ("output", "summary", "env"):
            (self.home / name).write_text("")
        self.env = {
            "PATH": "%s:%s" % (self.home / "bin", os.environ["PATH"]), "HOME": str(self.home),
            "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(self.tree), "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(self.home / "event.json"), "GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "42",
            "GITHUB_OUTPUT": str(self.home / "output"), "GITHUB_STEP_SUMMARY": str(self.home / "summary"),
            "GITHUB_ENV": str(self.home / "env"), "GITHUB_SERVER_URL": "https://github.example",
            "GITHUB_ACTION_PATH": str(ROOT), "RUNNER_TEMP": str(self.home / "temp"),
            "PHI_TOKEN": TOKEN, "PHI_BINARY": "tf-phi", "PHI_DIRECTORY": "live/app", "DB_PASSWORD": SECRET,
        }

    def close(self):
        self.temp.cleanup()

    def program(self, path):
        path = self.home / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FAKE % {"here": str(self.home / "answers")})
        path.chmod(0o755)

    def git(self, *words, cwd=None):
        names = ["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "protocol.file.allow=always"]
        done = subprocess.run(["git", *names, *words], cwd=cwd or self.tree, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def answer(self, command, out="", status=0, err="", program="tf-phi"):
        out = out if isinstance(out, str) else json.dumps(out)
        for what, text in (("out", out), ("err", err), ("status", str(status))):
            (self.home / "answers" / ("%s.%s.%s" % (program, command, what))).write_text(text)

    def calls(self):
        path = self.home / "answers/calls"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def words(self, program, command):
        """The words of each call of a program's command."""
        return [words for name, words, _ in self.calls() if name == program and command in words]

    def run(self, step="run", **env):
        env = {**self.env, **env}
        done = subprocess.run([sys.executable, "-I", "-B", str(ACTION), step], env=env, capture_output=True, text=True,
                              cwd=self.tree, check=False, timeout=120)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr
        return self

    def file(self, name):
        return (self.home / name).read_text()

    def outputs(self):
        """The step's outputs, read as the runner reads them."""
        found, lines = {}, iter(self.file("output").splitlines())
        for line in lines:
            name, end = line.split("<<", 1)
            value = []
            for inner in lines:
                if inner == end:
                    break
                value.append(inner)
            found[name] = "\n".join(value)
        return found

    def orders(self):
        """The log's lines that the runner takes for orders."""
        found, stop = [], None
        for line in self.out.splitlines():
            if stop:
                stop = None if line == "::%s::" % stop else stop
            elif line.startswith("::stop-commands::"):
                stop = line[len("::stop-commands::"):]
            elif line.lstrip().startswith("::"):
                found.append(line)
        return found

    def everything(self):
        """All that leaves the step."""
        report = self.outputs().get("report", "")
        texts = [self.out, self.err, self.file("output"), self.file("summary"), self.file("env")]
        return "\n".join(texts + [Path(report).read_text() if report else ""])


class Api:
    """Comments of one pull request, as GitHub keeps them; `faults` are answered first."""

    def __init__(self, comments=(), user=None, faults=()):
        self.comments, self.user, self.faults, self.requests = list(comments), user, list(faults), []
        api = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = json.loads(self.rfile.read(length)) if length else None
                api.requests.append((self.command, self.path, body, self.headers.get("Authorization")))
                status, data, headers = api.handle(self.command, self.path, body)
                text = data if isinstance(data, bytes) else json.dumps(data).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Length": len(text)}.items():
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PATCH = answer

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = "http://127.0.0.1:%d" % self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def handle(self, method, path, body):
        if path == "/user":
            return (200, self.user, {}) if self.user else (403, {"message": "Resource not accessible"}, {})
        for fault in self.faults:
            if fault["method"] == method and fault.get("times", 1) > 0:
                fault["times"] = fault.get("times", 1) - 1
                if fault.get("done"):
                    self.write(method, path, body)
                return fault["status"], {}, fault.get("headers", {})
        if method == "GET":
            page = int((re.search(r"[?&]page=(\d+)", path) or [0, "1"])[1])
            shown = self.comments[(page - 1) * 2: page * 2]
            more = len(self.comments) > page * 2
            link = "<%s%s&page=%d>; rel=\"next\"" % (self.url, path.split("&page")[0], page + 1)
            return 200, shown, {"Link": link} if more else {}
        if len(body["body"]) > 65536:
            return 422, {"message": "body is too long"}, {}
        return (201 if method == "POST" else 200), self.write(method, path, body), {}

    def write(self, method, path, body):
        if method == "POST":
            new = {"id": 100 + len(self.comments), "body": body["body"], "user": {"type": "Bot", "login": "github-actions[bot]"}}
            self.comments.append(new)
            return new
        one = next(c for c in self.comments if c["id"] == int(path.rsplit("/", 1)[1]))
        one["body"] = body["body"]
        return one

    def writes(self):
        return [r for r in self.requests if r[0] != "GET"]
