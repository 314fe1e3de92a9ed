"""The runner's side: its environment, log, files and processes.

Invariants: whatever leaves here has lost the values of secrets; what a program prints is never taken for an order by the log's
service; what goes into a file of the runner ends where a random delimiter says.
"""

import base64
import html
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import threading
import unicodedata
import urllib.parse
from pathlib import Path

# A variable of such a name holds a secret: these words anywhere, and others as one of its words. `PWD` itself is a folder.
SECRET = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|PASSCODE|CREDENTIAL|PRIVATE|(API|ACCESS)_?KEY"
    r"|KEYS?$|KEYS?_(B64|BASE64|PEM|JSON|DATA|VALUE|MATERIAL|CONTENTS?)$"
    r"|(^|[_-])(PASS|PAT|SAS)([_-]|$)|[_-]PWD([_-]|$)|(^|[_-])AUTH$|AUTH_(CONFIG|HEADER|STRING)|CONN(ECTION)?_?STR",
    re.I,
)
# A shorter value is a word that stands in many texts.
SHORTEST_SECRET = 8
# No program is to see these: the token, and the files by which a step tells the runner what to do.
WITHHELD = re.compile(r"^(PHI_|ACTIONS_RUNTIME|GITHUB_(ENV|PATH|OUTPUT|STATE|STEP_SUMMARY|TOKEN)$)")
# What a job summary may hold, in bytes, less what the end needs.
SUMMARY = 1024 * 1024 - 4096


# How text is written within another text: JSON, Terraform's strings, a shell's, HTML, addresses, a workflow's commands, our own Markdown.
ENCODERS = [
    lambda text: json.dumps(text)[1:-1],
    lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    # As Go has it.
    lambda text: "".join("\\u%04x" % ord(c) if c in "<>&\u2028\u2029" else c for c in json.dumps(text, ensure_ascii=False)[1:-1]),
    lambda text: text.replace("${", "$${").replace("%{", "%%{"),
    lambda text: text.replace("'", "'\\''"),
    html.escape,
    lambda text: html.escape(text, quote=False),
    urllib.parse.quote,
    lambda text: urllib.parse.quote(text, safe=""),
    urllib.parse.quote_plus,
    lambda text: text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"),
    lambda text: "".join(c if ord(c) >= 32 or c in "\n\t" else "\\u{%x}" % ord(c) for c in text),
    lambda text: Runner.text(text),
    lambda text: base64.b64encode(text.encode()).decode(),
    lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
]


def forms(value):
    """A secret as it may stand in what leaves: whole, by its lines, without the space around it, in every encoding, and that encoded again."""
    pieces = {value, value.strip(), " ".join(value.split()), *value.splitlines(), *(line.strip() for line in value.splitlines())}
    pieces = {piece for piece in pieces if len(piece) >= SHORTEST_SECRET}
    once = {encode(piece) for piece in pieces for encode in ENCODERS}
    twice = {encode(piece) for piece in once for encode in ENCODERS}
    basic = {base64.b64encode(("x-access-token:" + piece).encode()).decode() for piece in pieces}
    return pieces | once | twice | basic


class Fault(Exception):
    """Something that stops the step. The text says what, and how it is put right."""


class Ran:
    """A program that ended: status, and what it printed."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


class Runner:
    """What a step of a workflow may ask and tell."""

    def __init__(self, env=None):
        self.env = dict(os.environ if env is None else env)
        found = [v for k, v in self.env.items() if SECRET.search(k) and len(v) >= SHORTEST_SECRET]
        # The longest first, so that none is cut by a part of it.
        self.secrets = sorted({form for value in found for form in forms(value)}, key=len, reverse=True)
        self.annotated = {"error": 0, "warning": 0, "notice": 0}
        # What one has to say in the log stands together.
        self.log = threading.RLock()

    def get(self, name, default=""):
        return self.env.get(name, "").strip() or default

    @property
    def workspace(self):
        return Path(self.get("GITHUB_WORKSPACE", ".")).resolve()

    def event(self):
        """The event that started the workflow; empty where there is none."""
        path = self.get("GITHUB_EVENT_PATH")
        try:
            with open(path, encoding="utf-8") as file:
                event = json.load(file)
        except (OSError, ValueError):
            return {}
        return event if isinstance(event, dict) else {}

    # What leaves.

    def without_secrets(self, text):
        """The text with something else in place of secrets."""
        for secret in self.secrets:
            text = text.replace(secret, "***")
        return text

    def masked(self, data):
        """Data without secrets. What is encoded afterwards holds none that the encoding would hide."""
        if isinstance(data, str):
            return self.without_secrets(data)
        if isinstance(data, list):
            return [self.masked(one) for one in data]
        if isinstance(data, dict):
            return {self.masked(name): self.masked(one) for name, one in data.items()}
        return data

    def clean(self, text):
        """Without secrets, and without characters that hide or reorder text."""
        text = self.without_secrets(text)
        shown = lambda c: c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
        return "".join(c if shown(c) else "\\u{%x}" % ord(c) for c in text.replace("\r\n", "\n"))

    def say(self, text):
        """Text of other programs in the log, where no line of it is an order."""
        text = self.clean(text)
        if text.strip():
            stop = secrets.token_hex(16)
            with self.log:
                print("::stop-commands::%s\n%s\n::%s::" % (stop, text.rstrip("\n"), stop), flush=True)

    def annotate(self, level, message, file="", line=None, title="tf-phi"):
        """An annotation; GitHub shows ten of each level in a step."""
        with self.log:
            self.annotated[level] += 1
            if self.annotated[level] > 10:
                return
            self._annotated(level, message, file, line, title)

    def _annotated(self, level, message, file, line, title):
        data = lambda t: self.clean(t).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
        part = lambda t: data(str(t)).replace(":", "%3A").replace(",", "%2C")
        where = ["file=" + part(file)] if file else []
        where += ["line=%d" % line] if file and isinstance(line, int) else []
        print("::%s %s::%s" % (level, ",".join(where + ["title=" + part(title)]), data(message)), flush=True)

    def output(self, name, value):
        """An output of the step."""
        self._append("GITHUB_OUTPUT", self.assigned(name, self.clean(str(value))))

    @staticmethod
    def assigned(name, value):
        """A value in the runner's form, ended by what nobody can guess."""
        end = "end-" + secrets.token_hex(16)
        return "%s<<%s\n%s\n%s\n" % (name, end, value, end)

    def summary(self, markdown):
        """Adds to the job summary."""
        self._append("GITHUB_STEP_SUMMARY", self.clean(markdown).rstrip("\n") + "\n")

    def _append(self, variable, text):
        path = self.get(variable)
        if path:
            with open(path, "a", encoding="utf-8") as file:
                file.write(text)

    @staticmethod
    def text(text):
        """Text in Markdown that is nothing but text: no link, no tag. Mentions count outside of code, so that what comes from a
        tree stands in [`Runner.code`]."""
        plain = lambda c: c.isalnum() or c in " ,-\n"
        return "".join(c if plain(c) else "&#%d;" % ord(c) for c in text)

    def code(self, text, most=120):
        """Text as code within a line or the cell of a table."""
        text = " ".join(self.clean(text).split())
        text = text if len(text) <= most else text[: most - 1] + "…"
        return "<code>%s</code>" % self.text(text) if text else ""

    # Programs.

    def child_env(self, extra=None):
        env = {k: v for k, v in self.env.items() if not WITHHELD.search(k)}
        env["PATH"] = self.path
        env.update(extra or {})
        return env

    def start(self, words, cwd=None, extra=None, timeout=None):
        """Runs a program without input. Its output is kept, and printed by nobody else."""
        program = self.which(str(words[0]))
        if not program:
            raise Fault("%s can't be run: there is no such program on PATH" % words[0])
        try:
            done = subprocess.run(
                [program, *(str(w) for w in words[1:])], cwd=cwd or self.workspace, env=self.child_env(extra), timeout=timeout,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Fault("%s can't be run: %s" % (words[0], error)) from None
        text = lambda b: b.decode("utf-8", "replace")
        return Ran(done.returncode, text(done.stdout), text(done.stderr))

    @property
    def path(self):
        """Folders of programs. What counts from the working directory is the tree's."""
        return os.pathsep.join(p for p in self.env.get("PATH", "").split(os.pathsep) if os.path.isabs(p))

    def which(self, name):
        """The program of a name, or at an absolute path; nothing where there is none."""
        if os.path.isabs(name):
            return name if os.access(name, os.X_OK) and os.path.isfile(name) else None
        # A name alone is looked for in folders alone.
        return None if os.sep in name else shutil.which(name, path=self.path or os.devnull)

    def terraform(self):
        """The Terraform to use; nothing where there is none.

        The wrapper of `hashicorp/setup-terraform` adds lines of its own to what Terraform prints, so that the binary beside it
        is taken.
        """
        named = self.get("PHI_TERRAFORM")
        if named and os.sep in named:
            named = str((self.workspace / named).resolve())
        found = self.which(named) if named else self.which("terraform") or self.which("tofu")
        if not found:
            if named:
                raise Fault("The input terraform names %s, and there is no such program." % named)
            return None
        beside = [self.get("TERRAFORM_CLI_PATH"), os.path.dirname(found)]
        real = [os.path.join(folder, "terraform-bin") for folder in beside if folder]
        if os.path.basename(found) == "terraform":
            found = next((p for p in real if os.access(p, os.X_OK)), found)
        return os.path.abspath(found)




def log(text):
    """A line of the action's own."""
    print(text, file=sys.stderr, flush=True)
