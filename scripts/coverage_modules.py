"""Installs the registry and GitHub modules that a root calls, from repositories that are at hand. See scripts/coverage --pins.

A shelf is a folder of repositories with their tags, each named `OWNER+NAME` and either a clone, a bare one, or one within `repo`.
"""

import json
import os
import re
import shutil
import subprocess

CALL = re.compile(r'^module\s+"([^"]+)"\s*\{[ \t]*\n(.*?)^\}', re.M | re.S)
ARGUMENT = re.compile(r'^(?:  |\t)(source|version)\s*=\s*"([^"$%]*)"', re.M)
REGISTRY = re.compile(r"^(?:registry\.terraform\.io/)?([\w-]+)/([\w-]+)/([\w-]+)(?://(.*))?$")
GITHUB = re.compile(
    r"^(?:git::)?(?:https://|ssh://|git@)?(?:git@)?github\.com[/:]([\w-]+)/([\w.-]+?)(?:\.git)?(?://([^?]*))?(?:\?(.*))?$"
)
PARTS = re.compile(r"^\s*(~>|>=|<=|!=|=|>|<)?\s*v?(\d+(?:\.\d+)*)\s*$")
RELEASE = re.compile(r"^v?(\d+)\.(\d+)\.(\d+)$")
DEPTH = 12
# No part of what is called, or nothing that Terraform reads before it plans.
UNREAD = [f":(exclude,glob){p}" for p in ("examples/**", "wrappers/**", "**/*.zip", "**/*.png", "**/*.jar", "**/*.gz")]


def calls(folder):
    """Name, source and version of each call below no other folder than this."""
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        path = os.path.join(folder, name)
        if name.endswith(".tf") and os.path.isfile(path):
            with open(path, errors="replace") as f:
                for call, body in CALL.findall(f.read()):
                    said = dict(ARGUMENT.findall(body))
                    if "source" in said:
                        yield call, said["source"], said.get("version")


def admits(constraint, version):
    """Whether a release is within a version constraint."""
    for part in (constraint or "").split(","):
        found = PARTS.match(part)
        if not found:
            if part.strip():
                return False
            continue
        sign, numbers = found.group(1) or "=", [int(n) for n in found.group(2).split(".")]
        full = tuple(numbers + [0] * (3 - len(numbers)))
        upper = tuple(numbers[:-2] + [numbers[-2] + 1]) if len(numbers) > 1 else (1 << 30,)
        fine = {
            "=": version == full, "!=": version != full, ">": version > full, "<": version < full,
            ">=": version >= full, "<=": version <= full,
            "~>": version >= full and version[: len(upper)] < upper,
        }[sign]
        if not fine:
            return False
    return True


class Shelf:
    """Repositories, and what of them was taken out."""

    def __init__(self, folder, scratch):
        self.folder, self.scratch, self.known, self.missing = folder, scratch, {}, set()

    def git(self, *args):
        done = subprocess.run(["git", *args], capture_output=True, env={**os.environ, "GIT_CONFIG_NOSYSTEM": "1"})
        return done.stdout if done.returncode == 0 else None

    def repository(self, owner, name):
        at = os.path.join(self.folder, f"{owner}+{name}")
        for place in (os.path.join(at, ".git"), os.path.join(at, "repo"), at):
            if os.path.isfile(os.path.join(place, "HEAD")):
                return place
        return None

    def release(self, repository, constraint):
        """The newest tag within a constraint."""
        tags = (self.git("--git-dir", repository, "tag") or b"").decode().split()
        found = [(tuple(map(int, m.groups())), tag) for tag in tags if (m := RELEASE.match(tag))]
        fitting = [(version, tag) for version, tag in found if admits(constraint, version)]
        return max(fitting, default=(None, None))

    def taken(self, repository, what):
        """A folder with the tree of a revision."""
        key = (repository, what)
        if key not in self.known:
            into = os.path.join(self.scratch, str(len(self.known)))
            os.makedirs(into)
            archive = self.git("--git-dir", repository, "archive", what, "--", ".", *UNREAD)
            if archive is None:
                into = None
            else:
                subprocess.run(["tar", "x", "-C", into], input=archive, check=True)
            self.known[key] = into
        return self.known[key]

    def find(self, source, version):
        """The tree, the folder in it and the version of a remote source; nothing where it isn't at hand."""
        if found := REGISTRY.match(source):
            owner, name, provider, sub = found.groups()
            repository = self.repository(owner, f"terraform-{provider}-{name}")
            numbers, what = self.release(repository, version) if repository else (None, None)
            numbers = numbers and ".".join(map(str, numbers))
        elif found := GITHUB.match(source):
            owner, name, sub, query = found.groups()
            repository = self.repository(owner, name)
            said = re.search(r"(?:^|&)ref=([\w./-]+)", query or "")
            numbers, what = None, said.group(1) if said else "HEAD"
            if what.startswith("-"):
                what = None
        else:
            return None
        tree = self.taken(repository, what) if repository and what else None
        if tree is None or not os.path.isdir(os.path.join(tree, sub or "")):
            self.missing.add(re.sub(r"//.*|\?.*", "", source))
            return None
        return tree, sub or "", numbers

    def install(self, root):
        """Writes `.terraform/modules` of a root, as far as its modules are at hand; whether there is one."""
        entries, home = [], os.path.join(root, ".terraform", "modules")

        def walk(path, folder):
            if len(path) > DEPTH:
                return
            for call, source, version in calls(folder):
                key = [*path, call]
                if source.startswith(("./", "../")):
                    there = os.path.normpath(os.path.join(folder, source))
                    entries.append({"Key": ".".join(key), "Source": source, "Dir": os.path.relpath(there, root)})
                    walk(key, there)
                elif found := self.find(source, version):
                    tree, sub, numbers = found
                    into = os.path.join(home, ".".join(key))
                    if not os.path.exists(into):
                        shutil.copytree(tree, into, symlinks=True)
                    registry = REGISTRY.match(source)
                    said = f"registry.terraform.io/{'/'.join(registry.groups()[:3])}" if registry else source
                    said += f"//{sub}" if registry and sub else ""
                    there = os.path.join(into, sub)
                    entry = {"Key": ".".join(key), "Source": said, "Dir": os.path.relpath(there, root)}
                    entries.append({**entry, "Version": numbers} if numbers else entry)
                    walk(key, there)

        walk([], root)
        if not os.path.isdir(home):
            return False
        entries.insert(0, {"Key": "", "Source": "", "Dir": "."})
        with open(os.path.join(home, "modules.json"), "w") as f:
            json.dump({"Modules": entries}, f)
        return True
