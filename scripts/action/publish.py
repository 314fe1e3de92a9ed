"""What the step tells: annotations, the job summary, the comment, outputs, and its exit status."""

import hashlib
import os
from pathlib import Path

import comment
import inputs as asked
import report
import repository
from runner import SUMMARY, Fault


def publish(runner, inputs, result):
    """Publishes a result, and gives the exit status."""
    annotate(runner, result)
    parts = [runner.clean(part) for part in report.parts(runner, result)]
    path = Path(runner.get("RUNNER_TEMP", "/tmp")) / ("tf-phi-report-%s.md" % marker(inputs)[:8])
    path.unlink(missing_ok=True)
    # What a plan says is for the job alone.
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write("\n".join(parts))
    runner.summary(report.assembled(parts, SUMMARY, link(runner)))
    for name in ("add", "change", "destroy", "replace"):
        runner.output(name, result.count(name))
    runner.output("changed", "true" if result.changed else "false")
    runner.output("findings", len(result.findings))
    runner.output("report", path)
    status = verdict(runner, inputs, result)
    if inputs.comment:
        status = commented(runner, inputs, result, parts) or status
    return status


def marker(inputs):
    """What tells this comment from those of other jobs: the mode, the directories, the environments, the shard."""
    shard = [inputs.shard] if inputs.shard else []
    text = "\0".join([inputs.mode, *inputs.patterns, "", *inputs.environments, inputs.form_factor, *shard])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def link(runner):
    """The page of this run, which shows the summary."""
    server = runner.get("GITHUB_SERVER_URL", "https://github.com")
    return "%s/%s/actions/runs/%s" % (server, runner.get("GITHUB_REPOSITORY"), runner.get("GITHUB_RUN_ID"))


def annotate(runner, result):
    """Findings where they stand, with paths from the repository down."""
    roots = {}
    for part, finding in result.findings:
        if part.directory not in roots:
            roots[part.directory] = repository.root(runner, part.directory)
        span = str(finding.get("source_span") or "")
        file = str(finding.get("file") or span.rpartition(":")[0])
        first = span.rpartition(":")[2].partition("-")[0]
        line = finding.get("line") or (int(first) if first.isdigit() else None)
        said = finding.get("summary") or finding.get("error") or "a finding"
        fixes = ["%s\n%s" % (f.get("title", ""), f.get("paste", "")) for f in finding.get("fixes") or []]
        names = ", ".join(str(name) for name in finding.get("environments") or [])
        names = "Environments: %s" % names if names else ""
        text = "\n".join(str(t) for t in [said, finding.get("why") or finding.get("gate") or "", names, *fixes] if t)
        level = "warning" if finding.get("severity") == "warning" else "error"
        runner.annotate(level, text, relative(runner, roots[part.directory], part.directory, file), line,
                        "tf-phi: %s" % finding.get("code", "finding"))
    for part in result.parts:
        if part.failure:
            runner.annotate("error", "%s: %s" % (part.directory, part.failure))


def relative(runner, root, directory, file):
    """A file of a directory as the repository names it; nothing for one outside."""
    if not file:
        return ""
    path = os.path.normpath(os.path.join(runner.workspace, directory, file))
    inside = os.path.relpath(path, root)
    return "" if inside.startswith("..") or os.path.isabs(inside) else inside.replace(os.sep, "/")


def verdict(runner, inputs, result):
    """1 where something failed, or is what `fail-on` names."""
    if result.failed:
        return 1
    if result.mode == "check":
        errors = [f for _, f in result.findings if f.get("severity") != "warning"]
        return 1 if errors else 0
    # A change is whatever makes a plan another one than an empty one.
    counts = {"destroy": result.count("destroy"), "replace": result.count("replace"), "change": result.changed}
    # What a review refuses, it says by its status.
    named = [name for name in inputs.fail_on if counts.get(name)] if result.mode == "plan" else []
    if not named and not any(p.refused for p in result.parts):
        return 0
    runner.annotate("error", "The job fails, since there is what fail-on names: %s." % ", ".join(named or inputs.fail_on))
    return 1


def commented(runner, inputs, result, parts):
    """The comment. 1 where the API refuses what was asked for."""
    request = asked.pull_request(runner)
    if not request:
        runner.annotate("notice", "This is no pull request, so that there is nothing to comment on. The report is in the job summary.")
        return 0
    if not inputs.token:
        runner.annotate("error", "The input comment is true, and the input token is empty.")
        return 1
    try:
        comment.put(runner, inputs.token, int(request.get("number") or 0), marker(inputs),
                    lambda limit: report.assembled(parts, limit, link(runner)))
    except comment.Refused as refused:
        if asked.is_fork(runner):
            runner.annotate("notice", "The token of a pull request from a fork may only read, so that there is no comment. "
                                      "The report is in the job summary.")
            return 0
        runner.annotate("error", "GitHub refuses the comment (%s). The job needs: permissions: pull-requests: write." % refused)
        return 1
    except Fault as fault:
        runner.annotate("warning", "There is no comment: %s The report is in the job summary." % fault)
    return 0
