"""The binary: one that is there, a release by version and checksum, or a build of the action's own sources.

A release is `tf-phi-VERSION-TARGET.tar.gz` beside `SHA256SUMS`. Whoever wants more than the release's own word gives the checksum
with the version: `0.1.0@sha256:…`.
"""

import hashlib
import io
import os
import platform
import re
import shutil
import tarfile
import urllib.error
import urllib.request
from pathlib import Path

from runner import Fault, log

# A release is smaller.
LARGEST = 200 * 1024 * 1024
SECONDS = 60


def sources(runner):
    return Path(runner.get("GITHUB_ACTION_PATH", ".")).resolve()


def folder(runner):
    """Where the binary is put."""
    return Path(runner.get("RUNNER_TEMP", "/tmp")).resolve() / "tf-phi"


def own_version(runner):
    """The version of the action's own sources."""
    try:
        text = (sources(runner) / "Cargo.toml").read_text(encoding="utf-8")
    except OSError:
        return ""
    found = re.search(r'^version = "([^"]+)"', text, re.M)
    return found.group(1) if found else ""


def key(runner):
    """What a build depends on."""
    digest = hashlib.sha256()
    root = sources(runner)
    named = [root / n for n in ("Cargo.toml", "Cargo.lock")] + sorted((root / "src").rglob("*.rs"))
    for path in named + sorted((root / "services").rglob("*")):
        if path.is_file():
            digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes() + b"\0")
    return "tf-phi-%s-%s-%s" % (platform.system(), platform.machine(), digest.hexdigest()[:32])


def target():
    """The release's name of this machine."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    system = {"Linux": "unknown-linux-musl", "Darwin": "apple-darwin"}.get(platform.system())
    return "%s-%s" % (machine, system) if system else ""


def prepare(runner, inputs):
    """The binary's path, and whether it has to be built."""
    if inputs.binary:
        return named(runner, inputs), False
    path = folder(runner) / "bin" / "tf-phi"
    version, _, checksum = inputs.version.partition("@sha256:")
    own = own_version(runner)
    if release(runner, version or own, checksum, path):
        return str(path), False
    if version and version != own:
        raise Fault("There is no release %s of tf-phi for %s. The action's own version is %s." % (version, target(), own))
    return str(path), True


def named(runner, inputs):
    """The binary that the workflow names: a path, or a name on PATH."""
    there = str((runner.workspace / inputs.binary).resolve()) if os.sep in inputs.binary else inputs.binary
    found = runner.which(there)
    if not found:
        raise Fault("The input tf-phi names %s, and there is no such program." % inputs.binary)
    return os.path.abspath(found)


def ensure(runner, inputs):
    """The binary, built where that is needed."""
    if inputs.binary:
        return named(runner, inputs)
    path = folder(runner) / "bin" / "tf-phi"
    if not path.exists():
        log("tf-phi is built from the action's own sources.")
        build = ["cargo", "install", "--locked", "--quiet", "--path", sources(runner), "--root", folder(runner)]
        # Cargo looks for a configuration from the working directory up; the tree's counts for nothing here.
        ran = runner.start(build, cwd=sources(runner))
        runner.say(ran.err)
        if ran.status or not path.exists():
            raise Fault("tf-phi can't be built. Give a version that is released, or a binary as the input tf-phi.")
    return str(path)


def release(runner, version, checksum, path):
    """Puts a released binary where it is wanted. `False` where there is no such release.

    Raises Fault where the checksum is another one.
    """
    repository = runner.get("PHI_ACTION_REPOSITORY")
    if not (version and repository and target() and re.fullmatch(r"[\w.+-]+", version)):
        return False
    server = runner.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/")
    base = "%s/%s/releases/download/v%s/" % (server, repository, version)
    name = "tf-phi-%s-%s.tar.gz" % (version, target())
    sums = None if checksum else fetch(base + "SHA256SUMS")
    archive = fetch(base + name) if checksum or sums else None
    if archive is None:
        return False
    wanted = checksum or listed(sums.decode("utf-8", "replace"), name)
    if hashlib.sha256(archive).hexdigest() != wanted.lower():
        raise Fault("The checksum of %s is not %s. It is not used." % (name, wanted or "in SHA256SUMS"))
    unpack(archive, path)
    return True


def listed(text, name):
    """The checksum of a file in the list of all."""
    for line in text.splitlines():
        digest, _, file = line.partition(" ")
        if file.strip().lstrip("*") == name:
            return digest
    return ""


def unpack(archive, path):
    """The one file that is wanted; nothing else of the archive is looked at."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as tar:
        member = next((m for m in tar if m.isfile() and Path(m.name).name == "tf-phi"), None)
        if member is None:
            raise Fault("The release holds no tf-phi.")
        with tar.extractfile(member) as source, open(path, "wb") as file:
            shutil.copyfileobj(source, file)
    path.chmod(0o755)


def fetch(url):
    """The bytes behind an address; nothing where nobody has them."""
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            content = answer.read(LARGEST + 1)
    except (urllib.error.URLError, OSError) as error:
        log("%s: %s" % (url, getattr(error, "reason", error)))
        return None
    return content if len(content) <= LARGEST else None
