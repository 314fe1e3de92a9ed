"""Runs `tf-phi trace --all --json` on every root module below some folders and counts. See scripts/coverage."""

import collections
import json
import os
import re
import subprocess
import sys

LIMIT = 60
SOURCE = re.compile(r'^\s*source\s*=\s*"(\.\.?/[^"]*)"', re.M)


def roots(top):
    """Folders with .tf files that no call below `top` names."""
    folders, called = set(), set()
    for folder, names, files in os.walk(top):
        names[:] = sorted(n for n in names if n not in (".git", ".terraform"))
        for name in files:
            if name.endswith(".tf"):
                folders.add(os.path.realpath(folder))
                with open(os.path.join(folder, name), errors="replace") as f:
                    for source in SOURCE.findall(f.read()):
                        called.add(os.path.realpath(os.path.join(folder, source)))
    return sorted(folders - called)


def count(tf_phi, root):
    """Results by name and codes of Unbounded in one root module; or what went wrong."""
    try:
        run = subprocess.run([tf_phi, f"-chdir={root}", "trace", "--all", "--json"],
                             capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None, "hangs"
    try:
        traces = json.loads(run.stdout)["traces"]
    except (ValueError, KeyError):
        lines = [l for l in run.stderr.splitlines() if l.strip()]
        return None, ("panics: " if "panicked" in run.stderr else "") + (lines[0] if lines else "no output")
    counts = collections.Counter()
    for trace in traces:
        counts[trace["result"]] += 1
        if trace["result"] == "unbounded":
            counts["code:" + trace["code"]] += 1
    return counts, None


def main():
    tf_phi, args = sys.argv[1], sys.argv[2:]
    each = "--roots" in args
    rows, failed, refused = [], False, []
    for top in (a for a in args if a != "--roots"):
        total, number = collections.Counter(), 0
        for root in roots(top):
            counts, wrong = count(tf_phi, root)
            name = os.path.join(os.path.basename(top.rstrip("/")), os.path.relpath(root, os.path.realpath(top)))
            if wrong:
                refused.append(f"{name}: {wrong}")
                failed |= wrong.startswith(("panics", "hangs"))
                continue
            number += 1
            total += counts
            if each:
                rows.append((name, 1, counts))
        if not each:
            rows.append((os.path.basename(top.rstrip("/")), number, total))
    codes = sorted({c for _, _, counts in rows for c in counts if c.startswith("code:")})
    head = ["tree", "root modules", "arguments", "Resolved", "Bounded", "Unbounded", "error"]
    print("| " + " | ".join(head + [c[5:] for c in codes]) + " |")
    print("|" + "---|" * (len(head) + len(codes)))
    for name, number, counts in rows:
        results = [counts[r] for r in ("resolved", "bounded", "unbounded", "error")]
        cells = [name, number, sum(results), *results, *(counts[c] for c in codes)]
        print("| " + " | ".join(map(str, cells)) + " |")
    for line in refused:
        print(f"\nnot read: {line}")
    sys.exit(1 if failed else 0)


main()
