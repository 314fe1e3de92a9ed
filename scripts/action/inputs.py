"""What the workflow asks for, judged before anything is done."""

import csv
import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import List

from runner import Fault

MODES = ("review", "plan", "check")
FAIL_ON = ("destroy", "replace", "change", "finding")
# Folders in which no root module stands.
SKIPPED = {".git", ".terraform", ".phi"}
# How the names of files end that are part of a module or a Stack.
SOURCES = tuple(end for name in (".tf", ".tofu") for end in (name, name + ".json"))
SOURCES += (".tfcomponent.hcl", ".tfcomponent.json", ".tfstack.hcl", ".tfstack.json", ".tfdeploy.hcl", ".tfdeploy.json")


@dataclass
class Inputs:
    """The inputs, with their defaults."""

    mode: str
    patterns: List[str]
    recursive: bool
    shard: str
    changed_since: str
    jobs: int
    environments: List[str]
    base: str
    plan: bool
    args: List[str]
    form_factor: str
    fail_on: List[str]
    comment: bool
    token: str = field(repr=False)
    version: str
    binary: str


def pull_request(runner):
    """The pull request that started the workflow, or nothing."""
    request = runner.event().get("pull_request")
    return request if isinstance(request, dict) else None


def is_fork(runner):
    """Whether the pull request comes from another repository, and its token may read alone."""
    request = pull_request(runner) or {}
    name = lambda side: ((request.get(side) or {}).get("repo") or {}).get("full_name")
    return bool(request) and name("head") != name("base")


def words(text):
    """Words of a list, separated by commas or line breaks."""
    return [w.strip() for w in re.split(r"[,\n]", text) if w.strip()]


def names(text):
    """Names as they stand, one a line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def folders(text):
    """Names of directories, separated by commas or line breaks. One whose name holds a comma stands in double quotes, doubled within: what is there has no say in it."""
    rows = csv.reader(text.splitlines(), skipinitialspace=True)
    return [word.strip() for row in rows for word in row if word.strip()]


def _choice(name, value, known):
    if value not in known:
        raise Fault("The input %s is %r. It can be one of: %s." % (name, value, ", ".join(known)))
    return value


def _plain(name, value):
    """A word that no program takes for an option."""
    if value.startswith("-") or any(ord(c) < 32 for c in value):
        raise Fault("The input %s is %r, which is no name." % (name, value))
    return value


def _like(name, value, pattern, wanted):
    if not re.fullmatch(pattern, value):
        raise Fault("The input %s is %r. It has to be %s." % (name, value, wanted))
    return value


def _yes(runner, name):
    return _choice(name, runner.get("PHI_" + name.upper(), "false").lower(), ("true", "false")) == "true"


def read(runner):
    """The inputs.

    Raises Fault where one can't be what it is.
    """
    try:
        args = shlex.split(runner.get("PHI_ARGS"))
    except ValueError as error:
        raise Fault("The input args can't be split into words: %s." % error) from None
    default = "review" if pull_request(runner) else "plan"
    return Inputs(
        mode=_choice("mode", runner.get("PHI_MODE", default), MODES),
        patterns=folders(runner.get("PHI_DIRECTORIES")) or names(runner.get("PHI_DIRECTORY", ".")),
        recursive=_yes(runner, "recursive"),
        shard=_like("shard", runner.get("PHI_SHARD"), r"([1-9]\d*/[1-9]\d*)?", "K/N, as 2/8"),
        changed_since=_plain("changed-since", runner.get("PHI_CHANGED_SINCE")),
        jobs=int(_like("jobs", runner.get("PHI_JOBS", "1"), r"[1-9]\d{0,3}", "a number from 1")),
        environments=[_plain("environments", w) for w in words(runner.get("PHI_ENVIRONMENTS"))],
        base=_plain("base", runner.get("PHI_BASE")),
        plan=_yes(runner, "plan"),
        args=args,
        form_factor=_plain("form-factor", runner.get("PHI_FORM_FACTOR")),
        fail_on=[_choice("fail-on", w, FAIL_ON) for w in words(runner.get("PHI_FAIL_ON"))],
        comment=_yes(runner, "comment"),
        token=runner.get("PHI_TOKEN"),
        version=_plain("version", runner.get("PHI_VERSION")).lstrip("v"),
        binary=_plain("tf-phi", runner.get("PHI_BINARY")),
    )


def is_pattern(text):
    """Whether a directory is named by a pattern."""
    return any(c in text for c in "*?[")


def is_source(name):
    """Whether a file of this name makes a directory a root module."""
    return name.endswith(SOURCES)


def directories(runner, inputs):
    """The directories, relative to the workspace, each once, in order.

    Raises Fault for one that isn't there, and for one outside of the workspace.
    """
    found = []
    root = runner.workspace
    for pattern in inputs.patterns:
        if os.path.isabs(pattern) or ".." in Path(pattern).parts:
            raise Fault("The directory %r is not named from the repository down." % pattern)
        named = _matching(root, pattern) if is_pattern(pattern) else [root / pattern]
        own = [p for p in map(Path, named) if p.is_dir() and not SKIPPED & set(p.relative_to(root).parts)]
        if is_pattern(pattern):
            own = [p for p in own if _is_root(p)]
        if not own:
            raise Fault("No directory %s%r." % ("with Terraform sources matches " if is_pattern(pattern) else "is called ", pattern))
        for path in own:
            if root not in (path.resolve(), *path.resolve().parents):
                raise Fault("The directory %s leads out of the repository." % path.relative_to(root))
            if path not in found:
                found.append(path)
    return [p.relative_to(root) for p in found]


def _matching(root, pattern):
    """What a pattern names. Unlike `glob.glob`, `**` follows no links: two that lead to their own folder would double it at each level."""
    hidden = [part.startswith(".") for part in Path(pattern).parts]
    try:
        found = sorted(root.glob(pattern))
    except ValueError as why:
        raise Fault("The pattern %r can't be used: %s." % (pattern, why)) from why
    if any(hidden):
        return found
    return [p for p in found if not any(part.startswith(".") for part in p.relative_to(root).parts)]


def _is_root(path):
    return any(is_source(p.name) for p in path.iterdir() if p.is_file())
