"""The judge of `scripts/reviewed`: what `review` says of random pairs of trees, beside what a real Terraform does with them.

Of each pair the base is applied, in both environments, and the head is planned on that state. Many pairs are one run of Terraform: each
is a module of one root. Where the head's plan changes anything, the review must not say that nothing differs. Where it changes
nothing, the review may say that something can't be compared in two of a hundred cases at most.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from reviewed_gen import Tree, render  # noqa: E402

TERRAFORM = os.environ.get("TF_PHI_E2E_TERRAFORM", "terraform")
PHI = os.path.abspath(os.environ.get("TF_PHI", "target/debug/tf-phi"))
ENV = {k: v for k, v in os.environ.items() if not k.startswith(("TF_", "PHI_", "GIT_"))} | {
    "TF_CLI_CONFIG_FILE": "", "CHECKPOINT_DISABLE": "1", "NO_COLOR": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@a", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@a"}
# Of equal pairs at most so many of a hundred may be left open.
MOST_OPEN = 2


def run(words, folder):
    ran = subprocess.run(words, cwd=folder, env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    return ran.returncode, ran.stdout, ran.stderr


def write(folder, files):
    for path, text in files.items():
        path = folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Pair:
    def __init__(self, seed):
        self.seed, self.name = seed, "p%d" % seed
        rng = random.Random(seed)
        tree = Tree(rng)
        self.base, self.old = tree.files(), {e: dict(v) for e, v in tree.values.items()}
        self.objects = [dict(tree.objects)]
        self.outputs = [set(tree.outputs)]
        self.edits = [tree.edit() for _ in range(rng.choice([1, 1, 1, 2]))]
        self.head, self.new = tree.files(), tree.values
        self.objects.append(dict(tree.objects))
        self.outputs.append(set(tree.outputs))

    def side(self, head):
        return (self.head, self.new) if head else (self.base, self.old)


def root_of(folder, pairs, head):
    """All pairs as modules of one root, a call for each environment."""
    for old in folder.glob("p[0-9]*"):
        shutil.rmtree(old)
    out = []
    for pair in pairs:
        files, values = pair.side(head)
        write(folder / pair.name, {p: t for p, t in files.items() if not p.endswith(".tfvars")})
        for env in ("dev", "prod"):
            args = "".join("  %s = %s\n" % (n, render(v)) for n, v in [*values[env].items(), ("o", pair.objects[head][env])])
            out.append('module "%s_%s" {\n  source = "./%s"\n%s}\n' % (pair.name, env, pair.name, args))
            for name in sorted(pair.outputs[head]):
                out.append('output "%s_%s_%s" {\n  value = module.%s_%s.%s\n}\n' % (pair.name, env, name, pair.name, env, name))
    (folder / "main.tf").write_text("".join(out))


def planned(folder, pairs, head, action):
    """Runs Terraform over the pairs; those that it refuses are left out and given back."""
    refused = set()
    while True:
        left = [p for p in pairs if p.name not in refused]
        root_of(folder, left, head)
        code, out, err = run([TERRAFORM, "init", "-input=false", "-no-color"], folder)
        if code == 0:
            code, out, err = run([TERRAFORM, *action], folder)
        if code == 0:
            return left
        text = re.sub(r"\n[│╷╵] ?", " ", err)
        found = set(re.findall(r"\bmodule\.(p\d+)_", text)) | set(re.findall(r"\b(p\d+)/(?:m|main)", text)) | set(re.findall(r'"(p\d+)_', text))
        found &= {p.name for p in left}
        if not found:
            raise SystemExit("Terraform fails, and names no pair:\n" + text[-3000:])
        refused |= found
        if os.environ.get("PHI_SHOW_REFUSED"):
            print(sorted(found), text[:700], file=sys.stderr)


def changes(folder, pairs):
    """By pair and environment: what the head's plan changes."""
    code, out, err = run([TERRAFORM, "show", "-json", "plan"], folder)
    if code:
        raise SystemExit(err)
    plan = json.loads(out)
    found = collections.defaultdict(list)
    for change in plan.get("resource_changes") or []:
        name = re.match(r"module\.(p\d+)_(\w+?)\.", change["address"]).groups()
        if change["change"]["actions"] != ["no-op"]:
            found[name].append("%s %s" % (change["address"], "/".join(change["change"]["actions"])))
        elif change.get("previous_address"):
            found[(*name, "moved")].append(change["address"])
    for output, change in (plan.get("output_changes") or {}).items():
        if change["actions"] != ["no-op"]:
            pair, env, name = output.split("_")
            found[(pair, env)].append("output %s" % name)
    return found


def reviewed(folder, pair):
    folder = folder / pair.name
    write(folder, pair.base)
    for words in (["git", "init", "-q"], ["git", "add", "-A"], ["git", "commit", "-qm", "base"]):
        run(words, folder)
    for path in pair.base:
        (folder / path).unlink()
    write(folder, pair.head)
    code, out, err = run([PHI, "review", "--base", "HEAD", "--format", "json", "--fail-on", "change"], folder)
    try:
        data = json.loads(out)
    except ValueError:
        return None, "status %d: %s" % (code, err)
    said = {}
    for env in data["environments"]:
        differs, is_open = bool(env["values"] or env["instances"]), bool(env.get("uncompared"))
        said[env["name"]] = ("differs" if differs else "open" if is_open else "equal", env)
    errors = bool(data["findings"])
    any_said = any(kind != "equal" for kind, _ in said.values())
    if any_said != (code == 3) and not errors:
        return None, "status %d beside %s" % (code, {k: v[0] for k, v in said.items()})
    return said, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=60)
    parser.add_argument("--keep", help="where pairs that fail are written")
    args = parser.parse_args()
    counts, wrong = collections.Counter(), []
    for start in range(args.seed, args.seed + args.pairs, args.batch):
        pairs = [Pair(seed) for seed in range(start, min(start + args.batch, args.seed + args.pairs))]
        with tempfile.TemporaryDirectory() as work:
            work = pathlib.Path(work)
            (work / "tf").mkdir()
            apply = ["apply", "-auto-approve", "-input=false", "-no-color", "-parallelism=30"]
            left = planned(work / "tf", pairs, 0, ["plan", "-input=false", "-no-color"])
            # What fails at apply alone is another batch's: the state of what was applied would stay.
            state = work / "tf" / "terraform.tfstate"
            while True:
                state.unlink(missing_ok=True)
                done = planned(work / "tf", left, 0, apply)
                if len(done) == len(left):
                    break
                left = done
            refusing = planned(work / "tf", left, 1, ["plan", "-input=false", "-no-color", "-out=plan"])
            # Pairs that the head's plan refuses are gone from its root, and so are their objects: only what is left counts.
            found = changes(work / "tf", refusing)
            counts["refused"] += len(pairs) - len(refusing)
            for pair in refusing:
                judge(work, pair, found, counts, wrong, args.keep)
        print(dict(counts), "%d wrong" % len(wrong), file=sys.stderr, flush=True)
    equal = counts["equal: equal"] + counts["equal: open"] + counts["equal: differs"]
    share = 100 * counts["equal: open"] / max(1, equal)
    print("%d pairs and environments: %d differ and are shown, %d are equal and said to be, %d equal ones can't be compared (%.1f %%), "
          "%d equal ones are shown to read differently" % (
              sum(v for k, v in counts.items() if ":" in k), counts["differs: differs"] + counts["differs: open"], counts["equal: equal"],
              counts["equal: open"], share, counts["equal: differs"]))
    for line in wrong:
        print(line)
    if share > MOST_OPEN:
        print("More than %d %% of equal pairs can't be compared." % MOST_OPEN)
    sys.exit(1 if wrong or share > MOST_OPEN else 0)


def judge(work, pair, found, counts, wrong, keep):
    said, fault = reviewed(work, pair)
    if said is None:
        counts["no review"] += 1
        wrong.append("seed %d %s: no review: %s" % (pair.seed, pair.edits, fault.strip().replace("\n", " | ")[:400]))
        return
    for env in ("dev", "prod"):
        plan = found.get((pair.name, env))
        kind, told = said[env]
        counts["%s: %s" % ("differs" if plan else "equal", kind)] += 1
        if plan and kind == "equal":
            wrong.append("seed %d %s, %s: nothing differs, and the plan has %s" % (pair.seed, pair.edits, env, plan[:4]))
        if not plan and kind == "open":
            print("seed %d %s, %s: open: %s" % (pair.seed, pair.edits, env, told.get("uncompared")[:4]), file=sys.stderr)
        if not plan and kind == "differs" and not found.get((pair.name, env, "moved")) and os.environ.get("PHI_SHOW_DIFFERENT"):
            print("seed %d %s, %s: differs: %s %s" % (pair.seed, pair.edits, env, json.dumps(told["values"][:2])[:900], told["instances"][:3]), file=sys.stderr)
    if keep and wrong and wrong[-1].startswith("seed %d " % pair.seed):
        write(pathlib.Path(keep) / pair.name / "base", pair.base)
        write(pathlib.Path(keep) / pair.name / "head", pair.head)


if __name__ == "__main__":
    main()
