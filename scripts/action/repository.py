"""The Git repository: its root, and the revision that a review compares with."""

import base64
import re
from pathlib import Path

from inputs import pull_request
from runner import Fault, log

# No hook of whatever configuration runs, and no transport that runs a program. Files of a pull request that look like a bare
# repository aren't one: their configuration would name what runs.
SAFE = [
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.fsmonitor=false",
    "-c", "protocol.ext.allow=never",
    "-c", "safe.bareRepository=explicit",
]


# The file mode of a submodule in a tree of Git's.
SUBMODULE = "160000"


def git(runner, *words, cwd=None, extra=None):
    return runner.start(["git", *SAFE, *words], cwd=cwd, extra={"GIT_TERMINAL_PROMPT": "0", **(extra or {})})


def root(runner, directory):
    """The root of the work tree that holds a directory; the workspace where there is none."""
    at = runner.workspace / directory
    ran = git(runner, "rev-parse", "--show-toplevel", cwd=at if at.is_dir() else runner.workspace)
    return Path(ran.out.rstrip("\n")).resolve() if ran.status == 0 and ran.out.strip() else runner.workspace


def work_trees(runner, directory):
    """The roots of the work trees that hold a directory: that of the submodule that it lies in, and outwards those of which that is a part. As
    tf-phi has it, none beyond the one that the workspace lies in."""
    found = [root(runner, directory)]
    while found[-1] not in (runner.workspace, *runner.workspace.parents):
        ran = git(runner, "rev-parse", "--show-superproject-working-tree", cwd=found[-1])
        above = Path(ran.out.rstrip("\n")).resolve() if ran.status == 0 and ran.out.strip() else None
        if above is None or above in found:
            break
        found.append(above)
    return found


def owner(runner, directory):
    """The root of the repository that says what a directory is compared with. A change can bring any submodule, and what a revision is called
    within one is the submodule's own."""
    return work_trees(runner, directory)[-1]


def base(runner, inputs, directory):
    """The commit to compare with, in the repository that owns the directory: what the input says, else the pull request's base. Fetched where it
    isn't there, as what it has of the submodules on the way to the directory.

    Raises Fault where there is none, and where it can't be had.
    """
    at = runner.workspace / directory
    if git(runner, "rev-parse", "--is-inside-work-tree", cwd=at).status:
        raise Fault("%s is in no Git repository, so that there is nothing to compare with. Run actions/checkout before." % directory)
    request = (pull_request(runner) or {}).get("base") or {}
    named = inputs.base or str(request.get("sha") or request.get("ref") or "")
    if not named:
        raise Fault("There is no base to compare with: this is no pull request. Name one by the input base.")
    trees = work_trees(runner, directory)
    found = revision(runner, inputs, trees[-1], named)
    bring_submodules(runner, inputs, trees, found)
    return found


def bring_submodules(runner, inputs, trees, base):
    """Fetches the commits that a base has of submodules, each in the work tree of the one around. What can't be had, tf-phi says."""
    at = fork_point(runner, trees[-1], base)
    for outer, inner in zip(trees[:0:-1], trees[-2::-1]):
        at = submodule_commit(runner, outer, at, str(inner.relative_to(outer)))
        if not at:
            return
        if not commit(runner, inner, at):
            log("the submodule's commit %s is fetched" % at)
            ran = fetch(runner, inputs, inner, at)
            if ran.status:
                runner.say(ran.err)


def submodule_commit(runner, top, at, path):
    """The commit that a commit has of a submodule, or nothing."""
    ran = git(runner, "ls-tree", "-z", "--full-tree", at, "--", path, cwd=top)
    mode, _, rest = ran.out.partition(" ")
    return rest.partition(" ")[2].partition("\t")[0] if ran.status == 0 and mode == SUBMODULE else ""


def revision(runner, inputs, at, named):
    """The commit of a revision. Fetched where it isn't there.

    Raises Fault where it can't be had.
    """
    found = commit(runner, at, named) or commit(runner, at, "origin/" + named)
    if found:
        return found
    log("the revision %s is fetched" % named)
    fetched = fetch(runner, inputs, at, named)
    found = commit(runner, at, "FETCH_HEAD") if fetched.status == 0 else None
    if not found:
        runner.say(fetched.err)
        raise Fault(
            "The revision %s is not in this clone, and it can't be fetched. Check that it exists; fetch-depth: 0 of "
            "actions/checkout brings the whole history." % named
        )
    return found


def commit(runner, at, name):
    """The commit of a name, or nothing."""
    ran = git(runner, "rev-parse", "--quiet", "--verify", "--end-of-options", name + "^{commit}", cwd=at)
    text = ran.out.strip()
    return text if ran.status == 0 and re.fullmatch(r"[0-9a-f]{40,64}", text) else None


def fork_point(runner, at, base):
    """The commit from which the work tree has gone its own way: what was added to the base since isn't lost. As a review has it, the base
    itself where the clone doesn't reach that far, or where there are several such commits."""
    ran = git(runner, "merge-base", "--all", base, "HEAD", cwd=at)
    text = ran.out.strip()
    return text if ran.status == 0 and re.fullmatch(r"[0-9a-f]{40,64}", text) else base


def fetch(runner, inputs, at, name):
    """Fetches one revision. The token is used where the clone has no credentials of its own, and stands in no argument."""
    words = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--depth=1", "--", "origin", name]
    # Nothing of the directory itself has a say in what a fetch starts.
    at = root(runner, at)
    ran = git(runner, *words, cwd=at)
    if ran.status and inputs.token:
        server = runner.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/")
        basic = base64.b64encode(("x-access-token:" + inputs.token).encode()).decode()
        extra = {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "http.%s/.extraheader" % server,
            "GIT_CONFIG_VALUE_0": "AUTHORIZATION: basic " + basic,
        }
        ran = git(runner, *words, cwd=at, extra=extra)
    return ran
