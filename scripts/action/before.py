"""The directories that the input's patterns named at the base and don't name any more: a change has no say in what is reviewed.

What is there still, under a link or with other sources, is reviewed. What can't be is a finding. Absent on purpose: what became of a
directory. A root module that was moved is gone, as long as no pattern names its new place; and that is compared with what it was.
"""

import fnmatch
import posixpath
from pathlib import Path

import repository
from inputs import SKIPPED, is_pattern, is_source
from runner import Fault

# The file mode of a link in a tree of Git's, and how many are followed in a row.
LINK, MOST_LINKS = "120000", 40


def lost(runner, inputs, found):
    """Directories to review besides those that were found, and what is to be said of those that are gone, as `tf-phi roots` says it.

    Raises Fault where the base can't be read.
    """
    patterns = [pattern for pattern in inputs.patterns if is_pattern(pattern)]
    more, gone = [], []
    for top in sorted({repository.owner(runner, directory) for directory in found}) if patterns else []:
        base = Base(runner, repository.fork_point(runner, top, repository.base(runner, inputs, top)), top)
        for directory in map(Path, sorted(base.named(patterns))):
            if directory in found or directory in more:
                continue
            why = why_gone(runner.workspace, directory)
            if why:
                summary = "%s was named by the directories at the base and is not any more" % directory
                gone.append({"directory": str(directory), "summary": summary, "why": why})
            else:
                more.append(directory)
    return more, gone


def why_gone(workspace, directory):
    """Why a directory can't be reviewed any more; nothing where it can."""
    path = workspace / directory
    if not path.is_dir():
        return "There is no directory of this name any more."
    real = path.resolve()
    if workspace not in (real, *real.parents) or SKIPPED & set(real.relative_to(workspace).parts):
        return "It leads to somewhere now where no root module stands."
    if not any(is_source(one.name) for one in path.iterdir() if one.is_file()):
        return "It holds no Terraform sources any more."
    return ""


class Base:
    """The tree of a repository's base, of which the workspace may be a part, or the other way round."""

    def __init__(self, runner, commit, top):
        self.runner, self.top = runner, top
        # The mode of each path, with the commit and the work tree that have it, and its path there.
        self.modes, self.places = {}, {}
        if not self.add(commit, top, ""):
            raise Fault("The base %s can't be listed." % commit)

    def add(self, commit, tree, below):
        """Adds a commit of a work tree, and those of its submodules that are there. Gives whether git could list it."""
        ran = repository.git(self.runner, "ls-tree", "-r", "-z", "--full-tree", commit, cwd=tree)
        if ran.status:
            self.runner.say(ran.err)
            return False
        for line in filter(None, ran.out.split("\0")):
            head, _, path = line.partition("\t")
            mode, _, name = head.split(" ")[:3]
            self.modes[posixpath.join(below, path)] = mode
            self.places[posixpath.join(below, path)] = (commit, tree, path)
            inner = Path(tree) / path
            # One that leads elsewhere isn't there.
            if mode == repository.SUBMODULE and (inner / ".git").exists() and inner.resolve() == inner:
                self.add(name, inner, posixpath.join(below, path))
        return True

    def named(self, patterns):
        """The directories with sources that patterns name, as the input names them."""
        folders = {posixpath.dirname(path) for path in self.modes if is_source(posixpath.basename(path))}
        is_named = lambda path: any(matches(self.shown(path), pattern) for pattern in patterns)
        links = {path for path, mode in self.modes.items() if mode == LINK and is_named(path)}
        return {self.shown(path) for path in folders | {link for link in links if self.target(link) in folders} if is_named(path)}

    def shown(self, path):
        """A path of the tree as the input names it."""
        return posixpath.relpath(posixpath.join(self.top, path), self.runner.workspace)

    def target(self, path):
        """What a link leads to at the base; nothing where that lies outside of the tree."""
        for _ in range(MOST_LINKS):
            if self.modes.get(path) != LINK:
                return path
            commit, tree, own = self.places[path]
            ran = repository.git(self.runner, "cat-file", "blob", "%s:%s" % (commit, own), cwd=tree)
            path = posixpath.normpath(posixpath.join(posixpath.dirname(path), ran.out))
            if ran.status or path.split("/")[0] in ("", ".."):
                return None
        return None


def matches(path, pattern):
    """Whether a pattern names a directory, as `inputs.directories` has it."""
    parts, wanted = Path(path).parts, Path(pattern).parts
    if ".." in parts or SKIPPED & set(parts):
        return False
    if not any(part.startswith(".") for part in wanted) and any(part.startswith(".") for part in parts):
        return False
    # The numbers of parts of the pattern that may come next.
    at = _skipped({0}, wanted)
    for part in parts:
        stays = {i for i in at if i < len(wanted) and wanted[i] == "**"}
        steps = {i + 1 for i in at if i < len(wanted) and wanted[i] != "**" and fnmatch.fnmatchcase(part, wanted[i])}
        at = _skipped(stays | steps, wanted)
    return len(wanted) in at


def _skipped(at, wanted):
    """The same with those behind each `**`, which may stand for no directory at all."""
    found = set(at)
    for i in range(len(wanted)):
        if i in found and wanted[i] == "**":
            found.add(i + 1)
    return found
