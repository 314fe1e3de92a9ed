"""The three modes. Each runs tf-phi once per directory, plan once per environment, and gives what came out as data."""

import json
import os
import shlex
import tempfile
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Dict, List

import before
import repository
from inputs import is_fork
from originals import Originals
from runner import Fault

# What a plan does, by the words of its JSON; and the output that counts it.
ACTIONS = {"create": "add", "update": "change", "delete": "destroy", "replace": "replace"}


# The exit status where something is what `fail-on` names.
REFUSED = 3


@dataclass
class Part:
    """What one directory gave."""

    directory: str
    data: dict = field(default_factory=dict)
    findings: List[dict] = field(default_factory=list)
    counts: Counter = field(default_factory=Counter)
    changed: bool = False
    # Whether something is what `fail-on` names.
    refused: bool = False
    # A sentence where it could not be done.
    failure: str = ""
    # Terraform's own text, by environment.
    texts: Dict[str, str] = field(default_factory=dict)


@dataclass
class Result:
    """What all directories gave."""

    mode: str
    base: str = ""
    parts: List[Part] = field(default_factory=list)

    def count(self, name):
        return sum(p.counts[name] for p in self.parts)

    @property
    def findings(self):
        return [(p, f) for p in self.parts for f in p.findings]

    @property
    def changed(self):
        return any(p.changed for p in self.parts)

    @property
    def failed(self):
        return any(p.failure for p in self.parts)


def run(runner, inputs, binary, directories):
    """Runs the mode over all directories.

    Raises Fault where a stranger's tree would run with the repository's own secrets.
    """
    if runner.get("GITHUB_EVENT_NAME") == "pull_request_target" and is_fork(runner) and (inputs.plan or inputs.mode == "plan"):
        raise Fault("On pull_request_target a plan of a fork would run the fork's code with this repository's secrets. Use pull_request.")
    result = Result(inputs.mode)
    mode = {"review": review, "plan": plan, "check": check}[inputs.mode]
    since = changed_since(runner, inputs, directories)
    lost = []
    if inputs.mode == "review":
        more, lost = before.lost(runner, inputs, directories)
        directories = directories + more
    if inputs.mode != "check":
        directories, result.parts = roots(runner, inputs, binary, directories, since)
    # Each shard says it: which one they would be in, nobody can tell any more.
    result.parts += [gone(inputs, runner.masked(one)) for one in lost]
    work = []
    for directory in directories:
        # Fetching is for one at a time.
        base = repository.base(runner, inputs, directory) if inputs.mode == "review" else ""
        result.base = base or result.base
        work.append((Work(runner, inputs, binary, directory, since), base))
    with ThreadPoolExecutor(max_workers=inputs.jobs if inputs.mode != "check" else 1) as pool:
        for parts in pool.map(lambda one: mode(*one), work):
            result.parts += parts
    return result


def changed_since(runner, inputs, directories):
    """The commit from which root modules have to differ, or nothing."""
    if inputs.changed_since == "base":
        return repository.base(runner, inputs, directories[0])
    return repository.revision(runner, inputs, repository.owner(runner, directories[0]), inputs.changed_since) if inputs.changed_since else ""


def shell_path(path):
    """A path as one word of a shell's command line that no program takes for an option."""
    return shlex.quote("./" + path if path.startswith("-") else path)


def selection(inputs, since):
    """What chooses among root modules, as tf-phi takes it."""
    words = ["--shard=" + inputs.shard] if inputs.shard else []
    return words + (["--changed-since=" + since] if since else [])


def roots(runner, inputs, binary, directories, since):
    """The root modules that are meant, and parts that tell of those of the base that are gone.

    Raises Fault where tf-phi can't tell.
    """
    words = (["--recursive"] if inputs.recursive else []) + selection(inputs, since)
    if not words:
        return directories, []
    if inputs.recursive and inputs.mode == "review":
        # A change must not hide a root module from its own review.
        words.append("--base=" + repository.base(runner, inputs, directories[0]))
    ran = runner.start([binary, "roots", "--format=json", *words, "--", *map(str, directories)])
    runner.say(ran.err)
    try:
        data = json.loads(ran.out)
        lost = [gone(inputs, runner.masked(one)) for one in data.get("gone") or []]
        return [Path(directory) for directory in data["root_modules"]], lost
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Fault("tf-phi roots ended with status %d; the log says why." % ran.status) from None


def gone(inputs, one):
    """The part of a root module that is none any more and can't be looked at."""
    finding = {"code": "missing", "severity": "error", "summary": one["summary"], "why": one["why"]}
    return Part(str(one["directory"]), findings=[finding], changed=True, refused=bool({"finding", "change"} & set(inputs.fail_on)))


class Work:
    """One directory, and the programs that run in it."""

    # A plugin cache stands one at a time.
    installing = threading.Lock()

    def __init__(self, runner, inputs, binary, directory, since):
        self.runner, self.inputs, self.binary, self.since = runner, inputs, binary, since
        self.directory = str(directory)
        self.terraform = runner.terraform()

    def phi(self, *words):
        """Runs tf-phi in the directory."""
        factor = ["--form-factor=" + self.inputs.form_factor] if self.inputs.form_factor else []
        extra = {"TF_IN_AUTOMATION": "1", "TF_INPUT": "0"}
        if self.terraform:
            extra["TF_PHI_TERRAFORM"] = self.terraform
        if not self.inputs.plan:
            # What a job leaves in the folder, credentials among it, is nothing for a report.
            extra["TF_PHI_TRACKED_ONLY"] = "1"
        return self.runner.start([self.binary, "-chdir=" + self.directory, *factor, *words], extra=extra)

    def own(self, *words):
        """Runs Terraform itself."""
        extra = {"TF_IN_AUTOMATION": "1", "TF_INPUT": "0"}
        return self.runner.start([self.terraform, "-chdir=" + self.directory, *words], extra=extra)

    def modules(self):
        """Has tf-phi install modules, and nothing that could run. What it can't have counts as not known."""
        if not self.terraform:
            return
        with self.installing:
            ran = self.phi("init", "--modules")
        if ran.status:
            self.runner.say(ran.out + ran.err)
            self.runner.annotate("notice", "%s: modules could not be installed; what they give counts as not known." % self.directory)

    def initialise(self):
        """Initialises for a plan.

        Raises Fault where there is no Terraform.
        """
        if not self.terraform:
            raise Fault("There is no Terraform. Run hashicorp/setup-terraform before, or name one by the input terraform.")
        # The sources stay the pull request's.
        with self.installing:
            ran = self.phi("init", "--ephemeral", "-input=false", "-no-color")
        self.runner.say(ran.out + ran.err)
        return ran.status == 0

    def part(self, **more):
        return Part(self.directory, **more)

    def parsed(self, ran):
        """The JSON object that was printed, or nothing."""
        try:
            data = json.loads(ran.out)
        except (ValueError, RecursionError):
            return None
        return self.runner.masked(data) if isinstance(data, dict) else None


def review(work, base):
    """`tf-phi review`: what a change means."""
    if not work.inputs.plan:
        work.modules()
    elif not work.initialise():
        return [work.part(failure="terraform init failed; the log says why.")]
    words = ["review", "--base=" + base, "--format=json"]
    words += ["--env=" + name for name in work.inputs.environments]
    words += ["--plan"] if work.inputs.plan else []
    words += ["--fail-on=" + ",".join(work.inputs.fail_on)] if work.inputs.fail_on else []
    ran = work.phi(*words, *work.inputs.args)
    work.runner.say(ran.err)
    data = work.parsed(ran)
    if data is None:
        return [work.part(failure="tf-phi review ended with status %d; the log says why." % ran.status)]
    part = work.part(data=data, findings=list(data.get("findings") or []), refused=ran.status == REFUSED)
    unplanned = []
    for environment in data.get("environments") or []:
        plan = environment.get("plan") or {}
        part.counts.update(ACTIONS[r["after"]] for r in plan.get("resources") or [] if r.get("after") in ACTIONS)
        part.changed |= any(environment.get(kind) for kind in ("values", "instances", "uncompared", "may_go"))
        part.changed |= bool(plan.get("resources") or plan.get("outputs"))
        unplanned += [str(environment.get("name"))] if "error" in plan else []
        if isinstance(plan.get("text"), str):
            part.texts[str(environment.get("name"))] = plan["text"]
    # Of what isn't compared nobody can say that it is the same.
    part.changed |= bool(data.get("specializations") or data.get("left_out"))
    if unplanned:
        part.failure = "there is no plan of %s." % ", ".join(unplanned)
    elif ran.status not in (0, REFUSED):
        part.failure = "tf-phi review ended with status %d; the log says why." % ran.status
    return [part]


def plan(work, _base):
    """`tf-phi plan`, once for each environment."""
    if not work.initialise():
        return [work.part(failure="terraform init failed; the log says why.")]
    part = work.part(data={"environments": []})
    for name in work.inputs.environments or [None]:
        with tempfile.TemporaryDirectory(prefix="tf-phi-", dir=work.runner.get("RUNNER_TEMP") or None) as folder:
            one_plan(work, part, name, os.path.join(folder, "plan"))
    return [part]


def planned_action(change):
    """What a plan does with an object, in one word; nothing where it stays as it is. A move between copies is one, too: which those are
    only the tree tells, and it may say anything.
    """
    own = change.get("change") or {}
    actions = own.get("actions") or []
    action = "replace" if len(actions) == 2 else (actions or ["no-op"])[0]
    if action in ACTIONS or action == "forget":
        return action
    if own.get("importing"):
        return "import"
    return "move" if change.get("previous_address") else ""


def one_plan(work, part, name, file):
    """Plans, and reads the plan."""
    chosen = ["--env=" + name] if name else []
    words = ["plan", "--ephemeral", *chosen, "-input=false", "-no-color", "-out=" + file, *work.inputs.args]
    ran = work.phi(*words)
    work.runner.say(ran.out + ran.err)
    shown = work.own("show", "-json", file) if ran.status in (0, 2) else None
    data = work.parsed(shown) if shown and shown.status == 0 else None
    where = " for the environment %s" % name if name else ""
    if data is None:
        part.failure = "tf-phi plan ended with status %d%s; the log says why." % (ran.status, where)
        return
    known = Originals.of(work.runner.workspace / work.directory)
    resources = []
    for change in data.get("resource_changes") or []:
        action = planned_action(change)
        if not action:
            continue
        # The history is the pull request's: what it calls a resource is said beside what is planned, and not in its place.
        planned = str(change.get("address", ""))
        resources.append({"address": known.original(planned), "planned": planned, "before": "no-op", "after": action, "attributes": []})
        if action in ACTIONS:
            part.counts[ACTIONS[action]] += 1
    outputs = data.get("output_changes") or {}
    part.changed |= bool(resources) or any((o.get("actions") or []) != ["no-op"] for o in outputs.values())
    # What Terraform puts off, or does besides.
    part.changed |= any(bool(data.get(name)) for name in ("deferred_changes", "action_invocations", "deferred_action_invocations"))
    part.data["environments"].append({"name": name or "default", "plan": {"resources": resources}})
    text = work.own("show", "-no-color", file)
    if text.status == 0:
        part.texts[name or "default"] = text.out


def check(work, _base):
    """`tf-phi check`: specialised and up to date?"""
    work.modules()
    factor = ["--form-factor=" + work.inputs.form_factor] if work.inputs.form_factor else []
    extra = {"TF_PHI_TRACKED_ONLY": "1", **({"TF_PHI_TERRAFORM": work.terraform} if work.terraform else {})}
    chosen = selection(work.inputs, work.since) + (["--jobs=%d" % work.inputs.jobs] if work.inputs.jobs > 1 else [])
    words = [work.binary, *factor, "check", "--format=json", "--recursive", *chosen, *work.inputs.args, "--", work.directory]
    ran = work.runner.start(words, extra=extra)
    work.runner.say(ran.err)
    data = work.parsed(ran)
    if data is None:
        return [work.part(failure="tf-phi check ended with status %d; the log says why." % ran.status)]
    parts = []
    for one in data.get("directories") or []:
        part = Part(str(one.get("directory") or work.directory), data=one, findings=list(one.get("issues") or []))
        part.changed = one.get("status") == "would-change"
        if part.changed:
            changes = [str(f) for f in one.get("changes") or []]
            # Records of tf-phi's own are not worth naming.
            files = [f for f in changes if not f.startswith(".phi/")] or changes
            part.findings.append({
                "code": "outdated", "severity": "error", "file": files[0] if files else "",
                "summary": "the tree is not specialised as it would be now",
                "why": "These files would change: %s." % ", ".join(files),
                "fixes": [{"title": "Write it:", "paste": "tf-phi check --fix %s" % shell_path(part.directory)}],
            })
        parts.append(part)
    return parts
