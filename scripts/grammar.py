"""The judge of `scripts/grammar`: plans of each tree and of its specialised form by a real Terraform, compared value by value."""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from grammar_follow import follow_declaration  # noqa: E402
from grammar_gen import Tree  # noqa: E402

TERRAFORM = os.environ.get("TF_PHI_E2E_TERRAFORM", "terraform")
PHI = os.environ.get("TF_PHI", "target/debug/tf-phi")
ENV = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "PHI_"))} | {
    "TF_CLI_CONFIG_FILE": "", "CHECKPOINT_DISABLE": "1", "TF_PHI_TERRAFORM": TERRAFORM, "NO_COLOR": "1",
    "GOGC": "off", "GOMEMLIMIT": "512MiB", "GOMAXPROCS": "1"}


def run(program, args, folder):
    try:
        ran = subprocess.run([program, *args], cwd=folder, env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired as late:
        raise Found("late", f"{program} {args} takes more than {SECONDS} s") from late
    return ran.returncode, ran.stdout, ran.stderr


# The version of Terraform is 1.MINOR.
MINOR = 99


def serve(program):
    """Starts the provider of nested blocks, which ends with its input."""
    args = [program] + (["--no-secret"] if MINOR < 11 else [])
    provider = subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    ENV["TF_REATTACH_PROVIDERS"] = provider.stdout.readline().strip()


def write(folder, files):
    for path, text in files.items():
        path = folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def install(folder, files):
    """The list of modules that `terraform get` would write."""
    found = [{"Key": "", "Source": "", "Dir": "."}]

    def below(key, directory):
        for path, text in files.items():
            own = str(pathlib.PurePath(path).parent)
            if own == directory and path.endswith((".tf", ".tf.json")):
                calls = re.findall(r'^module "(\w+)" \{\s+source\s+= "([^"]+)"', text, re.M)
                if path.endswith(".json"):
                    calls = [(name, call["source"]) for name, call in json.loads(text).get("module", {}).items()]
                for name, source in calls:
                    to = os.path.normpath(os.path.join(directory, source))
                    found.append({"Key": f"{key}{name}", "Source": source, "Dir": to})
                    below(f"{key}{name}.", to)

    below("", ".")
    (folder / ".terraform/modules").mkdir(parents=True)
    (folder / ".terraform/modules/modules.json").write_text(json.dumps({"Modules": found}))


def errors(text):
    return sorted(set(re.findall(r"^(?:│ )?Error: (.*)$", text, re.M)))


# What was done, and how often.
COUNTED = collections.Counter()

# A tree takes a tenth of a second; beside other work, more.
SECONDS = 120

UNKNOWN = "(known after apply)"


def with_unknown(value, unknown):
    """A planned value with a mark where it is known after apply."""
    if unknown is True:
        return UNKNOWN
    if isinstance(unknown, dict):
        value = dict(value or {})
        for name, inner in unknown.items():
            value[name] = with_unknown(value.get(name), inner)
    if isinstance(unknown, list):
        value = list(value or []) + [None] * (len(unknown) - len(value or []))
        return [with_unknown(v, u) for v, u in zip(value, unknown)] + value[len(unknown):]
    return value


COPY = re.compile(r"\b([a-z]\d+)_\w+")


def seen(plan):
    """What a plan holds, whatever the names of copies are."""
    objects = collections.defaultdict(list)
    for change in plan.get("resource_changes", []):
        name = COPY.sub(r"\1", change["address"])
        name = re.sub(r"\[[^\]]*\]", "", name)
        after = change["change"]
        importing = bool(after.get("importing"))
        key = change.get("index") if isinstance(change.get("index"), str) else None
        objects[name].append([after["actions"], key, importing, with_unknown(after.get("after"), after.get("after_unknown"))])
    outputs = {name: with_unknown(o.get("after"), o.get("after_unknown")) for name, o in plan.get("output_changes", {}).items()
               if name != "tf_phi_moves_stale"}
    checks = collections.Counter()
    for check in plan.get("checks", []):
        for instance in check.get("instances", []):
            for problem in instance.get("problems", []):
                checks[(COPY.sub(r"\1", check["address"]["to_display"]), problem["message"])] += 1
    return dict(objects), outputs, sorted(checks.items())


class Found(Exception):
    """A failure: what kind, and what it looks like."""

    def __init__(self, kind, detail):
        super().__init__(kind)
        self.kind, self.detail = kind, detail


def holds(original, specialised):
    """True if what the original's plan knows is so in the other one, which may know more: a copy has fewer references."""
    if original == specialised:
        return True
    if isinstance(original, list) and isinstance(specialised, list):
        return len(original) == len(specialised) and all(map(holds, original, specialised))
    if isinstance(original, dict) and isinstance(specialised, dict):
        return set(original) == set(specialised) and all(holds(v, specialised[k]) for k, v in original.items())
    return original == UNKNOWN


def same(a, b):
    """Compares two plans as `seen` gives them. Objects of one name come in any order."""
    def paired(x, y):
        return len(x) == len(y) and all(map(holds, sorted(x, key=repr), sorted(y, key=repr)))
    names = {n for n in {**a[0], **b[0]} if ".data." not in f".{n}"}
    return all(paired(a[0].get(n, []), b[0].get(n, [])) for n in names) and holds(a[1], b[1]) and a[2] == b[2]


def difference(a, b):
    for part, (x, y) in zip(("objects", "outputs", "checks"), zip(a, b)):
        if x != y:
            if isinstance(x, dict):
                keys = [k for k in {**x, **y} if x.get(k) != y.get(k)]
                return "\n".join(f"{part} {k}:\n  original    {x.get(k)}\n  specialised {y.get(k)}" for k in keys[:4])
            return f"{part}:\n  original    {x}\n  specialised {y}"
    return ""


def plain(message):
    """A message without what tells copies apart: their names, and the key that a gate gives them."""
    return re.sub(r"\[\d+\]", "", COPY.sub(r"\1", message))


def tests(program, folder):
    """How each run of the test files ended, and what it said, whatever the names of copies are."""
    code, said, why = run(program, ["test", "-json", "-no-color"], folder)
    runs, messages = [], collections.Counter()
    for line in said.splitlines():
        event = json.loads(line)
        if event["type"] == "test_run" and event["test_run"].get("progress", "complete") == "complete":
            runs.append((event["test_run"]["path"], event["test_run"]["run"], event["test_run"]["status"]))
        if event["type"] == "diagnostic":
            diagnostic = event["diagnostic"]
            messages[(diagnostic["severity"], diagnostic["summary"], plain(diagnostic["detail"]))] += 1
    if not runs:
        raise Found("test", said + why)
    return runs, sorted(messages.items()), code


def is_rejected_for_every_input(folder):
    """True if Terraform rejects a tree before it has seen any input.

    Its check takes inputs for unknown, and an unknown condition hands on the marks of both arms: `var.on ? var.ephemeral : "x"` is
    refused whatever `on` is. A copy that has lost the arm is accepted. No input that Terraform accepts has another value: there is none.
    """
    code, _, _ = run(TERRAFORM, ["validate", "-no-color"], folder)
    return code != 0


def without_protection(path, text):
    """A file in which nothing is protected by an expression: Terraform takes none there, and before any object exists it is of no account."""
    if path.endswith(".json"):
        return re.sub(r'"prevent_destroy": "(?:[^"\\]|\\.)*"', '"prevent_destroy": false', text)
    return re.sub(r"(prevent_destroy|create_before_destroy) = var.*", r"\1 = false", text)


def plan_specialised(folder, args):
    """Runs tf-phi, and does what it prints about declarations in JSON, one after another."""
    while True:
        code, _, said = run(PHI, args, folder)
        if not follow_declaration(folder, said):
            return code, said
        COUNTED["declarations in JSON pasted in native syntax"] += 1


UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)


def applied(program, plan, folder):
    """What stands in state after a plan was applied, whatever the names of copies are, and what provisioners were given to run."""
    code, _, said = run(program, ["apply", "-input=false", "-no-color", plan], folder)
    _, shown, why = run(TERRAFORM, ["show", "-json"], folder)
    if not shown:
        raise Found("show", why)
    objects = collections.defaultdict(list)

    def below(module):
        for own in module.get("resources", []):
            name = re.sub(r"\[[^\]]*\]", "", COPY.sub(r"\1", own["address"]))
            values = {k: v for k, v in own["values"].items() if k != "id"}
            objects[name].append(UUID.sub("UUID", json.dumps(values, sort_keys=True)))
        for child in module.get("child_modules", []):
            below(child)

    values = json.loads(shown).get("values", {})
    below(values.get("root_module", {}))
    outputs = {name: UUID.sub("UUID", json.dumps(o["value"], sort_keys=True)) for name, o in values.get("outputs", {}).items()
               if name != "tf_phi_moves_stale"}
    log = folder / "log.bin"
    logged = sorted(log.read_bytes().split(b"\0")) if log.exists() else []
    COUNTED["commands of provisioners compared"] += max(len(logged) - 1, 0)
    if code != 0:
        return [sorted(set(errors(said)))]
    return [{name: sorted(own) for name, own in objects.items() if not re.search(r"(^|\.)data\.", name)}, outputs, logged]


def judge(tree, items=None, envs=("a", "b")):
    """Plans both forms; returns how it ended: equal, rejected by both, or refused with a code."""
    files = tree.files(items)
    with tempfile.TemporaryDirectory(prefix="grammar") as temp:
        original, specialised = pathlib.Path(temp, "o"), pathlib.Path(temp, "s")
        for folder in (original, specialised):
            write(folder, files)
            install(folder, files)
        write(original, {path: without_protection(path, text) for path, text in files.items()})
        outcome = None
        for env in envs:
            args = ["plan", "-input=false", "-no-color", f"-var=env={env}", "-lock=false", f"-out={temp}/plan"]
            code, _, said = run(TERRAFORM, args, original)
            code2, said2 = plan_specialised(specialised, args[:-1] + [f"-out={temp}/plan2"])
            blocked = re.findall(r"^Code: (\S+)", said2, re.M)
            if "panicked" in said2 or "fault" in blocked:
                raise Found("fault", said2)
            if code != 0:
                if code2 == 0 and is_rejected_for_every_input(original):
                    outcome = "rejected for every input, accepted specialised: " + (errors(said) or ["?"])[0]
                    continue
                if code2 == 0:
                    raise Found("accepted", f"env {env}: the original is rejected\n{said}")
                # One error may keep Terraform from finding others.
                if not blocked and not set(errors(said)) & set(errors(said2)):
                    raise Found("other errors", f"env {env}\n{said}\n==== specialised\n{said2}")
                outcome = "rejected: " + (errors(said) or ["?"])[0]
                continue
            if code2 != 0 and blocked:
                return "refused: " + blocked[0] + ": " + (re.findall(r"Blocking: (.*)", said2) or [""])[0]
            if code2 != 0:
                raise Found("rejected", f"env {env}: Terraform rejects what was written\n{said2}")
            plans = []
            for folder, name in ((original, "plan"), (specialised, "plan2")):
                _, shown, why = run(TERRAFORM, ["show", "-json", f"{temp}/{name}"], folder)
                if not shown:
                    raise Found("show", why)
                plans.append(seen(json.loads(shown)))
            if not same(*plans):
                raise Found("different", f"env {env}\n" + difference(*plans))
            if outcome is None:
                outcome = "equal"
        if outcome == "equal" and (original / "tests").exists():
            ended = [tests(TERRAFORM, original), tests(PHI, specialised)]
            if ended[0] != ended[1]:
                raise Found("tests differ", f"original    {ended[0]}\nspecialised {ended[1]}")
            outcome = "equal, and its tests end alike"
        if outcome and outcome.startswith("equal") and tree.is_applied:
            ended = [applied(TERRAFORM, f"{temp}/plan", original), applied(PHI, f"{temp}/plan2", specialised)]
            if ended[0] != ended[1]:
                raise Found("applied differently", "\n".join(
                    f"original    {x}\nspecialised {y}" for x, y in itertools.zip_longest(*ended) if x != y))
            outcome += ", and is applied alike"
        if not (specialised / ".phi").exists():
            outcome = f"not specialised ({outcome})"
        return outcome


def shrink(tree, found, envs, seconds):
    """Leaves items out while the failure stays of its kind."""
    items, end = list(tree.items), time.time() + seconds
    at = 0
    while at < len(items) and time.time() < end:
        fewer = items[:at] + items[at + 1:]
        try:
            judge(tree, fewer, envs)
            at += 1
        except Found as again:
            if again.kind == found.kind:
                items, found = fewer, again
            else:
                at += 1
    return items, found


def one(job):
    seed, both, seconds = job
    tree = Tree(seed, MINOR, "TF_REATTACH_PROVIDERS" in ENV)
    envs = ("a", "b") if both else (("a", "b")[seed % 2],)
    try:
        return seed, judge(tree, None, envs), None, tree.seen
    except Found as found:
        items, found = shrink(tree, found, envs, seconds)
        files = tree.files(items)
        text = "".join(f"--- {path}\n{text}\n" for path, text in files.items() if not path.endswith("s.tfstate"))
        return seed, "FAILED " + found.kind, f"{found.detail}\n{text}", tree.seen


# Nested blocks stand in few places, and the key of one with labels has to be known without any variable.
ONLY_IN = {"block": {"resource", "content", "ephemeral"}, "dynamic": {"resource", "content", "ephemeral"},
           "iterator": {"resource", "content", "ephemeral"}, "labels": {"resource"}}


def coverage(seen):
    """Prints how often each production occurred, and the places in which it didn't."""
    places = sorted({place for _, place in seen})
    rows = sorted({production for production, _ in seen})
    holes = {row: [p for p in places if (row, p) not in seen and p in ONLY_IN.get(row, places)] for row in rows}
    pairs = sum(len([p for p in places if p in ONLY_IN.get(row, places)]) for row in rows)
    print(f"\n{len(rows)} productions x {len(places)} places; {sum(map(len, holes.values()))} holes in {pairs} pairs:")
    for row in rows:
        counted = sum(n for (r, _), n in seen.items() if r == row)
        print(f"  {row:28} {counted:7}  " + (", ".join(holes[row]) or "none"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--provider", help="the program of the provider of nested blocks")
    parser.add_argument("--both", action="store_true", help="plan each tree in both environments")
    parser.add_argument("--shrink", type=int, default=20)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--dry", action="store_true", help="print the coverage, and run nothing")
    options = parser.parse_args()
    if options.dry:
        seeds = range(options.seed * 1_000_003 + options.first, options.seed * 1_000_003 + options.first + options.cases)
        return coverage(sum((collections.Counter(Tree(seed).seen) for seed in seeds), collections.Counter()))
    if shutil.which(TERRAFORM) is None:
        sys.exit(f"scripts/grammar: no Terraform at {TERRAFORM}")
    global MINOR
    MINOR = int(re.search(r"v1\.(\d+)", run(TERRAFORM, ["version"], ".")[1])[1])
    if options.provider:
        serve(options.provider)
    seeds = range(options.seed * 1_000_003 + options.first, options.seed * 1_000_003 + options.first + options.cases)
    if options.show and options.cases == 1:
        for path, text in Tree(seeds[0], MINOR, "TF_REATTACH_PROVIDERS" in ENV).files().items():
            print(f"--- {path}\n{text}")
    start, outcomes, seen_all, failed = time.time(), collections.Counter(), collections.Counter(), 0
    kinds = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done, (seed, outcome, detail, seen_by) in enumerate(pool.map(one, [(s, options.both, options.shrink) for s in seeds]), 1):
            outcomes[outcome] += 1
            kinds.setdefault(outcome, seed)
            seen_all.update(seen_by)
            if detail:
                failed += 1
                print(f"==== case {seed - options.seed * 1_000_003}: {outcome}\n{detail}", flush=True)
            if done % 200 == 0:
                print(f"{done} of {options.cases} trees, {failed} failed, {time.time() - start:.0f} s", file=sys.stderr, flush=True)
    print(f"\n{options.cases} trees of seed {options.seed} in {time.time() - start:.0f} s")
    for outcome, number in outcomes.most_common():
        print(f"  {number:6} {outcome}  (case {kinds[outcome] - options.seed * 1_000_003})")
    for what, number in sorted(COUNTED.items()):
        print(f"  {number:6} {what}")
    times = os.times()
    print(f"{(times.children_user + times.children_system + times.user + times.system) / options.cases:.2f} s of processor a tree")
    if options.coverage:
        coverage(seen_all)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
