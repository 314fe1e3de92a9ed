"""The measure of `scripts/commits`: what the reviews of real commits say, and how much a person reads of them."""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import tempfile
import time

from commits_told import COLUMNS, said, told
from commits_tokens import is_layout
from screens import ENV, PHI, cloned, git, name_of

# As the action has it where there is no plan: what nobody committed is no part of a tree.
ENV["TF_PHI_TRACKED_ONLY"] = "1"
WATCHED = ["--", "*.tf", "*.tfvars"]
SECONDS = 600
AUTHOR = ["-c", "user.name=a", "-c", "user.email=a@a", "-c", "core.hooksPath=/dev/null"]


def commits(clone, most):
    """The last commits with one parent that edit lines of the files."""
    lines = git(clone, "log", "--no-merges", "--format=%H %P", "-n", str(most + 20), *WATCHED).splitlines()
    return [tuple(line.split()) for line in lines if len(line.split()) == 2][:most]


def missing(clone):
    """The objects that a snapshot lacks."""
    return {line[1:] for line in git(clone, "rev-list", "--objects", "--all", "--missing=print").splitlines() if line.startswith("?")}


def whole(clone, commit, lacks, parents):
    """The commit; where it has files that the clone lacks, another one with a text of its own for each of them."""
    files = [line.split("\t", 1) for line in git(clone, "ls-tree", "-rz", commit).split("\0") if line]
    files = [(*facts.split(), path) for facts, path in files if facts.split()[2] in lacks]
    if not files and not parents:
        return commit
    git(clone, "read-tree", commit)
    for mode, _, blob, path in files:
        text = clone / ".git" / "placeholder"
        text.write_text(blob)
        git(clone, "update-index", "--cacheinfo", mode, git(clone, "hash-object", "-w", str(text)).strip(), path)
    above = [word for parent in parents for word in ("-p", parent)]
    return git(clone, *AUTHOR, "commit-tree", "-m", "m", *above, git(clone, "write-tree").strip()).strip()


def review(clone, parent):
    """Status, both outputs, seconds and MiB; no status where it takes too long."""
    words = ["timeout", str(SECONDS), PHI, "review", "--recursive", "--base", parent, "--changed-since", parent]
    began = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(words, cwd=clone, env=ENV, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        texts = [file.read().decode(errors="replace") for file in (out, err)]
        return child.returncode, *texts, time.monotonic() - began, used.ru_maxrss / 1024


def is_comment_alone(clone, parent, commit):
    """True if Terraform's files have the same tokens as before, and no file but prose is edited besides."""
    for name in git(clone, "diff", "--name-only", "--no-renames", "-z", parent, commit).split("\0"):
        if not name or name.endswith(".md"):
            continue
        sides = [subprocess.run(["git", "-C", str(clone), "show", "%s:%s" % (at, name)], env=ENV, capture_output=True) for at in (parent, commit)]
        if not name.endswith((".tf", ".tfvars")) or any(side.returncode for side in sides):
            return False
        if not is_layout(*(side.stdout.decode(errors="replace") for side in sides)):
            return False
    return True


def judged(clone, name, commit, parent, keep):
    status, text, err, seconds, memory = review(clone, parent)
    found = {"commit": name, **told(status, text, err), "comments": is_comment_alone(clone, parent, commit), "seconds": seconds, "memory": memory}
    if keep:
        for ending, kept in (("txt", text), ("err", err), ("diff", git(clone, "show", "--no-renames", commit))):
            (keep / ("%s.%s" % (name[:10], ending))).write_text(kept)
        with (keep / "found.jsonl").open("a") as file:
            print(json.dumps(found), file=file)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=200)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("repositories", nargs="+")
    given = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |\n" + "|---" * len(COLUMNS) + "|", flush=True)
    every, reasons = [], collections.Counter()
    for source in given.repositories:
        keep = given.keep and (given.keep / name_of(source).replace("/", "+")).resolve()
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            clone = cloned(source, folder)
            lacks, found = missing(clone), []
            for commit, parent in commits(clone, given.commits):
                base = whole(clone, parent, lacks, [])
                head = whole(clone, commit, lacks, [] if base == parent else [base])
                git(clone, "checkout", "-q", "-f", head)
                git(clone, "clean", "-q", "-f", "-d", "-x")
                found.append(judged(clone, commit, head, base, keep))
        if found:
            said(name_of(source), found)
            every.extend(found)
            reasons.update(reason for one in found for reason in one["reasons"])
    if len(given.repositories) > 1 and every:
        said("all", every)
    for reason, count in reasons.most_common():
        print("\n%d: %s" % (count, reason))


if __name__ == "__main__":
    main()
