"""The measure of `scripts/screens`: how many lines a person reads of the review of a commit."""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

PHI = os.environ["TF_PHI"]
# A terminal has so many lines.
SCREEN = 24
ENV = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "PHI_", "GIT_"))} | {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "NO_COLOR": "1"}
# A review of a commit takes no longer.
SECONDS = 300


def git(folder, *words):
    done = subprocess.run(["git", "-C", str(folder), *words], env=ENV, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise SystemExit("git %s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def commits(clone, most):
    """The last commits with a parent that take lines out of `.tf` files and put some in, with how many that are."""
    out = []
    for line in git(clone, "log", "--no-merges", "--format=%H %P", "-n", str(20 * most), "--", "*.tf").splitlines():
        commit, *parents = line.split()
        if len(parents) != 1:
            continue
        counts = [row.split("\t") for row in git(clone, "diff", "--numstat", "--no-renames", parents[0], commit, "--", "*.tf", "*.tfvars").splitlines()]
        added, gone = (sum(int(row[at]) for row in counts if row[at].isdigit()) for at in (0, 1))
        if added and gone:
            out.append((commit, parents[0], added + gone))
        if len(out) == most:
            break
    return out


def review(clone, parent, form):
    words = [PHI, "review", "--recursive", "--base", parent, "--base-exact", "--changed-since", parent, "--format", form]
    try:
        done = subprocess.run(words, cwd=clone, env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout


def rows(document):
    """Values and instances that differ, and what isn't compared, over all roots and environments."""
    found = 0
    for root in document.get("roots", [document]):
        for env in root.get("environments", []):
            found += len(env["values"]) + len(env["instances"]) + len(env.get("uncompared", []))
    return found


def measured(clone, most, keep):
    out = []
    for commit, parent, edited in commits(clone, most):
        # A partial clone may lack a file.
        if subprocess.run(["git", "-C", str(clone), "checkout", "-q", "-f", commit], env=ENV, capture_output=True).returncode:
            continue
        text, document = review(clone, parent, "text"), review(clone, parent, "json")
        if text is None or not document:
            print("  %s takes too long, or gives nothing" % commit[:10], flush=True)
            continue
        if keep:
            (keep / (commit[:10] + ".txt")).write_text(text)
            (keep / (commit[:10] + ".json")).write_text(document)
            (keep / (commit[:10] + ".diff")).write_text(git(clone, "diff", parent, commit))
        out.append((len(text.splitlines()), rows(json.loads(document)), edited, commit[:10]))
    return out


def name_of(source):
    """A repository's name, of a folder `OWNER+NAME/repo` as well."""
    path = pathlib.Path(source)
    return path.parent.name.replace("+", "/") if path.name in ("repo", "repo.git") else path.name


def cloned(source, folder):
    """A clone in the folder, of which nothing is checked out."""
    path, clone = pathlib.Path(source), pathlib.Path(folder) / "clone"
    shared = ["--shared"] if path.exists() else []
    # What a shared clone has lies with its source.
    objects = [path / "objects", path / ".git" / "objects"]
    ENV["TF_PHI_TRUSTED_DIRS"] = ":".join(str(at.resolve()) for at in objects if at.exists())
    subprocess.run(["git", "clone", "-q", "--no-checkout", *shared, source, str(clone)], env=ENV, check=True)
    return clone


def said(name, all_of):
    cells = [name, str(len(all_of))]
    for at in (2, 1, 0):
        one = sorted(row[at] for row in all_of)
        cells.append("%d / %d / %d" % (statistics.median(one), one[min(len(one) - 1, len(one) * 9 // 10)], one[-1]))
    cells.append(str(sum(row[0] <= SCREEN for row in all_of)))
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commits", type=int, default=30)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("repositories", nargs="+")
    given = parser.parse_args()
    print("| repository | commits | lines edited (median / p90 / most) | rows of the JSON | lines of the text | fit a screen |\n|---|---|---|---|---|---|", flush=True)
    every = []
    for source in given.repositories:
        name = name_of(source)
        with tempfile.TemporaryDirectory() as folder:
            clone = cloned(source, folder)
            keep = given.keep and given.keep / name.replace("/", "+")
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
            found = measured(clone, given.commits, keep)
        if found:
            said(name, found)
            every.extend(found)
    if every:
        said("all", every)
        print("\nThe longest: " + ", ".join("%s %d lines" % (row[3], row[0]) for row in sorted(every, reverse=True)[:10]))


if __name__ == "__main__":
    main()
