"""Pins every Bounded field of copies of real trees, writes, and puts back. See scripts/coverage --pins."""

import collections
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import coverage
import coverage_modules

ROUNDS = 12
WHY = "TF_PHI_COVERAGE_WHY" in os.environ
TERRAFORM = os.environ.get("TF_PHI_E2E_TERRAFORM", "terraform")
SHELF = None
META = {"count", "for_each", "lifecycle", "dynamic"}


def snapshot(folder):
    """Contents of every file by path; links by where they lead."""
    found = {}
    for at, names, files in os.walk(folder):
        names[:] = [n for n in names if n not in (".git", ".terraform")]
        for name in files:
            path = os.path.join(at, name)
            if os.path.islink(path):
                found[path] = os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as f:
                    found[path] = hashlib.sha256(f.read()).hexdigest()
    return found


def sources(found):
    """A snapshot without the history, which outlives the sources."""
    own = (os.path.join(".phi", "history.jsonl"), os.path.join(".phi", ".gitattributes"))
    return {path: text for path, text in found.items() if not path.endswith(own)}


def pinnable(trace):
    """The resource and the field of a Bounded trace that a pin can name; otherwise nothing."""
    parts = trace["field"].split(".")
    at = 0
    while parts[at] == "module":
        at += 2
    rest = parts[at:]
    if trace["result"] != "bounded" or len(rest) < 3 or rest[0] in ("data", "output", "provider", "ephemeral"):
        return None
    if rest[2] in META or any(p.isdigit() or p == "dynamic" for p in rest[2:]):
        return None
    return ".".join(parts[: at + 2]), ".".join(rest[2:])


def phi(pins):
    blocks = []
    for resource, fields in sorted(pins.items()):
        names = ", ".join(json.dumps(f) for f in sorted(fields))
        blocks.append(f"specialize {json.dumps(resource)} {{\n  fields = [{names}]\n}}\n")
    return "\n".join(blocks)


def issues(text):
    try:
        return json.loads(text)["issues"]
    except (ValueError, KeyError):
        pass
    for line in text.splitlines():
        try:
            return json.loads(line)["issues"]
        except (ValueError, KeyError, TypeError):
            continue
    return []


def tf_phi(program, root, *args):
    done = subprocess.run([program, f"-chdir={root}", *args], capture_output=True, text=True,
                          timeout=coverage.LIMIT, stdin=subprocess.DEVNULL)
    if "panicked" in done.stderr:
        raise AssertionError("panics: " + done.stderr.splitlines()[0])
    return done


def errors(done):
    found = [i for d in json.loads(done.stdout or "{}").get("directories", []) for i in d.get("issues", [])]
    return [i for i in found or issues(done.stdout) or issues(done.stderr) if i["severity"] == "error"]


def why(root, issue):
    """Shows a refusal, where these are asked for."""
    if WHY:
        place = f"{issue.get('file', '')}:{issue.get('line', '')}"
        text = f"refused {os.path.relpath(root, TOP)} {place}: {issue['code']}: {issue['summary']}: {issue.get('why', '')}"
        print(text[:400], file=sys.stderr)


def accepted(program, root, pins, refused):
    """Writes the pins that can be had; the others are counted by code. Whether anything was written."""
    for _ in range(ROUNDS):
        if not pins:
            return False
        with open(os.path.join(root, "phi.hcl"), "w") as f:
            f.write(phi(pins))
        done = tf_phi(program, root, "check", "--fix", "--format", "json")
        if done.returncode == 0:
            return True
        found = errors(done)
        dropped = 0
        for issue in found:
            field = issue.get("field", "")
            for resource, fields in list(pins.items()):
                hit = {f for f in fields if f"{resource}.{f}" == field} or (fields if resource == field else set())
                if hit:
                    why(root, issue)
                    refused[issue["code"]] += len(hit)
                    dropped += len(hit)
                    pins[resource] = fields - hit
                    if not pins[resource]:
                        del pins[resource]
        if not dropped and len(pins) == 1:
            found and why(root, found[0])
            refused["/".join(sorted({i["code"] for i in found} or {"?"}))] += sum(map(len, pins.values()))
            return False
        if not dropped:
            # No field is named. Each pin by itself tells whose fault it is.
            for resource in sorted(pins):
                with open(os.path.join(root, "phi.hcl"), "w") as f:
                    f.write(phi({resource: pins[resource]}))
                alone = tf_phi(program, root, "check", "--format", "json")
                if alone.returncode not in (0, 3):
                    code = "/".join(sorted({i["code"] for i in errors(alone)} or {"?"}))
                    why(root, (errors(alone) or found)[0])
                    refused[code] += len(pins[resource])
                    dropped += len(pins.pop(resource))
            if not dropped:
                refused["together"] += sum(map(len, pins.values()))
                return False
    return False


def rounds(pins):
    """Pins of one field a resource, until every field had its turn: people pin one or two, and not all that there are."""
    left = {resource: sorted(fields) for resource, fields in pins.items()}
    while left:
        yield {resource: {fields[0]} for resource, fields in left.items()}
        left = {resource: fields[1:] for resource, fields in left.items() if fields[1:]}


def put_back(root, text):
    path = os.path.join(root, "phi.hcl")
    if text is not None:
        with open(path, "wb") as f:
            f.write(text)
    elif os.path.exists(path):
        os.remove(path)


def one(program, root, refused):
    """What is wrong with one root module, in words; how many Bounded fields there were, and how many were written."""
    own = None
    if os.path.exists(os.path.join(root, "phi.hcl")):
        with open(os.path.join(root, "phi.hcl"), "rb") as f:
            own = f.read()
    if os.path.exists(os.path.join(root, ".phi")):
        return None, 0, 0
    if SHELF:
        SHELF.install(root)
    found, wrong, _, _ = coverage.traces(program, root)
    if wrong:
        return None, 0, 0
    pins = collections.defaultdict(set)
    for trace in found:
        pin = pinnable(trace)
        if pin:
            pins[pin[0]].add(pin[1])
    wanted, written = sum(map(len, pins.values())), 0
    try:
        for some in rounds(pins):
            wrong, fields = written_and_back(program, root, own, some, refused)
            written += fields
            if wrong:
                return wrong, wanted, written
    finally:
        put_back(root, own)
        shutil.rmtree(os.path.join(root, ".terraform"), ignore_errors=True)
    return None, wanted, written


def unformatted(files):
    """Which of some files `terraform fmt` would change, and what it says of files that it can't read."""
    listed, said = set(), ""
    for at in range(0, len(files), 500):
        ran = subprocess.run([TERRAFORM, "fmt", "-write=false", "-list=true", *files[at : at + 500]],
                             capture_output=True, text=True)
        listed.update(ran.stdout.splitlines())
        said += ran.stderr if ran.returncode else ""
    return listed, said


def written_and_back(program, root, own, pins, refused):
    """Writes some pins, looks at what was written, writes again and puts back: what is wrong, and how many fields were written."""
    before = snapshot(TOP)
    if not accepted(program, root, pins, refused):
        put_back(root, own)
        return ("changed although refused" if sources(snapshot(TOP)) != sources(before) else None), 0
    written = snapshot(TOP)
    fields = sum(map(len, pins.values()))
    # Only what was written: the trees hold files that never parsed.
    changed = [p for p in written if written[p] != before.get(p) and p.endswith(".tf")]
    if changed:
        odd, wrong = unformatted(changed)
        if wrong:
            return "does not parse: " + wrong[:300], fields
        # A copy of an unformatted file is as unformatted.
        made = {p for p in odd if p not in before}
        odd = sorted(p for p in odd if p not in UNFORMATTED and (p not in made or not UNFORMATTED))
        if odd:
            return f"fmt would change what was written: {odd[:3]}", fields
    again = tf_phi(program, root, "check", "--fix")
    if again.returncode or snapshot(TOP) != written:
        return "a second run changes something: " + again.stdout[-200:], fields
    back = tf_phi(program, root, "restore")
    put_back(root, own)
    after = sources(snapshot(TOP))
    if back.returncode or after != sources(before):
        odd = [p for p in set(before) | set(after) if before.get(p) != after.get(p)]
        return f"restore is not exact: {odd[:3]} {back.stderr[:200]}", fields
    return None, fields


def main():
    global TOP, UNFORMATTED, SHELF
    program, tops = sys.argv[1], sys.argv[2:]
    aside = tempfile.TemporaryDirectory()
    if tops[:1] == ["--modules"]:
        SHELF, tops = coverage_modules.Shelf(os.path.abspath(tops[1]), aside.name), tops[2:]
    bad, all_wanted, all_done, all_refused = 0, 0, 0, collections.Counter()
    print("| tree | folders | Bounded fields | specialised | refused by code |\n|---|---|---|---|---|")
    for top in tops:
        refused, total, done, number = collections.Counter(), 0, 0, 0
        with tempfile.TemporaryDirectory() as scratch:
            TOP = os.path.join(os.path.realpath(scratch), "tree")
            shutil.copytree(top, TOP, symlinks=True, ignore=shutil.ignore_patterns(".git", ".terraform"))
            UNFORMATTED = unformatted([p for p in snapshot(TOP) if p.endswith(".tf")])[0]
            # A called module by itself is a configuration as well.
            for root in coverage.roots(TOP, called_too=True):
                try:
                    wrong, wanted, fields = one(program, root, refused)
                except (AssertionError, subprocess.TimeoutExpired) as e:
                    wrong, wanted, fields = str(e), 0, 0
                if wrong:
                    bad += 1
                    print(f"WRONG {os.path.relpath(root, TOP)}: {wrong}", file=sys.stderr)
                    shutil.rmtree(TOP)
                    shutil.copytree(top, TOP, symlinks=True, ignore=shutil.ignore_patterns(".git", ".terraform"))
                number += wanted > 0
                total += wanted
                done += fields
        codes = ", ".join(f"{code} {n}" for code, n in refused.most_common())
        name = re.sub(r"^.*/", "", top.rstrip("/"))
        print(f"| {name} | {number} | {total} | {done} | {codes} |", flush=True)
        all_wanted, all_done = all_wanted + total, all_done + done
        all_refused.update(refused)
    codes = ", ".join(f"{code} {n}" for code, n in all_refused.most_common())
    print(f"| **all** | | {all_wanted} | {all_done} | {codes} |")
    if SHELF and SHELF.missing:
        print("\nnot at hand: " + ", ".join(sorted(SHELF.missing)))
    sys.exit(1 if bad else 0)


main()
