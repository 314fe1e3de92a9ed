"""Runs `tf-phi trace --all --json` on every root module below some folders and counts. See scripts/coverage."""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time

LIMIT = 60
SOURCE = re.compile(r'^\s*source\s*=\s*"(\.\.?/[^"]*)"', re.M)
EMPTY = re.compile("never has (an instance|an entry|a value)")
COLUMNS = ["resolved", "bounded", "unbounded", "error"]


def roots(top, called_too=False):
    """Folders with .tf files that no call below `top` names; or all of them."""
    folders, called = set(), set()
    for folder, names, files in os.walk(top):
        names[:] = sorted(n for n in names if n not in (".git", ".terraform"))
        for name in files:
            # A link that leads nowhere is no source.
            if name.endswith(".tf") and os.path.isfile(os.path.join(folder, name)):
                folders.add(os.path.realpath(folder))
                with open(os.path.join(folder, name), errors="replace") as f:
                    for source in SOURCE.findall(f.read()):
                        called.add(os.path.realpath(os.path.join(folder, source)))
    return sorted(folders if called_too else folders - called)


def run(command):
    """Output, errors, seconds and peak memory in MiB; no output where it takes too long."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
        while True:
            pid, _, used = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() - began > LIMIT:
                child.kill()
                os.wait4(child.pid, 0)
                return None, "", LIMIT, 0
            time.sleep(0.002)
        child.returncode = 0
        out.seek(0)
        err.seek(0)
        text = out.read().decode(errors="replace"), err.read().decode(errors="replace")
    return *text, time.monotonic() - began, used.ru_maxrss / 1024


def traces(tf_phi, root):
    """The traces of one root module, or what went wrong; and seconds and MiB."""
    out, err, seconds, memory = run([tf_phi, f"-chdir={root}", "trace", "--all", "--json"])
    if out is None:
        return None, "hangs", seconds, memory
    try:
        document = json.loads(out)
        return document["traces"], None, seconds, memory
    except KeyError:
        issue = document["issues"][-1]
        wrong = f"{issue['code']}: {issue['summary']} ({issue.get('file', '')})"
    except ValueError:
        lines = [line for line in err.splitlines() if line.strip()]
        wrong = ("panics: " if "panicked" in err else "") + (lines[0] if lines else "no output")
        try:
            issue = json.loads(lines[0])["issues"][-1]
            wrong = f"{issue['code']}: {issue['summary']} ({issue.get('file', '')}:{issue.get('line', '')})"
        except (ValueError, KeyError, IndexError):
            pass
    return None, wrong, seconds, memory


def classified(trace):
    """The column of a trace besides its result: the code, or that nothing is there, of a resource, call or dynamic block."""
    if trace["result"] != "unbounded":
        return None
    return "no instance" if EMPTY.search(trace["reason"]) else trace["code"]


def main():
    tf_phi, args = sys.argv[1], sys.argv[2:]
    each = "--roots" in args
    rows, failed, refused = [], False, []
    for top in (a for a in args if a != "--roots"):
        total, number, slowest, largest = collections.Counter(), 0, 0.0, 0.0
        for root in roots(top):
            found, wrong, seconds, memory = traces(tf_phi, root)
            name = os.path.join(os.path.basename(top.rstrip("/")), os.path.relpath(root, os.path.realpath(top)))
            if wrong:
                refused.append(f"{name}: {wrong}")
                failed |= wrong.startswith(("panics", "hangs"))
                continue
            counts = collections.Counter(t["result"] for t in found)
            counts.update("code:" + c for c in map(classified, found) if c)
            number += 1
            total += counts
            slowest, largest = max(slowest, seconds), max(largest, memory)
            if each:
                rows.append((name, 1, counts, seconds, memory))
        if not each:
            rows.append((os.path.basename(top.rstrip("/")), number, total, slowest, largest))
    codes = sorted({c for row in rows for c in row[2] if c.startswith("code:")})
    head = ["tree", "root modules", "arguments", *(c.capitalize() if c != "error" else c for c in COLUMNS)]
    head += [c[5:] for c in codes] + ["s", "MiB"]
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for name, number, counts, seconds, memory in rows:
        results = [counts[r] for r in COLUMNS]
        cells = [name, number, sum(results), *results, *(counts[c] for c in codes)]
        print("| " + " | ".join(map(str, cells)) + f" | {seconds:.2f} | {memory:.0f} |")
    for line in refused:
        print(f"\nnot read: {line}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
